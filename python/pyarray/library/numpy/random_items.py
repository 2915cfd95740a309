"""Items in a random order, or chosen among others: ``shuffle``, ``permutation``, ``choice`` of ``np.random``."""

import numpy as np
from numpy.random import random_sample

from .._intrinsics import known
from .random import compensated_sum, draw_integer, integers, samples, up_to


def shuffle(x, /):
    """Brings the items of an array along its first axis, or of a list, into a random order."""
    for i in range(len(x) - 1, 0, -1):
        j = up_to(i)
        if isinstance(x, np.ndarray) and x.ndim > 1:
            row = x[i].copy()
            x[i] = x[j]
            x[j] = row
        else:
            x[i], x[j] = x[j], x[i]


def permutation(x, /):
    """The integers below ``x``, or the items of ``x`` along its first axis, in a random order."""
    if isinstance(x, (int, np.integer)):
        order = np.arange(x)
        shuffle(order)
        return order
    else:
        return _permuted(np.asarray(x))


def _permuted(a):
    if a.ndim == 0:
        raise IndexError("x must be an integer or at least 1-dimensional")
    elif a.ndim == 1:
        items = a.copy()
        shuffle(items)
        return items
    else:
        return a[permutation(len(a))]


def choice(a, size=None, replace: known = True, p=None):
    """Items of ``a``, or integers below it."""
    if isinstance(a, (int, np.integer)):
        if a <= 0 and _count(size) != 0:
            raise ValueError("a must be greater than 0 unless no samples are taken")
        return _chosen(int(a), size, replace, p)
    else:
        items = np.asarray(a)
        if items.ndim != 1:
            raise ValueError("a must be 1-dimensional")
        else:
            if len(items) == 0 and _count(size) != 0:
                raise ValueError("'a' cannot be empty unless no samples are taken")
            return items[_chosen(len(items), size, replace, p)]


def _count(size):
    """How many deviates are drawn."""
    if size is None:
        return 1
    elif isinstance(size, tuple):
        count = 1
        for extent in size:
            count *= extent
        return count
    else:
        return size


def _chosen(count, size, replace: known, p):
    """Integers below ``count``."""
    if p is None:
        if replace:
            return integers(size, draw_integer, 0, count - 1)
        if _count(size) > count:
            raise ValueError("Cannot take a larger sample than population when 'replace=False'")
        return _shaped(permutation(count)[: _count(size)], size)
    else:
        shares = _checked_shares(np.asarray(p), count)
        if replace:
            ends = np.cumsum(shares)
            ends /= ends[-1]
            return integers(size, _pick, count, (ends,))
        return _shaped(_picked_once(_count(size), shares), size)


def _shaped(found, size):
    if size is None:
        return found[0]
    return found.reshape(size)


def _checked_shares(p, count):
    if p.ndim != 1:
        raise ValueError("'p' must be 1-dimensional")
    elif len(p) != count:
        raise ValueError("'a' and 'p' must have same size")
    else:
        # NumPy's: the square root of the precision.
        most = max(float(np.finfo(p.dtype).eps) ** 0.5 if p.dtype.kind == "f" else 0.0, 1.4901161193847656e-08)
        shares = p.astype(np.float64)
        total = compensated_sum(shares)
        if np.isnan(total):
            raise ValueError("probabilities contain NaN")
        if np.any(shares < 0):
            raise ValueError("probabilities are not non-negative")
        if abs(total - 1.0) > most:
            raise ValueError("probabilities do not sum to 1")
        return shares


def _pick(count, ends):
    return _place(random_sample(), count, ends[0])


def _place(drawn, count, ends):
    """The first position whose end is greater than what is drawn."""
    low, high = 0, count
    while low < high:
        middle = (low + high) // 2
        if ends[middle] <= drawn:
            low = middle + 1
        else:
            high = middle
    return low


def _picked_once(wanted, shares):
    """Different positions: what is drawn twice is drawn anew among the others."""
    if wanted > np.count_nonzero(shares > 0):
        raise ValueError("Fewer non-zero entries in p than size")
    found, taken = np.empty(wanted, np.int64), np.zeros(len(shares), np.bool_)
    done = 0
    while done < wanted:
        ends = np.cumsum(np.where(taken, 0.0, shares))
        ends /= ends[-1]
        for drawn in samples(wanted - done):
            place = _place(drawn, len(ends), ends)
            if not taken[place]:
                taken[place] = True
                found[done] = place
                done += 1
    return found
