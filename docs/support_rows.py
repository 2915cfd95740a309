# ruff: noqa: E501  (a table)
"""What docs/python-support.md lists: sections of (name, code).

Code is an expression, or the body of a function. The names of PARAMETERS in it are the function's parameters; SETUP has the
globals. Code that defines a function `f` is a module.
"""

#: Arguments of the functions, made anew for each call.
PARAMETERS = {
    "i": "7",
    "j": "-3",
    "x": "2.5",
    "y": "-0.75",
    "z": "(1.5-2j)",
    "p": "True",
    "none": "None",
    "s": "'Spam, eggs and spam'",
    "w": "'ham'",
    "b": "b'spam, eggs'",
    "ba": "bytearray(b'spam')",
    "mv": "memoryview(b'spam')",
    "numbers": "array.array('d', [0.5, 1.5])",
    "t": "(1, 2.5, 'three')",
    "u": "(3, 1, 2)",
    "xs": "[3, 1, 2]",
    "fs": "[0.5, -1.5, 2.0]",
    "ss": "['pear', 'apple', 'fig']",
    "d": "{'a': 1, 'b': 2}",
    "e": "{3, 1, 2}",
    "o": "{2, 5}",
    "a": "np.arange(6.0)",
    "m": "np.arange(6).reshape(2, 3)",
    "rows": "np.rec.array([(1, 0.5), (2, 1.5)], [('n', 'i8'), ('v', 'f8')])",
    "when": "np.datetime64('2024-02-29')",
    "ago": "np.timedelta64(3, 'D')",
}

#: Globals of all functions, made once; `njit`, `jitclass` and `types` are the compiler's.
SETUP = """
import bisect, cmath, collections, enum, functools, heapq, itertools, math, operator, random, statistics, time, typing
import numpy as np

class Colour(enum.Enum):
    RED = 1
    GREEN = 2

class Size(enum.IntEnum):
    SMALL = 1
    LARGE = 10

class Mode(enum.Flag):
    READ = 1
    WRITE = 2

Point = collections.namedtuple("Point", "x y")

class Vector(typing.NamedTuple):
    x: float
    y: float = 0.0

class Failure(ValueError):
    pass

NUMBERS = [2, 3, 5]
TABLE = {"one": 1, "two": 2}
PRIMES = {2, 3, 5, 7}
LIMITS = (1, 2.5)
WEIGHTS = np.array([0.5, 0.25, 0.25])
NAME = "global"
"""

#: More of them, which are compiled.
FUNCTIONS = """
@njit
def half(x):
    return x / 2

@njit
def count_to(n):
    for k in range(n):
        yield k

@njit
def add_all(*numbers):
    return sum(numbers)
"""

