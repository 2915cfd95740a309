"""Device arrays under the names of ``numba.cuda.cudadrv.devicearray``."""

from .._arrays import DeviceNDArray, DeviceRecord  # noqa: F401
from .._host_arrays import ManagedNDArray, MappedNDArray  # noqa: F401


def is_cuda_ndarray(obj):
    """Whether an object is an array that devices see, of this library."""
    return getattr(obj, "__cuda_ndarray__", False)
