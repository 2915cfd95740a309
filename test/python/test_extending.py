"""pyarray.extending: users' functions for what compiled code does not know."""

import numpy as np
import pytest
from pyarray import extending, literal_unroll, literally, njit, types
from pyarray.errors import TypingError
from pyarray.extending import (
    intrinsic,
    overload,
    overload_attribute,
    overload_classmethod,
    overload_method,
    register_jitable,
)


@pytest.fixture(autouse=True)
def _forget_overloads():
    """What a test registers ends with it: code depends on all overloads, copies of ufuncs of other tests too."""
    before = {name: list(typers) for name, typers in extending._typers.items()}
    yield
    extending._typers.clear()
    extending._typers.update(before)


def clamp(x, low, high=10):
    raise AssertionError("the interpreter's version must not be called")


class Span:
    """Callable, and unknown to the compiler."""

    def __call__(self, a):
        return "interpreted"


span = Span()


@overload(clamp)
def overload_clamp(x, low, high=10):
    if isinstance(x, types.Number):

        def of_numbers(x, low, high=10):
            return min(max(x, low), high)

        return of_numbers
    if isinstance(x, types.Array) and x.ndim == 1:

        def of_arrays(x, low, high=10):
            out = np.empty_like(x)
            for i in range(len(x)):
                out[i] = clamp(x[i], low, high)
            return out

        return of_arrays


@overload(span)
def overload_span(a):
    return lambda a: max(a) - min(a)


def test_by_types():
    @njit
    def f(x):
        return clamp(x, 2), clamp(x, low=3, high=4), clamp(x, 0.5)

    assert f(7) == (7, 4, 7.0) and f(-1.5) == (2.0, 3.0, 0.5)
    assert [a.tolist() for a in f(np.array([0.0, 5.0, 20.0]))] == [[2.0, 5.0, 10.0], [3.0, 4.0, 4.0], [0.5, 5.0, 10.0]]


def test_objects():
    assert njit(lambda a: span(a))(np.array([3.0, 7.5])) == 4.5
    assert span(None) == "interpreted"


def test_no_overload_fits():
    with pytest.raises(
        TypingError, match=r"no overload of .*clamp\(\) is for arguments of types \(UniTuple\(int64, 2\), int64\)"
    ):
        njit(lambda x: clamp(x, 2))((1, 2))


def test_earlier_ones_come_first():
    """As Numba has them: a general one that comes later is for what is left."""

    def twice(x):
        return None

    @overload(twice)
    def first(x):
        if isinstance(x, types.Float):
            return lambda x: -2 * x

    @overload(twice)
    def second(x):
        return lambda x: 2 * x

    @overload(twice)
    def third(x):
        return lambda x: 3 * x

    @njit
    def f(x):
        return twice(x)

    assert f(3) == 6 and f(1.5) == -3.0


def test_methods_of_derived_classes_come_first():
    @overload_method(types.Number, "of_a_number")
    def general(x):
        return lambda x: 1

    @overload_method(types.Integer, "of_a_number")
    def special(x):
        return lambda x: 2

    @overload_method(types.Integer, "of_a_number")
    def late(x):
        return lambda x: 3

    f = njit(lambda x: x.of_a_number())
    assert f(1) == 2 and f(1.0) == 1


def test_at_a_prompt_the_latest_definition_counts():
    cells = [f"@overload(subject)\ndef typer(x):\n    return lambda x: {number}\n" for number in (1, 2)]
    other = "@overload(subject)\ndef other(x):\n    return lambda x: 3\n"

    def subject(x):
        return None

    def results(module, *texts):
        names = {"overload": overload, "subject": lambda x: None, "__name__": module}
        for number, text in enumerate(texts):
            exec(compile(text, f"<cell {number}>", "exec"), names)
        made = names["subject"]
        return njit(lambda x: made(x))(0)

    assert results("__main__", *cells) == 2
    assert results("__main__", cells[1], other, cells[0]) == 1
    assert results("__main__", other, *cells) == 3
    assert results("library", *cells) == 1


def test_other_parameters_with_strict_false():
    def total(*arguments):
        return None

    @overload(total, strict=False)
    def of_total(*arguments):
        if len(arguments) == 2:
            return lambda a, b: a + b
        return lambda a, b, c: a * b * c

    assert njit(lambda a: (total(a, 2), total(a, a, 2.5)))(3) == (5, 22.5)


def test_wrong_parameters():
    def thrice(x):
        return None

    @overload(thrice)
    def of_thrice(x):
        return lambda y: 3 * y

    with pytest.raises(TypingError, match=r"has the parameters \['x'\], but the function that it returned has \['y'\]"):
        njit(lambda x: thrice(x))(1)


def test_the_typer_raises():
    def broken(x):
        return None

    @overload(broken)
    def of_broken(x):
        raise TypingError(f"broken() is not for {x}")

    with pytest.raises(TypingError, match=r"broken\(\) is not for int64"):
        njit(lambda x: broken(x))(1)


def test_method_and_attribute():
    @overload_method(types.Array, "spread_of_items")
    def spread(a, factor=1):
        return lambda a, factor=1: (max(a) - min(a)) * factor

    @overload_attribute(types.Array, "first")
    def first(a):
        return lambda a: a[0]

    @njit
    def f(a):
        return a.spread_of_items(), a.spread_of_items(3), a.first, a.size

    assert f(np.array([1.0, 4.0])) == (3.0, 9.0, 1.0, 2)
    with pytest.raises(TypingError, match="first"):
        njit(lambda x: x.first)((1, 2))


