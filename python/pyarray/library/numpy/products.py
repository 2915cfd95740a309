"""Products that are made of others: ``np.outer``, ``np.vdot``."""

import numpy as np

from .._intrinsics import known
from .cells import cells_of, place_by_cells


def outer(a, b, out=None):
    """Each element of ``a`` times each of ``b``, as a matrix; arrays of several dimensions are seen as one."""
    x, y = _flat(np.asarray(a)), _flat(np.asarray(b))
    if out is None:
        return x[:, None] * y
    return np.multiply(x[:, None], y, out)


def scaled(a, b, out=None):
    """``np.dot`` and ``np.inner`` of a number, which counts as an array of its dtype."""
    return np.multiply(np.asarray(a), np.asarray(b), out=out)


def vdot(a, b, /):
    """The sum of the products of all elements in order, those of ``a`` conjugated."""
    x, y = _flat(np.asarray(a)), _flat(np.asarray(b))
    if x.size != y.size:
        raise ValueError(f"cannot reshape array of size {y.size} into shape ({x.size},)")
    if x.dtype == np.complex64 or x.dtype == np.complex128:
        return np.dot(np.conjugate(x), y)
    return np.dot(x, y)


def _flat(a):
    """The elements in C's order, in one dimension."""
    if a.ndim == 1:
        return a
    out = np.empty(a.size, a.dtype)
    _store_flat(out, a)
    return out


def _store_flat(out, a):
    if a.ndim == 0:
        out[0] = a[()]
        return
    if a.ndim == 1:
        out[:] = a
        return
    count, k = out.size // max(len(a), 1), 0
    for part in a:
        _store_flat(out[k : k + count], part)
        k += count


def kron(a, b):
    """``np.kron``."""
    return _kron(np.asarray(a), np.asarray(b))


def _kron(a, b):
    if a.ndim < b.ndim:
        return _kron(a[None, ...], b)
    if b.ndim < a.ndim:
        return _kron(a, b[None, ...])
    if a.ndim == 0:
        return np.multiply(a, b)
    left, right = a.reshape(_pairs(a.shape, (1,) * a.ndim)), b.reshape(_pairs((1,) * b.ndim, b.shape))
    return np.multiply(left, right).reshape(_products(a.shape, b.shape))


def _pairs(first, second):
    if len(first) == 0:
        return ()
    return (first[0], second[0]) + _pairs(first[1:], second[1:])


def _products(a, b):
    if len(a) == 0:
        return ()
    return (a[0] * b[0],) + _products(a[1:], b[1:])


def tensordot(a, b, axes: known = 2):
    """``np.tensordot``."""
    x, y = np.asarray(a), np.asarray(b)
    if isinstance(axes, tuple):
        if isinstance(axes[0], tuple):
            return _contracted(x, y, axes[0], axes[1])
        return _contracted(x, y, (axes[0],), (axes[1],))
    return _contracted_last(x, y, _as_many(axes))


def _as_many(count: known):
    """A tuple of that many items."""
    if count <= 0:
        return ()
    return (0,) + _as_many(count - 1)


def _contracted_last(x, y, axes):
    k = len(axes)
    left, right = x.shape[: x.ndim - k], y.shape[k:]
    _check_extents(x.shape[x.ndim - k :], y.shape[:k])
    size = _product(y.shape[:k])
    return np.dot(x.reshape((_product(left), size)), y.reshape((size, _product(right)))).reshape(left + right)


def _contracted(x, y, first, second):
    if len(first) != len(second):
        raise ValueError("shape-mismatch for sum")
    else:
        return _contracted_last(
            np.moveaxis(x, first, _last(first, x.ndim)), np.moveaxis(y, second, _first(second, 0)), first
        )


def _last(axes, ndim):
    if len(axes) == 0:
        return ()
    return (ndim - len(axes),) + _last(axes[1:], ndim)


def _first(axes, start):
    if len(axes) == 0:
        return ()
    return (start,) + _first(axes[1:], start + 1)


def _check_extents(a, b):
    if a != b:
        raise ValueError("shape-mismatch for sum")


def _product(shape):
    size = 1
    for n in shape:
        size *= n
    return size


