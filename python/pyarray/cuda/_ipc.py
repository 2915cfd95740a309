"""Device memory that processes share: handles, which pickle, and what opens them."""

from contextlib import contextmanager

import numpy as np

from .._pyarray import cuda as _cuda
from ._arrays import DeviceNDArray, _layout
from ._values import whole

_HANDLE_BYTES = 64  # as the driver has it


def _raw(handle):
    """The bytes of a handle: of an object with the buffer protocol, or of the numbers that it holds, signed or not."""
    try:
        raw = memoryview(handle).tobytes()
    except TypeError:
        if isinstance(handle, str) or not hasattr(handle, "__iter__"):
            raise TypeError(f"a handle of memory is {_HANDLE_BYTES} bytes, not {type(handle).__name__}") from None
        raw = bytes(whole(byte, "a byte of a handle", -128, 255) & 0xFF for byte in handle)
    if len(raw) != _HANDLE_BYTES:
        raise ValueError(f"a handle of memory has {_HANDLE_BYTES} bytes, not {len(raw)}")
    return raw


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
        self.base, self.handle, self.size = base, _raw(handle), whole(size, "size", most=2**63 - 1)
        self.source_info, self.offset = source_info, whole(offset, "offset", most=self.size)
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
        """A device array over the memory, until `close`; ValueError where it leaves the memory."""
        shape, dtype, strides = _layout(shape, dtype, strides, "C")
        memory = self._opened()
        try:
            return DeviceNDArray(shape, strides, dtype, None, memory, memory.address + self.offset)
        except BaseException:
            self.close()
            raise

    def close(self):
        """Give the memory up; arrays over it are refused from now on (ValueError)."""
        if self._memory is None:
            raise ValueError("IpcHandle not opened")
        _cuda.unpin(self._memory)
        self._memory = None

    def __reduce__(self):
        return IpcHandle, (None, self.handle, self.size, self.source_info, self.offset)


class IpcArrayHandle:
    """A handle of a device array: ``with handle as array:`` in another process, or `open` and `close`. It pickles."""

    def __init__(self, ipc_handle, array_desc):
        if not hasattr(ipc_handle, "open_array"):
            raise TypeError(f"a handle of an array is made of an IpcHandle, not of {type(ipc_handle).__name__}")
        try:
            self._ipc_handle, self._array_desc = ipc_handle, dict(array_desc)
        except (TypeError, ValueError):
            raise TypeError(
                f"array_desc is a dict with shape, dtype and strides, not {type(array_desc).__name__}"
            ) from None

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
    managed = _cuda.ipc_prepare(array._alive())  # memory from the pool moves to an allocation of its own
    if managed is None:
        handle = handle_of_memory(array, array)
    else:
        offset = array._address - managed.device_pointer_value
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
    extents, dtype, steps = _layout(shape, dtype, strides, "C")
    offset = whole(offset, "offset", most=2**63 - 1)
    behind = [(n - 1) * step for n, step in zip(extents, steps, strict=True) if step > 0]
    span = 0 if 0 in extents else sum(behind) + dtype.itemsize
    opened = IpcHandle(None, handle, offset + span, None, offset)
    array = opened.open_array(None, extents, np.dtype(dtype), steps)
    try:
        yield array
    finally:
        opened.close()
