"""Arrays on devices, and host memory that devices see."""

import operator
from contextlib import contextmanager

import numpy as np

from .._pyarray import cuda as _cuda

_ARRAYLESS = (int, float, complex, bool, np.generic)


class DeviceNDArray(_cuda.DeviceArray):
    """An array on a device. Slices, ``reshape``, ``T`` and the like are views, as NumPy's are; elements are copied.

    Parameters
    ----------
    shape : int or tuple of int
    strides : tuple of int, optional
        In bytes; C order by default.
    dtype : dtype
    stream : Stream, optional
        Of copies that name none.
    gpu_data : Memory, optional
        What the elements are in; new memory, not cleared, by default.
    """

    __cuda_memory__ = __cuda_ndarray__ = True

    # -- copies

    def _stream(self, stream):
        return self.stream if isinstance(stream, int) and stream == 0 else stream

    def copy_to_host(self, ary=None, stream=0):
        """The elements as a NumPy array, in ``ary`` if that is given.

        With a stream the copy is part of it, and to pinned memory it may not be done yet when this returns.
        """
        stream = self._stream(stream)
        if ary is None:
            ary = np.empty(self.shape, self.dtype, order="F" if self.layout == "F" else "C")
        elif not isinstance(ary, np.ndarray):
            raise TypeError(f"elements are copied to a NumPy array, not to {type(ary).__name__}")
        elif not ary.flags.writeable:
            raise ValueError("the array to copy to is read-only")
        _cuda.array_copy(ary, self, stream, stream == 0)
        return ary

    def copy_to_device(self, ary, stream=0):
        """Take over the elements of another array of the same shape and dtype, on the host or a device."""
        if self.readonly:
            raise ValueError("the device array is read-only")
        stream = self._stream(stream)
        source = _on_device(ary, stream)
        _cuda.array_copy(self, np.asarray(ary) if source is None else self._apart(source, stream), stream, False)

    def __array__(self, dtype=None, copy=None):
        """A copy on the host, for NumPy's functions."""
        if copy is False:
            raise ValueError("a device array is only seen by the host as a copy")
        host = self.copy_to_host()
        return host if dtype is None else host.astype(dtype, copy=False)

    def _apart(self, source, stream):
        """``source``, or a copy of it where a copy to this array would change elements before they are read."""
        if source._ordinal != self._ordinal or not np.may_share_memory(self._shadow(), source._shadow()):
            return source
        if source.address == self.address and source.strides == self.strides:
            return source
        copy = device_array(source.shape, source.dtype)
        _cuda.array_copy(copy, source, stream, False)
        return copy

    # -- views

    def _view(self, item):
        """The view that basic indexing gives, and whether the index names one element."""
        items = item if isinstance(item, tuple) else (item,)
        for part in items:
            if not (part is None or part is Ellipsis or isinstance(part, (slice, str))):
                if isinstance(part, (bool, np.bool_, list, np.ndarray)) or not hasattr(part, "__index__"):
                    raise NotImplementedError(
                        f"device arrays are indexed by ints and slices, not by {type(part).__name__}"
                    )
                operator.index(part)
        whole = any(part is Ellipsis or isinstance(part, str) for part in items)
        view = self._shadow()[item if whole else (*items, ...)]
        return self._from_shadow(view), not whole and view.ndim == 0

    def __getitem__(self, item):
        view, is_element = self._view(item)
        return view.copy_to_host()[()] if is_element else view

    def getitem(self, item, stream=0):
        """``self[item]``; an element is copied in a stream."""
        view, is_element = self._view(item)
        return view.copy_to_host(stream=stream)[()] if is_element else view

    def __setitem__(self, key, value):
        self.setitem(key, value)

    def setitem(self, key, value, stream=0):
        """``self[key] = value`` in a stream; ``value`` is broadcast, and converted to this array's dtype."""
        if self.readonly:
            raise ValueError("the device array is read-only")
        view, _ = self._view(key)
        stream = self._stream(stream)
        source = _on_device(value, stream)
        if source is not None and source.dtype == self.dtype:
            source = view._apart(source, stream)
            source = source._from_shadow(np.broadcast_to(source._shadow(), view.shape))
        else:
            host = value if source is None else source.copy_to_host(stream=stream)
            source = np.ascontiguousarray(np.broadcast_to(np.asarray(host).astype(self.dtype), view.shape))
            source = source.reshape(view.shape)
        _cuda.array_copy(view, source, stream, False)

    def __iter__(self):
        return (self[i] for i in range(len(self)))

    def reshape(self, *newshape, order="C"):
        """A view of another shape. The array must be contiguous in ``order``."""
        shape = newshape[0] if len(newshape) == 1 and isinstance(newshape[0], (tuple, list)) else newshape
        shadow = self._shadow()
        order = ("F" if self.layout == "F" else "C") if order == "A" else order
        if not (shadow.flags.f_contiguous if order == "F" else shadow.flags.c_contiguous):
            raise NotImplementedError("reshape would require copy")
        return self._from_shadow(shadow.reshape(shape, order=order))

    def ravel(self, order="C", stream=0):
        """The elements in one dimension: a view where they are contiguous, else a copy on the device."""
        shadow = self._shadow()
        if order == "A":
            order = "F" if self.layout == "F" else "C"
        if shadow.flags.f_contiguous if order == "F" else shadow.flags.c_contiguous:
            return self.reshape(-1, order=order)
        copy = device_array(self.shape, self.dtype, order=order)
        _cuda.array_copy(copy, self, self._stream(stream), False)
        return copy.reshape(-1, order=order)

    def transpose(self, axes=None):
        """A view with the dimensions in another order."""
        return self._from_shadow(self._shadow().transpose(axes))

    @property
    def T(self):  # noqa: N802
        return self.transpose()

    def view(self, dtype):
        """The same memory as elements of another dtype."""
        return self._from_shadow(self._shadow().view(dtype))

    def squeeze(self, axis=None, stream=0):
        """A view without the dimensions whose extent is 1."""
        return self._from_shadow(self._shadow().squeeze(axis))

    def split(self, section, stream=0):
        """Views of ``section`` elements each; the last may have fewer."""
        if self.ndim != 1:
            raise ValueError("only support 1d array")
        if self.strides[0] != self.itemsize:
            raise ValueError("only support unit stride")
        for start in range(0, self.size, section):
            part = self[start : start + section]
            if stream != 0:
                part.stream = stream
            yield part

    def is_c_contiguous(self):
        return self._shadow().flags.c_contiguous

    def is_f_contiguous(self):
        return self._shadow().flags.f_contiguous

    def bind(self, stream=0):
        """The same array, whose copies use a stream where they name none."""
        bound = self._from_shadow(self._shadow())
        bound.stream = stream
        return bound

    # -- facts

    @property
    def device_pointer(self):
        return self.address

    @property
    def device_ctypes_pointer(self):
        from ctypes import c_void_p

        return c_void_p(self.address)

    @property
    def _numba_type_(self):
        from ..types import from_code

        return from_code(_code_of(self))

    def __repr__(self):
        return f"<DeviceNDArray {self.shape} {self.dtype} on device {self._ordinal}>"


