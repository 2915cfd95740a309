"""Where Numba has errors, types, settings and the classes of compiled functions (``_places.py`` lists them)."""

from .._places import open_places

open_places(__name__)
