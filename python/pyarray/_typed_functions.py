"""What the methods of ``pyarray.typed`` do: compiled functions of a container."""

from ._pyarray import _share_results
from .decorators import njit as _njit

# What is taken out of a container and is one itself is the same one, not a copy.
_shared = _share_results


@_njit
def _length(items):
    return len(items)


@_shared
@_njit
def _get(items, index):
    return items[index]


@_njit
def _set(items, index, value):
    items[index] = value


@_njit
def _delete(items, index):
    del items[index]


@_njit
def _delete_slice(items, start, stop, step):
    del items[start:stop:step]


@_njit
def _append(items, value):
    items.append(value)


@_njit
def _insert(items, index, value):
    items.insert(index, value)


@_njit
def _extend(items, others):
    items.extend(others)


@_shared
@_njit
def _pop(items, index):
    return items.pop(index)


@_njit
def _remove(items, value):
    items.remove(value)


@_njit
def _index(items, value, start, stop):
    return items.index(value, start, stop)


@_njit
def _count(items, value):
    return items.count(value)


@_njit
def _contains(items, value):
    return value in items


@_njit
def _clear(items):
    items.clear()


@_njit
def _reverse(items):
    items.reverse()


@_njit
def _sort(items, reverse):
    items.sort(reverse=reverse)


@_njit
def _assign_slice(items, start, stop, step, others):
    items[start:stop:step] = others


@_shared
@_njit
def _set_default(items, key, value):
    return items.setdefault(key, value)


@_shared
@_njit
def _pop_item(items):
    return items.popitem()


@_njit
def _delete_key(items, key):
    del items[key]


@_njit
def _update(items, others):
    items.update(others)


@_njit
def _add(items, value):
    items.add(value)


@_njit
def _discard(items, value):
    items.discard(value)


@_njit
def _pop_any(items):
    return items.pop()
