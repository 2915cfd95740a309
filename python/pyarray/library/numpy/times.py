"""Datetimes and timedeltas in arrays: in other units, as numbers, numbers as these, and as text."""

import numpy as np

from .._intrinsics import known, retyped, text_dtype, time_count, time_unit
from .texts import _codes_of, item_of

# Other dtypes ---------------------------------------------------------------------------------------------------------


def converted(a, dtype, order="K"):
    """``a.astype(dtype)``, where one of both is of datetimes or timedeltas."""
    wanted = np.dtype(dtype)
    if a.dtype.kind == wanted.kind:
        if wanted.name == "datetime64" or wanted.name == "timedelta64":
            return a.copy()
        made = np.empty_like(a, dtype, order=order)
        _change_units(a, made)
        return made
    out = np.empty_like(a, dtype, order=order)
    if wanted.kind != "M" and wanted.kind != "m":
        out[...] = retyped(a, np.int64)
    elif a.dtype.kind == "M" or a.dtype.kind == "m":
        if wanted.name == "datetime64" or wanted.name == "timedelta64":
            raise TypeError("the unit of the times must be given, as in a.astype('m8[s]')")
        retyped(out, np.int64)[...] = retyped(a, np.int64)
    elif a.dtype.kind == "f":  # what int64 has not becomes NaT, its least number
        retyped(out, np.int64)[...] = np.where(np.abs(a) < 9223372036854775808.0, a, -9223372036854775808.0)
    else:
        retyped(out, np.int64)[...] = a
    return out


def _change_units(a, out):
    if a.ndim == 0:
        out[()] = a[()].astype(out.dtype)
    elif a.ndim == 1:
        for i in range(len(a)):
            out[i] = a[i].astype(out.dtype)
    else:
        for i in range(len(a)):
            _change_units(a[i], out[i])


def set_times(a, index, value):
    """``a[index] = value`` of an array with other elements, where one of both has datetimes or timedeltas, or text."""
    if isinstance(value, str):
        a[index] = np.array([value], "U64").astype(a.dtype)[0]
    else:
        a[index] = converted(value, a.dtype)


# Units ----------------------------------------------------------------------------------------------------------------
# Their numbers are those of ``lib/support/time_unit.h``.

_YEAR, _MONTH, _WEEK, _DAY, _HOUR, _MINUTE, _SECOND = 0, 1, 2, 4, 5, 6, 7
_NAMES = ("Y", "M", "W", "", "D", "h", "m", "s", "ms", "us", "ns", "ps", "fs", "as", "generic")
_LENGTHS = (21, 24, 27, 0, 27, 31, 34, 37, 41, 44, 47, 50, 53, 56)  # of text, as NumPy's dtypes have them


def datetime_data(dtype):
    """``np.datetime_data``: the unit, and how many of it."""
    return _NAMES[time_unit(dtype)], time_count(dtype)


# Text -----------------------------------------------------------------------------------------------------------------


def datetime_as_string(arr, unit: known = None, timezone: known = "naive", casting="same_kind"):
    """``np.datetime_as_string``, in the own unit or another that is known; without time zones."""
    a = np.asarray(arr)
    if a.dtype.kind != "M":
        raise TypeError("input must have type NumPy datetime")
    elif timezone != "naive" and timezone != "UTC":
        raise ValueError("in compiled code timezone is 'naive' or 'UTC'")
    elif unit is not None:
        return _texts(_in_unit(a, unit), timezone == "UTC")
    else:
        return _texts(a, timezone == "UTC")


def _in_unit(a, unit: known):
    # A dtype that is written as text has to be a literal.
    if unit == "Y":
        return a.astype("M8[Y]")
    elif unit == "M":
        return a.astype("M8[M]")
    elif unit == "W":  # which NumPy does not round to
        return a.astype("M8[D]")
    elif unit == "D":
        return a.astype("M8[D]")
    elif unit == "h":
        return a.astype("M8[h]")
    elif unit == "m":
        return a.astype("M8[m]")
    elif unit == "s":
        return a.astype("M8[s]")
    elif unit == "ms":
        return a.astype("M8[ms]")
    elif unit == "us":
        return a.astype("M8[us]")
    elif unit == "ns":
        return a.astype("M8[ns]")
    elif unit == "ps":
        return a.astype("M8[ps]")
    elif unit == "fs":
        return a.astype("M8[fs]")
    elif unit == "as":
        return a.astype("M8[as]")
    else:
        raise TypeError(f'Invalid datetime unit "{unit}" in metadata')


