"""Ordinary differential equations: a solver that takes the right-hand side as an argument."""

import math

import numpy as np
from pyarray import njit


@njit
def runge_kutta(f, y, t, end, tolerance):
    """y at time `end`, and how many steps it took: order 3 with an error estimate (Bogacki and Shampine, 1989).

    `f(t, y)` gives the derivatives as a tuple.
    """
    h, steps = 1e-3, 0
    k1 = f(t, y)
    while t < end:
        h = min(h, end - t)
        k2 = f(t + h / 2, add(y, h / 2, k1))
        k3 = f(t + 3 * h / 4, add(y, 3 * h / 4, k2))
        new = add(add(add(y, 2 * h / 9, k1), h / 3, k2), 4 * h / 9, k3)
        k4 = f(t + h, new)
        error = 0.0
        for a, b, c, d in zip(k1, k2, k3, k4):
            error = max(error, abs(h * (-5 * a / 72 + b / 12 + c / 9 - d / 8)))
        if error <= tolerance:
            t, y, k1, steps = t + h, new, k4, steps + 1
        h *= min(5.0, max(0.2, 0.9 * (tolerance / (error + 1e-300)) ** (1 / 3)))
    return y, steps


@njit
def add(y, h, k):
    """y + h k, for tuples of two."""
    return y[0] + h * k[0], y[1] + h * k[1]


@njit
def pendulum(t, y):
    """A pendulum of length 1 m: angle and its rate of change."""
    return y[1], -9.81 * math.sin(y[0])


@njit
def predator_prey(t, y):
    """Lotka and Volterra's equations."""
    return 1.1 * y[0] - 0.4 * y[0] * y[1], 0.1 * y[0] * y[1] - 0.4 * y[1]


def arguments(size=500):
    """A pendulum for 1 s."""
    return pendulum, (1.0, 0.0), 0.0, 1.0, 1e-6


def reference(f, y, t, end, tolerance):
    """The same formulas on arrays."""
    f = getattr(f, "py_func", f)
    y, h, steps = np.array(y), 1e-3, 0
    k = [np.array(f(t, y))] + [None] * 3
    while t < end:
        h = min(h, end - t)
        k[1] = np.array(f(t + h / 2, y + h / 2 * k[0]))
        k[2] = np.array(f(t + 3 * h / 4, y + 3 * h / 4 * k[1]))
        new = y + h * (2 / 9 * k[0] + k[1] / 3 + 4 / 9 * k[2])
        k[3] = np.array(f(t + h, new))
        error = np.abs(h * (-5 / 72 * k[0] + k[1] / 12 + k[2] / 9 - k[3] / 8)).max()
        if error <= tolerance:
            t, y, k[0], steps = t + h, new, k[3], steps + 1
        h *= min(5.0, max(0.2, 0.9 * (tolerance / (error + 1e-300)) ** (1 / 3)))
    return tuple(y.tolist()), steps


def main():
    """Print solutions of two equations, and of one written on the spot."""
    (angle, _), steps = runge_kutta(pendulum, (1.0, 0.0), 0.0, 10.0, 1e-9)
    print(f"pendulum after 10 s: {angle:.6f} rad, {steps} steps")
    (prey, predators), steps = runge_kutta(predator_prey, (10.0, 10.0), 0.0, 50.0, 1e-9)
    print(f"prey {prey:.4f}, predators {predators:.4f}, {steps} steps")
    (x, _), steps = runge_kutta(njit(lambda t, y: (y[1], -y[0])), (1.0, 0.0), 0.0, math.pi, 1e-9)
    print(f"cos(pi) = {x:.6f}, {steps} steps")


if __name__ == "__main__":
    main()
