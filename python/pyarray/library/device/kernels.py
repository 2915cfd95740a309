"""Kernels for whole arrays on a GPU: what functions with ``target="cuda"`` launch beside those that are made for them.

A call of one of these is a launch: its first two arguments are the blocks and the threads of each, and outputs come
last. They are compiled for a GPU, check no index, and call no functions but those of this module.
"""

import numpy as np

from ...cuda._device import atomic, blockIdx, shared, syncthreads, threadIdx
from .._intrinsics import literal

THREADS = 256  # of a block
ITEMS = 8  # of a thread, of a tile
TILE = THREADS * ITEMS
FEW = 4096
GAP = 32  # words of shared memory, behind which one is left out: its banks

# Scans ----------------------------------------------------------------------------------------------------------------


def _combined(a, b, word: literal):
    if word == 0:
        return a + b
    if word == 1:
        return a * b
    if word == 2:
        return np.maximum(a, b)
    return np.minimum(a, b)


def _fold_threads(tree, t, word: literal):
    """What all threads have in shared memory, folded."""
    syncthreads()
    half = THREADS // 2
    while half > 0:
        if t < half:
            tree[t] = _combined(tree[t], tree[t + half], word)
        syncthreads()
        half //= 2
    total = tree[0]
    syncthreads()
    return total


def _scan_threads(tree, t, word: literal):
    """Running totals, in place, of what each thread has in shared memory."""
    syncthreads()
    step = 1
    while step < THREADS:
        mine = tree[t]
        if t >= step:
            mine = _combined(tree[t - step], mine, word)
        syncthreads()
        tree[t] = mine
        syncthreads()
        step *= 2


