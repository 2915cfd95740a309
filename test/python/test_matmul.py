"""Products of matrices and vectors, against NumPy: values, dtypes, memory layouts, errors.

Where NumPy's own loop is called, to the bit.
"""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from compare import arrays_alive, copied, define, outcome
from hypothesis import given, settings
from hypothesis import strategies as st
from pyarray import cuda, float64, njit, prange, typeof
from pyarray.errors import PyArrayError

DTYPES = ["?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "c8", "c16"]
# Loops of ours add up in another order than BLAS. float16 is added up in float32 and rounded once, at the end.
TOLERANCE = {"f2": 1e-3, "f4": 1e-5, "f8": 1e-12, "c8": 1e-5, "c16": 1e-12}


@njit
def matmul(a, b):
    return a @ b


@njit
def dot(a, b):
    return np.dot(a, b)


@njit
def inner(a, b):
    return np.inner(a, b)


@njit
def outer(a, b):
    return np.outer(a, b)


@njit
def vdot(a, b):
    return np.vdot(a, b)


@njit
def matmul_into(a, b, out):
    return np.matmul(a, b, out=out)


@njit
def dot_into(a, b, out):
    return a.dot(b, out)


@njit
def matmul_in_place(a, b):
    a @= b
    return a


def numbers(rng, dtype, shape):
    dtype = np.dtype(dtype)
    if dtype.kind == "b":
        return rng.integers(0, 2, shape).astype(dtype)
    if dtype.kind in "iu":
        return rng.integers(0, 1 << (8 * dtype.itemsize - 1), shape).astype(dtype)  # sums wrap
    values = rng.standard_normal(shape)
    if dtype.kind == "c":
        values = values + 1j * rng.standard_normal(shape)
    return values.astype(dtype)


def laid_out(rng, dtype, shape, layout):
    """An array of this shape whose memory is laid out so."""
    if layout == "C":
        return numbers(rng, dtype, shape)
    if layout == "F":
        return np.asfortranarray(numbers(rng, dtype, shape))
    if layout == "steps":
        return numbers(rng, dtype, [2 * n + 1 for n in shape])[tuple(slice(1, 2 * n + 1, 2) for n in shape)]
    if layout == "backwards":
        return numbers(rng, dtype, shape)[tuple(slice(None, None, -1) for _ in shape)]
    if layout == "transposed":
        return numbers(rng, dtype, shape[::-1]).T
    if layout == "swapped":  # matrices of a stack have Fortran's order
        return (
            np.swapaxes(numbers(rng, dtype, (*shape[:-2], *shape[-2:][::-1])), -1, -2)
            if len(shape) > 1
            else numbers(rng, dtype, shape)
        )
    if layout == "part":
        return numbers(rng, dtype, [n + 2 for n in shape])[tuple(slice(1, n + 1) for n in shape)]
    assert layout == "repeated"
    return np.broadcast_to(numbers(rng, dtype, (*shape[:-1], 1)), shape)


LAYOUTS = ["C", "F", "steps", "backwards", "transposed", "swapped", "part", "repeated"]


def alike(ours, theirs):
    """Equal in dtype and shape, and in values as far as TOLERANCE says. Numbers come to Python as Python's."""
    tolerance = TOLERANCE.get(np.asarray(theirs).dtype.str[1:])
    if not isinstance(ours, np.ndarray):
        theirs = np.asarray(theirs).astype(np.asarray(ours).dtype)
    ours, theirs = np.asarray(ours), np.asarray(theirs)
    assert ours.dtype == theirs.dtype and ours.shape == theirs.shape, (
        ours.dtype,
        theirs.dtype,
        ours.shape,
        theirs.shape,
    )
    if tolerance is None:
        np.testing.assert_array_equal(ours, theirs)
    else:
        scale = np.max(np.abs(theirs[np.isfinite(theirs)]), initial=1.0)
        np.testing.assert_allclose(ours, theirs, rtol=tolerance, atol=tolerance * float(scale))


def same(function, *arguments):
    """As NumPy: the value, or the class and text of the exception."""
    with np.errstate(all="ignore"):
        theirs = outcome(function.py_func, copied(arguments))
    ours = outcome(function, copied(arguments))
    assert ours[0] == theirs[0], (ours, theirs)
    if ours[0] == "returned":
        alike(ours[1], theirs[1])
    else:
        assert ours[1] is theirs[1] and ours[2] == theirs[2], (ours, theirs)


# ===-- Values --------------------------------------------------------------------------------------===


@pytest.mark.parametrize("dtype", DTYPES)
def test_every_dtype(dtype):
    rng = np.random.default_rng(1)
    for m, k, n in [(1, 1, 1), (2, 3, 4), (4, 4, 4), (5, 7, 3), (8, 8, 8), (16, 16, 16), (17, 33, 9), (40, 300, 35)]:
        same(matmul, numbers(rng, dtype, (m, k)), numbers(rng, dtype, (k, n)))
    for k in [1, 2, 7, 8, 31, 64, 65, 1000]:
        same(matmul, numbers(rng, dtype, k), numbers(rng, dtype, k))
    for m, k in [(3, 5), (20, 30), (64, 128)]:
        same(matmul, numbers(rng, dtype, (m, k)), numbers(rng, dtype, k))
        same(matmul, numbers(rng, dtype, m), numbers(rng, dtype, (m, k)))


@pytest.mark.parametrize("dtype", DTYPES)
@settings(max_examples=12, deadline=None)
@given(data=st.data())
def test_every_layout(dtype, data):
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    m, k, n = (data.draw(st.integers(0, 40)) for _ in range(3))
    a = laid_out(rng, dtype, (m, k), data.draw(st.sampled_from(LAYOUTS)))
    b = laid_out(rng, dtype, (k, n), data.draw(st.sampled_from(LAYOUTS)))
    function = data.draw(st.sampled_from([matmul, dot]))
    ours, theirs = function(a, b), function.py_func(a, b)
    alike(ours, theirs)


@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_stacks(data):
    """Stacks of matrices broadcast; one operand may be a vector."""
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    dtype = data.draw(st.sampled_from(["f8", "i4", "?", "c16"]))
    m, k, n = (data.draw(st.integers(0, 6)) for _ in range(3))
    stack = data.draw(st.lists(st.integers(0, 4), min_size=1, max_size=2))
    stretched = [1 if data.draw(st.booleans()) else extent for extent in stack][data.draw(st.integers(0, 1)) :]
    a = laid_out(rng, dtype, (*stack, m, k), data.draw(st.sampled_from(LAYOUTS)))
    vector = data.draw(st.booleans())
    b = laid_out(rng, dtype, (k,) if vector else (*stretched, k, n), data.draw(st.sampled_from(LAYOUTS)))
    alike(matmul(a, b), a @ b)
    if not vector:
        first = numbers(rng, dtype, k)
        alike(matmul(first, b), first @ b)


@njit
def added(c, a, b):
    c += a @ b
    return c


@njit
def added_apart(c, a, b):
    p = a @ b
    p *= 1
    c += p
    return c


@njit
def subtracted(c, a, b):
    c -= a @ b
    return c


@njit
def subtracted_apart(c, a, b):
    p = a @ b
    p *= 1
    c -= p
    return c


@njit
def added_often(a, b):
    total = np.zeros((a.shape[1], b.shape[-1]), a.dtype)
    for i in range(a.shape[0]):
        total += a[i] @ b[i]
    return total


@pytest.mark.parametrize("function, function_apart", [(added, added_apart), (subtracted, subtracted_apart)])
@pytest.mark.parametrize("dtype", ["f4", "f8", "i4", "c16"])
@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_added(function, function_apart, dtype, data):
    """To the bit what the product and the sum give one after the other, whether it is a small product or not."""
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    most = data.draw(st.sampled_from([3, 17, 40]))
    m, k, n = (data.draw(st.integers(0, most)) for _ in range(3))
    a = laid_out(rng, dtype, (m, k), data.draw(st.sampled_from(LAYOUTS)))
    b = laid_out(rng, dtype, (k, n), data.draw(st.sampled_from(LAYOUTS)))
    if data.draw(st.booleans()):
        a = -np.abs(a) if dtype[0] == "f" else a
        b = b * 0
    kind = data.draw(st.sampled_from(["matrix", "left", "right"]))
    if kind == "left":
        a = a[0] if m else laid_out(rng, dtype, (k,), "C")
    elif kind == "right":
        b = b[:, 0] if n else laid_out(rng, dtype, (k,), "C")
    shape = list((a @ b).shape)
    if data.draw(st.booleans()):
        shape = [
            data.draw(st.integers(1, 3)) if extent == 1 else extent for extent in shape
        ]  # the product is stretched
    if data.draw(st.booleans()):
        shape = [extent + (data.draw(st.integers(0, 5)) == 0) for extent in shape]  # ValueError, but of few
    c = laid_out(rng, dtype, shape, data.draw(st.sampled_from([x for x in LAYOUTS if x != "repeated"])))
    ours, apart = outcome(function, copied((c, a, b))), outcome(function_apart, copied((c, a, b)))
    theirs = outcome(function.py_func, copied((c, a, b)))
    assert ours[0] == apart[0] == theirs[0]
    if ours[0] == "returned":
        assert ours[1].tobytes() == apart[1].tobytes()
        alike(ours[1], theirs[1])
    else:
        assert ours[1] is theirs[1] and ours[2] == theirs[2]


@pytest.mark.parametrize("function", [added, subtracted])
@pytest.mark.parametrize("n", [1, 2, 4, 9, 20])
def test_added_where_it_overlaps(n, function):
    def views(square):
        yield square, square, square
        yield square, square.T, square
        yield square[1:, 1:], square[:-1, :-1], np.eye(n)
        yield square[:, 0], square[1:, 1:], square[1:, 0]
        yield square[:n, :n], square[:n], square[:, :n]
        yield square[:n, :n], square[n:, :n] * 1, square[:n, :n]

    rng = np.random.default_rng(n)
    for number in range(len(list(views(np.zeros((n + 1, n + 1)))))):
        squares = [rng.random((n + 1, n + 1))] * 2
        squares = [square.copy() for square in squares]
        ours, theirs = (list(views(square))[number] for square in squares)
        got, expected = outcome(function, ours), outcome(function.py_func, theirs)
        assert got[0] == expected[0]
        np.testing.assert_allclose(squares[0], squares[1], rtol=1e-13)


def test_added_in_a_loop():
    rng = np.random.default_rng(4)
    for extent in (0, 1, 3, 4, 8, 16, 17, 50):
        for dtype in ("f4", "f8"):
            a, b = rng.random((5, extent, extent)).astype(dtype), rng.random((5, extent, extent)).astype(dtype)
            before = arrays_alive()
            alike(added_often(a, b), added_often.py_func(a, b))
            assert arrays_alive() == before
    text = added_often.inspect_mlir("optimized", "(float64[:, :, ::1], float64[:, :, ::1])")
    assert "expanded adds" in text and "pyarray.independent" not in text


@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_dot_of_several_dimensions(data):
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    dtype = data.draw(st.sampled_from(["f8", "i4", "?"]))
    k = data.draw(st.integers(0, 4))
    left, right = (data.draw(st.lists(st.integers(0, 3), max_size=2)) for _ in range(2))
    a = laid_out(rng, dtype, (*left, k), data.draw(st.sampled_from(LAYOUTS)))
    b = laid_out(rng, dtype, (*right[:-1], k, *right[-1:]), data.draw(st.sampled_from(LAYOUTS)))
    alike(dot(a, b), np.dot(a, b))
    c = laid_out(rng, dtype, (*right, k), data.draw(st.sampled_from(LAYOUTS)))
    alike(inner(a, c), np.inner(a, c))


@pytest.mark.parametrize("dtype", ["f4", "f8", "c8", "c16"])
def test_to_the_bit(dtype):
    """Large products are NumPy's own."""
    rng = np.random.default_rng(3)
    shapes = [
        ((100, 80), (80, 120)),
        ((65, 65), (65,)),
        ((300,), (300, 200)),
        ((5000,), (5000,)),
        ((3, 60, 50), (50, 70)),
        ((5, 40, 40), (5, 40)),
    ]
    for a_shape, b_shape in shapes:
        for a_layout in ["C", "F", "part", "steps"]:
            for b_layout in ["C", "F"]:
                a, b = laid_out(rng, dtype, a_shape, a_layout), laid_out(rng, dtype, b_shape, b_layout)
                if b.ndim == 2 and a.ndim == 3 and a_shape[0] == b_shape[0]:
                    b = b[:, :, np.newaxis]
                np.testing.assert_array_equal(matmul(a, b), a @ b)
    a = numbers(rng, dtype, (70, 90))
    np.testing.assert_array_equal(matmul(a, a.T), a @ a.T)  # BLAS has a function of its own for it
    np.testing.assert_array_equal(matmul(a.T, a), a.T @ a)


@pytest.mark.parametrize("left", DTYPES)
@pytest.mark.parametrize("right", ["?", "i4", "u8", "f2", "f4", "f8", "c8"])
def test_mixed_types(left, right):
    rng = np.random.default_rng(4)
    a, b = rng.integers(0, 3, (3, 4)).astype(left), rng.integers(0, 3, (4, 2)).astype(right)
    alike(matmul(a, b), a @ b)
    alike(dot(a[0], b), np.dot(a[0], b))


def test_integers_wrap():
    a = np.full((3, 40), 100, np.int8)
    alike(matmul(a, a.T), a @ a.T)
    b = np.full((40, 40), 2**40 + 3, np.int64)
    alike(matmul(b, b), b @ b)


def test_bytes_that_are_true():
    """A bool may be any byte that is not 0."""
    a = np.array([[2, 0, 4], [0, 0, 0]], np.uint8).view(np.bool_)
    alike(matmul(a, a.T.copy()), a @ a.T)
    alike(matmul(a, a[0]), a @ a[0])


def test_special_values():
    a = np.array([[np.inf, 1.0], [np.nan, 2.0], [0.0, -0.0]])
    same(matmul, a, np.array([[0.0, 1.0], [1.0, -1.0]]))
    same(matmul, a, np.array([1.0, 1.0]))


@pytest.mark.parametrize("dtype", ["f8", "i4", "?", "f2", "c8"])
def test_nothing_to_add_up(dtype):
    for m, k, n in [(0, 3, 2), (2, 0, 3), (2, 3, 0), (0, 0, 0)]:
        same(matmul, np.ones((m, k), dtype), np.ones((k, n), dtype))
        same(matmul, np.ones((4, m, k), dtype), np.ones((k, n), dtype))
        same(matmul, np.ones((m, k), dtype), np.ones(k, dtype))
        same(dot, np.ones(k, dtype), np.ones((k, n), dtype))
    same(matmul, np.ones(0, dtype), np.ones(0, dtype))
    same(matmul, np.ones((0, 2, 3), dtype), np.ones((3, 2), dtype))


def test_numbers():
    same(dot, 2.0, 3.5)
    same(dot, np.arange(3.0), 2)
    same(dot, 2j, np.arange(6.0).reshape(2, 3))
    same(dot, np.array(2.0), np.arange(3))
    same(inner, 2.0, np.arange(3.0))


@pytest.mark.parametrize("dtype", ["f8", "c16", "i4", "?"])
def test_outer_and_vdot(dtype):
    rng = np.random.default_rng(5)
    a, b = numbers(rng, dtype, (2, 3)), numbers(rng, dtype, (3, 2))
    same(outer, a[0], b[1])
    same(outer, a, b.T)
    same(vdot, a, b)
    same(vdot, a[0], b[:, 0])
    same(vdot, a, numbers(rng, dtype, (2, 2)))
    alike(outer(2, a), np.outer(2, a))


# ===-- Where results go ----------------------------------------------------------------------------===


def test_out():
    rng = np.random.default_rng(6)
    a, b = rng.random((3, 4)), rng.random((4, 5))
    for out in [np.zeros((3, 5)), np.zeros((5, 3)).T, np.zeros((6, 10))[::2, ::2], np.zeros((3, 5), np.complex128)]:
        expected = np.matmul(a, b)
        assert matmul_into(a, b, out) is out
        alike(out, expected.astype(out.dtype))
    same(matmul_into, a, b, np.zeros((3, 4)))
    same(matmul_into, a, b, np.zeros((2, 5)))
    same(matmul_into, a, b, np.zeros((2, 3, 5)))
    same(dot_into, a, b, np.zeros((3, 5)))
    with pytest.raises(PyArrayError, match="same_kind"):
        matmul_into(a, b, np.zeros((3, 5), np.int64))
    with pytest.raises(PyArrayError, match="not acceptable"):
        dot_into(a, b, np.zeros((3, 5), np.float32))
    with pytest.raises(PyArrayError, match="read-only"):
        matmul_into(a, b, np.broadcast_to(np.zeros(5), (3, 5)))


def test_out_that_overlaps():
    rng = np.random.default_rng(7)
    for n in [3, 30]:
        a, b = rng.random((n, n)), rng.random((n, n))
        for choose in [
            lambda x, y: (x, y, x),
            lambda x, y: (x, y, y),
            lambda x, y: (x, x, x),
            lambda x, y: (x, y, x.T),
        ]:
            ours, theirs = (a.copy(), b.copy()), (a.copy(), b.copy())
            alike(matmul_into(*choose(*ours)), np.matmul(*choose(*theirs)))
            alike(ours[0], theirs[0])
    memory = rng.random(40)
    x, y = memory[:16].reshape(4, 4), memory[8:24].reshape(4, 4)
    expected = x @ y
    alike(matmul_into(x, y, memory[4:20].reshape(4, 4)), expected)


def test_in_place():
    rng = np.random.default_rng(8)
    same(matmul_in_place, rng.random((3, 4)), rng.random((4, 4)))
    same(matmul_in_place, rng.random(4), rng.random((4, 4)))
    same(matmul_in_place, rng.integers(0, 9, (3, 4)), rng.integers(0, 9, (4, 4)))
    same(matmul_in_place, rng.random((3, 4)), rng.random((4, 5)))
    a = rng.random((4, 4))
    assert matmul_in_place(a, a) is a
    with pytest.raises(PyArrayError, match="inplace matrix multiplication requires"):
        matmul_in_place(a, rng.random(4))


# ===-- Errors --------------------------------------------------------------------------------------===


@pytest.mark.parametrize(
    "shapes",
    [
        ((2, 3), (4, 2)),
        ((2, 3), (4,)),
        ((3,), (4,)),
        ((3,), (4, 2)),
        ((2, 3), (2, 4, 2)),
        ((2, 2, 3), (3, 3, 2)),
        ((5, 2, 3), (2, 3, 3)),
    ],
    ids=lambda shapes: "x".join(str(s) for s in shapes).replace(" ", ""),
)
def test_shapes_that_do_not_fit(shapes):
    a, b = (np.ones(shape) for shape in shapes)
    for function in [matmul, dot]:
        same(function, a, b)
    if b.shape[-1] != a.shape[-1]:
        same(inner, a, b)


def test_error_has_the_line():
    function = define("def f(a, b):\n    c = a + 1\n    return c @ b\n")
    with pytest.raises(ValueError, match="mismatch in its core dimension 0") as caught:
        function(np.ones((2, 3)), np.ones((2, 3)))
    assert caught.traceback[-1].lineno + 1 == 3


def test_what_is_no_matrix():
    with pytest.raises(PyArrayError, match="Input operand 1 does not have enough dimensions"):
        matmul(np.ones(3), 2.0)
    with pytest.raises(PyArrayError, match="Input operand 0 does not have enough dimensions"):
        matmul(np.array(1.0), np.ones(3))
    with pytest.raises(PyArrayError, match="has no loop for"):
        matmul(np.zeros(3, "M8[D]"), np.ones(3))


# ===-- Programs ------------------------------------------------------------------------------------===


def test_nothing_leaks():
    @njit
    def power(a, steps):
        x = a
        for _ in range(steps):
            x = x @ a
        return x

    a = np.array([[0.5, 0.1], [0.2, 0.3]])
    power(a, 2)
    before = arrays_alive()
    result = power(a, 200)
    alike(result, np.linalg.matrix_power(a, 201))
    del result
    assert arrays_alive() == before


def test_parallel():
    @njit(parallel=True)
    def rows(a, b):
        out = np.zeros((a.shape[0], b.shape[1]))
        for i in prange(a.shape[0]):
            out[i] = a[i] @ b
        return out

    rng = np.random.default_rng(9)
    a, b = rng.random((50, 60)), rng.random((60, 40))
    alike(rows(a, b), a @ b)


def test_signature():
    compiled = njit([float64[:, ::1](float64[:, ::1], float64[:, ::1])])(matmul.py_func)
    a = np.arange(6.0).reshape(2, 3)
    alike(compiled(a, a.T.copy()), a @ a.T)


def test_threads():
    """BLAS is called without the GIL, by several threads at once."""
    compiled = njit(nogil=True)(matmul.py_func)
    rng = np.random.default_rng(10)
    a, b = rng.random((120, 130)), rng.random((130, 110))
    expected = a @ b
    with ThreadPoolExecutor(4) as pool:
        for result in pool.map(lambda _: compiled(a, b), range(40)):
            np.testing.assert_array_equal(result, expected)


def test_fork():
    rng = np.random.default_rng(11)
    a = rng.random((200, 200))
    expected = matmul(a, a)
    child = os.fork()
    if child == 0:
        os._exit(0 if np.array_equal(matmul(a, a), expected) else 1)
    assert os.waitpid(child, 0)[1] == 0


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.complex64, np.int16, np.bool_])
def test_in_kernels(dtype):
    @cuda.jit
    def kernel(a, b, v, out, rows, number):
        np.matmul(a, b, out)
        np.dot(a, v, rows)
        number[0] = v @ v

    rng = np.random.default_rng(3)
    a, b, v = (rng.integers(0, 3, shape).astype(dtype) for shape in ((3, 4), (4, 5), 4))
    out, rows, number = np.zeros((3, 5), dtype), np.zeros(3, dtype), np.zeros(1, dtype)
    for left, right in ((a, b), (np.asfortranarray(a), b[:, ::-1])):
        kernel[1, 1](left, right, v, out, rows, number)
        np.testing.assert_array_equal(out, left @ right)
        np.testing.assert_array_equal(rows, left @ v)
        assert number[0] == v @ v
    cuda.compile_ptx(kernel.py_func, tuple(typeof(x) for x in (a, b, v, out, rows, number)), cc=(9, 0))


