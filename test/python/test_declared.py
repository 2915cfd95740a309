"""Declared signatures: which is taken, how arguments convert to it, and what is compiled no more."""

import traceback

import kernels
import numpy as np
import pytest
from pyarray import njit, types


def declared(signatures):
    @njit(signatures)
    def f(x):
        """
        d>d: DR(0) = D(0);
        q>q: QR(0) = Q(0);
        i>i: QR(0) = Q(0);
        B>B: QR(0) = Q(0);
        Q>Q: QR(0) = Q(0);
        ?>?: QR(0) = Q(0);
        f>f: QR(0) = Q(0);
        D>D: DR(0) = D(0); DR(1) = D(1);
        """
        return x

    return f


def test_declared_signatures_compile_at_once():
    f = declared([types.float64(types.float64), "int64(int64)"])
    assert f.nopython_signatures == [types.float64(types.float64), types.int64(types.int64)]
    assert f.signatures == [(types.float64,), (types.int64,)]


@pytest.mark.parametrize(
    "signature, given, expected",
    [
        ("float64(float64)", 3, 3.0),
        ("float64(float64)", True, 1.0),
        ("float64(float64)", np.float32(0.5), 0.5),
        ("float64(float64)", 2**63, 2.0**63),
        ("int64(int64)", 3.7, 3),  # as in Numba
        ("int64(int64)", -3.7, -3),
        ("int64(int64)", True, 1),
        ("int32(int32)", np.int8(-5), -5),
        ("uint8(uint8)", 255, 255),
        ("uint64(uint64)", 7, 7),
        ("uint64(uint64)", 1e19, 10**19),
        ("float32(float32)", 0.1, float(np.float32(0.1))),
        ("complex128(complex128)", 2.0, 2 + 0j),
        ("complex128(complex128)", np.complex64(1j), 1j),
        ("bool_(bool_)", 3, True),
    ],
)
def test_arguments_convert_to_the_declared_type(signature, given, expected):
    f = declared(signature)
    for _ in range(2):  # the second call takes the remembered conversion
        result = f(given)
        assert result == expected and type(result) is type(expected)
    assert len(f.signatures) == 1


@pytest.mark.parametrize(
    "signature, given",
    [
        ("int32(int32)", 2**31),
        ("uint8(uint8)", -1),
        ("uint64(uint64)", -1),
        ("int64(int64)", 1e19),
        ("int64(int64)", 2**63),
    ],
)
def test_a_value_that_does_not_fit_overflows(signature, given):
    with pytest.raises(OverflowError):
        declared(signature)(given)


def test_nan_does_not_convert_to_an_integer():
    with pytest.raises(ValueError, match="cannot convert float NaN to integer"):
        declared("int64(int64)")(float("nan"))


def test_the_nearest_declared_type_is_taken():
    f = declared(["float64(float64)", "int64(int64)"])
    assert type(f(np.int32(1))) is int
    assert type(f(np.float32(1))) is float


@pytest.mark.parametrize("given, name", [(1j, "complex128"), (None, "none"), (np.ones(3), r"array\(float64, 1d, C\)")])
def test_no_declared_signature_matches(given, name):
    with pytest.raises(TypeError, match=rf"^No matching definition for argument type\(s\) {name}\n") as info:
        declared(["float64(float64)", "int64(int64)"])(given)
    assert "\n  (float64,) -> float64\n  (int64,) -> int64\n" in str(info.value)


UNKNOWN = [
    (object(), "object"),
    ([object()], "list"),
    ((1, object()), "tuple"),
    (np.array([None]), "numpy.ndarray"),
]


@pytest.mark.parametrize("given, name", UNKNOWN, ids=[name for _, name in UNKNOWN])
def test_a_value_without_type_matches_no_declared_signature(given, name):
    f = njit("float64(float64, float64)")(_sum_of_two)
    with pytest.raises(TypeError, match=rf"^No matching definition for argument type\(s\) int64, {name}\n") as info:
        f(1, given)
    assert "\n  (float64, float64) -> float64\n" in str(info.value) and "Argument 1 ('y'): " in str(info.value)
    assert [frame.filename for frame in traceback.extract_tb(info.tb)] == [__file__]


def _sum_of_two(x, y):
    """
    dd>d: DR(0) = D(0) + D(1);
    """
    return x + y


