"""NumPy's classes of numbers, called with an array, list or tuple: ``np.float32(a)`` is a new array of that dtype."""

import numpy as np


def _array(x, dtype):
    out = np.array(x, dtype)
    if out.ndim == 0:
        return out[()]
    return out


def _only(x):
    if x.ndim == 0:
        return x[()]
    else:
        raise TypeError("only 0-dimensional arrays can be converted to Python scalars")


def int_of(x):
    """``int(array)``."""
    return int(_only(x))


def float_of(x):
    """``float(array)``."""
    return float(_only(x))


def complex_of(x):
    """``complex(array)``."""
    return complex(_only(x))


def bool_(x):
    """``np.bool_``."""
    return _array(x, np.bool_)


def int8(x):
    """``np.int8``."""
    return _array(x, np.int8)


def int16(x):
    """``np.int16``."""
    return _array(x, np.int16)


def int32(x):
    """``np.int32``."""
    return _array(x, np.int32)


def int64(x):
    """``np.int64``."""
    return _array(x, np.int64)


def uint8(x):
    """``np.uint8``."""
    return _array(x, np.uint8)


def uint16(x):
    """``np.uint16``."""
    return _array(x, np.uint16)


def uint32(x):
    """``np.uint32``."""
    return _array(x, np.uint32)


def uint64(x):
    """``np.uint64``."""
    return _array(x, np.uint64)


def float16(x):
    """``np.float16``."""
    return _array(x, np.float16)


def float32(x):
    """``np.float32``."""
    return _array(x, np.float32)


def float64(x):
    """``np.float64``."""
    return _array(x, np.float64)


def complex64(x):
    """``np.complex64``."""
    return _array(x, np.complex64)


def complex128(x):
    """``np.complex128``."""
    return _array(x, np.complex128)


def intp(x):
    """``np.intp``."""
    return _array(x, np.intp)


def uintp(x):
    """``np.uintp``."""
    return _array(x, np.uintp)
