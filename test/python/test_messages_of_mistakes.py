# ruff: noqa: E501  (tables)
"""What users write by mistake: messages name it in their words, at their line, and say what to do."""

import enum
import heapq

import numpy as np
import pytest
from compare import define
from pyarray import cuda, errors, float64, int64, jitclass, njit, objmode, types
from pyarray.extending import overload
from pyarray.typed import Dict, List

pytestmark = pytest.mark.real


class Mixed(enum.Enum):
    NUMBER = 1
    TEXT = "b"


class Texts(enum.Enum):
    FIRST = "a"
    SECOND = "b"


@jitclass([("n", int64), ("values", float64[:])])
class Box:
    def __init__(self, values):
        self.n = 1
        self.values = values


BOX = Box(np.ones(3))


def squashed(x):
    return x


squashed.__module__ = None


@overload(squashed)
def of_squashed(x):
    return (lambda x: x / 2) if isinstance(x, types.Float) else None


A = np.ones(3)


@pytest.mark.parametrize(
    "body, argument, message",
    [
        ("return a[0, 1]", A, "too many indices: array.* has 1 dimension, 2 were given"),
        ("return -a", A > 0, "The numpy boolean negative, the `-` operator, is not supported"),
        ("return ~a", A, "numpy.invert: argument 1 has type float64; expected an integer"),
        ("return a.byteswap()", A, r"method 'byteswap' of whole arrays \(array\(float64, 1d, C\)\) is not compiled yet"),
        ("return a.spam()", A, "unknown method 'spam' of type array"),
        ("return a.value", Mixed.TEXT, "values of the enum Mixed have several types, int64 and unicode_type among them"),
        ("return np.zeros(a, dtype='foo')", 3, "numpy.zeros: 'foo' is no dtype that compiled code has"),
        ("return np.zeros(3, dtype=a)", "f8", "numpy.zeros: a dtype as text must be a literal"),
        ("return np.zeros(3, dtype=a)", 8, "argument 2 has type int64; expected a dtype"),
        ("return BOX.n + a", 1, "'BOX' is an instance of the class Box, .*; pass the instance as an argument"),
        ("return squashed(a)", 3, r"no overload of squashed\(\) is for arguments of types \(int64\)"),
        ("return (1, {1: a}) < (1, {1: 2})", 3, "no operator '<' for operands of types DictType"),
        ("return [1.5] in ([a], [2])", 3, r"'==' of ListType\[float64\] and ListType\[int64\] within tuples is not compiled"),
        ("return (1, [1.5]) < (1, [a])", 3, r"'<' of ListType\[float64\] and ListType\[int64\] within tuples is not compiled"),
    ],
)  # fmt: skip
def test_of_types(body, argument, message):
    with pytest.raises(errors.PyArrayError, match=message) as raised:
        define(f"def f(a):\n    {body}\n", np=np, BOX=BOX, squashed=squashed)(argument)
    assert raised.value.line == 2


def test_values_of_an_enum_of_one_type_are_compiled():
    @njit
    def f(member):
        return member.value

    assert f(Texts.SECOND) == "b"


def test_lists_within_tuples_are_compared():
    @njit
    def f(x):
        heap = []
        for k in range(3):
            heapq.heappush(heap, (1.0, [x - k, x]))
        a, b = (1, [x, 2.0]), (1, [x, 3.0])
        return (
            heapq.heappop(heap),
            min(b, a),
            max(a, b),
            a < b,
            a >= b,
            a == a,
            a != b,
            (1, [x]) in ((2, [x]), (1, [x])),
        )

    assert f(2.0) == f.py_func(2.0)


def test_a_recursion_that_never_ends_in_types():
    @njit
    def collect(n, found=None):
        if found is None:
            found = []
        found.append(n)
        return collect(n - 1, found) if n else found

    assert collect(3) == [3, 2, 1, 0]

    @njit
    def nest(n, found=None):
        return nest(n - 1, [found]) if n else 0

    message = r"by itself has another type of its argument 'found', without an end: ListType\[int64\], then ListType\[ListType\[int64\]\], then ListType\[ListType\[ListType\[int64\]\]\]\n"
    with pytest.raises(errors.TypingError, match=message):
        nest(3, 1)


@pytest.mark.parametrize(
    "body, message",
    [
        ("x = [a[0]]; a[0] = len(x)", "lists are not available on a GPU"),
        ("x = sorted(a); a[0] = len(x)", "lists are not available on a GPU"),
        ("x = {1: a[0]}; a[0] = len(x)", "dicts are not available on a GPU"),
        ("x = {a[0]}; a[0] = len(x)", "sets are not available on a GPU"),
        ("print(f'{a[0]}')", "text cannot be made on a GPU"),
        ("x = str(a[0]); a[0] = len(x)", "text cannot be made on a GPU"),
        ("return a", "a kernel returns nothing"),
    ],
)
def test_of_kernels(body, message):
    kernel = define(f"def f(a):\n    {body}\n", decorator=lambda f: f)
    with pytest.raises(errors.PyArrayError, match=message) as raised:
        cuda.compile_ptx(kernel, (float64[:],))
    assert raised.value.line == 2 and "Hint: " in str(raised.value)


