"""Type objects: python/pyarray/types.py."""

import pickle

import pyarray
import pytest
from pyarray import types
from pyarray.types import Array, Tuple, UniTuple, float32, float64, int32, int64


@pytest.mark.parametrize(
    "kind, text, representation",
    [
        (float64, "float64", "float64"),
        (types.boolean, "bool", "bool"),
        (types.void, "none", "none"),
        (types.intp, "int64", "int64"),
        (types.float_, "float32", "float32"),
        (types.double, "float64", "float64"),
        (float64[:], "array(float64, 1d, A)", "Array(float64, 1, 'A', False, aligned=True)"),
        (float64[::1], "array(float64, 1d, C)", "Array(float64, 1, 'C', False, aligned=True)"),
        (float64[:, ::1], "array(float64, 2d, C)", "Array(float64, 2, 'C', False, aligned=True)"),
        (float64[::1, :], "array(float64, 2d, F)", "Array(float64, 2, 'F', False, aligned=True)"),
        (Array(float64, 1, "C", readonly=True), "readonly array(float64, 1d, C)",
         "Array(float64, 1, 'C', True, aligned=True)"),
        (UniTuple(int64, 3), "UniTuple(int64 x 3)", "UniTuple(int64, 3)"),
        (Tuple((int64, float64)), "Tuple(int64, float64)", "Tuple((int64, float64))"),
        (Tuple(()), "Tuple()", "Tuple(())"),
        (float64(float64, int32[:]), "(float64, array(int32, 1d, A)) -> float64",
         "(float64, Array(int32, 1, 'A', False, aligned=True)) -> float64"),
        (types.void(), "() -> none", "() -> none"),
        (float64(float64), "(float64,) -> float64", "(float64,) -> float64"),
    ],
)  # fmt: skip
def test_texts_are_numbas(kind, text, representation):
    assert str(kind) == text and repr(kind) == representation


def test_types_are_values():
    assert float64[:, ::1] == Array(float64, 2, "C") != float64[:, :]
    assert len({float64, types.f8, float32, float64[:], float64[:]}) == 3
    assert Tuple((int64, int64)) == UniTuple(int64, 2) and isinstance(Tuple((int64, int64)), UniTuple)
    assert UniTuple(int64, 0) == Tuple(())
    assert float64(int32) == types.Signature(float64, (int32,)) != float64(int64)
    assert float64 != "float64"


@pytest.mark.parametrize(
    "kind",
    [
        float64,
        types.none,
        float64[:, ::1],
        Array(int32, 11, "A", True),
        Tuple((int64, Tuple((float32[:], types.none)))),
    ],
)
def test_codes_and_pickles_round_trip(kind):
    assert types.from_code(kind.code) == kind
    assert repr(types.from_code(kind.code)) == repr(kind)
    assert pickle.loads(pickle.dumps(kind)) == kind


def test_codes():
    assert float64[:, ::1].code == "[C2d" and Array(types.boolean, 0, "A", True).code == "[a0?"
    assert Tuple((int64, Tuple(()), types.none)).code == "(q()n)"
    assert float64(int32, types.complex64).code == "iF>d"
    assert types.signature_from_code("i[C1F>(dd)") == UniTuple(float64, 2)(int32, types.complex64[::1])
    for bad in ("", "x", "[", "[C", "(d", "dd", "[C1"):
        with pytest.raises(ValueError, match="malformed type code"):
            types.from_code(bad)


def test_calls_with_values_convert():
    import numpy as np

    assert type(int32(3.7)) is np.int32 and int32(3.7) == 3
    assert float64(3) == 3.0
    assert types.boolean(3) is True


@pytest.mark.parametrize(
    "index",
    [
        0,
        slice(1, 2),
        slice(None, None, 2),
        (slice(None, None, 1),) * 2,
        (slice(None), slice(None, None, 1), slice(None)),
    ],
)
def test_bad_dimensions(index):
    with pytest.raises(TypeError):
        float64[index]


def test_bad_arrays():
    with pytest.raises(TypeError):
        types.none[:]
    with pytest.raises(TypeError, match="layout"):
        Array(float64, 1, "X")


def test_array_attributes():
    kind = float64[:, ::1]
    assert (kind.dtype, kind.ndim, kind.layout, kind.mutable, kind.readonly) == (float64, 2, "C", True, False)
    assert kind.copy(layout="A") == float64[:, :]
    assert (int32.bitwidth, int32.signed, int32.maxval, types.uint8.minval) == (32, True, 2**31 - 1, 0)


def test_the_package_has_the_types():
    assert pyarray.float64 is float64 and pyarray.types is types
    for name in pyarray.__all__:
        assert getattr(pyarray, name) is not None
    with pytest.raises(AttributeError):
        pyarray.no_such_name  # noqa: B018


def test_error_names_are_numbas():
    from pyarray import errors
    from pyarray.core import errors as core_errors

    assert errors.NumbaError is errors.PyArrayError is core_errors.NumbaError
    assert issubclass(errors.UntypedAttributeError, errors.TypingError)
    assert issubclass(errors.NumbaTypeError, errors.TypingError)
    assert issubclass(errors.NumbaDeprecationWarning, DeprecationWarning)


def test_prange_is_range_in_python():
    assert list(pyarray.prange(1, 6, 2)) == [1, 3, 5]


def test_integers_by_their_bits():
    assert types.Integer.from_bitwidth(16) == types.int16 and types.Integer.from_bitwidth(64, False) == types.uint64
    with pytest.raises(ValueError, match="there are no unsigned integers of 12 bits"):
        types.Integer.from_bitwidth(12, signed=False)


def test_numbers_have_an_order_among_their_kind():
    assert types.int8 < types.int32 and types.int8 <= types.int8 and types.float64 > types.float32
    assert max(types.int16, types.int64) == types.int64
    for other in (types.uint64, types.float64):
        with pytest.raises(TypeError):
            types.int32 < other  # noqa: B015


def test_arguments_that_numba_has_too():
    assert types.CPointer(types.float64, None) == types.CPointer(types.float64)


def test_named_tuples_of_one_type_have_it():
    import collections

    point = collections.namedtuple("point", "x y")
    assert pyarray.typeof(point(1, 2)).dtype == types.int64 and not hasattr(pyarray.typeof(point(1, 2.5)), "dtype")
