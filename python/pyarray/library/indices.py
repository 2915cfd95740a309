"""``np.ndindex`` and ``np.ndenumerate``: the indices of arrays, in C order; ``np.nditer``: elements as they lie."""

import numpy as np

from ._intrinsics import broadcast, c_contiguous, f_contiguous, known, readonly, strided
from .extending import to_fixed_tuple
from .numpy.axes import numbers_from, picked, with_item
from .numpy.views import reversed_tuple


def _below(shape):
    if len(shape) == 0:
        yield ()
    else:
        for first in range(shape[0]):
            for rest in _below(shape[1:]):
                yield (first,) + rest


def _checked(shape):
    for extent in shape:
        if extent < 0:
            raise ValueError("negative dimensions are not allowed")
    return shape


def ndindex(*shape):
    """Every index of an array of that shape, as a tuple."""
    if len(shape) == 1 and isinstance(shape[0], tuple):
        return _below(_checked(shape[0]))
    else:
        return _below(_checked(shape))


def index_tuple(object, items):
    """``tuple(items)``, which is an index of ``object``: of an array's items there is one for each axis."""
    if isinstance(object, np.ndarray):
        if isinstance(items, (np.ndarray, list)):
            if len(items) != object.ndim:
                raise IndexError(f"an index of {len(items)} items for an array of {object.ndim} axes: all are needed")
            return to_fixed_tuple(items, object.ndim)
        else:
            return tuple(items)
    else:
        return tuple(items)


# Blocks of indices, which loops over ``pndindex`` give to threads: parts of the last two axes -------------------------

_BLOCKS = 64  # as many as there are, where they are enough to share


def shape_of_indices(*shape):
    """The shape that a loop over ``pndindex`` goes through, as a tuple."""
    if len(shape) == 1 and isinstance(shape[0], tuple):
        return _checked(shape[0])
    return _checked(shape)


def _last_two(shape):
    if len(shape) == 0:
        return 1, 1
    if len(shape) == 1:
        return 1, shape[0]
    return shape[len(shape) - 2], shape[len(shape) - 1]


def _leads(shape):
    """How many indices the axes before the last two have."""
    if len(shape) < 3:
        return 1
    return shape[0] * _leads(shape[1:])


