"""Parameters **kwargs in compiled code against CPython."""

import numpy as np
import pytest
from compare import define
from pyarray import njit
from pyarray.errors import TypingError, UnsupportedError


def sums(a, *rest, scale=1, **kwargs):
    total = a * scale
    for x in rest:
        total += x
    if "bias" in kwargs:
        total += kwargs["bias"]
    return total, kwargs.get("factor", 1), kwargs.get("none"), len(kwargs), bool(kwargs), not kwargs


def views(**kwargs):
    names = [name for name in kwargs]
    texts = []
    for name, value in kwargs.items():
        texts.append(name + "=" + str(value))
    return names, texts, list(kwargs), tuple_of(kwargs.values()), kwargs.keys(), kwargs.items()


@njit
def tuple_of(values):
    return values


@njit
def inner(x, y=2, **others):
    return x, y, len(others), others.get("z", 0.5)


def passes_on(**kwargs):
    return inner(1, **kwargs), inner(x=5, z=1, **kwargs)


def returned(**kwargs):
    return kwargs


@njit
def outer(*args, **kwargs):
    return inner(*args, **kwargs)


def compare(function, *arguments, **keywords):
    def outcome(call):
        try:
            return call(*arguments, **keywords)
        except Exception as error:
            return type(error), str(error)

    got, wanted = outcome(njit(function)), outcome(function)
    assert repr(got) == repr(wanted)


def test_as_cpython():
    compare(sums, 2)
    compare(sums, 2, 3, 4, scale=10, bias=5, factor=2.5)
    compare(sums, 2, bias=0.5)
    compare(sums, 2, other="text")
    compare(passes_on)
    compare(passes_on, y=7)
    compare(passes_on, y=7.5, w=3)
    compare(returned)
    compare(returned, a=1, b="x", c=(1, 2.5))
    assert njit(returned)(a=1) == {"a": 1}


def test_views():
    names, texts, keys, values, same, items = njit(views)(a=1, b=2.5, c="x")
    assert names == keys == ["a", "b", "c"] and same == ("a", "b", "c")
    assert texts == ["a=1", "b=2.5", "c=x"]
    assert values == (1, 2.5, "x") and items == (("a", 1), ("b", 2.5), ("c", "x"))
    assert njit(views)()[:3] == ([], [], [])


def test_calls_between_compiled_functions():
    @njit
    def f(n):
        return outer(n, w=1), outer(n, y=n + 1, z=2), inner(n, **{"y": 8, "q": 1})

    assert f(3) == ((3, 2, 1, 0.5), (3, 4, 1, 2), (3, 8, 1, 0.5))


def test_arrays_and_order():
    @njit
    def f(**kwargs):
        kwargs["a"][0] = kwargs["b"]
        return kwargs["a"]

    a = np.zeros(2)
    assert f(a=a, b=3) is a and f(b=4, a=a) is a and a[0] == 4
    assert len(f.signatures) == 2


def test_nested_functions_and_methods():
    @njit
    def f(x):
        def scaled(value, **options):
            return value * options.get("by", 2) + options.get("plus", 0)

        return scaled(x), scaled(x, by=5), scaled(x, plus=1, by=3)

    assert f(10) == (20, 50, 31)


def test_positional_only_names_are_free():
    def f(x, /, **kwargs):
        return x, kwargs["x"]

    assert njit(f)(1, x=2) == f(1, x=2)


@pytest.mark.parametrize(
    "body, error, message",
    [
        ("return kwargs['missing']", TypingError, "KeyError: 'missing'"),
        ("for k in kwargs: kwargs[k]", TypingError, "go over kwargs.items()"),
        ("kwargs['a'] = 1", UnsupportedError, "cannot be changed"),
        ("kwargs.pop('a')", UnsupportedError, "they have get, keys, values and items"),
        ("return inner(1, x=2, **kwargs)", TypingError, "multiple values for argument 'x'"),
        ("return inner(1, **{'a': 1, **kwargs})", UnsupportedError, ""),
        ("return inner(**(1, 2))", TypingError, "the argument after ** must be"),
    ],
)
def test_refusals(body, error, message):
    f = define(f"def f(**kwargs):\n    {body}\n", inner=inner)
    with pytest.raises((error, TypingError, UnsupportedError)) as raised:
        f(a=1)
    assert message in str(raised.value)


def test_a_keyword_given_twice():
    @njit
    def inner(**kw):
        return kw["x"]

    @njit
    def outer(n):
        return inner(x=n, **{"x": 2})

    with pytest.raises(TypingError, match="got multiple values for keyword argument 'x'"):
        outer(1)
