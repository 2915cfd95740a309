"""A kernel with and without fastmath: accuracy, and instructions (Numba talk, profiling)."""

import math

import numpy as np
from pyarray import cuda, float32, void


def f(x):
    i = cuda.grid(1)
    if i < x.size:
        y = x[i]
        y = math.cos(y)
        y = math.sqrt(y)
        x[i] = y * 1.2


SIGNATURE = void(float32[::1])
exact = cuda.jit(SIGNATURE)(f)
fast = cuda.jit(SIGNATURE, fastmath=True)(f)


def fast_math(x):
    """Both results."""
    results = x.copy(), x.copy()
    for kernel, result in zip((exact, fast), results):
        kernel.forall(x.size)(result)
    return results


def instructions(fastmath):
    """How many instructions the PTX for an H100 has, and those that approximate."""
    ptx, _ = cuda.compile_ptx(f, SIGNATURE, fastmath=fastmath, cc=(9, 0))
    lines = [
        line.strip() for line in ptx.splitlines() if line.startswith("\t") and not line.strip().startswith((".", "//"))
    ]
    return len(lines), sorted({line.split()[0] for line in lines if ".approx" in line})


TOLERANCE = 1e-4


def arguments(size=1000):
    """Angles whose cosine is positive."""
    return (np.linspace(0, 1.4, size, dtype=np.float32),)


def reference(x):
    """The same by NumPy."""
    result = np.sqrt(np.cos(x)) * np.float32(1.2)
    return result, result


def main():
    """Print both kernels' lengths."""
    for fastmath in (False, True):
        count, approximate = instructions(fastmath)
        print(f"fastmath={fastmath}: {count} instructions; approximate ones: {', '.join(approximate) or 'none'}")


def draw(figure):
    """How far both are from float64."""
    (x,) = arguments()
    wanted = np.sqrt(np.cos(x.astype(np.float64))) * 1.2
    axes = figure.subplots()
    for result, label in zip(fast_math(x), ("exact", "fastmath")):
        axes.plot(x, result - wanted, ".", markersize=2, label=label)
    axes.set(title="errors of 1.2 sqrt(cos(x)) in float32", xlabel="x")
    axes.legend()


if __name__ == "__main__":
    import pathlib
    import sys

    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
    from plotting import run

    run(main, draw)
