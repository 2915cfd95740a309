"""Functions of CUDA C++ in kernels: `declare_device`, `link=[...]`.

On the CPU clang compiles them; with PYARRAY_CUDA=gpu NVRTC.
"""

import io
import math
import os

import linked
import numpy as np
import pytest
from pyarray import cuda, types
from pyarray.cuda import _sources
from pyarray.errors import LinkerError, TypingError
from pyarray.extending import models, register_model, typeof_impl

pytestmark = pytest.mark.real

on_gpu = os.environ.get("PYARRAY_CUDA") == "gpu"
needs_compiler = pytest.mark.skipif(not on_gpu and _sources.clang() is None, reason="clang is not installed")

CODE = cuda.CUSource(linked.ALL, name="all.cu")


def declare(name, signature, **options):
    return cuda.declare_device(name, signature, **options)


twice = declare("twice", "float32(float32)")
fails = declare("fails", "int32(int32)")
nothing = declare("nothing", "none(CPointer(int32), int32)")
total = declare("sum", "float64(CPointer(float64), int64)")
swap = declare("swap", "complex64(float32, float32)")
half = declare("half", "float64(float64)", abi="c")
store = declare("store", "none(CPointer(int64), int64)", abi="c")
is_odd = declare("is_odd", "boolean(int8)", abi="c")
narrow = declare("narrow", "uint8(boolean, int16, uint8)", abi="c")
after = declare("after", "CPointer(float64)(CPointer(float64), int32)", abi="c")
root = declare("root", "float64(float64)", abi="c")


def one(kernel, *arguments, dtype=np.float64, size=1):
    """What a kernel of one thread stores into an array."""
    out = np.zeros(size, dtype)
    cuda.jit(link=[CODE])(kernel)[1, 1](out, *arguments)
    return out


@needs_compiler
def test_a_function_for_each_element():
    @cuda.jit(link=[CODE])
    def kernel(x, y):
        i = cuda.grid(1)
        if i < x.size:
            y[i] = twice(x[i])

    x = np.arange(1000, dtype=np.float32)
    y = np.zeros_like(x)
    kernel[8, 128](x, y)
    assert np.array_equal(y, 2 * x)


@needs_compiler
def test_arguments_are_converted():
    def kernel(out, n):
        out[0] = twice(n)

    assert one(kernel, 3) == 6


@needs_compiler
def test_both_conventions():
    def kernel(out):
        out[0] = half(5.0)
        out[1] = is_odd(3)
        out[2] = is_odd(-2)
        out[3] = narrow(True, -3, 7)
        out[4] = swap(1.5, 2.5).real

    assert one(kernel, size=5).tolist() == [2.5, 1, 0, 5, 2.5]


@needs_compiler
def test_functions_without_a_result():
    def kernel(out):
        memory = cuda.local.array(2, np.int32)
        nothing(memory, 7)
        wide = cuda.local.array(1, np.int64)
        store(wide, 2**40)
        out[0], out[1] = memory[0], wide[0]

    assert one(kernel, size=2, dtype=np.int64).tolist() == [7, 2**40]


@needs_compiler
def test_a_status_is_an_exception():
    @cuda.jit(device=True)
    def deeper(x):
        return fails(x) + 1

    @cuda.jit(link=[CODE], debug=True)
    def kernel(out, x):
        i = cuda.grid(1)
        if i == 5:
            out[0] = deeper(x)

    out = np.zeros(1)
    kernel[2, 4](out, 0)
    assert out[0] == 2
    with pytest.raises(cuda.ForeignFunctionError, match=r"fails\(\) returned the status -3") as caught:
        kernel[2, 4](out, -3)
    assert (caught.value.function, caught.value.code) == ("fails", -3)
    assert caught.value.__notes__ == ["in thread (1, 0, 0) of block (1, 0, 0)"]
    functions, trace = [], caught.value.__traceback__
    while trace:
        functions.append(trace.tb_frame.f_code.co_name)
        trace = trace.tb_next
    assert functions[-2:] == ["kernel", "deeper"]
    kernel[2, 4](out, 0)  # the context lives on


