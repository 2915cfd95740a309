"""Lengths of vectors by a generalized ufunc on a GPU (appendix of the GPU course)."""

import math

import numpy as np
from pyarray import guvectorize


@guvectorize(["(float32[:], float32[:])"], "(i)->()", target="cuda")
def l2_norm(vec, out):
    """The Euclidean norm; a thread computes it."""
    acc = 0.0
    for value in vec:
        acc += value**2
    out[0] = math.sqrt(acc)


def l2_norms(coordinates, stack):
    """Of rows of a matrix of float64, and along the last axis of a stack."""
    return l2_norm(coordinates), l2_norm(stack)


TOLERANCE = 1e-5


def arguments(size=1000):
    """Points of the unit circle, and a stack of matrices."""
    random = np.random.default_rng(0)
    angles = random.uniform(-np.pi, np.pi, size)
    return np.stack([np.cos(angles), np.sin(angles)], axis=1), random.random((size, 3, 4), np.float32)


def reference(coordinates, stack):
    """The same by NumPy."""
    return np.linalg.norm(coordinates, axis=-1), np.linalg.norm(stack, axis=-1)


def main():
    """Print the lengths of points on the unit circle."""
    print(l2_norms(*arguments(10))[0])


def draw(figure):
    """Lengths of all vectors of a grid."""
    x, y = np.meshgrid(np.linspace(-1, 1, 200, dtype=np.float32), np.linspace(-1, 1, 200, dtype=np.float32))
    axes = figure.subplots()
    axes.contourf(x, y, l2_norm(np.stack([x, y], axis=-1)), levels=20)
    axes.set(title="l2_norm", aspect="equal")


if __name__ == "__main__":
    import pathlib
    import sys

    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
    from plotting import run

    run(main, draw)
