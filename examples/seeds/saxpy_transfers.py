"""SAXPY by a ufunc, with copies that are made for it and copies that the program makes (NumbaPro talk, lesson 1)."""

import numpy as np
from pyarray import cuda, vectorize


@vectorize(["float32(float32, float32, float32)"], target="gpu")
def saxpy(a, x, y):
    """a x + y."""
    return a * x + y


def automatic(a, x, y):
    """Host arrays: copied to the device, and the result back."""
    return saxpy(a, x, y)


def by_hand(a, x, y, steps):
    """y becomes a x + y some times; both are copied to the device once, and the result back once."""
    device_x, device_y = cuda.to_device(x), cuda.to_device(y)
    out = cuda.device_array_like(device_y)
    for _ in range(steps):
        saxpy(a, device_x, device_y, out=out)
        device_y, out = out, device_y
    return device_y.copy_to_host()


def saxpy_transfers(a, x, y, steps):
    """One step with host arrays, several on the device."""
    return automatic(a, x, y), by_hand(a, x, y, steps)


TOLERANCE = 1e-5


def arguments(size=100_000):
    """A number, two vectors of float32, and how many steps."""
    x, y = np.random.default_rng(0).random((2, size), np.float32)
    return np.float32(2), x, y, 5


def reference(a, x, y, steps):
    """The same by NumPy."""
    return a * x + y, steps * a * x + y


def main():
    """Print some elements."""
    a, x, y, steps = arguments(5)
    once, often = saxpy_transfers(a, x, y, steps)
    print(f"a x + y: {once}, after {steps} steps: {often}")


def draw(figure):
    """The vectors, step by step."""
    a, x, y, steps = arguments(40)
    axes = figure.subplots()
    for step in range(steps + 1):
        axes.plot(by_hand(a, x, y, step), label=f"{step} steps")
    axes.set(title="y = saxpy(2, x, y)", xlabel="element")
    axes.legend()


if __name__ == "__main__":
    import pathlib
    import sys

    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
    from plotting import run

    run(main, draw)
