"""Shared, local and constant memory in one kernel: a median filter, then a mean (slides on CUDA with Numba)."""

import numpy as np
from pyarray import cuda, float64

THREADS = 64
REACH = 2  # neighbours on each side
WEIGHTS = np.array([1.0, 4.0, 6.0, 4.0, 1.0]) / 16  # of the mean


@cuda.jit
def clean(signal, out):
    """Each thread: its element and its neighbours, from memory that the block shares."""
    tile = cuda.shared.array(THREADS + 4 * REACH, float64)
    medians = cuda.shared.array(THREADS + 2 * REACH, float64)
    window = cuda.local.array(2 * REACH + 1, float64)
    weights = cuda.const.array_like(WEIGHTS)
    i, t = cuda.grid(1), cuda.threadIdx.x
    first = cuda.blockIdx.x * cuda.blockDim.x - 2 * REACH
    for k in range(t, tile.size, cuda.blockDim.x):
        tile[k] = signal[min(max(first + k, 0), signal.size - 1)]
    cuda.syncthreads()
    for k in range(t, medians.size, cuda.blockDim.x):
        for j in range(window.size):  # sorted as they come
            value, place = tile[k + j], j
            while place > 0 and window[place - 1] > value:
                window[place] = window[place - 1]
                place -= 1
            window[place] = value
        medians[k] = window[REACH]
    cuda.syncthreads()
    if i < out.size:
        total = 0.0
        for j in range(weights.size):
            total += weights[j] * medians[t + j]
        out[i] = total


def memory_spaces(signal):
    """The signal without outliers, smoothed."""
    out = cuda.device_array(signal.shape)
    clean[(signal.size + THREADS - 1) // THREADS, THREADS](cuda.to_device(signal), out)
    return (out.copy_to_host(),)


TOLERANCE = 1e-12


def arguments(size=1000):
    """A sine with noise and some outliers."""
    random = np.random.default_rng(0)
    signal = np.sin(np.linspace(0, 12, size)) + random.normal(scale=0.1, size=size)
    signal[random.integers(0, size, size // 20 + 1)] += 3
    return (signal,)


def reference(signal):
    """The same by NumPy."""
    places = np.clip(np.arange(-2 * REACH, signal.size + 2 * REACH), 0, signal.size - 1)
    windows = np.lib.stride_tricks.sliding_window_view(signal[places], 2 * REACH + 1)
    medians = np.median(windows, axis=1)
    return (np.lib.stride_tricks.sliding_window_view(medians, 2 * REACH + 1) @ WEIGHTS,)


def main():
    """Print what is left of the outliers, and what memory the kernel takes."""
    (signal,) = arguments()
    (cleaned,) = memory_spaces(signal)
    print(f"largest value {signal.max():.2f} before, {cleaned.max():.2f} after")
    shared = next(iter(clean.get_shared_mem_per_block().values()))
    print(f"{shared} bytes of shared memory for a block of {THREADS} threads")


def draw(figure):
    """Before and after."""
    (signal,) = arguments(400)
    axes = figure.subplots()
    axes.plot(signal, ".", markersize=3, label="signal")
    axes.plot(memory_spaces(signal)[0], label="median of 5, weighted mean of 5")
    axes.legend()


if __name__ == "__main__":
    import pathlib
    import sys

    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
    from plotting import run

    run(main, draw)