def _code_of(array):
    from .._pyarray import type_code

    shadow = array._shadow()
    return type_code(shadow)


def _on_device(value, stream):
    """A device array over ``value``'s memory where that is on a device, else None."""
    if isinstance(value, DeviceNDArray):
        return value
    if isinstance(value, (np.ndarray, *_ARRAYLESS)):
        memory = _cuda.memory_of(value) if isinstance(value, _SeenByDevice) else None
        return None if memory is None else value.device_array
    return _cuda.array_over(value, DeviceNDArray, stream)


def _refuse_masked(value):
    if isinstance(value, np.ma.MaskedArray):
        raise TypeError(
            "numpy.ma.MaskedArray is not supported, since its mask would be ignored: pass a.filled(...) or a.data"
        )


# ------------------------------------------------------------------------------------------------
# Making device arrays


def _extents(value):
    return tuple(operator.index(part) for part in (value if isinstance(value, (tuple, list, np.ndarray)) else (value,)))


def _layout(shape, dtype, strides, order):
    """Shape as a tuple, dtype, strides in bytes."""
    shape = _extents(shape)
    dtype = np.dtype(dtype)
    if dtype.hasobject:
        raise TypeError(f"devices have no Python objects, such as the elements of an array of dtype {dtype}")
    if strides is not None:
        strides = _extents(strides)
        if len(strides) != len(shape):
            raise ValueError(f"strides have {len(strides)} dimensions, the shape has {len(shape)}")
    elif order in ("C", "F"):
        steps, step = [], dtype.itemsize
        for extent in reversed(shape) if order == "C" else shape:
            steps.append(step)
            step *= max(extent, 1)
        strides = tuple(reversed(steps)) if order == "C" else tuple(steps)
    else:
        raise ValueError(f"order is 'C' or 'F', not {order!r}")
    return shape, dtype, strides


