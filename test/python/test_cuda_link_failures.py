"""Linked code on the CPU that would end the process, and files that do not fit together, are errors."""

import functools
import os
import threading

import numpy as np
import pytest
from pyarray import cuda, vectorize
from pyarray.cuda import _sources
from pyarray.errors import LinkerError

pytestmark = [
    pytest.mark.real,
    pytest.mark.skipif(os.environ.get("PYARRAY_CUDA") == "gpu", reason="a GPU has its own ways to fail"),
    pytest.mark.skipif(_sources.clang() is None, reason="clang is not installed"),
]

HEAD = '#include <assert.h>\n#include <stdlib.h>\n#define DEVICE extern "C" __device__\n'


def source(code, name="mine.cu"):
    return cuda.CUSource(HEAD + code, name=name)


@functools.cache
def kernel_of(code, count, signature, abi, name, options):
    """A kernel that stores what ``f`` gives for some numbers."""
    link = [source(part, f"{'ab'[i]}.cu") for i, part in enumerate(code if isinstance(code, tuple) else (code,))]
    f = cuda.declare_device(name, signature, abi=abi, link=link)
    if count == 1:

        @cuda.jit(**dict(options))
        def kernel(out, a):
            out[0] = f(a)

    else:

        @cuda.jit(**dict(options))
        def kernel(out, a, b):
            out[0] = f(a, b)

    return kernel


def call(code, *arguments, signature="int32(int32)", abi="c", grid=(1, 1), name="f", **options):
    """What ``f`` gives for numbers in a kernel."""
    out = np.zeros(1)
    kernel_of(code, len(arguments), signature, abi, name, tuple(options.items()))[grid](out, *arguments)
    cuda.synchronize()
    return out[0]


# ------------------------------------------------------------------------------------------------
# The stack


@pytest.mark.parametrize(
    "code",
    [
        "DEVICE int f(int n) { return f(n + 1) + 1; }",
        "DEVICE int f(int n) { return f(n + 1); }",
        "DEVICE int g(int n); DEVICE int f(int n) { return g(n) + 1; } DEVICE int g(int n) { return f(n) + 2; }",
        "static int g(int n) { return n + (n ? g(n * 3 + 1) : 0) * 2; } DEVICE int f(int n) { return g(n); }",
        "DEVICE int f(int n) { int (*volatile again)(int) = f; return again(n) + 1; }",
        "static int compare(const void *a, const void *b) { return compare(b, a) + *(int *)a; }"
        "DEVICE int f(int n) { int a[3] = {n, 1, 2}; qsort(a, 3, 4, compare); return a[0]; }",
        "struct A { virtual int at(int n) { return n; } };"
        "struct B : A { int at(int n) override { return at(n) + 1; } };"
        "DEVICE int f(int n) { B b; A *a = n ? &b : nullptr; return a->at(n); }",
    ],
)
def test_recursion_without_end(code):
    with pytest.raises(RecursionError, match=r"stack overflow in the linked function f\(\)") as caught:
        call(code, 1)
    assert caught.value.__notes__ == ["in thread (0, 0, 0) of block (0, 0, 0)"]


def test_recursion_with_an_end():
    code = "DEVICE int f(int n) { return n ? f(n - 1) * 3 % 7 + 1 : 0; }"
    expected = 0
    for _ in range(3000):
        expected = expected * 3 % 7 + 1
    assert call(code, 3000) == expected


def test_recursion_in_all_threads_of_many_blocks():
    code = "DEVICE int f(int n) { return n < 0 ? n : f(n + 1) + 1; }"
    for _ in range(3):
        with pytest.raises(RecursionError):
            call(code, 1, grid=(64, 8))
        assert call(code, -5, grid=(64, 8)) == -5


def test_recursion_where_blocks_wait():
    f = cuda.declare_device(
        "f", "int32(int32)", abi="c", link=source("DEVICE int f(int n) { return n == 1 ? f(n) + 1 : n; }")
    )

    @cuda.jit
    def kernel(out, n):
        grid = cuda.cg.this_grid()
        out[cuda.grid(1)] = f(n)
        grid.sync()
        out[cuda.grid(1)] += f(2)

    out = np.zeros(8, np.int32)
    kernel[4, 2](out, 3)
    assert out.tolist() == [5] * 8
    with pytest.raises(RecursionError):
        kernel[4, 2](out, 1)
        cuda.synchronize()


