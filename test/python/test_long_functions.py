"""Long functions: loops that become functions of their own, exits that share what raises release; against CPython."""

import copy

import numpy as np
import pytest
from compare import define, outcome
from pyarray import njit

pytestmark = pytest.mark.usefixtures("nothing_leaks")


def squares(n):
    for i in range(n):
        yield i * i


def watched(n, log):
    try:
        for i in range(n):  # noqa: UP028
            yield i
    finally:
        log.append(n)


COMPILED = {"squares": njit(squares), "watched": njit(watched)}
PLAIN = {"squares": squares, "watched": watched}


def long(head, body, count, tail):
    """A function whose body has a text with {k} for each number below count: compiled, and as it is."""
    source = head + "".join(body.replace("{k}", str(k)) for k in range(count)) + tail
    return define(source, **COMPILED), define(source, decorator=lambda f: f, **PLAIN)


def check(functions, *arguments):
    """Results or exceptions, and what the arguments hold afterwards."""
    ours, theirs = copy.deepcopy(arguments), copy.deepcopy(arguments)
    assert repr((outcome(functions[0], ours), ours)) == repr((outcome(functions[1], theirs), theirs)), arguments


def test_loops_over_containers():
    head = "def f(xs, d, s, a, n):\n    t = 0\n    last = -1\n"
    body = """\
    for x in xs:
        if x > n + {k}:
            break
        t += x
        last = x
    for key, value in d.items():
        t += key * value - {k}
    for c in s:
        if c == "b":
            t += {k}
    for i in range(len(a)):
        t += int(a[i]) * i
        a[i] = t % 7
"""
    f = long(head, body, 30, "    return t, last\n")
    for n in 0, 5, 100:
        check(f, [1, 9, 30], {1: 2, 5: 7}, "abcb", np.arange(9), n)


def test_a_long_loop_of_long_loops():
    head = "def f(n, out):\n    t = 0\n    for k in range(n):\n        u = 0.5\n"
    body = """\
        for i in range(n + {k}):
            if i * k > 20 + {k}:
                continue
            for j in range(i):
                u += i * j
        t += int(u) % 1000
"""
    f = long(head, body, 60, "        out.append(u)\n    out.append(t * 1.0)\n    return t\n")
    check(f, 5, [0.5])
    check(f, 0, [0.5])


# The line of a raise within a loop, what it releases, and how often.
def test_raises_in_loops():
    head = "def f(xs, at, log):\n    t = 0\n    kept = [at]\n"
    body = """\
    new{k} = [at, {k}]
    for x in xs:
        t += new{k}[x] + len(kept)
        if t == at:
            raise ValueError("at", {k}, t)
    kept.append(t)
    log.append({k})
"""
    f = long(head, body, 60, "    return t, kept\n")
    check(f, [0, 1], -1, [0])
    for index in 2, -3:
        check(f, [0, index], -1, [0])
    for at in range(0, 9000, 997):
        check(f, [0, 1, 1], at, [0])


@pytest.mark.parametrize("count", [3, 40])
def test_loops_over_generators(count):
    head = "def f(n, stop, log):\n    t = 0\n"
    body = """\
    for x in watched(n + {k}, log):
        if x == stop:
            break
        for y in squares(x):
            t += y
        if t == {k} * stop:
            raise KeyError(x, {k})
"""
    f = long(head, body, count, "    log.append(-1)\n    return t\n")
    for stop in 2, 3, 1000, 5, 0, -1:
        check(f, 3, stop, [7])


def test_objects_that_live_until_the_end():
    body = '    v{k} = "a{k}" + s\n    w{k} = v{k} + v{k}[{k} % n]\n    t += len(w{k})\n'
    tail = "".join(f"    t += len(v{k}) * ord(w{k}[-1])\n" for k in range(0, 100, 7)) + "    return t\n"
    f = long("def f(s, n):\n    t = 0\n", body, 100, tail)
    for s, n in ("bcd", 3), ("", 1), ("x" * 100, 90), ("", 3), ("b", 60), ("b", 0):
        check(f, s, n)


def test_tries():
    head = "def f(xs, n, log):\n    t = 0\n"
    body = """\
    try:
        new = [t, {k}]
        for x in xs:
            more = [x]
            t += new[x] // (n - {k}) + len(more)
            try:
                t += [t, x][x - n]
            except IndexError:
                more.append({k})
                t += len(more) // (x - {k})
    except ZeroDivisionError:
        log.append({k})
    except IndexError as error:
        log.append(t)
"""
    f = long(head, body, 40, "    return t\n")
    for n in 0, 1, 7, 100:
        check(f, [0, 1], n, [5])
        check(f, [0, 1, 2, 3], n, [5])


# Each calls several before it, and has a value that it captures, or none:
# what types hold does not grow with their number.
@pytest.mark.parametrize("captured", ["k", "n"])
def test_functions_that_call_several_before_them(captured):
    k = "7" if captured == "k" else "n"
    first = "".join(f"    def g{i}(y):\n        return y + {k}\n" for i in range(3))
    called = "g{a}(y + 1) if y % 3 == 0 else g{b}(y + 2) - {k} if y % 3 == 1 else g{c}(y * 2 % 97)"
    results = [called.format(a=i - 1, b=i - 2, c=i - 3, k=k) for i in range(3, 60)]
    later = "".join(f"    def g{i}(y):\n        return {result}\n" for i, result in enumerate(results, 3))
    f = long("def f(n):\n" + first + later, "", 0, "    return g59(n), g30(n)\n")
    for n in 1, 4:
        check(f, n)


# Blocks that are emitted in parts.
def test_many_statements_in_a_row():
    body = "    t = (t * 3 + n - {k}) & 65535\n    u = u * 0.75 + n + {k}\n"
    f = long("def f(n, x):\n    t = 1\n    u = x\n", body, 500, "    return t, u\n")
    for n in 2, -5:
        check(f, n, 1.5)


@pytest.mark.parametrize("count", [99, 150, 450])
@pytest.mark.parametrize("length", ["n", "len(a0)"])
def test_one_index_of_many_arrays(count, length):
    """LLVM's indvars is left out above 100 checks of a loop, and instcombine above 400."""
    names = ", ".join(f"a{k}" for k in range(count))
    head = f"def f(n, {names}):\n    s, t = 0.0, 0\n    for i in range({length}):\n        t += i * i\n"
    functions = long(head, "        s += float(a{k}[i])\n", count, "    return s, t\n")
    arrays = [np.arange(5.0) + k for k in range(count)]
    for short in (None, 0, count // 2, count - 1):
        some = [array[:3] if k == short else array for k, array in enumerate(arrays)]
        check(functions, 5, *some)
        check(functions, 3, *some)
        check(functions, 0, *some)
