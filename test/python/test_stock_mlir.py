"""Level 4 is linalg: the stock mlir-opt lowers it, by MLIR's own passes alone, to code that computes what NumPy does.

Attributes of pyarray on operations are of an unregistered dialect there (--allow-unregistered-dialect).
"""

import ctypes
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from pyarray import njit, vectorize

ROOT = Path(__file__).parents[2]
LLVM = (
    Path("/usr/lib/llvm-22/bin")
    if not shutil.which("mlir-opt-22")
    else Path(shutil.which("mlir-opt-22")).resolve().parent
)
ARCHIVES = [ROOT / "build/lib" / part for part in ("runtime/libpa_runtime.a", "support/libpa_support.a")]
OPT = ROOT / "build/bin/pyarray-opt"
PASSES = (
    "func.func(convert-linalg-to-loops),convert-scf-to-cf,expand-strided-metadata,lower-affine,convert-complex-to-standard,"
    "convert-math-to-llvm,convert-math-to-libm,finalize-memref-to-llvm{use-generic-functions=true},"
    "convert-to-llvm{allow-pattern-rollback=false},reconcile-unrealized-casts"
)
pytestmark = pytest.mark.skipif(
    not (LLVM / "mlir-opt").exists() or not all(path.exists() for path in ARCHIVES),
    reason="there is no mlir-opt, or no build",
)


def stock_library(text, folder):
    """A library of what MLIR's passes and LLVM make of a module; our runtime has the functions that it calls."""
    source, lowered, code = folder / "level4.mlir", folder / "llvm.mlir", folder / "code.o"
    source.write_text(text)

    def run(tool, *arguments):
        subprocess.run([tool, *map(str, arguments)], check=True, capture_output=True, text=True)

    run(
        LLVM / "mlir-opt",
        "--allow-unregistered-dialect",
        f"--pass-pipeline=builtin.module({PASSES})",
        source,
        "-o",
        lowered,
    )
    run(LLVM / "mlir-translate", "--mlir-to-llvmir", "--allow-unregistered-dialect", lowered, "-o", folder / "code.ll")
    run(LLVM / "llc", "-O1", "-filetype=obj", "-relocation-model=pic", folder / "code.ll", "-o", code)
    run("cc", "-shared", "-o", folder / "code.so", code, *ARCHIVES, "-lm", "-lpthread")
    return ctypes.CDLL(str(folder / "code.so"))


