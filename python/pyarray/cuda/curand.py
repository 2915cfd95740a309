"""Random numbers made on a device, by NVIDIA's cuRAND; where the CPU plays the device, by the same algorithms in C.

``PRNG`` makes pseudo random numbers, ``QRNG`` quasi random ones; the functions of the module make an array at once.
docs/cuda.md says of which generators the CPU's numbers are the GPU's. Source of the definitions: the documentation of
cuRAND; those of the algorithms are named in lib/runtime/cuda/rand_host*.c.
"""

import functools
import math
import secrets

import numpy as np

from .._pyarray import cuda as _cuda
from ._arrays import DeviceNDArray, _on_device, device_array
from ._libraries import open_library
from ._operands import Operand
from ._values import dtype_of, real, whole

__all__ = ["PRNG", "QRNG", "lognormal", "normal", "poisson", "quasi", "uniform"]

_SEED, _OFFSET, _ORDERING, _NDIM = range(4)  # settings
_BITS, _UNIFORM, _NORMAL, _LOGNORMAL, _POISSON = range(5)  # kinds of numbers
_DTYPES = {
    _BITS: ("uint32", "uint64"),
    _UNIFORM: ("float32", "float64"),
    _NORMAL: ("float32", "float64"),
    _LOGNORMAL: ("float32", "float64"),
    _POISSON: ("uint32",),
}
_LARGEST_LAMBDA = 400_000
_LARGEST_NDIM = 20_000
_CPU_NDIM = 1111


def _spread(sigma):
    sigma = real(sigma, "sigma")
    if not sigma >= 0:
        raise ValueError(f"sigma is 0 or more, not {sigma}")
    return sigma


class _Generator(_cuda.RandBase):
    """What both kinds of generators have: settings, and distributions."""

    def __init__(self, rndtype, offset, stream):
        self.rndtype = whole(rndtype, "rndtype")
        if self.rndtype not in self._TYPES:
            raise ValueError(f"{type(self).__name__} has no algorithm {rndtype}")
        open_library("curand")
        self._offset = 0
        self._native = _cuda.RandGenerator(self.rndtype)
        if offset is not None:
            self.offset = offset
        if stream is not None:
            self.stream = stream

    def __repr__(self):
        return f"<{type(self).__name__} {self._TYPES[self.rndtype]}>"

    @property
    def offset(self):
        """Where the sequence was to begin, from 0. To set it goes there, from wherever one is.

        MTGP32 and MT19937 cannot go to a place: CudaAPIError.
        """
        return self._offset

    @offset.setter
    def offset(self, offset):
        offset = whole(offset, "offset")
        self._native.set(_OFFSET, offset)
        self._offset = offset

    def _fill(self, kind, ary, size, a=0.0, b=1.0):
        """``size`` elements of ``ary``, or all: as they are on the device, or by a copy."""
        if self._native is None:
            raise RuntimeError(f"the generator was not made: {type(self).__name__}.__init__ was not called")
        if self._native.fill(kind, ary, size, a, b, self.stream) is not NotImplemented:
            return ary
        on_device = _on_device(ary, self.stream)
        given = ary if on_device is None else on_device
        if not isinstance(given, np.ndarray | DeviceNDArray):
            raise TypeError(f"random numbers fill arrays, not {type(ary).__name__}")
        if given.dtype.name not in _DTYPES[kind]:
            raise TypeError(f"the array has dtype {given.dtype}; these numbers are {' or '.join(_DTYPES[kind])}")
        keeps = size is not None and size < given.size
        operand = Operand(ary, np.dtype(given.dtype.name), self.stream, reads=keeps, writes=True, alignment=16)
        if self._native.fill(kind, operand.array, size, a, b, self.stream) is NotImplemented:
            raise ValueError("the generator was made for another device; select that one (cuda.select_device)")
        operand.give_back()
        return ary

    def _size(self, ary, size):
        if size is None:
            return None
        size, count = whole(size, "size", least=-math.inf, most=math.inf), math.prod(np.shape(ary))
        if not 0 <= size <= count:
            raise ValueError(f"size is from 0 to the array's {count} elements, not {size}")
        return size

    def uniform(self, ary, size=None):
        """Fill an array of float32 or float64 with numbers from 0 to 1, without 0; 1 may be among them."""
        return self._fill(_UNIFORM, ary, self._size(ary, size))

    def normal(self, ary, mean=0.0, sigma=1.0, size=None):
        """Fill an array of float32 or float64 from the normal distribution.

        Parameters
        ----------
        mean, sigma : float
            ``sigma``, the standard deviation, is not negative.
        size : int, optional
            An odd one draws one number more, where cuRAND makes them by pairs (XORWOW, MRG32K3A).

        Notes
        -----
        Quasi random ones are the quantiles of the coordinates.
        """
        return self._fill(_NORMAL, ary, self._size(ary, size), real(mean, "mean"), _spread(sigma))

    def lognormal(self, ary, mean=0.0, sigma=1.0, size=None):
        """Fill an array of float32 or float64 with the exponentials of what ``normal`` gives."""
        return self._fill(_LOGNORMAL, ary, self._size(ary, size), real(mean, "mean"), _spread(sigma))

    def poisson(self, ary, lmbd, size=None):
        """Fill an array of uint32 from Poisson's distribution, of mean ``lmbd``: above 0 and at most 400000."""
        lmbd = real(lmbd, "lmbd")
        if not 0 < lmbd <= _LARGEST_LAMBDA:
            raise ValueError(f"lmbd is above 0 and at most {_LARGEST_LAMBDA}, not {lmbd}")
        return self._fill(_POISSON, ary, self._size(ary, size), lmbd)


