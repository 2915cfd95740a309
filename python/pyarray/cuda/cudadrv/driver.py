"""The driver under the names of ``numba.cuda.cudadrv.driver``."""

from ..._pyarray import cuda as _cuda
from .._devices import Context, Device, Event, MemoryInfo, Stream, gpus  # noqa: F401
from .._errors import CudaAPIError, CudaDriverError, CudaSupportError, LinkerError  # noqa: F401
from .._link import Module  # noqa: F401


class _Driver:
    """The driver."""

    @property
    def is_available(self):
        return _cuda.kind() == "gpu"

    @property
    def initialization_error(self):
        return _cuda.problem() or None

    def get_version(self):
        version = _cuda.driver_version()
        return version // 1000, version % 1000 // 10

    def get_device_count(self):
        return len(gpus)

    def get_device(self, devnum=0):
        return gpus[devnum]


driver = _Driver()
