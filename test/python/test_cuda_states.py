"""Random states of kernels: the streams of xoroshiro128+ and Philox, in kernels and on the host."""

import numpy as np
import pytest
from pyarray import cuda, njit
from pyarray.cuda import random as states_of

pytestmark = pytest.mark.real

MASK64, MASK32 = 2**64 - 1, 2**32 - 1


class Xoroshiro:
    """xoroshiro128+ of 2016 in Python's ints."""

    def __init__(self, seed):
        z = (seed + 0x9E3779B97F4A7C15) & MASK64
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK64
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK64
        self.s0 = self.s1 = z ^ (z >> 31)

    def next(self):
        s0, s1 = self.s0, self.s1
        result = (s0 + s1) & MASK64
        s1 ^= s0
        self.s0 = (((s0 << 55) | (s0 >> 9)) & MASK64) ^ s1 ^ ((s1 << 14) & MASK64)
        self.s1 = ((s1 << 36) | (s1 >> 28)) & MASK64
        return result

    def jump(self):
        s0 = s1 = 0
        for word in (0xBEAC0467EBA5FACB, 0xD86B048B86AA9922):
            for bit in range(64):
                if word >> bit & 1:
                    s0, s1 = s0 ^ self.s0, s1 ^ self.s1
                self.next()
        self.s0, self.s1 = s0, s1


def philox(seed, subsequence, offset):
    """Number ``offset`` of a subsequence, in Python's ints."""
    block = offset // 4
    c = [block & MASK32, block >> 32, subsequence & MASK32, subsequence >> 32]
    k = [seed & MASK32, seed >> 32]
    for _ in range(10):
        first, second = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
        c = [(second >> 32) ^ c[1] ^ k[0], second & MASK32, (first >> 32) ^ c[3] ^ k[1], first & MASK32]
        k = [(k[0] + 0x9E3779B9) & MASK32, (k[1] + 0xBB67AE85) & MASK32]
    return c[offset % 4]


@pytest.mark.parametrize("seed", [0, 1, 42, 2**63, 2**64 - 1])
@pytest.mark.parametrize("start", [0, 3])
def test_xoroshiro_states(seed, start):
    found = states_of.create_xoroshiro128p_states(5, seed, start).copy_to_host()
    plain = Xoroshiro(seed)
    for _ in range(start):
        plain.jump()
    for state in found:
        assert (state["s0"], state["s1"]) == (plain.s0, plain.s1)
        plain.jump()


@cuda.jit
def draw_integers(states, out):
    i = cuda.grid(1)
    if i < out.shape[0]:
        for j in range(out.shape[1]):
            out[i, j] = states_of.xoroshiro128p_next(states, i)


@cuda.jit
def draw_floats(states, out64, out32, normal64, normal32):
    i = cuda.grid(1)
    if i < out64.shape[0]:
        for j in range(out64.shape[1]):
            out64[i, j] = states_of.xoroshiro128p_uniform_float64(states, i)
            out32[i, j] = states_of.xoroshiro128p_uniform_float32(states, i)
            normal64[i, j] = states_of.xoroshiro128p_normal_float64(states, i)
            normal32[i, j] = states_of.xoroshiro128p_normal_float32(states, i)


def test_xoroshiro_in_a_kernel():
    states = states_of.create_xoroshiro128p_states(40, 7)
    out = np.zeros((40, 9), np.uint64)
    draw_integers[2, 32](states, out)
    plain = Xoroshiro(7)
    for i in range(40):
        own = Xoroshiro(7)
        own.s0, own.s1 = plain.s0, plain.s1
        assert [own.next() for _ in range(9)] == out[i].tolist()
        plain.jump()


def test_xoroshiro_floats():
    states = states_of.create_xoroshiro128p_states(64, 3)
    outs = [np.zeros((64, 200), dtype) for dtype in ("f8", "f4", "f8", "f4")]
    draw_floats[2, 32](states, *outs)
    plain = Xoroshiro(3)

    def unit():
        return (plain.next() >> 11) * 2.0**-53

    for j in range(200):
        assert outs[0][0, j] == unit()
        assert outs[1][0, j] == np.float32(unit())
        u, v = unit(), unit()
        assert outs[2][0, j] == pytest.approx(np.sqrt(-2 * np.log(u)) * np.cos(2 * np.pi * v), rel=1e-9, abs=1e-12)
        u, v = np.float32(unit()), np.float32(unit())
        expected = np.sqrt(np.float32(-2) * np.log(u)) * np.cos(np.float32(2 * np.pi) * v)
        assert outs[3][0, j] == pytest.approx(expected, rel=1e-3, abs=1e-5)
    for out in outs[:2]:
        assert 0 <= out.min() and out.max() <= 1 and abs(out.mean() - 0.5) < 0.01
    for out in outs[2:]:
        assert abs(out.mean()) < 0.03 and abs(out.std() - 1) < 0.03


