"""cfunc: C callbacks, the C pointers among their arguments, and arrays over foreign memory."""

import copy
import ctypes
import doctest
import gc
import importlib.util
import math
import pathlib
import pickle
import subprocess
import sys
import threading
import weakref

import numpy as np
import pyarray
import pytest
from pyarray import CPointer, carray, cfunc, farray, float64, int64, njit, types, voidptr
from pyarray.errors import TypingError, UnsupportedError

pytestmark = pytest.mark.real
ROOT = pathlib.Path(__file__).parent.parent.parent
DOUBLE_POINTER = ctypes.POINTER(ctypes.c_double)


def pointer_to(array):
    return array.ctypes.data_as(DOUBLE_POINTER)


@pytest.fixture
def unraisable(monkeypatch):
    """What sys.unraisablehook is called with."""
    calls = []
    monkeypatch.setattr(
        sys, "unraisablehook", lambda args: calls.append((args.exc_type, str(args.exc_value), args.object))
    )
    return calls


@cfunc("float64(float64, float64)")
def add(x, y):
    """The sum."""
    return x + y


# ------------------------------------------------------------------------------------------------
# The object


def test_attributes():
    assert add.ctypes(2.5, 3.0) == 5.5
    assert ctypes.cast(add.ctypes, ctypes.c_void_p).value == add.address
    assert add.ctypes is add.ctypes
    assert add.__name__ == "add" and add.__doc__ == "The sum." and add.__wrapped__ is add.py_func
    assert add.native_name == add.symbol_name == "pyarray_cfunc"
    assert add.signature == float64(float64, float64)
    assert repr(add) == "<C callback 'add': (float64, float64) -> float64>"


def test_a_call_runs_the_python_function():
    assert add("a", y="b") == "ab"


def test_inspection():
    assert "define double @pyarray_cfunc(double %0, double %1)" in add.inspect_llvm()
    assert "pyarray_cfunc:" in add.inspect_asm() and "pyarray_entry" not in add.inspect_asm()
    assert "pyarray.binary add" in add.inspect_mlir() and "arith.addf" in add.inspect_mlir("linalg")
    with pytest.raises(ValueError, match="level 9"):
        add.inspect_mlir(9)


@pytest.mark.parametrize("signature", [float64(float64), "float64(float64)", "f8(f8)", types.float64(types.double)])
def test_forms_of_signatures(signature):
    assert cfunc(signature)(lambda x: 2 * x).ctypes(4.0) == 8.0


def test_a_dispatcher_can_be_wrapped():
    assert cfunc("int64(int64)")(njit(lambda n: n + 1)).ctypes(4) == 5


def test_copying_and_pickling():
    assert copy.copy(add) is add and copy.deepcopy(add) is add
    assert pickle.loads(pickle.dumps(add)) is add
    local = cfunc("float64(float64)")(lambda x: x)
    with pytest.raises(TypeError, match="its address means nothing in another process"):
        pickle.dumps(local)


def test_the_code_goes_with_the_object():
    function = cfunc("float64(float64)")(lambda x: x)
    gone = weakref.ref(function)
    native = function.ctypes
    del function
    gc.collect()
    assert gone() is not None and native(2.0) == 2.0
    del native
    gc.collect()
    assert gone() is None


def test_the_code_stays_where_the_address_was_asked_for():
    function = cfunc("float64(float64)")(lambda x: x + 1)
    address = function.address
    del function
    gc.collect()
    assert ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)(address)(2.0) == 3.0


def test_names_of_numba():
    assert add._wrapper_address == add.address and add._sig == add.signature and add._pyfunc is add.py_func


def test_the_dispatcher_inside_is_not_callable():
    with pytest.raises(TypeError, match="compiles a C callback and cannot be called itself"):
        add._dispatcher(1.0, 2.0)


# ------------------------------------------------------------------------------------------------
# Options


