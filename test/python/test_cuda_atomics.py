"""Atomics of every dtype, in global and in shared memory, and what they make of NaN."""

import numpy as np
import pytest
from pyarray import cuda

nan, inf = np.nan, np.inf


@cuda.jit
def in_global_memory(a, v, old):
    old[0] = cuda.atomic.max(a, 0, v)
    old[1] = cuda.atomic.min(a, 1, v)
    old[2] = cuda.atomic.nanmax(a, 2, v)
    old[3] = cuda.atomic.nanmin(a, 3, v)


@cuda.jit
def in_shared_memory(a, v, old):
    if a.dtype.itemsize == 8:
        room = cuda.shared.array(4, np.float64)
    elif a.dtype.itemsize == 4:
        room = cuda.shared.array(4, np.float32)
    else:
        room = cuda.shared.array(4, np.float16)
    for i in range(4):
        room[i] = a[i]
    old[0] = cuda.atomic.max(room, 0, v)
    old[1] = cuda.atomic.min(room, 1, v)
    old[2] = cuda.atomic.nanmax(room, 2, v)
    old[3] = cuda.atomic.nanmin(room, 3, v)
    for i in range(4):
        a[i] = room[i]


# What is there, the value, and what is there afterwards: max, min, nanmax, nanmin.
TABLE = [
    (44, nan, (44, 44, 44, 44)),
    (nan, 3, (nan, nan, 3, 3)),
    (nan, nan, (nan, nan, nan, nan)),
    (-inf, nan, (-inf, -inf, -inf, -inf)),
    (inf, nan, (inf, inf, inf, inf)),
    (nan, inf, (nan, nan, inf, inf)),
    (nan, -inf, (nan, nan, -inf, -inf)),
    (1, 2, (2, 1, 2, 1)),
    (-1, -2, (-1, -2, -1, -2)),
    (5, inf, (inf, 5, inf, 5)),
    (5, -inf, (5, -inf, 5, -inf)),
]


@pytest.mark.parametrize("there, value, want", TABLE)
@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
@pytest.mark.parametrize("kernel", [in_global_memory, in_shared_memory])
def test_greatest_and_least_of_floats(kernel, dtype, there, value, want):
    a, old = np.full(4, there, dtype), np.zeros(4, dtype)
    kernel[1, 1](a, dtype(value), old)
    np.testing.assert_array_equal(a, np.array(want, dtype))
    np.testing.assert_array_equal(old, np.full(4, there, dtype))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_nan_in_what_many_threads_give(dtype):
    @cuda.jit
    def kernel(a, x):
        i = cuda.grid(1)
        if i < x.size:
            cuda.atomic.max(a, 0, x[i])
            cuda.atomic.min(a, 1, x[i])
            cuda.atomic.nanmax(a, 2, x[i])
            cuda.atomic.nanmin(a, 3, x[i])

    x = np.random.default_rng(1).permutation(1000).astype(dtype)
    x[::7] = nan
    a = np.array([0, 1000, nan, nan], dtype)
    kernel[10, 100](a, x)
    assert a.tolist() == [np.nanmax(x), np.nanmin(x), np.nanmax(x), np.nanmin(x)]


@pytest.mark.parametrize("dtype", [np.int32, np.int64, np.uint32, np.uint64, np.float32, np.float64])
def test_each_operation_on_each_type(dtype):
    @cuda.jit
    def kernel(a, x, old):
        i = cuda.threadIdx.x
        cuda.atomic.add(a, 0, x[i])
        cuda.atomic.sub(a, 1, x[i])
        cuda.atomic.max(a, 2, x[i])
        cuda.atomic.min(a, 3, x[i])
        cuda.atomic.nanmax(a, 4, x[i])
        cuda.atomic.nanmin(a, 5, x[i])
        if i == 0:
            old[0] = cuda.atomic.exch(a, 6, x[3])
            old[1] = cuda.atomic.cas(a, 7, a[7], x[4])
            old[2] = cuda.atomic.cas(a, 8, a[8] + x[4], x[4])

    x = np.array([7, 3, 9, 2, 5], dtype)
    a, old = np.full(9, 100, dtype), np.zeros(3, dtype)
    kernel[1, 5](a, x, old)
    assert a.tolist() == [126, 74, 100, 2, 100, 2, 2, 5, 100] and old.tolist() == [100, 100, 100]


@pytest.mark.parametrize("dtype", [np.int32, np.int64, np.uint32, np.uint64])
def test_bits(dtype):
    @cuda.jit
    def kernel(a, v):
        cuda.atomic.and_(a, 0, v)
        cuda.atomic.or_(a, 1, v)
        cuda.atomic.xor(a, 2, v)

    a = np.full(3, 0b1100, dtype)
    kernel[1, 1](a, dtype(0b1010))
    assert a.tolist() == [0b1000, 0b1110, 0b0110]


@pytest.mark.parametrize("dtype", [np.uint32, np.uint64])
def test_counting_around(dtype):
    @cuda.jit
    def kernel(a, v):
        cuda.atomic.inc(a, 0, v)
        cuda.atomic.inc(a, 1, v)
        cuda.atomic.dec(a, 2, v)
        cuda.atomic.dec(a, 3, v)

    a = np.array([4, 5, 0, 3], dtype)
    kernel[1, 1](a, dtype(5))
    assert a.tolist() == [5, 0, 5, 2]


@pytest.mark.parametrize("name, test", [("max", "<"), ("min", ">")])
def test_ptx_tells_nan_apart(name, test):
    atomic = getattr(cuda.atomic, name)

    def kernel(a, v):
        atomic(a, 0, v)

    ptx, _ = cuda.compile_ptx(kernel, "void(float64[::1], float64)", cc=(9, 0))
    assert "setp.nan.f64" in ptx or "setp.num.f64" in ptx
