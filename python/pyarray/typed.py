"""Containers of one item type that live where compiled code has them: passing one to a function copies nothing.

``List``, ``Dict`` and ``Set`` have the interfaces of Python's containers, ``List`` and ``Dict`` that of Numba's
``typed`` too. Each method is a compiled function.
"""

from collections.abc import ItemsView as _ItemsView
from collections.abc import KeysView as _KeysView
from collections.abc import MutableMapping as _MutableMapping
from collections.abc import MutableSequence as _MutableSequence
from collections.abc import MutableSet as _MutableSet
from collections.abc import ValuesView as _ValuesView

from . import _pyarray, config, types
from ._places import open_places as _open_places
from ._pointers import as_item as _as_item
from ._pointers import item_code as _item_code
from ._typed_functions import (
    _add,
    _append,
    _assign_slice,
    _clear,
    _contains,
    _count,
    _delete,
    _delete_key,
    _delete_slice,
    _discard,
    _extend,
    _get,
    _index,
    _insert,
    _length,
    _pop,
    _pop_any,
    _pop_item,
    _remove,
    _reverse,
    _set,
    _set_default,
    _sort,
    _update,
)

_PLAIN_CODES = {int: "q", float: "d", str: "U"}  # of items that one call takes over


class List(_pyarray.TypedList, _MutableSequence):
    """A list whose items have one type.

    Parameters
    ----------
    iterable : iterable, optional
        The first items; their type is that of the list. Without it the first item that is put in decides.

    Raises
    ------
    TypeError
        Where an item has another type than those before it.
    """

    __slots__ = ()

    def __init__(self, iterable=()):
        super().__init__()
        self.extend(iterable)

    @classmethod
    def empty_list(cls, item_type, allocated=0):
        """An empty list of items of that type; ``allocated`` is how many it has room for."""
        made = cls()
        made._make(_check_type(item_type, "an item type"), allocated)
        return made

    @property
    def _dtype(self):
        code = self._code
        return types.undefined if code is None else types.from_code(code)

    @property
    def _numba_type_(self):
        return types.ListType(self._dtype)

    @property
    def _typed(self):
        return self._code is not None

    def _adopt(self, value):
        """The first item decides the type. The value as an item."""
        if self._code is None:
            self._make(_item_code(value), 0)
        return _as_item(value, self._code)

    def __len__(self):
        return _length(self) if self._typed else 0

    def __getitem__(self, index):
        if isinstance(index, slice):
            made = type(self)()
            if self._typed:
                made._make(self._code, 0)
                for item in self._share()[index]:
                    _append(made, _as_item(item, self._code))
            return made
        if not self._typed:
            raise IndexError("list index out of range")
        return _get(self, index)

    def __setitem__(self, index, value):
        if not self._typed:
            raise IndexError("list assignment index out of range")
        if isinstance(index, slice):
            others = value
            if not isinstance(value, List) or (value._typed and value._code != self._code):
                others = type(self)()
                others._make(self._code, 0)
                others.extend(value)
            if others._typed:
                _assign_slice(self, *self._bounds(index), others)
            else:
                del self[index]
        else:
            _set(self, index, _as_item(value, self._code))

    def _bounds(self, index):
        # What lies before the first item would count from the end.
        start, stop, step = index.indices(len(self))
        return (start if start >= 0 else -len(self) - 1), (stop if stop >= 0 else -len(self) - 1), step

    def __delitem__(self, index):
        if isinstance(index, slice):
            if self._typed:
                _delete_slice(self, *self._bounds(index))
        elif not self._typed:
            raise IndexError("list assignment index out of range")
        else:
            _delete(self, index)

    def __iter__(self):
        return _pyarray.TypedIterator(self, 0, False)

    def __contains__(self, value):
        return self._typed and _contains(self, value)

    def __eq__(self, other):
        if isinstance(other, (List, list)):
            return self._items() == list(other)
        return NotImplemented

    def __lt__(self, other):
        return self._items() < list(other) if isinstance(other, (List, list)) else NotImplemented

    def __le__(self, other):
        return self._items() <= list(other) if isinstance(other, (List, list)) else NotImplemented

    def __gt__(self, other):
        return self._items() > list(other) if isinstance(other, (List, list)) else NotImplemented

    def __ge__(self, other):
        return self._items() >= list(other) if isinstance(other, (List, list)) else NotImplemented

    __hash__ = None

    def _items(self):
        return list(self) if not self._typed else self._copy()

    def append(self, value):
        """Put an item at the end."""
        _append(self, self._adopt(value))

    def insert(self, index, value):
        """Put an item before that at ``index``."""
        _insert(self, index, self._adopt(value))

    def extend(self, iterable):
        """Append all items of an iterable."""
        if isinstance(iterable, List) and iterable._code == self._code and self._typed:
            _extend(self, iterable)
            return
        items = list(iterable)
        kinds = set(map(type, items))
        code = _PLAIN_CODES.get(kinds.pop()) if len(kinds) == 1 else None
        if code and not self._typed:
            self._make(code, len(items))
        if code and code == self._code:
            _extend(self, items)
            return
        for item in items:
            self.append(item)

    def pop(self, index=-1):
        """Remove and return the item at ``index``, the last one by default."""
        if not self._typed:
            raise IndexError("pop from empty list")
        return _pop(self, index)

    def remove(self, value):
        """Remove the first item equal to ``value``; ValueError where there is none."""
        if not self._typed:
            raise ValueError("list.remove(x): x not in list")
        _remove(self, value)

    def index(self, value, start=0, stop=2**63 - 1):
        """Where the first item equal to ``value`` is; ValueError where there is none."""
        if not self._typed:
            raise ValueError(f"{value!r} is not in list")
        return _index(self, value, start, stop)

    def count(self, value):
        """How many items are equal to ``value``."""
        return _count(self, value) if self._typed else 0

    def clear(self):
        """Remove all items."""
        if self._typed:
            _clear(self)

    def reverse(self):
        """Turn the order round."""
        if self._typed:
            _reverse(self)

    def copy(self):
        """A new list with the same items."""
        return self[:]

    def sort(self, key=None, reverse=False):
        """Sort in place, keeping the order of equal items."""
        if not self._typed:
            return
        if key is None:
            _sort(self, bool(reverse))
        else:
            self[:] = sorted(self._share(), key=key, reverse=reverse)

    def __repr__(self):
        return f"{type(self).__name__}({self._items()!r})" if self._typed else f"{type(self).__name__}()"

    def __str__(self):
        return f"[{', '.join(map(repr, self._items()))}]"

    def __reduce__(self):
        return _rebuild, (self._code, self._items())


