"""The Mandelbrot set: how many steps until a point escapes."""

import numpy as np
from pyarray import njit


@njit
def escape_time(real, imag, limit):
    """Number of steps z -> z * z + c before |z| exceeds 2, at most limit."""
    x = 0.0
    y = 0.0
    steps = 0
    while steps < limit and x * x + y * y <= 4.0:
        x, y = x * x - y * y + real, 2.0 * x * y + imag
        steps += 1
    return steps


@njit
def mandelbrot(height, width, limit):
    """Escape times over [-2, 1] x [-1, 1]: an int64 array of that height and width."""
    image = np.empty((height, width), np.int64)
    for i in range(height):
        imag = 2.0 * i / height - 1.0
        for j in range(width):
            image[i, j] = escape_time(3.0 * j / width - 2.0, imag, limit)
    return image


def arguments(size=120):
    """Height, width and limit."""
    return size, size * 3 // 2, 100


def reference(height, width, limit):
    """The same with NumPy, all points at a time."""
    i, j = np.ogrid[:height, :width]
    real, imag = 3.0 * j / width - 2.0, 2.0 * i / height - 1.0
    x, y = np.zeros((height, width)), np.zeros((height, width))
    image = np.zeros((height, width), np.int64)
    active = np.ones((height, width), bool)
    for _ in range(limit):
        active = active & (x * x + y * y <= 4.0)
        image += active
        x, y = np.where(active, x * x - y * y + real, x), np.where(active, 2.0 * x * y + imag, y)
    return image


def main():
    """Print the set."""
    image = mandelbrot(24, 72, 100)
    for row in image:
        print("".join(" .:-=+*#%@"[min(9, int(time) // 11)] for time in row))


def draw(figure):
    """The set in colours."""
    axes = figure.subplots()
    axes.imshow(np.log(1 + mandelbrot(800, 1200, 300)), cmap="magma", extent=(-2, 1, 1, -1))
    axes.set(title="mandelbrot(800, 1200, 300)", xlabel="real part", ylabel="imaginary part")


if __name__ == "__main__":
    from plotting import run

    run(main, draw)