def test_new_matrices_in_kernels_are_refused():
    def kernel(a, b, out):
        out[:] = a @ b

    with pytest.raises(PyArrayError, match="nothing is allocated on a GPU"):
        cuda.jit(kernel)[1, 1](np.ones((3, 3)), np.ones((3, 3)), np.zeros((3, 3)))


PROGRAM = """
import numpy as np
from pyarray import _pyarray, njit

@njit
def f(a):
    q, r = np.linalg.qr(a @ a.T)
    return np.fft.fft(np.linalg.inv(q) @ a[0]) + np.linalg.det(r)

a = np.arange(9.0).reshape(3, 3) + np.eye(3)
assert np.allclose(f(a), f.py_func(a), rtol=1e-9)
print(_pyarray.cache_info()["hits"])
"""


def test_disk_cache(tmp_path):
    """A second process does not compile, and calls the loops that its own NumPy has."""
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    environment = {**os.environ, "PYARRAY_CACHE_DIR": str(tmp_path / "cache")}
    hits = [
        int(subprocess.run([sys.executable, program], env=environment, check=True, capture_output=True).stdout)
        for _ in range(2)
    ]
    assert hits == [0, 1]


@pytest.mark.parametrize("dtype", ["f8", "f4", "f2", "i8", "c16"])
def test_dots_of_any_length_and_strides(dtype):
    """Short ones are loops, long ones calls."""
    rng = np.random.default_rng(3)

    def dots(m):
        total = np.zeros(6, m.dtype)
        for j in range(m.shape[0]):
            total[0] += m[j, :j] @ m[:j, j]
            total[1] += m[j, :j] @ m[j, :j]
            half = m[j, ::2]
            total[2] += m[::-1, j][: half.size].dot(half)
            total[3] += np.dot(m[:, j], m[j])
            total[4] += np.inner(m[::3, j], m[j, ::3])
            total[5] += m[j] @ m[j]
        return total

    compiled = njit(dots)
    for n in (0, 1, 3, 4, 5, 8, 17, 258):
        m = (rng.random((n, n)) * 3).astype(dtype)
        expected = dots(m.astype("f8") if dtype in ("f4", "f2") else m)
        if dtype != "f2" or n < 9:
            np.testing.assert_allclose(compiled(m), expected, rtol={"f4": 1e-3, "f2": 0.1}.get(dtype, 1e-11))


def test_long_dots():
    """Some in place, longer ones by BLAS."""
    f = njit(lambda a, b: (a @ b, a[::2] @ b[::2], np.dot(a, b[::-1])))
    for n in (4095, 4096, 4097, 8194):
        a, b = np.random.default_rng(n).random((2, n))
        np.testing.assert_allclose(f(a, b), f.py_func(a, b), rtol=1e-12)


def test_dots_of_what_is_not_finite():
    values = np.array([1.0, np.inf, -np.inf, np.nan, 0.0, -0.0, 2.0, 5.0])

    def dot(a, b):
        return a @ b

    compiled = njit(dot)
    for i in range(8):
        for k in range(8):
            a = np.ones(9)
            a[i], a[k] = values[i], values[k]
            with np.errstate(invalid="ignore"):
                np.testing.assert_equal(compiled(a, np.ones(9)), a @ np.ones(9))
                np.testing.assert_equal(compiled(np.repeat(a, 2)[::2], a), np.repeat(a, 2)[::2] @ a)
