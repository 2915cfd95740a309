"""The length of vectors along any axis of an array: a generalized ufunc that reduces its core dimension."""

import math

import numpy as np
from pyarray import guvectorize


@guvectorize(["(float32[:], float32[:])", "(float64[:], float64[:])"], "(i)->()", target="parallel")
def l2_norm(vector, out):
    """The Euclidean norm; out is an array of one element."""
    total = 0.0
    for value in vector:
        total += value**2
    out[0] = math.sqrt(total)


def arguments(size=100_000):
    """An array of vectors."""
    return (np.random.default_rng(1).normal(size=(size, 3)),)


def reference(vectors):
    """The same with NumPy."""
    return np.linalg.norm(vectors, axis=-1)


def main():
    """Print lengths along both axes of a table, and of points on a circle."""
    table = np.array([[3.0, 4.0], [6.0, 8.0]])
    print(f"rows {l2_norm(table)}, columns {l2_norm(table, axis=0)}")
    print(f"scaled to length 1: {(table / l2_norm(table, keepdims=True)).tolist()}")
    angles = np.random.default_rng(1).uniform(-np.pi, np.pi, 10).astype(np.float32)
    lengths = l2_norm(np.stack([np.cos(angles), np.sin(angles)], axis=1))
    print(f"points on the unit circle: {lengths} {lengths.dtype}")


def draw(figure):
    """How the lengths of random vectors are distributed in 1, 2, 3 and 10 dimensions."""
    generator = np.random.default_rng(1)
    axes = figure.subplots()
    for dimensions in (1, 2, 3, 10):
        lengths = l2_norm(generator.normal(size=(50_000, dimensions)))
        axes.hist(lengths, bins=100, histtype="step", density=True, label=f"{dimensions} dimensions")
    axes.set(title="l2_norm(generator.normal(size=(50_000, dimensions)))", xlabel="length", ylabel="density")
    axes.legend()


if __name__ == "__main__":
    from plotting import run

    run(main, draw)
