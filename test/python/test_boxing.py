"""Values in and out: python/ext/values/unbox.c and box.c."""

import collections
import enum
import gc
import re
import sys
import warnings

import kernels
import numpy as np
import pyarray
import pytest
from compare import arrays_alive, define
from pyarray import typeof, types

identity = kernels.identity


@pytest.mark.parametrize("value", [0, 1, -1, 2**30, -(2**30), 2**62, 2**63 - 1, -(2**63), 2**63, 2**64 - 1])
def test_ints(value):
    result = identity(value)
    assert result == value and type(result) is int


@pytest.mark.parametrize("value", [2**64, -(2**63) - 1, 10**40])
def test_huge_ints_overflow(value):
    with pytest.raises(OverflowError, match="64 bits"):
        identity(value)


@pytest.mark.parametrize("value", [0.0, -0.0, 1.5, float("inf"), 5e-324])
def test_floats(value):
    result = identity(value)
    assert type(result) is float and np.float64(result).tobytes() == np.float64(value).tobytes()


@pytest.mark.parametrize("value", [True, False, None, 1 + 2j, (), (1, 2.5), (1, (2.0, True), None)])
def test_other_scalars_and_tuples(value):
    result = identity(value)
    assert result == value and type(result) is type(value)


@pytest.mark.parametrize(
    "name, plain",
    [
        ("bool_", bool), ("int8", int), ("int16", int), ("int32", int), ("int64", int), ("longlong", int),
        ("uint8", int), ("uint16", int), ("uint32", int), ("uint64", int), ("ulonglong", int),
        ("float32", float), ("float64", float), ("complex64", complex), ("complex128", complex),
    ],
)  # fmt: skip
def test_numpy_scalars_come_back_as_python_scalars(name, plain):
    for number in (1, 100):
        value = getattr(np, name)(number)
        result = identity(value)
        assert type(result) is plain and result == value


def test_negative_small_ints():
    assert identity(np.int8(-128)) == -128
    assert identity(np.int16(-(2**15))) == -(2**15)
    assert identity(np.int32(-(2**31))) == -(2**31)


def test_numpy_scalars_keep_their_type():
    assert typeof(np.float32(1)) == types.float32
    assert typeof(np.uint8(1)) == types.uint8
    assert typeof(np.complex64(1)) == types.complex64
    assert typeof(np.longlong(1)) == types.int64


def test_subclasses_of_numbers():
    class MyInt(int):
        pass

    class MyFloat(float):
        pass

    assert identity(MyInt(3)) == 3 and type(identity(MyInt(3))) is int
    assert type(identity(MyFloat(3.0))) is float


# Arrays in --------------------------------------------------------------------------------------


def layouts():
    a = np.arange(24.0).reshape(4, 6)
    readonly = np.ones(3)
    readonly.flags.writeable = False
    return [
        (np.ones(3), "array(float64, 1d, C)"),
        (np.ones(6)[::2], "array(float64, 1d, A)"),
        (np.ones(6)[::-1], "array(float64, 1d, A)"),
        (np.ones(0), "array(float64, 1d, C)"),
        (np.ones(10)[3:4], "array(float64, 1d, C)"),
        (np.ones(10)[::20], "array(float64, 1d, C)"),
        (np.array(1.0), "array(float64, 0d, C)"),
        (a, "array(float64, 2d, C)"),
        (a.T, "array(float64, 2d, F)"),
        (a[:, 1:], "array(float64, 2d, A)"),
        (a[1:], "array(float64, 2d, C)"),
        (np.ones((1, 1)), "array(float64, 2d, C)"),
        (np.ones((1, 5)), "array(float64, 2d, C)"),
        (np.ones((2, 3, 4)).transpose(1, 0, 2), "array(float64, 3d, A)"),
        (np.broadcast_to(np.ones(3), (2, 3)), "readonly array(float64, 2d, A)"),
        (readonly, "readonly array(float64, 1d, C)"),
        (np.ones(3, dtype=np.bool_), "array(bool, 1d, C)"),
        (np.ones(3, dtype=np.complex64), "array(complex64, 1d, C)"),
        (np.ones(3, dtype=np.longlong), "array(int64, 1d, C)"),
        (np.ones((1,) * 12), "array(float64, 12d, C)"),
        (np.ones((1,) * 32), "array(float64, 32d, C)"),
    ]


