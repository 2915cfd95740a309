"""Whole CUDA programs, each against NumPy. They run in the emulator, and with PYARRAY_CUDA=gpu on a GPU."""

import math
import pathlib
import re

import numpy as np
import pytest
from pyarray import cuda, float32, float64, int32

pytestmark = pytest.mark.real

TILE = 16
THREADS = 128


@cuda.jit
def vector_add(x, y, out):
    start = cuda.grid(1)
    stride = cuda.gridsize(1)
    for i in range(start, out.size, stride):
        out[i] = x[i] + y[i]


@cuda.jit
def saxpy(a, x, y):
    i = cuda.threadIdx.x + cuda.blockIdx.x * cuda.blockDim.x
    if i < y.shape[0]:
        y[i] = a * x[i] + y[i]


@cuda.jit
def matmul_naive(a, b, c):
    i, j = cuda.grid(2)
    if i < c.shape[0] and j < c.shape[1]:
        total = 0.0
        for k in range(a.shape[1]):
            total += a[i, k] * b[k, j]
        c[i, j] = total


@cuda.jit
def matmul_shared(a, b, c):
    sa = cuda.shared.array((TILE, TILE), float64)
    sb = cuda.shared.array((TILE, TILE), float64)
    x, y = cuda.grid(2)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    total = 0.0
    for tile in range((a.shape[1] + TILE - 1) // TILE):
        sa[tx, ty] = 0.0
        sb[tx, ty] = 0.0
        if x < a.shape[0] and ty + tile * TILE < a.shape[1]:
            sa[tx, ty] = a[x, ty + tile * TILE]
        if y < b.shape[1] and tx + tile * TILE < b.shape[0]:
            sb[tx, ty] = b[tx + tile * TILE, y]
        cuda.syncthreads()
        for k in range(TILE):
            total += sa[tx, k] * sb[k, ty]
        cuda.syncthreads()
    if x < c.shape[0] and y < c.shape[1]:
        c[x, y] = total


@cuda.jit
def block_sums(x, out):
    partial = cuda.shared.array(THREADS, float64)
    i = cuda.grid(1)
    t = cuda.threadIdx.x
    partial[t] = x[i] if i < x.size else 0.0
    cuda.syncthreads()
    step = cuda.blockDim.x // 2
    while step > 0:
        if t < step:
            partial[t] += partial[t + step]
        cuda.syncthreads()
        step //= 2
    if t == 0:
        out[cuda.blockIdx.x] = partial[0]


@cuda.jit
def transpose(a, out):
    tile = cuda.shared.array((TILE, TILE + 1), float32)
    x = cuda.blockIdx.x * TILE + cuda.threadIdx.x
    y = cuda.blockIdx.y * TILE + cuda.threadIdx.y
    if y < a.shape[0] and x < a.shape[1]:
        tile[cuda.threadIdx.y, cuda.threadIdx.x] = a[y, x]
    cuda.syncthreads()
    x = cuda.blockIdx.y * TILE + cuda.threadIdx.x
    y = cuda.blockIdx.x * TILE + cuda.threadIdx.y
    if y < out.shape[0] and x < out.shape[1]:
        out[y, x] = tile[cuda.threadIdx.x, cuda.threadIdx.y]


@cuda.jit
def histogram_global(values, bins):
    i = cuda.grid(1)
    if i < values.size:
        cuda.atomic.add(bins, values[i], 1)


@cuda.jit
def histogram_shared(values, bins):
    local = cuda.shared.array(64, int32)
    t = cuda.threadIdx.x
    if t < 64:
        local[t] = 0
    cuda.syncthreads()
    for i in range(cuda.grid(1), values.size, cuda.gridsize(1)):
        cuda.atomic.add(local, values[i], 1)
    cuda.syncthreads()
    if t < 64:
        cuda.atomic.add(bins, t, local[t])


@cuda.jit(device=True)
def escape_time(re, im, limit):
    c = complex(re, im)
    z = 0.0j
    for i in range(limit):
        z = z * z + c
        if z.real * z.real + z.imag * z.imag >= 4:
            return i
    return limit


@cuda.jit
def mandelbrot(x0, x1, y0, y1, image, limit):
    height, width = image.shape
    dx = (x1 - x0) / width
    dy = (y1 - y0) / height
    start_x, start_y = cuda.grid(2)
    step_x, step_y = cuda.gridsize(2)
    for x in range(start_x, width, step_x):
        for y in range(start_y, height, step_y):
            image[y, x] = escape_time(x0 + x * dx, y0 + y * dy, limit)


@cuda.jit
def laplace_step(a, out, error):
    i, j = cuda.grid(2)
    if 0 < i < a.shape[0] - 1 and 0 < j < a.shape[1] - 1:
        out[i, j] = 0.25 * (a[i, j + 1] + a[i, j - 1] + a[i - 1, j] + a[i + 1, j])
        cuda.atomic.max(error, 0, abs(out[i, j] - a[i, j]))


@cuda.jit
def bitonic_sort(a):
    data = cuda.shared.array(256, float64)
    t = cuda.threadIdx.x
    data[t] = a[t]
    cuda.syncthreads()
    size = 2
    while size <= 256:
        stride = size // 2
        while stride > 0:
            other = t ^ stride
            if other > t:
                ascending = (t & size) == 0
                if (data[t] > data[other]) == ascending:
                    data[t], data[other] = data[other], data[t]
            cuda.syncthreads()
            stride //= 2
        size *= 2
    a[t] = data[t]


@cuda.jit
def warp_prefix_sum(x, out):
    i = cuda.grid(1)
    value = x[i]
    delta = 1
    while delta < 32:
        below = cuda.shfl_up_sync(0xFFFFFFFF, value, delta)
        if cuda.laneid >= delta:
            value += below
        delta *= 2
    out[i] = value


@pytest.fixture
def random():
    return np.random.default_rng(7)


def test_vector_add_grid_stride(random):
    x, y = random.random((2, 10_007))
    out = np.zeros_like(x)
    vector_add[7, 64](x, y, out)
    np.testing.assert_array_equal(out, x + y)


def test_saxpy_on_device_arrays(random):
    x, y = random.random((2, 1000), dtype=np.float32)
    device_x, device_y = cuda.to_device(x), cuda.to_device(y)
    saxpy[math.ceil(1000 / 256), 256](np.float32(2.5), device_x, device_y)
    np.testing.assert_allclose(device_y.copy_to_host(), np.float32(2.5) * x + y, rtol=1e-6)


@pytest.mark.parametrize("kernel", [matmul_naive, matmul_shared])
def test_matmul(random, kernel):
    a, b = random.random((45, 33)), random.random((33, 50))
    c = np.zeros((45, 50))
    kernel[(3, 4), (TILE, TILE)](a, b, c)
    np.testing.assert_allclose(c, a @ b, rtol=1e-12)


def test_block_reduction(random):
    x = random.random(1000)
    out = np.zeros(8)
    block_sums[8, THREADS](x, out)
    expected = [x[i : i + THREADS].sum() for i in range(0, 1000, THREADS)]
    np.testing.assert_allclose(out, expected, rtol=1e-12)


def test_transpose(random):
    a = random.random((37, 50), dtype=np.float32)
    out = np.zeros((50, 37), np.float32)
    transpose[(4, 3), (TILE, TILE)](a, out)
    np.testing.assert_array_equal(out, a.T)


@pytest.mark.parametrize("kernel", [histogram_global, histogram_shared])
def test_histogram(random, kernel):
    values = random.integers(0, 64, 5000).astype(np.int32)
    bins = np.zeros(64, np.int32)
    kernel[math.ceil(5000 / THREADS), THREADS](values, bins)
    np.testing.assert_array_equal(bins, np.bincount(values, minlength=64))


def test_mandelbrot():
    image = np.zeros((40, 60), np.uint8)
    mandelbrot[(4, 4), (8, 8)](-2.0, 1.0, -1.0, 1.0, image, 20)
    expected = np.empty_like(image)
    for y in range(40):
        for x in range(60):
            expected[y, x] = escape_time.py_func(-2.0 + x * (3.0 / 60), -1.0 + y * (2.0 / 40), 20)
    # Fused multiply-adds may move a point of the boundary.
    assert (image != expected).mean() < 0.01
    assert image.max() == 20 and image.min() == 0


def test_laplace():
    a = np.zeros((34, 34))
    a[:, 0] = 1.0
    reference = a.copy()
    now, then = cuda.to_device(a), cuda.to_device(a)
    for _ in range(10):
        error = np.zeros(1)
        laplace_step[(3, 3), (16, 16)](now, then, error)
        now, then = then, now
        new = reference.copy()
        new[1:-1, 1:-1] = 0.25 * (
            reference[1:-1, 2:] + reference[1:-1, :-2] + reference[:-2, 1:-1] + reference[2:, 1:-1]
        )
        assert error[0] == pytest.approx(np.abs(new - reference).max(), rel=1e-12)
        reference = new
    np.testing.assert_allclose(now.copy_to_host(), reference, rtol=1e-12)


def test_bitonic_sort(random):
    a = random.random(256)
    expected = np.sort(a)
    bitonic_sort[1, 256](a)
    np.testing.assert_array_equal(a, expected)


def test_prefix_sum_with_shuffles(random):
    x = random.integers(-100, 100, 128).astype(np.int32)
    out = np.zeros_like(x)
    warp_prefix_sum[2, 64](x, out)
    np.testing.assert_array_equal(out, np.cumsum(x.reshape(4, 32), axis=1).ravel())


def test_the_example_of_the_page(run):
    page = pathlib.Path(__file__).parents[2] / "docs" / "cuda.md"
    example = re.search(r"```python\n(.*?)```", page.read_text(), re.DOTALL)[1]
    run(
        example.replace("y = device_y", "expected = 2 * x + y\ny = device_y")
        + "np.testing.assert_allclose(y, expected, rtol=1e-6)"
    )


def test_dynamic_shared_memory():
    @cuda.jit
    def reverse(a):
        data = cuda.shared.array(0, dtype=float32)
        t = cuda.threadIdx.x
        data[t] = a[t]
        cuda.syncthreads()
        a[t] = data[cuda.blockDim.x - 1 - t]

    a = np.arange(100, dtype=np.float32)
    reverse[1, 100, 0, 400](a)
    np.testing.assert_array_equal(a, np.arange(100, dtype=np.float32)[::-1])


@pytest.mark.parametrize("size", [6144, 6145, 20_000])
def test_shared_memory_around_what_is_static_on_a_gpu(size):
    @cuda.jit
    def reverse(x, out):
        data = cuda.shared.array(size, float64)
        own = cuda.shared.array(0, int32)
        t = cuda.threadIdx.x
        own[t] = t
        for i in range(t, size, cuda.blockDim.x):
            data[i] = x[i]
        cuda.syncthreads()
        for i in range(t, size, cuda.blockDim.x):
            out[i] = data[size - 1 - i] + own[63 - t] + own.size

    x, out = np.arange(float(size)), np.zeros(size)
    reverse[1, 64, 0, 256](x, out)
    np.testing.assert_array_equal(out, x[::-1] + 63 - np.arange(size) % 64 + 64)


def test_too_much_shared_memory():
    @cuda.jit
    def large(x):
        data = cuda.shared.array(30_000, float64)
        for i in range(30_000):
            data[i] = i
        cuda.syncthreads()
        x[0] = data[x.size]

    with pytest.raises(cuda.CudaAPIError):
        large[1, 32](np.zeros(3))


@cuda.jit
def unsigned_and_signed(out, divisions, a, b, k=3):
    i = cuda.grid(1)
    if i < a.size:
        total = 0
        for j in range(i):
            total += j + a[i]
        out[i] = a[i] + i + total + k
        divisions[0, i] = a[i] % b[i]
        divisions[1, i] = a[i] // b[i]
        divisions[2, i] = b[i] % a[i]


def test_uint64_beside_int64():
    a, b = np.array([2**63 + 5, 2**53 + 1, 2**60 + 3], np.uint64), np.array([2**62, 10, -7])
    out, divisions = np.zeros(3, np.uint64), np.zeros((3, 3), np.int64)
    unsigned_and_signed[1, 32](out, divisions, a, b)
    x, y = a.tolist(), b.tolist()
    assert out.tolist() == [x[i] + i + sum(j + x[i] for j in range(i)) + 3 for i in range(3)]
    pairs = list(zip(x, y, strict=True))
    assert divisions.tolist() == [[m % n for m, n in pairs], [m // n for m, n in pairs], [n % m for m, n in pairs]]
