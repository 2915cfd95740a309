"""Operators and builtin functions of users' types: overload(operator.getitem), overload(len) and the like."""

import operator

import numpy as np
import pyarray
import pytest
from compare import define
from pyarray import float64, njit, types
from pyarray.experimental import jitclass, structref
from pyarray.extending import overload, overload_method


@structref.register
class VecType(types.StructRef):
    pass


class Vec(structref.StructRefProxy):
    @property
    def x(self):
        return vec_x(self)


structref.define_proxy(Vec, VecType, ["x", "y"])


@njit
def vec_x(self):
    return self.x


@njit
def parts(v):
    return v.x, v.y


@jitclass([("x", float64)])
class Cell:
    def __init__(self, x):
        self.x = x

    def __add__(self, other):
        return 1000.0


CELL = Cell.class_type.instance_type


def is_vec(kind):
    return isinstance(kind, VecType)


BINARY = {
    "add": lambda a, b: a + b, "sub": lambda a, b: a - b, "mul": lambda a, b: a * b, "truediv": lambda a, b: a / b,
    "floordiv": lambda a, b: a // b, "mod": lambda a, b: a % b, "pow": lambda a, b: a**b,
    "lshift": lambda a, b: a << b, "rshift": lambda a, b: a >> b, "and_": lambda a, b: a & b,
    "or_": lambda a, b: a | b, "xor": lambda a, b: a ^ b, "matmul": lambda a, b: a @ b,
}  # fmt: skip
COMPARISONS = {
    "eq": lambda a, b: a == b, "ne": lambda a, b: a != b, "lt": lambda a, b: a < b, "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b, "ge": lambda a, b: a >= b,
}  # fmt: skip
NUMBER = {name: number for number, name in enumerate((*BINARY, *COMPARISONS), 1)}


def register(name):
    number = NUMBER[name]

    @overload(getattr(operator, name))
    def of_vectors(a, b):
        if is_vec(a) and is_vec(b):
            return lambda a, b: (number, a.x, b.y)
        if is_vec(a) and isinstance(b, types.Integer):
            return lambda a, b: (number, a.x, b)
        if isinstance(a, types.Integer) and is_vec(b):
            return lambda a, b: (-number, a, b.x)


for each in NUMBER:
    register(each)


@pytest.mark.parametrize(("name", "function"), [*BINARY.items(), *COMPARISONS.items()])
def test_binary_operators_and_comparisons(name, function):
    a, b, n = Vec(1, 2), Vec(3, 4), NUMBER[name]
    assert njit(function)(a, b) == (n, 1, 4)
    assert njit(function)(a, 7) == (n, 1, 7)
    assert njit(function)(7, a) == (-n, 7, 1)
    direct = getattr(operator, name)
    assert njit(lambda a, b: direct(a, b))(a, b) == (n, 1, 4)


IN_PLACE = [
    "iadd",
    "isub",
    "imul",
    "itruediv",
    "ifloordiv",
    "imod",
    "ipow",
    "ilshift",
    "irshift",
    "iand",
    "ior",
    "ixor",
]


def statement(name):
    symbol = {
        "iadd": "+", "isub": "-", "imul": "*", "itruediv": "/", "ifloordiv": "//", "imod": "%", "ipow": "**",
        "ilshift": "<<", "irshift": ">>", "iand": "&", "ior": "|", "ixor": "^", "imatmul": "@",
    }[name]  # fmt: skip
    return f"def f(a, b):\n    c = a\n    c {symbol}= b\n    return a.x, a.y, c is a\n"


@structref.register
class BoxType(types.StructRef):
    pass


class Box(structref.StructRefProxy):
    pass


structref.define_proxy(Box, BoxType, ["x", "y"])


def register_in_place(name):
    @overload(getattr(operator, name))
    def of_box(a, b):
        if isinstance(a, BoxType):

            def implementation(a, b):
                a.x += b
                a.y = 1
                return a

            return implementation


for each in [*IN_PLACE, "imatmul"]:
    register_in_place(each)


@pytest.mark.parametrize("name", [*IN_PLACE, "imatmul"])
def test_in_place(name):
    f = define(statement(name))
    assert f(Box(1, 2), 5) == (6, 1, True)
    direct = getattr(operator, name)
    assert njit(lambda a, b: direct(a, b).x)(Box(1, 2), 5) == 6


def test_in_place_without_an_overload_of_its_own():
    f = define("def f(a, b):\n    a += b\n    return a\n")
    assert f(Vec(1, 2), 5) == (1, 1, 5)


