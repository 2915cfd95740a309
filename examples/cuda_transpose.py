"""A transposed copy: a tile in shared memory, so that both reading and writing touch neighbouring elements."""

import numpy as np
from pyarray import cuda, float32

TILE = 32
ROWS = 8  # of threads: each moves TILE / ROWS elements


@cuda.jit
def transpose(source, target):
    """Write the transpose of source into target; blocks are (TILE, ROWS)."""
    tile = cuda.shared.array((TILE, TILE + 1), float32)  # one column more: a column then lies in 32 different banks
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    row, column = cuda.blockIdx.y * TILE, cuda.blockIdx.x * TILE
    for k in range(ty, TILE, ROWS):
        if row + k < source.shape[0] and column + tx < source.shape[1]:
            tile[k, tx] = source[row + k, column + tx]
    cuda.syncthreads()
    for k in range(ty, TILE, ROWS):
        if column + k < target.shape[0] and row + tx < target.shape[1]:
            target[column + k, row + tx] = tile[tx, k]


def cuda_transpose(a):
    """The transpose of a float32 matrix, contiguous."""
    target = cuda.device_array(a.shape[::-1], a.dtype)
    grid = (a.shape[1] + TILE - 1) // TILE, (a.shape[0] + TILE - 1) // TILE
    transpose[grid, (TILE, ROWS)](cuda.to_device(a), target)
    return target.copy_to_host()


def arguments(size=300):
    """A matrix that is not square."""
    return (np.random.default_rng(1).random((size, size + 45), np.float32),)


def reference(a):
    """The same with NumPy."""
    return a.T.copy()


def main():
    """Transpose a small matrix and a larger one."""
    print(cuda_transpose(np.arange(12, dtype=np.float32).reshape(3, 4)))
    (a,) = arguments()
    print(f"{a.shape}: twice transposed is {'the same' if (cuda_transpose(cuda_transpose(a)) == a).all() else 'WRONG'}")


if __name__ == "__main__":
    main()
