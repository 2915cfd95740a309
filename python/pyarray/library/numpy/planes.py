"""Counts and places in several dimensions: ``np.histogram2d``, ``np.histogramdd``, ``np.unravel_index`` and its kin."""

import numpy as np

from .._intrinsics import known, raise_if, strided
from .axes import with_item

# Histograms of two variables ------------------------------------------------------------------------------------------


def _bounds(a, range, number: known):
    if range is not None:
        first, last = float(range[0]), float(range[1])
        if first > last:
            raise ValueError("max must be larger than min in range parameter.")
        if not (np.isfinite(first) and np.isfinite(last)):
            raise ValueError(f"supplied range of [{range[0]}, {range[1]}] is not finite")
    elif len(a) == 0:
        first, last = 0.0, 1.0
    else:
        first, last = float(a.min()), float(a.max())
        if not (np.isfinite(first) and np.isfinite(last)):
            raise ValueError(f"autodetected range of [{a.min()}, {a.max()}] is not finite")
    return (first - 0.5, last + 0.5) if first == last else (first, last)


def _edges(a, bins, range, number: known):
    if np.ndim(bins) == 0:
        raise_if(bins < 1, "ValueError", "`bins[{0}]` must be positive, when an integer", number)
        first, last = _bounds(a, range, number)
        if range is None and a.dtype.kind == "f":
            return np.linspace(a.dtype.type(first), a.dtype.type(last), bins + 1)
        return np.linspace(first, last, bins + 1)
    edges = np.asarray(bins)
    raise_if(
        np.any(np.greater(edges[:-1], edges[1:])),
        "ValueError",
        "`bins[{0}]` must be monotonically increasing, when an array",
        number,
    )
    return edges


def _bin_numbers(a, edges):
    """The bin of each value, from 1 on; the last edge belongs to the last bin."""
    found = np.searchsorted(edges, a, side="right")
    for i in range(len(a)):
        if a[i] == edges[-1]:
            found[i] -= 1
    return found


def _of_two(x, y, first, second, density: known, weights):
    rows, columns = _bin_numbers(x, first), _bin_numbers(y, second)
    counts = np.zeros((len(first) + 1, len(second) + 1))[1:-1, 1:-1]  # as NumPy has it, which counts what lies outside
    for i in range(len(rows)):
        row, column = rows[i] - 1, columns[i] - 1
        if 0 <= row < counts.shape[0] and 0 <= column < counts.shape[1]:
            counts[row, column] += 1.0 if weights is None else weights[i]
    if density:
        total = counts.sum()
        shares = counts / np.diff(first)[:, None] / np.diff(second)
        shares /= total
        return shares, first, second
    return counts, first, second


def _check_not_two(edges):
    """NumPy takes two numbers for numbers of bins, one of each axis, whatever holds them."""
    if len(edges) == 2:
        raise_if(edges[0] < 1, "ValueError", "`bins[0]` must be positive, when an integer")
        if edges.dtype.kind == "f":
            raise TypeError("`bins[0]` must be an integer, when a scalar")
        raise NotImplementedError("the two numbers of bins are given as a tuple in compiled code")


def histogram2d(x, y, bins=10, range=None, density: known = None, weights=None):
    """``np.histogram2d``, of numbers of bins or of their edges."""
    a, b = np.asarray(x), np.asarray(y)
    if len(a) != len(b):
        raise ValueError("x and y must have the same length.")
    w = None if weights is None else np.asarray(weights)
    if w is not None and len(w) != len(a):
        raise ValueError("The weights and list don't have the same length.")
    along, across = (None, None) if range is None else (range[0], range[1])
    if isinstance(bins, tuple) and len(bins) == 2:
        return _of_two(a, b, _edges(a, bins[0], along, 0), _edges(b, bins[1], across, 1), density, w)
    if np.ndim(bins) == 0:
        return _of_two(a, b, _edges(a, bins, along, 0), _edges(b, bins, across, 1), density, w)
    edges = np.asarray(bins)
    _check_not_two(edges)
    return _of_two(a, b, _edges(a, edges, along, 0), _edges(b, edges, across, 1), density, w)


# Histograms of several variables --------------------------------------------------------------------------------------


def histogramdd(sample, bins=10, range=None, density: known = None, weights=None):
    """``np.histogramdd``: the number of variables is that of a tuple, which one of the first three arguments is."""
    if isinstance(sample, tuple):
        return _of_several(_arrays(sample), bins, range, density, weights)
    elif isinstance(bins, tuple):
        return _of_several(_columns(np.asarray(sample), bins, 0), bins, range, density, weights)
    elif isinstance(range, tuple):
        return _of_several(_columns(np.asarray(sample), range, 0), bins, range, density, weights)
    else:
        raise TypeError("the number of variables of histogramdd() is not known when compiled: give bins as a tuple")


def _arrays(values):
    if len(values) == 0:
        return ()
    return (np.asarray(values[0]),) + _arrays(values[1:])


def _columns(a, entries, at):
    """A column for each entry."""
    if at == 0 and a.ndim != 2:
        raise ValueError("the sample of histogramdd() must be an array of two dimensions, or a tuple")
    elif len(entries) == 0:
        if at != a.shape[1]:
            raise ValueError("The dimension of bins must be equal to the dimension of the sample x.")
        return ()
    else:
        if at >= a.shape[1]:
            raise ValueError("The dimension of bins must be equal to the dimension of the sample x.")
        return (a[:, at],) + _columns(a, entries[1:], at + 1)


