"""How often numbers occur in arrays on a GPU, and numbers that follow each other there."""

import numpy as np

from .kernels import FEW, THREADS, count_few_values, count_values, store_steps

_BLOCKS = 1024


def count(a, counts):
    """Add to ``counts``, whose places are the integers, how often each of them is in ``a``, which has one dimension."""
    blocks = max(1, min((len(a) + THREADS - 1) // THREADS, _BLOCKS))
    if len(counts) <= FEW:
        count_few_values(blocks, THREADS, a, counts)
    else:
        count_values(blocks, THREADS, a, counts)


def count_equal(a, edges, width):
    """How many elements lie in each of the bins between ``edges``, all of one width."""
    bins, number = len(edges) - 1, edges.dtype.type
    counts = np.zeros(max(bins, 0), np.int64)
    if bins > 0:
        first, last = edges[0], edges[bins]
        value, inside = a.astype(edges.dtype), (a >= first) & (a <= last)
        guess = np.where(inside, (value - first) / width * number(bins), number(0)).astype(np.int64)
        guess = np.minimum(guess, bins - 1)
        guess = guess - (value < edges[guess])
        guess = guess + ((value >= edges[guess + 1]) & (guess != bins - 1))
        count(np.where(inside, guess, -1), counts)
    return counts


def set_steps(out, first, second):
    """Store numbers from ``first`` on that are as far from each other as it and ``second``."""
    one, two = out.dtype.type(first), out.dtype.type(second)
    store_steps((len(out) + THREADS - 1) // THREADS, THREADS, one, two, out)
