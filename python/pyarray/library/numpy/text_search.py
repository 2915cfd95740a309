"""Where text occurs in the items of arrays of text, over the codes of both."""

import numpy as np

from .._intrinsics import known
from .texts import _check, _codes_of, _end, _is_unicode, _length, _of_pairs, _shape, _spread, item_of

_FIND, _RFIND, _COUNT, _STARTS, _ENDS = range(5)


def _searched(a, sub, start, end, which: known, kind):
    """A number or truth for each item; of a single ``a``, by the methods of ``str``."""
    if isinstance(a, np.ndarray):
        return _in_items(a, sub, start, end, which, kind)
    elif which == _FIND:
        return _of_pairs(lambda x, y: x.find(y, start, end), a, sub, kind)
    elif which == _RFIND:
        return _of_pairs(lambda x, y: x.rfind(y, start, end), a, sub, kind)
    elif which == _COUNT:
        return _of_pairs(lambda x, y: x.count(y, start, end), a, sub, kind)
    elif which == _STARTS:
        return _of_pairs(lambda x, y: x.startswith(y, start, end), a, sub, kind)
    else:
        return _of_pairs(lambda x, y: x.endswith(y, start, end), a, sub, kind)


def _in_items(a, sub, start, end, which: known, kind):
    if _is_unicode(sub) != _is_unicode(a):
        raise TypeError("text and bytes are not searched for each other")
    _check(a, sub)
    shape = np.broadcast_shapes(a.shape, _shape(sub))
    out = np.empty(shape, kind)
    _in_lines(_codes_of(_spread(a, shape)), _codes_of(_spread(sub, shape)), start, end, which, out.reshape(-1))
    return item_of(out)


def _in_lines(lines, each, start, end, which: known, out):
    for i in range(len(out)):
        line, sub = lines[i], each[i] if each.ndim == 2 else each
        length = _length(line)
        most = min(end, length) if end >= 0 else max(end + length, 0)
        least = start if start >= 0 else max(start + length, 0)
        out[i] = _one(line, sub, least, most, _length(sub), which)


def _one(line, sub, least, most, length, which: known):
    """What is asked of characters ``least`` to ``most`` of one item."""
    last = most - length
    if which == _COUNT:
        if length == 0:
            return max(last - least + 1, 0)
        found, at = 0, least
        while at <= last:
            if _is_at(line, sub, at, length):
                found += 1
                at += length
            else:
                at += 1
        return found
    elif which == _FIND:
        for at in range(least, last + 1):
            if _is_at(line, sub, at, length):
                return at
        return -1
    elif which == _RFIND:
        for at in range(last, least - 1, -1):
            if _is_at(line, sub, at, length):
                return at
        return -1
    elif which == _STARTS:
        return least <= last and _is_at(line, sub, least, length)
    else:
        return least <= last and _is_at(line, sub, last, length)


def _is_at(line, sub, at, length):
    for i in range(length):
        if line[at + i] != sub[i]:
            return False
    return True


def find(a, sub, start=0, end=None):
    """``np.strings.find``."""
    return _searched(a, sub, start, _end(end), _FIND, np.int64)


def rfind(a, sub, start=0, end=None):
    """``np.strings.rfind``."""
    return _searched(a, sub, start, _end(end), _RFIND, np.int64)


def index(a, sub, start=0, end=None):
    """``np.strings.index``."""
    return _all_found(find(a, sub, start, end))


def rindex(a, sub, start=0, end=None):
    """``np.strings.rindex``."""
    return _all_found(rfind(a, sub, start, end))


def _all_found(places):
    line = places.reshape(-1)
    for i in range(len(line)):
        if line[i] < 0:
            raise ValueError("substring not found")
    return places


def count(a, sub, start=0, end=None):
    """``np.strings.count``."""
    return _searched(a, sub, start, _end(end), _COUNT, np.int64)


def startswith(a, prefix, start=0, end=None):
    """``np.strings.startswith``."""
    return _searched(a, prefix, start, _end(end), _STARTS, np.bool_)


def endswith(a, suffix, start=0, end=None):
    """``np.strings.endswith``."""
    return _searched(a, suffix, start, _end(end), _ENDS, np.bool_)
