"""What is no name, no code, no option and no extension is refused, by its name, before anything is compiled."""

import copy
import os
import pickle

import numpy as np
import pytest
from pyarray import cuda, types
from pyarray.cuda import _sources
from pyarray.errors import LinkerError, TypingError

pytestmark = pytest.mark.real

needs_clang = pytest.mark.skipif(_sources.clang() is None, reason="clang is not installed")
on_cpu = pytest.mark.skipif(os.environ.get("PYARRAY_CUDA") == "gpu", reason="clang is for the CPU")


def launch(**options):
    cuda.jit(**options)(lambda x: None)[1, 1](np.zeros(1))


# ------------------------------------------------------------------------------------------------
# Options


@pytest.mark.parametrize("name", ["lto", "debug", "device", "opt", "lineinfo", "fma", "cache", "boundscheck"])
@pytest.mark.parametrize("value", ["no", [], 1.5])
def test_what_is_neither_on_nor_off(name, value):
    with pytest.raises(TypeError, match=f"^{name} is True or False, not "):
        cuda.jit(**{name: value})


@pytest.mark.parametrize("value", [True, 1, np.True_])
def test_what_is_on(value):
    assert cuda.jit(lto=value)(lambda x: None).options["lto"] is True


@pytest.mark.parametrize("link", [3, "f.cu", b"f.cu", {"f.cu": 1}, {}, object, cuda.CUSource("")])
def test_what_is_no_list_of_code(link):
    with pytest.raises(TypeError, match="^link is a list of files and of what cuda.CUSource and the like make, not"):
        cuda.jit(link=link)


@pytest.mark.parametrize("part", [3, None, b"f.cu", ["f.cu"], object()])
def test_what_is_no_code_in_a_list(part):
    for make in (lambda: cuda.jit(link=[part]), lambda: cuda.declare_device("f", "int32()", link=[part])):
        with pytest.raises(TypeError, match="^link has files and what cuda.CUSource and the like make, not"):
            make()


def test_code_of_no_kind():
    with pytest.raises(TypeError, match="which is of no kind of code: make it by cuda.CUSource or the like"):
        cuda.jit(link=[cuda.LinkableCode("")])


@pytest.mark.parametrize("name", ["f", "f.txt", "f.CU", ""])
def test_files_of_unknown_kinds(name):
    with pytest.raises(ValueError, match="code to link with has one of the suffixes .cu"):
        cuda.jit(link=[name])
    with pytest.raises(ValueError, match="code to link with has one of the suffixes .cu"):
        cuda.declare_device("f", "int32()", link=name)


def test_a_name_that_no_file_has():
    with pytest.raises(ValueError, match="there is a NUL in it"):
        cuda.jit(link=["a\0.cu"])


@pytest.mark.parametrize("make", ["missing", "directory", "pipe", "device", "empty.ptx"])
def test_files_that_cannot_be_read(tmp_path, make):
    path = tmp_path / ("empty.ptx" if make == "empty.ptx" else "f.cu")
    if make == "directory":
        path.mkdir()
    elif make == "pipe":
        os.mkfifo(path)
    elif make == "device":
        path.symlink_to("/dev/zero")
    elif make == "empty.ptx":
        path.write_bytes(b"")
    reason = {"missing": "No such file", "directory": "Is a directory", "empty.ptx": "is empty"}
    with pytest.raises(LinkerError, match=f"{path.name}:? {reason.get(make, 'Not a regular file')}"):
        launch(link=[path])


@needs_clang
@on_cpu
@pytest.mark.parametrize("name", [b"\xff.cu", b"a\nb.cu", b'a"b\\.cu'])
def test_files_whose_names_are_no_text(tmp_path, name):
    path = os.path.join(os.fsencode(tmp_path), name)
    with open(path, "wb") as file:
        file.write(b'extern "C" __device__ int f(int n) { return n + 1; }')
    f = cuda.declare_device("f", "int32(int32)", abi="c", link=os.fsdecode(path))

    @cuda.jit
    def kernel(out, n):
        out[0] = f(n)

    out = np.zeros(1)
    kernel[1, 1](out, 3)
    assert out[0] == 4
    with open(path, "wb") as file:
        file.write(b"wrong")
    with pytest.raises(LinkerError, match="cu does not compile"):
        kernel[1, 1](out, 3.0)


