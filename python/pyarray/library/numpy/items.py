"""Text and records in order: items that lie in memory as bytes, sorted by what the compiler knows of their fields."""

import numpy as np

from .._intrinsics import exported, gufunc, item_bytes, item_keys, item_names, known, numpy_loop


@gufunc("(k)->(n,w)", "[A1B[A2B>")
def _sort(keys, a):
    if numpy_loop("sort_items", "(k)->(n,w)", keys, a):
        raise MemoryError()


@gufunc("(k),(n,w)->(n)", "[A1B[A2B[A1q>")
def _argsort(keys, a, out):
    if numpy_loop("argsort_items", "(k),(n,w)->(n)", keys, a, out):
        raise MemoryError()


@gufunc("(k),(p)->(n,w)", "[A1B[A1q[A2B>")
def _partition(keys, ranks, a):
    if numpy_loop("partition_items", "(k),(p)->(n,w)", keys, ranks, a):
        raise MemoryError()


@gufunc("(k),(n,w),(p)->(n)", "[A1B[A2B[A1q[A1q>")
def _argpartition(keys, a, ranks, out):
    if numpy_loop("argpartition_items", "(k),(n,w),(p)->(n)", keys, a, ranks, out):
        raise MemoryError()


@gufunc("(k),(n,w),(m,w)->(m)", "[A1B[A2B[A2B[A1q>")
def _place_left(keys, a, wanted, out):
    numpy_loop("place_left", "(k),(n,w),(m,w)->(m)", keys, a, wanted, out)


@gufunc("(k),(n,w),(m,w)->(m)", "[A1B[A2B[A2B[A1q>")
def _place_right(keys, a, wanted, out):
    numpy_loop("place_right", "(k),(n,w),(m,w)->(m)", keys, a, wanted, out)


def _keys(a, order):
    """What is compared of the items, fields that ``order`` names first."""
    keys = exported(item_keys(a))
    if order is None:
        return keys
    if a.dtype.kind != "V":
        raise ValueError("Cannot specify order when the array has no fields.")
    elif isinstance(order, str):
        return _ordered(keys, item_names(a).split("\0"), (order,))
    elif isinstance(order, (tuple, list)):
        return _ordered(keys, item_names(a).split("\0"), order)
    else:
        raise ValueError(f"unsupported order value: {order}")


def _ordered(keys, names, order):
    places, count = np.full(len(names), len(names)), 0
    for name in order:
        found = -1
        for i in range(len(names)):
            found = i if names[i] == name else found
        if found < 0:
            raise ValueError("unknown field name: " + name)
        if places[found] < len(names):
            raise ValueError("duplicate field name: " + name)
        places[found] = count
        count += 1
    rows = keys.view(np.int64).reshape(-1, 4)
    ranks = np.empty(len(rows), np.int64)
    for i in range(len(rows)):
        ranks[i] = places[rows[i, 3]]
    return rows[np.argsort(ranks, -1, "stable")].reshape(-1).view(np.uint8)


def sort_lines(a, order):
    """Sort the last axis in place."""
    _sort(_keys(a, order), item_bytes(a))


def argsort_lines(a, out, order):
    """Store the positions of items in order, along the last axis."""
    _argsort(_keys(a, order), item_bytes(a), out)


def partition_lines(ranks, a, order):
    """Put the items of these ranks where they belong, along the last axis."""
    _partition(_keys(a, order), ranks, item_bytes(a))


def argpartition_lines(a, ranks, out, order):
    """Store positions such that the items of these ranks are where they belong."""
    _argpartition(_keys(a, order), item_bytes(a), ranks, out)


def places(line, keys, side: known):
    """``np.searchsorted`` of items of one dtype."""
    if keys.ndim == 0:
        return places(line, keys.reshape(1), side)[0]
    flat = keys.reshape(-1)
    out = np.empty(len(flat), np.int64)
    if side == "left":
        _place_left(exported(item_keys(line)), item_bytes(line), item_bytes(flat), out)
    else:
        _place_right(exported(item_keys(line)), item_bytes(line), item_bytes(flat), out)
    return out.reshape(keys.shape)
