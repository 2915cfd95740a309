"""Random functions whose types may grow without an end: test/fuzz/growing.py --seconds 60 --seed 1.

Variables, items, results, arguments, what is yielded, closures, partials and fields are given what holds themselves, in
loops, recursion, comprehensions and calls. A program passes where its result equals CPython's (where ints and floats
meet, compiled code has floats), where it raises an exception of CPython's class, and where it is refused with a
TypingError or UnsupportedError. It may take PROCESSOR seconds, and MEMORY bytes more than there were, more where its
own values are large.
"""

import collections
import random
import resource
import sys
import tracemalloc
import warnings
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "python")]

import numpy as np  # noqa: E402
from fuzz import child, programs  # noqa: E402
from pyarray import TypingError, UnsupportedError, njit, types  # noqa: E402
from pyarray.experimental import jitclass, structref  # noqa: E402
from pyarray.extending import overload  # noqa: E402
from random_programs import forms, plain  # noqa: E402

PROCESSOR, WALL, MEMORY = 10, 60, 200 << 20
ITEM = 8  # times as large as CPython's reference is one of ours, which holds the value
DEPTH = 3  # of recursion, and rounds of loops: what comes out stays small

# {x} is what may grow, {n} an int, {y} another that may grow, {o} the number of a function. A program has a few forms.
FORMS = (
    forms("({x}, {n}); ({n}, {x}); ({x},); ({x}, {y}); [{x}]; {{{n}: {x}}}; Pair({n}, {x}); ({x}, None); {x}", 2)
    + forms("[{x}, {y}]; [{x}] * 2; ({x},) * 2; ({x}, [{y}]); {{'k': {x}, 'l': {y}}}; {{{x}}}; {{{x}: {n}}}")
    + forms("{x} + {y}; {x} + ({n},); (*{x}, {n}); [*{x}, {n}]; {x}[0]; {x}[-1]; {x} * 2; {x}[1:]; {x} or {y}")
    + forms("({x} is None, {y}); ({x} if {n} > 1 else None); ({x} if {n} else {y}); deque([{x}]); max([{x}, {y}])")
    + forms("[{x} for _ in range(2)]; {{k: {x} for k in range(2)}}; [e for e in ({x}, {y})]; [e for e in [{x}] if e]")
    + forms("[[{x}] for e in range({n})]; tuple([{x}, {y}]); list(({x}, {x})); sorted([{x}, {y}]); dict(p={x})")
    + forms("(lambda: {x}); (lambda: ({x}, {n}))(); (lambda p: (p, {y}))({x}); partial(first, {x})")
    + forms("partial(first, {x})({y}); zip([{x}], [{y}]); list(zip([{x}], [{y}])); list(enumerate([{x}]))")
    + forms("[*map(single, [{x}])]; (e for e in [{x}]); single({x}); first({x}, {y}); rest({n}, {x}, {y})")
    + forms("rest(*({x}, {y})[0:1], {n}); rest({n}, *({x}, {y})); named(p={x}, q={y}); overloaded({x})")
    + forms("Box({n}).put({x}, {n}); Link({x}, {n}); Link({n}, {x}).rest; next(nested({x}, {n} % 2))")
    + forms("list(nested({x}, 2)); f{o}({x}, {n} - 1); f{o}({x}, {n} - 1); (f{o}({x}, {n} - 1), {y})")
    + forms("f{o}(({x}, {n}), {n} - 1); f{o}([{x}], {n} - 1); [f{o}({x}, {n} - 1)]; f{o}({x}, {n} - 1)[0]")
    + forms("f{o}({y}, {n} - 2); f{o}(lambda: {x}, {n} - 1); f{o}(partial(first, {x}), {n} - 1)")
)
PLAIN = forms("None; x", 3)
PLAIN += forms("1; 0.5; 2j; True; 'a'; b'b'; []; (); {{}}; set(); [1]; (1, 2); [None]; {{0: None}}; deque(); {n}")
ARGUMENTS = forms("1; None; [1, 2]; (1, 2)", 2)
ARGUMENTS += forms("0.5; 'a'; (1, 0.5); [(1, 2)]; ((1,), 2); {{1: 2}}; {{1, 2}}; np.ones(2); True; Pair(1, 2)")
STATEMENTS = (
    forms("{v} = {g}; {v}, {w} = {g}, {g}; {v} = {p}; {v} = [{p}]; {v} = {w} = {g}", 2)
    + forms("xs.append({g}); ds[{n}] = {g}; ss.add({g}); xs.extend([{g}]); xs.insert(0, {g}); ds.setdefault({n}, {g})")
    + forms("xs = [{g}]; xs.append({v}); ds[{n}] = {v}; {v} = xs[-1]; {v} = ds[{n}]; {v} = ds.get({n}); ss.add({v})")
    + forms("{v} = xs; {v} = ds; {v} = ss; {v} += {g}; {v}, *{w} = {g}; for {v} in {g}:@pass; for {v} in [{g}]:@break")
    + forms("if {v} is not None:@{v}.append({g}); {v}[0].append({g}); {v} = ({p}, {n}); {v} = ds.get({n}, {g})")
    + forms(
        "if {v}:@{v}[{n}] = {g}; {v}.append({g}); {v}[0][0] = {g}; {v} = ({g} if {n} else {p}); xs.extend(({p}, {g}))"
    )
    + forms("if {n}:@return {g}; def h():@return {g}@@{v} = h; def h(q):@return (q, {g})@@{v} = h({w})")
)
HEADER = """from collections import deque, namedtuple
from functools import partial

from pyarray import types

Pair = namedtuple("Pair", "number rest")


@njit
def first(a, *b):
    return a


@njit
def single(a):
    return (a,)


@njit
def rest(*a):
    return a


@njit
def named(**a):
    return a["p"]


@njit
def nested(a, n):
    yield a
    if n > 0:
        for b in nested({yielded}, n - 1):
            yield {again}


def overloaded(a):
    return {overloaded}


@overload(overloaded)
def overload_of_it(a):
    return lambda a: {overloaded}


@jitclass([("value", types.ListType(types.int64))])
class Box:
    def __init__(self, n):
        self.value = [n]

    def put(self, a, n):
        return {put}


"""

