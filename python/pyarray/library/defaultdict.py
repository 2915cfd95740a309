"""``collections.defaultdict``: a dict that makes the values that are asked for."""

from ._intrinsics import factory_of, given, missing, plain_dict


def item(self, key):
    """``self[key]``, made where it is not there."""
    items = plain_dict(self)
    if key not in items:
        items[key] = factory_of(self)()
    return items[key]


def filled(self, iterable=missing, /, **more):
    """A new one, ``self``, with the items of another dict or of pairs, and values by name."""
    if given(iterable):
        self.update(iterable)
    for key, value in more.items():
        self[key] = value
    return self
