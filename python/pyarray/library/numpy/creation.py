"""Arrays that are computed from a few numbers: ``np.arange``, ``np.linspace``, ``np.eye`` and their kin."""

import math

import numpy as np

from .._intrinsics import given, known, literal, missing


def arange(start, stop=None, step=missing, dtype=None):
    """``np.arange``."""
    if stop is None:
        if given(step):
            return arange(0, start, step, dtype)
        return _arange(0, start, 1, dtype, np.promote_types(np.int64, np.result_type(start)))
    if given(step):
        return _arange(start, stop, step, dtype, np.promote_types(np.int64, np.result_type(start, stop, step)))
    return _arange(start, stop, 1, dtype, np.promote_types(np.int64, np.result_type(start, stop)))


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


def _linspace(start, stop, num, endpoint, dtype, axis: known):
    """The numbers, and their distance."""
    parts = num - 1 if endpoint else num
    if isinstance(start, np.ndarray) or isinstance(stop, np.ndarray):
        first, last = np.asarray(start) * 1.0, np.asarray(stop) * 1.0
        delta = np.subtract(last, first)
        return _between_arrays(first, last, delta, num, parts, endpoint, dtype, axis)
    first, last = start * 1.0, stop * 1.0
    delta = last - first
    step = delta / parts if parts > 0 else delta * np.nan
    out = np.empty(num, np.result_type(first, last, np.float64))
    for i in range(num):
        if parts > 0:
            out[i] = (i / parts * delta if step == 0 else i * step) + first
        else:
            out[i] = i * delta + first
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
    out = np.empty((num,) + delta.shape, np.result_type(first, last, np.float64))
    step = delta / parts if parts > 0 else delta * np.nan
    for i in range(num):
        out[i, ...] = i * step + first if parts > 0 else i * delta + first
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
    out = np.zeros((N, M), dtype, order)
    for i in range(max(0, -k), min(N, M - k)):
        out[i, i + k] = 1
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
    for i in range(len(v)):
        out[i - min(k, 0), i + max(k, 0)] = v[i]
    return out


def diagflat(v, k=0):
    """``np.diagflat``."""
    return diag(np.ravel(v), k)


def tri(N, M=None, k=0, dtype=np.float64):
    """``np.tri``."""
    if M is None:
        return tri(N, N, k, dtype)
    out = np.zeros((N, M), dtype)
    for i in range(N):
        out[i, : min(max(i + k + 1, 0), M)] = 1
    return out


def tril(m, k=0):
    """``np.tril``."""
    out = np.asarray(m).copy()
    if out.size == 0:
        return out
    rows = out.reshape((-1, out.shape[-2], out.shape[-1]))
    for i in range(rows.shape[1]):
        rows[:, i, min(max(i + k + 1, 0), rows.shape[2]) :] = 0
    return out


def triu(m, k=0):
    """``np.triu``."""
    out = np.asarray(m).copy()
    if out.size == 0:
        return out
    rows = out.reshape((-1, out.shape[-2], out.shape[-1]))
    for i in range(rows.shape[1]):
        rows[:, i, : min(max(i + k, 0), rows.shape[2])] = 0
    return out
