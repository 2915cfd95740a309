"""Functions of whole arrays that are made of ufuncs: rounding, ``np.clip``, comparisons of arrays and their kin."""

import math

import numpy as np

from .._intrinsics import given, known, literal, missing, raise_if

# Casts ----------------------------------------------------------------------------------------------------------------


def _rank_of_kind(dtype):
    return "buifcmMSUV".find(np.dtype(dtype).kind)


def can_cast(from_, to, casting="safe"):
    """``np.can_cast`` of dtypes."""
    if casting == "unsafe" or np.dtype(from_) == np.dtype(to):
        return True
    if casting == "no" or casting == "equiv":
        return False
    if casting == "same_kind" and _rank_of_kind(from_) <= _rank_of_kind(to):
        return True
    return np.promote_types(from_, to) == np.dtype(to)


def check_cast(from_, to, casting: known):
    """NumPy's TypeError where arrays of one dtype are not cast to another."""
    if not can_cast(from_, to, casting):
        raise TypeError(
            f"Cannot cast array data from dtype('{np.dtype(from_).name}') to dtype('{np.dtype(to).name}') "
            f"according to the rule '{casting}'"
        )


def astype(x, dtype, /, *, copy: literal = True):
    """``np.astype``."""
    return x.astype(dtype, copy=copy)


def copyto(dst, src, casting="same_kind", where=True):
    """``np.copyto``."""
    if isinstance(src, np.ndarray):
        check_cast(src.dtype, dst.dtype, casting)
    if isinstance(where, np.ndarray):
        check_cast(where.dtype, np.bool_, "safe")
        dst[...] = np.where(where, src, dst)
    elif where:
        dst[...] = src


# Rounding -------------------------------------------------------------------------------------------------------------


def clip(a, a_min=missing, a_max=missing, out=None, *, min=missing, max=missing):
    """``np.clip``."""
    if not given(a_min) and not given(a_max):
        return _clip(_array(a), _bound(min), _bound(max), out)
    return _clip(_array(a), _bound(a_min), _bound(a_max), out)


def clip_array(self, min=missing, max=missing, out=None):
    """``a.clip``."""
    return _clip(self, _bound(min), _bound(max), out)


def _array(a):
    """An array or a number; what holds numbers becomes an array."""
    if isinstance(a, (list, tuple, range)):
        return np.asarray(a)
    return a


def _bound(value):
    if not given(value):
        return None
    return _array(value)


def _low(bound, a):
    """A lower bound that is less than all integers of the dtype, as the least of them."""
    if isinstance(bound, int) and not isinstance(bound, bool) and not isinstance(a, (int, float)):
        if np.issubdtype(a.dtype, np.integer):
            return max(bound, np.iinfo(a.dtype).min)
    return bound


def _high(bound, a):
    """An upper bound that is greater than all, as the greatest."""
    if isinstance(bound, int) and not isinstance(bound, bool) and not isinstance(a, (int, float)):
        if np.issubdtype(a.dtype, np.integer):
            return min(bound, np.iinfo(a.dtype).max)
    return bound


def _clip(a, low, high, out):
    if low is None and high is None:
        return _stored(np.positive, a, out)
    if low is None:
        return _stored_of_two(np.minimum, a, _high(high, a), out)
    if high is None:
        return _stored_of_two(np.maximum, a, _low(low, a), out)
    return _stored_of_two(np.minimum, np.maximum(a, _low(low, a)), _high(high, a), out)


def _stored(function, a, out):
    if out is None:
        return function(a)
    return function(a, out=out)


def _stored_of_two(function, a, b, out):
    if out is None:
        return function(a, b)
    return function(a, b, out=out)


def around(a, decimals=0, out=None):
    """``np.round`` and ``np.around``."""
    return _rounded(_array(a), decimals, out)


def _rounded(a, decimals, out):
    if isinstance(a, np.ndarray):
        if out is not None:
            raise_if(out.shape != a.shape, "ValueError", "invalid output shape")
        if a.dtype == np.bool_:
            return _stored(np.rint, a, out)
        if np.issubdtype(a.dtype, np.integer):
            return _rounded_integers(a, decimals, out)
        if a.dtype.kind == "c":
            return _rounded_parts(a, decimals, np.empty_like(a) if out is None else out)
        return _rounded_by(a, a.dtype.type, decimals, out)
    if isinstance(a, (int, np.integer)) and not isinstance(a, (bool, np.bool_)):
        return _rounded_integers(a, decimals, out)
    return _rounded_by(a, np.result_type(a).type, decimals, out)


