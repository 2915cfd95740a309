"""The edit distance of two sequences of integers: how many must be inserted, deleted or replaced."""

import numpy as np
from pyarray import njit


@njit
def levenshtein(a, b):
    """Levenshtein distance of two 1-D integer arrays (Wagner and Fischer's algorithm with one row)."""
    row = np.empty(b.size + 1, np.int64)
    for j in range(row.size):
        row[j] = j
    for i in range(a.size):
        diagonal = row[0]
        row[0] = i + 1
        for j in range(b.size):
            cost = 0 if a[i] == b[j] else 1
            above = row[j + 1]
            row[j + 1] = min(above + 1, row[j] + 1, diagonal + cost)
            diagonal = above
    return row[-1]


def arguments(size=500):
    """Two sequences over an alphabet of four."""
    generator = np.random.default_rng(1)
    return generator.integers(0, 4, size=size), generator.integers(0, 4, size=size + size // 10)


def reference(a, b):
    """The same with NumPy, one row at a time; what is inserted along a row is a running minimum."""
    place = np.arange(len(b) + 1)
    row = place.copy()
    for i, value in enumerate(a):
        new = np.minimum(row + 1, np.concatenate(([i + 1], row[:-1] + (b != value))))
        row = np.minimum.accumulate(new - place) + place
    return int(row[-1])


def codes(text):
    """The letters of a text as an array of integers."""
    return np.frombuffer(text.encode("utf-32-le"), np.int32)


def main():
    """Print distances of words."""
    for one, other in (("kitten", "sitting"), ("Saturday", "Sunday"), ("compiler", "compiler")):
        print(f"{one} - {other}: {levenshtein(codes(one), codes(other))}")


if __name__ == "__main__":
    main()
