"""Arrays of kernels in other shapes: views of shared, local and device memory, against NumPy."""

import numpy as np
import pytest
from pyarray import cuda, errors

pytestmark = pytest.mark.real


def test_reshaped_shared_memory():
    @cuda.jit
    def kernel(out, n):
        memory, tile = cuda.shared.array(0, np.float32), cuda.shared.array((4, 8), np.float32)
        matrices, flat = memory[: n * 4].reshape(n, 2, 2), tile.reshape(-1)
        t = cuda.threadIdx.x
        tile[t // 8, t % 8] = t
        if t < n:
            for i in range(2):
                for j in range(2):
                    matrices[t, i, j] = 100 * t + 10 * i + j
        cuda.syncthreads()
        out[t] = flat[31 - t] + (1000 * memory[t] if t < 4 * n else 0)

    out = np.zeros(32)
    kernel[1, 32, 0, 3 * 16](out, 3)
    numbers = [100 * t + 10 * i + j for t in range(3) for i in range(2) for j in range(2)]
    assert out.tolist() == [31 - t + (1000 * numbers[t] if t < 12 else 0) for t in range(32)]


def test_reshaped_local_memory_and_arguments():
    @cuda.jit
    def kernel(a, out, n, m):
        own = cuda.local.array((2, 6), np.int64)
        flat = own.reshape(12)
        for i in range(12):
            flat[i] = i
        cube, b = flat.reshape((3, 4)).reshape(2, 2, -1), a.reshape((n, m))
        b[1, 0] = 99
        out[0], out[1], out[2], out[3] = cube[1, 1, 2], cube.shape[2], b.shape[0], b.shape[1]

    a, out = np.arange(6.0), np.zeros(4, np.int64)
    kernel[1, 1](a, out, 3, 2)
    assert out.tolist() == [11, 3, 3, 2] and a.tolist() == [0, 1, 99, 3, 4, 5]
    kernel[1, 1](a, out, -1, 3)
    assert out.tolist() == [11, 3, 2, 3] and a[3] == 99


@pytest.mark.parametrize("count", [6, 0])
@pytest.mark.parametrize(
    "shape", [(4, 2), (-1, 4), (-1, -1), (-2, -3), (0, 6), (5, 0), (-1, 0), (-1, 3), (2**32, 2**32), (6, 1), (1, 7)]
)
def test_sizes_of_new_shapes(shape, count):
    @cuda.jit
    def kernel(a, out, n, m):
        b = a.reshape(n, m)
        out[0], out[1] = b.shape

    out = np.zeros(2, np.int64)
    try:
        wanted = np.zeros(count).reshape(shape).shape
    except ValueError:
        with pytest.raises(ValueError, match="cannot reshape|can only specify one unknown dimension"):
            kernel[1, 1](np.zeros(count), out, *shape)
    else:
        kernel[1, 1](np.zeros(count), out, *shape)
        assert tuple(out) == wanted


def test_shapes_that_are_refused():
    def of_steps(a):
        a[::2].reshape(3)

    def of_columns(a):
        a.reshape(3, 2).T.reshape(6)

    def by_floats(a):
        a.reshape(2.5)

    for function, error in ((of_steps, "C order"), (of_columns, "C order"), (by_floats, "expected an int")):
        with pytest.raises((errors.UnsupportedError, errors.TypingError), match=error):
            cuda.jit(function)[1, 1](np.arange(6.0))