class PRNG(_Generator):
    """A generator of pseudo random numbers, on one device.

    Parameters
    ----------
    rndtype : int, default PRNG.DEFAULT
        The algorithm: ``XORWOW`` (which is the default), ``MRG32K3A``, ``MTGP32``, ``MT19937`` or ``PHILOX4_32_10``.
    seed : int, default 0
        From 0 to 2**64 - 1.
    offset : int, default 0
        The number of the sequence to begin with.
    stream : Stream, optional

    Raises
    ------
    CudaSupportError
        There is a GPU and no cuRAND; the text names the package to install.
    CudaAPIError
        cuRAND refuses: an offset for MTGP32 or MT19937, an ordering that the algorithm has not.

    Notes
    -----
    Methods fill an array, on the device or the host (which is copied there), of any shape, in C order; they give the
    array back. ``size`` is the number of elements to fill, all unless given. Arrays on the device that are contiguous,
    and aligned to 16 bytes, are filled as they are, others by a copy. A call continues where the one before ended.
    """

    DEFAULT = 100
    XORWOW = 101
    MRG32K3A = 121
    MTGP32 = 141
    MT19937 = 142
    PHILOX4_32_10 = 161

    _TYPES = {100: "DEFAULT", 101: "XORWOW", 121: "MRG32K3A", 141: "MTGP32", 142: "MT19937", 161: "PHILOX4_32_10"}

    ORDERING_BEST = 100
    ORDERING_DEFAULT = 101
    ORDERING_SEEDED = 102
    ORDERING_LEGACY = 103
    ORDERING_DYNAMIC = 104

    def __init__(self, rndtype=DEFAULT, seed=None, offset=None, stream=None):
        self._seed, self._ordering = 0, PRNG.ORDERING_DEFAULT
        super().__init__(rndtype, offset, stream)
        if seed is not None:
            self.seed = seed

    @property
    def seed(self):
        """The seed. To set it begins anew, at ``offset``."""
        return self._seed

    @seed.setter
    def seed(self, seed):
        self._restart(whole(seed, "seed"), self._ordering)

    @property
    def ordering(self):
        """How threads of the device take turns, one of ``ORDERING_...``. To set it begins anew, at ``offset``."""
        return self._ordering

    @ordering.setter
    def ordering(self, ordering):
        self._restart(self._seed, whole(ordering, "ordering"))

    def _restart(self, seed, ordering):
        """Go to ``offset`` of the sequence; generators that cannot are made anew."""
        can_go = self.rndtype not in (PRNG.MTGP32, PRNG.MT19937)
        native = self._native if can_go else _cuda.RandGenerator(self.rndtype)
        if ordering != (self._ordering if can_go else PRNG.ORDERING_DEFAULT):
            native.set(_ORDERING, ordering)
        native.set(_SEED, seed)
        if can_go:
            native.set(_OFFSET, self._offset)
        self._native, self._seed, self._ordering = native, seed, ordering

    def generate(self, ary, size=None):
        """Fill an array of uint32 or uint64 with random bits; a uint64 is two numbers, the lower half first."""
        return self._fill(_BITS, ary, self._size(ary, size))