def test_options_are_those_of_njit():
    assert (
        cfunc("float64(float64)", error_model="numpy", nopython=True, locals={})(lambda x: 1 / x).ctypes(0.0)
        == math.inf
    )
    with pytest.raises(TypeError, match="Unrecognized options: 'colour'"):
        cfunc("float64(float64)", colour=1)
    with pytest.raises(TypeError, match="locals"):
        cfunc("float64(float64)", locals={"x": 1})


def test_code_is_kept_on_disk(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(
        "from pyarray import cfunc, njit\n"
        "@cfunc('float64(float64)')\n"
        "def f(x):\n"
        "    if x < 0:\n"
        "        raise ValueError('negative')\n"
        "    return 3 * x\n"
        "print(f.ctypes(2.0), f.ctypes(-1.0), f.cache_hits)\n"
        "@njit('float64(float64)')\n"  # the same function with another entry
        "def f(x):\n"
        "    if x < 0:\n"
        "        raise ValueError('negative')\n"
        "    return 3 * x\n"
        "print(f(2.0))\n"
    )
    for hits in (0, 1):
        run = subprocess.run([sys.executable, program], capture_output=True, text=True, check=True)
        assert run.stdout == f"6.0 0.0 {hits}\n6.0\n"
        assert "ValueError: negative" in run.stderr and "program.py" in run.stderr


def test_no_cache():
    f = cfunc("float64(float64)", cache=False)(lambda x: x - 41.25)
    g = cfunc("float64(float64)", cache=False)(lambda x: x - 41.25)
    assert f.cache_hits == g.cache_hits == 0


# ------------------------------------------------------------------------------------------------
# Refused signatures


def test_a_result_type_is_needed():
    for signature in ("(float64,)", (float64, float64)):
        with pytest.raises(TypeError, match="has no result type"):
            cfunc(signature)
    with pytest.raises(TypeError, match=r"cfunc needs a signature"):
        cfunc(lambda x: x)


def test_argument_counts_have_to_fit():
    with pytest.raises(TypingError, match="the signature has 2 arguments, but the function has 1 parameter"):
        cfunc("float64(float64, float64)")(lambda x: x)


@pytest.mark.parametrize(
    "signature, what",
    [
        ("float64(float64[:])", r"argument 1 of a C callback cannot have type array\(float64, 1d, A\)"),
        ("float64(int32, UniTuple(float64, 2))", r"argument 2 of a C callback cannot have type UniTuple\(float64, 2\)"),
        ("float64(none)", "argument 1 of a C callback cannot have type none"),
    ],
)
def test_unsupported_arguments(signature, what):
    with pytest.raises(UnsupportedError, match=what):
        cfunc(signature)((lambda a: 1.0) if "int32" not in signature else lambda n, a: 1.0)


def test_unsupported_results():
    with pytest.raises(UnsupportedError, match=r"the result of a C callback cannot have type UniTuple\(float64, 2\)"):
        cfunc("UniTuple(float64, 2)(float64)")(lambda x: (x, x))
    with pytest.raises(TypingError, match="cannot convert complex128 to float64"):
        cfunc("float64(float64)")(lambda x: x * 1j)


def test_not_a_function():
    with pytest.raises(TypeError, match="cfunc compiles Python functions, not 3"):
        cfunc("float64(float64)")(3)


def test_pointers_to_what_arrays_cannot_hold():
    with pytest.raises(TypeError, match=r"pointers to array\(float64, 1d, A\) are not supported"):
        cfunc("float64(CPointer(float64[:]))")
    with pytest.raises(TypeError, match=r"pointers to float64\* are not supported"):
        CPointer(CPointer(float64))


# ------------------------------------------------------------------------------------------------
# Types


SCALARS = {
    "boolean": [False, True],
    "int8": [-128, 127],
    "int16": [-(2**15), 2**15 - 1],
    "int32": [-(2**31), 2**31 - 1],
    "int64": [-(2**63), 2**63 - 1],
    "uint8": [0, 255],
    "uint16": [0, 2**16 - 1],
    "uint32": [0, 2**32 - 1],
    "uint64": [0, 2**64 - 1],
    "float32": [-1.5, 2.0**100],
    "float64": [-1.5, 1e300],
}


@pytest.mark.parametrize("name", SCALARS)
def test_scalars_pass_through(name):
    identity = cfunc(f"{name}({name})")(lambda x: x)
    assert [identity.ctypes(value) for value in SCALARS[name]] == SCALARS[name]


def test_no_arguments_and_no_result():
    calls = np.zeros(1)
    store = cfunc("void(double*)")(_store_seven)
    assert store.ctypes(pointer_to(calls)) is None and calls[0] == 7
    assert cfunc("int32()")(lambda: 11).ctypes() == 11


def _store_seven(p):
    p[0] = 7


def test_many_arguments():
    signature = "float64(" + ", ".join(["int8", "float32", "float64"] * 5) + ")"

    @cfunc(signature)
    def weigh(a0, b0, c0, a1, b1, c1, a2, b2, c2, a3, b3, c3, a4, b4, c4):
        return a0 + 2 * b0 + 3 * c0 + 5 * a4 + 7 * b4 + 11 * c4

    assert weigh.ctypes(*range(1, 16)) == 1 + 4 + 9 + 5 * 13 + 7 * 14 + 11 * 15


def test_pointer_types():
    assert CPointer(float64) == types.CPointer(types.double) and CPointer(types.none) == voidptr
    assert str(CPointer(float64)) == "float64*" and str(voidptr) == "void*"
    assert pickle.loads(pickle.dumps(CPointer(int64))) == CPointer(int64)
    for text in ("void(CPointer(float64), voidptr)", "void(float64*, void*)", "void(double *, types.voidptr)"):
        assert cfunc(text)(lambda p, q: None).signature.code == "*d*n>n"


# ------------------------------------------------------------------------------------------------
# Pointers and arrays over foreign memory


def test_elements_of_a_pointer():
    @cfunc("float64(intc, double*)")
    def total(n, p):
        s = 0.0
        for i in range(n):
            s += p[i]
        p[-1] = s
        return s

    memory = np.arange(6.0)
    address = ctypes.cast(memory.ctypes.data + 8, DOUBLE_POINTER)
    assert total.ctypes(5, address) == 15 and memory[0] == 15


@pytest.mark.parametrize(
    "dtype", ["boolean", "int8", "uint16", "int32", "uint64", "float32", "complex64", "complex128"]
)
def test_elements_of_every_type(dtype):
    @cfunc(f"void(CPointer({dtype}), CPointer({dtype}), int8)")
    def copy_backwards(a, b, n):
        for i in range(n):
            b[n - 1 - i] = a[i]

    source = np.array([1, 0, 3, 100]).astype("bool" if dtype == "boolean" else dtype)
    if "complex" in dtype:
        source = source * (1 - 2j)
    target = np.zeros_like(source)
    native = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_uint8)(copy_backwards.address)
    native(source.ctypes.data, target.ctypes.data, 4)
    np.testing.assert_array_equal(target, source[::-1])


