"""Kernels that go one element too far, and how that shows: as exceptions, with the thread (Numba talk, debugging).

Without ``debug=True`` a GPU does not check indices: compute-sanitizer finds what these kernels do.
"""

import numpy as np
from pyarray import cuda


@cuda.jit(debug=True, opt=False)
def reciprocal(x):
    i = cuda.grid(1)
    if i > len(x):
        return
    x[i] = 1 / x[i]


@cuda.jit(debug=True, opt=False)
def add_1(x):
    i = cuda.grid(1)
    # Off by one: the thread behind the last element goes on.
    if i > x.shape[0]:
        return
    x[i] += 1


@cuda.jit(debug=True, opt=False)
def add_1_rightly(x):
    i = cuda.grid(1)
    if i >= x.shape[0]:
        return
    x[i] += 1


def failure(kernel, x):
    """The exception of a launch as text, with its notes; "" where there is none."""
    try:
        kernel[1, x.size + 22](x)
    except (IndexError, ZeroDivisionError) as error:
        return "; ".join([f"{type(error).__name__}: {error}", *getattr(error, "__notes__", ())])
    return ""


def off_by_one(x):
    """What the right kernel makes of an array, and how the kernels fail: which exception, in which thread."""
    right = x.copy()
    failures = [failure(kernel, x.copy()) for kernel in (reciprocal, add_1)]
    assert failure(add_1_rightly, right) == ""
    place = f"thread ({x.size}, 0, 0) of block (0, 0, 0)"
    return right, np.array([text.startswith("IndexError") and place in text for text in failures])


TOLERANCE = 0


def arguments(size=10):
    """Numbers other than 0, for at most 1000 threads."""
    return (np.arange(1.0, size + 1),)


def reference(x):
    """One more than each; both kernels raise in the thread behind the last element."""
    return x + 1, np.array([True, True])


def main():
    """Print what the launches raise."""
    (x,) = arguments()
    for kernel in (reciprocal, add_1, add_1_rightly):
        print(f"{kernel.__name__}: {failure(kernel, x.copy()) or 'nothing is raised'}")


def draw(figure):
    """Which threads pass each condition."""
    (x,) = arguments()
    threads = np.arange(x.size + 3)
    axes = figure.subplots()
    axes.step(threads, threads <= x.size, where="mid", label="not i > x.size")
    axes.step(threads, threads < x.size, where="mid", label="not i >= x.size")
    axes.axvline(x.size - 0.5, color="gray", linestyle=":", label="end of the array")
    axes.set(title="threads that go on", xlabel="i", yticks=[0, 1])
    axes.legend()


if __name__ == "__main__":
    import pathlib
    import sys

    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
    from plotting import run

    run(main, draw)
