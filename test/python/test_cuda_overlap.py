"""Outputs that overlap themselves or each other, of the libraries and of copies: refused, with the argument's name."""

import numpy as np
import pytest
from numpy.lib.stride_tricks import as_strided
from pyarray import cuda, vectorize
from pyarray.cuda import _overlap, cublas, cufft, curand

random = np.random.default_rng(3)


def broadcast(shape, strides, dtype):
    """A writable array of the host whose elements lie over each other, and the same on the device."""
    item = np.dtype(dtype).itemsize
    base = np.zeros(64, dtype)
    on_device = cuda.to_device(base)
    strides = tuple(item * step for step in strides)
    view = cuda.DeviceNDArray(shape, strides, np.dtype(dtype), 0, on_device.gpu_data)
    return as_strided(base, shape, strides), view


OUTPUTS = [
    (lambda x: cublas.Blas().scal(2, x), (4,), (0,), "f4", "scal: x is written"),
    (lambda x: cublas.Blas().axpy(2, np.ones(4, "f4"), x), (4,), (0,), "f4", "axpy: y is written"),
    (lambda x: cublas.Blas().copy(np.ones(4, "f4"), x), (4,), (0,), "f4", "copy: y is written"),
    (lambda x: cublas.Blas().swap(np.ones(4, "f4"), x), (4,), (0,), "f4", "swap: y is written"),
    (lambda x: cublas.Blas().swap(x, np.ones(4, "f4")), (4,), (0,), "f4", "swap: x is written"),
    (
        lambda x: cublas.Blas().gemm("N", "N", 4, 4, 4, 1, np.eye(4), np.eye(4), 0, x),
        (4, 4), (1, 1), "f8", "gemm: C is written",
    ),
    (
        lambda x: cublas.Blas().gemm("N", "N", 3, 4, 4, 1, np.ones((3, 4)), np.eye(4), 0, x),
        (3, 4), (3, 1), "f8", "gemm: C is written",
    ),
    (
        lambda x: cublas.Blas().gemm_batched("N", "N", 1, np.ones((2, 2, 2)), np.ones((2, 2, 2)), 0, x),
        (2, 2, 2), (0, 2, 1), "f8", "gemm_batched: C is written",
    ),
    (lambda x: cublas.Blas().ger(2, 2, 1, np.ones(2), np.ones(2), x), (2, 2), (0, 1), "f8", "ger: A is written"),
    (lambda x: cufft.fft(np.ones(4, "c8"), x), (4,), (0,), "c8", "out is written"),
    (lambda x: cufft.fft_inplace(x), (2, 2), (1, 1), "c8", "out is written"),
    (lambda x: cufft.FFTPlan(8, "f4", "c8").forward(np.ones(8, "f4"), x), (5,), (0,), "c8", "out is written"),
    (lambda x: curand.PRNG().uniform(x), (4,), (0,), "f8", "the array is written"),
    (lambda x: curand.QRNG().generate(x), (4, 4), (1, 2), "u4", "the array is written"),
]  # fmt: skip


@pytest.mark.parametrize("call, shape, strides, dtype, text", OUTPUTS)
def test_outputs_of_libraries(call, shape, strides, dtype, text):
    for array in broadcast(shape, strides, dtype):
        with pytest.raises(ValueError, match=f"{text}, and its elements lie over each other: shape"):
            call(array)


def test_inputs_may_overlap_themselves():
    host, device = broadcast((4,), (0,), "f8")
    host[...] = 3
    assert cublas.Blas().dot(host, np.ones(4)) == 12
    assert cublas.Blas().dot(device, device) == 0
    np.testing.assert_array_equal(cufft.fft(broadcast((4,), (0,), "c16")[0], np.ones(4, "c16")), 0)


def test_copies():
    host, device = broadcast((4,), (0,), "f8")
    source = cuda.to_device(np.arange(4.0))
    with pytest.raises(ValueError, match="the array to copy to is written, and its elements lie over each other"):
        source.copy_to_host(host)
    for copy in (
        lambda: device.copy_to_device(np.arange(4.0)),
        lambda: device.copy_to_device(source),
        lambda: device.setitem(slice(None), 1),
        lambda: cuda.to_device(np.arange(4.0), to=device),
    ):
        with pytest.raises(ValueError, match="the device array is written, and its elements lie over each other"):
            copy()
    np.testing.assert_array_equal(device.copy_to_host(), np.zeros(4))
    assert device[2:3].copy_to_host() == 0
    device[2:3] = 5  # one element
    np.testing.assert_array_equal(device.copy_to_host(), np.full(4, 5.0))


