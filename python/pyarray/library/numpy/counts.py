"""How often values occur: ``np.bincount``, ``np.histogram`` and kin; covariances."""

import numpy as np

from .._intrinsics import known, on_device, raise_if
from ..device.counts import count, count_equal
from .elements import check_cast
from .sorting import _depth

_BLOCK = 65536  # of NumPy's sums of weights

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


# Histograms -----------------------------------------------------------------------------------------------------------


def _flat(a):
    if a.dtype == np.bool_:
        return np.ravel(a).astype(np.uint8)
    return np.ravel(a)


def _check_finite(first, last, text: known):
    if not (np.isfinite(first) and np.isfinite(last)):
        raise ValueError(f"{text} range of [{first}, {last}] is not finite")


def _float_dtype(a):
    """What stands for the dtype of edges that lie between elements."""
    if a.dtype.kind == "f":
        return np.empty(0, a.dtype)
    return np.empty(0, np.float64)


def _outer_edges(a, range):
    """The first edge and the last one, as the numbers that lie between are computed of."""
    if range is not None:
        first, last = range
        if first > last:
            raise ValueError("max must be larger than min in range parameter.")
        _check_finite(first, last, "supplied")
        if first == last:
            return first - 0.5, last + 0.5
        return float(first), float(last)
    number = _float_dtype(a).dtype.type
    if len(a) == 0:
        return number(0), number(1)
    least, greatest = a.min(), a.max()
    _check_finite(least, greatest, "autodetected")
    if least == greatest:
        return number(least) - number(0.5), number(greatest) + number(0.5)
    return number(least), number(greatest)


def _equal_edges(a, bins, range):
    """Edges of bins of one width, and the width of all together."""
    if bins < 1:
        raise ValueError("`bins` must be positive, when an integer")
    first, last = _outer_edges(a, range)
    edges = np.linspace(first, last, bins + 1, True, False, _float_dtype(a).dtype)
    if np.any(np.greater_equal(edges[:-1], edges[1:])):
        raise ValueError(f"Too many bins for data range. Cannot create {bins} finite-sized bins.")
    return edges, edges.dtype.type(last - first)


def _given_edges(bins):
    edges = np.asarray(bins)
    if edges.ndim != 1:
        raise ValueError("`bins` must be 1d, when an array")
    elif np.any(np.greater(edges[:-1], edges[1:])):
        raise ValueError("`bins` must increase monotonically, when an array")
    return edges


def histogram_bin_edges(a, bins=10, range=None, weights=None):
    """``np.histogram_bin_edges``."""
    if np.ndim(bins) == 0:
        return _equal_edges(_flat(np.asarray(a)), bins, range)[0]
    return _given_edges(bins)


def _equal_bin(x, edges, first, width, count):
    """The bin of a value, all of which have the same width; -1 where it has none."""
    if not (x >= edges[0] and x <= edges[count]):
        return -1
    number = edges.dtype.type
    value = number(x)
    index = np.int64((value - first) / width * number(count))
    if index == count:
        index -= 1
    if value < edges[index]:
        index -= 1
    elif value >= edges[index + 1] and index != count - 1:
        index += 1
    return index


def _any_bin(x, edges, count):
    if not (x >= edges[0] and x <= edges[count]):
        return -1
    low, high = 0, count
    while high - low > 1:
        middle = (low + high) >> 1
        if x >= edges[middle]:
            low = middle
        else:
            high = middle
    return low


def _bin(x, edges, width, count, equal: known):
    if equal:
        return _equal_bin(x, edges, edges[0], width, count)
    return _any_bin(x, edges, count)


def _count_bytes(a, edges, width, counts, equal: known):
    """Of many bytes: each of the 256 values has one bin. Four tables, since one value may follow itself."""
    tally = np.zeros((4, 256), np.int64)
    for i in range(len(a)):
        tally[i & 3, np.uint8(a[i])] += 1
    for value in range(-128, 256):
        x = a.dtype.type(value)
        if x == value:
            k = _bin(x, edges, width, len(edges) - 1, equal)
            if k >= 0:
                counts[np.uint64(k)] += tally[:, np.uint8(x)].sum()


