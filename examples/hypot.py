"""The length of a hypotenuse: the first example of most introductions to compiled Python.

``hypot.py_func`` is the plain Python function.
"""

import math

from pyarray import njit


@njit
def hypot(x, y):
    """Length of the hypotenuse, computed without overflow (https://en.wikipedia.org/wiki/Hypot)."""
    x = abs(x)
    y = abs(y)
    t = min(x, y)
    x = max(x, y)
    t = t / x
    return x * math.sqrt(1 + t * t)


def arguments(size=3.0):
    """Two floats."""
    return size, size / 3 * 4


def reference(x, y):
    """The length as the C library computes it."""
    return math.hypot(x, y)


def main():
    """Print results of the compiled and the plain function."""
    print(f"hypot(3.0, 4.0)          = {hypot(3.0, 4.0)}")
    print(f"hypot.py_func(3.0, 4.0)  = {hypot.py_func(3.0, 4.0)}")
    print(f"hypot(1e200, 1e200)      = {hypot(1e200, 1e200)}")


if __name__ == "__main__":
    main()
