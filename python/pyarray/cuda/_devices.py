"""Devices, contexts, streams and events."""

import functools
from contextlib import contextmanager, nullcontext
from typing import NamedTuple

from .._pyarray import cuda as _cuda
from ._values import whole


class MemoryInfo(NamedTuple):
    """Bytes of a device: not in use, and in all."""

    free: int
    total: int


class Device:
    """A device. Its attributes are those of the driver: ``device.MULTIPROCESSOR_COUNT``, ``device.WARP_SIZE``.

    Attributes
    ----------
    id : int
    name, uuid : str
    compute_capability : tuple of int
    """

    def __init__(self, devnum):
        info = _cuda.device_info(devnum)
        self.id = devnum
        self.name, self.uuid = info["name"], info["uuid"]
        self.compute_capability = info["compute_capability"]
        self.pci_bus_id, self.memory = info["pci_bus_id"], info["memory"]
        self.primary_context = Context(self)

    @classmethod
    def from_identity(cls, identity):
        for device in gpus:
            if device.get_device_identity() == identity:
                return device
        raise RuntimeError(f"No device of {identity} is found. Target device may not be visible in this process.")

    def get_device_identity(self):
        return {"pci_domain_id": self.PCI_DOMAIN_ID, "pci_bus_id": self.PCI_BUS_ID, "pci_device_id": self.PCI_DEVICE_ID}

    def __getattr__(self, name):
        if name.startswith("_") or not name.isupper():
            raise AttributeError(f"a device has no attribute {name!r}")
        value = _cuda.device_attribute(self.id, name)
        setattr(self, name, value)
        return value

    def __dir__(self):
        return sorted({*super().__dir__(), *_cuda.attribute_names()})

    @property
    def supports_float16(self):
        return self.compute_capability >= (5, 3)

    @property
    def supports_bfloat16(self):
        return self.compute_capability >= (8, 0)

    @property
    def attributes(self):
        """The driver's attributes as a dict: ``device.attributes["WARP_SIZE"]``."""
        return {name: getattr(self, name) for name in _cuda.attribute_names()}

    def get_primary_context(self):
        return self.primary_context

    def release_primary_context(self):
        self.reset()

    def reset(self):
        """Free everything that was made on the device: arrays, streams, loaded kernels."""
        self.primary_context.reset()

    def __eq__(self, other):
        return self.id == other.id if isinstance(other, Device) else NotImplemented

    def __hash__(self):
        return hash(self.id)

    def __repr__(self):
        return f"<CUDA device {self.id} '{self.name}'>"

    def __enter__(self):
        _cuda.push(self.id)
        return self.primary_context

    def __exit__(self, *exception):
        _cuda.pop()


def _number_of(peer):
    """Of a context, a device, or the device of that number."""
    peer = getattr(peer, "device", peer)
    return peer.id if isinstance(peer, Device) else whole(peer, "a peer's number", most=2**31 - 1)


