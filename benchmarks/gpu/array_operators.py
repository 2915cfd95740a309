"""Operators on device arrays, beside CuPy: microseconds, least of several runs.

python benchmarks/gpu/array_operators.py [--small]
"""

import sys
import time

import numpy as np
from pyarray import cuda

try:
    import cupy
except ImportError:
    cupy = None

SMALL = "--small" in sys.argv
N = 1 << 16 if SMALL else 100_000_000
SIDE = 64 if SMALL else 4096


def least(function, wait, turns=5):
    """Seconds of one call; each run has as many as take some milliseconds."""
    function()
    wait()
    start = time.perf_counter()
    function()
    wait()
    count = max(1, min(1000, int(0.02 / max(time.perf_counter() - start, 1e-6))))
    best = float("inf")
    for _ in range(turns):
        start = time.perf_counter()
        for _ in range(count):
            function()
        wait()
        best = min(best, (time.perf_counter() - start) / count)
    return best


def four_statements(a, b):
    t = a * 2
    u = t + b
    v = u * u
    return v - t


def black_box(a, b):
    return (a - b) / (a + 1.5) * (b * 0.25 + a)


def value_of(result):
    """What makes a deferred array be computed."""
    if isinstance(result, cuda.DeviceNDArray):
        result._address  # noqa: B018
    return result


PROGRAMS = {
    "a * 2 + b": lambda a, b, m: a * 2 + b,
    "four statements": lambda a, b, m: four_statements(a, b),
    "seven operators": lambda a, b, m: black_box(a, b),
    "(a * b).sum()": lambda a, b, m: float((a * b).sum()),
    "m.sum(axis=0)": lambda a, b, m: m.sum(axis=0),
    "m @ m": lambda a, b, m: m @ m,
    "np.sqrt(a)": lambda a, b, m: np.sqrt(a),
}


def measure(size, side):
    host = np.random.default_rng(0).uniform(1, 2, size).astype(np.float32)
    square = np.random.default_rng(1).uniform(1, 2, (side, side)).astype(np.float32)
    mine = cuda.to_device(host), cuda.to_device(host[::-1].copy()), cuda.to_device(square)
    theirs = None if cupy is None else (cupy.asarray(host), cupy.asarray(host[::-1].copy()), cupy.asarray(square))
    print(f"{size} elements, matrices of {side} x {side}")
    for name, program in PROGRAMS.items():
        ours = least(lambda program=program: value_of(program(*mine)), cuda.synchronize)
        text = f"{name:20} pyarray {ours * 1e6:10.1f} us"
        if theirs is not None:
            other = least(lambda program=program: program(*theirs), cupy.cuda.Device().synchronize)
            text += f"   CuPy {other * 1e6:10.1f} us"
        print(text, flush=True)


def graphs():
    from pyarray import njit

    @njit(target="cuda")
    def five(x, y):
        return (x * 0.5 + y) * (y - 0.25) + x

    @njit(target="cuda")
    def thirty(x, y):
        return five(five(five(five(five(five(x, y), y), y), y), y), y)

    x, y = (cuda.to_device(np.ones(1000, np.float32)) for _ in range(2))
    calls = least(lambda: [thirty(x, y) for _ in range(10)], cuda.synchronize)
    with cuda.graph() as graph:
        kept = [thirty(x, y) for _ in range(10)]
    launch = least(graph.launch, cuda.synchronize)
    print(f"ten calls of 30 operations: {calls * 1e6:.1f} us, as a graph {launch * 1e6:.1f} us ({len(kept)} results)")


if __name__ == "__main__":
    measure(1000, 32)
    measure(N, SIDE)
    graphs()
