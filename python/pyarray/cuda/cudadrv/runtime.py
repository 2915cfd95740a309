"""The version of CUDA, under the names of ``numba.cuda.cudadrv.runtime``; the runtime library itself is not needed."""

from .._devices import runtime  # noqa: F401
from .._errors import CudaRuntimeError

Runtime = type(runtime)


class CudaRuntimeAPIError(CudaRuntimeError):
    """Kept for Numba's hierarchy."""
