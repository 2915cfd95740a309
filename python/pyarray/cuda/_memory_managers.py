"""Device memory from elsewhere: plugins of Numba's external memory management interface, version 1 (NBEP 7)."""

import weakref
from abc import ABC, abstractmethod
from contextlib import contextmanager

from .._pyarray import cuda as _cuda

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
        self.context, self.device_pointer, self.size = context, pointer, size
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
        stop = self.size if stop is None else stop
        if not 0 <= start <= stop <= self.size:
            raise RuntimeError(f"no bytes {start} to {stop} of {self.size}")
        return MemoryPointer(self.context, (self.device_pointer_value or 0) + start, stop - start, owner=self)


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
        """Pinned memory of the host; not asked for here, where it is always the library's own."""

    @abstractmethod
    def mempin(self, owner, pointer, size, mapped):
        """Memory of the host that is there, pinned; not asked for here."""

    @abstractmethod
    def initialize(self):
        """Called before the first allocation in a context."""

    @abstractmethod
    def get_ipc_handle(self, memory):
        """A handle of memory for another process; not asked for here."""

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
        return _cuda.allocate("mapped" if mapped else "pinned", size, portable)

    def mempin(self, owner, pointer, size, mapped=False):
        return _cuda.pin(owner, mapped)

    def reset(self):
        """Nothing is left of the library's own when this is called."""

    @contextmanager
    def defer_cleanup(self):
        yield


class GetIpcHandleMixin:
    """For plugins of Numba: IPC handles are not there yet."""

    def get_ipc_handle(self, memory):
        raise NotImplementedError("handles of memory for other processes are not there yet")


def set_memory_manager(mm_plugin):
    """Take device memory from a plugin from now on.

    Memory that is there stays with whom it is from.

    Parameters
    ----------
    mm_plugin : type or None
        A class that derives from ``BaseCUDAMemoryManager``; None for the library's own memory.

    Raises
    ------
    RuntimeError
        The plugin has another version of the interface than 1.
    """
    global _manager_class
    if mm_plugin is not None:
        version = mm_plugin(context=None).interface_version
        if version != _INTERFACE_VERSION:
            raise RuntimeError(f"EMM Plugin interface has version {version} - version {_INTERFACE_VERSION} required")
    _managers.clear()
    _manager_class = mm_plugin
    _cuda.use_memory_manager(mm_plugin is not None)


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
    return address, memory


def after_reset(ordinal):
    """Tell the plugin that a context was reset."""
    manager = _managers.get(ordinal)
    if manager is not None:
        manager.reset()