def _of_several(columns, bins, range, density: known, weights):
    if isinstance(bins, tuple) and len(bins) != len(columns):
        raise ValueError("The dimension of bins must be equal to the dimension of the sample x.")
    elif isinstance(range, tuple) and len(range) != len(columns):
        raise ValueError("range argument must have one entry per dimension")
    else:
        edges = _all_edges(columns, bins, range, 0)
        counts = _counted(_all_bins(columns, edges), _lengths(edges), weights)
        if density:
            total = counts.sum()
            shares = _shares(counts, edges)
            shares /= total
            return shares, list(edges)
        return counts, list(edges)


def _all_edges(columns, bins, range, number: known):
    if len(columns) == 0:
        return ()
    count = bins[number] if isinstance(bins, tuple) else bins
    bounds = None if range is None else range[number]
    first = _edges(columns[0], count, bounds, number)
    return (first,) + _all_edges(columns[1:], bins, range, number + 1)


def _all_bins(columns, edges):
    if len(columns) == 0:
        return ()
    return (_bin_numbers(columns[0], edges[0]),) + _all_bins(columns[1:], edges[1:])


def _lengths(edges):
    """The extents of the counts, those of what lies outside among them."""
    if len(edges) == 0:
        return ()
    return (len(edges[0]) + 1,) + _lengths(edges[1:])


def _counted(numbers, extents, weights):
    whole = np.zeros(extents)
    flat = whole.reshape(-1)
    for i in range(len(numbers[0])):
        place = 0
        for k in range(len(extents)):
            place = place * extents[k] + numbers[k][i]
        flat[place] += 1.0 if weights is None else weights[i]
    inner, first = whole.shape, 0
    for k in range(len(extents)):
        inner, first = with_item(inner, k, extents[k] - 2), first + whole.strides[k]
    return strided(whole, first, inner, whole.strides)


def _shares(counts, edges):
    """The counts by the extents of their bins."""
    if len(edges) == 0:
        return counts
    widths = np.diff(edges[0])
    return _shares(counts / widths.reshape((len(widths),) + (1,) * (len(edges) - 1)), edges[1:])


# Places ---------------------------------------------------------------------------------------------------------------


def _size_of(shape):
    return 1 if len(shape) == 0 else shape[0] * _size_of(shape[1:])


def _place(index, shape):
    """In C order."""
    if len(shape) == 0:
        return ()
    return (index // max(_size_of(shape[1:]), 1) % shape[0],) + _place(index, shape[1:])


def _backwards(values):
    if len(values) == 0:
        return ()
    return _backwards(values[1:]) + (values[0],)


def _check_order(order: known):
    if order != "C" and order != "F":
        raise ValueError("only 'C' or 'F' order is permitted")


def _check_integers(kind: known):
    if kind != "i" and kind != "u" and kind != "b":
        raise TypeError("only int indices permitted")


def unravel_index(indices, shape, order: known = "C"):
    """``np.unravel_index``."""
    _check_order(order)
    extents = shape if isinstance(shape, tuple) else (shape,)
    size = _size_of(extents)
    text = "index {0} is out of bounds for array with size {1}"
    if isinstance(indices, (int, np.integer)):
        raise_if(indices < 0 or indices >= size, "ValueError", text, indices, size)
        return _backwards(_place(indices, _backwards(extents))) if order == "F" else _place(indices, extents)
    given = np.asarray(indices)
    _check_integers(given.dtype.kind)
    places = given.astype(np.int64)
    flat = places.ravel()
    for i in range(len(flat)):
        raise_if(flat[i] < 0 or flat[i] >= size, "ValueError", text, flat[i], size)
    return _backwards(_place(places, _backwards(extents))) if order == "F" else _place(places, extents)


def _inside(index, extent, mode: known):
    """The index, or one within the extent in its place."""
    if mode == "wrap":
        return index % extent
    if mode == "clip":
        return np.clip(index, 0, extent - 1)
    if mode != "raise":
        raise ValueError(f"clipmode must be one of 'clip', 'raise', or 'wrap' (got '{mode}')")
    if np.any((index < 0) | (index >= extent)):
        raise ValueError("invalid entry in coordinates array")
    return index


def _raveled(places, dims, mode: known):
    if len(dims) == 1:
        return _inside(places[0], dims[0], mode)
    return _inside(places[0], dims[0], mode) * _size_of(dims[1:]) + _raveled(places[1:], dims[1:], mode)


def _as_places(places):
    if len(places) == 0:
        return ()
    return (_as_place(places[0]),) + _as_places(places[1:])


def _as_place(place):
    if isinstance(place, (int, np.integer)):
        return place
    a = np.asarray(place)
    _check_integers(a.dtype.kind)
    return a.astype(np.int64)


def ravel_multi_index(multi_index, dims, mode: known = "raise", order: known = "C"):
    """``np.ravel_multi_index``."""
    _check_order(order)
    extents = dims if isinstance(dims, tuple) else (dims,)
    if len(multi_index) != len(extents):
        raise ValueError(f"parameter multi_index must be a sequence of length {len(extents)}")
    places = _as_places(multi_index)
    if order == "F":
        return _raveled(_backwards(places), _backwards(extents), mode)
    return _raveled(places, extents, mode)
