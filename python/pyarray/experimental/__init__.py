"""Numba's place of ``jitclass``."""

from ..classes import jitclass

__all__ = ["jitclass"]
