"""Compilation ahead of time: C programs and extension modules that run without pyarray."""

import ctypes
import doctest
import importlib.util
import json
import math
import os
import pathlib
import re
import shutil
import subprocess
import sys
import zipfile

import numpy as np
import pytest
from pyarray import _aot_header, njit, objmode, prange
from pyarray.aot import Module, link_arguments, runtime_library
from pyarray.errors import UnsupportedError
from pyarray.pycc import CC

ROOT = pathlib.Path(__file__).resolve().parents[2]
COMPILER = shutil.which("cc") or shutil.which("gcc")
pytestmark = pytest.mark.skipif(not COMPILER, reason="there is no C compiler")

# ------------------------------------------------------------------------------------------------
# What is compiled


def mean(a):
    return a.sum() / a.size


def norm(x, y):
    return math.sqrt(x * x + y * y)


def quotient(a, b):
    return a // b


def scale(a, k):
    return a * k


def extremes(a):
    low = high = a[0]
    for x in a:
        low = min(low, x)
        high = max(high, x)
    return low, high


def item(a, i):
    return a[i]


def product(z, w, flag):
    return z * w if flag else z


def check(x, n):
    if x > 1.5:
        raise ValueError("too large", x, n)
    if n == 3:
        raise LookupError(f"bad {n}")
    print("x is", x)
    return np.sin(x)


def tail(a, n):
    return a[n:]


def fill(a, x):
    a[:] = x


def small(a, b, c, d):
    return a + b, c, d


def many(a, b, c, d, e, f, g, z, w):
    return z * (a + b + c + d + e + f + g) + w


def total(a):
    s = 0.0
    for i in prange(a.size):
        s += a[i]
    return s


SIGNATURES = {
    mean: "float64(float64[:])",
    norm: "(float64, float64)",
    quotient: "(int64, int64)",
    scale: "(float64[:, ::1], float64)",
    extremes: "(float64[:],)",
    item: "(float64[::1], int64)",
    product: "(complex64, complex128, boolean)",
    check: "(float64, int64)",
    tail: "(float64[:], int64)",
    fill: "void(int8[:, :], int8)",
    small: "(int8, uint8, boolean, float32)",
    many: "(float64, float64, float64, float64, float64, float64, float64, complex128, complex64)",
}

PROGRAM = r"""
#include <complex.h>
#include <stdio.h>
#include <string.h>
#include HEADER
#define JOIN2(a, b) a##_##b
#define JOIN(a, b) JOIN2(a, b)
#define RT(name) JOIN(PREFIX, name)

static void tell(int code) {
  const char *place = RT(error_place)(), *slash = strrchr(place, '/');
  printf("%d %s: %s (%s)\n", code, RT(error_name)(), RT(error_message)(), slash ? slash + 1 : place);
}

int main(void) {
  double d[] = {1, 2, 3, 4, 5, 6}, r, low, high;
  int64_t q;
  int code;
  pyarray_float64_1d a = {d, {3}, {2}, 0}, v;
  pyarray_float64_2d m = {d, {2, 3}, {3, 1}, 0}, o;
  printf("[%s]\n", RT(error_message)());
  code = mean(&a, &r), printf("%d %g\n", code, r);
  code = norm(3, 4, &r), printf("%d %g\n", code, r);
  code = quotient(7, 2, &q), printf("%d %d\n", code, (int)q);
  tell(quotient(7, 0, &q));
  code = scale(&m, 10, &o);
  printf("%d %g %g %d %d\n", code, o.data[0], o.data[5], (int)o.shape[1], (int)o.strides[0]);
  RT(retain)(o.owner), RT(release)(o.owner), RT(release)(o.owner), RT(release)(NULL);
  code = extremes(&a, &low, &high), printf("%d %g %g\n", code, low, high);
  tell(item(&a, 1, &r)); /* not contiguous */
  a.strides[0] = 1;
  tell(item(&a, 7, &r));
  a.shape[0] = -1;
  tell(item(&a, 0, &r));
  a.shape[0] = 3, a.data = (double *)((char *)d + 1);
  tell(item(&a, 0, &r));
  tell(item(NULL, 0, &r));
  a.data = d;
  double _Complex z;
  code = product(1 + 2 * I, 3 - I, true, &z), printf("%d %g %g\n", code, creal(z), cimag(z));
  code = product(1 + 2 * I, 3 - I, false, &z), printf("%d %g %g\n", code, creal(z), cimag(z));
  code = check(1, 2, &r), printf("%d %.3f\n", code, r);
  tell(check(2, 2, &r));
  tell(check(1, 3, &r));
  code = tail(&a, 1, &v), printf("%d %g %d %d\n", code, v.data[0], (int)v.shape[0], v.owner != NULL);
  int8_t bytes[2][3] = {{0}};
  pyarray_int8_2d b = {bytes[0], {2, 2}, {3, 1}, 0};
  code = fill(&b, -5), printf("%d %d %d %d\n", code, bytes[0][0], bytes[1][1], bytes[1][2]);
  int64_t sum;
  bool flag;
  float single;
  code = small(-3, 200, true, 1.5f, &sum, &flag, &single), printf("%d %d %d %g\n", code, (int)sum, flag, single);
  code = many(1, 2, 3, 4, 5, 6, 7, 1 + I, 2 - I, &z), printf("%d %g %g\n", code, creal(z), cimag(z));
  return 0;
}
"""

