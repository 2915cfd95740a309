"""Prices of European options: mathematical functions in a kernel, a device function that returns a tuple, streams.

https://en.wikipedia.org/wiki/Black-Scholes_model
"""

import math

import numpy as np
from black_scholes import arguments, reference  # noqa: F401
from pyarray import cuda

TOLERANCE = 1e-9
STREAMS = 4


@cuda.jit(device=True)
def normal_cdf(x):
    """The standard normal distribution's cumulative distribution function."""
    return 0.5 * math.erfc(-x * math.sqrt(0.5))


@cuda.jit(device=True)
def prices(spot, strike, years, rate, volatility):
    """Prices of a call and of a put."""
    spread = volatility * math.sqrt(years)
    d1 = (math.log(spot / strike) + (rate + 0.5 * volatility**2) * years) / spread
    d2 = d1 - spread
    discounted = strike * math.exp(-rate * years)
    call = spot * normal_cdf(d1) - discounted * normal_cdf(d2)
    put = discounted * normal_cdf(-d2) - spot * normal_cdf(-d1)
    return call, put


@cuda.jit
def black_scholes(spot, strike, years, rate, volatility, call, put):
    """Prices of many options, one in each thread."""
    i = cuda.grid(1)
    if i < call.size:
        call[i], put[i] = prices(spot[i], strike[i], years[i], rate, volatility)


def cuda_black_scholes(spot, strike, years, rate, volatility):
    """Prices of calls and of puts; each of several streams copies, computes and copies back a part."""
    call, put = np.empty_like(spot), np.empty_like(spot)
    for part in np.array_split(np.arange(spot.size), STREAMS):
        if part.size:
            piece, stream = slice(part[0], part[-1] + 1), cuda.stream()
            inputs = [cuda.to_device(a[piece], stream) for a in (spot, strike, years)]
            outputs = [cuda.device_array(part.size, spot.dtype, stream=stream) for _ in range(2)]
            black_scholes[(part.size + 255) // 256, 256, stream](*inputs, rate, volatility, *outputs)
            for result, output in zip((call, put), outputs, strict=True):
                output.copy_to_host(result[piece], stream)
    cuda.synchronize()
    return call, put


def main():
    """Print some prices, and the parity of calls and puts."""
    same = np.ones(3)
    call, put = cuda_black_scholes(100 * same, np.array([90.0, 100.0, 110.0]), same, 0.05, 0.2)
    print(f"strike 90, 100, 110: calls {call.round(3)}, puts {put.round(3)}")
    spot, strike, years, rate, volatility = arguments()
    call, put = cuda_black_scholes(spot, strike, years, rate, volatility)
    parity = call - put - (spot - strike * np.exp(-rate * years))
    print(f"{spot.size} options: call - put = spot - discounted strike up to {np.max(abs(parity)):.1e}")


if __name__ == "__main__":
    main()
