"""Names that the compiler gives a meaning (``lib/ir/builtins.def``), for functions of the library."""


def missing():
    """The default of a parameter that has no value unless one is given."""


def given(value):
    """Whether a parameter with the default ``missing`` was given."""


def python_bits32():
    """The next 32 bits of the stream of ``random``."""


def numpy_bits32():
    """The next 32 bits of the stream of ``np.random``."""


def python_gauss():
    """``random.gauss(0, 1)``."""


def fma(x, y, z):
    """``x * y + z``, rounded once."""
