"""Random numbers in kernels: a state for each thread, advanced by the thread itself.

xoroshiro128+ gives the numbers that Numba's ``cuda.random`` gives for the same seed (normal ones in float64 are more
exact here, where Numba rounds 2 pi to float32). Philox 4x32-10 gives the stream of integers that cuRAND's Philox gives
for the same seed and subsequence.

Sources: D. Blackman, S. Vigna, "Scrambled linear pseudorandom number generators" (of 2016, with shifts 55, 14, 36); G.
Steele, D. Lea, C. Flood, "Fast splittable pseudorandom number generators" (SplitMix64, for seeds); J. Salmon et al.,
"Parallel random numbers: as easy as 1, 2, 3" (Philox); G. Box, M. Muller, "A note on the generation of random normal
deviates".
"""

import math

import numpy as np

from ..decorators import njit
from ..types import from_dtype
from ._arrays import to_device
from ._decorators import jit
from ._device import grid, gridsize

__all__ = [
    "create_philox_states",
    "create_xoroshiro128p_states",
    "init_philox_state",
    "init_philox_states",
    "init_xoroshiro128p_state",
    "init_xoroshiro128p_states",
    "philox_dtype",
    "philox_next",
    "philox_normal_float32",
    "philox_normal_float64",
    "philox_type",
    "philox_uniform_float32",
    "philox_uniform_float64",
    "uint64_to_unit_float32",
    "uint64_to_unit_float64",
    "xoroshiro128p_dtype",
    "xoroshiro128p_jump",
    "xoroshiro128p_next",
    "xoroshiro128p_normal_float32",
    "xoroshiro128p_normal_float64",
    "xoroshiro128p_type",
    "xoroshiro128p_uniform_float32",
    "xoroshiro128p_uniform_float64",
]

_TWO_PI = 2 * math.pi
_UNIT_64 = 2.0**-53
_SMALLEST = 2.0**-54  # in place of 0, which has no logarithm


@njit
def uint64_to_unit_float64(x):
    """The 53 highest bits of a uint64 as a float64 from 0 to 1, without 1."""
    return (np.uint64(x) >> np.uint64(11)) * _UNIT_64


@njit
def uint64_to_unit_float32(x):
    """The same as a float32, which may be 1 by rounding."""
    return np.float32(uint64_to_unit_float64(x))


@njit
def _normal(u, v):
    """A normal deviate of two uniform ones (Box, Muller)."""
    return math.sqrt(-2.0 * math.log(max(u, _SMALLEST))) * math.cos(_TWO_PI * v)


@njit
def _normal_float32(u, v):
    angle = np.float32(_TWO_PI) * v
    return math.sqrt(np.float32(-2.0) * math.log(max(u, np.float32(_SMALLEST)))) * math.cos(angle)


# ------------------------------------------------------------------------------------------------
# xoroshiro128+

xoroshiro128p_dtype = np.dtype([("s0", np.uint64), ("s1", np.uint64)], align=True)
xoroshiro128p_type = from_dtype(xoroshiro128p_dtype)

_JUMP = (np.uint64(0xBEAC0467EBA5FACB), np.uint64(0xD86B048B86AA9922))


@njit
def init_xoroshiro128p_state(states, index, seed):
    """Set ``states[index]`` from a seed, a uint64, by one step of SplitMix64."""
    z = np.uint64(seed) + np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z = z ^ (z >> np.uint64(31))
    states[index]["s0"] = z
    states[index]["s1"] = z


@njit
def _rotated(x, k):
    return (x << np.uint64(k)) | (x >> np.uint64(64 - k))


@njit
def xoroshiro128p_next(states, index):
    """The next uint64 of ``states[index]``."""
    s0, s1 = states[index]["s0"], states[index]["s1"]
    result = s0 + s1
    s1 ^= s0
    states[index]["s0"] = _rotated(s0, 55) ^ s1 ^ (s1 << np.uint64(14))
    states[index]["s1"] = _rotated(s1, 36)
    return result


@njit
def xoroshiro128p_jump(states, index):
    """Advance ``states[index]`` by 2**64 numbers."""
    s0 = np.uint64(0)
    s1 = np.uint64(0)
    for word in _JUMP:
        for bit in range(64):
            if word & (np.uint64(1) << np.uint64(bit)):
                s0 ^= states[index]["s0"]
                s1 ^= states[index]["s1"]
            xoroshiro128p_next(states, index)
    states[index]["s0"] = s0
    states[index]["s1"] = s1