def test_carray_and_farray():
    @cfunc("void(double*, int64, int64, voidptr)")
    def transpose(p, n, m, user):
        a, b = carray(p, (n, m)), farray(user, (n, m), np.float64)
        for i in range(a.shape[0]):
            for j in range(a.shape[1]):
                b[i, j] = a[i, j]

    source, target = np.arange(6.0).reshape(2, 3), np.zeros((3, 2))
    transpose.ctypes(pointer_to(source), 2, 3, target.ctypes.data)
    np.testing.assert_array_equal(target, source.T)


def test_dtypes_of_carray():
    @cfunc("int64(voidptr)")
    def read(p):
        a, b = carray(p, 2, types.int32), pyarray.carray(p, shape=(2,), dtype="int32")
        return a[0] + 10 * b[1] + 100 * carray(p, (), np.int32)[()] + len(a[1:])

    assert read.ctypes(np.array([3, 4], np.int32).ctypes.data) == 3 + 40 + 300 + 1


def test_slices_and_assignment_of_foreign_arrays():
    @cfunc("void(double*, int64)")
    def clear_every_other(p, n):
        a = carray(p, n)
        a[::2] = 0.0
        a[1:3] = a[3:5]

    memory = np.arange(6.0)
    clear_every_other.ctypes(pointer_to(memory), 6)
    np.testing.assert_array_equal(memory, [0, 3, 0, 3, 0, 5])


