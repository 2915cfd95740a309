"""Where Numba has the driver's parts: ``cudadrv.driver``, ``error``, ``devices``, ``devicearray``."""

from . import devicearray, devices, driver, error  # noqa: F401
