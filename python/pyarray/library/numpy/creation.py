"""Arrays that are computed from a few numbers: ``np.arange``, ``np.linspace``, ``np.eye`` and their kin."""

import math

import numpy as np

from .._intrinsics import given, known, literal, missing, on_device, strided
from ..device.counts import set_steps


def arange(start, stop=None, step=missing, dtype=None):
    """``np.arange``."""
    if step is None:
        return arange(start, stop, dtype=dtype)
    if isinstance(start, (np.datetime64, np.timedelta64)) or isinstance(stop, (np.datetime64, np.timedelta64)):
        return _arange_times(start, stop, step, dtype)
    if stop is None:
        if given(step):
            return arange(0, start, step, dtype)
        return _arange(0, start, 1, dtype, np.promote_types(np.int64, np.result_type(start)))
    if given(step):
        return _arange(start, stop, step, dtype, np.promote_types(np.int64, np.result_type(start, stop, step)))
    return _arange(start, stop, 1, dtype, np.promote_types(np.int64, np.result_type(start, stop)))


def _arange_times(start, stop, step, dtype):
    """Datetimes or timedeltas; a step that is an integer counts in their unit."""
    if stop is None:
        return _arange_times(start - start, start, step, dtype)
    elif dtype is not None:
        first, last = np.asarray(start).astype(dtype), np.asarray(stop).astype(dtype)
        return _times_between(first[()], last[()], step)
    else:
        return _times_between(start, stop, step)


def _times_between(start, stop, step):
    distance = stop - start
    if not given(step):
        return _times(start, start + distance, distance, _duration(distance, 1))
    if isinstance(step, np.timedelta64):
        return _times(start + (step - step), stop, distance, step)
    return _times(start, start + distance, distance, _duration(distance, step))


def _duration(like, count):
    """A timedelta of the same unit."""
    one = np.empty(1, np.asarray(like).dtype)
    one.view(np.int64)[0] = count
    return one[0]


