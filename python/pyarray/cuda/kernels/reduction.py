"""Reductions under the names of ``numba.cuda.kernels.reduction``."""

from .._reduction import Reduce  # noqa: F401
