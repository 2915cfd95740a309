"""Attributes and methods of ufuncs in compiled code: python/pyarray/_ufunc_methods.py, infer_ufunc_arguments.c."""

import os
import traceback

import numpy as np
import pytest
from compare import arrays_alive
from pyarray import TypingError, guvectorize, njit, vectorize
from pyarray.errors import UnsupportedError

if "fake_core" in os.environ.get("PYARRAY_CORE_LIBRARY", ""):
    pytest.skip("functions are compiled when the module is imported", allow_module_level=True)
pytestmark = pytest.mark.real

KINDS = [np.bool_, np.int8, np.int32, np.uint16, np.uint64, np.float32, np.float64, np.complex64]


@vectorize
def mix(x, y):
    return x + y


@vectorize(["int64(int64, int64)", "float64(float64, float64)"], identity=1)
def weigh(x, y):
    return x * 3 - y


@vectorize(["int16(int16, int16)", "float32(float32, float32)", "float64(float64, float64)"])
def larger(x, y):
    return x if x > y else y


@vectorize
def negate(x):
    return -x


@vectorize(["int64(int64, int64)"])
def checked(x, y):
    if y == 3:
        raise ValueError("three")
    return x + y


@vectorize(["int64(int64, int64)"], identity=0)
def guarded(x, y):
    if y == 3:
        raise ValueError("three")
    return x + y


def filled(shape, kind=np.float64):
    return (np.arange(np.prod(shape)) * 7 % 11).reshape(shape).astype(kind)


def assert_same(found, wanted):
    if isinstance(wanted, np.ndarray):
        assert (found.dtype, found.shape) == (wanted.dtype, wanted.shape)
    np.testing.assert_array_equal(found, wanted)


def test_attributes_are_constants():
    @njit
    def read():
        return mix.nin, mix.nout, mix.nargs, mix.identity, weigh.identity, negate.nargs, weigh.signature

    assert read() == (2, 1, 3, None, 1, 2, None)


def test_attribute_decides_branches():
    @njit
    def choose(x):
        return mix(x, x) if mix.nin == 2 else mix(x)

    assert choose(2) == 4


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("shape", [(7,), (3, 4), (2, 3, 4), (1, 1), (0, 3)])
@pytest.mark.parametrize("name", ["mix", "weigh"])
def test_reduce_and_accumulate_are_those_of_python(kind, shape, name):
    ufunc = {"mix": mix, "weigh": weigh}[name]
    array = filled(shape, kind)
    if name == "weigh" and kind is np.complex64:
        pytest.skip("has no such loop")

    @njit
    def last(a):
        return ufunc.accumulate(a), ufunc.accumulate(a, axis=-1)

    @njit
    def all_of(a):
        return ufunc.reduce(a), ufunc.reduce(a, axis=-1)

    for found, wanted in zip(last(array), last.py_func(array)):
        assert_same(found, wanted)
    if ufunc.identity is None and not array.shape[0]:
        with pytest.raises(ValueError, match="zero-size array to reduction operation mix which has no identity"):
            all_of(array)
        return
    for found, wanted in zip(all_of(array), all_of.py_func(array)):
        assert_same(found, wanted)


@pytest.mark.parametrize("axis", [0, 1, 2, -1, -2, -3])
@pytest.mark.parametrize("view", [lambda a: a, lambda a: a.T, lambda a: a[::-1, :, ::2], np.asfortranarray])
def test_axes_and_strides(axis, view):
    array = view(filled((3, 4, 5)))
    call = njit(lambda a: (larger.reduce(a, axis=axis), larger.accumulate(a, axis), weigh.reduce(a, axis=axis)))
    for found, wanted in zip(call(array), call.py_func(array)):
        assert_same(found, wanted)


@pytest.mark.parametrize("kind", [np.int8, np.int16, np.int32, np.float32])
def test_the_loop_is_the_one_that_numpy_takes(kind):
    array = filled(9, kind)
    call = njit(lambda a: larger.accumulate(a))
    assert_same(call(array), call.py_func(array))


@vectorize(["int64(int64, int64)", "float64(float64, float64)"], identity="reorderable")
def largest(x, y):
    return x if x > y else y


