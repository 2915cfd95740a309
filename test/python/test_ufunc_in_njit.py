"""Ufuncs called in compiled code: infer_ufunc.c, expand_broadcasting.c, order_dimensions.c, lower_ufunc.c.

What a call gives in a compiled function is compared with what NumPy gives for the same ufunc.
"""

import os
import traceback

import numpy as np
import pytest
from compare import arrays_alive, define
from hypothesis import given, settings
from hypothesis import strategies as st
from pyarray import TypingError, guvectorize, njit, prange, vectorize

if "fake_core" in os.environ.get("PYARRAY_CORE_LIBRARY", ""):
    pytest.skip("functions are compiled when the module is imported", allow_module_level=True)
pytestmark = pytest.mark.real
MANY_OPERANDS = int(np.__version__.split(".")[0]) >= 2


@vectorize(
    [
        "int64(int64, int64)",
        "float32(float32, float32)",
        "float64(float64, float64)",
        "complex128(complex128, complex128)",
    ]
)
def blend(a, b):
    return a * 3 - b


@vectorize(["UniTuple(float64, 2)(float64, float64)"])
def both(a, b):
    return a + b, a - 2 * b


@vectorize(["float64(float64)"])
def checked(x):
    if x < 0:
        raise ValueError("negative number")
    return x + 1


@guvectorize(["void(float64[:,:], float64[:,:], float64[:,:])"], "(m,n),(n,p)->(m,p)")
def product(a, b, c):
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            c[i, j] = 0
            for k in range(a.shape[1]):
                c[i, j] += a[i, k] * b[k, j]


@guvectorize(["float64(float64[:])"], "(n)->()")
def total(x):
    s = 0.0
    for value in x:
        s += value
    return s


@guvectorize(["void(float64[:], float64, float64[:])"], "(n),()->(n)")
def backwards(x, y, out):
    for i in range(x.size):
        out[i] = x[x.size - 1 - i] + y


@guvectorize(["void(float64[:], float64[:], float64[:])"], "(n)->(n),()")
def scan(x, sums, last):
    s = 0.0
    for i in range(x.size):
        s += x[i]
        sums[i] = s
    last[0] = s


@njit
def call_blend(a, b):
    return blend(a, b)


@njit
def call_blend_out(a, b, out):
    return blend(a, b, out)


@njit
def call_blend_keyword(a, b, out):
    blend(a, b, out=out)


@njit
def call_both(a, b):
    return both(a, b)


@njit
def call_checked(x):
    return checked(x)


@njit
def call_product(a, b):
    return product(a, b)


@njit
def call_total(x):
    return total(x)


@njit
def call_backwards(x, y):
    return backwards(x, y)


@njit
def call_backwards_out(x, y, out):
    backwards(x, y, out)


@njit
def call_scan(x):
    return scan(x)


def outcome(function, arguments):
    try:
        result = function(*arguments)
    except ValueError as error:
        return type(error)
    return result if isinstance(result, tuple) else (result,)


def assert_like_numpy(compiled, ufunc, *arguments):
    """The same results, dtypes and shapes, or a ValueError from both; nothing leaks."""
    before = arrays_alive()
    ours, theirs = outcome(compiled, arguments), outcome(ufunc, arguments)
    if theirs is ValueError or ours is ValueError:
        assert ours is theirs
    else:
        for mine, other in zip(ours, theirs, strict=True):
            assert np.shape(mine) == np.shape(other)
            np.testing.assert_array_equal(mine, other)
            assert not isinstance(mine, np.ndarray) or mine.dtype == other.dtype
    del ours
    mine = None
    assert arrays_alive() == before


# Operands ----------------------------------------------------------------------------------------


def cut(array, axis, start, step):
    index = [slice(None)] * array.ndim
    index[axis] = slice(start, None, step)
    return array[tuple(index)]


@st.composite
def operands(draw, shape, dtypes="qfdD"):
    """An array that broadcasts to |shape|: some dimensions missing or 1, any order of axes, steps and directions."""
    own = [draw(st.sampled_from([n, n, 1])) for n in shape[draw(st.integers(0, len(shape))) :]]
    steps = [draw(st.sampled_from([1, 1, 2, -1, -2])) for _ in own]
    order = draw(st.permutations(range(len(own))))
    wide = [n * abs(step) for n, step in zip(own, steps)]
    array = np.empty([wide[axis] for axis in order], draw(st.sampled_from(dtypes)))
    array.ravel()[:] = draw(st.integers(-4, 4)) + np.arange(array.size) % 17
    array = array.transpose(np.argsort(order)) if own else array
    for axis, step in enumerate(steps):
        array = array if step == 1 else cut(array, axis, 0 if step > 0 else None, step)
    array.flags.writeable = draw(st.booleans())
    return array