LOOPS = ["for k in range(3):", "for k in range(n):", "for k in (1, 2):"]
WITHIN = {
    "yielded": forms("a; (a, n); [a]; (a, a); {{n: a}}; lambda: a; partial(first, a)"),
    "again": forms("b; (b, n); [b]; (b, None); {{b}}; a"),
    "overloaded": forms("(a,); [a]; (a, a); a; (a, None); lambda: a; overloaded([a])[0]"),
    "put": forms("a; (a, self.value); [a]; self; self.put((a, n), n - 1) if n > 0 else a; [self.put(a, n - 1)]"),
}


class Writer:
    def __init__(self, seed):
        self.random = random.Random(f"growing {seed}")
        self.functions = self.random.randint(1, 3)
        self.forms = self.some(FORMS, 4)
        self.statements = self.some(STATEMENTS, 4)
        self.plain = self.some(PLAIN, 2)
        self.lines = []

    def choose(self, options):
        return self.random.choice(options)

    def some(self, options, most):
        return [self.choose(options) for _ in range(self.random.randint(1, most))]

    def grown(self, names=("x", "y", "z"), depth=1):
        """A value that holds others."""
        inner = self.grown(names, depth - 1) if depth and self.random.random() < 0.2 else self.choose(names)
        number = self.random.randrange(self.functions)
        return self.choose(self.forms).format(x=inner, y=self.choose(names), n="n", o=number)

    def base(self):
        return self.choose(self.plain).format(n="n")

    def statement(self, indent):
        v, w = self.random.sample(["x", "y", "z"], 2)
        text = self.choose(self.statements)
        while "{g}" in text:
            text = text.replace("{g}", self.grown().replace("{", "{{").replace("}", "}}"), 1)
        block, _, after = text.format(v=v, w=w, n="n", p=self.base()).partition("@@")
        head, _, body = block.partition("@")
        self.lines += [" " * indent + head]
        self.lines += [" " * (indent + 4) + body] if body else []
        self.lines += [" " * indent + after] if after else []

    def block(self, indent, depth=2):
        for _ in range(self.random.randint(1, 2)):
            kind = self.choose(["loop", "loop", "if", "try", *["statement"] * 4]) if depth else "statement"
            if kind == "statement":
                self.statement(indent)
            else:
                self.compound(kind, indent, depth)

    def compound(self, kind, indent, depth):
        heads = {"loop": LOOPS, "if": ["if n > 1:", "if n % 2:", "if x is None:"], "try": ["try:"]}
        self.lines.append(" " * indent + self.choose(heads[kind]))
        self.block(indent + 4, depth - 1)
        if kind == "try":
            self.lines += [" " * indent + "except (IndexError, KeyError):", " " * (indent + 4) + f"x = {self.grown()}"]

    def function(self, number):
        leave = "yield" if number and self.random.random() < 0.15 else "return"
        self.lines += ["@njit", f"def f{number}(x, n):", f"    y = z = {self.base()}", "    xs, ds, ss = [], {}, set()"]
        self.lines += ["    if n <= 0:", f"        {leave} {self.base()}"] + ["        return"] * (leave == "yield")
        if self.random.random() < 0.7:
            self.block(4)
        self.lines += [f"    {leave} {self.grown()}", "", ""]

    def program(self):
        header = HEADER
        for name, options in WITHIN.items():
            header = header.replace("{" + name + "}", self.choose(options))
        for number in range(self.functions):
            self.function(number)
        return header + "\n".join(self.lines)