def as_text(a, dtype):
    """Datetimes as text of this dtype."""
    out = np.zeros(a.shape, dtype)
    _put_texts(a, out, False)
    return out


def _texts(a, utc: known):
    unit = time_unit(a.dtype)
    out = np.zeros(a.shape, text_dtype("U1", _LENGTHS[unit] + 1))
    _put_texts(a, out, utc)
    return item_of(out)


def _put_texts(a, out, utc: known):
    """Store the text of datetimes, as ISO 8601 has it, to an array of text."""
    counts, codes = retyped(a, np.int64).reshape(-1), _codes_of(out.reshape(-1))
    for i in range(len(counts)):
        if counts[i] == _NAT:
            _put(codes[i], 0, 78)
            _put(codes[i], 1, 97)
            _put(codes[i], 2, 84)
        else:
            _put_time(counts[i] * time_count(a.dtype), time_unit(a.dtype), codes[i], utc)


_NAT = -(2**63)


def _put(codes, at, code):
    if at >= len(codes):
        raise RuntimeError(
            f"The string provided for NumPy ISO datetime formatting was too short, with length {len(codes)}"
        )
    codes[at] = code
    return at + 1


def _put_number(codes, at, number, digits):
    """With so many digits at least."""
    if number < 0:
        return _put_number(codes, _put(codes, at, 45), -number, digits - 1)
    step, shown = 1, 1
    while shown < digits or number // step >= 10:
        step *= 10
        shown += 1
    while step > 0:
        at = _put(codes, at, 48 + number // step % 10)
        step //= 10
    return at


def _put_time(count, unit: known, codes, utc: known):
    if unit <= _MONTH:
        at = _put_number(codes, 0, 1970 + (count if unit == _YEAR else count // 12), 4)
        if unit == _MONTH:
            at = _put_number(codes, _put(codes, at, 45), count % 12 + 1, 2)
        return
    if unit <= _DAY:
        _put_day(codes, 7 * count if unit == _WEEK else count)
        return
    if unit <= _SECOND:
        per_hour = 1 if unit == _HOUR else 60 if unit == _MINUTE else 3600
        at = _put_day(codes, count // (24 * per_hour))
        at = _put_clock(codes, at, count % (24 * per_hour) * (3600 // per_hour), unit)
    else:
        parts = 1
        for _ in range(unit - _SECOND):
            parts *= 1000
        seconds = count // parts
        at = _put_day(codes, seconds // 86400)
        at = _put_clock(codes, at, seconds % 86400, unit)
        at = _put_number(codes, _put(codes, at, 46), count % parts, 3 * (unit - _SECOND))
    if utc:
        _put(codes, at, 90)


def _put_day(codes, days):
    """The date of a day, counted from 1970 on: the calendar repeats itself every 146097 days, 400 years."""
    shifted = days + 719468  # from 0000-03-01 on, so that a leap day is the last of a year
    era, day = shifted // 146097, shifted % 146097
    year = (day - day // 1460 + day // 36524 - day // 146096) // 365
    day -= 365 * year + year // 4 - year // 100
    month = (5 * day + 2) // 153
    day -= (153 * month + 2) // 5 - 1
    at = _put_number(codes, 0, 400 * era + year + (1 if month >= 10 else 0), 4)
    at = _put_number(codes, _put(codes, at, 45), month + 3 if month < 10 else month - 9, 2)
    return _put_number(codes, _put(codes, at, 45), day, 2)


def _put_clock(codes, at, seconds, unit: known):
    at = _put_number(codes, _put(codes, at, 84), seconds // 3600, 2)
    if unit > _HOUR:
        at = _put_number(codes, _put(codes, at, 58), seconds // 60 % 60, 2)
    if unit > _MINUTE:
        at = _put_number(codes, _put(codes, at, 58), seconds % 60, 2)
    return at
