"""Methods of classes that Python calls by itself, in containers, loops, text, as keys: against CPython."""

import itertools
import linecache
import random

import pyarray
import pytest
from compare import arrays_alive
from pyarray import jitclass, njit, types

pytestmark = pytest.mark.real

_numbers = itertools.count()

CLASSES = """
@jitclass([("x", types.int64), ("y", types.int64)])
class Pair:
    def __init__(self, x, y):
        self.x = x
        self.y = y

    def __eq__(self, other):
        return self.x == other.x and self.y == other.y

    def __lt__(self, other):
        return self.x < other.x

    def __le__(self, other):
        return self.x <= other.x

    def __str__(self):
        return f"P({self.x}, {self.y})"

    def __repr__(self):
        return f"<{self.x}, {self.y}>"

    def __contains__(self, value):
        return value == self.y

    def __iter__(self):
        yield self.x
        yield self.y

    def __radd__(self, other):
        return -1

@jitclass([("x", types.int64), ("y", types.int64)])
class Row:
    LENGTH = 2

    def __init__(self, x, y=7):
        self.x = x
        self.y = y

    def __getitem__(self, position):
        if position == 0:
            return self.x
        if position == 1:
            return self.y
        raise IndexError("Row")

    def __len__(self):
        return 2

    def __repr__(self):
        return f"Row({self.x})"

    @classmethod
    def make(cls, x, *, scale=2):
        return cls(x * scale, cls.LENGTH)

    @classmethod
    def name(cls):
        return cls.__name__

    def again(self):
        return self.make(self.x, scale=3)

    def like(self):
        return type(self)(self.x + 1)

@jitclass([("x", types.int64)])
class Plain:
    def __init__(self, x):
        self.x = x

@jitclass([("x", types.int64)])
class Keyed:
    def __init__(self, x):
        self.x = x

    def __eq__(self, other):
        return self.x == other.x

    def __hash__(self):
        return self.x

@jitclass([("x", types.int64), ("log", types.ListType(types.int64))])
class Never:
    def __init__(self, x, log):
        self.x = x
        self.log = log

    def __eq__(self, other):
        self.log.append(self.x * 10 + other.x)
        return False

    def __lt__(self, other):
        if self.x == 13:
            raise ValueError("13")
        return self.x < other.x
"""

