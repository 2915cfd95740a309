"""Sorting by swapping neighbours."""

import numpy as np
from pyarray import njit


@njit
def bubble_sort(a):
    """Sort a 1-D array in place; returns how many passes it took."""
    passes = 0
    for end in range(len(a) - 1, 0, -1):
        swapped = False
        for i in range(end):
            if a[i] > a[i + 1]:
                a[i], a[i + 1] = a[i + 1], a[i]
                swapped = True
        passes += 1
        if not swapped:
            break
    return passes


def arguments(size=500):
    """Random floats."""
    return (np.random.default_rng(1).normal(size=size),)


def reference(a):
    """Sort in place with NumPy; the number of passes follows from how far elements have to move to the left."""
    order = np.argsort(a, kind="stable")
    way = int((order - np.arange(len(a))).max()) if len(a) else 0
    a[:] = a[order]
    return min(way + 1, max(len(a) - 1, 0))


def main():
    """Print a sorted array."""
    (a,) = arguments(10)
    passes = bubble_sort(a)
    print(f"after {passes} passes: {a.round(2)}")


if __name__ == "__main__":
    main()
