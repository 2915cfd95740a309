"""How often the lowest bit of one of cuRAND's numbers is set: its device functions, called from Python (Numba talk).

The functions come from CUDA C++, ``curand_shim.cu``, which includes cuRAND's header. States are a device array of
theirs, of a type of its own, which a handler gives to kernels as a pointer.
"""

import pathlib

import numpy as np
from pyarray import cuda, types
from pyarray.extending import models, register_model, typeof_impl

SHIM = pathlib.Path(__file__).resolve().parent / "curand_shim.cu"
THREADS, SEED = 64, 1234

#: cuRAND's state of XORWOW, as curand_kernel.h has it.
STATE = np.dtype(
    [
        ("d", np.uint32),
        ("v", np.uint32, 5),
        ("boxmuller_flag", np.int32),
        ("boxmuller_flag_double", np.int32),
        ("boxmuller_extra", np.float32),
        ("boxmuller_extra_double", np.float64),
    ],
    align=True,
)


class CurandStates:
    """States in device memory, which live as long as this object."""

    def __init__(self, count):
        self.array = cuda.device_array(count, STATE)

    @property
    def address(self):
        return self.array.__cuda_array_interface__["data"][0]


class CurandState(types.Type):
    def __init__(self):
        super().__init__(name="CurandState")


class CurandStatePointer(types.Type):
    def __init__(self):
        super().__init__(name="CurandState*")


register_model(CurandState)(models.StructModel)
register_model(CurandStatePointer)(models.PointerModel)
state_pointer = CurandStatePointer()


@typeof_impl.register(CurandStates)
def type_of_states(value, context):
    return state_pointer


class StatesHandler:
    """Makes the address of states."""

    def prepare_args(self, ty, val, **options):
        return (types.uint64, val.address) if isinstance(val, CurandStates) else (ty, val)


curand_init = cuda.declare_device(
    "shim_curand_init", types.void(types.uint64, types.uint64, types.uint64, state_pointer, types.uint64)
)
curand = cuda.declare_device("shim_curand", types.uint32(state_pointer, types.uint64))


@cuda.jit(link=[SHIM], extensions=[StatesHandler()])
def set_up(states, count):
    i = cuda.grid(1)
    if i < count:
        curand_init(SEED, i, 0, states, i)


@cuda.jit(link=[SHIM], extensions=[StatesHandler()])
def count_native(states, sample_count, results):
    i = cuda.grid(1)
    if i < results.size:
        found = 0
        for _ in range(sample_count):
            if curand(states, i) & 1:
                found += 1
        results[i] += found


def count_low_bits_native(thread_count, sample_count, launches):
    """The counts of the threads after some launches, and their states then."""
    blocks = (thread_count + THREADS - 1) // THREADS
    states, results = CurandStates(thread_count), cuda.to_device(np.zeros(thread_count, np.int64))
    set_up[blocks, THREADS](states, thread_count)
    for _ in range(launches):
        count_native[blocks, THREADS](states, sample_count, results)
    return results.copy_to_host(), states.array.copy_to_host()["v"]


TOLERANCE = 0


def missing():
    """Why this cannot run here, or None."""
    from pyarray.cuda._sources import clang, toolkit_headers

    if not any((pathlib.Path(folder) / "curand_kernel.h").exists() for folder in toolkit_headers()):
        return "curand_kernel.h is not there: pip install nvidia-curand nvidia-cuda-runtime nvidia-cuda-crt"
    return None if cuda.is_available() or clang() else "there is neither a GPU nor clang"


def arguments(size=200):
    """Threads, numbers of each in a launch, launches."""
    return size, 50, 3


def _step(v):
    """The next state of XORWOW, without its counter: five words for each thread."""
    t = v[0] ^ (v[0] >> np.uint32(2))
    return [*v[1:], v[4] ^ (v[4] << np.uint32(4)) ^ t ^ (t << np.uint32(1))]


def _words(bits):
    return [np.packbits(word, bitorder="little").view(np.uint32) for word in bits.reshape(5, 32)]


def _jump():
    """The matrix over two elements that is 2**67 steps, from one sequence to the next."""
    columns = [_step(_words(bits)) for bits in np.eye(160, dtype=np.uint8)]
    step = np.array([np.unpackbits(np.array(c, np.uint32).view(np.uint8), bitorder="little") for c in columns]).T
    matrix = step.astype(np.int64)
    for _ in range(67):
        matrix = matrix @ matrix & 1
    return matrix


def reference(thread_count, sample_count, launches):
    """The same by NumPy, from the algorithm: G. Marsaglia, "Xorshift RNGs" (2003), with cuRAND's seeds."""
    s0, s1 = SEED ^ 0xAAD26B49, 0xF7DCEFDD
    t0, t1 = 1099087573 * s0, 2591861531 * s1
    start = [123456789 + t0, 362436069 ^ t0, 521288629 + t1, 88675123 ^ t1, 5783321 + t0]
    first = np.array([word & 0xFFFFFFFF for word in start], np.uint32)
    bits, jump, starts = np.unpackbits(first.view(np.uint8), bitorder="little").astype(np.int64), _jump(), []
    for _ in range(thread_count):
        starts.append(np.packbits(bits.astype(np.uint8), bitorder="little").view(np.uint32))
        bits = jump @ bits & 1
    v, d = list(np.array(starts).T.copy()), (6615241 + t1 + t0) & 0xFFFFFFFF
    counts = np.zeros(thread_count, np.int64)
    for _ in range(sample_count * launches):
        v, d = _step(v), (d + 362437) & 0xFFFFFFFF
        counts += (v[4] + np.uint32(d)) & np.uint32(1)
    return counts, np.array(v).T


def main():
    """Print the share of odd numbers."""
    counts, _ = count_low_bits_native(*arguments())
    print(f"Fraction with low bit set was {counts.sum() / (150 * counts.size):17.13f}")


def draw(figure):
    """How the counts of threads are spread."""
    counts, _ = count_low_bits_native(2_000, 50, 3)
    axes = figure.subplots()
    axes.hist(counts, bins=np.arange(counts.min(), counts.max() + 2) - 0.5)
    axes.set(title="odd numbers among 150 of cuRAND's, by thread", xlabel="count", ylabel="threads")


if __name__ == "__main__":
    import sys

    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
    from plotting import run

    run(main, draw)
