"""Text in arrays that becomes longer or shorter: replaced, split in three, encoded, cut.

NumPy's dtype has room for the longest result that there is, which no type knows. Here it has room for the longest that
is possible: the values are NumPy's, and ``astype`` gives them another width.
"""

import numpy as np

from .._intrinsics import given, known, missing, text_dtype, text_length
from .texts import _of_pairs, _text_of_each

# Parts ----------------------------------------------------------------------------------------------------------------


def replace(a, old, new, count: known = -1):
    """``np.strings.replace``."""
    if isinstance(old, np.ndarray) or text_length(old) == 0:  # nothing, which items of arrays may be, is everywhere
        return _replaced(a, old, new, count, text_dtype(a, text_length(a) + (text_length(a) + 1) * text_length(new)))
    elif text_length(new) <= text_length(old):
        return _replaced(a, old, new, count, a.dtype)
    else:
        more = text_length(a) // text_length(old) * (text_length(new) - text_length(old))
        return _replaced(a, old, new, count, text_dtype(a, text_length(a) + more))


def _replaced(a, old, new, count, kind):
    if isinstance(old, np.ndarray) and isinstance(new, np.ndarray):
        raise TypeError("old and new are not both arrays")
    elif isinstance(old, np.ndarray):
        return _of_pairs(lambda x, y: x.replace(y, new, count), a, old, kind)
    elif isinstance(new, np.ndarray):
        return _of_pairs(lambda x, y: x.replace(old, y, count), a, new, kind)
    else:
        return _each_as(lambda x: x.replace(old, new, count), a, kind)


def _each_as(function, a, kind):
    out = np.empty(a.shape, kind)
    lines, made = a.reshape(-1), out.reshape(-1)
    for i in range(len(lines)):
        made[i] = function(lines[i])
    return out


def _three(function, a, sep):
    """The parts before, at and behind a separator."""
    before, behind = np.empty(a.shape, a.dtype), np.empty(a.shape, a.dtype)
    at = np.empty(a.shape, text_dtype(a, text_length(sep)))
    lines, first, second, third = a.reshape(-1), before.reshape(-1), at.reshape(-1), behind.reshape(-1)
    for i in range(len(lines)):
        parts = function(lines[i], sep)
        first[i], second[i], third[i] = parts[0], parts[1], parts[2]
    return before, at, behind


def partition(a, sep):
    """``np.strings.partition``."""
    return _three(lambda x, y: x.partition(y), a, sep)


def rpartition(a, sep):
    """``np.strings.rpartition``."""
    return _three(lambda x, y: x.rpartition(y), a, sep)


def partition_in_rows(a, sep):
    """``np.char.partition``: the three in a further axis."""
    return _stacked(partition(a, sep))


def rpartition_in_rows(a, sep):
    """``np.char.rpartition``."""
    return _stacked(rpartition(a, sep))


def _stacked(parts):
    kind = np.promote_types(parts[0].dtype, parts[1].dtype)
    out = np.empty(parts[0].shape + (3,), kind)
    out[..., 0], out[..., 1], out[..., 2] = parts[0], parts[1], parts[2]
    return out


def cut(a, start=None, stop=missing, step=None):
    """``np.strings.slice``, which counts as ``range`` does: one number is where to stop."""
    if not given(stop):
        return _text_of_each(lambda x: x[slice(None, start, step)], a)
    return _text_of_each(lambda x: x[slice(start, stop, step)], a)


# Characters -----------------------------------------------------------------------------------------------------------


def translate(a, table, deletechars=None):
    """``np.strings.translate``."""
    if deletechars is None:
        return _text_of_each(lambda x: x.translate(table), a)
    return _text_of_each(lambda x: x.translate(table, deletechars), a)


def expandtabs(a, tabsize: known = 8):
    """``np.strings.expandtabs``."""
    if tabsize <= 1:
        return _text_of_each(lambda x: x.expandtabs(tabsize), a)
    return _each_as(lambda x: x.expandtabs(tabsize), a, text_dtype(a, text_length(a) * tabsize))


def join(sep, seq):
    """``np.char.join``: the characters of each item, with a separator between two."""
    return _each_as(lambda x: sep.join(x), seq, text_dtype(seq, text_length(seq) * (1 + text_length(sep))))


def encode(a, encoding: known = None, errors=None):
    """``np.strings.encode``; a character has four bytes at most, or one in ASCII and Latin-1."""
    kept = "strict" if errors is None else errors
    if encoding is None:
        return _each_as(lambda x: x.encode("utf-8", kept), a, text_dtype("S1", 4 * text_length(a)))
    elif encoding == "ascii" or encoding == "latin-1":
        return _each_as(lambda x: x.encode(encoding, kept), a, text_dtype("S1", text_length(a)))
    else:
        return _each_as(lambda x: x.encode(encoding, kept), a, text_dtype("S1", 4 * text_length(a)))


def decode(a, encoding=None, errors=None):
    """``np.strings.decode``."""
    name, kept = "utf-8" if encoding is None else encoding, "strict" if errors is None else errors
    return _each_as(lambda x: x.decode(name, kept), a, text_dtype("U1", text_length(a)))
