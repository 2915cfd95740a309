"""Objects that are subscripted: ``np.mgrid``, ``np.ogrid``, ``np.r_``, ``np.c_``, ``np.s_``, ``np.index_exp``.

A slice in the subscript of a grid or of ``np.r_`` is a tuple ``(None, start, stop, step)``: its parts may be floats,
and a complex step is a number of points, the last one included. No other item of such a subscript begins with None.
"""

import math

import numpy as np

from .._intrinsics import known


def s_(key):
    """``np.s_``."""
    return key


def index_exp(key):
    """``np.index_exp``."""
    if isinstance(key, tuple):
        return key
    return (key,)


# Grids ----------------------------------------------------------------------------------------------------------------


def _start(part):
    return 0 if part[1] is None else part[1]


def _step(part):
    return 1 if part[3] is None else part[3]


def _size(part):
    if isinstance(part[3], (complex, np.complexfloating)):
        return int(abs(part[3]))
    return math.ceil((part[2] - _start(part)) / _step(part))


def _sizes(parts):
    if len(parts) == 0:
        return ()
    return (_size(parts[0]),) + _sizes(parts[1:])


def _type(parts):
    """An array of no elements of the type that the points have, at least int64."""
    if len(parts) == 0:
        return np.empty(0, np.int64)
    part = parts[0]
    rest = _type(parts[1:])
    if isinstance(part[3], (complex, np.complexfloating)):
        kind = np.result_type(rest, _start(part), part[2], abs(part[3]))
    else:
        kind = np.result_type(rest, _start(part), part[2], _step(part))
    return np.empty(0, kind)


def _distance(part):
    """From one point to the next."""
    if isinstance(part[3], (complex, np.complexfloating)):
        count = int(abs(part[3]))
        return (part[2] - _start(part)) / float(count - 1) if count != 1 else 1.0
    return _step(part)


def _scale(grid, parts, at):
    if len(parts) > 0:
        grid[at, ...] = grid[at] * _distance(parts[0]) + _start(parts[0])
        _scale(grid, parts[1:], at + 1)


def _scaled(lines, parts):
    if len(parts) == 0:
        return ()
    return (lines[0] * _distance(parts[0]) + _start(parts[0]),) + _scaled(lines[1:], parts[1:])


def _line(part):
    """The points of a grid of one slice."""
    if isinstance(part[3], (complex, np.complexfloating)):
        count = int(abs(part[3]))
        kind = np.result_type(_start(part), part[2], abs(part[3]))
        return np.arange(0, count, 1, kind) * _distance(part) + _start(part)
    return np.arange(_start(part), part[2], _step(part))


def mgrid(key):
    """``np.mgrid``."""
    if isinstance(key, tuple) and len(key) == 4 and key[0] is None:
        return _line(key)
    grid = np.indices(_sizes(key), _type(key).dtype)
    _scale(grid, key, 0)
    return grid


def ogrid(key):
    """``np.ogrid``."""
    if isinstance(key, tuple) and len(key) == 4 and key[0] is None:
        return _line(key)
    return _scaled(np.indices(_sizes(key), _type(key).dtype, True), key)


# Joins ----------------------------------------------------------------------------------------------------------------


def _points(part):
    if isinstance(part[3], (complex, np.complexfloating)):
        return np.linspace(_start(part), part[2], int(abs(part[3])))
    return np.arange(_start(part), part[2], _step(part))


def _row(item):
    if isinstance(item, tuple) and len(item) == 4 and item[0] is None:
        return _points(item)
    return np.atleast_1d(item)


def _column(item):
    if isinstance(item, tuple) and len(item) == 4 and item[0] is None:
        return _points(item)[:, None]
    a = np.asarray(item)
    if a.ndim < 2:
        return np.atleast_1d(a)[:, None]
    return a


def _parts(items, columns: known):
    if len(items) == 0:
        return ()
    return (_column(items[0]) if columns else _row(items[0]),) + _parts(items[1:], columns)


def _of_arrays(items, parts):
    """No elements of the type of all parts but numbers; None where there are no others."""
    if len(items) == 0:
        return None
    rest = _of_arrays(items[1:], parts[1:])
    if isinstance(items[0], (bool, int, float, complex, np.generic)):
        return rest
    if rest is None:
        return np.empty(0, parts[0].dtype)
    return np.empty(0, np.result_type(parts[0], rest))


def _with_numbers(kind, items):
    """The same once numbers are among them, whose size counts for nothing beside arrays."""
    if len(items) == 0:
        return kind
    if isinstance(items[0], (bool, int, float, complex, np.generic)):
        return _with_numbers(np.add(kind, items[0]), items[1:])
    return _with_numbers(kind, items[1:])


def _cast(parts, dtype):
    if len(parts) == 0:
        return ()
    return (parts[0].astype(dtype, copy=False),) + _cast(parts[1:], dtype)


def _of_one_type(items, parts):
    kind = _of_arrays(items, parts)
    if kind is None:
        return parts
    return _cast(parts, _with_numbers(kind, items).dtype)


def _joined(key, columns: known):
    if isinstance(key, tuple) and len(key) == 4 and key[0] is None:
        return _joined((key,), columns)
    if not isinstance(key, tuple):
        return _joined((key,), columns)
    parts = _of_one_type(key, _parts(key, columns))
    if columns:
        return np.concatenate(parts, axis=-1)
    return np.concatenate(parts, axis=0)


def joined(key):
    """``np.r_``."""
    return _joined(key, False)


def joined_as_columns(key):
    """``np.c_``."""
    return _joined(key, True)
