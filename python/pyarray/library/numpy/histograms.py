"""How many values lie in which bins: ``np.histogram`` and ``np.histogram_bin_edges``; rules for the number of bins."""

import numpy as np

from .._intrinsics import known, on_device
from ..device.counts import count_equal
from .cells import cells_of, place_of_cell, put_cells

_BLOCK = 65536  # of NumPy's sums of weights

# Edges ----------------------------------------------------------------------------------------------------------------


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


def _check_bins(bins, weights):
    if isinstance(bins, str):
        if not _is_rule(bins):
            raise ValueError(f"{bins!r} is not a valid estimator for `bins`")
        if weights is not None:
            raise TypeError("Automated estimation of the number of bins is not supported for weighted data")
    elif not isinstance(bins, (int, np.integer)):
        raise TypeError("`bins` must be an integer, a string, or an array")
    elif bins < 1:
        raise ValueError("`bins` must be positive, when an integer")


def _equal_edges(a, bins, range, weights):
    """Edges of bins of one width, and the width of all together."""
    _check_bins(bins, weights)
    first, last = _outer_edges(a, range)
    if not isinstance(bins, str):
        return _edges_between(first, last, int(bins), _float_dtype(a).dtype)
    elif range is None:
        return _edges_between(first, last, _estimated(a, bins, first, last, _spread(a)), _float_dtype(a).dtype)
    else:
        within = a[np.logical_and(a >= first, a <= last)]
        return _edges_between(first, last, _estimated(within, bins, first, last, last - first), _float_dtype(a).dtype)


def _edges_between(first, last, count, dtype):
    edges = np.linspace(first, last, count + 1, True, False, dtype)
    if np.any(np.greater_equal(edges[:-1], edges[1:])):
        raise ValueError(f"Too many bins for data range. Cannot create {count} finite-sized bins.")
    return edges, edges.dtype.type(last - first)


def _given_edges(bins):
    edges = np.asarray(bins)
    if np.any(np.greater(edges[:-1], edges[1:])):
        raise ValueError("`bins` must increase monotonically, when an array")
    return edges


def histogram_bin_edges(a, bins=10, range=None, weights=None):
    """``np.histogram_bin_edges``."""
    if np.ndim(bins) == 0:
        return _equal_edges(_flat(np.asarray(a)), bins, range, weights)[0]
    if np.ndim(bins) != 1:
        raise ValueError("`bins` must be 1d, when an array")
    else:
        return _given_edges(bins)


# Counts ---------------------------------------------------------------------------------------------------------------


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


def _count_given(a, edges, counts):
    """By bins of any width."""
    count = len(edges) - 1
    table, first, scale = cells_of(edges, len(a))
    if len(table) > 0:
        cells, low, high = np.empty(_STRIP, np.int32), edges[0], edges[count]
        for start in range(0, len(a), _STRIP):
            strip = a[start : start + _STRIP]
            put_cells(strip, first, scale, len(table) - 1, cells)
            for i in range(len(strip)):
                if strip[i] >= low and strip[i] <= high:
                    place = place_of_cell(edges, strip[i], table, np.uint64(cells[i]), True)
                    counts[np.uint64(min(place, count) - 1)] += 1
    else:
        for i in range(len(a)):
            k = _any_bin(a[i], edges, count)
            if k >= 0:
                counts[np.uint64(k)] += 1


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
            elif equal and a.dtype != np.float16 and count < 1 << 24 and len(a) >= 64:
                _count_equal(a, edges, width, counts)
            elif equal:
                for i in range(len(a)):
                    k = _equal_bin(a[i], edges, edges[0], width, count)
                    if k >= 0:
                        counts[np.uint64(k)] += 1
            elif a.dtype.kind == "f" or a.dtype.kind == "i" or a.dtype.kind == "u":
                _count_given(a, edges, counts)
            else:
                for i in range(len(a)):
                    k = _any_bin(a[i], edges, count)
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
        edges, width = _equal_edges(a, bins, range, weights)
        return _histogram(a, edges, width, weights, density, True)
    if np.ndim(bins) != 1:
        raise ValueError("`bins` must be 1d, when an array")
    else:
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


