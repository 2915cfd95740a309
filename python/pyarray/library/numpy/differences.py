"""Differences and sums along an axis: ``np.diff``, ``np.trapezoid``, ``np.average``, sums without NaN and their kin."""

import math

import numpy as np

from .._intrinsics import given, known, missing, raise_if
from .axes import axes_of, axis_of, moved_axes, numbers_from
from .joins import concatenate

# Differences ----------------------------------------------------------------------------------------------------------


def _along(a, axis: known, start, stop):
    """The slice of an axis."""
    if axis == -1 or axis == a.ndim - 1:
        return a[..., start:stop]
    if axis == 0:
        return a[start:stop]
    return np.swapaxes(np.swapaxes(a, 0, axis)[start:stop], 0, axis)


def _difference(a, axis: known):
    n = a.shape[axis]
    if a.dtype == np.bool_:
        return np.not_equal(_along(a, axis, 1, n), _along(a, axis, 0, max(n - 1, 0)))
    return np.subtract(_along(a, axis, 1, n), _along(a, axis, 0, max(n - 1, 0)))


def diff(a, n: known = 1, axis: known = -1, prepend=missing, append=missing):
    """``np.diff``."""
    source = np.asarray(a)
    if source.ndim == 0:
        raise ValueError("diff requires input that is at least one dimensional")
    elif axis < -source.ndim or axis >= source.ndim:
        raise np.exceptions.AxisError(axis, source.ndim, None)
    elif n < 0:
        raise ValueError(f"order must be non-negative but got {n}")
    else:
        return _differences(_with_ends(source, axis, prepend, append), n, axis)


def _differences(a, n: known, axis: known):
    if n == 0:
        return a
    if n == 1:
        return _difference(a, axis)
    result = _difference(a, axis)
    for _ in range(n - 1):
        result = _difference(result, axis)
    return result


def _end(a, axis: known, value):
    """What is put before or behind: a number is one more element along the axis."""
    if np.ndim(value) > 0:
        return np.asarray(value)
    return np.broadcast_to(np.asarray(value), _along(a, axis, 0, 1).shape if a.shape[axis] > 0 else _one(a.shape, axis))


def _one(shape, axis):
    at = axis_of(axis, len(shape))
    return _with(shape, at)


def _with(shape, at):
    if len(shape) == 0:
        return ()
    return (1 if at == 0 else shape[0],) + _with(shape[1:], at - 1)


def _with_ends(a, axis: known, prepend, append):
    if given(prepend):
        if given(append):
            return concatenate((_end(a, axis, prepend), a, _end(a, axis, append)), axis)
        return concatenate((_end(a, axis, prepend), a), axis)
    if given(append):
        return concatenate((a, _end(a, axis, append)), axis)
    return a


def ediff1d(ary, to_end=None, to_begin=None):
    """``np.ediff1d``."""
    a = np.ravel(np.asarray(ary))
    if a.dtype == np.bool_:
        raise TypeError(
            "numpy boolean subtract, the `-` operator, is not supported, use the bitwise_xor, the `^` operator, or the "
            "logical_xor function instead."
        )
    between = _difference(a, 0)
    _check_same_kind(to_end, "to_end", a.dtype)
    _check_same_kind(to_begin, "to_begin", a.dtype)
    if to_begin is None:
        if to_end is None:
            return between
        return concatenate((between, np.ravel(np.asarray(to_end, between.dtype))), 0)
    if to_end is None:
        return concatenate((np.ravel(np.asarray(to_begin, between.dtype)), between), 0)
    first, last = np.ravel(np.asarray(to_begin, between.dtype)), np.ravel(np.asarray(to_end, between.dtype))
    return concatenate((first, between, last), 0)


def _check_same_kind(values, name: known, dtype):
    if values is not None:
        if not np.can_cast(np.asarray(values).dtype, dtype, "same_kind"):
            raise TypeError(f"dtype of `{name}` must be compatible with input `ary` under the `same_kind` rule.")


def trapezoid(y, x=None, dx=1.0, axis: known = -1):
    """``np.trapezoid``."""
    a = np.asarray(y)
    n = a.shape[axis]
    pairs = np.add(_along(a, axis, 1, n), _along(a, axis, 0, max(n - 1, 0)))
    if x is None:
        return np.sum(np.divide(np.multiply(dx, pairs), 2.0), axis)
    places = np.asarray(x)
    if places.ndim == 1:
        steps = np.diff(places)
        if axis == -1 or axis == a.ndim - 1:
            return np.sum(np.divide(np.multiply(steps, pairs), 2.0), axis)
        last = np.swapaxes(pairs, axis, -1)
        return np.sum(np.divide(np.multiply(steps, last), 2.0).swapaxes(axis, -1), axis)
    return np.sum(np.divide(np.multiply(np.diff(places, 1, axis), pairs), 2.0), axis)