def test_no_logarithm_of_zero():
    state = np.zeros(1, states_of.xoroshiro128p_dtype)  # which gives zeros alone

    @njit
    def draw(states):
        return states_of.xoroshiro128p_normal_float64(states, 0), states_of.xoroshiro128p_normal_float32(states, 0)

    assert np.isfinite(draw(state)).all()


def test_philox_is_the_published_one():
    # The vectors of Random123's own tests: counter and key of zeros, and of ones.
    assert [philox(0, 0, i) for i in range(4)] == [0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8]
    ones = [philox(MASK64, MASK64, 4 * MASK64 + i) for i in range(4)]
    assert ones == [0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD]


@cuda.jit
def draw_philox(states, out):
    i = cuda.grid(1)
    if i < out.shape[0]:
        for j in range(out.shape[1]):
            out[i, j] = states_of.philox_next(states, i)


@cuda.jit
def draw_philox_floats(states, out64, out32, normal64, normal32):
    i = cuda.grid(1)
    if i < out64.shape[0]:
        for j in range(out64.shape[1]):
            out64[i, j] = states_of.philox_uniform_float64(states, i)
            out32[i, j] = states_of.philox_uniform_float32(states, i)
            normal64[i, j] = states_of.philox_normal_float64(states, i)
            normal32[i, j] = states_of.philox_normal_float32(states, i)


@pytest.mark.parametrize("seed, start", [(0, 0), (1234567890123, 5), (2**64 - 1, 2**40)])
def test_philox_in_a_kernel(seed, start):
    states = states_of.create_philox_states(70, seed, start)
    out = np.zeros((70, 11), np.uint32)
    for first in (0, 11):
        draw_philox[3, 32](states, out)
        for i in (0, 1, 69):
            assert out[i].tolist() == [philox(seed, start + i, first + j) for j in range(11)]


def test_philox_offsets_and_the_end_of_a_subsequence():
    @njit
    def draw(states, seed, subsequence, offset):
        states_of.init_philox_state(states, 0, seed, subsequence, offset)
        return [states_of.philox_next(states, 0) for _ in range(9)]

    states = np.zeros(1, states_of.philox_dtype)
    for offset in (0, 1, 2, 3, 4, 4 * (2**32 - 1), 2**50 + 3):
        found = draw(states, np.uint64(5), np.uint64(9), np.uint64(offset))
        assert found == [philox(5, 9, offset + j) for j in range(9)]
    states["c0"] = states["c1"] = MASK32
    states["used"] = 3

    @njit
    def after(states):
        return [states_of.philox_next(states, 0) for _ in range(2)][1]

    assert after(states) == philox(5, 10, 0)


def test_philox_floats():
    outs = [np.zeros((64, 200), dtype) for dtype in ("f8", "f4", "f8", "f4")]
    draw_philox_floats[2, 32](states_of.create_philox_states(64, 11), *outs)
    for out in outs[:2]:
        assert 0 <= out.min() and out.max() < 1 and abs(out.mean() - 0.5) < 0.01
    for out in outs[2:]:
        assert abs(out.mean()) < 0.03 and abs(out.std() - 1) < 0.03
    assert outs[0][0, 0] == ((philox(11, 0, 0) << 32 | philox(11, 0, 1)) >> 11) * 2.0**-53
    assert outs[1][0, 0] == np.float32(philox(11, 0, 2) >> 8) * np.float32(2.0**-24)


def test_no_states():
    assert states_of.create_xoroshiro128p_states(0, 1).size == 0
    assert states_of.create_philox_states(0, 1).size == 0


@pytest.mark.parametrize("create", [states_of.create_xoroshiro128p_states, states_of.create_philox_states])
def test_what_does_not_fit(create):
    with pytest.raises(ValueError, match=r"seed is from 0 to 2\*\*64 - 1, not -1"):
        create(3, -1)
    with pytest.raises(ValueError, match="seed is from 0 to"):
        create(3, 2**64)
    with pytest.raises(ValueError, match="subsequence_start is from 0 to"):
        create(3, 1, -1)
    with pytest.raises(TypeError, match="'float' object cannot be interpreted as an integer"):
        create(3, 1.5)
    with pytest.raises(TypeError, match="states are a one-dimensional array of dtype"):
        states_of.init_xoroshiro128p_states(cuda.device_array(3), 1)
