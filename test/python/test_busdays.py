"""Business days, and medians and quantiles of timedeltas, as NumPy has them."""

import numpy as np
import pytest
from pyarray import njit

DAYS = np.arange("2019-12-20", "2020-01-25", dtype="M8[D]")
FREE = np.array(["2019-12-25", "2020-01-01", "2020-01-04", "NaT", "2020-01-01"], "M8[D]")


def test_which_days_are():
    def found(days, free):
        return (
            np.is_busday(days),
            np.is_busday(days, holidays=free),
            np.is_busday(days, weekmask="1000011"),
            np.is_busday(days, weekmask="Mon WedSat", holidays=free),
            np.is_busday(days, weekmask=[0, 0, 1, 0, 0, 0, 0]),
        )

    for mine, theirs in zip(njit(found)(DAYS, FREE), found(DAYS, FREE)):
        np.testing.assert_array_equal(mine, theirs)
    assert njit(lambda d: np.is_busday(d))(DAYS[0]) is True
    assert njit(lambda d: np.is_busday(d))(np.datetime64("NaT", "D")) is False


def test_counts():
    def count(first, last, free):
        return (
            np.busday_count(first, last),
            np.busday_count(first, last, holidays=free),
            np.busday_count(first[:, None], last, "1110001", free),
            np.busday_count(first[0], last),
        )

    for mine, theirs in zip(njit(count)(DAYS, DAYS[::-1], FREE), count(DAYS, DAYS[::-1], FREE)):
        np.testing.assert_array_equal(mine, theirs)
        assert mine.dtype == theirs.dtype
    assert njit(lambda a, b: np.busday_count(a, b))(DAYS[0], DAYS[-1]) == np.busday_count(DAYS[0], DAYS[-1])


ROLLS = "forward following backward preceding modifiedfollowing modifiedpreceding nat".split()


def test_offsets():
    @njit
    def moved(days, by, roll, free):
        return np.busday_offset(days, by, roll, "1111100", free)

    by = np.array([-30, -6, -5, -1, 0, 1, 4, 5, 17])[:, None]
    for roll in ROLLS:
        wanted = np.busday_offset(DAYS, by, roll, "1111100", FREE)
        found = moved(DAYS, by, roll, FREE)
        np.testing.assert_array_equal(found, wanted)
        assert found.dtype == wanted.dtype
    one = njit(lambda d: np.busday_offset(d, 2, roll="forward"))
    assert one(DAYS[1]) == np.busday_offset(DAYS[1], 2, roll="forward")


@pytest.mark.parametrize(
    "function",
    [
        lambda d: np.busday_offset(d, 1),
        lambda d: np.busday_offset(d, 1, roll="sideways"),
        lambda d: np.is_busday(d, weekmask="abc"),
        lambda d: np.is_busday(d, weekmask="1111112"),
        lambda d: np.is_busday(d, weekmask="0000000"),
        lambda d: np.is_busday(d, weekmask=[1, 1]),
        lambda d: np.busday_count(d, np.datetime64("NaT", "D")),
    ],
)
def test_errors(function):
    with pytest.raises(ValueError) as wanted:
        function(DAYS)
    with pytest.raises(ValueError) as caught:
        njit(function)(DAYS)
    assert str(caught.value) == str(wanted.value)


SPANS = np.array([[5, -3, 9, 1], [7, 7, -8, 2], [4, 3, 2, 1]], "m8[s]")
WITH_NAT = np.array([[5, -3, "NaT", 1], [7, 7, -8, 2]], "m8[s]")


def test_medians_and_quantiles_of_times():
    def folded(a):
        return (
            np.median(a),
            np.median(a, axis=0),
            np.median(a, axis=1, keepdims=True),
            np.percentile(a, [10.0, 50.0, 77.0]),
            np.quantile(a, 0.3, axis=1),
            np.quantile(a, 0.3, method="lower"),
            np.quantile(a, [0.25, 0.5], axis=0, method="hazen"),
        )

    for spans in (SPANS, WITH_NAT, np.array([-3, -4], "m8[h]")[None]):
        for mine, theirs in zip(njit(folded)(spans), folded(spans)):
            np.testing.assert_array_equal(mine, theirs)
            assert np.asarray(mine).dtype == np.asarray(theirs).dtype
    days = DAYS[[3, 1, 7]]
    assert njit(lambda d: np.quantile(d, 0.4))(days) == np.quantile(days, 0.4)


def test_dates_as_text():
    def counts(first):
        return (
            np.busday_count(first, "2020-03"),
            np.is_busday("2020-01-04"),
            np.busday_offset("2020-01-01", 5, roll="forward", holidays=["2020-01-06", "2020-02-29"]),
        )

    for first in ("2020-01-01", "2019-12", "2020", "1969-02-28"):
        assert njit(counts)(first) == counts(first)
    for wrong in ("2020-02-30", "2020-13-01", "2020-00-01", "x", "2020-1-1"):
        with pytest.raises(ValueError):
            counts(wrong)
        with pytest.raises(ValueError, match="Error parsing datetime string"):
            njit(counts)(wrong)


@pytest.mark.parametrize(
    "dates", [np.ones(2), np.arange(2), np.array(["2020-01-01T05"], "M8[s]")], ids=lambda a: a.dtype.str
)
@pytest.mark.parametrize("name", ["is_busday", "busday_offset", "busday_count"])
def test_what_are_no_days(name, dates):
    text = {"is_busday": "a", "busday_offset": "a, 1", "busday_count": "a, a"}[name]
    names = {"np": np}
    exec(f"def f(a): return np.{name}({text})", names)
    with pytest.raises(TypeError) as theirs:
        names["f"](dates)
    with pytest.raises(TypeError) as mine:
        njit(names["f"])(dates)
    assert str(theirs.value) in str(mine.value)