@pytest.mark.parametrize("array, name", layouts())
def test_types_of_arrays(array, name):
    assert str(typeof(array)) == name


@pytest.mark.parametrize("dtype", "? b h i q B H I Q l L f d F D".split())
def test_dtypes(dtype):
    array = np.ones(3, dtype=dtype)
    assert np.dtype(typeof(array).dtype.name) == np.dtype(dtype)


@pytest.mark.parametrize(
    "make, text, hint",
    [
        (lambda: np.array([1, "a"], dtype=object), "unsupported array dtype: object", ".astype"),
        (lambda: np.zeros(2, [("x", "O")]), "fields that hold Python objects", "arrays of their own"),
        (lambda: np.zeros(2, "V5"), "unsupported array dtype", "a.view"),
        (lambda: np.ones(3, dtype=np.longdouble), "longdouble|float128", "astype"),
        (lambda: np.ones(3, dtype=">f8"), "foreign byte order", "newbyteorder"),
    ],
)
def test_refused_arrays_say_what_to_do(make, text, hint):
    with pytest.raises(pyarray.TypingError, match=text) as info:
        identity(make())
    message = str(info.value)
    assert "argument 0 ('x')" in message and "kernels.py" in message and "def identity(x):" in message
    assert re.search(f"Hint: .*({hint})", message)


