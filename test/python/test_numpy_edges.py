"""Ends of the domains of NumPy's functions: NaN, nothing, one element, what is no array."""

import numpy as np
import pytest
from pyarray import njit

NAN, INF = np.nan, np.inf

CASES = {
    "interp of one place": (lambda x: np.interp(x, [3.0], [4.0]), [NAN], [2.0], [3.0]),
    "interp of float32": (
        lambda x, xp, fp: np.interp(x, xp, fp),
        [
            np.linspace(0, 1, 10).astype(np.float32),
            np.linspace(0, 1, 5).astype("f4"),
            np.linspace(4, 9, 5).astype("f4"),
        ],
        [np.float32(0.3), np.linspace(0, 1, 5).astype("f4"), np.linspace(4, 9, 5).astype("f4")],
    ),
    "digitize": (
        lambda x, bins: np.digitize(x, bins),
        [np.array([NAN, 1]), np.array([1.5, NAN])],
        [np.array([NAN, 1]), np.array([NAN, 1.5])],
        [np.array([1, 2]), np.array([5, 5, 5])],
        [np.array([1.0, 2.5, NAN]), np.array([3.0, 3, 2, 1])],
        [np.array([1.0, 2.5]), np.array([1.0])],
    ),
    "nan_to_num": (
        lambda x: np.nan_to_num(x),
        [complex(-INF, NAN)],
        [np.complex64(complex(INF, NAN))],
        [1 + 2j],
        [np.float32(INF)],
    ),
    "round": (
        lambda x: (np.round(x), np.around(x, 1), np.around(x, -1)),
        [complex(0.0, -0.3)],
        [-0.3 + 15.25j],
        [np.complex64(2.55 - 14.5j)],
    ),
    "trim_zeros": (
        lambda x: np.trim_zeros(x),
        [np.array(["", "1", ""])],
        [np.array([0.0, NAN, 0])],
        [np.array([False, True])],
    ),
    "tri": (lambda n, m, k: np.tri(n, m, k), [-1, 3, 0], [3, -2, 1], [2, 3, 5]),
    "tril": (lambda a: (np.tril(a), np.triu(a), np.tril(a, -1)), [np.arange(3)], [np.ones((2, 2, 3))]),
    "unwrap": (
        lambda a, period: np.unwrap(a, period=period),
        [np.array([0, 75, 150, 225, 300, 430, 80]), 300],
        [np.array([0, 75, 150, 225, 300, 430, 80]), 301],
        [np.array([[0, 5, 1], [3, 3, 8]]), 4],
        [np.array([0, 3, 1]), 2.5],
    ),
    "cov": (lambda x: np.cov(x), [3.0], [np.array(2)], [[1, 2, 4]]),
    "cov of two": (lambda x, y: (np.cov(x, y), np.corrcoef(x, y)), [3.0, 4.0], [[1.0, 2, 4], [2.0, 1, 5]]),
    "iscomplexobj": (lambda x: (np.iscomplexobj(x), np.isrealobj(x)), [None], ["x"], [1j], [2]),
    "copy": (lambda x: np.copy(x), [(1, 2, 3)], [[1.5, 2]], [3], [np.arange(4)[::2]]),
    "arange": (lambda a, b, step: (np.arange(a, b, step), np.arange(b, step=step)), [1, 5, None]),
    "arange without dtype": (lambda a, b, kind: np.arange(a, b, 1, kind), [0, 3, None]),
    "matrix_rank": (lambda x: np.linalg.matrix_rank(x), [np.zeros((0, 3))], [np.eye(2)]),
    "noncentral": (lambda df: np.random.noncentral_chisquare(df, NAN), [0.5], [2.0]),
    "in range": (lambda x, r: (x in r, x not in r), [1j, range(3)], [1 + 0j, range(3)], [4 + 0j, range(8, 0, -2)]),
}


def same(found, wanted):
    if isinstance(wanted, tuple):
        return len(found) == len(wanted) and all(map(same, found, wanted))
    if np.ndim(wanted):  # numbers that Python gets have Python's types
        assert (found.shape, found.dtype) == (wanted.shape, wanted.dtype)
    np.testing.assert_array_equal(found, wanted)
    return True


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", CASES)
def test_as_numpy(name):
    function, *cases = CASES[name]
    for arguments in cases:
        assert same(njit(function)(*arguments), function(*arguments)), arguments


@pytest.mark.parametrize("shape", [(3, 3), (4, 3), (3, 5), (3, 3, 3)])
@pytest.mark.parametrize("values", [7, [1, 2], np.array([[1, 2], [3, 4]]), 1.5], ids=repr)
@pytest.mark.parametrize("wrap", [False, True])
def test_fill_diagonal(shape, values, wrap):
    found, wanted = np.zeros(shape), np.zeros(shape)
    njit(lambda a, v: np.fill_diagonal(a, v, wrap))(found, values)
    np.fill_diagonal(wanted, values, wrap)
    np.testing.assert_array_equal(found, wanted)


def test_condition_of_nothing():
    with pytest.raises(np.linalg.LinAlgError, match="cond is not defined on empty arrays"):
        njit(lambda a: np.linalg.cond(a))(np.zeros((0, 3)))


def test_strides_between_elements():
    """Compiled code counts strides in elements: others are an error, not another element."""
    call = njit(lambda a, step: np.lib.stride_tricks.as_strided(a, (3,), (step,)))
    assert call(np.arange(8), 16).tolist() == [0, 2, 4]
    with pytest.raises(ValueError, match="no strides of 4 bytes for items of 8"):
        call(np.arange(8), 4)


@pytest.mark.parametrize("kind", [np.int8, np.uint64, np.float32])
def test_outputs_of_divmod(kind):
    @njit
    def both(a, b, whole, rest):
        np.divmod(a, b, whole, rest)
        return np.divmod(b, a, None, a)

    a, b = np.arange(1, 7).astype(kind), np.array([4, 3, 2, 1, 5, 9]).astype(kind)
    found, wanted = [x.copy() for x in (a, b, a, b)], [x.copy() for x in (a, b, a, b)]
    for mine, theirs in zip(both(*found), both.py_func(*wanted)):
        np.testing.assert_array_equal(mine, theirs)
    for mine, theirs in zip(found, wanted):
        np.testing.assert_array_equal(mine, theirs)


@pytest.mark.parametrize("kind", ["f8", "c16", "i4", "M8[D]"])
def test_dtypes_of_arrays_that_lie_anywhere(kind):
    """Such an array has the dtype that an aligned one has: it was taken for one of text."""
    aligned = np.arange(4).astype(kind)
    memory = np.zeros(1 + aligned.nbytes, np.uint8)
    memory[1:] = aligned.view(np.uint8)
    a = memory[1:].view(kind).reshape(2, 2)
    assert not a.flags.aligned

    @njit
    def describe(a):
        made = np.empty(a.shape, a.dtype)
        made[...] = a
        return a.dtype.kind, a.dtype.itemsize, np.zeros(1, a.dtype).dtype.kind, made

    *found, made = describe(a)
    assert found == [a.dtype.kind, a.dtype.itemsize, a.dtype.kind] and made.dtype == a.dtype and made.flags.aligned
    np.testing.assert_array_equal(made, a)