CASES = [
    # __eq__
    "[Pair(3, 4) in [Pair(1, 2), Pair(3, 4)], Pair(3, 5) in [Pair(3, 4)], Pair(3, 5) not in [Pair(3, 4)]]",
    "[Pair(1, 2), Pair(1, 2), Pair(3, 4)].count(Pair(1, 2))",
    "[Pair(1, 2), Pair(1, 2), Pair(3, 4)].index(Pair(1, 2), 1), [Pair(1, 2), Pair(3, 4)].index(Pair(3, 4), -1)",
    "[Pair(1, 2)].index(Pair(2, 1))",
    "[Pair(1, 2)].remove(Pair(2, 1))",
    "[Pair(1, 2)] == [Pair(1, 2)], [Pair(1, 2)] != [Pair(1, 2)], [Pair(1, 2)] == [Pair(1, 2), Pair(1, 2)]",
    "(Pair(1, 2), 1) == (Pair(1, 2), 1), (Pair(1, 2), 1) != (Pair(1, 3), 1), (Pair(1, 2), 1.5) == (Pair(1, 2), 2)",
    "Pair(1, 2) in (Pair(3, 4), Pair(1, 2)), Pair(1, 2) in (Pair(3, 4),), (Pair(1, 2), Pair(1, 2)).count(Pair(1, 2))",
    "{1: Pair(1, 2)} == {1: Pair(1, 2)}, {1: Pair(1, 2)} == {2: Pair(1, 2)}, Pair(1, 2) in {1: Pair(1, 2)}.values()",
    "[[Pair(1, 2)]] == [[Pair(1, 2)]], [(Pair(1, 2), 3)] == [(Pair(1, 2), 3)]",
    "[Pair(1, 2), None] == [Pair(1, 2), None], (None, Row(1)) == (None, Row(1))",
    "(Pair(1, 2), None, 'a') == (Pair(1, 2), None, 'a'), (Pair(1, 2), None) == (Pair(1, 2), 3)",
    "collections.deque([Pair(1, 2)]) == collections.deque([Pair(1, 2)]), Pair(1, 2) in collections.deque([Pair(1, 2)])",
    # order
    "[p.y for p in sorted([Pair(3, 1), Pair(1, 2), Pair(2, 3), Pair(1, 4)])]",
    "[p.y for p in sorted([Pair(3, 1), Pair(1, 2), Pair(2, 3), Pair(1, 4)], reverse=True)]",
    "[n for _, n in sorted([(Pair(3, 1), 1), (Pair(1, 2), 2), (Pair(1, 2), 0)])]",
    "[p.y for p in sorted([Pair(1, 3), Pair(2, 1)], key=lambda p: Pair(-p.x, 0))]",
    "min([Pair(3, 1), Pair(1, 2)]).y, max([Pair(3, 1), Pair(1, 2)]).y",
    "max(Pair(3, 1), Pair(1, 2)).y, min(Pair(3, 1), Pair(1, 2)).y",
    "(1, Pair(1, 2)) < (1, Pair(3, 4)), [Pair(1, 2)] < [Pair(1, 2), Pair(1, 2)]",
    "[Pair(2, 2)] <= [Pair(1, 2)], (Pair(2, 0),) > (Pair(1, 0),)",
    # iteration
    "list(Pair(1, 2)), set(Pair(1, 2)), sum(Pair(1, 2)), max(Pair(1, 2)), sorted(Pair(4, 2)), [*Pair(1, 2), 5]",
    "list(Row(1, 2)), set(Row(1, 2)), sum(Row(1, 2)), max(Row(1, 2)), sorted(Row(4, 2)), [*Row(1, 2), 5]",
    "1 in Row(1, 2), 7 in Row(1, 2), 7 not in Row(1, 2), 1 in Pair(1, 2), 2 in Pair(1, 2)",
    "[(i, v) for i, v in enumerate(Row(1, 2))], list(zip(Row(1, 2), Pair(3, 4))), list(reversed(Row(1, 2)))",
    "any(Row(0, 1)), all(Row(0, 1)), next(iter(Row(5, 6))), list(map(lambda v: v + 1, Row(1, 2)))",
    # text
    "str(Pair(1, 2)), repr(Pair(1, 2)), f'{Pair(1, 2)} {Pair(3, 4)!r} {Pair(5, 6)!s:>9}'",
    "'{} {!r}'.format(Pair(1, 2), Pair(1, 2))",
    "'%s %r' % (Pair(1, 2), Pair(1, 2)), '%s' % Pair(1, 2), ascii(Pair(1, 2)), str(Row(3)), f'{Row(3)}'",
    "str([Pair(1, 2)]), str((Pair(1, 2), 1)), str({1: Pair(1, 2)}), f'{[Pair(1, 2)]}', repr([Pair(1, 2), None])",
    "f'{Pair(1, 2):>8}'",
    # class methods and classes
    "Row.make(4).x, Row.make(4, scale=5).x, Row(1).make(2).y, Row(2).again().x",
    "Row(1).like().x, Row.name(), Row(1).name()",
    "type(Row(1)) is Row, type(Row(1)) is Pair, type(Row(1)) == Row, type(Row(1)).__name__, isinstance(Row(1), Row)",
]  # fmt: skip

