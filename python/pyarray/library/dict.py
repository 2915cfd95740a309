"""Functions that make dicts, and methods with arguments that the compiler's rule does not take."""

from ._intrinsics import given, missing


def fromkeys(iterable, value=None):
    """A dict with one value for all keys."""
    made = {}
    for key in iterable:
        made[key] = value
    return made


def setdefault_none(self, key, /):
    """``dict.setdefault`` of None."""
    return self.setdefault(key, None)


def update_with(self, iterable=missing, /, **more):
    """``dict.update`` with values by name."""
    if given(iterable):
        self.update(iterable)
    for key, value in more.items():
        self[key] = value
