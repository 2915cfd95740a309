"""Exceptions under the names of ``numba.cuda.errors``."""

from ._errors import CudaLoweringError, KernelRuntimeError  # noqa: F401
