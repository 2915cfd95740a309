"""Whole arrays behind names: parameters with defaults, closures, globals, lists, tuples, functions that give views."""

import numpy as np
import pytest
from compare import copied, outcome
from pyarray import njit
from pyarray.errors import TypingError

STEPS, MATRIX = np.array([1.0, 2.0, 3.0]), np.eye(3)


def check(function, *arguments):
    """The same values as Python's, or its error; what arguments hold, too."""
    theirs_of = copied(arguments)
    theirs = outcome(function, theirs_of)
    for options in ({}, {"parallel": True}):
        mine = copied(arguments)
        ours = outcome(njit(**options)(function), mine)
        assert ours[0] == theirs[0], (ours, theirs)
        if theirs[0] == "raised":
            assert ours[1] is theirs[1] and str(ours[2][0]).split("\n")[0] == str(theirs[2][0]), (ours, theirs)
        else:
            same(ours[1], theirs[1])
        same(mine, theirs_of)


def same(ours, theirs):
    if isinstance(theirs, (list, tuple)):
        assert len(ours) == len(theirs)
        for mine, other in zip(ours, theirs, strict=True):
            same(mine, other)
    else:
        np.testing.assert_array_equal(ours, theirs)


def table():
    return np.arange(6.0).reshape(2, 3)


# -- Parameters with defaults ----------------------------------------------------------------------


def weighted(a, w=None):
    if w is None:
        return (a * 2).sum(axis=0)
    return (a * w).sum(axis=0)


def chosen(a, w=None, out=None):
    scaled = a if w is None else a * w
    return np.add(scaled, 1, out=out)


def scaled_later(a, w=None):
    r = a + 1
    if w is not None:
        r = r * w
    return r.max()


def reduced(a, axis=None, keepdims=False):
    return a.mean(axis=axis, keepdims=keepdims)


def summed(a, dtype=None, where=None):
    if where is None:
        where = a > 1
    return np.sum(a, dtype=dtype), a[where].sum()


@pytest.mark.parametrize("w", [(), (None,), (2.0,), (np.ones(3),), (np.ones((2, 1)),)])
def test_an_operand_that_may_be_none(w):
    check(weighted, table(), *w)
    check(chosen, table(), *w)
    check(scaled_later, table(), *w)


def test_an_output_that_may_be_none():
    check(chosen, table(), None, np.zeros((2, 3)))
    check(chosen, table(), np.ones(3), np.zeros((2, 3)))


@pytest.mark.parametrize("axis", [None, 0, 1, -1])
@pytest.mark.parametrize("keepdims", [(), (False,), (True,)])
def test_axes_and_keepdims_of_parameters(axis, keepdims):
    check(reduced, table(), axis, *keepdims)


def test_masks_of_parameters():
    check(summed, table())
    check(summed, table(), None, table() > 3)


def test_keepdims_of_a_function_that_passes_it_on():
    inner = njit(reduced)

    def outer(a, keeps):
        return inner(a, 0, keeps)

    check(outer, table(), True)
    check(outer, table(), False)


# -- Closures and globals --------------------------------------------------------------------------


def test_arrays_of_closures():
    k = np.array([2.0, 3.0, 4.0])
    check(lambda a: (a * k + STEPS @ MATRIX).sum(axis=1), table())


def test_arrays_that_closures_capture():
    def captured(a):
        k = a[0] * 2

        def g(x):
            return x * k + 1

        return g(a) + g(a[1])

    def captured_late(a):
        k = a * 2
        g = lambda x: x - k.mean(axis=0)  # noqa: E731
        k = a * 3
        return g(a)

    check(captured, table())
    check(captured_late, table())


# -- Lists, tuples, dicts --------------------------------------------------------------------------


def in_lists(a):
    arrays = [a, a * 2, a[::-1]]
    return arrays[0] + arrays[1] * arrays[2] - np.array(arrays).sum(axis=0)


def in_tuples(a):
    arrays = (a, a[0], a > 1)
    x, y = (a + 1, a - 1)
    x, y = y, x
    return arrays[0] * arrays[1] + arrays[2], x * 2 - y


def in_a_growing_list(a):
    arrays = []
    for i in range(4):
        arrays.append(a * i)
    total = np.zeros_like(a)
    for x in arrays:
        total += x
    return total, len(arrays), np.stack(arrays).mean(axis=0)


def changed_in_lists(a):
    arrays = [a.copy() for _ in range(3)]
    arrays[1] += 1
    arrays[2][0] = 5
    arrays[0][:] = arrays[1] + arrays[2]
    return arrays[0], arrays[1], arrays[2]


def one_array_twice(a):
    arrays = [a, a]
    arrays[0] += 1
    arrays[1] *= 2
    pair = (a, a[0])
    pair[1][:] = 7
    return arrays[0] + arrays[1], pair[0].sum(axis=1)


def in_dicts(a):
    arrays = {1: a, 2: a * 2}
    arrays[1] += 1
    return arrays[1] + arrays[2]


@pytest.mark.parametrize(
    "function", [in_lists, in_tuples, in_a_growing_list, changed_in_lists, one_array_twice, in_dicts]
)
def test_containers(function):
    check(function, table())


# -- Functions that give views of their arguments --------------------------------------------------


