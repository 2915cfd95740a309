"""Methods of lists."""


def sort_by_key(self, *, key, reverse=False):
    """What ``list.sort`` does with a key: items whose keys are equal stay in their order."""
    order = []
    for index in range(len(self)):
        order.append((key(self[index]), -index if reverse else index))
    order.sort(reverse=reverse)
    items = self.copy()
    for index in range(len(order)):
        at = order[index][1]
        self[index] = items[-at if reverse else at]


def extend_by_items(self, iterable):
    """``list.extend``, for what has items that are no elements of an array."""
    for item in iterable:
        self.append(item)
