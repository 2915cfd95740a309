"""New arrays of a rule: geometric sequences, functions of indices or of lines, triangles; and views of windows."""

import numpy as np

from .._intrinsics import known, readonly, strided
from .axes import axes_of, axis_of, each_axis_of, last_axes, numbers_from, picked, with_item
from .creation import linspace


def geomspace(start, stop, num=50, endpoint=True, dtype=None, axis: known = 0):
    """``np.geomspace``."""
    first, last = np.asarray(start), np.asarray(stop)
    if np.any(np.equal(first, 0)) or np.any(np.equal(last, 0)):
        raise ValueError("Geometric sequence cannot include zero")
    unit = first * last * 1.0
    first, last = first.astype(unit.dtype), last.astype(unit.dtype)
    sign = np.sign(first)
    low, high = np.divide(first, sign), np.divide(last, sign)
    out = np.power(unit.dtype.type(10.0), linspace(np.log10(low), np.log10(high), num, endpoint))
    if num > 0:
        out[0] = low
        if num > 1 and endpoint:
            out[num - 1] = high
    result = np.multiply(out, sign).astype(unit.dtype if dtype is None else dtype)
    if axis == 0:
        return result
    return np.moveaxis(result, 0, axis)


def _called(function, grid):
    """The function of the index arrays that ``np.indices`` gives one behind the other."""
    return function(*_each_index(grid, grid.shape[1:]))


def _each_index(grid, axes):
    if len(axes) == 0:
        return ()
    return (grid[0],) + _each_index(grid[1:], axes[1:])


def fromfunction(function, shape, *, dtype=np.float64):
    """``np.fromfunction``."""
    return _called(function, np.indices(shape, dtype))


def apply_along_axis(func1d, axis: known, arr, *args):
    """``np.apply_along_axis`` of a function that gives numbers, or arrays of one shape."""
    a = np.asarray(arr)
    place = axis_of(axis, a.ndim)
    lines = np.moveaxis(a, place, -1)
    shape = lines.shape[:-1]
    for extent in shape:
        if extent == 0:
            raise ValueError("Cannot apply_along_axis when any iteration dimensions are 0")
    first, is_first = np.asarray(func1d(lines[_zeros(shape)], *args)), True
    out = np.empty(shape + first.shape, first.dtype)
    for index in np.ndindex(shape):
        out[index] = first if is_first else np.asarray(func1d(lines[index], *args))
        is_first = False
    if first.ndim == 0:
        return out
    return np.moveaxis(out, last_axes(first.shape, out.ndim), numbers_from(first.shape, place))


def apply_over_axes(func, a, axes: known):
    """``np.apply_over_axes``: of one axis, or of each of a tuple."""
    if isinstance(axes, tuple):
        return _over_each(func, np.asarray(a), axes)
    return _over_one(func, np.asarray(a), axes)


def _over_each(func, a, axes):
    if len(axes) == 0:
        return a
    return _over_each(func, _over_one(func, a, axes[0]), axes[1:])


def _over_one(func, a, axis: known):
    found = np.asarray(func(a, axis))
    if found.ndim == a.ndim:
        return found
    return np.expand_dims(found, axis)


def _zeros(values):
    if len(values) == 0:
        return ()
    return (0,) + _zeros(values[1:])


def _triangle(n, k, m, upper: known):
    """Rows and columns of the lower or the upper triangle."""
    count = 0
    for i in range(n):
        for j in range(m):
            count += 1 if (j >= i + k if upper else j <= i + k) else 0
    rows, columns, at = np.empty(count, np.int64), np.empty(count, np.int64), 0
    for i in range(n):
        for j in range(m):
            if j >= i + k if upper else j <= i + k:
                rows[at], columns[at] = i, j
                at += 1
    return rows, columns


def tril_indices(n, k=0, m=None):
    """``np.tril_indices``."""
    return _triangle(n, k, n if m is None else m, False)


def triu_indices(n, k=0, m=None):
    """``np.triu_indices``."""
    return _triangle(n, k, n if m is None else m, True)


def tril_indices_from(arr, k=0):
    """``np.tril_indices_from``."""
    if arr.ndim != 2:
        raise ValueError("input array must be 2-d")
    else:
        return _triangle(arr.shape[0], k, arr.shape[1], False)


def triu_indices_from(arr, k=0):
    """``np.triu_indices_from``."""
    if arr.ndim != 2:
        raise ValueError("input array must be 2-d")
    else:
        return _triangle(arr.shape[0], k, arr.shape[1], True)


def _repeated(value, ndim: known):
    if ndim == 0:
        return ()
    return (value,) + _repeated(value, ndim - 1)


