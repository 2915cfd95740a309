"""Views of arrays in other shapes and orders, where these are not known when the function is compiled, and copies."""

import numpy as np

from .._intrinsics import (
    broadcast,
    c_contiguous,
    complex_part,
    f_contiguous,
    given,
    in_order,
    known,
    missing,
    raise_if,
    readonly,
    retyped,
    strided,
    writeable,
)
from .axes import axes_of, axis_of, each_axis_of, has_axis, in_memory_order, moved_axes, picked, with_item

# Axes -----------------------------------------------------------------------------------------------------------------


def transpose(a, axes=None):
    """``np.transpose``."""
    if not isinstance(a, np.ndarray):
        return transpose(np.asarray(a), axes)
    if axes is None:
        return a.T
    if len(axes) != a.ndim:
        raise ValueError("axes don't match array")
    order = each_axis_of(axes, a.ndim, None)
    for i in range(len(order)):
        for k in range(i):
            if order[i] == order[k]:
                raise ValueError("repeated axis in transpose")
    return strided(a, 0, picked(a.shape, order), picked(a.strides, order))


def transpose_axes(self, *axes):
    """``a.transpose``."""
    if len(axes) == 0:
        return self.T
    if len(axes) == 1:
        if axes[0] is None:
            return self.T
        if isinstance(axes[0], tuple):
            return transpose(self, axes[0])
    return transpose(self, axes)


def matrix_transpose(x):
    """``np.matrix_transpose``."""
    if np.ndim(x) < 2:
        raise ValueError("matrix transpose with ndim < 2 is undefined")
    else:
        return np.swapaxes(x, -1, -2)


def swapaxes(a, axis1, axis2):
    """``np.swapaxes``."""
    if not isinstance(a, np.ndarray):
        return swapaxes(np.asarray(a), axis1, axis2)
    i, k = axis_of(axis1, a.ndim, "axis1"), axis_of(axis2, a.ndim, "axis2")
    shape, strides = a.shape, a.strides
    return strided(
        a,
        0,
        with_item(with_item(shape, i, shape[k]), k, shape[i]),
        with_item(with_item(strides, i, strides[k]), k, strides[i]),
    )


def moveaxis(a, source, destination):
    """``np.moveaxis``."""
    if not isinstance(a, np.ndarray):
        return moveaxis(np.asarray(a), source, destination)
    old, new = axes_of(source, a.ndim, "source"), axes_of(destination, a.ndim, "destination")
    if len(old) != len(new):
        raise ValueError("`source` and `destination` arguments must have the same number of elements")
    return moved_axes(a, old, new)


def rollaxis(a, axis, start=0):
    """``np.rollaxis``."""
    old, new = axis_of(axis, a.ndim), axis_of(start, a.ndim + 1) if start != a.ndim else a.ndim
    return moved_axes(a, (old,), (new - 1 if old < new else new,))


def expand_dims(a, axis):
    """``np.expand_dims``."""
    if not isinstance(a, np.ndarray):
        return expand_dims(np.asarray(a), axis)
    if isinstance(axis, tuple):
        return _expanded(a, axes_of(axis, a.ndim + len(axis)))
    return _expanded(a, axes_of(axis, a.ndim + 1))


def _expanded(a, axes):
    shape, strides = a.shape + (1,) * len(axes), a.strides + (0,) * len(axes)
    if a.ndim > 0:
        old = 0
        for axis in range(a.ndim + len(axes)):
            if has_axis(axes, axis):
                shape, strides = with_item(shape, axis, 1), with_item(strides, axis, 0)
            else:
                shape, strides = with_item(shape, axis, a.shape[old]), with_item(strides, axis, a.strides[old])
                old += 1
    return strided(a, 0, shape, strides)


def squeeze(a, axis=None):
    """``np.squeeze``, of axes that are named, or of a number."""
    if not isinstance(a, np.ndarray):
        if axis is None:
            return np.squeeze(np.asarray(a))
        return squeeze(np.asarray(a), axis)
    axes = axes_of(axis, a.ndim)
    for each in axes:
        if a.shape[each] != 1:
            raise ValueError("cannot select an axis to squeeze out which has size not equal to one")
    shape, strides = a.shape[len(axes) :], a.strides[len(axes) :]
    if a.ndim > len(axes):
        new = 0
        for each in range(a.ndim):
            if not has_axis(axes, each):
                shape, strides = with_item(shape, new, a.shape[each]), with_item(strides, new, a.strides[each])
                new += 1
    return strided(a, 0, shape, strides)


