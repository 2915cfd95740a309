"""The elements of an array that are not NaN, without a temporary mask: ``a[~np.isnan(a)]`` as a loop."""

import numpy as np
from pyarray import njit


@njit
def nan_compact(x):
    """Copy of a 1-D float array without its NaNs."""
    out = np.empty_like(x)
    out_index = 0
    for element in x:
        if not np.isnan(element):
            out[out_index] = element
            out_index += 1
    return out[:out_index]


def arguments(size=10_000):
    """An array of which a fifth is NaN."""
    a = np.random.default_rng(1).uniform(size=size)
    a[a < 0.2] = np.nan
    return (a,)


def reference(a):
    """The same with NumPy."""
    return a[~np.isnan(a)]


def main():
    """Print how many elements remain."""
    (a,) = arguments()
    result = nan_compact(a)
    np.testing.assert_equal(result, reference(a))
    print(f"{len(result)} of {len(a)} elements are numbers; the first are {result[:3]}")


if __name__ == "__main__":
    main()
