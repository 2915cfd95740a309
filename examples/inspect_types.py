"""The types that the compiler found for each value of a function, beside its source."""

import math

from pyarray import njit


@njit
def hypot(x, y):
    """Length of the hypotenuse."""
    x = abs(x)
    y = abs(y)
    t = min(x, y)
    x = max(x, y)
    t = t / x
    return x * math.sqrt(1 + t * t)


def main():
    """Print the annotated source of a function compiled for floats and for ints."""
    hypot(3.0, 4.0)
    hypot(3, 4)
    hypot.inspect_types()


if __name__ == "__main__":
    main()
