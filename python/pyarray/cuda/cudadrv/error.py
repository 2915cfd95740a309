"""Exceptions under the names of ``numba.cuda.cudadrv.error``."""

from .._errors import CudaDriverError, CudaRuntimeError, CudaSupportError, NvvmError, NvvmSupportError  # noqa: F401
