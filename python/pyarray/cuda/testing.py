"""Decorators that programs' tests take from ``numba.cuda.testing``."""

import unittest

from ._devices import is_available


def _unchanged(test):
    return test


def skip_on_cudasim(reason):
    """Kernels are compiled here, also where the CPU runs them: nothing is left out."""
    return _unchanged


def skip_unless_cudasim(reason):
    """There is no simulator in Python here."""
    return unittest.skip(reason)


def skip_if_cuda_includes_missing(test):
    """Nothing here needs CUDA's headers."""
    return test


def skip_unless_cuda_python(reason):
    """NVIDIA's bindings are not used here."""
    return unittest.skip(reason)


def skip_without_gpu(reason):
    """Leaves a test out where the CPU plays the device."""
    return _unchanged if is_available() else unittest.skip(reason)


class CUDATestCase(unittest.TestCase):
    """A test case; nothing is set up."""


class ContextResettingTestCase(CUDATestCase):
    """Resets the device behind each test."""

    def tearDown(self):  # noqa: N802
        """Reset."""
        from ._devices import get_current_device

        super().tearDown()
        get_current_device().reset()
