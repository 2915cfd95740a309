"""Lists, dicts, strings, generators, functions as values: compile time, loops, and what passing them costs."""

import pathlib
import statistics
import tempfile
import time
import types

import numba
import numpy as np
import pyarray
import sources
from calls import time_calls
from first_compile import compile_time
from kernels import PYTHON, SIZES, load
from measure import PACKAGES, Bar, Row, interleave, timed

# Each defines first_call().
COMPILED = {
    "dict build": """
from pyarray import njit

@njit
def build(n):
    d = {}
    for i in range(n):
        d[i] = i * 0.5
    return d[3]

def first_call():
    return build(10)
""",
    "list append": """
from pyarray import njit

@njit
def append(n):
    xs = []
    for i in range(n):
        xs.append(i * 0.5)
    return xs[3]

def first_call():
    return append(10)
""",
    "jitclass": """
from pyarray import njit, types
from pyarray.experimental import jitclass

@jitclass([("x", types.float64), ("n", types.int64)])
class Mean:
    def __init__(self):
        self.x = 0.0
        self.n = 0

    def add(self, x):
        self.x += x
        self.n += 1
        return self.x / self.n

@njit
def use(m):
    return m.add(2.0) + m.n

def first_call():
    m = Mean()
    return use(m) + m.add(1.0)
""",
    "str upper": """
from pyarray import njit

@njit
def upper(s):
    return s.upper()

def first_call():
    return upper("spam")
""",
    "generator": """
from pyarray import njit

@njit
def squares(n):
    for i in range(n):
        yield i * i

@njit
def total(n):
    t = 0
    for x in squares(n):
        t += x
    return t

def first_call():
    return total(10)
""",
}


def sum_list(xs, repeats):
    total = 0.0
    for _ in range(repeats):
        for i in range(len(xs)):
            total += xs[i]
        for x in xs:
            total -= 0.5 * x
    return total


def append_list(n):
    xs = [0.0]
    for i in range(n):
        xs.append(i * 0.5)
    return len(xs)


def insert_dict(n):
    d = {0: 0.0}
    for i in range(n):
        d[i * 7919] = i * 0.5
    return len(d)


def add_set(n):
    s = {0}
    for i in range(n):
        s.add(i * 7919)
    return len(s)


def look_up(n):
    d = {0: 0.0}
    for i in range(1000):
        d[i * 7919] = i * 0.5
    total = 0.0
    for i in range(n):
        total += d[(i % 1000) * 7919]
    return total


def concatenate(n):
    s = ""
    for _i in range(n):
        s += "ab"
    return len(s)


def squares(n):
    for i in range(n):
        yield i * i


def fibonacci():
    a, b = 0, 1
    while True:
        yield a
        a, b = b, a + b


def guarded(xs):
    try:
        for i in range(len(xs)):
            yield xs[i]
    finally:
        xs[0] += 1.0


def kept(n):
    g = squares(n)
    total = 0
    for x in g:
        total ^= x
        if x > 100:
            break
    for x in g:
        total ^= 3 * x
    return total


def one_by_one(n):
    g = squares(n)
    total = 0
    for _i in range(n):
        total ^= next(g)
    return total


def sum_guarded(xs):
    total = 0.0
    for x in guarded(xs):
        total += x
    return total


def left_early(n, bound):
    total = 0
    for _i in range(n):
        for x in fibonacci():
            if x > bound:
                break
            total += x & 1
    return total


def total_of(xs):
    return xs[0] + xs[1] + xs[2]


def apply(f, x):
    return f(x)


def halve(x):
    return 0.5 * x


LOOPS = {
    "list append 100k": (append_list, (100_000,)),
    "dict insert 100k": (insert_dict, (100_000,)),
    "set add 100k": (add_set, (100_000,)),
    "dict look up 1M": (look_up, (1_000_000,)),
    "str concatenation 20k": (concatenate, (20_000,)),
}


# Generators that a function uses, by the names of globals that both compilers have to compile.
GENERATORS = {
    "generator kept, 1M": (kept, (1_000_000,)),
    "generator by next, 1M": (one_by_one, (1_000_000,)),
    "generator, yield in try, 1M": (sum_guarded, (np.ones(1_000_000),)),
    "generator left early, 730k": (left_early, (10_000, 10**15)),
}


def measure_compile(quick):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for task in COMPILED.items():
            candidates = {p: compile_time(folder, p, ("warm up", sources.WARM_UP), task) for p in PACKAGES}
            row = Row("language", f"compile: {task[0]}", interleave(candidates, 2 if quick else 5))
            row.add_ratio_bar("pyarray", "numba", 0.1)
            yield row