def _rounded_integers(a, decimals, out):
    if decimals >= 0:
        return _stored(np.positive, a, out)
    tens = 10.0**-decimals
    whole = np.multiply(np.rint(np.divide(a, tens)), tens)
    if out is None:
        return whole.astype(np.result_type(a))
    out[...] = whole
    return out


def _rounded_parts(a, decimals, out):
    """Real and imaginary parts are rounded each, as NumPy does it."""
    _rounded(a.real, decimals, out.real)
    _rounded(a.imag, decimals, out.imag)
    return out


def _rounded_by(a, kind, decimals, out):
    if isinstance(a, (complex, np.complexfloating)) and out is None:
        of_part = np.result_type(a.real).type
        return kind(complex(_rounded_by(a.real, of_part, decimals, None), _rounded_by(a.imag, of_part, decimals, None)))
    if decimals == 0:
        return _stored(np.rint, a, out)
    tens = kind(10.0 ** abs(decimals))
    if decimals > 0:
        return _stored_of_two(np.divide, np.rint(np.multiply(a, tens)), tens, out)
    return _stored_of_two(np.multiply, np.rint(np.divide(a, tens)), tens, out)


def round_array(self, decimals=0, out=None):
    """``a.round``."""
    return _rounded(self, decimals, out)


def fix(x, out=None):
    """``np.fix``."""
    return _stored(np.trunc, _array(x), out)


def nan_to_num(x, copy: known = True, nan=0.0, posinf=None, neginf=None):
    """``np.nan_to_num``."""
    a = _array(x)
    if isinstance(a, np.ndarray):
        out = a.copy() if copy else a
        if a.dtype.kind == "c":
            _replace(out.real, nan, posinf, neginf)
            _replace(out.imag, nan, posinf, neginf)
        elif a.dtype.kind == "f":
            _replace(out, nan, posinf, neginf)
        return out[()] if out.ndim == 0 else out
    kind = np.result_type(a)
    if kind.kind == "c":
        real = _replaced(a.real, np.result_type(a.real), nan, posinf, neginf)
        return kind.type(complex(real, _replaced(a.imag, np.result_type(a.imag), nan, posinf, neginf)))
    elif kind.kind == "f":
        return _replaced(a, kind, nan, posinf, neginf)
    return a


def _replace(a, nan, posinf, neginf):
    a[...] = _replaced(a, a.dtype, nan, posinf, neginf)


def _replaced(a, kind, nan, posinf, neginf):
    high = np.finfo(kind).max if posinf is None else posinf
    low = np.finfo(kind).min if neginf is None else neginf
    unit = np.dtype(kind).type
    finite = np.where(np.isinf(a), np.where(np.signbit(a), unit(low), unit(high)), a)
    return np.where(np.isnan(a), unit(nan), finite)


def sinc(x):
    """``np.sinc``."""
    a = np.multiply(_array(x), math.pi)
    y = np.where(np.equal(a, 0), 1.0e-20, a)
    return np.divide(np.sin(y), y)


# Comparisons ----------------------------------------------------------------------------------------------------------


def isclose(a, b, rtol=1e-05, atol=1e-08, equal_nan: known = False):
    """``np.isclose``."""
    x, y = _array(a), _in_floats(_array(b))
    near = np.less_equal(np.abs(np.subtract(x, y)), np.add(atol, np.multiply(rtol, np.abs(y))))
    result = np.logical_or(np.logical_and(near, np.isfinite(y)), np.equal(x, y))
    if equal_nan:
        return np.logical_or(result, np.logical_and(np.isnan(x), np.isnan(y)))
    return result


def _in_floats(a):
    """Integers as NumPy compares them, whose differences do not wrap."""
    if np.result_type(a).kind in ("b", "i", "u"):
        return np.multiply(a, 1.0)
    return a


def allclose(a, b, rtol=1e-05, atol=1e-08, equal_nan: known = False):
    """``np.allclose``."""
    return bool(np.all(isclose(a, b, rtol, atol, equal_nan)))


def array_equal(a1, a2, equal_nan: known = False):
    """``np.array_equal``."""
    a, b = np.asarray(a1), np.asarray(a2)
    if a.ndim != b.ndim:
        return False
    else:
        if a.shape != b.shape:
            return False
        return _equal(a, b, equal_nan)


def _equal(a, b, equal_nan: known):
    if equal_nan:
        return bool(np.all(np.logical_or(np.equal(a, b), np.logical_and(np.isnan(a), np.isnan(b)))))
    return bool(np.all(np.equal(a, b)))


