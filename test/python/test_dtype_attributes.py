"""Attributes of dtypes, np.finfo and np.iinfo, and attributes and methods of scalars, against NumPy."""

import numpy as np
import pytest
from compare import define
from pyarray import njit
from pyarray.errors import TypingError, UnsupportedError

pytestmark = pytest.mark.real

NUMBERS = "? b h i q B H I Q e f d F D".split()
REALS, INTEGERS, FLOATS = NUMBERS[1:12], NUMBERS[1:9], NUMBERS[9:12]
SINGLE = np.dtype("f4")
RECORD = np.dtype([("x", "f8"), ("y", "i4")])

_functions = {}


def compiled(expression, **names):
    """A compiled function of a, x and n that gives |expression|, and the plain one."""
    import linecache

    key = expression, tuple(sorted(map(str, names.items())))
    if key not in _functions:
        text = f"def f(a=None, x=None, n=None):\n    return {expression}\n"
        file = f"<dtype attributes {len(_functions)}>"
        linecache.cache[file] = (len(text), None, text.splitlines(True), file)
        space = {"np": np, "SINGLE": SINGLE, "RECORD": RECORD, **names}
        exec(compile(text, file, "exec"), space)
        _functions[key] = njit(space["f"]), space["f"]
    return _functions[key]


def same(got, expected):
    if isinstance(expected, tuple):
        return len(got) == len(expected) and all(map(same, got, expected))
    if isinstance(expected, np.generic):
        expected = expected.item()
    return type(got) is type(expected) and (got == expected or got != got and expected != expected)


@pytest.mark.parametrize("letter", NUMBERS)
@pytest.mark.parametrize("name", "itemsize kind name num str alignment byteorder ndim char".split())
def test_attributes_of_dtypes(letter, name):
    got, plain = compiled(f"a.dtype.{name}")
    a = np.zeros(2, letter)
    if name in ("char", "num") and letter in "qQ":  # int64 is NumPy's long
        a = a.astype("l" if letter == "q" else "L")
    assert same(got(a), plain(a))


@pytest.mark.parametrize("unit", ["M8[D]", "m8[25s]"])
def test_attributes_of_times(unit):
    for name in "itemsize kind name num char".split():
        got, plain = compiled(f"a.dtype.{name}")
        assert same(got(np.zeros(2, unit)), plain(np.zeros(2, unit)))


def test_attributes_of_records_and_globals():
    for expression in (
        "RECORD.itemsize",
        "RECORD.kind",
        "SINGLE.itemsize",
        "SINGLE.name",
        "a.dtype.itemsize",
        "a.dtype.kind",
    ):
        got, plain = compiled(expression)
        assert same(got(np.zeros(2, RECORD)), plain(np.zeros(2, RECORD)))
    with pytest.raises(TypingError, match="unknown attribute 'colour'"):
        compiled("SINGLE.colour")[0]()


FINFO = """bits eps epsneg iexp machep max maxexp min minexp negep nexp nmant precision resolution smallest_normal
smallest_subnormal tiny""".split()


@pytest.mark.parametrize("letter", [*FLOATS, "F", "D"])
@pytest.mark.parametrize("name", FINFO)
def test_finfo(letter, name):
    dtype = np.dtype(letter).type
    for expression, arguments in (
        (f"np.finfo(T).{name}", ()),
        (f"np.finfo(x).{name}", (None, dtype(1))),
        (f"np.finfo(a.dtype).{name}", (np.zeros(1, letter),)),
    ):
        got, plain = compiled(expression, T=dtype)
        assert same(got(*arguments), plain(*arguments))


@pytest.mark.parametrize("letter", INTEGERS)
@pytest.mark.parametrize("name", ["min", "max", "bits", "kind"])
def test_iinfo(letter, name):
    dtype = np.dtype(letter).type
    for expression, arguments in ((f"np.iinfo(T).{name}", ()), (f"np.iinfo(n).{name}", (None, None, dtype(1)))):
        got, plain = compiled(expression, T=dtype)
        assert same(got(*arguments), plain(*arguments))