def compiled_by_python(source):
    """None where it is no program."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of what is written but cannot work
        try:
            return compile(source, programs.FILENAME, "exec")
        except SyntaxError:
            return None


def program(seed, features=None):
    """(source, texts of arguments) for a seed."""
    writer = Writer(seed)
    while not compiled_by_python(source := writer.program()):
        writer.lines = []
    return source, [f"({writer.choose(ARGUMENTS).format()}, {n})" for n in (0, 1, DEPTH)]


@structref.register
class LinkType(types.StructRef):
    pass


class Link(structref.StructRefProxy):
    def __new__(cls, value, rest):
        return structref.StructRefProxy.__new__(cls, value, rest)


structref.define_proxy(Link, LinkType, ["value", "rest"])



class PlainLink:
    """What a Link is for CPython: equal to itself alone, and hashed by that."""

    def __init__(self, value, rest):
        self.value, self.rest = value, rest


COMPILED = {"njit": njit, "overload": overload, "jitclass": jitclass, "Link": Link}
INTERPRETED = {
    "njit": plain,
    "overload": lambda function: lambda body: body,
    "jitclass": lambda fields: lambda of_fields: of_fields,
    "Link": PlainLink,
}


def names_of(source, given):
    names = {"np": np, "__name__": programs.MODULE, **given}
    programs.show(source)
    exec(compiled_by_python(source), names)
    return names


def outcome(function, arguments):
    try:
        return "returned", function(*arguments)
    except (TypingError, UnsupportedError):
        return "refused", None
    except Exception as error:  # NumPy has classes of its own that are some of Python's
        return "raised", next(c.__name__ for c in type(error).__mro__ if not c.__module__.startswith("numpy"))


def as_data(value):
    """A result as what == compares; functions, generators and their like all as one."""
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, (list, collections.deque)):
        return [type(value).__name__, *map(as_data, value)]
    if isinstance(value, tuple):
        return tuple(map(as_data, value))
    if isinstance(value, (set, frozenset)):
        return set(map(as_data, value))
    if isinstance(value, dict):
        return {as_data(key): as_data(item) for key, item in value.items()}
    return value if value is None or isinstance(value, (int, float, complex, str, bytes, np.generic)) else "other"


def interpreted(source, text):
    names = names_of(source, INTERPRETED)
    return outcome(names["f0"], eval(text, dict(names)))


def memory_of_values(source, text):
    """The bytes that CPython has for what a call makes, at most."""
    tracemalloc.start()
    interpreted(source, text)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


def failure(source, calls):
    """What goes wrong with a program; None if nothing does."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    used = resource.getrusage(resource.RUSAGE_SELF)
    resource.setrlimit(resource.RLIMIT_CPU, (int(used.ru_utime + used.ru_stime) + PROCESSOR + 1,) * 2)
    for text in calls:
        compiled = names_of(source, COMPILED)
        got = outcome(compiled["f0"], eval(text, dict(compiled)))
        grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) << 10
        if grown > MEMORY:
            fits = grown <= MEMORY + ITEM * memory_of_values(source, text)
            return None if fits else f"f0{text}: {grown >> 20} MB"  # too large to be compared
        if got[0] == "refused":
            return None
        wanted = interpreted(source, text)
        if got[0] == "raised" and wanted == ("raised", "AttributeError"):
            return None  # a method that there is not: not looked for where an argument comes to have no type
        if got[0] != wanted[0] or (as_data(got[1]) != as_data(wanted[1]) if got[0] == "returned" else got != wanted):
            return f"f0{text}\n  {got}\nbut CPython\n  {wanted}"
    return None


def run(source, calls, seconds=WALL):
    """failure() in a process of its own."""
    state, result = child.call(failure, source, calls, seconds=seconds)
    return result if state == "done" else f"{state}: {result}"


FUZZER = programs.Fuzzer("growing types", program, run, programs.CORPUS.parent / "growing", ())

if __name__ == "__main__":
    sys.exit(programs.main(FUZZER, __doc__))
