"""types.FunctionType: functions of one signature, whichever they are, as arguments."""

import ctypes
import ctypes.util
import gc
import math
import pickle
import traceback

import numpy as np
import pytest
from pyarray import (
    boolean,
    cfunc,
    errors,
    float32,
    float64,
    int32,
    int64,
    njit,
    objmode,
    prange,
    typed,
    types,
    vectorize,
)
from pyarray.experimental import jitclass

REAL = types.FunctionType(float64(float64))


@njit
def square(x):
    return x * x


@njit
def inverse(x):
    return 1 / x


@njit
def whole(x):
    return 7


@njit
def missing(x):
    return x.colour


@cfunc("float64(float64)")
def tenfold(x):
    return x * 10


@njit(float64(REAL, float64))
def call(f, x):
    return f(x)


@njit(REAL(REAL, REAL, boolean))
def choose(f, g, first):
    return f if first else g


@njit
def apply(f, x):
    return f(x)


@njit("float64(FunctionType(float64(float64)), types.FunctionType(float64(float64)), float64, boolean)")
def both(f, g, x, first):
    h = f if first else g
    functions = [f, g]
    return h(x) + 100 * functions[1](x) + 10000 * apply(functions[0], x)


def test_types():
    assert REAL == float64(float64).as_type() == types.from_code(REAL.code)
    assert str(REAL) == "FunctionType[float64(float64)]"
    assert REAL.signature == float64(float64) and REAL.return_type == float64 and REAL.nargs == 1
    assert REAL != types.FunctionType(float64(float32)) and isinstance(REAL, types.FunctionType)
    assert pickle.loads(pickle.dumps(REAL)) == REAL
    nested = types.FunctionType(int64(REAL, types.unicode_type))
    assert types.from_code(nested.code) == nested
    with pytest.raises(TypeError, match="FunctionType takes a signature"):
        types.FunctionType(float64)
    with pytest.raises(TypeError, match="arrays are arguments of their own"):
        types.FunctionType(float64(types.Tuple((float64[:], int64))))


@pytest.mark.parametrize(
    "f, expected", [(square, 9.0), (inverse, 1 / 3), (tenfold, 30.0), (tenfold.ctypes, 30.0), (whole, 7.0)]
)
def test_calls(f, expected):
    assert call(f, 3) == expected
    assert type(call(f, 3)) is float


def test_one_instance_serves_all():
    before = len(call.signatures)
    for _ in range(3):
        made = njit(lambda x: x + 1)
        assert call(made, 1.0) == 2.0
        assert not made.signatures  # its own variants are its own
    assert len(call.signatures) == before == 1


def test_arguments_are_converted():
    @njit
    def half(x):
        return x / 2

    @njit(float64(types.FunctionType(float32(int32)), float64))
    def narrow(f, x):
        return f(x)

    assert narrow(half, 7.9) == 3.5
    assert narrow(inverse, 3.0) == np.float32(1 / 3)


def test_values_in_compiled_code():
    assert both(square, inverse, 4.0, True) == 16 + 25 + 160000
    assert both(square, inverse, 4.0, False) == 0.25 + 25 + 160000


def test_results_are_the_functions():
    assert choose(square, inverse, True) is square
    assert choose(square, tenfold, False) is tenfold


def test_tracebacks():
    with pytest.raises(ZeroDivisionError, match="float division by zero") as caught:
        call(inverse, 0.0)
    assert [frame.name for frame in traceback.extract_tb(caught.tb)][-2:] == ["call", "inverse"]


def test_exceptions_are_caught():
    @njit(float64(REAL, float64))
    def guarded(f, x):
        try:
            return f(x)
        except Exception:
            return -1.0

    assert [guarded(inverse, x) for x in (0.0, 2.0)] == [-1.0, 0.5]


def test_in_a_handler():
    @njit(float64(REAL, float64))
    def second(f, x):
        try:
            return 1 / (x - x)
        except ZeroDivisionError:
            return f(x)

    @njit
    def handles(x):
        try:
            return inverse(x)
        except ZeroDivisionError:
            raise ValueError("within") from None

    assert second(inverse, 2.0) == 0.5
    with pytest.raises(ZeroDivisionError) as caught:
        second(inverse, 0.0)
    assert isinstance(caught.value.__context__, ZeroDivisionError) and caught.value.__context__.__context__ is None
    with pytest.raises(ValueError, match="within") as caught:
        second(handles, 0.0)
    assert isinstance(caught.value.__context__, ZeroDivisionError)


