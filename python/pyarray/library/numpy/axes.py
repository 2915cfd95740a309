"""Axes of arrays as tuples of numbers, and views with axes in another order."""

import numpy as np

from .._intrinsics import strided


def axis_of(axis, ndim, name=None):
    """``axis``, counted from the first."""
    if axis < -ndim or axis >= ndim:
        raise np.exceptions.AxisError(axis, ndim, name)
    return axis + ndim if axis < 0 else axis


def axes_of(axes, ndim, name=None):
    """A tuple of axes, or one, as a tuple of those counted from the first; each of them once."""
    if isinstance(axes, tuple):
        found = each_axis_of(axes, ndim, name)
        for i in range(len(found)):
            for k in range(i):
                if found[i] == found[k]:
                    if name is None:
                        raise ValueError("repeated axis")
                    else:
                        raise ValueError(f"repeated axis in `{name}` argument")
        return found
    return (axis_of(axes, ndim, name),)


def each_axis_of(axes, ndim, name):
    """The same of a tuple, each counted from the first; more than once, too."""
    if len(axes) == 0:
        return ()
    return (axis_of(axes[0], ndim, name),) + each_axis_of(axes[1:], ndim, name)


def picked(values, axes):
    """The values at these places."""
    if len(axes) == 0:
        return ()
    return (values[axes[0]],) + picked(values, axes[1:])


def with_item(values, at, value):
    """The tuple with another item."""
    if len(values) == 0:
        return ()
    return (value if at == 0 else values[0],) + with_item(values[1:], at - 1, value)


def has_axis(axes, axis):
    """Whether it is among them."""
    found = False
    for each in axes:
        found = found or each == axis
    return found


def moved_axes(a, old, new):
    """A view in which these axes have other places, and all others keep their order."""
    shape, strides, rest = a.shape, a.strides, 0
    for axis in range(a.ndim):
        if has_axis(new, axis):
            for k in range(len(new)):
                if new[k] == axis:
                    shape, strides = (
                        with_item(shape, axis, a.shape[old[k]]),
                        with_item(strides, axis, a.strides[old[k]]),
                    )
        else:
            while has_axis(old, rest):
                rest += 1
            shape, strides = with_item(shape, axis, a.shape[rest]), with_item(strides, axis, a.strides[rest])
            rest += 1
    return strided(a, 0, shape, strides)


def reduced_axes(axes, ndim):
    """Axes of a reduction: one, or a tuple of them."""
    if not isinstance(axes, tuple):
        return (axis_of(axes, ndim),)
    found = each_axis_of(axes, ndim, None)
    for i in range(len(found)):
        for k in range(i):
            if found[i] == found[k]:
                raise ValueError("duplicate value in 'axis'")
    return found


def last_axes(axes, ndim):
    """As many axes, the last ones."""
    if len(axes) == 0:
        return ()
    return (ndim - len(axes),) + last_axes(axes[1:], ndim)


def axes_last(a, axes):
    """A view of which these axes, an int or a tuple, are the last.

    What has no dimensions has an axis 0, as in NumPy's reductions.
    """
    if np.ndim(a) == 0:
        reduced_axes(axes, 1 if axes == 0 or axes == -1 else 0)
        return a
    else:
        found = reduced_axes(axes, a.ndim)
        return moved_axes(a, found, last_axes(found, a.ndim))


def axes_back(a, axes):
    """The view of which the last axes are these."""
    if np.ndim(a) == 0:
        return a
    else:
        found = reduced_axes(axes, a.ndim)
        return moved_axes(a, last_axes(found, a.ndim), found)


def by_strides(strides):
    """The axes, those with the longest strides first; those without a stride, of what was broadcast, stay."""
    order = numbers_from(strides, 0)
    for i in range(1, len(strides)):
        for k in range(i, 0, -1):
            first, second = order[k - 1], order[k]
            if abs(strides[second]) > abs(strides[first]) and strides[first] != 0:
                order = with_item(with_item(order, k, first), k - 1, second)
    return order


def numbers_from(values, start):
    """As many numbers from ``start`` on as there are values."""
    if len(values) == 0:
        return ()
    return (start,) + numbers_from(values[1:], start + 1)


def in_memory_order(a):
    """A view of which the axes have the order of memory, the longest strides first."""
    order = by_strides(a.strides)
    return strided(a, 0, picked(a.shape, order), picked(a.strides, order))
