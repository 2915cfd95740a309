"""Items in a random order, or chosen among others: ``shuffle``, ``permutation``, ``choice`` of ``np.random``."""

import numpy as np
from numpy.random import random_sample

from .._intrinsics import known
from .random import draw_integer, integers, up_to


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
            return items_at(items, _chosen(len(items), size, replace, p))


def items_at(items, places):
    """The items, as an array where the places are one."""
    if isinstance(places, np.ndarray) and places.ndim == 0:
        return np.asarray(items[places])
    return items[places]


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
            return integers(size, _pick, count, (sums_of(shares),))
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
        shares = np.empty(len(p))
        wrong = take_shares(p, shares)
        if wrong == 1:
            raise ValueError("probabilities contain NaN")
        if wrong == 2:
            raise ValueError("probabilities are not non-negative")
        if wrong == 3:
            raise ValueError("probabilities do not sum to 1")
        return shares


# Loops over shares go from one to the next: an expression of arrays would be compiled for more than one form of them,
# which costs more than these few numbers are worth.


def take_shares(p, shares):
    """Copy shares, and say what is wrong: 1 one is NaN, 2 one is negative, 3 they do not sum up to 1, 0 nothing."""
    total, lost, least = 0.0, 0.0, 0.0
    for i in range(len(p)):
        share = float(p[i])
        shares[i] = share
        least = min(least, share)
        # Kahan's sum, which begins with the first one.
        y = share - lost
        t = total + y
        lost = (t - total) - y if i > 0 else 0.0
        total = t
    # NumPy's: the square root of the precision.
    most = max(float(np.finfo(p.dtype).eps) ** 0.5 if p.dtype.kind == "f" else 0.0, 1.4901161193847656e-08)
    if np.isnan(total):
        return 1
    if least < 0.0:
        return 2
    return 3 if abs(total - 1.0) > most else 0


def sums_of(shares):
    """The part of all that the shares up to each one make."""
    sums, total = np.empty(len(shares)), 0.0
    for i in range(len(shares)):
        total += shares[i]
        sums[i] = total
    for i in range(len(sums)):
        sums[i] /= total
    return sums


def _pick(count, sums):
    return place_of(random_sample(), sums[0])


def place_of(drawn, sums):
    """The first position whose sum is greater than what is drawn."""
    low, high = 0, len(sums)
    while low < high:
        middle = (low + high) // 2
        if sums[middle] <= drawn:
            low = middle + 1
        else:
            high = middle
    return low


def count_positive(shares):
    """How many shares are more than 0."""
    count = 0
    for i in range(len(shares)):
        count += shares[i] > 0.0
    return count


def _picked_once(wanted, shares):
    """Different positions: what is drawn twice is drawn anew among the others, whose shares are left."""
    if wanted > count_positive(shares):
        raise ValueError("Fewer non-zero entries in p than size")
    found, done = np.empty(wanted, np.int64), 0
    while done < wanted:
        sums, before = sums_of(shares), done
        for _ in range(wanted - before):
            place = place_of(random_sample(), sums)
            if shares[place] > 0.0:
                shares[place] = 0.0
                found[done] = place
                done += 1
    return found