@njit
def xoroshiro128p_uniform_float64(states, index):
    """The next float64 of ``states[index]``, uniform from 0 to 1, without 1."""
    return uint64_to_unit_float64(xoroshiro128p_next(states, index))


@njit
def xoroshiro128p_uniform_float32(states, index):
    """The next float32 of ``states[index]``, uniform from 0 to 1."""
    return uint64_to_unit_float32(xoroshiro128p_next(states, index))


@njit
def xoroshiro128p_normal_float64(states, index):
    """The next float64 of ``states[index]`` from the normal distribution of mean 0 and deviation 1."""
    u = xoroshiro128p_uniform_float64(states, index)
    return _normal(u, xoroshiro128p_uniform_float64(states, index))


@njit
def xoroshiro128p_normal_float32(states, index):
    """The next float32 of ``states[index]`` from the normal distribution of mean 0 and deviation 1."""
    u = xoroshiro128p_uniform_float32(states, index)
    return _normal_float32(u, xoroshiro128p_uniform_float32(states, index))


@njit
def _fill_xoroshiro128p(states, seed, subsequence_start):
    if len(states) == 0:
        return
    init_xoroshiro128p_state(states, 0, seed)
    for _ in range(subsequence_start):
        xoroshiro128p_jump(states, 0)
    for i in range(1, len(states)):
        states[i] = states[i - 1]
        xoroshiro128p_jump(states, i)


def _read_start(states, dtype, seed, subsequence_start):
    """Seed and start as ints, after a look at the states."""
    import operator

    if states.dtype != dtype or states.ndim != 1:
        raise TypeError(
            f"states are a one-dimensional array of dtype {dtype}, not {states.dtype} of {states.ndim} dimensions"
        )
    seed, start = operator.index(seed), operator.index(subsequence_start)
    if not 0 <= seed < 2**64:
        raise ValueError(f"seed is from 0 to 2**64 - 1, not {seed}")
    if not 0 <= start < 2**63:
        raise ValueError(f"subsequence_start is from 0 to 2**63 - 1, not {start}")
    return np.uint64(seed), start


def init_xoroshiro128p_states(states, seed, subsequence_start=0, stream=0):
    """Set states on the device so that each has a subsequence of 2**64 numbers of its own.

    Parameters
    ----------
    states : DeviceNDArray
        One dimension, of dtype ``xoroshiro128p_dtype``.
    seed : int
        From 0 to 2**64 - 1.
    subsequence_start : int
        The number of the first state's subsequence. Going there takes time: about 0.3 us each.
    stream : Stream, optional
    """
    seed, start = _read_start(states, xoroshiro128p_dtype, seed, subsequence_start)
    host = np.empty(states.shape, xoroshiro128p_dtype)
    _fill_xoroshiro128p(host, seed, start)
    states.copy_to_device(host, stream=stream)


def create_xoroshiro128p_states(n, seed, subsequence_start=0, stream=0):
    """``n`` states on the device, as ``init_xoroshiro128p_states`` sets them."""
    states = to_device(np.empty(n, xoroshiro128p_dtype), stream=stream)
    init_xoroshiro128p_states(states, seed, subsequence_start, stream)
    return states


# ------------------------------------------------------------------------------------------------
# Philox

philox_dtype = np.dtype(
    [(name, np.uint32) for name in ("c0", "c1", "c2", "c3", "k0", "k1", "v0", "v1", "v2", "v3", "used")], align=True
)
philox_type = from_dtype(philox_dtype)


@njit
def _philox_block(c0, c1, c2, c3, k0, k1):
    """Ten rounds: four random uint32 for a counter and a key."""
    mask = np.uint64(0xFFFFFFFF)
    for _ in range(10):
        first = np.uint64(0xD2511F53) * np.uint64(c0)
        second = np.uint64(0xCD9E8D57) * np.uint64(c2)
        c0 = np.uint32(second >> np.uint64(32)) ^ c1 ^ k0
        c1 = np.uint32(second & mask)
        c2 = np.uint32(first >> np.uint64(32)) ^ c3 ^ k1
        c3 = np.uint32(first & mask)
        k0 = np.uint32((np.uint64(k0) + np.uint64(0x9E3779B9)) & mask)
        k1 = np.uint32((np.uint64(k1) + np.uint64(0xBB67AE85)) & mask)
    return c0, c1, c2, c3


