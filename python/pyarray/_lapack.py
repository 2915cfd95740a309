"""Functions of LAPACK under the names by which compiled code of libraries calls Numba's own."""

import ctypes
import functools

import numpy as np

from . import types
from .decorators import njit
from .extending import get_cython_function_address

_LETTERS = {types.float32: "s", types.float64: "d", types.complex64: "c", types.complex128: "z"}


@functools.cache
def _gesv_of(letter):
    parameters = [ctypes.c_void_p] * 8  # Fortran takes addresses alone
    address = get_cython_function_address("scipy.linalg.cython_lapack", f"{letter}gesv")
    gesv = ctypes.CFUNCTYPE(None, *parameters)(address)

    @njit
    def numba_xgesv(kind, n, nrhs, a, lda, ipiv, b, ldb):
        numbers = np.array([n, nrhs, lda, ldb, 0], np.int32)
        gesv(
            numbers[0:].ctypes,
            numbers[1:].ctypes,
            a,
            numbers[2:].ctypes,
            ipiv,
            b,
            numbers[3:].ctypes,
            numbers[4:].ctypes,
        )
        return numbers[4]

    return numba_xgesv


class _LAPACK:
    """Those of them that libraries ask for."""

    @staticmethod
    def numba_xgesv(dtype):
        """Solves ``a x = b`` in place: (kind, n, nrhs, a.ctypes, lda, ipiv.ctypes, b.ctypes, ldb)."""
        return _gesv_of(_LETTERS[dtype])

    def __getattr__(self, name):
        from ._not_here import missing

        return missing("pyarray.np.linalg._LAPACK", name)
