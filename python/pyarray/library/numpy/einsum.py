"""``np.einsum``: products of two operands after another, as the compiler plans them (``lib/support/einsum.h``)."""

import numpy as np

from .._intrinsics import einsum_plan, known, strided

# Plans ----------------------------------------------------------------------------------------------------------------


def _axes(subscripts: known, operands, name: known, step: known, place: known, count: known):
    """The axes that the plan has under a name, from ``place`` on."""
    if place == count:
        return ()
    axis = einsum_plan(subscripts, name, step, place, operands)
    return (axis,) + _axes(subscripts, operands, name, step, place + 1, count)


def _spread(values, axes, missing: known):
    """The values at these axes; -1 is one that is missing."""
    if len(axes) == 0:
        return ()
    return (missing if axes[0] < 0 else values[axes[0]],) + _spread(values, axes[1:], missing)


def _ordered(a, axes):
    if a.ndim == 0:
        return a.reshape(_spread((1,), axes, 1))
    return strided(a, 0, _spread(a.shape, axes, 1), _spread(a.strides, axes, 0))


# Operands -------------------------------------------------------------------------------------------------------------


def _shared_extent(shape, axes, letter, number):
    """The extent of a label that an operand has at the axes with a bit."""
    extent = -1
    for axis in range(len(shape)):
        if (axes >> axis) & 1:
            if extent >= 0 and shape[axis] != extent:
                raise ValueError(
                    f"dimensions in operand {number} for collapsing index '{chr(letter)}' don't match "
                    f"({extent} != {shape[axis]})"
                )
            extent = shape[axis]
    return extent


def _whole_stride(strides, axes):
    total = 0
    for axis in range(len(strides)):
        if (axes >> axis) & 1:
            total += strides[axis]
    return total


def _extents(shape, axes, letters, number):
    if len(axes) == 0:
        return ()
    return (_shared_extent(shape, axes[0], letters[0], number),) + _extents(shape, axes[1:], letters[1:], number)


def _strides(strides, axes):
    if len(axes) == 0:
        return ()
    return (_whole_stride(strides, axes[0]),) + _strides(strides, axes[1:])


def _labelled(a, subscripts: known, operands, number: known):
    """An operand with an axis for each of its labels, of which those that it alone has are summed over."""
    count = einsum_plan(subscripts, "labels", number, 0, operands)
    summed = einsum_plan(subscripts, "summed", number, 0, operands)
    if einsum_plan(subscripts, "is_plain", number, 0, operands) == 1:
        return _summed(a, summed)
    axes = _axes(subscripts, operands, "axes", number, 0, count)
    letters = _axes(subscripts, operands, "letter", number, 0, count)
    return _summed(strided(a, 0, _extents(a.shape, axes, letters, number), _strides(a.strides, axes)), summed)


def _summed(a, count: known):
    """Sums over as many of the last axes."""
    if count == 0:
        return a
    if a.dtype == np.bool_:
        return _summed(np.asarray(np.any(a, -1)), count - 1)
    return _summed(np.asarray(np.sum(a, -1, a.dtype)), count - 1)


def _all_labelled(arrays, subscripts: known, operands, number: known):
    if number == len(arrays):
        return ()
    return (_labelled(arrays[number], subscripts, operands, number),) + _all_labelled(
        arrays, subscripts, operands, number + 1
    )


# Products -------------------------------------------------------------------------------------------------------------


def _size(shape):
    size = 1
    for n in shape:
        size *= n
    return size


def _check_shared(a, b):
    if a != b:
        raise ValueError(
            "operands could not be broadcast together with remapped shapes [original->remapped]: "
            "the extents of a subscript that is summed over differ"
        )


