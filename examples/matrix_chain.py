"""In which order to multiply a chain of matrices, so that it takes the fewest multiplications of numbers."""

import numpy as np
from pyarray import njit


@njit
def parenthesize(split, first, last):
    """The product of the matrices from `first` to `last`, in parentheses."""
    if first == last:
        return chr(ord("A") + first) if first < 26 else f"M{first}"
    middle = split[first, last]
    return "(" + parenthesize(split, first, middle) + " " + parenthesize(split, middle + 1, last) + ")"


@njit
def matrix_chain(sizes):
    """How many multiplications matrices of sizes[0] x sizes[1], sizes[1] x sizes[2], ... take, and in which order."""
    n = sizes.size - 1
    cost, split = np.zeros((n, n), np.int64), np.zeros((n, n), np.int64)
    for length in range(1, n):
        for first in range(n - length):
            last = first + length
            cost[first, last] = np.iinfo(np.int64).max
            for middle in range(first, last):
                total = (
                    cost[first, middle] + cost[middle + 1, last] + sizes[first] * sizes[middle + 1] * sizes[last + 1]
                )
                if total < cost[first, last]:
                    cost[first, last], split[first, last] = total, middle
    return cost[0, n - 1], parenthesize(split, 0, n - 1)


def arguments(size=500):
    """A chain of size / 10 matrices."""
    return (np.random.default_rng(1).integers(5, 100, size=size // 10 + 1),)


def reference(sizes):
    """The same by recursion that remembers its results."""
    from functools import cache

    @cache
    def best(first, last):
        if first == last:
            return 0, chr(ord("A") + first) if first < 26 else f"M{first}"
        found = None
        for middle in range(first, last):
            left, right = best(first, middle), best(middle + 1, last)
            total = left[0] + right[0] + int(sizes[first] * sizes[middle + 1] * sizes[last + 1])
            if found is None or total < found[0]:
                found = total, f"({left[1]} {right[1]})"
        return found

    return best(0, len(sizes) - 2)


def main():
    """Print the best order for six matrices."""
    cost, order = matrix_chain(np.array([30, 35, 15, 5, 10, 20, 25]))
    print(f"{order}: {cost} multiplications")


if __name__ == "__main__":
    main()