shapes = st.lists(st.integers(0, 4), max_size=3).map(tuple)


@settings(max_examples=120, deadline=None)
@given(st.data(), shapes)
def test_broadcasting(data, shape):
    assert_like_numpy(call_blend, blend, data.draw(operands(shape)), data.draw(operands(shape)))


@settings(max_examples=60, deadline=None)
@given(st.data(), shapes, shapes)
def test_shapes_that_may_not_fit(data, shape, other):
    assert_like_numpy(call_blend, blend, data.draw(operands(shape, "d")), data.draw(operands(other, "d")))


@settings(max_examples=60, deadline=None)
@given(st.data(), shapes)
def test_given_output(data, shape):
    a, b = data.draw(operands(shape, "qd")), data.draw(operands(shape, "d"))
    order = data.draw(st.sampled_from("CF"))
    for function in (call_blend_out, call_blend_keyword):
        mine, theirs = np.full(shape, 7.0, order=order), np.full(shape, 7.0, order=order)
        before = arrays_alive()
        function(a, b, mine)
        blend(a, b, theirs)
        np.testing.assert_array_equal(mine, theirs)
        assert arrays_alive() == before


@settings(max_examples=60, deadline=None)
@given(st.data(), shapes)
def test_several_outputs(data, shape):
    assert_like_numpy(call_both, both, data.draw(operands(shape, "d")), data.draw(operands(shape, "d")))


NUMBERS = [
    (2, 3), (2, 3.5), (2.5, np.array([1.0, 2])), (np.arange(3), 2), (np.float32(2), np.ones(3, "f")),
    (1j, np.arange(3.0)),
    (True, np.arange(3)), (np.array(4.0), 2.0), (np.array(4), np.array(5)),
]  # fmt: skip


@pytest.mark.parametrize("a, b", NUMBERS)
def test_numbers_and_arrays(a, b):
    np.testing.assert_array_equal(call_blend(a, b), blend(a, b))
    assert np.ndim(call_blend(a, b)) == np.ndim(blend(a, b))


LETTERS = "?bhilBHILfdFD"


@pytest.mark.parametrize("first", LETTERS)
@pytest.mark.parametrize("second", "?qfdD")
def test_first_loop_that_fits(first, second):
    assert_like_numpy(call_blend, blend, np.array([1, 0, 1], first), np.array([[1], [0]], second))


def test_no_loop_fits():
    with pytest.raises(TypingError, match=r"ufunc 'checked' did not contain a loop with signature matching types"):
        call_checked(np.ones(3, complex))


# Outputs and overlap -------------------------------------------------------------------------------


@settings(max_examples=80, deadline=None)
@given(
    st.integers(0, 6), st.integers(0, 6), st.integers(0, 6), st.sampled_from([1, -1, 2]), st.sampled_from([1, -1, 2])
)
def test_overlapping_operands(i, k, out, step, out_step):
    def views(memory):
        return memory[i : i + 12][::step][:6], memory[k : k + 6], memory[out : out + 12][::out_step][:6]

    mine, theirs = np.arange(20.0), np.arange(20.0)
    call_blend_out(*views(mine))
    blend(*views(theirs))
    np.testing.assert_array_equal(mine, theirs)


def test_transposed_output_overlaps():
    mine, theirs = np.arange(16.0).reshape(4, 4), np.arange(16.0).reshape(4, 4)
    call_blend_out(mine, 1.0, mine.T)
    blend(theirs, 1.0, theirs.T)
    np.testing.assert_array_equal(mine, theirs)


@pytest.mark.parametrize("shift", [0, 1, 2])
def test_core_dimensions_overlap(shift):
    mine, theirs = np.arange(12.0), np.arange(12.0)
    call_backwards_out(mine[:6].reshape(2, 3), 1.0, mine[shift : shift + 6].reshape(2, 3))
    backwards(theirs[:6].reshape(2, 3).copy(), 1.0, theirs[shift : shift + 6].reshape(2, 3))
    np.testing.assert_array_equal(mine, theirs)


