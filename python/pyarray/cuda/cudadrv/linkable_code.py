"""Code that kernels are linked with, under the names of ``numba.cuda.cudadrv.linkable_code``."""

from .._link import LTOIR, Archive, Cubin, CUSource, Fatbin, LinkableCode, Object, PTXSource  # noqa: F401
