"""``collections.OrderedDict``: a dict whose items can be moved to its ends."""

from ._intrinsics import given, missing, plain_dict


def filled(self, iterable=missing, /, **more):
    """A new one, ``self``, with the items of another dict or of pairs, and values by name."""
    if given(iterable):
        self.update(iterable)
    for key, value in more.items():
        self[key] = value
    return self


def move_to_end(self, key, last=True):
    """Make ``key`` the last, or the first, of the keys."""
    if last:
        value = self.pop(key)
        self[key] = value
    else:
        value = self[key]
        others = [(other, item) for other, item in self.items() if other != key]
        self.clear()
        self[key] = value
        self.update(others)


def popitem(self, last=True):
    """Take the last, or the first, item."""
    if not self:
        raise KeyError("dictionary is empty")
    if last:
        return plain_dict(self).popitem()
    for item in self.items():
        first = item
        break
    self.pop(first[0])
    return first


def equal(a, b):
    """``a == b``, which asks for the same order."""
    if len(a) != len(b):
        return False
    for one, other in zip(a.items(), b.items()):
        if one != other:
            return False
    return True


def joined(made, a, b):
    """``a | b``, in ``made``."""
    made.update(a)
    made.update(b)
    return made
