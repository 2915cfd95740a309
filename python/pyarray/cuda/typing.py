"""Signatures, under the names of ``numba.cuda.typing``."""

from ..signatures import signature  # noqa: F401
from ..types import Signature  # noqa: F401