EXPECTED = """\
[]
0 3
0 5
0 3
2 ZeroDivisionError: integer division or modulo by zero (test_aot.py:%(quotient)d, in quotient)
0 10 60 3 3
0 1 5
11 ArgumentError: the array 'a' is not contiguous in C order, as its type says ()
3 IndexError: index 7 is out of bounds for axis 0 with size 3 (test_aot.py:%(item)d, in item)
11 ArgumentError: the array 'a' has a negative extent ()
11 ArgumentError: the array 'a' is not aligned to its elements ()
11 ArgumentError: the array 'a' is NULL ()
0 5 5
0 1 2
x is 1.0
0 0.841
4 ValueError: ('too large', 2.0, 2) (test_aot.py:%(raise1)d, in check)
1 LookupError: bad 3 (test_aot.py:%(raise2)d, in check)
0 2 2 0
0 -5 -5 0
0 197 1 1.5
0 30 27
"""


def expected():
    lines = {function.__name__: function.__code__.co_firstlineno + 1 for function in SIGNATURES}
    first = check.__code__.co_firstlineno
    return EXPECTED % {**lines, "raise1": first + 2, "raise2": first + 4}


def module_of(functions, name="fast", **options):
    module = Module(name, **options)
    for function, signature in functions.items():
        module.export(function.__name__, signature)(function)
    return module


def run_c(folder, prefix, header, *libraries, source=PROGRAM):
    (folder / "main.c").write_text(source)
    definitions = [f'-DHEADER="{header}"', f"-DPREFIX={prefix}"]
    warnings = ["-std=c11", "-Wall", "-Wextra", "-Werror", "-pedantic"]
    program = folder / "main"
    subprocess.run([COMPILER, *warnings, *definitions, folder / "main.c", "-o", program, *libraries], check=True)
    return subprocess.run([program], check=True, capture_output=True, text=True).stdout


# ------------------------------------------------------------------------------------------------
# C programs


@pytest.mark.parametrize("suffix", [".o", ".a"])
def test_a_c_program_with_the_runtime(tmp_path, suffix):
    made = module_of(SIGNATURES).library(tmp_path / f"fast{suffix}", tmp_path / "fast.h")
    assert run_c(tmp_path, "pyarray", tmp_path / "fast.h", made, *link_arguments()) == expected()


def test_a_c_program_with_a_shared_library(tmp_path):
    made = module_of(SIGNATURES).library(tmp_path / "libfast.so", tmp_path / "fast.h")
    assert run_c(tmp_path, "fast", tmp_path / "fast.h", made) == expected()
    symbols = subprocess.run(["nm", "-D", "--defined-only", made], check=True, capture_output=True, text=True).stdout
    names = {line.split()[-1] for line in symbols.splitlines()}
    functions = {function.__name__ for function in SIGNATURES}
    runtime = {f"fast_{name}" for name in ("error_name", "error_message", "error_place", "release", "retain")}
    assert names == functions | runtime
    needed = subprocess.run(["ldd", made], check=True, capture_output=True, text=True).stdout
    assert "python" not in needed and "stdc++" not in needed