def test_errors_in_parallel_loops():
    @njit(float64(REAL, int64), parallel=True)
    def total(f, n):
        s = 0.0
        for i in prange(n):
            s += f(i * 1.0)
        return s

    assert total(square, 1000) == sum(i * i for i in range(1000))
    with pytest.raises((RuntimeError, ZeroDivisionError), match="in a parallel loop|division by zero"):
        total(inverse, 1000000)


def test_arrays():
    @njit(float64(types.FunctionType(float64(float64[:])), float64[:]))
    def by_thirds(f, a):
        return f(a[0::3]) + 10 * f(a[1::3]) + 100 * f(a[2::3][::-1])

    @njit
    def weighted(a):
        s = 0.0
        for i in range(len(a)):
            s += (i + 1) * a[i]
        return s

    for a in (np.arange(20.0), np.arange(40.0)[::2], np.arange(20.0)[::-1]):
        assert by_thirds(weighted, a) == by_thirds.py_func(weighted.py_func, a)


def test_arrays_as_results():
    made = types.FunctionType(float64[:](int64, float64))

    @njit(float64[:](made, int64))
    def fill(f, n):
        a = f(n, 2.5)
        a[0] = f(3, 1.5)[2]
        return a

    @njit
    def full(n, x):
        a = np.zeros(n)
        for i in range(n):
            a[i] = x
        return a

    assert fill(full, 4).tolist() == [1.5, 2.5, 2.5, 2.5]


def test_text_and_tuples():
    kind = types.FunctionType(types.unicode_type(types.unicode_type, types.UniTuple(int64, 2)))

    @njit(types.unicode_type(kind, types.unicode_type))
    def twice(f, s):
        return f(s, (1, 2)) + f(s + "!", (3, 0))

    @njit
    def repeat(s, t):
        return s * t[0] + "." * t[1]

    assert twice(repeat, "ab") == "ab..ab!ab!ab!"


def test_functions_of_functions():
    outer = types.FunctionType(float64(REAL, float64))

    @njit(float64(outer, REAL, float64))
    def thrice(g, f, x):
        return g(f, g(f, g(f, x)))

    assert thrice(apply, square, 2.0) == 256.0


def test_cached_code_serves_other_functions(tmp_path):
    source = tmp_path / "first_class.py"
    source.write_text(
        "from pyarray import njit, float64, types\n"
        "@njit(float64(types.FunctionType(float64(float64)), float64))\n"
        "def call(f, x):\n    return f(x) + 0.125\n"
    )
    for f, expected in ((square, 9.125), (inverse, 1 / 3 + 0.125)):
        names = {}
        exec(compile(source.read_text(), str(source), "exec"), names)
        assert names["call"](f, 3.0) == expected


@pytest.mark.parametrize("f", [1.5, None])
def test_what_is_no_function(f):
    with pytest.raises(TypeError, match="No matching definition"):
        call(f, 1.0)


@pytest.mark.parametrize("f", [np.sin, math.sqrt, abs])
def test_functions_that_python_has(f):
    assert call(f, 1.5) == f(1.5)


def test_functions_of_python_that_do_not_fit():
    with pytest.raises(errors.TypingError, match="len"):
        call(len, 1.0)


def test_functions_of_c_are_refused():
    cos = ctypes.CDLL(ctypes.util.find_library("m")).cos
    cos.argtypes, cos.restype = [ctypes.c_double], ctypes.c_double
    with pytest.raises(TypeError, match="functions compiled by njit or cfunc"):
        call(cos, 1.0)


def test_functions_that_do_not_fit():
    @njit
    def no_number(x):
        return "text"

    with pytest.raises(errors.TypingError, match="unknown attribute 'colour'"):
        call(missing, 1.0)
    with pytest.raises(errors.TypingError, match="unicode_type"):
        call(no_number, 1.0)
    with pytest.raises(errors.TypingError, match="2 parameters"):
        call(njit(lambda x, y: x), 1.0)