@needs_compiler
def test_arrays_as_pointers():
    def kernel(out, x):
        shared = cuda.shared.array((2, 2), np.float64)
        local = cuda.local.array(3, np.float64)
        for i in range(4):
            shared[i // 2, i % 2] = i
        for i in range(3):
            local[i] = 10 * i
        out[0] = total(x, x.size)
        out[1] = total(x[2:], x.size - 2)
        out[2] = total(shared, 4)
        out[3] = total(local, 3)

    assert one(kernel, np.arange(6.0), size=4).tolist() == [15, 14, 6, 30]


@needs_compiler
def test_pointers_of_pointers():
    def kernel(out, x):
        out[0] = total(after(x, 3), 2)
        out[1] = after(x, 1)[0]

    assert one(kernel, np.arange(6.0), size=2).tolist() == [7, 1]


@needs_compiler
def test_from_buffer_of_cffi():
    ffi = pytest.importorskip("cffi").FFI()

    def kernel(out, x):
        out[0] = total(ffi.from_buffer(x), x.size)

    assert one(kernel, np.arange(6.0)) == 15


point = np.dtype([("x", np.float32), ("y", np.int16)], align=True)


@needs_compiler
@pytest.mark.parametrize("pointer", [True, False])
def test_records_by_pointer(pointer):
    kind = types.from_dtype(point)
    move = declare("move", types.none(types.CPointer(kind) if pointer else kind, types.float32))

    @cuda.jit(link=[CODE])
    def kernel(a):
        i = cuda.grid(1)
        if i < a.size:
            move(a[i], 0.5)

    a = np.zeros(5, point)
    a["x"], a["y"] = np.arange(5), 7
    kernel[1, 8](a)
    assert a["x"].tolist() == [0.5, 1.5, 2.5, 3.5, 4.5] and a["y"].tolist() == [8] * 5


@needs_compiler
def test_an_array_of_records_as_a_pointer():
    move = declare("move", types.none(types.voidptr, types.float32))

    @cuda.jit(link=[CODE])
    def kernel(a):
        move(a, 2)

    a = np.zeros(2, point)
    kernel[1, 1](a)
    assert a["x"].tolist() == [2, 0] and a["y"].tolist() == [1, 0]


@needs_compiler
def test_mathematical_functions():
    def kernel(out, x):
        out[0] = math.sin(x)
        out[1] = root(9.0)

    assert one(kernel, 0.5, size=2).tolist() == pytest.approx([math.sin(0.5), 3], rel=1e-15)


@needs_compiler
def test_a_kernel_of_the_same_name():
    @cuda.jit(link=[CODE])
    def half_(x):
        x[0] = half(x[0])

    half_.py_func.__name__ = half_.py_func.__qualname__ = "half"
    x = np.array([3.0])
    half_[1, 1](x)
    assert x[0] == 1.5


def call_within(function, value):
    @cuda.jit(device=True)
    def within(x):
        return function(x)

    @cuda.jit
    def kernel(x):
        x[0] = within(x[0])

    x = np.array([value])
    kernel[1, 1](x)
    return x[0]


@needs_compiler
def test_link_of_a_declaration(tmp_path):
    file = tmp_path / "twice.cu"
    file.write_text(linked.TWICE)
    for link in (file, str(file), [file], cuda.CUSource(linked.TWICE), cuda.CUSource(io.StringIO(linked.TWICE))):
        assert call_within(declare("twice", types.float32(types.float32), link=link), 3.0) == 6


@needs_compiler
def test_link_of_a_device_function():
    function = declare("twice", "float32(float32)")

    @cuda.jit(device=True, link=[cuda.CUSource(linked.TWICE)])
    def four_times(x):
        return function(function(x))

    @cuda.jit
    def kernel(x):
        x[0] = four_times(x[0])

    x = np.array([3.0])
    kernel[1, 1](x)
    assert x[0] == 12


@needs_compiler
def test_files_that_call_each_other():
    first = 'extern "C" __device__ int even(int); extern "C" __device__ int odd(int n) { return n ? even(n - 1) : 0; }'
    second = 'extern "C" __device__ int odd(int); extern "C" __device__ int even(int n) { return n ? odd(n - 1) : 1; }'
    function = declare("odd", "int32(int32)", abi="c")

    @cuda.jit(link=[cuda.CUSource(first), cuda.CUSource(second)])
    def kernel(out, n):
        out[0] = function(n)

    out = np.zeros(1, np.int32)
    for n in (7, 8):
        kernel[1, 1](out, n)
        assert out[0] == n % 2


@needs_compiler
def test_variables_of_linked_code():
    code = '__device__ int table[3] = {5, 6, 7}; extern "C" __device__ int look(int i) { return table[i]; }'
    look = declare("look", "int32(int32)", abi="c", link=cuda.CUSource(code))

    @cuda.jit
    def kernel(out):
        out[0] = look(2)

    out = np.zeros(1, np.int32)
    kernel[1, 1](out)
    assert out[0] == 7


@needs_compiler
def test_in_loops_and_branches_of_threads():
    @cuda.jit(link=[CODE])
    def kernel(x):
        shared = cuda.shared.array(32, np.float32)
        i = cuda.threadIdx.x
        shared[i] = x[i]
        cuda.syncthreads()
        found = np.float32(0)
        for k in range(i):
            if k % 2:
                found += twice(shared[k])
        cuda.syncthreads()
        x[i] = found

    x = np.arange(32, dtype=np.float32)
    kernel[1, 32](x)
    assert x.tolist() == [sum(2 * k for k in range(i) if k % 2) for i in range(32)]


@needs_compiler
def test_lto_gives_the_same():
    @cuda.jit(link=[CODE], lto=True)
    def kernel(x):
        x[0] = twice(x[0]) + half(x[0])

    x = np.array([3.0])
    kernel[1, 1](x)
    assert x[0] == 7.5


# ------------------------------------------------------------------------------------------------
# The cache


FILE_PROGRAM = """
import numpy as np
from pyarray import cuda

f = cuda.declare_device("f", "float32(float32)"{declared})

@cuda.jit({link})
def kernel(x):
    x[0] = f(x[0])

x = np.array([3.0])
kernel[1, 1](x)
print(x[0], len(kernel._variants()))
"""


@needs_compiler
@pytest.mark.parametrize("form", ["kernel", "declaration"])
def test_a_changed_file_is_compiled_again(run, tmp_path, form):
    file, header = tmp_path / "f.cu", tmp_path / "factor.h"
    header.write_text("#define FACTOR 2\n")
    text = '#include "factor.h"\nextern "C" __device__ int f(float *r, float x) {{ *r = {} * x * FACTOR; return 0; }}\n'
    file.write_text(text.format(1))
    places = {"kernel": ("", f"link=[{str(file)!r}]"), "declaration": (f", link={str(file)!r}", "")}
    program = FILE_PROGRAM.format(declared=places[form][0], link=places[form][1])
    assert run(program).startswith("6.0")
    entries = set((tmp_path / "cache").rglob("*"))
    assert run(program).startswith("6.0")
    assert set((tmp_path / "cache").rglob("*")) == entries
    file.write_text(text.format(10))
    assert run(program).startswith("60.0")
    header.write_text("#define FACTOR 3\n")
    assert run(program).startswith("90.0")


@needs_compiler
def test_include_paths(tmp_path, monkeypatch):
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "constant.h").write_text("#define CONSTANT 42\n")
    code = '#include <constant.h>\nextern "C" __device__ int constant(int *r) { *r = CONSTANT; return 0; }\n'
    constant = declare("constant", "int32()", link=cuda.CUSource(code, name="needs.cu"))

    @cuda.jit
    def kernel(out):
        out[0] = constant()

    out = np.zeros(1)
    with pytest.raises(LinkerError, match="(?s)needs.cu does not compile.*constant.h.*PYARRAY_CUDA_INCLUDE"):
        kernel[1, 1](out)
    monkeypatch.setenv("PYARRAY_CUDA_INCLUDE", f"{tmp_path}{os.pathsep}{tmp_path / 'inner'}")
    kernel[1, 1](out)
    assert out[0] == 42


