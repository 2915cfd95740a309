"""Native functions and pointers of ctypes, cffi and C callbacks, as globals and as arguments; a.ctypes."""

import ctypes
import ctypes.util
import importlib.util
import math
import os
import subprocess
import sys

import numpy as np
import pyarray
import pytest
from compare import arrays_alive
from pyarray import carray, cfunc, njit, types
from pyarray.errors import TypingError

pytestmark = pytest.mark.real

SOURCE = r"""
#include <stdint.h>
#include <stdbool.h>
double sum(const double *p, int64_t n) {
  double s = 0;
  for (int64_t i = 0; i < n; ++i) s += p[i];
  return s;
}
void fill(double *p, int64_t n, double x) { for (int64_t i = 0; i < n; ++i) p[i] = x; }
float halve(float x) { return x / 2; }
int8_t narrow(int8_t a, uint8_t b, int16_t c, uint16_t d) {
  return (int8_t)(a + (b == 200) + (c == -300) + (d == 60000));
}
bool is_odd(int32_t x) { return x & 1; }
bool flip(bool x) { return !x; }
uint64_t largest(void) { return UINT64_MAX; }
const double *second(const double *p) { return p ? p + 1 : 0; }
double apply(double (*f)(double), double x) { return f(x) + 1; }
double many(double a, int64_t b, float c, double d, int64_t e, int64_t f, int64_t g, int64_t h, int64_t i,
            double j, double k, double l, double m, double n, double o, double p) {
  return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i + 10 * j + 11 * k + 12 * l + 13 * m +
         14 * n + 15 * o + 16 * p;
}
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    folder = tmp_path_factory.mktemp("native")
    (folder / "native.c").write_text(SOURCE)
    subprocess.run(
        ["cc", "-shared", "-fPIC", "-O1", "-o", str(folder / "native.so"), str(folder / "native.c")], check=True
    )
    return ctypes.CDLL(str(folder / "native.so"))


def declared(library, name, result, *arguments):
    function = library[name]
    function.restype, function.argtypes = result, arguments
    return function


DOUBLES = ctypes.POINTER(ctypes.c_double)
libm = ctypes.CDLL(ctypes.util.find_library("m"))
c_sin = libm.sin
c_sin.restype, c_sin.argtypes = ctypes.c_double, [ctypes.c_double]
undeclared = ctypes.CDLL(ctypes.util.find_library("m")).cos


@cfunc("float64(float64)")
def square(x):
    return x * x


def test_a_global_function():
    @njit
    def f(x):
        return c_sin(x) + c_sin(2)

    assert f(0.5) == math.sin(0.5) + math.sin(2)


def test_functions_as_arguments():
    @njit
    def twice(f, x):
        return f(f(x))

    assert twice(c_sin, 0.5) == math.sin(math.sin(0.5))
    assert twice(square, 3.0) == 81.0 and twice(square.ctypes, 2) == 16.0
    python = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)(lambda x: x + 1)
    assert twice(python, 1.0) == 3.0
    assert len(twice.signatures) == 2  # of float64 and int64: functions of one type share the code
    assert str(pyarray.typeof(c_sin)) == "C function((float64,) -> float64)"
    assert isinstance(pyarray.typeof(square), types.CFunctionPointer)

    @njit
    def either(f, g, flag, x):
        h = f if flag else g
        return h(x)

    assert either(c_sin, square, True, 2.0) == math.sin(2.0) and either(c_sin, square, False, 3.0) == 9.0


def test_all_types(library):
    narrow = declared(library, "narrow", ctypes.c_int8, ctypes.c_int8, ctypes.c_uint8, ctypes.c_int16, ctypes.c_uint16)
    is_odd = declared(library, "is_odd", ctypes.c_bool, ctypes.c_int32)
    flip = declared(library, "flip", ctypes.c_bool, ctypes.c_bool)
    largest = declared(library, "largest", ctypes.c_uint64)
    halve = declared(library, "halve", ctypes.c_float, ctypes.c_float)
    many = declared(
        library,
        "many",
        ctypes.c_double,
        ctypes.c_double,
        ctypes.c_int64,
        ctypes.c_float,
        ctypes.c_double,
        *[ctypes.c_int64] * 5,
        *[ctypes.c_double] * 7,
    )

    @njit
    def f(a, b, c, d):
        return (
            narrow(a, b, c, d),
            is_odd(7),
            is_odd(8),
            flip(a > 0),
            flip(a < 0),
            largest(),
            halve(3),
            many(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16),
        )

    expected = (-97, True, False, True, False, 2**64 - 1, 1.5, float(sum((i + 1) ** 2 for i in range(16))))
    assert f(-100, 200, -300, 60000) == expected


def test_arrays_as_pointers(library):
    total = declared(library, "sum", ctypes.c_double, DOUBLES, ctypes.c_int64)
    anywhere = ctypes.CDLL(library._name)["sum"]
    anywhere.restype, anywhere.argtypes = ctypes.c_double, [ctypes.c_void_p, ctypes.c_int64]
    fill = declared(library, "fill", None, DOUBLES, ctypes.c_int64, ctypes.c_double)

    @njit
    def f(n):
        a = np.empty(n)
        fill(a.ctypes, n, 2.5)
        b = a[1:]
        fill(b.ctypes, 1, 7.0)
        return (
            total(a.ctypes, n),
            total(np.ones(n).ctypes, n),
            anywhere(a.ctypes.data, n),
            anywhere(a.ctypes, 2),
            anywhere(np.ones(n).ctypes.data, n),
            a,
        )

    a = np.full(4, 2.5)
    a[1] = 7.0
    before = arrays_alive()
    *sums, made = f(4)
    assert sums == [14.5, 4.0, 14.5, 9.5, 4.0] and made.tolist() == a.tolist()
    del made
    assert arrays_alive() == before
    assert njit(lambda a: a.ctypes.data)(a) == a.ctypes.data
    assert njit(lambda a: a[::-1].ctypes.data)(a) == a[::-1].ctypes.data
    with pytest.raises(TypingError, match="argument 1 of a C function has type"):
        njit(lambda a: total(a.ctypes, 3))(np.ones(3, np.float32))
    with pytest.raises(TypingError, match="argument 1 of a C function has type"):
        njit(lambda a: total(a, 3))(a)


def test_pointers_as_arguments_and_results(library):
    second = declared(library, "second", DOUBLES, DOUBLES)
    a = np.array([1.5, 2.5, 3.5])
    pointer = a.ctypes.data_as(DOUBLES)

    @njit
    def f(p, n):
        q = second(p)
        view = carray(p, n)
        view[2] = 9.0
        return q[0], q[1], second(None) is None, p is None

    assert f(pointer, 3) == (2.5, 9.0, True, False) and a[2] == 9.0
    assert njit(lambda p: p is None)(DOUBLES()) is True
    assert njit(lambda p: carray(p, 3, np.float64)[1])(ctypes.c_void_p(a.ctypes.data)) == 2.5


def test_callbacks_to_native_functions(library):
    kind = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)
    assert declared(library, "apply", ctypes.c_double, kind, ctypes.c_double)(square.ctypes, 3.0) == 10.0
    takes_any = ctypes.CDLL(library._name)["apply"]
    takes_any.restype, takes_any.argtypes = ctypes.c_double, [ctypes.c_void_p, ctypes.c_double]
    address = square.address

    @njit
    def f(x):
        return takes_any(address, x)

    @njit
    def g(function, x):
        return takes_any(function, x)

    assert f(3.0) == 10.0 and g(square, 3.0) == 10.0 and g(c_sin, 1.0) == math.sin(1.0) + 1


def test_in_parallel_loops(library):
    @njit(parallel=True)
    def f(n):
        out = np.zeros(n)
        for i in pyarray.prange(n):
            out[i] = c_sin(i)
        return out

    assert f(1000).tolist() == [math.sin(i) for i in range(1000)]


def no_argtypes(x):
    return undeclared(x)


def too_many(x):
    return c_sin(x, x)


def by_name(x):
    return c_sin(x=x)


def wrong_type(x):
    return c_sin("a")


@pytest.mark.parametrize(
    "function, message",
    [
        (no_argtypes, "has no argtypes; set its argtypes and restype first"),
        (too_many, "takes 1 argument, but 2 were given"),
        (by_name, "takes no arguments by name"),
        (wrong_type, "argument 1 of a C function"),
    ],
)
def test_refusals(function, message):
    with pytest.raises(TypingError, match=message):
        njit(function)(1.0)


def test_refused_arguments():
    f = njit(lambda f, x: f(x))
    with pytest.raises(TypeError, match="has no argtypes"):
        f(undeclared, 1.0)
    api = ctypes.pythonapi.PyFloat_AsDouble
    api.restype, api.argtypes = ctypes.c_double, [ctypes.py_object]
    with pytest.raises(TypeError, match="Python's own API"):
        f(api, 1.0)
    struct = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_longdouble)(lambda x: 0.0)
    with pytest.raises(TypeError, match="argument 0 of"):
        f(struct, 1.0)


PROGRAM = """
import ctypes, ctypes.util
from pyarray import njit
libm = ctypes.CDLL(ctypes.util.find_library("m"))
f = libm["NAME"]
f.restype, f.argtypes = ctypes.c_double, [ctypes.c_double]
@njit
def g(x):
    return f(x)
