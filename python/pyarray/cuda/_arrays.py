"""Arrays and records on devices."""

from contextlib import contextmanager

import numpy as np

from .._pyarray import cuda as _cuda
from ..records import vector_code
from ._overlap import refuse_overlapping
from ._values import whole

_ARRAYLESS = (int, float, complex, bool, np.generic)


class DeviceNDArray(_cuda.DeviceArray):
    """An array on a device. Slices, ``reshape``, ``T`` and the like are views, as NumPy's are, and so are records
    (`DeviceRecord`); other elements are copied.

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
            ary = np.empty_like(self._shadow())
        elif not isinstance(ary, np.ndarray):
            raise TypeError(f"elements are copied to a NumPy array, not to {type(ary).__name__}")
        elif not ary.flags.writeable:
            raise ValueError("the array to copy to is read-only")
        else:
            refuse_overlapping(ary, "the array to copy to")
        _cuda.array_copy(ary, self, stream, stream == 0)
        return ary

    def copy_to_device(self, ary, stream=0):
        """Take over the elements of another array of the same shape and dtype, on the host or a device."""
        self._check_target()
        stream = self._stream(stream)
        source = _on_device(ary, stream)
        _cuda.array_copy(self, np.asarray(ary) if source is None else self._source(source, stream), stream, False)

    def _check_target(self):
        if self.readonly:
            raise ValueError("the device array is read-only")
        if self.layout == "A":
            refuse_overlapping(self._shadow(), "the device array")

    def __array__(self, dtype=None, copy=None):
        """A copy on the host, for NumPy's functions."""
        if copy is False:
            raise ValueError("a device array is only seen by the host as a copy")
        host = self.copy_to_host()
        return host if dtype is None else host.astype(dtype, copy=False)

    def _source(self, source, stream):
        """``source``, or a copy of it that can be copied to this array."""
        return self._apart(source, stream) if source._ordinal == self._ordinal else self._here(source, stream)

    def _here(self, source, stream):
        """A copy of ``source``, which is on another device, on this one; or itself where it can be copied at once."""
        if source.layout == "A":
            with _cuda_device(source):
                packed = device_array_like(source)
            _cuda.array_copy(packed, source, 0, False)
            source = packed
        if self.shape == source.shape and self.layout == source.layout:
            return source
        with _cuda_device(self):
            landed = device_array_like(source)
        _cuda.array_copy(landed, source, stream, False)
        return landed

    def _apart(self, source, stream):
        """``source``, or a copy of it where a copy to this array would change elements before they are read."""
        if not np.may_share_memory(self._shadow(), source._shadow()):
            return source
        if source._address == self._address and source.strides == self.strides:
            return source
        copy = device_array(source.shape, source.dtype)
        _cuda.array_copy(copy, source, stream, False)
        return copy

    # -- views

    def _view(self, item):
        """The view that basic indexing gives, and whether the index names one element."""
        items = item if isinstance(item, tuple) else (item,)
        names = _is_field(item)
        whole = names or any(part is Ellipsis for part in items)
        view = self._shadow()[item if whole else (*items, ...)]
        return self._from_shadow(view, DeviceNDArray), not whole and view.ndim == 0

    def _element(self, stream):
        """What an index that names one element gives."""
        if self.dtype.names is not None and not vector_code(self.dtype):
            from ._records import DeviceRecord

            return self._from_shadow(self._shadow(), DeviceRecord)
        return self.copy_to_host(stream=stream)[()]

    def __getitem__(self, item):
        return self.getitem(item)

    def getitem(self, item, stream=0):
        """``self[item]``; an element is copied in a stream. With arrays in ``item`` a copy on the device."""
        if _has_arrays(item):
            return _functions.select(self, item)
        view, is_element = self._view(item)
        return view._element(stream) if is_element else view

    def __setitem__(self, key, value):
        self.setitem(key, value)

    def setitem(self, key, value, stream=0):
        """``self[key] = value`` in a stream; ``value`` is broadcast, and converted to this array's dtype."""
        stream = self._stream(stream)
        if _has_arrays(key):
            self._check_target()
            return _functions.assign(self, key, value)
        view, _ = self._view(key)
        view._check_target()
        source = _on_device(value, stream)
        if isinstance(stream, int) and stream == 0 and view._takes_kernels(value, source):
            return _functions.assign(view, ..., value if source is None else source)
        if source is not None and source.dtype == view.dtype:
            source = view._source(source, stream)
            source = source._from_shadow(np.broadcast_to(source._shadow(), view.shape))
        else:
            host = value if source is None else source.copy_to_host(stream=stream)
            source = np.empty(view.shape, view.dtype)
            source[...] = host
        _cuda.array_copy(view, source, stream, False)

    def _takes_kernels(self, value, source):
        """Whether a kernel assigns ``value``: a number to several elements, or what is of another dtype."""
        if self.size <= 1 or not _cuda.takes_code(self) or self.dtype.kind not in "biufc":
            return False
        if source is None:
            return isinstance(value, _ARRAYLESS)
        return source.dtype != self.dtype and source.dtype.kind in "biufc" and source._ordinal == self._ordinal

    def __iter__(self):
        return (self[i] for i in range(len(self)))

    __hash__ = None
    __array_priority__ = 100

    def __array_ufunc__(self, ufunc, method, *inputs, **keywords):
        return _elementwise.array_ufunc(self, ufunc, method, *inputs, **keywords)

    def __array_function__(self, function, types, arguments, keywords):
        return _functions.array_function(self, function, types, arguments, keywords)

    def reshape(self, *newshape, order="C"):
        """The elements in another shape: a view where the array is contiguous in ``order``, else of a copy."""
        shape = newshape[0] if len(newshape) == 1 and isinstance(newshape[0], (tuple, list)) else newshape
        shadow = self._shadow()
        order = ("F" if self.layout == "F" else "C") if order == "A" else order
        if not (shadow.flags.f_contiguous if order == "F" else shadow.flags.c_contiguous):
            return self.copy(order).reshape(shape, order=order)
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

    def transpose(self, *axes):
        """A view with the dimensions in another order."""
        return self._from_shadow(self._shadow().transpose(*axes))

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
        section = whole(section, "section", 1)
        for start in range(0, self.size, section):
            part = self[start : start + section]
            if stream != 0:
                part.stream = stream
            yield part

    @property
    def flags(self):
        """NumPy's flags of the array: ``a.flags.c_contiguous``, ``a.flags["WRITEABLE"]``."""
        shadow = self._shadow()
        if self.readonly:
            shadow.flags.writeable = False
        return shadow.flags

    def is_c_contiguous(self):
        return self._shadow().flags.c_contiguous

    def is_f_contiguous(self):
        return self._shadow().flags.f_contiguous

    def get_ipc_handle(self):
        """A handle by which another process opens this array: an `IpcArrayHandle`, which pickles.

        Memory from the pool cannot be shared, so it moves once: an array that others lie in too, or whose address
        another library has, is refused (RuntimeError).
        """
        from ._ipc import handle_of_array

        return handle_of_array(self)

    def bind(self, stream=0):
        """The same array, whose copies use a stream where they name none."""
        bound = self._from_shadow(self._shadow(), type(self))
        bound.stream = stream
        return bound

    # -- facts

    @property
    def device_pointer(self):
        return self.address

    device_pointer_value = device_pointer

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


