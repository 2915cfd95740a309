"""guvectorize: python/ext/ufunc/ufunc.c, ufunc_loop.c, lazy_*.c, python/pyarray/ufuncs.py, _ufunc_signatures.py."""

import os
import pickle

import numpy as np
import pyarray
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyarray import DUFunc, _pyarray, float64, guvectorize, int64, njit, void

if "fake_core" in os.environ.get("PYARRAY_CORE_LIBRARY", ""):
    pytest.skip("functions are compiled when the module is imported", allow_module_level=True)
pytestmark = pytest.mark.real


@guvectorize(["void(int64[:], int64, int64[:])", "void(float64[:], float64, float64[:])"], "(n),()->(n)")
def plus(x, y, result):
    """Adds a scalar to a vector."""
    for i in range(x.shape[0]):
        result[i] = x[i] + y


@guvectorize(["void(float64[:,:], float64[:,:], float64[:,:])"], "(m,n),(n,p)->(m,p)")
def product(a, b, c):
    m, n = a.shape
    n, p = b.shape
    for i in range(m):
        for j in range(p):
            c[i, j] = 0
            for k in range(n):
                c[i, j] += a[i, k] * b[k, j]


@guvectorize(["(float64[:], float64[:])"], "(n)->()")
def mean(x, result):
    total = 0.0
    for value in x:
        total += value
    result[0] = total / x.size


@guvectorize(["float64(float64[:], float64[:])"], "(n),(n)->()")
def dot(x, y):
    total = 0.0
    for i in range(x.size):
        total += x[i] * y[i]
    return total


@guvectorize(["UniTuple(float64, 2)(float64[:])"], "(n)->(),()")
def extremes(x):
    low = high = x[0]
    for value in x:
        low, high = min(low, value), max(high, value)
    return low, high


@guvectorize(["void(float64[:], float64[:], float64[:])"], "(n)->(n),()")
def scan(x, sums, last):
    total = 0.0
    for i in range(x.size):
        total += x[i]
        sums[i] = total
    last[0] = total


# What it is -------------------------------------------------------------------------------------


def test_is_a_genuine_ufunc():
    assert type(plus) is np.ufunc
    assert plus.signature == "(n),()->(n)" and plus.types == ["ll->l", "dd->d"]
    assert (plus.nin, plus.nout, plus.__name__) == (2, 1, "plus")
    assert plus.__doc__.startswith("plus(x1, x2, /, out=None") and plus.__doc__.endswith("Adds a scalar to a vector.")
    _, text, _, codes = _pyarray.ufunc_kernel(plus)
    assert text == "(n),()->(n)" and codes == ["[A1qq[A1q>n", "[A1dd[A1d>n"]


def test_broadcasting():
    x = np.arange(6.0).reshape(2, 3)
    np.testing.assert_array_equal(plus(x, 1), x + 1)
    np.testing.assert_array_equal(plus(x, [10, 20]), x + [[10], [20]])
    np.testing.assert_array_equal(plus(x, np.arange(4)[:, None]), x + np.arange(4)[:, None, None])
    assert plus([1, 2], 3).dtype == np.int64


def test_matrix_product():
    a, b = np.random.rand(5, 1, 2, 3), np.random.rand(4, 3, 6)
    np.testing.assert_allclose(product(a, b), a @ b)
    np.testing.assert_allclose(product(np.asfortranarray(a[0, 0]), b[0].T.copy().T), a[0, 0] @ b[0])


def test_scalar_outputs():
    assert mean([1.0, 2, 6]) == 3 and type(mean([1.0])) is np.float64
    np.testing.assert_array_equal(mean(np.arange(12.0).reshape(3, 4)), [1.5, 5.5, 9.5])


def test_returned_outputs():
    assert dot([1, 2, 3], [4, 5, 6]) == 32
    assert dot.types == ["dd->d"]
    low, high = extremes(np.arange(12.0).reshape(3, 4))
    assert low.tolist() == [0, 4, 8] and high.tolist() == [3, 7, 11]


def test_several_outputs():
    sums, last = scan([[1, 2], [3, 4]])
    assert sums.tolist() == [[1, 3], [3, 7]] and last.tolist() == [3, 7]
    out = np.zeros(2), np.zeros(())
    assert scan([1, 2], out=out) == out and out[1] == 3


