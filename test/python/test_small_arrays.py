"""Arrays of a few numbers, made in compiled code: as if they were numbers, and never where others would miss them."""

import numpy as np
import pytest
from pyarray import _pyarray, njit, prange


def on_heap(function, *arguments):
    """How many blocks one call allocates on the heap."""
    function(*arguments)
    before, _ = _pyarray.allocation_counts()
    function(*arguments)
    return _pyarray.allocation_counts()[0] - before


def cross(n):
    total = 0.0
    for i in range(n):
        a = np.array([1.0 * i, 2.0, 3.0])
        b = np.array([3.0, 2.0 * i, 1.0])
        c = np.array([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])
        total += np.sqrt((c * c).sum())
    return total


def updated(n):
    total = 0.0
    for i in range(n):
        p = np.array([1.0 * i, 2.0, 3.0])
        q = np.zeros(3)
        q += p * 0.5
        q[1:] -= p[:2]
        total += (p * q).sum()
    return total


def products(n):
    total = np.zeros(3)
    for i in range(n):
        m = np.array([[1.0 * i, 2.0, 0.5], [3.0, 4.0, 1.0], [0.25, 1.0, 2.0]])
        v = np.array([1.0, 2.0, 3.0])
        total += m @ v + v @ m.T + m[1] * (v @ v)
    return total


def axes(x):
    m = np.array([[x, 2.0, -1.0], [x * x, 0.1, 3.0]])
    return m.sum(axis=0), m.sum(axis=1), m.max(axis=1), m.min(axis=0), m.prod(), m.sum(), m.mean(axis=0)


def integers(n):
    a = np.array([[n, 2], [3, -n]])
    b = np.ones((2, 2), np.int64)
    return (a @ b).sum(), (a * b).max(), (a + b).prod(axis=0)


def complexes(x):
    a = np.array([x + 1j, 2.0 - x * 1j])
    return (a @ a), (a * a).sum(), np.full(2, 1j) * a


@pytest.mark.parametrize(
    "function, argument",
    [(cross, 50), (updated, 50), (products, 20), (axes, 1.7), (axes, -0.0), (integers, 7), (complexes, 0.3)],
)
def test_equal_to_numpy(function, argument):
    got, want = njit(function)(argument), function(argument)
    for a, b in zip(
        got if isinstance(got, tuple) else (got,), want if isinstance(want, tuple) else (want,), strict=True
    ):
        np.testing.assert_allclose(a, b, rtol=1e-13)
        assert np.asarray(a).dtype == np.asarray(b).dtype


@pytest.mark.parametrize("values", [(-0.0, -0.0, -0.0), (0.1, 0.2, 0.3), (1e50, 1e-3, -1e50), (np.nan, 1.0, 2.0)])
def test_sums_to_the_bit(values):
    def sums(x, y, z):
        a = np.array([x, y, z, x, y, z, x])
        m = np.array([[x, y, z], [z, x, y]])
        return a.sum(), (a * 3.0).sum(), m.sum(axis=0), m.sum(axis=1), m.sum(), a.min(), a.max(), a.prod()

    got, want = njit(sums)(*values), sums(*values)
    for a, b in zip(got, want, strict=True):
        assert np.asarray(a).tobytes() == np.asarray(b).tobytes()


@pytest.mark.parametrize("function, argument", [(cross, 20), (updated, 20)])
def test_nothing_is_allocated(function, argument):
    assert on_heap(njit(function), argument) == 0


def test_what_is_returned_or_kept_is_on_the_heap():
    @njit
    def kept(n):
        arrays = []
        last = np.zeros(2)
        for i in range(n):
            a = np.array([1.0 * i, 2.0])
            arrays.append(a)
            b = np.array([3.0 * i, 1.0])
            last = b[::-1]
        view = np.array([5.0, 6.0, 7.0])[1:]
        return arrays, last, view, (np.ones(2), 1)

    arrays, last, view, pair = kept(4)
    np.testing.assert_array_equal(np.array(arrays), [[0, 2], [1, 2], [2, 2], [3, 2]])
    np.testing.assert_array_equal(last, [1, 9])
    np.testing.assert_array_equal(view, [6, 7])
    np.testing.assert_array_equal(pair[0], [1, 1])


def test_stored_in_fields_and_given_to_functions():
    @njit(inline="never")
    def same(a):
        return a

    @njit
    def f(n):
        kept = same(np.zeros(2))
        for i in range(n):
            a = np.full(2, 1.0 * i)
            if i == 1:
                kept = same(a)
        return kept

    np.testing.assert_array_equal(f(5), [1, 1])


def test_loops_that_carry_one():
    @njit
    def rotated(n):
        a = np.array([1.0, 2.0, 3.0])
        b = np.array([4.0, 5.0, 6.0])
        for _ in range(n):
            a, b = b, a + b
        return a.sum(), b[0]

    assert rotated(10) == rotated.py_func(10)


def test_overlap_within_one():
    @njit
    def f():
        a = np.array([1.0, 2.0, 3.0, 4.0])
        a[1:] += a[:-1]
        b = np.array([1.0, 2.0, 3.0, 4.0])
        b[:] = b[::-1] * 2.0
        c = np.array([1.0, 2.0, 3.0])
        np.add(c, c[::-1], c)
        return a.sum(), a[3], b[0], b[3], c[0], c[2]

    assert f() == f.py_func()


def test_in_threads():
    @njit(parallel=True)
    def f(n):
        out = np.empty(n)
        for i in prange(n):
            a = np.array([1.0 * i, 2.0, 3.0])
            a += 1.0
            out[i] = (a * a).sum()
        return out

    np.testing.assert_array_equal(f(2000), f.py_func(2000))


def test_errors_are_those_of_numpy():
    @njit
    def shapes():
        return (np.zeros(3) + np.zeros(2)).sum()

    @njit
    def products():
        return (np.zeros((2, 3)) @ np.zeros(2))[0]

    @njit
    def index(i):
        return np.array([1.0, 2.0])[i]

    with pytest.raises(ValueError, match=r"could not be broadcast together with shapes \(3,\) \(2,\)"):
        shapes()
    with pytest.raises(ValueError, match="matmul: Input operand 1 has a mismatch in its core dimension 0"):
        products()
    with pytest.raises(IndexError):
        index(2)
    assert index(-1) == 2.0


def test_recursion_still_ends():
    @njit
    def deep(n):
        a = np.full((15, 15), 1.0 * n)
        a[n % 15, 0] += 1.0
        return a[0, 0] + deep(n + 1)

    with pytest.raises(RecursionError):
        deep(0)


def test_more_than_the_stack_takes():
    lines = "\n".join(f"    a{i} = np.zeros((16, 16))\n    a{i}[0, x] = {i}" for i in range(40))
    source = f"def f(x):\n{lines}\n    return {' + '.join(f'a{i}[0, x]' for i in range(40))}\n"
    import linecache

    linecache.cache["<many>"] = (len(source), None, source.splitlines(True), "<many>")
    names = {"np": np}
    exec(compile(source, "<many>", "exec"), names)
    assert njit(names["f"])(3) == names["f"](3)
