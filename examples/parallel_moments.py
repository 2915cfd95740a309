"""Statistics of an array in one parallel loop: several reductions over `prange`."""

import time

import numpy as np
from pyarray import config, njit, prange, set_num_threads


@njit(parallel=True)
def parallel_moments(values):
    """Least and largest value, mean and variance; each thread has partial results, which are then combined."""
    least = np.inf
    largest = -np.inf
    total = 0.0
    squares = 0.0
    shift = values[0]  # near the mean, so that the squares are small
    for i in prange(values.size):
        value = values[i]
        least = min(least, value)
        largest = max(largest, value)
        total += value - shift
        squares += (value - shift) ** 2
    mean = total / values.size
    return least, largest, shift + mean, squares / values.size - mean**2


def arguments(size=1_000_000):
    """An array of float64."""
    return (np.random.default_rng(1).normal(5.0, 2.0, size),)


def reference(values):
    """The same with NumPy."""
    return values.min(), values.max(), values.mean(), values.var()


def seconds(function, *arguments):
    """Time of the fastest of 20 calls."""
    best = float("inf")
    for _ in range(20):
        start = time.perf_counter()
        function(*arguments)
        best = min(best, time.perf_counter() - start)
    return best


def main():
    """Print the moments, and what became of the loop."""
    print("least {:.4f}, largest {:.4f}, mean {:.6f}, variance {:.6f}".format(*parallel_moments(*arguments())))
    parallel_moments.parallel_diagnostics()


def draw(figure):
    """The time that a call takes, by number of threads."""
    values = arguments(5_000_000)[0]
    parallel_moments(values)  # compiled, and all threads started, before the clock runs
    threads, times = range(1, config.NUM_THREADS + 1), []
    for count in threads:
        set_num_threads(count)
        times.append(1e3 * seconds(parallel_moments, values))
    axes = figure.subplots()
    axes.bar(threads, times, label="parallel_moments")
    axes.axhline(1e3 * seconds(reference, values), color="black", label="NumPy")
    axes.set(title=f"{values.size} elements", xlabel="threads", ylabel="ms", xticks=threads)
    axes.legend()


if __name__ == "__main__":
    from plotting import run

    run(main, draw)
