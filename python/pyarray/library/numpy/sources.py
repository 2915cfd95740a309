"""Arrays of what comes one after the other, or of what a function makes: ``np.fromiter``, ``np.mask_indices``."""

import numpy as np


def fromiter(iter, dtype, count=-1):
    """``np.fromiter``."""
    out, n = np.empty(count if count >= 0 else 16, dtype), 0
    if count != 0:
        for item in iter:
            if n == len(out):
                out = _wider(out)
            out[n] = item
            n += 1
            if n == count:
                break
    if n < count:
        raise ValueError(f"iterator too short: Expected {count} but iterator had only {n} items.")
    return out if n == count else out[:n].copy()


def _wider(a):
    made = np.empty(2 * len(a), a.dtype)
    made[: len(a)] = a
    return made


def mask_indices(n, mask_func, k=0):
    """``np.mask_indices``."""
    return np.nonzero(np.not_equal(mask_func(np.ones((n, n), np.int64), k), 0))
