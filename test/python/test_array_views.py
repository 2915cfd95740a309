"""Views of whole arrays, against NumPy: values, shapes, shared memory, errors."""

import numpy as np
import pytest
from arrays import DTYPES, RECORD, check, drawn, filled, laid_out, same_values
from compare import define, expression, outcome
from hypothesis import given, settings
from hypothesis import strategies as st
from pyarray import njit
from pyarray.errors import PyArrayError


@st.composite
def subscripts(draw, rank):
    """Indices of an array with these axes: ints, slices, an ellipsis, new axes."""
    slices = ["1:", ":2", "::-1", "1::2", ":", "-2:", "::-2", "5:1", "i:", ":-1:j"]
    parts = [draw(st.sampled_from(["0", "-1", "i - 1", *slices])) for _ in range(draw(st.integers(0, rank)))]
    if draw(st.booleans()):
        parts.insert(draw(st.integers(0, len(parts))), "...")
    for _ in range(draw(st.integers(0, 2))):
        parts.insert(draw(st.integers(0, len(parts))), draw(st.sampled_from(["None", "np.newaxis"])))
    return ", ".join(parts) + "," if parts else "()"


@settings(max_examples=80, deadline=None)
@given(st.data())
def test_any_subscript(data):
    a = data.draw(drawn(dtypes=[*DTYPES, RECORD]))
    check(expression(f"a[{data.draw(subscripts(a.ndim))}]", "a, i, j"), a, 1, 2)


@settings(max_examples=80, deadline=None)
@given(st.data())
def test_stores_through_any_subscript(data):
    a = data.draw(drawn(dtypes=["i2", "f4", "f8", "c16", "?"], layouts=["C", "F", "sliced", "backwards", "transposed"]))
    index = data.draw(subscripts(a.ndim))
    try:
        part = a[eval(f"np.s_[{index}]", {"np": np, "i": 1, "j": 2})]
    except IndexError:
        return
    if not isinstance(part, np.ndarray):
        return
    shape = [data.draw(st.sampled_from([n, 1])) for n in part.shape][data.draw(st.integers(0, part.ndim)) :]
    shape = [1] * data.draw(st.integers(0, 1)) + shape
    value = filled(shape, a.dtype)
    statement = data.draw(st.sampled_from(["a[{}] = v", "a[{}] = 1", "a[{}] = a[{}]", "a[{}] += v", "a[{}] *= v"]))
    if value.ndim > part.ndim and ("+=" in statement or "*=" in statement):
        return  # an operator in place has no room for the axis, which is seen when it is compiled
    check(define(f"def f(a, v, i, j):\n    {statement.replace('{}', index)}\n    return a\n"), a, value, 1, 2)


@pytest.mark.parametrize(
    "statement", ["a[2:] = a[:-2]", "a[:-1] = a[1:]", "a[::-1] = a", "a[1:] += a[:-1]", "a[...] = a[::-1]"]
)
@pytest.mark.parametrize("shape", [(7,), (5, 3)])
def test_overlap_is_read_before_it_is_written(statement, shape):
    check(define(f"def f(a):\n    {statement}\n    return a\n"), filled(shape, "f8"))


def test_element_of_a_full_index_and_an_ellipsis_is_a_view():
    @njit
    def f(a):
        cell = a[1, ...]
        cell[...] = 7
        cell += 1
        return cell, a[1]

    check(f, np.arange(3.0))


def test_augmented_assignment_evaluates_its_index_once():
    @njit
    def f(a, b):
        for i in range(len(a)):
            a[i] *= 2
            a[i, ...] -= b
        a[:, None, 0] += b[:1]
        a[1:3, ..., -1] //= 3
        return a

    check(f, filled((4, 3), "f8"), np.arange(3.0))


def test_thirty_two_axes():
    check(expression("a[..., 0, None, :, ::-1]", "a"), filled((1,) * 30 + (2, 3), "i4"))
    check(expression("a[(None,) * 32]", "a"), np.array(3.5))


@pytest.mark.parametrize(
    "text, message",
    [
        ("a[..., ...]", "an index can only have a single ellipsis"),
        ("a[0, 0, 0, ...]", "too many indices"),
        ("a[1.5]", "cannot be indexed by float64"),
        ("a['x']", "cannot be indexed by"),
    ],
)
def test_what_no_array_takes(text, message):
    with pytest.raises(PyArrayError) as caught:
        expression(text, "a")(np.zeros((2, 2)))
    assert message in str(caught.value)