def test_inputs_of_one_element():
    @guvectorize(["(float64[:], float64, float64[:])"], "(),()->()")
    def one(x, y, result):
        result[0] = x[0] - y

    assert one(5, 3) == 2 and one(np.arange(3), 1).tolist() == [-1, 0, 1]


def test_layouts_and_contiguity_in_signatures_are_accepted():
    for kind in ("float64[::1]", "float64[:]", "Array(float64, 1, 'C')", "Array(float64, 1, 'A', True)"):

        @guvectorize([f"void({kind}, float64[:])"], "(n)->(n)")
        def same(x, result):
            for i in range(x.size):
                result[i] = x[i]

        assert same(np.arange(6.0)[::2]).tolist() == [0, 2, 4]


FORMS = ["void(int64[:], int64[:])", ["(i8[:], i8[:])"], [(int64[:], int64[:])], [void(int64[:], int64[:])],
         void(int64[:], int64[:])]  # fmt: skip


@pytest.mark.parametrize("signatures", FORMS)
def test_forms_of_signatures(signatures):
    @guvectorize(signatures, " (n) -> ( n )")
    def twice(x, result):
        for i in range(x.size):
            result[i] = 2 * x[i]

    assert twice.types == ["l->l"] and twice([1, 2]).tolist() == [2, 4] and twice.signature == "(n)->(n)"


def test_jitted_functions():
    inner = njit(lambda a: a * 2)

    @guvectorize(["(float64[:], float64[:])"], "(n)->(n)")
    @njit
    def twice(x, result):
        for i in range(x.size):
            result[i] = inner(x[i])

    assert twice([1.5]).tolist() == [3]


def test_many_operands():
    names = [f"x{i}" for i in range(29)]
    namespace = {}
    source = f"def total({', '.join(names)}, result):\n    result[0] = {' + '.join(name + '[1]' for name in names)}\n"
    exec_with_source(source, namespace)
    made = guvectorize([(float64[:],) * 30], ",".join(["(n)"] * 29) + "->()")(namespace["total"])
    assert made(*[[0, i] for i in range(29)]) == sum(range(29))


def exec_with_source(source, namespace):
    import linecache

    linecache.cache["<many>"] = (len(source), None, source.splitlines(keepends=True), "<many>")
    exec(compile(source, "<many>", "exec"), namespace)


# axis, axes, keepdims and the rest ----------------------------------------------------------------


def test_axis():
    x = np.random.rand(3, 4, 5)
    for axis in (0, 1, -1):
        np.testing.assert_allclose(mean(x, axis=axis), x.mean(axis))
        np.testing.assert_allclose(mean(x, axis=axis, keepdims=True), x.mean(axis, keepdims=True))
    np.testing.assert_allclose(plus(x, 1, axes=[0, (), 2]), np.moveaxis(x + 1, 0, 2))
    a, b = np.random.rand(3, 4, 5), np.random.rand(5, 6, 3)
    np.testing.assert_allclose(product(a, b, axes=[(1, 2), (0, 1), (0, 1)]).shape, (4, 6, 3))
    with pytest.raises(np.exceptions.AxisError if hasattr(np, "exceptions") else ValueError):
        mean(x, axis=3)


def test_where_dtype_casting_order():
    x = np.arange(3)
    with pytest.raises((TypeError, ValueError)):
        mean(x, where=[True, False, True], spam=1)
    assert plus(x, 1, dtype=float).dtype == np.float64
    assert plus(x, 1, signature="dd->d").dtype == np.float64
    with pytest.raises(TypeError, match="Cannot cast"):
        plus(x, 1.5, out=np.zeros(3, int))
    out = np.zeros(3, "f4")
    assert plus(x, 1.5, out=out) is out and out.tolist() == [1.5, 2.5, 3.5]
    for method in ("reduce", "accumulate"):
        with pytest.raises(RuntimeError, match="not defined on ufunc"):
            getattr(dot, method)(np.ones((2, 2)))


