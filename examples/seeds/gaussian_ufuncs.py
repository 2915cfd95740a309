"""The normal density as a ufunc for a GPU and for the CPU (GPU course)."""

import math

import numpy as np
from pyarray import vectorize

SQRT_2PI = np.float32((2 * math.pi) ** 0.5)


def density(x, mean, sigma):
    """The value of a Gaussian probability density function."""
    return math.exp(-0.5 * ((x - mean) / sigma) ** 2) / (sigma * SQRT_2PI)


gaussian_pdf = vectorize(["float32(float32, float32, float32)"], target="cuda")(density)
cpu_gaussian_pdf = vectorize(density)


def gaussian_ufuncs(x, mean, sigma):
    """By both, and by the first one for one element, which gives an array of one element."""
    return gaussian_pdf(x, mean, sigma), cpu_gaussian_pdf(x, mean, sigma), gaussian_pdf(x[0], 0.0, 1.0)


TOLERANCE = 1e-6


def arguments(size=100_000):
    """Numbers of float32, a mean and a deviation."""
    return np.random.default_rng(0).uniform(-3, 3, size).astype(np.float32), np.float32(0), np.float32(1)


def reference(x, mean, sigma):
    """The same by NumPy."""
    result = np.exp(-0.5 * ((x - mean) / sigma) ** 2) / (sigma * SQRT_2PI)
    return result, result, np.exp(-0.5 * x[:1] ** 2) / SQRT_2PI


def main():
    """Print how far both are apart."""
    on_gpu, on_cpu, one = gaussian_ufuncs(*arguments())
    print(f"of one number: {one}")
    print(f"{on_gpu.dtype} and {on_cpu.dtype} agree: {np.allclose(on_gpu, on_cpu, atol=1e-6)}")


def draw(figure):
    """Some densities."""
    x = np.linspace(-4, 4, 400, dtype=np.float32)
    axes = figure.subplots()
    for sigma in (0.5, 1, 2):
        axes.plot(x, gaussian_pdf(x, 0, sigma), label=f"sigma = {sigma}")
    axes.set(title="gaussian_pdf(x, 0, sigma)")
    axes.legend()


if __name__ == "__main__":
    import pathlib
    import sys

    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
    from plotting import run

    run(main, draw)