def test_recursion_in_a_ufunc():
    code = source("DEVICE double f(double x) { return x < 0 ? x : f(x + 1) * 2; }")
    f = cuda.declare_device("f", "float64(float64)", abi="c", link=code)

    @vectorize(["float64(float64)"], target="cuda")
    def g(x):
        return f(x) + 1

    assert g(-np.ones(3)).tolist() == [0, 0, 0]
    with pytest.raises(RecursionError):
        g(np.ones(3))


@pytest.mark.parametrize("bytes_", [10_000, 10_000_000, 10_000_000_000])
def test_large_variables(bytes_):
    stores = f"a[n] = 3; a[{bytes_} - 1] = 4; return a[n] + a[{bytes_} - 1];"
    code = f"DEVICE int f(int n) {{ volatile char a[{bytes_}]; {stores} }}"
    if bytes_ < 100_000:
        assert call(code, 5) == 7
    else:
        with pytest.raises(RecursionError):
            call(code, 5)


def test_many_variables():
    lines = "".join(f"volatile int v{i}[600]; v{i}[n] = {i}; s += v{i}[n];" for i in range(300))
    failures = []

    def overflow():
        try:
            call(f"DEVICE int f(int n) {{ int s = 0; {lines} return s; }}", 5)
        except BaseException as error:
            failures.append(type(error))

    before = threading.stack_size(512 * 1024)
    try:
        thread = threading.Thread(target=overflow)
        thread.start()
        thread.join()
    finally:
        threading.stack_size(before)
    assert failures == [RecursionError]


def test_structs_by_value():
    code = """struct S {{ char c[{0}]; }};
    static __attribute__((noinline)) int g(S s, int n) {{ ++s.c[1]; return n > 1 ? g(s, n - 1) : s.c[1]; }}
    DEVICE int f(int n) {{ static S s; s.c[1] = 0; return g(s, n); }}"""
    assert call(code.format(3000), 20) == 20
    with pytest.raises(RecursionError):
        call(code.format(3000), 100_000_000)
    with pytest.raises(LinkerError, match=r"a.cu: a call in \w+\(\) passes structs of 9000000 bytes by value"):
        call(code.format(9_000_000), 20)
    code = "struct S {{ char c[{0}]; }}; static __attribute__((noinline)) S g(int n) {{ S s; s.c[5] = n; return s; }}"
    code += "DEVICE int f(int n) {{ return g(n).c[5]; }}"
    assert call(code.format(9_000), 20) == 20
    with pytest.raises(RecursionError):
        call(code.format(90_000_000), 20)


def test_variables_whose_length_is_known_late():
    code = """DEVICE int f(int n) {
        int a[n], s = 0;
        for (int i = 0; i < n; ++i) a[i] = i;
        for (int i = 0; i < n; i += 3) s += a[n - 1 - i];
        return s;
    }"""
    assert call(code, 900) == sum(range(899, -1, -3))
    for n in (100_000_000, 2**31 - 1, -1, -(2**31)):
        with pytest.raises(RecursionError):
            call(code, n)


# ------------------------------------------------------------------------------------------------
# The end of the process


@pytest.mark.parametrize(
    "body",
    [
        "abort();",
        "exit(0);",
        "_Exit(3);",
        "__builtin_trap();",
        "assert(n > 100);",
        "if (n > 100) return 1;",  # comes to its end
        "int a[4] = {1, 2, 3, 4}; return a[n];",
    ],
)
def test_what_would_end_the_process(body, capfd):
    code = f"DEVICE int f(int n) {{ if (n < 0) return n; {body} }}"
    assert call(code, -3) == -3
    with pytest.raises(cuda.CudaRuntimeError, match=r"the linked function f\(\) cannot go on: it has aborted"):
        call(code, 7)
    assert ("Assertion `n > 100' failed" in capfd.readouterr().err) == ("assert" in body)