class Context:
    """What is made on a device: the device's primary context, which other libraries use too."""

    def __init__(self, device):
        if not isinstance(device, Device):
            raise TypeError(f"a context is of a Device, not of {type(device).__name__}")
        self.device = device

    def get_memory_info(self):
        from ._memory_managers import manager_of

        manager = manager_of(self.device.id)
        return MemoryInfo(*_cuda.memory_info(self.device.id)) if manager is None else manager.get_memory_info()

    @property
    def memory_manager(self):
        """The plugin that gives the device's memory; without one, this context."""
        from ._memory_managers import manager_of

        return manager_of(self.device.id) or self

    def memalloc(self, bytesize):
        """Device memory, a MemoryPointer."""
        from ._memory_managers import memory_pointer

        with self.device:
            return memory_pointer(self, bytesize)

    def memhostalloc(self, bytesize, mapped=False, portable=False, wc=False):
        """Pinned memory of the host, with the buffer protocol: a MappedMemory where ``mapped``, else a PinnedMemory."""
        from ._memory_managers import host_memory

        with self.device:
            return host_memory(self, "mapped" if mapped else "pinned", bytesize, portable, wc)

    def memallocmanaged(self, bytesize, attach_global=True):
        """Managed memory, a ManagedMemory."""
        from ._memory_managers import host_memory

        with self.device:
            return host_memory(self, "managed", bytesize, attach_global=attach_global)

    def open_ipc_handle(self, handle, size):
        """Another process's memory, a MemoryPointer."""
        from ._ipc import IpcHandle

        with self.device:
            return IpcHandle(None, handle, size).open(self)

    def prepare_for_use(self):
        """For Numba's programs; without effect."""

    def trim_memory(self):
        """Give the device what its memory pool keeps and nobody uses."""
        with self.device:
            _cuda.trim()

    def memory_statistics(self):
        """Allocations of this library, as a dict."""
        with self.device:
            return _cuda.statistics()

    def synchronize(self):
        """Wait for all work on the device; raises what a kernel has raised."""
        _cuda.synchronize(self.device.id)

    def push(self):
        _cuda.push(self.device.id)

    def pop(self):
        _cuda.pop()

    def reset(self):
        from ._memory_managers import after_reset

        _cuda.reset(self.device.id)
        after_reset(self.device.id)

    def create_stream(self):
        with self.device:
            return Stream()

    def get_default_stream(self):
        with self.device:
            return default_stream()

    def get_legacy_default_stream(self):
        with self.device:
            return legacy_default_stream()

    def get_per_thread_default_stream(self):
        with self.device:
            return per_thread_default_stream()

    def create_external_stream(self, ptr):
        with self.device:
            return external_stream(ptr)

    def create_event(self, timing=True):
        with self.device:
            return Event(timing)

    def can_access_peer(self, peer):
        return _cuda.can_access_peer(self.device.id, _number_of(peer))

    def enable_peer_access(self, peer, flags=0):
        if flags:
            raise ValueError("flags must be 0")
        _cuda.enable_peer_access(self.device.id, _number_of(peer))

    def defer_cleanup(self):
        with self.device:
            return defer_cleanup()

    def __eq__(self, other):
        return self.device == other.device if isinstance(other, Context) else NotImplemented

    def __hash__(self):
        return hash(self.device)

    def __repr__(self):
        return f"<CUDA context of device {self.device.id}>"


@functools.cache
def _device(number):
    return Device(number)


class _DeviceList:
    """Every device: ``cuda.gpus[0]``; ``with cuda.gpus[1]:`` selects one within a block."""

    @property
    def lst(self):
        return list(self)

    @property
    def current(self):
        return get_current_device()

    def __len__(self):
        return _cuda.device_count()

    def __getitem__(self, number):
        count = len(self)
        number = whole(number, "the number of a device", -(2**63), 2**63 - 1)
        if not -count <= number < count:
            raise IndexError(f"device {number} of {count}")
        return _device(number % count)

    def __iter__(self):
        return (_device(number) for number in range(len(self)))

    def __repr__(self):
        return f"<Managed Device {', '.join(map(str, self))}>"


gpus = _DeviceList()


def list_devices():
    """Every device."""
    return gpus


def get_current_device():
    """The device of this thread."""
    return _device(_cuda.current())


def current_context(devnum=None):
    """The context of this thread, or of a device that then becomes this thread's."""
    if devnum is not None:
        return select_device(devnum)
    return get_current_device().primary_context


def select_device(device_id):
    """Make a device this thread's; gives its context."""
    _cuda.select(device_id)
    return _device(device_id).primary_context


def synchronize():
    """Wait for all work on this thread's device; raises what a kernel has raised."""
    _cuda.synchronize(None)


def close():
    """Free everything on every device. What was made before cannot be used any more."""
    _cuda.close()


def is_available():
    """Whether there is a GPU. The emulator, which runs kernels where there is none, does not count."""
    return _cuda.kind() == "gpu"


def is_supported_version():
    """Whether kernels can run here."""
    return _cuda.kind() != "none"


class _Runtime:
    """The version of CUDA that kernels run on. There is no runtime library: it is the driver's."""

    def get_version(self):
        """(major, minor)"""
        version = _cuda.driver_version()
        return version // 1000, version % 1000 // 10

    @property
    def supported_versions(self):
        """The versions that this library knows."""
        return tuple((major, minor) for major, last in ((11, 8), (12, 9), (13, 2)) for minor in range(last + 1))

    def is_supported_version(self):
        """Whether the version is one of these, or newer."""
        return self.get_version() >= self.supported_versions[0]


runtime = _Runtime()


def is_bfloat16_supported():
    """Whether the current device has instructions for bfloat16; kernels compute with it in any case."""
    return get_current_device().supports_bfloat16


def is_float16_supported():
    """Whether kernels compute with float16: always."""
    return True


def cuda_error():
    """Why there is no GPU, or None."""
    return _cuda.problem() or None