@overload(operator.neg)
def of_neg(v):
    return (lambda v: Vec(-v.x, -v.y)) if is_vec(v) else None


@overload(operator.pos)
def of_pos(v):
    return (lambda v: Vec(v.y, v.x)) if is_vec(v) else None


@overload(operator.invert)
def of_invert(v):
    return (lambda v: Vec(~v.x, ~v.y)) if is_vec(v) else None


@overload(abs)
def of_abs(v):
    return (lambda v: abs(v.x) + abs(v.y)) if is_vec(v) else None


@overload(operator.abs)
def of_operator_abs(v):
    return (lambda v: 77) if isinstance(v, BoxType) else None


@overload(operator.truth)
def of_truth(v):
    return (lambda v: v.x != 0) if is_vec(v) else None


@overload(len)
def of_len(v):
    return (lambda v: v.x + v.y) if isinstance(v, (VecType, BoxType)) else None


@overload(operator.contains)
def of_contains(v, x):
    return (lambda v, x: v.x == x or v.y == x) if is_vec(v) else None


@overload(operator.index)
def of_index(v):
    return (lambda v: v.x + 5) if is_vec(v) else None


@overload(operator.concat)
def of_concat(a, b):
    return (lambda a, b: "joined") if is_vec(a) else None


@overload(operator.call)
def of_call(v, *arguments):
    return (lambda v, *arguments: v.x * arguments[0] + len(arguments)) if is_vec(v) else None


@overload_method(BoxType, "__call__")
def of_box_call(b, n=3):
    return lambda b, n=3: b.x + n


@overload(bool)
def of_bool(b):
    return (lambda b: b.x > 10) if isinstance(b, BoxType) else None


@overload(round)
def of_round(b, digits=0):
    return (lambda b, digits=0: b.x + digits) if isinstance(b, BoxType) else None


@overload(str)
def of_str(b):
    return (lambda b: "box " + str(b.x)) if isinstance(b, BoxType) else None


@overload(max)
def of_max(a, b):
    return (lambda a, b: a.x if a.x > b.x else b.x) if is_vec(a) and is_vec(b) else None


@overload(np.sum)
def of_sum(v):
    return (lambda v: v.x + v.y) if is_vec(v) else None


@overload(np.sqrt)
def of_sqrt(v):
    return (lambda v: Vec(np.sqrt(v.x), np.sqrt(v.y))) if is_vec(v) else None


def test_unary_operators():
    v = Vec(3, -4)
    assert njit(lambda v: parts(-v))(v) == (-3, 4)
    assert njit(lambda v: parts(+v))(v) == (-4, 3)
    assert njit(lambda v: parts(~v))(v) == (~3, 3)
    assert njit(lambda v: (abs(v), operator.abs(v)))(v) == (7, 7)
    assert njit(lambda v: abs(v))(Box(1, 2)) == 77
    assert njit(lambda v: parts(operator.neg(v)))(v) == (-3, 4)
    assert njit(lambda v: parts(operator.inv(v)))(v) == (~3, 3)


def test_truth():
    @njit
    def f(v):
        n = 0
        while v:
            v.x -= 1
            n += 1
        return n, (1 if v else 2), not v, bool(v), operator.truth(v), operator.not_(v)

    assert f(Vec(3, 0)) == (3, 2, True, False, False, True)
    assert njit(lambda b: (bool(b), not b, 1 if b else 0))(Box(11, 0)) == (True, False, 1)
    assert njit(lambda b: (bool(b), not b, 1 if b else 0))(Box(1, 0)) == (False, True, 0)


def test_length_contains_index_and_call():
    v = Vec(3, 4)
    assert njit(lambda v: (len(v), 4 in v, 5 in v, 4 not in v, operator.contains(v, 3)))(v) == (
        7,
        True,
        False,
        False,
        True,
    )
    assert njit(lambda v: (operator.index(v), operator.concat(v, v)))(v) == (8, "joined")
    assert njit(lambda v: (v(10), v(1, 2), operator.call(v, 5)))(v) == (31, 5, 16)
    assert njit(lambda b: (b(), b(7), b(n=9)))(Box(1, 2)) == (4, 8, 10)


def test_builtins_and_functions_of_numpy():
    assert njit(lambda b: (round(b), round(b, 2), str(b), f"<{b}>"))(Box(1, 2))[:3] == (1, 3, "box 1")
    assert njit(lambda a, b: max(a, b))(Vec(1, 2), Vec(5, 0)) == 5
    assert njit(lambda v: np.sum(v))(Vec(1, 2)) == 3
    assert njit(lambda v: parts(np.sqrt(v)))(Vec(4.0, 9.0)) == (2.0, 3.0)