@njit
def h(f, x):
    return f(x)
print(round(g(1.0), 6), round(h(f, 1.0), 6))
"""


def test_addresses_are_not_kept_on_disk(tmp_path):
    environment = {**os.environ, "PYARRAY_CACHE_DIR": str(tmp_path / "cache"), "PYARRAY_CACHE": "1"}

    def run(name):
        path = tmp_path / "program.py"
        path.write_text(PROGRAM.replace("NAME", name))
        return subprocess.run(
            [sys.executable, str(path)], env=environment, capture_output=True, text=True, check=True
        ).stdout

    assert (
        run("sin") == "0.841471 0.841471\n"
        and run("sin") == "0.841471 0.841471\n"
        and run("cos") == "0.540302 0.540302\n"
    )


def test_cffi():
    cffi = pytest.importorskip("cffi")
    ffi = cffi.FFI()
    ffi.cdef("double sin(double); double pow(double, double); int abs(int); void *memset(void *, int, size_t);")
    lib = ffi.dlopen(None)
    sin, power, absolute, memset = (
        ffi.dlopen(ctypes.util.find_library("m")).sin,
        ffi.dlopen(ctypes.util.find_library("m")).pow,
        lib.abs,
        lib.memset,
    )

    @njit
    def f(x, n):
        return sin(x), power(x, 2), absolute(n)

    assert f(0.5, -3) == (math.sin(0.5), 0.25, 3)
    assert njit(lambda f, x: f(x))(sin, 0.5) == math.sin(0.5)

    @njit
    def clear(a):
        memset(ffi.from_buffer(a), 0, 16)
        return a

    assert clear(np.ones(4)).tolist() == [0.0, 0.0, 1.0, 1.0]
    with pytest.raises(TypingError, match="not known to be contiguous"):
        clear(np.ones((4, 2))[:, 0])
    pointer = ffi.new("double[3]", [1.5, 2.5, 3.5])
    assert njit(lambda p: p[1])(ffi.cast("double *", pointer)) == 2.5


@pytest.fixture(scope="module")
def compiled_by_cffi(tmp_path_factory):
    cffi = pytest.importorskip("cffi")
    pytest.importorskip("setuptools")
    folder = tmp_path_factory.mktemp("cffi")
    ffi = cffi.FFI()
    ffi.cdef("double twice(double); typedef struct { double re, im; } pair; void real(pair *, double *, int);")
    ffi.set_source(
        "pyarray_test_of_cffi",
        "typedef struct { double re, im; } pair;\n"
        "static double twice(double x) { return x + x; }\n"
        "static void real(pair *x, double *y, int n) { for (int i = 0; i < n; ++i) y[i] = x[i].re; }\n",
    )
    try:
        path = ffi.compile(tmpdir=str(folder))
    except Exception as error:  # no C compiler, or no headers
        pytest.skip(f"cffi compiles nothing here: {error}")
    spec = importlib.util.spec_from_file_location("pyarray_test_of_cffi", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    yield module
    del sys.modules[spec.name]


def test_modules_that_cffi_compiled(compiled_by_cffi):
    from pyarray.core.typing import cffi_utils

    cffi_utils.register_module(compiled_by_cffi)
    twice, real, ffi = compiled_by_cffi.lib.twice, compiled_by_cffi.lib.real, compiled_by_cffi.ffi

    @njit
    def use(function, x, out):
        real(ffi.from_buffer(x), ffi.from_buffer(out), len(x))
        return twice(1.5) + function(2.0)

    out = np.zeros(3)
    assert use(twice, np.arange(3) + 1j, out) == 7.0
    assert out.tolist() == [0, 1, 2]
