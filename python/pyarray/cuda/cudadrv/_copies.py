"""Copies by addresses, as programs for Numba's driver layer make them."""

import numpy as np

from ..._pyarray import cuda as _cuda
from .._arrays import DeviceNDArray


def is_device_memory(obj):
    """Whether an object stands for device memory: ``__cuda_memory__``."""
    return getattr(obj, "__cuda_memory__", False)


def require_device_memory(obj):
    """TypeError where an object does not."""
    if not is_device_memory(obj):
        raise TypeError(f"Not a CUDA memory object: {type(obj).__name__}")


def device_pointer(obj):
    """The address of device memory, an int."""
    require_device_memory(obj)
    address = getattr(obj, "address", None)
    return address if address is not None else (obj.device_pointer_value or 0)


def device_ctypes_pointer(obj):
    """The same as a ``ctypes.c_void_p``."""
    from ctypes import c_void_p

    return c_void_p(device_pointer(obj) or None)


def device_memory_size(devmem):
    """The bytes of device memory."""
    require_device_memory(devmem)
    return devmem.nbytes if isinstance(devmem, DeviceNDArray) else devmem.size


def device_extents(devmem):
    """The addresses where device memory begins and ends."""
    start = device_pointer(devmem)
    return start, start + device_memory_size(devmem)


def host_pointer(obj, readonly=False):
    """The address of an object with a buffer; of an int, itself."""
    return obj if isinstance(obj, int) else np.frombuffer(obj, np.uint8).ctypes.data if np.size(obj) else 0


def host_memory_size(obj):
    """The bytes of an object with a buffer."""
    return memoryview(obj).nbytes


def _bytes_on_device(memory, size, what):
    if not 0 <= size <= device_memory_size(memory):
        raise ValueError(f"{what}: {size} bytes of {device_memory_size(memory)}")
    return DeviceNDArray(size, None, "u1", None, memory, device_pointer(memory))


def _bytes_on_host(memory, size, what):
    view = np.frombuffer(memory, np.uint8)
    if not 0 <= size <= view.size:
        raise ValueError(f"{what}: {size} bytes of {view.size}")
    return view[:size]


def host_to_device(dst, src, size, stream=0):
    """Copy bytes of an object with a buffer to device memory."""
    source = _bytes_on_host(src, size, "host_to_device()")
    _cuda.array_copy(_bytes_on_device(dst, size, "host_to_device()"), source, stream, False)


def device_to_host(dst, src, size, stream=0):
    """Copy bytes of device memory to an object with a buffer that can be written."""
    target = _bytes_on_host(dst, size, "device_to_host()")
    if not target.flags.writeable:
        raise ValueError("device_to_host(): the memory is read-only")
    _cuda.array_copy(target, _bytes_on_device(src, size, "device_to_host()"), stream, stream == 0)


def device_to_device(dst, src, size, stream=0):
    """Copy bytes within a device."""
    what = "device_to_device()"
    _cuda.array_copy(_bytes_on_device(dst, size, what), _bytes_on_device(src, size, what), stream, False)


def device_memset(dst, val, size, stream=0):
    """Set bytes of device memory to a value from 0 to 255."""
    _bytes_on_device(dst, size, "device_memset()").setitem(..., np.uint8(val), stream=stream)
