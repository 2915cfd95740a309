"""Reductions of 1M elements, and along the axes of 1024 x 1024, as a table of ratios to NumPy's time, each dtype a row.

Usage: reductions.py [dtype...]. Both run in turns on one core (taskset), so that what else the machine does hits both;
the ratio is of the shortest times.
"""

import linecache
import sys
import time
import warnings

import numpy as np
from pyarray import njit

DTYPES = ["f8", "f4", "f2", "c16", "c8", "i8", "i4", "i2", "i1", "u8", "u4", "u2", "u1", "?"]
WHOLE = "sum min max mean var std prod argmin argmax any all cumsum".split()
ALONG = [0, 1]
COUNT, REPEATS, SECONDS = 1_000_000, 40, 0.3


def function(text):
    """From text, under a file name by which the compiler finds it."""
    filename, source = f"<reduction {text}>", f"def f(a):\n    return {text}\n"
    linecache.cache[filename] = (len(source), None, source.splitlines(True), filename)
    namespace = {"np": np}
    exec(compile(source, filename, "exec"), namespace)
    return namespace["f"]


def elements(dtype, name):
    """Of all values; none stops any() or all() early, and products stay within range."""
    rng = np.random.default_rng(0)
    if name in ("any", "all"):
        return np.full(COUNT, name == "all", dtype)
    if name == "prod" and dtype[0] in "fc":
        return np.full(COUNT, 1, dtype)
    x = rng.random(COUNT) * 4 - 2
    if dtype[0] == "c":
        return (x + 1j * x[::-1]).astype(dtype)
    if dtype == "?":
        return x > 0
    return (abs(x) * 30).astype(dtype) if dtype[0] == "u" else (x * (1 if dtype[0] == "f" else 30)).astype(dtype)


def ratio(theirs, a):
    ours, times, begin = njit(theirs), ([], []), time.perf_counter()
    ours(a)
    while len(times[0]) < REPEATS and (len(times[0]) < 5 or time.perf_counter() - begin < SECONDS):
        for f, own in ((ours, times[0]), (theirs, times[1])):
            start = time.perf_counter()
            f(a)
            own.append(time.perf_counter() - start)
    return min(times[0]) / min(times[1])


def main():
    warnings.simplefilter("ignore")
    names = [*WHOLE, *(f"sum {axis}" for axis in ALONG)]
    print(f"{'':6}" + "".join(f"{name:>8}" for name in names))
    for dtype in sys.argv[1:] or DTYPES:
        ratios = [ratio(function(f"a.{name}()"), elements(dtype, name)) for name in WHOLE]
        square = np.resize(elements(dtype, "sum"), (1024, 1024))
        ratios += [ratio(function(f"a.sum(axis={axis})"), square) for axis in ALONG]
        print(f"{dtype:6}" + "".join(f"{each:8.2f}" for each in ratios), flush=True)


if __name__ == "__main__":
    main()