@njit
def row(a, i):
    return a[i]


@njit
def turned(a):
    return a.T


@njit
def pick(a, b, first):
    return a if first else b


def row_in_place(a):
    r = row(a, 1)
    r += 10
    return r, a.sum(axis=0)


def turned_in_place(a):
    t = turned(a)
    t[0] = -1
    return a + t.T


def row_of_a_value(a):
    s = a + 1
    r = row(s, 0)
    r *= 2
    return s, r


def turned_value(a):
    s = a * 2
    t = turned(s)
    s[0] = 0
    return t.sum(axis=1), (t * 2).sum()


def read_before_and_behind(a):
    t = turned(a)
    before = t.sum(axis=0)
    a *= 2
    return before, t.sum(axis=0), (t + 1).T


def picked_in_place(a):
    p, q = pick(a, a[::-1].copy(), True), pick(a, a, False)
    p *= 2
    q += 1
    return p + q


VIEWS = [row_in_place, turned_in_place, row_of_a_value, turned_value, read_before_and_behind, picked_in_place]


@pytest.mark.parametrize("function", VIEWS)
def test_views_of_arguments(function):
    check(function, table())


# -- Errors tell the shapes of all operands, literals among them -----------------------------------


def literal_behind(a):
    return np.multiply(a[0], 2.0, np.zeros(4))


def literal_before(a):
    return np.add(1, a, out=np.zeros((3, 3)))


def literal_of_a_comparison(a):
    return np.greater(a, 1, out=np.zeros((3, 3), np.bool_))


def one_operand(a):
    return np.sqrt(a, out=np.zeros((3, 3)))


def clipped(a):
    return np.clip(a, 1, 2, out=np.zeros((3, 3)))


def in_place(a):
    a += np.ones(4) * 2
    return a


def assigned(a):
    a[:, :2] = a * 2 + 1
    return a


ERRORS = [literal_behind, literal_before, literal_of_a_comparison, one_operand, in_place, assigned]


@pytest.mark.parametrize("function", ERRORS)
def test_shapes_in_errors(function):
    check(function, table())


# -- Found by random programs ----------------------------------------------------------------------


def stores_with_too_many_indices(a, k):
    a[k, k, k] = 0
    return a


def stores_with_a_mask_of_too_many_axes(a, k):
    a[np.ones((2, 3, 2), np.bool_)] = 0
    return a


@pytest.mark.parametrize("function", [stores_with_too_many_indices, stores_with_a_mask_of_too_many_axes])
def test_stores_with_too_many_indices_are_refused(function):
    with pytest.raises(TypingError, match="too many indices"):
        njit(function)(table(), np.array([0, 1]))


@pytest.mark.parametrize("dtype", ["u1", "i4", "f2", "f4", "c8"])
def test_products_with_numbers_have_the_dtype_of_arrays(dtype):
    def products(a):
        return np.dot(a, 2.0), np.dot(2, a), np.inner(a, 2), a.dot(2), np.dot(3, 2.5)

    a = np.arange(3).astype(dtype)
    for mine, other in zip(njit(products)(a), products(a), strict=True):
        assert np.asarray(mine).dtype == other.dtype
        np.testing.assert_array_equal(mine, other)


@pytest.mark.parametrize("dtype", ["u1", "i1", "u4", "i8", "f4"])
def test_where_wraps_python_ints(dtype):
    def chosen(a, n):
        return np.where(a > 1, a, -1), np.where(a > 1, 300, a), np.where(a > 1, a, n)

    a = np.arange(3).astype(dtype)
    for mine, other in zip(njit(chosen)(a, -2), chosen(a, -2), strict=True):
        assert mine.dtype == other.dtype
        np.testing.assert_array_equal(mine, other)


def test_masks_without_elements():
    def read(a, mask):
        return a[mask]

    def store(a, mask):
        a[mask] = 7
        return a

    for shape in ((0,), (0, 3), (2, 0), (0, 5)):
        check(read, table(), np.zeros(shape, np.bool_))
        check(store, table(), np.zeros(shape, np.bool_))


def test_conj_of_reals_is_the_array_itself():
    def doubled(a):
        b = a.conj()
        b *= 2
        return a, b

    check(doubled, table())
    check(doubled, table() + 1j)


def test_broadcast_axes_in_the_order_of_memory():
    check(lambda a: (a.ravel("K"), a.flatten("K")), np.broadcast_to(np.arange(12.0).reshape(1, 3, 4), (2, 3, 4)))


def test_numbers_have_the_methods_of_arrays():
    def scalars(a):
        s = a.sum()
        return (
            (s.max(), s.mean(), s.round(1), s.any(), s.clip(0, 2), s.argmax(), s.std(), s.cumsum(), s.sum(axis=None)),
            (s.reshape(1, 1), s.ravel(), s.flatten(), s.squeeze(), s.tolist(), s.take([0]), s.repeat(3)),
            ((a.sum(axis=0).sum() > 1).all(), a[0, 0].min(), a.max().astype(np.float32).sum()),
        )

    check(scalars, table())
    check(scalars, table().astype(np.int16))
    with pytest.raises(TypingError, match="unknown method 'nothing'"):
        njit(lambda a: a.sum().nothing())(table())