@vectorize(["int64(int64, int64)", "float64(float64, float64)"], identity=0)
def total(x, y):
    return x + y


VIEWS = [lambda a: a, lambda a: a.T, lambda a: a[::-1, :, ::2], np.asfortranarray]


@pytest.mark.parametrize("axis", [None, (0, 1), (2, 0), (-1, -2), (1,), (0, 1, 2)])
@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("keeps", [False, True])
def test_several_axes(axis, view, keeps):
    array = view(filled((3, 4, 5)))
    call = njit(
        lambda a: (total.reduce(a, axis=axis, keepdims=keeps), largest.reduce(a, axis, keepdims=keeps, initial=2))
    )
    for found, wanted in zip(call(array), call.py_func(array)):
        assert_same(found, wanted)


@pytest.mark.parametrize("kind", [np.bool_, np.int8, np.float32])
def test_several_axes_compute_in_the_type_of_the_loop(kind):
    call = njit(lambda a: (total.reduce(a, axis=None), largest.reduce(a, axis=(0, 1), dtype=np.float64)))
    for found, wanted in zip(call(filled((3, 4), kind)), call.py_func(filled((3, 4), kind))):
        assert_same(found, wanted)


def test_initial_comes_first():
    @njit
    def call(a, x):
        return mix.reduce(a, initial=3), weigh.reduce(a, axis=1, initial=x), weigh.reduce(a[0], initial=x)

    array = filled((3, 4))
    for found, wanted in zip(call(array, 7.0), call.py_func(array, 7.0)):
        assert_same(found, wanted)


@pytest.mark.parametrize("shape", [(0, 3, 2), (3, 0, 2), (3, 2, 0)])
def test_nothing_to_reduce_over_several_axes(shape):
    array = np.ones(shape)
    with_initial = njit(lambda a: largest.reduce(a, axis=(0, 1), initial=5.0))
    assert_same(with_initial(array), with_initial.py_func(array))
    without = njit(lambda a: largest.reduce(a, axis=(0, 1)))
    if not shape[2]:
        assert_same(without(array), without.py_func(array))
        return
    for call in (without, without.py_func):
        with pytest.raises(ValueError, match="zero-size array to reduction operation largest which has no identity"):
            call(array)


def test_keepdims_of_one_axis_and_of_one_dimension():
    @njit
    def call(a):
        return mix.reduce(a, axis=1, keepdims=True), mix.reduce(a[0], keepdims=True), mix.reduce(a, keepdims=False)

    for found, wanted in zip(call(filled((3, 4))), call.py_func(filled((3, 4)))):
        assert_same(found, wanted)


def test_dtype_and_out():
    @njit
    def call(a, out):
        same = weigh.reduce(a, axis=0, out=out)
        return same, weigh.accumulate(a, dtype=np.float64), weigh.accumulate(a, 1, np.float64, None)

    array, out = filled((3, 4), np.int32), np.zeros(4, np.int64)
    found = call(array, out)
    np.testing.assert_array_equal(out, weigh.reduce(array))
    assert found[0] is out or np.shares_memory(found[0], out)
    assert_same(found[1], weigh.accumulate(array, dtype=np.float64))
    assert_same(found[2], weigh.accumulate(array, 1, np.float64))


def test_reduceat():
    call = njit(lambda a, i: (weigh.reduceat(a, i, axis=0), larger.reduceat(a, i, 1), mix.reduceat(a, i)))
    array, positions = filled((3, 4, 2)), np.array([0, 2, 1, 1, 0])
    for found, wanted in zip(call(array, positions), call.py_func(array, positions)):
        assert_same(found, wanted)
    assert call(array, positions[:0])[0].shape == (0, 4, 2)
    for bad in (3, -1):
        with pytest.raises(IndexError, match=rf"index {bad} out-of-bounds in weigh.reduceat \[0, 3\)"):
            call(array, np.array([0, bad]))