# ------------------------------------------------------------------------------------------------
# Callbacks


@needs_compiler
def test_callbacks_of_modules(run):
    program = """
import gc
import numpy as np
from pyarray import cuda

code = 'extern "C" __device__ int f(float *r, float x) { *r = x + 1; return 0; }'

def tell(begin, end):
    return dict(setup_callback=lambda m: print(begin, m.handle != 0), teardown_callback=lambda m: print(end))

f = cuda.declare_device("f", "float32(float32)", link=cuda.CUSource(code, **tell("set up", "gone")))
other = cuda.CUSource("//", **tell("other", "other gone"))

def kernel(x):
    x[0] = f(x[0])

first, second = cuda.jit(kernel), cuda.jit(link=[other])(kernel)
x = np.zeros(1)
first[1, 1](x)
first[1, 1](x)
second[1, 1](x)
print(x[0])
del second
gc.collect()

@cuda.jit(link=[cuda.CUSource("//", setup_callback=lambda module: 1 // 0)])
def fails(x):
    x[0] = 9

try:
    fails[1, 1](x)
except ZeroDivisionError:
    print("no launch", x[0])
print("end")
"""
    expected = ["set up True", "other True", "set up True", "3.0", "other gone", "gone", "no launch 3.0", "end", "gone"]
    assert run(program).splitlines() == expected
    assert run(program).splitlines() == expected  # from the cache