def _times(start, stop, distance, step):
    if np.isnat(start) or np.isnat(stop) or np.isnat(step):
        raise ValueError("arange: cannot use NaT (not-a-time) datetime values")
    if step == step - step:
        raise ValueError("arange: step cannot be zero")
    out = np.empty(max(-int((-distance) // step), 0), np.asarray(start).dtype)
    at = start
    for i in range(len(out)):
        out[i] = at
        at = at + step
    return out


def _arange(start, stop, step, dtype, kind):
    """``kind``: the dtype where none is given."""
    if dtype is None:
        return _arange(start, stop, step, kind, kind)
    out = np.empty(_steps_between(start, stop, step), dtype)
    if len(out) > 0:
        _set_steps(out, start, start + step)
    return out


def _steps_between(start, stop, step):
    if isinstance(start, np.complexfloating) or isinstance(stop, np.complexfloating):
        return _steps_between(np.real(start), np.real(stop), np.real(step))
    distance = stop - start
    if step == 0:
        if isinstance(distance, (int, np.integer)) and isinstance(step, (int, np.integer)):
            raise ZeroDivisionError("division by zero")
        raise ZeroDivisionError("float division by zero")
    steps = distance / step
    if (stop >= start) != (distance >= 0):  # the difference of integers wraps
        steps = (float(stop) - float(start)) / step
    if math.isnan(steps):
        raise ValueError("arange: cannot compute length")
    if steps > 9e18:
        raise ValueError("Maximum allowed size exceeded")
    if steps == 0 and distance != 0:  # a step so long that the quotient is lost
        return 0 if math.copysign(1.0, steps) < 0 else 1
    return max(math.ceil(steps), 0) if steps > 0 else 0


def _set_steps(out, first, second):
    """Numbers from ``first`` on that are as far from each other as both are in the dtype."""
    if out.dtype.kind == "b":
        _set_each_step(out, first, second)
    elif on_device():
        set_steps(out, first, second)
    else:
        _set_each_step(out, first, second)


def _set_each_step(out, first, second):
    out[0] = first
    if len(out) > 1:
        out[1] = second
        start = out[0]
        delta = out[1] - start
        for i in range(2, len(out)):
            out[i] = start + out.dtype.type(i) * delta


def linspace(start, stop, num=50, endpoint=True, retstep: literal = False, dtype=None, axis: known = 0):
    """``np.linspace``."""
    if num < 0:
        raise ValueError(f"Number of samples, {num}, must be non-negative.")
    if retstep:
        return _linspace(start, stop, num, endpoint, dtype, axis)
    return _linspace(start, stop, num, endpoint, dtype, axis)[0]


def _inexact(start, stop):
    """The dtype in which the numbers between are computed."""
    kind = np.result_type(start, stop)
    if np.issubdtype(kind, np.inexact):
        return kind
    return np.dtype(np.float64)


def _linspace(start, stop, num, endpoint, dtype, axis: known):
    """The numbers, and their distance."""
    parts = num - 1 if endpoint else num
    if isinstance(start, (list, tuple)) or isinstance(stop, (list, tuple)):
        return _linspace(np.asarray(start), np.asarray(stop), num, endpoint, dtype, axis)
    if isinstance(start, np.ndarray) or isinstance(stop, np.ndarray):
        kind = _inexact(start, stop)
        first, last = np.asarray(start).astype(kind), np.asarray(stop).astype(kind)
        delta = np.subtract(last, first)
        return _between_arrays(first, last, delta, num, parts, endpoint, dtype, axis)
    unit = _inexact(start, stop).type
    first, last = unit(start), unit(stop)
    delta = np.subtract(last, first)
    step = np.divide(delta, unit(parts)) if parts > 0 else np.multiply(delta, unit(np.nan))
    out = np.empty(num, _inexact(start, stop))
    for i in range(num):
        if parts > 0 and step == 0:
            out[i] = np.add(np.multiply(np.divide(unit(i), unit(parts)), delta), first)
        elif parts > 0:
            out[i] = np.add(np.multiply(unit(i), step), first)
        else:
            out[i] = np.add(np.multiply(unit(i), delta), first)
    if endpoint and num > 1:
        out[-1] = last
    return _as_numbers(out, dtype), step


def _as_numbers(out, dtype):
    if dtype is None:
        return out
    if np.dtype(dtype).kind in "iu":
        return np.floor(out).astype(dtype)
    return out.astype(dtype)


def _between_arrays(first, last, delta, num, parts, endpoint, dtype, axis: known):
    out, unit = np.empty((num,) + delta.shape, delta.dtype), delta.dtype.type
    step = np.divide(delta, unit(parts)) if parts > 0 else np.multiply(delta, unit(np.nan))
    for i in range(num):
        out[i, ...] = np.add(np.multiply(unit(i), step if parts > 0 else delta), first)
    if endpoint and num > 1:
        out[-1, ...] = last
    return np.moveaxis(_as_numbers(out, dtype), 0, axis), step


def logspace(start, stop, num=50, endpoint=True, base=10.0, dtype=None, axis: known = 0):
    """``np.logspace``."""
    out = np.power(base, linspace(start, stop, num, endpoint, False, None, axis))
    if dtype is None:
        return out
    return out.astype(dtype)


def eye(N, M=None, k=0, dtype=np.float64, order="C"):
    """``np.eye``."""
    if M is None:
        return eye(N, N, k, dtype, order)
    if on_device():
        made = np.empty((N, M), dtype, order)
        made[...] = np.arange(M) == np.arange(N)[:, None] + k
        return made
    return _eye_by_items(N, M, k, dtype, order)


def _eye_by_items(N, M, k, dtype, order):
    out, offset = np.zeros((N, M), dtype, order), min(max(k, -N), M)
    for i in range(max(0, -offset), min(N, M - offset)):
        out[i, i + offset] = 1
    return out


def identity(n, dtype=np.float64):
    """``np.identity``."""
    return eye(n, n, 0, dtype)


def diag(v, k=0):
    """``np.diag``: of one dimension a matrix, of two a readonly view."""
    if not isinstance(v, np.ndarray):
        return diag(np.asarray(v), k)
    if v.ndim == 2:
        return np.diagonal(v, k)
    if v.ndim != 1:
        raise ValueError("Input must be 1- or 2-d.")
    size = len(v) + abs(k)
    out = np.zeros((size, size), v.dtype)
    first = k if k > 0 else -k * size
    out.reshape(size * size)[first :: size + 1][: len(v)] = v
    return out


def diagflat(v, k=0):
    """``np.diagflat``."""
    return diag(np.ravel(v), k)


def tri(N, M=None, k=0, dtype=np.float64):
    """``np.tri``."""
    if M is None:
        return tri(N, N, k, dtype)
    rows, columns = max(N, 0), max(M, 0)
    if on_device():
        made = np.empty((rows, columns), dtype)
        made[...] = _is_below(rows, columns, k)
        return made
    return _tri_by_rows(rows, columns, k, dtype)


def _tri_by_rows(rows, columns, k, dtype):
    out, offset = np.zeros((rows, columns), dtype), min(max(k, -rows), columns)
    for i in range(rows):
        out[i, : min(max(i + offset + 1, 0), columns)] = 1
    return out


def _is_below(rows, columns, k):
    """Of a matrix, what lies on the diagonal number ``k`` or below."""
    return np.arange(columns) <= np.arange(rows)[:, None] + k


def tril(m, k=0):
    """``np.tril``."""
    a = np.asarray(m)
    if a.ndim == 1:
        return tril(np.broadcast_to(a, a.shape + a.shape), k)
    else:
        if a.ndim >= 2:
            if on_device():
                return np.where(_is_below(a.shape[-2], a.shape[-1], k), a, a.dtype.type(0))
        return _tril_by_rows(a, k)


def _tril_by_rows(a, k):
    out = a.copy()
    if out.size > 0:
        rows = out.reshape((-1, out.shape[-2], out.shape[-1]))
        offset = min(max(k, -rows.shape[1]), rows.shape[2])
        for i in range(rows.shape[1]):
            rows[:, i, min(max(i + offset + 1, 0), rows.shape[2]) :] = 0
    return out


def triu(m, k=0):
    """``np.triu``."""
    a = np.asarray(m)
    if a.ndim == 1:
        return triu(np.broadcast_to(a, a.shape + a.shape), k)
    else:
        if a.ndim >= 2:
            if on_device():
                return np.where(_is_below(a.shape[-2], a.shape[-1], k - 1), a.dtype.type(0), a)
        return _triu_by_rows(a, k)


def _triu_by_rows(a, k):
    out = a.copy()
    if out.size > 0:
        rows = out.reshape((-1, out.shape[-2], out.shape[-1]))
        offset = min(max(k, -rows.shape[1]), rows.shape[2])
        for i in range(rows.shape[1]):
            rows[:, i, : min(max(i + offset, 0), rows.shape[2])] = 0
    return out


def vander(x, N=None, increasing=False):
    """``np.vander``."""
    a = np.asarray(x)
    if a.ndim != 1:
        raise ValueError("x must be a one-dimensional array or sequence.")
    elif N is None:
        return vander(a, len(a), increasing)
    else:
        out = np.empty((len(a), N), np.promote_types(a.dtype, np.int64))
        powers = out if increasing else out[:, ::-1]
        if N > 0:
            powers[:, 0] = 1
        for i in range(1, N):
            powers[:, i] = powers[:, i - 1] * a
        return out


def indices(dimensions, dtype=np.int64, sparse: known = False):
    """``np.indices``."""
    if sparse:
        return _sparse_indices(dimensions, dimensions, 0, dtype)
    out = np.empty((len(dimensions),) + dimensions, dtype)
    for axis in range(len(dimensions)):
        out[axis, ...] = _line(dimensions, axis, dtype)
    return out


def _line(dimensions, axis, dtype):
    """The positions along one axis, in as many dimensions."""
    return np.arange(dimensions[axis]).astype(dtype).reshape(_extent((1,) * len(dimensions), axis, dimensions[axis]))


def _extent(values, at, value):
    if len(values) == 0:
        return ()
    return (value if at == 0 else values[0],) + _extent(values[1:], at - 1, value)


def _sparse_indices(left, dimensions, axis, dtype):
    if len(left) == 0:
        return ()
    return (_line(dimensions, axis, dtype),) + _sparse_indices(left[1:], dimensions, axis + 1, dtype)


def _window(M):
    return np.arange(1 - M, M, 2)


def bartlett(M):
    """``np.bartlett``."""
    if M < 1:
        return np.zeros(0)
    if M == 1:
        return np.ones(1)
    n = _window(M)
    return np.where(np.less_equal(n, 0), 1 + n / (M - 1), 1 - n / (M - 1))


def blackman(M):
    """``np.blackman``."""
    if M < 1:
        return np.zeros(0)
    if M == 1:
        return np.ones(1)
    n = _window(M)
    return 0.42 + 0.5 * np.cos(math.pi * n / (M - 1)) + 0.08 * np.cos(2.0 * math.pi * n / (M - 1))


def hamming(M):
    """``np.hamming``."""
    if M < 1:
        return np.zeros(0)
    if M == 1:
        return np.ones(1)
    return 0.54 + 0.46 * np.cos(math.pi * _window(M) / (M - 1))


def hanning(M):
    """``np.hanning``."""
    if M < 1:
        return np.zeros(0)
    if M == 1:
        return np.ones(1)
    return 0.5 + 0.5 * np.cos(math.pi * _window(M) / (M - 1))


def fill_diagonal(a, val, wrap=False):
    """``np.fill_diagonal``: with an array or list its elements, over and over."""
    if a.ndim < 2:
        raise ValueError("array must be at least 2-d")
    elif a.ndim == 2:
        rows, columns = a.shape
        size, at, values, k = rows * columns, 0, np.ravel(np.asarray(val)), 0
        while at < (size if wrap else min(size, columns * columns)):
            a[at // columns, at % columns] = values[k]
            at += columns + 1
            k = k + 1 if k + 1 < len(values) else 0
    else:
        for n in a.shape:
            if n != a.shape[0]:
                raise ValueError("All dimensions of input must be of equal length")
        put_cyclically(strided(a, 0, (a.shape[0],), (_sum(a.strides),)), np.ravel(np.asarray(val)))


def put_cyclically(a, values):
    """Fill a vector with values, over and over."""
    for i in range(len(a)):
        a[i] = values[i % len(values)]


def _sum(values):
    total = 0
    for each in values:
        total += each
    return total
