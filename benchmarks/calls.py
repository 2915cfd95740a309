"""What a call from Python costs, loop of timeit included; the least of many repeats."""

import math
import sys
import timeit

import numba
import numpy as np
import pyarray
from measure import Row, interleave
from sources import EXAMPLES

sys.path.insert(0, str(EXAMPLES))
from programs import plain, program  # noqa: E402


def nothing():
    return 0


def one(x):
    return x


def two(x, y):
    return x


def first(a):
    return a[0]


def new_array(n):
    return np.empty(n)


ARRAY = np.ones(4)

# Name of the row: function, arguments.
CALLS = {
    "no argument": (nothing, ()),
    "int": (one, (3,)),
    "two ints": (two, (3, 4)),
    "float": (one, (3.0,)),
    "np.float64": (one, (np.float64(3.0),)),
    "array": (first, (ARRAY,)),
    "array returned": (one, (ARRAY,)),
    "new array returned": (new_array, (4,)),
}


def time_calls(functions, arguments, quick):
    """Least time of one call by name; functions is a dict."""
    names = [f"a{i}" for i in range(len(arguments))]
    number = 10_000 if quick else 50_000
    candidates = {}
    for name, function in functions.items():
        function(*arguments)
        values = dict(zip(names, arguments), function=function)
        timer = timeit.Timer(f"function({', '.join(names)})", globals=values)
        candidates[name] = lambda timer=timer: timer.timeit(number) / number
    return interleave(candidates, 5 if quick else 15, min)


def measure(quick):
    functions = {
        "pyarray": program("hypot", pyarray.njit),
        "numba": program("hypot", numba.njit),
        "math.hypot": math.hypot,
        "cpython": program("hypot", plain),
    }
    row = Row("call", "hypot(3.0, 4.0)", time_calls(functions, (3.0, 4.0), quick))
    row.add_ratio_bar("pyarray", "math.hypot", 1.2)
    row.add_ratio_bar("pyarray", "numba", 0.6)
    yield row
    for name, (function, arguments) in CALLS.items():
        functions = {"pyarray": pyarray.njit(function), "numba": numba.njit(function), "cpython": function}
        row = Row("call", name, time_calls(functions, arguments, quick))
        if name == "array":
            row.add_ratio_bar("pyarray", "numba", 0.6)
        yield row
