"""The decorators under the names of ``numba.cuda.decorators``."""

from ._declared import declare_device  # noqa: F401
from ._decorators import jit  # noqa: F401
