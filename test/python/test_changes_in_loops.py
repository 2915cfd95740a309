"""Deques, dicts and sets that change while they are gone over: RuntimeError where CPython has it, as CPython does.

Each program runs compiled and in CPython, on a deque `d`, a dict `k`, a set `s` and a list `out` of what was seen.
"""

import collections
import itertools
import linecache
import textwrap

import pytest
from pyarray import njit
from pyarray._pyarray import allocation_counts

pytestmark = pytest.mark.real

PROGRAM = """
def f(d, k, s):
    out = [0]
    try:
{}
    except (RuntimeError, KeyError, IndexError) as error:
        return out, len(d), str(error)
    return out, len(d), ""
"""
NAMES = {"collections": collections, "itertools": itertools}


def outcome(function):
    arguments = collections.deque([1, 2, 3, 4]), {1: 1, 2: 2, 3: 3}, {1, 2, 3}
    return function(*arguments), arguments


def check(program):
    text = PROGRAM.format(textwrap.indent(program, " " * 8))
    name = f"<changes {hash(text)}>"
    linecache.cache[name] = len(text), None, text.splitlines(True), name
    names = dict(NAMES)
    exec(compile(text, name, "exec"), names)
    compiled = njit(names["f"])
    before = allocation_counts()
    got = outcome(compiled)
    after = allocation_counts()
    wanted = outcome(names["f"])
    assert got == wanted
    assert after[0] - before[0] == after[1] - before[1]
    return wanted[0][2]


STEPS = ["d.append(x)", "d.pop()", "d.popleft()", "d.appendleft(1)", "d.rotate(1)", "d.rotate(0)", "d.clear()"]
STEPS += ["d.insert(1, x)", "d.remove(x)", "del d[0]", "d += [x]", "d *= 2", "d.extend(d)"]
STEPS += ["d.extend(e for e in [5, 6])", "d.extendleft([7])"]


@pytest.mark.parametrize("loop", ["for x in d: {}", "for x in reversed(d): {}", "for i, x in enumerate(d): {}",
                                  "for x, y in zip(d, [1, 2, 3]): {}", "for x, y in zip([1, 2, 3], d): {}",
                                  "for i, (x, y) in enumerate(zip(reversed(d), d)): {}",
                                  "for x in d:\n    if x > 5: break\n    {}"])  # fmt: skip
@pytest.mark.parametrize("step", STEPS)
def test_deques(loop, step):
    assert check(loop.format(step)) == "deque mutated during iteration"


@pytest.mark.parametrize(
    "program",
    ["for x in d: d[0] = x", "for x in d: d.reverse()", "for x in d: d *= 1",
     "for x in d:\n    d.append(5)\n    break", "for x, y in zip([1], d): d.append(x)",
     "for x, y in zip([1], k): k[9] = x", "for x in d.copy(): d.append(x)", "for x in list(d): d.append(x)",
     "d.extend(d)", "d += d", "d.extendleft(d)", "out.extend(reversed(d))",
     "q = collections.deque(d, 2)\nfor x in d: q.append(x)\nout += q"],
)  # fmt: skip
def test_what_is_no_change(program):
    assert check(program) == ""


