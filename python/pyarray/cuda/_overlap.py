"""Which arrays have elements in common, and which have elements that lie over each other."""

import numpy as np

_TooHardError = getattr(np, "exceptions", np).TooHardError
_MAX_WORK = 10_000  # of looking for a common element; where that is not enough, there may be one


def share_elements(first, second):
    """Of two arrays of the host, or shadows of device arrays."""
    try:
        return np.shares_memory(first, second, max_work=_MAX_WORK)
    except _TooHardError:
        return True


def overlaps_itself(array):
    """Whether elements of one array lie over each other, as those of a broadcast one do."""
    if array.flags.c_contiguous or array.flags.f_contiguous:
        return False
    steps = sorted((abs(step), extent) for step, extent in zip(array.strides, array.shape, strict=True) if extent > 1)
    is_nested, span = True, array.itemsize
    for step, extent in steps:
        is_nested &= step >= span
        span += step * (extent - 1)
    if is_nested or array.size * array.itemsize > span:
        return not is_nested
    places = np.zeros(1, np.int64)
    for step, extent in steps:
        places = np.add.outer(places, step * np.arange(extent)).ravel()
    places.sort()
    return bool((np.diff(places) < array.itemsize).any())


def refuse_overlapping_on_device(array, what):
    """The same of a device array; called from C (pa_device_array_check_output)."""
    refuse_overlapping(array._shadow(), what)


def refuse_overlapping(array, what):
    """ValueError where an array that is written overlaps itself."""
    if overlaps_itself(array):
        raise ValueError(
            f"{what} is written, and its elements lie over each other: shape {array.shape}, strides {array.strides}"
        )
