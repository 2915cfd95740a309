"""Checks of what kernels know: whole arrays, nested functions, global device arrays, numbers of 8 bits, rounding."""

import math
import pickle

import numpy as np
from checking import check, need_gpu
from pyarray import cuda, types
from pyarray.cuda import fp8


@cuda.jit
def elementwise(a, b, out):
    i = cuda.grid(1)
    if i < len(out):
        out[i] = np.sqrt(a[i]) * 2 + np.where(a[i] > b[i], a[i], -b[i])
        out[i] += b[i]


@cuda.jit
def folded(a, sums, places, columns):
    i = cuda.grid(1)
    if i < len(a):
        sums[i, 0], sums[i, 1], sums[i, 2] = a[i].sum(), a[i].max(), a[i].std()
        places[i] = a[i].argmin()
    if i == 0:
        columns[:] = a.sum(axis=0)


@cuda.jit
def inverted(a, out):
    i = cuda.grid(1)
    if i < len(a):
        own = cuda.local.array((2, 2), np.float64)
        own[:] = a[i]
        inverse = np.empty((2, 2))
        inverse[0, 0], inverse[1, 1] = own[1, 1], own[0, 0]
        inverse[0, 1], inverse[1, 0] = -own[0, 1], -own[1, 0]
        inverse /= own[0, 0] * own[1, 1] - own[0, 1] * own[1, 0]
        out[i] = own @ inverse


@check
def whole_arrays_in_kernels():
    need_gpu()
    rng = np.random.default_rng(1)
    a, b = rng.random((2, 1000, 37))
    for x, y in ((a, b), (a[:, ::-1], b[:, ::-1]), (np.asfortranarray(a), b)):
        out = np.zeros((1000, 37))
        elementwise[8, 128](x, y, out)
        np.testing.assert_allclose(out, np.sqrt(x) * 2 + np.where(x > y, x, -y) + y, rtol=1e-14)
        sums, places, columns = np.zeros((1000, 3)), np.zeros(1000, np.int64), np.zeros(37)
        folded[8, 128](x, sums, places, columns)
        np.testing.assert_allclose(sums, np.stack([x.sum(1), x.max(1), x.std(1)], 1), rtol=1e-13)
        np.testing.assert_array_equal(places, x.argmin(1))
        np.testing.assert_allclose(columns, x.sum(0), rtol=1e-13)
    matrices, out = rng.random((1000, 2, 2)) + 3 * np.eye(2), np.zeros((1000, 2, 2))
    inverted[8, 128](matrices, out)
    np.testing.assert_allclose(out, np.tile(np.eye(2), (1000, 1, 1)), atol=1e-12)


@cuda.jit
def shifted(a):
    np.add(a[1:], a[:-1], a[1:])


@check
def overlap_in_a_kernel_is_an_error():
    need_gpu()
    for a in (np.arange(10.0), np.arange(20.0)[::2]):
        try:
            shifted[1, 1](a)
            cuda.synchronize()
        except ValueError as error:
            assert "overlaps" in str(error), error
        else:
            raise AssertionError("no ValueError")


@cuda.jit
def with_nested(a, out):
    i = cuda.grid(1)
    tile = cuda.shared.array(128, np.float64)

    def put(j, value):
        tile[j] = value * 2 + i

    if i < a.size:
        put(cuda.threadIdx.x, a[i])
    cuda.syncthreads()
    pick = lambda j: tile[j ^ 1]  # noqa: E731
    if i < a.size:
        out[i] = pick(cuda.threadIdx.x)


@check
def nested_functions():
    need_gpu()
    a, out = np.arange(1024.0), np.zeros(1024)
    with_nested[8, 128](a, out)
    np.testing.assert_array_equal(out, (a * 2 + np.arange(1024))[np.arange(1024) ^ 1])


TABLE = None


@cuda.jit
def looks_up(indices, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = TABLE[indices[i], 1]
        cuda.atomic.add(TABLE, (indices[i], 0), 1)


@check
def global_device_arrays():
    global TABLE
    need_gpu()
    host = np.random.default_rng(2).random((100, 2)).astype(np.float32)
    TABLE = cuda.to_device(host)
    indices, out = np.random.default_rng(3).integers(0, 100, 10_000), np.zeros(10_000, np.float32)
    looks_up[80, 128](indices, out)
    np.testing.assert_array_equal(out, host[indices, 1])
    np.testing.assert_allclose(TABLE.copy_to_host()[:, 0], host[:, 0] + np.bincount(indices, minlength=100), rtol=1e-5)


@cuda.jit
def rounded(x, digits, out):
    i = cuda.grid(1)
    if i < x.size:
        out[i] = round(x[i], digits)


@check
def round_to_digits():
    need_gpu()
    rng = np.random.default_rng(4)
    x = rng.normal(size=100_000) * 10.0 ** rng.integers(-12, 12, 100_000)
    x[:1000] = np.arange(1000) / 8 + 0.125
    for digits in (-3, -1, 0, 1, 2, 5, 14, 22):
        out = np.zeros(x.size)
        rounded[800, 128](x, digits, out)
        np.testing.assert_array_equal(out, [round(each, digits) for each in x.tolist()])


@cuda.jit
def to_eight_bits(x, kind, out, back):
    i = cuda.grid(1)
    if i < x.size:
        out[i] = fp8.cvt_float_to_fp8(x[i], fp8.SaturationMode.SATFINITE, kind)
        back[i] = fp8.fp8_to_float32(out[i], kind)


@check
def numbers_of_eight_bits():
    need_gpu()
    rng = np.random.default_rng(5)
    x = (rng.normal(size=100_000) * 10.0 ** rng.integers(-7, 6, 100_000)).astype(np.float32)
    for kind, digits, least, most in ((fp8.FP8Format.E4M3, 3, -6, 448), (fp8.FP8Format.E5M2, 2, -14, 57344)):
        out, back = np.zeros(x.size, np.uint8), np.zeros(x.size, np.float32)
        to_eight_bits[800, 128](x, kind, out, back)
        step = 2.0 ** (np.maximum(np.floor(np.log2(np.abs(x))), least) - digits)
        want = np.clip(np.rint(x / step) * step, -most, most)
        np.testing.assert_array_equal(back, want.astype(np.float32))


@check
def managed_memory_is_moved():
    need_gpu()
    a = cuda.managed_array(1_000_000)
    a[:] = np.arange(1_000_000)
    a.advise("preferred_location")
    a.prefetch()
    rounded[7813, 128](a, 0, a)
    cuda.synchronize()
    a[:10].prefetch("cpu")
    a.advise("preferred_location", on=False)
    cuda.synchronize()
    assert a[123] == 123
    cuda.current_context().trim_memory()


@check
def options_of_kernels():
    need_gpu()
    for carveout in ("default", "maxl1", "maxshared", 50):
        kernel = cuda.jit(rounded.py_func, shared_memory_carveout=carveout)
        out = np.zeros(3)
        kernel[1, 32](np.array([1.25, 2.5, 3.75]), 1, out)
        assert out.tolist() == [1.2, 2.5, 3.8], out
    again = pickle.loads(pickle.dumps(rounded[1, 32]))
    again(np.array([1.26, 2.5, 3.75]), 1, out)
    assert math.isclose(out[0], 1.3)


def squared(z):
    return z * z


@check
def complex_results_by_the_c_convention():
    """CUDA C++ that calls a function of Python, where NVRTC is there."""
    need_gpu()
    ptx, result = cuda.compile(squared, (types.complex128,), abi="c", cc=cuda.get_current_device().compute_capability)
    assert str(result) == "complex128" and ".func" in ptx
