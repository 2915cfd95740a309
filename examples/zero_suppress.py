"""Zero suppression of a waveform: samples below a threshold become 0, which takes the noise off the baseline."""

import numpy as np
from pyarray import njit


@njit
def zero_suppress_value(waveform_value, threshold):
    """The sample, or 0."""
    if waveform_value < threshold:
        result = 0
    else:
        result = waveform_value
    return result


@njit
def zero_suppress(waveform, threshold):
    """A suppressed copy of a 1-D waveform."""
    out = np.empty_like(waveform)
    for i in range(len(waveform)):
        out[i] = zero_suppress_value(waveform[i], threshold)
    return out


def arguments(size=100_000):
    """A noisy pulse train of 16-bit samples, and a threshold."""
    noise = np.random.default_rng(1).normal(size=size) * 3
    pulses = np.maximum(np.sin(np.arange(size) / (size / 23)) - 0.3, 0.0)
    return ((pulses * 300) + noise).astype(np.int16), 15


def reference(waveform, threshold):
    """The same with NumPy."""
    return np.where(waveform < threshold, 0, waveform)


def main():
    """Print how much of the waveform is left."""
    waveform, threshold = arguments()
    quiet = zero_suppress(waveform, threshold)
    print(f"{np.count_nonzero(waveform)} samples other than 0 before, {np.count_nonzero(quiet)} after")
    print(f"single samples: {zero_suppress_value(waveform[0], threshold)}, {zero_suppress_value(200, threshold)}")


if __name__ == "__main__":
    main()