def flip(m, axis=None):
    """``np.flip``."""
    if not isinstance(m, np.ndarray):
        return flip(np.asarray(m), axis)
    if m.ndim == 0:  # NumPy indexes by a tuple of slices, and an empty one gives the element
        if axis is not None:
            axes_of(axis, 0)
        return m[()]
    if axis is None:
        return np.flip(m)
    first, strides = 0, m.strides
    for each in axes_of(axis, m.ndim):
        first += (m.shape[each] - 1) * m.strides[each] if m.size > 0 else 0
        strides = with_item(strides, each, -m.strides[each])
    return strided(m, first, m.shape, strides)


def fliplr(m):
    """``np.fliplr``."""
    if np.ndim(m) < 2:
        raise ValueError("Input must be >= 2-d.")
    else:
        return np.asarray(m)[:, ::-1]


def flipud(m):
    """``np.flipud``."""
    if np.ndim(m) < 1:
        raise ValueError("Input must be >= 1-d.")
    else:
        return np.asarray(m)[::-1, ...]


def rot90(m, k=1, axes=missing):
    """``np.rot90``."""
    if not given(axes):
        return rot90(np.asarray(m), k, (0, 1))
    if axes[0] == axes[1] or abs(axes[0] - axes[1]) == m.ndim:
        raise ValueError("Axes must be different.")
    if min(axes) < -m.ndim or max(axes) >= m.ndim:
        raise ValueError(f"Axes={axes} out of range for array of ndim={m.ndim}.")
    first, second = axis_of(axes[0], m.ndim), axis_of(axes[1], m.ndim)
    turns = k % 4
    if turns == 0:
        return strided(m, 0, m.shape, m.strides)
    if turns == 2:
        return flip(m, (first, second))
    if turns == 1:
        return swapaxes(flip(m, second), first, second)
    return flip(swapaxes(m, first, second), second)


def diagonal(a, offset=0, axis1=0, axis2=1):
    """``np.diagonal``: a readonly view."""
    if a.ndim < 2:
        raise ValueError("diag requires an array of at least two dimensions")
    else:
        return _diagonal(a, offset, axis1, axis2)


def _diagonal(a, offset, axis1, axis2):
    i, k = axis_of(axis1, a.ndim, "axis1"), axis_of(axis2, a.ndim, "axis2")
    if i == k:
        raise ValueError("axis1 and axis2 cannot be the same")
    rows, columns, first = a.shape[i], a.shape[k], 0
    if offset >= 0:
        columns = max(columns - offset, 0)
        first = offset * a.strides[k]
    else:
        rows = max(rows + offset, 0)
        first = -offset * a.strides[i]
    count = min(rows, columns)
    shape, strides = a.shape[2:], a.strides[2:]
    if a.ndim > 2:
        new = 0
        for axis in range(a.ndim):
            if axis != i and axis != k:
                shape, strides = with_item(shape, new, a.shape[axis]), with_item(strides, new, a.strides[axis])
                new += 1
    return readonly(strided(a, first if count > 0 else 0, shape + (count,), strides + (a.strides[i] + a.strides[k],)))


def atleast_1d(*arys):
    """``np.atleast_1d``."""
    if len(arys) == 1:
        return _at_least(np.asarray(arys[0]), 1)
    return _each_at_least(arys, 1)


def atleast_2d(*arys):
    """``np.atleast_2d``."""
    if len(arys) == 1:
        return _at_least(np.asarray(arys[0]), 2)
    return _each_at_least(arys, 2)


def atleast_3d(*arys):
    """``np.atleast_3d``."""
    if len(arys) == 1:
        return _at_least(np.asarray(arys[0]), 3)
    return _each_at_least(arys, 3)


def _each_at_least(arrays, ndim: known):
    if len(arrays) == 0:
        return ()
    return (_at_least(np.asarray(arrays[0]), ndim),) + _each_at_least(arrays[1:], ndim)


def _at_least(a, ndim: known):
    if a.ndim == 0:
        return a.reshape((1,) * ndim)
    if ndim == 2 and a.ndim == 1:
        return a[None, :]
    if ndim == 3 and a.ndim == 1:
        return a[None, :, None]
    if ndim == 3 and a.ndim == 2:
        return a[:, :, None]
    return a


# Shapes ---------------------------------------------------------------------------------------------------------------


def shape(a):
    """``np.shape``."""
    return np.asarray(a).shape


def size(a, axis=None):
    """``np.size``."""
    if axis is None:
        return np.asarray(a).size
    return np.asarray(a).shape[axis_of(axis, np.ndim(a))]


def reversed_tuple(values):
    """The items from the last to the first."""
    if len(values) == 0:
        return ()
    return reversed_tuple(values[1:]) + (values[0],)


