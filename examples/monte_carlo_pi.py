"""Pi by throwing darts: how many random points of the unit square lie within the circle."""

import math
import random

from pyarray import njit


@njit
def monte_carlo_pi(nsamples):
    """Estimate of pi from that many points."""
    acc = 0
    for _ in range(nsamples):
        x = random.random()
        y = random.random()
        if (x**2 + y**2) < 1.0:
            acc += 1
    return 4.0 * acc / nsamples


@njit
def seed(value):
    """Seed the generator of compiled code: its stream is then that of ``random.seed(value)`` in Python."""
    random.seed(value)


def arguments(size=1_000_000):
    """Number of points."""
    return (size,)


def reference(nsamples):
    """Pi."""
    return math.pi


def main():
    """Print estimates; compiled and plain code draw the same numbers from the same seed."""
    seed(42)
    random.seed(42)
    print(f"compiled, 100,000 points     {monte_carlo_pi(100_000)}")
    print(f"plain Python, the same seed  {monte_carlo_pi.py_func(100_000)}")
    print(f"compiled, 10,000,000 points  {monte_carlo_pi(10_000_000)}")


if __name__ == "__main__":
    main()
