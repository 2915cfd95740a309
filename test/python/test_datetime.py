"""Datetimes and timedeltas in compiled code: exactly what NumPy makes of them."""

import operator
import pickle
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyarray import cfunc, njit, prange, typeof, types
from pyarray.errors import TypingError, UnsupportedError

UNITS = ["Y", "M", "W", "D", "h", "m", "s", "ms", "us", "ns", "25s", "7D", "3M", "generic"]
NAT = -(2**63)


def numpy_result(function, *arguments):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return function(*arguments)
        except TypeError as error:
            return error


def same(ours, numpys):
    """Equal in value, kind and unit; NaT equals NaT. Compiled code returns Python's own numbers."""
    if isinstance(numpys, tuple):
        assert len(ours) == len(numpys)
        for a, b in zip(ours, numpys):
            same(a, b)
        return
    if isinstance(numpys, (np.datetime64, np.timedelta64, np.ndarray)):
        assert type(ours) is type(numpys)
        assert ours.dtype == numpys.dtype
    np.testing.assert_array_equal(np.asarray(ours), np.asarray(numpys))


def check(compiled, function, *arguments):
    expected = numpy_result(function, *arguments)
    if isinstance(expected, Exception):
        with pytest.raises(TypingError):
            compiled(*arguments)
    else:
        same(compiled(*arguments), expected)


def counts(limit):
    return st.one_of(st.just(NAT), st.integers(-limit, limit))


def timedeltas(units=UNITS, limit=10**4):
    return st.builds(np.timedelta64, counts(limit), st.sampled_from(units))


def datetimes(units=tuple(unit for unit in UNITS if unit != "generic"), limit=10**4):
    return st.builds(np.datetime64, counts(limit), st.sampled_from(units))


integers = st.integers(-50, 50)
reals = st.one_of(st.floats(-1e3, 1e3), st.sampled_from([0.0, float("inf"), float("nan"), 1e300]))
fast = settings(max_examples=120, deadline=None)


# ------------------------------------------------------------------------------------------------
# Types


@pytest.mark.parametrize("dtype", ["M8[D]", "m8[25s]", "m8[ns]", "m8", "M8", "M8[Y]"])
def test_typeof(dtype):
    array = np.zeros((2, 3), dtype)
    kind = types.NPDatetime if dtype[0] == "M" else types.NPTimedelta
    unit = dtype[3:-1]
    assert typeof(array[0, 0]) == kind(unit)
    assert typeof(array) == types.Array(kind(unit), 2, "C")
    assert str(kind(unit)) == str(np.dtype(dtype))


def test_types_are_values():
    assert types.NPTimedelta("1D") == types.NPTimedelta("D") != types.NPDatetime("D")
    assert types.NPTimedelta("generic") == types.NPTimedelta("")
    for kind in (types.NPDatetime("25s"), types.NPTimedelta("")[:, ::1], types.int64(types.NPDatetime("Y"))):
        assert pickle.loads(pickle.dumps(kind)) == kind
    assert types.NPDatetime("D")("2020-01-02") == np.datetime64("2020-01-02")
    assert repr(types.NPTimedelta("ms")) == "NPTimedelta('ms')"


@pytest.mark.parametrize("unit", ["d", "0s", "s25", "x", "25", "25generic", 3, "99999999999s"])
def test_invalid_units(unit):
    with pytest.raises(TypeError):
        types.NPTimedelta(unit)


@pytest.mark.parametrize("code", ["M", "M[]", "M[D", "m[0s]", "m[1s]", "*M[D]", "m[generic"])
def test_malformed_codes(code):
    with pytest.raises(ValueError, match="malformed"):
        types.from_code(code)


@given(timedeltas() | datetimes())
@fast
def test_unboxing_and_boxing(value):
    same(njit(lambda x: x)(value), value)
    same(njit(lambda x: (x, x))(value), (value, value))


