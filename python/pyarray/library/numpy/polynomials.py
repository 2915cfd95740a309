"""Polynomials as arrays of coefficients: the highest power first in ``np``, the lowest in ``np.polynomial``."""

import numpy as np

from .._intrinsics import known

# The highest power first ----------------------------------------------------------------------------------------------


def polyadd(a1, a2):
    """``np.polyadd``."""
    first, second = np.atleast_1d(np.asarray(a1)), np.atleast_1d(np.asarray(a2))
    return np.add(_in_front(first, len(second)), _in_front(second, len(first)))


def polysub(a1, a2):
    """``np.polysub``."""
    first, second = np.atleast_1d(np.asarray(a1)), np.atleast_1d(np.asarray(a2))
    return np.subtract(_in_front(first, len(second)), _in_front(second, len(first)))


def _in_front(p, count):
    """The coefficients, with zeros for higher powers, of which there are at least so many."""
    if len(p) >= count:
        return p
    return np.concatenate((np.zeros(count - len(p), p.dtype), p))


def polymul(a1, a2):
    """``np.polymul``."""
    return np.convolve(_without_zeros(np.asarray(a1)), _without_zeros(np.asarray(a2)))


def _without_zeros(a):
    """The coefficients from the first that is not 0 on; one zero where all are."""
    p = np.atleast_1d(a)
    if p.ndim != 1:
        raise ValueError("Polynomial must be 1d only.")
    else:
        for i in range(len(p)):
            if p[i] != 0:
                return p[i:]
        return np.zeros(1, p.dtype)


def polydiv(u, v):
    """``np.polydiv``: the quotient, and the remainder without the zeros in front."""
    p, divisor = np.atleast_1d(np.asarray(u)) + 0.0, np.atleast_1d(np.asarray(v)) + 0.0
    kind, steps = p[:1] + divisor[:1], len(p) - len(divisor) + 1
    if len(p) == 0 or len(divisor) == 0:
        raise IndexError("index 0 is out of bounds for axis 0 with size 0")
    scale = np.true_divide(1.0, divisor[0])
    quotient, rest = np.zeros(max(steps, 1), kind.dtype), p.astype(kind.dtype)
    for k in range(steps):
        share = scale * rest[k]
        quotient[k] = share
        rest[k : k + len(divisor)] -= share * divisor
    start = 0
    while start < len(rest) - 1 and abs(rest[start]) <= 1e-8:
        start += 1
    return quotient, rest[start:]


def polyder(p, m: known = 1):
    """``np.polyder``; where ``m`` is not known when compiled, of a polynomial of double precision."""
    a = np.asarray(p)
    if m < 0:
        raise ValueError("Order of derivative must be positive (see polyint)")
    if m == 0:
        return a
    found = _derived(a)
    for _ in range(1, m):
        found = _derived(found)
    return found


def _derived(p):
    return np.multiply(p[:-1], np.arange(len(p) - 1, 0, -1))


def polyint(p, m: known = 1, k=None):
    """``np.polyint``; where ``m`` is not known when compiled, of a polynomial of double precision."""
    a = np.asarray(p)
    if m < 0:
        raise ValueError("Order of integral must be positive (see polyder)")
    constants = np.zeros(m) if k is None else np.atleast_1d(np.asarray(k))
    if len(constants) < m and len(constants) != 1:
        raise ValueError("k must be a scalar or a rank-1 array of length 1 or >m.")
    if m == 0:
        return a
    last = len(constants) - 1
    found = _integrated(a, constants[:1])
    for i in range(1, m):
        at = min(i, last)
        found = _integrated(found, constants[at : at + 1])
    return found


def _integrated(p, constant):
    return np.concatenate((np.true_divide(p, np.arange(len(p), 0, -1)), constant))


def poly(seq_of_zeros):
    """``np.poly``: of roots, or of the eigenvalues of a matrix.

    What depends on values in NumPy is an error: the coefficients of complex roots are complex.
    """
    a = np.atleast_1d(np.asarray(seq_of_zeros))
    if a.ndim == 2:
        if len(a) == 0 or a.shape[0] != a.shape[1]:
            raise ValueError("input must be 1d or non-empty square 2d array.")
        return _of_roots(np.linalg.eigvals(a))
    elif a.ndim != 1:
        raise ValueError("input must be 1d or non-empty square 2d array.")
    elif a.dtype == np.float32 or np.issubdtype(a.dtype, np.complexfloating):
        return _of_roots(a)
    else:
        return _of_roots(a.astype(np.float64))


def _of_roots(roots):
    if len(roots) == 0:
        raise ValueError("poly() of no roots is a number; in compiled code it must be an array")
    if np.issubdtype(roots.dtype, np.complexfloating):
        if np.all(np.sort(roots) == np.sort(np.conjugate(roots))):
            raise ValueError("poly() argument must not cause a domain change.")
    found = np.zeros(len(roots) + 1, roots.dtype)
    found[0] = 1
    for i in range(len(roots)):
        for j in range(i + 1, 0, -1):
            found[j] -= roots[i] * found[j - 1]
    return found


