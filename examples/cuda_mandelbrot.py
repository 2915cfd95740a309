"""The Mandelbrot set: a grid of two dimensions, a device function with a loop that threads leave at different times."""

import numpy as np
from mandelbrot import arguments, reference  # noqa: F401
from pyarray import cuda


@cuda.jit(device=True)
def escape_time(real, imag, limit):
    """Number of steps z -> z * z + c before |z| exceeds 2, at most limit."""
    x = 0.0
    y = 0.0
    for steps in range(limit):
        if x * x + y * y > 4.0:
            return steps
        x, y = x * x - y * y + real, 2.0 * x * y + imag
    return limit


@cuda.jit(fma=False)
def mandelbrot(image, limit):
    """Escape times over [-2, 1] x [-1, 1]. Without fused multiply-adds, the numbers are those of NumPy."""
    height, width = image.shape
    j, i = cuda.grid(2)
    if i < height and j < width:
        image[i, j] = escape_time(3.0 * j / width - 2.0, 2.0 * i / height - 1.0, limit)


def cuda_mandelbrot(height, width, limit):
    """The escape times as int32."""
    image = cuda.device_array((height, width), np.int32)
    mandelbrot[((width + 31) // 32, (height + 7) // 8), (32, 8)](image, limit)
    return image.copy_to_host()


def main():
    """Print the set."""
    for row in cuda_mandelbrot(24, 72, 100):
        print("".join(" .:-=+*#%@"[min(9, int(time) // 11)] for time in row))


def draw(figure):
    """The set in colours."""
    axes = figure.subplots()
    axes.imshow(np.log(1 + cuda_mandelbrot(800, 1200, 300)), cmap="magma", extent=(-2, 1, 1, -1))
    axes.set(title="cuda_mandelbrot(800, 1200, 300)", xlabel="real part", ylabel="imaginary part")


if __name__ == "__main__":
    from plotting import run

    run(main, draw)