STATEMENTS = [
    ("assignment, chained", "q = r = i\nreturn q + r"),
    ("assignment, unpacking", "q, (r, v) = i, (x, j)\nreturn q, r, v"),
    ("assignment, starred", "q, *r = u\nreturn q, r"),
    ("augmented assignment", "q = i\nq += 2\nq *= x\nreturn q"),
    ("annotated assignment", "q: int = i\nreturn q"),
    ("assignment expression `:=`", "if (q := i + 1) > 2:\n    return q\nreturn 0"),
    ("`del` of a name", "q = i\ndel q\nreturn i"),
    ("`if`, `elif`, `else`", "if i > 10:\n    return 1\nelif i > 5:\n    return 2\nelse:\n    return 3"),
    ("`if` with a frozen global: the branch that is not taken is not compiled", "return i if np.little_endian else np.no_such_name(i)"),
    ("an int and a mask of 64 bits in a loop", "q = i\nfor _ in range(9):\n    q = (q * 6364136223846793005 + 1) & 0xFFFFFFFFFFFFFFFF\nreturn q >> 33"),
    ("conditional expression", "i if p else j"),
    ("`while`, `else`", "q = 0\nwhile q < i:\n    q += 2\nelse:\n    q += 100\nreturn q"),
    ("`for` over `range`", "q = 0\nfor k in range(i):\n    q += k\nreturn q"),
    ("`for`, `else`, `break`, `continue`", "q = 0\nfor k in range(100):\n    if k % 2:\n        continue\n    if k > i:\n        break\n    q += k\nelse:\n    q = -1\nreturn q"),
    ("`for` over an array, a row at a time", "q = 0\nfor row in m:\n    q += row[1]\nreturn q"),
    ("`for` over a list", "q = 0\nfor v in xs:\n    q = 10 * q + v\nreturn q"),
    ("`for` over a dict", "q = 0\nfor k in d:\n    q += d[k]\nreturn q"),
    ("`for` over a set", "q = 0\nfor v in e:\n    q += v\nreturn q"),
    ("`for` over text", "q = 0\nfor c in s:\n    q += ord(c)\nreturn q"),
    ("`for` over bytes", "q = 0\nfor c in b:\n    q += c\nreturn q"),
    ("`for` over a tuple of one type", "q = 0\nfor v in u:\n    q += v\nreturn q"),
    ("`for` over a tuple of several types", "q = ''\nfor v in t:\n    q += str(v)\nreturn q"),
    ("`for` over a generator", "q = 0\nfor v in count_to(i):\n    q += v\nreturn q"),
    ("nested targets in `for`", "q = 0\nfor k, (v, r) in enumerate(zip(xs, xs)):\n    q += k * v + r\nreturn q"),
    ("`assert`", "assert i > 0, 'positive'\nreturn i"),
    ("`pass`, docstrings", "'''Text.'''\npass\nreturn i"),
    ("`return` without a value", "return"),
    ("`match` on constants", "match i:\n    case 1 | 2:\n        return 'few'\n    case 7:\n        return 'seven'\n    case _:\n        return 'many'"),
    ("`match` on sequences, guards", "match u:\n    case (3, q, r) if q < r:\n        return q + r\n    case _:\n        return 0"),
    ("`match` on classes", "match Point(i, x):\n    case Point(x=7, y=q):\n        return q\nreturn 0.0"),
    ("`match` on mappings", "match d:\n    case {'a': q}:\n        return q\nreturn 0"),
    ("`try`, `except`", "try:\n    return i // 0\nexcept ZeroDivisionError:\n    return -1"),
    ("`try`, `except`, `else`, `finally`", "q = 0\ntry:\n    q += i\nexcept ValueError:\n    q = -1\nelse:\n    q += 10\nfinally:\n    q += 100\nreturn q"),
    ("`except` with several classes", "try:\n    return xs[i]\nexcept (KeyError, IndexError):\n    return -1"),
    ("`except ... as e`, `e.args`", "try:\n    raise ValueError('wrong', i)\nexcept ValueError as e:\n    return e.args"),
    ("`str(e)`", "try:\n    raise ValueError('wrong')\nexcept ValueError as e:\n    return str(e)"),
    ("`type(e)`, `e.__class__`", "try:\n    raise Failure('wrong')\nexcept ValueError as e:\n    return type(e) is ValueError, type(e) in (Failure, KeyError), e.__class__.__name__"),
    ("`e.args` of a callee's and a dict's exceptions", "def g(v):\n    if v > 3:\n        raise KeyError(v)\n    return {1: 2}[v]\ntry:\n    return g(i)\nexcept KeyError as e:\n    return e.args[0]"),
    ("`raise` again", "try:\n    try:\n        raise KeyError(i)\n    except KeyError:\n        raise\nexcept LookupError:\n    return 1"),
    ("`raise ... from`", "try:\n    try:\n        raise KeyError(i)\n    except KeyError as e:\n        raise ValueError('v') from e\nexcept ValueError:\n    return 1"),
    ("`raise` with computed arguments", "try:\n    raise ValueError(f'{i} is wrong', x)\nexcept ValueError:\n    return i"),
    ("exception classes of the user", "try:\n    raise Failure(i)\nexcept ValueError:\n    return 1"),
    ("`except*`", "try:\n    q = i\nexcept* ValueError:\n    q = 0\nreturn q"),
    ("`with`", "with open('f') as file:\n    return 1"),
    ("`global` assigned", "global NAME\nNAME = 'other'\nreturn i"),
    ("`nonlocal`", "q = i\ndef g():\n    nonlocal q\n    q += 1\ng()\nreturn q"),
    ("`import`", "import math\nreturn math.sqrt(x)"),
    ("`class`", "class C:\n    pass\nreturn i"),
    ("`async def`", "async def g():\n    return 1\nreturn i"),
    ("`lambda`", "g = lambda v: v * i\nreturn g(3)"),
    ("nested functions, closures", "def g(v):\n    return v + i\nreturn g(1) + g(x)"),
    ("recursion", "def f(i):\n    return 1 if i < 2 else i * f(i - 1)"),
    ("default arguments", "def g(v, k=3):\n    return v * k\nreturn g(i) + g(i, k=j)"),
    ("keyword-only and positional-only parameters", "def g(v, /, *, k):\n    return v * k\nreturn g(i, k=j)"),
    ("`*args`", "add_all(i, j, 3)"),
    ("`**kwargs`", "def g(**kw):\n    return kw['v'] + kw['k']\nreturn g(v=i, k=j)"),
    ("`*t` and `**{...}` in calls", "add_all(*u)"),
    ("functions as arguments", "def g(h, v):\n    return h(v)\nreturn g(half, x) + g(lambda v: v + 1, x)"),
    ("functions in tuples", "fs = (half, math.sqrt)\nreturn fs[0](x) + fs[1](x)"),
    ("calls of compiled functions", "half(x) + half(i)"),
    ("generator functions", "q = 0\nfor v in count_to(5):\n    q += v\nreturn q"),
    ("a generator returned to Python", "def f(i):\n    for k in range(i):\n        yield k * 0.5"),
    ("`yield from`", "def f(i):\n    yield from count_to(i)\n    yield 100"),
    ("list comprehensions", "[k * v for k in range(3) for v in xs if v != k]"),
    ("dict comprehensions", "{k: k * k for k in range(i)}"),
    ("set comprehensions", "{k % 3 for k in range(i)}"),
    ("generator expressions", "sum(k * k for k in range(i))"),
    ("`is`, `is not` with None", "q = None if i > 3 else x\nreturn q is None"),
    ("f-strings", "f'{i:>5} {x:.3f} {s!r} {i=}'"),
    ("decorators in functions", "def f(i):\n    @njit\n    def g(v):\n        return v\n    return g(i)"),
]