def diag_indices(n, ndim: known = 2):
    """``np.diag_indices``."""
    return _repeated(np.arange(n), ndim)


def diag_indices_from(arr):
    """``np.diag_indices_from``."""
    if arr.ndim < 2:
        raise ValueError("input array must be at least 2-d")
    else:
        for n in arr.shape:
            if n != arr.shape[0]:
                raise ValueError("All dimensions of input must be of equal length")
        return _repeated(np.arange(arr.shape[0]), arr.ndim)


def _bessel(x):
    """The modified Bessel function of order 0, by its power series, all terms of which have one sign."""
    square, term, total, k = x * x / 4, 1.0, 1.0, 1
    while term > total * 1e-17:
        term *= square / (k * k)
        total += term
        k += 1
    return total


def i0(x):
    """``np.i0``."""
    a = np.asarray(x)
    if a.dtype.kind == "c":
        raise TypeError("i0 not supported for complex values")
    elif a.dtype.kind == "f":
        out = np.empty(a.shape, a.dtype)
        _put_bessel(a, out)
        return out
    else:
        return i0(a.astype(np.float64))


def _put_bessel(a, out):
    if a.ndim == 0:
        out[()] = _bessel(np.float64(a[()]))
    elif a.ndim == 1:
        for i in range(len(a)):
            out[i] = _bessel(np.float64(a[i]))
    else:
        for i in range(len(a)):
            _put_bessel(a[i], out[i])


def kaiser(M, beta):
    """``np.kaiser``."""
    n = int(M)
    if n == 1:
        return np.ones(1)
    out, middle, scale = np.empty(max(n, 0)), (n - 1) / 2.0, _bessel(float(beta))
    for i in range(n):
        x = (i - middle) / middle
        out[i] = _bessel(beta * np.sqrt(1 - x * x)) / scale
    return out


# Windows --------------------------------------------------------------------------------------------------------------


def as_strided(x, shape=None, strides=None, subok=False, writeable: known = True):
    """``np.lib.stride_tricks.as_strided``: nothing checks that the view is within the array's memory."""
    a = np.asarray(x)
    if shape is None:
        if strides is None:
            return _locked(a[...], writeable)
        return as_strided(a, a.shape, strides, subok, writeable)
    if not isinstance(shape, tuple):
        return as_strided(a, (shape,), strides, subok, writeable)
    if strides is None:
        return as_strided(a, shape, a.strides, subok, writeable)
    if not isinstance(strides, tuple):
        return as_strided(a, shape, (strides,), subok, writeable)
    for step in strides:
        if step % a.itemsize:
            raise ValueError(f"compiled code has no strides of {step} bytes for items of {a.itemsize}")
    return _locked(strided(a, 0, shape, strides), writeable)


def _locked(view, writeable: known):
    if writeable:
        return view
    return readonly(view)


def sliding_window_view(x, window_shape, axis: known = None, *, subok=False, writeable: known = False):
    """``np.lib.stride_tricks.sliding_window_view``."""
    a = np.asarray(x)
    if not isinstance(window_shape, tuple):
        return sliding_window_view(a, (window_shape,), axis, subok=subok, writeable=writeable)
    for n in window_shape:
        if n < 0:
            raise ValueError("`window_shape` cannot contain negative values")
    if axis is None:
        if len(window_shape) != a.ndim:
            raise ValueError(
                "Since axis is `None`, must provide window_shape for all dimensions of `x`; got "
                f"{len(window_shape)} window_shape elements and `x.ndim` is {a.ndim}."
            )
        else:
            return _locked(
                strided(
                    a, 0, _less(a.shape, window_shape, numbers_from(a.shape, 0)) + window_shape, a.strides + a.strides
                ),
                writeable,
            )
    else:
        axes = each_of(axis, a.ndim)
        if len(window_shape) != len(axes):
            raise ValueError(
                "Must provide matching length window_shape and axis; got "
                f"{len(window_shape)} window_shape elements and {len(axes)} axes elements."
            )
        else:
            shape = _less(a.shape, window_shape, axes) + window_shape
            return _locked(strided(a, 0, shape, a.strides + picked(a.strides, axes)), writeable)


def each_of(axis: known, ndim):
    """The axes as a tuple, each counted from the first; one may be there twice."""
    if isinstance(axis, tuple):
        return each_axis_of(axis, ndim, "axis")
    return axes_of(axis, ndim, "axis")


def _less(shape, window, axes):
    """How many windows there are along each axis."""
    if len(axes) == 0:
        return shape
    left = shape[axes[0]] - window[0] + 1
    if left < 1:
        raise ValueError("window shape cannot be larger than input array shape")
    return _less(with_item(shape, axes[0], left), window[1:], axes[1:])
