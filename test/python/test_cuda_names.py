"""Names of numba.cuda: the table of docs/cuda-names.md, and what small functions behind them do."""

import importlib
import pathlib
import re
import unittest

import numpy as np
import pytest
from pyarray import cuda

pytestmark = pytest.mark.real
TABLE = pathlib.Path(__file__).parent.parent.parent / "docs/cuda-names.md"
ROWS = re.findall(r"^\| `(cuda[\w.]*)` \|(.*)\|(.*)\|$", TABLE.read_text(), re.MULTILINE)


def owner(name):
    module, _, last = f"pyarray.{name}".rpartition(".")
    if last[0].isupper():
        return getattr(importlib.import_module(module), last)
    return importlib.import_module(f"pyarray.{name}")


def has(place, name):
    try:
        return hasattr(place, name)
    except cuda.CudaSupportError:
        return False


@pytest.mark.parametrize("row", range(len(ROWS)))
def test_the_table_is_right(row):
    name, there, missing = ROWS[row]
    place = owner(name)
    listed = re.findall(r"`(\w+)`", there)
    assert listed
    assert [each for each in listed if not has(place, each)] == []
    assert [each for each in re.findall(r"`(\w+)`", missing) if has(place, each)] == []


def test_versions():
    version = cuda.runtime.get_version()
    assert version == cuda.cudadrv.driver.driver.get_version() and cuda.runtime.is_supported_version()
    assert version[0] >= 11 and (12, 9) in cuda.runtime.supported_versions
    device = cuda.get_current_device()
    assert cuda.is_bfloat16_supported() is device.supports_bfloat16 is (device.compute_capability >= (8, 0))
    assert (9, 0) in cuda.nvvm.get_supported_ccs() and cuda.nvvm.is_available()
    assert cuda.nvvm.get_arch_option(9, 0) == "compute_90" and cuda.nvvm.get_arch_option(8, 3) == "compute_80"
    assert cuda.gpus[0].attributes["WARP_SIZE"] == 32


def test_flags():
    array = cuda.to_device(np.zeros((3, 4)))
    assert array.flags.c_contiguous and array.flags["C_CONTIGUOUS"] and not array.flags.f_contiguous
    assert array.T.flags.f_contiguous and array.flags.writeable
    part = array[:, ::2]
    assert not part.flags.c_contiguous and not part.flags["F_CONTIGUOUS"]
    interface = {**array.__cuda_array_interface__, "data": (array.address, True)}
    assert not cuda.from_cuda_array_interface(interface, owner=array).flags.writeable
    assert array.device_pointer_value == array.address


def test_slices_are_set():
    array = cuda.to_device(np.zeros((4, 6)))
    array[1:3, ::2] = 5
    array[0] = np.arange(6)
    array.setitem((slice(None), 5), cuda.to_device(np.arange(4.0)))
    expected = np.zeros((4, 6))
    expected[1:3, ::2], expected[0], expected[:, 5] = 5, np.arange(6), np.arange(4)
    np.testing.assert_array_equal(array.copy_to_host(), expected)


def test_transpose_on_the_device():
    host = np.arange(12.0).reshape(3, 4)
    array = cuda.to_device(host)
    transpose = importlib.import_module("pyarray.cuda.kernels.transpose").transpose
    made = transpose(array)
    np.testing.assert_array_equal(made.copy_to_host(), host.T)
    assert made.flags.c_contiguous
    given = cuda.device_array((4, 3))
    assert transpose(array, given) is given
    np.testing.assert_array_equal(given.copy_to_host(), host.T)
    with pytest.raises(ValueError, match="a matrix is transposed, not an array of 1 dimensions"):
        transpose(cuda.device_array(3))


def test_copies_of_the_drivers_layer():
    from pyarray.cuda.cudadrv import driver

    context = cuda.current_context()
    memory, other = context.memalloc(64), context.memalloc(64)
    source, target = np.arange(8.0), np.zeros(8)
    driver.host_to_device(memory, source, 64)
    driver.device_to_device(other, memory, 64)
    driver.device_memset(memory, 0, 16)
    driver.device_to_host(target, other, 64)
    np.testing.assert_array_equal(target, source)
    driver.device_to_host(target, memory, 32)
    assert target.tolist() == [0, 0, 2, 3, 4, 5, 6, 7]
    assert driver.device_extents(memory) == (driver.device_pointer(memory), driver.device_pointer(memory) + 64)
    assert driver.device_memory_size(cuda.to_device(source)) == 64 and driver.host_memory_size(source) == 64
    assert driver.host_pointer(source) == source.ctypes.data
    with pytest.raises(ValueError, match=r"host_to_device\(\): 65 bytes of 64"):
        driver.host_to_device(memory, source, 65)
    source.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        driver.device_to_host(source, memory, 8)
    with pytest.raises(TypeError, match="Not a CUDA memory object: ndarray"):
        driver.device_pointer(source)


