"""The routines of the library that stands in for cuSOLVER (test/cuda/fake_cusolver.c), by SciPy's LAPACK over the
host's memory, and those of several matrices of the one for cuBLAS.

Importing it opens the stand-ins, where PYARRAY_CUDA_LIBRARIES is their folder, on emulated devices too, whose memory is
the host's; ``calls`` are the routines called since, each with its dtype's letter.
"""

import ctypes
import os
import traceback

import numpy as np
from pyarray._pyarray import cuda as _cuda
from scipy.linalg import lapack

INTERNAL_ERROR = 7
WORK = 8  # numbers that each routine asks for

# Arguments behind the handle, as cuSOLVER's and cuBLAS's documentation has them.
PARAMETERS = {
    "getrf": "m n A lda work pivots info",
    "getrs": "trans n sides A lda pivots B ldb info",
    "potrf": "uplo n A lda work lwork info",
    "potrfBatched": "uplo n As lda infos batch",
    "geqrf": "m n A lda tau work lwork info",
    "orgqr": "m n k A lda tau work lwork info",
    "syevd": "jobz uplo n A lda W work lwork info",
    "gesvd": "jobu jobv m n A lda S U ldu V ldv work lwork rwork info",
    "getrf_bufferSize": "m n A lda size",
    "potrf_bufferSize": "uplo n A lda size",
    "geqrf_bufferSize": "m n A lda size",
    "orgqr_bufferSize": "m n k A lda tau size",
    "syevd_bufferSize": "jobz uplo n A lda W size",
    "gesvd_bufferSize": "m n size",
    "syevBatched_bufferSize": "params jobz uplo n type A lda wtype W ctype size host_size batch",
    "syevBatched": "params jobz uplo n type A lda wtype W ctype work bytes host_work host_bytes infos batch",
    "getrfBatched": "n As lda pivots infos batch",
    "getrsBatched": "trans n sides As lda pivots Bs ldb host_info batch",
}
_INTS = "m n k lda ldb ldu ldv trans sides uplo lwork jobz batch".split()
_LAPACK_NAMES = {"d": {}, "z": {"orgqr": "ungqr", "syevd": "heevd"}}

calls = []


def _memory(address, shape, dtype):
    """An array over memory, by columns."""
    count = int(np.prod(shape))
    if not count:
        return np.empty(shape, dtype, order="F")
    memory = (ctypes.c_char * (count * np.dtype(dtype).itemsize)).from_address(address)
    return np.ndarray(shape, dtype, memory, order="F")


class _Call:
    """Arguments by name: matrices are arrays when they are asked for."""

    def __init__(self, name, letter, raw):
        self.values = dict(zip(PARAMETERS[name].split(), raw))
        self.dtype = np.dtype("f8" if letter == "d" else "c16")
        for key in _INTS:
            if key in self.values:
                self.values[key] = ctypes.c_int(self.values[key] & 0xFFFFFFFF).value

    def __getattr__(self, key):
        return self.values[key]

    def matrix(self, key, rows, columns, dtype=None):
        return _memory(self.values[key], (rows, columns), dtype or self.dtype)

    def vector(self, key, count, dtype=None):
        return _memory(self.values[key], (count,), dtype or self.dtype)

    def addresses(self, key):
        return self.vector(key, self.batch, np.uint64)

    def routine(self, name):
        letter = "d" if self.dtype.kind == "f" else "z"
        return getattr(lapack, letter + _LAPACK_NAMES[letter].get(name, name))

    def tell(self, info):
        self.vector("info", 1, np.int32)[0] = info


def _getrf(c):
    a = c.matrix("A", c.m, c.n)
    a[...], pivots, info = c.routine("getrf")(a)
    c.vector("pivots", min(c.m, c.n), np.int32)[...] = pivots + 1
    c.tell(info)


def _getrs(c):
    a, b, pivots = c.matrix("A", c.n, c.n), c.matrix("B", c.n, c.sides), c.vector("pivots", c.n, np.int32)
    b[...], info = c.routine("getrs")(a, pivots - 1, b, trans=c.trans)
    c.tell(info)


def _potrf(c):
    a = c.matrix("A", c.n, c.n)
    a[...], info = c.routine("potrf")(a, lower=not c.uplo, clean=False)
    c.tell(info)