def test_foreign_arrays_own_nothing():
    @njit
    def first_rows(p, n):
        return carray(p, (n, 2))[1:]

    @cfunc("float64(double*, int64)")
    def total(p, n):
        rows = first_rows(p, n)
        mine = np.zeros(n)
        for i in range(n - 1):
            mine[i] = rows[i, 0] + rows[i, 1]
            rows = first_rows(p, n) if i % 2 else rows
        return mine[0] + mine[1]

    before = pyarray._pyarray.allocation_counts()
    memory = np.arange(6.0)
    assert total.ctypes(pointer_to(memory), 3) == 2 + 3 + 4 + 5
    after = pyarray._pyarray.allocation_counts()
    assert after[0] - before[0] == after[1] - before[1] == 1


def test_pointers_as_results():
    step = cfunc("voidptr(voidptr)")(lambda p: p)
    assert step.ctypes(4096) == 4096


@pytest.mark.parametrize(
    "body, message",
    [
        (lambda p, q: q[0], r"void\* cannot be indexed: the type of its elements is not known"),
        (lambda p, q: carray(q, 3)[0], r"carray: a dtype is needed, since void\* says nothing"),
        (lambda p, q: carray(p, 3, np.int32)[0], r"carray: the dtype int32 does not fit the pointer, float64\*"),
        (lambda p, q: carray(1.0, 3)[0], r"carray: argument 1 has type float64; expected a C pointer"),
        (lambda p, q: carray(p, 2.5)[0], r"carray: argument 2 has type float64; expected an integer"),
        (lambda p, q: p[0, 1], r"float64\* takes one integer index, not several"),
        (lambda p, q: p[0:1], r"float64\* takes one integer index, not slice"),
        (lambda p, q: p[1.0], r"float64\* takes one integer index, not float64"),
        (lambda p, q: p + 1, r"no operator '\+' for operands of types float64\* and int64"),
    ],
)
def test_refused_uses_of_pointers(body, message):
    with pytest.raises(TypingError, match=message):
        cfunc("float64(double*, voidptr)")(body)


def test_shapes_are_checked(unraisable):
    f = cfunc("float64(double*, int64)")(lambda p, n: carray(p, n)[0])
    assert f.ctypes(pointer_to(np.zeros(1)), -1) == 0
    assert unraisable == [(ValueError, "negative dimensions are not allowed", f.py_func)]


def test_carray_in_python():
    memory = np.arange(6.0)
    np.testing.assert_array_equal(carray(pointer_to(memory), (2, 3)), memory.reshape(2, 3))
    np.testing.assert_array_equal(farray(pointer_to(memory), (2, 3)), memory.reshape(3, 2).T)
    view = carray(ctypes.c_void_p(memory.ctypes.data), 6, types.float64)
    view[1] = 8
    assert memory[1] == 8
    with pytest.raises(TypeError, match="a dtype is needed"):
        carray(ctypes.c_void_p(memory.ctypes.data), 6)
    with pytest.raises(TypeError, match="does not fit the pointer"):
        carray(pointer_to(memory), 6, np.int8)
    with pytest.raises(TypeError, match="expected a ctypes pointer"):
        carray(memory, 6)
    with pytest.raises(ValueError, match="NULL"):
        carray(ctypes.c_void_p(), 6, np.int8)