class QRNG(_Generator):
    """A generator of quasi random numbers, Sobol's sequences, on one device.

    Parameters
    ----------
    rndtype : int, default QRNG.DEFAULT
        ``SOBOL32`` (which is the default), ``SCRAMBLED_SOBOL32``, ``SOBOL64`` or ``SCRAMBLED_SOBOL64``.
    ndim : int, default 1
        Dimensions of the points: up to 20000, where the CPU plays the device up to 1111.
    offset : int, default 0
        The number of the point to begin with.
    stream : Stream, optional

    Raises
    ------
    CudaSupportError
        There is a GPU and no cuRAND; the text names the package to install.

    Notes
    -----
    A call makes ``size / ndim`` points: first the first coordinates of all of them, then the second ones, and so on, so
    that an array of shape ``(ndim, points)`` has the coordinates in its rows. Arrays are those of ``PRNG``.
    """

    DEFAULT = 200
    SOBOL32 = 201
    SCRAMBLED_SOBOL32 = 202
    SOBOL64 = 203
    SCRAMBLED_SOBOL64 = 204

    _TYPES = {
        200: "DEFAULT",
        201: "SOBOL32",
        202: "SCRAMBLED_SOBOL32",
        203: "SOBOL64",
        204: "SCRAMBLED_SOBOL64",
    }

    def __init__(self, rndtype=DEFAULT, ndim=None, offset=None, stream=None):
        self._ndim = 1
        super().__init__(rndtype, offset, stream)
        if ndim is not None:
            self.ndim = ndim

    @property
    def ndim(self):
        """Dimensions of the points. To set it begins anew, at ``offset``."""
        return self._ndim

    @ndim.setter
    def ndim(self, ndim):
        ndim = whole(ndim, "ndim", 1, _LARGEST_NDIM)
        if ndim > _CPU_NDIM and _cuda.kind() == "cpu":
            raise ValueError(f"ndim is at most {_CPU_NDIM} where the CPU plays the device, not {ndim}")
        self._native.set(_NDIM, ndim)
        self._native.set(_OFFSET, self._offset)
        self._ndim = ndim

    def _size(self, ary, size):
        size = super()._size(ary, size)
        count = math.prod(np.shape(ary)) if size is None else size
        if count % self._ndim:
            raise ValueError(f"{count} numbers are no multiple of the {self._ndim} dimensions")
        return size

    def generate(self, ary, size=None):
        """Fill an array with coordinates as integers: uint32, of SOBOL64 and SCRAMBLED_SOBOL64 uint64."""
        wanted = "uint64" if self.rndtype in (QRNG.SOBOL64, QRNG.SCRAMBLED_SOBOL64) else "uint32"
        dtype = getattr(ary, "dtype", None)
        if dtype is not None and dtype.name != wanted:
            raise TypeError(f"the array has dtype {dtype}; the numbers of this generator are {wanted}")
        return self._fill(_BITS, ary, self._size(ary, size))


for _class in (_Generator, PRNG):  # QRNG.generate is for one dtype, which Python looks at
    for _name in ("generate", "uniform", "normal", "lognormal"):
        if _name in vars(_class):
            setattr(_class, _name, _cuda.LibraryMethod(f"rand {_name}", vars(_class)[_name]))
del _class, _name


@functools.lru_cache(maxsize=16)
def _shared(rndtype, ordinal, generation):
    """The generator of the module's functions on a device; pseudo random ones with a seed of their own."""
    return PRNG(rndtype, seed=secrets.randbits(64)) if rndtype == PRNG.DEFAULT else QRNG(rndtype)


def _made(rndtype, size, dtype, device, fill):
    generator = _shared(rndtype, *_cuda.identity())
    array = device_array(size, dtype_of(dtype, "dtype"))
    fill(generator, array)
    return array if device else array.copy_to_host()


def uniform(size, dtype=np.float64, device=False):
    """An array of random numbers from 0 to 1, without 0.

    Parameters
    ----------
    size : int or tuple of int
        The array's shape.
    dtype : float32 or float64
    device : bool
        Whether the array shall be on the device.

    Returns
    -------
    array
        Of a generator that the module keeps, XORWOW with a seed of its own in each process; ``PRNG`` has seeds.
    """
    return _made(PRNG.DEFAULT, size, dtype, device, lambda generator, array: generator.uniform(array))


def normal(mean, sigma, size, dtype=np.float64, device=False):
    """An array of random numbers from a normal distribution; parameters otherwise are those of ``uniform``."""
    return _made(PRNG.DEFAULT, size, dtype, device, lambda generator, array: generator.normal(array, mean, sigma))


def lognormal(mean, sigma, size, dtype=np.float64, device=False):
    """An array of exponentials of normal random numbers; parameters otherwise are those of ``uniform``."""
    return _made(PRNG.DEFAULT, size, dtype, device, lambda generator, array: generator.lognormal(array, mean, sigma))


def poisson(lmbd, size, device=False):
    """An array of uint32 from Poisson's distribution of mean ``lmbd``; other parameters are those of ``uniform``."""
    return _made(PRNG.DEFAULT, size, np.uint32, device, lambda generator, array: generator.poisson(array, lmbd))


def quasi(size, bits=32, nd=1, device=False):
    """The next points of Sobol's sequence, as integers.

    Parameters
    ----------
    size : int or tuple of int
        The array's shape, of a multiple of ``nd`` elements.
    bits : 32 or 64
        For an array of uint32 or of uint64.
    nd : int
        Dimensions of the points; to change it begins anew.
    device : bool
        Whether the array shall be on the device.
    """
    if whole(bits, "bits") not in (32, 64):
        raise ValueError(f"bits is 32 or 64, not {bits}")
    nd = whole(nd, "nd", 1, _LARGEST_NDIM)

    def fill(generator, array):
        if generator.ndim != nd:
            generator.ndim = nd
        generator.generate(array)

    return _made(QRNG.SOBOL32 if bits == 32 else QRNG.SOBOL64, size, f"uint{bits}", device, fill)