# How many bins --------------------------------------------------------------------------------------------------------
# Widths have the type that those of NumPy have: that of the floats, or float64 where a float64 of NumPy is a part.


def _is_rule(name):
    for rule in ("auto", "doane", "fd", "rice", "scott", "sqrt", "stone", "sturges"):
        if name == rule:
            return True
    return False


def _spread(a):
    """The distance of the least value to the greatest; 0 of none."""
    if len(a) == 0:
        return a.dtype.type(0) if a.dtype.kind == "f" else 0.0
    if a.dtype.kind == "f":
        return a.max() - a.min()
    return float(np.uint64(a.max()) - np.uint64(a.min()))


def _estimated(a, rule: known, first, last, distance):
    """The number of bins that a rule has for the values between the edges."""
    if len(a) == 0:
        return 1
    count, number, spread = float(len(a)), _float_dtype(a).dtype.type, _spread(a)
    if rule == "auto":
        return _relaxed(a, distance, spread, count)
    if rule == "doane":
        return _bins_of_width(a, distance, _doane(a, spread, count))
    if rule == "fd":
        return _bins_of_width(a, distance, _freedman_diaconis(a, count))
    if rule == "rice":
        return _bins_of_width(a, distance, spread / number(2.0 * count ** (1.0 / 3)))
    if rule == "scott":
        return _bins_of_width(a, distance, number((24.0 * np.pi**0.5 / count) ** (1.0 / 3.0)) * np.std(a))
    if rule == "sqrt":
        return _bins_of_width(a, distance, float(spread) / np.sqrt(count))
    if rule == "stone":
        return _bins_of_width(a, distance, _stone(a, first, last, spread))
    return _bins_of_width(a, distance, float(spread) / (np.log2(count) + 1.0))


def _bins_of_width(a, distance, width):
    if width == 0:
        return 1
    if a.dtype.kind != "f" and width < 1:
        return int(np.ceil(distance))
    return int(np.ceil(distance / width))


def _freedman_diaconis(a, count):
    number, quarters = _float_dtype(a).dtype.type, np.percentile(a, np.array([75.0, 25.0]))
    return number(2.0) * (quarters[0] - quarters[1]) * number(count ** (-1.0 / 3.0))


def _relaxed(a, distance, spread, count):
    """The width of Freedman and Diaconis, within half of that of the root and that of Sturges."""
    width = _freedman_diaconis(a, count)
    least, most = float(spread) / np.sqrt(count) / 2, float(spread) / (np.log2(count) + 1.0)
    if least > width:
        return _bins_of_width(a, distance, min(least, most))
    if most < width:
        return _bins_of_width(a, distance, most)
    return _bins_of_width(a, distance, width)


def _doane(a, spread, count):
    if count <= 2:
        return 0.0
    deviation = np.std(a)
    if not deviation > 0:
        return 0.0
    skewness = np.mean(np.power(np.divide(np.subtract(a, np.mean(a)), deviation), 3))
    error = np.sqrt(6.0 * (count - 2) / ((count + 1.0) * (count + 3)))
    return float(spread) / (1.0 + np.log2(count) + np.log2(1.0 + np.absolute(skewness) / error))


def _stone(a, first, last, spread):
    """The width whose estimate of the integrated squared error is least."""
    number, best, least = _float_dtype(a).dtype.type, 0, np.inf
    if len(a) <= 1 or spread == 0:
        return number(0)
    for bins in range(1, max(100, int(np.sqrt(len(a)))) + 1):
        edges, whole = _edges_between(first, last, bins, _float_dtype(a).dtype)
        shares = np.divide(_counted(a, edges, whole, None, True), len(a))
        error = (2 - (len(a) + 1) * np.dot(shares, shares)) / (spread / number(bins))
        if best == 0 or error < least:
            best, least = bins, error
    return spread / number(best)
