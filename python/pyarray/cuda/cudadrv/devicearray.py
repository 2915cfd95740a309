"""Device arrays under the names of ``numba.cuda.cudadrv.devicearray``."""

import numpy as np

from .._arrays import DeviceNDArray, _on_device, device_array_like, to_device
from .._host_arrays import ManagedNDArray, MappedNDArray  # noqa: F401
from .._ipc import IpcArrayHandle  # noqa: F401
from .._records import DeviceRecord

DeviceNDArrayBase = DeviceNDArray


def is_cuda_ndarray(obj):
    """Whether an object is an array that devices see, of this library."""
    return getattr(obj, "__cuda_ndarray__", False)


def require_cuda_ndarray(obj):
    """ValueError where an object is none."""
    if not is_cuda_ndarray(obj):
        raise ValueError("require an cuda ndarray object")


def from_array_like(ary, stream=0, gpu_data=None):
    """A device array of an array's shape, strides and dtype, over memory that is given, or new."""
    if gpu_data is None:
        return device_array_like(ary, stream=stream)
    return DeviceNDArray(ary.shape, ary.strides, ary.dtype, stream or None, gpu_data)


def from_record_like(rec, stream=0, gpu_data=None):
    """A device record of a record's dtype."""
    return DeviceRecord((), None, np.dtype(rec.dtype), stream or None, gpu_data)


def is_contiguous(ary):
    """Whether an array is contiguous in C order, but for axes that are broadcast."""
    return array_core(ary).flags["C_CONTIGUOUS"]


def array_core(ary):
    """The array without its broadcast axes: the elements that there are."""
    if not ary.strides or not ary.size:
        return ary
    return ary[tuple(0 if step == 0 else slice(None) for step in ary.strides)]


def auto_device(obj, stream=0, copy=True, user_explicit=False):
    """A device array of an object, and whether it is new: what is on a device is taken as it is."""
    found = _on_device(obj, stream)
    return (found, False) if found is not None else (to_device(obj, stream, copy), True)


def check_array_compatibility(ary1, ary2):
    """TypeError or ValueError where one array cannot be copied to the other."""
    if ary1.dtype != ary2.dtype:
        raise TypeError(f"incompatible dtype: {ary1.dtype} vs. {ary2.dtype}")
    if ary1.shape != ary2.shape:
        raise ValueError(f"incompatible shape: {ary1.shape} vs. {ary2.shape}")
