"""What programs ask of ``numba.cuda.cudadrv.nvvm``. LLVM makes PTX here: NVIDIA's compiler library is not needed."""

from .._compile import DEFAULT_COMPUTE_CAPABILITY
from .._errors import NvvmError, NvvmSupportError, NvvmWarning  # noqa: F401

_CAPABILITIES = (
    (7, 0), (7, 2), (7, 5), (8, 0), (8, 6), (8, 7), (8, 9), (9, 0), (10, 0), (10, 1), (10, 3), (12, 0), (12, 1),
)  # fmt: skip


def is_available():
    """Whether kernels can be compiled: always."""
    return True


def get_supported_ccs():
    """The compute capabilities that PTX can be made for, as pairs."""
    return _CAPABILITIES


def get_arch_option(major, minor):
    """``compute_90`` of 9 and 0; the nearest lower one that is known."""
    known = [pair for pair in _CAPABILITIES if pair <= (major, minor)]
    major, minor = known[-1] if known else DEFAULT_COMPUTE_CAPABILITY
    return f"compute_{major}{minor}"
