"""Exceptions and warnings of CUDA, and what the extension calls to make them."""

from ..errors import LinkerError, LoweringError, NumbaWarning


class CudaDriverError(Exception):
    """The driver cannot be used."""


class CudaRuntimeError(Exception):
    """A library of CUDA's runtime failed."""


class CudaSupportError(ImportError):
    """There is no GPU that can be used."""


class NvvmError(Exception):
    """Kept for Numba's hierarchy."""


class NvvmSupportError(ImportError):
    """Kept for Numba's hierarchy."""


class NvvmWarning(Warning):
    """Kept for Numba's hierarchy."""


class CudaAPIError(CudaDriverError):
    """A call of the driver failed.

    Attributes
    ----------
    code : int
        The driver's number of the error, such as 1 for CUDA_ERROR_INVALID_VALUE.
    msg : str
    """

    def __init__(self, code, msg):
        self.code, self.msg = code, msg
        super().__init__(code, msg)

    def __str__(self):
        return f"[{self.code}] {self.msg}"


class KernelRuntimeError(RuntimeError):
    """Kept for Numba's hierarchy: a kernel's exception has the type that was raised, and a note with its thread."""

    def __init__(self, msg, tid=None, ctaid=None):
        self.msg, self.tid, self.ctaid = msg, tid, ctaid
        super().__init__(f"An exception was raised in thread={tid} block={ctaid}\n\t{msg}")


class CudaLoweringError(LoweringError):
    """Kept for Numba's hierarchy."""


class CudaEmulationWarning(NumbaWarning):
    """There is no GPU: the CPU runs the kernels."""


def no_device(message):
    return CudaSupportError(message)


def driver_failed(code, message):
    return CudaAPIError(code, message)


class ForeignFunctionError(CudaRuntimeError):
    """A function that `declare_device` declares has returned a status other than 0.

    Attributes
    ----------
    function : str
    code : int
        What it returned.
    """

    def __init__(self, function, code):
        self.function, self.code = function, code
        super().__init__(function, code)

    def __str__(self):
        return f"{self.function}() returned the status {self.code}"


def link_failed(message):
    return LinkerError(message)


def warn_of_emulation(problem):
    """Called once, at the first use of a device."""
    import warnings

    warnings.warn(
        f"the CPU runs the kernels, since there is no GPU: {problem}. PYARRAY_CUDA=cpu asks for this without a "
        "warning, PYARRAY_CUDA=gpu makes it an error",
        CudaEmulationWarning,
        stacklevel=_outside(),
    )


def _outside():
    """How far up the caller's own code is."""
    import sys

    ours = __package__.partition(".")[0]
    frame, level = sys._getframe(1), 1
    # A program's own module has no __package__, or None.
    while frame.f_back and (frame.f_globals.get("__package__") or "").partition(".")[0] == ours:
        frame, level = frame.f_back, level + 1
    return level
