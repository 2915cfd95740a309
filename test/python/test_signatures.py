"""Signatures as text and as objects: python/pyarray/signatures.py."""

import pytest
from pyarray import types
from pyarray.signatures import code_of, codes_of
from pyarray.types import Array, Tuple, UniTuple, float64, int32


@pytest.mark.parametrize(
    "text, code",
    [
        ("float64(float64, int32[:, ::1])", "d[C2i>d"),
        ("void(f8[:], i4)", "[A1di>n"),
        ("f8(f8,f8)", "dd>d"),
        ("(f8, f8)", "dd>"),
        ("()", ">"),
        ("void()", ">n"),
        (" float64 ( float64 , ) ", "d>d"),
        ("float64[:](float64[::1, :])", "[F2d>[A1d"),
        ("types.float64(types.intp)", "q>d"),
        ("boolean(bool_, b1, uint8, complex64)", "???".replace("???", "??BF") + ">?"),
        ("Tuple((f8, i4))(UniTuple(f8, 2))", "(dd)>(di)"),
        ("f8(Array(f8, 2, 'C', True))", "[c2d>d"),
        ("f8(Tuple([f8, Tuple((i4, i4))]))", "(d(ii))>d"),
        ("f8(Tuple(()))", "()>d"),
        ("f4(f4[:,:,:])", "[A3f>f"),
    ],
)
def test_text(text, code):
    assert code_of(text) == code


def test_objects_and_lists():
    assert code_of(float64(float64, int32[:, ::1])) == "d[C2i>d"
    assert code_of((float64, UniTuple(int32, 2))) == "d(ii)>"
    assert codes_of(["f8(f8)", int32(int32), (float64,)]) == ("d>d", "i>i", "d>")
    assert code_of(Tuple((float64, types.none))(Array(float64, 0, "C"))) == "[C0d>(dn)"


@pytest.mark.parametrize(
    "text, error, message, column",
    [
        ("float64(flat64)", NameError, "'flat64' is not defined", 8),
        ("float64(", SyntaxError, "the end", 8),
        ("float64(float64", SyntaxError, "expected '\\)'", 15),
        ("float64", SyntaxError, "is a type; a signature is written like", 7),
        ("float64(float64) x", SyntaxError, "nothing may follow", 17),
        ("float64[:,::2](int32)", SyntaxError, "':' or '::1'", 10),
        ("float64[0](int32)", SyntaxError, "expected ':'", 8),
        ("void[:](int32)", TypeError, "arrays of none", 0),
        ("array(float64, 2d, C)(i4)", NameError, "'array' is not defined", 0),
        ("float64(float64[::1, ::1])", TypeError, "only one dimension", 8),
        ("__import__('os')", NameError, "not defined", 0),
        ("f8(os.system)", NameError, "os.system", 3),
    ],
)
def test_errors_point_at_the_place(text, error, message, column):
    with pytest.raises(error, match=message) as info:
        code_of(text)
    _, shown, caret = str(info.value).split("\n")
    assert shown == "  " + text and caret.index("^") == column + 2


def test_a_near_name_is_suggested():
    with pytest.raises(NameError, match="did you mean 'float64'"):
        code_of("float64(flaot64)")


def test_what_is_no_signature():
    with pytest.raises(TypeError, match="invalid signature: 3"):
        code_of(3)
    with pytest.raises(TypeError, match="is no type"):
        code_of((float64, 3))
