"""Arrays that are iterated over, searched and added up: ``np.nditer``, ``in``, ``sum``; lists of arrays that differ."""

import functools
import re

import numpy as np
import pytest
from arrays import LAYOUTS, filled, laid_out
from compare import copied, define, expression, outcome
from pyarray import njit
from pyarray.errors import TypingError


@functools.cache
def compiled(function, parallel):
    return njit(parallel=parallel)(function)


def check(function, *arguments):
    """The same values, or the same error, as Python's; in parallel code, too."""
    theirs = outcome(function, copied(arguments))
    for parallel in (False, True):
        ours = outcome(compiled(function, parallel), copied(arguments))
        assert ours[0] == theirs[0], (ours, theirs)
        if theirs[0] == "raised":
            assert ours[1] is theirs[1] and str(ours[2][0]).split("\n")[0] == str(theirs[2][0]), (ours, theirs)
        else:
            same(ours[1], theirs[1])


def same(ours, theirs):
    if isinstance(theirs, (list, tuple)):
        assert len(ours) == len(theirs)
        for mine, other in zip(ours, theirs, strict=True):
            same(mine, other)
        return
    assert isinstance(ours, np.ndarray) == isinstance(theirs, np.ndarray)
    if isinstance(theirs, np.ndarray):
        assert (ours.dtype, ours.shape) == (theirs.dtype, theirs.shape)
    np.testing.assert_array_equal(ours, theirs)


# -- np.nditer -------------------------------------------------------------------------------------


def elements(a):
    found = [0.0]
    for x in np.nditer(a):
        found.append(x.item() + 0.0)
    for x in np.nditer((a,), order="A"):
        found.append(x.item() + 0.0)
    for x in np.nditer(a, order="C"):
        found.append(x[()] + 0.0)
    for x in np.nditer(a, order="F"):
        found.append(x[()] + 0.0)
    return found


def pairs(a, b):
    found = [0.0]
    for x, y in np.nditer((a, b)):
        found.append(x.item() * 100.0 + y.item())
    for x, y in np.nditer([a, b], order="F"):
        found.append(x.item() * 100.0 + y.item())
    return found


def triples(a, b, c):
    found = [0.0]
    for x, y, z in np.nditer((a, b, c)):
        found.append(x.item() * 10000.0 + y.item() * 100.0 + z.item())
    return found


@pytest.mark.parametrize("shape", [(), (4,), (0,), (2, 3), (2, 0), (1, 3), (2, 3, 4)])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_elements_in_the_order_of_memory(shape, layout):
    check(elements, laid_out(filled(shape, "f8"), layout))


def test_elements_of_numbers():
    check(elements, 2.5)
    check(pairs, np.arange(3.0), 5)


@pytest.mark.parametrize("first", LAYOUTS)
@pytest.mark.parametrize("second", ["C", "F", "backwards"])
def test_several_arrays(first, second):
    a, b = laid_out(filled((2, 3), "f8"), first), laid_out(filled((2, 3), "i4"), second)
    check(pairs, a, b)
    check(triples, a, b[:1], np.asfortranarray(b)[::-1])


@pytest.mark.parametrize("shape", [(), (1,), (3,), (4,), (1, 3), (2, 1), (3, 3), (0, 3)])
def test_arrays_that_broadcast(shape):
    a, b = filled((2, 3), "f8"), filled(shape, "f8")
    check(pairs, a, b)
    check(pairs, b, a)
    check(triples, b, a, a.T.copy().T)


@pytest.mark.parametrize("count", [1, 2, 3])
def test_a_loop_over_elements_makes_no_generator(count):
    names, items = ", ".join("abc"[:count]), " + ".join(f"{name}[()]" for name in "xyz"[:count])
    targets = ", ".join("xyz"[:count])
    loop = f"for {targets} in np.nditer(({names},)):" if count > 1 else "for x in np.nditer(a):"
    f = define(f"def f({names}):\n    s = 0.0\n    {loop}\n        s += {items}\n    return s\n")
    a = filled((3, 4), "f8")
    arrays = [a, a.T.copy().T, a[:1]][:count]
    assert f(*arrays) == f.py_func(*arrays)
    (text,) = f.inspect_mlir(level=3).values()
    assert re.search(r"call @.*-> !pyarray.generator|iter_next", text) is None


