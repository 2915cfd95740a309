"""Business days: ``np.is_busday``, ``np.busday_count`` and ``np.busday_offset``, of days counted from 1970-01-01."""

import numpy as np

from .._intrinsics import holds_texts, raise_if

_NAT = -(2**63)
_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")


def _days_of(dates):
    """Dates as days, int64."""
    if isinstance(dates, str):
        return np.asarray(_day_of_text(dates))
    elif isinstance(dates, (list, tuple)) and holds_texts(dates):
        days = np.empty(len(dates), np.int64)
        at = 0
        for text in dates:
            days[at] = _day_of_text(text)
            at += 1
        return days
    else:
        given = np.asarray(dates)
        if given.dtype.kind != "M":
            raise TypeError(_no_days(given.dtype.str if given.dtype.kind == "m" else given.dtype.name))
        else:
            unit, count = np.datetime_data(given.dtype)
            if unit not in ("Y", "M", "W", "D", "generic"):
                raise TypeError(_no_days(f"<M8[{unit}]" if count == 1 else f"<M8[{count}{unit}]"))
            else:
                return np.asarray(given, "M8[D]").view(np.int64)


def _no_days(name):
    into = "dtype('<M8[D]') according to the rule 'safe'"
    return f"Iterator operand 0 dtype could not be cast from dtype('{name}') to {into}"


def _day_of_text(text):
    """The day of ``"2020-02-29"``, or the first of ``"2020-02"``."""
    if text == "NaT" or text == "":
        return _NAT
    parts = text.split("-")
    wrong = len(parts) > 3
    for i in range(len(parts)):
        wrong = wrong or not (parts[i].isdigit() and parts[i].isascii() and len(parts[i]) == (4 if i == 0 else 2))
    if wrong:
        raise ValueError('Error parsing datetime string "' + text + '"')
    year, month = int(parts[0]), int(parts[1]) if len(parts) > 1 else 1
    first = np.datetime64(12 * (year - 1970) + month - 1, "M")
    day = int(parts[2]) if len(parts) > 2 else 1
    start, behind = _first_day(first), _first_day(first + 1)
    if month < 1 or month > 12 or day < 1 or day > behind - start:
        raise ValueError('Error parsing datetime string "' + text + '"')
    return start + day - 1


def _first_day(month):
    return np.datetime64(month, "D").view(np.int64)


def _week(weekmask):
    """Which of the seven days, from Monday on, are business days."""
    week = np.zeros(7, np.bool_)
    if isinstance(weekmask, str):
        if len(weekmask) == 7 and (weekmask[0] == "0" or weekmask[0] == "1"):
            for i in range(7):
                if weekmask[i] != "0" and weekmask[i] != "1":
                    raise ValueError('Invalid business day weekmask string "' + weekmask + '"')
                week[i] = weekmask[i] == "1"
        else:
            _mark_names(week, weekmask)
    else:
        given = np.asarray(weekmask)
        raise_if(
            len(given) != 7,
            "ValueError",
            "A business day weekmask array must have length 7",
        )
        for i in range(7):
            week[i] = given[i] != 0
    return week


def _mark_names(week, names):
    """The same of ``"Mon Tue"`` or ``"MonTue"``."""
    at = 0
    while at < len(names):
        if names[at].isspace():
            at += 1
        else:
            found = False
            for i in range(7):
                if names[at : at + 3] == _DAYS[i]:
                    week[i] = found = True
            if not found:
                raise ValueError('Invalid business day weekmask string "' + names + '"')
            at += 3


def _checked(week):
    raise_if(
        not week.any(),
        "ValueError",
        "the business day weekmask must have at least one valid business day",
    )
    return week


def _is_work(day, week):
    return week[(day + 3) % 7]


def _holidays(holidays, week):
    """Those that would be business days, in order, each once."""
    if holidays is None:
        return np.empty(0, np.int64)
    days = np.unique(_days_of(holidays))
    count = 0
    for i in range(len(days)):
        if days[i] != _NAT and _is_work(days[i], week):
            days[count] = days[i]
            count += 1
    return days[:count]


def _is_busday(day, week, holidays):
    if day == _NAT or not _is_work(day, week):
        return False
    at = np.searchsorted(holidays, day)
    return at == len(holidays) or holidays[at] != day


def _check_calendar(busdaycal):
    if busdaycal is not None:
        raise NotImplementedError("busdaycal is not compiled: pass its weekmask and holidays")


def _stored(result, out):
    if out is None:
        return result
    out[...] = result
    return out


def is_busday(dates, weekmask="1111100", holidays=None, busdaycal=None, out=None):
    """``np.is_busday``."""
    _check_calendar(busdaycal)
    week, days = _checked(_week(weekmask)), _days_of(dates)
    free = _holidays(holidays, week)
    if np.ndim(dates) == 0:
        return _is_busday(days[()], week, free)
    found, line = np.empty(days.shape, np.bool_), days.reshape(-1)
    flat = found.reshape(-1)
    for i in range(len(line)):
        flat[i] = _is_busday(line[i], week, free)
    return _stored(found, out)


