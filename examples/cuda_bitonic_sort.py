"""Bitonic sort: a network of comparisons, of which those between near elements are done in shared memory."""

import math

import numpy as np
from pyarray import cuda, float32

SHARED = 1024  # elements that a block sorts
THREADS = SHARED // 2  # each compares two elements


@cuda.jit(device=True)
def lower_of_pair(k, stride):
    """The k-th element whose partner is stride elements above it."""
    return 2 * stride * (k // stride) + k % stride


@cuda.jit(device=True)
def order(a, low, high, ascending):
    """Let a[low] and a[high] change places if they are in the other order."""
    if (a[low] > a[high]) == ascending:
        a[low], a[high] = a[high], a[low]


@cuda.jit
def compare_far(a, run, stride):
    """One step over all of a, in global memory."""
    low = lower_of_pair(cuda.grid(1), stride)
    order(a, low, low + stride, low & run == 0)


@cuda.jit
def compare_near(a, first, last):
    """The steps for runs of first to last elements, as far as both elements are in one block's part of a."""
    part = cuda.shared.array(SHARED, float32)
    t = cuda.threadIdx.x
    base = cuda.blockIdx.x * SHARED
    part[t], part[t + THREADS] = a[base + t], a[base + t + THREADS]
    run = first
    while run <= last:
        stride = min(run // 2, THREADS)
        while stride > 0:
            cuda.syncthreads()
            low = lower_of_pair(t, stride)
            order(part, low, low + stride, (base + low) & run == 0)
            stride //= 2
        run *= 2
    cuda.syncthreads()
    a[base + t], a[base + t + THREADS] = part[t], part[t + THREADS]


def cuda_bitonic_sort(x):
    """A sorted copy of a float32 array without NaN; infinities fill it up to a power of two."""
    size = max(SHARED, 2 ** math.ceil(math.log2(max(x.size, 1))))
    padded = np.full(size, np.inf, np.float32)
    padded[: x.size] = x
    a = cuda.to_device(padded)
    blocks = size // SHARED
    compare_near[blocks, THREADS](a, 2, SHARED)
    run = 2 * SHARED
    while run <= size:
        stride = run // 2
        while stride > THREADS:
            compare_far[blocks, THREADS](a, run, stride)
            stride //= 2
        compare_near[blocks, THREADS](a, run, run)
        run *= 2
    return a[: x.size].copy_to_host()


def arguments(size=10_000):
    """Numbers in no order."""
    return (np.random.default_rng(1).normal(size=size).astype(np.float32),)


def reference(x):
    """The same with NumPy."""
    return np.sort(x)


def main():
    """Sort a few numbers, and many."""
    print(cuda_bitonic_sort(np.array([3, -1, 4, 1, -5, 9, 2, 6], np.float32)))
    x = np.random.default_rng(2).random(100_000, np.float32)
    print(f"{x.size} elements: {'in order' if (np.diff(cuda_bitonic_sort(x)) >= 0).all() else 'NOT IN ORDER'}")


if __name__ == "__main__":
    main()
