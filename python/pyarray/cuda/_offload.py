"""Arguments and results of functions whose whole arrays are a GPU's (``njit(target="cuda")``)."""

import numpy as np

from ._arrays import DeviceNDArray, as_cuda_array, is_cuda_array, to_device

_LAST_BIT = 63


def on_device(value, number, moved):
    """(what stands for argument `number` on the device, whether an array in it was there already).

    NumPy arrays are copied, and noted in ``moved`` as (array, copy, number).
    """
    if isinstance(value, np.ndarray):
        copy = to_device(value)
        if not value.flags.writeable:
            copy = DeviceNDArray(copy.shape, copy.strides, copy.dtype, gpu_data=copy.gpu_data, readonly=True)
        moved.append((value, copy, number))
        return copy, False
    if isinstance(value, tuple):
        items = [on_device(item, number, moved) for item in value]
        values = [item for item, _ in items]
        made = type(value)(*values) if hasattr(value, "_fields") else tuple(values)
        return made, any(is_there for _, is_there in items)
    if isinstance(value, DeviceNDArray):
        return value, True
    if is_cuda_array(value):
        return as_cuda_array(value), True
    return value, False


def returned(result, moved, to_host, written):
    """The result of a call; arguments that were copied to the device come back where they may have been written.

    Parameters
    ----------
    result : object
    moved : list of (ndarray, DeviceNDArray, int) or None
        The arguments, their copies, and their numbers.
    to_host : bool
        No argument was on a device: arrays in the result become NumPy's.
    written : int
        Bit `i`: the function may write to argument `i`, the last bit stands for all from there on.
    """
    for array, copy, number in moved or ():
        if written >> min(number, _LAST_BIT) & 1 and array.flags.writeable:
            copy.copy_to_host(array)
    return _returned(result, moved or (), to_host)


def _returned(value, moved, to_host):
    if isinstance(value, DeviceNDArray):
        for array, copy, _ in moved:
            if value is copy:
                return array
        return value.copy_to_host() if to_host else value
    if type(value) is list:
        return [_returned(item, moved, to_host) for item in value]
    if isinstance(value, tuple):
        items = [_returned(item, moved, to_host) for item in value]
        return type(value)(*items) if hasattr(value, "_fields") else tuple(items)
    return value
