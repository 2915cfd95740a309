"""SAXPY and a matrix product by cuBLAS, beside a ufunc and a kernel that do the same (NumbaPro talks)."""

import numpy as np
from pyarray import cuda, vectorize
from pyarray.cuda.cublas import Blas


@vectorize(["float32(float32, float32, float32)"], target="cuda")
def saxpy(a, x, y):
    return a * x + y


@cuda.jit
def square_matrix_product(a, b, c):
    """A thread for each element of c."""
    i, j = cuda.grid(2)
    if i < c.shape[0] and j < c.shape[1]:
        total = np.float32(0)
        for k in range(a.shape[1]):
            total += a[i, k] * b[k, j]
        c[i, j] = total


def blas_saxpy_matmul(alpha, x, y, a, b):
    """alpha * x + y, and a @ b: by cuBLAS, by a ufunc, by a kernel."""
    blas = Blas(cuda.stream())
    device_x, device_y = cuda.to_device(x), cuda.to_device(y)
    summed = saxpy(alpha, device_x, device_y).copy_to_host()
    by_blas = blas.axpy(alpha, device_x, device_y)
    m, k, n = *a.shape, b.shape[1]
    device_a, device_b, product = cuda.to_device(a), cuda.to_device(b), cuda.device_array((m, n), np.float32)
    blas.gemm("N", "N", m, n, k, 1, device_a, device_b, 0, product)  # rows or columns: no copies
    by_kernel = cuda.device_array((m, n), np.float32)
    square_matrix_product[((m + 15) // 16, (n + 15) // 16), (16, 16)](device_a, device_b, by_kernel)
    cuda.synchronize()
    return by_blas.copy_to_host(), summed, product.copy_to_host(), by_kernel.copy_to_host()


TOLERANCE = 1e-4


def arguments(size=64):
    """A number, two vectors and two matrices."""
    random = np.random.default_rng(0)
    x, y = random.random((2, size * size), np.float32)
    a, b = random.random((size, size + 3), np.float32), random.random((size + 3, size), np.float32)
    return np.float32(2), x, y, a, b


def reference(alpha, x, y, a, b):
    """The same by NumPy."""
    return alpha * x + y, alpha * x + y, a @ b, a @ b


def main():
    """Print how far the results are from each other."""
    by_blas, summed, product, by_kernel = blas_saxpy_matmul(*arguments())
    print(f"saxpy: cuBLAS and the ufunc differ by {abs(by_blas - summed).max():.1e}")
    print(f"matrix product: cuBLAS and the kernel differ by {abs(product - by_kernel).max():.1e}")


def draw(figure):
    """Differences of the two matrix products, element by element."""
    _, _, product, by_kernel = blas_saxpy_matmul(*arguments())
    axes = figure.subplots()
    image = axes.imshow(product - by_kernel, cmap="coolwarm")
    axes.set(title="a @ b in float32: cuBLAS less a kernel of one thread an element", xlabel="column", ylabel="row")
    figure.colorbar(image)


if __name__ == "__main__":
    import pathlib
    import sys

    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
    from plotting import run

    run(main, draw)