def time_loop(function, arguments, numba_arguments, quick):
    compiled = {"pyarray": (pyarray.njit(function), arguments), "numba": (numba.njit(function), numba_arguments)}
    candidates = {}
    for name, (f, values) in {**compiled, "cpython": (function, arguments)}.items():
        f(*values)
        candidates[name] = timed(f, lambda values=values: values)
    return interleave(candidates, 5 if quick else 15, min)


def measure_loops(quick):
    ours, theirs = pyarray.typed.List(), numba.typed.List()
    for i in range(1000):
        ours.append(float(i))
        theirs.append(float(i))
    tasks = {"typed list, loops 1M": (sum_list, (ours, 500), (theirs, 500))}
    tasks.update({name: (f, arguments, arguments) for name, (f, arguments) in LOOPS.items()})
    for name, task in tasks.items():
        row = Row("language", name, time_loop(*task, quick))
        row.add_ratio_bar("pyarray", "numba", 1.0 if name.startswith("set") else 1 / 1.5)
        yield row


def with_globals(decorate, function):
    """The function compiled, with the generators that it names compiled by the same compiler."""
    scope = {f.__name__: decorate(f) for f in (squares, fibonacci, guarded)}
    return decorate(types.FunctionType(function.__code__, scope, function.__name__))


def measure_generators(quick):
    for name, (function, arguments) in GENERATORS.items():
        candidates = {"cpython": timed(function, lambda arguments=arguments: arguments)}
        for package in (pyarray, numba):
            compiled = with_globals(package.njit, function)
            compiled(*arguments)
            candidates[package.__name__] = timed(compiled, lambda arguments=arguments: arguments)
        row = Row("language", name, interleave(candidates, 5 if quick else 15, min))
        row.add_time_bar("pyarray", 2e-3)  # 2 ns an item
        yield row


def measure_calls(quick):
    xs = [1.0, 2.0, 3.0]
    functions = {"pyarray": pyarray.njit(total_of), "numba": numba.njit(total_of), "cpython": total_of}
    row = Row("language", "call: list of 3 floats", time_calls(functions, (xs,), quick))
    row.add_ratio_bar("pyarray", "numba", 0.2)
    yield row
    times = {}
    for package in (pyarray, numba):
        f, g = package.njit(apply), package.njit(halve)
        g(1.0)
        times.update(time_calls({package.__name__: f}, (g, 1.0), quick))
    row = Row("language", "call: a function as argument", times)
    row.bars.append(Bar("pyarray in ns", times["pyarray"] * 1e9, 150))
    yield row


def refuse(decorate, text):
    """Seconds until a function is refused."""
    function = decorate(sources.source_function(text, {"np": np}))
    start = time.perf_counter()
    try:
        function(1.0)
    except Exception:
        return time.perf_counter() - start
    raise AssertionError("the function was compiled")


def measure_refusal(quick):
    lines = "".join(f"    x = x * 1.5 + {i}\n" for i in range(198))
    text = f"def f(x):\n{lines}    return x.nothing\n"
    candidates = {p.__name__: lambda p=p: refuse(p.njit, text) for p in (pyarray, numba)}
    row = Row("language", "refusal in 200 lines", interleave(candidates, 2 if quick else 5))
    row.add_time_bar("pyarray", 50e-3)
    yield row


def measure_checks(quick):
    """What bounds checks cost on the kernels."""
    ratios = []
    for name, size in SIZES.items():
        candidates = {}
        for label in ("pyarray", "unchecked"):
            module = load(name, PYTHON[label])
            make_arguments = lambda module=module, size=size: module.arguments(size)
            function = getattr(module, name)
            function(*make_arguments())
            candidates[label] = timed(function, make_arguments)
        row = Row("language", f"checks: {name}", interleave(candidates, 5 if quick else 15, min))
        row.add_ratio_bar("pyarray", "unchecked", 1.15)
        ratios.append(row.ratio("pyarray", "unchecked"))
        yield row
    mean = Row("language", "checks: geometric mean")
    mean.bars.append(Bar("pyarray/unchecked", statistics.geometric_mean(ratios), 1.05))
    yield mean


def measure(quick):
    yield from measure_compile(quick)
    yield from measure_loops(quick)
    yield from measure_generators(quick)
    yield from measure_calls(quick)
    yield from measure_refusal(quick)
    yield from measure_checks(quick)