def test_register_jitable():
    @register_jitable
    def plus(a, b=1):
        return a + b

    @register_jitable(error_model="numpy")
    def over(a, b):
        return a / b

    @njit
    def f(a):
        return plus(a), plus(a, b=5), over(a, 0)

    assert f(2.0) == (3.0, 7.0, np.inf)
    assert plus(2.0) == 3.0
    with pytest.raises(ZeroDivisionError):
        over(1.0, 0)


def test_changed_globals_are_seen_at_compile_time():
    scale = 3

    def scaled(x):
        return None

    @overload(scaled)
    def of_scaled(x):
        return lambda x: scale * x

    assert njit(lambda x: scaled(x))(2) == 6


def test_literal_unroll():
    def total(x):
        result = 0.0
        for item in literal_unroll((x, 2.5, True)):
            result += item
        return result

    assert njit(total)(1) == total(1) == 4.5


def test_class_methods():
    vectors, indices = types.float64[:], types.int64[:]

    @overload_classmethod(types.Array, "filled")
    def filled(cls, n, value=0):
        if cls.instance_type.dtype == types.float64:
            return lambda cls, n, value=0: np.full(n, float(value))
        return lambda cls, n, value=0: np.full(n, int(value))

    @njit
    def f(n):
        return vectors.filled(n), indices.filled(n, 7.5)

    a, b = f(2)
    assert a.dtype == np.float64 and a.tolist() == [0.0, 0.0] and b.dtype == np.int64 and b.tolist() == [7, 7]
    with pytest.raises(TypingError, match="takes no arguments by name"):
        njit(lambda n: vectors.filled(n=n))(2)
    with pytest.raises(
        TypingError, match=r"no overload of Array\(float64.*filled\(\) is for arguments|no overload of array\(float64"
    ):
        njit(lambda n: vectors.filled())(2)
    with pytest.raises(TypingError, match="unknown method 'emptied'"):
        njit(lambda n: vectors.emptied(n))(2)


def test_literally():
    @overload_method(types.Array, "kind_of")
    def kind_of(a, name):
        return lambda a, name: 1 if name == "one" else "other"

    @njit
    def f(a, n):
        return a.kind_of(literally("one")), a.kind_of("two"), literally(n) + 1

    assert f(np.zeros(1), 2) == (1, "other", 3) and literally(5) == 5


def power(x, n):
    raise NotImplementedError


@overload(power)
def power_of(x, n):
    if isinstance(n, types.Literal):
        return lambda x, n: x**n
    return lambda x, n: extending.literally(n)


SQUARE = 2


def test_an_overload_asks_for_a_value():
    assert njit(lambda x: power(x, 2))(3) == 9 and njit(lambda x: power(x, n=SQUARE))(3) == 9
    assert njit(lambda x, n: power(x, n))(3, 2) == 9
    with pytest.raises(
        TypingError, match=r"power_of\(\) asks by literally\(\) for the value of 'n', which is not known"
    ):
        njit(lambda x, n: power(x, n + 1))(3, 2)


def test_refusals():
    with pytest.raises(TypeError, match="unexpected keyword argument 'wrong'"):
        intrinsic(wrong=1)
    with pytest.raises(TypeError, match="unexpected keyword argument 'wrong'"):
        overload(print, wrong=1)


def made_of(xs):
    raise NotImplementedError


@overload(made_of)
def made_of_items(xs):
    if xs.initial_value is None:
        return lambda xs: literally(xs)
    text = repr(xs.initial_value)
    return lambda xs: text


def first_made_of(xs, n=0):
    raise NotImplementedError


@overload(first_made_of, prefer_literal=True)
def first_made_of_items(xs, n=0):
    text = repr(xs.initial_value)
    return lambda xs, n=0: text


def plain_made_of(xs):
    raise NotImplementedError


@overload(plain_made_of)
def plain_made_of_any(xs):
    text = repr(xs.initial_value)
    return lambda xs: text


def test_initial_values():
    @njit
    def f():
        xs = [1, -2, 3]
        xs.append(4)  # what it was made of, not what it holds
        table = {"a": (1, 2.5), "\u00e9'": (2, -0.5)}
        return made_of(xs), made_of(table), made_of([None]), first_made_of(xs=[True]), plain_made_of(xs)

    assert f() == ("[1, -2, 3]", "{'a': (1, 2.5), \"\u00e9'\": (2, -0.5)}", "[None]", "[True]", "None")

    @njit
    def unknown(n):
        xs = [1, n]
        ys = [1]
        if n > 3:
            ys = [2]
        return first_made_of(xs), first_made_of(ys), first_made_of([x for x in (1, 2)]), first_made_of({n: 1})

    assert unknown(1) == ("None",) * 4
    with pytest.raises(TypingError, match=r"made_of_items\(\) asks by literally\(\) for the value of 'xs'"):
        njit(lambda n: made_of([n]))(1)
    held = types.ListType(types.int64, initial_value=[1])
    assert held == types.ListType(types.int64) and types.unliteral(held).initial_value is None
    assert types.ListType(types.int64).initial_value is types.DictType(types.int64, types.int64).initial_value is None
