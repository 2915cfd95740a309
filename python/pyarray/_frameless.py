"""Functions whose exceptions end at the line that calls them: decorators, which check what they are given."""

import functools

from ._pyarray import _without_own_frames


def frameless(function):
    """The function, called by C code that takes frames of the package out of the traceback."""
    return functools.update_wrapper(functools.partial(_without_own_frames, function), function)