def _cuts(shape):
    """In how many parts the last two axes are cut."""
    rows, items = _last_two(shape)
    first = min(rows, max(_BLOCKS // max(_leads(shape), 1), 1))
    return first, min(items, max(_BLOCKS // max(_leads(shape) * first, 1), 1))


def blocks_of_indices(shape):
    """How many blocks there are."""
    first, second = _cuts(shape)
    return _leads(shape) * first * second


def _index_at(place, shape):
    if len(shape) == 0:
        return ()
    if len(shape) == 1:
        return (place,)
    extent = shape[len(shape) - 1]
    return _index_at(place // extent, shape[:-1]) + (place % extent,)


def lead_of_block(block, shape):
    """What its indices have before the last two axes."""
    if len(shape) < 3:
        return ()
    first, second = _cuts(shape)
    return _index_at(block // (first * second), shape[:-2])


def rows_of_block(block, shape):
    """Where it begins and ends along the last axis but one."""
    rows, _ = _last_two(shape)
    first, second = _cuts(shape)
    part = block // second % first
    return part * rows // first, (part + 1) * rows // first


def items_of_block(block, shape):
    """Where it begins and ends along the last axis."""
    _, items = _last_two(shape)
    _, second = _cuts(shape)
    part = block % second
    return part * items // second, (part + 1) * items // second


def index_of(lead, row, item, shape):
    """The index that is made of these."""
    if len(shape) == 0:
        return ()
    if len(shape) == 1:
        return (item,)
    return lead + (row, item)


# Elements ------------------------------------------------------------------------------------------------------------


def ndenumerate(arr):
    """The index and the value of every element."""
    for index in _below(arr.shape):
        yield index, arr[index]


def nditer(op, flags=None, op_flags=None, op_dtypes=None, order="K"):
    """A view of each element; of several arrays, which broadcast, tuples of such.

    Views are readonly, unless ``op_flags`` are given: then those of arrays that can be stored to are not. Of ``flags``
    those are taken that change nothing of this.
    """
    if op_dtypes is not None:
        raise NotImplementedError("np.nditer: op_dtypes is not compiled; convert the arrays by astype")
    empty = False
    if flags is not None:
        for flag in flags:
            if flag == "external_loop" or flag == "delay_bufalloc" or flag == "ranged" or flag == "copy_if_overlap":
                raise NotImplementedError("np.nditer: the flag '" + flag + "' is not compiled")
            empty = empty or flag == "zerosize_ok"
    if isinstance(op, list):
        raise TypeError("np.nditer of a list of arrays: write a tuple, or the list where it is used: np.nditer([a, b])")
    elif isinstance(op, tuple):
        if not empty:
            _check_sizes(_shapes(op))
        arrays = _broadcast_each(op, _common_shape(_shapes(op)))
        if len(op) == 1:
            return _first_of_each(_elements_of(arrays, order, op_flags))
        return _elements_of(arrays, order, op_flags)
    else:
        if not empty:
            _check_sizes((np.shape(op),))
        return _first_of_each(_elements_of((np.asarray(op),), order, op_flags))


def _elements_of(arrays, order, op_flags):
    if op_flags is None:
        return _elements(arrays, order, False)
    return _elements(arrays, order, True)


def _first_of_each(items):
    for item in items:
        yield item[0]


def _shapes(arrays):
    if len(arrays) == 0:
        return ()
    return (np.asarray(arrays[0]).shape,) + _shapes(arrays[1:])


def _check_sizes(shapes):
    if len(shapes) > 0:
        for extent in shapes[0]:
            if extent == 0:
                raise ValueError("Iteration of zero-sized operands is not enabled")
        _check_sizes(shapes[1:])


def _common_shape(shapes):
    whole = _widest(shapes)
    for i in range(len(whole)):
        whole = with_item(whole, i, _common_extent(shapes, len(whole) - i, 1))
    if not _all_fit(shapes, whole):
        raise ValueError(f"operands could not be broadcast together with shapes {_shape_texts(shapes)}")
    return whole


def _widest(shapes):
    if len(shapes) == 1:
        return shapes[0]
    rest = _widest(shapes[1:])
    if len(shapes[0]) >= len(rest):
        return shapes[0]
    return rest


def _common_extent(shapes, place, extent):
    """The extent that counts, this many axes from the end."""
    if len(shapes) == 0:
        return extent
    if len(shapes[0]) == 0:
        return _common_extent(shapes[1:], place, extent)
    if extent == 1 and place <= len(shapes[0]):
        extent = shapes[0][len(shapes[0]) - place]
    return _common_extent(shapes[1:], place, extent)


def _all_fit(shapes, whole):
    if len(shapes) == 0:
        return True
    if len(shapes[0]) == 0:
        return _all_fit(shapes[1:], whole)
    for i in range(len(shapes[0])):
        extent = shapes[0][i]
        if extent != 1 and extent != whole[len(whole) - len(shapes[0]) + i]:
            return False
    return _all_fit(shapes[1:], whole)


def _shape_texts(shapes):
    if len(shapes) == 0:
        return ""
    extents = ",".join([str(n) for n in shapes[0]])
    return "(" + extents + (",) " if len(shapes[0]) == 1 else ") ") + _shape_texts(shapes[1:])


def _broadcast_each(arrays, shape):
    if len(arrays) == 0:
        return ()
    return (broadcast(np.asarray(arrays[0]), shape),) + _broadcast_each(arrays[1:], shape)


def _elements(arrays, order, writes: known):
    shape = arrays[0].shape
    if len(shape) == 0:
        yield _views(arrays, _zeros(arrays), writes)
    elif (order != "F" and _lie_in_c_order(arrays)) or (order != "C" and _lie_in_f_order(arrays)):
        for i in range(arrays[0].size):
            yield _views(arrays, _numbered(arrays, i), writes)
    else:
        axes = _order_of_axes(arrays, order)
        forward = _directions(arrays, axes) if order == "K" else numbers_from(shape, 1)
        first = _first_bytes(arrays, shape, axes, forward)
        for at in _places(picked(shape, axes), first, _steps(arrays, axes, picked(forward, axes))):
            yield _views(arrays, at, writes)


def _lie_in_c_order(arrays):
    """Whether the elements of each array lie one after the other, as C has them."""
    if len(arrays) == 0:
        return True
    return c_contiguous(arrays[0]) and _lie_in_c_order(arrays[1:])


def _lie_in_f_order(arrays):
    if len(arrays) == 0:
        return True
    return f_contiguous(arrays[0]) and _lie_in_f_order(arrays[1:])


def _numbered(arrays, i):
    """Where the elements number ``i`` lie, in bytes."""
    if len(arrays) == 0:
        return ()
    return (i * arrays[0].itemsize,) + _numbered(arrays[1:], i)


def _places(shape, first, steps):
    """Where the elements of each array lie, in bytes, one tuple after the other: all small enough to inline."""
    if len(shape) == 0:
        yield first
    else:
        for i in range(shape[0]):
            yield from _places(shape[1:], _moved(first, steps, i), _inner(steps))


def _moved(first, steps, i):
    if len(first) == 0:
        return ()
    return (first[0] + i * steps[0][0],) + _moved(first[1:], steps[1:], i)


def _inner(steps):
    if len(steps) == 0:
        return ()
    return (steps[0][1:],) + _inner(steps[1:])


def _zeros(arrays):
    if len(arrays) == 0:
        return ()
    return (0,) + _zeros(arrays[1:])


def _order_of_axes(arrays, order):
    """The axes, the innermost last."""
    axes = numbers_from(arrays[0].shape, 0)
    if order == "F" or (order == "A" and _lie_in_f_order(arrays)):
        return reversed_tuple(axes)
    if order == "K":
        return _by_all_strides(arrays, axes)
    return axes


def _by_all_strides(arrays, axes):
    # NumPy's insertion sort from the innermost axis on: where operands disagree, the order is that of C.
    if len(axes) < 2:
        return axes
    last = len(axes) - 1
    for i in range(1, len(axes)):
        place = i
        for k in range(i - 1, -1, -1):
            verdict = _compare(arrays, axes[last - i], axes[last - k], 0)
            if verdict > 0:
                place = k
            elif verdict < 0:
                break
        moved = axes[last - i]
        for k in range(i, place, -1):
            axes = with_item(axes, last - k, axes[last - k + 1])
        axes = with_item(axes, last - place, moved)
    return axes


def _compare(arrays, axis, other, verdict):
    """1: ``axis`` is within ``other``; -1: it is not; 0: no array says."""
    if len(arrays) == 0:
        return verdict
    a, b = _step(arrays[0], axis), _step(arrays[0], other)
    if a != 0 and b != 0:
        if b <= a:
            verdict = -1
        elif verdict == 0:
            verdict = 1
    return _compare(arrays[1:], axis, other, verdict)


def _step(a, axis):
    return abs(a.strides[axis]) if a.shape[axis] > 1 else 0


def _directions(arrays, axes):
    """For each axis 0 where all arrays go backwards, else 1."""
    found = axes
    for i in range(len(axes)):
        found = with_item(found, i, 0 if _is_backwards(arrays, i, False) else 1)
    return found


def _is_backwards(arrays, axis, some):
    if len(arrays) == 0:
        return some
    if arrays[0].shape[axis] > 1 and arrays[0].strides[axis] > 0:
        return False
    return _is_backwards(arrays[1:], axis, some or (arrays[0].shape[axis] > 1 and arrays[0].strides[axis] < 0))


def _first_bytes(arrays, shape, axes, forward):
    """Where the first element of each array lies that is gone to."""
    if len(arrays) == 0:
        return ()
    at = 0
    for i in range(len(shape)):
        if forward[i] == 0 and shape[i] > 0:
            at += (shape[i] - 1) * arrays[0].strides[i]
    return (at,) + _first_bytes(arrays[1:], shape, axes, forward)


def _steps(arrays, axes, forward):
    if len(arrays) == 0:
        return ()
    return (_signed(picked(arrays[0].strides, axes), forward),) + _steps(arrays[1:], axes, forward)


def _signed(steps, forward):
    if len(steps) == 0:
        return ()
    return (steps[0] if forward[0] > 0 else -steps[0],) + _signed(steps[1:], forward[1:])


def _views(arrays, at, writes: known):
    if len(arrays) == 0:
        return ()
    return (_shown(strided(arrays[0], at[0], (), ()), writes),) + _views(arrays[1:], at[1:], writes)


def _shown(view, writes: known):
    if writes:
        return view
    return readonly(view)