@pytest.mark.parametrize("text", ["a[i]", "a[0, i]", "a[..., i]", "a[None, i, ...]", "a[::0]", "a[-i, None]"])
def test_errors_have_the_line(text):
    f = define(f"def f(a, i):\n    b = a\n    return b{text[1:]}\n")
    check(f, filled((2, 3), "i8"), 9)
    with pytest.raises((IndexError, ValueError)) as caught:
        f(filled((2, 3), "i8"), 9)
    assert caught.traceback[-1].lineno == 2


@pytest.mark.parametrize("shapes", [((3,), (2,)), ((2, 3), (3, 2)), ((2, 3), (2, 2, 3)), ((4,), (3, 1, 2)), ((), (2,))])
def test_shapes_that_do_not_fit(shapes):
    check(define("def f(a, b):\n    a[...] = b\n    return a\n"), *(filled(shape, "f8") for shape in shapes))


def test_readonly_views_stay_readonly():
    check(expression("a[..., None]", "a"), laid_out(filled((2, 3), "f8"), "readonly"))
    with pytest.raises(PyArrayError):
        define("def f(a):\n    a[..., None] = 0\n")(laid_out(filled((2, 3), "f8"), "readonly"))


# Functions and methods that give views -------------------------------------------------------------------------------

ANY = [
    "a.T", "a.transpose()", "np.transpose(a)", "np.flip(a)", "a[...]", "a.ravel()", "np.ravel(a)", "a.flatten()",
    "a.reshape(-1)", "np.reshape(a, a.shape)", "np.atleast_1d(a)", "np.atleast_2d(a)", "np.atleast_3d(a)",
    "np.ascontiguousarray(a)", "np.asfortranarray(a)", "np.asarray(a)", "a.copy()", "a.copy('F')",
    "a.copy(order='K')", "np.copy(a)", "np.expand_dims(a, 0)", "np.expand_dims(a, (0, -1))", "a.flags.c_contiguous",
    "a.flags.f_contiguous", "a.flags.writeable, a.flags['C_CONTIGUOUS'], a.flags.fnc, a.flags.forc, a.flags.aligned",
    "a.shape, a.ndim, a.size, a.itemsize, a.nbytes", "np.shape(a), np.size(a), np.ndim(a)",
    "np.broadcast_to(a, (2, *a.shape))", "np.broadcast_arrays(a, a)", "a.view()", "np.squeeze(a[None], 0)",
    "a[None].squeeze((0,))",
]  # fmt: skip
MATRICES = [
    "np.swapaxes(a, 0, -1)", "a.swapaxes(1, 0)", "np.moveaxis(a, 0, -1)", "np.moveaxis(a, (0, 1), (1, 0))", "a.mT",
    "np.matrix_transpose(a)", "np.fliplr(a)", "np.flipud(a)", "np.flip(a, 1)", "np.flip(a, (0, -1))", "np.rot90(a)",
    "np.rot90(a, 2)", "np.rot90(a, -1)", "np.diagonal(a)", "a.diagonal(1)", "np.diagonal(a, -1, 1, 0)",
    "a.reshape(a.shape[1], -1)", "a.reshape((-1, a.shape[0]), order='F')", "np.reshape(a, -1, order='F')",
    "a.reshape(-1, order='A')", "a.ravel('F')", "a.flatten('F')", "a.T.reshape(-1)", "a[:, ::2].reshape(-1)",
    "a[1:].reshape(-1)", "a[..., None].reshape(-1, a.shape[1])",
]  # fmt: skip


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_functions_of_any_array(data):
    a = data.draw(drawn(dtypes=[*DTYPES, RECORD]))
    check(expression(data.draw(st.sampled_from(ANY)), "a"), a)


def test_flip_of_no_axes_is_the_element():
    for a in (np.array(True), np.array(2.5), np.array((3, 4.0), [("i", "i4"), ("x", "f8")])):
        check(expression("np.flip(a)", "a"), a)


