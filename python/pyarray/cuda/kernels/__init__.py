"""Kernels that are there, under the names of ``numba.cuda.kernels``."""

from . import reduction, transpose  # noqa: F401
