"""Device memory from elsewhere: plugins of Numba's external memory management interface, version 1 (NBEP 7)."""

import weakref
from abc import ABC, abstractmethod
from contextlib import contextmanager

import numpy as np

from .._pyarray import cuda as _cuda
from ._values import whole

_INTERFACE_VERSION = 1

_manager_class = None
_managers = {}  # by the number of a device


class MemoryPointer:
    """Memory on a device.

    Parameters
    ----------
    context : Context
        Of the device.
    pointer : int or ctypes integer
        The address.
    size : int
        Bytes.
    owner : object, optional
        What keeps the memory alive.
    finalizer : callable, optional
        Called without arguments when the memory is not used any more.
    """

    __cuda_memory__ = True

    def __init__(self, context, pointer, size, owner=None, finalizer=None):
        _number(pointer)
        self.context, self.device_pointer, self.size = context, pointer, whole(size, "size")
        self._owner = owner
        self._finalizer = None if finalizer is None else weakref.finalize(self, finalizer)

    @property
    def owner(self):
        return self if self._owner is None else self._owner

    @property
    def device_pointer_value(self):
        """The address as an int, None for no memory."""
        return getattr(self.device_pointer, "value", self.device_pointer) or None

    @property
    def device_ctypes_pointer(self):
        from ctypes import c_void_p

        return c_void_p(self.device_pointer_value)

    def own(self):
        return self

    def free(self):
        """Let the memory go at once."""
        if self._finalizer is not None:
            if not self._finalizer.alive:
                raise RuntimeError("Freeing dead memory")
            self._finalizer()

    def view(self, start, stop=None):
        """The bytes from ``start`` to ``stop``, which keep the whole alive."""
        start, stop = whole(start, "start"), self.size if stop is None else whole(stop, "stop")
        if not 0 <= start <= stop <= self.size:
            raise RuntimeError(f"no bytes {start} to {stop} of {self.size}")
        return MemoryPointer(self.context, (self.device_pointer_value or 0) + start, stop - start, owner=self)


class AutoFreePointer(MemoryPointer):
    """A `MemoryPointer` whose memory goes when nothing refers to it, as is the case with all of them here."""


class OwnedPointer:
    """A memory pointer that somebody holds; its attributes are those of the pointer."""

    def __init__(self, memptr, view=None):
        self._mem, self._view = memptr, memptr if view is None else view

    def __getattr__(self, name):
        return getattr(self._view, name)


class PinnedMemory(_cuda.HostBlock):
    """Memory of the host that is not pageable; it has the buffer protocol.

    Parameters
    ----------
    context : Context
    pointer : int or ctypes integer
        The address on the host.
    size : int
        Bytes.
    owner : object, optional
        What keeps the memory alive.
    finalizer : callable, optional
        Called without arguments when the memory is not used any more.
    """

    def __init__(self, context, pointer, size, owner=None, finalizer=None):
        self.context, self.host_pointer, self.handle, self.owned = context, pointer, pointer, owner
        self.size = whole(size, "size", most=2**63 - 1)
        self.is_managed = finalizer is not None
        self._bufptr_, self._buflen_ = _number(pointer), whole(size, "size", most=2**63 - 1)
        self._finalizer = weakref.finalize(self, finalizer) if finalizer else None

    def own(self):
        """Itself, which keeps the memory."""
        return self


class MappedMemory(AutoFreePointer, _cuda.HostBlock):
    """The same, which the device sees; ``pointer`` is the address on the host, `device_pointer` that on the device."""

    def __init__(self, context, pointer, size, owner=None, finalizer=None):
        self.host_pointer = self.handle = pointer
        self._bufptr_, self._buflen_ = _number(pointer), whole(size, "size", most=2**63 - 1)
        super().__init__(context, _cuda.device_address(self._bufptr_), size, owner, finalizer)


class ManagedMemory(AutoFreePointer, _cuda.HostBlock):
    """Memory that moves between host and device, at one address for both."""

    def __init__(self, context, pointer, size, owner=None, finalizer=None):
        self.host_pointer = self.handle = pointer
        self._bufptr_, self._buflen_ = _number(pointer), whole(size, "size", most=2**63 - 1)
        super().__init__(context, pointer, size, owner, finalizer)


def _number(pointer):
    """An address as an int, 0 for no memory."""
    pointer = getattr(pointer, "value", pointer)
    return 0 if pointer is None else whole(pointer, "pointer")