@pytest.mark.parametrize("argument", [[1.0], "ab", {1: 2}])
def test_arguments_of_kernels(argument, monkeypatch):
    monkeypatch.setenv("PYARRAY_CUDA", "cpu")

    @cuda.jit
    def kernel(a):
        pass

    with pytest.raises(errors.TypingError, match="a kernel takes numbers, None, NumPy arrays, device arrays"):
        kernel[1, 1](argument)


def test_what_does_not_fit_a_field():
    box = Box(np.ones(3))
    with pytest.raises(
        TypeError, match=r"is array\(float64, 1d, A\); a value of type array\(float32, 1d, C\) does not fit"
    ):
        box.values = np.ones(3, np.float32)
    with pytest.raises(TypeError, match="a value of type 'str' does not fit"):
        box.n = "x"
    with pytest.raises(OverflowError, match="field 'n' of 'Box': int argument is too large"):
        box.n = 2**70
    assert box.n == 1


def test_what_does_not_fit_a_result_of_objmode():
    @njit
    def f():
        with objmode(y="float64[:]"):
            y = np.ones(3, np.float32)
        return y

    with pytest.raises(TypeError, match=r"of type array\(float32, 1d, C\), where array\(float64, 1d, A\) is declared"):
        f()


def test_a_type_of_a_field_that_is_none():
    with pytest.raises(
        TypeError, match="the type of field 'n' must be one of pyarray, .* or one of Python, .* not <class 'object'>"
    ):

        @jitclass([("n", object)])
        class C:
            def __init__(self):
                self.n = 1


@pytest.mark.parametrize(
    "argument, kind, message",
    [
        ([1, "a"], TypeError, r"argument 1 \('ys'\) of .*f\(\): the items of a list must have one type"),
        (2**70, OverflowError, r"argument 1 \('ys'\) of .*f\(\): int argument is too large"),
    ],
)
def test_arguments_are_named(argument, kind, message):
    @njit
    def f(xs, ys):
        return xs

    with pytest.raises(kind, match=message):
        f([1], argument)


def test_typed_containers_are_wrong_at_the_users_line():
    items, numbers = List([1]), Dict.empty(int64, float64)
    for wrong in (lambda: items.append("a"), lambda: List([1, "a"]), lambda: numbers.__setitem__("a", 2.0)):
        with pytest.raises(errors.TypingError, match="unicode_type cannot be") as raised:
            wrong()
        assert raised.value.file == __file__ and raised.value.line == wrong.__code__.co_firstlineno


# Names that are spelt wrongly -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("np.sqtr(x)", "module 'numpy' has no attribute 'sqtr'; did you mean np.sqrt?"),
        ("np.random.unifrom(x)", "did you mean np.random.uniform?"),
        ("math.flor(x)", "module 'math' has no attribute 'flor'; did you mean math.floor?"),
        ("np.zzzzzz(x)", "module 'numpy' has no attribute 'zzzzzz'\n"),
        ("lenn(x)", "name 'lenn' has no value; did you mean len? Or define it before"),
        ("squahsed(x)", "did you mean squashed?"),
        ("zzzzzz(x)", "name 'zzzzzz' has no value; define it before"),
        ("np.ones(2).shpae", "; did you mean shape?"),
        ("np.ones(2).as_type(x)", "; did you mean astype?"),
        ("'a'.uper()", "of type unicode_type; did you mean upper?"),
        ("[x].apend(x)", "; did you mean append?"),
        ("{x: x}.gett(x)", "; did you mean get?"),
        ("(x, 1).cuont(x)", "; did you mean count?"),
        ("x.imga", "of type float64; did you mean imag?"),
        ("RECORDS.vlaue", "has no field 'vlaue'; did you mean value?"),
        ("[x].zzzzzz(x)", "of type ListType[float64]\n"),
    ],
)
def test_what_was_meant(text, message):
    records = np.ones(2, [("value", "f8")])
    with pytest.raises(errors.NumbaError) as info:
        define(f"def f(x):\n    return {text}\n", squashed=squashed, RECORDS=records)(1.0)
    assert message in str(info.value)


@pytest.mark.parametrize(
    ("text", "page", "hint"),
    [
        ("np.einsum_path('ij', x)", "numpy-support", "write a loop, or "),
        ("open('x')", "language", ""),
    ],
)
def test_functions_that_are_not_known_say_where_to_look(text, page, hint):
    with pytest.raises(errors.NumbaError, match=f"docs/{page}.md lists; {hint}call it outside"):
        define(f"def f(x):\n    return {text}\n")(np.ones(3))


def test_arguments_of_functions_of_numpy_name_the_function():
    for text, message in [
        ("np.interp(x, x, x, odd=3)", "numpy.interp() got an unexpected keyword argument 'odd'"),
        ("np.pad(x)", "numpy.pad() missing a required argument: 'pad_width'"),
        ("x.sort(1, 2, 3, 4, 5)", "array.sort() takes 4 arguments but 6 were given"),
    ]:
        with pytest.raises(errors.TypingError) as info:
            define(f"def f(x):\n    return {text}\n")(np.ones(3))
        assert str(info.value).startswith(message)