def test_some_outputs_are_given():
    @njit
    def function(a, out):
        return both(a, 1.0, out)

    memory = np.zeros(6)
    first, second = function(np.arange(3.0), memory[::2])
    assert memory.tolist() == [1, 0, 2, 0, 3, 0]
    assert np.shares_memory(first, memory) and second.tolist() == [-2, -1, 0]


def test_inputs_are_stretched_to_the_output():
    mine, theirs = np.zeros((2, 3)), np.zeros((2, 3))
    call_blend_out(np.ones((1, 1)), 2.0, mine)
    blend(np.ones((1, 1)), 2.0, theirs)
    np.testing.assert_array_equal(mine, theirs)


def test_output_of_another_type():
    a, out = np.arange(4), np.empty(4)
    assert call_blend_out(a, a, out) is not None
    np.testing.assert_array_equal(out, blend(a, a))


def test_output_must_have_the_shape():
    with pytest.raises(ValueError, match="non-broadcastable output operand"):
        call_blend_out(np.ones(3), np.ones(3), np.ones(1))
    with pytest.raises(TypingError, match="non-broadcastable output operand"):
        call_blend_out(np.ones((2, 3)), np.ones(3), np.ones(3))


def test_readonly_output():
    out = np.ones(3)
    out.flags.writeable = False
    with pytest.raises(TypingError, match="read-only"):
        call_blend_out(np.ones(3), np.ones(3), out)


# Core dimensions -------------------------------------------------------------------------------------


@settings(max_examples=60, deadline=None)
@given(st.data(), shapes.filter(lambda shape: len(shape) < 3), *[st.integers(0, 3)] * 4)
def test_matrix_product(data, loop, m, n, other, p):
    a = np.broadcast_to(data.draw(operands((*loop, m, n), "d")), (*loop, m, n))
    b = data.draw(operands(loop, "d"))[..., None, None] * np.ones((other, p))
    assert_like_numpy(call_product, product, a, b)


@settings(max_examples=40, deadline=None)
@given(st.data(), shapes, st.integers(1, 4))
def test_vectors_to_numbers(data, loop, n):
    x = np.broadcast_to(data.draw(operands((*loop, n), "qd")), (*loop, n))
    x = x.astype(float) if data.draw(st.booleans()) else np.asarray(x, float)
    assert_like_numpy(call_total, total, x)
    assert_like_numpy(call_scan, scan, x)
    assert_like_numpy(call_backwards, backwards, x, data.draw(operands(loop, "d")))


def test_numbers_for_parameters_that_are_arrays():
    @guvectorize(["void(float64[:], float64[:], float64[:])"], "(n),()->(n)")
    def shifted(x, by, out):
        for i in range(x.size):
            out[i] = x[i] + by[0]

    @njit
    def function(x, by):
        return shifted(x, by), shifted(x, by[1]), shifted(x, 4.0)

    x, by = np.arange(6.0).reshape(2, 3), np.array([10.0, 20])
    for mine, other in zip(function(x, by), (by[:, None], by[1], 4)):
        np.testing.assert_array_equal(mine, x + other)


def test_too_few_dimensions():
    with pytest.raises(TypingError, match="does not have enough dimensions"):
        call_product(np.ones(3), np.ones((3, 3)))


def test_core_dimension_mismatch():
    with pytest.raises(ValueError, match=r"Input operand 1 has a mismatch in its core dimension 0"):
        call_product(np.ones((2, 3)), np.ones((4, 2)))


# Results in further code -----------------------------------------------------------------------------


def test_results_are_used_further():
    @njit
    def function(a, b):
        c = blend(a, blend(b, 1.0))
        s = 0.0
        for i in range(c.shape[0]):
            s += c[i, 0]
            c[i] = blend(c[i], c[i, 0])
        return s, c, c[0], blend(c[1, 1], s)

    before = arrays_alive()
    a, b = np.arange(6.0).reshape(3, 2), np.arange(2.0)
    s, c, row, number = function(a, b)
    wanted = blend(a, blend(b, 1.0))
    assert s == wanted[:, 0].sum()
    for i in range(3):
        wanted[i] = blend(wanted[i], wanted[i, 0])
    np.testing.assert_array_equal(c, wanted)
    np.testing.assert_array_equal(row, wanted[0])
    assert number == blend(wanted[1, 1], s)
    del c, row
    assert arrays_alive() == before


