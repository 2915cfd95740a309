"""Text in arrays, of ``S`` and ``U`` dtypes: comparisons, and what ``np.char`` and ``np.strings`` have."""

import numpy as np

from .._intrinsics import exported, gufunc, item_bytes, known, raise_if, retyped, text_dtype, text_length

# Comparisons ----------------------------------------------------------------------------------------------------------


@gufunc("(n),(m)->()", "[A1B[A1B[A1?>")
def _same(a, b, out):
    """Whether both are equal, but for zeros at the end."""
    short = min(len(a), len(b))
    apart = np.uint8(0)  # of all bytes: no branch, so that many are compared at a time
    for i in range(short):
        apart |= a[i] ^ b[i]
    for i in range(short, len(a)):
        apart |= a[i]
    for i in range(short, len(b)):
        apart |= b[i]
    out[0] = apart == 0


@gufunc("(n),(m)->()", "[A1B[A1B[A1b>", "[A1I[A1I[A1b>")
def _order_of_codes(a, b, out):
    """-1, 0 or 1: which of the two is the less."""
    at, short = 0, min(len(a), len(b))
    while at < short and a[at] == b[at]:
        at += 1
    if at < short:
        out[0] = -1 if a[at] < b[at] else 1
    else:
        out[0] = _longer(a, b, at)


def _longer(a, b, at):
    """Which has a character behind those that are equal."""
    for i in range(at, len(a)):
        if a[i] != 0:
            return 1
    for i in range(at, len(b)):
        if b[i] != 0:
            return -1
    return 0


def _bytes_of(x):
    if isinstance(x, np.ndarray):
        return item_bytes(x)
    if isinstance(x, str):
        return _codes_of(x).view(np.uint8)
    return exported(x)


def _is_aligned(x):
    """Whether characters lie where numbers of four bytes may: those of packed records need not."""
    unlike = x.ctypes.data
    for step in x.strides:
        unlike |= step
    return unlike % 4 == 0


def _codes_of(x):
    """The characters, in one more axis: uint32, or uint8 of bytes."""
    if isinstance(x, np.ndarray):
        if x.dtype.kind == "U":
            return retyped(item_bytes(x if _is_aligned(x) else x.copy()), np.uint32)
        return item_bytes(x)
    if isinstance(x, str):
        codes = np.empty(len(x), np.uint32)
        for i in range(len(x)):
            codes[i] = ord(x[i])
        return codes
    return exported(x)


def _length(codes):
    """How many there are before the zeros at the end."""
    last = len(codes)
    while last > 0 and codes[last - 1] == 0:
        last -= 1
    return last


def _bytes_beside(x, other):
    """The bytes of a single text with zeros, so that there are as many as in an item of an array."""
    if isinstance(x, np.ndarray) or not isinstance(other, np.ndarray):
        return _bytes_of(x)
    own, room = _bytes_of(x), item_bytes(other).shape[-1]
    if len(own) >= room:
        return own
    made = np.zeros(room, np.uint8)
    made[: len(own)] = own
    return made


def _check(a, b):
    """That shapes broadcast."""
    if isinstance(a, np.ndarray) and isinstance(b, np.ndarray):
        for axis in range(1, min(a.ndim, b.ndim) + 1):
            raise_if(
                a.shape[-axis] != b.shape[-axis] and a.shape[-axis] != 1 and b.shape[-axis] != 1,
                "ValueError",
                "operands could not be broadcast together with shapes {0} {1} ",
                a.shape,
                b.shape,
            )


def _is_text(x):
    return isinstance(x, (str, bytes)) or x.dtype.kind != "V"


def _is_unicode(x):
    return isinstance(x, str) or (isinstance(x, np.ndarray) and x.dtype.kind == "U")


def _order(a, b):
    _check(a, b)
    if _is_unicode(a) and _is_unicode(b):
        return _order_of_codes(_codes_of(a), _codes_of(b))
    return _order_of_codes(_bytes_of(a), _bytes_of(b))


def equal(a, b):
    """``a == b``, of arrays of text."""
    if _is_text(a):
        _check(a, b)
        return _same(_bytes_beside(a, b), _bytes_beside(b, a))
    return a == b


def not_equal(a, b):
    """``a != b``."""
    if _is_text(a):
        return np.logical_not(equal(a, b))
    return a != b


def less(a, b):
    """``a < b``."""
    return np.less(_order(a, b), 0)


def less_equal(a, b):
    """``a <= b``."""
    return np.less_equal(_order(a, b), 0)


def greater(a, b):
    """``a > b``."""
    return np.greater(_order(a, b), 0)