def _check_type(kind, what="a type"):
    if not isinstance(kind, types.Type):
        raise TypeError(f"{what} such as pyarray.int64 is needed, not {kind!r}")
    if not _pyarray.is_type_code(kind.code):
        raise TypeError(f"values of type {kind} cannot be in a typed container")
    return kind.code


class _View:
    """A view of a typed dict: shows what is there now; a loop over it notices where keys come or go."""

    __slots__ = ()

    def __iter__(self):
        return _pyarray.TypedIterator(self._mapping, self._part, False)

    def __reversed__(self):
        return _pyarray.TypedIterator(self._mapping, self._part, True)

    def __repr__(self):
        return f"dict_{type(self).__name__[1:].lower()}({list(self)!r})"


class _Keys(_View, _KeysView):
    __slots__ = ()
    _part = 0


class _Values(_View, _ValuesView):
    __slots__ = ()
    _part = 1


class _Items(_View, _ItemsView):
    __slots__ = ()
    _part = 2


class Dict(_pyarray.TypedDict, _MutableMapping):
    """A dict whose keys have one type and whose values have one type, in order of insertion.

    Parameters
    ----------
    items : mapping or iterable of pairs, optional
        The first items. Without it the first item that is put in decides the types.

    Raises
    ------
    TypeError
        Where a key or value has another type than those before it.
    """

    __slots__ = ()

    def __init__(self, items=(), **named):
        super().__init__()
        self.update(items, **named)

    @classmethod
    def empty(cls, key_type, value_type, n_keys=0):
        """An empty dict of such keys and values, with room for ``n_keys``."""
        made = cls()
        made._make(_check_type(key_type) + _check_type(value_type), n_keys)
        return made

    @property
    def _numba_type_(self):
        return types.undefined if self._code is None else types.from_code("K" + self._code)

    @property
    def _typed(self):
        return self._code is not None

    def __len__(self):
        return _length(self) if self._typed else 0

    def __getitem__(self, key):
        if not self._typed:
            raise KeyError(key)
        return _get(self, key)

    def __setitem__(self, key, value):
        if not self._typed:
            self._make(_item_code(key) + _item_code(value), 0)
        _set(self, key, self._as_value(value))

    def _as_value(self, value):
        return _as_item(value, types.arguments_from_code(self._code)[1].code) if "*:" in self._code else value

    def __delitem__(self, key):
        if not self._typed:
            raise KeyError(key)
        _delete_key(self, key)

    def __iter__(self):
        return _pyarray.TypedIterator(self, 0, False)

    def __reversed__(self):
        return _pyarray.TypedIterator(self, 0, True)

    def __contains__(self, key):
        return self._typed and _contains(self, key)

    def __eq__(self, other):
        if isinstance(other, (Dict, dict)):
            return self._copy() == dict(other)
        return NotImplemented

    __hash__ = None

    def get(self, key, default=None):
        """The value of ``key``, or ``default`` where there is none."""
        if key not in self:
            return default
        return _get(self, key)

    def setdefault(self, key, default=None):
        """The value of ``key``, which becomes ``default`` where there is none."""
        if not self._typed:
            self[key] = default
        return _set_default(self, key, self._as_value(default))

    def popitem(self):
        """Remove and return the last pair of a key and its value."""
        if not self._typed:
            raise KeyError("popitem(): dictionary is empty")
        return _pop_item(self)

    def clear(self):
        """Remove all items."""
        if self._typed:
            _clear(self)

    def copy(self):
        """A new dict with the same items."""
        made = type(self)()
        if self._typed:
            made._make(self._code, len(self))
            _update(made, self)
        return made

    def keys(self):
        """A view of the keys."""
        return _Keys(self)

    def values(self):
        """A view of the values."""
        return _Values(self)

    def items(self):
        """A view of the pairs of keys and values."""
        return _Items(self)

    def __repr__(self):
        return f"{type(self).__name__}({self._copy()!r})" if self._typed else f"{type(self).__name__}()"

    def __str__(self):
        return str(self._copy())

    def __reduce__(self):
        return _rebuild_dict, (self._code, self._copy())


