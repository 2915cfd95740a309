"""Objects that are no arrays, but that NumPy makes one of, as arguments of compiled functions."""

import numpy as np

_CPU = 1  # kDLCPU


def as_array(value):
    """The array that an object is by a protocol, or None.

    ``__array_interface__`` and ``__dlpack__`` share memory; what ``__array__`` gives may be a copy, so that compiled
    code only reads it.
    """
    kind = type(value)
    if isinstance(value, type) or hasattr(kind, "__cuda_array_interface__"):  # a copy from the device is asked for
        return None
    if hasattr(value, "__array_interface__"):
        return _plain(np.asarray(value))
    if hasattr(kind, "__dlpack__") and hasattr(kind, "__dlpack_device__"):
        if value.__dlpack_device__()[0] != _CPU:
            return None
        return _plain(np.from_dlpack(value))
    if not hasattr(kind, "__array__"):
        return None
    array = _plain(np.asarray(value))
    if array is not None:
        array = array.view()
        array.flags.writeable = False
    return array


def _plain(array):
    return array if isinstance(array, np.ndarray) else None