def test_in_a_loop():
    @njit
    def function(a, n):
        for _ in range(n):
            a = blend(a, 1.0)
        return a

    before = arrays_alive()
    assert function(np.ones(3), 4).tolist() == [41.0] * 3
    assert arrays_alive() == before


def test_outputs_are_unpacked():
    @njit
    def function(x):
        sums, last = scan(x)
        return sums[0] + last

    assert function(np.array([1.0, 2, 3])) == 7


# Exceptions --------------------------------------------------------------------------------------------


def test_kernel_raises():
    @njit
    def function(x):
        kept = blend(x, x)
        return blend(checked(x), kept)

    before = arrays_alive()
    with pytest.raises(ValueError, match="negative number") as caught:
        function(np.array([1.0, 2, -1, 4]))
    names = [frame.name for frame in traceback.extract_tb(caught.tb)]
    assert names[-2:] == ["function", "checked"]
    del caught
    assert arrays_alive() == before
    np.testing.assert_array_equal(call_checked(np.ones(2)), [2, 2])


def test_nothing_leaks_where_shapes_do_not_fit():
    @njit
    def function(a, b):
        c = blend(a, 1.0)
        return blend(c, b)

    before = arrays_alive()
    with pytest.raises(ValueError, match="operands could not be broadcast together"):
        function(np.ones(3), np.ones(4))
    assert arrays_alive() == before


# Optional and fixed core dimensions


@guvectorize(["void(float64[:,:], float64[:,:], float64[:,:])"], "(m?,n),(n,p?)->(m?,p?)")
def multiply(x, y, out):
    for i in range(x.shape[0]):
        for j in range(y.shape[1]):
            total = 0.0
            for k in range(x.shape[1]):
                total += x[i, k] * y[k, j]
            out[i, j] = total


SHAPES = [
    ((2, 3), (3, 4)), ((3,), (3, 4)), ((2, 3), (3,)), ((3,), (3,)), ((5, 2, 3), (3,)), ((3,), (5, 3, 4)),
    ((5, 2, 3), (5, 3, 4)), ((5, 1, 2, 3), (6, 3, 4)), ((0, 3), (3,)), ((2, 0), (0, 4)),
]  # fmt: skip


@pytest.mark.parametrize("left, right", SHAPES)
def test_optional_dimensions(left, right):
    rng = np.random.default_rng(3)
    x, y = rng.normal(size=left), rng.normal(size=right)[..., ::1]
    wanted = multiply(x, y)
    got = njit(lambda x, y: multiply(x, y))(x, y)
    assert np.shape(got) == np.shape(wanted)
    np.testing.assert_array_equal(got, wanted)
    if np.ndim(wanted):
        out = np.zeros((*wanted.shape, 2))[..., 0]
        njit(lambda x, y, out: multiply(x, y, out))(x, y, out)
        np.testing.assert_array_equal(out, wanted)


@guvectorize(["void(float64[:], float64[:])"], "(n?)->()")
def sum_of_all(x, out):
    out[0] = 0
    for i in range(x.shape[0]):
        out[0] += x[i]


@guvectorize("(m?,n?)->(n?)")
def column_sums(x, out):
    for j in range(x.shape[1]):
        out[j] = 0
        for i in range(x.shape[0]):
            out[j] += x[i, j]


def test_everything_is_missing():
    call = njit(lambda x: sum_of_all(x))
    for x in (2.5, np.arange(4.0), np.ones((3, 4)), np.array(7.0)):
        np.testing.assert_array_equal(call(x), sum_of_all(x))


def test_missing_dimensions_without_types():
    call = njit(lambda x, out: column_sums(x, out))
    for shape in ((3, 4), (4,), (2, 3, 4)):
        x = np.random.default_rng(0).normal(size=shape)
        wanted, got = np.empty(column_sums(x).shape), np.empty(column_sums(x).shape)
        column_sums(x, wanted)
        call(x, got)
        np.testing.assert_array_equal(got, wanted)


@guvectorize(["void(float64[:], float64[:], float64[:])"], "(3),(3)->(3)")
def cross(x, y, out):
    out[0] = x[1] * y[2] - x[2] * y[1]
    out[1] = x[2] * y[0] - x[0] * y[2]
    out[2] = x[0] * y[1] - x[1] * y[0]


