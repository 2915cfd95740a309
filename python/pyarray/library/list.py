"""Methods of lists."""


def sort_by_key(self, *, key, reverse=False):
    """What ``list.sort`` does with a key: items of equal keys stay in their order. Meanwhile the list is empty."""
    items = self[:]
    self.clear()
    order = []
    try:
        for index in range(len(items)):
            order.append((key(items[index]), -index if reverse else index))
    except BaseException:
        self[:] = items
        raise
    changed = len(self) > 0
    order.sort(reverse=reverse)
    self.clear()
    for index in range(len(order)):
        at = order[index][1]
        self.append(items[-at if reverse else at])
    if changed:
        raise ValueError("list modified during sort")


def extend_by_items(self, iterable):
    """``list.extend``, for what has items that are no elements of an array."""
    for item in iterable:
        self.append(item)
