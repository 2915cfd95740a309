"""The names of :mod:`pyarray.errors`."""

from ..errors import *  # noqa: F403