def test_fixed_dimensions():
    rng = np.random.default_rng(4)
    x, y = rng.normal(size=(5, 1, 3)), rng.normal(size=(4, 3))
    call = njit(lambda x, y: cross(x, y))
    np.testing.assert_allclose(call(x, y), np.cross(x, y))


# Errors of shapes, in NumPy's words


@vectorize(["float64(float64, float64)"])
def plus(x, y):
    return x + y


@guvectorize(["void(float64[:], float64[:], float64[:])"], "(n),(n)->()")
def inner(x, y, out):
    out[0] = 0
    for i in range(x.size):
        out[0] += x[i] * y[i]


def ones(*shape):
    return np.ones(shape)


MISMATCHES = [
    (plus, ones(2, 3), ones(4)),
    (plus, ones(2, 3), ones(3, 3)),
    (plus, ones(2, 1, 3), ones(4, 4), ones(2, 4, 3)),
    (plus, ones(2, 3), ones(2, 3), ones(2, 4)),
    (plus, ones(2, 3), 1.0, ones(2, 4)),
    (plus, ones(2, 1), ones(2, 3), ones(2, 1)),
    (plus, ones(1), ones(0), ones(1)),
    (inner, ones(2, 3), ones(2, 4)),
    (inner, ones(3), ones(4), ones(2)),
    (cross, ones(2, 3), ones(2)),
    (cross, ones(3), ones(3), ones(4)),
    (multiply, ones(2, 3), ones(4, 2)),
    (multiply, ones(2, 3), ones(3, 2), ones(2, 3)),
]


@pytest.mark.parametrize("function, arguments", [(first, rest) for first, *rest in MISMATCHES])
def test_mismatch_is_said_as_numpy_says_it(function, arguments):
    with pytest.raises(ValueError) as wanted:
        function(*arguments)
    call = njit(lambda x, y: function(x, y)) if len(arguments) == 2 else njit(lambda x, y, z: function(x, y, z))
    with pytest.raises(ValueError) as got:
        call(*arguments)
    assert str(got.value) == (str(wanted.value).rstrip() if "remapped" in str(wanted.value) else str(wanted.value))


def test_mismatch_of_loop_dimensions_of_a_gufunc():
    message = r"remapped shapes \[original->remapped\]: \(2,3\)->\(2,\) \(4,5,3\)->\(4,5\)$"
    with pytest.raises(ValueError, match=message):
        njit(lambda x, y: inner(x, y))(ones(2, 3), ones(4, 5, 3))


def test_mismatch_of_many_dimensions():
    x, y = ones(*[1] * 29, 2, 3), ones(4, *[1] * 29, 5)
    with pytest.raises(ValueError, match=r"with shapes \((1,){29}2,3\) \(4,(1,){29}5\) $"):
        njit(lambda x, y: plus(x, y))(x, y)


def test_mismatch_in_a_parallel_loop():
    @njit(parallel=True)
    def f(x, y):
        total = 0.0
        for i in prange(1000):
            total += plus(x, y[i])[0, 0]
        return total

    assert f(ones(2, 3), ones(1000, 3)) == 2000
    with pytest.raises(ValueError, match=r"with shapes \(2,3\) \(4,\) $"):
        f(ones(2, 3), ones(1000, 4))


# Many operands


def test_forty_operands():
    names = ", ".join(f"x{i}" for i in range(40))
    kernel = define(f"def f({names}):\n    return x0 + x39 * 2\n", decorator=lambda f: f)
    wide = vectorize([f"float64({', '.join(['float64'] * 40)})"])(kernel) if MANY_OPERANDS else None
    if not MANY_OPERANDS:
        pytest.skip("NumPy 1 takes 32 operands")
    arguments = [np.arange(4.0) + i for i in range(40)]
    np.testing.assert_array_equal(wide(*arguments), arguments[0] + 2 * arguments[39])
    call = define(f"def f({names}):\n    return wide({names})\n", decorator=njit, wide=wide)
    np.testing.assert_array_equal(call(*arguments), arguments[0] + 2 * arguments[39])


# Options