def greater_equal(a, b):
    """``a >= b``."""
    return np.greater_equal(_order(a, b), 0)


# Choice ---------------------------------------------------------------------------------------------------------------


def where(condition, x, y):
    """``np.where`` of text or records."""
    kind = _common(x, y)
    chosen = np.asarray(condition)
    shape = np.broadcast_shapes(chosen.shape, _shape(x), _shape(y))
    out = np.empty(shape, kind)
    _choose(out.reshape(-1), np.broadcast_to(chosen, shape).reshape(-1), _spread(x, shape), _spread(y, shape))
    return out


def _choose(out, chosen, x, y):
    for i in range(len(out)):
        if chosen[i]:
            out[i] = _at(x, i)
        else:
            out[i] = _at(y, i)


def _common(x, y):
    """The dtype of both; of a str or bytes its length counts."""
    if isinstance(x, np.ndarray):
        if isinstance(y, np.ndarray):
            return np.promote_types(x.dtype, y.dtype)
        elif isinstance(y, (str, bytes)):
            return np.promote_types(x.dtype, text_dtype(x, text_length(y)))
        else:
            return x.dtype
    elif isinstance(x, (str, bytes)):
        return np.promote_types(y.dtype, text_dtype(y, text_length(x)))
    else:
        return y.dtype


def _shape(x):
    if isinstance(x, np.ndarray):
        return x.shape
    return ()


def _spread(x, shape):
    """An array as a line of items of this shape; one item as it is."""
    if isinstance(x, np.ndarray):
        return np.broadcast_to(x, shape).reshape(-1)
    return x


def _at(x, i):
    if isinstance(x, np.ndarray):
        return x[i]
    return x


# Each item ------------------------------------------------------------------------------------------------------------


def _each(function, a, out):
    """Store what a function makes of each item to a line."""
    line = a.reshape(-1)
    for i in range(len(line)):
        out[i] = function(line[i])


def item_of(out):
    """What has no dimensions as its item, as NumPy's ufuncs give it."""
    if out.ndim == 0:
        return out[()]
    return out


def _text_of_each(function, a):
    out = np.empty(a.shape, a.dtype)
    _each(function, a, out.reshape(-1))
    return out


def _truth_of_each(function, a):
    out = np.empty(a.shape, np.bool_)
    _each(function, a, out.reshape(-1))
    return item_of(out)


def _pairs(function, a, b, out):
    for i in range(len(out)):
        out[i] = function(_at(a, i), _at(b, i))


def _of_pairs(function, a, b, kind):
    """What a function makes of items of both, which broadcast."""
    _check(a, b)
    shape = np.broadcast_shapes(_shape(a), _shape(b))
    out = np.empty(shape, kind)
    _pairs(function, _spread(a, shape), _spread(b, shape), out.reshape(-1))
    return out if out.dtype.kind == "S" or out.dtype.kind == "U" else item_of(out)


def add(x1, x2):
    """``np.strings.add``."""
    if isinstance(x1, np.ndarray):
        return _joined(x1, x2, text_dtype(x1, text_length(x1) + text_length(x2)))
    return _joined(x1, x2, text_dtype(x2, text_length(x1) + text_length(x2)))


def add_in_place(a, b):
    """``a += b``: longer texts are cut off."""
    a[...] = add(a, b)
    return a


def _joined(a, b, kind):
    if _is_unicode(a) != _is_unicode(b):
        return item_of(_of_pairs(lambda x, y: x + y, a, b, kind))  # which is refused
    _check(a, b)
    shape = np.broadcast_shapes(_shape(a), _shape(b))
    out = np.zeros(shape, kind)
    _join_lines(_codes_of(_spread(a, shape)), _codes_of(_spread(b, shape)), _codes_of(out.reshape(-1)))
    return item_of(out)


def _join_lines(first, second, out):
    for i in range(len(out)):
        a, b = first[i] if first.ndim == 2 else first, second[i] if second.ndim == 2 else second
        length = _length(a)
        for k in range(length):
            out[i, k] = a[k]
        for k in range(_length(b)):
            out[i, length + k] = b[k]


def multiply(a, i: known):
    """``np.strings.multiply``, by a number that is known."""
    if i < 0:
        return multiply(a, 0)
    return _of_pairs(lambda x, y: x * y, a, i, text_dtype(a, text_length(a) * i))


def upper(a):
    """``np.strings.upper``."""
    return _text_of_each(lambda x: x.upper(), a)


def lower(a):
    """``np.strings.lower``."""
    return _text_of_each(lambda x: x.lower(), a)