def unwrap(p, discont=None, axis: known = -1, *, period=2 * math.pi):
    """``np.unwrap``."""
    a = np.asarray(p)
    steps = np.diff(a, 1, axis)
    kind = (np.empty(1, steps.dtype) * period).dtype
    if np.issubdtype(kind, np.integer):
        high, ambiguous = period // 2, period % 2 == 0
    else:
        high, ambiguous = period / 2, True
    low = -high
    wrapped = np.add(np.remainder(np.subtract(steps, low), period), low)
    if ambiguous:
        wrapped = np.where(np.logical_and(np.equal(wrapped, low), np.greater(steps, 0)), high, wrapped)
    correction = np.subtract(wrapped, steps)
    least = high if discont is None else max(discont, high)
    correction = np.where(np.less(np.abs(steps), least), 0, correction)
    out = a.astype(kind)
    rest = _along(out, axis, 1, a.shape[axis])
    rest += np.cumsum(correction, axis)
    return out


# Gradients ------------------------------------------------------------------------------------------------------------


def gradient(f, *varargs, axis: known = None, edge_order=1):
    """``np.gradient``: an array, or a tuple of them, for each of several axes."""
    a = np.asarray(f)
    if edge_order > 2:
        raise ValueError("'edge_order' greater than 2 not supported")
    if axis is None:
        return _one_or_all(_gradients(a, numbers_from(a.shape, 0), _spacings(varargs, a.shape), edge_order))
    axes = axes_of(axis, a.ndim)
    return _one_or_all(_gradients(a, axes, _spacings(varargs, axes), edge_order))


def _one_or_all(gradients):
    if len(gradients) == 1:
        return gradients[0]
    return gradients


def _spacings(spacings, axes):
    """A distance, or the places of the points, for each axis."""
    if len(spacings) == 0:
        return _repeated(1.0, axes)
    elif len(spacings) == 1 and np.ndim(spacings[0]) == 0:
        return _repeated(spacings[0], axes)
    elif len(spacings) == len(axes):
        return spacings
    else:
        raise TypeError("invalid number of arguments")


def _repeated(value, items):
    if len(items) == 0:
        return ()
    return (value,) + _repeated(value, items[1:])


def _gradients(a, axes, spacings, edge_order):
    if len(axes) == 0:
        return ()
    return (_gradient(a, axes[0], spacings[0], edge_order),) + _gradients(a, axes[1:], spacings[1:], edge_order)


def _gradient(a, axis, spacing, edge_order):
    if a.dtype.kind == "M":
        return _gradient_of(a.view((a[:0] - a[:0]).dtype), axis, spacing, edge_order)
    if np.issubdtype(a.dtype, np.integer):
        return _gradient_of(a.astype(np.float64), axis, spacing, edge_order)
    return _gradient_of(a, axis, spacing, edge_order)


def _gradient_of(a, axis, spacing, edge_order):
    if np.ndim(spacing) == 0:
        out = _new_gradient(a, axis, edge_order)
        _put_even(moved_axes(a, (axis,), (0,)), moved_axes(out, (axis,), (0,)), spacing, edge_order)
        return out
    elif np.ndim(spacing) > 1:
        raise ValueError("distances must be either scalars or 1d")
    else:
        places = np.asarray(spacing)
        if len(places) != a.shape[axis]:
            raise ValueError("when 1d, distances must match the length of the corresponding dimension")
        if np.issubdtype(places.dtype, np.integer):
            return _gradient_at(a, axis, np.diff(places.astype(np.float64)), edge_order)
        return _gradient_at(a, axis, np.diff(places), edge_order)


def _gradient_at(a, axis, steps, edge_order):
    out = _new_gradient(a, axis, edge_order)
    rows, target = moved_axes(a, (axis,), (0,)), moved_axes(out, (axis,), (0,))
    if np.all(steps == steps[0]):
        _put_even(rows, target, steps[0], edge_order)
    else:
        _put_uneven(rows, target, steps, edge_order)
    return out


def _new_gradient(a, axis, edge_order):
    if a.shape[axis] < edge_order + 1:
        raise ValueError(
            "Shape of array too small to calculate a numerical gradient, "
            "at least (edge_order + 1) elements are required."
        )
    if a.dtype == np.bool_:
        return np.empty_like(a, np.float64)
    return np.empty_like(a)


