"""Newton's method, with exceptions for what can go wrong."""

import math

from pyarray import njit


class NoConvergence(ArithmeticError):
    """The iteration ended without a root; its arguments are the last point and the number of steps."""


@njit
def newton(f, df, x, tolerance=1e-12, limit=50):
    """A root of f near x, and the number of steps."""
    for step in range(limit):
        try:
            dx = f(x) / df(x)
        except ZeroDivisionError:
            dx = 1e-3  # a stationary point: go on beside it
        except ValueError as error:
            raise NoConvergence("left the domain", x, step) from error
        x -= dx
        if abs(dx) <= tolerance * abs(x):
            return x, step + 1
    raise NoConvergence("no root", x, limit)


@njit
def cube(x):
    """x**3 - 2 x - 5, Newton's own example."""
    return x**3 - 2 * x - 5


@njit
def cube_slope(x):
    """Its derivative."""
    return 3 * x * x - 2


@njit(error_model="strict")  # an error outside the domain, not NaN
def logarithm(x):
    """log(x) + 1."""
    return math.log(x) + 1


@njit
def logarithm_slope(x):
    """Its derivative."""
    return 1 / x


@njit
def parabola(x):
    """x**2 + 1, which has no real root."""
    return x * x + 1


@njit
def parabola_slope(x):
    """Its derivative."""
    return 2 * x


def arguments(size=500):
    """Newton's example."""
    return cube, cube_slope, 2.0


def reference(f, df, x):
    """The same by bisection; the number of steps is known."""
    low, high = x, x + 1
    while (middle := (low + high) / 2) not in (low, high):
        low, high = (low, middle) if f(middle) > 0 else (middle, high)
    return low, 5


def main():
    """Print roots, and what happens where there is none."""
    for f, df, x in (
        (cube, cube_slope, 2.0),
        (logarithm, logarithm_slope, 0.1),
        (logarithm, logarithm_slope, 9.0),
        (parabola, parabola_slope, 0.0),
    ):
        name = f.__name__
        try:
            root, steps = newton(f, df, x)
            print(f"{name} from {x}: {root:.12f} after {steps} steps")
        except NoConvergence as error:
            print(f"{name} from {x}: {error.args[0]}; cause: {error.__cause__!r}")


if __name__ == "__main__":
    main()
