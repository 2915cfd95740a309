"""``np.ndindex`` and ``np.ndenumerate``: the indices of arrays, in C order."""


def _below(shape):
    if len(shape) == 0:
        yield ()
    else:
        for first in range(shape[0]):
            for rest in _below(shape[1:]):
                yield (first,) + rest


def _checked(shape):
    for extent in shape:
        if extent < 0:
            raise ValueError("negative dimensions are not allowed")
    return shape


def ndindex(*shape):
    """Every index of an array of that shape, as a tuple."""
    if len(shape) == 1 and isinstance(shape[0], tuple):
        return _below(_checked(shape[0]))
    else:
        return _below(_checked(shape))


def ndenumerate(arr):
    """The index and the value of every element."""
    for index in _below(arr.shape):
        yield index, arr[index]
