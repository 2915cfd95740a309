"""Numba's place of ``jitclass``."""

from .._places import open_places
from ..classes import jitclass

__all__ = ["jitclass"]

open_places(__name__)