def polyfit(x, y, deg, rcond=None, full: known = False, w=None, cov: known = False):
    """``np.polyfit``; what it warns of is not said."""
    at, values = np.asarray(x) + 0.0, np.asarray(y) + 0.0
    if deg < 0:
        raise ValueError("expected deg >= 0")
    if at.ndim != 1:
        raise TypeError("expected 1D vector for x")
    elif values.ndim < 1 or values.ndim > 2:
        raise TypeError("expected 1D or 2D array for y")
    else:
        if at.size == 0:
            raise TypeError("expected non-empty vector for x")
        if at.shape[0] != values.shape[0]:
            raise TypeError("expected x and y to have same length")
        powers = np.vander(at, deg + 1)
        if w is None:
            return _fitted(powers, values, rcond, full, cov)
        weights = np.asarray(w) + 0.0
        if weights.ndim != 1:
            raise TypeError("expected a 1-d array for weights")
        elif weights.shape[0] != values.shape[0]:
            raise TypeError("expected w and y to have the same length")
        else:
            powers *= weights[:, None]
            return _fitted(powers, (values.T * weights).T, rcond, full, cov)


def _fitted(powers, values, rcond, full: known, cov: known):
    count, order = powers.shape
    cut = count * float(np.finfo(powers.dtype).eps) if rcond is None else float(rcond)
    scale = np.sqrt((powers * powers).sum(axis=0))
    powers /= scale
    found, left, rank, singular = np.linalg.lstsq(powers, values, cut)
    c = (found.T / scale).T
    if full:
        return c, left, rank, singular, cut
    elif cov:
        spread = np.linalg.inv(powers.T @ powers) / np.outer(scale, scale)
        if cov == "unscaled":
            return c, spread if values.ndim == 1 else spread[:, :, None] * np.ones(1)
        else:
            if count <= order:
                raise ValueError("the number of data points must exceed order to scale the covariance matrix")
            factor = left / (count - order)
            return c, spread * factor if values.ndim == 1 else spread[:, :, None] * factor
    else:
        return c


def polyval(p, x):
    """``np.polyval``."""
    coefficients = np.asarray(p)
    if isinstance(x, (list, tuple)):
        return polyval(coefficients, np.asarray(x))
    y = np.multiply(np.multiply(x, 0), np.sum(coefficients[:0]))
    for i in range(len(coefficients)):
        y = np.add(np.multiply(y, x), coefficients[i])
    return y


def roots(p):
    """``np.roots``; of real coefficients the roots must be real."""
    coefficients = np.atleast_1d(np.asarray(p))
    if coefficients.ndim != 1:
        raise ValueError("Input must be a rank-1 array.")
    else:
        if not np.issubdtype(coefficients.dtype, np.inexact):
            return _roots(coefficients.astype(np.float64))
        return _roots(coefficients)


def _roots(p):
    places = np.flatnonzero(p)
    if len(places) == 0:
        return np.empty(0, p.dtype)
    first, last = places[0], places[-1]
    count = last - first
    found = np.zeros(count + len(p) - 1 - last, p.dtype)
    if count > 0:
        companion = np.zeros((count, count), p.dtype)
        for i in range(1, count):
            companion[i, i - 1] = 1
        companion[0] = -p[first + 1 : last + 1] / p[first]
        found[:count] = np.linalg.eigvals(companion)
    return found


# The lowest power first -----------------------------------------------------------------------------------------------


def trimseq(seq):
    """``np.polynomial.polyutils.trimseq``: without the zeros behind, but for the first coefficient."""
    count = len(seq)
    while count > 1 and seq[count - 1] == 0:
        count -= 1
    return seq[:count]


def _as_coefficients(c):
    """An array of one dimension, in the type that polynomials have of it."""
    a = np.asarray(c)
    if a.ndim == 0:
        return _as_coefficients(a[None])
    if a.ndim != 1:
        raise ValueError("Coefficient array is not 1-d")
    elif a.dtype == np.bool_:
        raise ValueError("Coefficient arrays have no common type")
    else:
        if len(a) == 0:
            raise ValueError("Coefficient array is empty")
        if np.issubdtype(a.dtype, np.inexact):
            return trimseq(a)
        return trimseq(a.astype(np.float64))


def trimcoef(c, tol=0):
    """``np.polynomial.polyutils.trimcoef``: without the coefficients behind that are at most ``tol``."""
    if tol < 0:
        raise ValueError("tol must be non-negative")
    a = _as_coefficients(c)
    large = np.flatnonzero(np.abs(a) > tol)
    if len(large) == 0:
        return a[:1] * 0
    return a[: large[-1] + 1].copy()