def test_callbacks_are_functions():
    with pytest.raises(TypeError, match="setup_callback must be callable"):
        cuda.CUSource("", setup_callback=3)


# ------------------------------------------------------------------------------------------------
# Extensions and types of one's own


class Numbers:
    def __init__(self, array):
        self.array = cuda.to_device(array)


class NumbersPointer(types.Type):
    def __init__(self):
        super().__init__(name="Numbers*")


numbers_pointer = NumbersPointer()
register_model(NumbersPointer)(models.PointerModel)


@typeof_impl.register(Numbers)
def type_of_numbers(value, context):
    return numbers_pointer


class Handler:
    def __init__(self):
        self.seen = []

    def prepare_args(self, ty, val, stream, retr):
        self.seen.append((str(ty), stream))
        if isinstance(val, Numbers):
            assert ty == numbers_pointer
            retr.append(lambda: self.seen.append("after"))
            return types.uint64, val.array.__cuda_array_interface__["data"][0]
        return ty, val


@needs_compiler
def test_objects_as_pointers():
    handler = Handler()
    own = declare("sum", types.float64(numbers_pointer, types.int64))

    @cuda.jit(link=[CODE], extensions=[handler])
    def kernel(out, numbers, count):
        out[0] = own(numbers, count)

    out = np.zeros(1)
    kernel[1, 1](out, Numbers(np.arange(5.0)), 5)
    assert out[0] == 10
    assert handler.seen == [("array(float64, 1d, C)", 0), ("Numbers*", 0), ("int64", 0), "after"]
    kernel.forall(1)(out, Numbers(np.arange(4.0)), 4)
    assert out[0] == 6


def test_extensions_take_the_place_of_values():
    class Add:
        def __init__(self, n):
            self.n = n

        def prepare_args(self, ty, val, **options):
            return (types.float32, 10 * val + self.n) if isinstance(ty, types.Integer) else (ty, val)

    @cuda.jit(extensions=[Add(1), Add(2)])
    def kernel(out, n):
        out[0] = n

    out = np.zeros(1)
    kernel[1, 1](out, 3)
    assert out[0] == 32  # the last one is asked first, and leaves no integer
    assert [str(kind) for kind in kernel.signatures[0]] == ["array(float64, 1d, C)", "float32"]


def test_what_is_no_extension():
    with pytest.raises(TypeError, match="prepare_args"):
        cuda.jit(extensions=[3])(lambda x: None)


def test_pointers_as_arguments():
    import ctypes

    @cuda.jit
    def kernel(out, p, n):
        for i in range(n):
            out[0] += p[i]

    x, out = cuda.to_device(np.arange(4.0)), np.zeros(1)
    pointer = ctypes.cast(x.__cuda_array_interface__["data"][0], ctypes.POINTER(ctypes.c_double))
    kernel[1, 1](out, pointer, 4)
    assert out[0] == 6
    declared = cuda.jit("void(float64[::1], CPointer(float64), int64)")(kernel.py_func)
    declared[1, 1](out, pointer, 3)
    assert out[0] == 9


