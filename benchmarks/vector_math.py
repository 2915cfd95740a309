"""Loops over a million elements with one mathematical function each: pyarray, NumPy and Numba, in ns for each element.

    python benchmarks/vector_math.py [--numba PYTHON] [name ...]

--numba names an interpreter with Numba, if this one has none; its loops are timed there, in the same rounds. Smaller is
better; the last columns say how many times as fast pyarray is.
"""

import argparse
import json
import linecache
import subprocess
import sys
import time

import numpy as np

COUNT, ROUNDS = 1_000_000, 15
# name in NumPy: range of arguments. erf and erfc are math's: NumPy has none.
RANGES = {
    "arccos": (-1, 1), "arccosh": (1, 100), "arcsin": (-1, 1), "arcsinh": (-100, 100), "arctan": (-10, 10),
    "arctan2": (-10, 10), "arctanh": (-1, 1), "cbrt": (-100, 100), "cos": (-10, 10), "cosh": (-10, 10), "erf": (-3, 3),
    "erfc": (-3, 5), "exp": (-10, 10), "exp2": (-10, 10), "expm1": (-10, 10), "hypot": (-10, 10), "log": (0, 100),
    "log10": (0, 100), "log1p": (0, 100), "log2": (0, 100), "power": (0, 10), "sin": (-10, 10), "sinh": (-10, 10),
    "tan": (-10, 10), "tanh": (-5, 5),
}  # fmt: skip
BINARY = {"arctan2", "hypot", "power"}
DTYPES = ("float64", "float32")


def arguments(name, dtype):
    """Two arrays of arguments and one for results."""
    random = np.random.default_rng(0)
    low, high = RANGES[name]
    x, y = random.uniform(low, high, (2, COUNT)).astype(dtype)
    return x, np.clip(y, -5, 5), np.zeros(COUNT, dtype)


def make_loop(name, decorator):
    """The compiled loop of one function."""
    import math

    module = "math" if name in ("erf", "erfc") else "np"
    call = f"{module}.{name}(x[i], y[i])" if name in BINARY else f"{module}.{name}(x[i])"
    source = f"def loop(x, y, out):\n    for i in range(out.shape[0]):\n        out[i] = {call}\n"
    file = f"<loop of {name}>"
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    names = {"np": np, "math": math}
    exec(compile(source, file, "exec"), names)
    return decorator(names["loop"])


def numpy_loop(name):
    """The same by NumPy, or None."""
    function = getattr(np, name, None)
    if function is None:
        return None
    if name in BINARY:
        return lambda x, y, out: function(x, y, out=out)
    return lambda x, y, out: function(x, out=out)


def candidate(package, name):
    """The loop of a package."""
    if package == "numpy":
        return numpy_loop(name)
    if package == "numba":
        from numba import njit

        return make_loop(name, njit(error_model="numpy"))
    from pyarray import njit

    return make_loop(name, njit(error_model="numpy"))


def seconds_of(loop, given):
    """Least time of a few calls; these loops are short, so the least is what the machine can do."""
    best = np.inf
    for _ in range(3):
        start = time.perf_counter()
        loop(*given)
        best = min(best, time.perf_counter() - start)
    return best


def serve():
    """Times loops of Numba for the other process: a line with name and dtype each, answered by seconds."""
    loops = {}
    for line in sys.stdin:
        name, dtype = json.loads(line)
        if (name, dtype) not in loops:
            loops[name, dtype] = candidate("numba", name), arguments(name, dtype)
            loops[name, dtype][0](*loops[name, dtype][1])
        print(json.dumps(seconds_of(*loops[name, dtype])), flush=True)


class Numba:
    """Numba in a process of its own."""

    def __init__(self, python):
        self.process = subprocess.Popen(
            [python, __file__, "--serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def __call__(self, name, dtype):
        print(json.dumps([name, dtype]), file=self.process.stdin, flush=True)
        return json.loads(self.process.stdout.readline())


def measure(name, dtype, numba):
    """Nanoseconds for each element by package."""
    given = arguments(name, dtype)
    loops = {package: candidate(package, name) for package in ("pyarray", "numpy")}
    timers = {package: lambda loop=loop: seconds_of(loop, given) for package, loop in loops.items() if loop}
    if numba:
        timers["numba"] = lambda: numba(name, dtype)
    best = {}
    for _ in range(ROUNDS):
        for package, timer in timers.items():
            best[package] = min(best.get(package, np.inf), timer())
    return {package: 1e9 * seconds / COUNT for package, seconds in best.items()}


def print_table(names, numba):
    print("| function | dtype | pyarray | NumPy | Numba | NumPy / pyarray | Numba / pyarray |")
    print("|---|---|---|---|---|---|---|")
    for name in names:
        for dtype in DTYPES:
            times = measure(name, dtype, numba)
            cells = [f"{times[p]:.2f}" if p in times else "" for p in ("pyarray", "numpy", "numba")]
            cells += [f"{times[p] / times['pyarray']:.1f}" if p in times else "" for p in ("numpy", "numba")]
            print(f"| {name} | {dtype} | " + " | ".join(cells) + " |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--numba", metavar="PYTHON")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    if options.serve:
        serve()
    else:
        print_table(options.names or list(RANGES), Numba(options.numba) if options.numba else None)


if __name__ == "__main__":
    main()