OPERATORS = [
    ("`+ - * / // % **` of numbers", "(i + j, i - x, i * z, i / j, i // j, i % j, i ** 3, x ** y * y)"),
    ("`<< >> & | ^ ~`", "(i << 3, i >> 1, i & j, i | j, i ^ j, ~i)"),
    ("`@`", "m @ m.T"),
    ("comparisons, chained", "0 < i <= 7 != j"),
    ("`and`, `or`, `not`", "(i and j, i or j, not i)"),
    ("`in`, `not in`", "(i in xs, 2 not in u, 'a' in d, 'eggs' in s)"),
    ("order of tuples", "(i, x) < (i, 3.5)"),
    ("order of tuples that hold lists", "(i, xs) < (i, [3, 2])"),
    ("indexing, negative indices", "(xs[-1], u[0], s[-1], a[-2], m[1, -1])"),
    ("slices", "(xs[1:], s[::2], t[1:])"),
    ("slices of arrays", "a[1:5:2]"),
    ("assignment to slices", "xs[1:] = [8, 9, 10]\nreturn xs"),
    ("deletion of items", "del xs[0], d['a']\nreturn xs, d"),
    ("ellipsis, `np.newaxis`", "m[..., 1]"),
    ("boolean masks", "a[a > 2]"),
    ("operators on whole arrays", "a + 1"),
    ("slices as values", "q = slice(1, 3)\nreturn xs[q], q.start"),
    ("ranges as values", "q = range(1, i, 2)\nreturn len(q), q[1], 3 in q, q.stop"),
]

BUILTINS = [
    ("abs", "(abs(j), abs(y), abs(z))"),
    ("all", "all(v > 0 for v in xs)"),
    ("any", "any([v > 2 for v in xs])"),
    ("ascii", "ascii('ä')"),
    ("bin", "bin(i)"),
    ("bool", "(bool(i), bool(xs), bool(''))"),
    ("bytearray", "bytearray(b'ab')"),
    ("bytes", "bytes([1, 2, 3])"),
    ("callable", "callable(half)"),
    ("chr", "chr(i + 60)"),
    ("complex", "complex(i, x)"),
    ("dict", "dict([(1, 2.5)])"),
    ("dict with keywords", "dict(a=1, b=2)"),
    ("divmod", "(divmod(i, j), divmod(x, y))"),
    ("enumerate", "[k * v for k, v in enumerate(xs, 10)]"),
    ("eval", "eval('1')"),
    ("filter", "list(filter(lambda v: v > 1, xs))"),
    ("float", "(float(i), float('2.5'))"),
    ("format", "format(x, '8.2f')"),
    ("frozenset", "len(frozenset(xs))"),
    ("getattr", "getattr(z, 'real')"),
    ("hasattr", "hasattr(z, 'real')"),
    ("hash", "(hash(i), hash(x), hash((1, 2)))"),
    ("hex", "hex(i * 100)"),
    ("id", "id(xs) == id(xs)"),
    ("input", "input()"),
    ("int", "(int(x), int('12'), int('ff', 16))"),
    ("isinstance", "(isinstance(i, int), isinstance(x, (int, str)))"),
    ("issubclass", "issubclass(int, float)"),
    ("iter", "next(iter(xs))"),
    ("len", "(len(xs), len(s), len(d), len(m), len(u))"),
    ("list", "list(range(i))"),
    ("map", "list(map(half, xs))"),
    ("max", "(max(i, j), max(xs), max(ss, key=len), max(u))"),
    ("max with default", "max([v for v in xs if v > 10], default=0)"),
    ("memoryview", "memoryview(b)[1]"),
    ("min", "(min(i, j), min(xs), min(ss, key=len), min(u))"),
    ("next", "g = count_to(3)\nreturn next(g), next(g)"),
    ("next with default", "g = count_to(0)\nreturn next(g, -1)"),
    ("object", "object() is None"),
    ("oct", "oct(i)"),
    ("open", "open('f')"),
    ("ord", "ord(w[0])"),
    ("pow", "(pow(i, 2), pow(x, y * y))"),
    ("pow with a modulus", "pow(i, 5, 3)"),
    ("print", "print(i, x, s, sep=' | ', end='.')\nreturn i"),
    ("range", "[k for k in range(i, 0, -2)]"),
    ("repr", "repr(t)"),
    ("reversed", "[v for v in reversed(xs)]"),
    ("round", "(round(x), round(x, 1))"),
    ("set", "set(xs)"),
    ("setattr", "setattr(z, 'real', 1)"),
    ("slice", "'abcdef'[slice(1, None, 2)]"),
    ("sorted", "(sorted(xs), sorted(ss, key=len, reverse=True))"),
    ("str", "(str(i), str(x), str(p), str(none))"),
    ("sum", "(sum(xs), sum(fs, 1.0))"),
    ("tuple", "tuple((1, 2))"),
    ("tuple of a list", "tuple(xs)"),
    ("type", "type(x)(i)"),
    ("vars", "vars()"),
    ("zip", "[v * w for v, w in zip(xs, u)]"),
    ("zip with strict", "[v * w for v, w in zip(xs, u, strict=True)]"),
]