# Counts ---------------------------------------------------------------------------------------------------------------


def _count_from(first, last, week, holidays, per_week):
    """Business days from ``first`` to before ``last``."""
    whole = (last - first) // 7
    count = whole * per_week
    for day in range(first + 7 * whole, last):
        count += 1 if _is_work(day, week) else 0
    return count - (np.searchsorted(holidays, last) - np.searchsorted(holidays, first))


def _count(first, last, week, holidays, per_week):
    raise_if(
        first == _NAT or last == _NAT,
        "ValueError",
        "Cannot compute a business day count with a NaT (not-a-time) date",
    )
    if first > last:
        return -_count_from(last + 1, first + 1, week, holidays, per_week)
    return _count_from(first, last, week, holidays, per_week)


def busday_count(begindates, enddates, weekmask="1111100", holidays=None, busdaycal=None, out=None):
    """``np.busday_count``."""
    _check_calendar(busdaycal)
    week, first, last = _checked(_week(weekmask)), _days_of(begindates), _days_of(enddates)
    free, per_week = _holidays(holidays, week), np.count_nonzero(week)
    if np.ndim(begindates) == 0 and np.ndim(enddates) == 0:
        return _count(first[()], last[()], week, free, per_week)
    shape = np.broadcast_shapes(first.shape, last.shape)
    counts = np.empty(shape, np.int64)
    a, b = np.broadcast_to(first, shape).reshape(-1), np.broadcast_to(last, shape).reshape(-1)
    flat = counts.reshape(-1)
    for i in range(len(flat)):
        flat[i] = _count(a[i], b[i], week, free, per_week)
    return _stored(counts, out)


# Offsets --------------------------------------------------------------------------------------------------------------


def _month_of(day):
    """The number of the month that a day is in."""
    return np.asarray(day).view("M8[D]").astype("M8[M]").view(np.int64)[()]


def _step(day, by, week, holidays):
    """The nearest business day before or behind a day."""
    day += by
    while not _is_busday(day, week, holidays):
        day += by
    return day


def _rolled(day, roll, week, holidays):
    """The business day that a day counts as; NaT where there is none."""
    if day == _NAT:
        raise_if(roll == "raise", "ValueError", "NaT input in busday_offset")
        return day
    if _is_busday(day, week, holidays):
        return day
    if roll == "forward" or roll == "following":
        return _step(day, 1, week, holidays)
    if roll == "backward" or roll == "preceding":
        return _step(day, -1, week, holidays)
    if roll == "modifiedfollowing":
        found = _step(day, 1, week, holidays)
        return found if _month_of(found) == _month_of(day) else _step(day, -1, week, holidays)
    if roll == "modifiedpreceding":
        found = _step(day, -1, week, holidays)
        return found if _month_of(found) == _month_of(day) else _step(day, 1, week, holidays)
    raise_if(roll != "nat", "ValueError", "Non-business day date in busday_offset")
    return _NAT


def _offset(day, by, roll, week, holidays, per_week):
    at = _rolled(day, roll, week, holidays)
    if at == _NAT or by == 0:
        return at
    sign = 1 if by > 0 else -1
    left, start = abs(by), at
    at += sign * 7 * (left // per_week)
    left %= per_week
    while left > 0:
        at += sign
        left -= 1 if _is_work(at, week) else 0
    k = np.searchsorted(holidays, start)
    if sign > 0:
        while k < len(holidays) and holidays[k] <= at:
            at += 1
            while not _is_work(at, week):
                at += 1
            k += 1
    else:
        while k > 0 and holidays[k - 1] >= at:
            at -= 1
            while not _is_work(at, week):
                at -= 1
            k -= 1
    return at


def _check_roll(roll):
    if not (
        roll == "raise"
        or roll == "nat"
        or roll == "forward"
        or roll == "following"
        or roll == "backward"
        or roll == "preceding"
        or roll == "modifiedfollowing"
        or roll == "modifiedpreceding"
    ):
        raise ValueError('Invalid business day roll parameter "' + roll + '"')


def busday_offset(dates, offsets, roll="raise", weekmask="1111100", holidays=None, busdaycal=None, out=None):
    """``np.busday_offset``."""
    _check_calendar(busdaycal)
    _check_roll(roll)
    week, days, steps = _checked(_week(weekmask)), _days_of(dates), np.asarray(offsets)
    free, per_week = _holidays(holidays, week), np.count_nonzero(week)
    shape = np.broadcast_shapes(days.shape, steps.shape)
    found = np.empty(shape, np.int64)
    a, b = np.broadcast_to(days, shape).reshape(-1), np.broadcast_to(steps, shape).reshape(-1)
    flat = found.reshape(-1)
    for i in range(len(flat)):
        flat[i] = _offset(a[i], np.int64(b[i]), roll, week, free, per_week)
    if np.ndim(dates) == 0 and np.ndim(offsets) == 0:
        return found.view("M8[D]")[()]
    return _stored(found.view("M8[D]"), out)
