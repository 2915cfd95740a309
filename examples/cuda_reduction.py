"""A sum: each thread adds up elements, warps add by shuffles, blocks in shared memory, the grid by an atomic."""

import numpy as np
from pyarray import cuda, float64

THREADS = 256
WARPS = THREADS // 32
TOLERANCE = 1e-12


@cuda.jit(device=True)
def warp_sum(value):
    """The sum over the 32 lanes of a warp, in lane 0."""
    offset = 16
    while offset > 0:
        value += cuda.shfl_down_sync(0xFFFFFFFF, value, offset)
        offset //= 2
    return value


@cuda.jit
def add_up(x, total):
    """Add the elements of x to total[0]; blocks have THREADS threads."""
    partial = cuda.shared.array(WARPS, float64)
    value = 0.0
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        value += x[i]
    value = warp_sum(value)
    warp, lane = cuda.threadIdx.x // 32, cuda.laneid
    if lane == 0:
        partial[warp] = value
    cuda.syncthreads()
    if warp == 0:
        value = warp_sum(partial[lane] if lane < WARPS else 0.0)
        if lane == 0:
            cuda.atomic.add(total, 0, value)


def cuda_reduction(x):
    """The sum of a host or device array of one dimension."""
    total = cuda.to_device(np.zeros(1))
    add_up[min(1024, x.size // THREADS + 1), THREADS](x, total)
    return total.copy_to_host()[0]


def arguments(size=200_000):
    """Numbers between 0 and 1."""
    return (np.random.default_rng(1).random(size),)


def reference(x):
    """The same with NumPy."""
    return x.sum()


def main():
    """Add up some series."""
    k = np.arange(1, 100_001, dtype=float)
    print(f"1 + 2 + ... + 100000 = {cuda_reduction(k):.0f}")
    print(f"sqrt(6 (1 + 1/4 + 1/9 + ...)) = {np.sqrt(6 * cuda_reduction(1 / k**2)):.6f}")
    print(f"one element: {cuda_reduction(np.array([42.0]))}, none: {cuda_reduction(np.zeros(0))}")


if __name__ == "__main__":
    main()