@pytest.mark.parametrize("inline", ["always", "never"])
def test_a_ufunc_has_its_own_error_model(inline):
    kernel = "def f(x, y):\n    return x / y\n"
    numpy_model, python_model = (
        define(kernel, decorator=vectorize(inline=inline, error_model=model)) for model in ("numpy", "python")
    )
    whole = define("def f(x, y):\n    return x // y\n", decorator=vectorize)
    x, zero = np.ones(2), 0.0
    for model in ("python", "numpy"):
        call, call_python, call_whole = (
            njit(error_model=model)(f)
            for f in (lambda x, y: numpy_model(x, y), lambda x, y: python_model(x, y), lambda x, y: whole(x, y))
        )
        with np.errstate(all="ignore"):
            np.testing.assert_array_equal(call(x, zero), [np.inf, np.inf])
            assert call(1.0, zero) == np.inf
            np.testing.assert_array_equal(call_whole(np.array([7, 8]), 0), [0, 0])
        with pytest.raises(ZeroDivisionError):
            call_python(x, zero)


@pytest.mark.parametrize("inline", ["always", "never"])
def test_functions_inherit_the_options_that_they_are_not_given(inline):
    source = "def f(x, y):\n    return x / y\n"
    plain = define(source, decorator=njit(inline=inline))
    python_model, numpy_model = (
        define(source, decorator=njit(inline=inline, error_model=model)) for model in ("python", "numpy")
    )
    with np.errstate(all="ignore"):
        assert njit(error_model="numpy")(lambda x: plain(x, 0.0))(1.0) == np.inf
        assert njit(lambda x: numpy_model(x, 0.0))(1.0) == np.inf
    for call in (njit(lambda x: plain(x, 0.0)), njit(error_model="numpy")(lambda x: python_model(x, 0.0))):
        with pytest.raises(ZeroDivisionError):
            call(1.0)


@pytest.mark.parametrize("inline", ["always", "never"])
def test_bounds_checks_are_those_of_the_function(inline):
    source = "def f(a, n):\n    s = 0.0\n    for i in range(n):\n        s += a[i]\n    return s\n"
    checked = define(source, decorator=njit(inline=inline, boundscheck=True))
    call = njit(boundscheck=False)(lambda a, n: checked(a, n))
    assert call(np.ones(3), 3) == 3
    with pytest.raises(IndexError):
        call(np.ones(3), 4)


# Kernels that call themselves


@pytest.mark.parametrize("parameter", [1.0, np.ones(3)])
def test_a_ufunc_that_never_returns_a_value(parameter):
    @vectorize
    def endless(x):
        return endless(x) + 1

    @guvectorize("(n)->()")
    def gufunc(x):
        return gufunc(x)

    @vectorize(["float64(float64)"])
    def declared(x):
        return declared(x) + 1

    for call in (endless, njit(lambda x: endless(x))):
        with pytest.raises(TypingError, match="calls itself on every path\n"):
            call(parameter)
    with pytest.raises(TypingError, match="calls itself on every path\n"):
        gufunc(np.ones(3))
    with pytest.raises(RecursionError):
        declared(parameter)


# Which loop


@vectorize(["float64(float64, float64)", "int32(int32, int32)"])
def quotient(x, y):
    return x / y


@pytest.mark.parametrize("x", [np.array([7], np.int32), np.int32(7), np.int16(7), 7, 7.0])
@pytest.mark.parametrize("y", [np.array([2], np.int32), np.int32(2), 2])
def test_the_loop_of_exactly_the_types_is_preferred_to_those_before_it(x, y):
    wanted = quotient(x, y)
    found = njit(lambda x, y: quotient(x, y))(x, y)
    assert np.asarray(found).dtype.kind == wanted.dtype.kind
    np.testing.assert_array_equal(found, wanted)
    np.testing.assert_array_equal(njit(lambda x: quotient(x, 2))(x), quotient(x, 2))


def test_literals_that_do_not_fit_keep_their_type():
    add = vectorize(lambda x, y: x + y)
    x = np.array([1], np.int8)
    for value in (100, 200, -300):
        found = define(f"def f(x):\n    return add(x, {value})\n", decorator=njit, add=add)(x)
        assert found.tolist() == [1 + value] == add(x, value).tolist()


def test_operands_that_a_call_spreads():
    @vectorize
    def weighted(a, b):
        return a + 10 * b

    def spread(pair, out):
        return weighted(*pair), weighted(1, *pair[:1]), weighted(*pair, out=out)

    pair = np.arange(3.0), np.ones(3)
    found, wanted = njit(spread)(pair, np.zeros(3)), spread(pair, np.zeros(3))
    for mine, theirs in zip(found, wanted, strict=True):
        np.testing.assert_array_equal(mine, theirs)
    assert njit(lambda a: weighted(*a))((2, 3)) == 32
