"""Decorators that vectorize and guvectorize refuse: python/pyarray/ufuncs.py, _ufunc_signatures.py."""

import numpy as np
import pytest
from pyarray import float64, guvectorize, vectorize
from pyarray.errors import TypingError, UnsupportedError

pytestmark = pytest.mark.real


def add(a, b):
    return a + b


BAD_VECTORIZE = [
    ((["float64(float64"],), {}, SyntaxError, "expected '\\)'"),
    ((["flot64(float64, float64)"],), {}, NameError, "did you mean 'float64'"),
    ((["float64(float64)"],), {}, TypeError, "mismatch: 1 argument types given, but function takes 2 arguments"),
    ((["float64(float64, float64, float64)"],), {}, TypeError, "3 argument types given"),
    ((["void(float64, float64)"],), {}, TypingError, "returns void"),
    ((["float64(float64[:], float64)"],), {}, TypingError, r"argument 0 of float64\(float64\[:\], float64\)"),
    ((["float64[:](float64, float64)"],), {}, TypingError, r"returns float64\[:\]"),
    (((float64, float64),), {}, TypeError, "invalid signature"),
    ((["UniTuple(float64, 2)(float64, float64)", "float64(int64, int64)"],), {}, TypeError, "equally many outputs"),
    ((["UniTuple(float64, 2)(float64, float64)"],), {}, TypingError, "declared result type"),
    ((["Tuple(())(float64, float64)"],), {}, TypingError, "returns an empty tuple"),
    ((["UniTuple(float64, 0)(float64, float64)"],), {}, TypingError, "returns an empty tuple"),
    ((["UniTuple(float64, 99999999999)(float64, float64)"],), {}, ValueError, "a tuple type has 0 to 1000"),
    ((["float64(float64, float64)"],), {"identity": 2}, ValueError, "Invalid identity value 2"),
    ((["float64(float64, float64)"],), {"identity": []}, ValueError, "Invalid identity value"),
    ((["float64(float64, float64)"],), {"target": "rocm"}, ValueError, "Unsupported target: rocm"),
    ((["float64(float64, float64)"],), {"forceobj": True}, UnsupportedError, "forceobj=True is an option of jit alone"),
    ((["float64(float64, float64)"],), {"spam": True}, TypeError, "Unrecognized options: 'spam'"),
]  # fmt: skip


@pytest.mark.parametrize("arguments, keywords, kind, message", BAD_VECTORIZE)
def test_bad_vectorize(arguments, keywords, kind, message):
    with pytest.raises(kind, match=message) as info:
        vectorize(*arguments, **keywords)(add)
    assert "pyarray" not in "".join(str(entry.path) for entry in info.traceback[1:-1])


def test_too_many_operands():
    names = ", ".join(f"x{i}" for i in range(64))
    function = eval(f"lambda {names}: x0")
    for made in (vectorize, vectorize([f"float64({', '.join(['float64'] * 64)})"])):
        with pytest.raises(ValueError, match=r"<lambda>\(\) has too many operands: a ufunc takes at most 64"):
            made(function)


@pytest.mark.parametrize("bad", [3, int, print, lambda *a: 1, lambda *, a: 1, lambda: 1, lambda **k: 1])
def test_bad_functions(bad):
    with pytest.raises(TypeError):
        vectorize(["float64(float64)"])(bad)


def test_functions_without_result():
    def nothing(a):
        pass

    with pytest.raises(TypingError, match="nothing|None|none"):
        vectorize(["(float64,)"])(nothing)


def test_errors_of_the_compiler_show_the_place():
    def bad(a):
        return a.spam

    with pytest.raises(TypingError, match="test_ufunc_errors.py"):
        vectorize(["float64(float64)"])(bad)


# guvectorize ------------------------------------------------------------------------------------


def two(x, y):
    for i in range(x.shape[0]):
        y[i] = x[i]


def three(x, y, z):
    z[0] = x[0]