LIST = [
    ("display, `+`, `*`", "[1, 2] + xs * 2"),
    ("append", "xs.append(4)\nreturn xs"),
    ("clear", "xs.clear()\nreturn len(xs)"),
    ("copy", "xs.copy()"),
    ("count", "xs.count(1)"),
    ("extend", "xs.extend(u)\nreturn xs"),
    ("`+=` of an iterable", "xs += range(2)\nxs += (k * k for k in u)\nreturn xs"),
    ("index", "(xs.index(2), xs.index(2, 1))"),
    ("insert", "xs.insert(1, 9)\nreturn xs"),
    ("pop", "(xs.pop(), xs.pop(0))"),
    ("remove", "xs.remove(1)\nreturn xs"),
    ("reverse", "xs.reverse()\nreturn xs"),
    ("sort", "xs.sort()\nreturn xs"),
    ("sort with key and reverse", "ss.sort(key=len, reverse=True)\nreturn ss"),
    ("comparisons", "([1, 2] < xs, xs == [3, 1, 2])"),
    ("of lists", "q = [[1], [2, 3]]\nq[0].append(9)\nreturn q"),
    ("of tuples", "[(k, 0.5 * k) for k in range(3)]"),
    ("of arrays", "q = [a, a[1:]]\nreturn q[1][0] + len(q)"),
    ("of dicts", "q = [{1: 2}]\nq[0][3] = 4\nreturn q"),
    ("of functions", "q = [half, math.sqrt]\nreturn q[i % 2](x)"),
    ("of values of several types", "[1, 'a']"),
    ("of None and numbers", "[1.5, None]"),
    ("empty, typed by what is put in", "q = []\nfor k in range(i):\n    q.append(k * 0.5)\nreturn q"),
    ("empty, read before anything is put in", "q = []\nfor k in range(2, 12):\n    if all(k % v for v in q):\n        q.append(k)\nreturn q"),
    ("changed by a called function", "def g(q):\n    q.append(1)\ng(xs)\nreturn xs"),
]

DICT = [
    ("display, comprehension", "{'q': i, **d}"),
    ("items, their assignment and deletion", "d['c'] = d['a'] + 1\ndel d['b']\nreturn d"),
    ("in, len", "('a' in d, len(d))"),
    ("clear", "d.clear()\nreturn len(d)"),
    ("copy", "d.copy()"),
    ("fromkeys", "dict.fromkeys(xs, 0.5)"),
    ("get", "(d.get('a', 0), d.get('z', 0))"),
    ("get without a default", "d.get('z') is None"),
    ("items", "[(k, v) for k, v in d.items()]"),
    ("keys", "[k for k in d.keys()]"),
    ("pop", "(d.pop('a'), d.pop('z', -1))"),
    ("popitem", "d.popitem()"),
    ("setdefault", "d.setdefault('z', 5)\nreturn d"),
    ("update", "d.update({'a': 9})\nreturn d"),
    ("values", "sum(d.values())"),
    ("`|`, `|=`", "d | {'z': 5}"),
    ("`==`", "d == {'a': 1, 'b': 2}"),
    ("keys of tuples", "q = {(1, 'a'): 0.5}\nreturn q[1, 'a']"),
    ("values that are lists", "q = {}\nfor k in range(6):\n    q.setdefault(k % 2, []).append(k)\nreturn q"),
    ("values that are dicts", "q = {1: {2: 3}}\nq[1][4] = 5\nreturn q"),
    ("values that are arrays", "q = {1: a}\nreturn q[1][2]"),
    ("views as sets", "d.keys() & {'a'}"),
]

TYPED = [
    ("`List()`, typed by what is put in", "q = List()\nq.append(x)\nreturn q[0]"),
    ("`List` of an iterable", "q = List(u)\nq.sort()\nreturn (q[0], len(q))"),
    ("`List.empty_list`", "q = List.empty_list(types.float64)\nq.append(x)\nreturn q[0]"),
    ("lists of lists", "rows = types.ListType(types.int64)\n\ndef f(i):\n    q = List.empty_list(rows)\n    q.append(List.empty_list(types.int64))\n    q[0].append(i)\n    return q[0][0]"),
    ("types put together in the function", "q = List.empty_list(types.ListType(types.int64))\nreturn len(q)"),
    ("`Dict()`, typed by what is put in", "q = Dict()\nq[s] = x\nreturn q[s]"),
    ("`Dict` of a dict", "Dict({i: x})[i]"),
    ("`Dict.empty`", "q = Dict.empty(key_type=types.unicode_type, value_type=types.float64)\nq[s] = x\nreturn q[s]"),
    ("`Dict.empty` of tuples and arrays", "pair = types.UniTuple(types.int64, 2)\nvector = types.float64[:]\n\ndef f(i, a):\n    q = Dict.empty(pair, vector)\n    q[i, 1] = a\n    return q[i, 1][2]"),
    ("of instances", "@jitclass([('n', types.int64)])\nclass Own:\n    def __init__(self):\n        self.n = 1\n\nown = getattr(Own, 'class_type', None)\nown = own.instance_type if own else types.int64\n\ndef f(i):\n    q = Dict.empty(types.int64, own)\n    q[i] = Own()\n    return q[i].n"),
    ("`Set`, `Set.empty`", "q = Set.empty(types.int64)\nq.add(i)\nreturn (i in q, len(Set(u)))"),
    ("`isinstance`", "isinstance(List(u), List)"),
]

