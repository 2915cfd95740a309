"""Types that would grow without an end are refused, whatever kind they are of.

The message shows what grows, where, and its first three types.
"""

import resource
from collections import deque, namedtuple
from functools import partial

import numpy as np
import pytest
from compare import define
from pyarray import cuda, errors, guvectorize, njit, types, vectorize
from pyarray.experimental import structref
from pyarray.extending import overload

Pair = namedtuple("Pair", "number rest")


def refused(function, *arguments):
    """The message of the TypingError by which a call is refused, and the number of the line that it shows."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(errors.TypingError) as caught:
        function(*arguments)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 200 * 1024
    return str(caught.value)


def line_shown(message):
    return message[message.index('\nFile "') :].splitlines()[2].strip()


# ===-- Results ------------------------------------------------------------------------------------===


def test_tuple_of_own_result():
    @njit
    def make(n):
        if n <= 0:
            return None
        return (n, make(n - 1))

    message = refused(make, 100)
    first = "OptionalType(Tuple(int64, none))"
    types = f"none, then {first}, then OptionalType(Tuple(int64, {first}))"
    assert f"the result of make() grows without an end: {types}\n" in message
    assert line_shown(message) == "return (n, make(n - 1))"


def test_list_of_own_result():
    @njit
    def make(n):
        if n <= 0:
            return []
        return [make(n - 1)]

    message = refused(make, 3)
    types = "list, then ListType[list], then ListType[ListType[list]]"
    assert f"the result of make() grows without an end: {types}\n" in message


def test_comprehension_of_own_results():
    @njit
    def lists(n):
        return [lists(n - 1) for _ in range(n)] if n else []

    @njit
    def dicts(n):
        return {i: dicts(n - 1) for i in range(n)} if n else {}

    assert "then ListType[list], then ListType[ListType[list]]" in refused(lists, 3)
    assert "dict, then DictType[int64,dict], then DictType[int64,DictType[int64,dict]]" in refused(dicts, 3)


def test_named_tuple_of_own_result():
    @njit
    def make(n):
        return None if n <= 0 else Pair(n, make(n - 1))

    message = refused(make, 3)
    first = "OptionalType(Pair(int64, none))"
    assert f"none, then {first}, then OptionalType(Pair(int64, {first}))" in message


@njit
def even(n):
    return None if n <= 0 else (n, odd(n - 1))


@njit
def odd(n):
    return None if n <= 0 else (0.5, even(n - 1))


def test_two_functions_that_call_each_other():
    message = refused(even, 3)
    assert "the type of the result of odd() grows without an end: none, then OptionalType(Tuple(float64, " in message


def test_generator_that_yields_what_it_yields():
    @njit
    def nested(n):
        if n > 0:
            for v in nested(n - 1):
                yield (n, v)
        yield None

    @njit
    def count(n):
        s = 0
        for _ in nested(n):
            s += 1
        return s

    message = refused(count, 3)
    assert "what nested() yields grows without an end: none, then OptionalType(Tuple(int64, none)), then" in message
    assert line_shown(message) == "yield (n, v)"


def grown(n):
    raise NotImplementedError


@overload(grown)
def overload_grown(n):
    def result_of(n):
        return None if n <= 0 else (n, grown(n - 1))

    return result_of


def test_result_of_an_overload():
    @njit
    def use(n):
        grown(n)

    assert "the result of result_of() grows without an end: none, then" in refused(use, 3)


@njit
def make_pairs(n):
    return None if n <= 0 else (n, make_pairs(n - 1))


def test_within_ufuncs_and_kernels():
    @vectorize
    def calls(x):
        make_pairs(3)
        return x

    assert "the result of make_pairs() grows" in refused(calls, np.ones(3))

    def loops(x, y):
        t = None
        for i in range(3):
            t = (i, t)
        y[0] = x[0]

    message = refused(guvectorize(["void(float64[:], float64[:])"], "(n)->(n)"), loops)
    assert "variable 't' grows without an end: none, then" in message


def test_device_function():
    @cuda.jit(device=True)
    def grow(n):
        if n <= 0:
            return None
        return (n, grow(n - 1))

    def kernel():
        grow(100)

    message = refused(cuda.jit("void()"), kernel)
    assert "the result of grow() grows without an end: none, then OptionalType(Tuple(int64, none)), then" in message


# ===-- Variables ----------------------------------------------------------------------------------===


def test_variable_of_a_loop():
    @njit
    def f(n):
        x = None
        for i in range(n):
            x = (i, x)
        return 0

    message = refused(f, 3)
    first = "none, then OptionalType(Tuple(int64, none)), then OptionalType(Tuple(int64, OptionalType("
    assert f"the type of variable 'x' grows without an end: {first}" in message
    assert line_shown(message) == "x = (i, x)"


def test_variable_that_doubles():
    @njit
    def f(n):
        x = None
        while n > 0:
            n -= 1
            x = (x, x)
        return 0

    assert "variable 'x' grows without an end: none, then OptionalType(UniTuple(none, 2)), then" in refused(f, 3)


def test_two_variables_that_take_turns():
    @njit
    def f(n):
        a, b = None, None
        for _ in range(n):
            a, b = (b, 1), (a, 2.0)
        return 1

    assert "variable 'a' grows without an end: none, then OptionalType(Tuple(none, int64)), then" in refused(f, 3)


def test_lists_and_deques_within_themselves():
    @njit
    def lists(n):
        x = []
        for _ in range(n):
            x = [x] * 2
        return len(x)

    @njit
    def deques(n):
        x = deque()
        for _ in range(n):
            y = deque()
            y.append(x)
            x = y
        return len(x)

    message = refused(lists, 3)
    assert "variable 'x' grows without an end: list, then ListType[list], then ListType[ListType[list]]" in message
    assert "variable 'x' grows without an end: deque, then deque(deque), then deque(deque(deque))" in refused(deques, 3)


def test_partial_of_a_partial():
    @njit
    def first(a, b):
        return a

    @njit
    def f(n):
        g = partial(first, None)
        for _ in range(n):
            g = partial(first, g)
        return 1

    assert "variable 'g' grows without an end: function(" in refused(f, 3)


# ===-- Items --------------------------------------------------------------------------------------===


def test_items_of_containers():
    @njit
    def itself(n):
        x = []
        for _ in range(n):
            x.append(x)
        return 0

    @njit
    def last(n):
        x = [None]
        for i in range(n):
            x.append((i, x[-1]))
        return len(x)

    @njit
    def values(n):
        d = {0: None}
        for i in range(n):
            d[i] = (d[0], i)
        return len(d)

    message = refused(itself, 3)
    first = "list, then ListType[list], then ListType[ListType[list]]"
    assert f"the items of this list grows without an end: {first}" in message
    assert line_shown(message) == "x = []"
    message = refused(last, 3)
    assert "the items of this list grows without an end: none, then OptionalType(Tuple(int64, none)), then" in message
    message = refused(values, 3)
    assert "the values of this dict grows without an end: none, then OptionalType(Tuple(none, int64)), then" in message


# ===-- Arguments ----------------------------------------------------------------------------------===


@njit
def in_tuples(x, n):
    if n <= 0:
        return 0
    return in_tuples((x,), n - 1) + in_tuples((x, 1), n - 1)


@njit
def in_lists(x, n):
    return 0 if n <= 0 else in_lists([x], n - 1)


@njit
def in_double(x, n):
    return 0 if n <= 0 else in_double(x + x, n - 1)


@njit
def more_and_more(n, *rest):
    return 0 if n <= 0 else more_and_more(n - 1, n, *rest)


@njit
def by_name(n, **rest):
    return 0 if n <= 0 else by_name(n - 1, rest=rest)


@njit
def wrapped(g, n):
    return g() if n <= 0 else wrapped(lambda: g() + 1, n - 1)


@njit
def with_lambda(n):
    return wrapped(lambda: 0, n)


@njit
def zipped(x, n):
    return 0 if n <= 0 else zipped(zip(x, x), n - 1)


@njit
def yields(n, x):
    yield 1
    if n > 0:
        for _ in yields(n - 1, (x,)):
            yield 1


@njit
def from_generator(n):
    s = 0
    for _ in yields(n, 1):
        s += 1
    return s


@pytest.mark.parametrize(
    ("function", "arguments", "name", "first"),
    [
        (in_tuples, (1, 3), "x", "UniTuple(int64, 1), then UniTuple(UniTuple(int64, 1), 1), then UniTuple(UniTuple("),
        (in_lists, (1, 3), "x", "ListType[int64], then ListType[ListType[int64]], then ListType[ListType["),
        (in_double, ((1,), 3), "x", "UniTuple(int64, 2), then UniTuple(int64, 4), then UniTuple(int64, 8)"),
        (more_and_more, (3,), "rest", "UniTuple(int64, 1), then UniTuple(int64, 2), then UniTuple(int64, 3)"),
        (by_name, (3,), "rest", "keyword arguments (rest: keyword arguments), then keyword arguments (rest: "),
        (with_lambda, (3,), "g", "function(lambda.1 with function(lambda)), then function(lambda.1 with function("),
        (zipped, ([1], 3), "x", "zip(ListType[int64], ListType[int64]), then zip(zip("),
        (from_generator, (3,), "x", "UniTuple(int64, 1), then UniTuple(UniTuple(int64, 1), 1), then"),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_arguments_that_grow_from_call_to_call(function, arguments, name, first):
    message = refused(function, *arguments)
    assert f"by itself has another type of its argument '{name}', without an end: {first}" in message
    assert f"give '{name}' one type in all calls" in message


def wrapping(x, n):
    raise NotImplementedError


@overload(wrapping)
def overload_wrapping(x, n):
    def argument_of(x, n):
        return 0 if n <= 0 else wrapping((x, n), n - 1)

    return argument_of


def test_arguments_of_overloads():
    @njit
    def use(n):
        return wrapping(1, n)

    message = refused(use, 3)
    types = "UniTuple(int64, 2), then Tuple(UniTuple(int64, 2), int64), then"
    assert f"has another type of its argument 'x', without an end: {types}" in message


@structref.register
class LinkType(types.StructRef):
    pass


class Link(structref.StructRefProxy):
    pass


structref.define_proxy(Link, LinkType, ["value", "rest"])


def test_structs_of_structs():
    @njit
    def linked(x, n):
        return 0 if n <= 0 else linked(Link(x, n), n - 1)

    assert "has another type of its argument 'x', without an end: instance of LinkType" in refused(linked, 1, 3)


@pytest.mark.parametrize(
    "lines",
    [
        "z[n] = [[z]]\n    z[n] = [z]",
        "y = [z]\n    z.append(y)\n    z.append(y[0])",
        "z.append([[z]])\n    z.append([z])\n    z += [z]",
    ],
)
def test_lists_that_hold_themselves(lines):
    function = define(f"def f(n):\n    z = []\n    {lines}\n    return 1\n")
    assert "a list, dict or set that holds itself has a type without an end" in refused(function, 0)


# ===-- Sizes --------------------------------------------------------------------------------------===


def nested(count, line):
    """A function in which a line is written that often."""
    return define("def f(n):\n    t = [n]\n" + f"    {line}\n" * count + "    return n\n")


def test_what_is_large_but_ends():
    assert nested(60, "t = [t, t]")(7) == 7
    assert nested(10, "t = (t, t)")(7) == 7


def test_what_is_too_large_without_a_loop():
    assert "types nested more than 64 levels deep are not compiled" in refused(nested(70, "t = [t]"), 1)
    message = refused(nested(40, "t = (t, t)"), 1)
    assert "a tuple of more than 4096 elements, nested ones included, is too long" in message


def test_functions_that_double_the_combinations():
    functions = {"f0": define("def f0(x):\n    return 0\n", "f0")}
    for i in range(1, 30):
        source = f"def f{i}(x):\n    return f{i - 1}((x, 1)) + f{i - 1}((x, 0.5))\n"
        functions[f"f{i}"] = define(source, f"f{i}", **functions)
    assert "more than 3000 combinations of functions and types of their arguments" in refused(functions["f29"], 1)


@njit
def over_a_call(x, n):
    count, last = 0, None
    if n <= 0:
        return 1
    for _ in range(n):
        for last in (over_a_call(last, n - 1), x):  # noqa: B020
            count += last is not None
    for i, each in enumerate((over_a_call(x, n - 1), 2.5, "a")):
        count += i + (each is not None)
    return count


def test_a_tuple_of_a_call_that_has_not_come_back():
    assert over_a_call((1, 2), 3) == over_a_call.py_func((1, 2), 3)
