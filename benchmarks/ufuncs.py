"""Ufuncs and gufuncs against NumPy's own, Numba's, numexpr and C."""

import math
import sys
import time
import timeit
from functools import partial

import numba
import numexpr
import numpy as np
import pyarray
from c_kernels import Kernels
from measure import Row, interleave, timed
from sources import EXAMPLES, source_function

sys.path.insert(0, str(EXAMPLES))

MILLION = 1_000_000
RANDOM = np.random.default_rng(0)
# Function: range of the arguments, how many, by how much Numba is to be beaten.
ELEMENTARY = {
    "exp": (-10, 10, 1, 4), "log": (0.01, 100, 1, 4), "sin": (-10, 10, 1, 4), "cos": (-10, 10, 1, 4),
    "tanh": (-5, 5, 1, 4), "power": (0.01, 10, 2, 4), "sqrt": (0, 100, 1, 0), "hypot": (-10, 10, 2, 0),
}  # fmt: skip
FORMULAS = {
    "gaussian_pdf": """
def gaussian_pdf(x, mean, sigma):
    return math.exp(-0.5 * ((x - mean) / sigma) ** 2) / (sigma * 2.5066282746310002)
""",
    "haversine": """
def haversine(lat1, lon1, lat2, lon2):
    a = math.sin((lat2 - lat1) / 2) ** 2 + math.cos(lat1) * math.cos(lat2) * math.sin((lon2 - lon1) / 2) ** 2
    return 12742.0 * math.asin(math.sqrt(a))
""",
    "black_scholes": """
def black_scholes(spot, strike, years, rate, volatility):
    spread = volatility * math.sqrt(years)
    d1 = (math.log(spot / strike) + (rate + 0.5 * volatility * volatility) * years) / spread
    d2 = d1 - spread
    n1 = 0.5 * (1.0 + math.erf(d1 * 0.7071067811865476))
    n2 = 0.5 * (1.0 + math.erf(d2 * 0.7071067811865476))
    return spot * n1 - strike * math.exp(-rate * years) * n2
""",
}
EXPRESSIONS = {
    "gaussian_pdf": "exp(-0.5 * ((x - mean) / sigma) ** 2) / (sigma * 2.5066282746310002)",
    "haversine": "12742 * arcsin(sqrt(sin((lat2 - lat1) / 2) ** 2 "
    "+ cos(lat1) * cos(lat2) * sin((lon2 - lon1) / 2) ** 2))",
}


def define(text, **names):
    """The function of a source text, with a name to find it by."""
    return source_function(text, {"np": np, "math": math, **names})


def signature(dtype, count):
    return f"{dtype}({', '.join([dtype] * count)})"


def ufunc_of(package, function, dtype, count, **options):
    return package.vectorize([signature(dtype, count)], **options)(function)


def uniform(low, high, dtype, count=1, size=MILLION):
    return [RANDOM.uniform(low, high, size).astype(dtype) for _ in range(count)]


def agree(name, results):
    first = results[0]
    tolerance = 1e-4 if first.dtype == np.float32 else 1e-9
    for result in results[1:]:
        if not np.allclose(first, result, tolerance, tolerance):
            raise AssertionError(f"{name}: candidates differ")


def rounds(quick):
    return 5 if quick else 15


def time_ufuncs(name, ufuncs, arguments, quick, clock=time.thread_time):
    """Medians of calls with out= by candidate."""
    out = np.empty(np.broadcast_shapes(*(np.shape(a) for a in arguments)), arguments[0].dtype)
    results = []
    for function in ufuncs.values():
        function(*arguments, out=out)
        results.append(out.copy())
    agree(name, results)
    make = lambda: (*arguments, out)
    return interleave({key: timed(f, make, clock) for key, f in ufuncs.items()}, rounds(quick))


def elementary_rows(quick):
    for dtype in ("float64", "float32"):
        for name, (low, high, count, factor) in ELEMENTARY.items():
            text = f"def f({'x, y'[: 1 + 3 * (count - 1)]}):\n    return np.{name}({'x, y'[: 1 + 3 * (count - 1)]})\n"
            arguments = uniform(low, high, dtype, count)
            ufuncs = {"numpy": getattr(np, name)}
            for key, package in (("pyarray", pyarray), ("numba", numba)):
                ufuncs[key] = ufunc_of(package, define(text), dtype, count)
            row = Row("ufunc", f"{name} {dtype}", time_ufuncs(name, ufuncs, arguments, quick))
            row.add_ratio_bar("pyarray", "numpy", 1.0)
            if factor:
                row.add_ratio_bar("pyarray", "numba", 1 / factor)
            yield row


def formula_arguments(name, dtype):
    if name == "gaussian_pdf":
        return [*uniform(-4, 4, dtype), np.dtype(dtype).type(0.5), np.dtype(dtype).type(1.5)]
    if name == "haversine":
        return uniform(-1.5, 1.5, dtype, 4)
    spot, strike, years = uniform(5, 30, dtype)[0], uniform(1, 100, dtype)[0], uniform(0.25, 10, dtype)[0]
    return [spot, strike, years, np.dtype(dtype).type(0.02), np.dtype(dtype).type(0.3)]