SET = [
    ("display, comprehension", "{i, j, 7}"),
    ("in, len", "(1 in e, len(e))"),
    ("add", "e.add(9)\nreturn e"),
    ("clear", "e.clear()\nreturn len(e)"),
    ("copy", "e.copy()"),
    ("difference", "(e - o, e.difference(o))"),
    ("difference_update", "e.difference_update(o)\nreturn e"),
    ("discard", "e.discard(1)\ne.discard(100)\nreturn e"),
    ("intersection", "(e & o, e.intersection(o))"),
    ("intersection_update", "e &= o\nreturn e"),
    ("isdisjoint", "e.isdisjoint(o)"),
    ("issubset", "({1} <= e, e.issubset(o))"),
    ("issuperset", "(e >= {1}, e.issuperset(o))"),
    ("pop", "len({e.pop()} & {1, 2, 3})"),
    ("remove", "e.remove(1)\nreturn e"),
    ("symmetric_difference", "(e ^ o, e.symmetric_difference(o))"),
    ("symmetric_difference_update", "e ^= o\nreturn e"),
    ("union", "(e | o, e.union(o))"),
    ("union of several", "e.union(o, xs)"),
    ("update", "e.update(o)\nreturn e"),
    ("frozenset", "frozenset(xs) | {9}"),
]

TUPLE = [
    ("display, `+`", "u + (4, x)"),
    ("index by a literal", "t[1]"),
    ("index by a variable, one type", "u[i % 3]"),
    ("slices", "t[1:]"),
    ("count", "u.count(1)"),
    ("index", "u.index(1)"),
    ("`in`", "2.5 in t"),
    ("`*`", "(1, 2) * 2"),
    ("comparisons", "(u == (3, 1, 2), u < (3, 2), hash(u) == hash((3, 1, 2)))"),
    ("collections.namedtuple", "q = Point(i, y=x)\nreturn q.x + q[1], q"),
    ("typing.NamedTuple", "Vector(x).y"),
    ("namedtuple._replace", "Point(i, x)._replace(x=1)"),
    ("namedtuple._asdict", "Point(i, i)._asdict()"),
    ("order of named tuples", "(max(Point(i, x), Point(j, y)), sorted([Point(i, x), Point(j, y)]))"),
    ("namedtuple._fields", "Point._fields"),
]

STR = [
    ("`+`, `*`, comparisons, `in`", "(s + w, w * 3, s < w, w in s)"),
    ("indexing, slices", "(s[1], s[-3:], s[::-1])"),
    ("capitalize", "s.capitalize()"),
    ("casefold", "'Straße'.casefold() + s.casefold()"),
    ("center", "(w.center(9), w.center(10, '*'))"),
    ("count", "s.count('am')"),
    ("encode", "s.encode()"),
    ("endswith", "s.endswith(('eggs', 'spam'))"),
    ("expandtabs", "'a\\tb'.expandtabs(4)"),
    ("find", "(s.find('eggs'), s.find('zz'))"),
    ("format", "'{} {:>6.2f}'.format(i, x)"),
    ("format with names", "'{v} {k}'.format(v=i, k=x)"),
    ("format_map", "'{a}'.format_map(d)"),
    ("`%`", "'%d %5.2f %s' % (i, x, w)"),
    ("index", "s.index('eggs')"),
    ("isalnum", "s.isalnum()"),
    ("isalpha", "w.isalpha()"),
    ("isascii", "s.isascii()"),
    ("isdecimal", "'12'.isdecimal()"),
    ("isdigit", "'12'.isdigit()"),
    ("isidentifier", "w.isidentifier()"),
    ("islower", "w.islower()"),
    ("isnumeric", "'½'.isnumeric()"),
    ("isprintable", "s.isprintable()"),
    ("isspace", "' '.isspace()"),
    ("istitle", "s.istitle()"),
    ("isupper", "s.isupper()"),
    ("join", "', '.join(ss)"),
    ("join of a generator", "'-'.join(str(v) for v in xs)"),
    ("ljust", "w.ljust(6, '.')"),
    ("lower", "s.lower()"),
    ("lstrip", "s.lstrip('S')"),
    ("maketrans", "str.maketrans('abc', 'xyz')"),
    ("partition", "s.partition(', ')"),
    ("removeprefix", "s.removeprefix('Spam')"),
    ("removesuffix", "s.removesuffix('spam')"),
    ("replace", "(s.replace('a', 'o'), s.replace('a', 'o', 1))"),
    ("rfind", "s.rfind('am')"),
    ("rindex", "s.rindex('am')"),
    ("rjust", "w.rjust(6)"),
    ("rpartition", "s.rpartition(' ')"),
    ("rsplit", "s.rsplit(' ', 1)"),
    ("rstrip", "s.rstrip('m')"),
    ("split", "(s.split(), s.split(', '))"),
    ("splitlines", "'a\\nb'.splitlines()"),
    ("startswith", "s.startswith('Spam')"),
    ("strip", "'  a '.strip()"),
    ("swapcase", "s.swapcase()"),
    ("title", "s.title()"),
    ("translate", "s.translate({97: 'o'})"),
    ("upper", "s.upper()"),
    ("zfill", "w.zfill(5)"),
]

