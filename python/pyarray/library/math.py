"""Functions of ``math`` over other iterables than arrays and tuples."""

import math

import numpy as np


def fsum_of(seq, /):
    """The sum, rounded once."""
    items = list(seq)
    values = np.empty(len(items))
    for i in range(len(items)):
        values[i] = float(items[i])
    return math.fsum(values)


def prod_of(iterable, /, *, start=1):
    """The product."""
    product = start
    for item in iterable:
        product = product * item
    return product