def test_masked_arrays_are_their_data():
    masked = np.ma.array([1.0, 2.0, 4.0], mask=[False, True, False])
    with pytest.warns(pyarray.errors.NumbaWarning, match="ignores its mask") as seen:
        assert kernels.total(masked) == 7.0
    assert seen[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert kernels.total(np.ma.array([1.0, 2.0])) == 3.0
        with pytest.raises(pyarray.errors.NumbaWarning):
            kernels.total(masked)


@pytest.mark.parametrize(
    "value", [collections.ChainMap({"a": 1}), object(), np.longdouble(1), sys, collections.ChainMap, lambda x: x]
)
def test_refused_values(value):
    with pytest.raises(pyarray.TypingError) as info:
        identity(value)
    assert "cannot determine the type of <class" in str(info.value)
    assert "- argument 0:" in str(info.value) and "\n             ^" in str(info.value)


def test_refused_value_inside_a_tuple():
    with pytest.raises(pyarray.TypingError, match=r"<class 'object'> \(inside the tuple\)"):
        identity((1, object()))


def test_some_enums_and_named_tuples_are_refused():
    class Name(str, enum.Enum):  # noqa: UP042
        A = "a"

    class Odd(collections.namedtuple("Odd", "x")):
        def __new__(cls, x):
            return super().__new__(cls, x + 1)

    refused = "the class Name is not supported .* its members are values of type str"
    with pytest.raises(pyarray.TypingError, match=refused):
        identity(Name.A)
    with pytest.raises(pyarray.TypingError, match="the class Odd is not supported .* a constructor of its own"):
        identity(Odd(1))


def test_typeof_refuses():
    with pytest.raises(pyarray.TypingError, match="Cannot determine the type of <class 'object'>"):
        typeof(object())
    assert typeof((1, 2.0)) == types.Tuple((types.int64, types.float64))
    assert typeof((1.0,) * 1000) == types.UniTuple(types.float64, 1000)


def test_array_subclasses_are_arrays():
    matrix = np.ones((2, 2)).view(np.matrix)
    assert identity(matrix) is matrix
    assert str(typeof(np.ones(3).view(np.recarray))) == "array(float64, 1d, C)"


def test_many_arrays():
    arrays = tuple(np.ones(3) for _ in range(40))
    assert typeof(arrays) == types.UniTuple(types.float64[::1], 40)


def test_strided_elements_are_found():
    a = np.arange(12.0)
    for view in (a, a[::2], a[::-1], a[3:9:3], np.arange(24.0).reshape(4, 6)[:, 2]):
        assert kernels.total(view) == view.sum()


def test_zero_dimensional_and_empty_arrays():
    point = np.array(2.5)
    assert identity(point) is point
    assert kernels.total(np.ones(0)) == 0.0
    empty = np.ones((0, 3))
    assert identity(empty) is empty


# Arrays out -------------------------------------------------------------------------------------


def test_an_argument_returned_is_the_same_object():
    square = np.arange(6.0).reshape(2, 3)
    for a in (
        np.ones(3),
        np.ones(6)[::2],
        square,
        square.T,
        square[:, :2],
        np.ones(3, np.float32),
        np.ones(3, np.bool_),
    ):
        assert identity(a) is a


def test_a_view_has_the_argument_as_base():
    a = np.arange(5.0)
    view = kernels.tail(a)
    assert view.base is a and np.shares_memory(a, view)
    assert view.tolist() == [1.0, 2.0, 3.0, 4.0]
    view[0] = 9.0
    assert a[1] == 9.0


def test_a_view_outlives_its_argument():
    view = kernels.tail(np.arange(1000.0))
    gc.collect()
    assert view.sum() == 499500.0


def test_readonly_stays_readonly():
    a = np.arange(5.0)
    a.flags.writeable = False
    assert not kernels.tail(a).flags.writeable
    assert identity(a) is a


def test_a_new_array_owns_its_memory():
    a = kernels.filled(1000, 2.5)
    assert type(a) is np.ndarray and a.flags.writeable and a.flags.c_contiguous and a.flags.aligned
    view = a[10:]
    del a
    gc.collect()
    assert (view == 2.5).all()


def test_empty_new_array():
    assert kernels.filled(0, 1.0).shape == (0,)


def test_arrays_are_freed():
    def balance():
        gc.collect()
        allocated, freed = pyarray._pyarray.allocation_counts()
        return allocated - freed

    kernels.filled(10, 1.0)
    before = balance()
    for _ in range(100):
        kernels.filled(10, 1.0)
    kept = kernels.filled(10, 1.0)
    assert balance() == before + 1
    del kept
    assert balance() == before


# An array of 3, views of it and of an argument b; what is returned, and which of the values are one object.
TWICE = [
    ("a, a", "a a"),
    ("a, (1, (a, c), 2.5), a", "a a c a"),
    ("a[1:], a[1:]", "v v"),
    ("a, a[1:], a[:2], a", "a v w a"),
    ("b, b, b[1:], b[1:]", "b b v v"),
    ("np.empty(0), np.empty(0)", "x y"),
]


@pytest.mark.real
@pytest.mark.parametrize("values, names", TWICE, ids=[values for values, _ in TWICE])
def test_an_array_returned_twice_is_one_object(values, names):
    f = define(f"def f(b):\n    a, c = np.zeros(3), np.zeros(3)\n    return {values}\n")
    before = arrays_alive()
    flat = list(_arrays_in(f(np.ones(3))))
    names = names.split()
    for x, name in zip(flat, names, strict=True):
        for y, other in zip(flat, names, strict=True):
            assert (x is y) == (name == other)
    del flat, x, y
    gc.collect()
    assert arrays_alive() == before


def _arrays_in(value):
    if isinstance(value, tuple):
        for element in value:
            yield from _arrays_in(element)
    elif isinstance(value, np.ndarray):
        yield value


def test_no_references_leak():
    a, t, big = np.ones(5), (1, (2.0, True), None), 2**62

    def work():
        identity(a), identity(t), identity(big), kernels.tail(a), kernels.filled(3, 1.0), identity(2j)
        kernels.hypot(3.0, y=4.0)
        for bad in (
            lambda: kernels.checked_sqrt(-1.0),
            lambda: identity({}),
            lambda: kernels.hypot(1),
            lambda: identity(2**64),
        ):
            try:
                bad()
            except Exception:
                pass

    counted = (
        a,
        t,
        big,
        kernels.identity,
        kernels.hypot,
        kernels.hypot.py_func,
        kernels.tail,
        np.dtype("f8"),
        types.float64,
    )
    work()
    before = [sys.getrefcount(value) for value in counted]
    blocks = sys.getallocatedblocks()
    for _ in range(200):
        work()
    gc.collect()
    assert [sys.getrefcount(value) for value in counted] == before
    assert sys.getallocatedblocks() - blocks < 100
