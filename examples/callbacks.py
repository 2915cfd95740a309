"""C code that calls compiled Python: `cfunc`, and C pointers as arrays.

The C library's qsort gets a comparison by its address, ctypes a function over foreign memory, and SciPy, where it is
installed, an integrand.
"""

import ctypes
import math

import numpy as np
from pyarray import carray, cfunc

libc = ctypes.CDLL(None)
libc.qsort.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_size_t, ctypes.c_void_p]
libc.qsort.restype = None


@cfunc("int32(float64*, float64*)")
def closer(a, b):
    """Compare two points (x, y) by their distance from the origin, as qsort wants it."""
    difference = math.hypot(a[0], a[1]) - math.hypot(b[0], b[1])
    return (difference > 0) - (difference < 0)


@cfunc("void(float64*, int64, int64)")
def normalise(memory, count, dimensions):
    """Divide each of the vectors at an address by its length, in place."""
    vectors = carray(memory, (count, dimensions))
    for i in range(count):
        square = 0.0
        for x in vectors[i]:
            square += x * x
        for j in range(dimensions):
            vectors[i, j] /= math.sqrt(square)


@cfunc("float64(float64)")
def cosine(x):
    """An integrand."""
    return math.cos(x)


def callbacks(points):
    """Points sorted by their distance from the origin, and their directions."""
    points = np.array(points, dtype=np.float64, order="C")
    libc.qsort(points.ctypes.data, len(points), points.itemsize * 2, closer.address)
    directions = points.copy()
    normalise.ctypes(directions.ctypes.data_as(ctypes.POINTER(ctypes.c_double)), *directions.shape)
    return points, directions


def arguments(size=1000):
    """An array of points."""
    return (np.random.default_rng(1).normal(size=(size, 2)),)


def reference(points):
    """The same with NumPy."""
    lengths = np.hypot(*points.T)
    order = np.argsort(lengths)
    return points[order], points[order] / lengths[order, None]


def main():
    """Print sorted points, and an integral if there is SciPy."""
    points, directions = callbacks([[3.0, 4.0], [0.0, 1.0], [-2.0, 0.0]])
    for point, direction in zip(points, directions, strict=True):
        print(f"{point!s:10}  direction {direction}")
    print(closer)
    try:
        from scipy import LowLevelCallable, integrate
    except ImportError:
        return
    print("integral of cosine from 0 to 1:", integrate.quad(LowLevelCallable(cosine.ctypes), 0, 1)[0])


if __name__ == "__main__":
    main()
