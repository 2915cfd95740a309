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


def tagged(cls, number, kind):
    """The member of an enum that ``number`` represents; ``kind``, a literal, is that of the type of its members."""


def untagged(member):
    """The number that represents a member of an enum."""


class literal:
    """Annotation of a parameter whose argument must be an int that is known when the function is compiled."""


def bytes_of_codes(codes):
    """Bytes of a list of int64."""


def bytes_of_zeros(count):
    """So many zeros."""


def bytes_of_bytearray(array):
    """The bytes that a bytearray has now."""


def bytearray_of_bytes(content):
    """A new bytearray."""


def bytearray_item(array, index):
    """A byte; ``index`` is within bounds."""


def bytearray_put(array, index, value):
    """Store a byte; ``index`` is within bounds."""


def bytearray_insert(array, index, value):
    """Insert a byte, as ``list.insert`` does."""


def bytearray_splice(array, start, count, content):
    """Put bytes in the place of ``count`` bytes from ``start`` on."""
