"""Operands of CUDA's libraries: device arrays that a library takes, and copies for all other arrays."""

import numpy as np

from ._arrays import DeviceNDArray, _on_device, _refuse_masked, device_array
from ._overlap import refuse_overlapping, share_elements


class Operand:
    """An array of a library's call, as a device array in an order that the library takes.

    Orders are "C", "F", "A" (either), "strided" (a vector with any positive step), "columns" (a matrix whose columns
    are contiguous, at any distance), "rows or columns", "batch" (of matrices in rows or columns). An array in another
    order is copied, and one that does not lie at a multiple of ``alignment`` bytes: of its elements unless given.

    Attributes
    ----------
    array : DeviceNDArray
        What the library works on: the array itself, or a copy.
    """

    def __init__(self, value, dtype, stream=0, order="C", reads=True, writes=False, what="the array", alignment=None):
        found = _on_device(value, stream)
        if found is None:
            _refuse_masked(value)
            found = value if writes else np.asarray(value)
            if not isinstance(found, np.ndarray):
                raise TypeError(f"{what} is an array, not {type(value).__name__}")
        if found.dtype != dtype:
            raise TypeError(f"{what} has dtype {found.dtype}, not {np.dtype(dtype)}")
        if writes and not (found.flags.writeable if isinstance(found, np.ndarray) else not found.readonly):
            raise ValueError(f"{what} is read-only")
        if writes:
            refuse_overlapping(_elements(found), what)
        self._target, self._stream = (found if writes else None), stream
        alignment = alignment or found.dtype.itemsize
        if isinstance(found, DeviceNDArray) and _has_order(found, order) and found._address % alignment == 0:
            self.array = found._alive()
            return
        self.array = device_array(found.shape, dtype, order="F" if order in ("F", "columns") else "C")
        if reads:
            self.array.copy_to_device(found, stream=stream)

    def shares_with(self, other):
        """Whether the array that was given has elements in common with that of another operand; both are written."""
        return share_elements(_elements(self._target), _elements(other._target))

    def set_apart(self):
        """Work on a copy."""
        self.array = copied(self.array, self._stream)

    def give_back(self):
        """Copy what the library has written to the array that was given, and return that."""
        target = self._target
        if isinstance(target, np.ndarray):
            self.array.copy_to_host(target)
        elif target is not self.array:
            target.copy_to_device(self.array, stream=self._stream)
        return target


def _elements(array):
    """The array as NumPy sees it, on the device without its elements."""
    return array._shadow() if isinstance(array, DeviceNDArray) else array


def _has_columns(array):
    first, second = array.strides
    rows, columns = array.shape
    step = max(rows, 1) * array.itemsize
    return (rows <= 1 or first == array.itemsize) and (
        columns <= 1 or (second >= step and second % array.itemsize == 0)
    )


_ORDERS = {
    "C": lambda array: array.is_c_contiguous(),
    "F": lambda array: array.is_f_contiguous(),
    "A": lambda array: array.is_c_contiguous() or array.is_f_contiguous(),
    "strided": lambda array: (
        array.ndim == 1 and (len(array) <= 1 or (array.strides[0] > 0 and array.strides[0] % array.itemsize == 0))
    ),
    "columns": lambda array: array.ndim == 2 and _has_columns(array),
    "rows or columns": lambda array: array.ndim == 2 and (_has_columns(array) or _has_columns(array.T)),
    "batch": lambda array: (
        array.ndim == 3
        and (len(array) <= 1 or (array.strides[0] >= 0 and array.strides[0] % array.itemsize == 0))
        and (not len(array) or _ORDERS["rows or columns"](array[0]))
    ),
}


def _has_order(array, order):
    return _ORDERS[order](array)


def copied(array, stream=0):
    """A copy of a device array, in its order."""
    copy = device_array(array.shape, array.dtype, order="C" if array.is_c_contiguous() else "F")
    copy.copy_to_device(array, stream=stream)
    return copy


def on_host(array):
    """The elements of a device array where the CPU plays the device: no copy."""
    return array._shadow()


def overlap(first, second):
    """Whether two device arrays may have elements in common."""
    return first._ordinal == second._ordinal and np.may_share_memory(first._shadow(), second._shadow())
