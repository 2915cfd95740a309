"""Running sums: by shuffles in a warp, by shared memory in a block, and the same once more for the totals of blocks."""

import numpy as np
from pyarray import cuda, int64

THREADS = 256
WARPS = THREADS // 32


@cuda.jit(device=True)
def warp_scan(value):
    """Each lane's sum of the values of the lanes up to it."""
    offset = 1
    while offset < 32:
        below = cuda.shfl_up_sync(0xFFFFFFFF, value, offset)
        if cuda.laneid >= offset:
            value += below
        offset *= 2
    return value


@cuda.jit
def scan_blocks(x, sums, totals):
    """Running sums within each block of THREADS elements, and each block's total."""
    warp_totals = cuda.shared.array(WARPS, int64)
    i, warp, lane = cuda.grid(1), cuda.threadIdx.x // 32, cuda.laneid
    value = warp_scan(x[i] if i < x.size else int64(0))
    if lane == 31:
        warp_totals[warp] = value
    cuda.syncthreads()
    if warp == 0:
        total = warp_scan(warp_totals[lane] if lane < WARPS else int64(0))
        if lane < WARPS:
            warp_totals[lane] = total
    cuda.syncthreads()
    if warp > 0:
        value += warp_totals[warp - 1]
    if i < x.size:
        sums[i] = value
    if cuda.threadIdx.x == THREADS - 1:
        totals[cuda.blockIdx.x] = value


@cuda.jit
def add_offsets(sums, totals):
    """Add to each block, save the first, the running total of the blocks before it."""
    i = cuda.grid(1)
    if cuda.blockIdx.x > 0 and i < sums.size:
        sums[i] += totals[cuda.blockIdx.x - 1]


def scan(x):
    """Running sums of a device array of int64, as a device array; the blocks' totals are summed up in the same way."""
    blocks = (x.size + THREADS - 1) // THREADS
    sums, totals = cuda.device_array(x.size, np.int64), cuda.device_array(blocks, np.int64)
    scan_blocks[blocks, THREADS](x, sums, totals)
    if blocks > 1:
        add_offsets[blocks, THREADS](sums, scan(totals))
    return sums


def cuda_prefix_sum(x):
    """Running sums of a host array of int64 that is not empty."""
    return scan(cuda.to_device(x)).copy_to_host()


def arguments(size=100_000):
    """Integers of either sign."""
    return (np.random.default_rng(1).integers(-1000, 1000, size),)


def reference(x):
    """The same with NumPy."""
    return np.cumsum(x)


def main():
    """Sum up odd numbers, which gives squares."""
    print(cuda_prefix_sum(np.arange(1, 40, 2)))
    sums = cuda_prefix_sum(np.arange(1, 200_001, 2))
    print(f"the 100000th is {sums[-1]}; all are squares: {(sums == np.arange(1, 100_001) ** 2).all()}")


if __name__ == "__main__":
    main()