def _has_arrays(item):
    """Whether a subscript is more than ints, slices and fields."""
    return any(
        isinstance(part, (list, np.ndarray, bool, np.bool_)) or is_cuda_array_type(part)
        for part in (item if isinstance(item, tuple) else () if _is_field(item) else (item,))
    )


def is_cuda_array_type(part):
    """Whether it offers memory on a device; nothing is asked of the object."""
    return isinstance(part, DeviceNDArray) or hasattr(type(part), "__cuda_array_interface__")


def _is_field(item):
    names = item if isinstance(item, list) else [item]
    return bool(names) and all(isinstance(name, str) for name in names)


@contextmanager
def _cuda_device(array):
    """Selects the device that an array is on."""
    _cuda.push(array._ordinal)
    try:
        yield
    finally:
        _cuda.pop()


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


def _extents(value, what):
    is_several = isinstance(value, (tuple, list)) or (isinstance(value, np.ndarray) and value.ndim)
    parts = value if is_several else (value,)
    return tuple(whole(part, what, -(2**63), 2**63 - 1) for part in parts)


def _layout(shape, dtype, strides, order):
    """Shape as a tuple, dtype, strides in bytes."""
    shape = _extents(shape, "an extent of the shape")
    dtype = np.dtype(dtype)
    if dtype.hasobject:
        raise TypeError(f"devices have no Python objects, such as the elements of an array of dtype {dtype}")
    if strides is not None:
        strides = _extents(strides, "a stride")
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