FUNCTIONS = {
    "unpacking": """
def f():
    a, b = Pair(1, 2)
    c, d = Row(3, 4)
    e, *g = Pair(5, 6)
    *h, i = Row(7, 8)
    return a, b, c, d, e, g, h, i
""",
    "too many": """
def f():
    (a,) = Row(3, 4)
    return a
""",
    "too few": """
def f():
    a, b, c = Pair(3, 4)
    return a
""",
    "removal": """
def f():
    items = [Pair(1, 2), Pair(3, 4), Pair(1, 2)]
    items.remove(Pair(1, 2))
    return [p.x for p in items]
""",
    "identity first": """
def f():
    log = [0]
    a, b = Never(1, log), Never(2, log)
    found = a in [b, a, b], [a, b].index(b), [a] == [a], (a, 1) == (a, 1), [a, b].count(a), [b, a] == [a, b]
    return found, len(log), list(log)
""",
    "an exception in a sort": """
def f():
    log = [0]
    items = [Never(x, log) for x in (5, 13, 1, 13, 2)]
    try:
        items.sort()
    except ValueError as error:
        return str(error), sorted([item.x for item in items])
""",
    "identity as key": """
def f():
    a, b = Plain(1), Plain(1)
    counts = {a: 1, b: 2}
    counts[a] += 5
    seen = {a, b, a}
    found = a in seen, Plain(1) in seen, (a, 1) in {(a, 1)}
    return counts[a], counts[b], len(counts), len(seen), found, sum([k.x for k in counts])
""",
    "a key that is not there": """
def f():
    try:
        return {Plain(1): 5}[Plain(1)]
    except KeyError:
        return -1
""",
    "printed": """
def f():
    pair = Pair(1, 2)
    print(pair, [pair], sep=";")
""",
}


OPERATORS = dict(zip("add sub mul truediv floordiv mod pow lshift rshift and or xor matmul".split(),
                     "+ - * / // % ** << >> & | ^ @".split()))  # fmt: skip


def every_method():
    """A class with all operators, each of which says its name."""
    text = """
@jitclass([("x", types.int64), ("last", types.unicode_type)])
class Every:
    def __init__(self, x):
        self.x = x
        self.last = ""

    def __bool__(self):
        return self.x > 1

    def __len__(self):
        return 7

    def __int__(self):
        return self.x + 1

    def __float__(self):
        return self.x + 0.5

    def __complex__(self):
        return self.x + 1j

    def __index__(self):
        return self.x

    def __round__(self, digits=0):
        return "round", digits

    def __floor__(self):
        return "floor"

    def __ceil__(self):
        return "ceil"

    def __trunc__(self):
        return "trunc"

    def __divmod__(self, other):
        return "divmod", other

    def __hash__(self):
        return 12345

    def __call__(self, a, *rest, k=2):
        return a, len(rest), k

    def __getitem__(self, i):
        return "get", i

    def __setitem__(self, i, value):
        self.x = i * value

    def __delitem__(self, i):
        self.x = -i

    def __contains__(self, value):
        return value == self.x

    def __iter__(self):
        return self

    def __next__(self):
        self.x -= 1
        if self.x < 0:
            raise StopIteration
        return self.x
"""
    for name in OPERATORS:
        text += f"    def __{name}__(self, other):\n        return '{name}', self.x, other\n"
        text += f"    def __r{name}__(self, other):\n        return 'r{name}', self.x, other\n"
        text += f"    def __i{name}__(self, other):\n        self.last = 'i{name}'\n"
        text += "        self.x += other\n        return self\n"
    for name in ("neg", "pos", "invert", "abs"):
        text += f"    def __{name}__(self):\n        return '{name}', self.x\n"
    for name in ("eq", "ne", "lt", "le", "gt", "ge"):
        text += f"    def __{name}__(self, other):\n        return '{name}', self.x, other\n"
    return text


