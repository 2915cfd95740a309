"""Prices of European options: a ufunc with two outputs.

https://en.wikipedia.org/wiki/Black-Scholes_model
"""

import math

import numpy as np
from pyarray import njit, vectorize


@njit
def normal_cdf(x):
    """The standard normal distribution's cumulative distribution function."""
    return 0.5 * math.erfc(-x * math.sqrt(0.5))


@vectorize(["UniTuple(float64, 2)(float64, float64, float64, float64, float64)"], target="parallel")
def black_scholes(spot, strike, years, rate, volatility):
    """Prices of a call and of a put."""
    spread = volatility * math.sqrt(years)
    d1 = (math.log(spot / strike) + (rate + 0.5 * volatility**2) * years) / spread
    d2 = d1 - spread
    discounted = strike * math.exp(-rate * years)
    call = spot * normal_cdf(d1) - discounted * normal_cdf(d2)
    put = discounted * normal_cdf(-d2) - spot * normal_cdf(-d1)
    return call, put


def arguments(size=200_000):
    """Spot and strike prices, years, interest rate and volatility."""
    generator = np.random.default_rng(1)
    return generator.uniform(5, 30, size), generator.uniform(1, 100, size), generator.uniform(0.25, 10, size), 0.02, 0.3


def reference(spot, strike, years, rate, volatility):
    """The same with NumPy, and with SciPy's erfc where it is installed."""
    try:
        from scipy.special import erfc
    except ImportError:
        erfc = np.vectorize(math.erfc, otypes=[float])
    spread = volatility * np.sqrt(years)
    d1 = (np.log(spot / strike) + (rate + 0.5 * volatility**2) * years) / spread
    d2 = d1 - spread
    discounted = strike * np.exp(-rate * years)
    cdf = lambda x: 0.5 * erfc(-x * math.sqrt(0.5))
    return spot * cdf(d1) - discounted * cdf(d2), discounted * cdf(-d2) - spot * cdf(-d1)


def main():
    """Print some prices, and the parity of calls and puts."""
    call, put = black_scholes(100.0, [90.0, 100.0, 110.0], 1.0, 0.05, 0.2)
    print(f"strike 90, 100, 110: calls {call.round(3)}, puts {put.round(3)}")
    spot, strike, years, rate, volatility = arguments()
    call, put = black_scholes(spot, strike, years, rate, volatility)
    parity = call - put - (spot - strike * np.exp(-rate * years))
    print(f"{spot.size} options: call - put = spot - discounted strike up to {np.max(abs(parity)):.1e}")


def draw(figure):
    """Prices by spot price, for several times to expiry."""
    spot, years = np.linspace(50, 150, 200), np.array([0.05, 0.5, 1.0, 2.0])
    prices = black_scholes(spot[:, None], 100.0, years, 0.03, 0.25)
    for axes, price, title in zip(figure.subplots(1, 2, sharey=True), prices, ("call", "put"), strict=True):
        axes.plot(spot, price, label=[f"{time} years" for time in years])
        axes.set(title=f"{title}, strike 100", xlabel="spot", ylabel="price")
        axes.legend()


if __name__ == "__main__":
    from plotting import run

    run(main, draw)
