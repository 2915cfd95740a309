"""The price of an option by simulation: random paths of a share's price, with cuRAND's host interface (NumbaPro talks).

Pseudo random paths advance all at once, a ufunc for each step of time and new normal numbers for it; quasi random ones,
whose points have a dimension for each step, are walked through by a kernel, a thread for each path.
"""

import math

import numpy as np
from pyarray import cuda, vectorize
from pyarray.cuda import curand

SEED = 2013


@vectorize(["float64(float64, float64, float64, float64)"], target="cuda")
def step(last, drift, spread, noise):
    return last * math.exp(drift + spread * noise)


@cuda.jit
def walk(first, drift, spread, noise, ends):
    for path in range(cuda.grid(1), noise.shape[1], cuda.gridsize(1)):
        value = first
        for i in range(noise.shape[0]):
            value *= math.exp(drift + spread * noise[i, path])
        ends[path] = value


def scales(rate, volatility, years, steps):
    """What a step adds to the logarithm: always, and times a normal number."""
    time = years / steps
    return (rate - volatility**2 / 2) * time, volatility * math.sqrt(time)


def simulate(first, rate, volatility, years, paths, steps):
    """Where pseudo random paths end: an array on the device."""
    drift, spread = scales(rate, volatility, years, steps)
    values, noise = cuda.to_device(np.full(paths, first)), cuda.device_array(paths)
    prng = curand.PRNG(curand.PRNG.MRG32K3A, seed=SEED)
    for _ in range(steps):
        prng.normal(noise, 0, 1)
        step(values, drift, spread, noise, out=values)
    return values


def simulate_quasi(first, rate, volatility, years, paths, steps):
    """Where quasi random paths end. The sequence's first point, all zeros, is left out."""
    noise, ends = cuda.device_array((steps, paths)), cuda.device_array(paths)
    qrng = curand.QRNG(curand.QRNG.SOBOL64, ndim=steps, offset=1)
    qrng.normal(noise)
    walk.forall(paths)(first, *scales(rate, volatility, years, steps), noise, ends)
    return ends


def option_price(ends, strike, rate, years):
    """What the right to buy at ``strike`` is worth now."""
    return math.exp(-rate * years) * np.maximum(ends - strike, 0).mean()


def monte_carlo_options(first, strike, rate, volatility, years, paths, steps):
    """Ends of the paths and prices, by both kinds of random numbers."""
    ends = simulate(first, rate, volatility, years, paths, steps).copy_to_host()
    quasi_ends = simulate_quasi(first, rate, volatility, years, paths, steps).copy_to_host()
    return ends, quasi_ends, option_price(ends, strike, rate, years), option_price(quasi_ends, strike, rate, years)


TOLERANCE = 1e-9


def arguments(paths=4095, steps=16):
    """A share at 20.9, an option to buy it at 21.0 within half a year, interest of 0.01 and a volatility of 0.25."""
    return 20.9, 21.0, 0.01, 0.25, 0.5, paths, steps


def reference(first, strike, rate, volatility, years, paths, steps):
    """The same by NumPy, with the same random numbers in NumPy's arrays."""
    drift, spread = scales(rate, volatility, years, steps)
    prng = curand.PRNG(curand.PRNG.MRG32K3A, seed=SEED)
    noise = np.array([prng.normal(np.empty(paths)) for _ in range(steps)])
    quasi_noise = curand.QRNG(curand.QRNG.SOBOL64, steps, offset=1).normal(np.empty((steps, paths)))
    ends, quasi_ends = (first * np.exp(drift * steps + spread * n.sum(axis=0)) for n in (noise, quasi_noise))
    return ends, quasi_ends, option_price(ends, strike, rate, years), option_price(quasi_ends, strike, rate, years)


def black_scholes(first, strike, rate, volatility, years):
    """The price by the formula of F. Black and M. Scholes (1973)."""
    spread = volatility * math.sqrt(years)
    d = (math.log(first / strike) + (rate + volatility**2 / 2) * years) / spread
    below = [0.5 * math.erfc(-x / math.sqrt(2)) for x in (d, d - spread)]
    return first * below[0] - strike * math.exp(-rate * years) * below[1]


def main():
    """Print the prices."""
    given = arguments(2**16 - 1)
    *_, price, quasi_price = monte_carlo_options(*given)
    print(f"{given[5]} paths of {given[6]} steps: {price:.4f}, quasi random {quasi_price:.4f}")
    print(f"by the formula: {black_scholes(*given[:5]):.4f}")


def draw(figure):
    """Paths, and how far prices are from the formula's with more and more of them."""
    first, strike, rate, volatility, years, _, steps = arguments()
    left, right = figure.subplots(1, 2)
    times = np.arange(steps + 1) * years / steps
    after = [simulate(first, rate, volatility, times[n], 40, n).copy_to_host() for n in range(1, steps + 1)]
    left.plot(times, [np.full(40, first), *after], linewidth=0.7)  # of the same random numbers each time
    left.set(title="paths", xlabel="years", ylabel="price of the share")
    exact = black_scholes(first, strike, rate, volatility, years)
    counts = [2**k - 1 for k in range(6, 17)]
    for name, paths_of in (("pseudo random", simulate), ("quasi random", simulate_quasi)):
        prices = [
            option_price(paths_of(first, rate, volatility, years, n, steps).copy_to_host(), strike, rate, years)
            for n in counts
        ]
        right.loglog(counts, np.abs(np.array(prices) - exact), "o-", label=name)
    right.set(title="error of the option's price", xlabel="paths")
    right.legend()


if __name__ == "__main__":
    import pathlib
    import sys

    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
    from plotting import run

    run(main, draw)
