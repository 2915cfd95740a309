"""What ``pyarray.typed`` has with ``PYARRAY_DISABLE_JIT``: containers of Python, which take items of any type.

Nothing is compiled then, and the values that functions put in are those of the interpreter.
"""

from . import types as _types


def _check(*kinds):
    for kind in kinds:
        if not isinstance(kind, _types.Type):
            raise TypeError(f"a type such as pyarray.int64 is needed, not {kind!r}")


class List(list):
    """A list."""

    __slots__ = ()

    @classmethod
    def empty_list(cls, item_type, allocated=0):
        """An empty list."""
        _check(item_type)
        return cls()

    def __getitem__(self, index):
        item = super().__getitem__(index)
        return type(self)(item) if isinstance(index, slice) else item

    def __add__(self, other):
        return type(self)(super().__add__(other))

    def __mul__(self, count):
        return type(self)(super().__mul__(count))

    __rmul__ = __mul__

    def copy(self):
        """A new list with the same items."""
        return type(self)(self)


class Dict(dict):
    """A dict."""

    __slots__ = ()

    @classmethod
    def empty(cls, key_type, value_type, n_keys=0):
        """An empty dict."""
        _check(key_type, value_type)
        return cls()

    def copy(self):
        """A new dict with the same items."""
        return type(self)(self)


class Set(set):
    """A set."""

    __slots__ = ()

    @classmethod
    def empty(cls, item_type, n_items=0):
        """An empty set."""
        _check(item_type)
        return cls()

    def copy(self):
        """A new set with the same items."""
        return type(self)(self)
