"""The product of two matrices by its definition."""

import numpy as np
from pyarray import njit


@njit
def matmul(a, b):
    """Product of an (m, n) and an (n, p) array of floats."""
    rows, inner = a.shape
    columns = b.shape[1]
    if b.shape[0] != inner:
        raise ValueError("the matrices do not fit")
    result = np.empty((rows, columns))
    for i in range(rows):
        for j in range(columns):
            total = 0.0
            for k in range(inner):
                total += a[i, k] * b[k, j]
            result[i, j] = total
    return result


def arguments(size=100):
    """Two square matrices."""
    generator = np.random.default_rng(1)
    return generator.normal(size=(size, size)), generator.normal(size=(size, size))


def reference(a, b):
    """The same with NumPy, that is, BLAS."""
    return a @ b


def main():
    """Print the largest difference to NumPy."""
    a, b = arguments()
    print(f"largest difference to a @ b: {np.abs(matmul(a, b) - a @ b).max():.1e}")


if __name__ == "__main__":
    main()
