"""Places among sorted numbers, of many keys in any order: a table says where the numbers of each cell begin.

Cells are as wide as each other and have about one number each, or fewer, so that few comparisons are left, and none of
them is one that the processor guesses. The cell of a number does not fall where the number rises, however it is
rounded: all numbers of lesser cells are less.
"""

import numpy as np

from .._intrinsics import known

_FEWEST, _MOST = 3, 1 << 20


def cells_of(numbers, count):
    """A table for ``count`` keys, the first number and cells for each unit; no table where another way is better."""
    n, none = len(numbers), np.empty(0, np.int32)
    if n < _FEWEST or n > _MOST or count < n or count < 256:
        return none, 0.0, 0.0
    first, last = float(numbers[0]), float(numbers[n - 1])
    cells = 4 * n if n < 65536 else n
    if not last > first:
        return none, 0.0, 0.0
    scale = cells / (last - first)
    if not (np.isfinite(scale) and scale > 0):
        return none, 0.0, 0.0
    table, at = np.empty(cells + 1, np.int32), 0
    for k in range(n):
        if k > 0 and not numbers[k - 1] <= numbers[k]:
            return none, 0.0, 0.0
        cell = cell_of(numbers[k], first, scale, cells)
        while at <= cell:
            table[at] = k
            at += 1
    while at <= cells:
        table[at] = n
        at += 1
    for cell in range(cells):
        if table[cell + 1] - table[cell] > 8 + n // 8:  # most keys may lie there, too
            return none, 0.0, 0.0
    return table, first, scale


def cell_of(x, first, scale, cells):
    """The cell of a number; of NaN the first."""
    return np.int32(min(float(cells - 1), max(0.0, (float(x) - first) * scale)))


def place_in_cell(numbers, x, low, high, right: known):
    """How many numbers are less than ``x``, or not greater, of which those from ``low`` to ``high`` are in its cell."""
    at, count = low, high - low
    while count > 1:  # by sums: what is less is not to be guessed
        half = count >> np.uint64(1)
        middle = numbers[at + half - np.uint64(1)]
        at += half * np.uint64(middle <= x if right else middle < x)
        count -= half
    return np.int64(at) + np.int64(numbers[at] <= x if right else numbers[at] < x)


def put_cells(keys, first, scale, cells, out):
    """Store the cells of some keys, by vectors."""
    for i in range(len(keys)):
        out[i] = cell_of(keys[i], first, scale, cells)


def place_of_cell(numbers, x, table, cell, right: known):
    """``np.searchsorted(numbers, x)``, of a key in this cell that is not NaN."""
    return place_in_cell(numbers, x, np.uint64(table[cell]), np.uint64(table[cell + np.uint64(1)]), right)


def place_by_cells(numbers, x, table, first, scale, right: known):
    """The same of any key: NaN lies behind all."""
    cell = np.uint64(cell_of(x, first, scale, len(table) - 1))
    found = place_of_cell(numbers, x, table, cell, right)
    return found if x == x else len(numbers)


_STRIP = 512


def put_places(numbers, keys, table, first, scale, out, right: known):
    """``np.searchsorted(numbers, keys)`` of a row of keys."""
    cells = np.empty(_STRIP, np.int32)
    for start in range(0, len(keys), _STRIP):
        strip, places = keys[start : start + _STRIP], out[start : start + _STRIP]
        put_cells(strip, first, scale, len(table) - 1, cells)
        for i in range(len(strip)):
            found = place_of_cell(numbers, strip[i], table, np.uint64(cells[i]), right)
            places[i] = found if strip[i] == strip[i] else len(numbers)