def test_infos_by_name_and_in_expressions():
    for expression in (
        "np.finfo('float32').eps",
        "np.iinfo('int16').max",
        "np.finfo(float).max / 2",
        "-np.iinfo(int).max - 1",
        "np.finfo(np.float64).dtype == np.float64",
    ):
        got, plain = compiled(expression)
        assert same(got(), bool(plain()) if isinstance(plain(), np.bool_) else plain())

    @njit
    def clipped(x):
        info = np.iinfo(np.int8)
        return min(max(x, info.min), info.max)

    assert [clipped(x) for x in (-1000, 5, 1000)] == [-128, 5, 127]


@pytest.mark.parametrize(
    "expression, message",
    [
        ("np.finfo(np.int32).eps", "np.finfo|numpy.finfo is of inexact dtypes, not of int32"),
        ("np.iinfo(np.float32).max", "is of integer dtypes, not of float32"),
        ("np.finfo(float).colour", "unknown attribute 'colour'"),
        ("np.dtype('nonsense').itemsize", "'nonsense' is no dtype that compiled code has"),
        ("np.dtype('>f8').itemsize", "'>f8' is no dtype that compiled code has"),
        ("x.view(np.int32)", "a view of float64 as int32 is not compiled"),
    ],
)
def test_refusals(expression, message):
    with pytest.raises((TypingError, UnsupportedError), match=message):
        compiled(expression)[0](None, 1.5)


NAMES = """float32 float64 float16 half single double int8 int16 int32 int64 intp intc byte short long longlong
uint8 uint16 uint32 uint64 uintp uintc ubyte ushort ulong ulonglong bool_ complex64
complex128 csingle cdouble""".split()
NAMES = [name for name in NAMES if hasattr(np, name)]


@pytest.mark.parametrize("name", NAMES)
def test_constructors(name):
    cls = getattr(np, name)
    for expression in (
        "np.{0}(n)",
        "np.dtype(np.{0}).type(n)",
        "np.zeros(2, np.{0})[0]",
        "np.zeros(1, '{0}').dtype.type(n)",
        "np.{0}(n).dtype.itemsize",
        "C(n)",
        "n.astype(np.{0})",
    ):
        if name in ("long", "ulong") and "'" in expression and not hasattr(np, "long"):
            continue
        got, plain = compiled(expression.format(name), C=cls)
        assert same(got(None, None, np.int64(3)), plain(None, None, np.int64(3))), expression


@pytest.mark.parametrize(
    "text", ["f4", "<f8", "=i2", "|u1", "float", "int", "complex", "bool", "?", "d", "i8", "uint16", "c16", "e"]
)
def test_dtypes_by_text(text):
    for expression in (
        f"np.zeros(2, '{text}').itemsize",
        f"np.dtype('{text}').itemsize",
        f"np.empty(1, dtype='{text}').dtype.name",
        f"np.dtype('{text}') == np.dtype('{np.dtype(text).name}')",
    ):
        got, plain = compiled(expression)
        assert same(got(), plain())


@pytest.mark.parametrize("letter", NUMBERS)
def test_attributes_of_scalars(letter):
    x = np.dtype(letter).type(3)
    for expression in (
        "x.itemsize",
        "x.nbytes",
        "x.ndim",
        "x.size",
        "x.shape",
        "x.T",
        "x.real",
        "x.imag",
        "x.item()",
        "x.conj()",
        "x.conjugate()",
        "x.dtype == np.dtype(C)",
        "x.dtype.kind",
        "x.copy()",
    ):
        got, plain = compiled(expression, C=type(x))
        if letter == "?" and expression in ("x.conj()", "x.conjugate()", "x.imag", "x.real"):
            continue
        assert same(got(None, x), plain(None, x)), expression
    if letter in INTEGERS:
        assert compiled("x.numerator")[0](None, x) == 3 and compiled("x.denominator")[0](None, x) == 1


def test_views_and_casts():
    for expression, x in (
        ("x.view(np.int64)", 2.5),
        ("x.view(np.float64)", 3),
        ("x.view(np.uint32)", np.float32(-1.5)),
        ("x.view(np.int8)", np.uint8(200)),
        ("x.astype('i4')", 2.9),
        ("x.astype(np.complex64)", 2),
    ):
        got, plain = compiled(expression)
        value = np.float64(x) if isinstance(x, float) else np.int64(x) if isinstance(x, int) else x
        assert same(got(None, x), plain(None, value)), expression


