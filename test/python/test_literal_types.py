"""Types of known values, as overloads see them: `types.IntegerLiteral` and others (`_types_literals.py`)."""

import numpy as np
import pytest
from pyarray import errors, float64, int64, literally, njit, types
from pyarray.errors import LiteralTypingError, RequireLiteralValue, TypingError
from pyarray.extending import intrinsic, overload, overload_method

pytestmark = pytest.mark.real


def test_types():
    three, text, truth = types.literal(3), types.literal("é"), types.literal(True)
    assert (
        isinstance(three, types.IntegerLiteral)
        and isinstance(three, types.Integer)
        and isinstance(three, types.Literal)
    )
    assert isinstance(text, types.StringLiteral) and not isinstance(text, types.UnicodeType)
    assert isinstance(truth, types.BooleanLiteral) and isinstance(truth, types.Boolean)
    assert (three.literal_value, text.literal_value, truth.literal_value) == (3, "é", True)
    assert types.unliteral(three) is int64 and types.unliteral(float64) is float64
    assert repr(three) == "Literal[int](3)" and three.bitwidth == 64 and three.signed
    with pytest.raises(LiteralTypingError, match="float cannot be used as a literal"):
        types.literal(1.5)


def test_typers_that_want_to_know():
    def mode_of(x, mode):
        raise NotImplementedError

    seen = []

    @overload(mode_of)
    def of_mode(x, mode):
        seen.append(mode)
        if not isinstance(mode, types.StringLiteral):
            return None
        if mode.literal_value == "zéro\n":
            return lambda x, mode: x * 0
        return lambda x, mode: x + 1

    @njit
    def f(x):
        return mode_of(x, "zéro\n"), mode_of(x, "other"), mode_of(x, mode="zéro\n")

    @njit
    def unknown(x, mode):
        return mode_of(x, mode)

    assert f(5) == (0, 6, 0)
    assert seen[0] == types.unicode_type and not isinstance(seen[0], types.Literal)
    with pytest.raises(TypingError):
        unknown(5, "zéro\n")


def test_integers_and_bools():
    def chosen(n, flag):
        raise NotImplementedError

    @overload(chosen)
    def of_chosen(n, flag):
        if isinstance(n, types.IntegerLiteral) and isinstance(flag, types.BooleanLiteral):
            value = (n.literal_value * 10, flag.literal_value)
            return lambda n, flag: value
        raise RequireLiteralValue("n and flag must be known")

    @njit
    def f():
        return chosen(3, True), chosen(-4, False)

    @njit
    def unknown(n):
        return chosen(n, True)

    assert f() == ((30, True), (-40, False))
    with pytest.raises(RequireLiteralValue, match="must be known"):
        unknown(3)


def test_types_alone_come_first():
    def plain(n):
        raise NotImplementedError

    def eager(n):
        raise NotImplementedError

    for function, options in ((plain, {}), (eager, {"prefer_literal": True})):

        @overload(function, **options)
        def of_function(n):
            if isinstance(n, types.IntegerLiteral):
                return lambda n: "known"
            return lambda n: "unknown"

    @njit
    def f(n):
        return plain(3), eager(3), eager(n)

    assert f(3) == ("unknown", "known", "unknown")


def test_methods_and_intrinsics():
    @overload_method(types.UnicodeType, "repeated_times")
    def repeated_times(text, n):
        if isinstance(n, types.IntegerLiteral):
            value = n.literal_value
            return lambda text, n: text * value

    @intrinsic
    def constant(context, n):
        if isinstance(n, types.IntegerLiteral):
            return n(
                n
            ), f"func.func @f(%x: i64) -> i64 {{ %0 = arith.constant {n.literal_value * 2} : i64 \n return %0 : i64 }}"

    @njit
    def f(s):
        return s.repeated_times(3), constant(21)

    assert f("ab") == ("ababab", 42)


def test_the_value_is_asked_for_once():
    def value_of(n):
        raise NotImplementedError

    asked = []

    @overload(value_of)
    def of_value(n):
        if isinstance(n, types.IntegerLiteral):
            asked.append(n.literal_value)
            value = n.literal_value
            return lambda n: value

    @njit
    def f():
        total = 0
        for _ in range(3):
            total += value_of(1) + value_of(2) + value_of(1)
        return total

    assert f() == 12 and asked == [1, 2]


# Typers that prefer literals ----------------------------------------------------------------------


def make_overloads(prefer_literal):
    asked = []

    def twice(x):
        raise NotImplementedError

    @overload(twice, prefer_literal=prefer_literal)
    def of_twice(x):
        asked.append(isinstance(x, types.Literal))
        if isinstance(x, types.Literal):
            raise errors.TypingError("no literals")
        return lambda x: 2 * x

    return twice, asked


@pytest.mark.parametrize(("value", "result"), [(21, 42), ("ab", "abab"), (True, 2)])
@pytest.mark.parametrize("prefer_literal", [True, False])
def test_asked_again_without_the_literal(prefer_literal, value, result):
    twice, asked = make_overloads(prefer_literal)
    assert njit(lambda: twice(value))() == result
    assert asked[0] is prefer_literal and asked[-1] is False


def test_what_fails_both_ways():
    def never(x):
        raise NotImplementedError

    @overload(never, prefer_literal=True)
    def of_never(x):
        raise errors.TypingError(f"not for {'literals' if isinstance(x, types.Literal) else 'types'}")

    with pytest.raises(errors.TypingError, match="not for types"):
        njit(lambda: never(1))()


def test_methods_that_prefer_literals():
    @overload_method(types.Array, "scaled_by", prefer_literal=True)
    def of_scaled(a, n):
        if isinstance(n, types.IntegerLiteral):
            if n.literal_value > 5:
                raise errors.TypingError("too large to be a literal")
            return lambda a, n: a[0] * n + 100
        return lambda a, n: a[0] * n

    a = np.ones(2)
    assert njit(lambda a: (a.scaled_by(3), a.scaled_by(7)))(a) == (103.0, 7.0)


def test_one_typer_that_prefers_literals_of_one_function_alone():
    def first(x):
        raise NotImplementedError

    def last(x):
        raise NotImplementedError

    def typer(x):
        if isinstance(x, types.IntegerLiteral):
            return lambda x: "known"
        return lambda x: "unknown"

    overload(first, prefer_literal=True)(typer)
    overload(last)(typer)

    @njit
    def f(n):
        return first(3), last(3), first(n), last(n)

    assert f(3) == ("known", "unknown", "unknown", "unknown")


def test_types_of_other_values_are_others():
    assert types.literal(3) == types.literal(3) and types.literal(3) != types.literal(4)
    assert types.literal("a") != types.literal(True) and types.literal(True) != types.literal(1)
    assert types.literal(3) == types.int64 and hash(types.literal(3)) == hash(types.int64)

    @njit
    def f(x):
        return literally(x)

    assert f(3) == 3 and f.signatures[0][0] == types.literal(3) and f.signatures[0][0] != types.literal(4)
