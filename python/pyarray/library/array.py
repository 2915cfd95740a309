"""Methods of arrays."""

import numpy as np

from ._intrinsics import bytes_of_array, in_c_order


def astype(self, dtype):
    """``a.astype(dtype)``."""
    out = np.empty_like(self, dtype)
    out[:] = self
    return out


def tobytes(self):
    """The bytes of the elements, in C order."""
    return bytes_of_array(in_c_order(self))
