"""The moving mean: a generalized ufunc, which works on the last axis of arrays with any number of dimensions."""

import numpy as np
from pyarray import guvectorize


@guvectorize(["void(float64[:], int64, float64[:])"], "(n),()->(n)")
def moving_mean(values, window, result):
    """Mean of each value and those before it, ``window`` in all; of fewer at the beginning."""
    total = 0.0
    for i in range(values.shape[0]):
        total += values[i]
        if i >= window:
            total -= values[i - window]
        result[i] = total / min(i + 1, window)


def arguments(size=1000):
    """Four series and a window for each."""
    return np.random.default_rng(1).random((4, size)), np.array([1, 2, 10, 100])


def reference(values, windows):
    """The same with NumPy."""
    rows = []
    for row, window in zip(values, windows, strict=True):
        sums = np.cumsum(row)
        sums[window:] -= sums[:-window].copy()
        rows.append(sums / np.minimum(np.arange(1, row.size + 1), window))
    return np.array(rows)


def main():
    """Print moving means of one series with several windows, and along the first axis of a table."""
    series = np.array([1.0, 3.0, 2.0, 8.0, 6.0])
    print(moving_mean(series, [1, 2, 3]).round(2))
    print(moving_mean(np.arange(6.0).reshape(3, 2), 2, axes=[0, (), 0]))


def draw(figure):
    """A noisy series, and its moving means with two windows."""
    series = np.cumsum(np.random.default_rng(3).normal(size=500))
    windows = [1, 10, 50]
    axes = figure.subplots()
    axes.plot(moving_mean(series, windows).T, label=[f"window {window}" for window in windows])
    axes.set(title="moving_mean(series, [1, 10, 50])", xlabel="sample")
    axes.legend()


if __name__ == "__main__":
    from plotting import run

    run(main, draw)
