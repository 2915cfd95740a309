"""``np.polynomial.polynomial``, the lowest power first: roots, powers, fits, and what has several variables."""

import numpy as np

from .._intrinsics import known
from .polynomials import _as_coefficients, _inexact, series_mul, series_val

# Coefficients ---------------------------------------------------------------------------------------------------------


def line(off, scl):
    """``polyline``: ``off + scl * x``."""
    both = np.array([off, scl])
    return both[:1] if scl == 0 else both


def times_x(c):
    """``polymulx``."""
    a = _as_coefficients(c)
    if len(a) == 1 and a[0] == 0:
        return a
    return np.concatenate((a[:1] * 0, a))


def power(c, pow, maxpower=None):
    """``polypow``."""
    a = _as_coefficients(c)
    if pow < 0 or pow != int(pow):
        raise ValueError("Power must be a non-negative integer.")
    if maxpower is not None:
        if pow > maxpower:
            raise ValueError("Power is too large")
    if pow == 0:
        return np.ones(1, a.dtype)
    found = a
    for _ in range(int(pow) - 1):
        found = np.convolve(found, a)
    return found


def derivative(c, m=1, scl=1, axis: known = 0):
    """``polyder``."""
    if m < 0:
        raise ValueError("The order of derivation must be non-negative")
    a = _inexact(np.atleast_1d(np.asarray(c)))
    found = np.moveaxis(a, axis, 0).copy()
    if m >= len(found):
        return np.moveaxis(found[:1] * 0, 0, axis)
    for _ in range(m):
        count = len(found) - 1
        factors = np.arange(1, count + 1).reshape((count,) + (1,) * (a.ndim - 1))
        found = (found[1:] * a.dtype.type(scl)) * factors.astype(a.dtype)
    return np.moveaxis(found, 0, axis)


def of_roots(roots):
    """``polyfromroots``."""
    given = np.asarray(roots)
    kind = np.promote_types(given.dtype, np.float64)
    if given.size == 0:
        return np.ones(1, kind)
    a = np.sort(_as_all(given).astype(kind))
    parts = [np.concatenate((-a[i : i + 1], np.ones(1, a.dtype))) for i in range(len(a))]
    count = len(parts)
    while count > 1:
        half, odd = count // 2, count % 2
        for i in range(half):
            parts[i] = series_mul(parts[i], parts[i + half])
        if odd:
            parts[0] = series_mul(parts[0], parts[count - 1])
        count = half
    return parts[0]


def _as_all(a):
    """The numbers as polynomials have them, none left out."""
    if a.ndim != 1:
        raise ValueError("Coefficient array is not 1-d")
    else:
        return _inexact(a)


def roots(c):
    """``polyroots``; where they are complex, the coefficients are."""
    a = _as_coefficients(c)
    if len(a) < 2:
        return np.zeros(0, a.dtype)
    if len(a) == 2:
        return -a[:1] / a[1]
    count = len(a) - 1
    companion = np.zeros((count, count), a.dtype)
    for i in range(1, count):
        companion[i, i - 1] = 1
    companion[:, -1] -= a[:-1] / a[-1]
    found = np.linalg.eigvals(companion)
    found.sort()
    return found


# Points ---------------------------------------------------------------------------------------------------------------


def powers(x, deg):
    """``polyvander``: the powers of each point, in one more axis."""
    if deg < 0:
        raise ValueError("deg must be non-negative")
    points = _inexact(np.atleast_1d(np.asarray(x)))
    out = np.empty((deg + 1,) + points.shape, points.dtype)
    out[0, ...] = points * 0 + 1
    if deg > 0:
        out[1, ...] = points
    for i in range(2, deg + 1):
        out[i, ...] = out[i - 1] * points
    return np.moveaxis(out, 0, -1)


def fitted(x, y, deg, rcond=None, *, w=None):
    """``polyfit`` of one degree, without what ``full`` adds; what it warns of is not said."""
    points, values = np.asarray(x) + 0.0, np.asarray(y) + 0.0
    if deg < 0:
        raise ValueError("expected deg >= 0")
    if points.ndim != 1:
        raise TypeError("expected 1D vector for x")
    elif values.ndim < 1 or values.ndim > 2:
        raise TypeError("expected 1D or 2D array for y")
    else:
        if points.size == 0:
            raise TypeError("expected non-empty vector for x")
        if len(points) != len(values):
            raise TypeError("expected x and y to have same length")
        left = powers(points, deg).T
        if w is None:
            return _solved(left, values, rcond, len(points))
        weights = np.asarray(w) + 0.0
        if weights.ndim != 1:
            raise TypeError("expected 1D vector for w")
        elif len(weights) != len(points):
            raise TypeError("expected x and w to have same length")
        else:
            return _solved(left * weights, (values.T * weights).T, rcond, len(points))


def _solved(left, values, rcond, count):
    cut = count * float(np.finfo(left.dtype).eps) if rcond is None else float(rcond)
    scale = np.sqrt(np.square(left).sum(1))
    scale[scale == 0] = 1
    found = np.linalg.lstsq(left.T / scale, values, cut)[0]
    return (found.T / scale).T


def at_points(x, y, c):
    """``polyval2d``."""
    return _series_at_rows(y, series_val(x, c))


def at_points_of_space(x, y, z, c):
    """``polyval3d``."""
    return _series_at_rows(z, _series_at_rows(y, series_val(x, c)))


def at_grid(x, y, c):
    """``polygrid2d``."""
    return series_val(y, series_val(x, c))


def _series_at_rows(x, c):
    return series_val(x, c, False)


# Domains --------------------------------------------------------------------------------------------------------------


def getdomain(x):
    """``polyutils.getdomain``, of real numbers."""
    a = _as_coefficients_untrimmed(np.asarray(x))
    return np.array([a.min(), a.max()])


def _as_coefficients_untrimmed(a):
    if a.ndim != 1:
        raise ValueError("Coefficient array is not 1-d")
    else:
        return _inexact(a)


def mapparms(old, new):
    """``polyutils.mapparms``: offset and scale of the line that maps one domain to the other."""
    length, wanted = old[1] - old[0], new[1] - new[0]
    return (old[1] * new[0] - old[0] * new[1]) / length, wanted / length


def mapdomain(x, old, new):
    """``polyutils.mapdomain``."""
    offset, scale = mapparms(old, new)
    if isinstance(x, (list, tuple)):
        return offset + scale * np.asarray(x)
    return offset + scale * x