def _bytes(shape, dtype, strides):
    if 0 in shape:
        return 0
    if any(extent < 0 for extent in shape):
        raise ValueError("negative dimensions are not allowed")
    if any(stride < 0 for stride in strides):
        raise ValueError("strides must not be negative")
    return dtype.itemsize + sum((extent - 1) * stride for extent, stride in zip(shape, strides, strict=True))


def _order_like(ary):
    flags = getattr(ary, "flags", None)
    fortran = flags.f_contiguous and not flags.c_contiguous if flags is not None else getattr(ary, "layout", "C") == "F"
    return "F" if fortran else "C"


def device_array(shape, dtype=np.float64, strides=None, order="C", stream=0):
    """A device array whose elements are not set."""
    shape, dtype, strides = _layout(shape, dtype, strides, order)
    return DeviceNDArray(shape, strides, dtype, None if isinstance(stream, int) and stream == 0 else stream)


def device_array_like(ary, stream=0):
    """A device array of the shape, dtype and order of another array."""
    return device_array(ary.shape, ary.dtype, order=_order_like(ary), stream=stream)


def to_device(obj, stream=0, copy=True, to=None):
    """Copy to the device.

    Parameters
    ----------
    obj : array_like
        What is on a device already is returned as it is, or as a view.
    stream : Stream, optional
        The copy is part of it, and the array's later copies too.
    copy : bool
        False: only allocate.
    to : DeviceNDArray, optional
        What to copy to, instead of a new array.
    """
    if to is not None:
        to.copy_to_device(obj, stream=stream)
        return to
    found = _on_device(obj, stream)
    if found is not None:
        return found
    _refuse_masked(obj)
    host = np.asarray(obj)
    made = device_array(host.shape, host.dtype, order=_order_like(host), stream=stream)
    if copy:
        made.copy_to_device(host, stream=stream)
    return made


def is_cuda_array(obj):
    """Whether an object has ``__cuda_array_interface__``."""
    return hasattr(obj, "__cuda_array_interface__")


def as_cuda_array(obj, sync=True):
    """A view of another library's array, by ``__cuda_array_interface__`` or DLPack.

    With ``sync``, what comes next in the default stream waits for the work of the stream that the other array names.
    """
    if isinstance(obj, DeviceNDArray):
        return obj
    if not sync and is_cuda_array(obj):
        return from_cuda_array_interface(obj.__cuda_array_interface__, obj, sync=False)
    array = _cuda.array_over(obj, DeviceNDArray, 0)
    if array is None:
        raise TypeError("*obj* doesn't implement the cuda array interface.")
    return array


class _Description:
    """A ``__cuda_array_interface__`` with what it describes."""

    def __init__(self, desc, owner):
        self.__cuda_array_interface__, self.owner = desc, owner


