"""What users are told: refusals with place and caret, exceptions with the right class, text and traceback."""

import io
import math
import sys
import traceback

import numpy as np
import pytest
from compare import arrays_alive, define, outcome, strict
from pyarray import njit
from pyarray.errors import NumbaError, TypingError, UnsupportedError

pytestmark = pytest.mark.real

REFUSED = [
    ("with open('x'):", "        pass", "with"),
    ("import no_such_module", "", "no_such_module"),
    ("global g; g = 1", "", "global"),
    ("class C: pass", "", "class"),
    ("async def inner(): pass", "", "async"),
    ("x = max(**a)", "", r"\*\*"),
    ("a.x = 1", "", "attribute"),
]


@pytest.mark.parametrize("line, more, word", REFUSED, ids=[row[0].split("\n")[0] for row in REFUSED])
def test_refused_construct(line, more, word):
    source = f"def f(a):\n    b = a\n    {line}\n{more}\n    return b\n"
    with pytest.raises(NumbaError, match=word) as caught:
        define(source)(1)
    text = str(caught.value)
    assert "line 3" in text and line.split("\n")[0] in text and "^" in text


TYPING = [
    ("a + (1, 2)", "operator"),
    ("a.strides", "strides"),
    ("a[0]", "index"),
    ("a()", "call"),
    ("len(a)", "len"),
    ("undefined_name", "undefined_name"),
    ("math.sqrt('x')", "sqrt"),
    ("math.sqrt(a, a)", "argument"),
    ("(1, 2)[5]", "range"),
]


@pytest.mark.parametrize("text, word", TYPING)
def test_typing_error(text, word):
    with pytest.raises(NumbaError, match=word) as caught:
        define(f"def f(a):\n    return {text}\n")(1.5)
    assert "^" in str(caught.value) and "line 2" in str(caught.value)


def test_error_in_a_callee_names_the_call():
    inner = define("def inner(a):\n    return a.nothing\n", "inner")
    with pytest.raises(TypingError, match="while compiling inner, called from .*:2"):
        define("def f(a):\n    return inner(a)\n", inner=inner)(1)


def test_no_frames_of_ours_when_inspecting():
    f = define("def f(a):\n    return a.nothing\n")
    for inspect in (f.inspect_mlir, f.inspect_llvm, f.inspect_asm, f.inspect_types):
        for signature, error in (("(int64,)", TypingError), ("garbage(", NameError)):
            with pytest.raises(error) as caught:
                inspect(signature=signature, **({"file": io.StringIO()} if inspect == f.inspect_types else {}))
            assert [frame.filename for frame in traceback.extract_tb(caught.tb)] == [__file__]


def test_frames_of_the_users_stay_when_inspecting():
    class File:
        def write(self, text):
            raise OSError("full")

    f = define("def f(a):\n    return a\n")
    with pytest.raises(OSError, match="full") as caught:
        f.inspect_types(File(), "(int64,)")
    assert traceback.extract_tb(caught.tb)[-1].name == "write"


def test_no_frames_of_ours_for_a_malformed_signature():
    f = define("def f(a):\n    return a\n")
    with pytest.raises(NameError) as caught:
        f.compile("garbage(")
    assert [frame.filename for frame in traceback.extract_tb(caught.tb)] == [__file__]


def test_variable_with_two_types():
    with pytest.raises(TypingError, match=r"cannot unify float64 and UniTuple\(int64, 2\) for variable 'y': "
                       r"float64 in line 3, UniTuple\(int64, 2\) in line 5"):
        define("def f(a):\n    if a > 0:\n        y = 1.0\n    else:\n        y = (1, 2)\n    return y\n")(1)
    with pytest.raises(TypingError, match=r"variable 'y': int64 in line 2, UniTuple\(int64, 2\) in line 4"):
        define("def f(a):\n    y = 1\n    for i in range(a):\n        y = (i, i)\n    return y\n")(1)


def test_no_frames_of_ours_in_a_typing_error():
    with pytest.raises(TypingError) as caught:
        define("def f(a):\n    return a.nothing\n")(1)
    assert all("pyarray/" not in frame.filename for frame in traceback.extract_tb(caught.tb)[1:])


def test_plain_function_as_callee():
    def plain(x):
        return x

    with pytest.raises(NumbaError, match="njit"):
        define("def f(a):\n    return plain(a)\n", plain=plain)(1)