class Set(_pyarray.TypedSet, _MutableSet):
    """A set whose items have one type, in order of insertion.

    Parameters
    ----------
    iterable : iterable, optional
        The first items; their type is that of the set. Without it the first item that is put in decides.
    """

    __slots__ = ()

    def __init__(self, iterable=()):
        super().__init__()
        self.update(iterable)

    @classmethod
    def empty(cls, item_type, n_items=0):
        """An empty set of such items, with room for ``n_items``."""
        made = cls()
        made._make(_check_type(item_type), n_items)
        return made

    @property
    def _numba_type_(self):
        return types.undefined if self._code is None else types.from_code("S" + self._code)

    @property
    def _typed(self):
        return self._code is not None

    def __len__(self):
        return _length(self) if self._typed else 0

    def __iter__(self):
        return _pyarray.TypedIterator(self, 0, False)

    def __contains__(self, value):
        return self._typed and _contains(self, value)

    def add(self, value):
        """Put an item in."""
        if not self._typed:
            self._make(_item_code(value), 0)
        _add(self, value)

    def discard(self, value):
        """Remove an item if it is there."""
        if self._typed:
            _discard(self, value)

    def remove(self, value):
        """Remove an item; KeyError where it is not there."""
        if not self._typed:
            raise KeyError(value)
        _remove(self, value)

    def pop(self):
        """Remove and return an item."""
        if not self._typed:
            raise KeyError("pop from an empty set")
        return _pop_any(self)

    def clear(self):
        """Remove all items."""
        if self._typed:
            _clear(self)

    def update(self, *iterables):
        """Put all items of iterables in."""
        for iterable in iterables:
            if isinstance(iterable, Set) and iterable._typed and iterable._code == self._code:
                _update(self, iterable)
            else:
                for item in iterable:
                    self.add(item)

    def copy(self):
        """A new set with the same items."""
        made = type(self)()
        if self._typed:
            made._make(self._code, len(self))
            _update(made, self)
        return made

    def __repr__(self):
        return f"{type(self).__name__}({self._copy()!r})" if self._typed else f"{type(self).__name__}()"

    def __reduce__(self):
        return _rebuild_set, (self._code, self._copy())


def _rebuild(code, items):
    made = List() if code is None else List.empty_list(types.from_code(code))
    made.extend(items)
    return made


def _rebuild_dict(code, items):
    made = Dict()
    if code is not None:
        made._make(code, len(items))
    made.update(items)
    return made


def _rebuild_set(code, items):
    made = Set()
    if code is not None:
        made._make(code, len(items))
    made.update(items)
    return made


if config.DISABLE_JIT:
    from ._typed_plain import Dict, List, Set  # noqa: F401, F811

_open_places(__name__)