def test_arrays_go_in_and_out():
    array = np.array([["2020-01-01", "NaT"], ["1969-12-31", "0001-01-01"]], "M8[D]")
    identity = njit(lambda a: a)
    assert identity(array) is array
    column = njit(lambda a: a[:, 1])(array)
    same(column, array[:, 1])
    assert np.shares_memory(column, array)
    same(njit(lambda a: a.T.copy())(array), array.T)
    with pytest.raises(TypingError, match="byte order"):
        identity(array.astype(">M8[D]"))


def test_signatures():
    @njit("NPTimedelta('s')(NPDatetime('s'), NPDatetime('s'))")
    def difference(a, b):
        return a - b

    same(difference(np.datetime64("2020", "s"), np.datetime64("2019")), np.timedelta64(365 * 86400, "s"))
    same(difference(np.datetime64("2020-02"), np.datetime64("NaT")), np.timedelta64("NaT", "s"))
    for refused in (np.datetime64("2020", "ms"), np.timedelta64(3, "s"), 5):
        with pytest.raises(TypeError):
            difference(refused, np.datetime64("2019"))

    @njit("int64(NPTimedelta('D'))")
    def count(x):
        return x

    assert count(np.timedelta64(3, "W")) == 21


# ------------------------------------------------------------------------------------------------
# Operators