def series_add(c1, c2):
    """``np.polynomial.polynomial.polyadd``."""
    first, second = _as_coefficients(c1), _as_coefficients(c2)
    count = max(len(first), len(second))
    return trimseq(np.add(_behind(first, count), _behind(second, count)))


def series_sub(c1, c2):
    """``np.polynomial.polynomial.polysub``."""
    first, second = _as_coefficients(c1), _as_coefficients(c2)
    count = max(len(first), len(second))
    return trimseq(np.subtract(_behind(first, count), _behind(second, count)))


def _behind(p, count):
    """So many coefficients."""
    if len(p) == count:
        return p
    return np.concatenate((p, np.zeros(count - len(p), p.dtype)))


def series_mul(c1, c2):
    """``np.polynomial.polynomial.polymul``."""
    return trimseq(np.convolve(_as_coefficients(c1), _as_coefficients(c2)))


def series_div(c1, c2):
    """``np.polynomial.polynomial.polydiv``: quotient and remainder."""
    p, divisor = _as_coefficients(c1), _as_coefficients(c2)
    kind = p[:1] + divisor[:1]
    rest, last = p.astype(kind.dtype), divisor.astype(kind.dtype)[-1]
    if last == 0:
        raise ZeroDivisionError
    steps, behind = len(p) - len(divisor), len(divisor) - 1
    if steps < 0:
        return rest[:1] * 0, rest
    if behind == 0:
        return rest / last, rest[:1] * 0
    scaled = divisor[:-1].astype(kind.dtype) / last
    for i in range(steps, -1, -1):
        rest[i : i + behind] -= scaled * rest[i + behind]
    return rest[behind:] / last, trimseq(rest[:behind])


def series_int(c, m=1, k=None, lbnd=0, scl=1, axis: known = 0):
    """``np.polynomial.polynomial.polyint``."""
    a = _inexact(np.atleast_1d(np.asarray(c)))
    constants = np.zeros(0) if k is None else np.atleast_1d(np.asarray(k))
    if m < 0:
        raise ValueError("The order of integration must be non-negative")
    if len(constants) > m:
        raise ValueError("Too many integration constants")
    if np.ndim(lbnd) != 0:
        raise ValueError("lbnd must be a scalar.")
    elif np.ndim(scl) != 0:
        raise ValueError("scl must be a scalar.")
    else:
        found = np.moveaxis(a, axis, 0).copy()
        for i in range(m):
            constant = constants[i] if i < len(constants) else constants.dtype.type(0)
            found = _series_integrated(found * a.dtype.type(scl), constant, lbnd)
        return np.moveaxis(found, 0, axis)


def _series_integrated(p, constant, bound):
    if len(p) == 1 and np.all(p[0] == 0):
        p[0, ...] += constant
        return p
    out = np.empty((len(p) + 1,) + p.shape[1:], p.dtype)
    out[0, ...] = p[0] * 0
    for j in range(len(p)):
        out[j + 1, ...] = p[j] / (j + 1)
    out[0, ...] += constant - _series_at(bound, out)
    return out


def _inexact(a):
    if np.issubdtype(a.dtype, np.inexact):
        return a
    if a.dtype.kind not in ("b", "i", "u"):
        raise ValueError("Coefficient arrays have no common type")
    return a.astype(np.float64)


def series_val(x, c, tensor: known = True):
    """``np.polynomial.polynomial.polyval``."""
    a = _inexact(np.atleast_1d(np.asarray(c)))
    if isinstance(x, (list, tuple)):
        return series_val(np.asarray(x), a, tensor)
    elif isinstance(x, np.ndarray) and tensor:
        return _series_at(x, a.reshape(a.shape + (1,) * x.ndim))
    else:
        return _series_at(x, a)


def _series_at(x, c):
    found = c[-1] + x * 0
    for i in range(2, len(c) + 1):
        found = c[-i] + found * x
    return found


def as_series(alist, trim=True):
    """``numpy.polynomial.polyutils.as_series``, of a tuple, a list or a matrix: a list of arrays of one dtype."""
    if isinstance(alist, np.ndarray):
        return _each_series(alist, alist, trim)
    elif isinstance(alist, tuple):
        return _each_series(alist, _sum_of_none(alist), trim)
    else:
        return _each_series(alist, np.asarray(alist[0]), trim)


def _sum_of_none(items):
    """No elements of the dtype that all have in common."""
    first = np.asarray(items[0]).reshape(-1)[:0]
    if len(items) == 1:
        return first
    return first + _sum_of_none(items[1:])


def _each_series(items, like, trim):
    kind, series = (like[:0] + 0.0).dtype, []
    for item in items:
        a = np.atleast_1d(np.asarray(item)).astype(kind)
        if a.ndim != 1:
            raise ValueError("Coefficient array is not 1-d")
        if a.size == 0:
            raise ValueError("Coefficient array is empty")
        series.append(trimseq(a) if trim else a)
    return series
