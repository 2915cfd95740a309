"""Arrays: elements, views, attributes, iteration and creation as in NumPy."""

import functools
import itertools

import numpy as np
import pytest
from compare import arrays_alive, assert_same, define, expression
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pyarray import njit
from pyarray.errors import PyArrayError

pytestmark = pytest.mark.real

DTYPES = [np.bool_, np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64]
DTYPES += [np.float32, np.float64, np.complex64, np.complex128]


def matrix(dtype=np.float64):
    return np.arange(30).reshape(5, 6).astype(dtype)


def layouts():
    m = matrix()
    return [m, np.asfortranarray(m), m[::2], m[:, ::-1], m.T, m[1:4, 2:5], m[::-1, ::-2], np.broadcast_to(m[0], (5, 6))]


@pytest.mark.parametrize("dtype", DTYPES, ids=lambda t: t.__name__)
def test_load_and_store(dtype):
    f = define("def f(a, b):\n    for i in range(len(a)):\n        b[i] = a[len(a) - 1 - i]\n    return a[0], a[-1]\n")
    assert_same(f, np.arange(6).astype(dtype), np.zeros(6, dtype))


@pytest.mark.parametrize("index", [0, 4, -1, -5, 5, -6, 2**62, -(2**63)])
def test_index(index):
    assert_same(expression("x[y]", "x, y"), np.arange(5.0), index)
    assert_same(define("def f(a, i):\n    a[i] = 7\n    return 0\n"), np.arange(5.0), index)


@pytest.mark.parametrize("i", [0, 2, -1, 5, -6])
@pytest.mark.parametrize("j", [0, -6, 6])
def test_index_2d(i, j):
    f = expression("(x[y, z], x[y][z])", "x, y, z")
    for a in layouts()[:4]:
        if a.shape == (5, 6):
            assert_same(f, a, i, j)


def test_unsigned_and_bool_indices():
    f = expression("x[y]", "x, y")
    for index in (np.uint8(3), np.uint64(4), np.int8(-2)):
        assert f(np.arange(5.0), index) == np.arange(5.0)[index]
    with pytest.raises(IndexError):
        f(np.arange(5.0), np.uint64(2**63 + 1))


SLICES = ["1:", ":3", "1:4", "::2", "::-1", "-3:", ":-1", "4:1:-1", "10:", "-10:2", "3:1", "::-2", "1:100:3"]


@pytest.mark.parametrize("text", SLICES)
def test_slices(text):
    f = expression(f"x[{text}]")
    for a in (np.arange(7.0), np.arange(14.0)[::2], np.arange(7.0)[::-1], np.arange(0.0), np.arange(1.0)):
        assert_same(f, a)


def test_slices_with_values():
    f = expression("x[y:z:w]", "x, y, z, w")
    for start in (-9, -2, 0, 3, 9):
        for stop in (-9, -1, 2, 9):
            for step in (-3, -1, 1, 2):
                assert_same(f, np.arange(6.0), start, stop, step)
    assert_same(f, np.arange(6.0), 0, 3, 0)


@pytest.mark.parametrize(
    "text", ["x[1]", "x[:, 1]", "x[1:3, ::2]", "x[-1, 1:]", "x[::-1].T", "x.T[1]", "x[:][:, 2]", "x[1:][0]"]
)
def test_views_2d(text):
    f = expression(text)
    for a in layouts():
        assert_same(f, a)


def test_views_share_memory():
    f = define("def f(a):\n    b = a[1:4]\n    b[0] = 99\n    return b\n")
    a = np.arange(6.0)
    view = f(a)
    assert a[1] == 99 and np.shares_memory(a, view)
    del a
    assert view.tolist() == [99, 2, 3]


@pytest.mark.parametrize("text", ["x.shape", "x.strides", "x.ndim", "x.size", "x.nbytes", "x.itemsize", "len(x)"])
def test_attributes(text):
    f = expression(text)
    empty = [] if "strides" in text else [np.zeros((0, 3))]  # strides of an empty array are anything in NumPy
    for a in [*layouts(), *empty, np.zeros(4, np.int8), np.zeros((2, 3, 4), np.complex64)]:
        assert_same(f, a)


def test_zero_dimensions():
    f = define("def f(a):\n    a[()] = a[()] + 1\n    return a[()], a.ndim, a.shape, a.size\n")
    assert_same(f, np.array(3.0))


def test_iteration():
    f = define(
        "def f(a):\n    s = 0.0\n    for row in a:\n        for x in row:\n            s = s * 1.5 + x\n    return s\n"
    )
    for a in layouts():
        assert_same(f, a)
    assert_same(f, np.zeros((0, 4)))