EVERY = {
    "binary": ", ".join(f"E(3) {sign} 2, 2 {sign} E(3), 1.5 {sign} E(3)" for sign in OPERATORS.values()),
    "comparisons": ", ".join(f"E(3) {sign} 2, 2 {sign} E(3), E(1) {sign} 'a'" for sign in "== != < <= > >=".split()),
    "unary": "-E(1), +E(1), ~E(1), abs(E(1)), not E(1), not E(2), 1 if E(1) else 2, bool(E(2)), len(E(1)), hash(E(1))",
    "numbers": "int(E(1)), float(E(1)), complex(E(1)), round(E(1)), round(E(1), 3), divmod(E(1), 2), pow(E(2), 3)",
    "parts": "math.floor(E(1)), math.ceil(E(1)), math.trunc(E(1)), math.sqrt(E(4)), math.gcd(E(6), 4)",
    "indices": "[5, 6, 7][E(1)], (5, 6, 7)[E(1)], 'abc'[E(1)], list(range(E(3))), operator.index(E(4))",
    "bases": "bin(E(5)), hex(E(17)), oct(E(9)), chr(E(65)), math.isfinite(E(1)), list(range(1, E(4), 2))",
    "items": "E(1)[2], E(1)[1, 2], 3 in E(3), 4 in E(3), 4 not in E(3), list(E(3)), sum(E(4)), next(E(3))",
    "calls": "E(1)(5), E(1)(5, 6, 7, k=8), list(map(E(1), [1, 2])), callable(E(1)), callable(Plain(1))",
    "functions": "operator.add(E(1), 2), operator.lt(E(1), 2), operator.contains(E(3), 3), operator.neg(E(1))",
}


@pytest.mark.parametrize("case", EVERY)
def test_every_operator(case):
    text = every_method() + f"\nimport math, operator\nE = Every\ndef f():\n    return {EVERY[case]}\n"
    assert outcome(load(text, plain=False)) == outcome(load(text, plain=True))


def test_operators_in_place():
    steps = "".join(f"    e {sign}= 2\n    log.append(e.last)\n" for sign in OPERATORS.values())
    text = (
        every_method()
        + f"\ndef f():\n    log = ['']\n    e = kept = Every(3)\n{steps}    e[4] = 5\n    log.append(str(e.x))\n"
    )
    text += "    del e[6]\n    items = [1, 2, 3]\n    items[Every(1)] = 9\n    del items[Every(0)]\n"
    text += "    return log, e.x, e is kept, items\n"
    assert outcome(load(text, plain=False)) == outcome(load(text, plain=True))


def load(text, plain, name="f"):
    """What the text defines, with the classes; compiled or plain."""
    import collections

    names = {"types": types, "collections": collections, "__name__": f"protocols{next(_numbers)}"}
    names["jitclass"] = (lambda spec: lambda cls: cls) if plain else jitclass
    text = CLASSES + text
    file = f"<{names['__name__']}>"
    linecache.cache[file] = len(text), None, text.splitlines(True), file
    exec(compile(text, file, "exec"), names)
    return names[name] if plain or isinstance(names[name], type) else njit(names[name])


def outcome(function):
    try:
        return repr(function())
    except Exception as error:
        return type(error).__name__


@pytest.mark.parametrize("case", CASES)
def test_expressions(case):
    text = f"def f():\n    return {case}\n"
    assert outcome(load(text, plain=False)) == outcome(load(text, plain=True))


@pytest.mark.parametrize("case", FUNCTIONS)
def test_functions(case, capsys):
    text = FUNCTIONS[case]
    results = []
    for plain in (False, True):
        result = outcome(load(text, plain))
        results.append((result, capsys.readouterr().out))
    assert results[0] == results[1]


def test_random_sorts():
    text = "def f(numbers, reverse):\n    items = [Pair(n // 3, n) for n in numbers]\n"
    text += "    items.sort(reverse=reverse)\n    return [p.y for p in items]\n"
    compiled, plain = load(text, plain=False), load(text, plain=True)
    numbers = random.Random(5)
    for length in (*range(1, 12), 31, 32, 33, 100):
        given = [numbers.randrange(length * 2) for _ in range(length)]
        for reverse in (False, True):
            assert compiled(given, reverse) == plain(given, reverse)


def test_instances_that_may_be_none():
    text = "def f(none):\n    pair = None if none else Pair(1, 2)\n"
    text += "    shown = str(pair), repr(pair), f'{pair} {pair!r}', '%s' % (pair,)\n"
    text += "    return shown, str([pair]), str((pair, 1)), ascii(pair)\n"
    compiled, plain = load(text, plain=False), load(text, plain=True)
    assert compiled(True) == plain(True) and compiled(False) == plain(False)