def _put_even(a, out, step, edge_order):
    out[1:-1] = (a[2:] - a[:-2]) / (2.0 * step)
    if edge_order == 1:
        out[0, ...] = (a[1] - a[0]) / step
        out[-1, ...] = (a[-1] - a[-2]) / step
    else:
        out[0, ...] = -1.5 / step * a[0] + 2.0 / step * a[1] + -0.5 / step * a[2]
        out[-1, ...] = 0.5 / step * a[-3] + -2.0 / step * a[-2] + 1.5 / step * a[-1]


def _put_uneven(a, out, steps, edge_order):
    before, behind = _as_rows(steps[:-1], a), _as_rows(steps[1:], a)
    both = before + behind
    out[1:-1] = (
        -behind / (before * both) * a[:-2]
        + (behind - before) / (before * behind) * a[1:-1]
        + before / (behind * both) * a[2:]
    )
    if edge_order == 1:
        out[0, ...] = (a[1] - a[0]) / steps[0]
        out[-1, ...] = (a[-1] - a[-2]) / steps[-1]
    else:
        x, y = steps[0], steps[1]
        out[0, ...] = -(2.0 * x + y) / (x * (x + y)) * a[0] + (x + y) / (x * y) * a[1] + -x / (y * (x + y)) * a[2]
        x, y = steps[-2], steps[-1]
        out[-1, ...] = y / (x * (x + y)) * a[-3] + -(y + x) / (x * y) * a[-2] + (2.0 * y + x) / (y * (x + y)) * a[-1]


def _as_rows(line, a):
    """The line as an array that broadcasts along the first axis of ``a``."""
    return line.reshape((len(line),) + (1,) * (a.ndim - 1))


# Sums -----------------------------------------------------------------------------------------------------------------


def trace(a, offset=0, axis1=0, axis2=1, dtype=None, out=None):
    """``np.trace``."""
    return np.sum(np.diagonal(np.asarray(a), offset, axis1, axis2), -1, dtype, out)


def average(a, axis: known = None, weights=None, returned: known = False, *, keepdims: known = False):
    """``np.average``."""
    source = np.asarray(a)
    if weights is None:
        mean = np.mean(source, axis, keepdims=keepdims)
        if returned:
            share = source.size if axis is None else source.shape[axis]
            return mean, np.multiply(np.ones_like(mean), share)
        return mean
    w = np.asarray(weights)
    if w.ndim != source.ndim and axis is None:
        raise TypeError("Axis must be specified when shapes of a and weights differ.")
    scaled = _weights_along(source, _as_kind(w, _kind_of_average(source, w)), axis)
    total = np.sum(scaled, axis, keepdims=keepdims)
    if np.any(np.equal(total, 0.0)):
        raise ZeroDivisionError("Weights sum to zero, can't be normalized")
    mean = np.divide(np.sum(np.multiply(source, scaled), axis, keepdims=keepdims), total)
    if returned:
        return mean, total
    return mean


def _as_kind(w, kind):
    return w if w.dtype == kind else w.astype(kind)


def _kind_of_average(a, w):
    """The dtype of sums of the weights."""
    if a.dtype.kind == "m" or a.dtype.kind == "M":
        return w.dtype
    if a.dtype.kind == "f" or a.dtype.kind == "c":
        return np.promote_types(a.dtype, w.dtype)
    return np.promote_types(np.promote_types(a.dtype, w.dtype), np.float64)


def _weights_along(a, w, axis: known):
    if w.ndim == a.ndim:
        if w.shape != a.shape:
            if axis is None:
                raise TypeError("Axis must be specified when shapes of a and weights differ.")
            raise ValueError("Shape of weights must be consistent with shape of a along specified axis.")
        return w
    if len(w) != a.shape[axis]:
        raise ValueError("Shape of weights must be consistent with shape of a along specified axis.")
    whole = np.empty(a.shape, w.dtype)
    np.swapaxes(whole, axis, -1)[...] = w
    return whole


def cumulative_sum(x, /, *, axis: known = None, dtype=None, out=None, include_initial: known = False):
    """``np.cumulative_sum``."""
    return _cumulative(np.asarray(x), axis, dtype, out, include_initial, 0)


def cumulative_prod(x, /, *, axis: known = None, dtype=None, out=None, include_initial: known = False):
    """``np.cumulative_prod``."""
    return _cumulative(np.asarray(x), axis, dtype, out, include_initial, 1)