def reshape(a, shape, order="C", copy: known = None):
    """``np.reshape``."""
    if not isinstance(a, np.ndarray):
        return reshape(np.asarray(a), shape, order)
    if copy is not None:
        if copy:
            return reshape(a.copy() if order == "C" else a.copy(order="F"), shape, order)
    if order == "C":
        return a.reshape(shape)
    if order == "F":
        return in_fortran_order(a, shape)
    if order == "A":
        if f_contiguous(a) and not c_contiguous(a):
            return any_layout(in_fortran_order(a, shape))
        return any_layout(a.reshape(shape))
    raise ValueError("order must be one of 'C', 'F', 'A'")


def in_fortran_order(a, shape):
    """The same, in Fortran's order: of the transposed array in C order, with the shape the other way round."""
    if isinstance(shape, tuple):
        _check_size(a.size, shape)
        return a.T.reshape(reversed_tuple(shape)).T
    return a.T.reshape(shape)


def _check_size(size, shape):
    """The same error, which tells the shape as it was given."""
    product, unknown = 1, 0
    for n in shape:
        if n == -1:
            unknown += 1
        else:
            product *= n
    raise_if(unknown > 1, "ValueError", "can only specify one unknown dimension")
    fits = product == size if unknown == 0 else unknown == 1 and product > 0 and size % product == 0
    if not fits:
        extents = ",".join(["newaxis" if n == -1 else str(n) for n in shape])
        comma = "," if len(shape) == 1 else ""
        raise ValueError(f"cannot reshape array of size {size} into shape ({extents}{comma})")


def any_layout(a):
    """A view whose type says nothing of its order."""
    return strided(a, 0, a.shape, a.strides)


def reshape_axes(self, *shape, order="C", copy: known = None):
    """``a.reshape`` with an order."""
    if len(shape) == 1:
        return reshape(self, shape[0], order, copy)
    return reshape(self, shape, order, copy)


def ravel(a, order="C"):
    """``np.ravel``."""
    if not isinstance(a, np.ndarray):
        return ravel(np.asarray(a), order)
    if order == "F":
        return ravel(a.T)
    if order == "C":
        if c_contiguous(a):
            return in_order(a).reshape(-1)
        return a.copy().reshape(-1)
    if order == "A" or order == "K":
        if f_contiguous(a) and not c_contiguous(a):
            return ravel(a.T)
        if order == "K" and not c_contiguous(a):
            return ravel(in_memory_order(a))
        return ravel(a)
    raise ValueError("order must be one of 'C', 'F', 'A', 'K'")


def flatten(self, order="C"):
    """``a.flatten``: a copy."""
    if order == "F":
        return self.T.copy().reshape(-1)
    if order == "A" or order == "K":
        if f_contiguous(self) and not c_contiguous(self):
            return self.T.copy().reshape(-1)
        if order == "K" and not c_contiguous(self):
            return in_memory_order(self).copy().reshape(-1)
    return self.copy().reshape(-1)


# Broadcasting ---------------------------------------------------------------------------------------------------------


def broadcast_to(array, shape, subok=False):
    """``np.broadcast_to``: a readonly view."""
    if not isinstance(array, np.ndarray):
        return broadcast_to(np.asarray(array), shape)
    if not isinstance(shape, tuple):
        return broadcast_to(array, (shape,))
    if len(shape) < array.ndim:
        raise ValueError("input operand has more dimensions than allowed by the axis remapping")
    else:
        return _broadcast_to(array, shape)


def _fits(own, shape):
    """Whether each extent is that of the shape, or 1."""
    if len(own) == 0:
        return True
    return (own[0] == 1 or own[0] == shape[0]) and _fits(own[1:], shape[1:])