def test_store_to_views():
    f = define("def f(a, b):\n    a[1:4] = b\n    a[:, 0] = 5\n    a[0, ::2] = a[1, ::2]\n    return 0\n")
    assert_same(f, matrix(), matrix()[:3])
    assert_same(f, matrix(), matrix()[:1])
    g = define("def f(a, n):\n    a[:n] = a[1:]\n    return 0\n")
    assert_same(g, np.arange(8.0), 7)
    h = define("def f(a):\n    a[1:] = a[:-1]\n    a[:] = a[::-1]\n    return 0\n")
    assert_same(h, np.arange(8.0))


def test_store_that_does_not_fit():
    f = define("def f(a, b):\n    a[:3] = b\n")
    with pytest.raises(ValueError, match="broadcast"):
        f(np.arange(8.0), np.arange(2.0))


@pytest.mark.parametrize("name", ["zeros", "ones"])
@pytest.mark.parametrize(
    "dtype", ["np.float64", "np.int32", "np.bool_", "np.complex64", "float", "int", "bool", "'uint8'"]
)
def test_creation(name, dtype):
    f = expression(f"np.{name}((x, 3), dtype={dtype})")
    for n in (0, 2):
        assert_same(f, n)
    assert_same(expression(f"np.{name}(x)"), 4)


def test_full_and_likes():
    f = define(
        "def f(a, v):\n    return (np.full(3, v), np.full((2, 2), v, np.float32), np.zeros_like(a),"
        " np.ones_like(a, np.int8), np.full_like(a, v), np.empty_like(a).shape, np.empty((2, 0)).shape, a.copy())\n"
    )
    for a in (matrix(), np.asfortranarray(matrix()), matrix()[::2, ::-1], np.zeros((0, 2))):
        assert_same(f, a, 7)


def test_shapes_that_cannot_be():
    f = expression("np.zeros((x, y))", "x, y")
    for shape in ((-1, 2), (2**62, 2**62)):
        with pytest.raises(ValueError):
            f(*shape)
    with pytest.raises(MemoryError):
        f(2**40, 2**10)


def test_dtype_of_another_array():
    f = define("def f(a):\n    b = np.zeros(3, a.dtype)\n    b[1] = a[0]\n    return b\n")
    for dtype in DTYPES:
        assert_same(f, np.ones(2, dtype))


def test_frozen_global_array():
    table = np.arange(5.0)
    f = define("def f(i):\n    return table[i] + len(table)\n", table=table)
    assert f(2) == 7
    table[2] = 100
    assert f(2) == 7  # as it was when the function was compiled


def test_bounds_checks_can_be_turned_off():
    f = define("def f(a, i):\n    return a[i]\n", decorator=njit(boundscheck=False))
    assert f(np.arange(5.0), 3) == 3 and f(np.arange(5.0), -1) == 4


LOOPS = [
    "for i in range(n):\n        a[i] += i",
    "for i in range(1, n):\n        a[i] = a[i - 1] + 1",
    "for i in range(n, -1, -1):\n        a[i] = i",
    "for i in range(0, n, 3):\n        a[i] = i",
    "for i in range(n):\n        for j in range(i, n):\n            a[j] += a[i]",
    "for i in range(len(a) - 1):\n        a[i] = a[i + 1]",
    "i = 0\n    while i < n:\n        a[i] = i\n        i += 1",
    "for i in range(n):\n        if a[i] == 3:\n            break\n        a[i] = -1",
    "for i in range(n):\n        a[i * 2] = i",
    "for i in range(-n, n):\n        a[i] = i",
]


@pytest.mark.parametrize("loop", LOOPS)
@pytest.mark.parametrize("n", [0, 1, 5, 8, 9, -1, 2**62])
def test_checks_moved_out_of_loops_raise_where_python_does(loop, n):
    f = define(f"def f(a, n):\n    {loop}\n    return a[0]\n")
    if n == 2**62 and ("-1, -1" in loop or "-n, n" in loop):
        n = 2**40
    assert_same(f, np.arange(8.0), n)


@pytest.mark.parametrize(
    "text",
    ["a.tofile(1.0)", "a.foo"],
)
def test_refused(text):
    with pytest.raises(PyArrayError) as caught:
        define(f"def f(a):\n    return {text}\n")(np.arange(4.0))
    assert f"    return {text}" in str(caught.value) and "^" in str(caught.value)


# Random views, against NumPy ----------------------------------------------------------------------

BOUND = st.one_of(st.none(), st.integers(-5, 5))
INDEX = st.one_of(st.integers(-4, 4), st.builds(slice, BOUND, BOUND, st.sampled_from([None, 1, 2, -1, -2])))