def test_outputs_of_ufuncs():
    @vectorize(["f8(f8, f8)"], target="cuda")
    def add(a, b):
        return a + b

    host, device = broadcast((4,), (0,), "f8")
    x = np.arange(4.0)
    on_device = cuda.to_device(x)
    for out in (host, device):
        for call in (
            lambda out=out: add(x, x, out=out),
            lambda out=out: add(on_device, on_device, out=out),
            lambda out=out: add.reduce(np.ones((4, 4)), out=out),
            lambda out=out: add.accumulate(on_device, out=out),
        ):
            with pytest.raises(ValueError, match="the output array is written, and its elements lie over each other"):
                call()
    grid = cuda.to_device(np.zeros((4, 8)))
    for out in (grid[:, ::2].T, grid[::-1, 4:], grid[:, 3:4]):
        add(3.0, cuda.to_device(np.ones(out.shape)), out=out)
        np.testing.assert_array_equal(out.copy_to_host(), np.full(out.shape, 4.0))
    np.testing.assert_array_equal(add(device, on_device).copy_to_host(), x)


# ------------------------------------------------------------------------------------------------
# Two arrays that are written

PAIRS = [
    lambda x, y: cublas.Blas().swap(x, y),
    lambda x, y: cublas.Blas().rot(x, y, 0.6, 0.8),
    lambda x, y: cublas.Blas().rotm(x, y, (-1, 1, 2, 3, 4)),
]


def views(base):
    return [(base, base), (base[:6], base[2:]), (base[::-1], base), (base[:4], base[3:7])]


@pytest.mark.parametrize("call", PAIRS, ids=["swap", "rot", "rotm"])
@pytest.mark.parametrize("place", [np.copy, cuda.to_device, cuda.mapped_array_like], ids=["host", "device", "mapped"])
def test_pairs_that_share_memory(call, place):
    base = place(np.arange(8.0))
    before = np.array(base)
    for x, y in views(base):
        x, y = x[: min(len(x), len(y))], y[: min(len(x), len(y))]
        with pytest.raises(ValueError, match=r"(swap|rotm?): x and y share memory, and both are written"):
            call(x, y)
    np.testing.assert_array_equal(np.array(base), before)


def test_one_memory_on_both_sides():
    mapped = cuda.mapped_array(8)
    mapped[...] = 1
    with pytest.raises(ValueError, match="swap: x and y share memory"):
        cublas.Blas().swap(np.asarray(mapped)[:4], mapped[2:6])


@pytest.mark.parametrize("place", [np.copy, cuda.to_device], ids=["host", "device"])
def test_elements_between_each_other(place):
    """What lies in the gaps of the other array shares nothing with it."""
    base = place(np.arange(8.0))
    cublas.Blas().swap(base[::2], base[1::2])
    np.testing.assert_array_equal(np.array(base), [1, 0, 3, 2, 5, 4, 7, 6])
    grid = place(np.arange(16.0).reshape(4, 4))
    cublas.Blas().rot(grid[0], grid[1], 0, 1)
    np.testing.assert_array_equal(np.array(grid)[:2], [[4, 5, 6, 7], [0, -1, -2, -3]])


# ------------------------------------------------------------------------------------------------
# The question itself


def in_full(array):
    """Whether some byte belongs to two elements, by looking at all."""
    seen = np.zeros(4096, int)
    start = 2048 - array.__array_interface__["data"][0]
    for index in np.ndindex(array.shape):
        place = start + array[(*index, ...)].__array_interface__["data"][0]
        seen[place : place + array.itemsize] += 1
    return seen.max() > 1


@pytest.mark.parametrize("seed", range(40))
def test_against_all_bytes(seed):
    draw = np.random.default_rng(seed)
    base = np.zeros(4096, np.int8)[1024:]
    for _ in range(40):
        rank = draw.integers(0, 4)
        dtype = draw.choice(["i1", "i2", "i4"])
        shape = draw.integers(1, 6, rank)
        strides = draw.integers(0, 13, rank) * draw.choice([1, 2, 4])
        array = as_strided(base[:2048].view(dtype), shape, strides)
        assert _overlap.overlaps_itself(array) == bool(in_full(array) if array.size else False)
        turned = array[tuple(slice(None, None, draw.choice([1, -1])) for _ in range(rank))]
        assert _overlap.overlaps_itself(turned) == _overlap.overlaps_itself(array)


def test_large_windows():
    x = np.zeros(1_000_000)
    assert _overlap.overlaps_itself(as_strided(x, (500_000, 500_000), (8, 8)))
    assert not _overlap.overlaps_itself(x.reshape(1000, 1000)[::2, ::-3])
    assert not _overlap.overlaps_itself(np.broadcast_to(x[:0], (5, 0)))