def test_failures_with_the_convention_of_numba():
    code = "DEVICE int f(int *r, int n) { if (n == 1) abort(); *r = n; return n == 2 ? 9 : 0; }"
    assert call(code, 5, abi="numba") == 5
    with pytest.raises(cuda.CudaRuntimeError, match="aborted"):
        call(code, 1, abi="numba")
    with pytest.raises(cuda.ForeignFunctionError, match="returned the status 9"):
        call(code, 2, abi="numba")
    with pytest.raises(cuda.CudaRuntimeError, match="aborted"):
        call(code, 1, abi="numba", debug=True)


@pytest.mark.parametrize("kind", ["int", "long long", "signed char", "unsigned", "unsigned long long"])
@pytest.mark.parametrize("operator", ["/", "%"])
def test_divisions_that_have_no_result(kind, operator):
    code = f"DEVICE int f(int m, int n) {{ return ({kind})m {operator} ({kind})n; }}"
    both = "int32(int32, int32)"
    assert call(code, 7, 0, signature=both) == (-1 if operator == "/" else 7)
    assert call(code, 7, 2, signature=both) == (3 if operator == "/" else 1)
    if kind in ("int", "long long"):
        assert call(code, -(2**31), -1, signature=both) == (-(2**31) if operator == "/" else 0)
        assert call(code, -7, -1, signature=both) == (7 if operator == "/" else 0)
        assert call(code, -7, 2, signature=both) == (-3 if operator == "/" else -1)


# ------------------------------------------------------------------------------------------------
# Files that do not fit


def refused(code, **options):
    with pytest.raises(LinkerError) as caught:
        call(code, 1, **options)
    return str(caught.value)


def test_functions_that_nothing_defines():
    assert "a.cu uses missing(), which nothing that is linked defines" in refused(
        "DEVICE int missing(int); DEVICE int f(int n) { return missing(n); }"
    )
    said = refused(("DEVICE int g(int n) { return n; }", "int g(int); DEVICE int f(int n) { return g(n); }"))
    assert "b.cu uses g(int), _Z1gi, which nothing" in said and 'extern "C"' in said
    assert "a.cu uses counter, which" in refused("extern int counter; DEVICE int f(int n) { return counter + n; }")
    # Functions of the compiler's own are none of C's.
    assert "a.cu uses pyarray_rt_raise()" in refused(
        "DEVICE void pyarray_rt_raise(int); DEVICE int f(int n) { pyarray_rt_raise(n); return n; }"
    )
    assert "the declared function f() is in nothing that is linked (a.cu, b.cu)" in refused(("", "int x;"))


def test_functions_of_the_process():
    assert call("DEVICE double cbrt(double); DEVICE int f(int n) { return (int)(cbrt(n * 8.0) + 0.5); }", 27) == 6


def test_functions_that_two_files_define():
    f = "DEVICE int f(int n) { return n + %d; }"
    assert "f is defined in a.cu and in b.cu" in refused((f % 1, f % 2))
    g = "DEVICE int g(int n) { return n + %d; }"
    assert "g is defined in a.cu and in b.cu" in refused((g % 1, g % 2 + f % 3))
    assert "table is defined in a.cu and in b.cu" in refused(("int table = 1;", "int table = 2;" + f % 1))
    assert call((f % 1, f % 1), 5) == 6  # the same code is linked once


def test_functions_that_may_be_in_two_files():
    for kind in ("static", "inline", "__attribute__((weak))"):
        g = f"{kind} int g(int n) {{ return n + 1; }}"
        h = "DEVICE int h(int n) { return g(n); }"
        assert call((g + h, g + "DEVICE int h(int); DEVICE int f(int n) { return g(h(n)); }"), 5) == 7


def test_variables_larger_than_code_may_be():
    size = "1ll << 29"
    assert "a.cu: the variables of linked code are larger than 768 MiB: x has 1024" in refused("char x[1ll << 30];")
    two = (f"char x[{size}]; int y;", f"char z[{size}];" + "DEVICE int f(int n) { return n; }")
    assert "b.cu: the variables of linked code are larger than 768 MiB: z has 512" in refused(two)