RAISED = [
    ("1 / (a - a)", ZeroDivisionError),
    ("a // 0", ZeroDivisionError),
    ("a % 0", ZeroDivisionError),
    ("math.sqrt(-a)", ValueError),
    ("math.exp(1000.0 * a)", OverflowError),
    ("int(math.inf * a)", OverflowError),
    ("np.zeros(3)[a + 5]", IndexError),
]


@pytest.mark.parametrize("text, error", RAISED)
def test_traceback_points_into_the_source(text, error):
    f = define(f"def f(a):\n    b = a\n    return {text}\n", decorator=strict)
    before = arrays_alive()
    with pytest.raises(error) as caught:
        f(1)
    last = traceback.extract_tb(caught.tb)[-1]
    assert (last.name, last.lineno, last.line) == ("f", 3, f"return {text}")
    del caught
    assert arrays_alive() == before


def test_traceback_through_calls():
    inner = define("def inner(a):\n    return 1 // a\n", "inner")
    f = define("def f(a):\n    b = a + 1\n    return inner(a) + b\n", inner=inner)
    with pytest.raises(ZeroDivisionError) as caught:
        f(0)
    frames = [(frame.name, frame.lineno) for frame in traceback.extract_tb(caught.tb)]
    assert frames[-2:] == [("f", 3), ("inner", 2)]


class OwnError(Exception):
    """An exception class of the user's."""


@pytest.mark.parametrize("error", [ValueError, KeyError, RuntimeError, OwnError, NotImplementedError, StopIteration])
def test_raise_with_arguments(error):
    f = define("def f(a):\n    if a:\n        raise E('text', 3)\n    raise E\n", E=error)
    with pytest.raises(error) as caught:
        f(1)
    assert caught.value.args == ("text", 3)
    with pytest.raises(error) as caught:
        f(0)
    assert caught.value.args == ()


def test_braces_in_a_message_are_the_users():
    with pytest.raises(ValueError, match=r"^\{0\} \{1\}$"):
        define("def f(a):\n    raise ValueError('{0} {1}')\n")(1)


def test_nothing_leaks_when_an_exception_passes():
    f = define(
        "def f(n, i):\n    a = np.ones(n)\n    for k in range(3):\n        b = a.copy()\n        a = b\n"
        "        if k == 1:\n            a[i] = 2\n    return a\n"
    )
    before = arrays_alive()
    for _ in range(100):
        with pytest.raises(IndexError):
            f(5, 7)
        f(5, 3)
    assert arrays_alive() == before


def test_argument_without_type():
    with pytest.raises(TypingError, match="class 'object'"):
        njit(lambda x: 1 in x)(object())


def test_unsupported_is_said_before_types_are_known():
    with pytest.raises(UnsupportedError):
        define("def f(a):\n    with a:\n        pass\n")(np.ones(3))


# Places and hints ---------------------------------------------------------------------------------


def pointed_at(error):
    """What stands at the caret of a message."""
    lines = str(error).split("\n")
    at = next(k for k, line in enumerate(lines) if line.strip() == "^")
    return lines[at - 1][lines[at].index("^") :]


# A line of a function of a float x and an array a, and where the caret is to point.
CARETS = [
    ("return x + (1, 2)", "x + (1, 2)"),
    ("return 1 + x.nothing", "x.nothing"),
    ("return x + a.nothing(x)", "a.nothing"),
    ("return math.sqrt('x')", "math.sqrt"),
    ("return x * unknown", "unknown"),
    ("return a[0] + a[1, 2]", "a[1, 2]"),
    ("return (x, 1)[2]", "(x, 1)[2]"),
    ("return len(x)", "len(x)"),
    ("return a.tofile()", "a.tofile"),
    ("for y in x: pass", "for y in x"),
    ("y, z = (x, x, x)", "y, z"),
    ("return -(1, 2)", "-(1, 2)"),
    ("return x < (1, 2)", "x < (1, 2)"),
    ("return math.no_such_function(x)", "math.no_such_function"),
    ("return np.float64(1j)", "np.float64"),
    ("return x if x else (1,)", "x if x"),
    ("return range(1j)", "range(1j)"),
    ("assert x, y", "y"),
    ("return x.real()", "x.real"),
    ("äöü = 1.0; return äöü + (1,)", "äöü + (1,)"),
]


@pytest.mark.parametrize("line, at", CARETS, ids=[line for line, _ in CARETS])
def test_caret(line, at):
    with pytest.raises(NumbaError) as caught:
        define(f"def f(x, a):\n    {line}\n")(1.5, np.ones(3))
    text = str(caught.value)
    assert pointed_at(caught.value).startswith(at), text
    assert 'File "<test program' in text and ", line 2:" in text and f"    {line}" in text
    assert caught.value.line == 2 and caught.value.file.startswith("<test program")
    for dump in ("%arg0", "func.func", "loc(", "!pyarray", ".c:"):
        assert dump not in text


