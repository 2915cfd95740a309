"""Rounding in kernels, what debuggers are told, options, pickles, and code for other languages."""

import pickle
import re

import numpy as np
import pytest
from pyarray import cuda, errors, types


@cuda.jit
def rounded(x, digits, out):
    i = cuda.grid(1)
    if i < x.size:
        out[i] = round(x[i], digits)


@pytest.mark.parametrize("digits", [-22, -3, -1, 0, 1, 2, 3, 7, 14, 22])
def test_round_is_that_of_python(digits):
    rng = np.random.default_rng(digits + 100)
    x = np.concatenate(
        [
            rng.normal(size=2000) * 10.0 ** rng.integers(-25, 25, 2000),
            np.arange(-800, 800) / 16,
            np.arange(-50, 50) * 10.0**-digits / 2 if abs(digits) < 20 else [],
            [0.0, -0.0, np.inf, -np.inf, 1e300, 5e-324, 2.675, 1.005, 0.5, 1.5, 2.5],
        ]
    )
    out = np.zeros(x.size)
    rounded[(x.size + 127) // 128, 128](x, digits, out)
    np.testing.assert_array_equal(out, [each if np.isinf(each) else round(each, digits) for each in x.tolist()])


def test_round_of_other_types():
    @cuda.jit
    def kernel(x, n, out):
        out[0], out[1], out[2] = round(x[0], 1), round(n, -2), round(x[0])

    out = np.zeros(3, np.float32)
    kernel[1, 1](np.array([123.456], np.float32), 1250, out)
    assert out.tolist() == [np.float32(123.5), 1200, 123]
    x, out = np.array([np.nan]), np.zeros(1)
    rounded[1, 1](x, 2, out)
    assert np.isnan(out[0])
    ptx, _ = cuda.compile_ptx(rounded.py_func, (types.float64[::1], types.int64, types.float64[::1]))
    assert "fma.rn.f64" in ptx


# ------------------------------------------------------------------------------------------------
# What debuggers are told


def helper(v):
    w = v * 3
    return w


def stopped(a, n):
    i = cuda.grid(1)
    share = i * 2.5
    if i < a.size:
        flag = share > n
        a[i] = share + n
        if flag:
            share = 0.0


def dwarf(ptx):
    """.debug_info, whose bytes are in decimal, each on its line."""
    section = ptx[ptx.index(".debug_info") :]
    return section, bytes(int(byte) for byte in re.findall(r"^\.b8 (\d+)", section, re.MULTILINE))


def test_debuggers_find_variables():
    signature = (types.float64[::1], types.int64)
    ptx, _ = cuda.compile_ptx(stopped, signature, debug=True, opt=False, cc=(9, 0))
    section, content = dwarf(ptx)
    for name in ("share", "flag", "stopped", "float64", "bool"):
        assert name.encode() + b"\0" in content, name
    assert section.count("__local_depot") >= 4  # a place for each of i, n, share, flag
    for options in ({}, {"lineinfo": True}):
        ptx, _ = cuda.compile_ptx(stopped, signature, cc=(9, 0), **options)
        assert "__local_depot" not in ptx and ("\t.loc" in ptx) == bool(options)


def test_debug_changes_no_result():
    for debug in (False, True):
        a = np.zeros(5)
        cuda.jit(stopped, debug=debug, opt=not debug)[1, 8](a, 4)
        np.testing.assert_array_equal(a, np.arange(5) * 2.5 + 4)


# ------------------------------------------------------------------------------------------------
# Options


@pytest.mark.parametrize("carveout", ["default", "MaxL1", "maxshared", -1, 0, 50, 100])
def test_shared_memory_carveout(carveout):
    kernel = cuda.jit(rounded.py_func, shared_memory_carveout=carveout)
    out = np.zeros(1)
    kernel[1, 1](np.array([1.26]), 1, out)
    assert out[0] == 1.3


@pytest.mark.parametrize("carveout", ["most", 101, -2, 1.5, True])
def test_wrong_carveouts(carveout):
    with pytest.raises(ValueError, match="shared_memory_carveout is"):
        cuda.jit(rounded.py_func, shared_memory_carveout=carveout)


@cuda.jit(device=True, forceinline=True)
def plus_one(x):
    return x + 1


@cuda.jit("void(float64[::1])")
def adds(a):
    a[0] = plus_one(a[0])


def test_launchers_pickle():
    kernel = pickle.loads(pickle.dumps(adds[2, 3, 0, 16]))
    assert (kernel.griddim, kernel.blockdim, kernel.sharedmem) == ((2, 1, 1), (3, 1, 1), 16)
    a = np.zeros(1)
    pickle.loads(pickle.dumps(adds[1, 1]))(a)
    assert a[0] == 1
    with pytest.raises(TypeError, match="the stream is this process's"):
        pickle.dumps(adds[1, 1, cuda.stream()])


def test_specialized_kernels():
    a = np.zeros(1)
    special = cuda.jit(adds.py_func).specialize(a)
    special[1, 1](a)
    assert special.specialized and a[0] == 1 and special.get_regs_per_thread() > 0
    with pytest.raises(RuntimeError, match="already specialized"):
        special.specialize(a)


# ------------------------------------------------------------------------------------------------
# Code for other languages


def squared(z):
    return z * z


def both(x):
    return x * 2, x > 1


def test_results_of_several_numbers():
    ptx, result = cuda.compile(squared, (types.complex128,), cc=(9, 0))
    assert str(result) == "complex128" and re.search(r"\.func +\(.param .align \d+ .b8 func_retval0\[16\]\)", ptx)
    ptx, result = cuda.compile(squared, (types.complex64,), cc=(9, 0))
    assert str(result) == "complex64" and "func_retval0[8]" in ptx
    ptx, _ = cuda.compile(both, (types.float64,), cc=(9, 0))
    assert "func_retval0[16]" in ptx
    with pytest.raises(errors.UnsupportedError, match="returns numbers, tuples of numbers or nothing"):
        cuda.compile(lambda a: a, (types.float64[::1],), cc=(9, 0))


@pytest.mark.parametrize(
    "cc, target", [((9, 0, "a"), "sm_90a"), ([9, 0], "sm_90"), ((12, 0, "f"), "sm_120f"), ("sm_90a", "sm_90a")]
)
def test_architectures(cc, target):
    ptx, _ = cuda.compile(squared, (types.float64,), cc=cc)
    assert f".target {target}" in ptx


@pytest.mark.parametrize("cc", [(9,), (9, 0, "b"), (9, 0, "a", "f"), 90])
def test_wrong_architectures(cc):
    with pytest.raises(TypeError, match="cc is a compute capability"):
        cuda.compile(squared, (types.float64,), cc=cc)


def test_all_that_is_linked():
    linked = cuda.PTXSource(b".version 7.0\n.target sm_70\n.address_size 64\n", name="mine.ptx")
    outside = cuda.declare_device("outside", "float64(float64)", link=linked, abi="c")

    def calls(x):
        return outside(x) + 1

    codes, result = cuda.compile_all(calls, (types.float64,), cc=(9, 0))
    assert str(result) == "float64" and "outside" in codes[0] and codes[1:] == [linked]
    codes, _ = cuda.compile_all(squared, (types.float64,), device=True, abi="c")
    assert len(codes) == 1 and ".func" in codes[0]


def test_inspect_lto_ptx():
    kernel = cuda.jit("void(float64[::1])", lto=True)(adds.py_func)
    [ptx] = kernel.inspect_lto_ptx().values()
    assert ".entry" in ptx
    with pytest.raises(ValueError, match="not compiled with lto=True"):
        adds.inspect_lto_ptx()


# ------------------------------------------------------------------------------------------------
# Text that is known

NAME = "größe"


def test_text_that_is_known(capfd):
    @cuda.jit(device=True)
    def scaled(x, mode="fast"):
        return x if mode == "fast" else -x

    @cuda.jit
    def kernel(out):
        unit = "m"
        print("in", unit, NAME)
        out[0], out[1], out[2], out[3] = len(NAME), ord("ß"), ord(unit), len(b"abc")
        out[4], out[5] = scaled(1), scaled(1, mode="slow")
        if NAME == "größe" and unit in ("m", "km"):
            out[6] = 1

    out = np.zeros(7, np.int64)
    kernel[1, 1](out)
    cuda.synchronize()
    assert out.tolist() == [5, 0xDF, 109, 3, 1, -1, 1] and "in m größe" in capfd.readouterr().out
    ptx, _ = cuda.compile_ptx(kernel.py_func, (types.int64[::1],), cc=(9, 0))
    assert "vprintf" in ptx


def test_text_that_is_made_is_refused():
    @cuda.jit
    def kernel(out, n):
        print(f"{n}")

    with pytest.raises(errors.UnsupportedError, match="text cannot be made on a GPU(.|\n)*Hint: give print the values"):
        kernel[1, 1](np.zeros(1), 3)
