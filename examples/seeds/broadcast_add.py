"""A sum of two integers as a ufunc on a GPU: vectors, numbers, broadcasting (GPU course)."""

import numpy as np
from pyarray import vectorize


@vectorize
def add_ten(num):
    """For the CPU; compiled for the types of each call."""
    return num + 10


@vectorize(["int64(int64, int64)"], target="cuda")
def add_ufunc(x, y):
    """For a GPU."""
    return x + y


def broadcast_add(a, b, c):
    """a + 10, a + b, a + 100, and b with each row of c."""
    return add_ten(a), add_ufunc(a, b), add_ufunc(a, 100), add_ufunc(b, c)


TOLERANCE = 0


def arguments(size=4):
    """Two vectors and a matrix."""
    a = np.arange(1, size + 1)
    return a, 10 * a, np.arange(size * size).reshape(size, size)


def reference(a, b, c):
    """The same by NumPy."""
    return a + 10, np.add(a, b), np.add(a, 100), np.add(b, c)


def main():
    """Print the results."""
    for result in broadcast_add(*arguments()):
        print(result)


def draw(figure):
    """The matrix, and the one with the vector added to each row."""
    _, b, c = arguments(16)
    for axes, matrix, title in zip(figure.subplots(1, 2), (c, add_ufunc(b, c)), ("c", "add_ufunc(b, c)")):
        axes.imshow(matrix)
        axes.set(title=title)


if __name__ == "__main__":
    import pathlib
    import sys

    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
    from plotting import run

    run(main, draw)