COMPARISONS = [operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge]
add, subtract = njit(lambda a, b: a + b), njit(lambda a, b: a - b)
multiply, divide = njit(lambda a, b: a * b), njit(lambda a, b: a / b)
floor_divide, remainder = njit(lambda a, b: a // b), njit(lambda a, b: a % b)
quotient_and_rest = njit(lambda a, b: divmod(a, b))
numpy_floor_divide, numpy_remainder = njit(lambda a, b: np.floor_divide(a, b)), njit(lambda a, b: np.remainder(a, b))
compare = njit(lambda a, b: (a == b, a != b, a < b, a <= b, a > b, a >= b))
negate, plus, absolute = njit(lambda a: -a), njit(lambda a: +a), njit(lambda a: abs(a))


def numpy_compare(a, b):
    return tuple(bool(compared(a, b)) for compared in COMPARISONS)


@given(timedeltas() | datetimes(), timedeltas() | datetimes())
@fast
def test_sum_difference_comparison(a, b):
    check(add, operator.add, a, b)
    check(subtract, operator.sub, a, b)
    check(compare, numpy_compare, a, b)


@given(timedeltas(), timedeltas())
@fast
def test_division_of_timedeltas(a, b):
    check(divide, operator.truediv, a, b)
    check(floor_divide, operator.floordiv, a, b)
    check(remainder, operator.mod, a, b)
    check(numpy_floor_divide, np.floor_divide, a, b)
    check(numpy_remainder, np.remainder, a, b)
    if not isinstance(numpy_result(operator.mod, a, b), TypeError):  # NumPy 1.24's own divmod crashes there
        check(quotient_and_rest, divmod, a, b)


@given(timedeltas(["D", "ms", "25s", "generic"], 10**12), integers | reals)
@fast
def test_timedelta_and_number(a, number):
    check(multiply, operator.mul, a, number)
    check(multiply, operator.mul, number, a)
    check(divide, operator.truediv, a, number)
    check(floor_divide, operator.floordiv, a, number)
    if isinstance(number, int):
        check(numpy_floor_divide, np.floor_divide, a, number)


@given(timedeltas() | datetimes(), integers)
@fast
def test_integers_count_in_the_unit(a, number):
    check(add, operator.add, a, number)
    check(add, operator.add, number, a)
    check(subtract, operator.sub, a, number)
    check(subtract, operator.sub, number, a)
    if isinstance(a, np.timedelta64):
        check(compare, numpy_compare, a, number)


@given(timedeltas())
@fast
def test_unary(a):
    check(negate, operator.neg, a)
    check(plus, operator.pos, a)
    check(absolute, abs, a)
    assert njit(lambda x: (bool(x), not x))(a) == (bool(a), not a)


def test_sums_wrap_as_numpys():
    most = np.timedelta64(2**63 - 1, "s")
    for other in (1, 2, 3):
        check(add, operator.add, most, np.timedelta64(other, "s"))
        check(multiply, operator.mul, most, other)
    check(absolute, abs, np.timedelta64(-(2**63) + 1, "s"))
    check(floor_divide, operator.floordiv, np.timedelta64(-(2**63) + 1, "s"), np.timedelta64(-1, "s"))
    check(divide, operator.truediv, np.timedelta64("NaT", "s"), -1)


@pytest.mark.parametrize("function", [
    lambda a, b: a - b, lambda a, b: b + b, lambda a, b: -b, lambda a, b: ~a, lambda a, b: a * a, lambda a, b: 2 / a,
    lambda a, b: a**2, lambda a, b: a + 1.0, lambda a, b: a < 2.0, lambda a, b: a < b, lambda a, b: b < 5,
    lambda a, b: a % 2, lambda a, b: a / 1j, lambda a, b: np.sqrt(a), lambda a, b: abs(b), lambda a, b: float(a),
    lambda a, b: range(a), lambda a, b: np.isnat(3), lambda a, b: np.isnat(2.5), lambda a, b: np.timedelta64(2.5, "D"),
    lambda a, b: np.timedelta64(b, "D"), lambda a, b: np.datetime64(a), lambda a, b: min(a, b),
])  # fmt: skip
def test_refused_operations(function):
    with pytest.raises(TypingError):
        njit(function)(np.timedelta64(3, "D"), np.datetime64("2020"))


def test_never_equal():
    unequal = njit(lambda a, b: (a == b, a != b, b == 5, a == 1.0))
    assert unequal(np.timedelta64(1, "D"), np.datetime64("1970-01-02")) == (False, True, False, False)


def test_mixing_years_with_days_says_why():
    with pytest.raises(TypingError, match=r"timedelta64\[Y\] and timedelta64\[D\].*no fixed number of days"):
        add(np.timedelta64(1, "Y"), np.timedelta64(1, "D"))
    with pytest.raises(TypingError, match="too large"):
        add(np.timedelta64(1, "W"), np.timedelta64(1, "as"))


# ------------------------------------------------------------------------------------------------
# Units and the calendar


@pytest.mark.parametrize("unit", ["Y", "M", "W", "D", "h", "s", "ns", "3M", "7D", "25s"])
@given(datetimes(limit=30000))
@settings(max_examples=60, deadline=None)
def test_datetime_conversion(unit, value):
    target = np.dtype(f"M8[{unit}]")
    convert = njit(lambda x, like: x.astype(like.dtype))
    same(convert(value, np.zeros(1, target)), value.astype(target))


def test_every_day_of_the_calendar():
    months = njit(lambda x: x.astype("M8[M]"))
    days = np.arange(-800000, 800000, 13).astype("M8[D]")

    @njit
    def convert(a, out):
        for i in range(a.size):
            out[i] = a[i]

    to_months, to_days = np.zeros(days.size, "M8[M]"), np.zeros(days.size, "M8[D]")
    convert(days, to_months)
    np.testing.assert_array_equal(to_months, days.astype("M8[M]"))
    convert(to_months, to_days)
    np.testing.assert_array_equal(to_days, to_months.astype("M8[D]"))
    same(months(np.datetime64("NaT", "D")), np.datetime64("NaT", "M"))


@given(timedeltas())
@fast
def test_timedelta_conversion(value):
    for unit in ("s", "25s", "ms", "W"):
        convert = njit(lambda x, like: x.astype(like.dtype))
        like = np.zeros(1, f"m8[{unit}]")
        if np.datetime_data(value.dtype)[0] in "YM":
            with pytest.raises(TypingError, match="cannot convert"):
                convert(value, like)
        else:
            same(convert(value, like), value.astype(like.dtype))


def test_conversions_to_numbers():
    @njit
    def numbers(x):
        return np.int64(x), int(x), x.astype(np.int32), x.astype("float64"), x.view(np.int64), bool(x)

    for value in (np.timedelta64(-3, "D"), np.datetime64("2020-01-01"), np.timedelta64(0, "s")):
        count = value.astype("int64")
        assert numbers(value) == (count, count, count, float(count), count, bool(count))
    assert numbers(np.timedelta64("NaT"))[0] == NAT


# ------------------------------------------------------------------------------------------------
# Functions


@given(timedeltas(["s", "ms"]), timedeltas(["s", "h"]))
@fast
def test_functions_of_timedeltas(a, b):
    @njit
    def functions(x, y):
        return (
            np.minimum(x, y), np.maximum(x, y), np.fmin(x, y), np.fmax(x, y), np.add(x, y), np.subtract(x, y),
            np.divide(x, y), np.multiply(x, 3), np.negative(x), np.absolute(x), np.sign(x), np.isnat(x), np.isnan(y),
            np.isfinite(x),
        )  # fmt: skip

    check(functions, functions.py_func, a, b)
    same(njit(lambda x, y: (min(x, y), max(x, y)))(a, a + b), (min(a, a + b), max(a, a + b)))


@given(st.lists(datetimes(["D"]), min_size=2, max_size=4))
@fast
def test_python_min_and_max(values):
    if len(values) == 3:
        same(njit(lambda a, b, c: (min(a, b, c), max(a, b, c)))(*values), (min(*values), max(*values)))
    same(njit(lambda a, b: (min(a, b), max(a, b)))(*values[:2]), (min(*values[:2]), max(*values[:2])))


# ------------------------------------------------------------------------------------------------
# Constants

START = np.datetime64("2020-01-01")
STEP = np.timedelta64(25, "s")
HOLIDAYS = np.array(["2020-01-01", "NaT", "2020-12-25"], "M8[D]")
DTYPE = np.dtype("m8[ms]")


def test_globals():
    same(njit(lambda: (START, STEP, START + STEP))(), (START, STEP, START + STEP))
    frozen = njit(lambda i: HOLIDAYS[i])
    for i in range(3):
        same(frozen(i), HOLIDAYS[i])
    whole = njit(lambda: HOLIDAYS)()
    same(whole, HOLIDAYS)
    assert not whole.flags.writeable
    same(njit(lambda: np.zeros(2, DTYPE))(), np.zeros(2, DTYPE))


def test_written_constants():
    @njit
    def written():
        return (
            np.datetime64("2020-02-29"), np.datetime64("2020-02", "D"), np.datetime64("2020-02-29T12:30:01.25"),
            np.datetime64("NaT"), np.timedelta64("NaT", "D"), np.timedelta64(3, "h"), np.timedelta64(-3, "25s"),
            np.timedelta64(7), np.datetime64(18262, "D"), np.timedelta64("5", "s"),
        )  # fmt: skip

    same(written(), written.py_func())

    @njit
    def made(n, t):
        return np.timedelta64(n, "D"), np.datetime64(n, "M"), np.timedelta64(t, "ms"), np.timedelta64(t)

    same(made(5, np.timedelta64(2, "s")), made.py_func(5, np.timedelta64(2, "s")))


@pytest.mark.parametrize("function, error", [
    (lambda: np.datetime64("2020-13-01"), TypingError), (lambda: np.datetime64("today"), UnsupportedError),
    (lambda: np.datetime64("NOW", "s"), UnsupportedError), (lambda: np.timedelta64(3, "x"), TypingError),
    (lambda: np.datetime64(5), TypingError), (lambda: np.timedelta64("x", "D"), TypingError),
])  # fmt: skip
def test_refused_constants(function, error):
    with pytest.raises(error):
        njit(function)()


def test_cache_tells_units_apart(tmp_path, monkeypatch):
    monkeypatch.setenv("PYARRAY_CACHE_DIR", str(tmp_path))
    results = []
    for unit in ("D", "h"):
        step, table = np.timedelta64(1, unit), np.array([1], f"m8[{unit}]")
        results.append(njit(lambda: (step, table[0]))())  # noqa: B023
    same(results[0], (np.timedelta64(1, "D"),) * 2)
    same(results[1], (np.timedelta64(1, "h"),) * 2)


# ------------------------------------------------------------------------------------------------
# Arrays and control flow


def test_arrays_in_compiled_code():
    @njit
    def differences(times):
        out = np.empty(times.size - 1, "m8[s]")
        for i in range(out.size):
            out[i] = times[i + 1] - times[i]
        return out

    times = np.array(["2020-01-01", "2020-01-02T03", "NaT", "2020-01-03"], "M8[m]")
    same(differences(times), np.diff(times).astype("m8[s]"))

    @njit
    def made(like):
        a = np.full(2, np.datetime64("2020-01-01"))
        b = np.full_like(like, np.timedelta64(2, "m"))
        c = np.zeros_like(like)
        c[:] = np.timedelta64(1, "h")
        c[0] = 5
        return a, b, c, like.itemsize, like.nbytes, np.ones(2, like.dtype)

    like = np.zeros(3, "m8[s]")
    same(made(like), (
        np.full(2, np.datetime64("2020-01-01")), np.full(3, 120).astype("m8[s]"),
        np.array([5, 3600, 3600], "m8[s]"), 8, 24, np.array([1, 1], "m8[s]"),
    ))  # fmt: skip


def test_variables_take_the_common_unit():
    @njit
    def joined(flag):
        x = np.timedelta64(1, "D")
        if flag:
            x = np.timedelta64(1, "s")
        return x

    same(joined(False), np.timedelta64(86400, "s"))
    same(joined(True), np.timedelta64(1, "s"))

    @njit
    def latest(times):
        best = np.datetime64("NaT")
        for t in times:
            if np.isnat(best) or t > best:
                best = t
        return best

    times = np.array(["2020-01-01", "NaT", "2021-01-01"], "M8[D]")
    same(latest(times), times[2])
    with pytest.raises(TypingError, match="cannot unify"):
        njit(lambda flag: np.timedelta64(1, "D") if flag else 1)(True)


def test_stores_that_are_refused():
    @njit
    def store(a, value):
        a[0] = value

    second, year = np.timedelta64(1, "s"), np.timedelta64(1, "Y")
    for dtype, value in (("m8[s]", 2.5), ("m8[s]", year), ("M8[s]", second), ("f8", second)):
        with pytest.raises(TypingError, match="cannot convert"):
            store(np.zeros(1, dtype), value)
    stored = np.zeros(1, "m8[s]")
    store_all(stored, np.array([2], "m8[h]"))
    same(stored, np.array([7200], "m8[s]"))
    stored = np.zeros(3, "m8[s]")
    store_all(stored, np.arange(3).astype("m8[s]"))
    same(stored, np.arange(3).astype("m8[s]"))


@njit
def store_all(a, b):
    a[:] = b


def test_exceptions_take_no_times():
    @njit
    def fail(x):
        raise ValueError(np.timedelta64(3, "D"))

    with pytest.raises(UnsupportedError, match="timedelta64"):
        fail(1)


def test_cfunc_takes_no_times():
    with pytest.raises((TypingError, UnsupportedError)):
        cfunc("NPTimedelta('D')(NPTimedelta('D'))")(lambda x: x)


def test_prange_sums_and_extremes():
    @njit(parallel=True)
    def reduce(x):
        total, least, most = np.timedelta64(0, "s"), x[0], x[0]
        for i in prange(x.size):
            total += x[i]
            least = min(least, x[i])
            most = max(most, x[i])
        return total, least, most

    x = np.random.default_rng(1).integers(-1000, 1000, 200001).astype("m8[s]")
    same(reduce(x), (x.sum(), x.min(), x.max()))
    x[1234] = "NaT"
    same(reduce(x), (x.sum(), np.fmin.reduce(x), np.fmax.reduce(x)))

    @njit(parallel=True)
    def by_key(keys, x, count):
        totals = np.zeros(count, "m8[s]")
        for i in prange(x.size):
            totals[keys[i]] += x[i]
        return totals

    keys = np.arange(x.size) % 5
    same(by_key(keys, x, 5), np.array([x[keys == k].sum() for k in range(5)]))


def test_inspection_shows_times():
    @njit("NPTimedelta('D')(NPDatetime('D'), NPDatetime('D'))")
    def difference(a, b):
        return a - b

    text = str(difference.inspect_mlir("typed"))
    assert '!pyarray.datetime<"D">' in text
    assert "pyarray.datetime" not in str(difference.inspect_mlir("optimized"))