def test_the_header_in_cpp(tmp_path):
    made = module_of({mean: SIGNATURES[mean], norm: SIGNATURES[norm]}).library(tmp_path / "f.o", tmp_path / "f.h")
    compiler = shutil.which("c++")
    if not compiler:
        pytest.skip("there is no C++ compiler")
    (tmp_path / "main.cpp").write_text(
        '#include "f.h"\n#include "f.h"\nint main() { double r; return norm(3, 4, &r) || r != 5; }\n'
    )
    subprocess.run([compiler, tmp_path / "main.cpp", made, "-o", tmp_path / "main", *link_arguments()], check=True)
    subprocess.run([tmp_path / "main"], check=True)


def test_no_memory_is_lost(tmp_path):
    valgrind = shutil.which("valgrind")
    if not valgrind:
        pytest.skip("valgrind is not installed")
    made = module_of(SIGNATURES).library(tmp_path / "fast.o", tmp_path / "fast.h")
    run_c(tmp_path, "pyarray", tmp_path / "fast.h", made, *link_arguments())
    done = subprocess.run([valgrind, "-q", "--error-exitcode=3", tmp_path / "main"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_errors_are_of_a_thread(tmp_path):
    source = r"""
#include <pthread.h>
#include <stdio.h>
#include HEADER
static void *fail(void *unused) {
  int64_t q;
  quotient(1, 0, &q);
  printf("%s\n", pyarray_error_name());
  return unused;
}
int main(void) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, fail, NULL)) return 1;
  pthread_join(thread, NULL);
  printf("[%s]\n", pyarray_error_name());
  return 0;
}
"""
    made = module_of({quotient: SIGNATURES[quotient]}).library(tmp_path / "q.o", tmp_path / "q.h")
    output = run_c(tmp_path, "pyarray", tmp_path / "q.h", made, *link_arguments(), source=source)
    assert output == "ZeroDivisionError\n[]\n"


def test_parallel_loops_of_c_programs(tmp_path):
    module = Module("sums")
    module.export("total", "float64(float64[::1])", parallel=True)(total)
    source = r"""
#include <stdio.h>
#include HEADER
static double numbers[100000];
int main(void) {
  double sum;
  for (int i = 0; i < 100000; i++) numbers[i] = 0.5;
  pyarray_float64_1d a = {numbers, {100000}, {1}, 0};
  int code = total(&a, &sum);
  printf("%d %g\n", code, sum);
  return 0;
}
"""
    made = module.library(tmp_path / "libsums.so", tmp_path / "sums.h")
    assert run_c(tmp_path, "sums", tmp_path / "sums.h", made, source=source) == "0 50000\n"


def test_the_processor_is_chosen(tmp_path):
    def dot(a, b):
        s = 0.0
        for i in range(a.size):
            s += a[i] * b[i]
        return s

    def assembly(**options):
        module = Module("dots", **options)
        module.export("dot", "float64(float64[::1], float64[::1])", fastmath=True)(dot)
        made = module.library(tmp_path / "dot.o")
        return subprocess.run(["objdump", "-d", made], check=True, capture_output=True, text=True).stdout

    assert "vaddsd" not in assembly()
    assert re.search("vaddsd|vfmadd", assembly(cpu="haswell"))


# ------------------------------------------------------------------------------------------------
# Refusals


def inverse(a):
    return np.linalg.inv(a)


def by_python(x):
    with objmode(y="float64"):
        y = float(str(x))
    return y


def text_of_error(x):
    try:
        return 1 // x
    except ZeroDivisionError as error:
        return len(str(error))


def in_a_list(x):
    return [x]


def of_text(text):
    return len(text)


@pytest.mark.parametrize(
    "function, signature, words",
    [
        (inverse, "(float64[:, ::1],)", "needs NumPy's loop 'inv'"),
        (by_python, "(float64,)", "needs a block of objmode"),
        (text_of_error, "(int64,)", "needs the text or the arguments of an exception"),
        (in_a_list, "(int64,)", "the result has type ListType"),
        (of_text, "(unicode_type,)", "argument 'text' has type unicode_type"),
    ],
)
def test_what_c_cannot_have_is_refused_by_name(tmp_path, function, signature, words):
    with pytest.raises(UnsupportedError, match=f"^{function.__name__} cannot be .*{words}"):
        module_of({function: signature}).library(tmp_path / "f.o")


def test_addresses_of_this_process_are_refused(tmp_path):
    import ctypes.util

    hypot = ctypes.CDLL(ctypes.util.find_library("m")).hypot
    hypot.argtypes, hypot.restype = [ctypes.c_double] * 2, ctypes.c_double

    def native(x):
        return hypot(x, x)

    with pytest.raises(UnsupportedError, match="native cannot be compiled ahead of time: it refers to something of"):
        module_of({native: "(float64,)"}).library(tmp_path / "f.o")


def test_mistakes_are_told(tmp_path):
    module = module_of({norm: SIGNATURES[norm]})
    with pytest.raises(ValueError, match="ends in none of .o, .a, .so"):
        module.library("norm.exe")
    with pytest.raises(ValueError, match="nothing is exported by empty"):
        Module("empty").compile(tmp_path)
    with pytest.raises(ValueError, match="an export is a name"):
        module.export("a-b", "float64(float64)")(norm)
    with pytest.raises(ValueError, match="a module is a name"):
        Module("a b")
    with pytest.raises(UnsupportedError, match=r"parameter '\*more' has no place"):
        module.export("f", "float64(float64)")(lambda x, *more: x)
    module.export("norm", "(float32, float32)")(norm)
    with pytest.raises(ValueError, match="C has no overloads"):
        module.library(tmp_path / "f.o")


# ------------------------------------------------------------------------------------------------
# GPUs


def shift(a, b):
    return a + 2 * b


def test_code_for_gpus(tmp_path):
    made = module_of({shift: "float32(float32, float32)"}, cpu="sm_80").library(tmp_path / "f.ptx")
    text = (tmp_path / "f.ptx").read_text()
    assert made == str(tmp_path / "f.ptx") and ".target sm_80" in text and ".visible .func" in text and "shift(" in text
    with pytest.raises(UnsupportedError, match="one function"):
        module_of({shift: "float32(float32, float32)", norm: SIGNATURES[norm]}).library(tmp_path / "g.ptx")
    with pytest.raises(ValueError, match="no C header"):
        module_of({shift: "float32(float32, float32)"}).library(tmp_path / "g.ltoir", tmp_path / "g.h")


def library_of_nvidia(name):
    """libNVVM or nvJitLink, which need no GPU, or None."""
    for folder in sys.path:
        for path in pathlib.Path(folder).glob(f"nvidia/**/{name}.so*"):
            return ctypes.CDLL(str(path))
    return None


def cubin_of(linker, code, architecture):
    """What nvJitLink makes of code for link-time optimisation."""
    handle, size = ctypes.c_void_p(), ctypes.c_size_t()
    options = (ctypes.c_char_p * 2)(f"-arch={architecture}".encode(), b"-lto")
    assert linker.nvJitLinkCreate(ctypes.byref(handle), 2, options) == 0
    ltoir = 3
    assert linker.nvJitLinkAddData(handle, ltoir, code, ctypes.c_size_t(len(code)), b"f") == 0
    assert linker.nvJitLinkComplete(handle) == 0
    assert linker.nvJitLinkGetLinkedCubinSize(handle, ctypes.byref(size)) == 0
    cubin = ctypes.create_string_buffer(size.value)
    assert linker.nvJitLinkGetLinkedCubin(handle, cubin) == 0
    linker.nvJitLinkDestroy(ctypes.byref(handle))
    return cubin.raw


@pytest.mark.skipif(library_of_nvidia("libnvvm") is None, reason="libNVVM is not installed (nvidia-nvvm)")
def test_code_for_link_time_optimisation(tmp_path):
    path = pathlib.Path(module_of({shift: "float32(float32, float32)"}, cpu="sm_90").library(tmp_path / "f.ltoir"))
    code = path.read_bytes()
    assert code[:4] == bytes.fromhex("ed434e7f") and len(code) > 500
    linker = library_of_nvidia("libnvJitLink")
    if linker is not None:
        assert cubin_of(linker, code, "sm_90")[:4] == b"\x7fELF"


# ------------------------------------------------------------------------------------------------
# Extension modules


def words_of(text, count):
    words = text.split()
    return {word: index for index, word in enumerate(words[:count])}


def doubled(values):
    for i in range(len(values)):
        values[i] *= 2
    return values


def maybe(x):
    return None if x < 0 else (x, str(x))


CALLS = r"""
import json, sys, traceback
class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "pyarray":
            raise ImportError("pyarray is not here")
sys.meta_path.insert(0, Blocked())
sys.path.insert(0, sys.argv[1])
import numpy as np
import fast

def error(function, *arguments, **keywords):
    try:
        function(*arguments, **keywords)
    except Exception as problem:
        frames = [frame.name for frame in traceback.extract_tb(problem.__traceback__)]
        return [type(problem).__name__, str(problem), frames[-1]]

a = np.arange(6.0)
values = [1, 2]
out = [
    fast.mean(a[::2]), fast.norm(3, y=4), fast.scale(a.reshape(2, 3), 2.0).tolist(), fast.extremes(a),
    fast.tail(a, 2).base is a, repr(fast.product(1 + 2j, 3 - 1j, True)), fast.words_of("a b c", 2),
    fast.doubled(values), values, fast.maybe(-1), fast.maybe(7), fast.double(2), fast.double(2.5),
    error(fast.item, a, 9), error(fast.check, 2.0, 2), error(fast.norm, "x", 1), error(fast.norm, 1),
    error(fast.item, a[::2], 1), error(fast.norm.inspect_llvm), error(fast.inverse, np.zeros((2, 2))),
    fast.inverse(np.eye(2) * 2).tolist(), fast.text_of_error(0), fast.norm.__doc__, fast.norm.__name__,
]
print(json.dumps(out))
assert not [name for name in sys.modules if name.partition(".")[0] == "pyarray"]
"""


def run_python(folder, source=CALLS):
    command = [sys.executable, "-I", "-c", source, str(folder)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def double(x):
    return 2 * x


@pytest.fixture(scope="module")
def extension(tmp_path_factory):
    folder = tmp_path_factory.mktemp("extension")
    module = module_of(
        SIGNATURES
        | {
            words_of: "(unicode_type, int64)",
            doubled: "(List(int64),)",
            maybe: "(int64,)",
            inverse: "(float64[:, ::1],)",
            text_of_error: "(int64,)",
        }
    )
    for kind in ("int64", "float64"):
        module.export("double", f"{kind}({kind})")(double)
    return module, module.compile(folder)


def test_an_extension_module_without_pyarray(extension):
    answers = run_python(extension[1].rpartition("/")[0])
    norm_is = "norm(x,y)\n\nCompiled ahead of time for (float64, float64)."
    assert answers == [
        2.0, 5.0, [[0, 2, 4], [6, 8, 10]], [0.0, 5.0],
        True, "(5+5j)", {"a": 0, "b": 1},
        [2, 4], [2, 4], None, [7, "7"], 4, 5.0,
        ["IndexError", "index 9 is out of bounds for axis 0 with size 6", "item"],
        ["ValueError", "('too large', 2.0, 2)", "check"],
        ["TypeError",
         "the arguments fit none of the types that norm() was compiled for: (float64, float64)", "error"],
        ["TypeError", "norm() missing 1 required positional argument: 'y'", "error"],
        ["TypeError", "the arguments fit none of the types that item() was compiled for: "
         "(float64[::1], int64)", "error"],
        ["RuntimeError", "'inspect_llvm' needs pyarray; this module was compiled ahead of time", "error"],
        ["LinAlgError", "Singular matrix", answers[19][2]],
        [[0.5, 0.0], [0.0, 0.5]], len("integer division or modulo by zero"), norm_is, "norm",
    ]  # fmt: skip


def test_extension_modules_beside_pyarray(extension):
    spec = importlib.util.spec_from_file_location("fast", extension[1])
    fast = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(fast)
    a = np.arange(4.0)
    assert fast.mean(a) == njit(mean)(a) == 1.5
    with pytest.raises(ZeroDivisionError):
        fast.quotient(1, 0)
    with pytest.raises(ZeroDivisionError):
        njit(quotient)(1, 0)


def test_a_wheel(tmp_path):
    module = module_of({norm: SIGNATURES[norm]}, "package.fast")
    path = module.wheel(tmp_path, "1.2", "some-package")
    with zipfile.ZipFile(path) as wheel:
        names = wheel.namelist()
        assert any(name.startswith("package/fast.") and name.endswith(".so") for name in names)
        assert b"Requires-Dist: numpy" in wheel.read("some_package-1.2.dist-info/METADATA")
        wheel.extractall(tmp_path / "site")
    source = "import sys; sys.path.insert(0, sys.argv[1]); import package.fast; print(package.fast.norm(3.0, 4.0))"
    assert run_python(tmp_path / "site", source) == 5.0


def test_pip_takes_the_wheel(tmp_path):
    pip = subprocess.run([sys.executable, "-m", "pip", "--version"], capture_output=True)
    if pip.returncode:
        pytest.skip("pip is not installed")
    path = module_of({norm: SIGNATURES[norm]}).wheel(tmp_path)
    command = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-index", "--target"]
    subprocess.run([*command, tmp_path / "site", path], check=True)
    source = "import sys; sys.path.insert(0, sys.argv[1]); import fast; print(fast.norm(3.0, 4.0))"
    assert run_python(tmp_path / "site", source) == 5.0


def test_names_of_numba(tmp_path):
    cc = CC("products")
    cc.output_dir = str(tmp_path)
    cc.verbose = True

    @cc.export("multi", "i4(i4, i4)")
    @cc.export("multf", "f8(f8, f8)")
    def mult(a, b):
        return a * b

    cc.compile()
    assert (tmp_path / cc.output_file).exists() and cc.name == "products" and cc.target_cpu == "x86-64"
    source = "import sys; sys.path.insert(0, sys.argv[1]); import products as p; print([p.multi(3, 4), p.multf(3, 4)])"
    assert run_python(tmp_path, source) == [12, 12.0]


def test_what_modules_cannot_have_is_refused(tmp_path):
    with pytest.raises(UnsupportedError, match="by_python .*: it needs a block of objmode"):
        module_of({by_python: "(float64,)"}).compile(tmp_path)


def test_the_page():
    """The examples of docs/ahead-of-time.md, in Python, in C and at the shell."""
    result = doctest.testfile(str(ROOT / "docs" / "ahead-of-time.md"), module_relative=False)
    assert result.attempted > 5 and not result.failed


def test_the_program_of_the_page(tmp_path):
    page = (ROOT / "docs" / "ahead-of-time.md").read_text()
    [function] = re.findall(r"```python\n# stats.py\n(.*?)```", page, re.DOTALL)
    [program] = re.findall(r"```c\n(// main.c.*?)```", page, re.DOTALL)
    [commands] = re.findall(r"```sh\n(.*?)```", page, re.DOTALL)[:1]
    (tmp_path / "stats.py").write_text(function)
    (tmp_path / "main.c").write_text(program)
    tool = os.environ.get("PYARRAY_TEST_TOOLS", str(ROOT / "build" / "bin"))
    if not (pathlib.Path(tool) / "pyarray-translate").exists():
        pytest.skip("pyarray-translate is not built")
    environment = {**os.environ, "PATH": f"{tool}:{pathlib.Path(sys.executable).parent}:{os.environ['PATH']}"}
    environment["PYARRAY_PYTHON"] = sys.executable
    done = subprocess.run(["sh", "-ec", commands], cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "mean 2\nZeroDivisionError: float division by zero\n"


def test_the_runtime_archive_is_there():
    assert runtime_library().endswith("libpyarray_runtime.a")
    symbols = subprocess.run(["nm", "-g", runtime_library()], capture_output=True, text=True).stdout
    assert "T pyarray_error_message" in symbols and "Py_" not in symbols and "PyObject" not in symbols


def test_codes_of_errors_are_those_of_the_runtime():
    runtime = (ROOT / "capi" / "include" / "pyarray-c" / "Runtime.h").read_text()
    codes = re.compile(r"(PYARRAY_\w+) = (\d+)")
    assert codes.findall(_aot_header._RUNTIME) == codes.findall(runtime) != []


def test_the_version_of_the_c_api():
    header = (ROOT / "capi" / "include" / "pyarray-c" / "Version.h").read_text()
    numbers = re.findall(r"#define PYARRAY_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", header)
    [project] = re.findall(r"project\(pyarray VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())
    assert ".".join(numbers) == project and f'"{project}"' in header