def formula_rows(quick):
    for dtype in ("float64", "float32"):
        for name, text in FORMULAS.items():
            arguments = formula_arguments(name, dtype)
            function = define(text)
            ufuncs = {"pyarray": ufunc_of(pyarray, function, dtype, len(arguments))}
            ufuncs["parallel"] = ufunc_of(pyarray, function, dtype, len(arguments), target="parallel")
            ufuncs["numba"] = ufunc_of(numba, function, dtype, len(arguments))
            if name in EXPRESSIONS:
                names = dict(zip(function.__code__.co_varnames, arguments))
                ufuncs["numexpr"] = lambda *_, out, e=EXPRESSIONS[name], n=names: numexpr.evaluate(e, n, out=out)
            numexpr.set_num_threads(1)
            call = {key: (lambda *a, f=f: f(*a[:-1], out=a[-1])) for key, f in ufuncs.items()}
            given = (*arguments, np.zeros(MILLION, dtype))
            candidates = {key: timed(f, lambda given=given: given, time.perf_counter) for key, f in call.items()}
            row = Row("ufunc", f"{name} {dtype}", interleave(candidates, rounds(quick)))
            row.add_ratio_bar("pyarray", "numba", 1 / 3)
            row.add_ratio_bar("parallel", "pyarray", 1 / 1.8)
            yield row


def memory_rows(quick):
    kernels = Kernels()
    size = 10 * MILLION
    x, y = uniform(0, 1, "float32", 2, size)
    out = np.empty(size, np.float32)
    saxpy = {
        "pyarray": ufunc_of(pyarray, define("def saxpy(a, x, y):\n    return a * x + y\n"), "float32", 3),
        "numba": ufunc_of(numba, define("def saxpy(a, x, y):\n    return a * x + y\n"), "float32", 3),
    }
    candidates = {key: timed(f, lambda: (np.float32(2), x, y, out)) for key, f in saxpy.items()}
    arguments = kernels.arguments("saxpy", (2.0, x, y, out))
    candidates["c"] = timed(kernels.timed("saxpy"), lambda: arguments)
    row = Row("ufunc", "saxpy 10M", interleave(candidates, rounds(quick)))
    row.add_ratio_bar("pyarray", "c", 1.05)
    yield row
    text = "def zero_suppress(value, threshold):\n    return value if abs(value) > threshold else value - value\n"
    suppress = {key: ufunc_of(p, define(text), "float32", 2) for key, p in (("pyarray", pyarray), ("numba", numba))}
    candidates = {key: timed(f, lambda: (x, np.float32(0.5), out)) for key, f in suppress.items()}
    pointers = kernels.arguments("zero_suppress", (x, 0.5, out))
    candidates["c"] = timed(kernels.timed("zero_suppress"), lambda: pointers)
    row = Row("ufunc", "zero_suppress 10M", interleave(candidates, rounds(quick)))
    row.add_ratio_bar("pyarray", "c", 1.05)
    yield row


def least_call_time(functions, arguments, quick):
    number = 10_000 if quick else 50_000
    candidates = {}
    for key, function in functions.items():
        timer = timeit.Timer("function(*arguments)", globals={"function": function, "arguments": arguments})
        candidates[key] = lambda timer=timer: timer.timeit(number) / number
    return interleave(candidates, 5 if quick else 15, min)


def call_rows(quick):
    function = define("def f(x, y):\n    return x + y\n")
    functions = {
        "pyarray": ufunc_of(pyarray, function, "float64", 2),
        "parallel": ufunc_of(pyarray, function, "float64", 2, target="parallel"),
        "numba": ufunc_of(numba, function, "float64", 2),
        "numpy": np.add,
    }
    small = (np.arange(4.0), np.arange(4.0))
    row = Row("ufunc", "call on 4 elements", least_call_time(functions, small, quick))
    row.add_ratio_bar("pyarray", "numpy", 1.1)
    yield row


def layout_rows(quick):
    """Operands of other shapes and strides: none slower than NumPy or Numba."""
    function = define("def f(x, y):\n    return x + y\n")
    plane = RANDOM.uniform(0, 1, (1000, 1000))
    column, line = RANDOM.uniform(0, 1, (100, 1)), RANDOM.uniform(0, 1, 1000)
    shapes = {
        "strided": (plane[:, ::2], plane[:, 1::2]),
        "broadcast 100 x 1000": (column, line),
        "a number beside an array": (plane, np.float64(2)),
        "transposed": (plane.T, plane.T),
        "mixed order": (plane, plane.T),
        "reversed": (plane[::-1, ::-1], plane[::-1, ::-1]),
    }
    packages = {"pyarray": pyarray, "numba": numba}
    functions = {key: ufunc_of(package, function, "float64", 2) for key, package in packages.items()}
    functions["numpy"] = np.add
    for name, arguments in shapes.items():
        warm([functions["pyarray"]], arguments)
        candidates = {key: timed(f, lambda arguments=arguments: arguments) for key, f in functions.items()}
        row = Row("ufunc", name, interleave(candidates, 2 * rounds(quick)))
        row.add_ratio_bar("pyarray", "numpy", 1.05)
        row.add_ratio_bar("pyarray", "numba", 1.05)
        yield row


