"""The driver under the names of ``numba.cuda.cudadrv.driver``."""

from ..._pyarray import cuda as _cuda
from .._devices import (  # noqa: F401
    Context,
    Device,
    Event,
    MemoryInfo,
    Stream,
    event_elapsed_time,
    gpus,
    profile_start,
    profile_stop,
    profiling,
)
from .._errors import CudaAPIError, CudaDriverError, CudaSupportError, LinkerError  # noqa: F401
from .._ipc import IpcHandle  # noqa: F401
from .._link import Module  # noqa: F401
from .._memory_managers import (  # noqa: F401
    AutoFreePointer,
    BaseCUDAMemoryManager,
    GetIpcHandleMixin,
    HostOnlyCUDAMemoryManager,
    ManagedMemory,
    MappedMemory,
    MemoryPointer,
    OwnedPointer,
    PinnedMemory,
    set_memory_manager,
)
from ._copies import (  # noqa: F401
    device_ctypes_pointer,
    device_extents,
    device_memory_size,
    device_memset,
    device_pointer,
    device_to_device,
    device_to_host,
    host_memory_size,
    host_pointer,
    host_to_device,
    is_device_memory,
    require_device_memory,
)


class Driver:
    """The driver."""

    @property
    def is_available(self):
        """Whether there is a GPU."""
        return _cuda.kind() == "gpu"

    @property
    def initialization_error(self):
        """Why there is none, or None."""
        return _cuda.problem() or None

    def get_version(self):
        """The version of CUDA that it has: (major, minor)."""
        version = _cuda.driver_version()
        return version // 1000, version % 1000 // 10

    def get_device_count(self):
        """How many devices there are."""
        return len(gpus)

    def get_device(self, devnum=0):
        """The device of a number."""
        return gpus[devnum]


driver = Driver()