def fold_parts(blocks, threads, x, identity, sums, word: literal):
    """Fold each part of the rows of ``x``; ``sums`` has a row for each, with as many elements as it has parts."""
    tree = shared.array(THREADS, sums.dtype)
    t = threadIdx.x
    parts = sums.shape[1]
    row, part = blockIdx.x // parts, blockIdx.x % parts
    tiles = (x.shape[1] + TILE - 1) // TILE
    start = part * tiles // parts * TILE
    stop = min(x.shape[1], (part + 1) * tiles // parts * TILE)
    total = identity
    i = start + t
    while i + 3 * THREADS < stop:
        a, b = sums.dtype.type(x[row, i]), sums.dtype.type(x[row, i + THREADS])
        c, d = sums.dtype.type(x[row, i + 2 * THREADS]), sums.dtype.type(x[row, i + 3 * THREADS])
        total = _combined(total, _combined(_combined(a, b, word), _combined(c, d, word), word), word)
        i += 4 * THREADS
    while i < stop:
        total = _combined(total, sums.dtype.type(x[row, i]), word)
        i += THREADS
    tree[t] = total
    total = _fold_threads(tree, t, word)
    if t == 0:
        sums[row, part] = total


def scan_parts(blocks, threads, x, sums, identity, out, word: literal):
    """The running totals of each row of ``x``, part by part; ``sums`` is what `fold_parts` gives."""
    tile = shared.array(TILE + TILE // GAP, sums.dtype)
    tree = shared.array(THREADS, sums.dtype)
    t = threadIdx.x
    parts = sums.shape[1]
    row, part = blockIdx.x // parts, blockIdx.x % parts
    tiles = (x.shape[1] + TILE - 1) // TILE
    start = part * tiles // parts * TILE
    stop = min(x.shape[1], (part + 1) * tiles // parts * TILE)
    # What all parts before this one come to.
    each = (part + THREADS - 1) // THREADS
    before = identity
    for i in range(t * each, min(part, (t + 1) * each)):
        before = _combined(before, sums[row, i], word)
    tree[t] = before
    carry = _fold_threads(tree, t, word)
    for begin in range(start, stop, TILE):
        for k in range(ITEMS):
            i = t + k * THREADS
            if begin + i < stop:
                tile[i + i // GAP] = sums.dtype.type(x[row, begin + i])
            else:
                tile[i + i // GAP] = identity
        syncthreads()
        total = identity
        for k in range(ITEMS):
            i = t * ITEMS + k
            total = _combined(total, tile[i + i // GAP], word)
        tree[t] = total
        _scan_threads(tree, t, word)
        running = carry
        if t > 0:
            running = _combined(carry, tree[t - 1], word)
        carry = _combined(carry, tree[THREADS - 1], word)
        for k in range(ITEMS):
            i = t * ITEMS + k
            running = _combined(running, tile[i + i // GAP], word)
            tile[i + i // GAP] = running
        syncthreads()
        for k in range(ITEMS):
            i = t + k * THREADS
            if begin + i < stop:
                out[row, begin + i] = out.dtype.type(tile[i + i // GAP])
        syncthreads()


def fold_columns(blocks, threads, x, identity, sums, word: literal):
    """Fold each part of the columns of ``x`` (outer, length, inner); ``sums`` is (outer, parts, inner)."""
    inner, parts = x.shape[2], sums.shape[1]
    place = np.int64(blockIdx.x) * THREADS + threadIdx.x
    if place < x.shape[0] * parts * inner:
        column, part, row = place % inner, place // inner % parts, place // inner // parts
        total = identity
        for i in range(part * x.shape[1] // parts, (part + 1) * x.shape[1] // parts):
            total = _combined(total, sums.dtype.type(x[row, i, column]), word)
        sums[row, part, column] = total


def scan_columns(blocks, threads, x, sums, identity, out, word: literal):
    """The running totals of each column, part by part; ``sums`` is what `fold_columns` gives."""
    inner, parts = x.shape[2], sums.shape[1]
    place = np.int64(blockIdx.x) * THREADS + threadIdx.x
    if place < x.shape[0] * parts * inner:
        column, part, row = place % inner, place // inner % parts, place // inner // parts
        total = identity
        for i in range(part):
            total = _combined(total, sums[row, i, column], word)
        for i in range(part * x.shape[1] // parts, (part + 1) * x.shape[1] // parts):
            total = _combined(total, sums.dtype.type(x[row, i, column]), word)
            out[row, i, column] = out.dtype.type(total)


# Masks ----------------------------------------------------------------------------------------------------------------


def _part_of(mask, part, parts):
    """Where a part of the mask, which whole tiles make, begins and ends."""
    tiles = (len(mask) + TILE - 1) // TILE
    return part * tiles // parts * TILE, min(len(mask), (part + 1) * tiles // parts * TILE)


def _true_among(mask, start, stop):
    count = np.int32(0)
    for i in range(start, stop):
        if mask[i]:
            count += np.int32(1)
    return count


def _true_before(counts, part, tree, t):
    """How many are true in all parts before this one; ``tree`` is shared memory."""
    each = (part + THREADS - 1) // THREADS
    before = np.int64(0)
    for i in range(t * each, min(part, (t + 1) * each)):
        before += counts[i]
    tree[t] = before
    return _fold_threads(tree, t, 0)


def count_parts(blocks, threads, mask, counts):
    """How many elements of each part are true."""
    tree = shared.array(THREADS, np.int32)
    t = threadIdx.x
    start, stop = _part_of(mask, np.int64(blockIdx.x), len(counts))
    count = np.int32(0)
    for begin in range(start + t * ITEMS, stop, TILE):
        count += _true_among(mask, begin, min(begin + ITEMS, stop))
    tree[t] = count
    count = _fold_threads(tree, t, 0)
    if t == 0:
        counts[blockIdx.x] = count


def compress_parts(blocks, threads, x, mask, counts, out):
    """The elements of ``x`` where the mask is true; ``counts`` is what `count_parts` gives."""
    chosen = shared.array(TILE, out.dtype)
    before = shared.array(THREADS, np.int64)
    tree = shared.array(THREADS, np.int32)
    t = threadIdx.x
    start, stop = _part_of(mask, np.int64(blockIdx.x), len(counts))
    at = _true_before(counts, blockIdx.x, before, t)
    for begin in range(start, stop, TILE):
        first = begin + t * ITEMS
        tree[t] = count = _true_among(mask, first, min(first + ITEMS, stop))
        _scan_threads(tree, t, 0)
        place = tree[t] - count
        for i in range(first, min(first + ITEMS, stop)):
            if mask[i]:
                chosen[place] = x[i]
                place += np.int32(1)
        syncthreads()
        count = tree[THREADS - 1]
        for i in range(t, count, THREADS):
            if at + i < len(out):  # the mask is another one than it was, where two streams meet
                out[at + i] = chosen[i]
        at += count
        syncthreads()


def list_parts(blocks, threads, mask, counts, out):
    """Where the mask is true; ``counts`` is what `count_parts` gives."""
    before = shared.array(THREADS, np.int64)
    tree = shared.array(THREADS, np.int32)
    t = threadIdx.x
    start, stop = _part_of(mask, np.int64(blockIdx.x), len(counts))
    at = _true_before(counts, blockIdx.x, before, t)
    for begin in range(start, stop, TILE):
        first = begin + t * ITEMS
        tree[t] = count = _true_among(mask, first, min(first + ITEMS, stop))
        _scan_threads(tree, t, 0)
        place = at + tree[t] - count
        for i in range(first, min(first + ITEMS, stop)):
            if mask[i] and place < len(out):
                out[place] = i
                place += 1
        at += tree[THREADS - 1]
        syncthreads()


# Stores to places -----------------------------------------------------------------------------------------------------


def mark_last(blocks, threads, places, last):
    """For each place the number of the last of all that go there."""
    i = np.int64(blockIdx.x) * THREADS + threadIdx.x
    if i < len(places):
        atomic.max(last, places[i], i)


def store_last(blocks, threads, places, last, values, out):
    """Store rows of values to these rows of ``out``; of several to one, the last."""
    i = np.int64(blockIdx.x) * THREADS + threadIdx.x
    inner = out.shape[1]
    if i < len(places) * inner:
        row = i // inner
        if last[places[row]] == row:
            out[places[row], i % inner] = values[row, i % inner]


def store_rows(blocks, threads, places, values, out):
    """The same where it does not matter which one it is: all are alike, or no two go to one place."""
    i = np.int64(blockIdx.x) * THREADS + threadIdx.x
    inner = out.shape[1]
    if i < len(places) * inner:
        out[places[i // inner], i % inner] = values[i // inner, i % inner]


def count_values(blocks, threads, x, counts):
    """How often each integer occurs; those that are no index of ``counts`` are left out."""
    for i in range(np.int64(blockIdx.x) * threads + threadIdx.x, len(x), blocks * threads):
        value = np.int64(x[i])
        if 0 <= value < len(counts):
            atomic.add(counts, value, np.int64(1))


def count_few_values(blocks, threads, x, counts):
    """The same of `FEW` integers at most, which each block counts in shared memory first."""
    own = shared.array(FEW, np.int32)
    t = threadIdx.x
    for value in range(t, len(counts), THREADS):
        own[value] = np.int32(0)
    syncthreads()
    for i in range(np.int64(blockIdx.x) * threads + t, len(x), blocks * threads):
        value = np.int64(x[i])
        if 0 <= value < len(counts):
            atomic.add(own, value, np.int32(1))
    syncthreads()
    for value in range(t, len(counts), THREADS):
        if own[value] != 0:
            atomic.add(counts, value, np.int64(own[value]))


def store_steps(blocks, threads, first, second, out):
    """Numbers that follow each other: two, and all that are as far from each other."""
    i = np.int64(blockIdx.x) * THREADS + threadIdx.x
    if i < len(out):
        if i == 1:
            out[i] = second
        else:
            out[i] = first + out.dtype.type(i) * (second - first)
