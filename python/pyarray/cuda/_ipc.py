"""Device memory that processes share: handles, which pickle, and what opens them."""

from contextlib import contextmanager

import numpy as np

from .._pyarray import cuda as _cuda
from ._arrays import DeviceNDArray, _extents, _layout

_HANDLE_BYTES = 64  # as the driver has it


class IpcHandle:
    """A handle of device memory for another process.

    The memory has to stay in the process that has made it while others have it open; a handle that was made there
    keeps it. A process cannot open its own.

    Parameters
    ----------
    base : object
        What keeps the memory, in the process that makes the handle; else None.
    handle : bytes
        The driver's, of the whole allocation: 64 bytes.
    size : int
        Bytes of the allocation.
    source_info : dict, optional
        Identity of the device (`Device.get_device_identity`); without, or where this process does not see that device,
        it is opened on the current one.
    offset : int
        Where in the allocation the memory begins, in bytes.
    """

    def __init__(self, base, handle, size, source_info=None, offset=0):
        self.base, self.handle, self.size = base, bytes(handle), size
        self.source_info, self.offset = source_info, offset
        self._memory = None

    def _device(self):
        from ._devices import Device, get_current_device

        try:
            return Device.from_identity(self.source_info) if self.source_info else get_current_device()
        except RuntimeError:
            return get_current_device()

    def _opened(self):
        if self._memory is not None:
            raise ValueError("IpcHandle is already opened")
        with self._device():
            self._memory = _cuda.ipc_open(self.handle, self.size)
        return self._memory

    def open(self, context=None):
        """The memory, a MemoryPointer, until `close`."""
        from ._memory_managers import MemoryPointer

        memory = self._opened()
        return MemoryPointer(context, memory.address + self.offset, self.size - self.offset, owner=memory)

    open_direct = open

    def open_array(self, context, shape, dtype, strides=None):
        """A device array over the memory, until `close`."""
        shape, dtype, strides = _layout(shape, dtype, strides, "C")
        memory = self._opened()
        return DeviceNDArray(shape, strides, dtype, None, memory, memory.address + self.offset)

    def close(self):
        """Give the memory up; arrays over it cannot be used any more."""
        if self._memory is None:
            raise ValueError("IpcHandle not opened")
        _cuda.unpin(self._memory)
        self._memory = None

    def __reduce__(self):
        return IpcHandle, (None, self.handle, self.size, self.source_info, self.offset)


class IpcArrayHandle:
    """A handle of a device array: ``with handle as array:`` in another process, or `open` and `close`. It pickles."""

    def __init__(self, ipc_handle, array_desc):
        self._ipc_handle, self._array_desc = ipc_handle, array_desc

    def open(self):
        """The device array."""
        return self._ipc_handle.open_array(None, **self._array_desc)

    def close(self):
        """Give it up."""
        self._ipc_handle.close()

    def __enter__(self):
        return self.open()

    def __exit__(self, *exception):
        self.close()

    def __reduce__(self):
        return IpcArrayHandle, (self._ipc_handle, self._array_desc)


def handle_of_memory(array, base):
    """The IpcHandle of the memory that a device array lies in, which ``base`` keeps."""
    from ._devices import gpus

    handle, offset, size = _cuda.ipc_export(array)
    return IpcHandle(base, handle, size, gpus[array._ordinal].get_device_identity(), offset)


def handle_of_array(array):
    """What ``DeviceNDArray.get_ipc_handle`` gives."""
    from ._memory_managers import manager_of

    if array.size == 0:
        raise ValueError("an array without elements has no memory to share")
    managed = _cuda.ipc_prepare(array)  # memory from the pool moves to an allocation of its own
    if managed is None:
        handle = handle_of_memory(array, array)
    else:
        offset = array.address - managed.device_pointer_value
        handle = manager_of(array._ordinal).get_ipc_handle(managed.view(offset) if offset else managed)
    return IpcArrayHandle(handle, {"shape": array.shape, "dtype": array.dtype, "strides": array.strides})


@contextmanager
def open_ipc_array(handle, shape, dtype, strides=None, offset=0):
    """A device array over memory of another process, within the block.

    Parameters
    ----------
    handle : bytes or sequence of int
        The driver's 64 bytes.
    shape : int or tuple of int
    dtype : dtype
    strides : tuple of int, optional
        In bytes; C order by default.
    offset : int
        Where the array begins in the allocation that the handle is of, in bytes.
    """
    raw = bytes(byte & 0xFF for byte in handle) if not isinstance(handle, bytes) else handle
    if len(raw) != _HANDLE_BYTES:
        raise ValueError(f"a handle of memory has {_HANDLE_BYTES} bytes, not {len(raw)}")
    extents, dtype, steps = _layout(shape, dtype, strides, "C")
    span = sum((n - 1) * step for n, step in zip(_extents(extents), steps, strict=True)) + dtype.itemsize
    opened = IpcHandle(None, raw, span + offset, None, offset)
    array = opened.open_array(None, extents, np.dtype(dtype), steps)
    try:
        yield array
    finally:
        opened.close()
