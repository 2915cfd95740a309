"""Text in arrays as datetimes: ISO 8601 as NumPy reads it, without ``now`` and ``today``."""

import numpy as np

from .._intrinsics import known, retyped, time_count, time_unit
from .texts import _codes_of, _is_space, _length

# Units by their numbers in ``lib/support/time_unit.h``.
_YEAR, _MONTH, _WEEK, _DAY, _HOUR, _MINUTE, _SECOND = 0, 1, 2, 4, 5, 6, 7
_GENERIC = 14
_NAT = -(2**63)


def parsed(a, dtype):
    """``a.astype(dtype)`` of text, to datetimes."""
    out = np.empty(a.shape, dtype)
    if time_unit(out.dtype) == _GENERIC:
        raise TypeError("the unit of the times must be given, as in 'M8[s]'")
    counts, codes = retyped(out, np.int64).reshape(-1), _codes_of(a.reshape(-1))
    for i in range(len(counts)):
        count = _read(codes[i], time_unit(out.dtype))
        counts[i] = count if count == _NAT else count // time_count(out.dtype)
    return out


def _shown(codes):
    return "".join([chr(np.int64(codes[i])) for i in range(_length(codes))])


def _refuse(codes, at):
    raise ValueError(f'Error parsing datetime string "{_shown(codes)}" at position {at}')


def _is_digit(codes, at, end):
    return at < end and 48 <= codes[at] <= 57


def _two(codes, at, end, least, most, name: known):
    """The number of two digits at a position, between its bounds."""
    if not (_is_digit(codes, at, end) and _is_digit(codes, at + 1, end)):
        _refuse(codes, at)
    number = 10 * (np.int64(codes[at]) - 48) + np.int64(codes[at + 1]) - 48
    if number < least or number > most:
        raise ValueError(f'{name} out of range in datetime string "{_shown(codes)}"')
    return number


def _is_nat(codes, at, end):
    return (
        end - at == 3
        and codes[at] | 32 == ord("n")
        and codes[at + 1] | 32 == ord("a")
        and codes[at + 2] | 32 == ord("t")
    )


def _read(codes, unit: known):
    """The number of units since 1970."""
    at, end = 0, _length(codes)
    while at < end and _is_space(codes[at]):
        at += 1
    if at == end or _is_nat(codes, at, end):
        return _NAT
    negative = codes[at] == ord("-")
    if negative or codes[at] == ord("+"):
        at += 1
    if not _is_digit(codes, at, end):
        _refuse(codes, at)
    year, month, day = 0, np.int64(1), np.int64(1)
    while _is_digit(codes, at, end):
        year = 10 * year + np.int64(codes[at]) - 48
        at += 1
    if negative:
        year = -year
    if at < end:
        if codes[at] != ord("-"):
            _refuse(codes, at)
        month = _two(codes, at + 1, end, 1, 12, "Month")
        at += 3
    if at < end:
        if codes[at] != ord("-"):
            _refuse(codes, at)
        day = _two(codes, at + 1, end, 1, _days_of(year, month), "Day")
        at += 3
    if unit == _YEAR:
        _read_clock(codes, at, end, 0)
        return year - 1970
    if unit == _MONTH:
        _read_clock(codes, at, end, 0)
        return 12 * (year - 1970) + month - 1
    days = _days_before(year, month) + day - 1
    if unit > _SECOND:
        digits = 3 * (unit - _SECOND)
        seconds, fraction = _read_clock(codes, at, end, digits)
        for _ in range(unit - _SECOND):
            seconds *= 1000
            days *= 1000
        return 86400 * days + seconds + fraction
    seconds = 86400 * days + _read_clock(codes, at, end, 0)[0]
    return seconds // _seconds_of(unit)


def _seconds_of(unit: known):
    if unit == _WEEK:
        return 604800
    if unit == _DAY:
        return 86400
    if unit == _HOUR:
        return 3600
    return 60 if unit == _MINUTE else 1


def _days_of(year, month):
    """How many the month has."""
    if month == 2:
        return 29 if year % 4 == 0 and (year % 100 != 0 or year % 400 == 0) else 28
    return 30 if month == 4 or month == 6 or month == 9 or month == 11 else 31


def _days_before(year, month):
    """From 1970 to the first of the month; years are counted from March on, so that a leap day is the last of one."""
    shifted, months = (year, month - 3) if month > 2 else (year - 1, month + 9)
    return 365 * shifted + shifted // 4 - shifted // 100 + shifted // 400 + (153 * months + 2) // 5 - 719468


def _read_clock(codes, at, end, digits):
    """Seconds since midnight in UTC, and of their fraction so many digits; what ends the text is checked."""
    seconds, fraction = np.int64(0), np.int64(0)
    if at == end:
        return seconds, fraction
    if codes[at] != ord("T") and codes[at] != ord(" "):
        _refuse(codes, at)
    seconds = 3600 * _two(codes, at + 1, end, 0, 23, "Hours")
    at += 3
    if at < end and codes[at] == ord(":"):
        seconds += 60 * _two(codes, at + 1, end, 0, 59, "Minutes")
        at += 3
        if at < end and codes[at] == ord(":"):
            seconds += _two(codes, at + 1, end, 0, 59, "Seconds")
            at += 3
            if at < end and codes[at] == ord("."):
                at += 1
                while _is_digit(codes, at, end):
                    if digits > 0:
                        fraction = 10 * fraction + np.int64(codes[at]) - 48
                        digits -= 1
                    at += 1
    while digits > 0:
        fraction *= 10
        digits -= 1
    return seconds - 60 * _minutes_ahead(codes, at, end), fraction


def _minutes_ahead(codes, at, end):
    """How far ahead of UTC the clock is."""
    if at == end or (codes[at] == ord("Z") and at + 1 == end):
        return np.int64(0)
    if codes[at] != ord("+") and codes[at] != ord("-"):
        _refuse(codes, at)
    minutes, later = 60 * _two(codes, at + 1, end, 0, 23, "Timezone hours offset"), at + 3
    if later < end and codes[later] == ord(":"):
        later += 1
    if later < end:
        minutes += _two(codes, later, end, 0, 59, "Timezone minutes offset")
        later += 2
    if later != end:
        _refuse(codes, later)
    return minutes if codes[at] == ord("+") else -minutes
