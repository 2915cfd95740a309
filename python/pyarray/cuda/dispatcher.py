"""Kernels under the names of ``numba.cuda.dispatcher``."""

from ._decorators import CUDADispatcher  # noqa: F401
