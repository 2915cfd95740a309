"""Copies and kernels of several streams, from pinned memory, timed by events (Numba talk, host features)."""

import numpy as np
from pyarray import cuda

STREAMS = 4


@cuda.jit
def smooth(x, out, rounds):
    """Each element becomes its mean with its neighbours, again and again; a thread for each."""
    i = cuda.grid(1)
    if i < x.size:
        value = x[i]
        for _ in range(rounds):
            value = (value + x[max(i - 1, 0)] + x[min(i + 1, x.size - 1)]) / 3
        out[i] = value


def in_streams(x, rounds):
    """The parts of an array, each in a stream of its own; also the milliseconds of all."""
    source, target = cuda.pinned_array_like(x), cuda.pinned_array_like(x)
    source[:] = x
    start, end = cuda.event(), cuda.event()
    start.record()
    pieces = np.array_split(np.arange(x.size), STREAMS)
    streams = [cuda.stream() for _ in pieces]
    for piece, stream in zip(pieces, streams):
        part = slice(piece[0], piece[-1] + 1)
        device, out = cuda.to_device(source[part], stream=stream), cuda.device_array(piece.size, stream=stream)
        smooth[(piece.size + 127) // 128, 128, stream](device, out, rounds)
        out.copy_to_host(target[part], stream=stream)
    for stream in streams:
        stream.synchronize()
    end.record()
    end.synchronize()
    return target.copy(), cuda.event_elapsed_time(start, end)


def pinned_streams(x, rounds):
    """The smoothed parts."""
    return (in_streams(x, rounds)[0],)


TOLERANCE = 1e-12


def arguments(size=100_000):
    """Noise, and how many rounds."""
    return np.random.default_rng(0).standard_normal(size), 3


def reference(x, rounds):
    """The same by NumPy."""
    smoothed = []
    for part in np.array_split(x, STREAMS):
        value = part
        before, behind = np.r_[part[:1], part[:-1]], np.r_[part[1:], part[-1:]]
        for _ in range(rounds):
            value = (value + before + behind) / 3
        smoothed.append(value)
    return (np.concatenate(smoothed),)


def main():
    """Print the time."""
    x, rounds = arguments()
    smoothed, milliseconds = in_streams(x, rounds)
    print(f"{x.size} numbers in {STREAMS} streams; deviation {x.std():.3f} before, {smoothed.std():.3f} after")
    print("timed by events" if milliseconds >= 0 else "no time has passed")


def draw(figure):
    """Before and after."""
    x, rounds = arguments(200)
    axes = figure.subplots()
    axes.plot(x, ":", label="before")
    axes.plot(pinned_streams(x, rounds)[0], label="after")
    axes.set(title=f"{STREAMS} parts, each in a stream", xlabel="element")
    axes.legend()


if __name__ == "__main__":
    import pathlib
    import sys

    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
    from plotting import run

    run(main, draw)