def _product(a, b, batch: known, left: known, shared: known, right: known):
    """Of axes (batch, left, shared) and (batch, shared, right) those of (batch, left, right)."""
    if shared == 0:
        return np.asarray(np.multiply(a, b))
    rows, columns = a.shape[batch : batch + left], b.shape[batch + shared :]
    _check_shared(a.shape[batch + left :], b.shape[batch : batch + shared])
    depth = _size(b.shape[batch : batch + shared])
    if left == 0 and right == 0:
        if batch == 0:
            return np.asarray(np.dot(a.reshape(-1), b.reshape(-1)))
        return _summed(np.multiply(a, b), shared)
    if batch == 0:
        if right == 0:
            return np.dot(a.reshape((_size(rows), depth)), b.reshape(-1)).reshape(rows)
        if left == 0:
            return np.dot(a.reshape(-1), b.reshape((depth, _size(columns)))).reshape(columns)
        return np.dot(a.reshape((_size(rows), depth)), b.reshape((depth, _size(columns)))).reshape(rows + columns)
    product = np.matmul(
        a.reshape(a.shape[:batch] + (_size(rows), depth)), b.reshape(b.shape[:batch] + (depth, _size(columns)))
    )
    return product.reshape(product.shape[:batch] + rows + columns)


def _left(a, subscripts: known, operands, step: known, count: known):
    if einsum_plan(subscripts, "left_is_plain", step, 0, operands) == 1:
        return a
    return _ordered(a, _axes(subscripts, operands, "left_axis", step, 0, count))


def _right(a, subscripts: known, operands, step: known, count: known):
    if einsum_plan(subscripts, "right_is_plain", step, 0, operands) == 1:
        return a
    return _ordered(a, _axes(subscripts, operands, "right_axis", step, 0, count))


def _others(arrays, number: known, first: known, second: known):
    if len(arrays) == number:
        return ()
    if number == first or number == second:
        return _others(arrays, number + 1, first, second)
    return (arrays[number],) + _others(arrays, number + 1, first, second)


def _multiplied(arrays, subscripts: known, operands, step: known):
    """One array of all, by a product for each step."""
    if len(arrays) == 1:
        return arrays[0]
    first = einsum_plan(subscripts, "first", step, 0, operands)
    second = einsum_plan(subscripts, "second", step, 0, operands)
    batch = einsum_plan(subscripts, "batch", step, 0, operands)
    left = einsum_plan(subscripts, "left", step, 0, operands)
    shared = einsum_plan(subscripts, "shared", step, 0, operands)
    right = einsum_plan(subscripts, "right", step, 0, operands)
    product = _product(
        _left(arrays[first], subscripts, operands, step, batch + left + shared),
        _right(arrays[second], subscripts, operands, step, batch + shared + right),
        batch,
        left,
        shared,
        right,
    )
    return _multiplied(_others(arrays, 0, first, second) + (product,), subscripts, operands, step + 1)


# The function ---------------------------------------------------------------------------------------------------------


def _converted(operands, dtype):
    if len(operands) == 0:
        return ()
    return (np.asarray(operands[0], dtype),) + _converted(operands[1:], dtype)


def _arrays(operands):
    if len(operands) == 0:
        return ()
    return (np.asarray(operands[0]),) + _arrays(operands[1:])


def einsum(subscripts: known, *operands, out=None, dtype=None, order="K", casting="safe", optimize=False):
    """``np.einsum`` of subscripts that are written as a str."""
    arrays = _arrays(operands)
    if dtype is None:
        kind = np.empty(0, np.result_type(*arrays))
    else:
        kind = np.empty(0, dtype)
    result = _of_plan(_converted(arrays, kind.dtype), subscripts, arrays)
    if out is None:
        if result.ndim == 0:
            return result[()]
        return result
    out[...] = result
    return out


def _of_plan(arrays, subscripts: known, operands):
    whole = _multiplied(_all_labelled(arrays, subscripts, operands, 0), subscripts, operands, 0)
    if einsum_plan(subscripts, "result_is_plain", 0, 0, operands) == 1:
        return whole
    rank = einsum_plan(subscripts, "rank", 0, 0, operands)
    return _ordered(whole, _axes(subscripts, operands, "axis", 0, 0, rank))
