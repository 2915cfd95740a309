"""The hidden layer of a neural network by three kernels on device arrays (assessment of the GPU course)."""

from math import exp

import numpy as np
from pyarray import cuda

THREADS = 512


@cuda.jit
def normalize(grayscales, out):
    """To the range from 0 to 1."""
    i = cuda.grid(1)
    if i < grayscales.size:
        out[i] = grayscales[i] / 255.0


@cuda.jit
def weigh(values, weights, out):
    i = cuda.grid(1)
    if i < values.size:
        out[i] = values[i] * weights[i]


@cuda.jit
def activate(values, out):
    """The hyperbolic tangent."""
    i = cuda.grid(1)
    if i < values.size:
        out[i] = (exp(values[i]) - exp(-values[i])) / (exp(values[i]) + exp(-values[i]))


def create_hidden_layer(n, greyscales, weights, exp, normalize, weigh, activate):
    """A host array of n values; one copy in for each argument, one out."""
    greyscales, weights = cuda.to_device(greyscales), cuda.to_device(weights)
    normalized, weighted, activated = (cuda.device_array(n, np.float32) for _ in range(3))
    grid = (n + THREADS - 1) // THREADS
    normalize[grid, THREADS](greyscales, normalized)
    weigh[grid, THREADS](normalized, weights, weighted)
    activate[grid, THREADS](weighted, activated)
    return activated.copy_to_host()


def hidden_layer_kernels(greyscales, weights):
    """The layer's values."""
    return (create_hidden_layer(greyscales.size, greyscales, weights, exp, normalize, weigh, activate),)


TOLERANCE = 1e-6


def arguments(size=100_000):
    """Grey values and weights."""
    random = np.random.default_rng(0)
    return np.floor(random.uniform(0, 255, size).astype(np.float32)), random.normal(0.5, 0.1, size).astype(np.float32)


def reference(greyscales, weights):
    """The same by NumPy."""
    return (np.tanh(greyscales / 255 * weights),)


def main():
    """Print some values."""
    print(hidden_layer_kernels(*arguments())[0])


def draw(figure):
    """How the values are distributed."""
    axes = figure.subplots()
    axes.hist(hidden_layer_kernels(*arguments())[0], bins=100)
    axes.set(title="tanh(grey / 255 * weight)", xlabel="value")


if __name__ == "__main__":
    import pathlib
    import sys

    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
    from plotting import run

    run(main, draw)
