"""What ufuncs leave in their outputs: elements behind one that raises, and what a kernel does not store."""

import numpy as np
import pytest
from pyarray import guvectorize, vectorize


@vectorize(["float64(float64)", "int32(int32)"])
def positive(x):
    if x < 0:
        raise ValueError("negative")
    return x + 1


@vectorize
def dynamic(x):
    if x < 0:
        raise ValueError("negative")
    return x + 1


@vectorize(["float64(float64, float64)"], target="parallel")
def in_parallel(x, y):
    if x < 0:
        raise ValueError("negative")
    return x + y


def values(count, bad, dtype=float):
    x = np.arange(count).astype(dtype)
    x[list(bad)] = -5
    return x


def wanted(x, before):
    return np.where(x < 0, before, x + 1)


BAD = [(5, [1]), (5, [0]), (5, [4]), (5, [1, 2, 4]), (100_000, [3, 70_000]), (3, [0, 1, 2])]


@pytest.mark.parametrize("ufunc", [positive, dynamic], ids=["declared", "dynamic"])
@pytest.mark.parametrize(("count", "bad"), BAD)
def test_the_other_elements_are_computed(ufunc, count, bad):
    plain = values(count, bad)
    both = np.stack([plain] * 2)
    strided = values(2 * count, [2 * k for k in bad])[::2]
    for x in (plain, values(count, bad, np.int32), strided, plain[::-1], both, both.T):
        out = np.full(x.shape, 77, ufunc(np.abs(x)).dtype)
        with pytest.raises(ValueError, match="negative"):
            ufunc(x, out)
        np.testing.assert_array_equal(out, wanted(x, 77))


def test_operands_that_are_cast_or_masked():
    x = values(20_000, [2, 9_000, 19_999], np.float32)
    out = np.full(x.shape, 77.0)
    with pytest.raises(ValueError, match="negative"):
        positive(x, out)
    where = x < 0
    np.testing.assert_array_equal(out[~where], x[~where] + 1)
    out = np.full(x.shape, 77.0)
    assert positive(x, out, where=~where) is out
    np.testing.assert_array_equal(out, wanted(x, 77))


def test_threads():
    x = values(500_000, [7, 300_000])
    out = np.full(x.shape, 77.0)
    with pytest.raises(ValueError, match="negative"):
        in_parallel(x, 1.0, out)
    np.testing.assert_array_equal(out, wanted(x, 77))


def test_an_error_leaves_nothing_behind():
    x = values(5, [1])
    for _ in range(3):
        with pytest.raises(ValueError, match="negative"):
            positive(x)
        np.testing.assert_array_equal(positive(np.abs(x)), np.abs(x) + 1)


def test_the_first_error_is_told():
    @vectorize(["float64(float64)"])
    def choosy(x):
        if x == 1:
            raise ValueError("one")
        if x == 2:
            raise KeyError("two")
        return x

    with pytest.raises(ValueError, match="one"):
        choosy(np.array([0.0, 1.0, 2.0]))
    with pytest.raises(KeyError, match="two"):
        choosy(np.array([0.0, 2.0, 1.0]))


@guvectorize(["void(float64[:], uint8[:])"], "(n)->(n)")
def mark(x, out):
    for i in range(x.size):
        if i % 4 == 0:
            out[i] = 1


@guvectorize(["void(float64[:], float32[:], int32[:])"], "(n)->(n),()")
def mark_and_count(x, out, count):
    for i in range(x.size):
        if i % 2:
            out[i] = x[i]
    count[0] += x.size


@guvectorize(["void(float32[:], float32[:])", "void(float64[:], float64[:])"], "(n)->(n)")
def first_only(x, out):
    out[0] = x[0]


@guvectorize("(n)->(n)")
def dynamic_first(x, out):
    out[0] = x[0]


@pytest.mark.parametrize("dtype", [np.uint8, np.int8, np.int16, np.int64, np.float32, np.float64, np.complex128])
def test_what_a_kernel_does_not_store_stays(dtype):
    x = np.ones((64, 5))
    junk = [np.full((64, 5), 77, np.uint8) for _ in range(50)]  # so that memory which is used again is not zero
    del junk
    for out in (np.full((64, 5), 3, dtype), np.full((5, 64), 3, dtype).T, np.full((128, 5), 3, dtype)[::2]):
        try:
            assert mark(x, out) is out
        except np._core._exceptions._UFuncOutputCastingError:
            assert not np.can_cast(np.uint8, dtype, "same_kind")
            continue
        assert (out == [1, 3, 3, 3, 1]).all()
        out[:] = 3
        assert mark(x, out=out) is out
        assert mark(x, out=(out,)) is out
        assert (out == [1, 3, 3, 3, 1]).all()


def test_several_outputs():
    x = np.arange(12.0).reshape(3, 4)
    out, count = np.full((3, 4), 9.0), np.full(3, 100)
    results = mark_and_count(x, out, count)
    assert results[0] is out
    assert results[1] is count
    assert (out == np.where(np.arange(4) % 2, x, 9)).all()
    assert count.tolist() == [104, 104, 104]
    out[:] = 9
    first, second = mark_and_count(x, out=(out, None))
    assert first is out
    assert (out == np.where(np.arange(4) % 2, x, 9)).all()
    assert second.shape == (3,)


def test_several_loops():
    for of_input in (np.float32, np.float64, np.int16):
        for of_output in (np.float32, np.float64):
            x, out = np.full((2, 3), 4, of_input), np.full((2, 3), 9, of_output)
            for ufunc in (first_only, dynamic_first):
                out[:] = 9
                try:
                    ufunc(x, out)
                except TypeError:
                    continue
                assert (out == [4, 9, 9]).all(), (ufunc, of_input, of_output)


def test_what_cannot_be_cast_is_refused():
    x, out = np.ones((2, 3)), np.zeros((2, 3), bool)
    with pytest.raises(TypeError, match="Cannot cast"):
        mark(x, out)
    assert mark(x, np.zeros((2, 3), bool), casting="unsafe").any()
    with pytest.raises(TypeError):
        mark(x, [1, 2, 3])
    with pytest.raises(TypeError):
        mark(x, out, out)