def test_pointers_in_declared_functions():
    f = njit("float64(float64*)")(lambda p: p[0])
    with pytest.raises(TypeError, match=r"No matching definition"):
        f(3.0)


# ------------------------------------------------------------------------------------------------
# Errors


def test_errors_are_reported_and_zero_comes_back(unraisable):
    @cfunc("int32(int64)")
    def inverse(n):
        if n > 2:
            raise ValueError("too large")
        return 1 // n + 4

    assert [inverse.ctypes(n) for n in (1, 3, 0)] == [5, 0, 0]
    assert unraisable == [
        (ValueError, "too large", inverse.py_func),
        (ZeroDivisionError, "integer division or modulo by zero", inverse.py_func),
    ]


def test_reports_have_a_traceback(capfd, monkeypatch):
    monkeypatch.setattr(sys, "unraisablehook", sys.__unraisablehook__)

    @njit(inline="never")
    def item(a, i):
        return a[i]

    @cfunc("float64(double*, int64)")
    def past_the_end(p, n):
        return item(carray(p, n), n)

    assert past_the_end.ctypes(pointer_to(np.zeros(2)), 2) == 0
    text = capfd.readouterr().err
    assert "IndexError: index 2 is out of bounds for axis 0 with size 2" in text
    assert "in item" in text and "in past_the_end" in text and __file__ in text


def test_an_error_of_a_function_without_result(unraisable):
    @cfunc("void(int64)")
    def fail(n):
        if n:
            raise KeyError

    assert fail.ctypes(1) is None and fail.ctypes(0) is None and len(unraisable) == 1