BYTES = [
    ("`+`, `*`, comparisons, `in`", "(b + b'!', b * 2, b < b'z', 115 in b)"),
    ("indexing, slices", "(b[0], b[1:4])"),
    ("count", "b.count(b'a')"),
    ("decode", "b.decode()"),
    ("find", "b.find(b'eggs')"),
    ("fromhex", "bytes.fromhex('2ef0')"),
    ("hex", "b.hex()"),
    ("join", "b', '.join([b, b])"),
    ("maketrans, translate", "b.translate(bytes.maketrans(b'a', b'o'))"),
    ("replace", "b.replace(b'a', b'o')"),
    ("split", "b.split(b', ')"),
    ("startswith", "b.startswith(b'spam')"),
    ("strip", "b.strip(b's')"),
    ("upper", "b.upper()"),
    ("bytearray, items", "ba[0] = 83\nreturn ba"),
    ("bytearray.append, extend", "ba.append(33)\nba.extend(b'?')\nreturn ba"),
    ("memoryview", "v = memoryview(b)\nreturn v[0], len(v), v.nbytes"),
    ("memoryview: cast, tobytes, tolist", "memoryview(b)[:8].cast('i')[1], memoryview(b).tobytes(), memoryview(ba).tolist()"),
    ("memoryview: stores, comparisons", "v = memoryview(ba)\nv[0] = 83\nv[1:3] = b'xy'\nreturn ba, v == b'Sxym'"),
    ("memoryview as an argument", "sum(mv), mv[1:3].tobytes(), mv.readonly"),
    ("array.array as an argument", "numbers[0] + sum(numbers)"),
    ("np.frombuffer", "np.frombuffer(b, np.uint8)[:3], np.frombuffer(ba, np.int32)"),
]

NUMBERS = [
    ("int of 64 bits", "i * 2**40"),
    ("literals in all bases", "0xff + 0o17 + 0b11 + 1_000 + i"),
    ("float, complex", "(x * 2, z * 2)"),
    ("int.bit_length", "i.bit_length()"),
    ("int.bit_count", "i.bit_count()"),
    ("int.to_bytes", "i.to_bytes(2, 'big')"),
    ("float.is_integer", "x.is_integer()"),
    ("float.as_integer_ratio", "x.as_integer_ratio()"),
    ("float.hex", "x.hex()"),
    ("complex.real, imag, conjugate", "(z.real, z.imag, z.conjugate())"),
    ("NumPy's scalar types", "(np.float32(x), np.int8(i), np.uint16(i), np.complex64(z), np.bool_(i))"),
    ("np.float16", "np.float16(x) * 2"),
    ("np.iinfo", "(np.iinfo(np.int32).max, np.iinfo(np.uint8).bits)"),
    ("np.finfo", "(np.finfo(np.float64).eps, np.finfo(np.float32).max)"),
    ("np.dtype attributes", "(a.dtype.itemsize, a.dtype.kind)"),
    ("datetime64, timedelta64", "(when + ago, ago * 2)"),
    ("enum.Flag", "q = Mode.READ | Mode.WRITE\nreturn q.name, bool(q & Mode.READ), [v for v in q]"),
    ("enum.Enum", "q = Colour.RED\nreturn q is Colour.RED, q.value, q.name, q"),
    ("enum.IntEnum", "Size.LARGE + i"),
    ("enum by value", "Colour(2)"),
    ("None", "none is None"),
    ("records: fields", "rows[1].v + rows[0]['n']"),
    ("records: comparisons", "rows[0] == rows[1], rows != rows[0]"),
    ("records: stores", "rows[0].n = 5\nreturn rows[0].n"),
    ("records: text", "str(rows[0]), f'{rows[1]!r}'"),
    ("records: tuple", "tuple(rows[1]), {tuple(rows[0]): 1}"),
    ("structured arrays: a field of all", "rows['v'][1]"),
]

GLOBALS = [
    ("numbers, text", "NAME + str(i)"),
    ("tuples", "LIMITS[1] + i"),
    ("arrays, frozen", "WEIGHTS[0] + i"),
    ("lists, frozen", "NUMBERS[1] + i"),
    ("dicts, frozen", "TABLE['two'] + i"),
    ("sets, frozen", "i in PRIMES"),
    ("enums", "Colour.GREEN.value + i"),
    ("named tuple classes", "Point(1, i)"),
    ("compiled functions", "half(i)"),
    ("modules", "math.pi * i"),
]

