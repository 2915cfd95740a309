"""Functions that make dicts."""


def fromkeys(iterable, value=None):
    """A dict with one value for all keys."""
    made = {}
    for key in iterable:
        made[key] = value
    return made
