"""Arrays for tests of whole-array operations: every dtype, layout and shape, and what must be equal to NumPy's."""

import numpy as np
from compare import copied, outcome
from hypothesis import strategies as st

DTYPES = ["?", "i1", "u2", "i4", "i8", "u8", "f2", "f4", "f8", "c8", "c16", "M8[D]", "m8[s]"]
RECORD = np.dtype([("x", "f8"), ("n", "i4"), ("pair", "i2", (2,))], align=True)
SHAPES = [(), (0,), (1,), (5,), (0, 3), (2, 3), (1, 4), (3, 1, 2), (2, 3, 4), (2, 0, 2), (2, 1, 3, 2)]


def filled(shape, dtype):
    """Numbers that all differ, as far as the dtype has room."""
    dtype = np.dtype(dtype)
    count = int(np.prod(shape, dtype=np.int64))
    if dtype.names:
        out = np.zeros(count, dtype)
        out["x"], out["n"], out["pair"] = np.arange(count) / 2, np.arange(count), np.arange(2 * count).reshape(count, 2)
        return out.reshape(shape)
    if dtype.kind == "b":
        return (np.arange(count) % 3 == 0).reshape(shape)
    if dtype.kind == "c":
        return (np.arange(count) - 1j * np.arange(count)[::-1]).astype(dtype).reshape(shape)
    return (np.arange(count) + 1).astype(dtype).reshape(shape)


def laid_out(array, layout):
    """A copy of the array in one of the layouts C, F, sliced, backwards, transposed, readonly."""
    if layout == "F":
        return np.array(array, order="F")
    if layout == "sliced":
        room = np.zeros([2 * n + 1 for n in array.shape], array.dtype)
        view = room[tuple(slice(1, None, 2) for _ in array.shape)] if array.ndim else room[...]
        view[...] = array
        return view
    if layout == "backwards":
        backwards = tuple(slice(None, None, -1) for _ in array.shape)
        return array[backwards].copy()[backwards] if array.ndim else array.copy()
    if layout == "transposed" and array.ndim > 1:
        axes = (*range(1, array.ndim), 0)
        view = array.transpose(np.argsort(axes)).copy().transpose(axes)
        assert view.shape == array.shape
        return view
    result = array.copy()
    result.flags.writeable = layout != "readonly"
    return result


LAYOUTS = ["C", "F", "sliced", "backwards", "transposed", "readonly"]


@st.composite
def drawn(draw, dtypes=DTYPES, shapes=SHAPES, layouts=LAYOUTS):
    """An array."""
    array = filled(draw(st.sampled_from(shapes)), draw(st.sampled_from(dtypes)))
    return laid_out(array, draw(st.sampled_from(layouts)))


def same_values(ours, theirs, writeable=True):
    """Equality of kind, dtype, shape and elements, in tuples and lists too; numbers come to Python as Python's.

    Where arguments are not writeable, what may be a view of them is not, also where it is a copy.
    """
    if isinstance(theirs, (tuple, list)):
        assert len(ours) == len(theirs)
        for mine, other in zip(ours, theirs):
            same_values(mine, other, writeable)
        return
    if not isinstance(theirs, np.ndarray):
        assert not isinstance(ours, np.ndarray), (ours, theirs)
        np.testing.assert_equal(np.asarray(ours)[()], np.asarray(theirs).astype(np.asarray(ours).dtype)[()])
        return
    assert isinstance(ours, np.ndarray), (ours, theirs)
    assert (ours.dtype, ours.shape) == (theirs.dtype, theirs.shape), (
        ours.dtype,
        ours.shape,
        theirs.dtype,
        theirs.shape,
    )
    if theirs.dtype.names:
        assert repr(ours.tolist()) == repr(theirs.tolist())
    else:
        np.testing.assert_array_equal(ours, theirs)
    assert ours.flags.writeable == theirs.flags.writeable or not (writeable or ours.flags.writeable)


def check(function, *arguments):
    """As NumPy: results, exceptions and their text, what is in the arguments then, and which memory results share."""
    mine, other = copied(arguments), copied(arguments)
    ours, theirs = outcome(function, mine), outcome(function.py_func, other)
    assert ours[0] == theirs[0], (ours, theirs)
    for one, two in zip(mine, other):
        same_values(one, two)
    if ours[0] == "raised":
        assert ours[1] is theirs[1] and ours[2] == theirs[2], (ours, theirs)
        return
    same_values(ours[1], theirs[1], all(a.flags.writeable for a in arguments if isinstance(a, np.ndarray)))
    results = [list(value) if isinstance(value, (tuple, list)) else [value] for value in (ours[1], theirs[1])]
    for one, two in zip(*results):
        for k, argument in enumerate(arguments):
            if isinstance(two, np.ndarray) and isinstance(argument, np.ndarray) and two.size:
                assert np.shares_memory(one, mine[k]) == np.shares_memory(two, other[k]), (one.strides, two.strides)