def require_context(function):
    """Open the driver before each call, so that the first error is about it."""

    @functools.wraps(function)
    def checked(*arguments, **keywords):
        _cuda.current()
        return function(*arguments, **keywords)

    return checked


def detect():
    """Print what devices there are; gives whether any can be used."""
    kind = _cuda.kind()
    if kind == "none":
        print(f"No CUDA device: {_cuda.problem()}")
        return False
    where = " emulated on the CPU" if kind == "cpu" else ""
    print(f"Found {len(gpus)} CUDA devices{where}")
    for device in gpus:
        print(f"id {device.id}    {device.name:>40}    [SUPPORTED]")
        major, minor = device.compute_capability
        print(f"{'Compute Capability':>40}: {major}.{minor}")
        print(f"{'PCI Bus ID':>40}: {device.pci_bus_id}")
        print(f"{'UUID':>40}: {device.uuid}")
        print(f"{'Memory':>40}: {device.memory / 2**30:.1f} GiB")
    print("Summary:")
    print(f"\t{len(gpus)}/{len(gpus)} devices are supported")
    return True


def profile_start():
    """Begin what a profiler records that was told to wait for it."""
    _cuda.profile(True)


def profile_stop():
    """End it."""
    _cuda.profile(False)


@contextmanager
def profiling():
    """``profile_start`` and ``profile_stop`` around a block."""
    profile_start()
    try:
        yield
    finally:
        profile_stop()


@contextmanager
def defer_cleanup():
    """Free no memory within the block: what is dropped there goes at its end. A plugin of memory is told, too."""
    from ._memory_managers import manager_of

    number = _cuda.defer_begin()
    try:
        manager = manager_of(number)
        with nullcontext() if manager is None else manager.defer_cleanup():
            yield
    finally:
        _cuda.defer_end(number)


# ------------------------------------------------------------------------------------------------
# Streams and events


class Stream(_cuda.Stream):
    """A queue of work, which is done in order."""

    @property
    def handle(self):
        """The driver's handle as a ``ctypes.c_void_p``."""
        from ctypes import c_void_p

        return c_void_p(self.address)

    def __int__(self):
        return self.address

    def __repr__(self):
        names = {0: "<Default CUDA stream", 1: "<Legacy default CUDA stream", 2: "<Per-thread default CUDA stream"}
        return f"{names.get(self.address, f'<CUDA stream {self.address:#x}')} on {get_current_device()}>"

    @contextmanager
    def auto_synchronize(self):
        """Wait for the stream at the end of the block."""
        yield self
        self.synchronize()

    def begin_capture(self):
        """Capture what this thread enqueues here, and in the default stream, until ``end_capture``."""
        from ._graphs import Graph

        self._graph = Graph(self)
        self._graph.__enter__()

    def end_capture(self):
        """The `Graph` of what was captured."""
        captured, self._graph = getattr(self, "_graph", None), None
        if captured is None:
            raise RuntimeError("the stream is not captured: see begin_capture")
        captured.__exit__(None, None, None)
        return captured

    def async_done(self):
        """A future of the running asyncio loop whose result, this stream, is there when the work up to now is done."""
        from asyncio import get_running_loop

        loop = get_running_loop()
        future = loop.create_future()

        def finish():
            if not future.done():
                future.set_result(self)

        self.add_callback(lambda stream, status, argument: loop.call_soon_threadsafe(finish))
        return future


Event = _cuda.Event


def stream():
    """A new stream."""
    return Stream()


def default_stream():
    """The stream of work that names none."""
    return Stream(handle=0)


def legacy_default_stream():
    """The same, by the name that other libraries know it by."""
    return Stream(handle=1)


def per_thread_default_stream():
    """The default stream of this thread."""
    return Stream(handle=2)


def external_stream(ptr):
    """A stream of another library's, from the driver's handle or an object with ``__cuda_stream__``."""
    if hasattr(ptr, "__cuda_stream__"):
        address = ptr.__cuda_stream__()[1]
    else:
        address = whole(ptr, "the handle of a stream that is no object with __cuda_stream__")
    return Stream(handle=address, keep=ptr)


def event(timing=True):
    """A new event."""
    return Event(timing)


def event_elapsed_time(evtstart, evtend):
    """Milliseconds between two events."""
    if not isinstance(evtstart, Event):
        raise TypeError(f"an event is expected, not {type(evtstart).__name__}")
    return evtstart.elapsed_time(evtend)
