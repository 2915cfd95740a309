"""What the emulator makes of kernels: lockstep, and errors that a GPU does not tell. See also test_cuda_random.py."""

import threading

import numpy as np
import pytest
from pyarray import cuda, float32, float64, int32, int64

pytestmark = [pytest.mark.real, pytest.mark.skipif("os.environ['PYARRAY_CUDA'] == 'gpu'", reason="of the emulator")]


def note_of(failure):
    return failure.value.__notes__[-1]


# ------------------------------------------------------------------------------------------------
# Barriers and threads that leave


def test_threads_may_return_before_a_barrier():
    @cuda.jit
    def kernel(out):
        shared = cuda.shared.array(8, float64)
        t = cuda.threadIdx.x
        if t >= 5:
            out[t] = -1
            return
        shared[t] = t
        cuda.syncthreads()
        out[t] = shared[4 - t]

    out = np.zeros(8)
    kernel[1, 8](out)
    np.testing.assert_array_equal(out, [4, 3, 2, 1, 0, -1, -1, -1])


def test_threads_may_return_from_a_loop_with_a_barrier():
    @cuda.jit
    def kernel(out, n):
        shared = cuda.shared.array(8, float64)
        t = cuda.threadIdx.x
        for i in range(n):
            if t == i + 3:
                return
            shared[t] = i + t
            cuda.syncthreads()
            out[t] += shared[0]
            cuda.syncthreads()
        out[t] += 100

    out = np.zeros(8)
    kernel[1, 8](out, 2)
    np.testing.assert_array_equal(out, [101, 101, 101, 0, 0, 101, 101, 101])


def kernel_branch(out):
    t = cuda.threadIdx.x
    if t < 4:
        cuda.syncthreads()
    out[t] = 1


def kernel_other_branch(out):
    t = cuda.threadIdx.x
    if t < 4:
        cuda.syncthreads()
        out[t] = 1
    else:
        cuda.syncthreads()
        out[t] = 2


def kernel_loop(out):
    t = cuda.threadIdx.x
    for _ in range(8 - t):
        cuda.syncthreads()
    out[t] = 1


def kernel_break(out):
    t = cuda.threadIdx.x
    for i in range(8):
        if i == t + 2:
            break
        cuda.syncthreads()
    out[t] = 1


def kernel_vote(out):
    t = cuda.threadIdx.x
    count = 0
    if t != 3:
        count = cuda.syncthreads_count(t < 2)
    out[t] = count


@pytest.mark.parametrize(
    "function, thread, line",
    [
        (kernel_branch, 4, 2),
        (kernel_other_branch, 4, 2),
        (kernel_loop, 1, 2),
        (kernel_break, 0, 4),
        (kernel_vote, 3, 3),
    ],
)
def test_a_barrier_that_threads_miss(function, thread, line):
    message = rf"not all threads of the block reach this barrier: thread \({thread}, 0, 0\) is missing"
    with pytest.raises(RuntimeError, match=message) as failure:
        cuda.jit(function)[2, 8](np.zeros(8))
    assert note_of(failure) == f"in thread ({thread}, 0, 0) of block (0, 0, 0)"
    places = [(entry.name, entry.lineno - function.__code__.co_firstlineno) for entry in failure.traceback]
    assert (function.__name__, line) in places


def test_a_device_function_with_a_barrier():
    @cuda.jit(device=True)
    def neighbour(value):
        shared = cuda.shared.array(16, int64)
        cuda.syncthreads()
        shared[cuda.threadIdx.x] = value
        cuda.syncthreads()
        return shared[(cuda.threadIdx.x + 1) % cuda.blockDim.x]

    @cuda.jit
    def kernel(out):
        t = cuda.threadIdx.x
        out[t] = neighbour(t * t) + 1000 * neighbour(neighbour(t))

    out = np.zeros(10, np.int64)
    kernel[1, 10](out)
    t = np.arange(10)
    np.testing.assert_array_equal(out, ((t + 1) % 10) ** 2 + 1000 * ((t + 2) % 10))


def test_a_recursive_device_function():
    @cuda.jit("int64(int64)", device=True)
    def fibonacci(n):
        if n < 2:
            return n
        return fibonacci(n - 1) + fibonacci(n - 2)

    @cuda.jit
    def kernel(out):
        shared = cuda.shared.array(12, int64)
        t = cuda.threadIdx.x
        shared[t] = fibonacci(t)
        cuda.syncthreads()
        out[t] = shared[11 - t]

    out = np.zeros(12, np.int64)
    kernel[1, 12](out)
    np.testing.assert_array_equal(out[::-1], [0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89])