def from_cuda_array_interface(desc, owner=None, sync=True):
    """A device array over what a ``__cuda_array_interface__`` describes; keeps ``owner``."""
    if not sync:
        desc = {name: value for name, value in desc.items() if name != "stream"}
    return _cuda.array_over(_Description(desc, owner), DeviceNDArray, 0)


# ------------------------------------------------------------------------------------------------
# Host memory that devices see


class _SeenByDevice(np.ndarray):
    """A NumPy array whose memory kernels use as it is."""

    __cuda_memory__ = __cuda_ndarray__ = True

    @property
    def device_array(self):
        """The same memory as a device array."""
        memory = _cuda.memory_of(self)
        if memory is None:
            raise ValueError("the array is a copy, which devices do not see")
        address = memory.address + self.ctypes.data - np.frombuffer(memory, np.uint8).ctypes.data if self.size else 0
        return DeviceNDArray(self.shape, self.strides, self.dtype, None, memory, address, not self.flags.writeable)

    def __getattr__(self, name):
        # By name, so that copies, which devices do not see, have no such attribute.
        if name == "__cuda_array_interface__" and _cuda.memory_of(self) is not None:
            return self.device_array.__cuda_array_interface__
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def copy_to_host(self, ary=None, stream=0):
        return self.device_array.copy_to_host(ary, stream)

    def copy_to_device(self, ary, stream=0):
        self.device_array.copy_to_device(ary, stream)


class MappedNDArray(_SeenByDevice):
    """Pinned host memory that the device reads and writes over the bus."""


class ManagedNDArray(_SeenByDevice):
    """Memory that moves between host and device by itself."""


def _over(kind, memory, shape, dtype, strides):
    return np.ndarray.__new__(kind, shape, dtype, buffer=memory, strides=strides)


def pinned_array(shape, dtype=np.float64, strides=None, order="C"):
    """A NumPy array in memory that is not pageable: copies of it are fast, and run beside other work."""
    shape, dtype, strides = _layout(shape, dtype, strides, order)
    return _over(np.ndarray, _cuda.allocate("pinned", _bytes(shape, dtype, strides)), shape, dtype, strides)


def pinned_array_like(ary):
    return pinned_array(ary.shape, ary.dtype, order=_order_like(ary))


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
    memory = _cuda.allocate("mapped", _bytes(shape, dtype, strides), portable)
    return _over(MappedNDArray, memory, shape, dtype, strides)


def mapped_array_like(ary, stream=0, portable=False, wc=False):
    return mapped_array(ary.shape, ary.dtype, order=_order_like(ary), portable=portable, wc=wc)


def managed_array(shape, dtype=np.float64, strides=None, order="C", stream=0, attach_global=True):
    """A NumPy array in memory that the driver moves between host and device as they use it."""
    shape, dtype, strides = _layout(shape, dtype, strides, order)
    memory = _cuda.allocate("managed", _bytes(shape, dtype, strides), False, not attach_global)
    return _over(ManagedNDArray, memory, shape, dtype, strides)


@contextmanager
def pinned(*arylist):
    """Make the memory of NumPy arrays not pageable within the block."""
    memories = []
    try:
        for ary in arylist:
            memories.append(_cuda.pin(ary, False))
        yield
    finally:
        for memory in memories:
            _cuda.unpin(memory)


@contextmanager
def mapped(*arylist, **kws):
    """Device arrays over the memory of NumPy arrays, within the block: one alone, or a list of them."""
    memories, arrays = [], []
    try:
        for ary in arylist:
            memories.append(_cuda.pin(ary, True))
            stream = kws.get("stream") or None
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

_TooHardError = getattr(np, "exceptions", np).TooHardError
_MAX_WORK = 10_000  # of looking for a common element; where that is not enough, there may be one


def share_elements(first, second):
    try:
        return np.shares_memory(first, second, max_work=_MAX_WORK)
    except _TooHardError:
        return True


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