LOOPS = {
    "for": "    total = 0\n    for value in row:\n        total += value\n    return total\n",
    "left early": "    for value in row:\n        if value > 3:\n            return value\n    return -1\n",
    "unpacked": "    a, b = row\n    return a, b\n",
    "starred": "    a, *b = row\n    return a, b\n",
    "list": "    return list(row), sum(row), [*row], list(zip(row, [1, 2])), 3 in row, list(reversed(row))\n",
}


@pytest.mark.parametrize("case", LOOPS)
@pytest.mark.parametrize("cls", ["Row(3, 4)", "Pair(3, 4)"])
def test_going_over_what_may_be_none(case, cls):
    text = f"def f(none):\n    row = None if none else {cls}\n{LOOPS[case]}"
    if cls.startswith("Pair"):
        text = text.replace(", list(reversed(row))", "")
    compiled, plain = load(text, plain=False), load(text, plain=True)
    assert compiled(False) == plain(False)
    for function in (compiled, plain):
        with pytest.raises(TypeError, match="NoneType"):
            function(True)


def test_none_is_equal_to_none_alone():
    text = "def f():\n    items = [Pair(3, 4), None]\n"
    text += "    return items == [None, Pair(3, 4)], items.count(None), items.index(None), None in items[:1]\n"
    assert load(text, plain=False)() == (False, 1, 1, False)


def test_text_of_a_class_without_methods_for_it():
    text = load("def f():\n    p = Plain(1)\n    return str(p), f'{p}', str([p])\n", plain=False)()
    assert text[0].startswith("<protocols") and ".Plain object at 0x" in text[0]
    assert text[1] == text[0] and text[2] == f"[{text[0]}]"


@pytest.mark.parametrize(
    "case, message",
    [
        ("{Pair(1, 2): 3}", "unhashable type: instance of Pair"),
        ("{Keyed(1)}", "its class has __eq__; use a tuple of its fields"),
        ("{(Pair(1, 2), 1): 3}", "unhashable type"),
        ("sorted([Plain(1), Plain(2)])", "no operator '<'"),
        ("tuple(Pair(1, 2))", "the length of a tuple is part of its type"),
        ("(*Pair(1, 2), 3)", "the length of a tuple is part of its type"),
        ("max(*Pair(1, 2))", "the argument after \\* must be a tuple"),
        ("Plain(1)[0]", "has no method __getitem__"),
        ("list(Plain(1))", "cannot be iterated over"),
        ("Row.nothing()", "class 'Row' has no attribute 'nothing'"),
    ],
)
def test_what_is_refused(case, message):
    with pytest.raises(pyarray.TypingError, match=message):
        load(f"def f():\n    return {case}\n", plain=False)()


def test_keys_from_python():
    Plain, Keyed = (load("", plain=False, name=name) for name in ("Plain", "Keyed"))

    @njit
    def get(values, key):
        return values[key]

    @njit
    def back(values):
        return values

    a, b = Plain(1), Plain(1)
    assert get({a: 5, b: 6}, b) == 6 and list(back({a: 5, b: 6})) == [a, b] and back({a}) == {a}
    with pytest.raises(KeyError):
        get({a: 5}, b)
    for values in ({Keyed(1): 5}, {(Keyed(1), 1): 5}, {Keyed(1)}):
        with pytest.raises(TypeError, match="keys of this type are not hashable"):
            get(values, next(iter(values)))


def test_class_methods_in_python():
    row = load("", plain=False, name="Row")
    assert (row.make(4).x, row.make(4, scale=5).x, row(1).make(3).y, row(2).again().x) == (8, 20, 2, 6)
    assert row.make(1).like().x == 3 and row.name() == "Row"


def test_nothing_is_left():
    text = """
def f(n):
    items = [Pair(n - i, i) for i in range(n)]
    items.sort()
    counts = {Plain(i): [i] for i in range(n)}
    a, b = items[0]
    text = str(items) + f'{items[0]}'
    items.remove(Pair(1, n - 1))
    return len(items), a, b, len(text), len(counts), items[:1] == items[1:2]
"""
    function = load(text, plain=False)
    function(3)
    before = arrays_alive()
    assert function(20)[:3] == (19, 1, 19)
    assert arrays_alive() == before