# ------------------------------------------------------------------------------------------------
# Errors


def launch(kernel, *arguments, **options):
    cuda.jit(**options)(kernel)[1, 1](*arguments)


@needs_compiler
def test_a_missing_function():
    missing = declare("missing", "int32(int32)")

    def kernel(x):
        x[0] = missing(3)

    x = np.zeros(1)
    with pytest.raises(LinkerError, match=r"missing"):
        launch(kernel, x, link=[CODE])
    assert one(lambda out: None) == 0


@needs_compiler
def test_a_source_that_does_not_compile():
    code = cuda.CUSource(
        '// one\nextern "C" __device__ int f(int *r) { *r = unknown; return 0; }\n', name="folder/mine.cu"
    )
    f = declare("f", "int32()", link=code)

    def kernel(x):
        x[0] = f()

    with pytest.raises(LinkerError, match=r"(?s)folder/mine.cu does not compile:.*mine.cu[:(]2.*unknown"):
        launch(kernel, np.zeros(1))


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(LinkerError, match=r"nowhere.cu: No such file"):
        launch(lambda x: None, np.zeros(1), link=[tmp_path / "nowhere.cu"])


@pytest.mark.skipif(on_gpu, reason="the GPU runs it")
def test_code_for_gpus_on_the_cpu():
    f = declare("f", "int32()", link=cuda.PTXSource("//", name="f.ptx"))

    def kernel(x):
        x[0] = f()

    with pytest.raises(LinkerError, match=r"f.ptx: the CPU, .*, cannot run code for GPUs; link the source"):
        launch(kernel, np.zeros(1))


@pytest.mark.skipif(on_gpu, reason="clang is for the CPU")
def test_without_clang(run):
    program = """
import numpy as np
from pyarray import cuda
@cuda.jit(link=[cuda.CUSource("//", name="x.cu")])
def kernel(x):
    x[0] = 1
try:
    kernel[1, 1](np.zeros(1))
except Exception as error:
    print(type(error).__name__, error)
"""
    said = run(program, PYARRAY_CLANG="/no/clang")
    assert said.startswith("LinkerError x.cu: ") and "PYARRAY_CLANG" in said


def refused(function, *values):
    def kernel(out, a, b):
        function(a, b)

    with pytest.raises(TypingError) as caught:
        launch(kernel, np.zeros(1), *values)
    return str(caught.value)


def test_arguments_that_do_not_fit():
    assert "argument 1 of the declared function sum() has type array(float32, 1d, C); expected float64*" in refused(
        total, np.zeros(3, np.float32), 3
    )
    assert "ffi.from_buffer" in refused(total, cuda.to_device(np.zeros(6))[::2], 3)
    assert "float64" in refused(total, 1.5, 3)
    assert "takes 1 argument, but 2 were given" in refused(half, 1.5, 3)
    assert "argument 2" in refused(total, np.zeros(3), np.zeros(3))


def test_declarations_that_differ():
    other = declare("half", "float32(float32)", abi="c")

    def kernel(x):
        x[0] = half(1.0) + other(1.0)

    with pytest.raises(TypingError, match=r"half\(\) is declared with two signatures"):
        launch(kernel, np.zeros(1), link=[CODE])


def test_what_cannot_be_declared():
    for signature in (types.int32, (types.int32,), ["int32(int32)"]):
        with pytest.raises(TypeError):
            cuda.declare_device("f", signature)
    with pytest.raises(TypeError, match="Return type must be provided"):
        cuda.declare_device("f", "(int32)")
    with pytest.raises(TypeError, match=r"f\(\): values of type complex64"):
        cuda.declare_device("f", "int32(complex64)")
    with pytest.raises(TypeError, match="values of type complex64"):
        cuda.declare_device("f", "complex64(int32)", abi="c")
    with pytest.raises(TypeError, match="unicode_type"):
        cuda.declare_device("f", "int32(unicode_type)")
    with pytest.raises(NotImplementedError, match="Unsupported ABI: fortran"):
        cuda.declare_device("f", "int32()", abi="fortran")
    for name in ("", 'a"b', "a b", 3):
        with pytest.raises(TypeError, match="name of a symbol"):
            cuda.declare_device(name, "int32()")


