"""``np.fft``: NumPy's own transforms, by the inner loops of its gufuncs; on a GPU cuFFT's, where it is there."""

import math

import numpy as np

from .._intrinsics import given, gufunc, known, missing, numpy_loop, on_device
from ..device.transforms import transform_to
from .axes import axis_of
from .elements import check_cast
from .joins import _set


def _codes(*rows):
    """Type codes of loops by the letters of input, factor and output."""
    return ["".join("[A1" + letter for letter in row) + ">" for row in rows]


@gufunc("(n),(k)->(m)", *_codes("FfF", "DdD"))
def _fft(a, factor, out):
    numpy_loop("fft", "(n),()->(m)", a, factor, out)


@gufunc("(n),(k)->(m)", *_codes("FfF", "DdD"))
def _ifft(a, factor, out):
    numpy_loop("ifft", "(n),()->(m)", a, factor, out)


@gufunc("(n),(k)->(m)", *_codes("ffF", "ddD"))
def _rfft_even(a, factor, out):
    numpy_loop("rfft_n_even", "(n),()->(m)", a, factor, out)


@gufunc("(n),(k)->(m)", *_codes("ffF", "ddD"))
def _rfft_odd(a, factor, out):
    numpy_loop("rfft_n_odd", "(n),()->(m)", a, factor, out)


@gufunc("(n),(k)->(m)", *_codes("Fff", "Ddd"))
def _irfft(a, factor, out):
    numpy_loop("irfft", "(n),()->(m)", a, factor, out)


def _one(a):
    return np.empty(1, a.dtype)


def _complex(a):
    if a.dtype == np.complex128:
        return a
    return a.astype(np.complex128)


def _as(result, kind):
    """A result in the dtype of ``kind``, which float16 makes narrower than what is computed."""
    if result.dtype == kind.dtype:
        return result
    return result.astype(kind.dtype)


def _real(a, points):
    if a.dtype == np.complex64 or a.dtype == np.complex128:
        loop = "rfft_n_odd" if points % 2 else "rfft_n_even"
        raise TypeError(
            "ufunc '" + loop + "' not supported for the input types, and the inputs could not be safely coerced to any "
            "supported types according to the casting rule ''safe''"
        )
    elif a.dtype == np.float64:
        return a
    else:
        return a.astype(np.float64)


def _is_scaled(norm, forward):
    """Whether results are multiplied by something: then NumPy keeps single precision, if the type is exactly that."""
    return norm == "ortho" or (norm == "forward") == forward


def _checked(n):
    if n < 1:
        raise ValueError(f"Invalid number of FFT data points ({n}) specified.")
    return n


def _check_norm(norm):
    if norm is not None and norm != "backward" and norm != "forward":
        raise ValueError(f'Invalid norm value {norm}; should be "backward","ortho" or "forward".')


def _scale(n, norm, forward):
    """The factor as a number."""
    if norm == "ortho":
        return 1 / math.sqrt(n)
    _check_norm(norm)
    return 1.0 / n if (norm == "forward") == forward else 1.0


def _room(a, axis, points, kind):
    """An array for the transforms of ``a`` along an axis, of the dtype of ``kind``."""
    return np.empty(_set(a.shape, axis_of(axis, a.ndim), points), kind.dtype)


def _factor(n, norm, forward, number, real):
    """What results are multiplied by: computed in the real type of ``number``, in the type of ``real``."""
    size = np.ones(1, (np.abs(number) * 1.0).dtype) * n
    if norm == "ortho":
        return np.reciprocal(np.sqrt(size)).astype(real.dtype)
    _check_norm(norm)
    if (norm == "forward") == forward:
        return np.reciprocal(size).astype(real.dtype)
    return np.ones(1, real.dtype)


def _extent(a, axis):
    if axis < -a.ndim or axis >= a.ndim:
        raise IndexError("tuple index out of range")
    return a.shape[axis]


def _transform(loop, forward, a, n, axis, norm):
    a = np.asarray(a)
    extent = _extent(a, axis)
    points = _checked(extent if n is None else n)
    if on_device():
        made = _room(a, axis, points, _one(a) * 1j)
        x = np.asarray(a, made.dtype)
        if not transform_to(x, _scale(points, norm, forward), axis, points, made, 0 if forward else 1):
            made[...] = _by_numpy(loop, forward, a, points, axis, norm)
        return made
    return _by_numpy(loop, forward, a, points, axis, norm)


def _by_numpy(loop, forward, a, points, axis, norm):
    if a.dtype == np.complex64:
        if _is_scaled(norm, forward):
            return _along(loop, a, _factor(points, norm, forward, _one(a), np.abs(_one(a))), axis, points, _one(a))
    x = _complex(a)
    factor = _factor(points, norm, forward, _one(a), np.abs(_one(x)))
    return _as(_along(loop, x, factor, axis, points, _one(x)), _one(a) * 1j)


