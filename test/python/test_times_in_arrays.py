"""Datetimes and timedeltas in whole arrays: other units and numbers, extremes without NaT, against NumPy."""

import numpy as np
import pytest
from arrays import check
from compare import expression
from pyarray import njit

DAYS = np.array(["2020-01-31", "NaT", "1969-12-31", "1900-02-28"], "M8[D]")
HOURS = np.array([[5, -30, "NaT"], [1, 0, 2]], "m8[h]")


@pytest.mark.parametrize(
    "times, dtype",
    [
        (DAYS, "M8[s]"), (DAYS, "M8[M]"), (DAYS, "M8[Y]"), (DAYS, "M8[ns]"), (DAYS, "M8[D]"), (DAYS, "i8"),
        (DAYS, "f8"), (DAYS, "?"), (HOURS, "m8[s]"), (HOURS, "m8[D]"), (HOURS, "i8"), (HOURS, "f4"),
        (np.arange(3), "M8[D]"), (np.arange(3, dtype="i2"), "m8[s]"), (np.array([True, False]), "m8[h]"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("view", ["a", "a[::-1]", "a.T", "a[:0]", "a[..., ::2]"])
def test_astype(times, dtype, view):
    check(expression(f"{view}.astype('{dtype}')", "a"), times)


PARTS = ["a - a.astype('M8[M]')", "a.astype('M8[Y]').astype(int) + 1970", "a.astype('i8') * 2"]


@pytest.mark.parametrize("text", PARTS)
def test_parts_of_dates(text):
    check(expression(text, "a"), DAYS)


@pytest.mark.parametrize("times", [DAYS, HOURS, HOURS[:1, 2:], DAYS[:1]], ids=str)
@pytest.mark.parametrize("call", ["nanmin(a)", "nanmax(a)", "nanmin(a, axis=0)", "nanmax(a, axis=-1, keepdims=True)"])
def test_extremes_without_nat(call, times):
    check(expression(f"np.{call}", "a"), times)


WORDS = ["2020-02-29", "NaT", "1969-12-31T23"]


@pytest.mark.parametrize(
    "text",
    [
        "np.array(words, 'M8[h]')", "np.array([words, words[::-1]], dtype='M8[h]')", "np.asarray(words, 'M8[25s]')",
        "np.array(['2020-01-01', '2021-01-01'], 'M8[D]') + words.count('NaT')", "np.array((words[0],), 'M8[D]')",
    ],
)  # fmt: skip
def test_arrays_of_text_that_is_a_date(text):
    f = expression(text, "words")
    np.testing.assert_array_equal(f(WORDS), f.py_func(WORDS))
    assert f(WORDS).dtype == f.py_func(WORDS).dtype


@njit
def store_texts(times, word):
    times[0] = word
    times[1:3] = "2021-01-01"
    times[-1] = "NaT"
    return times


def test_stores_of_text_that_is_a_date():
    for dtype in ("M8[s]", "M8[D]"):
        ours, theirs = (f(np.zeros(5, dtype), "2020-02-29") for f in (store_texts, store_texts.py_func))
        np.testing.assert_array_equal(ours, theirs)
    with pytest.raises(ValueError, match='Error parsing datetime string "spam" at position 0'):
        store_texts(np.zeros(5, "M8[s]"), "spam")


def test_text_needs_a_unit():
    for text in ("np.array(words, 'M8')", "np.array(words, 'U20').astype('M8')"):
        with pytest.raises(TypeError, match="unit"):
            expression(text, "words")(WORDS)
