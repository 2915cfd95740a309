"""Linked code and modules: what the cache keeps, callbacks, variables, threads."""

import gc
import linecache
import os
import sys
import threading

import numpy as np
import pytest
from pyarray import cuda
from pyarray.cuda import _sources
from pyarray.errors import LinkerError

pytestmark = [
    pytest.mark.real,
    pytest.mark.skipif(os.environ.get("PYARRAY_CUDA") == "gpu", reason="clang is for the CPU"),
    pytest.mark.skipif(_sources.clang() is None, reason="clang is not installed"),
]

HEAD = 'extern "C" __device__ '


def launch(**options):
    @cuda.jit(**options)
    def kernel(x):
        x[0] = 1

    kernel[1, 1](np.zeros(1))
    return kernel


# ------------------------------------------------------------------------------------------------
# The cache


PROGRAM = """
import numpy as np
from pyarray import cuda

f = cuda.declare_device("f", "int32(int32)", abi="c", link={link!r})

@cuda.jit
def kernel(out):
    out[0] = f(0)

out = np.zeros(1)
kernel[1, 1](out)
print(int(out[0]))
"""


INCLUDES = [
    '#include "factor.h"',
    '#define FILE "factor.h"\n#include FILE',
    '#include \\\n"factor.h"',
    '/* a comment */ #include "factor.h"',
    'static const char *a = "/*";\n#include "factor.h"\nstatic const char *b = "*/";',
    '%:include "factor.h"',
    '#if __has_include("factor.h")\n#include "factor.h"\n#endif',
    '#include "outer.h"',
]


def test_changed_files_are_compiled_again(run, tmp_path):
    """Whatever text includes what has changed: a kernel for each, which links a file of its own."""
    (tmp_path / "outer.h").write_text('#include "factor.h"\n')
    program = ""
    for i, include in enumerate(INCLUDES):
        file = tmp_path / f"{i}.cu"
        file.write_text(f"{include}\n{HEAD}int f(int n) {{ return n + FACTOR; }}\n")
        program += PROGRAM.format(link=[str(file)])
    for factor in (2, 3):
        (tmp_path / "factor.h").write_text(f"#define FACTOR {factor}\n")
        assert run(program).split() == [str(factor)] * len(INCLUDES)


def test_a_file_that_comes_before(run, tmp_path):
    for folder in ("first", "second"):
        (tmp_path / folder).mkdir()
    (tmp_path / "second" / "factor.h").write_text("#define FACTOR 2\n")
    (tmp_path / "f.cu").write_text(f"#include <factor.h>\n{HEAD}int f(int n) {{ return n + FACTOR; }}\n")
    program = PROGRAM.format(link=[str(tmp_path / "f.cu")])
    path = f"{tmp_path / 'first'}{os.pathsep}{tmp_path / 'second'}"
    assert run(program, PYARRAY_CUDA_INCLUDE=path).split() == ["2"]
    (tmp_path / "first" / "factor.h").write_text("#define FACTOR 3\n")
    assert run(program, PYARRAY_CUDA_INCLUDE=path).split() == ["3"]


def test_the_same_text_in_two_folders(tmp_path):
    for folder, number in (("a", 1), ("b", 2)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "own.h").write_text(f"#define NAME f{number}\n#define NUMBER {number}\n")
        (tmp_path / folder / "f.cu").write_text(f'#include "own.h"\n{HEAD}int NAME(int n) {{ return n + NUMBER; }}\n')
    first, second = (cuda.declare_device(name, "int32(int32)", abi="c") for name in ("f1", "f2"))

    @cuda.jit(link=[tmp_path / "a" / "f.cu", tmp_path / "b" / "f.cu"])
    def kernel(out):
        out[0] = first(0) * 10 + second(0)

    out = np.zeros(1)
    kernel[1, 1](out)
    assert out[0] == 12


def test_declarations_of_one_name_with_different_files():
    links = [cuda.CUSource(f"{HEAD}int f(int n) {{ return n + {i}; }}", name=f"{i}.cu") for i in (1, 2)]
    first, second = (cuda.declare_device("f", "int32(int32)", abi="c", link=link) for link in links)

    @cuda.jit
    def both(out):
        out[0] = first(0) + second(0)

    @cuda.jit
    def one(out):
        out[0] = second(0)

    with pytest.raises(LinkerError, match=r"f is defined in 1.cu and in 2.cu"):
        both[1, 1](np.zeros(1))
    out = np.zeros(1)
    one[1, 1](out)
    assert out[0] == 2


def test_the_order_of_files_says_nothing():
    texts = [
        f"{HEAD}int g{1 - i}(int); {HEAD}int f{i}(int n) {{ return g{1 - i}(n) + {i + 1}; }} "
        f"{HEAD}int g{i}(int n) {{ return n * 10; }}"
        for i in (0, 1)
    ]
    link = [cuda.CUSource(text) for text in texts]
    f = cuda.declare_device("f1", "int32(int32)", abi="c")
    for order in (link, link[::-1]):

        @cuda.jit(link=order)
        def kernel(out, n):
            out[0] = f(n)

        out = np.zeros(1)
        kernel[1, 1](out, 3)
        assert out[0] == 32


