"""Where Numba has the driver's parts: ``cudadrv.driver``, ``devicearray``, ``devices``, ``error``, ``nvvm``, ..."""

from . import devicearray, devices, driver, error, nvvm, runtime  # noqa: F401