def _cumulative(a, axis: known, dtype, out, include_initial: known, start: known):
    if axis is None and a.ndim != 1:
        raise ValueError("For arrays which have more than one dimension ``axis`` argument is required.")
    elif axis is None:
        return _cumulative(a, 0, dtype, out, include_initial, start)
    elif not include_initial:
        return np.cumprod(a, axis, dtype, out) if start == 1 else np.cumsum(a, axis, dtype, out)
    else:
        rest = np.cumprod(a, axis, dtype) if start == 1 else np.cumsum(a, axis, dtype)
        first = np.full(_one(rest.shape, axis), start, rest.dtype)
        whole = concatenate((first, rest), axis)
        if out is None:
            return whole
        out[...] = whole
        return out


# Without NaN ----------------------------------------------------------------------------------------------------------


def _filled(a, value):
    """The array with ``value`` in place of NaN."""
    if np.issubdtype(a.dtype, np.inexact):
        return np.where(np.isnan(a), a.dtype.type(value), a)
    return a


def nansum(a, axis: known = None, dtype=None, out=None, keepdims: known = False, initial=None, where=True):
    """``np.nansum``."""
    return np.sum(_filled(np.asarray(a), 0), axis, dtype, out, keepdims, 0 if initial is None else initial, where)


def nanprod(a, axis: known = None, dtype=None, out=None, keepdims: known = False, initial=None, where=True):
    """``np.nanprod``."""
    return np.prod(_filled(np.asarray(a), 1), axis, dtype, out, keepdims, 1 if initial is None else initial, where)


def nancumsum(a, axis: known = None, dtype=None, out=None):
    """``np.nancumsum``."""
    return np.cumsum(_filled(np.asarray(a), 0), axis, dtype, out)


def nancumprod(a, axis: known = None, dtype=None, out=None):
    """``np.nancumprod``."""
    return np.cumprod(_filled(np.asarray(a), 1), axis, dtype, out)


def nanmax(a, axis: known = None, out=None, keepdims: known = False, initial=None, where=None):
    """``np.nanmax``: NaN where all are."""
    source = np.asarray(a)
    kind = source.dtype.kind
    if (kind == "M" or kind == "m") and initial is None and where is None:  # NaT is the least int64
        found = _extreme(np.max, "fmax", source.view(np.int64), axis, None, keepdims, None, None)
        return _given_back(_as_times(found, source), out)
    if not np.issubdtype(source.dtype, np.inexact):
        return _extreme(np.max, "fmax", source, axis, out, keepdims, initial, where)
    found = _extreme(np.max, "fmax", _filled(source, -math.inf), axis, None, keepdims, initial, where)
    if axis is None and not keepdims and source.dtype.kind == "f":
        if found != -math.inf:  # not all are NaN
            return _given_back(found, out)
    return _or_nan(found, source, axis, keepdims, out, initial, where)


def _check_not_empty(a, name: known):
    # Texts that are known, since kernels make none.
    if a.size == 0:
        if name == "fmax":
            raise ValueError("zero-size array to reduction operation fmax which has no identity")
        raise ValueError("zero-size array to reduction operation fmin which has no identity")


def _extreme(reduce, name: known, a, axis: known, out, keepdims: known, initial, where):
    """``np.max`` or ``np.min``; errors tell of ``name``."""
    if axis is None and initial is None:
        _check_not_empty(a, name)
    if where is None:
        if initial is None:
            return reduce(a, axis, out, keepdims)
        return reduce(a, axis, out, keepdims, initial)
    if initial is None:
        raise ValueError(
            f"reduction operation '{name}' does not have an identity, "
            "so to use a where mask one has to specify 'initial'"
        )
    else:
        return reduce(a, axis, out, keepdims, initial, where)


def nanmin(a, axis: known = None, out=None, keepdims: known = False, initial=None, where=None):
    """``np.nanmin``: NaN where all are."""
    source = np.asarray(a)
    kind = source.dtype.kind
    if (kind == "M" or kind == "m") and initial is None and where is None:  # one less, and NaT is the greatest int64
        found = _extreme(np.min, "fmin", source.view(np.int64) - 1, axis, None, keepdims, None, None)
        return _given_back(_as_times(found + 1, source), out)
    if not np.issubdtype(source.dtype, np.inexact):
        return _extreme(np.min, "fmin", source, axis, out, keepdims, initial, where)
    found = _extreme(np.min, "fmin", _filled(source, math.inf), axis, None, keepdims, initial, where)
    if axis is None and not keepdims and source.dtype.kind == "f":
        if found != math.inf:  # not all are NaN
            return _given_back(found, out)
    return _or_nan(found, source, axis, keepdims, out, initial, where)