def test_recursion_without_an_end():
    @cuda.jit(device=True)
    def down(n):
        return down(n + 1) + 1

    @cuda.jit
    def kernel(out):
        if cuda.grid(1) == 37:
            out[0] = down(0)

    with pytest.raises(RecursionError, match="maximum recursion depth exceeded") as failure:
        kernel[2, 32](np.zeros(1))
    assert note_of(failure) == "in thread (5, 0, 0) of block (1, 0, 0)"


# Each block takes a millisecond or so, and all of them hours.
SIGNALS = """
import signal, sys
import numpy as np
from moments import during_call
from pyarray import cuda
@cuda.jit
def kernel(a, n):
    i, s = cuda.grid(1), 0
    for j in range(n):
        s += (i ^ j) % 7
    a[i % a.size] = s
def wake(number, frame):
    cuda.synchronize()
    print("woken")
d = cuda.to_device(np.zeros(64))
kernel[1, 32](d, 1)
if sys.argv[1:] == ["device arrays"]:
    launch = lambda n: kernel[n, 32](d, 100_000)
else:
    launch = lambda n: kernel[n, 32](np.zeros(64), 100_000)
during_call(launch, wake)
launch(400)
print("launched")
during_call(launch, signal.default_int_handler)
try:
    launch(10_000_000)
except KeyboardInterrupt:
    print("interrupted")
kernel[1, 32](d, 1)
print(d.copy_to_host().sum() > 0)
"""


@pytest.mark.parametrize("arrays", ["device arrays", "host arrays"])
def test_signals_between_blocks(run, arrays):
    assert run(SIGNALS.replace("sys.argv[1:]", repr([arrays]))) == "woken\nlaunched\ninterrupted\nTrue\n"


# ------------------------------------------------------------------------------------------------
# Memory


def test_values_of_every_type_live_across_barriers():
    @cuda.jit
    def kernel(b, i8, u16, i32, u64, f32, c64, out):
        t = cuda.threadIdx.x
        values = b[t], i8[t], u16[t], i32[t], u64[t], f32[t], c64[t]
        pair = (values[3], (values[5], values[0]))
        row = f32[t:]
        cuda.syncthreads()
        b[t], i8[t], u16[t], i32[t], u64[t], f32[t], c64[t] = False, 0, 0, 0, 0, 0, 0
        cuda.syncthreads()
        o = cuda.blockDim.x - 1 - t
        b[o], i8[o], u16[o], i32[o], u64[o], f32[o], c64[o] = values
        cuda.syncthreads()
        out[t] = row[0] + pair[0] + pair[1][0] * pair[1][1]

    n = 33
    t = np.arange(n)
    arrays = [t % 2 == 0, (t - 16).astype(np.int8), (t + 65000).astype(np.uint16), (t - 7).astype(np.int32),
              t.astype(np.uint64) + 2**63, t.astype(np.float32) / 4, (t - 1j * t).astype(np.complex64)]  # fmt: skip
    results, out = [array.copy() for array in arrays], np.zeros(n)
    kernel[1, n](*results, out)
    for array, result in zip(arrays, results):
        np.testing.assert_array_equal(result, array[::-1])
    np.testing.assert_array_equal(out, arrays[5][::-1] + arrays[3] + arrays[5] * arrays[0])


def test_views_of_dynamic_shared_memory():
    @cuda.jit
    def kernel(out):
        floats = cuda.shared.array(0, float32)
        whole = cuda.shared.array(0, int32)
        ints = whole[16:]
        t = cuda.threadIdx.x
        if whole.size == 32:
            floats[t] = t * 0.5
            ints[t] = t * 3
        cuda.syncthreads()
        out[t] = floats[15 - t] + ints[(t + 1) % 16]

    out = np.zeros(16)
    kernel[1, 16, 0, 128](out)
    t = np.arange(16)
    np.testing.assert_array_equal(out, (15 - t) * 0.5 + (t + 1) % 16 * 3)


def kernel_global(a, i):
    a[cuda.threadIdx.x + i] = 1


def kernel_shared(a, i):
    shared = cuda.shared.array(4, float64)
    shared[cuda.threadIdx.x + i] = 1
    cuda.syncthreads()
    a[0] = shared[0]


