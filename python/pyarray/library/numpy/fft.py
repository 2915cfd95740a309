"""``np.fft``: NumPy's own transforms, by the inner loops of its gufuncs, along the last axis or one of a matrix."""

import numpy as np

from .._intrinsics import gufunc, numpy_loop


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


def _real(a):
    if a.dtype == np.complex64 or a.dtype == np.complex128:
        raise TypeError("ufunc 'rfft_n_even' did not contain a loop with signature matching types")
    if a.dtype == np.float64:
        return a
    return a.astype(np.float64)


def _is_scaled(norm, forward):
    """Whether results are multiplied by something: then NumPy keeps single precision, if the type is exactly that."""
    return norm == "ortho" or (norm == "forward") == forward


def _checked(n):
    if n < 1:
        raise ValueError(f"Invalid number of FFT data points ({n}) specified.")
    return n


def _factor(n, norm, forward, number, real):
    """What results are multiplied by: computed in the real type of ``number``, in the type of ``real``."""
    size = np.ones(1, (np.abs(number) * 1.0).dtype) * n
    if norm == "ortho":
        return np.reciprocal(np.sqrt(size)).astype(real.dtype)
    if norm is not None and norm != "backward" and norm != "forward":
        raise ValueError(f'Invalid norm value {norm}; should be "backward","ortho" or "forward".')
    if (norm == "forward") == forward:
        return np.reciprocal(size).astype(real.dtype)
    return np.ones(1, real.dtype)


def _is_last(axis, ndim):
    """Of a matrix: which axis, True for the last. Of other arrays it must be that."""
    if axis < -ndim or axis >= ndim:
        raise IndexError("tuple index out of range")
    last = axis == -1 or axis == ndim - 1
    if not last and ndim != 2:
        raise NotImplementedError("np.fft along an axis that is not the last, of an array that is no matrix")
    return last


def _extent(a, axis):
    return a.shape[-1] if _is_last(axis, a.ndim) else a.shape[0]


def _transform(loop, forward, a, n, axis, norm):
    extent = _extent(a, axis)
    points = _checked(extent if n is None else n)
    if a.dtype == np.complex64:
        if _is_scaled(norm, forward):
            return _along(loop, a, _factor(points, norm, forward, _one(a), np.abs(_one(a))), axis, points, _one(a))
    x = _complex(a)
    factor = _factor(points, norm, forward, _one(a), np.abs(_one(x)))
    return _as(_along(loop, x, factor, axis, points, _one(x)), _one(a) * 1j)


def fft(a, n=None, axis=-1, norm=None):
    """The discrete Fourier transform along an axis, of ``n`` points."""
    return _transform(_fft, True, a, n, axis, norm)


def ifft(a, n=None, axis=-1, norm=None):
    """The inverse of ``fft``."""
    return _transform(_ifft, False, a, n, axis, norm)


def rfft(a, n=None, axis=-1, norm=None):
    """The transform of real numbers: the half of it that the other half follows from."""
    extent = _extent(a, axis)
    points = _checked(extent if n is None else n)
    if a.dtype == np.float32:
        if _is_scaled(norm, True):
            return _half(a, _factor(points, norm, True, _one(a), _one(a)), axis, points)
    x = _real(a)
    return _as(_half(x, _factor(points, norm, True, _one(a), _one(x)), axis, points), _one(a) * 1j)


def _half(x, factor, axis, points):
    if points % 2 == 0:
        return _along(_rfft_even, x, factor, axis, points // 2 + 1, _one(x) * 1j)
    return _along(_rfft_odd, x, factor, axis, points // 2 + 1, _one(x) * 1j)


def irfft(a, n=None, axis=-1, norm=None):
    """The inverse of ``rfft``; ``n`` says how many numbers there were, else an even number."""
    extent = _extent(a, axis)
    points = _checked(2 * (extent - 1) if n is None else n)
    if a.dtype == np.complex64:
        if _is_scaled(norm, False):
            factor = _factor(points, norm, False, _one(a), np.abs(_one(a)))
            return _along(_irfft, a, factor, axis, points, np.abs(_one(a)))
    x = _complex(a)
    factor = _factor(points, norm, False, _one(a), np.abs(_one(x)))
    return _as(_along(_irfft, x, factor, axis, points, np.abs(_one(x))), np.abs(_one(a)) * 1.0)


def _along(loop, x, factor, axis, points, kind):
    """The transforms along the last axis, or the first one of a matrix, in an array of the dtype of ``kind``."""
    if x.ndim == 2:
        if not _is_last(axis, 2):
            out = np.empty((points, x.shape[1]), kind.dtype)
            loop(x.T, factor, out.T)
            return out
    out = np.empty((*x.shape[:-1], points), kind.dtype)
    loop(x, factor, out)
    return out
