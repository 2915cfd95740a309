"""Exceptions under the names of ``numba.cuda.cudadrv.error``."""

from .._errors import (  # noqa: F401
    CudaDriverError,
    CudaRuntimeError,
    CudaSupportError,
    NvvmError,
    NvvmSupportError,
    NvvmWarning,
)
