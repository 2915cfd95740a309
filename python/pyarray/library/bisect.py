"""Positions in sequences that are in order."""


def bisect_left(a, x, lo=0, hi=None, *, key=None):
    """The first position before which all items are less than ``x``."""
    if lo < 0:
        raise ValueError("lo must be non-negative")
    low = lo
    high = len(a) if hi is None or hi == -1 else hi  # CPython's -1 is "no end"
    while low < high:
        middle = low + (high - low) // 2
        item = a[middle] if key is None else key(a[middle])
        if item < x:
            low = middle + 1
        else:
            high = middle
    return low


def bisect_right(a, x, lo=0, hi=None, *, key=None):
    """The last position behind which all items are greater than ``x``."""
    if lo < 0:
        raise ValueError("lo must be non-negative")
    low = lo
    high = len(a) if hi is None or hi == -1 else hi  # CPython's -1 is "no end"
    while low < high:
        middle = low + (high - low) // 2
        item = a[middle] if key is None else key(a[middle])
        if x < item:
            high = middle
        else:
            low = middle + 1
    return low


def insort_left(a, x, lo=0, hi=None, *, key=None):
    """Puts ``x`` before the items that are equal to it."""
    wanted = x if key is None else key(x)
    a.insert(bisect_left(a, wanted, lo, hi, key=key), x)


def insort_right(a, x, lo=0, hi=None, *, key=None):
    """Puts ``x`` behind the items that are equal to it."""
    wanted = x if key is None else key(x)
    a.insert(bisect_right(a, wanted, lo, hi, key=key), x)