def _broadcast_to(array, shape):
    size, is_large = 1, False
    for n in shape:
        raise_if(n < 0, "ValueError", "all elements of broadcast shape must be non-negative")
        is_large = is_large or (n > 0 and size > (2**63 - 1) // n)
        size *= n
    raise_if(is_large, "ValueError", "iterator is too large")
    raise_if(
        not _fits(array.shape, shape[len(shape) - array.ndim :]),
        "ValueError",
        "operands could not be broadcast together with remapped shapes [original->remapped]: {0}  and "
        "requested shape {1}",
        array.shape,
        shape,
    )
    return readonly(broadcast(array, shape))


def _joined(a, b):
    """The shape that two shapes broadcast to."""
    if len(a) < len(b):
        return _joined(b, a)
    if len(b) == 0:
        return a
    raise_if(
        a[-1] != b[-1] and a[-1] != 1 and b[-1] != 1,
        "ValueError",
        "shape mismatch: objects cannot be broadcast to a single shape",
    )
    return _joined(a[:-1], b[:-1]) + (b[-1] if a[-1] == 1 else a[-1],)


def broadcast_shapes(*args):
    """``np.broadcast_shapes``."""
    return _joined_shapes(args)


def _meet(a, b):
    """Whether two shapes broadcast to one."""
    if len(a) == 0 or len(b) == 0:
        return True
    return (a[-1] == b[-1] or a[-1] == 1 or b[-1] == 1) and _meet(a[:-1], b[:-1])


def _joined_shapes(shapes):
    if len(shapes) == 2 and isinstance(shapes[0], tuple) and isinstance(shapes[1], tuple):
        if not _meet(shapes[0], shapes[1]):
            raise ValueError(
                "shape mismatch: objects cannot be broadcast to a single shape.  Mismatch is between arg 0 with shape "
                f"{shapes[0]} and arg 1 with shape {shapes[1]}."
            )
    if len(shapes) == 0:
        return ()
    if not isinstance(shapes[0], tuple):
        return _joined((shapes[0],), _joined_shapes(shapes[1:]))
    return _joined(shapes[0], _joined_shapes(shapes[1:]))


def _shapes_of(arrays):
    if len(arrays) == 0:
        return ()
    return (np.asarray(arrays[0]).shape,) + _shapes_of(arrays[1:])


def broadcast_arrays(*args, subok=False):
    """``np.broadcast_arrays``."""
    return _broadcast_each(args, _joined_shapes(_shapes_of(args)))


def _broadcast_each(arrays, shape):
    if len(arrays) == 0:
        return ()
    return (broadcast(np.asarray(arrays[0]), shape),) + _broadcast_each(arrays[1:], shape)


# Elements and orders --------------------------------------------------------------------------------------------------


def fill(self, value):
    """``a.fill(value)``."""
    self[...] = value


def view(self, dtype=None):
    """``a.view(dtype)``."""
    if dtype is None:
        return self[...]
    return retyped(self, dtype)


def real(val):
    """``a.real``: of complex numbers a view of their real parts."""
    if val.dtype.kind == "c":
        return complex_part(val, 0)
    return val


def imag(val):
    """``a.imag``: of real numbers zeros."""
    if val.dtype.kind == "c":
        return complex_part(val, 1)
    return readonly(np.zeros_like(val))


def set_real(self, value):
    """``a.real = value``."""
    real(self)[...] = value


def set_imag(self, value):
    """``a.imag = value``, of complex numbers."""
    if self.dtype.kind != "c":
        raise TypeError("array does not have imaginary part to set")
    complex_part(self, 1)[...] = value


def copy_in_order(self, order="C"):
    """``a.copy(order)``."""
    if order == "C":
        return self.copy()
    if order == "F":
        return self.T.copy().T
    if order == "K":
        return np.copy(self)
    if order == "A":
        if f_contiguous(self) and not c_contiguous(self):
            return any_layout(self.T.copy().T)
        return any_layout(self.copy())
    raise ValueError("order must be one of 'C', 'F', 'A', 'K'")


def copy(a, order="K", subok=False):
    """``np.copy``."""
    if not isinstance(a, np.ndarray):
        return np.array(a)
    return copy_in_order(a, order)


def ascontiguousarray(a, dtype=None):
    """``np.ascontiguousarray``."""
    out = np.atleast_1d(np.asarray(a, dtype))
    if c_contiguous(out):
        return in_order(out)
    return out.copy()


def asfortranarray(a, dtype=None):
    """``np.asfortranarray``."""
    out = np.atleast_1d(np.asarray(a, dtype))
    if f_contiguous(out):
        return in_order(out.T).T
    return out.T.copy().T


def may_share_memory(a, b, /, max_work=None):
    """``np.may_share_memory``: whether what lies between the ends of both has bytes in common."""
    x, y = np.asarray(a), np.asarray(b)
    if x.size == 0 or y.size == 0:
        return False
    return _low_end(x) < _high_end(y) and _low_end(y) < _high_end(x)


def _low_end(a):
    address = a.ctypes.data
    for axis in range(a.ndim):
        if a.strides[axis] < 0:
            address += a.strides[axis] * (a.shape[axis] - 1)
    return address


def _high_end(a):
    address = a.ctypes.data + a.itemsize
    for axis in range(a.ndim):
        if a.strides[axis] > 0:
            address += a.strides[axis] * (a.shape[axis] - 1)
    return address


# Flags ----------------------------------------------------------------------------------------------------------------


def aligned_flag(flags):
    """``a.flags.aligned``: elements of arrays of numbers are."""
    return True


def c_contiguous_flag(flags):
    """``a.flags.c_contiguous``."""
    return c_contiguous(flags)


def f_contiguous_flag(flags):
    """``a.flags.f_contiguous``."""
    return f_contiguous(flags)


def fnc_flag(flags):
    """``a.flags.fnc``: Fortran's order, and not C."""
    return f_contiguous(flags) and not c_contiguous(flags)


def forc_flag(flags):
    """``a.flags.forc``: one of both."""
    return f_contiguous(flags) or c_contiguous(flags)


def writeable_flag(flags):
    """``a.flags.writeable``."""
    return writeable(flags)
