"""The names of :mod:`pyarray.types`."""

from ..types import *  # noqa: F403
