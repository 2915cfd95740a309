"""Device arrays that kernels know as globals: where they lie, and that they stay there."""

import weakref

import numpy as np

from .. import typeof
from ._arrays import DeviceNDArray

_kept = weakref.WeakKeyDictionary()  # by the function that is compiled


def parts_of(value, function):
    """Address, type code, shape, and whether that is the transposed array; None for what is no device array.

    The array is kept as long as the function.

    Raises
    ------
    TypeError
        It has elements that kernels do not have, or is not contiguous.
    """
    if not isinstance(value, DeviceNDArray):
        if not hasattr(value, "__cuda_array_interface__"):
            return None
        from ._arrays import as_cuda_array

        value = as_cuda_array(value)
    model = np.empty((1,) * value.ndim, value.dtype)
    model.flags.writeable = not value.__cuda_array_interface__["data"][1]
    code = typeof(model).code
    turned = not value.is_c_contiguous()
    if turned and not value.is_f_contiguous():
        raise TypeError(
            "a global device array that is not contiguous is not supported in kernels; pass it as an argument"
        )
    _kept.setdefault(function, []).append(value)
    address = value.__cuda_array_interface__["data"][0]
    return address, code, value.shape[::-1] if turned else value.shape, turned
