"""What dtypes and values are: ``np.isdtype``, ``np.common_type`` and their kin."""

import numpy as np

from .._intrinsics import known


def iterable(y):
    """``np.iterable``."""
    if isinstance(y, np.ndarray):
        return y.ndim > 0
    return (y is not None and not np.isscalar(y)) or isinstance(y, (str, bytes))


def isdtype(dtype, kind: known):
    """``np.isdtype``: of a dtype, a kind with a name, or a tuple of these."""
    if isinstance(kind, tuple):
        return _is_any(dtype, kind)
    elif isinstance(kind, str):
        return _is_kind(np.dtype(dtype).kind, kind)
    else:
        return np.dtype(dtype) == np.dtype(kind)


def _is_any(dtype, kinds):
    if len(kinds) == 0:
        return False
    return isdtype(dtype, kinds[0]) or _is_any(dtype, kinds[1:])


def _is_kind(letter: known, name: known):
    if name == "bool":
        return letter == "b"
    elif name == "signed integer":
        return letter == "i"
    elif name == "unsigned integer":
        return letter == "u"
    elif name == "integral":
        return letter == "i" or letter == "u"
    elif name == "real floating":
        return letter == "f"
    elif name == "complex floating":
        return letter == "c"
    elif name == "numeric":
        return letter == "i" or letter == "u" or letter == "f" or letter == "c"
    else:
        raise ValueError(f"kind argument is a string, but '{name}' is not a known kind name.")


def common_type(*arrays):
    """``np.common_type``: a class of floats or complex numbers."""
    return _inexact(arrays).dtype.type


def _inexact(arrays):
    """What stands for the dtype that all have in common."""
    if len(arrays) == 0:
        return np.empty(0, np.float16)
    first, others = arrays[0], _inexact(arrays[1:])
    if first.dtype.kind == "b":
        raise TypeError("can't get common type for non-numeric array")
    elif first.dtype.kind == "i" or first.dtype.kind == "u":
        return np.empty(0, np.promote_types(np.float64, others.dtype))
    else:
        return np.empty(0, np.promote_types(first.dtype, others.dtype))
