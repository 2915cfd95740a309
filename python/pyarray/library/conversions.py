"""Numbers of bytes and of text, and text of bytes, where the compiler's rules do not make them."""

import math

from ._intrinsics import given, missing

_MANTISSA = 53
_LEAST_EXPONENT = -1074
_DIGITS = "0123456789abcdef"
_ASCII_SPACE = " \t\n\v\f\r"  # that of numbers, which has no separators (0x1c to 0x1f)
_SPACE = (
    _ASCII_SPACE
    + "\x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
)


def decoded(object, encoding="utf-8", errors="strict"):
    """``str(object, encoding, errors)``."""
    if isinstance(object, str):
        raise TypeError("decoding str is not supported")
    return object.decode(encoding, errors)


def int_of_bytes(x, /, base=10):
    """``int`` of bytes."""
    if base != 0 and not 2 <= base <= 36:
        raise ValueError("int() base must be >= 2 and <= 36, or 0")
    try:
        return int(x.decode("ascii", "replace"), base)
    except ValueError:
        raise ValueError(f"invalid literal for int() with base {base}: {bytes(x)!r}") from None


def float_of_bytes(x, /):
    """``float`` of bytes."""
    try:
        return float(x.decode("ascii", "replace"))
    except ValueError:
        raise ValueError(f"could not convert string to float: {x!r}") from None


def _part(text):
    # "+" of 1+j
    return float(text + "1" if text in ("", "+", "-") else text)


def _complex_parts(text):
    for character in text:
        if character in _SPACE:
            raise ValueError("white space")
    if text == "" or text[-1] not in "jJ":
        return float(text), 0.0
    sign = len(text) - 2
    while sign > 0 and not (text[sign] in "+-" and text[sign - 1] not in "eE"):
        sign -= 1
    if sign <= 0:
        return 0.0, _part(text[:-1])
    return float(text[:sign]), _part(text[sign:-1])


def _has_misplaced_underscore(text):
    # CPython says so before it looks for a number, and of an embedded null too.
    before = ""
    for character in text:
        if character == "\0" or (before == "_" and not character.isdecimal()):
            return True
        if character == "_" and not before.isdecimal():
            return True
        before = character
    return before == "_"


def _complex_of_text(text):
    inner = text.strip(_SPACE)
    if len(inner) > 1 and inner[0] == "(" and inner[-1] == ")":
        inner = inner[1:-1].strip(_SPACE)
    try:
        real, imag = _complex_parts(inner)
    except ValueError:
        if "_" in text and _has_misplaced_underscore(text):
            raise ValueError(f"could not convert string to complex: {text!r}") from None
        raise ValueError("complex() arg is a malformed string") from None
    return complex(real, imag)


def complex_of_text(text, imag=missing, /):
    """``complex`` of text, or of what has text beside it."""
    if not given(imag):
        return _complex_of_text(text)
    elif isinstance(text, str):
        raise TypeError("complex() can't take second arg if first is a string")
    else:
        raise TypeError("complex() second arg can't be a string")


def _rounded(mantissa, exponent):
    # mantissa * 2**exponent, the nearest float64
    top = mantissa.bit_length() + exponent
    keep = min(_MANTISSA, top - _LEAST_EXPONENT)
    if keep < 0:
        return 0.0
    drop = mantissa.bit_length() - keep
    if drop > 0:
        rest = mantissa & ((1 << drop) - 1)
        half = 1 << (drop - 1)
        mantissa >>= drop
        if rest > half or (rest == half and mantissa & 1):
            mantissa += 1
        exponent += drop
    if mantissa.bit_length() + exponent > 1024:
        raise OverflowError("hexadecimal value too large to represent as a float")
    return math.ldexp(float(mantissa), exponent)


def _exponent_of(text):
    digits = text[1:] if text[:1] in ("+", "-") else text
    if not (digits.isascii() and digits.isdigit()):
        raise ValueError("invalid hexadecimal floating-point string")
    value = min(int(digits[-18:]), 1 << 40) if digits[:-18].strip("0") == "" else 1 << 40
    return -value if text[:1] == "-" else value


def _float_of_digits(text):
    mantissa = 0
    exponent = 0
    count = 0
    behind = False
    at = 0
    while at < len(text) and text[at] != "p":
        digit = _DIGITS.find(text[at])
        if text[at] == "." and not behind:
            behind = True
        elif digit < 0:
            raise ValueError("invalid hexadecimal floating-point string")
        else:
            count += 1
            if mantissa < 1 << 56:
                mantissa = mantissa * 16 + digit
                exponent -= 4 if behind else 0
            else:
                mantissa |= 1 if digit else 0  # whatever is further behind rounds as this does
                exponent += 0 if behind else 4
        at += 1
    if count == 0:
        raise ValueError("invalid hexadecimal floating-point string")
    if at < len(text):
        exponent += _exponent_of(text[at + 1 :])
    return 0.0 if mantissa == 0 else _rounded(mantissa, exponent)


def float_of_hex(string, /):
    """``float.fromhex``."""
    text = string.strip(_ASCII_SPACE).lower()
    negative = text[:1] == "-"
    if text[:1] in ("+", "-"):
        text = text[1:]
    if text in ("inf", "infinity"):
        value = math.inf
    elif text == "nan":
        value = math.nan
    else:
        value = _float_of_digits(text[2:] if text[:2] == "0x" else text)
    return -value if negative else value
