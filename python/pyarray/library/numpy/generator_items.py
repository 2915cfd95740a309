"""Items in a random order, or chosen among others, by NumPy's Generator."""

import numpy as np

from .._intrinsics import c_contiguous, draw, f_contiguous, known, writeable
from .axes import axis_of
from .generator_integers import integers
from .random_items import _count, count_positive, items_at, place_of, sums_of, take_shares

# -- Orders ----------------------------------------------------------------------------------------


def shuffle(self, x, axis=0):
    """Brings the items of a list, or of an array along an axis, into a random order."""
    if isinstance(x, np.ndarray):
        if not writeable(x):
            raise ValueError("array is read-only")
        elif x.ndim == 1:
            axis_of(axis, 1)
            shuffle_from(self, x, 1)
        else:
            place = axis_of(axis, x.ndim)
            if x.size > 0:
                _shuffle_parts(self, np.swapaxes(x, 0, place))
    else:
        if axis != 0:
            raise NotImplementedError("Axis argument is only supported on ndarray objects")
        shuffle_from(self, x, 1)


def shuffle_from(rng, x, first):
    """Exchange items from the last one down to item ``first`` with ones before them."""
    for i in range(len(x) - 1, first - 1, -1):
        j = draw(rng, "random_interval", i)
        x[i], x[j] = x[j], x[i]


def _shuffle_parts(rng, x):
    for i in range(len(x) - 1, 0, -1):
        j = draw(rng, "random_interval", i)
        if i != j:
            part = x[j].copy()
            x[j] = x[i]
            x[i] = part


def permutation(self, x, axis=0):
    """The integers below ``x``, or the items of ``x`` along an axis, in a random order."""
    if isinstance(x, (int, np.integer)):
        order = np.arange(x)
        shuffle_from(self, order, 1)
        return order
    else:
        return _permutation(self, np.asarray(x), axis)


def _permutation(rng, a, axis):
    place = axis_of(axis, a.ndim)
    if a.ndim < 2:
        items = a.copy()
        shuffle(rng, items)
        return items
    else:
        return np.moveaxis(np.moveaxis(a, place, 0)[permutation(rng, a.shape[place])], 0, place)


def permuted(self, x, *, axis=None, out=None):
    """A copy of an array in which each row along an axis, or all of it, is in a random order of its own."""
    a = np.asarray(x)
    if out is None:
        return _permute(self, a.copy(order="K"), axis)
    else:
        if out.shape != a.shape:
            raise ValueError("out must have the same shape as x")
        np.copyto(out, a, casting="safe")
        return _permute(self, out, axis)


def _permute(rng, a, axis):
    if axis is None:
        if a.ndim == 1:
            shuffle_from(rng, a, 1)
        else:
            # In the order of memory.
            flat = a.ravel(order="K").copy()
            shuffle_from(rng, flat, 1)
            _store(a, flat)
        return a
    else:
        _shuffle_rows(rng, np.moveaxis(a, axis_of(axis, a.ndim), -1))
        return a


def _store(a, flat):
    if f_contiguous(a) and not c_contiguous(a):
        a.T[...] = flat.reshape(a.T.shape)
    else:
        a[...] = flat.reshape(a.shape)


def _shuffle_rows(rng, rows):
    for i in range(len(rows) if rows.ndim > 1 else 1):
        if rows.ndim == 1:
            shuffle_from(rng, rows, 0)
        else:
            _shuffle_rows(rng, rows[i])


# -- Choices ---------------------------------------------------------------------------------------


def choice(self, a, size=None, replace: known = True, p=None, axis=0, shuffle: known = True):
    """Items of ``a`` along an axis, or integers below it."""
    if isinstance(a, (int, np.integer)):
        if a <= 0 and _count(size) != 0:
            raise ValueError("a must be a positive integer unless no samples are taken")
        return _chosen(self, int(a), size, replace, p, shuffle)
    else:
        items = np.asarray(a)
        place = axis_of(axis, items.ndim)
        if items.shape[place] == 0 and _count(size) != 0:
            raise ValueError("a cannot be empty unless no samples are taken")
        found = _chosen(self, items.shape[place], size, replace, p, shuffle)
        if items.ndim == 1:
            return items_at(items, found)
        else:
            return np.take(items, found, place)


def _chosen(rng, count, size, replace: known, p, mixed: known):
    """Integers below ``count``."""
    if p is None:
        if replace:
            return integers(rng, 0, count, size)
        return _shaped(_different(rng, count, _wanted(size, count), mixed), size)
    else:
        shares = _checked_shares(np.asarray(p), count)
        if replace:
            return _picked(sums_of(shares), rng, size)
        return _shaped(_picked_once(rng, _wanted(size, count), shares), size)


def _wanted(size, count):
    wanted = _count(size)
    if wanted > count:
        raise ValueError("Cannot take a larger sample than population when replace is False")
    if wanted < 0:
        raise ValueError("negative dimensions are not allowed")
    return wanted


def _shaped(found, size):
    if size is None:
        return found[0]
    return found.reshape(size)


def _different(rng, count, wanted, mixed: known):
    """As many integers below ``count``, no two alike."""
    if count > 10000 and wanted > count // (50 if mixed else 20):
        order = np.arange(count)
        _shuffle_bounded(rng, order, max(count - wanted, 1))
        return order[count - wanted :].copy()
    found = _different_few(rng, count, wanted)
    if mixed:
        _shuffle_bounded(rng, found, 1)
    return found


def _shuffle_bounded(rng, x, first):
    for i in range(len(x) - 1, first - 1, -1):
        j = draw(rng, "random_bounded_uint64", 0, i, 0, 0)
        x[i], x[j] = x[j], x[i]


def _different_few(rng, count, wanted):
    # Floyd's algorithm (Bentley and Floyd 1987): what is drawn twice is the greatest that might have been drawn.
    found, taken = np.empty(wanted, np.int64), set()
    for j in range(count - wanted, count):
        drawn = draw(rng, "random_bounded_uint64", 0, j, 0, 0)
        if drawn in taken:
            drawn = j
        taken.add(drawn)
        found[j - count + wanted] = drawn
    return found


def _checked_shares(p, count):
    if p.ndim != 1:
        raise ValueError("p must be 1-dimensional")
    elif len(p) != count:
        raise ValueError("a and p must have same size")
    else:
        shares = np.empty(len(p))
        wrong = take_shares(p, shares)
        if wrong == 1:
            raise ValueError("Probabilities contain NaN")
        if wrong == 2:
            raise ValueError("Probabilities are not non-negative")
        if wrong == 3:
            raise ValueError("Probabilities do not sum to 1. See Notes section of docstring for more information.")
        return shares


def _picked(sums, rng, size):
    if size is None:
        return place_of(draw(rng, "random_standard_uniform"), sums)
    found = np.empty(size, np.int64)
    flat = found.reshape(-1)
    for i in range(len(flat)):
        flat[i] = place_of(draw(rng, "random_standard_uniform"), sums)
    return found


def _picked_once(rng, wanted, shares):
    """Different positions: what is drawn twice is drawn anew among the others, whose shares are left."""
    if wanted > count_positive(shares):
        raise ValueError("Fewer non-zero entries in p than size")
    found, done = np.empty(wanted, np.int64), 0
    while done < wanted:
        sums, before = sums_of(shares), done
        for _ in range(wanted - before):
            place = place_of(draw(rng, "random_standard_uniform"), sums)
            if shares[place] > 0.0:
                shares[place] = 0.0
                found[done] = place
                done += 1
    return found