LONG_LINES = {
    "start": ("return x.nothing" + " " * 60_000 + "; y = 1", 4, False, True),
    "middle": ("y = 1" + " " * 60_000 + "; return x.nothing" + " " * 60_000 + "; y = 1", 60_018, True, True),
    "end": ("y = 1" + " " * 60_000 + "; ü = 2; return x.nothing", 60_025, True, False),
}


@pytest.mark.parametrize("line, at, cut_before, cut_after", LONG_LINES.values(), ids=LONG_LINES)
def test_a_long_line_is_shown_in_part(line, at, cut_before, cut_after):
    with pytest.raises(NumbaError) as caught:
        define(f"def f(x):\n    {line}\n")(1.5)
    shown = str(caught.value).split("\n")[-2]
    assert pointed_at(caught.value).startswith("x.nothing")
    assert len(shown) == 120 + 3 * cut_before + 3 * cut_after
    assert shown.startswith("...") == cut_before and shown.endswith("...") == cut_after


def test_growing_recursion_names_the_first_and_the_last_calls():
    g = define("def g(x):\n    return g((x, 1))\n", "g")
    f = define("def f(x):\n    return g(x)\n", g=g)
    with pytest.raises(NumbaError, match=r"call of g\(\) by itself has another type of its argument 'x'") as caught:
        f(1)
    notes = [line for line in str(caught.value).split("\n") if line.startswith(("while compiling", "..."))]
    assert [note.split(",")[0] for note in notes] == ["while compiling g"] * 3 + ["... 59 more calls"] + [
        "while compiling g"
    ] * 3
    assert "<test program" in notes[-1] and notes[-1] != notes[0]


def test_a_few_calls_are_all_named():
    functions = {"f0": define("def f0(x):\n    return x.nothing\n", "f0")}
    for k in range(1, 6):
        functions[f"f{k}"] = define(f"def f{k}(x):\n    return f{k - 1}(x)\n", f"f{k}", **functions)
    with pytest.raises(TypingError) as caught:
        functions["f5"](1)
    assert str(caught.value).count("while compiling") == 5 and "more" not in str(caught.value)


def test_types_of_operands_are_named():
    with pytest.raises(NumbaError, match=r"'<' .*array\(float64, 1d, C\) and unicode_type"):
        define("def f(a, x):\n    return a < x\n")(np.ones(3), "1")


HINTS = [
    "with a: pass",
    "a.tofile()",
    "return *a, 1",
]


@pytest.mark.parametrize("line", HINTS)
def test_hint(line):
    with pytest.raises(NumbaError, match="Hint: .|; ."):
        define(f"def f(a):\n    {line}\n")(np.ones(3))


def test_file_of_a_module_is_shown_as_a_path(run):
    done = run("from pyarray import njit\n\n@njit\ndef f(x):\n    return x.nothing\n\nf(1)\n", check=False)
    assert 'program.py", line 5:\n    return x.nothing\n           ^' in done.stderr
    assert done.stderr.count("Traceback") == 1 and "site-packages" not in done.stderr


def test_a_failed_compilation_can_be_tried_again():
    f = define("def f(x):\n    return x.real + y\n")
    for _ in range(2):
        with pytest.raises(NumbaError, match="'y'"):
            f(1.0)
    f.py_func.__globals__["y"] = 2.0
    assert f(1.0) == 3.0


def test_one_type_fails_and_another_compiles():
    f = define("def f(x):\n    return x[0]\n")
    with pytest.raises(TypingError):
        f(1.0)
    assert f((1.0, 2)) == 1.0 and f(np.ones(2)) == 1.0


# Exceptions of compiled code ----------------------------------------------------------------------


def frames_of(function, *arguments):
    """(name, line) of the traceback's entries within the test programs, innermost last."""
    with pytest.raises(Exception) as caught:  # noqa: B017
        function(*arguments)
    entries = traceback.extract_tb(caught.tb)
    return [(entry.name, entry.lineno) for entry in entries if entry.filename.startswith("<test program")]


MULTILINE = """
def f(a, i):
    b = a[0]
    for k in range(3):
        if k == i:
            b += (
                a[k]
                // (a[k] - a[k])
            )
    return b
""".lstrip()