def test_sizes():
    @guvectorize(["(float64[:], float64[:], float64[:])"], "(3),(3)->(3)")
    def cross(a, b, c):
        c[0] = a[1] * b[2] - a[2] * b[1]
        c[1] = a[2] * b[0] - a[0] * b[2]
        c[2] = a[0] * b[1] - a[1] * b[0]

    a, b = np.random.rand(4, 3), np.random.rand(3)
    np.testing.assert_allclose(cross(a, b), np.cross(a, b))
    with pytest.raises(ValueError, match="mismatch in its core dimension"):
        cross(np.ones(2), np.ones(3))


def test_optional_dimensions():
    @guvectorize(["(float64[:,:], float64[:,:], float64[:,:])"], "(m?,n),(n,p?)->(m?,p?)")
    def matmul(a, b, c):
        for i in range(a.shape[0]):
            for j in range(b.shape[1]):
                total = 0.0
                for k in range(a.shape[1]):
                    total += a[i, k] * b[k, j]
                c[i, j] = total

    a, b = np.random.rand(3, 4), np.random.rand(4, 5)
    for one, other in ((a, b), (a[0], b), (a, b[:, 0]), (a[0], b[:, 0])):
        np.testing.assert_allclose(matmul(one, other), one @ other)


def test_mismatched_shapes():
    with pytest.raises(ValueError, match=r"signature \(m,n\),\(n,p\)->\(m,p\)"):
        product(np.ones((2, 3)), np.ones((2, 3)))
    with pytest.raises(ValueError, match="does not have enough dimensions"):
        product(np.ones(3), np.ones((3, 2)))


def test_empty():
    assert plus(np.ones((0, 3)), 1).shape == (0, 3)
    assert plus(np.ones((3, 0)), 1).shape == (3, 0)
    assert dot(np.ones((2, 0)), np.ones((2, 0))).tolist() == [0, 0]
    assert product(np.ones((2, 0)), np.ones((0, 3))).tolist() == np.zeros((2, 3)).tolist()
    with np.errstate(invalid="ignore"):
        assert np.isnan(mean([]))


# Memory -----------------------------------------------------------------------------------------


def test_odd_memory():
    x = np.arange(12.0).reshape(3, 4)
    for other in (x.astype(">f8"), x.astype("f4"), np.asfortranarray(x), x[::-1, ::-1][::-1, ::-1],
                  np.frombuffer(b"x" + x.tobytes(), np.uint8)[1:].view("f8").reshape(3, 4)):  # fmt: skip
        np.testing.assert_array_equal(plus(other, 1), x + 1)
        np.testing.assert_array_equal(mean(other), x.mean(1))
    np.testing.assert_array_equal(mean(x[::-1, ::-2]), x[::-1, ::-2].mean(1))
    frozen = x.copy()
    frozen.flags.writeable = False
    np.testing.assert_array_equal(plus(frozen, 1), x + 1)


def test_steps_that_are_no_multiple_of_the_item_size():
    record = np.zeros((3, 4), np.dtype([("x", "f8"), ("z", "c16")], align=True))
    record["z"] = np.arange(12).reshape(3, 4) * 1j

    @guvectorize(["(complex128[:], complex128[:])"], "(n)->(n)")
    def turn(x, result):
        for i in range(x.size):
            result[i] = x[i] * 1j

    np.testing.assert_array_equal(turn(record["z"]), -np.arange(12).reshape(3, 4))
    turn(record["z"], out=record["z"])
    np.testing.assert_array_equal(record["z"], -np.arange(12).reshape(3, 4))
    assert not record["x"].any()


def test_overlap():
    x = np.arange(10.0)
    plus(x[:-1], 1, out=x[1:])
    assert x.tolist() == [0, *np.arange(1.0, 10)]
    scan(x, out=(x, None))
    np.testing.assert_array_equal(x, np.arange(10.0).cumsum())


def test_writable_args():
    def mark(x, y, result):
        x[0] = 7
        result[0] = x[0] + y[0]

    for writable in ((0,), ("x",), [0]):
        made = guvectorize(["(float64[:], float64[:], float64[:])"], "(n),(n)->()", writable_args=writable)(mark)
        a, b, c = np.zeros((2, 3)), np.ones(3), np.zeros(3, int)
        assert made(a, b).tolist() == [8, 8] and a.tolist() == [[7, 0, 0], [7, 0, 0]]
        assert made(c, b, casting="unsafe") == 8 and c.tolist() == [7, 0, 0]
        with pytest.raises(ValueError, match="read-only"):
            a.flags.writeable = False
            made(a, b)


