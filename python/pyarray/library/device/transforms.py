"""Fourier transforms of arrays on a GPU, by cuFFT, along one axis."""

import numpy as np

from .._intrinsics import device_transform
from ..numpy.joins import _set
from .scans import product_of

_MOST_CALLS = 16  # of cuFFT; with more dimensions before the axis, it becomes the last one


def transform_to(x, scale, axis, length, out, inverse):
    """Store the transforms along ``axis`` to ``out``, which lies in C order, times ``scale``; False: the host has to.

    ``length`` is how many elements of each line are transformed: more than there are, are zeros.
    """
    place = axis + x.ndim if axis < 0 else axis
    if place == x.ndim - 1 or product_of(x.shape, 0, place) <= _MOST_CALLS:
        done = device_transform(out, _lines(x, place, length, out.dtype.kind), place, inverse)
        if done and scale != 1:
            np.multiply(out, scale, out=out)
        return done
    last, rows = np.moveaxis(x, place, -1), np.empty(np.moveaxis(out, place, -1).shape, out.dtype)
    done = device_transform(rows, _lines(last, x.ndim - 1, length, out.dtype.kind), x.ndim - 1, inverse)
    if done:
        made = np.moveaxis(out, place, -1)
        if scale == 1:
            made[...] = rows
        else:
            made[...] = rows * scale
    return done


def _lines(x, place, length, kind):
    """The array in C order with so many elements along an axis; a copy if what is made is real: cuFFT may change it."""
    if x.shape[place] == length and kind != "f":
        return np.ascontiguousarray(x)
    lines, kept = np.zeros(_set(x.shape, place, length), x.dtype), min(x.shape[place], length)
    np.moveaxis(lines, place, -1)[..., :kept] = np.moveaxis(x, place, -1)[..., :kept]
    return lines
