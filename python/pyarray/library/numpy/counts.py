"""How often numbers occur: ``np.bincount``; covariances."""

import numpy as np

from .._intrinsics import known, on_device, raise_if
from ..device.counts import count
from .elements import check_cast
from .sorting import _depth

# Bins of integers -----------------------------------------------------------------------------------------------------


def bincount(x, weights=None, minlength=0):
    """``np.bincount``."""
    a = np.asarray(x)
    if a.ndim != 1:
        raise ValueError(_depth(a.ndim))
    else:
        if minlength < 0:
            raise ValueError("'minlength' must not be negative")
        if a.dtype.kind == "f" or a.dtype.kind == "c" or a.dtype.kind == "M" or a.dtype.kind == "m":
            check_cast(a.dtype, np.int64, "safe")
        size = minlength
        if len(a) > 0:
            least, most = np.int64(a.min()), np.int64(a.max())
            raise_if(least < 0, "ValueError", "'list' argument must have no negative elements")
            size = max(size, most + 1)
        if weights is None:
            counts = np.zeros(size, np.int64)
            _count_numbers(a, counts)
            return counts
        w = np.asarray(weights)
        if w.ndim != 1:
            raise ValueError(_depth(w.ndim))
        else:
            if len(w) != len(a):
                raise ValueError("The weights and list don't have the same length.")
            check_cast(w.dtype, np.float64, "safe")
            sums = np.zeros(size, np.float64)
            _add_weights(a, w, sums)
            return sums


def _count_numbers(a, counts):
    if on_device():
        count(a, counts)
    else:
        _count_each(a, counts)


def _count_each(a, counts):
    for i in range(len(a)):
        counts[np.uint64(a[i])] += 1


def _add_weights(a, weights, sums):
    for i in range(len(a)):
        sums[np.uint64(a[i])] += weights[i]


# Covariances ----------------------------------------------------------------------------------------------------------


def _variables(m, y, rowvar, dtype):
    """The observations of each variable in a row."""
    if y is None:
        return _rows(m, rowvar).astype(dtype)
    return np.concatenate((_rows(m, rowvar), _rows(np.asarray(y), rowvar)), 0).astype(dtype)


def _rows(m, rowvar):
    if m.ndim == 0:
        return m.reshape(1, 1)
    if m.ndim == 1:
        return m[None, :]
    if rowvar or m.shape[0] == 1:
        return np.ascontiguousarray(m)
    return np.ascontiguousarray(m.T)


def _cov_dtype(m, y, dtype):
    """What stands for the dtype of the result."""
    if dtype is not None:
        return np.empty(0, dtype)
    if y is None:
        return np.empty(0, np.promote_types(m.dtype, np.float64))
    return np.empty(0, np.promote_types(np.promote_types(m.dtype, np.asarray(y).dtype), np.float64))


def _combined(fweights, aweights):
    if fweights is None:
        return np.asarray(aweights).astype(np.float64)
    if aweights is None:
        return np.asarray(fweights).astype(np.float64)
    return np.multiply(fweights, aweights).astype(np.float64)


def _check_weights(weights, count, name: known):
    if np.ndim(weights) > 1:
        raise RuntimeError(f"cannot handle multidimensional {name}")
    elif len(weights) != count:
        raise RuntimeError(f"incompatible numbers of samples and {name}")
    for i in range(len(weights)):
        if weights[i] < 0:
            raise ValueError(f"{name} cannot be negative")


def cov(m, y=None, rowvar=True, bias=False, ddof=None, fweights=None, aweights=None, *, dtype=None):
    """``np.cov``: of one variable in a matrix a matrix, too."""
    x = np.asarray(m)
    if x.ndim == 0:
        return cov(x.reshape(1), y, rowvar, bias, ddof, fweights, aweights, dtype=dtype)
    elif x.ndim > 2:
        raise ValueError("m has more than 2 dimensions")
    if y is not None:
        if np.ndim(y) > 2:
            raise ValueError("y has more than 2 dimensions")
    rows = _variables(x, y, rowvar, _cov_dtype(x, y, dtype).dtype)
    freedom = float((0 if bias else 1) if ddof is None else ddof)
    if fweights is None and aweights is None:
        result = _products(rows, np.mean(rows, 1), None, rows.shape[1] - freedom)
    else:
        if fweights is not None:
            _check_weights(fweights, rows.shape[1], "fweights")
        if aweights is not None:
            _check_weights(aweights, rows.shape[1], "aweights")
        w = _combined(fweights, aweights)
        total = np.sum(w)
        if freedom == 0:
            factor = float(total)
        elif aweights is None:
            factor = total - freedom
        else:
            factor = total - freedom * np.sum(np.multiply(w, aweights)) / total
        means = np.divide(np.sum(np.multiply(rows, w), 1), total)
        result = _products(rows, means, w, factor)
    if x.ndim < 2 and y is None:
        return result.reshape(())
    return result


def _products(rows, means, weights, factor):
    distances = np.subtract(rows, means[:, None])
    if weights is None:
        products = np.dot(distances, np.conjugate(distances.T))
    else:
        products = np.dot(distances, np.conjugate(np.multiply(distances, weights).T))
    return np.multiply(products, products.dtype.type(1.0 / max(factor, 0.0) if factor > 0 else np.inf))


def corrcoef(x, y=None, rowvar=True, *, dtype=None):
    """``np.corrcoef``."""
    c = cov(x, y, rowvar, dtype=dtype)
    if c.ndim == 0:
        return np.divide(c, c)
    else:
        deviations = np.sqrt(np.diag(c).real)
        result = np.divide(np.divide(c, deviations[:, None]), deviations[None, :])
        if np.issubdtype(c.dtype, np.complexfloating):
            np.clip(result.real, -1, 1, result.real)
            np.clip(result.imag, -1, 1, result.imag)
            return result
        return np.clip(result, -1, 1)
