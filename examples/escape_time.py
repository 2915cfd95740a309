"""The Mandelbrot set by a ufunc of a complex number, on all threads; rows of uneven cost."""

import numpy as np
from pyarray import vectorize


@vectorize(["int64(complex128, int64)"], target="parallel")
def escape_time(c, limit):
    """Number of steps z -> z * z + c before |z| exceeds 2, at most limit."""
    z = 0j
    for steps in range(limit):
        if z.real * z.real + z.imag * z.imag > 4.0:
            return steps
        z = z * z + c
    return limit


def plane(height, width):
    """Points of the complex plane over [-2, 1] x [-1, 1]."""
    y, x = np.ogrid[-1 : 1 : height * 1j, -2 : 1 : width * 1j]
    return x + 1j * y


def arguments(size=120):
    """Points and a limit."""
    return plane(size, size * 3 // 2), 100


def reference(c, limit):
    """The same with NumPy, all points at a time."""
    z, times = np.zeros_like(c), np.zeros(c.shape, np.int64)
    active = np.ones(c.shape, bool)
    for _ in range(limit):
        active &= z.real * z.real + z.imag * z.imag <= 4.0
        times += active
        z[active] = z[active] ** 2 + c[active]
    return times


def main():
    """Print the set."""
    for row in escape_time(plane(24, 72), 100):
        print("".join(" .:-=+*#%@"[min(9, int(time) // 11)] for time in row))


def draw(figure):
    """The set in colours."""
    axes = figure.subplots()
    image = axes.imshow(np.log(1 + escape_time(plane(800, 1200), 300)), cmap="magma", extent=(-2, 1, -1, 1))
    axes.set(title="escape_time(c, 300)", xlabel="real part", ylabel="imaginary part")
    figure.colorbar(image, label="log of the number of steps")


if __name__ == "__main__":
    from plotting import run

    run(main, draw)