# Items ------------------------------------------------------------------------------------------


@structref.register
class GridType(types.StructRef):
    pass


class Grid(structref.StructRefProxy):
    pass


structref.define_proxy(Grid, GridType, ["data", "log"])


@overload(operator.getitem)
def of_getitem(g, i):
    if not isinstance(g, GridType):
        return None
    if isinstance(i, types.Integer):
        return lambda g, i: g.data[i]
    if isinstance(i, types.UnicodeType):
        return lambda g, i: len(i)
    if isinstance(i, types.SliceType):
        return lambda g, i: g.data[i][0]
    if isinstance(i, types.BaseTuple):
        return lambda g, i: g.data[i[0]] * 100 + i[1]


@overload(operator.setitem)
def of_setitem(g, i, value):
    if isinstance(g, GridType) and isinstance(i, types.Integer):

        def implementation(g, i, value):
            g.data[i] = value

        return implementation


@overload(operator.delitem)
def of_delitem(g, i):
    if isinstance(g, GridType):

        def implementation(g, i):
            g.data[i] = -1.0
            g.log += 1

        return implementation


def test_items():
    @njit
    def f(g):
        g[0] = 5
        g[1] += 10
        del g[2]
        return g[0], g[1], g[2], g["abc"], g[1:], g[1, 7], g.log, operator.getitem(g, 0)

    assert f(Grid(np.arange(4.0), 0)) == (5.0, 11.0, -1.0, 3, 11.0, 1107.0, 1, 5.0)


# Other types ------------------------------------------------------------------------------------


@overload(operator.add)
def of_cells(a, b):
    if a == CELL:
        return lambda a, b: 5.0
    if b == CELL and isinstance(a, types.Integer):
        return lambda a, b: a + b.x


@overload(operator.mul)
def of_cell_product(a, b):
    if a == CELL and isinstance(b, types.Integer):
        return lambda a, b: Cell(a.x * b)


@overload(operator.sub)
def of_tuples(a, b):
    if isinstance(a, types.UniTuple) and isinstance(b, types.UniTuple):
        return lambda a, b: a[0] - b[0]


@overload(len)
def of_number(n):
    if isinstance(n, types.Integer):
        return lambda n: 64


def test_jitclasses():
    assert njit(lambda c: (c + c, operator.add(c, c)))(Cell(1.0)) == (1000.0, 1000.0)  # the class's own comes first
    assert njit(lambda c: 2 + c)(Cell(1.0)) == 3.0
    assert njit(lambda c: (c * 3).x)(Cell(1.5)) == 4.5


def test_types_of_the_language():
    assert njit(lambda a, b: a - b)((5, 6), (1, 2)) == 4
    assert njit(lambda n: len(n))(3) == 64
    assert (
        njit(lambda a, b: a + b)(2, 3) == 5 and njit(lambda n: len(n))((1, 2)) == 2
    )  # what is known keeps its meaning


def test_identity_without_an_overload():
    @structref.register
    class OtherType(types.StructRef):
        pass

    class Other(structref.StructRefProxy):
        pass

    structref.define_proxy(Other, OtherType, ["x"])
    a, b = Other(1), Other(1)
    assert njit(lambda a, b: (a == b, a == a, a != b, a is a, bool(a), not a))(a, b) == (
        False,
        True,
        True,
        True,
        True,
        False,
    )
    for f, text in [(lambda a: a[0], "__getitem__"), (lambda a: a + 1, "operator '\\+'"), (lambda a: len(a), "len")]:
        with pytest.raises(pyarray.TypingError, match=text):
            njit(f)(a)


def test_in_loops_over_several_types():
    @njit
    def f(v):
        total = 0
        for x in (1, (3, 4), 2):
            total += len(x)
        return total

    assert f(1) == 64 + 2 + 64


def test_values_that_may_be_none():
    @njit
    def f(v, use):
        w = v if use else None
        return w[0]

    assert f(Grid(np.arange(4.0) + 1, 0), True) == 1.0
    with pytest.raises(TypeError, match="NoneType"):
        f(Grid(np.arange(4.0), 0), False)


def test_errors_in_overloads():
    @njit
    def f(g):
        return g[2]

    with pytest.raises(IndexError, match="index 2 is out of bounds"):
        f(Grid(np.arange(2.0), 0))

    with pytest.raises(pyarray.TypingError, match="__getitem__"):
        njit(lambda g: g[1.5])(Grid(np.arange(2.0), 0))