def test_many_device_functions_with_links(monkeypatch):
    compile_source, nothing = _sources.host_bitcode, []

    def compile_once(source, content, options):
        if not content.startswith(b"//"):
            return compile_source(source, content, options)
        nothing[:] = nothing or [compile_source(source, content, options)]
        return nothing[0]

    monkeypatch.setattr(_sources, "host_bitcode", compile_once)
    f = cuda.declare_device("f", "int32(int32)", abi="c")
    text = "from pyarray import cuda\n" + "".join(
        f"@cuda.jit(device=True, link=[cuda.CUSource('// {i}')])\ndef g{i}(n): return g{i - 1}(n) + 1\n"
        for i in range(1, 301)
    )
    code = cuda.CUSource(f"{HEAD}int f(int n) {{ return n + 1; }}")
    names = {"g0": cuda.jit(device=True, link=[code])(lambda n: f(n))}
    linecache.cache["<many>"] = (len(text), None, text.splitlines(True), "<many>")
    exec(compile(text, "<many>", "exec"), names)
    last = names["g300"]

    @cuda.jit
    def kernel(out):
        out[0] = last(0)

    out = np.zeros(1)
    kernel[1, 1](out)
    assert out[0] == 301


# ------------------------------------------------------------------------------------------------
# Callbacks


def code(text="//", **callbacks):
    return cuda.CUSource(text, **callbacks)


def test_parts_that_were_set_up_are_told_of_a_failure():
    log = []

    def fail(module):
        log.append("fails")
        raise KeyError("x")

    first = code("// 1", setup_callback=lambda m: log.append("up"), teardown_callback=lambda m: log.append("down"))
    second = code("// 2", setup_callback=fail, teardown_callback=lambda m: log.append("never"))
    with pytest.raises(KeyError):
        launch(link=[first, second])
    assert log == ["up", "fails", "down"]


def test_all_are_told_of_the_end(monkeypatch):
    log, reported = [], []
    monkeypatch.setattr(sys, "unraisablehook", lambda what: reported.append(what.exc_value))

    def fail(module):
        raise ValueError("at the end")

    kernel = launch(
        link=[code("// 1", teardown_callback=fail), code("// 2", teardown_callback=lambda m: log.append("told"))]
    )
    del kernel
    gc.collect()
    assert log == ["told"] and [str(error) for error in reported] == ["at the end"]


def test_callbacks_that_launch():
    out = np.zeros(1)

    @cuda.jit
    def other(x):
        x[0] += 5

    launch(link=[code(setup_callback=lambda module: other[1, 1](out))])
    assert out[0] == 5

    @cuda.jit(link=[code(setup_callback=lambda module: itself[1, 1](out))])
    def itself(x):
        x[0] += 1

    with pytest.raises(ValueError, match="itself is launched by a callback of code that it is linked with"):
        itself[1, 1](out)
    assert out[0] == 5


class Variable:
    def __init__(self, address):
        self.__cuda_array_interface__ = {"data": (address, False), "shape": (3,), "typestr": "<i4", "version": 3}


def test_variables_are_set_by_callbacks():
    text = f"__device__ int table[3] = {{1, 2, 3}}; static int own = 4; {HEAD}int f(int i) {{ return table[i] + own; }}"
    found = []

    def set_up(module):
        address, size = module.get_global_symbol("table")
        found.append(size)
        cuda.as_cuda_array(Variable(address)).copy_to_device(np.array([10, 20, 30], np.int32))

    def look(module):
        for name in ("own", "missing"):
            with pytest.raises(cuda.cudadrv.driver.CudaAPIError, match=f"looking for the variable {name} of a module"):
                module.get_global_symbol(name)
        for name in (3, None, "", "a b", "\ud800"):
            with pytest.raises(TypeError, match="the name of a variable is the name of a symbol"):
                module.get_global_symbol(name)

    f = cuda.declare_device("f", "int32(int32)", abi="c")
    for setup, expected in ((None, 6), (set_up, 24), (look, 6)):

        @cuda.jit(link=[code(text, setup_callback=setup)])
        def kernel(out, i):
            out[0] = f(i)

        out = np.zeros(1)
        kernel[1, 1](out, 1)
        assert out[0] == expected
    assert found == [12]


# ------------------------------------------------------------------------------------------------
# Threads


def in_threads(work, count):
    failures = []

    def guarded(i):
        try:
            work(i)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=guarded, args=(i,)) for i in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


def test_threads_compile_at_once():
    def work(i):
        link = code(f"{HEAD}int f(int n) {{ return n ? f(n - 1) + {i} : 0; }}")
        f = cuda.declare_device("f", "int32(int32)", abi="c", link=link)

        @cuda.jit
        def kernel(out, n):
            out[0] = f(n)

        out = np.zeros(1)
        kernel[1, 1](out, 5)
        assert out[0] == 5 * i

    in_threads(work, 8)


def test_threads_set_up_once():
    log = []

    @cuda.jit(link=[code(setup_callback=log.append)])
    def kernel(x):
        x[0] += 1

    in_threads(lambda i: kernel[1, 1](np.zeros(1)), 8)
    assert len(log) == 1


def test_overflows_in_threads_with_small_stacks():
    f = cuda.declare_device(
        "f", "int32(int32)", abi="c", link=code(f"{HEAD}int f(int n) {{ return n < 0 ? n : f(n) + 1; }}")
    )

    def work(i):
        @cuda.jit(debug=True)
        def kernel(out, n):
            out[0] = f(n)

        out = np.zeros(1)
        with pytest.raises(RecursionError):
            kernel[1, 1](out, 1)
        kernel[1, 1](out, -3)
        assert out[0] == -3

    before = threading.stack_size(256 * 1024)
    try:
        in_threads(work, 4)
    finally:
        threading.stack_size(before)