CLASSES = [
    ("jitclass", "@jitclass([('v', types.int64)])\nclass C:\n    def __init__(self, v):\n        self.v = v\n    def twice(self):\n        return 2 * self.v\n@njit\ndef f(i):\n    return C(i).twice()"),
    ("jitclass: annotated fields", "@jitclass\nclass C:\n    v: int\n    def __init__(self, v):\n        self.v = v\n@njit\ndef f(i):\n    return C(i).v"),
    ("jitclass: properties, static methods", "@jitclass([('v', types.int64)])\nclass C:\n    def __init__(self, v):\n        self.v = v\n    @property\n    def w(self):\n        return self.v\n    @staticmethod\n    def one():\n        return 1\n@njit\ndef f(i):\n    return C(i).w + C.one()"),
    ("jitclass: operators", "@jitclass([('v', types.int64)])\nclass C:\n    def __init__(self, v):\n        self.v = v\n    def __add__(self, o):\n        return C(self.v + o.v)\n    def __getitem__(self, k):\n        return self.v + k\n    def __len__(self):\n        return 3\n@njit\ndef f(i):\n    return (C(i) + C(1))[2] + len(C(i))"),
    ("jitclass: inheritance", "@jitclass([('v', types.int64)])\nclass C:\n    def __init__(self, v):\n        self.v = v\n@jitclass([])\nclass D(C):\n    pass\n@njit\ndef f(i):\n    return i"),
]

MATH = [(f"math.{name}", f"math.{name}({arguments})") for name, arguments in (
    [(name, "0.5") for name in "acos acosh_ asin asinh atan atanh cbrt cos cosh degrees erf erfc exp exp2 expm1 fabs floor ceil gamma isfinite isinf isnan lgamma log log10 log1p log2 modf frexp radians sin sinh sqrt tan tanh trunc ulp".split() if not name.endswith("_")]
    + [("acosh", "x"), ("atan2", "x, y"), ("comb", "i, 2"), ("copysign", "x, y"), ("dist", "(1.0, x), (y, 2.0)"), ("factorial", "i"),
       ("fmod", "x, y"), ("fsum", "fs"), ("gcd", "12, i"), ("hypot", "x, y"), ("isclose", "x, y"), ("isqrt", "i"), ("lcm", "i, 4"), ("ldexp", "x, i"),
       ("nextafter", "x, y"), ("perm", "i, 2"), ("pow", "x, y * y"), ("prod", "xs"), ("remainder", "x, y")])]  # fmt: skip

CMATH = [(f"cmath.{name}", f"cmath.{name}(z)") for name in
         "acos acosh asin asinh atan atanh cos cosh exp isfinite isinf isnan log log10 phase polar sin sinh sqrt tan tanh".split()] + [
    ("cmath.rect", "cmath.rect(x, y)"), ("cmath.isclose", "cmath.isclose(z, z)")]  # fmt: skip

MODULES = [
    ("bisect.bisect, bisect_left, insort", "q = sorted(xs)\nbisect.insort(q, 2)\nreturn bisect.bisect(q, 2), bisect.bisect_left(q, 2), q"),
    ("collections.Counter", "q = collections.Counter(s)\nq['z'] += 1\nreturn q['a'], q['q'], q.most_common(2), q.total()"),
    ("collections.Counter: `+ - & |`", "(collections.Counter(s) + collections.Counter(w)).most_common()"),
    ("collections.OrderedDict", "collections.OrderedDict()"),
    ("collections.defaultdict", "q = collections.defaultdict(int)\nq[1] += 1\nreturn q[1]"),
    ("collections.defaultdict of lists", "q = collections.defaultdict(list)\nfor v in ss:\n  q[len(v)].append(v)\nreturn dict(q)"),
    ("collections.deque", "q = collections.deque(xs)\nq.appendleft(9)\nq.rotate(1)\nreturn q.pop(), q.popleft(), len(q)"),
    ("functools.partial", "functools.partial(half, 2.0)()"),
    ("functools.reduce", "functools.reduce(lambda q, r: q * r, xs, 1)"),
    ("heapq.heapify, heappush, heappop", "heapq.heapify(xs)\nheapq.heappush(xs, 0)\nreturn heapq.heappop(xs), xs"),
    ("heapq.heappushpop, heapreplace", "heapq.heapify(xs)\nreturn heapq.heappushpop(xs, 0), heapq.heapreplace(xs, 5)"),
    ("heapq.merge", "list(heapq.merge([1, 4], [2, 3]))"),
    ("heapq.nlargest, nsmallest", "(heapq.nlargest(2, xs), heapq.nsmallest(2, xs))"),
    ("itertools.accumulate", "list(itertools.accumulate(xs))"),
    ("itertools.chain", "list(itertools.chain(xs, u))"),
    ("itertools.combinations", "list(itertools.combinations(xs, 2))"),
    ("itertools.count", "q = 0\nfor k in itertools.count(3, 2):\n    q += k\n    if k > 20:\n        break\nreturn q"),
    ("itertools.cycle", "q = 0\nfor k in itertools.cycle(xs):\n    q += k\n    if q > 20:\n        break\nreturn q"),
    ("itertools.dropwhile, takewhile", "(list(itertools.dropwhile(lambda v: v > 2, xs)), list(itertools.takewhile(lambda v: v > 2, xs)))"),
    ("itertools.groupby", "[(k, len(list(g))) for k, g in itertools.groupby('aabccc')]"),
    ("itertools.islice", "list(itertools.islice(xs, 1, 3))"),
    ("itertools.pairwise", "list(itertools.pairwise(xs))"),
    ("itertools.permutations", "list(itertools.permutations(xs, 2))"),
    ("itertools.product", "list(itertools.product(xs, u))"),
    ("itertools.repeat", "list(itertools.repeat(x, 3))"),
    ("itertools.starmap", "list(itertools.starmap(pow, [(2, 3), (3, 2)]))"),
    ("itertools.tee", "q, r = itertools.tee(xs)\nreturn next(q), list(r), list(q)"),
    ("itertools.zip_longest", "list(itertools.zip_longest(xs, [1], fillvalue=0))"),
    ("operator.add, lt, getitem, ...", "(operator.add(i, j), operator.lt(i, j), operator.getitem(xs, 1))"),
    ("operator.attrgetter", "operator.attrgetter('y')(Point(i, x))"),
    ("operator.itemgetter", "operator.itemgetter(1)(u), sorted(d.items(), key=operator.itemgetter(1))"),
    ("operator.methodcaller", "operator.methodcaller('upper')(s)"),
    ("random.random, uniform, gauss, ...", "random.seed(3)\nreturn random.random(), random.uniform(1, 2), random.gauss(0, 1), random.randint(1, 6)"),
    ("random.shuffle, sample, choice", "random.seed(3)\nrandom.shuffle(xs)\nreturn xs, random.sample(xs, 2), random.choice(xs)"),
    ("statistics.mean, median, stdev", "(statistics.fmean(fs), statistics.median(fs), statistics.stdev(fs))"),
    ("time.perf_counter, time, monotonic", "time.perf_counter() > 0"),
    ("np.random.seed, normal, ...", "np.random.seed(3)\nreturn np.random.normal(), np.random.randint(10), np.random.rand(2)"),
    ("re", "import re\nreturn re.match('a', s) is None"),
    ("datetime", "import datetime\nreturn datetime.date(2020, 1, 1).year"),
]

