"""The hidden layer of a neural network: three ufuncs whose arrays stay on the device from first to last."""

from math import exp

import numpy as np
from pyarray import cuda, vectorize

TOLERANCE = 1e-5


@vectorize(["float32(float32)"], target="cuda")
def normalize(greyscales):
    """Greyscales of 0 to 255 as numbers of 0 to 1."""
    return greyscales / 255.0


@vectorize(["float32(float32, float32)"], target="cuda")
def weigh(values, weights):
    """Values times weights."""
    return values * weights


@vectorize(["float32(float32)"], target="cuda")
def activate(values):
    """The hyperbolic tangent."""
    return (exp(values) - exp(-values)) / (exp(values) + exp(-values))


def cuda_hidden_layer(greyscales, weights):
    """Activations as a host array; two arrays go to the device, one comes back."""
    layer = cuda.to_device(greyscales)
    normalize(layer, out=layer)
    weigh(layer, cuda.to_device(weights), out=layer)
    activate(layer, out=layer)
    return layer.copy_to_host()


def arguments(size=100_000):
    """Greyscales and weights, as float32."""
    generator = np.random.default_rng(1)
    return (
        np.floor(generator.uniform(0, 255, size)).astype(np.float32),
        generator.normal(0.5, 0.1, size).astype(np.float32),
    )


def reference(greyscales, weights):
    """The same with NumPy."""
    return np.tanh(greyscales / np.float32(255) * weights)


def main():
    """Print some activations."""
    greyscales, weights = arguments()
    layer = cuda_hidden_layer(greyscales, weights)
    print(f"{layer.size} activations: {layer}")
    print(f"a ufunc of host arrays gives a host array: {activate(weigh(normalize(greyscales), weights))}")


def draw(figure):
    """How the activations are distributed."""
    axes = figure.subplots()
    axes.hist(cuda_hidden_layer(*arguments(1_000_000)), bins=200)
    axes.set(title="1,000,000 neurons", xlabel="activation", ylabel="number")


if __name__ == "__main__":
    from plotting import run

    run(main, draw)
