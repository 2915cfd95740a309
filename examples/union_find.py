"""Connected components of a graph, by a union-find structure that is a class."""

import numpy as np
from pyarray import jitclass, njit, types


@jitclass([("parent", types.int64[:]), ("size", types.int64[:]), ("count", types.int64)])
class UnionFind:
    """Disjoint sets of the numbers below `n`: find halves paths, union joins by size (Tarjan and van Leeuwen)."""

    def __init__(self, n):
        self.parent = np.empty(n, np.int64)
        self.size = np.ones(n, np.int64)
        for i in range(n):
            self.parent[i] = i
        self.count = n

    def find(self, x):
        """The number that stands for the set of `x`."""
        while self.parent[x] != x:
            self.parent[x] = self.parent[self.parent[x]]
            x = self.parent[x]
        return x

    def union(self, a, b):
        """Join two sets; whether they were apart."""
        a, b = self.find(a), self.find(b)
        if a == b:
            return False
        if self.size[a] < self.size[b]:
            a, b = b, a
        self.parent[b] = a
        self.size[a] += self.size[b]
        self.count -= 1
        return True

    def __len__(self):
        return self.count

    def __contains__(self, pair):
        return self.find(pair[0]) == self.find(pair[1])


@njit
def union_find(n, edges):
    """How many components a graph has, and the size of the largest."""
    sets = UnionFind(n)
    for i in range(edges.shape[0]):
        sets.union(edges[i, 0], edges[i, 1])
    largest = 0
    for x in range(n):
        largest = max(largest, sets.size[sets.find(x)])
    return len(sets), largest


def arguments(size=500):
    """A random graph with about as many edges as it takes for a giant component to emerge."""
    n = 20 * size
    return n, np.random.default_rng(1).integers(0, n, size=(n // 2 + n // 20, 2))


def reference(n, edges):
    """The same by repeatedly giving both ends of each edge the smaller label."""
    labels = np.arange(n)
    while True:
        low = np.minimum(labels[edges[:, 0]], labels[edges[:, 1]])
        new = labels.copy()
        np.minimum.at(new, edges[:, 0], low)
        np.minimum.at(new, edges[:, 1], low)
        new = new[new]
        if np.array_equal(new, labels):
            break
        labels = new
    sizes = np.bincount(labels)
    return int(np.count_nonzero(sizes)), int(sizes.max())


def main():
    """Print components of random graphs."""
    n = 100_000
    generator = np.random.default_rng(0)
    for degree in (0.5, 1.0, 1.5):
        count, largest = union_find(n, generator.integers(0, n, size=(int(degree * n / 2), 2)))
        print(f"{degree} edges per node: {count} components, the largest has {largest} of {n} nodes")
    pair = UnionFind(4)
    print(pair.union(1, 2), pair.union(2, 1), (1, 2) in pair, len(pair))


if __name__ == "__main__":
    main()
