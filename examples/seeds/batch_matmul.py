"""Products of many small matrices by a generalized ufunc on a GPU (Pythonic Parallel Patterns)."""

import numpy as np
from pyarray import guvectorize

PROTOTYPE = """void(float32[:,:],
                    float32[:,:],
                    float32[:,:])"""


@guvectorize([PROTOTYPE], "(m,n),(n,p)->(m,p)", target="gpu")
def matmulcore(a, b, c):
    """One product; a thread computes it."""
    m, n = a.shape
    n, p = b.shape
    for i in range(m):
        for j in range(p):
            c[i, j] = 0
            for k in range(n):
                c[i, j] += a[i, k] * b[k, j]


def batch_matmul(a, b):
    """All products, and those of all left matrices with the first right one."""
    return matmulcore(a, b), matmulcore(a, b[0])


TOLERANCE = 1e-3


def arguments(size=1000):
    """That many matrices of 2 x 4, and of 4 x 5."""
    a = np.arange(size * 2 * 4, dtype=np.float32).reshape(size, 2, 4) / size
    b = np.arange(size * 4 * 5, dtype=np.float32).reshape(size, 4, 5) / size
    return a, b


def reference(a, b):
    """The same by NumPy."""
    return a @ b, a @ b[0]


def main():
    """Print the shapes."""
    a, b = arguments()
    products, others = batch_matmul(a, b)
    print(f"{a.shape} and {b.shape} give {products.shape}, with one right matrix {others.shape}")


def draw(figure):
    """A square turned by many angles at once."""
    angles = np.linspace(0, np.pi / 2, 19, dtype=np.float32)
    turns = np.stack([np.cos(angles), -np.sin(angles), np.sin(angles), np.cos(angles)], axis=-1).reshape(-1, 2, 2)
    square = np.array([[1, -1, -1, 1, 1], [1, 1, -1, -1, 1]], np.float32)
    axes = figure.subplots()
    for x, y in matmulcore(turns, square):
        axes.plot(x, y)
    axes.set(title="matmulcore(turns, square)", aspect="equal")


if __name__ == "__main__":
    import pathlib
    import sys

    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
    from plotting import run

    run(main, draw)