EXTENSIONS = [
    ("`objmode`", "q = i\nwith objmode(q='int64'):\n    q = len(str(i) * 3)\nreturn q + 1"),
    ("`prange` as `range`", "q = 0\nfor k in prange(i):\n    q += k\nreturn q"),
    ("`literal_unroll`", "q = 0.0\nfor v in literal_unroll((1, 2.5, True)):\n    q += v\nreturn q"),
    ("`literally`", "literally(i) + 1"),
    ("`getattr`, `hasattr` with a name that is known", "getattr(a, 'size') if hasattr(a, 'size') else 0"),
    ("`getattr` with a default", "getattr(a, 'sizes', i)"),
    ("`setattr`", "@jitclass([('n', types.int64)])\nclass Own:\n    def __init__(self):\n        self.n = 1\n\ndef f(i):\n    own = Own()\n    setattr(own, 'n', i)\n    return own.n"),
    ("`overload`", "def weight(v):\n    return v * 0.5\n\n@overload(weight)\ndef weight_of(v):\n    return lambda v: v * 0.5\n\ndef f(i):\n    return weight(i)"),
    ("`overload_method`", "@overload_method(types.Array, 'dot')\ndef dot(a, v):\n    def dot_of(a, v):\n        total = 0.0\n        for k in range(len(a)):\n            total += a[k] * v[k]\n        return total\n    return dot_of\n\ndef f(a):\n    return a.dot(a)"),
    ("`overload_attribute`", "@overload_attribute(types.Array, 'base')\ndef base(a):\n    return lambda a: None\n\ndef f(a):\n    return a.base is None"),
    ("`register_jitable`", "@register_jitable\ndef third(v):\n    return v / 3\n\ndef f(x):\n    return third(x)"),
    ("`intrinsic`, as MLIR text", "@intrinsic\ndef twice(context, v):\n    text = 'func.func @f(%x: i64) -> i64 { %0 = arith.addi %x, %x : i64 \\n return %0 : i64 }'\n    return v(v), text\n\ndef f(i):\n    return twice(i)"),
    ("`typeof` in a signature", "@njit(types.float64(typeof(np.zeros(2))))\ndef first(v):\n    return v[0]\n\ndef f(a):\n    return first(a)"),
    ("`from_dtype` in a signature", "pair = np.dtype([('n', 'i8'), ('v', 'f8')])\n\n@njit(types.float64(from_dtype(pair)[:]))\ndef second(rows):\n    return rows[1]['v']\n\ndef f(i):\n    return second(np.zeros(2, dtype=pair)) + i"),
    ("`as_dtype` in a dtype", "kind = as_dtype(types.int32)\n\ndef f(i):\n    return np.zeros(i, dtype=kind).itemsize"),
]

SECTIONS = {
    "Statements and functions": STATEMENTS,
    "Operators and subscripts": OPERATORS,
    "Builtin functions": BUILTINS,
    "list": LIST,
    "dict": DICT,
    "set, frozenset": SET,
    "Typed containers": TYPED,
    "tuple, named tuples": TUPLE,
    "str": STR,
    "bytes, bytearray, memoryview": BYTES,
    "Numbers, enums, records": NUMBERS,
    "Globals": GLOBALS,
    "Classes": CLASSES,
    "math": MATH,
    "cmath": CMATH,
    "Other modules": MODULES,
    "Extending": EXTENSIONS,
}