class BaseCUDAMemoryManager(ABC):
    """What a plugin derives from. One is made for each device, ``manager(context=...)``."""

    def __init__(self, *args, **kwargs):
        if "context" not in kwargs:
            raise RuntimeError("Memory manager requires a context")
        self.context = kwargs.pop("context")

    @abstractmethod
    def memalloc(self, size):
        """Device memory of ``size`` bytes, a MemoryPointer."""

    @abstractmethod
    def memhostalloc(self, size, mapped, portable, wc):
        """Pinned memory of the host: a PinnedMemory, or a MappedMemory where ``mapped``."""

    @abstractmethod
    def mempin(self, owner, pointer, size, mapped):
        """Memory of the host that is there, ``owner``'s, pinned: a PinnedMemory or MappedMemory."""

    @abstractmethod
    def initialize(self):
        """Called before the first allocation in a context."""

    @abstractmethod
    def get_ipc_handle(self, memory):
        """A handle of device memory for another process, an IpcHandle."""

    @abstractmethod
    def get_memory_info(self):
        """MemoryInfo of the device."""

    @abstractmethod
    def reset(self):
        """Called when a context is reset, after its memory was released."""

    @abstractmethod
    def defer_cleanup(self):
        """A context manager within which nothing is freed."""

    @property
    @abstractmethod
    def interface_version(self):
        """The version of the interface: 1."""


class HostOnlyCUDAMemoryManager(BaseCUDAMemoryManager):
    """A plugin for device memory alone: the rest is the library's own."""

    def memhostalloc(self, size, mapped=False, portable=False, wc=False):
        memory = _cuda.allocate("mapped" if mapped else "pinned", size, portable)
        return (MappedMemory if mapped else PinnedMemory)(self.context, memory.host_address, size, owner=memory)

    def memallocmanaged(self, size, attach_global):
        """Managed memory, a ManagedMemory."""
        memory = _cuda.allocate("managed", size, False, not attach_global)
        return ManagedMemory(self.context, memory.host_address, size, owner=memory)

    def mempin(self, owner, pointer, size, mapped=False):
        memory = _cuda.pin(owner, mapped)
        return (MappedMemory if mapped else PinnedMemory)(self.context, pointer, size, owner=(owner, memory))

    def reset(self):
        """Nothing is left of the library's own when this is called."""

    @contextmanager
    def defer_cleanup(self):
        yield


class GetIpcHandleMixin:
    """For plugins whose memory is the driver's own, from cuMemAlloc: handles of it for other processes."""

    def get_ipc_handle(self, memory):
        from ._arrays import DeviceNDArray
        from ._ipc import handle_of_memory

        if not memory.device_pointer_value:
            raise ValueError("there is no memory to share")
        array = DeviceNDArray(memory.size, None, "u1", None, memory, memory.device_pointer_value)
        return handle_of_memory(array, memory)


def set_memory_manager(mm_plugin):
    """Take device memory from a plugin from now on.

    Memory that is there stays with whom it is from.

    Parameters
    ----------
    mm_plugin : type or None
        A class that derives from ``BaseCUDAMemoryManager``; None for the library's own memory.

    Raises
    ------
    TypeError
        It is no such class.
    RuntimeError
        The plugin has another version of the interface than 1.
    """
    global _manager_class
    if mm_plugin is not None:
        if not (isinstance(mm_plugin, type) and issubclass(mm_plugin, BaseCUDAMemoryManager)):
            raise TypeError(
                f"a memory manager is a class that derives from cuda.BaseCUDAMemoryManager, or None, not {mm_plugin!r}"
            )
        version = mm_plugin(context=None).interface_version
        if version != _INTERFACE_VERSION:
            raise RuntimeError(f"EMM Plugin interface has version {version} - version {_INTERFACE_VERSION} required")
    _managers.clear()
    _manager_class = mm_plugin
    _cuda.use_memory_manager(mm_plugin is not None)


def use_named(module):
    """What PYARRAY_CUDA_MEMORY_MANAGER says: the plugin is ``_numba_memory_manager`` of a module; "default": none."""
    from importlib import import_module

    if module != "default":
        set_memory_manager(import_module(module)._numba_memory_manager)


def manager_of(ordinal):
    """The plugin of a device, made and initialised if need be; None without plugins."""
    if _manager_class is None:
        return None
    if ordinal not in _managers:
        from ._devices import gpus

        manager = _manager_class(context=gpus[ordinal].primary_context)
        manager.initialize()
        _managers[ordinal] = manager
    return _managers[ordinal]


