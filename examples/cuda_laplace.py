"""Laplace's equation by relaxation: two device arrays change places, and only a number comes back now and then."""

import numpy as np
from pyarray import cuda

BLOCK = 32, 8


@cuda.jit
def relax(u, work, change):
    """Write into work the means of the four neighbours, and into change[0] the largest change."""
    j, i = cuda.grid(2)
    if 0 < i < u.shape[0] - 1 and 0 < j < u.shape[1] - 1:
        mean = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])
        cuda.atomic.max(change, 0, abs(mean - u[i, j]))
        work[i, j] = mean


def cuda_laplace(plate, iterations):
    """The plate after some steps, and the largest change of an element in the last of them."""
    u, work = cuda.to_device(plate), cuda.to_device(plate)
    change = cuda.to_device(np.zeros(1))
    grid = (plate.shape[1] + BLOCK[0] - 1) // BLOCK[0], (plate.shape[0] + BLOCK[1] - 1) // BLOCK[1]
    for _ in range(iterations):
        change[0] = 0.0
        relax[grid, BLOCK](u, work, change)
        u, work = work, u
    return u.copy_to_host(), change.copy_to_host()


def arguments(size=100):
    """A plate with one hot edge, and a number of steps."""
    plate = np.zeros((size, size + 5))
    plate[0] = 1.0
    return plate, 50


def reference(plate, iterations):
    """The same with NumPy."""
    u, change = plate.copy(), 0.0
    for _ in range(iterations):
        mean = 0.25 * (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:])
        change = np.max(abs(mean - u[1:-1, 1:-1]))
        u[1:-1, 1:-1] = mean
    return u, np.array([change])


def main():
    """Print the temperature in the middle of the plate after more and more steps."""
    plate, _ = arguments(40)
    for iterations in (10, 100, 1000):
        u, change = cuda_laplace(plate, iterations)
        print(f"after {iterations:5} steps: {u[20, 22]:.6f}, which the last step changed by {change[0]:.1e} at most")


def draw(figure):
    """The plate after 2000 steps."""
    axes = figure.subplots()
    image = axes.imshow(cuda_laplace(arguments(100)[0], 2000)[0], cmap="inferno")
    axes.set(title="a plate with one hot edge, after 2000 steps", xlabel="column", ylabel="row")
    figure.colorbar(image, label="temperature")


if __name__ == "__main__":
    from plotting import run

    run(main, draw)
