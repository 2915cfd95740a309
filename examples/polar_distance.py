"""The distance of points in polar coordinates: a ufunc that calls a compiled function, which returns a tuple."""

import math

import numpy as np
from pyarray import njit, vectorize


@njit
def polar_to_cartesian(rho, theta):
    """Cartesian coordinates of a point."""
    x = rho * math.cos(theta)
    y = rho * math.sin(theta)
    return x, y


@vectorize(["float32(float32, float32, float32, float32)", "float64(float64, float64, float64, float64)"])
def polar_distance(rho1, theta1, rho2, theta2):
    """Distance of two points."""
    x1, y1 = polar_to_cartesian(rho1, theta1)
    x2, y2 = polar_to_cartesian(rho2, theta2)
    return ((x1 - x2) ** 2 + (y1 - y2) ** 2) ** 0.5


def arguments(size=1_000_000):
    """Two arrays of points, float64."""
    generator = np.random.default_rng(1)
    rho = generator.uniform(0.5, 1.5, (2, size))
    theta = generator.uniform(-np.pi, np.pi, (2, size))
    return rho[0], theta[0], rho[1], theta[1]


def reference(rho1, theta1, rho2, theta2):
    """The same with NumPy's complex numbers."""
    return np.abs(rho1 * np.exp(1j * theta1) - rho2 * np.exp(1j * theta2))


def main():
    """Print distances, and how far they are from the reference."""
    corners = np.radians([0, 90, 180, 270])
    print(f"corners of a square to the first one: {polar_distance(1.0, corners, 1.0, 0.0).round(4)}")
    points = arguments()
    error = np.max(abs(polar_distance(*points) - reference(*points)))
    print(f"{points[0].size} distances, largest difference to NumPy {error:.1e}")


def draw(figure):
    """Distances from one point, in polar axes."""
    rho, theta = np.linspace(0, 1.5, 80), np.linspace(-np.pi, np.pi, 240)
    axes = figure.subplots(subplot_kw={"projection": "polar"})
    distances = polar_distance(rho[:, None], theta, 1.0, np.pi / 3)
    axes.contourf(theta, rho, distances, 20)
    axes.plot(np.pi / 3, 1.0, "wo")
    axes.set(title="polar_distance(rho[:, None], theta, 1.0, pi / 3)")


if __name__ == "__main__":
    from plotting import run

    run(main, draw)
