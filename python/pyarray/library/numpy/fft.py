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
    if a.dtype == np.complex64 or a.dtype == np.complex128:
        return a
    return a.astype((_one(a) * 1j).dtype)


def _real(a):
    """Of real numbers, in a type that there is a loop for."""
    if a.dtype == np.float32 or a.dtype == np.float64:
        return a
    if a.dtype == np.complex64 or a.dtype == np.complex128:
        raise TypeError("ufunc 'rfft_n_even' did not contain a loop with signature matching types")
    return a.astype(np.abs(_one(a) * 1j).dtype)


def _checked(n):
    if n < 1:
        raise ValueError(f"Invalid number of FFT data points ({n}) specified.")
    return n


def _factor(n, norm, forward, number):
    """What results are multiplied by, in the type of ``number``, an array of one."""
    factor = np.ones(1, np.abs(number).dtype)
    size = factor * n
    if norm == "ortho":
        return np.reciprocal(np.sqrt(size))
    if norm is not None and norm != "backward" and norm != "forward":
        raise ValueError(f'Invalid norm value {norm}; should be "backward", "ortho" or "forward".')
    if (norm == "forward") == forward:
        return np.reciprocal(size)
    return factor


def _is_last(axis, ndim):
    """Of a matrix: which axis, True for the last. Of other arrays it must be that."""
    if axis < -ndim or axis >= ndim:
        raise np.exceptions.AxisError(f"axis {axis} is out of bounds for array of dimension {ndim}")
    last = axis == -1 or axis == ndim - 1
    if not last and ndim != 2:
        raise NotImplementedError("np.fft along an axis that is not the last, of an array that is no matrix")
    return last


def fft(a, n=None, axis=-1, norm=None):
    """The discrete Fourier transform along an axis, of ``n`` points."""
    x = _complex(a)
    last = _is_last(axis, a.ndim)
    points = _checked((a.shape[-1] if last else a.shape[0]) if n is None else n)
    factor = _factor(points, norm, True, _one(x))
    return _along(_fft, x, factor, last, points, x)


def ifft(a, n=None, axis=-1, norm=None):
    """The inverse of ``fft``."""
    x = _complex(a)
    last = _is_last(axis, a.ndim)
    points = _checked((a.shape[-1] if last else a.shape[0]) if n is None else n)
    factor = _factor(points, norm, False, _one(x))
    return _along(_ifft, x, factor, last, points, x)


def rfft(a, n=None, axis=-1, norm=None):
    """The transform of real numbers: the half of it that the other half follows from."""
    x = _real(a)
    last = _is_last(axis, a.ndim)
    points = _checked((a.shape[-1] if last else a.shape[0]) if n is None else n)
    factor = _factor(points, norm, True, _one(x))
    if points % 2 == 0:
        return _along(_rfft_even, x, factor, last, points // 2 + 1, _one(x) * 1j)
    return _along(_rfft_odd, x, factor, last, points // 2 + 1, _one(x) * 1j)


def irfft(a, n=None, axis=-1, norm=None):
    """The inverse of ``rfft``; ``n`` says how many numbers there were, else an even number."""
    x = _complex(a)
    last = _is_last(axis, a.ndim)
    points = _checked(2 * ((a.shape[-1] if last else a.shape[0]) - 1) if n is None else n)
    factor = _factor(points, norm, False, _one(x))
    return _along(_irfft, x, factor, last, points, np.abs(_one(x)))


def _along(loop, x, factor, last, points, kind):
    """The transforms along the last axis, or the first one of a matrix, in an array of the dtype of ``kind``."""
    if x.ndim == 2:
        if not last:
            out = np.empty((points, x.shape[1]), kind.dtype)
            loop(x.T, factor, out.T)
            return out
    out = np.empty((*x.shape[:-1], points), kind.dtype)
    loop(x, factor, out)
    return out
