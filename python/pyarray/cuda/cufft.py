"""Discrete Fourier transforms on a device, by NVIDIA's cuFFT; where the CPU plays the device, by NumPy.

All transforms are unscaled, in both directions: ``ifft(fft(x))`` is ``x * x.size``. Source of the definition: the
documentation of cuFFT; with ``n`` elements, ``out[k] = sum(in[j] * exp(-+2j * pi * j * k / n) for j in range(n))``.
"""

import functools
import math

import numpy as np

from .._pyarray import cuda as _cuda
from ._libraries import is_there
from ._operands import Operand, copied, on_host, overlap
from ._values import dtype_of, whole

__all__ = ["FFTPlan", "fft", "fft_inplace", "ifft", "ifft_inplace"]

_MOST_DIMENSIONS = 3

# By the dtypes of input and output.
_TYPES = {
    ("complex64", "complex64"): "C2C",
    ("float32", "complex64"): "R2C",
    ("complex64", "float32"): "C2R",
    ("complex128", "complex128"): "Z2Z",
    ("float64", "complex128"): "D2Z",
    ("complex128", "float64"): "Z2D",
}


def _half(shape):
    """The shape of the complex side of a transform whose other side is real."""
    return (*shape[:-1], shape[-1] // 2 + 1)


class FFTPlan(_cuda.FFTPlan):
    """Transforms of one shape, prepared once.

    Parameters
    ----------
    shape : int or tuple of int
        1 to 3 extents: of the real side, where one side is real.
    itype, otype : dtype
        Of the input and the output: complex64, complex128, or a real one and its complex one. The complex side of a
        real transform has ``n // 2 + 1`` elements along the last dimension.
    batch : int, default 1
        How many transforms a call does; arrays then have one more dimension in front.
    stream : Stream, optional
        Of calls that name none.

    Raises
    ------
    CudaSupportError
        There is a GPU and no cuFFT; the text names the package to install.
    CudaAPIError
        cuFFT refuses the plan, for example because memory is too small.

    Notes
    -----
    A plan has working memory for one call, so calls in several streams wait for each other.
    """

    _type = None

    def __init__(self, shape, itype, otype, batch=1, stream=0):
        shape = shape if isinstance(shape, (tuple, list)) else (shape,)
        if not 1 <= len(shape) <= _MOST_DIMENSIONS:
            raise ValueError(f"a transform has 1 to {_MOST_DIMENSIONS} dimensions, not {len(shape)}")
        self.shape = tuple(whole(extent, "an extent of shape", 1, 2**31 - 1) for extent in shape)
        self.batch = whole(batch, "batch", 1, 2**31 - 1)
        self.itype, self.otype, self.stream = dtype_of(itype, "itype"), dtype_of(otype, "otype"), stream
        self._type = _TYPES.get((self.itype.name, self.otype.name))
        if self._type is None:
            known = ", ".join(f"{one} to {other}" for one, other in _TYPES)
            raise TypeError(f"there is no transform from {self.itype} to {self.otype}; there are: {known}")
        half = _half(self.shape)
        self._in = half if self._type in ("C2R", "Z2D") else self.shape
        self._out = half if self._type in ("R2C", "D2Z") else self.shape
        self._alignment = 2 * np.finfo(self.itype).dtype.itemsize  # which cuFFT asks for, of a complex number
        if is_there("cufft"):
            self._make(self.shape, self._type, self.batch)

    def forward(self, ary, out=None, stream=None):
        """Transform ``ary``.

        Parameters
        ----------
        ary : array_like
            Of the plan's input type, on the device or the host (which is copied). Shape: the plan's, after ``batch``
            unless that is 1.
        out : array, optional
            Of the output type, on the device or the host; may be ``ary`` where both sides are complex. A new array,
            on the device if ``ary`` is there, by default.
        stream : Stream, optional

        Returns
        -------
        array
            ``out``.
        """
        if self._type in ("C2R", "Z2D"):
            raise ValueError("a plan from complex to real numbers is for the inverse transform")
        return self._run(ary, out, False, self.stream if stream is None else stream)

    def inverse(self, ary, out=None, stream=None, overwrite_input=False):
        """Transform ``ary`` back, unscaled: divide the result by the number of elements of the plan's shape.

        Parameters are those of ``forward``. With ``overwrite_input``, a transform to real numbers may leave anything in
        ``ary``, as cuFFT does, and needs no copy of it.
        """
        if self._type in ("R2C", "D2Z"):
            raise ValueError("a plan from real to complex numbers is for the forward transform")
        return self._run(ary, out, True, self.stream if stream is None else stream, overwrite_input)

    def _run(self, ary, out, inverse, stream, overwrite_input=True):
        """What ``forward`` and ``inverse`` do where C does not take the arrays as they are."""
        to_real = self._type in ("C2R", "Z2D")
        if self._type is None:
            raise RuntimeError("the plan was not made: FFTPlan.__init__ was not called")
        _cuda.check_stream(stream)
        source = Operand(ary, self.itype, stream, what="the input", alignment=self._alignment)
        self._check(source.array, self._in, "the input")
        if out is None:
            out = self._new_result(ary, source.array)
        target = Operand(out, self.otype, stream, reads=False, writes=True, what="out", alignment=self._alignment)
        self._check(target.array, self._out, "out")
        in_array = source.array
        if (to_real and not overwrite_input and in_array is ary) or (
            overlap(in_array, target.array) and not self._in_place(in_array, target.array)
        ):
            in_array = copied(in_array, stream)
        if not is_there("cufft"):
            self._on_cpu(on_host(in_array), on_host(target.array), inverse)
        elif self._enqueue(in_array, target.array, inverse, stream) is NotImplemented:
            raise ValueError("the plan was made for another device; select that one (cuda.select_device)")
        return target.give_back()

    def _fits(self, shape, side):
        return shape == (self.batch, *side) or (self.batch == 1 and shape == side)

    def _check(self, array, side, what):
        if not self._fits(array.shape, side):
            wanted = side if self.batch == 1 else (self.batch, *side)
            raise ValueError(f"{what} has shape {array.shape}; the plan's is {wanted}")

    def _in_place(self, ary, out):
        return self.itype == self.otype and ary._address == out._address

    def _new_result(self, given, ary):
        from ._arrays import _on_device, device_array

        shape = self._out if ary.ndim == len(self._out) else (self.batch, *self._out)
        return np.empty(shape, self.otype) if _on_device(given, 0) is None else device_array(shape, self.otype)

    def _on_cpu(self, ary, out, inverse):
        axes = tuple(range(-len(self.shape), 0))
        count = math.prod(self.shape)
        if self._type in ("R2C", "D2Z"):
            result = np.fft.rfftn(ary, self.shape, axes)
        elif self._type in ("C2R", "Z2D"):
            result = np.fft.irfftn(ary, self.shape, axes) * count
        else:
            result = np.fft.ifftn(ary, axes=axes) * count if inverse else np.fft.fftn(ary, axes=axes)
        out[...] = result.reshape(out.shape)


FFTPlan.forward = _cuda.LibraryMethod("fft forward", FFTPlan.forward)
FFTPlan.inverse = _cuda.LibraryMethod("fft inverse", FFTPlan.inverse)


@functools.lru_cache(maxsize=16)
def _kept_plan(shape, itype, otype, ordinal, generation, batch=1):
    return FFTPlan(shape, itype, otype, batch)


def kept_plan(shape, itype, otype, batch):
    """A plan for this device that is kept for the next transform of its kind."""
    return _kept_plan(shape, itype, otype, *_cuda.identity(), batch)


def _transform(ary, out, inverse, stream, real_shape):
    """One transform over all dimensions by a plan that is kept for the next one of its kind."""
    itype, otype = getattr(ary, "dtype", None), getattr(out, "dtype", None)
    if itype is None or otype is None:
        raise TypeError(f"transforms are of arrays, not of {type(ary if itype is None else out).__name__}")
    if 0 in real_shape:
        raise ValueError("a transform is of one element at least")
    plan = _kept_plan(tuple(real_shape), itype, otype, *_cuda.identity())
    return plan.inverse(ary, out, stream) if inverse else plan.forward(ary, out, stream)


def fft(ary, out, stream=0):
    """Forward transform of ``ary`` over all its dimensions (1 to 3) into ``out``.

    Parameters
    ----------
    ary : array
        complex64, complex128, float32 or float64, on the device or the host.
    out : array
        Of the complex dtype of the same precision and of ``ary``'s shape; for real input with ``n // 2 + 1`` elements
        along the last dimension.
    stream : Stream, optional

    Returns
    -------
    array
        ``out``.
    """
    return _transform(ary, out, False, stream, np.shape(ary))


def ifft(ary, out, stream=0):
    """Inverse transform of ``ary`` into ``out``, unscaled: ``ifft(fft(x))`` is ``x * x.size``.

    ``out`` may be real, of the precision of ``ary``, which then has ``n // 2 + 1`` elements along the last dimension
    where ``out`` has ``n``. Parameters otherwise are those of ``fft``.
    """
    return _transform(ary, out, True, stream, np.shape(out))


def fft_inplace(ary, stream=0):
    """Replace a complex array by its forward transform, and return it."""
    return fft(ary, ary, stream)


def ifft_inplace(ary, stream=0):
    """Replace a complex array by its inverse transform, unscaled, and return it."""
    return ifft(ary, ary, stream)
