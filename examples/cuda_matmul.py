"""Products of matrices: one thread for each element, reading global memory, and the same by tiles in shared memory."""

import numpy as np
from pyarray import cuda, float32

TILE = 16
TOLERANCE = 1e-4  # float32: sums of many products


@cuda.jit
def matmul_naive(a, b, c):
    """Each thread reads a row of a and a column of b."""
    j, i = cuda.grid(2)
    if i < c.shape[0] and j < c.shape[1]:
        total = float32(0)
        for k in range(a.shape[1]):
            total += a[i, k] * b[k, j]
        c[i, j] = total


@cuda.jit
def matmul_shared(a, b, c):
    """A block computes a tile of c; each element of a and b is read once for each tile that needs it."""
    left = cuda.shared.array((TILE, TILE), float32)
    right = cuda.shared.array((TILE, TILE), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    j, i = cuda.grid(2)
    inner = a.shape[1]
    total = float32(0)
    for start in range(0, inner, TILE):
        left[ty, tx] = a[i, start + tx] if i < a.shape[0] and start + tx < inner else float32(0)
        right[ty, tx] = b[start + ty, j] if start + ty < inner and j < b.shape[1] else float32(0)
        cuda.syncthreads()
        for k in range(TILE):
            total += left[ty, k] * right[k, tx]
        cuda.syncthreads()
    if i < c.shape[0] and j < c.shape[1]:
        c[i, j] = total


def multiply(kernel, a, b):
    """A product by one of the kernels, as a device array of float32; a and b are host or device arrays."""
    c = cuda.device_array((a.shape[0], b.shape[1]), np.float32)
    grid = (c.shape[1] + TILE - 1) // TILE, (c.shape[0] + TILE - 1) // TILE
    kernel[grid, (TILE, TILE)](a, b, c)
    return c


def cuda_matmul(a, b):
    """The product by each of the kernels."""
    a, b = cuda.to_device(a), cuda.to_device(b)
    return multiply(matmul_naive, a, b).copy_to_host(), multiply(matmul_shared, a, b).copy_to_host()


def arguments(size=120):
    """Two matrices of float32 that fit; their extents are no multiples of a tile."""
    generator = np.random.default_rng(1)
    return generator.random((size, size + 3), np.float32), generator.random((size + 3, size + 7), np.float32)


def reference(a, b):
    """The same with NumPy."""
    product = a @ b
    return product, product


def main():
    """Compare the kernels with NumPy, and show what a block of each needs."""
    a, b = arguments()
    for kernel, c in zip((matmul_naive, matmul_shared), cuda_matmul(a, b), strict=True):
        shared = next(iter(kernel.get_shared_mem_per_block().values()))
        print(f"{kernel.__name__}: largest difference {np.max(abs(c - a @ b)):.1e}; {shared} bytes of shared memory")


if __name__ == "__main__":
    main()