def test_callbacks_for_c_take_none():
    with pytest.raises(errors.UnsupportedError, match="argument 1 of a C callback cannot have type FunctionType"):
        cfunc(float64(REAL))(lambda f: f(1.0))


def test_typed_lists():
    functions = typed.List.empty_list(REAL)
    functions.append(square)
    functions.append(whole)
    functions.insert(0, tenfold)
    functions[2] = inverse
    functions.extend([whole])

    @njit
    def total(functions, x):
        s = 0.0
        for f in functions:
            s = 10 * s + f(x)
        return s

    assert total(functions, 2.0) == 20000 + 400 + 5 + 7
    assert list(functions) == [tenfold, square, inverse, whole] and functions[1] is square
    assert list(functions[1:3]) == [square, inverse] and functions.pop() is whole
    assert list(functions.copy()) == [tenfold, square, inverse]
    with pytest.raises(ZeroDivisionError):
        total(functions, 0.0)
    for wrong in (1.5, None, len, lambda x: x):
        with pytest.raises(TypeError, match="functions compiled by njit or cfunc"):
            functions.append(wrong)
    with pytest.raises(errors.TypingError, match="unknown attribute 'colour'"):
        functions.append(missing)
    assert len(functions) == 3


def test_typed_dicts():
    functions = typed.Dict.empty(types.unicode_type, REAL)
    functions["square"] = square
    functions.update({"tenfold": tenfold})
    assert functions.setdefault("inverse", inverse) is inverse

    @njit(float64(types.DictType(types.unicode_type, REAL), types.unicode_type, float64))
    def by_name(functions, name, x):
        return functions[name](x) if name in functions else -1.0

    assert [by_name(functions, name, 4.0) for name in ("square", "tenfold", "inverse", "none")] == [16, 40, 0.25, -1]
    assert dict(functions) == {"square": square, "tenfold": tenfold, "inverse": inverse}
    assert list(functions.items())[1] == ("tenfold", tenfold) and functions.pop("square") is square


def test_containers_made_in_compiled_code():
    @njit(types.ListType(REAL)(REAL, REAL, int64))
    def alternate(f, g, n):
        return [f if i % 2 else g for i in range(n)]

    for _ in range(100):
        assert alternate(square, inverse, 5) == [inverse, square, inverse, square, inverse]


def test_functions_live_as_long_as_compiled_code_may_call_them():
    functions = typed.List.empty_list(REAL)
    functions.append(njit(lambda x: x + 0.5))
    gc.collect()
    njit(lambda x: x - 0.5)(1.0)  # would take the place of code that is gone

    @njit
    def first(functions, x):
        return functions[0](x)

    assert first(functions, 1.0) == 1.5 == functions[0](1.0)


def test_fields_of_classes():
    @jitclass([("functions", types.ListType(REAL)), ("x", float64)])
    class Pipeline:
        def __init__(self, functions, x):
            self.functions = functions
            self.x = x

        def run(self):
            for f in self.functions:
                self.x = f(self.x)
            return self.x

    functions = typed.List.empty_list(REAL)
    functions.extend([square, tenfold])
    assert Pipeline(functions, 3.0).run() == 90
    with pytest.raises(TypeError, match="field 'f' of 'Single' cannot have the type FunctionType"):

        @jitclass([("f", REAL)])
        class Single:
            def __init__(self, f):
                self.f = f


def test_in_generators_and_blocks_of_objmode():
    @njit
    def items(f, n):
        for i in range(n):
            yield f(i + 1.0)

    @njit(float64(REAL, int64))
    def total(f, n):
        with objmode(y="float64"):
            y = f(10.0)
        for x in items(f, n):
            y += x
        return y

    assert total(square, 3) == 100 + 1 + 4 + 9


def test_without_the_interpreter_lock():
    @njit(float64(REAL, float64), nogil=True)
    def alone(f, x):
        return f(x)

    assert alone(square, 3.0) == 9
    with pytest.raises(ZeroDivisionError):
        alone(inverse, 0.0)


def test_ufuncs_take_none():
    with pytest.raises(errors.TypingError, match="vectorize compiles functions of scalars"):
        vectorize([float64(REAL, float64)])(lambda f, x: f(x))