def test_programs_of_the_numba_manual():
    @guvectorize(["void(float64[:], intp[:], float64[:])"], "(n),()->(n)")
    def move_mean(a, window_arr, out):
        window_width = window_arr[0]
        asum = 0.0
        count = 0
        for i in range(window_width):
            asum += a[i]
            count += 1
            out[i] = asum / count
        for i in range(window_width, len(a)):
            asum += a[i] - a[i - window_width]
            out[i] = asum / count

    assert move_mean(np.arange(20.0).reshape(2, 10), 3)[1].tolist() == [10, 10.5, *range(11, 19)]

    @guvectorize([(float64[:], float64[:])], "()->()", writable_args=("invals",))
    def init_values(invals, outvals):
        invals[0] = 6.5
        outvals[0] = 4.2

    invals = np.zeros((3, 3))
    assert (init_values(invals) == 4.2).all() and (invals == 6.5).all()

    @guvectorize([(int64[:, :], int64[:], int64[:])], "(m,n),(n)->(m)")
    def matvec(matrix, vector, out):
        for i in range(matrix.shape[0]):
            out[i] = 0
            for j in range(matrix.shape[1]):
                out[i] += matrix[i, j] * vector[j]

    assert matvec(np.arange(6).reshape(2, 3), [1, 2, 3]).tolist() == [8, 26]


class Loud:
    def __array_ufunc__(self, ufunc, method, *inputs, **keywords):
        return ufunc, method


def test_other_array_classes():
    assert plus(Loud(), 1) == (plus, "__call__")
    assert lazy_plus(Loud(), 1) == (lazy_plus, "__call__") == lazy_plus([1], 1, Loud())

    class Tagged(np.ndarray):
        pass

    assert type(plus(np.ones(3).view(Tagged), 1)) is Tagged is type(lazy_plus(np.ones(3).view(Tagged), 1))


# Without type signatures ----------------------------------------------------------------------------


@guvectorize("(n),()->(n)")
def lazy_plus(x, y, result):
    """Adds a scalar to a vector."""
    for i in range(x.shape[0]):
        result[i] = x[i] + y


def lazy(*arguments, **options):
    return guvectorize("(n),()->(n)", **options)(_pyarray.ufunc_kernel(lazy_plus)[0])


def test_lazy():
    made = lazy()
    assert type(made) is DUFunc and made.signature == "(n),()->(n)" and made.types == []
    out = np.zeros(3)
    assert made(np.arange(3), 1.5, out) is out and out.tolist() == [1.5, 2.5, 3.5]
    assert made(np.arange(3), 1.5, out=out) is out
    assert made.types == ["ld->d"]
    assert made(np.arange(3), 1).dtype == np.int64 and made(np.arange(3, dtype="f4"), 1).dtype == np.float32
    assert made.types == ["ld->d", "ll->l", "ff->f"]
    made(np.arange(3), 1, out=np.zeros(3, "f4"))
    assert made.types[-1] == "ll->f"
    assert made([[1, 2], [3, 4]], [1, 2]).tolist() == [[2, 3], [5, 6]]
    assert made(np.ones((2, 3)), [1, 2, 3], axes=[0, (), 0]).tolist() == [[2, 3, 4], [2, 3, 4]]
    made.add("void(float64[:], float64, float64[:])")
    assert made.types[0] == "dd->d" and made(np.arange(3), 1).dtype == np.float64
    with pytest.raises(TypeError, match="positional arguments"):
        made(1)


def test_lazy_functions_that_return():
    @guvectorize("(n)->()")
    def total(x):
        result = x[0]
        for i in range(1, x.size):
            result += x[i]
        return result

    assert total([1, 2, 3]) == 6 and total(np.ones((2, 3), "f4")).tolist() == [3, 3]
    assert total.types == ["l->l", "f->f"]