@needs_clang
@on_cpu
@pytest.mark.parametrize(
    "text, message",
    [
        ("#!/bin/sh\nexit 0\n", "makes no bitcode: it is no clang"),
        ("#!/bin/sh\necho oh no >&2\nexit 3\n", "does not compile:\noh no"),
        ("no program", "cannot be run: Exec format error"),
        ('#!/bin/sh\nfor last; do :; done\necho wrong > "$last"\n', "cannot read its bitcode"),
    ],
)
def test_compilers_that_are_none(tmp_path, monkeypatch, text, message):
    path = tmp_path / "clang"
    path.write_text(text)
    path.chmod(0o755)
    monkeypatch.setattr(_sources, "clang", lambda: str(path))
    with pytest.raises(LinkerError, match="f.cu") as caught:
        launch(link=[cuda.CUSource("//", name="f.cu")])
    assert message in str(caught.value)


# ------------------------------------------------------------------------------------------------
# Code in memory


@pytest.mark.parametrize("data", [3, None, ["//"], object(), np.zeros(3)])
def test_data_that_is_no_code(data):
    with pytest.raises(TypeError, match="^CUSource: code is str or bytes, or an io.StringIO or io.BytesIO of it, not"):
        cuda.CUSource(data)


def test_text_that_compilers_do_not_read():
    with pytest.raises(LinkerError, match="bad.cu: the code is no text at character 3: surrogates not allowed"):
        launch(link=[cuda.CUSource("// \ud800", name="bad.cu")])
    for kind in (cuda.CUSource, cuda.PTXSource):
        with pytest.raises(LinkerError, match="bad: the code has a NUL at byte 2"):
            launch(link=[kind("//\0//", name="bad")])
    with pytest.raises(LinkerError, match="<unnamed-cubin> is empty"):
        launch(link=[cuda.Cubin(b"")])


@pytest.mark.parametrize("name", ["a\0b", "a\nb", "\ud800"])
def test_names_that_are_not_printed(name):
    with pytest.raises(ValueError, match="^CUSource: the name .* has characters that are not printed"):
        cuda.CUSource("", name=name)


def test_other_arguments_of_code():
    with pytest.raises(TypeError, match="^CUSource: name is a str, not 3"):
        cuda.CUSource("", name=3)
    with pytest.raises(TypeError, match="^opt is True or False, not 'x'"):
        cuda.CUSource("", opt="x")
    with pytest.raises(TypeError, match="^teardown_callback must be callable, not 'x'"):
        cuda.CUSource("", teardown_callback="x")


@needs_clang
@on_cpu
def test_text_with_a_mark_in_front():
    launch(link=[cuda.CUSource(b"\xef\xbb\xbfint x;")])


@needs_clang
@on_cpu
def test_declarations_are_pickled():
    code = cuda.CUSource('extern "C" __device__ int f(int n) { return n * 2; }')
    first = cuda.declare_device("f", "int32(int32)", abi="c", link=code)
    second, third = pickle.loads(pickle.dumps(first)), copy.deepcopy(first)

    @cuda.jit
    def kernel(out):
        out[0] = first(1) + second(2) + third(3)

    out = np.zeros(1)
    kernel[1, 1](out)
    assert out[0] == 12


# ------------------------------------------------------------------------------------------------
# compile


def store(x):
    x[0] = 1


def compiled(**options):
    return cuda.compile_ptx(store, "void(float64[::1])", **options)[0]


@pytest.mark.parametrize("name", ["a-b", "a.b", "1a", " ", "\u00e9", "a\0", "a\n", "a b"])
def test_names_that_no_symbol_has(name):
    with pytest.raises(ValueError, match="^abi_name is the name of a symbol: "):
        compiled(abi_info={"abi_name": name})
    with pytest.raises(TypeError, match="^the name of a declared function is the name of a symbol, not "):
        cuda.declare_device(name, "int32()")


@pytest.mark.parametrize("name", ["_", "f_$1", "x" * 2000, "sin"])
def test_names_are_not_changed(name):
    assert f".visible .entry {name}(" in compiled(abi_info={"abi_name": name})


def test_what_abi_info_has():
    with pytest.raises(TypeError, match="^abi_name is a str, not 3"):
        compiled(abi_info={"abi_name": 3})
    with pytest.raises(TypeError, match="^abi_info is a dict such as"):
        compiled(abi_info="x")
    with pytest.raises(ValueError, match="^abi_info has the key 'name'; 'abi_name' is the only one"):
        compiled(abi_info={"name": "x"})
    with pytest.raises(ValueError, match="names that begin with pyarray_ and __nv_ are the compiler's own"):
        compiled(abi_info={"abi_name": "pyarray_error"})
    for info in (None, {}, {"abi_name": None}, {"abi_name": ""}):
        assert ".visible .entry store(" in compiled(abi_info=info)


@pytest.mark.parametrize("cc", [3, True, (9,), (9.5, 0), ("9", 0), "sm_90\0", b"sm_90"])
def test_what_is_no_compute_capability(cc):
    with pytest.raises(TypeError, match="^cc is a compute capability such as"):
        compiled(cc=cc)


