"""cuda.libdevice: every function compiles for GPUs, runs where the CPU plays one, and gives what it is to give.

With a GPU (PYARRAY_CUDA=gpu) the same results are compared with the CPU's, which another process computes: run as a
program, this file writes them to the file that its argument names.
"""

import functools
import math
import os
import pathlib
import shutil
import subprocess
import sys

import exact_floats as exact
import numpy as np
import pytest
from compare import define
from libdevice_oracles import REFERENCES, SEVERAL, SINGLE, USUAL, oracle, reference
from pyarray import cuda, njit
from pyarray.cuda import libdevice
from test_cuda_ptx import LIBDEVICE, PTXAS, assemble, needs_libdevice

pytestmark = [pytest.mark.real, needs_libdevice]

ROOT = pathlib.Path(__file__).parent.parent.parent
FUNCTIONS = {name: value for name, value in vars(libdevice).items() if isinstance(value, libdevice.Function)}
CODES = {"int16": "h", "int32": "i", "int64": "q", "float32": "f", "float64": "d"}


def groups():
    """Functions of one signature, some at a time: (argument types, result types, names)."""
    by_types = {}
    for name, function in FUNCTIONS.items():
        by_types.setdefault((function.argument_types, function.result_types), []).append(name)
    for (arguments, results), names in by_types.items():
        for start in range(0, len(names), 24):
            yield arguments, results, names[start : start + 24]


GROUPS = list(groups())


def parameters(arguments, results):
    return [f"a{i}" for i in range(len(arguments))], [f"r{i}" for i in range(len(results))]


@functools.cache
def kernel(number):
    """Row k of each result array is what function k of a group makes of the points of the argument arrays."""
    arguments, results, names = GROUPS[number]
    ins, outs = parameters(arguments, results)
    lines = [
        f"{', '.join(f'{out}[{row}, i]' for out in outs)} = libdevice.{name}({', '.join(f'{a}[i]' for a in ins)})"
        for row, name in enumerate(names)
    ]
    body = "\n        ".join(lines)
    source = f"def f({', '.join(ins + outs)}):\n    i = cuda.grid(1)\n    if i < a0.size:\n        {body}\n"
    return define(source, decorator=lambda function: function, cuda=cuda, libdevice=libdevice)


# --- Points ----------------------------------------------------------------------------------------------------------


def floats(code, count, seed):
    """Numbers of all sizes, and in front of them zeros, limits, whole and half numbers, infinities and NaN."""
    dtype = np.dtype(code)
    info, random = np.finfo(dtype), np.random.default_rng(seed)
    special = [0, 1, 0.5, 1.5, 2.5, 3, 1 + info.eps, 1 - info.epsneg, info.max, info.tiny, info.smallest_subnormal,
               info.tiny * 3 / 4, 2.0**31, 2.0**31 - 0.5, 2.0**32, 2.0**63, 2.0**64, 0.1, 100.25, np.inf]  # fmt: skip
    special = [*special, *(-float(x) for x in special), np.nan]
    sizes = random.uniform(-12, 12, count)
    return np.concatenate([special, np.exp2(sizes) * random.choice([-1, 1], count)]).astype(dtype)


def integers(code, count, seed):
    info, random = np.iinfo(code), np.random.default_rng(seed)
    special = [0, 1, 2, 3, 7, 255, 0x3210, 0x7654, info.max, info.min, -1, -2, info.max - 1, 1 << 14, 100, -100]
    return np.concatenate([special, random.integers(info.min, info.max, count, endpoint=True)]).astype(code)


