"""numba-cuda's package of this name: the parts of it that programs import (``_places.py`` lists them)."""

from ..._places import open_places

open_places(__name__)
