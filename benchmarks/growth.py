"""How the time to compile a function grows with its length: n, 2n and 4n times a statement of each kind."""

import math
import pathlib
import tempfile

import sources
from first_compile import compile_time
from measure import Bar, Row, interleave

NAMES = """
import math
import numpy as np
from pyarray import njit

@njit
def squares(n):
    for i in range(n):
        yield i * i

@njit
def watched(n):
    try:
        for i in range(n):
            yield i * 2
    finally:
        n += 1

@njit
def small(x, y):
    if x > y:
        return x - y
    return x * y + 1

@njit
def turned(a, b, c, d, e):
    return e, a, b, c, d
"""

ARRAYS = "tuple(np.arange(5.0) for _ in range(5))"
ARRAY = "np.arange(50.0)"

# Kind: n, argument, what comes before, and the statement, with {k} for its number; then what is returned of each, or t.
STATEMENTS = {
    "loops over a range": (100, 5, "t = 0", "for i in range(n):\n    t += i * {k}"),
    "loops over a list": (100, [1, 2], "t = 0", "for x in n:\n    t += x * {k}"),
    "loops over a dict": (50, {1: 2}, "t = 0", "for k, v in n.items():\n    t += k * v + {k}"),
    "loops left by break": (100, [1, 2], "t = 0", "for x in n:\n    if x > {k}:\n        break\n    t += x"),
    "loops over generators": (25, 5, "t = 0", "for x in squares(n + {k}):\n    t += x"),
    "generators with try": (25, 5, "t = 0", "for x in watched(n + {k}):\n    t += x"),
    "generators kept": (25, 5, "t = 0", "g = squares(n)\nfor x in g:\n    t += x\nt += next(g, {k})"),
    "generators in lists": (25, 5, "t = 0", "gs = [squares(n)]\nfor x in gs[0]:\n    t += x"),
    "calls": (125, 5, "t = 0", "t += small(t, n + {k})"),
    "lists": (100, 5, "t = 0", "a{k} = [n, {k}]\nt += len(a{k})"),
    "appends": (250, [1], "t = 0", "n.append({k})\nt += n[-1]"),
    "strings": (125, "abc", "t = 0", "s = n + '{k}'\nt += len(s.upper())"),
    "dict stores": (250, {1: 2}, "t = 0", "n[{k}] = t\nt += n[1]"),
    "tries": (50, 5, "t = 0", "try:\n    t += 10 // (n - {k})\nexcept ZeroDivisionError:\n    t -= 1"),
    "branches": (1000, 5, "t = 0", "if t > {k}:\n    t -= n\nelse:\n    t += 1"),
    "float lines": (1000, 5, "t = 1.5", "t = t * 1.25 + n + {k}"),
    "tuples of arrays": (50, ARRAYS, "t = 0.0", "p{k} = n[4], n[3], n[2], n[1], n[0]\na, b, c, d, e = p{k}\nt += b[0]"),
    "tuples of arrays, all returned": (50, ARRAYS, "", "p{k} = n[4], n[3], n[2], n[1], n[0]", "p{k}"),
    "tuples of arrays from calls": (50, ARRAYS, "t = 0.0", "p{k} = turned(*n)\nt += p{k}[{k} % 5][0]"),
    "array statements, one after the other": (250, ARRAY, "t = n", "t = t * 1.25 + n"),
    "array statements, side by side": (25, ARRAY, "t = 0.0", "a{k} = n * {k}.0\nt += a{k}[1]"),
    "array statements in place": (25, ARRAY, "t = n.copy()", "t += n * {k}.0"),
    "slices": (25, ARRAY, "t = n.copy()", "t[1:-1] = n[2:] - n[:-2] * {k}.0"),
    "sums of arrays": (25, ARRAY, "t = 0.0", "t += (n * {k}.0).sum()"),
    "small arrays": (50, ARRAY, "t = np.zeros(3)", "t += np.array([n[0], {k}.0, 2.0])"),
    "lists of tuples of arrays": (25, ARRAYS, "t = 0.0", "p{k} = [n, turned(*n)]\nt += p{k}[1][2][0]"),
}


def source(kind, count):
    _, argument, before, statement, *returned = STATEMENTS[kind]
    result = ", ".join(text.replace("{k}", str(k)) for text in returned for k in range(count)) or "t"
    lines = [before, *(statement.replace("{k}", str(k)) for k in range(count)), f"return {result}"]
    body = "".join(f"    {line}\n" for text in lines for line in text.splitlines())
    given = argument if argument in (ARRAY, ARRAYS) else repr(argument)
    return f"{NAMES}\n@njit\ndef repeated(n):\n{body}\ndef first_call():\n    return repeated({given})\n"


def measure(quick):
    """A bar is met where four times the statements take less than 4 ** 1.3 times as long."""
    with tempfile.TemporaryDirectory() as name:
        for kind, (least, *_) in STATEMENTS.items():
            tasks = {count: (f"{kind} {count}", source(kind, count)) for count in (least, 2 * least, 4 * least)}
            candidates = {
                str(count): compile_time(pathlib.Path(name), "pyarray", ("warm up", sources.WARM_UP), task)
                for count, task in tasks.items()
            }
            times = interleave(candidates, 1 if quick else 3, min)
            row = Row("growth", f"{kind}, {'/'.join(times)}", dict(zip(("n", "2n", "4n"), times.values())))
            row.bars.append(Bar("exponent", math.log(row.ratio("4n", "n"), 4), 1.3))
            yield row