def test_at():
    @njit
    def call(a, i, v):
        mix.at(a, i, v)
        weigh.at(a, i, 2)
        negate.at(a, i)

    positions, values = np.array([0, 0, 3, -1]), np.arange(4.0)
    found, wanted = filled(5), filled(5)
    call(found, positions, values)
    call.py_func(wanted, positions, values)
    assert_same(found, wanted)
    with pytest.raises(IndexError, match="index 7 is out of bounds for axis 0 with size 5"):
        call(found, np.array([7]), np.ones(1))
    with pytest.raises(ValueError, match="could not be broadcast"):
        call(found, positions, np.ones(3))


def test_methods_leave_no_frames_of_their_own():
    @njit
    def root(a):
        return checked.reduce(a), checked.accumulate(a)

    @njit
    def whole(a):
        return guarded.reduce(a, axis=None, initial=1)

    @njit
    def scatter(a, i):
        mix.at(a, i, 1)

    before = arrays_alive()
    for call, arguments, names in (
        (root, (np.arange(6),), ["root", "checked"]),
        (whole, (np.arange(12).reshape(2, 2, 3),), ["whole", "guarded"]),
        (scatter, (np.ones(2), np.array([9])), ["scatter"]),
    ):
        with pytest.raises((ValueError, IndexError)) as caught:
            call(*arguments)
        assert [frame.name for frame in traceback.extract_tb(caught.tb)][1:] == names
    assert arrays_alive() == before


def test_a_ufunc_that_raises_has_one_frame():
    for target in ("cpu", "parallel"):
        ufunc = vectorize(["int64(int64, int64)"], target=target)(checked_function)
        for size in (6, 1):
            with pytest.raises(ValueError) as caught:
                ufunc(np.arange(size), 3)
            frames = traceback.extract_tb(caught.tb)[1:]
            assert [(frame.name, frame.line) for frame in frames] == [("checked_function", 'raise ValueError("three")')]


def checked_function(x, y):
    if y == 3:
        raise ValueError("three")
    return x + y


def test_axis_of_gufuncs():
    @guvectorize(["void(float64[:], float64[:])"], "(n)->(n)")
    def running(x, result):
        total = 0.0
        for i in range(x.shape[0]):
            total += x[i]
            result[i] = total

    @guvectorize(["float64(float64[:], float64[:])"], "(n),(n)->()")
    def dot(x, y):
        total = 0.0
        for i in range(x.shape[0]):
            total += x[i] * y[i]
        return total

    call = njit(lambda a: (running(a, axis=0), running(a, axis=-1), dot(a, a, axis=1), dot(a, a, axis=0)))
    for found, wanted in zip(call(filled((3, 4))), call.py_func(filled((3, 4)))):
        assert_same(found, wanted)


def test_an_axis_that_is_an_argument():
    """Each value makes a variant."""
    call = njit(lambda a, axis: (weigh.reduce(a, axis=axis), mix.accumulate(a, axis)))
    for axis in (0, 1, -1):
        for found, wanted in zip(call(filled((3, 4)), axis), call.py_func(filled((3, 4)), axis)):
            assert_same(found, wanted)