def test_items_are_readonly():
    def store(a):
        for x in np.nditer(a):
            x[...] = 1
        return a

    with pytest.raises((ValueError, TypingError), match="read-?only"):
        njit(store)(np.arange(3.0))


def test_an_iterator_with_a_name():
    def added(a):
        total = 0.0
        with np.nditer(a) as it:
            for x in it:
                total = 2 * total + x[()]
        with np.nditer(a, op_flags=[["readwrite"]]) as it:
            for x in it:
                x[...] = 3 * x
        return total, a

    check(added, filled((2, 3), "f8"))
    check(added, laid_out(filled((2, 3), "f8"), "F"))


# -- in --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", ["?", "i1", "u8", "f4", "f8", "c16", "m8[s]"])
@pytest.mark.parametrize("shape", [(), (0,), (4,), (2, 3)])
def test_in(dtype, shape):
    def found(a, x):
        return x in a, x not in a

    a = filled(shape, dtype)
    for x in (np.dtype(dtype).type(3), np.dtype(dtype).type(50)):
        check(found, a, x)
    if dtype == "f8":
        check(found, a, np.nan)
        check(found, a, True)


def test_an_array_in_an_array():
    def found(a, row):
        return row in a, a in row

    check(found, np.arange(6).reshape(2, 3), np.array([7, 1, 9]))
    check(found, np.arange(6).reshape(2, 3), np.array([7, 8, 9]))


# -- sum -------------------------------------------------------------------------------------------

SUMS = [
    "sum([a, b])",
    "sum((a, b))",
    "sum((a, b[0]))",
    "sum((a, 2, b), 1)",
    "sum([a, b], a[0])",
    "sum([a, b], np.ones((2, 1, 1)))",
    "sum(a)",
    "sum(a, 1.5)",
    "sum([row * 2 for row in a])",
    "sum(row * 2 for row in a)",
    "sum([a > 1, b > 1])",
    "sum([a.astype(np.int8), b.astype(np.int8)])",
    "sum((a.T.copy().T, b))",
    "sum(a[0])",
]


@pytest.mark.parametrize("text", SUMS)
def test_sums_of_arrays(text):
    a = np.arange(6.0).reshape(2, 3)
    function = expression(text, "a, b")
    same(function(a, a * 10), function.py_func(a, a * 10))


def test_a_sum_of_no_arrays():
    with pytest.raises(ValueError, match="of which compiled code cannot know the type"):
        njit(lambda a: sum(a))(np.zeros((0, 2)))


# -- Lists of arrays of several types -------------------------------------------------------------

DISPLAYS = [
    "np.concatenate([a, k])",
    "np.concatenate([a, k, a > 1], axis=1)",
    "np.concatenate([a.T, k.T])",
    "np.stack([a, k])",
    "np.vstack([a, a[0]])",
    "np.vstack([a[0], k])",
    "np.hstack([a[:, :1], k])",
    "np.dstack([a, k])",
    "np.column_stack([a, a[:, 0]])",
    "np.column_stack([k[:, 0], a])",
]


@pytest.mark.parametrize("text", DISPLAYS)
def test_lists_of_unlike_arrays(text):
    a = np.arange(6.0).reshape(2, 3)
    function = expression(text, "a, k")
    same(function(a, np.arange(6).reshape(2, 3)), function.py_func(a, np.arange(6).reshape(2, 3)))


def test_a_list_that_is_kept_has_one_type():
    def kept(a, k):
        arrays = [a, k]
        return np.concatenate(arrays), len(arrays)

    with pytest.raises(TypingError, match="cannot be an item"):
        njit(kept)(np.arange(3.0), np.arange(3))