def array_equiv(a1, a2):
    """``np.array_equiv``."""
    a, b = np.asarray(a1), np.asarray(a2)
    if not _broadcast(a.shape, b.shape):
        return False
    return _equal(a, b, False)


def _broadcast(a, b):
    """Whether two shapes broadcast."""
    if len(a) == 0 or len(b) == 0:
        return True
    return (a[-1] == b[-1] or a[-1] == 1 or b[-1] == 1) and _broadcast(a[:-1], b[:-1])


def iscomplexobj(x):
    """``np.iscomplexobj``."""
    if x is None or isinstance(x, str):
        return False
    return np.result_type(_array(x)).kind == "c"


def isrealobj(x):
    """``np.isrealobj``."""
    return not iscomplexobj(x)


def iscomplex(x):
    """``np.iscomplex``."""
    a = _array(x)
    if np.result_type(a).kind == "c":
        return np.not_equal(np.imag(a), 0)
    return np.logical_and(np.not_equal(a, a), False)


def isreal(x):
    """``np.isreal``."""
    return np.logical_not(iscomplex(x))


def isscalar(element):
    """``np.isscalar``."""
    return isinstance(element, (int, float, complex, str, bytes, np.generic)) and not isinstance(element, np.ndarray)


def isfortran(a):
    """``np.isfortran``."""
    return a.flags.fnc


def isneginf(x, out=None):
    """``np.isneginf``."""
    a = _array(x)
    return _stored_of_two(np.logical_and, np.isinf(a), np.signbit(a), out)


def isposinf(x, out=None):
    """``np.isposinf``."""
    a = _array(x)
    return _stored_of_two(np.logical_and, np.isinf(a), np.logical_not(np.signbit(a)), out)


# Complex numbers ------------------------------------------------------------------------------------------------------


def angle(z, deg: known = False):
    """``np.angle``."""
    a = _array(z)
    if np.result_type(a).kind == "c":
        return _in_degrees(np.arctan2(np.imag(a), np.real(a)), deg)
    return _in_degrees(np.arctan2(0, a), deg)


def _in_degrees(a, deg: known):
    if deg:
        return np.multiply(a, 180 / math.pi)
    return a


def conjugate(self):
    """``a.conj()``: of real numbers the array itself."""
    if self.dtype.kind == "c":
        return np.conjugate(self)
    if self.dtype.kind not in ("b", "i", "u", "f"):
        raise TypeError("cannot conjugate non-numeric dtype")
    return self


def modf(x, /):
    """``np.modf``: the part behind the point, and the whole part, both of the sign of ``x``."""
    if isinstance(x, (list, tuple)):
        return modf(np.asarray(x))
    y = np.copysign(x, x)
    whole = np.trunc(y)
    return np.copysign(np.where(np.isinf(y), 0, np.subtract(y, whole)), y), whole


def frexp(x, /):
    """``np.frexp``: a share from 0.5 to 1, and the exponent of 2, an int32."""
    if isinstance(x, (list, tuple)):
        return frexp(np.asarray(x))
    y = np.copysign(x, x)
    if isinstance(y, np.ndarray):
        shares, exponents = np.empty(y.shape, y.dtype), np.empty(y.shape, np.int32)
        source, target, numbers = np.ravel(y), shares.reshape(-1), exponents.reshape(-1)
        for i in range(len(source)):
            share, exponent = math.frexp(source[i])
            target[i], numbers[i] = share, exponent
        return shares, exponents
    share, exponent = math.frexp(y)
    return y.dtype.type(share), np.int32(exponent)


def bitwise_count(x, /):
    """``np.bitwise_count``: how many bits the magnitude has, a uint8."""
    if not isinstance(x, np.ndarray):
        return bitwise_count(np.asarray(x))
    if x.dtype.kind == "i":
        return _bits_of(np.abs(x.astype(np.int64)).astype(np.uint64))
    if x.dtype.kind == "u" or x.dtype.kind == "b":
        return _bits_of(x.astype(np.uint64))
    raise TypeError("ufunc 'bitwise_count' not supported for the input types")


def _bits_of(v):
    # Sums of neighbours, of 1, 2 and 4 bits, then of all bytes.
    v = v - ((v >> np.uint64(1)) & np.uint64(0x5555555555555555))
    v = (v & np.uint64(0x3333333333333333)) + ((v >> np.uint64(2)) & np.uint64(0x3333333333333333))
    v = (v + (v >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return ((v * np.uint64(0x0101010101010101)) >> np.uint64(56)).astype(np.uint8)
