"""Device memory that two processes share. The emulator and a GPU do the same; no child of a fork can."""

import os
import pathlib
import pickle
import subprocess
import sys

import numpy as np
import pytest
from pyarray import cuda
from pyarray._pyarray import cuda as native

pytestmark = pytest.mark.real
CHILD = pathlib.Path(__file__).with_name("ipc_child.py")
BUILD = pathlib.Path(__file__).parent.parent.parent / "build"


def in_child(tmp_path, kind, given, **environment):
    """What the other process prints."""
    path = tmp_path / "handle"
    path.write_bytes(pickle.dumps((kind, given)))
    done = subprocess.run(
        [sys.executable, CHILD, path], capture_output=True, text=True, check=False, env={**os.environ, **environment}
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_two_processes_see_one_array(tmp_path):
    array = cuda.to_device(np.arange(10.0))
    handle = array.get_ipc_handle()
    np.testing.assert_array_equal(array.copy_to_host(), np.arange(10.0))
    assert in_child(tmp_path, "array", handle) == [str((2 * np.arange(10.0)).tolist())]
    np.testing.assert_array_equal(array.copy_to_host(), 2 * np.arange(10.0))
    in_child(tmp_path, "array", array.get_ipc_handle())
    np.testing.assert_array_equal(array.copy_to_host(), 4 * np.arange(10.0))


def test_a_part_of_an_array(tmp_path):
    array = cuda.to_device(np.arange(20.0))
    array.get_ipc_handle()  # its memory moves here
    part = array[5:15]
    in_child(tmp_path, "array", part.get_ipc_handle())
    expected = np.arange(20.0)
    expected[5:15] *= 2
    np.testing.assert_array_equal(array.copy_to_host(), expected)


def test_the_bytes_of_a_handle(tmp_path):
    array = cuda.to_device(np.arange(10.0))
    handle = array.get_ipc_handle()._ipc_handle
    assert isinstance(handle.handle, bytes) and len(handle.handle) == 64 and handle.size >= 80
    in_child(tmp_path, "bytes", (handle.handle, handle.offset))
    in_child(tmp_path, "bytes", (tuple(np.frombuffer(handle.handle, np.int8).tolist()), handle.offset))
    np.testing.assert_array_equal(array.copy_to_host(), 4 * np.arange(10.0))


def test_arrays_whose_memory_was_closed(tmp_path):
    array = cuda.to_device(np.arange(4.0))
    lines = in_child(tmp_path, "closed", array.get_ipc_handle())
    assert lines[0] == "[0.0, 1.0, 2.0, 3.0]"
    gone = "the device array is gone: its memory was given back, by close() or at the end of a with block"
    assert lines[1:] == [gone] * 48
    np.testing.assert_array_equal(array.copy_to_host(), np.arange(4.0))


def test_layouts_that_leave_the_memory(tmp_path):
    array = cuda.to_device(np.arange(10.0))
    handle = array.get_ipc_handle()._ipc_handle
    size = handle.size
    many = size // 8 + 1
    fitting = [(10, "f8", None, 0), ((2, 3), "f8", (8, 16), 8), (3, "f8", (-8,), 72), (0, "f8", None, size)]
    leaving = [(many, "f8", None, 0), (10, "f8", None, size - 72), (2, "f8", (size,), 0), (3, "f8", (-8,), 8)]
    lines = in_child(tmp_path, "layouts", (handle.handle, size, fitting + leaving))
    x = np.arange(10.0)
    for n, wanted in enumerate([x, [[1, 3, 5], [2, 4, 6]], [9, 8, 7], []]):
        assert lines[2 * n] == lines[2 * n + 1] == str(np.asarray(wanted, float).tolist())
    for line in lines[8:-2]:
        assert "the memory of the handle has" in line or "its memory" in line, line
    assert lines[-2] == f"the memory of the handle has {size} bytes, not {size + 10**6}"
    assert lines[-1] == f"offset is from 0 to {size}, not {size + 1}"
    np.testing.assert_array_equal(array.copy_to_host(), x)


@pytest.mark.parametrize(
    "arguments, error, text",
    [
        ((None, "x", 8), TypeError, "a handle of memory is 64 bytes, not str"),
        ((None, 64, 8), TypeError, "a handle of memory is 64 bytes, not int"),
        ((None, bytes(63), 8), ValueError, "a handle of memory has 64 bytes, not 63"),
        ((None, [300] * 64, 8), ValueError, "a byte of a handle is from -128 to 255, not 300"),
        ((None, bytes(64), -1), ValueError, "size is from 0"),
        ((None, bytes(64), "8"), TypeError, "size is an int, not str"),
        ((None, bytes(64), 8, None, 9), ValueError, "offset is from 0 to 8, not 9"),
        ((None, bytes(64), 8, None, -1), ValueError, "offset is from 0 to 8, not -1"),
    ],
)
def test_handles_that_are_none(arguments, error, text):
    with pytest.raises(error, match=text):
        cuda.IpcHandle(*arguments)


def test_arrays_of_handles_that_are_none():
    with pytest.raises(TypeError, match="a handle of an array is made of an IpcHandle, not of str"):
        cuda.IpcArrayHandle("x", {})
    with pytest.raises(TypeError, match="array_desc is a dict"):
        cuda.IpcArrayHandle(cuda.IpcHandle(None, bytes(64), 8), 5)
    for raw in (bytes(64), b"\x01" * 64):
        with pytest.raises(cuda.CudaAPIError, match="opening the memory of another process"):
            cuda.IpcHandle(None, raw, 8).open()


def test_shape_strides_and_dtype_go_along(tmp_path):
    host = np.asfortranarray(np.arange(6, dtype=np.int16).reshape(2, 3))
    lines = in_child(tmp_path, "steps", cuda.to_device(host).get_ipc_handle())
    assert lines == [f"(2, 3) (2, 4) int16 {host.tolist()}", "IpcHandle is already opened", "IpcHandle not opened"]


def test_views_and_other_libraries_keep_the_memory_where_it_is():
    array = cuda.to_device(np.arange(10.0))
    view = array[2:]
    with pytest.raises(RuntimeError, match="other arrays lie in it too\nhint: make the handle before views"):
        array.get_ipc_handle()
    with pytest.raises(RuntimeError, match="other arrays lie in it too"):
        view.get_ipc_handle()
    del view
    array.get_ipc_handle()
    seen = cuda.to_device(np.arange(10.0))
    assert seen.__cuda_array_interface__["data"][0] == seen.address
    with pytest.raises(RuntimeError, match="other libraries have its address"):
        seen.get_ipc_handle()


def test_what_cannot_be_shared(tmp_path):
    with pytest.raises(ValueError, match="without elements has no memory to share"):
        cuda.device_array(0).get_ipc_handle()
    mapped = cuda.mapped_array(3)
    with pytest.raises(RuntimeError, match="device memory that this process has allocated"):
        cuda.to_device(mapped).get_ipc_handle()
    with (
        pytest.raises(ValueError, match="a handle of memory has 64 bytes, not 3"),
        cuda.open_ipc_array(b"abc", 1, "u1"),
    ):
        pass
    array = cuda.to_device(np.ones(3))
    with pytest.raises(
        cuda.CudaAPIError, match=r"opening the memory of another process \(one's own cannot be opened\)"
    ):
        array.get_ipc_handle().open()


@pytest.mark.skipif(os.environ.get("PYARRAY_CUDA", "cpu") == "gpu", reason="a GPU's driver may keep what is gone")
def test_memory_that_is_gone(tmp_path):
    handle = cuda.to_device(np.ones(3)).get_ipc_handle()
    again = pickle.loads(pickle.dumps(handle))
    del handle
    assert "CUDA_ERROR_MAP_FAILED" in in_child(tmp_path, "nothing", again)[0]


def test_memory_goes_when_nobody_has_it():
    context = cuda.current_context()
    before = context.memory_statistics()["device_bytes"]
    array = cuda.to_device(np.ones(1000))
    handle = array.get_ipc_handle()
    assert context.memory_statistics()["device_bytes"] == before + 8000
    del array
    assert context.memory_statistics()["device_bytes"] == before + 8000
    del handle
    assert context.memory_statistics()["device_bytes"] == before


def test_a_managers_handles(tmp_path):
    class Own(cuda.GetIpcHandleMixin, cuda.HostOnlyCUDAMemoryManager):
        def initialize(self):
            pass

        def memalloc(self, size):
            native.use_memory_manager(False)
            array = cuda.device_array(size, np.uint8)
            array.get_ipc_handle()  # memory of its own
            native.use_memory_manager(True)
            return cuda.MemoryPointer(self.context, array.address, size, owner=array)

        def get_memory_info(self):
            raise NotImplementedError

        interface_version = 1

    cuda.set_memory_manager(Own)
    try:
        array = cuda.to_device(np.arange(10.0))
        in_child(tmp_path, "array", array.get_ipc_handle())
        np.testing.assert_array_equal(array.copy_to_host(), 2 * np.arange(10.0))
    finally:
        cuda.set_memory_manager(None)


THROUGH_THE_TABLE = """
import pickle, subprocess, sys
import numpy as np
from pyarray import cuda
array = cuda.to_device(np.arange(3.0))
handle = array.get_ipc_handle()
open({path!r}, "wb").write(pickle.dumps(("steps", handle)))
print(subprocess.run([sys.executable, {child!r}, {path!r}], capture_output=True, text=True).stdout, end="")
"""


@pytest.mark.parametrize("library", ["libpyarray_fake_cuda.so", "libpyarray_fake_cuda_old.so"])
def test_through_a_drivers_functions(tmp_path, library):
    driver = BUILD / "test" / library
    if not driver.exists():
        pytest.skip("the stand-in for the driver is not built")
    program = tmp_path / "program.py"
    program.write_text(THROUGH_THE_TABLE.format(path=str(tmp_path / "handle"), child=str(CHILD)))
    done = subprocess.run(
        [sys.executable, program], capture_output=True, text=True, check=False,
        env={**os.environ, "PYARRAY_CUDA": "gpu", "PYARRAY_CUDA_DRIVER": str(driver)},
    )  # fmt: skip
    if "old" in library:
        assert "making a handle of memory for another process: CUDA_ERROR_NOT_SUPPORTED" in done.stderr
    else:
        assert done.stdout.startswith("(3,) (8,) float64 [0.0, 1.0, 2.0]"), done.stderr