def kernel_local(a, i):
    local = cuda.local.array(4, float64)
    local[cuda.threadIdx.x + i] = 1
    cuda.syncthreads()
    a[0] = local[0]


def kernel_atomic(a, i):
    cuda.atomic.add(a, cuda.threadIdx.x + i, 1)


def kernel_gather(a, i):
    a[0] = a[int(a[1]) + cuda.threadIdx.x + i]


@pytest.mark.parametrize("function", [kernel_global, kernel_shared, kernel_local, kernel_atomic, kernel_gather])
def test_indices_out_of_bounds(function):
    kernel = cuda.jit(function)
    kernel[2, (2, 2)](np.zeros(4), 1)
    with pytest.raises(IndexError, match="index 4 is out of bounds for axis 0 with size 4") as failure:
        kernel[2, (2, 2)](np.zeros(4), 3)
    assert note_of(failure) == "in thread (1, 0, 0) of block (0, 0, 0)"
    with pytest.raises(IndexError, match="index -6 is out of bounds") as failure:
        kernel[2, (2, 2)](np.zeros(4), -6)
    assert note_of(failure) == "in thread (0, 0, 0) of block (0, 0, 0)"


def test_conditions_bound_indices():
    @cuda.jit
    def kernel(a, out, low, high):
        i = cuda.grid(1)
        if low <= i and i < high:
            out[i] = a[i - low] + a[high - 1 - i]

    for low, high in [(0, 50), (3, 47), (49, 50), (20, 20), (30, 10), (0, 64)]:
        a, out = np.arange(high - low if high > low else 0) + 1.0, np.zeros(50)
        if high > 50:
            with pytest.raises(IndexError, match="index 50 is out of bounds for axis 0 with size 50") as failure:
                kernel[4, 16](a, out, low, high)
            assert note_of(failure) == "in thread (2, 0, 0) of block (3, 0, 0)"
            continue
        kernel[4, 16](a, out, low, high)
        expected = np.zeros(50)
        expected[low:high] = a + a[::-1]
        np.testing.assert_array_equal(out, expected)


@pytest.mark.parametrize("start", [0, 2**62, 2**63 - 20, -(2**63), -5])
def test_indices_that_wrap_are_out_of_bounds(start):
    @cuda.jit
    def kernel(a, start, factor):
        t = cuda.threadIdx.x
        a[start + t * factor] = 1

    factor = 2**60
    fits = [(start + t * factor + 2**63) % 2**64 - 2**63 for t in range(16)]
    bad = [t for t, index in enumerate(fits) if not -10 <= index < 10]
    with pytest.raises(IndexError, match=f"index {fits[bad[0]]} is out of bounds") as failure:
        kernel[1, 16](np.zeros(10), start, factor)
    assert note_of(failure) == f"in thread ({bad[0]}, 0, 0) of block (0, 0, 0)"


def test_a_raise_within_a_segment():
    @cuda.jit
    def kernel(a):
        shared = cuda.shared.array(8, float64)
        t = cuda.threadIdx.x
        shared[t] = a[t]
        cuda.syncthreads()
        if shared[(t + 1) % 8] == 3:
            raise ValueError("three")
        cuda.syncthreads()
        a[t] = -1

    a = np.arange(8.0)
    with pytest.raises(ValueError) as failure:
        kernel[3, 8](a)
    assert failure.value.args == ("three",) and note_of(failure) == "in thread (2, 0, 0) of block (0, 0, 0)"


# ------------------------------------------------------------------------------------------------
# Loops that threads share out


def shared_by_range(a, out, sums, n):
    total = 0.0
    for i in range(cuda.grid(1), n, cuda.gridsize(1)):
        out[i] = 2 * a[i] + 1
        total += a[i]
    sums[cuda.grid(1)] = total


def shared_by_while(a, out, sums, n):
    i = cuda.threadIdx.x + cuda.blockIdx.x * cuda.blockDim.x
    stride = cuda.gridDim.x * cuda.blockDim.x
    total = 0.0
    while i < n:
        out[i] = 2 * a[i] + 1
        total += a[i]
        i += stride
    sums[cuda.grid(1)] = total