@pytest.mark.parametrize("i", [0, 2])
def test_traceback_names_a_line_of_the_statement(i):
    f = define(MULTILINE)
    (name, line), *rest = frames_of(f, np.arange(3), i)
    assert name == "f" and line in (5, 6, 7) and not rest


def test_traceback_of_recursion():
    f = define("def f(n):\n    if n == 0:\n        return 1 // n\n    return f(n - 1) + 1\n")
    assert frames_of(f, 3) == frames_of(f.py_func, 3) == [("f", 4)] * 3 + [("f", 3)]


def test_unlimited_recursion_ends():
    f = define("def f(n):\n    return f(n + 1) + 1\n")
    with pytest.raises(RecursionError):
        f(0)
    assert define("def g(n):\n    return n\n", "g")(1) == 1


def test_a_method_name_is_qualified():
    class Holder:
        @staticmethod
        @njit
        def divide(a):
            return 1 // a

    with pytest.raises(ZeroDivisionError) as caught:
        Holder.divide(0)
    last = traceback.extract_tb(caught.tb)[-1]
    assert last.name == "divide" and last.line == "return 1 // a" and last.filename == __file__


@pytest.mark.parametrize("index", [5, -6, 2**62])
def test_index_error_names_index_axis_and_size(index):
    f = define("def f(a, i, j):\n    return a[i, j]\n")
    with pytest.raises(IndexError, match=rf"^index {index} is out of bounds for axis 0 with size 5$"):
        f(np.ones((5, 2)), index, 0)
    with pytest.raises(IndexError, match=rf"^index {index} is out of bounds for axis 1 with size 5$"):
        f(np.ones((2, 5)), 0, index)


def test_assertion_without_message():
    f = define("def f(a):\n    assert a\n    return a\n")
    with pytest.raises(AssertionError) as caught:
        f(0)
    assert caught.value.args == () and f(1) == 1


RAISES = [
    "raise ValueError",
    "raise ValueError()",
    "raise ValueError('a', 1, 2.5, None, True)",
    "raise KeyError('key')",
    "raise OSError(2, 'text')",
    "raise ZeroDivisionError('own')",
    "raise Exception('x' 'y')",
    "raise StopIteration(3)",
    "raise ValueError('ünï', -3)",
    "raise ValueError('a') from None",
    "raise ValueError((1, 'b'))",
    "raise ValueError('x', (1, 2))",
    "raise ValueError((), (1.5, (None, ('it\\'s\\n', True))), -3)",
    "raise ValueError(PAIR, (PAIR, 1j))",
    "raise ValueError(2j)",
    "assert False, (1, 2)",
]


@pytest.mark.parametrize("line", RAISES)
def test_raise(line):
    f = define(f"def f(a):\n    {line}\n", PAIR=("a", (1, 2)))
    result, wanted = outcome(f, (1,)), outcome(f.py_func, (1,))
    assert result == wanted


def test_raise_with_nan_and_infinity():
    f = define("def f(a):\n    raise ValueError(math.nan, (math.inf, LOW))\n", LOW=-math.inf)
    with pytest.raises(ValueError) as caught:
        f(1)
    nan, infinities = caught.value.args
    assert np.isnan(nan) and infinities == (math.inf, -math.inf)


def test_an_array_in_an_exception_is_refused():
    with pytest.raises(UnsupportedError, match="as an exception's argument"):
        define("def f(a):\n    raise ValueError((1, a))\n")(np.zeros(3))


LEAKS = """
def f(a, n, way):
    b = np.zeros(n)
    c = (np.ones(n), 1)
    for k in range(3):
        d = np.empty(n)
        b = d if k % 2 else c[0].copy()
        if way == k:
            b[n] = 1
        if way == 3 and k == 1:
            raise ValueError("way")
        if way == 4 and k == 2:
            return g(b, 0)
        if way == 5:
            assert k < 1, "five"
        for row in a:
            if way == 6:
                row[n] = 2
    x, y = np.ones(1), np.ones(2)
    if way == 7:
        x, y, z = np.ones(2)
    if way == 8:
        x = np.empty(-n)
    return b
""".lstrip()


@pytest.mark.parametrize("way", range(10))
def test_no_way_out_leaks(way):
    g = define("def g(a, i):\n    b = a.copy()\n    return b[1 // i :]\n", "g")
    f = define(LEAKS, g=g)
    a = np.ones((2, 3))
    before, references = arrays_alive(), sys.getrefcount(a)
    for _ in range(20):
        outcome(f, (a, 5, way))
    assert arrays_alive() == before and sys.getrefcount(a) == references
