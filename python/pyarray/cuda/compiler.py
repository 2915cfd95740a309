"""Functions to PTX, under the names of ``numba.cuda.compiler``."""

from ._compile import compile, compile_for_current_device, compile_ptx, compile_ptx_for_current_device  # noqa: F401
