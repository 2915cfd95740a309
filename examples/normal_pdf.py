"""The density of the normal distribution: a ufunc with a loop for float32 and one for float64."""

import math

import numpy as np
from pyarray import vectorize

SQRT_2PI = math.sqrt(2 * math.pi)  # frozen into the code when it is compiled


@vectorize(["float32(float32, float32, float32)", "float64(float64, float64, float64)"])
def normal_pdf(x, mean, sigma):
    """Value of the probability density function at x."""
    return math.exp(-0.5 * ((x - mean) / sigma) ** 2) / (sigma * SQRT_2PI)


def arguments(size=1_000_000):
    """Points, mean and standard deviation."""
    return np.random.default_rng(1).uniform(-3, 3, size), 0.5, 1.5


def reference(x, mean, sigma):
    """The same with SciPy where it is installed, else with NumPy."""
    try:
        from scipy import stats
    except ImportError:
        return np.exp(-0.5 * ((x - mean) / sigma) ** 2) / (sigma * SQRT_2PI)
    return stats.norm.pdf(x, mean, sigma)


def main():
    """Print densities in both precisions, and how far they are from the reference."""
    print(f"at the mean: {normal_pdf(0.0, 0.0, 1.0)!r}, in float32 {normal_pdf(np.float32(0), 0.0, 1.0)!r}")
    x, mean, sigma = arguments()
    expected = reference(x, mean, sigma)
    for points in (x, x.astype(np.float32)):
        density = normal_pdf(points, mean, sigma)
        print(f"{density.dtype}: largest relative error {np.max(abs(density / expected - 1)):.1e}")


def draw(figure):
    """Curves for several standard deviations, all from one call."""
    x, sigmas = np.linspace(-5, 5, 400), np.array([0.5, 1.0, 1.5, 2.0])
    axes = figure.subplots()
    axes.plot(x, normal_pdf(x[:, None], 0.0, sigmas), label=[f"sigma {sigma}" for sigma in sigmas])
    axes.set(title="normal_pdf(x[:, None], 0.0, sigmas)", xlabel="x", ylabel="density")
    axes.legend()


if __name__ == "__main__":
    from plotting import run

    run(main, draw)