_STRIP = 512


def _count_equal(a, edges, width, counts):
    """By bins of one width: those of a strip are guessed by vectors, and most guesses are right."""
    count, number, guessed = len(edges) - 1, edges.dtype.type, np.empty(_STRIP, np.int32)
    first, last, most = edges[0], edges[count], number(count - 1)
    for start in range(0, len(a), _STRIP):
        strip = a[start : start + _STRIP]
        for i in range(len(strip)):
            place = (number(strip[i]) - first) / width * number(count)
            guessed[i] = np.int32(min(most, max(number(0), place)))  # NaN becomes 0
        for i in range(len(strip)):
            x = strip[i]
            value, k = number(x), np.uint64(guessed[i])
            if value >= edges[k] and value < edges[k + np.uint64(1)]:
                counts[k] += 1
            elif x >= first and x <= last:
                if value < edges[k]:
                    k -= np.uint64(1)
                elif value >= edges[k + np.uint64(1)] and k != np.uint64(count - 1):
                    k += np.uint64(1)
                counts[k] += 1


def _counted(a, edges, width, weights, equal: known):
    if weights is None:
        if equal:
            if on_device():
                return count_equal(a, edges, width)
            else:
                return _counted_each(a, edges, width, None, True)
    return _counted_each(a, edges, width, weights, equal)


def _counted_each(a, edges, width, weights, equal: known):
    count = len(edges) - 1
    if weights is None:
        counts = np.zeros(max(count, 0), np.int64)
        if count > 0:
            if a.dtype.kind != "f" and a.dtype.itemsize == 1 and len(a) > 1000:
                _count_bytes(a, edges, width, counts, equal)
            elif equal and a.dtype != np.float16 and count < 1 << 24:
                _count_equal(a, edges, width, counts)
            else:
                for i in range(len(a)):
                    k = _bin(a[i], edges, width, count, equal)
                    if k >= 0:
                        counts[np.uint64(k)] += 1
        return counts
    sums = np.zeros(max(count, 0), weights.dtype)
    for start in range(0, len(a) if count > 0 else 0, _BLOCK):
        part = np.zeros(count, np.complex128 if weights.dtype.kind == "c" else np.float64)
        for i in range(start, min(start + _BLOCK, len(a))):
            k = _bin(a[i], edges, width, count, equal)
            if k >= 0:
                part[np.uint64(k)] += weights[i]
        sums += part.astype(weights.dtype)
    return sums


def _histogram(a, edges, width, weights, density: known, equal: known):
    counts = _counted(a, edges, width, weights, equal)
    if density:
        widths = np.diff(edges).astype(np.float64)
        return np.divide(np.divide(counts, widths), np.sum(counts)), edges
    return counts, edges


def _histogram_of(a, bins, range, density: known, weights):
    if np.ndim(bins) == 0:
        edges, width = _equal_edges(a, bins, range)
        return _histogram(a, edges, width, weights, density, True)
    return _histogram(a, _given_edges(bins), 0.0, weights, density, False)


def histogram(a, bins=10, range=None, density: known = None, weights=None):
    """``np.histogram``, of a number of bins or of their edges."""
    x = np.asarray(a)
    if weights is None:
        return _histogram_of(_flat(x), bins, range, density, None)
    w = np.asarray(weights)
    if w.shape != x.shape:
        raise ValueError("weights should have the same shape as a.")
    return _histogram_of(_flat(x), bins, range, density, np.ravel(w))


# Covariances ----------------------------------------------------------------------------------------------------------


def _variables(m, y, rowvar, dtype):
    """The observations of each variable in a row."""
    if y is None:
        return _rows(m, rowvar).astype(dtype)
    return np.concatenate((_rows(m, rowvar), _rows(np.asarray(y), rowvar)), 0).astype(dtype)


def _rows(m, rowvar):
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
    if x.ndim > 2:
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
