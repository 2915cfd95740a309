"""Rays from a camera and the triangle that they meet: a ray generation kernel as in PyOptiX (Numba talk)."""

import math
from collections import namedtuple

import numpy as np
from pyarray import cuda, float32

Camera = namedtuple("Camera", "eye u v w")  # vectors of three float32
THREADS = 16, 16


@cuda.jit(device=True)
def add(a, b):
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


@cuda.jit(device=True)
def scale(s, a):
    return s * a[0], s * a[1], s * a[2]


@cuda.jit(device=True)
def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@cuda.jit(device=True)
def cross(a, b):
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@cuda.jit(device=True)
def normalize(a):
    return scale(float32(1) / math.sqrt(dot(a, a)), a)


@cuda.jit(device=True)
def compute_ray(x, y, width, height, camera):
    """Origin and direction of the ray through a place of the picture."""
    dx = float32(2) * (float32(x) / float32(width)) - float32(1)
    dy = float32(2) * (float32(y) / float32(height)) - float32(1)
    direction = add(add(scale(dx, camera.u), scale(dy, camera.v)), camera.w)
    return camera.eye, normalize(direction)


@cuda.jit(device=True)
def meet(origin, direction, corner, first, second):
    """Where the ray meets a triangle of a corner and two edges: two coordinates there, or -1 and -1."""
    normal = cross(direction, second)
    determinant = dot(first, normal)
    away = add(origin, scale(float32(-1), corner))
    s = dot(away, normal) / determinant
    t = dot(direction, cross(away, first)) / determinant
    if s >= 0 and t >= 0 and s + t <= 1:
        return s, t
    return float32(-1), float32(-1)


@cuda.jit(fastmath=False)
def raygen(camera, triangle, image):
    """A thread for each place of the picture; colours are the coordinates in the triangle."""
    x, y = cuda.grid(2)
    if x < image.shape[1] and y < image.shape[0]:
        origin, direction = compute_ray(x, y, image.shape[1], image.shape[0], camera)
        s, t = meet(origin, direction, triangle[0], triangle[1], triangle[2])
        image[y, x, 0] = s
        image[y, x, 1] = t
        image[y, x, 2] = float32(1) - s - t if s >= 0 else float32(-1)


def camera_rays(camera, triangle, height, width):
    """The picture: three numbers for each place."""
    image = cuda.device_array((height, width, 3), np.float32)
    grid = (width + THREADS[0] - 1) // THREADS[0], (height + THREADS[1] - 1) // THREADS[1]
    raygen[grid, THREADS](camera, triangle, image)
    return (image.copy_to_host(),)


TOLERANCE = 2e-4


def vector(*numbers):
    return tuple(np.float32(number) for number in numbers)


def arguments(size=120):
    """A camera before a triangle of a corner and two edges, and the picture's size."""
    camera = Camera(vector(0.03, 0.01, 2), vector(1.1, 0, 0), vector(0, 0.83, 0), vector(0, 0, -2))
    triangle = vector(-0.5, -0.5, 0), vector(1, 0, 0), vector(0.5, 1, 0)
    return camera, triangle, size, size * 4 // 3


def reference(camera, triangle, height, width):
    """The same by NumPy, in float32."""
    x, y = np.meshgrid(np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32))
    eye, u, v, w = (np.array(part, np.float32) for part in camera)
    dx, dy = 2 * (x / np.float32(width)) - 1, 2 * (y / np.float32(height)) - 1
    direction = dx[..., None] * u + dy[..., None] * v + w
    direction /= np.linalg.norm(direction, axis=-1, keepdims=True)
    corner, first, second = (np.array(part, np.float32) for part in triangle)
    normal = np.cross(direction, second)
    determinant = normal @ first
    s = normal @ (eye - corner) / determinant
    t = direction @ np.cross(eye - corner, first) / determinant
    inside = (s >= 0) & (t >= 0) & (s + t <= 1)
    return (np.where(inside[..., None], np.stack([s, t, 1 - s - t], axis=-1), np.float32(-1)),)


def main():
    """Print how much of the picture the triangle covers."""
    (image,) = camera_rays(*arguments())
    print(f"{np.mean(image[..., 0] >= 0):.1%} of {image.shape[1]} x {image.shape[0]} rays meet the triangle")


def draw(figure):
    """The triangle."""
    (image,) = camera_rays(*arguments(480))
    axes = figure.subplots()
    axes.imshow(np.where(image >= 0, image, 0.1), origin="lower")
    axes.set_axis_off()


if __name__ == "__main__":
    import pathlib
    import sys

    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
    from plotting import run

    run(main, draw)
