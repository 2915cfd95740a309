"""Datetimes and timedeltas in whole arrays: other units and numbers, extremes without NaT, against NumPy."""

import numpy as np
import pytest
from arrays import check
from compare import expression

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