@settings(max_examples=80, deadline=None)
@given(st.data())
def test_functions_of_matrices(data):
    a = data.draw(drawn(dtypes=[*DTYPES, RECORD], shapes=[(2, 3), (3, 1, 2), (2, 3, 4), (2, 0, 2), (2, 1, 3, 2)]))
    text = data.draw(st.sampled_from(MATRICES))
    if a.size == 0 and "-1" in text and "reshape" in text:
        return  # what -1 is, nothing says
    check(expression(text, "a"), a)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_axes_that_are_not_known(data):
    """The axis is an argument, so that it is seen at run time, where it may be none of the array's."""
    a = data.draw(drawn(dtypes=["f8", "i2", RECORD], shapes=[(3,), (2, 3), (3, 1, 2)]))
    text = data.draw(
        st.sampled_from(
            [
                "np.swapaxes(a, i, j)",
                "np.moveaxis(a, i, j)",
                "np.expand_dims(a, i)",
                "np.flip(a, i)",
                "np.squeeze(a[:1], i)",
            ]
        )
    )
    i, j = data.draw(st.integers(-4, 4)), data.draw(st.integers(-3, 3))
    ours, theirs = (outcome(f, [a, i, j]) for f in (expression(text, "a, i, j"), expression(text, "a, i, j").py_func))
    assert ours[0] == theirs[0], (ours, theirs)
    if ours[0] == "returned":
        same_values(ours[1], theirs[1])
        assert np.shares_memory(ours[1], a) == np.shares_memory(theirs[1], a)
    else:
        assert issubclass(theirs[1], ours[1]) or issubclass(ours[1], theirs[1]), (ours, theirs)


def test_transpose_by_a_tuple_that_is_not_known():
    f = expression("np.transpose(a, axes)", "a, axes")
    for axes in [(0, 1, 2), (2, 0, 1), (1, 0, 2), (-1, 0, 1)]:
        check(f, filled((2, 3, 4), "f4"), axes)
    check(f, filled((2, 3, 4), "f4"), (0, 0, 1))


@settings(max_examples=80, deadline=None)
@given(st.data())
def test_reshape(data):
    """Any shape of as many elements, of any strides: a view where NumPy gives one."""
    a = data.draw(
        drawn(
            dtypes=["i2", "f8", "c16", RECORD], shapes=[(12,), (3, 4), (2, 6), (2, 3, 2), (1, 12), (2, 1, 6), (4, 1, 3)]
        )
    )
    if data.draw(st.booleans()):
        a = np.swapaxes(a, 0, data.draw(st.integers(0, a.ndim - 1)))
    if data.draw(st.booleans()):
        a = a[..., :: data.draw(st.sampled_from([1, 2, -1]))]
    shape = data.draw(
        st.sampled_from(
            [
                (12,),
                (3, 4),
                (4, 3),
                (2, 2, 3),
                (1, 12, 1),
                (2, 6),
                (6, 1, 2),
                (-1,),
                (3, -1),
                (5, -1),
                (7,),
                (2, -1, -1),
                (6,),
                (2, 3),
            ]
        )
    )
    order = data.draw(st.sampled_from(["", ", order='F'", ", order='C'"]))
    written = data.draw(st.sampled_from([str(shape), str(shape)[1:-1].rstrip(",")]))
    check(expression(f"a.reshape({written}{order})", "a"), a)
    if a.ndim <= len(shape):
        check(expression("a.reshape(shape)", "a, shape"), a, shape)


def test_stores_through_views():
    @njit
    def f(a):
        a.T[0, :] = 7
        a.reshape(-1)[3:5] += 1
        np.swapaxes(a, 0, 1)[2] *= 2
        np.moveaxis(a, 0, -1)[0, 1] = -1
        np.expand_dims(a, 0)[0, 1, 1] = 5
        np.flip(a, 0)[0, 0] += 100
        a.ravel()[1] = 50
        for row in a.T:
            row[...] = row + 1
        return a

    check(f, filled((2, 3), "f8"))


@pytest.mark.parametrize("dtype", ["c8", "c16", "f4", "i8"])
def test_real_and_imag(dtype):
    for layout in ("C", "F", "backwards", "readonly"):
        check(
            expression("a.real, a.imag, np.real(a), a.T.real, a.imag[0]", "a"), laid_out(filled((2, 3), dtype), layout)
        )
    check(define("def f(a):\n    a.real = 2\n    a.real[0] += 1\n    return a\n"), filled((2, 3), dtype))


def test_imag_is_stored_to():
    check(
        define("def f(a):\n    a.imag[1:] = a.real[:-1]\n    a.imag = a.imag * 2\n    return a\n"),
        filled((3, 2), "c16"),
    )


