"""The decorator under the names of ``numba.cuda.decorators``."""

from ._decorators import jit  # noqa: F401
