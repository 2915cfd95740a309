"""The routines of the library that stands in for cuBLAS (test/cuda/fake_cublas.c), by NumPy over the host's memory.

Importing it opens the stand-in, where PYARRAY_CUDA_LIBRARIES is its folder; ``calls`` are the routines called since,
each with its dtype's letter.
"""

import ctypes
import os
import traceback

import numpy as np
from pyarray.cuda import _blas_host, _blas_table

SUCCESS, INVALID_VALUE, INTERNAL_ERROR = 0, 7, 14

# The arguments of cuBLAS behind the handle, as its documentation has them; "out" is a number that is given back.
PARAMETERS = {
    "amax": "n x incx out",
    "amin": "n x incx out",
    "asum": "n x incx out",
    "nrm2": "n x incx out",
    "axpy": "n alpha x incx y incy",
    "copy": "n x incx y incy",
    "swap": "n x incx y incy",
    "dot": "n x incx y incy out",
    "dotu": "n x incx y incy out",
    "dotc": "n x incx y incy out",
    "scal": "n alpha x incx",
    "rot": "n x incx y incy c s",
    "rotm": "n x incx y incy param",
    "gemv": "trans m n alpha A lda x incx beta y incy",
    "gbmv": "trans m n kl ku alpha A lda x incx beta y incy",
    "ger": "m n alpha x incx y incy A lda",
    "sbmv": "uplo n k alpha A lda x incx beta y incy",
    "spmv": "uplo n alpha AP x incx beta y incy",
    "spr": "uplo n alpha x incx AP",
    "spr2": "uplo n alpha x incx y incy AP",
    "symv": "uplo n alpha A lda x incx beta y incy",
    "syr": "uplo n alpha x incx A lda",
    "syr2": "uplo n alpha x incx y incy A lda",
    "tbmv": "uplo trans diag n k A lda x incx",
    "tpmv": "uplo trans diag n AP x incx",
    "trmv": "uplo trans diag n A lda x incx",
    "gemm": "transa transb m n k alpha A lda B ldb beta C ldc",
    "gemmStridedBatched": "transa transb m n k alpha A lda stridea B ldb strideb beta C ldc stridec batch",
    "symm": "side uplo m n alpha A lda B ldb beta C ldc",
    "syrk": "uplo trans n k alpha A lda beta C ldc",
    "syr2k": "uplo trans n k alpha A lda B ldb beta C ldc",
    "trmm": "side uplo trans diag m n alpha A lda B ldb C ldc",
    "trsm": "side uplo trans diag m n alpha A lda B ldb",
    "dgmm": "side m n A lda x incx C ldc",
    "geam": "transa transb m n alpha A lda beta B ldb C ldc",
}
_SAME = {"geru": "ger", "gerc": "ger", "hbmv": "sbmv", "hpmv": "spmv", "hpr": "spr", "hpr2": "spr2", "hemv": "symv"}
_SAME |= {"her": "syr", "her2": "syr2", "tbsv": "tbmv", "tpsv": "tpmv", "trsv": "trmv", "hemm": "symm"}
_SAME |= {"herk": "syrk", "her2k": "syr2k"}
PARAMETERS |= {name: PARAMETERS[same] for name, same in _SAME.items()}

# By the values of cuBLAS's enumerations.
_LETTERS = {"trans": "NTC", "transa": "NTC", "transb": "NTC", "uplo": "LU", "side": "LR", "diag": "NU"}
_DTYPES = {"s": "f4", "d": "f8", "c": "c8", "z": "c16", "h": "f2", "b": "bfloat16"}
_FACTORS = {**_DTYPES, "h": "f4", "b": "f4"}
_REALS = {"her": ["alpha"], "hpr": ["alpha"], "herk": ["alpha", "beta"], "her2k": ["beta"], "rot": ["c"]}

calls = []