def test_methods_of_numbers():
    floats = [0.0, -0.0, 2.0, 2.5, -7.0, 1e300, np.inf, -np.inf, np.nan, 2.0**52 + 1, 0.5]
    integer, plain = compiled("x.is_integer()")
    assert [integer(None, x) for x in floats] == [plain(None, x) for x in floats] and integer(None, 3) is True
    ints = [0, 1, -1, 5, -8, 2**62, -(2**63), 2**63 - 1]
    for expression in ("n.bit_length()", "n.bit_count()"):
        got, plain = compiled(expression)
        assert [got(None, None, n) for n in ints] == [plain(None, None, n) for n in ints]
    ratio, plain = compiled("x.as_integer_ratio()")
    for x in (0.0, 2.5, -0.75, 3.0, 1e10, 2.0**-50, 0.1):
        assert ratio(None, x) == plain(None, x)
    for x, error in ((np.inf, OverflowError), (np.nan, ValueError), (1e300, OverflowError), (5e-324, OverflowError)):
        with pytest.raises(error):
            ratio(None, x)


def test_promotion():
    for expression in (
        "np.promote_types(np.int32, np.float32) == np.float64",
        "np.result_type(a, np.int8, np.complex64).itemsize",
        "np.issubdtype(a.dtype, np.floating)",
        "np.issubdtype(a.dtype, np.integer)",
        "np.issubdtype(np.int8, np.signedinteger)",
        "np.ndim(a)",
        "np.ndim(x)",
    ):
        got, plain = compiled(expression)
        assert same(got(np.zeros((2, 2)), 1.5), plain(np.zeros((2, 2)), 1.5)), expression


@pytest.mark.parametrize("letter", ["i4", "f4", "c8", "?"])
def test_astype_of_arrays(letter):
    got, plain = compiled(f"a.astype('{letter}')")
    for a in (np.arange(6.0).reshape(2, 3), np.arange(4, dtype="u1")[::2], np.asfortranarray(np.ones((2, 2), "f4"))):
        result, expected = got(a), plain(a)
        assert (
            result.dtype == expected.dtype
            and (result == expected).all()
            and result.flags.f_contiguous == expected.flags.f_contiguous
        )


@pytest.mark.parametrize(
    "question",
    [
        "a.dtype == np.float64", "a.dtype == 'float64'", "a.dtype != 'i4'", "'f4' == a.dtype", "a.dtype == float",
        "a.dtype == int", "a.dtype == np.dtype('u1')", "a.dtype in (np.float32, np.float64)",
        "a.dtype not in (np.int32, np.int64)", "a.dtype in (np.float64,)", "a.dtype in ('f4', 'f8')",
        "a.dtype in KINDS", "a.dtype in [np.int32, np.float64]", "a.dtype in (None, 1, np.float64)",
        "a.dtype == 3", "math.sin in (math.cos, math.sin)", "math.sin in (math.cos, len)",
        "math.sin == math.sin", "math.sin != math.cos", "math.sin in ('a', math.sin)", "math.sin == 'a'",
    ],
)  # fmt: skip
@pytest.mark.parametrize("dtype", ["f8", "f4", "i4", "i8", "u1"])
def test_dtypes_and_functions_are_compared_by_what_they_are(question, dtype):
    function = define(f"def f(a):\n    return {question}\n", KINDS=(np.float32, np.float64))
    a = np.zeros(2, dtype)
    assert function(a) is bool(function.py_func(a))


def test_comparisons_of_dtypes_decide_branches():
    @njit
    def f(a):
        if a.dtype in (np.float32, np.float64):
            return "float"
        return a.sum()

    assert f(np.ones(2)) == "float" and f(np.ones(2, np.int64)) == 2


def test_a_name_that_is_no_literal_is_refused():
    @njit
    def f(a, name):
        return a.dtype in (name, np.float64)

    with pytest.raises(TypingError, match="is not known when the function is compiled"):
        f(np.ones(2, "i4"), "f8")
