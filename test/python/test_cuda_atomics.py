"""Atomics of every dtype, in global and in shared memory, what they make of NaN, and fields of records."""

import numpy as np
import pytest
from pyarray import cuda, errors

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


# ------------------------------------------------------------------------------------------------
# Atomics on fields

PACKED = np.dtype([("t", "i1"), ("x", "i4"), ("y", "f8", (2,))])
ODD_SIZE = np.dtype([("x", "i4"), ("y", "f8", (2,)), ("t", "i1")])
ALIGNED = np.dtype([("t", "i1"), ("x", "i4"), ("y", "f8", (2,))], align=True)


def add_to_field(a):
    cuda.atomic.add(a["x"], 1, 3)


def add_to_attribute(a):
    cuda.atomic.add(a.x, 1, 3)


def add_to_array_in_record(a):
    cuda.atomic.add(a[1].y, 1, 3)


def exchange_in_slice(a):
    cuda.atomic.exch(a["x"][1:], 0, 3)


def swap_first(a):
    cuda.atomic.compare_and_swap(a["x"][1:], 0, 3)


def change_if(a):
    cuda.atomic.cas(a["x"], 1, 0, 3)


def greatest_in_shared_memory(a):
    room = cuda.shared.array(2, PACKED)
    cuda.atomic.max(room["x"], 1, 3)


ATOMICS = [add_to_field, add_to_attribute, add_to_array_in_record, exchange_in_slice, swap_first, change_if]


@pytest.mark.parametrize("kernel", ATOMICS)
def test_atomics_on_aligned_fields(kernel):
    records = np.zeros(3, ALIGNED)
    cuda.jit(kernel)[1, 1](records)
    if kernel is add_to_array_in_record:
        assert records["y"].tolist() == [[0, 0], [0, 3], [0, 0]]
    else:
        assert records["x"].tolist() == [0, 3, 0]


@pytest.mark.parametrize("kernel", [*ATOMICS, greatest_in_shared_memory])
@pytest.mark.parametrize("dtype", [PACKED, ODD_SIZE])
def test_atomics_on_unaligned_fields_are_refused(kernel, dtype):
    records = np.zeros(3, dtype)
    with pytest.raises(errors.TypingError, match="not aligned in memory cannot be changed atomically") as refused:
        cuda.jit(kernel)[1, 1](records)
    assert "align=True" in str(refused.value) and not records.view("u1").any()
