"""Distances of places in polar coordinates: a ufunc on a GPU that calls a device function (GPU course)."""

import math

import numpy as np
from pyarray import cuda, vectorize


@cuda.jit(device=True)
def polar_to_cartesian(rho, theta):
    """The place in the plane."""
    x = rho * math.cos(theta)
    y = rho * math.sin(theta)
    return x, y


@vectorize(["float32(float32, float32, float32, float32)"], target="cuda")
def polar_distance(rho1, theta1, rho2, theta2):
    """The distance of two places."""
    x1, y1 = polar_to_cartesian(rho1, theta1)
    x2, y2 = polar_to_cartesian(rho2, theta2)
    return ((x1 - x2) ** 2 + (y1 - y2) ** 2) ** 0.5


def polar_distances(rho1, theta1, rho2, theta2):
    """All distances."""
    return (polar_distance(rho1, theta1, rho2, theta2),)


TOLERANCE = 1e-5


def arguments(size=100_000):
    """Radii and angles of two lists of places."""
    random = np.random.default_rng(0)
    radii = random.uniform(0.5, 1.5, (2, size)).astype(np.float32)
    angles = random.uniform(-np.pi, np.pi, (2, size)).astype(np.float32)
    return radii[0], angles[0], radii[1], angles[1]


def reference(rho1, theta1, rho2, theta2):
    """The same by NumPy."""
    return (np.hypot(rho1 * np.cos(theta1) - rho2 * np.cos(theta2), rho1 * np.sin(theta1) - rho2 * np.sin(theta2)),)


def main():
    """Print the mean."""
    print(f"mean distance {polar_distances(*arguments())[0].mean():.3f}")


def draw(figure):
    """Distances from one place to all others."""
    radius, angle = np.meshgrid(
        np.linspace(0, 1.5, 120, dtype=np.float32), np.linspace(-np.pi, np.pi, 240, dtype=np.float32)
    )
    axes = figure.add_subplot(projection="polar")
    axes.pcolormesh(angle, radius, polar_distance(radius, angle, 1, 0.5))
    axes.set(title="polar_distance(radius, angle, 1, 0.5)")


if __name__ == "__main__":
    import pathlib
    import sys

    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
    from plotting import run

    run(main, draw)
