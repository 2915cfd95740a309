"""Arrays of datetimes and timedeltas in other dtypes: other units, numbers, text."""

import numpy as np
import pytest
from arrays import check, laid_out
from compare import define, expression
from pyarray import njit
from pyarray.errors import PyArrayError

NAT = -(2**63)
UNITS = ["Y", "M", "W", "D", "h", "m", "s", "ms", "us", "ns", "25s", "7D", "3M"]
COUNTS = np.array([[0, 1, -1], [NAT, 400, -4321]])


def converted(a, dtype):
    check(expression(f"a.astype('{dtype}')", "a"), a)


@pytest.mark.parametrize("to", UNITS)
@pytest.mark.parametrize("unit", UNITS)
def test_datetimes_in_other_units(unit, to):
    converted(COUNTS.astype(f"M8[{unit}]"), f"M8[{to}]")


@pytest.mark.parametrize("to", ["W", "D", "h", "s", "us", "25s"])
@pytest.mark.parametrize("unit", ["W", "D", "h", "s", "us", "25s"])
def test_timedeltas_in_other_units(unit, to):
    converted(COUNTS.astype(f"m8[{unit}]"), f"m8[{to}]")


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("kind", ["M8[D]", "m8[ms]"])
def test_numbers(kind):
    times = COUNTS.astype(kind)
    for dtype in ("?", "i1", "i4", "i8", "u8", "f4", "f8"):
        converted(times, dtype)
        converted(np.array([[0, 1, 100], [5, 2, 7]]).astype(dtype), kind)
    for dtype in ("f4", "f8"):
        converted(np.array([1.5, np.nan, -2.5, np.inf, -np.inf, 1e30], dtype), kind)


@pytest.mark.parametrize("layout", ["F", "sliced", "backwards", "transposed", "readonly"])
@pytest.mark.parametrize("dtype", ["M8[h]", "i8", "M8[M]"])
def test_layouts(layout, dtype):
    a = laid_out(COUNTS.astype("M8[D]"), layout)
    converted(a, dtype)
    ours, theirs = njit(lambda a: a.astype("M8[h]"))(a), a.astype("M8[h]")
    assert ours.flags.f_contiguous == theirs.flags.f_contiguous


def test_other_kinds():
    t = np.array(["2024-02-29T10", "NaT"], "M8[h]")
    converted(t, "m8[h]")
    converted(t - t[0], "M8[h]")
    converted(t, "M8")
    with pytest.raises(TypeError, match="the unit of the times must be given"):
        expression("a.astype('m8')", "a")(t)
    converted(t.reshape(2, 1), "M8[s]")
    check(expression("np.asarray(a, 'M8[s]'), np.array(a, 'M8[D]'), np.astype(a, np.int64)", "a"), t)
    with pytest.raises(PyArrayError, match="cannot convert"):
        expression("a.astype('m8[Y]')", "a")(t - t[0])


def test_numbers_without_a_unit():
    for dtype in ("m8", "M8"):
        ours, theirs = expression(f"a.astype('{dtype}')", "a")(np.arange(3)), np.arange(3).astype(dtype)
        assert ours.dtype == theirs.dtype and (ours.view("i8") == theirs.view("i8")).all()


@pytest.mark.parametrize(
    "store",
    ["days[:] = hours", "days[1:] = hours[:1]", "days[k] = hours", "days[days > days[0]] = hours[0]",
     "counts[:] = hours", "days[::-1] = counts", "days[...] = counts[:1]", "floats[:] = hours - hours[0]"],
)  # fmt: skip
def test_stores(store):
    f = define(f"def f(days, hours, counts, floats, k):\n    {store}\n    return days, counts, floats\n")
    days, hours = np.array(["2020-01-01", "2021-05-05"], "M8[D]"), np.array(["2022-02-02T13", "NaT"], "M8[h]")
    check(f, days, hours, np.array([5, 6]), np.zeros(2), np.array([1, 0]))


@pytest.mark.parametrize("unit", [*UNITS, "ps", "fs", "as"])
def test_text(unit):
    a = COUNTS.astype(f"M8[{unit}]")
    check(expression("np.datetime_as_string(a), a.astype('U60'), a.astype('S60'), a[::-1].astype('U44')", "a"), a)


def test_text_in_units():
    a = np.array(["2024-02-29T10:11:12", "1969-12-31T23:59:59", "NaT", "12345-01-01", "-0044-03-15"], "M8[s]")
    for unit in ("Y", "M", "W", "D", "h", "m", "s", "ms"):
        check(expression(f"np.datetime_as_string(a, '{unit}'), np.datetime_as_string(a, unit='{unit}')", "a"), a)
    check(expression("np.datetime_as_string(a, timezone='UTC'), np.datetime_as_string(a, 'D', 'UTC')", "a"), a)
    check(expression("np.datetime_as_string(k)", "k"), np.arange(3))
    check(expression("a.astype('U10')", "a"), a)
    check(expression("np.datetime_data(a.dtype), np.datetime_data(np.dtype('m8[25s]'))", "a"), a)


def test_every_day_of_the_calendar_as_text():
    days = np.arange(-800000, 800000, 97).astype("M8[D]")
    check(expression("np.datetime_as_string(a)", "a"), days)


TEXTS = [
    "2020-01-01", "2020", "2020-02", "20200101", "12345-01-01", "-0044-03-15", "+2020-01-01", "2020-01-01T10", "NaT",
    "2020-01-01 10:20", "2020-01-01T10:20:30.123456789", "2020-01-01T10:20:30Z", "nat", "", "  2020-01-01",
    "2000-02-29", "2020-01-01T10:20:30.", "1969-12-31T23:59:59.5", "2020-01-01T10:20:30.12",
]  # fmt: skip
WRONG = [
    "2020-2", "2020-01-01  ", "2020-01-01T", "2020-01-01T24:00", "2020-13-01", "2020-02-30", "1900-02-29", "abc", "-",
    "2020-01-01T10:60", "2020-01-01T10:20:60", "2020-01-01x", "2020-01-01T10:2", "2020-", "2020-01-", "2020-01-01T1020",
]  # fmt: skip


@pytest.mark.parametrize("unit", UNITS)
def test_times_of_text(unit):
    for dtype in ("U30", "S30"):
        a = np.array(TEXTS, dtype)
        check(expression(f"a.astype('M8[{unit}]'), a[:, None].astype('M8[{unit}]')", "a"), a)


@pytest.mark.parametrize("text", WRONG)
def test_text_that_tells_no_time(text):
    check(expression("a.astype('M8[s]')", "a"), np.array(["2020", text]))


@pytest.mark.filterwarnings("ignore")
def test_clocks_of_other_places():
    a = np.array(["2020-01-01T10:20:30+02:00", "2020-01-01T00:20:30+0230", "2019-12-31T23:00-05"])
    check(expression("a.astype('M8[s]'), a.astype('M8[D]')", "a"), a)
