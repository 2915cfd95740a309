"""A noisy train of pulses on a GPU: ufuncs on device arrays, and noise that is suppressed (GPU course)."""

import math

import numpy as np
from pyarray import cuda, vectorize


@vectorize(["float32(float32, float32, float32)"], target="cuda")
def make_pulses(i, period, amplitude):
    """The upper part of a sine."""
    return max(math.sin(i / period) - 0.3, 0.0) * amplitude


@vectorize(["float32(float32, float32)"], target="cuda")
def add_ufunc(x, y):
    """The sum."""
    return x + y


@vectorize(["int16(int16, int16)"], target="cuda")
def zero_suppress(waveform_value, threshold):
    """The sample, or 0 where it is below the threshold."""
    if waveform_value < threshold:
        result = 0
    else:
        result = waveform_value
    return result


def pulse_train(times, period, noise, threshold):
    """The waveform, by one copy to the device of each array and one back; and that of int16 without noise."""
    device_times, device_noise = cuda.to_device(times), cuda.to_device(noise)
    pulses, out = cuda.device_array(times.shape, np.float32), cuda.device_array(times.shape, np.float32)
    make_pulses(device_times, period, 100.0, out=pulses)
    add_ufunc(pulses, device_noise, out=out)
    waveform = out.copy_to_host()
    return waveform, zero_suppress(waveform.astype(np.int16), np.int16(threshold))


TOLERANCE = 1e-4


def arguments(size=100_000):
    """Times, the period, noise, and a threshold."""
    noise = (np.random.default_rng(0).normal(size=size) * 3).astype(np.float32)
    return np.arange(size, dtype=np.float32), size / 23, noise, 15


def reference(times, period, noise, threshold):
    """The same by NumPy; samples of int16 are those of the waveform itself."""
    waveform = np.maximum(np.sin(times / np.float32(period)) - 0.3, 0) * 100 + noise
    samples = pulse_train(times, period, noise, threshold)[0].astype(np.int16)
    return waveform, np.where(samples < threshold, 0, samples)


def main():
    """Print how many samples are left."""
    waveform, quiet = pulse_train(*arguments())
    print(f"{np.count_nonzero(waveform.astype(np.int16))} samples other than 0 before, {np.count_nonzero(quiet)} after")


def draw(figure):
    """The waveform before and after."""
    upper, lower = figure.subplots(2, sharex=True, sharey=True)
    waveform, quiet = pulse_train(*arguments(20_000))
    upper.plot(waveform, linewidth=0.5)
    lower.plot(quiet, linewidth=0.5)
    lower.set(title="zero_suppress(waveform, 15)", xlabel="sample")


if __name__ == "__main__":
    import pathlib
    import sys

    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
    from plotting import run

    run(main, draw)