@njit
def init_philox_state(states, index, seed, subsequence, offset=0):
    """Set ``states[index]`` to number ``offset`` of a subsequence; all three are uint64, as for ``curand_init``."""
    mask = np.uint64(0xFFFFFFFF)
    block = np.uint64(offset) >> np.uint64(2)
    subsequence = np.uint64(subsequence)
    state = states[index]
    state["k0"], state["k1"] = np.uint32(np.uint64(seed) & mask), np.uint32(np.uint64(seed) >> np.uint64(32))
    state["c0"], state["c1"] = np.uint32(block & mask), np.uint32(block >> np.uint64(32))
    state["c2"], state["c3"] = np.uint32(subsequence & mask), np.uint32(subsequence >> np.uint64(32))
    values = _philox_block(state["c0"], state["c1"], state["c2"], state["c3"], state["k0"], state["k1"])
    state["v0"], state["v1"], state["v2"], state["v3"] = values
    state["used"] = np.uint32(np.uint64(offset) & np.uint64(3))


@njit
def philox_next(states, index):
    """The next uint32 of ``states[index]``."""
    state = states[index]
    used = state["used"]
    value = state["v0"] if used == 0 else state["v1"] if used == 1 else state["v2"] if used == 2 else state["v3"]
    if used < 3:
        state["used"] = np.uint32(used + 1)
        return value
    block = ((np.uint64(state["c1"]) << np.uint64(32)) | np.uint64(state["c0"])) + np.uint64(1)
    if block == 0:  # into the next subsequence
        after = ((np.uint64(state["c3"]) << np.uint64(32)) | np.uint64(state["c2"])) + np.uint64(1)
        state["c2"], state["c3"] = np.uint32(after & np.uint64(0xFFFFFFFF)), np.uint32(after >> np.uint64(32))
    state["c0"], state["c1"] = np.uint32(block & np.uint64(0xFFFFFFFF)), np.uint32(block >> np.uint64(32))
    values = _philox_block(state["c0"], state["c1"], state["c2"], state["c3"], state["k0"], state["k1"])
    state["v0"], state["v1"], state["v2"], state["v3"] = values
    state["used"] = np.uint32(0)
    return value


@njit
def philox_uniform_float32(states, index):
    """The next float32 of ``states[index]``, uniform from 0 to 1, without 1: 24 bits of a uint32."""
    return np.float32(philox_next(states, index) >> np.uint32(8)) * np.float32(2.0**-24)


@njit
def philox_uniform_float64(states, index):
    """The next float64 of ``states[index]``, uniform from 0 to 1, without 1: 53 bits of two uint32."""
    high = np.uint64(philox_next(states, index))
    return uint64_to_unit_float64((high << np.uint64(32)) | np.uint64(philox_next(states, index)))


@njit
def philox_normal_float64(states, index):
    """The next float64 of ``states[index]`` from the normal distribution of mean 0 and deviation 1."""
    u = philox_uniform_float64(states, index)
    return _normal(u, philox_uniform_float64(states, index))


@njit
def philox_normal_float32(states, index):
    """The next float32 of ``states[index]`` from the normal distribution of mean 0 and deviation 1."""
    u = philox_uniform_float32(states, index)
    return _normal_float32(u, philox_uniform_float32(states, index))


@jit
def _fill_philox(states, seed, subsequence_start):
    for i in range(grid(1), len(states), gridsize(1)):
        init_philox_state(states, i, seed, subsequence_start + np.uint64(i))


def init_philox_states(states, seed, subsequence_start=0, stream=0):
    """Set states on the device, each to the beginning of a subsequence of 2**66 numbers.

    Parameters
    ----------
    states : DeviceNDArray
        One dimension, of dtype ``philox_dtype``.
    seed : int
        From 0 to 2**64 - 1.
    subsequence_start : int
        The number of the first state's subsequence.
    stream : Stream, optional
    """
    seed, start = _read_start(states, philox_dtype, seed, subsequence_start)
    if states.size:
        _fill_philox.forall(states.size, stream=stream)(states, seed, np.uint64(start))


def create_philox_states(n, seed, subsequence_start=0, stream=0):
    """``n`` states on the device, as ``init_philox_states`` sets them."""
    states = to_device(np.empty(n, philox_dtype), stream=stream)
    init_philox_states(states, seed, subsequence_start, stream)
    return states