def allocate(ordinal, size):
    """Address, and what stands for the memory; called for every piece of device memory."""
    memory = manager_of(ordinal).memalloc(size)
    address = getattr(memory, "device_pointer_value", None)
    if not isinstance(address, int):
        raise TypeError(f"memalloc() of {_manager_class.__name__} gave {memory!r}, which has no device_pointer_value")
    _check_size(memory, size)
    return address, memory


def memory_pointer(context, size):
    """Device memory of the current device, from its plugin or the library: a MemoryPointer."""
    size = whole(size, "bytesize", most=2**63 - 1)
    manager = manager_of(_cuda.current())
    if manager is not None:
        return manager.memalloc(size)
    memory = _cuda.allocate("device", size)
    return MemoryPointer(context, memory.address, size, owner=memory)


# ------------------------------------------------------------------------------------------------
# Memory of the host

_KINDS = {"pinned": "memhostalloc", "mapped": "memhostalloc", "managed": "memallocmanaged"}


def _plugin_for(method):
    """The plugin of the current device if it has a method of its own for host memory, else None."""
    own = getattr(_manager_class, method, None)
    if own is None or own is getattr(HostOnlyCUDAMemoryManager, method):
        return None
    return manager_of(_cuda.current())


def _address_of_buffer(kind, memory):
    try:
        view = memoryview(memory).cast("B")
    except TypeError:
        raise TypeError(f"{kind} memory has a host_pointer or a buffer, which {memory!r} lacks") from None
    if view.readonly:
        raise TypeError(f"{kind} memory is to be written to, and {memory!r} is read-only")
    return np.frombuffer(view, np.uint8).ctypes.data


def _check_size(memory, size):
    try:
        there = memoryview(memory).nbytes
    except TypeError:
        there = getattr(memory, "size", size)
    if there < size:
        raise ValueError(f"{_manager_class.__name__} gave {there} bytes of memory where {size} were asked for")


def _adopted(kind, memory, size):
    """The library's memory object over what a plugin has made."""
    host = _number(getattr(memory, "host_pointer", None))
    if not isinstance(host, int) or not host:
        host = _address_of_buffer(kind, memory)
    _check_size(memory, size)
    device = 0 if kind == "pinned" else getattr(memory, "device_pointer_value", None)
    if not isinstance(device, int):
        raise TypeError(f"{kind} memory has a device_pointer_value, which {memory!r} lacks")
    return _cuda.adopt(kind, host, device, size, memory)


def allocate_host(kind, size, portable=False, wc=False, attach_global=True):
    """Memory that a NumPy array can lie over: "pinned", "mapped" or "managed", from the plugin that gives such."""
    size = whole(size, "bytesize", most=2**63 - 1)
    manager = _plugin_for(_KINDS[kind]) if size else None
    if manager is None:
        return _cuda.allocate(kind, size, portable, not attach_global)
    if kind == "managed":
        memory = manager.memallocmanaged(size, attach_global)
    else:
        memory = manager.memhostalloc(size, mapped=kind == "mapped", portable=portable, wc=wc)
    return _adopted(kind, memory, size)


def host_memory(context, kind, size, portable=False, wc=False, attach_global=True):
    """The same as an object of Numba's kind."""
    memory = allocate_host(kind, size, portable, wc, attach_global)
    kinds = {"pinned": PinnedMemory, "mapped": MappedMemory, "managed": ManagedMemory}
    return kinds[kind](context, memory.host_address, size, owner=memory)


def pin(array, mapped):
    """The memory of a NumPy array, pinned until ``_cuda.unpin``."""
    if not isinstance(array, np.ndarray):
        raise TypeError(f"memory of NumPy arrays can be pinned, not that of {type(array).__name__}")
    manager = _plugin_for("mempin") if array.nbytes else None
    if manager is None:
        return _cuda.pin(array, mapped)
    if not (array.flags.c_contiguous or array.flags.f_contiguous):
        raise ValueError("only contiguous arrays can be pinned")
    memory = manager.mempin(array, array.ctypes.data, array.nbytes, mapped)
    return _adopted("mapped" if mapped else "pinned", memory, array.nbytes)


def after_reset(ordinal):
    """Tell the plugin that a context was reset."""
    manager = _managers.get(ordinal)
    if manager is not None:
        manager.reset()