def swapcase(a):
    """``np.strings.swapcase``."""
    return _text_of_each(lambda x: x.swapcase(), a)


def capitalize(a):
    """``np.strings.capitalize``."""
    return _text_of_each(lambda x: x.capitalize(), a)


def title(a):
    """``np.strings.title``."""
    return _text_of_each(lambda x: x.title(), a)


_SPACES = (0x85, 0xA0, 0x1680, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000)


def _is_space(code):
    """Of ASCII in bytes, and of Unicode in text."""
    if 9 <= code <= 13 or code == 32:
        return True
    if code.itemsize == 1 or code < 28:
        return False
    if code <= 31 or 0x2000 <= code <= 0x200A:
        return True
    for space in _SPACES:
        if code == space:
            return True
    return False


def _trimmed(a, left: known, right: known):
    """The items without white space at one end or both."""
    out = np.zeros(a.shape, a.dtype)
    _trim_lines(_codes_of(a.reshape(-1)), left, right, _codes_of(out.reshape(-1)))
    return item_of(out)


def _trim_lines(lines, left: known, right: known, out):
    for i in range(len(lines)):
        line = lines[i]
        first, last = 0, _length(line)
        while left and first < last and _is_space(line[first]):
            first += 1
        while right and first < last and _is_space(line[last - 1]):
            last -= 1
        for k in range(first, last):
            out[i, k - first] = line[k]


def strip(a, chars=None):
    """``np.strings.strip``."""
    if isinstance(chars, np.ndarray):
        return _of_pairs(lambda x, y: x.strip(y), a, chars, a.dtype)
    if chars is None:
        return _trimmed(a, True, True)
    return _text_of_each(lambda x: x.strip(chars), a)


def lstrip(a, chars=None):
    """``np.strings.lstrip``."""
    if isinstance(chars, np.ndarray):
        return _of_pairs(lambda x, y: x.lstrip(y), a, chars, a.dtype)
    if chars is None:
        return _trimmed(a, True, False)
    return _text_of_each(lambda x: x.lstrip(chars), a)


def rstrip(a, chars=None):
    """``np.strings.rstrip``."""
    if isinstance(chars, np.ndarray):
        return _of_pairs(lambda x, y: x.rstrip(y), a, chars, a.dtype)
    if chars is None:
        return _trimmed(a, False, True)
    return _text_of_each(lambda x: x.rstrip(chars), a)


def isalpha(x):
    """``np.strings.isalpha``."""
    return _truth_of_each(lambda item: item.isalpha(), x)


def isdigit(x):
    """``np.strings.isdigit``."""
    return _truth_of_each(lambda item: item.isdigit(), x)


def isalnum(x):
    """``np.strings.isalnum``."""
    return _truth_of_each(lambda item: item.isalnum(), x)


def isspace(x):
    """``np.strings.isspace``."""
    return _truth_of_each(lambda item: item.isspace(), x)


def islower(x):
    """``np.strings.islower``."""
    return _truth_of_each(lambda item: item.islower(), x)


def isupper(x):
    """``np.strings.isupper``."""
    return _truth_of_each(lambda item: item.isupper(), x)


def istitle(x):
    """``np.strings.istitle``."""
    return _truth_of_each(lambda item: item.istitle(), x)


def isdecimal(x):
    """``np.strings.isdecimal``."""
    return _truth_of_each(lambda item: item.isdecimal(), x)


def isnumeric(x):
    """``np.strings.isnumeric``."""
    return _truth_of_each(lambda item: item.isnumeric(), x)


def str_len(x):
    """``np.strings.str_len``."""
    out = np.empty(x.shape, np.int64)
    _lengths(_codes_of(x.reshape(-1)), out.reshape(-1))
    return item_of(out)


def _lengths(lines, out):
    for i in range(len(out)):
        out[i] = _length(lines[i])


_MOST = 2**63 - 1


def _end(end):
    if end is None:
        return _MOST
    return end


# Other dtypes ---------------------------------------------------------------------------------------------------------


def converted(a, dtype):
    """``a.astype(dtype)``, where one of both is of text."""
    out = np.empty(a.shape, dtype)
    _convert(a.reshape(-1), out.reshape(-1))
    return out


def _convert(line, out):
    for i in range(len(line)):
        out[i] = _as_kind(line[i], out.dtype.kind)


def _as_kind(x, kind: known):
    if kind == "U":
        if isinstance(x, bytes):
            return x.decode("ascii")
        return str(x)
    if kind == "S":
        if isinstance(x, bytes):
            return x
        return str(x).encode("ascii")
    if kind == "f":
        return float(x)
    if kind == "c":
        return complex(x)
    return int(x)
