"""Products of stacks of matrices: a generalized ufunc with two core dimensions."""

import numpy as np
from pyarray import guvectorize


@guvectorize(
    ["void(float32[:,:], float32[:,:], float32[:,:])", "void(float64[:,:], float64[:,:], float64[:,:])"],
    "(m,n),(n,p)->(m,p)",
)
def gufunc_matmul(a, b, c):
    """Product of two matrices."""
    m, n = a.shape
    n, p = b.shape
    for i in range(m):
        for j in range(p):
            c[i, j] = 0
        for k in range(n):
            for j in range(p):
                c[i, j] += a[i, k] * b[k, j]


def arguments(size=1000):
    """A stack of 2 x 4 matrices, and as many of 4 x 5."""
    generator = np.random.default_rng(1)
    return generator.random((size, 2, 4)), generator.random((size, 4, 5))


def reference(a, b):
    """The same with NumPy."""
    return a @ b


def rotations(angles):
    """The matrices of rotations by some angles."""
    return np.stack([np.cos(angles), -np.sin(angles), np.sin(angles), np.cos(angles)], axis=-1).reshape(-1, 2, 2)


def main():
    """Print shapes and how far the products are from the reference."""
    a, b = arguments()
    product = gufunc_matmul(a, b)
    error = np.max(abs(product - reference(a, b)))
    print(f"{a.shape} and {b.shape} give {product.shape}; largest difference to a @ b {error:.1e}")
    print(f"all {len(a)} with the same matrix: {gufunc_matmul(a, b[0]).shape}")
    print(f"matrices along other axes: {gufunc_matmul(a.T, b.T, axes=[(1, 0), (1, 0), (0, 1)]).shape}")


def draw(figure):
    """One triangle turned by many angles, in a single call."""
    triangle = np.array([[0.3, 1.0, 0.3, 0.3], [0.0, 0.0, 0.5, 0.0]])  # corners in columns, the first one again
    axes = figure.subplots()
    for x, y in gufunc_matmul(rotations(np.linspace(0, 2 * np.pi, 25)), triangle):
        axes.plot(x, y)
    axes.set(title="gufunc_matmul(rotations(angles), triangle)", aspect="equal")


if __name__ == "__main__":
    from plotting import run

    run(main, draw)
