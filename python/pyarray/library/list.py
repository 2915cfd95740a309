"""Methods of lists."""

from ._intrinsics import present
from .containers import index


def _required(value):
    """A value that may be None, which has no order."""
    if value is None:
        raise TypeError("'<' not supported between instances of 'NoneType' and others")
    return present(value)


def sort_by_key(self, *, key, reverse=False):
    """What ``list.sort`` does with a key: items of equal keys stay in their order. Meanwhile the list is empty."""
    items = self[:]
    self.clear()
    order = []
    try:
        for index in range(len(items)):
            value = key(items[index])
            if len(items) > 1:
                order.append((_required(value), -index if reverse else index))
        order.sort(reverse=reverse)
    except BaseException:
        self[:] = items
        raise
    changed = len(self) > 0
    self.clear()
    if len(items) == 1:
        self.append(items[0])
    for index in range(len(order)):
        at = order[index][1]
        self.append(items[-at if reverse else at])
    if changed:
        raise ValueError("list modified during sort")


def sort_without_none(self, *, key=None, reverse=False):
    """``list.sort`` of items that may be None, which is a TypeError where there is another one."""
    if len(self) < 2:
        return
    items = [_required(item) for item in self]
    items.sort(reverse=reverse)
    for at in range(len(items)):
        self[at] = items[at]


def set_slice(self, index, iterable, /):
    """``self[index] = iterable``, which is no list."""
    self[index] = list(iterable)


def extend_by_items(self, iterable):
    """``list.extend``, for what has items that are no elements of an array."""
    for item in iterable:
        self.append(item)


def index_of_equal(self, value, start=0, stop=9223372036854775807, /):
    """``list.index``, of instances of classes."""
    position = index(self, value, start, stop)
    if position < 0:
        raise ValueError("list.index(x): x not in list")
    return position


def remove_equal(self, value, /):
    """``list.remove``, of instances of classes."""
    position = index(self, value, 0, 9223372036854775807)
    if position < 0:
        raise ValueError("list.remove(x): x not in list")
    del self[position : position + 1]  # the list may have become shorter meanwhile


def _merge(source, target, low, middle, high):
    # Two runs that are in order; of equal items that of the first comes first.
    left, right = low, middle
    for at in range(low, high):
        if left < middle and (right >= high or not source[right] < source[left]):
            target[at] = source[left]
            left += 1
        else:
            target[at] = source[right]
            right += 1


def sort_by_order(self, *, key=None, reverse=False):
    """``list.sort``, of instances of classes and what holds them, by their ``<``. Meanwhile the list is empty."""
    if key is not None:
        sort_by_key(self, key=key, reverse=reverse)
        return
    before = self[:]
    items, merged = self[:], self[:]
    self.clear()
    if reverse:
        items.reverse()
    try:
        width = 1
        while width < len(items):
            for low in range(0, len(items), 2 * width):
                middle, high = min(low + width, len(items)), min(low + 2 * width, len(items))
                _merge(items, merged, low, middle, high)
            items, merged = merged, items
            width *= 2
    except BaseException:
        self[:] = before
        raise
    changed = len(self) > 0
    if reverse:
        items.reverse()
    self[:] = items
    if changed:
        raise ValueError("list modified during sort")
