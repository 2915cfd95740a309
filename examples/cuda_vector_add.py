"""The sum of two vectors: a loop with the stride of the grid, on device arrays and on host arrays."""

import numpy as np
from pyarray import cuda


@cuda.jit
def vector_add(r, x, y):
    """Write x + y into r; a grid of any size does."""
    start = cuda.grid(1)
    step = cuda.gridsize(1)
    for i in range(start, len(r), step):
        r[i] = x[i] + y[i]


def cuda_vector_add(x, y):
    """The sum of two host arrays: each goes to the device once, the result comes back once."""
    device_x, device_y = cuda.to_device(x), cuda.to_device(y)
    device_r = cuda.device_array_like(device_x)
    vector_add[256, 256](device_r, device_x, device_y)
    return device_r.copy_to_host()


def arguments(size=100_000):
    """Two vectors of float32."""
    return tuple(np.random.default_rng(1).random((2, size), np.float32))


def reference(x, y):
    """The same with NumPy."""
    return x + y


def main():
    """Add what is on the host and what is on the device."""
    x, y = np.arange(8.0), np.full(8, 100.0)
    r = np.zeros(8)
    vector_add[1, 32](r, x, y)  # host arrays are copied to the device, and back after the kernel
    print("host arrays:  ", r)
    device_r = cuda.to_device(r)
    vector_add[1, 32](device_r, device_r, device_r)
    print("device arrays:", device_r.copy_to_host())
    print("1e5 elements: ", cuda_vector_add(*arguments())[:5])


if __name__ == "__main__":
    main()
