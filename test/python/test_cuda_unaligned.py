"""Host arrays at any address and with any strides as arguments of kernels: their copies on the device are aligned."""

import numpy as np
import pytest
from pyarray import cuda, errors


def unaligned(values, order="C", offset=4):
    values = np.array(values, order=order)
    raw = np.zeros(values.nbytes + 64, np.byte)
    start = -raw.ctypes.data % 64 + offset
    made = np.ndarray(values.shape, values.dtype, raw, start, order=order)
    made[...] = values
    return made


def double(x):
    for i in range(x.shape[0]):
        x[i] *= 2


def double_square(x):
    for i in range(x.shape[0]):
        for k in range(x.shape[1]):
            x[i, k] = x[i, k] * 2 + i - k


@pytest.mark.parametrize("decorate", [cuda.jit, cuda.jit("void(float64[:])"), cuda.jit("void(float64[::1])")])
def test_addresses(decorate):
    kernel = decorate(double)
    for make in (np.array, unaligned, np.array):
        a = make(np.arange(9.0))
        kernel[1, 1](a)
        assert a.tolist() == (2 * np.arange(9.0)).tolist()


@pytest.mark.parametrize("dtype, offset", [("i2", 1), ("f4", 2), ("f8", 1), ("c16", 4), ("u2", 1)])
@pytest.mark.parametrize("order", ["C", "F"])
def test_layouts_and_dtypes(dtype, offset, order):
    a, wanted = (
        unaligned(np.arange(12, dtype=dtype).reshape(3, 4), order, offset),
        np.arange(12, dtype=dtype).reshape(3, 4),
    )
    assert not a.flags.aligned
    for view in (lambda x: x, lambda x: x[::2], lambda x: x[:, ::-1], lambda x: x.T, lambda x: x[:0]):
        cuda.jit(double_square)[1, 1](view(a))
        double_square(view(wanted))
        np.testing.assert_array_equal(a, wanted)


def test_fields_of_packed_records():
    records = np.zeros(5, [("t", "i1"), ("x", "f8"), ("n", "i4")])
    records["x"], records["n"] = np.arange(5), 3
    cuda.jit(double)[1, 1](records["x"])
    cuda.jit("void(int32[:])")(double)[1, 1](records["n"][::2])
    assert (
        records["x"].tolist() == [0, 2, 4, 6, 8] and records["n"].tolist() == [6, 3, 6, 3, 6] and not records["t"].any()
    )


def test_read_only_and_one_way():
    @cuda.jit
    def copy(x, out):
        for i in range(len(out)):
            out[i] = x[i]

    a, out = unaligned(np.arange(4.0)), unaligned(np.zeros(4))
    a.flags.writeable = False
    copy[1, 1](a, out)
    assert out.tolist() == [0, 1, 2, 3]
    copy[1, 1](cuda.In(a), cuda.Out(out[::-1]))
    assert out.tolist() == [3, 2, 1, 0]
    copy[1, 1](out, out)
    assert out.tolist() == [3, 2, 1, 0]


def test_overlaps_and_device_memory_are_refused():
    @cuda.jit
    def kernel(x, y):
        x[0] = y[0]

    a = unaligned(np.arange(4.0))
    with pytest.raises(ValueError, match="not aligned in memory overlaps another argument"):
        kernel[1, 1](a[1:], a[:-1])
    mapped = cuda.mapped_array(33, np.int8)[1:].view(np.float64)
    with pytest.raises(errors.TypingError, match="not aligned"):
        kernel[1, 1](mapped, np.zeros(1))
