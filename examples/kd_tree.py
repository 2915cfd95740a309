"""Nearest neighbours: a k-d tree in arrays, built and searched by recursion."""

import numpy as np
from pyarray import njit


@njit
def partition(points, order, low, high, axis):
    """Put the median of order[low:high] along an axis in the middle, smaller ones before it (Hoare's quickselect)."""
    middle = (low + high) // 2
    high -= 1
    while low < high:
        pivot = points[order[(low + high) // 2], axis]
        i, j = low, high
        while i <= j:
            while points[order[i], axis] < pivot:
                i += 1
            while points[order[j], axis] > pivot:
                j -= 1
            if i <= j:
                order[i], order[j] = order[j], order[i]
                i, j = i + 1, j - 1
        if middle <= j:
            high = j
        elif middle >= i:
            low = i
        else:
            break
    return middle


@njit
def build(points, order, low, high, depth):
    """Order the points of order[low:high] as a tree: the root in the middle, smaller ones on its left."""
    if high - low > 1:
        middle = partition(points, order, low, high, depth % points.shape[1])
        build(points, order, low, middle, depth + 1)
        build(points, order, middle + 1, high, depth + 1)


@njit
def search(points, order, low, high, depth, target, best):
    """The nearest point within order[low:high]: (squared distance, index), `best` where none is nearer."""
    if low >= high:
        return best
    middle = (low + high) // 2
    point = points[order[middle]]
    squared = 0.0
    for a, b in zip(point, target):
        squared += (a - b) ** 2
    best = min(best, (squared, order[middle]))
    axis = depth % points.shape[1]
    difference = target[axis] - point[axis]
    left, right = (low, middle), (middle + 1, high)
    near, far = (left, right) if difference < 0 else (right, left)
    best = search(points, order, near[0], near[1], depth + 1, target, best)
    if difference**2 <= best[0]:
        best = search(points, order, far[0], far[1], depth + 1, target, best)
    return best


@njit
def kd_tree(points, targets):
    """The index of the point that is nearest to each target."""
    order = np.empty(len(points), np.int64)
    for i in range(order.size):
        order[i] = i
    build(points, order, 0, order.size, 0)
    nearest = np.empty(len(targets), np.int64)
    for i, target in enumerate(targets):
        nearest[i] = search(points, order, 0, order.size, 0, target, (np.inf, -1))[1]
    return nearest


def arguments(size=500):
    """Points in space, and as many targets."""
    generator = np.random.default_rng(1)
    return generator.uniform(size=(size, 3)), generator.uniform(size=(size, 3))


def reference(points, targets):
    """The same by all distances."""
    return np.argmin(((points[:, None] - targets) ** 2).sum(axis=2), axis=0)


def main():
    """Print the mean distance to the nearest of 20,000 points."""
    points, targets = arguments(20_000)
    distance = np.linalg.norm(points[kd_tree(points, targets)] - targets, axis=1)
    print(f"mean distance to the nearest of {len(points)} points: {distance.mean():.5f}, largest {distance.max():.5f}")


if __name__ == "__main__":
    main()