def test_what_kernels_do_not_have():
    f = "DEVICE int f(int n) { return n; }"
    assert "a.cu: the variable t is thread_local" in refused(
        "thread_local int t = 3; DEVICE int f(int n) { return t++ + n; }"
    )
    assert "a.cu: a variable is initialised by code" in refused("int g(); int x = g(); int g() { return rand(); }" + f)
    assert "a.cu: f has inline assembly" in refused(
        'DEVICE int f(int n) { int r; asm("mov.u32 %0, %%laneid;" : "=r"(r)); return r + n; }'
    )
    assert "a.cu: the file has inline assembly" in refused('asm(".globl f");' + f)
    assert "a.cu: g is an ifunc" in refused(
        'static int (*choose())(int) { return 0; } DEVICE int g(int) __attribute__((ifunc("_ZL6choosev")));' + f
    )
    assert call('DEVICE int f(int n) { asm("" ::: "memory"); return n; }', 4) == 4


def test_other_names_of_functions():
    code = 'DEVICE int g(int n) { return n + 1; } extern "C" int f(int n) __attribute__((alias("g")));'
    assert call(code, 4) == 5
    long = "g" * 600
    code = f"DEVICE int {long}1(int n) {{ return n + 1; }} DEVICE int {long}2(int n) {{ return n + 2; }}"
    uses = f"DEVICE int {long}1(int); DEVICE int {long}2(int); DEVICE int f(int n) {{ return {long}2({long}1(n)); }}"
    assert call((code, uses), 4) == 7
    code = "DEVICE int pyarray_block(int n) { return n + 1; } DEVICE int f(int n) { return pyarray_block(n); }"
    assert call(code, 4) == 5


def test_signatures_that_do_not_fit():
    f = "DEVICE int f(int n) { return n; }"
    for signature, abi in (("int32(float32)", "c"), ("int64(int32)", "c"), ("int32(int64)", "c")):
        said = refused(f, signature=signature, abi=abi)
        assert "f() is called as" in said and "a.cu defines it as i32 (i32)" in said and "declare_device" in said
    assert "(ptr, i32), and a.cu defines it as i32 (i32)" in refused(f, abi="numba")
    with pytest.raises(LinkerError, match=r"f\(\) is called as i32 \(i32, i32\)"):
        call(f, 1, 2, signature="int32(int32, int32)")
    g = "DEVICE double g(double x) { return x; }"
    said = refused((g, "DEVICE int g(int); DEVICE int f(int n) { return g(n); }"))
    assert "g() is called as i32 (i32), and a.cu defines it as double (double)" in said


def test_signatures_that_fit():
    assert call("DEVICE bool f(bool n) { return !n; }", 1, signature="boolean(boolean)") == 0
    assert call("DEVICE int f(long long p) { return p ? 1 : 0; }", 8, signature="int32(voidptr)") == 1
    assert call("DEVICE unsigned char f(unsigned char n) { return n + 1; }", 255, signature="uint8(uint8)") == 0
    assert call("DEVICE int f(signed char n) { return n; }", -3, signature="int32(int8)") == -3
    assert call("DEVICE int f(unsigned char n) { return n; }", -3, signature="int32(int8)") == 253


def test_files_that_do_not_fit_on_a_gpu():
    """Where clang inlines them; else the driver tells."""
    f = cuda.declare_device("f", "int32(int32)", abi="c")

    def kernel(x):
        x[0] = f(3)

    for code, message in (
        (("DEVICE int q(int); DEVICE int f(int n) { return q(n); }",), r"a.cu uses q\(\), which nothing"),
        (("__device__ int q(int); DEVICE int f(int n) { return q(n); }",), r"a.cu uses q\(int\), _Z1qi, which nothing"),
        (
            ("DEVICE int f(int n) { return 1; }", "DEVICE int f(int n) { return 2; }"),
            "f is defined in a.cu and in b.cu",
        ),
        (
            ("DEVICE int f(double n) { return 1; }",),
            r"f\(\) is called as i32 \(i32\), and a.cu defines it as i32 \(double\)",
        ),
    ):
        link = [
            cuda.CUSource('#define DEVICE extern "C" __device__\n' + part, name=f"{'ab'[i]}.cu")
            for i, part in enumerate(code)
        ]
        with pytest.raises(LinkerError, match=message):
            cuda.compile_ptx(kernel, "void(float64[::1])", cc=(9, 0), link=link, lto=True)