def test_the_next_call_starts_afresh(unraisable):
    f = cfunc("int64(int64)")(lambda n: 10 // n)
    g = njit(lambda n: 10 // n)
    assert f.ctypes(0) == 0 and g(5) == 2
    with pytest.raises(ZeroDivisionError):
        g(0)
    assert f.ctypes(2) == 5 and len(unraisable) == 1


# ------------------------------------------------------------------------------------------------
# Callers


def test_qsort():
    @cfunc("int32(voidptr, voidptr)")
    def compare(a, b):
        x, y = carray(a, 1, np.float64)[0], carray(b, 1, np.float64)[0]
        return (x > y) - (x < y)

    numbers = np.random.default_rng(1).normal(size=1000)
    expected = np.sort(numbers)
    libc = ctypes.CDLL(None)
    libc.qsort.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_size_t, ctypes.c_void_p]
    libc.qsort(numbers.ctypes.data, numbers.size, 8, compare.address)
    np.testing.assert_array_equal(numbers, expected)


def test_qsort_with_typed_pointers():
    @cfunc("intc(CPointer(int64), CPointer(int64))")
    def descending(a, b):
        return (a[0] < b[0]) - (a[0] > b[0])

    numbers = np.array([3, -5, 8, 0])
    ctypes.CDLL(None).qsort(
        ctypes.c_void_p(numbers.ctypes.data), ctypes.c_size_t(4), ctypes.c_size_t(8), descending.ctypes
    )
    assert numbers.tolist() == [8, 3, 0, -5]


def test_python_threads():
    @cfunc("float64(int64)")
    def work(n):
        a = np.ones(n)
        s = 0.0
        for x in a:
            s += x
        return s

    results = []
    threads = [threading.Thread(target=lambda n=n: results.append(work.ctypes(n))) for n in range(1, 9)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert sorted(results) == list(range(1, 9))


LIBRARY = r"""
#include <complex.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

typedef int64_t (*work_function)(int64_t);
typedef struct { work_function work; int64_t first, sum; } job;

static void *run(void *argument) {
  job *j = argument;
  for (int64_t i = 0; i < 1000; ++i) j->sum += j->work(j->first + i);
  return 0;
}

int64_t on_threads(work_function work) {
  pthread_t threads[4];
  job jobs[4];
  int64_t sum = 0;
  for (int i = 0; i < 4; ++i) {
    jobs[i] = (job){work, 1000 * i, 0};
    pthread_create(&threads[i], 0, run, &jobs[i]);
  }
  for (int i = 0; i < 4; ++i) {
    pthread_join(threads[i], 0);
    sum += jobs[i].sum;
  }
  return sum;
}

// Sums over all values, computed in C from what comes back.
int64_t narrow(int8_t (*f)(int8_t, uint8_t, int16_t, bool)) {
  volatile int wide = 0x1234ff80;
  int8_t r = f((int8_t)wide, (uint8_t)wide, (int16_t)wide, wide & 0x80);
  return r;
}
bool truth(bool (*f)(bool), int x) { return f(x != 0); }
uint8_t byte(uint8_t (*f)(uint8_t), int x) { int r = f((uint8_t)x); return r == (uint8_t)r; }
double complexes(float complex (*f)(float complex, double),
                 double complex (*g)(int32_t, double complex, float complex)) {
  float complex a = f(1.0f + 2.0f * I, 3.0);
  double complex b = g(2, 1.0 - 4.0 * I, 0.5f * I);
  return creal(a) == 3 && cimag(a) == 6 && creal(b) == 2 && cimag(b) == -7.5;
}
double pack(double complex (*f)(double, double, double, double, double, double, double complex)) {
  double complex z = f(1, 2, 3, 4, 5, 6, 7.0 + 8.0 * I);
  return creal(z) + 100 * cimag(z);
}
double overflowing(double complex (*f)(double, double, double, double, double, double, double, double complex, double),
                   float complex (*g)(float, float, float, float, float, float, float, float, float complex, int32_t,
                                      float complex)) {
  double complex z = f(1, 2, 3, 4, 5, 6, 7, 8.0 - 9.0 * I, 10);
  float complex w = g(1, 2, 3, 4, 5, 6, 7, 8, 2.0f + 3.0f * I, 4, 0.5f * I);
  return creal(z) == 87 && cimag(z) == -90 && crealf(w) == 8 && cimagf(w) == 12.5f;
}
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    folder = tmp_path_factory.mktemp("cfunc")
    (folder / "callers.c").write_text(LIBRARY)
    command = ["cc", "-O1", "-shared", "-fPIC", "-pthread", "callers.c", "-o", "callers.so"]
    try:
        subprocess.run(command, cwd=folder, check=True, capture_output=True)
    except FileNotFoundError:
        pytest.skip("no C compiler")
    return ctypes.CDLL(str(folder / "callers.so"))


def address(function):
    return ctypes.c_void_p(function.address)


@pytest.mark.parametrize("loader", [ctypes.CDLL, ctypes.PyDLL], ids=["without the GIL", "with the GIL"])
def test_c_threads(library, loader):
    on_threads = loader(library._name).on_threads
    on_threads.restype = ctypes.c_int64
    assert on_threads(address(cfunc("int64(int64)")(lambda n: 2 * n))) == 2 * sum(range(4000))


def test_errors_on_c_threads(library, unraisable):
    @cfunc("int64(int64)")
    def inverse(n):
        return 1000 // (n % 1000)

    library.on_threads.restype = ctypes.c_int64
    assert library.on_threads(address(inverse)) == 4 * sum(1000 // n for n in range(1, 1000))
    assert unraisable == [(ZeroDivisionError, "integer division or modulo by zero", inverse.py_func)] * 4


def test_small_integers_from_c(library):
    f = cfunc("int8(int8, uint8, int16, boolean)")(
        lambda a, b, c, d: (a == -128) + 2 * (b == 128) + 4 * (c == -128) - 8 * d
    )
    library.narrow.restype = ctypes.c_int64
    assert library.narrow(address(f)) == 1 + 2 + 4 - 8
    library.truth.restype = ctypes.c_bool
    negate = cfunc("boolean(boolean)")(lambda x: not x)
    assert [library.truth(address(negate), x) for x in (0, 256)] == [True, False]
    library.byte.restype = ctypes.c_uint8
    wrap = cfunc("uint8(uint8)")(lambda x: x + 200)
    assert library.byte(address(wrap), 255) == 1


def test_complex_numbers_from_c(library):
    f = cfunc("complex64(complex64, float64)")(lambda z, x: z * x)
    g = cfunc("complex128(int32, complex128, complex64)")(lambda n, z, w: n * z + w)
    library.complexes.restype = library.pack.restype = ctypes.c_double
    assert library.complexes(address(f), address(g)) == 1
    h = cfunc("complex128(" + "float64, " * 6 + "complex128)")(lambda a, b, c, d, e, f, z: z + f)
    assert library.pack(address(h)) == 13 + 800
    with pytest.raises(UnsupportedError, match="ctypes has no type for complex64"):
        f.ctypes  # noqa: B018


def test_complex_numbers_that_do_not_fit_registers(library):
    f = cfunc("complex128(" + "float64, " * 7 + "complex128, float64)")(lambda a, b, c, d, e, f, g, z, h: z * h + g)
    g = cfunc("complex64(" + "float32, " * 8 + "complex64, int32, complex64)")(
        lambda a, b, c, d, e, f, g, h, z, n, w: z * n + w
    )
    library.overflowing.restype = ctypes.c_double
    assert library.overflowing(address(f), address(g)) == 1


# ------------------------------------------------------------------------------------------------
# NULL


NULL_TESTS = {
    "is None": lambda p: 1 if p is None else 2,
    "None is": lambda p: 1 if None is p else 2,
    "== None": lambda p: 1 if p == None else 2,  # noqa: E711
    "is not None": lambda p: 2 if p is not None else 1,
    "truth": lambda p: 2 if p else 1,
    "not": lambda p: 1 if not p else 2,
    "and": lambda p: 2 if p and p == p else 1,  # noqa: PLR0124
}


@pytest.mark.parametrize("test", NULL_TESTS)
@pytest.mark.parametrize("kind", ["float64*", "void*"])
def test_null(test, kind):
    f = cfunc(f"int64({kind})")(NULL_TESTS[test])
    memory = (ctypes.c_double * 2)(1, 2)
    given = memory if kind == "float64*" else ctypes.addressof(memory)
    assert (f.ctypes(None), f.ctypes(given)) == (1, 2)


def test_two_pointers():
    f = cfunc("int64(float64*, void*)")(lambda p, q: (p == q) + 2 * (p is q) + 4 * (p != q))
    memory = (ctypes.c_double * 2)(1, 2)
    assert f.ctypes(memory, ctypes.addressof(memory)) == 3
    assert f.ctypes(memory, ctypes.addressof(memory) + 8) == 4


def test_pointers_have_no_arithmetic():
    message = r"no operator '\+' for operands of types float64\* and int64(.|\n)*Hint: .*p\[i\]"
    with pytest.raises(TypingError, match=message):
        cfunc("float64(float64*)")(lambda p: (p + 1)[0])


# ------------------------------------------------------------------------------------------------
# Called by compiled code


@cfunc("float64(float64)")
def square(x):
    return x * x


square_by_ctypes = square.ctypes


def test_called_with_the_types_of_its_signature():
    for f in (njit(lambda x: square(x)), njit(lambda x: square_by_ctypes(x))):
        assert (f(3), type(f(3))) == (9.0, float)
        assert f(np.float32(1.5)) == 2.25
        with pytest.raises(TypingError, match=r"argument 1 of square\(\): cannot convert complex128 to float64"):
            f(1j)


def test_called_with_wrong_arguments():
    with pytest.raises(TypingError, match=r"square\(\) takes 1 argument but 2 were given"):
        njit(lambda x: square(x, x))(1.0)


def test_results_are_of_the_signature():
    half = cfunc("int32(float64)")(lambda x: x / 2)
    nothing = cfunc("void(int64)")(lambda n: None)
    assert njit(lambda x: half(x))(7.0) == 3
    assert njit(lambda n: nothing(n))(7) is None


@pytest.mark.parametrize("decorator", [cfunc, njit])
def test_a_void_function_returns_nothing(decorator):
    with pytest.raises(TypingError, match="the declared result type: cannot convert int64 to none"):
        decorator("void(int64)")(lambda n: n + 1)


def test_callbacks_call_each_other_and_themselves():
    @cfunc("void(float64*, intc)")
    def double(p, n):
        for i in range(n):
            p[i] *= 2

    @cfunc("float64(float64*, intc)")
    def sum_of_doubles(p, n):
        double(p, n)
        return p[0] if n == 1 else p[n - 1] + sum_of_doubles(p, n - 1) / 2

    memory = (ctypes.c_double * 1)(21)
    assert sum_of_doubles.ctypes(memory, 1) == 42 and memory[0] == 42

    @cfunc("int64(int64)")
    def factorial(n):
        return 1 if n < 2 else n * factorial(n - 1)

    assert factorial.ctypes(10) == 3628800


def test_errors_reach_the_caller_in_compiled_code():
    inverse = cfunc("float64(float64)")(lambda x: 1 / x)
    with pytest.raises(ZeroDivisionError):
        njit(lambda x: inverse(x))(0.0)


# ------------------------------------------------------------------------------------------------
# SciPy


def test_quad_of_one_number():
    scipy = pytest.importorskip("scipy")
    from scipy import integrate

    f = cfunc("double(double)")(lambda x: math.exp(-x) / x**2)
    value, _ = integrate.quad(scipy.LowLevelCallable(f.ctypes), 1, np.inf)
    assert value == pytest.approx(0.14849550677592208, rel=1e-7)


def test_quad_of_an_array():
    scipy = pytest.importorskip("scipy")
    from scipy import integrate

    @cfunc("float64(intc, CPointer(float64))")
    def line(n, x):
        return x[1] * x[0] + x[2] if n == 3 else np.nan

    value, _ = integrate.quad(scipy.LowLevelCallable(line.ctypes), 0, 2, args=(3.0, 1.0))
    assert value == pytest.approx(8)


def test_generic_filter():
    scipy = pytest.importorskip("scipy")
    from scipy import ndimage

    @cfunc("intc(CPointer(float64), intp, CPointer(float64), voidptr)")
    def spread(values, size, result, data):
        window = carray(values, (size,))
        low = high = window[0]
        for x in window:
            low, high = min(low, x), max(high, x)
        result[0] = high - low
        return 1

    image = np.random.default_rng(2).normal(size=(20, 30))
    found = ndimage.generic_filter(image, scipy.LowLevelCallable(spread.ctypes), size=3)
    np.testing.assert_array_equal(found, ndimage.generic_filter(image, np.ptp, size=3))


# ------------------------------------------------------------------------------------------------
# Documentation


@pytest.mark.skipif(np.__version__ < "2", reason="NumPy 1 shows numbers otherwise")
def test_examples_of_the_page():
    result = doctest.testfile(str(ROOT / "docs" / "cfunc.md"), module_relative=False)
    assert result.attempted > 10 and result.failed == 0


def test_example_program(capsys):
    spec = importlib.util.spec_from_file_location("callbacks", ROOT / "examples" / "callbacks.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for found, expected in zip(
        module.callbacks(*module.arguments()), module.reference(*module.arguments()), strict=True
    ):
        np.testing.assert_allclose(found, expected)
    module.main()
    assert "closer" in capsys.readouterr().out
