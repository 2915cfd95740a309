"""``collections.Counter``: a dict of counts."""

from ._intrinsics import given, missing


def item(self, key):
    """``self[key]``, 0 where it is not there."""
    return self.get(key, 0)


def delete(self, key):
    """``del self[key]``, which need not be there."""
    self.pop(key, 0)


def update(self, iterable=missing, /, **more):
    """Counts what is iterated over, or adds the counts of a dict."""
    if given(iterable):
        if isinstance(iterable, dict):
            for key, count in iterable.items():
                self[key] = self.get(key, 0) + count
        else:
            for key in iterable:
                self[key] = self.get(key, 0) + 1
    for key, count in more.items():
        self[key] = self.get(key, 0) + count


def subtract(self, iterable=missing, /, **more):
    """The same, taken off."""
    if given(iterable):
        if isinstance(iterable, dict):
            for key, count in iterable.items():
                self[key] = self.get(key, 0) - count
        else:
            for key in iterable:
                self[key] = self.get(key, 0) - 1
    for key, count in more.items():
        self[key] = self.get(key, 0) - count


def filled(self, iterable=missing, /, **more):
    """A new one, ``self``, of what is iterated over, and counts by name."""
    if given(iterable):
        update(self, iterable)
    update(self, **more)
    return self


def _count_of(pair):
    return pair[1]


def most_common(self, n=None):
    """Pairs of keys and counts, the greatest counts first."""
    pairs = [(key, count) for key, count in self.items()]
    pairs.sort(key=_count_of, reverse=True)
    if n is None:
        return pairs
    return pairs[: max(n, 0)]


def elements(self):
    """Each key as often as its count says."""
    for key, count in self.items():
        for _ in range(count):
            yield key


def total(self):
    """The sum of the counts."""
    return sum(self.values())


def equal(a, b):
    """``a == b``, where what is not there counts as 0."""
    for key, count in a.items():
        if b.get(key, 0) != count:
            return False
    for key, count in b.items():
        if a.get(key, 0) != count:
            return False
    return True


def at_most(a, b):
    """``a <= b``: no count is greater than the other's."""
    for key, count in a.items():
        if count > b.get(key, 0):
            return False
    for key, count in b.items():
        if a.get(key, 0) > count:
            return False
    return True


def less(a, b):
    """``a < b``."""
    return at_most(a, b) and not equal(a, b)


def positive(made, a):
    """``+a``, in ``made``: the positive counts."""
    for key, count in a.items():
        if count > 0:
            made[key] = count
    return made


def negative(made, a):
    """``-a``: the negative counts, as positive ones."""
    for key, count in a.items():
        if count < 0:
            made[key] = 0 - count
    return made


def added(made, a, b):
    """``a + b``, in ``made``; of this and what follows only positive counts are kept."""
    for key, count in a.items():
        both = count + b.get(key, 0)
        if both > 0:
            made[key] = both
    for key, count in b.items():
        if key not in a and count > 0:
            made[key] = count
    return made


def subtracted(made, a, b):
    """``a - b``."""
    for key, count in a.items():
        rest = count - b.get(key, 0)
        if rest > 0:
            made[key] = rest
    for key, count in b.items():
        if key not in a and count < 0:
            made[key] = 0 - count
    return made


def least(made, a, b):
    """``a & b``."""
    for key, count in a.items():
        other = b.get(key, 0)
        less = count if count < other else other
        if less > 0:
            made[key] = less
    return made


def greatest(made, a, b):
    """``a | b``."""
    for key, count in a.items():
        other = b.get(key, 0)
        more = other if count < other else count
        if more > 0:
            made[key] = more
    for key, count in b.items():
        if key not in a and count > 0:
            made[key] = count
    return made


def _keep_positive(self):
    for key in [key for key, count in self.items() if not count > 0]:
        self.pop(key)
    return self


def added_in_place(made, a, b):
    """``a += b``."""
    for key, count in b.items():
        a[key] = a.get(key, 0) + count
    return _keep_positive(a)


def subtracted_in_place(made, a, b):
    """``a -= b``."""
    for key, count in b.items():
        a[key] = a.get(key, 0) - count
    return _keep_positive(a)


def least_in_place(made, a, b):
    """``a &= b``."""
    for key in [key for key in a]:
        other = b.get(key, 0)
        if other < a.get(key, 0):
            a[key] = other
    return _keep_positive(a)


def greatest_in_place(made, a, b):
    """``a |= b``."""
    for key, count in b.items():
        if count > a.get(key, 0):
            a[key] = count
    return _keep_positive(a)
