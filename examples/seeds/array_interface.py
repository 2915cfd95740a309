"""Arrays that libraries share on a GPU: __cuda_array_interface__, out and in (Numba talk)."""

import numpy as np
from pyarray import cuda


class Image:
    """What another library may have: memory on the device, and a dict that describes it."""

    def __init__(self, height, width):
        self._memory = cuda.device_array(height * width * 4, np.uint8)
        self.height, self.width = height, width

    @property
    def __cuda_array_interface__(self):
        address = self._memory.__cuda_array_interface__["data"][0]
        return {
            "shape": (self.height, self.width),
            "typestr": "<f4",
            "data": (address, False),
            "strides": None,
            "version": 3,
        }


@cuda.jit
def checker(image, size):
    """A board of squares; the kernel takes any object with the interface."""
    x, y = cuda.grid(2)
    if x < image.shape[1] and y < image.shape[0]:
        image[y, x] = (x // size + y // size) % 2


def array_interface(height, width, size):
    """The board, and its right half, seen as an array of ours."""
    image = Image(height, width)
    checker[((width + 15) // 16, (height + 15) // 16), (16, 16)](image, size)
    ours = cuda.as_cuda_array(image)
    return ours.copy_to_host(), ours[:, width // 2 :].copy_to_host()


TOLERANCE = 0


def arguments(size=100):
    """Height, width, and the length of a square."""
    return size, size + 20, 7


def reference(height, width, size):
    """The same by NumPy."""
    y, x = np.indices((height, width))
    board = ((x // size + y // size) % 2).astype(np.float32)
    return board, board[:, width // 2 :]


def main():
    """Print what an array of ours says of itself."""
    array = cuda.device_array((100, 2))
    described = dict(array.__cuda_array_interface__)
    described["data"] = ("an address", described["data"][1])
    print(described)


def draw(figure):
    """The board."""
    axes = figure.subplots()
    axes.imshow(array_interface(*arguments())[0], cmap="gray")
    axes.set_axis_off()


if __name__ == "__main__":
    import pathlib
    import sys

    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
    from plotting import run

    run(main, draw)
