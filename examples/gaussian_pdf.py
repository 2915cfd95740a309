"""The density of the normal distribution, for each element of an array."""

import math

import numpy as np
from pyarray import njit

SQRT_2PI = np.float32((2 * math.pi) ** 0.5)  # frozen into the code when it is compiled


@njit
def gaussian_pdf_value(x, mean, sigma):
    """Value of the Gaussian probability density function at x."""
    return math.exp(-0.5 * ((x - mean) / sigma) ** 2) / (sigma * SQRT_2PI)


@njit
def gaussian_pdf(x, mean, sigma):
    """The density at each element of a 1-D array."""
    out = np.empty_like(x)
    for i in range(x.size):
        out[i] = gaussian_pdf_value(x[i], mean, sigma)
    return out


def arguments(size=100_000):
    """Points in float32, mean and standard deviation."""
    x = np.random.default_rng(1).uniform(-3, 3, size=size).astype(np.float32)
    return x, np.float32(0.0), np.float32(1.0)


def reference(x, mean, sigma):
    """The same with NumPy."""
    return np.exp(-0.5 * ((x - mean) / sigma) ** 2) / (sigma * SQRT_2PI)


def main():
    """Print the density at the mean and the area below the curve."""
    print(f"density at the mean: {gaussian_pdf_value(0.0, 0.0, 1.0):.6f}")
    x = np.linspace(-6, 6, 10_001)
    print(f"area below the curve: {gaussian_pdf(x, 0.0, 1.0).sum() * (x[1] - x[0]):.6f}")


if __name__ == "__main__":
    main()
