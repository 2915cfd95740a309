"""Functions of ``math`` over other iterables than arrays and tuples."""

import math

import numpy as np

from ._intrinsics import fma
from .builtins import sequence


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


def dist_of(p, q, /):
    """The distance of two points: scaled squares of coordinates are summed in twice the precision."""
    a, b = sequence(p), sequence(q)
    if len(a) != len(b):
        raise ValueError("both points must have the same number of dimensions")
    largest, odd = 0.0, False
    for i in range(len(a)):
        distance = abs(float(a[i]) - float(b[i]))
        odd = odd or math.isnan(distance)
        if distance > largest:
            largest = distance
    if math.isinf(largest):
        return largest
    if odd:
        return math.nan
    if largest == 0.0:
        return 0.0
    exponent = math.frexp(largest)[1]
    total, low = 0.0, 0.0
    for i in range(len(a)):
        x = math.ldexp(float(a[i]) - float(b[i]), -exponent)
        square = x * x
        low += fma(x, x, -square)
        before = total
        total = before + square
        low += (before - total) + square if before >= square else (square - total) + before
    root = math.sqrt(total + low)
    rest = fma(-root, root, total) + low
    return math.ldexp(root + rest / (2.0 * root), exponent)


def sumprod_of(p, q, /):
    """The sum of the products; of floats in twice the precision."""
    total, low = 0, 0.0
    for x, y in _pairs(sequence(p), sequence(q)):
        product = x * y
        if isinstance(product, float):
            low += fma(float(x), float(y), -product)
            before = total
            total = before + product
            low += (before - total) + product if abs(before) >= abs(product) else (product - total) + before
        else:
            total = total + product
    if isinstance(total, float) and math.isfinite(low):
        return total + low
    return total


def _pairs(a, b):
    if len(a) != len(b):
        raise ValueError("Inputs are not the same length")
    return zip(a, b)
