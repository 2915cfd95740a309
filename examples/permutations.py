"""All orders of a list, each from the one before, and the shortest round trip among them."""

import math

import numpy as np
from pyarray import njit


@njit
def next_permutation(items):
    """Turn a list into its successor in lexicographic order; whether there is one."""
    i = len(items) - 2
    while i >= 0 and items[i] >= items[i + 1]:
        i -= 1
    if i < 0:
        return False
    j = len(items) - 1
    while items[j] <= items[i]:
        j -= 1
    items[i], items[j] = items[j], items[i]
    items[i + 1 :] = items[: i : -1]
    return True


@njit
def permutations(places):
    """The shortest round trip through places in the plane, as indices that begin with 0, and its length."""
    n = len(places)
    order = [i for i in range(1, n)]
    best, shortest = order.copy(), math.inf
    while True:
        length, here = 0.0, places[0]
        for i in order:
            length += math.dist(here, places[i])
            here = places[i]
        length += math.dist(here, places[0])
        if length < shortest:
            best, shortest = order.copy(), length
        if not next_permutation(order):
            return [0, *best], shortest


def arguments(size=500):
    """At most 8 places."""
    places = np.random.default_rng(1).uniform(size=(min(8, 4 + size // 100), 2))
    return ([tuple(place) for place in places.tolist()],)


def reference(places):
    """The same by itertools."""
    from itertools import permutations as orders

    def length(order):
        trip = [0, *order, 0]
        return sum(math.dist(places[a], places[b]) for a, b in zip(trip, trip[1:]))

    best = min(orders(range(1, len(places))), key=length)
    return [0, *best], length(best)


def main():
    """Print a round trip through ten places."""
    trip, length = permutations([tuple(p) for p in np.random.default_rng(2).uniform(size=(10, 2)).tolist()])
    print(" - ".join(map(str, trip)), f"is {length:.3f} long")


if __name__ == "__main__":
    main()
