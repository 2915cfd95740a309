"""Products and transforms of device arrays by CUDA's libraries; where these are missing, compiled functions do it."""

import functools
import inspect
import math

import numpy as np

from .._pyarray import cuda as _cuda
from ._arrays import DeviceNDArray, _cuda_device, device_array
from ._errors import CudaSupportError
from ._libraries import is_there

# Smaller products are the kernel's of ours, which need no library: multiply-adds.
FEWEST = 1 << 12
_BY_CUBLAS = "efdFD"


@functools.cache
def has(name):
    """Whether a library of the GPU can be opened."""
    try:
        return is_there(name)
    except CudaSupportError:
        return False


def product(a, b):
    """``a @ b`` of two device arrays by cuBLAS; None where that is not for it.

    Parameters
    ----------
    a, b : DeviceNDArray
        Of one dtype that cuBLAS has, of 1 to 3 dimensions and on one device.
    """
    if a.dtype != b.dtype or a.dtype.char not in _BY_CUBLAS or not a.dtype.isnative:
        return None
    if not (0 < a.ndim <= 3 and 0 < b.ndim <= 3) or a.ndim + b.ndim == 2 or a._ordinal != b._ordinal:
        return None
    first, second = a if a.ndim > 1 else a[None], b if b.ndim > 1 else b[:, None]
    if first.shape[-1] != second.shape[-2] or not (first.size and second.size):
        return None
    shape = first.shape[:-2] or second.shape[:-2]
    if first.ndim == second.ndim == 3 and first.shape[0] != second.shape[0]:
        return None
    if math.prod(shape) * first.shape[-2] * first.shape[-1] * second.shape[-1] < FEWEST or not has("cublas"):
        return None
    with _cuda_device(a):
        out = device_array((*shape, first.shape[-2], second.shape[-1]), a.dtype)
        if not (_cuda.product(out, first, second) or _cuda.product(out, _packed(first), _packed(second))):
            return None
    if a.ndim == 1:
        out = out.reshape(*out.shape[:-2], out.shape[-1])
    return out.reshape(out.shape[:-1]) if b.ndim == 1 else out


def _packed(array):
    return array.copy("C") if array.layout == "A" else array


# ------------------------------------------------------------------------------------------------
# numpy.fft, by cuFFT

_MOST_DIMENSIONS = 3
_SINGLE = np.dtype(np.float32), np.dtype(np.complex64)
# By name: (inverse, kind of the transform: C of complex numbers, R from real ones, H to real ones)
_TRANSFORMS = {
    f"{name}{suffix}": (inverse, kind)
    for suffix in ("", "2", "n")
    for name, inverse, kind in (("fft", False, "C"), ("ifft", True, "C"), ("rfft", False, "R"), ("irfft", True, "H"))
}


def fourier(name, arguments, keywords):
    """What ``numpy.fft.<name>`` gives for a device array, by cuFFT; None where that is not for it."""
    bound = inspect.signature(getattr(np.fft, name)).bind(*arguments, **keywords)
    bound.apply_defaults()
    given = bound.arguments
    if given.get("out") is not None or not isinstance(given["a"], DeviceNDArray):
        return None
    s, axes = given.get("s"), given.get("axes")
    if "axis" in given:
        s, axes = None if given["n"] is None else (given["n"],), (given["axis"],)
    return _transform(name, given["a"], s, axes, given["norm"])


def is_transform(function):
    """Whether it is a function of ``numpy.fft`` that cuFFT has."""
    name = getattr(function, "__name__", None)
    return name in _TRANSFORMS and getattr(np.fft, name) is function


def _transform(name, a, s, axes, norm):
    inverse, kind = _TRANSFORMS[name]
    if not has("cufft") or a.dtype.kind not in "fc" or a.dtype == np.float16 or not a.ndim or not a.size:
        return None
    axes = tuple(range(a.ndim)) if axes is None and s is None else axes
    axes = tuple(range(a.ndim - len(s), a.ndim)) if axes is None else tuple(axis % a.ndim for axis in axes)
    if not 1 <= len(axes) <= _MOST_DIMENSIONS or len(set(axes)) < len(axes) or norm not in (None, *_NORMS):
        return None
    if s is not None and any(have != a.shape[axis] for have, axis in zip(s[: -1 if kind == "H" else None], axes)):
        return None  # NumPy cuts or fills up
    single = a.dtype in _SINGLE
    real, full = (np.float32, np.complex64) if single else (np.float64, np.complex128)
    if kind == "R" and a.dtype.kind != "f":
        return None
    last = 2 * (a.shape[axes[-1]] - 1) if kind == "H" and s is None else a.shape[axes[-1]] if s is None else s[-1]
    if kind == "H" and (last < 1 or last // 2 + 1 != a.shape[axes[-1]]):
        return None
    return _by_cufft(a, axes, inverse, kind, last, real, full, norm)


_NORMS = ("backward", "ortho", "forward")


def _by_cufft(a, axes, inverse, kind, last, real, full, norm):
    from .cufft import kept_plan

    rest = [axis for axis in range(a.ndim) if axis not in axes]
    order = (*rest, *axes)
    with _cuda_device(a):
        source = a.astype(real if kind == "R" else full, copy=False).transpose(order)
        source = source if source.is_c_contiguous() else source.copy("C")
        shape = (*(a.shape[axis] for axis in axes[:-1]), last)
        batch = math.prod(a.shape[axis] for axis in rest)
        itype, otype = (real, full) if kind == "R" else (full, real) if kind == "H" else (full, full)
        plan = kept_plan(shape, np.dtype(itype), np.dtype(otype), batch)
        out_shape = (*shape[:-1], last // 2 + 1) if kind == "R" else shape
        out = device_array((batch, *out_shape), otype)
        side = source.reshape(batch, *source.shape[len(rest) :])
        if inverse:
            plan.inverse(side, out, overwrite_input=source is not a and source._address != a._address)
        else:
            plan.forward(side, out)
        count = math.prod(shape)
        scale = {"backward": 1 / count if inverse else 1, "ortho": count**-0.5, "forward": 1 if inverse else 1 / count}
        factor = scale[norm or "backward"]
        out = out.reshape(*(a.shape[axis] for axis in rest), *out_shape)
        if factor != 1:
            out *= factor
        back = [order.index(axis) for axis in range(a.ndim)]
        return out.transpose(back)