def _strides_like(ary):
    """The strides of ``np.empty_like(ary)``: the axes keep their order in memory."""
    shape, strides, step = tuple(ary.shape), [0] * len(ary.shape), np.dtype(ary.dtype).itemsize
    order = _axes_by_stride(ary)
    for axis in reversed(order):
        strides[axis] = step
        step *= max(shape[axis], 1)
    return tuple(strides)


def _axes_by_stride(ary):
    """The axes of an array, outermost first."""
    axes = range(len(ary.shape))
    flags, layout = getattr(ary, "flags", None), getattr(ary, "layout", None)
    if layout == "C" or getattr(flags, "c_contiguous", False):
        return list(axes)
    if layout == "F" or getattr(flags, "f_contiguous", False):
        return list(reversed(axes))
    strides = getattr(ary, "strides", None)
    return list(axes) if strides is None else sorted(axes, key=lambda axis: -abs(strides[axis]))


def device_array(shape, dtype=np.float64, strides=None, order="C", stream=0):
    """A device array whose elements are not set."""
    shape, dtype, strides = _layout(shape, dtype, strides, order)
    return DeviceNDArray(shape, strides, dtype, None if isinstance(stream, int) and stream == 0 else stream)


def _like(ary):
    """Shape, dtype and strides of a new array like another one."""
    if not hasattr(ary, "shape") or not hasattr(ary, "dtype"):
        raise TypeError(f"an array is expected, not {type(ary).__name__}")
    return ary.shape, ary.dtype, _strides_like(ary)


def device_array_like(ary, stream=0):
    """A device array of the shape, dtype and order of another array."""
    return device_array(*_like(ary), stream=stream)


def to_device(obj, stream=0, copy=True, to=None):
    """Copy to the device.

    Parameters
    ----------
    obj : array_like
        What is on the current device already is returned as it is, or as a view; what is on another one is copied.
    stream : Stream, optional
        The copy is part of it, and the array's later copies too.
    copy : bool
        False: only allocate.
    to : DeviceNDArray, optional
        What to copy to, instead of a new array.
    """
    if to is not None:
        if not isinstance(to, DeviceNDArray):
            raise TypeError(f"to is a device array, not {type(to).__name__}")
        to.copy_to_device(obj, stream=stream)
        return to
    found = _on_device(obj, stream)
    if found is not None:
        return found._alive() if found._ordinal == _cuda.current() else _landed(found, stream)
    _refuse_masked(obj)
    host = np.asarray(obj)
    made = device_array(host.shape, host.dtype, _strides_like(host), stream=stream)
    if copy:
        made.copy_to_device(host, stream=stream)
    return made


def _landed(array, stream):
    """A copy on this device of an array of another one."""
    made = device_array_like(array, stream)
    made.copy_to_device(array, stream)
    return made


def is_cuda_array(obj):
    """Whether an object has ``__cuda_array_interface__``."""
    return hasattr(obj, "__cuda_array_interface__")


def as_cuda_array(obj, sync=True):
    """A view of another library's array, by ``__cuda_array_interface__`` or DLPack.

    With ``sync``, what comes next in the default stream waits for the work of the stream that the other array names.
    """
    if isinstance(obj, DeviceNDArray):
        return obj._alive()
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


class _OnlyDLPack:
    """Another library's array, without its other protocols."""

    def __init__(self, array):
        self.__dlpack__, self.__dlpack_device__ = array.__dlpack__, array.__dlpack_device__


def from_dlpack(x):
    """A view of another library's array on a device, by DLPack.

    What comes next in the default stream waits for the other library's work.

    Raises
    ------
    TypeError
        The object has no ``__dlpack__``, or its memory is not of a device.
    """
    if not hasattr(x, "__dlpack__") or not hasattr(x, "__dlpack_device__"):
        raise TypeError(f"from_dlpack() takes an object with __dlpack__ and __dlpack_device__, not {type(x).__name__}")
    array = x._alive()[...] if isinstance(x, DeviceNDArray) else _cuda.array_over(_OnlyDLPack(x), DeviceNDArray, 0)
    if array is None:
        raise TypeError(f"the memory of this {type(x).__name__} is not of a device: see cuda.to_device")
    return array


def from_cuda_array_interface(desc, owner=None, sync=True):
    """A device array over what a ``__cuda_array_interface__`` describes; keeps ``owner``."""
    if isinstance(owner, DeviceNDArray):
        owner._alive()
    if not sync and isinstance(desc, dict):
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


from . import _elementwise, _functions  # noqa: E402 which give arrays their operators and methods