@st.composite
def indexed_arrays(draw):
    """An array of any dtype, rank 1 to 3 and layout, and an index into it."""
    shape = draw(st.lists(st.integers(0, 4), min_size=1, max_size=3))
    double = [2 * n for n in shape]
    array = np.arange(np.prod(double)).reshape(double).astype(draw(st.sampled_from(DTYPES)))
    array = array[tuple(slice(None, n) if draw(st.booleans()) else slice(None, None, 2) for n in shape)]
    array = draw(st.sampled_from([array, array.T, array.copy(), np.asfortranarray(array), array[::-1]]))
    return array, tuple(draw(st.lists(INDEX, min_size=1, max_size=array.ndim)))


def source_of(index):
    """The index as it is written, with variables for its numbers, and their values."""
    values, parts = [], []

    def name(value):
        if value is None:
            return ""
        values.append(value)
        return f"i{len(values) - 1}"

    for part in index:
        parts.append(":".join(map(name, (part.start, part.stop, part.step))) if isinstance(part, slice) else name(part))
    return ", ".join(parts), values


@settings(max_examples=150, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
@given(indexed_arrays())
def test_any_view(given):
    array, index = given
    text, values = source_of(index)
    names = "".join(f", i{k}" for k in range(len(values)))
    assert_same(expression(f"x[{text}]", f"x{names}"), array, *values)
    store = f"def f(x{names}):\n    x[{text}] = 3\n    v = x[{text}]\n    return v\n"
    assert_same(cached(store), array, *values)


@settings(max_examples=100, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
@given(indexed_arrays())
def test_any_view_by_literals(given):
    array, index = given
    text, values = source_of(index)
    for k, value in reversed(list(enumerate(values))):
        text = text.replace(f"i{k}", str(value))
    assert_same(expression(f"x[{text}]"), array)


cached = functools.cache(define)


@pytest.mark.parametrize("text", ["x[::-1][1, 2]", "x[::-1, ::2][1, -1]", "x.T[:, ::-1][2, 1]"])
def test_literal_indices_into_a_view_with_negative_strides(text):
    assert_same(expression(text), np.asfortranarray(matrix()))


# Arguments that share memory ----------------------------------------------------------------------

LOOPS_OVER_TWO = [
    "for i in range(n):\n        a[i] = b[i] + 1",
    "for i in range(1, n):\n        a[i] = b[i - 1] + b[i]",
    "for i in range(n):\n        t = a[i]\n        a[i] = b[i]\n        b[i] = t * 2",
    "for i in range(n):\n        a[0] += b[i]",
    "for i in range(n):\n        a[i] = 2.0\n        b[n - 1 - i] += a[i]",
    "for k in range(3):\n        for i in range(n):\n            a[i] += b[k]",
    "a[1:n] = b[: n - 1]",  # the oracle reads from a copy: NumPy 2.4 mixes up views with different steps
]
VIEWS_OF_ONE = ["x", "x[::-1]", "x[1:]", "x[:-1]", "x[::2]", "x[::-2]", "x[3:]", "x[-2::-1]", "x[8:]"]


@pytest.mark.parametrize("boundscheck", [True, False])
@pytest.mark.parametrize("loop", LOOPS_OVER_TWO)
def test_arguments_that_overlap(loop, boundscheck):
    f = define(f"def f(a, b, n):\n    {loop}\n", decorator=njit(boundscheck=boundscheck))
    for one, other in itertools.product(VIEWS_OF_ONE, repeat=2):
        x, y = np.arange(70.0), np.arange(70.0)
        a, b = eval(one, {"x": x}), eval(other, {"x": x})
        n = min(len(a), len(b))
        f(a, b, n)
        a, b = eval(one, {"x": y}), eval(other, {"x": y})
        f.py_func(a, b.copy() if "a[1:n]" in loop else b, n)
        np.testing.assert_array_equal(x, y, f"{one}, {other}")


@pytest.mark.parametrize("body", ["a[i, j] = b[j, i] + 1", "a[i, j] = b[i - 1, j] + b[i, j - 1]", "a[j, 0] += b[i, j]"])
def test_matrices_that_overlap(body):
    f = define(f"def f(a, b, n):\n    for i in range(n):\n        for j in range(n):\n            {body}\n")
    views = ["x", "x.T", "x[::-1]", "x[:, ::-1]", "x[::-1, ::-1]", "x.T[::-1]", "x.T[:, ::-1]"]
    for one, other in itertools.product(views, repeat=2):
        x, y = np.arange(400.0).reshape(20, 20), np.arange(400.0).reshape(20, 20)
        f(eval(one, {"x": x}), eval(other, {"x": x}), 20)
        f.py_func(eval(one, {"x": y}), eval(other, {"x": y}), 20)
        np.testing.assert_array_equal(x, y, f"{one}, {other}")


# Memory -------------------------------------------------------------------------------------------


def test_a_returned_array_owns_its_memory():
    make = expression("np.ones((x, 2))")
    before = arrays_alive()
    a = make(3)
    assert arrays_alive() == before + 1 and a.flags.writeable and a.flags.c_contiguous and a.flags.aligned
    b = a[1:]
    del a
    assert arrays_alive() == before + 1 and b.tolist() == [[1, 1], [1, 1]]
    del b
    assert arrays_alive() == before


def test_a_view_of_a_new_array_keeps_it_alive():
    f = define("def f(n):\n    a = np.ones(n)\n    b = a[1:]\n    return b, a, b[::-1]\n")
    before = arrays_alive()
    b, a, c = f(4)
    assert arrays_alive() == before + 1 and np.shares_memory(a, b) and np.shares_memory(a, c)
    a[1] = 5
    assert b[0] == c[-1] == 5
    del a, b
    assert c.tolist() == [1, 1, 5]
    del c
    assert arrays_alive() == before


def test_an_argument_comes_back_as_itself():
    a = np.arange(4.0)
    assert expression("x")(a) is a
    assert expression("(x, x)")(a) == (a, a)
    assert expression("x[1:]")(a).base is a


SWAPS = [
    "a, b = b, a",
    "a = b",
    "a = np.zeros(3)",
    "a = a[1:]",
    "c = a\n        a = b\n        b = c.copy()",
    "if k % 2:\n            a = np.ones(k)\n        else:\n            b = a",
    "a = b if k > 1 else a[::-1].copy()[::-1]",
    "a, b = (b, a.copy())",
]


@pytest.mark.parametrize("body", SWAPS)
def test_arrays_that_change_places_in_loops(body):
    f = define(f"def f(a, b, n):\n    for k in range(n):\n        {body}\n    return a.copy(), b.copy(), len(a)\n")
    before = arrays_alive()
    for n in (0, 1, 2, 3):
        assert_same(f, np.arange(4.0)[::-1], np.arange(6.0)[::2], n)
    assert arrays_alive() == before


def test_arrays_in_tuples():
    f = define(
        "def f(n):\n    t = (np.ones(n), n)\n    for _ in range(2):\n"
        "        t = (t[0] if n > 2 else np.zeros(n), n)\n    return t\n"
    )
    before = arrays_alive()
    assert_same(f, 2)
    assert_same(f, 3)
    assert arrays_alive() == before


def test_recursion_with_arrays():
    f = define(
        "def f(a, n):\n    if n == 0:\n        return a\n    b = a.copy()\n    b[0] += n\n    return f(b, n - 1)\n"
    )
    before = arrays_alive()
    assert_same(f, np.zeros(2), 10)
    assert arrays_alive() == before


# Bounds ------------------------------------------------------------------------------------------


def test_readonly_arrays_can_be_read_and_not_written():
    a = np.arange(3.0)
    a.flags.writeable = False
    assert expression("x[1] + x[1:][0]")(a) == 2.0
    assert not expression("x[1:]")(a).flags.writeable
    with pytest.raises(PyArrayError, match="readonly"):
        define("def f(a):\n    a[0] = 1\n")(a)
    with pytest.raises(PyArrayError, match="readonly"):
        define("def f(a):\n    a[1:][0] = 1\n")(a)


@pytest.mark.parametrize("text", ["x[1, 2, 3]", "x['a']", "x[1.5]", "x[1j]", "x[(1.5, 2), 0]"])
def test_indices_that_cannot_be(text):
    with pytest.raises(PyArrayError) as caught:
        expression(text)(np.ones((2, 2)))
    assert "^" in str(caught.value)


@pytest.mark.parametrize("dtype", DTYPES, ids=lambda t: t.__name__)
def test_stores_convert(dtype):
    for value in (1, True, 3.0, 2):
        f = define("def f(a, x):\n    a[0] = x\n    a[1:] = x\n    return a\n")
        assert_same(f, np.zeros(3, dtype), value)
    if np.dtype(dtype).kind != "c":
        with pytest.raises(PyArrayError, match="convert"):
            define("def f(a, x):\n    a[0] = x\n")(np.zeros(3, dtype), 1j)


def test_unpacking_an_array():
    f = define("def f(a):\n    x, y, z = a\n    return x + 10 * y + 100 * z\n")
    assert f(np.arange(3.0)) == 210
    for size in (2, 4):
        with pytest.raises(ValueError, match="values to unpack"):
            f(np.arange(float(size)))


def test_item_and_unpacking_of_shape():
    assert_same(expression("x.item()"), np.array([2.5]))
    assert_same(define("def f(a):\n    n, m = a.shape\n    return m, n, a.shape[0], a.shape[-1]\n"), matrix())
