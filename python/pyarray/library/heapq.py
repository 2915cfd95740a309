"""Lists whose item ``i`` is not greater than items ``2 * i + 1`` and ``2 * i + 2``.

The order in which items come to lie is CPython's.
"""


def _rise(heap, start, at):
    # The item at |at| moves towards |start| until its parent is not greater.
    item = heap[at]
    while at > start:
        parent = (at - 1) >> 1
        if not item < heap[parent]:
            break
        heap[at] = heap[parent]
        at = parent
    heap[at] = item


def _sink(heap, at):
    # The lesser child moves up until a leaf is reached, and the item rises from there.
    start = at
    end = len(heap)
    item = heap[at]
    child = 2 * at + 1
    while child < end:
        if child + 1 < end and not heap[child] < heap[child + 1]:
            child += 1
        heap[at] = heap[child]
        at = child
        child = 2 * at + 1
    heap[at] = item
    _rise(heap, start, at)


def heappush(heap, item, /):
    """Adds an item."""
    heap.append(item)
    _rise(heap, 0, len(heap) - 1)


def heappop(heap, /):
    """Removes the least item."""
    if len(heap) == 0:
        raise IndexError("index out of range")
    last = heap.pop()
    if len(heap) == 0:
        return last
    least = heap[0]
    heap[0] = last
    _sink(heap, 0)
    return least


def heapreplace(heap, item, /):
    """Removes the least item, then adds one."""
    if len(heap) == 0:
        raise IndexError("index out of range")
    least = heap[0]
    heap[0] = item
    _sink(heap, 0)
    return least


def heappushpop(heap, item, /):
    """Adds an item, then removes the least."""
    if len(heap) and heap[0] < item:
        least = heap[0]
        heap[0] = item
        _sink(heap, 0)
        return least
    return item


def heapify(heap, /):
    """Brings a list into this order."""
    for at in range(len(heap) // 2 - 1, -1, -1):
        _sink(heap, at)


def nlargest(n, iterable, key=None):
    """The ``n`` greatest items, the greatest first."""
    items = sorted(iterable, key=key, reverse=True)
    return items[: max(n, 0)]


def nsmallest(n, iterable, key=None):
    """The ``n`` least items, the least first."""
    items = sorted(iterable, key=key)
    return items[: max(n, 0)]


def _comes_first(a, b, reverse):
    return b < a if reverse else a < b


def merge(*iterables, key=None, reverse=False):
    """The items of iterables in order, in order."""
    sources = []
    for iterable in iterables:
        sources.append(iter(iterable))
    heads = []
    values = []
    left = []
    for source in sources:
        for item in source:
            heads.append(item)
            values.append(item if key is None else key(item))
            left.append(source)
            break
    while len(heads) > 0:
        best = 0
        for i in range(1, len(heads)):
            if _comes_first(values[i], values[best], reverse):
                best = i
        yield heads[best]
        found = False
        for item in left[best]:
            heads[best] = item
            values[best] = item if key is None else key(item)
            found = True
            break
        if not found:
            heads.pop(best)
            values.pop(best)
            left.pop(best)
