"""A cache that forgets what was used least recently: a class with a dict and a doubly linked list in arrays."""

import numpy as np
from pyarray import jitclass, njit, types

SPECIFICATION = {
    "capacity": types.int64,
    "hits": types.int64,
    "slots": types.DictType(types.int64, types.int64),
    "keys": types.int64[:],
    "values": types.float64[:],
    "before": types.int64[:],
    "after": types.int64[:],
}


@jitclass(SPECIFICATION)
class LRUCache:
    """From int64 to float64. Slot 0 is the list's head: behind it is the last used key, before it the first."""

    def __init__(self, capacity):
        self.capacity = capacity
        self.hits = 0
        self.slots = {-1: 0}
        self.slots.clear()
        self.keys = np.zeros(capacity + 1, np.int64)
        self.values = np.zeros(capacity + 1)
        self.before = np.zeros(capacity + 1, np.int64)
        self.after = np.zeros(capacity + 1, np.int64)

    def _unlink(self, slot):
        self.after[self.before[slot]] = self.after[slot]
        self.before[self.after[slot]] = self.before[slot]

    def _put_first(self, slot):
        self.before[slot], self.after[slot] = 0, self.after[0]
        self.before[self.after[0]] = slot
        self.after[0] = slot

    def get(self, key):
        """The value of a key; None where the cache does not have it."""
        if key not in self.slots:
            return None
        slot = self.slots[key]
        self._unlink(slot)
        self._put_first(slot)
        self.hits += 1
        return self.values[slot]

    def put(self, key, value):
        """Remember a value, and forget another where there is no room."""
        if key in self.slots:
            slot = self.slots[key]
            self._unlink(slot)
        elif len(self.slots) < self.capacity:
            slot = len(self.slots) + 1
        else:
            slot = self.before[0]
            self._unlink(slot)
            del self.slots[self.keys[slot]]
        self.slots[key] = slot
        self.keys[slot], self.values[slot] = key, value
        self._put_first(slot)

    def __len__(self):
        return len(self.slots)

    def __contains__(self, key):
        return key in self.slots


@njit
def lru_cache(requests, capacity):
    """The sum of square roots of all requests, of which the cache gave so many."""
    cache = LRUCache(capacity)
    total = 0.0
    for request in requests:
        value = cache.get(request)
        if value is None:
            value = request**0.5
            cache.put(request, value)
        total += value
    return total, cache.hits


def arguments(size=500):
    """Requests of which few are frequent and many are rare."""
    return np.random.default_rng(1).zipf(1.3, size=size) % 10_000, 50


def reference(requests, capacity):
    """The same with an OrderedDict."""
    from collections import OrderedDict

    cache, hits = OrderedDict(), 0
    for request in requests.tolist():
        hits += request in cache
        cache[request] = None
        cache.move_to_end(request)
        if len(cache) > capacity:
            cache.popitem(last=False)
    return float(np.sqrt(requests).sum()), hits


def main():
    """Print how many requests caches of several sizes answer."""
    requests, _ = arguments(200_000)
    for capacity in (10, 100, 1000):
        _, hits = lru_cache(requests, capacity)
        print(f"room for {capacity}: {hits / requests.size:.0%} of the requests")
    cache = LRUCache(2)
    for key in (1, 2, 3):
        cache.put(key, key / 2)
    print(cache.get(1), cache.get(2), 3 in cache, len(cache))


if __name__ == "__main__":
    main()