def _view(address, shape, strides, dtype):
    """An array over memory; strides in elements, at least 1."""
    item = np.dtype(dtype).itemsize
    reach = sum((extent - 1) * stride for extent, stride in zip(shape, strides)) + 1 if all(shape) else 0
    memory = (ctypes.c_char * (reach * item)).from_address(address) if reach else b""
    return np.ndarray(shape, dtype, memory, strides=[stride * item for stride in strides])


def _numbers(name, parameters, letter, raw):
    """Letters, ints and numbers by name; arrays by their addresses."""
    real = {"s": "f4", "d": "f8", "c": "f4", "z": "f8", "h": "f4", "b": "f4"}[letter]
    values = {}
    for key, value in zip(parameters, raw):
        if key in _LETTERS:
            values[key] = _LETTERS[key][value & 0xFFFFFFFF]
        elif key in ("alpha", "beta", "c", "s"):
            values[key] = _view(value, [1], [1], real if key in _REALS.get(name, ()) else _FACTORS[letter])[0].item()
        elif key == "param":
            values[key] = _view(value, [5], [1], real)
        elif key in ("A", "AP", "B", "C", "x", "y", "out") or key.startswith("stride"):
            values[key] = value
        else:
            values[key] = ctypes.c_int(value & 0xFFFFFFFF).value
    return values


def _arrays(routine, values, letter):
    """Arrays by name; False where a step or a leading dimension is not valid."""
    made = {}
    for key, array in routine.arrays.items():
        shape = array.shape(values)
        steps = [1] if key == "AP" else [values["inc" + key]] if len(shape) == 1 else [1, values["ld" + key.lower()]]
        if steps[-1] < (1 if len(shape) == 1 else max(1, shape[0])):
            return False
        made[key] = _view(values[key], shape, steps, _DTYPES[letter])
    return made


def _reads(routine, values):
    """Whether cuBLAS would read arrays though their factor is 0; it does not tell, the stand-in does."""
    if routine.name == "geam":  # where both are 0 it reads neither
        return values["alpha"] != 0
    return values.get("k") != 0 or "C" not in values


def _run(name, letter, raw):
    if name == "gemmStridedBatched":
        return _run_batched(letter, raw)
    values = _numbers(name, PARAMETERS[name].split(), letter, raw)
    routine = _blas_table.TABLE["dot" if name == "dotu" else name]
    arrays = _arrays(routine, values, letter)
    if arrays is False:
        return INVALID_VALUE
    if any(values[key] == 0 for key in routine.unheeded) and _reads(routine, values):
        return INTERNAL_ERROR
    result = getattr(_blas_host, routine.name)(*({**values, **arrays}[key] for key in routine.names))
    if name in ("amax", "amin"):
        _view(values["out"], [1], [1], "i4")[0] = result + 1
    elif "out" in values:
        of_result = {"c": "s", "z": "d"}.get(letter, letter) if name in ("asum", "nrm2") else letter
        _view(values["out"], [1], [1], _DTYPES[of_result])[0] = result
    return SUCCESS


def _run_batched(letter, raw):
    parameters = PARAMETERS["gemmStridedBatched"].split()
    values = _numbers("gemm", parameters, letter, raw)
    item = np.dtype(_DTYPES[letter]).itemsize
    for i in range(values["batch"]):
        moved = [
            value + i * values["stride" + key.lower()] * item if key in "ABC" else value
            for key, value in zip(parameters, raw)
            if not key.startswith("stride") and key != "batch"
        ]
        result = _run("gemm", letter, moved)
        if result:
            return result
    return SUCCESS


@ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_char_p, ctypes.c_char, ctypes.c_void_p, ctypes.POINTER(ctypes.c_uint64))
def _routine(name, letter, stream, values):
    calls.append((name.decode(), letter.decode()))
    try:
        return _run(name.decode(), letter.decode(), values[: len(PARAMETERS[name.decode()].split())])
    except Exception:
        traceback.print_exc()
        return INTERNAL_ERROR


ctypes.CDLL(os.path.join(os.environ["PYARRAY_CUDA_LIBRARIES"], "libcublas.so")).fake_blas_set(_routine)