# Copies of loops are compiled in calls (docs/vectorize.md): measured is what comes after, as with Numba's compilation.
WARM_SECONDS = 0.2


def warm(functions, arguments):
    """Call each function for a while."""
    for function in functions:
        end = time.perf_counter() + WARM_SECONDS
        while time.perf_counter() < end:
            function(*arguments)


def reduction_rows(quick):
    """reduce and accumulate of the same functions: NumPy's own has sums in eight registers, Numba's in memory."""
    values = RANDOM.uniform(0, 1, (1000, 1000))
    function = define("def f(x, y):\n    return x + y\n")
    ufuncs = {key: ufunc_of(p, function, "float64", 2) for key, p in (("pyarray", pyarray), ("numba", numba))}
    ufuncs["numpy"] = np.add
    cases = {
        "add.reduce 1M": (lambda u, a: u.reduce(a), values.ravel(), 1.5),
        "add.reduce axis 0": (lambda u, a: u.reduce(a), values, 1.5),
        "add.reduce axis 1": (lambda u, a: u.reduce(a, axis=1), values, 1.5),
        "add.accumulate 1M": (lambda u, a: u.accumulate(a), values.ravel(), 1.5),
        "add.reduceat by 100": (lambda u, a: u.reduceat(a, np.arange(0, a.size, 100)), values.ravel(), 1.5),
    }
    for name, (call, array, limit) in cases.items():
        calls = {key: partial(call, u) for key, u in ufuncs.items()}
        agree(name, [f(array) for f in calls.values()])
        warm([calls["pyarray"]], (array,))
        candidates = {key: timed(f, lambda array=array: (array,)) for key, f in calls.items()}
        row = Row("ufunc", name, interleave(candidates, 2 * rounds(quick)))
        row.add_ratio_bar("pyarray", "numpy", limit)
        row.add_ratio_bar("pyarray", "numba", 1.0)
        yield row


L2_NORM = """
def l2_norm(vector, result):
    total = 0.0
    for i in range(vector.shape[0]):
        total += vector[i] * vector[i]
    result[0] = math.sqrt(total)
"""
MATMUL = """
def matmul(a, b, c):
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            total = 0.0
            for k in range(a.shape[1]):
                total += a[i, k] * b[k, j]
            c[i, j] = total
"""


def gufunc_rows(quick):
    cases = {
        "l2_norm 1M x 16": (
            L2_NORM, "(n)->()", ["void(float64[:], float64[:])"], (RANDOM.uniform(0, 1, (MILLION, 16)),),
        ),
        "matmul 1000 x 2x4 @ 4x5": (
            MATMUL, "(m,n),(n,p)->(m,p)", ["void(float64[:,:], float64[:,:], float64[:,:])"],
            (RANDOM.uniform(0, 1, (1000, 2, 4)), RANDOM.uniform(0, 1, (1000, 4, 5))),
        ),
    }  # fmt: skip
    for name, (text, layout, types, arguments) in cases.items():
        packages = {"pyarray": pyarray, "numba": numba}
        functions = {key: package.guvectorize(types, layout)(define(text)) for key, package in packages.items()}
        agree(name, [f(*arguments) for f in functions.values()])
        warm([functions["pyarray"]], arguments)
        functions["numpy"] = (lambda a: np.sqrt((a * a).sum(axis=1))) if "norm" in name else np.matmul
        candidates = {key: timed(f, lambda arguments=arguments: arguments) for key, f in functions.items()}
        row = Row("ufunc", name, interleave(candidates, rounds(quick)))
        row.add_ratio_bar("pyarray", "numba", 0.5)
        yield row


def decoration_row(quick):
    """Decorating with one signature, nothing cached: each round decorates another function."""
    counter = iter(range(1000))

    def decorate(package):
        function = define(f"def f(x, y):\n    return x * y + {next(counter)}\n")
        start = time.perf_counter()
        ufunc_of(package, function, "float64", 2)
        return time.perf_counter() - start

    candidates = {"pyarray": lambda: decorate(pyarray), "numba": lambda: decorate(numba)}
    row = Row("ufunc", "decorating one signature", interleave(candidates, rounds(quick)))
    row.add_ratio_bar("pyarray", "numba", 0.25)
    yield row


def measure(quick):
    groups = (
        elementary_rows,
        formula_rows,
        memory_rows,
        call_rows,
        layout_rows,
        reduction_rows,
        gufunc_rows,
        decoration_row,
    )
    for rows in groups:
        yield from rows(quick)