def vecdot(x1, x2, axis: known = -1):
    """``np.vecdot``."""
    a, b = np.asarray(x1), np.asarray(x2)
    if axis == -1:
        terms = np.multiply(np.conjugate(a) if a.dtype.kind == "c" else a, b)
        return np.sum(terms, -1, terms.dtype)
    return vecdot(np.moveaxis(a, axis, -1), np.moveaxis(b, axis, -1))


def matvec(x1, x2):
    """``np.matvec``."""
    return np.matmul(np.asarray(x1), np.asarray(x2)[..., None])[..., 0]


def vecmat(x1, x2):
    """``np.vecmat``."""
    return np.matmul(np.conjugate(np.asarray(x1))[..., None, :], np.asarray(x2))[..., 0, :]


def cross(a, b, axisa=-1, axisb=-1, axisc=-1, axis=None):
    """``np.cross``, of vectors of which one at least has three components."""
    if axis is not None:
        return cross(a, b, axis, axis, axis)
    x, y = np.moveaxis(np.asarray(a), axisa, -1), np.moveaxis(np.asarray(b), axisb, -1)
    if not (2 <= x.shape[-1] <= 3 and 2 <= y.shape[-1] <= 3):
        raise ValueError("incompatible dimensions for cross product\n(dimension must be 2 or 3)")
    if x.shape[-1] == 2 and y.shape[-1] == 2:
        raise NotImplementedError(
            "np.cross of vectors with two components has one dimension less, which is not known when the function is "
            "compiled: write cross2d(a, b), of pyarray.extending"
        )
    a0, a1, b0, b1 = x[..., 0], x[..., 1], y[..., 0], y[..., 1]
    last = _minor(a0, b1, a1, b0)
    if x.shape[-1] == 2:
        b2 = y[..., 2]
        return _moved_back(np.stack((np.multiply(a1, b2), np.negative(np.multiply(a0, b2)), last), -1), axisc)
    a2 = x[..., 2]
    if y.shape[-1] == 2:
        return _moved_back(np.stack((np.negative(np.multiply(a2, b1)), np.multiply(a2, b0), last), -1), axisc)
    b2 = y[..., 2]
    return _moved_back(np.stack((_minor(a1, b2, a2, b1), _minor(a2, b0, a0, b2), last), -1), axisc)


def _minor(a, b, c, d):
    """``a * b - c * d`` in NumPy's dtype, of numbers too."""
    return np.subtract(np.multiply(a, b), np.multiply(c, d))


def _moved_back(out, axis):
    if axis == -1:
        return out
    return np.moveaxis(out, -1, axis)


def convolve(a, v, mode="full"):
    """``np.convolve``."""
    x, y = np.atleast_1d(np.asarray(a)), np.atleast_1d(np.asarray(v))
    if len(x) == 0:
        raise ValueError("a cannot be empty")
    if len(y) == 0:
        raise ValueError("v cannot be empty")
    if len(y) > len(x):
        return _correlated(y, x[::-1].copy(), mode)
    return _correlated(x, y[::-1].copy(), mode)


def correlate(a, v, mode="valid"):
    """``np.correlate``."""
    x, y = np.atleast_1d(np.asarray(a)), np.conjugate(np.atleast_1d(np.asarray(v)))
    if len(x) == 0 or len(y) == 0:
        which = "first" if len(x) == 0 else "second"
        raise ValueError(f"{which} array argument cannot be empty")
    if len(x) < len(y):
        return _correlated(y, x, mode)[::-1].copy()
    return _correlated(x, y, mode)