def test_what_cannot_be_linked():
    with pytest.raises(TypeError, match="link is a list"):
        cuda.jit(link="f.cu")(lambda x: None)
    with pytest.raises(TypeError, match="link has files"):
        cuda.jit(link=[3])(lambda x: None)
    with pytest.raises(ValueError, match="f.txt: code to link with has one of the suffixes .cu"):
        cuda.jit(link=["f.txt"])(lambda x: None)
    with pytest.raises(ValueError, match="not for PTXSource"):
        cuda.PTXSource("", debug=True)
    with pytest.raises(TypeError, match="code is str or bytes"):
        launch(lambda x: None, np.zeros(1), link=[cuda.CUSource(3)])


def test_outside_of_kernels():
    from pyarray import njit

    with pytest.raises(NotImplementedError, match="kernels alone can call it"):
        half(2.0)

    @njit
    def f(x):
        return half(x)

    with pytest.raises(TypingError, match=r"half\(\) is not for functions for the CPU"):
        f(1.0)
    assert repr(half) == "<declared function half: (float64,) -> float64>"


def test_classes_by_suffix(tmp_path):
    kinds = "CUSource PTXSource Cubin Fatbin Object Archive LTOIR".split()
    for kind, suffix in zip(kinds, "cu ptx cubin fatbin o a ltoir".split(), strict=True):
        (tmp_path / f"f.{suffix}").write_bytes(b"code")
        code = cuda.LinkableCode.from_path(tmp_path / f"f.{suffix}")
        assert isinstance(code, getattr(cuda, kind)) and code.data == b"code" and code.name.endswith(f"f.{suffix}")
        assert cuda.LinkableCode.from_path_or_obj(code) is code
        assert getattr(cuda, kind)(b"").name.startswith("<unnamed-")


def test_ptx_of_a_kernel_of_the_same_name():
    def kernel(x):
        x[0] = half(x[0])

    with pytest.raises(LinkerError, match="abi_name is 'half', which is the name of a function that the code calls"):
        cuda.compile_ptx(kernel, "void(float64[::1])", cc=(9, 0), abi_info={"abi_name": "half"})
    kernel.__name__ = kernel.__qualname__ = "half"
    ptx, _ = cuda.compile_ptx(kernel, "void(float64[::1])", cc=(9, 0))
    assert ".visible .entry half_(" in ptx and "half\n" in ptx


def test_ptx_declares_it():
    def kernel(x):
        x[0] = twice(x[0]) + half(x[0]) + narrow(True, 2, 3)

    ptx = cuda.jit(link=[cuda.PTXSource("// this is linked", name="it.ptx")])(kernel).inspect_ptx(
        "void(float64[::1])", cc=(9, 0)
    )
    for line in (
        ".extern .func  (.param .b32 func_retval0) twice",
        ".extern .func  (.param .b64 func_retval0) half",
        ".extern .func  (.param .b32 func_retval0) narrow",
    ):
        assert line in ptx
    assert ptx.endswith("// Linked: it.ptx\n// this is linked")
    alone, _ = cuda.compile_ptx(kernel, "void(float64[::1])", cc=(9, 0))
    assert "linked" not in alone


@pytest.mark.skipif(_sources.clang() is None, reason="clang is not installed")
@pytest.mark.parametrize("toolkit", [True, False])
def test_lto_leaves_no_call(monkeypatch, toolkit):
    if not toolkit:  # clang's own definitions in place of CUDA's headers
        monkeypatch.setattr(_sources, "toolkits", list)
        monkeypatch.setattr(_sources, "toolkit_headers", list)

    def kernel(x):
        x[0] = twice(x[0]) + half(x[0]) + fails(3)

    for options in ({}, {"fastmath": True}, {"lineinfo": True}):
        ptx, _ = cuda.compile_ptx(kernel, "void(float64[::1])", cc=(9, 0), link=[CODE], lto=True, **options)
        assert ".extern" not in ptx and "twice" not in ptx and "half" not in ptx
    ptx, _ = cuda.compile_ptx(kernel, "void(float64[::1])", cc=(9, 0), link=[CODE], lto=True, debug=True)
    assert ".extern" not in ptx