@pytest.mark.parametrize(
    "program",
    ["d.extend(iter(d))", "d += iter(d)", "d.extendleft(iter(d))", "d.extend(x for x in d)",
     "d.extendleft(x for x in d)", "d.extend(reversed(d))", "d.extendleft(reversed(d))",
     "for x in d:\n    if x == 4: d.append(5)", "out += [d.append(x) is None for x in d]",
     "out += list({x + len(d) for x in d if d.append(x) is None})", "out += list({x: d.append(x) is None for x in d})",
     "out.append(sum(d.append(x) is None for x in d))", "out.append(any(d.append(x) is not None for x in d))",
     "out.append(5 in (d.append(x) is None for x in d))", "out += list(map(lambda x: d.append(x) is None, d))",
     "out += list(filter(lambda x: d.append(x) is None, d))", "out.append(max(d, key=lambda x: d.append(x) is None))",
     "out += list(itertools.accumulate(d, lambda p, q: p + len(d) + (d.append(1) is None)))",
     "it = iter(d)\nout.append(next(it))\nd.append(3)\nout.append(next(it))",
     "it = iter(d)\nd.append(3)\nout.append(next(it))", "it = enumerate(d)\nd.append(3)\nout += [p for p, q in it]",
     "it = reversed(d)\nd.append(3)\nout += list(it)", "it = zip(d, d)\nd.append(3)\nout += [p for p, q in it]",
     "it = itertools.chain(d, d)\nout.append(next(it))\nd.append(3)\nout += list(it)",
     "out += [y for x in d for y in d if d.append(x) is None]",
     "q = collections.deque([1], 1)\nfor x in q: q.append(2)",
     "q = collections.deque([1], 0)\nfor x in d: q.append(x)\nfor x in d:\n    out.append(x)\n    d.appendleft(x)",
     "for x in d:\n    for y in d:\n        out.append(y)\n        if y == 2: d.append(1)",
     "for x in d:\n    try:\n        d.append(x)\n    finally:\n        out.append(9)",
     "def g():\n    for x in d:\n        yield x\n        d.append(1)\nout += list(g())",
     "def g():\n    yield from reversed(d)\nit = g()\nout.append(next(it))\nd.append(1)\nout += list(it)"],
)  # fmt: skip
def test_deques_everywhere(program):
    assert check(program) == "deque mutated during iteration"


def test_deques_of_text_and_loops_that_carry_values():
    @njit
    def f(n):
        d = collections.deque(["a", "b\u20ac"])
        text, seen = "", [""]
        try:
            for x in d:
                text = text + x + str(n)
                seen = [*seen, text]
                if len(seen) > n:
                    d.append(text)
        except RuntimeError:
            seen.append("changed")
        return text, seen, list(d)

    for n in range(4):
        before = allocation_counts()
        got = f(n)
        after = allocation_counts()
        assert got == f.py_func(n)
        assert after[0] - before[0] == after[1] - before[1]


@pytest.mark.parametrize(
    "program",
    ["for x in {}: k[50 + len(k)] = 1", "for x in {}: k.popitem()", "for x in {}: k.clear()",
     "for x in {}:\n    out.append(1)\n    if len(out) == 4: k[99] = 1", "it = {}\nk[55] = 1\nout += [1 for x in it]",
     "for i, x in enumerate({}): k.pop(3)", "out += [k.setdefault(50 + len(k), 1) for x in {}]"],
)  # fmt: skip
@pytest.mark.parametrize("entries", ["k", "k.keys()", "k.values()", "k.items()"])
def test_dicts_from_the_end(entries, program):
    assert check(program.format(f"reversed({entries})")) == "dictionary changed size during iteration"
    if not program.startswith("it"):
        assert check(program.format(entries)) == "dictionary changed size during iteration"


def test_reversed_dicts():
    check("""
out += list(reversed(k)) + list(reversed(k.values()))
del k[2]
k[7] = 70
out += list(reversed(k)) + list(reversed(k.values())) + [p + q for p, q in reversed(k.items())]
out += [i + x for i, x in enumerate(reversed(k))]
a, b, *c = reversed(k)
out += [a, b, len(c), sum(reversed(k)), max(reversed(k.values())), next(iter(reversed(k)))]
out += sorted(reversed(k), key=lambda e: -e)
for x in reversed(k):
    k[x] = 10
for x in reversed(k.items()):
    out.append(x[1])
    if x[0] == 3:
        break
out += list(reversed(collections.Counter([5, 5, 6]))) + list(reversed({1: 2}))
""")


@pytest.mark.parametrize(
    "program",
    ["it = iter(s)\ns.add(99)\nout.append(next(it))", "for x in s: s.add(x + 50)", "for x in s: s.discard(x)",
     "s.update(x + 20 for x in s)", "s.update(x + 20 for x in iter(s))"],
)  # fmt: skip
def test_sets(program):
    assert check(program) == "Set changed size during iteration"


@pytest.mark.parametrize(
    "program",
    ["it = iter(k)\nk[55] = 1\nout.append(next(it))",
     "it = iter(k.values())\nout.append(next(it))\nk[55] = 1\nout += it",
     "k.update((x + 20, x) for x in k)", "k.update((x + 20, x) for x in iter(k))"],
)  # fmt: skip
def test_dicts(program):
    assert check(program) == "dictionary changed size during iteration"
