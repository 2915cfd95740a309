"""Items of arrays of text with characters beside them, up to a width.

NumPy's dtype has room for the longest result, which is the width where that is no less than the room of the items. To
less than that, it is the room of the items here: the longest item is not known when the function is compiled.
"""

from .._intrinsics import known, text_dtype, text_length
from .texts import _of_pairs


def _wide(a, width: known):
    """The dtype of the result."""
    if width < text_length(a):
        return a.dtype
    return text_dtype(a, width)


def center(a, width: known, fillchar=None):
    """``np.strings.center``."""
    if fillchar is None:
        return _of_pairs(lambda x, y: x.center(y), a, width, _wide(a, width))
    return _of_pairs(lambda x, y: x.center(y, fillchar), a, width, _wide(a, width))


def ljust(a, width: known, fillchar=None):
    """``np.strings.ljust``."""
    if fillchar is None:
        return _of_pairs(lambda x, y: x.ljust(y), a, width, _wide(a, width))
    return _of_pairs(lambda x, y: x.ljust(y, fillchar), a, width, _wide(a, width))


def rjust(a, width: known, fillchar=None):
    """``np.strings.rjust``."""
    if fillchar is None:
        return _of_pairs(lambda x, y: x.rjust(y), a, width, _wide(a, width))
    return _of_pairs(lambda x, y: x.rjust(y, fillchar), a, width, _wide(a, width))


def zfill(a, width: known):
    """``np.strings.zfill``."""
    return _of_pairs(lambda x, y: x.zfill(y), a, width, _wide(a, width))
