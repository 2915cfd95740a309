"""Comparisons of text in arrays as ``np.char`` has them, which leave white space at the end out."""

import numpy as np

from .._intrinsics import known
from .texts import equal, greater, greater_equal, less, less_equal, not_equal
from .texts import rstrip as without_space


def stripped_equal(x1, x2):
    """``np.char.equal``, which leaves white space at the end out."""
    return equal(_without_space(x1), _without_space(x2))


def stripped_not_equal(x1, x2):
    """``np.char.not_equal``."""
    return not_equal(_without_space(x1), _without_space(x2))


def stripped_less(x1, x2):
    """``np.char.less``."""
    return less(_without_space(x1), _without_space(x2))


def stripped_less_equal(x1, x2):
    """``np.char.less_equal``."""
    return less_equal(_without_space(x1), _without_space(x2))


def stripped_greater(x1, x2):
    """``np.char.greater``."""
    return greater(_without_space(x1), _without_space(x2))


def stripped_greater_equal(x1, x2):
    """``np.char.greater_equal``."""
    return greater_equal(_without_space(x1), _without_space(x2))


def _without_space(x):
    if isinstance(x, np.ndarray):
        return without_space(x)
    return x.rstrip()


def compare_chararrays(a1, a2, cmp: known, rstrip: known):
    """``np.char.compare_chararrays``."""
    x, y = (_without_space(a1), _without_space(a2)) if rstrip else (a1, a2)
    if cmp == "==":
        return equal(x, y)
    elif cmp == "!=":
        return not_equal(x, y)
    elif cmp == "<":
        return less(x, y)
    elif cmp == "<=":
        return less_equal(x, y)
    elif cmp == ">":
        return greater(x, y)
    elif cmp == ">=":
        return greater_equal(x, y)
    else:
        raise ValueError("comparison must be '==', '!=', '<', '>', '<=', '>='")
