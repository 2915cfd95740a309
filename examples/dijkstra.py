"""Shortest paths in a road network: Dijkstra's algorithm with a heap of (distance, node)."""

import heapq
import math

import numpy as np
from pyarray import njit


@njit
def neighbours(edges, lengths):
    """A dict from each node to the list of (neighbour, length)."""
    roads = {0: [(0, 0.0)]}
    for (a, b), length in zip(edges, lengths):
        roads.setdefault(a, []).append((b, length))
        roads.setdefault(b, []).append((a, length))
    return roads


@njit
def dijkstra(edges, lengths, start, end):
    """The distance between two nodes, and the nodes on the way; infinity and no nodes where there is none."""
    roads = neighbours(edges, lengths)
    distance, previous = {start: 0.0}, {start: start}
    done = set()
    heap = [(0.0, start)]
    while heap:
        d, node = heapq.heappop(heap)
        if node == end:
            path = [node]
            while node != start:
                node = previous[node]
                path.append(node)
            return d, path[::-1]
        if node in done:
            continue
        done.add(node)
        for other, length in roads.get(node, []):
            if d + length < distance.get(other, math.inf):
                distance[other] = d + length
                previous[other] = node
                heapq.heappush(heap, (d + length, other))
    return math.inf, [node for node in range(0)]


def arguments(size=500):
    """A grid of about `size` nodes whose roads are between 1 and 2 long, from one corner to the other."""
    side = max(2, math.isqrt(size))
    node = np.arange(side * side).reshape(side, side)
    pairs = [(node[:, :-1], node[:, 1:]), (node[:-1], node[1:])]
    edges = np.concatenate([np.stack([a.ravel(), b.ravel()], axis=1) for a, b in pairs])
    return edges, np.random.default_rng(1).uniform(1, 2, len(edges)), 0, side * side - 1


def reference(edges, lengths, start, end):
    """The same by Bellman and Ford's algorithm."""
    n = edges.max() + 1
    distance = np.full(n, np.inf)
    distance[start] = 0
    for _ in range(n):
        before = distance.copy()
        np.minimum.at(distance, edges[:, 0], before[edges[:, 1]] + lengths)
        np.minimum.at(distance, edges[:, 1], before[edges[:, 0]] + lengths)
        if np.array_equal(before, distance):
            break
    path = [end]
    while path[-1] != start:
        here = path[-1]
        for a, b in ((0, 1), (1, 0)):
            for edge in np.flatnonzero(edges[:, a] == here):
                if np.isclose(distance[edges[edge, b]] + lengths[edge], distance[here], rtol=1e-14):
                    path.append(int(edges[edge, b]))
                    break
            if path[-1] != here:
                break
    return float(distance[end]), path[::-1]


def main():
    """Print the way through a network of 10,000 nodes."""
    distance, path = dijkstra(*arguments(10_000))
    print(f"{len(path)} nodes, {distance:.2f} long: {', '.join(map(str, path[:6]))}, ...")


if __name__ == "__main__":
    main()