def test_a_function_that_compiles_nothing_more_matches_nothing():
    f = njit(_sum_of_two)
    f.disable_compile()
    for given in (1.0, object()):
        with pytest.raises(TypeError, match="No matching definition .*\n\n_sum_of_two.. is compiled for nothing"):
            f(given, 1.0)


def test_equally_near_signatures_are_ambiguous():
    @njit(["float64(float64, int64)", "float64(int64, float64)"])
    def f(x, y):
        """
        dq>d: DR(0) = D(0);
        qd>d: DR(0) = D(1);
        """
        return x + y

    assert f(1.0, 1) is not None
    with pytest.raises(
        TypeError, match="Ambiguous overloading for <function.*int64, int64.*:\n.*float64, int64.* -> float64"
    ):
        f(1, 1)


def test_a_strided_array_suits_any_layout_only():
    @njit("float64(float64[:])")
    def any_layout(a):
        """
        [A1d>d: DR(0) = ((double *)Q(1))[0];
        """
        return a[0]

    @njit("float64(float64[::1])")
    def contiguous(a):
        """
        [C1d>d: DR(0) = ((double *)Q(1))[0];
        """
        return a[0]

    a = np.arange(1.0, 9.0)
    assert any_layout(a) == any_layout(a[::2]) == contiguous(a) == 1.0
    with pytest.raises(TypeError, match=r"array\(float64, 1d, A\)"):
        contiguous(a[::2])
    a.flags.writeable = False
    with pytest.raises(TypeError, match=r"readonly array\(float64, 1d, C\)"):
        any_layout(a)


def test_disable_compile():
    f = declared("float64(float64)")
    assert type(f(1)) is float
    f.disable_compile(False)
    assert type(f(1)) is int
    f.disable_compile()
    assert f(np.int32(1)) == 1


def test_compile_after_disable_compile_is_refused():
    f = declared("float64(float64)")  # which disables it, too
    for signature in ("float64(float64)", "int64(int64)"):
        with pytest.raises(RuntimeError, match="compilation of .* is disabled"):
            f.compile(signature)
    f.disable_compile(False)
    f.compile("int64(int64)")
    f.disable_compile()
    f.recompile()
    assert len(f.signatures) == 2


def test_compile_and_recompile():
    f = njit(kernels.hypot.py_func)
    f.compile("(float64, float64)")
    f.compile((types.int64, types.int64))
    assert f.signatures == [(types.float64,) * 2, (types.int64,) * 2]
    f.recompile()
    assert f.signatures == [(types.float64,) * 2, (types.int64,) * 2]
    assert f(3.0, 4.0) == f(3, 4) == 5.0


@pytest.mark.parametrize(
    ("signature", "given", "results"),
    [
        ("optional(int64)(optional(int64))", [3, None, 2.0], [3, None, 2]),
        ("optional(float64)(optional(float64))", [3, 2.5, None], [3.0, 2.5, None]),
        ("optional(float64)(optional(int64))", [3, None], [3.0, None]),
        ("optional(unicode_type)(optional(unicode_type))", ["ab", None], ["ab", None]),
        ("int64(optional(int64))", [3], [3]),
        ("{0}({0})".format("Tuple((int64, optional(float64)))"), [(1, 2), (1, None)], [(1, 2.0), (1, None)]),
    ],
)
def test_optional(signature, given, results):
    f = njit(signature)(lambda x: x)
    for value, result in zip(given, results):
        assert repr(f(value)) == repr(result)


def test_optional_arguments():
    @njit("int64(optional(int64))")
    def or_zero(x):
        return 0 if x is None else x

    @njit("float64(optional(float64[:]), optional(int64))")
    def pick(a, i):
        return -1.0 if a is None or i is None else a[i]

    a = np.arange(3.0)
    assert or_zero(3) == 3 and or_zero(None) == 0
    assert pick(a, 1) == 1.0 and pick(None, 1) == pick(a, None) == -1.0
    assert a.base is None


def test_none_where_a_value_is_declared():
    @njit("int64(optional(int64))")
    def same(x):
        return x

    assert same(5) == 5
    for _ in range(2):
        with pytest.raises(TypeError, match="expected int64, got None"):
            same(None)


def test_an_exact_type_goes_before_an_optional():
    @njit(["int64(int64)", "optional(int64)(optional(int64))"])
    def f(x):
        return x

    f(1), f(None)
    assert f(2**40) == 2**40 and f(None) is None
    with pytest.raises(TypeError, match="No matching definition"):
        f("text")
