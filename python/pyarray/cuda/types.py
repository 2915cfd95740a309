"""Types, under the name of ``numba.cuda.types``."""

from ..types import *  # noqa: F403