def fft(a, n=None, axis=-1, norm=None, out=None):
    """The discrete Fourier transform along an axis, of ``n`` points."""
    return _stored(_transform(_fft, True, a, n, axis, norm), out)


def ifft(a, n=None, axis=-1, norm=None, out=None):
    """The inverse of ``fft``."""
    return _stored(_transform(_ifft, False, a, n, axis, norm), out)


def rfft(a, n=None, axis=-1, norm=None, out=None):
    """The transform of real numbers: the half of it that the other half follows from."""
    a = np.asarray(a)
    extent = _extent(a, axis)
    points = _checked(extent if n is None else n)
    if a.dtype.kind != "c":
        if on_device():
            made = _room(a, axis, points // 2 + 1, _one(a) * 1j)
            x = np.asarray(a, made.real.dtype)
            if not transform_to(x, _scale(points, norm, True), axis, points, made, 0):
                made[...] = _half_by_numpy(a, points, axis, norm)
            return _stored(made, out)
    return _stored(_half_by_numpy(a, points, axis, norm), out)


def _half_by_numpy(a, points, axis, norm):
    if a.dtype == np.float32:
        if _is_scaled(norm, True):
            return _half(a, _factor(points, norm, True, _one(a), _one(a)), axis, points)
    x = _real(a, points)
    return _as(_half(x, _factor(points, norm, True, _one(a), _one(x)), axis, points), _one(a) * 1j)


def _half(x, factor, axis, points):
    if points % 2 == 0:
        return _along(_rfft_even, x, factor, axis, points // 2 + 1, _one(x) * 1j)
    return _along(_rfft_odd, x, factor, axis, points // 2 + 1, _one(x) * 1j)


def irfft(a, n=None, axis=-1, norm=None, out=None):
    """The inverse of ``rfft``; ``n`` says how many numbers there were, else an even number."""
    a = np.asarray(a)
    extent = _extent(a, axis)
    points = _checked(2 * (extent - 1) if n is None else n)
    if on_device():
        made, x = _room(a, axis, points, np.abs(_one(a)) * 1.0), np.asarray(a, (_one(a) * 1j).dtype)
        if not transform_to(x, _scale(points, norm, False), axis, points // 2 + 1, made, 1):
            made[...] = _back_by_numpy(a, points, axis, norm)
        return _stored(made, out)
    return _stored(_back_by_numpy(a, points, axis, norm), out)


def _back_by_numpy(a, points, axis, norm):
    if a.dtype == np.complex64:
        if _is_scaled(norm, False):
            factor = _factor(points, norm, False, _one(a), np.abs(_one(a)))
            return _along(_irfft, a, factor, axis, points, np.abs(_one(a)))
    x = _complex(a)
    factor = _factor(points, norm, False, _one(a), np.abs(_one(x)))
    return _as(_along(_irfft, x, factor, axis, points, np.abs(_one(x))), np.abs(_one(a)) * 1.0)


def hfft(a, n=None, axis=-1, norm=None, out=None):
    """The transform of what is symmetric, given by its half: real numbers."""
    x = np.asarray(a)
    return _stored(irfft(np.conjugate(x), 2 * (_extent(x, axis) - 1) if n is None else n, axis, _opposite(norm)), out)


def ihfft(a, n=None, axis=-1, norm=None, out=None):
    """The inverse of ``hfft``."""
    return _stored(np.conjugate(rfft(np.asarray(a), n, axis, _opposite(norm))), out)


def _opposite(norm):
    """The ``norm`` that an inverse has instead."""
    if norm is None or norm == "backward":
        return "forward"
    if norm == "forward":
        return "backward"
    if norm == "ortho":
        return "ortho"
    raise ValueError(f'Invalid norm value {norm}; should be "backward", "ortho" or "forward".')


def _stored(result, out):
    if out is None:
        return result
    elif out.ndim != result.ndim:
        raise ValueError("output array has wrong shape.")
    else:
        if out.shape != result.shape:
            raise ValueError("output array has wrong shape.")
        check_cast(result.dtype, out.dtype, "same_kind")
        out[...] = result
        return out


def _along(loop, x, factor, axis, points, kind):
    """The transforms along an axis, in an array of the dtype of ``kind``."""
    if x.ndim == 1:
        line = np.empty(points, kind.dtype)
        loop(x, factor, line)
        return line
    else:
        out = np.empty_like(x, kind.dtype, shape=_set(x.shape, axis_of(axis, x.ndim), points))
        if axis == -1 or axis == x.ndim - 1:
            loop(x, factor, out)
        else:
            loop(np.swapaxes(x, axis, -1), factor, np.swapaxes(out, axis, -1))
        return out


# Several axes ---------------------------------------------------------------------------------------------------------


def _axes(a, axes, s):
    """The axes as a tuple: all where none are named, and the last ones where there are fewer extents."""
    if axes is not None:
        return axes
    if s is None:
        return axes_before(a.shape, 0)
    return axes_before(s, a.ndim - len(s))


def axes_before(values, start):
    """As many numbers from ``start`` on as there are values."""
    if len(values) == 0:
        return ()
    return (start,) + axes_before(values[1:], start + 1)


def _points(a, axes, s, k):
    return a.shape[axes[k]] if s is None else s[k]


def _check(axes, s):
    if s is not None:
        if len(axes) != len(s):
            raise ValueError("Shape and axes have different lengths.")


def _over(a, s, axes, norm, last, others):
    """``last`` along the last axis, then ``others`` along those before it."""
    a = np.asarray(a)
    over = _axes(a, axes, s)
    _check(over, s)
    k = len(over) - 1
    out = last(a, _points(a, over, s, k), over[k], norm)
    for k in range(len(over) - 2, -1, -1):
        out = others(out, _points(a, over, s, k), over[k], norm)
    return out


def fftn(a, s=None, axes=None, norm=None, out=None):
    """``np.fft.fftn``."""
    return _stored(_over(a, s, axes, norm, fft, fft), out)


def ifftn(a, s=None, axes=None, norm=None, out=None):
    """``np.fft.ifftn``."""
    return _stored(_over(a, s, axes, norm, ifft, ifft), out)


def rfftn(a, s=None, axes=None, norm=None, out=None):
    """``np.fft.rfftn``."""
    return _stored(_over(a, s, axes, norm, rfft, fft), out)


def irfftn(a, s=None, axes=None, norm=None, out=None):
    """``np.fft.irfftn``."""
    a = np.asarray(a)
    over = _axes(a, axes, s)
    _check(over, s)
    last = len(over) - 1
    if last == 0:
        return irfft(a, None if s is None else s[0], over[0], norm, out)
    whole = _complexes(a)
    for k in range(last):
        whole = ifft(whole, _points(a, over, s, k), over[k], norm)
    if s is None:
        return _stored(irfft(whole, None, over[last], norm), out)
    return _stored(irfft(whole, s[last], over[last], norm), out)


def _complexes(a):
    """A copy, as complex numbers of NumPy's dtype for the transform."""
    return np.array(a, (_one(a) * 1j).dtype)


def fft2(a, s=None, axes=missing, norm=None, out=None):
    """``np.fft.fft2``."""
    return fftn(a, s, axes if given(axes) else (-2, -1), norm, out)


def ifft2(a, s=None, axes=missing, norm=None, out=None):
    """``np.fft.ifft2``."""
    return ifftn(a, s, axes if given(axes) else (-2, -1), norm, out)


def rfft2(a, s=None, axes=missing, norm=None, out=None):
    """``np.fft.rfft2``."""
    return rfftn(a, s, axes if given(axes) else (-2, -1), norm, out)


def irfft2(a, s=None, axes=missing, norm=None, out=None):
    """``np.fft.irfft2``."""
    return irfftn(a, s, axes if given(axes) else (-2, -1), norm, out)


# Frequencies ----------------------------------------------------------------------------------------------------------


def fftfreq(n, d=1.0):
    """``np.fft.fftfreq``."""
    out, half = np.empty(n, np.int64), (n - 1) // 2 + 1
    out[:half] = np.arange(half)
    out[half:] = np.arange(-(n // 2), 0)
    return out * (1.0 / (n * d))


def rfftfreq(n, d=1.0):
    """``np.fft.rfftfreq``."""
    return np.arange(n // 2 + 1) * (1.0 / (n * d))


def fftshift(x, axes: known = None):
    """``np.fft.fftshift``."""
    a = np.asarray(x)
    if isinstance(axes, (int, np.integer)):
        return np.roll(a, a.shape[axes] // 2, axes)
    return _shifted(a, axes_before(a.shape, 0) if axes is None else axes, False)


def ifftshift(x, axes: known = None):
    """``np.fft.ifftshift``."""
    a = np.asarray(x)
    if isinstance(axes, (int, np.integer)):
        return np.roll(a, -(a.shape[axes] // 2), axes)
    return _shifted(a, axes_before(a.shape, 0) if axes is None else axes, True)


def _halves(shape, axes, back: known):
    if len(axes) == 0:
        return ()
    half = shape[axes[0]] // 2
    return (-half if back else half,) + _halves(shape, axes[1:], back)


def _shifted(a, axes, back: known):
    if isinstance(axes, tuple) and len(axes) > 0:
        if len(axes) == 1:
            return np.roll(a, -(a.shape[axes[0]] // 2) if back else a.shape[axes[0]] // 2, axes[0])
        return np.roll(a, _halves(a.shape, axes, back), axes)
    out = a.copy()
    for axis in axes:
        half = a.shape[axis] // 2
        out = np.roll(out, -half if back else half, axis)
    return out