def test_declarations_are_cooperative_or_not():
    with pytest.raises(TypeError, match="^use_cooperative is True or False, not 'x'"):
        cuda.declare_device("f", "int32()", use_cooperative="x")


# ------------------------------------------------------------------------------------------------
# Extensions


class Give:
    def __init__(self, give):
        self.give = give

    def prepare_args(self, ty, val, stream, retr):
        return self.give(ty, val, retr) if isinstance(val, int) else (ty, val)

    def __repr__(self):
        return "Give()"


def given(give):
    """What a kernel gets in place of 3."""

    @cuda.jit(extensions=[Give(give)])
    def kernel(out, n):
        out[0] = n

    out = np.zeros(1)
    kernel[1, 1](out, 3)
    return out[0]


@pytest.mark.parametrize("extensions", [3, "x", {}, Give(None)])
def test_what_is_no_list_of_extensions(extensions):
    with pytest.raises(TypeError, match="^extensions is a list of objects with prepare_args"):
        cuda.jit(extensions=extensions)


@pytest.mark.parametrize("answer", [None, (), (types.int32,), (types.int32, 3, 4), (int, 3), ("int32", 3), "ab", 3])
def test_answers_that_are_no_type_and_value(answer):
    with pytest.raises(TypeError, match=r"of the extension Give\(\) gives \(type, value\).*; for argument 2 it gave"):
        given(lambda ty, val, retr: answer)


@pytest.mark.parametrize(
    "kind, value",
    [
        (types.int8, 1000),
        (types.uint8, -1),
        (types.int32, 1.5),
        (types.float64, 1j),
        (types.float32, 10**400),
        (types.float64[:], 3),
    ],
)
def test_numbers_that_the_type_has_not(kind, value):
    with pytest.raises((TypeError, OverflowError), match="^extensions give .* for argument 2, which is no "):
        given(lambda ty, val, retr: (kind, value))


@pytest.mark.parametrize(
    "kind, value, expected",
    [(types.int8, 7, 7), (types.float32, 2, 2), (types.float16, 1.5, 1.5), (types.boolean, 5, 1)],
)
def test_numbers_that_the_type_has(kind, value, expected):
    assert given(lambda ty, val, retr: [kind, value]) == expected


def test_what_is_called_afterwards():
    def give(ty, val, retr):
        retr.append(3)
        return ty, val

    with pytest.raises(TypeError, match="appended 3 to retr, which cannot be called"):
        given(give)


# ------------------------------------------------------------------------------------------------
# Calls


total = cuda.declare_device("total", "float64(CPointer(float64), int32)", abi="c")


def refused(call):
    with pytest.raises(TypingError) as caught:
        cuda.jit(call)[1, 1](np.zeros(3))
    return str(caught.value)


def test_calls_that_do_not_fit():
    for call, message in (
        (lambda x: total(x), "the declared function total() takes 2 arguments, but 1 was given"),
        (lambda x: total(x, n=1), "the declared function total() takes no arguments by name"),
        (lambda x: total(x[0], 1), "argument 1 of the declared function total() has type float64; expected float64*"),
        (lambda x: total(x, 1j), "argument 2 of total(): cannot convert complex128 to int32"),
        (lambda x: total(x, x), "argument 2 of total(): cannot convert array(float64, 1d, C) to int32"),
    ):
        said = refused(call)
        assert message in said and "test_cuda_link_arguments.py" in said and "lambda x: total(x" in said


@needs_clang
@on_cpu
@pytest.mark.parametrize(
    "array", [np.array(3.0), np.array(3.0 + 4j), np.full((2, 2), 3.0 + 4j), np.full((1, 1, 1), 3.0)]
)
def test_arrays_of_any_rank_and_type_as_pointers(array):
    kind = "complex128" if array.dtype == complex else "float64"
    code = cuda.CUSource('extern "C" __device__ double first(const double *x) { return x[0]; }')
    first = cuda.declare_device("first", f"float64(CPointer({kind}))", abi="c", link=code)

    @cuda.jit
    def kernel(out, x):
        out[0] = first(x)

    out = np.zeros(1)
    kernel[1, 1](out, array)
    assert out[0] == 3


@needs_clang
@on_cpu
def test_many_arguments():
    count = 300
    parameters = ", ".join(f"int a{i}" for i in range(count))
    code = cuda.CUSource(f'extern "C" __device__ int last({parameters}) {{ return a{count - 1} - a0; }}')
    last = cuda.declare_device("last", f"int32({', '.join(['int32'] * count)})", abi="c", link=code)
    hundred = tuple(range(100))

    @cuda.jit
    def kernel(out):
        out[0] = last(*hundred, *hundred, *hundred)

    out = np.zeros(1)
    kernel[1, 1](out)
    assert out[0] == 99