@functools.cache
def points(arguments):
    """An array for each argument: all pairs of the special values and more, or of three and four, a choice."""
    codes = [CODES[name] for name in arguments]
    count = 60 if len(codes) > 1 else 600
    lists = [(floats if code in "fd" else integers)(code, count, seed) for seed, code in enumerate(codes)]
    if len(lists) == 1:
        return lists
    random = np.random.default_rng(7)
    if len(lists) == 2:
        if arguments[0] == "int32" != arguments[1]:  # jn, yn: an order
            lists[0] = np.array([0, 1, 2, 5, 9], np.int32)
        return [np.ascontiguousarray(x).ravel() for x in np.meshgrid(*lists, indexing="ij")]
    return [random.choice(x, 4000) for x in lists]


@functools.cache
def results(number):
    arguments, kinds, names = GROUPS[number]
    given = points(arguments)
    out = [np.zeros((len(names), given[0].size), kind) for kind in kinds]
    kernel_of = cuda.jit(kernel(number))
    kernel_of[(given[0].size + 127) // 128, 128](*given, *out)
    return out


@functools.cache
def result(name):
    """The points and results of a function: arrays of arguments, arrays of results."""
    for number, (arguments, _, names) in enumerate(GROUPS):
        if name in names:
            return points(arguments), [out[names.index(name)] for out in results(number)]
    raise KeyError(name)


# --- Names -----------------------------------------------------------------------------------------------------------


def test_the_table_is_that_of_libdevice():
    dis = shutil.which("llvm-dis-22") or shutil.which("llvm-dis")
    if not dis:
        pytest.skip("llvm-dis is not installed")
    text = subprocess.run([dis, LIBDEVICE, "-o", "-"], capture_output=True, text=True, check=True).stdout
    made = subprocess.run(
        [sys.executable, ROOT / "tools/libdevice_table.py"], input=text, capture_output=True, text=True, check=True
    )
    table = (ROOT / "lib/support/libdevice.def").read_text().splitlines()
    assert [line for line in table if line.startswith("PA_")] == made.stdout.splitlines()


def test_functions_say_what_they_take():
    assert len(FUNCTIONS) > 340
    assert libdevice.frexp.argument_types == ("float64",) and libdevice.frexp.result_types == ("float64", "int32")
    assert libdevice.sincosf.result_types == ("float32", "float32")
    assert libdevice.remquo.__doc__ == "``__nv_remquo(x: float64, y: float64) -> float64, int32``"
    with pytest.raises(RuntimeError, match=r"cuda\.libdevice\.sinf is only for functions that are compiled for a GPU"):
        libdevice.sinf(1.0)


def test_wrong_arguments_and_targets_are_refused():
    def of_text(out):
        out[0] = libdevice.popc(1.5)

    with pytest.raises(Exception, match=r"cuda\.libdevice\.popc: argument 1 has type float64; expected an integer"):
        cuda.jit(of_text)[1, 1](np.zeros(1))
    with pytest.raises(Exception, match="only for functions that are compiled for a GPU"):
        njit(lambda x: libdevice.sinf(x))(1.0)


def test_a_missing_libdevice_is_said(monkeypatch):
    monkeypatch.setenv("PYARRAY_LIBDEVICE", "/nowhere/libdevice.10.bc")
    with pytest.raises(Exception, match="NVIDIA's libdevice, which was not found"):
        cuda.compile_ptx(kernel(0), signature_of(0))


# --- PTX -------------------------------------------------------------------------------------------------------------


def signature_of(number):
    from pyarray import types

    arguments, kinds, _ = GROUPS[number]
    return (*(getattr(types, name)[::1] for name in arguments), *(getattr(types, name)[:, ::1] for name in kinds))


@pytest.mark.parametrize("number", range(len(GROUPS)))
def test_every_function_compiles_to_ptx(number, tmp_path):
    for cc in ((7, 5), (9, 0)):
        ptx, _ = cuda.compile_ptx(kernel(number), signature_of(number), cc=cc)
        assert ".visible .entry f(" in ptx and "__nv_" not in ptx
        if PTXAS:
            assemble(ptx, f"sm_{cc[0]}{cc[1]}", tmp_path)


# --- What has one exact value ----------------------------------------------------------------------------------------

EXACT = sorted(name for name in FUNCTIONS if oracle(name))


def is_same(got, expected):
    """The same number with the same sign; one NaN is like another, a test's True any integer but 0."""
    if expected is None:
        return True
    if isinstance(expected, (bool, np.bool_)):
        return bool(got) == expected
    if expected != expected:
        return got != got
    return got == expected and math.copysign(1, got) == math.copysign(1, expected)


@pytest.mark.parametrize("name", EXACT)
def test_exact_values(name):
    function = oracle(name)
    given, got = result(name)
    wrong, size = [], given[0].size
    some = np.random.default_rng(5).permutation(size)[:1500]  # whose oracles take longer than the kernel does
    for i in some:
        values = [x[i].item() for x in given]
        expected = function(*values)
        expected = expected if isinstance(expected, tuple) else (expected,)
        found = [x[i].item() for x in got]
        if not all(map(is_same, found, expected)):
            wrong.append((values, found, expected))
    assert not wrong, f"{len(wrong)} of {len(some)}: {wrong[:5]}"


# --- What is within some units in the last place ---------------------------------------------------------------------

CLOSE = sorted(
    name for name in FUNCTIONS
    if name in REFERENCES or SINGLE.get(name, name[:-1] if name[-1] == "f" else "") in REFERENCES
)  # fmt: skip


def test_every_function_has_a_test():
    others = set(FUNCTIONS) - set(EXACT) - set(CLOSE) - set(SEVERAL)
    assert others == {"remquo", "remquof", "rcp64h"}


def called(function, values):
    try:
        return function(*values)
    except OverflowError:
        return math.inf
    except (ValueError, ZeroDivisionError):
        return math.nan


@pytest.mark.parametrize("name", CLOSE)
def test_values_are_close(name):
    function, units, least, most, besides = reference(name)
    given, (got,) = result(name)
    dtype, wrong, compared = got.dtype.type, [], 0
    for i in range(given[0].size):
        values = [x[i].item() for x in given]
        sizes = [abs(v) for v in values if isinstance(v, float)]
        if not all(least <= size <= most for size in sizes) or not USUAL.get(name, lambda *values: True)(*values):
            continue
        expected = called(function, values)
        if not abs(expected) < float(np.finfo(dtype).max) or 0 < abs(expected) < float(np.finfo(dtype).tiny):
            continue
        compared += 1
        if not abs(got[i] - expected) <= units * np.spacing(dtype(abs(expected))) + besides:
            wrong.append((values, got[i].item(), expected))
    assert compared >= 20
    assert not wrong, f"{len(wrong)} of {compared}: {wrong[:5]}"


@pytest.mark.parametrize("name", SEVERAL)
def test_functions_of_two_results_are_those_of_one(name):
    for got, other in zip(result(name)[1], SEVERAL[name], strict=True):
        assert np.array_equal(got, result(other)[1][0], equal_nan=True)


@pytest.mark.parametrize("name", ["remquo", "remquof"])
def test_remquo(name):
    (x, y), (rest, quotient) = result(name)
    assert np.array_equal(rest, result(name.replace("quo", "ainder"))[1][0], equal_nan=True)
    compared = 0
    for i in np.flatnonzero(np.isfinite(x) & np.isfinite(y) & (y != 0)):
        whole = exact.whole_near(abs(exact.Fraction(x[i].item()) / exact.Fraction(y[i].item())), "rn")
        assert abs(int(quotient[i])) % 8 == whole % 8
        assert quotient[i] == 0 or (quotient[i] < 0) == (np.signbit(x[i]) != np.signbit(y[i]))
        compared += 1
    assert compared > 1000


def test_rcp64h():
    (x,), (got,) = result("rcp64h")
    usual = np.isfinite(x) & (abs(x) > 1e-300) & (abs(x) < 1e300)
    assert np.all(abs(got[usual] * x[usual] - 1) < 2.0**-18)
    assert not np.any(got[usual].view(np.uint64) & 0xFFFFFFFF)


def test_functions_in_device_functions_and_loops():
    @cuda.jit(device=True)
    def length(x, y):
        fraction, exponent = libdevice.frexp(libdevice.hypot(x, y))
        return libdevice.ldexp(fraction, exponent)

    @cuda.jit
    def lengths(x, y, out):
        for i in range(cuda.grid(1), out.size, cuda.gridsize(1)):
            sine, cosine = libdevice.sincos(x[i])
            cuda.syncwarp()
            out[i] = length(sine, cosine) * length(x[i], y[i])

    x, y = np.random.default_rng(3).random((2, 1000))
    out = np.zeros(1000)
    lengths[2, 64](x, y, out)
    assert np.allclose(out, np.hypot(x, y), rtol=1e-15)


PROGRAM = """
import numpy as np
from pyarray import cuda
from pyarray.cuda import libdevice
from pyarray.cuda.libdevice import {function}

@cuda.jit
def kernel(x):
    x[0] = {function}(x[0]) + libdevice.floor(x[0])

x = np.full(1, 2.25)
kernel[1, 1](x)
print(x[0], sum(kernel.stats.cache_hits.values()))
"""


def test_kernels_are_cached(run):
    for hits in (0, 1):
        assert run(PROGRAM.format(function="sqrt")).split() == ["3.5", str(hits)]
    assert run(PROGRAM.format(function="ceil")).split() == ["5.0", "0"]


# --- A GPU and the CPU -----------------------------------------------------------------------------------------------


def write_results(path):
    np.savez(path, **{f"{n}_{k}": array for n in range(len(GROUPS)) for k, array in enumerate(results(n))})


def allowed(name, one):
    """How far two results of a function may be apart: both may be off."""
    if name in EXACT or name in ("remquo", "remquof"):
        return 0 * abs(one)
    if name == "rcp64h":
        return abs(one) * 2.0**-18
    _, units, _, _, besides = reference(SEVERAL.get(name, (name,))[0])
    return 2 * (max(units, 16) * np.spacing(abs(one)) + max(besides, 2e-6 if one.dtype == np.float32 else 5e-12))


def is_documented(name, given):
    """For which points a result, to its last bit or within an error, is."""
    if name == "float2half_rn":  # the bits of NaN
        return ~np.isnan(given[0])
    if name == "rcp64h":
        return (abs(given[0]) > 1e-300) & (abs(given[0]) < 1e300)
    if not name.startswith("fast_"):
        return np.ones(given[0].size, bool)
    _, _, least, most, _ = reference(SEVERAL.get(name, (name,))[0])
    sizes = [(abs(x) >= max(least, 1e-4)) & (abs(x) <= most) for x in given]
    return np.all([*sizes, given[0] > 0] if name == "fast_powf" else sizes, axis=0)


@pytest.mark.gpu
def test_a_gpu_gives_what_the_cpu_gives(tmp_path):
    path = tmp_path / "cpu.npz"
    subprocess.run([sys.executable, __file__, path], check=True, env={**os.environ, "PYARRAY_CUDA": "cpu"})
    on_cpu, wrong = np.load(path), {}
    for number, (_, _, names) in enumerate(GROUPS):
        for k, here in enumerate(results(number)):
            for row, name in enumerate(names):
                one, other = here[row], on_cpu[f"{number}_{k}"][row]
                asked = is_documented(name, points(GROUPS[number][0]))
                one, other = one[asked], other[asked]
                with np.errstate(all="ignore"):
                    same = (one == other) | ((one != one) & (other != other)) | (abs(one - other) <= allowed(name, one))
                if not np.all(same):
                    at = np.flatnonzero(~same)[:3]
                    wrong[name] = (len(np.flatnonzero(~same)), one[at].tolist(), other[at].tolist())
    assert not wrong


if __name__ == "__main__":
    write_results(sys.argv[1])