V = ["void(float64[:], float64[:])"]
BAD_GUVECTORIZE = [
    (two, (V, "(n)-(n)"), {}, ValueError, "expect '->' at position 3"),
    (two, (V, "n->n"), {}, ValueError, "expect '\\(' at position 0"),
    (two, (V, "(n->(n)"), {}, ValueError, "expect ',' or '\\)' at position 2"),
    (two, (V, "(n)->(n)x"), {}, ValueError, "expect ',' at position 8"),
    (two, (V, "(n,)->(n)"), {}, ValueError, "expect a dimension name or size at position 3"),
    (two, (V, ""), {}, ValueError, "at position 0"),
    (two, (V, "->(n)"), {}, ValueError, "expect '\\(' at position 0"),
    (two, (V, "(n?)->(n)"), {}, ValueError, "'\\?' at every place or at none at position 7"),
    (two, (V, "(é)->(é)"), {}, ValueError, "expect a dimension name or size at position 1"),
    (two, (V, ",".join(["()"] * 64) + "->()"), {}, ValueError, "more than 64 operands at position 193"),
    (two, (V, "(" + ",".join(f"d{i}" for i in range(32)) + ")->()"), {}, ValueError, "more than 31 core dimensions"),
    (two, (V, 3), {}, TypeError, "signature is text"),
    (two, (V, "(n)->(m)"), {}, NameError, "undefined output symbols: m; in '\\(n\\)->\\(m\\)'"),
    (two, (V, "(n),(n)->(n)"), {}, TypeError, "two\\(\\) has 2 parameters; with signature .* it takes 3 parameters"),
    (two, (["void(float64[:])"], "(n)->(n)"), {}, TypeError, "1 argument types given, but function takes 2"),
    (two, (["void(float64[:,:], float64[:])"], "(n)->(n)"), {}, TypeError, r"arg #1: float64\[:,:\] has 2 dimensions"),
    (two, (["void(float64, float64[:])"], "(n)->(n)"), {}, TypeError, "arg #1: float64 has 0 dimensions"),
    (two, (["void(float64, float64)"], "()->()"), {}, TypeError, "the output \\(\\) must be an array"),
    (two, (["float64(float64[:], float64[:])"], "(n)->(n)"), {}, TypeError, "must have void return type"),
    (two, (["void(none, float64[:])"], "()->()"), {}, TypingError, "neither a number nor an array"),
    (two, (["void(float64[:], float64[:])"], "(n),(n)->()"), {}, TypeError, "returns 1 value of type void"),
    (two, (["(float64[:], float64[:])"], "(n),(n)->()"), {}, TypingError, "nothing|None|none"),
    (two, (["UniTuple(float64,2)(float64[:], float64[:])"], "(n),(n)->()"), {}, TypeError, "returns 2 values"),
    (two, (V, "(n)->(n)"), {"writable_args": ("z",)}, RuntimeError, "Specified writable arg z not found"),
    (two, (V, "(n)->(n)"), {"writable_args": (1,)}, ValueError, "between 0 and nin - 1"),
    (two, (V, "(n)->(n)"), {"target": "spam"}, ValueError, "Unsupported target: spam"),
    (two, (V, "(n)->(n)"), {"identity": 5}, ValueError, "Invalid identity"),
    (two, (V, "(n)->(n)"), {"spam": 5}, TypeError, "Unrecognized options: 'spam'"),
    (two, (V, "(n)->(n)", 1), {}, TypeError, "one or two positional arguments"),
    (two, (), {}, TypeError, "one or two positional arguments"),
    (3, (V, "(n)->(n)"), {}, TypeError, "not a function"),
    (three, ("(n)->(n)",), {}, TypeError, "three\\(\\) has 3 parameters"),
]  # fmt: skip


@pytest.mark.parametrize("function, arguments, keywords, kind, message", BAD_GUVECTORIZE)
def test_bad_guvectorize(function, arguments, keywords, kind, message):
    with pytest.raises(kind, match=message):
        guvectorize(*arguments, **keywords)(function)


def test_a_name_that_is_no_utf8():
    def f(x):
        return x

    f.__name__ = "\udc80"
    with pytest.raises(UnicodeEncodeError, match="surrogates"):
        vectorize(f)


def test_wrong_things_to_decorate():
    made = vectorize(add)
    with pytest.raises(TypeError, match="<pyarray.DUFunc 'add'> is a ufunc already"):
        vectorize(made)
    with pytest.raises(TypeError, match="expected a function of Python, a signature .* not 5"):
        vectorize(5)
    with pytest.raises(TypeError, match="guvectorize\\(\\) takes a signature first"):
        guvectorize(add)
    with pytest.raises(TypingError, match="<lambda>\\(\\) returns an empty tuple; a ufunc has at least one output"):
        vectorize(lambda x: ())


def test_a_function_that_returns_nothing():
    def nothing(x):
        y = x  # noqa: F841

    def only_raises(x):
        raise ValueError("x")

    for function in (nothing, only_raises):
        with pytest.raises(TypingError, match="the function returns nothing\n"):
            vectorize(function)(1.0)


def test_writable_args():
    def shift(x, y):
        x[0] += 1
        y[0] = x[0]

    for given in (None, (), [np.int64(0)], ("x",)):
        f = guvectorize(["void(float64[:], float64[:])"], "(n)->(n)", writable_args=given)(shift)
        x = np.zeros(1)
        assert f(x)[0] == 1 and (x[0] == 1 or not given)
    with pytest.raises(ValueError, match="between 0 and nin - 1, not 0.5"):
        guvectorize("(n)->(n)", writable_args=(0.5,))(shift)


def test_text_has_its_plain_name_in_errors():
    with pytest.raises(TypeError, match=r"input types \(unicode_type\)"):
        vectorize(lambda x: x)("a")
