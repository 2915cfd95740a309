"""Loads and stores with cache operators: ``cuda.ldcg`` and its like, as PTX's and as plain accesses."""

import re

import numpy as np
import pytest
from pyarray import cuda, errors, float32, from_dtype, types

pytestmark = pytest.mark.real

LOADS, STORES = ["ca", "cg", "cs", "lu", "cv"], ["cg", "cs", "wb", "wt"]
NUMBERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32", "float64"]


def copying(load, store):
    def kernel(a, out):
        i = cuda.threadIdx.x
        store(out, i, load(a, i))

    return kernel


def pairs():
    return [(load, STORES[k % len(STORES)]) for k, load in enumerate(LOADS)]


def accesses(kernel, *kinds, **options):
    text, _ = cuda.compile_ptx(kernel, tuple(from_dtype(kind)[::1] for kind in kinds), cc=(9, 0), **options)
    return re.findall(r"\b((?:ld|st)(?:\.(?!param)\w+)+)\s", text)


@pytest.mark.parametrize("dtype", NUMBERS)
@pytest.mark.parametrize("load, store", pairs())
def test_ptx_of_numbers(dtype, load, store):
    kernel = copying(getattr(cuda, f"ld{load}"), getattr(cuda, f"st{store}"))
    bits = 8 * np.dtype(dtype).itemsize
    assert accesses(kernel, dtype, dtype) == [f"ld.global.{load}.b{bits}", f"st.global.{store}.b{bits}"]


@pytest.mark.parametrize(
    "name, suffixes",
    [
        ("float4", ["v4.b32"]),
        ("float2", ["v2.b32"]),
        ("double2", ["v2.b64"]),
        ("double4", ["v2.b64"] * 2),
        ("uchar4", ["b32"]),
        ("int3", ["b32"] * 3),
    ],
)
def test_ptx_of_vectors(name, suffixes):
    vector = getattr(cuda, name)
    found = accesses(copying(cuda.ldcs, cuda.stwt), vector, vector)
    assert sorted(found) == sorted([f"ld.global.cs.{s}" for s in suffixes] + [f"st.global.wt.{s}" for s in suffixes])


def test_ptx_that_is_not_optimised_and_of_pointers():
    assert [access for access in accesses(copying(cuda.ldcg, cuda.stcs), "f4", "f4", opt=False) if "c" in access] == [
        "ld.cg.b32",
        "st.cs.b32",
    ]

    def kernel(p, out):
        cuda.stwt(p, 1, cuda.ldcg(p, out[0]))

    text, _ = cuda.compile_ptx(kernel, (types.CPointer(float32), types.int64[::1]), cc=(9, 0))
    assert re.search(r"\bld(\.global)?\.cg\.b32", text) and re.search(r"\bst(\.global)?\.wt\.b32", text)


def test_shared_memory_has_no_cache():
    def kernel(a, out):
        tile = cuda.shared.array(32, float32)
        i = cuda.threadIdx.x
        cuda.stcg(tile, i, a[i])
        cuda.syncthreads()
        out[i] = cuda.ldcs(tile, 31 - i)

    assert accesses(kernel, "f4", "f4") == ["ld.global.b32", "st.shared.b32", "ld.shared.b32", "st.global.b32"]
    a, out = np.arange(32, dtype=np.float32), np.zeros(32, np.float32)
    cuda.jit(kernel)[1, 32](a, out)
    np.testing.assert_array_equal(out, a[::-1])


@pytest.mark.parametrize("load, store", pairs())
@pytest.mark.parametrize(
    "dtype", [*NUMBERS, cuda.float4, cuda.uchar3, cuda.double4], ids=lambda dtype: np.dtype(dtype).name
)
def test_values(dtype, load, store):
    kernel = cuda.jit(copying(getattr(cuda, f"ld{load}"), getattr(cuda, f"st{store}")))
    a = np.random.default_rng(1).integers(0, 100, np.dtype(dtype).itemsize * 20, np.uint8).view(np.dtype(dtype))
    out = np.zeros_like(a)
    kernel[1, 20](a, out)
    assert out.tobytes() == a.tobytes()
    strided = np.zeros(40, a.dtype)[::2]
    strided[:] = a
    out[:] = out[0]
    kernel[1, 20](strided, out)
    assert out.tobytes() == a.tobytes()


def test_indices_and_conversions():
    @cuda.jit
    def kernel(a, out, i):
        cuda.stcg(out, (1, i), cuda.ldcg(a, (np.int8(2), -1)))
        cuda.stwt(out, (np.uint64(0), 0), 7)
        cuda.stcs(out[2], 1, cuda.ldca(a[0], i) + 0.5)

    a, out = np.arange(9.0).reshape(3, 3), np.zeros((3, 3), np.int32)
    kernel[1, 1](a.T, out, 2)
    assert out.tolist() == [[7, 0, 0], [0, 0, 8], [0, 6, 0]]


def test_a_load_that_is_made_each_time():
    def kernel(flag, out):
        while cuda.ldcv(flag, 0) == 0:
            pass
        out[0] = 1

    text, _ = cuda.compile_ptx(kernel, (types.int32[::1], types.int32[::1]), cc=(9, 0))
    loop = text[text.index("$L__BB0_1:") :]
    assert "ld.global.cv.b32" in loop[: loop.index("bra")]


@pytest.mark.parametrize(
    "body, message",
    [
        (lambda a, z, r: cuda.ldcg(a, (0, 0)), "cuda.ldcg: 2 indices for an array of 1 dimensions"),
        (lambda a, z, r: cuda.ldcg(a, ()), "0 indices for an array of 1"),
        (lambda a, z, r: cuda.ldcg(a, 0.5), "expected an integer"),
        (lambda a, z, r: cuda.ldcg(a, (0.5,)), "expected an int or a tuple of ints"),
        (lambda a, z, r: cuda.ldcg(3.0, 0), "cuda.ldcg: argument 1 has type float64; expected an array or a pointer"),
        (lambda a, z, r: cuda.ldcg(z, 0), "cuda.ldcg works on integers, floats and vectors"),
        (lambda a, z, r: cuda.stcs(z, 0, 1j), "cuda.stcs works on integers, floats and vectors"),
        (lambda a, z, r: cuda.ldcg(r, 0), "cuda.ldcg works on integers, floats and vectors"),
        (lambda a, z, r: cuda.stcg(a, 0, 1j), "expected a real number"),
        (lambda a, z, r: cuda.ldcg(a), "missing"),
    ],
)
def test_what_is_refused(body, message):
    function = cuda.jit(device=True)(body)

    @cuda.jit
    def kernel(a, z, r):
        function(a, z, r)

    with pytest.raises((errors.TypingError, errors.UnsupportedError), match=re.escape(message)):
        kernel[1, 1](np.zeros(2), np.zeros(2, complex), np.zeros(2, [("x", "f4"), ("y", "i1")]))


def test_readonly_arrays_and_bounds():
    kernel = cuda.jit(debug=True, opt=False)(copying(cuda.ldcg, cuda.stcg))
    with pytest.raises(IndexError):
        kernel[1, 4](np.zeros(3), np.zeros(4))
    readonly = np.zeros(4)
    readonly.flags.writeable = False
    with pytest.raises(errors.TypingError, match="cuda.stcg: the array is read-only"):
        kernel[1, 4](np.zeros(4), readonly)


def test_only_in_kernels():
    with pytest.raises(RuntimeError, match="cuda.ldcg is only for functions that are compiled for a GPU"):
        cuda.ldcg(np.zeros(1), 0)