def test_memory_of_contexts():
    context = cuda.current_context()
    pinned, mapped = context.memhostalloc(80), context.memhostalloc(80, mapped=True)
    managed = context.memallocmanaged(80)
    for memory, kind in ((pinned, cuda.PinnedMemory), (mapped, cuda.MappedMemory), (managed, cuda.ManagedMemory)):
        assert type(memory) is kind and memory.size == 80
        np.frombuffer(memory)[:] = 3
        assert np.frombuffer(memory).tolist() == [3] * 10
    array = cuda.DeviceNDArray(10, None, float, None, mapped, mapped.device_pointer_value)
    assert array.copy_to_host().tolist() == [3] * 10
    assert context.memory_manager is context and context.get_memory_info().total > 0
    for stream in (context.get_default_stream(), context.get_legacy_default_stream(), context.create_stream()):
        stream.synchronize()


def test_functions_of_device_arrays():
    from pyarray.cuda.cudadrv import devicearray

    host = np.arange(6.0).reshape(2, 3)
    array, is_new = devicearray.auto_device(host)
    assert is_new and devicearray.auto_device(array) == (array, False)
    assert devicearray.from_array_like(array).shape == (2, 3) and devicearray.is_contiguous(array)
    assert not devicearray.is_contiguous(array.T)
    spread = devicearray.DeviceNDArray((4, 3), (0, 8), float, None, array.gpu_data)
    assert devicearray.array_core(spread).shape == (3,)
    devicearray.require_cuda_ndarray(array)
    with pytest.raises(ValueError, match="require an cuda ndarray object"):
        devicearray.require_cuda_ndarray(host)
    with pytest.raises(TypeError, match="incompatible dtype: float64 vs. int32"):
        devicearray.check_array_compatibility(host, host.astype(np.int32))
    with pytest.raises(ValueError, match="incompatible shape"):
        devicearray.check_array_compatibility(host, host.T)


def test_decorators_of_tests():
    from pyarray.cuda import testing

    @testing.skip_on_cudasim("compiled")
    def runs():
        return 1

    assert runs() == 1
    with pytest.raises(unittest.SkipTest):
        testing.skip_unless_cudasim("simulated")(runs)()


def test_types_and_decorators_of_numba_cuda():
    from pyarray.cuda import float32, guvectorize, int32, vectorize, void
    from pyarray.cuda.core import config, errors
    from pyarray.cuda.core.errors import TypingError
    from pyarray.cuda.np import numpy_support
    from pyarray.cuda.typing import signature

    assert cuda.config is config and errors.TypingError is TypingError
    assert not config.CUDA_LOW_OCCUPANCY_WARNINGS and not config.CUDA_WARN_ON_IMPLICIT_COPY
    assert numpy_support.from_dtype(np.dtype("f4")) == float32 == cuda.types.float32
    assert signature(float32, int32).args == (int32,)

    @cuda.jit(void(float32[:], float32))
    def scale(a, s):
        i = cuda.grid(1)
        if i < a.size:
            a[i] *= s

    a = np.ones(4, np.float32)
    scale[1, 32](a, 3)
    assert (a == 3).all()

    @vectorize([float32(float32, float32)])
    def add(x, y):
        return x + y

    @guvectorize(["void(float32[:], float32[:])"], "(n)->(n)")
    def running(x, out):
        total = float32(0)
        for i in range(len(x)):
            total += x[i]
            out[i] = total

    device = cuda.to_device(a)
    assert isinstance(add(device, a), cuda.DeviceNDArray) and isinstance(running(device), cuda.DeviceNDArray)
    np.testing.assert_array_equal(running(device).copy_to_host(), np.cumsum(a))
    assert isinstance(vectorize([float32(float32)], target="cpu")(lambda x: x), np.ufunc)


def test_a_variant_shows_itself():
    @cuda.jit
    def scale(a):
        a[cuda.grid(1)] *= 2

    scale[1, 4](np.ones(4))
    [variant] = scale.overloads.values()
    assert "double" in variant.inspect_llvm() and variant.inspect_asm() in scale.inspect_asm().values()
    code, result = cuda.compile(lambda x: x + 1, "float32(float32)", forceinline=True)
    assert "add" in code and str(result) == "float32"