def _geqrf(c):
    a = c.matrix("A", c.m, c.n)
    a[...], tau, _, info = c.routine("geqrf")(a)
    c.vector("tau", min(c.m, c.n))[...] = tau
    c.tell(info)


def _orgqr(c):
    a = c.matrix("A", c.m, c.n)
    a[...], _, info = c.routine("orgqr")(a, c.vector("tau", c.k))
    c.tell(info)


def _syevd(c):
    a = c.matrix("A", c.n, c.n)
    w, vectors, info = c.routine("syevd")(a, compute_v=c.jobz, lower=not c.uplo)
    c.vector("W", c.n, np.float64)[...] = w
    a[...] = vectors if c.jobz else np.nan
    c.tell(info)


def _gesvd(c):
    job = chr(c.jobu & 0xFF)
    assert c.m >= c.n and job == chr(c.jobv & 0xFF)
    a = c.matrix("A", c.m, c.n)
    u, s, v, info = c.routine("gesvd")(a, compute_uv=job != "N", full_matrices=job == "A")
    c.vector("S", c.n, np.float64)[...] = s
    if job != "N":
        c.matrix("U", c.m, c.m if job == "A" else c.n)[...] = u
        c.matrix("V", c.n, c.n)[...] = v
    a[...] = np.nan
    c.tell(info)


def _one_of(c, i, **moved):
    one = object.__new__(_Call)
    one.values = {**c.values, **moved, "info": c.infos + 4 * i if "infos" in c.values else ctypes.addressof(_SPARE)}
    one.dtype = c.dtype
    return one


_SPARE = ctypes.c_int()


def _potrf_batched(c):
    for i, a in enumerate(c.addresses("As")):
        _potrf(_one_of(c, i, A=int(a)))


def _syev_batched(c):
    assert c.bytes == c.host_bytes == WORK
    item = c.dtype.itemsize
    for i in range(c.batch):
        _syevd(_one_of(c, i, A=c.A + item * i * c.n * c.n, W=c.W + 8 * i * c.n))


def _getrf_batched(c):
    for i, a in enumerate(c.addresses("As")):
        _getrf(_one_of(c, i, A=int(a), m=c.n, pivots=c.pivots + 4 * i * c.n))


def _getrs_batched(c):
    for i, (a, b) in enumerate(zip(c.addresses("As"), c.addresses("Bs"))):
        _getrs(_one_of(c, i, A=int(a), B=int(b), pivots=c.pivots + 4 * i * c.n))
    ctypes.c_int.from_address(c.host_info).value = 0


_ROUTINES = {
    "getrf": _getrf,
    "getrs": _getrs,
    "potrf": _potrf,
    "geqrf": _geqrf,
    "orgqr": _orgqr,
    "syevd": _syevd,
    "gesvd": _gesvd,
    "potrfBatched": _potrf_batched,
    "syevBatched": _syev_batched,
    "getrfBatched": _getrf_batched,
    "getrsBatched": _getrs_batched,
}


def _run(name, letter, values):
    calls.append((name, letter))
    try:
        call = _Call(name, letter, values[: len(PARAMETERS[name].split())])
        if name.endswith("_bufferSize"):
            for key in ("size", "host_size"):
                if key in call.values:
                    call.vector(key, 1, np.int64 if "host_size" in call.values else np.int32)[0] = WORK
        else:
            _ROUTINES[name](call)
        return 0
    except Exception:
        traceback.print_exc()
        return INTERNAL_ERROR


_VALUES = ctypes.POINTER(ctypes.c_uint64)


@ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_char_p, ctypes.c_char, _VALUES)
def _solver_routine(name, letter, values):
    return _run(name.decode(), letter.decode(), values)


@ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_char_p, ctypes.c_char, ctypes.c_void_p, _VALUES)
def _blas_routine(name, letter, stream, values):
    return _run(name.decode(), letter.decode(), values)


def _open(name, setter, routine):
    path = os.path.join(os.environ["PYARRAY_CUDA_LIBRARIES"], f"lib{name}.so")
    _cuda.open_library(name, [path])
    getattr(ctypes.CDLL(path), setter)(routine)


_open("cusolver", "fake_solver_set", _solver_routine)
_open("cublas", "fake_blas_set", _blas_routine)
