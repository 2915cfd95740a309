"""Where Numba programs look for errors and types: ``pyarray.core.errors``, ``pyarray.core.types``."""