def _correlated(long, short, mode):
    """The products of all positions, of which one array is the longer one."""
    n, m = len(long), len(short)
    if mode == "full":
        first, count = 1 - m, n + m - 1
    elif mode == "same":
        first, count = -(m // 2), n
    elif mode == "valid":
        first, count = 0, n - m + 1
    else:
        raise ValueError(f"mode must be one of 'valid', 'same', or 'full' (got '{mode}')")
    out = np.zeros(count, np.promote_types(long.dtype, short.dtype))
    whole = m <= _SHORT and out.dtype.kind == "f" and out.dtype != np.float16
    low, high = (-first, n - m + 1 - first) if whole else (0, 0)
    _correlated_each(long, short, first, 0, low, out)
    if whole:
        _correlated_whole(long, short, out[low:high])
    _correlated_each(long, short, first, high, count, out)
    return out


def _correlated_each(long, short, first, begin, end, out):
    """The products at positions ``begin`` to ``end``."""
    for i in range(begin, end):
        start = first + i
        low, high = max(start, 0), min(start + len(short), len(long))
        out[i] = np.dot(long[low:high], short[low - start : high - start])


_SHORT, _STRIP = 11, 512


def _correlated_whole(long, short, out):
    """Those where all of the few factors count, added in order as NumPy does: many positions at a time."""
    for begin in range(0, len(out), _STRIP):
        end = min(begin + _STRIP, len(out))
        for k in range(len(short)):
            factor = out.dtype.type(short[k])
            for i in range(begin, end):
                out[i] += out.dtype.type(long[i + k]) * factor


def interp(x, xp, fp, left=None, right=None, period=None):
    """``np.interp``."""
    if period is not None:
        return _interpolated_around(x, np.asarray(xp, np.float64), np.asarray(fp), abs(float(period)))
    places, given = _floats(np.asarray(xp)), np.asarray(fp)
    values = np.asarray(given, np.promote_types(given.dtype, np.float64))
    if len(places) == 0:
        raise ValueError("array of sample points is empty")
    if len(places) != len(values):
        raise ValueError("fp and xp are not of the same length.")
    low = values[0] if left is None else left
    high = values[-1] if right is None else right
    if isinstance(x, (np.ndarray, list, tuple)):
        return _interpolated(np.asarray(x, np.float64), places, values, low, high)
    return _between(float(x), places, values, low, high)


def _floats(a):
    """As NumPy computes; what is complex has an error of its own."""
    return a if a.dtype.kind == "c" else np.asarray(a, np.float64)


def _interpolated_around(x, xp, fp, period):
    """Between places on a circle: behind the last one comes the first one."""
    if period == 0:
        raise ValueError("period must be a non-zero value")
    if xp.ndim != 1 or fp.ndim != 1:
        raise ValueError("Data points must be 1-D sequences")
    if len(xp) != len(fp):
        raise ValueError("fp and xp are not of the same length")
    turned = xp % period
    order = np.argsort(turned)
    places, values = turned[order], fp[order]
    around = np.concatenate((places[-1:] - period, places, places[:1] + period))
    at = np.asarray(x, np.float64) if isinstance(x, (np.ndarray, list, tuple)) else float(x)
    return interp(at % period, around, np.concatenate((values[-1:], values, values[:1])))


def _interpolated(x, xp, fp, left, right):
    out = np.empty(x.shape, np.promote_types(fp.dtype, np.float64))
    flat, source = out.reshape(-1), np.ravel(_floats(x))
    if xp.dtype.kind == "c":
        raise TypeError("the places of np.interp are real numbers")
    else:
        table, first, scale = cells_of(xp, len(source))
        if len(table) > 0:
            for i in range(len(source)):
                at = place_by_cells(xp, source[i], table, first, scale, True)
                flat[i] = _at_place(source[i], at - 1, xp, fp, left, right)
        else:
            for i in range(len(source)):
                flat[i] = _between(source[i], xp, fp, left, right)
        return out


def _between(x, xp, fp, left, right):
    low, high = 0, len(xp)
    while low < high:
        middle = (low + high) // 2
        if x >= xp[middle]:
            low = middle + 1
        else:
            high = middle
    return _at_place(x, low - 1, xp, fp, left, right)


def _at_place(x, j, xp, fp, left, right):
    """The value at ``x``, which is not less than ``xp[j]`` and less than the next."""
    n = len(xp)
    if np.isnan(x):
        return x * (fp[0] * 0 + 1.0) if n > 1 else fp[0] * 1.0
    if x > xp[n - 1]:
        return right * 1.0
    if x < xp[0]:
        return left * 1.0
    if j >= n - 1 or x == xp[j]:
        return fp[min(j, n - 1)] * 1.0
    slope = (fp[j + 1] - fp[j]) / (xp[j + 1] - xp[j])
    result = slope * (x - xp[j]) + fp[j]
    if np.isnan(result):
        result = slope * (x - xp[j + 1]) + fp[j + 1]
        if np.isnan(result) and fp[j] == fp[j + 1]:
            result = fp[j] * 1.0
    return result
