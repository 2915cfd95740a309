"""A histogram: each block counts in shared memory, with atomics, and adds its counts to those in global memory."""

import numpy as np
from pyarray import cuda, int32

BINS = 256
THREADS = 256


@cuda.jit
def count(x, low, high, counts):
    """Count the elements of x in BINS equal parts of [low, high)."""
    local = cuda.shared.array(BINS, int32)
    for k in range(cuda.threadIdx.x, BINS, cuda.blockDim.x):
        local[k] = 0
    cuda.syncthreads()
    scale = BINS / (high - low)
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        if low <= x[i] < high:
            cuda.atomic.add(local, min(int((x[i] - low) * scale), BINS - 1), 1)
    cuda.syncthreads()
    for k in range(cuda.threadIdx.x, BINS, cuda.blockDim.x):
        cuda.atomic.add(counts, k, local[k])


def cuda_histogram(x, low, high):
    """Numbers of elements in each of BINS equal parts of [low, high), as int32."""
    counts = cuda.to_device(np.zeros(BINS, np.int32))
    count[min(512, x.size // THREADS + 1), THREADS](x, low, high, counts)
    return counts.copy_to_host()


def arguments(size=200_000):
    """Normally distributed numbers, and a range that has nearly all of them."""
    return np.random.default_rng(1).normal(size=size), -4.0, 4.0


def reference(x, low, high):
    """The same with NumPy."""
    inside = x[(x >= low) & (x < high)]
    return np.bincount(np.minimum((inside - low) * (BINS / (high - low)), BINS - 1).astype(int), minlength=BINS)


def main():
    """Print a histogram of 16 bins."""
    counts = cuda_histogram(*arguments()).reshape(16, 16).sum(axis=1)
    for left, number in zip(np.arange(-4, 4, 0.5), counts, strict=True):
        print(f"{left:4.1f} {number:6} {'#' * int(number / counts.max() * 60)}")


def draw(figure):
    """The histogram, and the density of the distribution."""
    x, low, high = arguments(1_000_000)
    width = (high - low) / BINS
    middles = low + (np.arange(BINS) + 0.5) * width
    axes = figure.subplots()
    axes.bar(middles, cuda_histogram(x, low, high) / x.size / width, width, label="cuda_histogram")
    axes.plot(middles, np.exp(-(middles**2) / 2) / np.sqrt(2 * np.pi), "C3", label="density")
    axes.set(title="1,000,000 normally distributed numbers", xlabel="x", ylabel="density")
    axes.legend()


if __name__ == "__main__":
    from plotting import run

    run(main, draw)
