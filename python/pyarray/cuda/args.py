"""How arguments are copied around a launch, under the names of ``numba.cuda.args``."""

from ._host_arrays import In, InOut, Out  # noqa: F401