def _as_times(ticks, times):
    return np.asarray(ticks).view(times.dtype)[()]


def _or_nan(found, a, axis: known, keepdims: known, out, initial, where):
    """NaN where all elements are, and the start, if there is one."""
    if initial is not None:
        return _given_back(found, out)
    none = np.all(np.isnan(a), axis, None, keepdims)
    return _given_back(np.where(none, a.dtype.type(math.nan), found), out)


def _given_back(result, out):
    if out is None:
        return result
    raise_if(out.shape != np.shape(result), "ValueError", "the output array has the wrong shape")
    out[...] = result
    return out


def nanargmax(a, axis: known = None, out=None, *, keepdims: known = False):
    """``np.nanargmax``."""
    source = np.asarray(a)
    if np.issubdtype(source.dtype, np.inexact):
        found = np.argmax(_filled(source, -math.inf), axis, out, keepdims=keepdims)
        if np.any(np.all(np.isnan(source), axis)):
            raise ValueError("All-NaN slice encountered")
        return found
    return np.argmax(source, axis, out, keepdims=keepdims)


def nanargmin(a, axis: known = None, out=None, *, keepdims: known = False):
    """``np.nanargmin``."""
    source = np.asarray(a)
    if np.issubdtype(source.dtype, np.inexact):
        found = np.argmin(_filled(source, math.inf), axis, out, keepdims=keepdims)
        if np.any(np.all(np.isnan(source), axis)):
            raise ValueError("All-NaN slice encountered")
        return found
    return np.argmin(source, axis, out, keepdims=keepdims)


def _there(a, where):
    """Which elements count."""
    if where is None:
        return np.logical_not(np.isnan(a))
    return np.logical_and(np.logical_not(np.isnan(a)), where)


def _mask(where):
    return True if where is None else where


def nanmean(a, axis: known = None, dtype=None, out=None, keepdims: known = False, *, where=None):
    """``np.nanmean``."""
    source = np.asarray(a)
    if not np.issubdtype(source.dtype, np.inexact):
        return np.mean(source, axis, dtype, out, keepdims, where=_mask(where))
    count = np.sum(_there(source, where), axis, np.int64, None, keepdims)
    total = np.sum(_filled(source, 0), axis, dtype, out, keepdims, 0, _mask(where))
    return _quotient(total, count, out)


def _quotient(total, count, out):
    return _given_back(np.divide(total, count).astype(total.dtype), out)


def nanvar(
    a,
    axis: known = None,
    dtype=None,
    out=None,
    ddof=0,
    keepdims: known = False,
    *,
    where=None,
    mean=None,
    correction=None,
):
    """``np.nanvar``."""
    source = np.asarray(a)
    if correction is not None:
        if ddof != 0:
            raise ValueError("ddof and correction can't be provided simultaneously.")
        return nanvar(source, axis, dtype, out, correction, keepdims, where=where, mean=mean)
    if not np.issubdtype(source.dtype, np.inexact):
        if mean is None:
            return np.var(source, axis, dtype, out, ddof, keepdims, where=_mask(where))
        return np.var(source, axis, dtype, out, ddof, keepdims, where=_mask(where), mean=mean)
    there = _there(source, where)
    if mean is None:
        total = np.sum(_filled(source, 0), axis, dtype, None, True, 0, _mask(where))
        means = np.divide(total, np.sum(there, axis, np.int64, None, True)).astype(total.dtype)
        away = np.where(there, np.subtract(source, means), 0)
    else:
        away = np.where(there, np.subtract(source, mean), 0)
    squares = np.sum(_squares(away), axis, dtype, out, keepdims)
    left = np.subtract(np.sum(there, axis, np.int64, None, keepdims), ddof)
    return _quotient(squares, np.where(np.greater(left, 0), left, math.nan), out)


def _squares(x):
    if x.dtype.kind == "c":
        return np.add(np.square(x.real), np.square(x.imag))
    return np.square(x)


def nanstd(
    a,
    axis: known = None,
    dtype=None,
    out=None,
    ddof=0,
    keepdims: known = False,
    *,
    where=None,
    mean=None,
    correction=None,
):
    """``np.nanstd``."""
    result = nanvar(a, axis, dtype, out, ddof, keepdims, where=where, mean=mean, correction=correction)
    if out is None:
        return np.sqrt(result)
    return np.sqrt(out, out)
