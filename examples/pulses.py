"""A noisy train of pulses, and its noise removed: three ufuncs that share one array for their results."""

import math

import numpy as np
from pyarray import vectorize


@vectorize(["float32(float32, float32, float32)"])
def make_pulses(i, period, amplitude):
    """The upper part of a sine."""
    return max(math.sin(i / period) - 0.3, 0.0) * amplitude


@vectorize(["float32(float32, float32)"])
def add_ufunc(x, y):
    """The sum."""
    return x + y


@vectorize(["float32(float32, float32)"])
def zero_suppress(value, threshold):
    """The sample, or 0 where it is below the threshold."""
    return value if value >= threshold else 0.0


def pulses(times, period, amplitude, noise, threshold):
    """The waveform without noise; one array is made, and each step writes into it."""
    out = np.empty_like(times)
    make_pulses(times, period, amplitude, out=out)
    add_ufunc(out, noise, out=out)
    return zero_suppress(out, threshold, out=out)


def arguments(size=100_000):
    """Times, period, amplitude, noise and threshold; arrays of float32."""
    noise = (np.random.default_rng(1).normal(size=size) * 3).astype(np.float32)
    return np.arange(size, dtype=np.float32), size / 23, 100.0, noise, 15.0


def reference(times, period, amplitude, noise, threshold):
    """The same with NumPy."""
    waveform = np.maximum(np.sin(times / np.float32(period)) - 0.3, 0.0) * np.float32(amplitude) + noise
    return np.where(waveform < threshold, np.float32(0), waveform)


def main():
    """Print how much of the waveform is left."""
    times, period, amplitude, noise, threshold = arguments()
    waveform = add_ufunc(make_pulses(times, period, amplitude), noise)
    quiet = pulses(times, period, amplitude, noise, threshold)
    print(f"{np.count_nonzero(waveform)} samples other than 0 before, {np.count_nonzero(quiet)} after; {quiet.dtype}")
    print(f"largest sample {quiet.max():.1f}, smallest that is left {quiet[quiet > 0].min():.1f}")


def draw(figure):
    """The waveform before and after."""
    times, period, amplitude, noise, threshold = arguments(20_000)
    upper, lower = figure.subplots(2, sharex=True, sharey=True)
    upper.plot(add_ufunc(make_pulses(times, period, amplitude), noise), linewidth=0.5)
    upper.set(title="add_ufunc(make_pulses(times, period, amplitude), noise)")
    lower.plot(pulses(times, period, amplitude, noise, threshold), linewidth=0.5)
    lower.set(title=f"zero_suppress(waveform, {threshold})", xlabel="sample")


if __name__ == "__main__":
    from plotting import run

    run(main, draw)