@pytest.mark.parametrize("source", ["f8", "i4", "c8", "u2", "M8[D]"])
@pytest.mark.parametrize("target", ["i8", "f4", "u1", "c16", "m8[s]"])
def test_view_as_another_dtype(source, target):
    f = expression(f"a.view('{target}')", "a")
    check(f, filled((2, 4), source))
    if np.dtype(source).itemsize == np.dtype(target).itemsize:
        check(f, laid_out(filled((2, 4), source), "backwards"))
        check(f, np.array(1).astype(source))


def test_view_of_what_is_apart():
    check(expression("a.view('i4')", "a"), laid_out(filled((2, 3), "f8"), "sliced"))
    check(expression("a.view('i8')", "a"), filled((2, 3), "f4"))


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_astype(data):
    numbers = ["?", "i1", "u2", "i4", "i8", "f2", "f4", "f8", "c8", "c16"]
    a, dtype = data.draw(drawn(dtypes=numbers)), data.draw(st.sampled_from(numbers))
    if a.dtype.kind == "c" and np.dtype(dtype).kind != "c":
        return
    keywords = data.draw(st.sampled_from(["", ", copy=False", ", order='F'", ", order='C'"]))
    check(expression(f"a.astype('{dtype}'{keywords})", "a"), a)


def test_fill():
    for dtype in ("f4", "i8", "?", "c16", "M8[D]"):
        check(
            define("def f(a, x):\n    a.fill(x)\n    a[0, ...].fill(a[1, 1])\n    return a\n"),
            filled((2, 3), dtype),
            filled((), dtype)[()] if dtype[0] == "M" else 1,
        )


def test_broadcasting():
    check(
        expression("np.broadcast_to(a, (2, 4, 3)), np.broadcast_to(x, 3), np.broadcast_to(a[:1], (0, 3))", "a, x"),
        filled((4, 3), "f4"),
        2.5,
    )
    check(expression("np.broadcast_arrays(a, b[:, None], x)", "a, b, x"), filled((3,), "i4"), filled((2,), "f8"), 1.5)
    check(
        expression("np.broadcast_shapes(a.shape, (2, 1), 3), np.broadcast_shapes((), (4,))", "a"),
        filled((5, 2, 3), "i1"),
    )
    check(expression("np.broadcast_to(a, (2, 4))", "a"), filled((3,), "f8"))
    check(expression("np.broadcast_to(a, (3,))", "a"), filled((2, 3), "f8"))


@pytest.mark.parametrize(
    "text",
    [
        "a.reshape(4, 2)",
        "a.reshape(5, -1)",
        "np.squeeze(a, 0)",
        "a.squeeze((0, 1))",
        "np.transpose(a, (0,))",
        "np.swapaxes(a, 0, 2)",
        "np.expand_dims(a, 4)",
        "np.flip(a, -3)",
        "np.moveaxis(a, 0, 2)",
        "np.fliplr(a[0])",
        "a.reshape(2, 3, order='Q')",
    ],
)
def test_errors_of_views(text):
    f = expression(text, "a")
    ours, theirs = outcome(f, [filled((2, 3), "f8")]), outcome(f.py_func, [filled((2, 3), "f8")])
    assert ours[0] == theirs[0] == "raised" and ours[1] is theirs[1], (ours, theirs)
    if "order" not in text:
        assert ours[2] == theirs[2]


def test_squeeze_without_axis():
    with pytest.raises(PyArrayError) as caught:
        expression("np.squeeze(a)", "a")(np.zeros((1, 2)))
    assert "axis" in str(caught.value)


def test_no_view_keeps_memory_alive():
    """Views of what the function made own it."""

    @njit
    def f(n):
        a = np.arange(n * n).reshape(n, n)
        return a.T[1:], a[..., 0], np.swapaxes(a, 0, 1).reshape(-1), a.view(np.float64)[0]

    check(f, 4)


@pytest.mark.parametrize(
    "view",
    [
        "t.reshape(-1)",
        "t.T.reshape(-1)",
        "t.ravel()",
        "np.asarray(t)",
        "np.swapaxes(t, i, 1)",
        "t.view('f8')",
        "t.real",
    ],
)
def test_a_value_that_is_changed_through_a_view_is_memory(view):
    source = f"def f(a, b, i):\n    t = a * b\n    v = {view}\n    s = t + 1\n    v[...] += 5\n    return s, t + a, t\n"
    for layout in ("C", "F", "sliced"):
        check(define(source), laid_out(filled((2, 3), "f8"), layout), filled((2, 3), "f8"), 0)
