"""One function as a ufunc for a GPU, for all cores of the CPU and for one (Pythonic Parallel Patterns)."""

import numpy as np
from pyarray import vectorize


def foo(a, b):
    """The square of a sum."""
    return (a + b) ** 2


TARGETS = {
    target: vectorize(["float32(float32, float32)"], target=target)(foo) for target in ("gpu", "parallel", "cpu")
}


def square_of_sum(a, b):
    """The results of the three."""
    return tuple(ufunc(a, b) for ufunc in TARGETS.values())


TOLERANCE = 1e-6


def arguments(size=10_000):
    """The numbers from 0 on, twice."""
    return np.arange(size, dtype=np.float32), np.arange(size, dtype=np.float32)


def reference(a, b):
    """The same by NumPy."""
    return ((a + b) ** 2,) * 3


def main():
    """Print the last element of each."""
    for target, result in zip(TARGETS, square_of_sum(*arguments())):
        print(f"{target:>8}: {result[-1]} {result.dtype}")


def draw(figure):
    """Time of one call for arrays of several sizes, on this machine."""
    import time

    sizes = [10**k for k in range(2, 7)]
    axes = figure.subplots()
    for target, ufunc in TARGETS.items():
        seconds = []
        for size in sizes:
            a, b = arguments(size)
            ufunc(a, b)
            start = time.perf_counter()
            ufunc(a, b)
            seconds.append(time.perf_counter() - start)
        axes.loglog(sizes, seconds, "o-", label=f'target="{target}"')
    axes.set(title="(a + b) ** 2, host arrays", xlabel="elements", ylabel="seconds")
    axes.legend()


if __name__ == "__main__":
    import pathlib
    import sys

    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
    from plotting import run

    run(main, draw)
