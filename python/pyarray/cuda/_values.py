"""Arguments of the host's functions as numbers and dtypes, with errors that name the argument."""

import math
import operator

import numpy as np


def _kind(value):
    """The kind of the dtype of an array or scalar of NumPy's, else a space."""
    return getattr(getattr(value, "dtype", None), "kind", " ")


def _may_be_number(value):
    """Also of what float() would read as a number, such as text."""
    is_text = isinstance(value, (str, bytes, bytearray)) or _kind(value) in "SUOmM"
    return value is not None and not is_text and not getattr(value, "shape", ())


def _described(value):
    shape = getattr(value, "shape", None)
    return f"an array of shape {shape}" if isinstance(shape, tuple) and shape else type(value).__name__


def whole(value, what, least=0, most=2**64 - 1):
    """``value`` as an int from ``least`` to ``most``."""
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{what} is an int, not {_described(value)}") from None
    if not least <= number <= most:
        raise ValueError(f"{what} is {_range(least, most)}, not {number}")
    return number


def _range(least, most):
    if most == math.inf:
        return f"{least} or more"
    bits = most.bit_length()
    return f"from {least} to {f'2**{bits} - 1' if bits > 30 and most == 2**bits - 1 else most}"


def real(value, what):
    """``value`` as a float."""
    if isinstance(value, complex) or _kind(value) == "c":
        raise TypeError(f"{what} is a real number, not {value!r}")
    return _converted(float, value, what)


def number(value, what):
    """``value`` as a complex."""
    return _converted(complex, value, what)


def _converted(kind, value, what):
    try:
        if _may_be_number(value):
            return kind(value)
    except OverflowError:
        raise ValueError(f"{what} is more than a float holds") from None
    except (TypeError, ValueError):
        pass
    raise TypeError(f"{what} is a number, not {_described(value)}")


def dtype_of(value, what):
    """``value`` as a dtype; None is none."""
    try:
        if value is not None:
            return np.dtype(value)
    except (TypeError, ValueError):
        pass
    raise TypeError(f"{what} is a dtype, not {value!r}")
