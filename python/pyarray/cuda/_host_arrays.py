"""Host memory that devices see, and how host arrays are copied around a launch."""

from contextlib import contextmanager

import numpy as np

from .._pyarray import cuda as _cuda
from ._arrays import DeviceNDArray, _layout, _like, _SeenByDevice
from ._memory_managers import allocate_host, pin


class MappedNDArray(_SeenByDevice):
    """Pinned host memory that the device reads and writes over the bus."""


_ADVICE = {"read_mostly": 1, "preferred_location": 3, "accessed_by": 5}  # of the driver; not so any more: one more


def _ordinal(device):
    """-1 for the host ("cpu"), else the number of the device; None: the current one."""
    from ._devices import get_current_device

    if isinstance(device, str) and device == "cpu":
        return -1
    device = get_current_device() if device is None else device
    number = getattr(device, "id", device)
    if not hasattr(number, "__index__"):
        raise TypeError(f'a device is "cpu", a number or a Device, not {device!r}')
    return int(number)


class ManagedNDArray(_SeenByDevice):
    """Memory that moves between host and device by itself."""

    def _range(self):
        """Address and bytes of what lies between the first element and the last."""
        reaches = [(extent - 1) * stride for extent, stride in zip(self.shape, self.strides, strict=True)]
        low, high = sum(min(reach, 0) for reach in reaches), sum(max(reach, 0) for reach in reaches)
        return self.device_array.__cuda_array_interface__["data"][0] + low, high - low + self.itemsize

    def prefetch(self, device=None, stream=0):
        """Move the array to a device, or with ``"cpu"`` to the host, before it is used there.

        Parameters
        ----------
        device : Device, int or "cpu", optional
            The current device by default.
        stream : Stream, optional
            When the stream comes to it.
        """
        if self.size:
            _cuda.prefetch(*self._range(), _ordinal(device), stream)

    def advise(self, advice, device=None, on=True):
        """Say how the array will be used, which changes nothing but how fast that is.

        Parameters
        ----------
        advice : {"read_mostly", "preferred_location", "accessed_by"}
            Each processor may have a copy; where it is to stay; who is to reach it without a fault.
        device : Device, int or "cpu", optional
            Whom it is about; the current device by default.
        on : bool
            False takes the advice back.
        """
        if advice not in _ADVICE:
            raise ValueError(f"advice is one of {', '.join(map(repr, _ADVICE))}, not {advice!r}")
        if self.size:
            _cuda.advise(*self._range(), _ADVICE[advice] + (not on), _ordinal(device))


def _bytes(shape, dtype, strides):
    if 0 in shape:
        return 0
    if any(extent < 0 for extent in shape):
        raise ValueError("negative dimensions are not allowed")
    if any(stride < 0 for stride in strides):
        raise ValueError("strides must not be negative")
    return dtype.itemsize + sum((extent - 1) * stride for extent, stride in zip(shape, strides, strict=True))


def _over(kind, memory, shape, dtype, strides):
    return np.ndarray.__new__(kind, shape, dtype, buffer=memory, strides=strides)


def pinned_array(shape, dtype=np.float64, strides=None, order="C"):
    """A NumPy array in memory that is not pageable: copies of it are fast, and run beside other work."""
    shape, dtype, strides = _layout(shape, dtype, strides, order)
    return _over(np.ndarray, allocate_host("pinned", _bytes(shape, dtype, strides)), shape, dtype, strides)


def pinned_array_like(ary):
    return pinned_array(*_like(ary))


def mapped_array(shape, dtype=np.float64, strides=None, order="C", stream=0, portable=False, wc=False):
    """A NumPy array in pinned memory that kernels use without copying.

    Parameters
    ----------
    portable : bool
        For the contexts of all devices.
    wc : bool
        For Numba's programs; without effect.
    """
    shape, dtype, strides = _layout(shape, dtype, strides, order)
    memory = allocate_host("mapped", _bytes(shape, dtype, strides), portable, wc)
    return _over(MappedNDArray, memory, shape, dtype, strides)


def mapped_array_like(ary, stream=0, portable=False, wc=False):
    return mapped_array(*_like(ary), portable=portable, wc=wc)


def managed_array(shape, dtype=np.float64, strides=None, order="C", stream=0, attach_global=True):
    """A NumPy array in memory that the driver moves between host and device as they use it."""
    shape, dtype, strides = _layout(shape, dtype, strides, order)
    memory = allocate_host("managed", _bytes(shape, dtype, strides), attach_global=attach_global)
    return _over(ManagedNDArray, memory, shape, dtype, strides)


@contextmanager
def pinned(*arylist):
    """Make the memory of NumPy arrays not pageable within the block."""
    memories = []
    try:
        for ary in arylist:
            memories.append(pin(ary, False))
        yield
    finally:
        for memory in memories:
            _cuda.unpin(memory)


@contextmanager
def mapped(*arylist, stream=0):
    """Device arrays over the memory of NumPy arrays, within the block: one alone, or a list of them."""
    memories, arrays = [], []
    try:
        for ary in arylist:
            memories.append(pin(ary, True))
            read_only = not ary.flags.writeable
            arrays.append(DeviceNDArray(ary.shape, ary.strides, ary.dtype, stream, memories[-1], None, read_only))
        yield arrays[0] if len(arrays) == 1 else arrays
    finally:
        try:
            if memories:
                _cuda.synchronize(None)
        finally:
            for memory in memories:
                _cuda.unpin(memory)


# ------------------------------------------------------------------------------------------------
# How host arrays are copied around a launch


class In(_cuda.Transfer):
    """``kernel[...](cuda.In(a))``: a host array that is copied to the device before the launch, and not back."""

    def __new__(cls, value):
        return super().__new__(cls, value, 1)


class Out(_cuda.Transfer):
    """``kernel[...](cuda.Out(a))``: a host array that is copied back after the launch; the kernel sees no values."""

    def __new__(cls, value):
        return super().__new__(cls, value, 2)


class InOut(_cuda.Transfer):
    """``kernel[...](cuda.InOut(a))``: both, as for host arrays without one of these names."""

    def __new__(cls, value):
        return super().__new__(cls, value, 3)