def test_lazy_pickling():
    assert pickle.loads(pickle.dumps(lazy_plus)) is lazy_plus and pickle.loads(pickle.dumps(plus)) is plus
    offset = 2

    @guvectorize(["(float64[:], float64[:])"], "(n)->(n)")
    def shifted(x, result):
        for i in range(x.size):
            result[i] = x[i] + offset

    again = pickle.loads(pickle.dumps(shifted))
    assert again.signature == "(n)->(n)" and again([1.0]).tolist() == [3]
    assert pickle.loads(pickle.dumps(lazy()))([1], 2).tolist() == [3]


# Errors -----------------------------------------------------------------------------------------


def test_exceptions_of_the_function():
    @guvectorize(["(float64[:], float64[:])"], "(n)->()")
    def first(x, result):
        if x[0] < 0:
            raise ValueError("negative")
        result[0] = x[5]

    assert first(np.ones(6)) == 1
    with pytest.raises(IndexError, match="out of bounds"):
        first(np.ones((1000, 3)))
    with pytest.raises(ValueError, match="negative"):
        first(-np.ones((1000, 6)))


@pytest.mark.parametrize(
    "types, target",
    [
        ((), "cpu"),
        (["(float64[:], int64[:], float64[:])"], "cpu"),
        (["(float64[:], int64[:], float64[:])"], "parallel"),
    ],
)
def test_without_outputs(types, target):
    @guvectorize(*[types] * bool(types), "(a), (a),(z)", target=target)
    def grouped(values, labels, out):
        out[:] = 0
        for i in range(len(values)):
            out[labels[i]] += values[i]

    values, labels, out = np.arange(24.0).reshape(4, 6), np.array([0, 2, 1, 0, 1, 2]), np.full((4, 3), 9.0)
    assert grouped.signature == "(a),(a),(z)" and (grouped.nin, grouped.nout) == (3, 0)
    for _ in range(3):
        assert grouped(values, labels, out) == ()
        np.testing.assert_array_equal(out, np.stack([values[:, labels == k].sum(axis=1) for k in range(3)], axis=1))
    with pytest.raises(ValueError, match="expect '->'"):
        guvectorize("(a) (z)")(lambda a, z: None)


def test_one_input_and_no_output():
    @guvectorize("(n)")
    def clear(x):
        x[1:] = 0

    x = np.ones((2, 3), "f4")
    assert clear(x) == () and x.tolist() == [[1, 0, 0]] * 2


# Against np.vectorize -------------------------------------------------------------------------------


@st.composite
def stacks(draw, core):
    shape = [*draw(st.lists(st.integers(0, 3), max_size=2)), *core]
    steps = [draw(st.sampled_from([1, 2, -1])) for _ in shape]
    dtype = draw(st.sampled_from(["f8", "i4", "f4", ">f8"]))
    whole = [n * abs(s) for n, s in zip(shape, steps, strict=True)]
    order = draw(st.sampled_from("CF"))
    values = np.arange(np.prod(whole, dtype=int)).astype(dtype).reshape(whole, order=order)
    return values[(..., *(slice(None, None, s) for s in steps))]


@settings(max_examples=100, deadline=None, derandomize=True, database=None)
@given(st.integers(0, 4).flatmap(lambda n: st.tuples(stacks((n,)), stacks((n,)))))
def test_like_numpy_vectorize(drawn):
    a, b = drawn
    try:
        np.broadcast_shapes(a.shape[:-1], b.shape[:-1])
    except ValueError:
        with pytest.raises(ValueError, match="broadcast"):
            dot(a, b)
        return
    reference = np.vectorize(np.dot, otypes=[float], signature="(n),(n)->()")
    np.testing.assert_allclose(dot(a, b), reference(a.astype(float), b.astype(float)))


@settings(max_examples=60, deadline=None, derandomize=True, database=None)
@given(st.tuples(st.integers(0, 3), st.integers(0, 3)).flatmap(stacks), st.sampled_from(["f8", "f4"]))
def test_outputs_in_any_memory(x, dtype):
    out = np.zeros([2 * n for n in x.shape], dtype)[tuple(slice(None, None, -2) for _ in x.shape)]
    np.testing.assert_array_equal(plus(x, 1.0, out=out), x.astype(float) + 1)


def test_names_are_exported():
    assert {"vectorize", "guvectorize", "DUFunc"} <= set(pyarray.__all__) and float64[:].ndim == 1
