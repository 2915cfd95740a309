"""Laplace's equation on a square by relaxation: the temperature of a plate whose edges are held."""

import numpy as np
from pyarray import njit


@njit
def laplace(u, work, iterations):
    """Jacobi's iteration: each inner point becomes the mean of its four neighbours.

    u, work : (m, n) float64 arrays; work is overwritten and needs the edges of u.
    Returns the array, one of the two, that holds the last step.
    """
    rows, columns = u.shape
    for _ in range(iterations):
        for i in range(1, rows - 1):
            for j in range(1, columns - 1):
                work[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])
        u, work = work, u
    return u


def arguments(size=100):
    """A plate with one hot edge, its copy, and a number of steps."""
    plate = np.zeros((size, size))
    plate[0] = 1.0
    return plate, plate.copy(), 50


def reference(u, work, iterations):
    """The same with NumPy."""
    for _ in range(iterations):
        work[1:-1, 1:-1] = 0.25 * (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:])
        u, work = work, u
    return u


def main():
    """Print the temperature in the middle of the plate after more and more steps."""
    for iterations in (10, 100, 1000, 5000):
        plate, work, _ = arguments(40)
        print(f"after {iterations:5} steps: {laplace(plate, work, iterations)[20, 20]:.6f}")


if __name__ == "__main__":
    main()
