"""Managed memory: where it is to be, what is to be expected of its use; memory pools."""

import numpy as np
import pytest
from pyarray import cuda


@cuda.jit
def double(a):
    i = cuda.grid(1)
    if i < a.size:
        a[i] *= 2


@pytest.mark.parametrize("device", [None, 0, "cpu"])
def test_prefetch(device):
    a = cuda.managed_array(100)
    a[:] = np.arange(100)
    stream = cuda.stream()
    a.prefetch(device, stream)
    a[10:20][::-1].prefetch(device)
    double[1, 128, stream](a)
    stream.synchronize()
    np.testing.assert_array_equal(a, 2 * np.arange(100))
    cuda.managed_array(0).prefetch(device)


@pytest.mark.parametrize("advice", ["read_mostly", "preferred_location", "accessed_by"])
def test_advice(advice):
    a = cuda.managed_array((3, 4), np.float32)
    a.advise(advice)
    a.advise(advice, "cpu", on=False)
    a.T[1:].advise(advice, cuda.get_current_device())


def test_what_is_wrong_is_said():
    a = cuda.managed_array(3)
    with pytest.raises(ValueError, match="advice is one of 'read_mostly'"):
        a.advise("never")
    with pytest.raises(TypeError, match='a device is "cpu"'):
        a.prefetch("gpu")
    with pytest.raises((IndexError, ValueError, cuda.CudaAPIError, cuda.CudaSupportError)):
        a.prefetch(77)
    with pytest.raises(ValueError, match="copy, which devices do not see"):
        a.copy().prefetch()


def test_pools():
    context = cuda.current_context()
    array = cuda.device_array(1 << 20, np.uint8)
    assert context.memory_statistics()["device_bytes"] >= 1 << 20
    del array
    context.trim_memory()
    assert context.memory_statistics()["reserved_bytes"] >= 0