def flattened(array):
    """The slots of a memref and its owner, which is the caller."""
    strides = [stride // array.itemsize for stride in array.strides]
    pointer = array.ctypes.data
    return [ctypes.c_void_p(pointer), ctypes.c_void_p(pointer), *map(ctypes.c_int64, [0, *array.shape, *strides, 0])]


def array_result(rank):
    """(status, memref, owner), as LLVM returns it."""
    fields = [
        ("status", ctypes.c_int32),
        ("base", ctypes.c_void_p),
        ("data", ctypes.c_void_p),
        ("offset", ctypes.c_int64),
    ]
    fields += [("shape", ctypes.c_int64 * rank), ("strides", ctypes.c_int64 * rank), ("owner", ctypes.c_int64)]
    return type("Result", (ctypes.Structure,), {"_fields_": fields})


def called(library, name, arguments, rank, dtype):
    function = getattr(library, name)
    function.restype = array_result(rank)
    slots = []
    for argument in arguments:
        slots += flattened(argument) if isinstance(argument, np.ndarray) else [argument]
    result = function(*slots)
    assert result.status == 0
    count = int(np.prod(list(result.shape)))
    memory = (
        np.frombuffer((ctypes.c_char * (count * dtype.itemsize)).from_address(result.data), dtype)
        if count
        else np.empty(0, dtype)
    )
    strides = [stride * dtype.itemsize for stride in result.strides]
    return np.lib.stride_tricks.as_strided(memory, tuple(result.shape), strides)


@vectorize(["float64(float64, float64)"])
def branches(x, y):
    while x > y:
        x -= 1.0
    return x if y > 0 else y


def polynomial(a, b, c):
    return a * b + c - 0.5 * a


def statements(a, b, c):
    t = a + b
    u = t * t - c
    return u / (t + 2.0)


def masks(a, b, c):
    return (a < b) & ~(c > 0.5)


def choice(a, b, c):
    return np.where(a > b, a, c)


def roots(a, b, c):
    return np.sqrt(np.abs(a)) + np.floor(b) * c


def user(a, b, c):
    return branches(a, b) + c


def in_place(a, b, c):
    t = a * b
    t += c
    return t


def row(a, b, c):
    return a[0] + b * c


def inner(a, b, c):
    return a[1:-1] * b[2:] + c[:-2]


def integers(a, b, c):
    return (a * b ^ c) + (a > b)


# Function, dtype, shape, layout of the arguments.
CASES = [
    (polynomial, "f8", (13,), "C"), (polynomial, "f4", (7, 12), "F"), (polynomial, "c16", (7, 12), "C"),
    (polynomial, "f8", (0, 3), "C"), (statements, "f8", (7, 12), "C"), (statements, "f8", (2, 3, 4), "strided"),
    (masks, "f8", (13,), "C"), (masks, "f4", (7, 12), "strided"), (choice, "f8", (7, 12), "F"),
    (roots, "f8", (13,), "strided"), (user, "f8", (13,), "C"), (user, "f8", (7, 12), "F"),
    (in_place, "f8", (7, 12), "C"), (in_place, "c16", (13,), "strided"), (row, "f8", (7, 12), "C"),
    (row, "f8", (4, 1), "C"), (inner, "f8", (13,), "C"), (inner, "f4", (7, 12), "C"),
    (integers, "i8", (7, 12), "C"), (integers, "i4", (13,), "C"), (integers, "u1", (7, 12), "F"),
]  # fmt: skip


def drawn(random, dtype, shape, layout):
    if layout == "strided":
        return drawn(random, dtype, [2 * extent for extent in shape], "C")[(slice(None, None, 2),) * len(shape)]
    kind = np.dtype(dtype).kind
    values = random.uniform(-2, 2, shape) if kind in "fc" else random.integers(0, 100, shape)
    if kind == "c":
        values = values + 1j * random.uniform(-2, 2, shape)
    return np.asarray(values, dtype, order=layout)


@pytest.mark.parametrize(("function", "dtype", "shape", "layout"), CASES)
def test_level_4_by_stock_passes(function, dtype, shape, layout, tmp_path):
    random = np.random.default_rng(1)
    arguments = [drawn(random, dtype, shape, layout) for _ in range(3)]
    compiled = njit(function)
    compiled(*arguments)
    text = compiled.inspect_mlir("linalg")[compiled.signatures[0]]
    assert "linalg.generic" in text
    assert "scf.parallel" not in text
    expected = function(*arguments)
    result = called(stock_library(text, tmp_path), f"{function.__name__}$0", arguments, expected.ndim, expected.dtype)
    assert result.shape == expected.shape
    if np.dtype(dtype).kind == "c":
        np.testing.assert_allclose(result, expected, rtol=1e-15)  # C's complex product is not NumPy's to the bit
    else:
        np.testing.assert_array_equal(result, expected)


STATIC = """
!M = !pyarray.array<5x7xf64, C>
func.func @static(%a: !M, %b: !M, %o: !M) -> !pyarray.none {
  pyarray.ufunc "(),()->()" ins(%a, %b : !M, !M) outs(%o : !M) expanded {
  ^bb0(%x: f64, %y: f64):
    %p = pyarray.binary mul %x, %y : (f64, f64) -> f64
    %s = pyarray.binary sub %p, %x : (f64, f64) -> f64
    pyarray.yield %s : f64
  }
  %n = pyarray.constant unit -> !pyarray.none
  return %n : !pyarray.none
}
"""


def test_static_shapes(tmp_path):
    source = tmp_path / "level3.mlir"
    source.write_text(STATIC)
    text = subprocess.run([OPT, source, "--pyarray-lower"], check=True, capture_output=True, text=True).stdout
    assert "ins(%arg0, %arg2 : memref<5x7xf64" in text
    random = np.random.default_rng(1)
    a, b, out = random.random((5, 7)), random.random((5, 7)), np.full((7, 7), -1.0)
    library = stock_library(text, tmp_path)
    assert library.static(*flattened(a), *flattened(b), *flattened(out[1:6])) == 0
    np.testing.assert_array_equal(out[1:6], a * b - a)
    assert (out[[0, 6]] == -1).all()
