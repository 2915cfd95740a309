"""dtypes and NumPy's classes of scalars as arguments of compiled functions, and as results."""

import pickle

import numpy as np
import pyarray
import pytest
from pyarray import njit, typeof, types

NUMBERS = "bool_ int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128".split()
PAIR = np.dtype([("a", "i4"), ("b", "f8")])


@njit
def zeros(n, dtype):
    return np.zeros(n, dtype)


@njit
def cast(x, kind):
    return kind(x)


@pytest.mark.parametrize("name", NUMBERS)
def test_numbers(name):
    kind = getattr(np, name)
    for dtype in (kind, np.dtype(kind)):
        made = zeros(3, dtype)
        assert made.dtype == kind and made.shape == (3,)
    assert cast(1, kind) == 1


def test_one_variant_for_class_and_dtype():
    f = njit(lambda n, dtype: np.empty(n, dtype))
    f(2, np.float32), f(2, np.dtype("f4")), f(2, dtype=np.dtype(np.float32))
    assert f.signatures == [(types.int64, types.DType(types.float32))]
    assert typeof(np.float32) == typeof(np.dtype("f4")) == types.DType(types.float32)
    assert str(types.DType(types.float32)) == "dtype(float32)"


def test_records_and_times():
    made = zeros(2, PAIR)
    assert made.dtype == PAIR and made.tolist() == [(0, 0.0), (0, 0.0)]
    f = njit(lambda a, dtype: a.dtype == dtype)
    assert f(np.zeros(2, "i4"), np.dtype("i4")) and not f(np.zeros(2, "i4"), np.int64)
    assert typeof(np.dtype("M8[D]")) == types.DType(types.NPDatetime("D"))


def test_attributes_and_branches():
    @njit
    def f(dtype):
        if dtype == np.float32:
            return np.dtype(dtype).itemsize
        return -1

    assert f(np.float32) == 4 and f(np.dtype("f8")) == -1


def test_in_tuples_and_through_calls():
    @njit
    def f(n, kinds):
        return zeros(n, kinds[0])[0] + zeros(n, kinds[1])[0]

    assert type(f(3, (np.int32, np.dtype("f8")))) is float


def test_as_a_default_and_by_name():
    @njit
    def f(n, dtype=np.float32):
        return np.zeros(n, dtype)

    assert f(2).dtype == np.float32 and f(2, dtype=np.int16).dtype == np.int16


def test_declared():
    f = njit((types.int64, types.DType(types.float64)))(lambda n, dtype: np.zeros(n, dtype))
    assert f(2, np.float64).dtype == np.float64
    with pytest.raises(TypeError, match="No matching definition"):
        f(2, np.float32)


def test_results():
    assert njit(lambda a: a.dtype)(np.zeros(2, "i2")) == np.dtype("i2")
    assert njit(lambda dtype: (dtype, 1))(PAIR) == (PAIR, 1)


def test_code_on_disk(run):
    program = "import numpy as np\nfrom pyarray import njit\n@njit\ndef f(n, t):\n    return np.zeros(n, t)\n"
    program += "print(f(2, np.{}).dtype, sum(f.stats.cache_hits.values()))\n"
    assert run(program.format("float32")).split() == ["float32", "0"]
    assert run(program.format("float32")).split() == ["float32", "1"]
    assert run(program.format("int8")).split() == ["int8", "0"]


def test_types_travel():
    kind = types.DType(types.Record.make_c_struct([("x", types.int8)]))
    assert pickle.loads(pickle.dumps(kind)) == kind
    with pytest.raises(TypeError, match="no dtype of unicode_type"):
        types.DType(types.unicode_type)


@pytest.mark.parametrize(
    ("dtype", "hint"),
    [
        (np.dtype("S4"), "dtype"), (np.dtype("O"), "dtype"), (np.dtype(">i4"), "dtype"), (np.dtype("g"), "dtype"),
        (np.floating, "dtype"), (np.str_, "dtype"),
    ],
)  # fmt: skip
def test_dtypes_that_are_refused(dtype, hint):
    with pytest.raises(pyarray.TypingError) as info:
        zeros(1, dtype)
    assert hint in str(info.value).split("Hint:")[1]


@pytest.mark.parametrize("kind", [bool, int, float, complex])
def test_classes_of_python(kind):
    assert zeros(2, kind).dtype == np.zeros(2, kind).dtype
    assert cast(3, kind) == kind(3) and type(cast(3, kind)) is kind
    assert njit(lambda kind: (kind is float, kind is int, isinstance(2.5, kind)))(kind) == (
        kind is float,
        kind is int,
        kind is float,
    )


def test_classes_of_python_go_through_calls_tuples_and_results():
    inner = njit(lambda x, kind=float: kind(x))
    f = njit(lambda pair, x: (inner(x), inner(x, pair[0]), [kind(x) for kind in pair], pair[1]))
    assert f((str, str), 3) == (3.0, "3", ["3", "3"], str)
    assert str(typeof(float)) == "class(float)" and len(inner.signatures) == 0
    assert inner(3, str) == "3" and str(inner.signatures[0][1]) == "class(str)"


def test_a_class_that_has_no_code_is_refused():
    with pytest.raises(pyarray.errors.TypingError, match="cannot determine the type"):
        cast(3, Exception)