@pytest.mark.parametrize(
    "call, kind, message",
    [
        (lambda a: mix.reduce(a, axis=2), TypingError, "axis 2 is out of bounds for array of dimension 2"),
        (lambda a: mix.reduce(a, axis=a.shape[0]), TypingError, "axis must be a constant integer"),
        (lambda a: mix.reduce(a, axis=(0, 1)), TypingError, "'mix' is not reorderable, so at most one axis may"),
        (lambda a: mix.reduce(a, axis=None), TypingError, "'mix' is not reorderable, so at most one axis may be"),
        (lambda a: weigh.reduce(a, axis=(0, 0)), TypingError, "duplicate value in 'axis'"),
        (lambda a: weigh.reduce(a, axis=(0, 2)), TypingError, "axis 2 is out of bounds for array of dimension 2"),
        (lambda a: weigh.reduce(a, axis=(0, a.shape[0])), TypingError, "axis must be a constant in compiled code"),
        (lambda a: weigh.reduce(a, axis=()), UnsupportedError, "reduce.* over no axis is not supported"),
        (lambda a: weigh.accumulate(a, axis=None), UnsupportedError, "several axes at once"),
        (lambda a: weigh.accumulate(a, keepdims=True), UnsupportedError, "keyword argument 'keepdims'"),
        (lambda a: weigh.accumulate(a, initial=1), UnsupportedError, "keyword argument 'initial'"),
        (lambda a: mix.reduce(a, initial=a), TypingError, "initial must be a number"),
        (lambda a: mix.reduce(a, keepdims=a.shape[0]), TypingError, "keepdims must be a constant in compiled code"),
        (lambda a: mix.reduce(a, out=a[0], keepdims=True), UnsupportedError, "out together with keepdims"),
        (lambda a: mix.reduce(a, where=True), UnsupportedError, "keyword argument 'where'"),
        (lambda a: mix.reduce(3.0), TypingError, "not have enough dimensions"),
        (lambda a: mix.reduce(), TypingError, "takes from 1 to 4 positional arguments but 0 were given"),
        (lambda a: mix.outer(a, a), TypingError, "'outer' of ufuncs is not supported in compiled code; there are nin"),
        (lambda a: mix.spam, TypingError, "'spam' of ufuncs is not supported in compiled code"),
        (lambda a: negate.reduce(a), TypingError, r"reduce\(\) is only supported for binary functions"),
        (lambda a: checked.reduce(a), TypingError, "no loop of the ufunc takes its own result and elements"),
    ],
)
def test_what_is_refused(call, kind, message):
    with pytest.raises(kind, match=message):
        njit(call)(np.ones((2, 3)))


def test_times_are_refused():
    for call in (njit(lambda a: mix.reduce(a)), njit(lambda a: mix.accumulate(a))):
        with pytest.raises(UnsupportedError, match=r"\(\) of datetimes and timedeltas is not supported"):
            call(np.array([1, 2], "m8[s]"))


def test_the_identity_is_part_of_the_cache_key():
    def make(identity):
        ufunc = vectorize(["float64(float64, float64)"], identity=identity)(plus)
        return njit(lambda a: ufunc.reduce(a))

    assert [make(identity)(np.zeros(0)) for identity in (0, 1)] == [0.0, 1.0]


def plus(x, y):
    return x + y


@pytest.mark.parametrize(
    "indices, values",
    [
        ([2, 5, 2], 1),
        ([2, 5, 2], np.array([1, 2, 3])),
        (slice(2, 6), np.arange(4)),
        (..., 3),
        (np.arange(8) > 4, 2),
        (np.array([[1, 2], [1, 1]]), np.array([10, 20])),
        (5, 7),
    ],
)
def test_at_takes_what_a_subscript_takes(indices, values):
    @njit
    def change(a, indices, values):
        weigh.at(a, indices, values)
        negate.at(a, indices)

    found, wanted = np.arange(8.0), np.arange(8.0)
    change(found, indices, values)
    change.py_func(wanted, indices, values)
    assert_same(found, wanted)


def test_at_of_several_axes():
    @njit
    def change(a, indices, values):
        weigh.at(a, indices, values)

    found, wanted = np.arange(9.0).reshape(3, 3), np.arange(9.0).reshape(3, 3)
    indices = slice(None), np.array([1, 2, 1])
    change(found, indices, wanted * 100)
    change.py_func(wanted, indices, wanted * 100)
    assert_same(found, wanted)


def test_reduceat_of_lists():
    call = njit(lambda a, i, axis: (weigh.reduceat(a, i, axis), mix.reduceat(a, [1, 0])))
    array = np.arange(12.0).reshape(3, 4)
    for axis in (0, 1, -1):
        for found, wanted in zip(call(array, [0, 2, 1], axis), call.py_func(array, [0, 2, 1], axis)):
            assert_same(found, wanted)
    with pytest.raises(ValueError, match="a 1-D array"):
        call(array, array.astype(int), 0)


def test_none_is_no_initial_value():
    call = njit(lambda a, axis, dtype, initial: mix.reduce(a, axis=axis, dtype=dtype, initial=initial))
    array = np.arange(12.0).reshape(3, 4)
    for initial in (None, 2.0):
        for axis in (0, 1):
            assert_same(call(array, axis, None, initial), call.py_func(array, axis, None, initial))