@pytest.mark.parametrize("boundscheck", [True, False])
@pytest.mark.parametrize("function", [shared_by_range, shared_by_while])
def test_loops_that_threads_share_out(function, boundscheck):
    kernel = cuda.jit(boundscheck=boundscheck)(function)
    for size in (0, 1, 31, 96, 97, 1000):
        for n in (size, size // 2, -3, -(2**63)):
            a, out, sums = np.arange(size) + 1.0, np.zeros(size), np.full(96, -1.0)
            kernel[3, 32](a, out, sums, n)
            used = a[: max(n, 0)]
            np.testing.assert_array_equal(out, np.concatenate([2 * used + 1, np.zeros(size - used.size)]))
            np.testing.assert_array_equal(sums, [used[t::96].sum() for t in range(96)])


@pytest.mark.parametrize("function", [shared_by_range, shared_by_while])
def test_indices_out_of_bounds_in_shared_loops(function):
    kernel = cuda.jit(function)
    for n in (101, 2**40, 2**63 - 1):
        with pytest.raises(IndexError, match="index 100 is out of bounds for axis 0 with size 100"):
            kernel[1, 8](np.zeros(100), np.zeros(100), np.zeros(8), n)


def test_shared_loops_in_two_dimensions():
    @cuda.jit
    def kernel(a, out):
        x, y = cuda.grid(2)
        width, height = cuda.gridsize(2)
        for row in range(y, a.shape[0], height):
            factor = 1.0 + row
            for column in range(x, a.shape[1], width):
                out[row, column] = a[row, column] * factor

    for shape in [(1, 1), (5, 70), (64, 3), (33, 65)]:
        a, out = np.random.default_rng(0).random(shape), np.zeros(shape)
        kernel[(2, 3), (16, 4)](a, out)
        np.testing.assert_array_equal(out, a * (1.0 + np.arange(shape[0]))[:, None])


def test_shared_loops_with_branches_and_loops_inside():
    @cuda.jit
    def kernel(a, out, index):
        shared = cuda.shared.array(32, int64)
        t = cuda.threadIdx.x
        count = 0
        for repeat in range(2):
            for i in range(t, a.size, 32):
                if a[i] % 3 == 0:
                    continue
                steps, x = 0, a[i]
                while x > 1:
                    x = x // 2
                    steps += 1
                out[index[i]] = steps + repeat
                count += 1
        shared[t] = count
        cuda.syncthreads()
        if t == 0:
            for i in range(1, 32):
                shared[0] += shared[i]
            out[0] = shared[0]

    a = np.arange(1, 200)
    index, out = np.arange(a.size)[::-1].copy() + 1, np.full(a.size + 1, -1)
    kernel[1, 32](a, out, index)
    expected = np.where(a % 3 == 0, -1, np.floor(np.log2(a)) + 1)
    np.testing.assert_array_equal(out[1:], expected[::-1])
    assert out[0] == 2 * np.count_nonzero(a % 3)


# ------------------------------------------------------------------------------------------------
# Several blocks and host threads


def test_atomics_of_many_blocks():
    @cuda.jit
    def kernel(ints, floats, unsigned):
        i = cuda.grid(1)
        cuda.atomic.add(ints, 0, i)
        cuda.atomic.sub(ints, 1, 1)
        cuda.atomic.max(ints, 2, i)
        cuda.atomic.min(ints, 3, -i)
        cuda.atomic.xor(ints, 4, i)
        cuda.atomic.or_(ints, 5, i)
        cuda.atomic.and_(ints, 6, ~i)
        cuda.atomic.add(floats, 0, 0.5)
        cuda.atomic.max(floats, 1, i * 0.25)
        cuda.atomic.min(floats, 2, -i * 0.25)
        cuda.atomic.inc(unsigned, 0, 99)
        cuda.atomic.dec(unsigned, 1, 99)
        old = unsigned[2]
        while True:  # a lock-free addition
            found = cuda.atomic.cas(unsigned, 2, old, old + 3)
            if found == old:
                break
            old = found

    ints, floats, unsigned = np.zeros(7, np.int64), np.zeros(3), np.zeros(3, np.uint32)
    ints[6] = -1
    kernel[500, 64](ints, floats, unsigned)
    n = 32000
    i = np.arange(n)
    expected = [i.sum(), -n, n - 1, 1 - n, np.bitwise_xor.reduce(i), np.bitwise_or.reduce(i), np.bitwise_and.reduce(~i)]
    np.testing.assert_array_equal(ints, expected)
    np.testing.assert_array_equal(floats, [n / 2, (n - 1) / 4, (1 - n) / 4])
    np.testing.assert_array_equal(unsigned, [n % 100, -n % 100, 3 * n])


def test_kernels_of_several_host_threads():
    @cuda.jit
    def kernel(a, shift):
        shared = cuda.shared.array(32, int64)
        t = cuda.threadIdx.x
        shared[t] = a[cuda.grid(1)]
        cuda.syncthreads()
        a[cuda.grid(1)] = shared[(t + shift) % 32]

    def work(shift, results):
        a = cuda.to_device(np.arange(320))
        for _ in range(20):
            kernel[10, 32](a, shift)
        results[shift] = a.copy_to_host()

    results = {}
    threads = [threading.Thread(target=work, args=(shift, results)) for shift in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for shift in range(4):
        expected = np.roll(np.arange(320).reshape(10, 32), -20 * shift, axis=1)
        np.testing.assert_array_equal(results[shift], expected.ravel())


# ------------------------------------------------------------------------------------------------
# Race mode

RACES = """
import numpy as np
from pyarray import cuda, float64, int8

def kernel(a):
    shared = cuda.shared.array(64, float64)
    t = cuda.threadIdx.x
{}

a = np.zeros(64, {})
try:
    cuda.jit(kernel)[{}](a)
    print("fine")
except RuntimeError as error:
    print(error, *error.__notes__, sep="; ")
"""


@pytest.fixture
def race(run):
    def race(body, dtype="float", launch="1, 64"):
        lines = "".join(f"    {line}\n" for line in body.splitlines())
        return run(RACES.format(lines, dtype, launch), PYARRAY_CUDA_RACES="1").strip()

    return race


def text(does, did, line, thread, block, here):
    return (f"data race: this thread {does} what is {did} in line {line} by thread {thread} of block {block}, "
            f"and nothing orders the two; in thread {here[0]} of block {here[1]}")  # fmt: skip


def test_race_in_shared_memory(race):
    found = race("shared[t] = a[t]\na[t] = shared[(t + 1) % 64]\nshared[t] = 2")
    assert found == text("writes", "read", 9, (0, 0, 0), (0, 0, 0), [(1, 0, 0), (0, 0, 0)])


def test_barriers_order(race):
    assert race("shared[t] = a[t]\ncuda.syncthreads()\na[t] = shared[(t + 1) % 64]") == "fine"
    assert race("shared[t] = a[t]\nif cuda.syncthreads_count(t > 3):\n    a[t] = shared[(t + 1) % 64]") == "fine"


def test_syncwarp_orders_a_warp(race):
    body = "shared[t] = 1\ncuda.syncwarp()\na[t] = shared[(t + 1) % {}]"
    assert race(body.format(32), launch="1, 32") == "fine"
    assert "data race" in race(body.format(64))


def test_races_between_blocks(race):
    found = race("a[t] = 1", launch="(2, 2), 64")
    assert found == text("writes", "written", 8, (0, 0, 0), (0, 0, 0), [(0, 0, 0), (1, 0, 0)])
    assert race("a[t + 16 * cuda.blockIdx.x] = 1", launch="4, 16") == "fine"
    found = race("b = cuda.blockIdx.x\nif b == 1:\n    shared[t] = a[t]\nif b == 2:\n    a[t] = 1", launch="3, 64")
    assert found == text("writes", "read", 10, (0, 0, 0), (1, 0, 0), [(0, 0, 0), (2, 0, 0)])


def test_atomics_race_with_other_accesses_only(race):
    assert race("cuda.atomic.add(a, t % 4, 1)", launch="4, 64") == "fine"
    found = race("cuda.atomic.add(a, 0, 1)\nif t == 5:\n    shared[t] = a[0]")
    assert found == text("reads", "updated", 8, (4, 0, 0), (0, 0, 0), [(5, 0, 0), (0, 0, 0)])


def test_neighbouring_bytes_do_not_race(race):
    assert race("a[t] = t", "np.int8") == "fine"
    assert "this thread writes what is written" in race("a[t // 2] = t", "np.int8")


def test_memory_of_threads_does_not_race(race):
    body = "local = cuda.local.array(4, float64)\nlocal[t % 4] = t\ncuda.syncthreads()\na[t] = local[t % 4]"
    assert race(body) == "fine"
    printed = race('if t < 2:\n    print("thread", t, 1.5)', launch="2, 64").splitlines()
    assert sorted(printed) == ["fine"] + 2 * ["thread 0 1.500000"] + 2 * ["thread 1 1.500000"]


def test_race_mode_is_part_of_the_cache_key(race, run):
    body = "a[0] = t\n"
    assert "data race" in race(body)
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    assert run(RACES.format(lines, "float", "1, 64")).strip() == "fine"
    assert "data race" in race(body)
