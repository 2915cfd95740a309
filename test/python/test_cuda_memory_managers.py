"""Device memory from plugins: each piece is theirs, and goes back to them."""

import contextlib
import gc
import os

import numpy as np
import pytest
from pyarray import cuda, vectorize
from pyarray._pyarray import cuda as native


class Counting(cuda.HostOnlyCUDAMemoryManager):
    """Memory of the library's own, counted."""

    made = []

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.sizes, self.freed, self.calls = [], [], []
        Counting.made.append(self)

    def initialize(self):
        self.calls.append("initialize")

    def memalloc(self, size):
        native.use_memory_manager(False)
        memory = native.allocate("device", size)
        native.use_memory_manager(True)
        self.sizes.append(size)
        freed = self.freed
        return cuda.MemoryPointer(self.context, memory.address, size, memory, lambda: freed.append(size))

    def get_memory_info(self):
        return "information"

    def get_ipc_handle(self, memory):
        raise NotImplementedError

    def reset(self):
        self.calls.append("reset")

    @property
    def interface_version(self):
        return 1


@pytest.fixture
def manager():
    gc.collect()
    Counting.made.clear()
    cuda.set_memory_manager(Counting)
    yield lambda: Counting.made[-1]
    cuda.set_memory_manager(None)


def test_device_arrays(manager):
    x = cuda.to_device(np.arange(10.0))
    y = cuda.device_array((3, 4), np.int32)
    own = manager()
    assert own.calls == ["initialize"] and own.sizes == [80, 48] and own.freed == []
    np.testing.assert_array_equal(x.copy_to_host(), np.arange(10.0))
    part = x[2:]
    del x, y
    gc.collect()
    assert own.freed == [48]
    np.testing.assert_array_equal(part.copy_to_host(), np.arange(2.0, 10))
    del part
    assert own.freed == [48, 80]


def test_memory_that_launches_and_ufuncs_take(manager):
    @cuda.jit
    def double(x):
        i = cuda.grid(1)
        if i < x.size:
            x[i] *= 2

    @vectorize(["float64(float64)"], target="cuda")
    def half(x):
        return x / 2

    x = np.arange(5.0)
    double[1, 32](x)
    np.testing.assert_array_equal(x, 2 * np.arange(5.0))
    result = half(cuda.to_device(x))
    np.testing.assert_array_equal(result.copy_to_host(), np.arange(5.0))
    own = manager()
    assert own.sizes == [40, 40, 40]
    del result
    gc.collect()
    assert own.freed == [40, 40, 40]


def test_what_was_there_stays_with_the_library(manager):
    cuda.set_memory_manager(None)
    before = cuda.to_device(np.ones(4))
    cuda.set_memory_manager(Counting)
    after = cuda.to_device(np.ones(4))
    cuda.set_memory_manager(None)
    own = Counting.made[-1]
    assert own.sizes == [32]
    del before
    assert own.freed == []
    del after
    gc.collect()
    assert own.freed == [32]


def test_the_device_asks_the_plugin(manager):
    kept = cuda.to_device(np.ones(4))
    context = cuda.current_context()
    assert context.get_memory_info() == "information"
    with cuda.defer_cleanup():
        del kept
        gc.collect()
        assert manager().freed == []
    assert manager().freed == [32]
    context.reset()
    assert manager().calls == ["initialize", "reset"]


def test_pinned_memory_is_not_asked_for_of_host_only_managers(manager):
    array = cuda.pinned_array(3)
    array[:] = 1
    assert not Counting.made[1:]


class Whole(cuda.BaseCUDAMemoryManager):
    """All memory of the library's own, with a list of what was made and freed."""

    log = []

    def initialize(self):
        self.own = cuda.HostOnlyCUDAMemoryManager.memhostalloc, cuda.HostOnlyCUDAMemoryManager.mempin

    def _noted(self, kind, memory, *, of_host=True):
        """The same memory as an object that tells when it goes."""
        Whole.log.append(kind)
        pointer = memory.host_pointer if of_host else memory.device_pointer
        return type(memory)(self.context, pointer, memory.size, memory, lambda: Whole.log.append(f"{kind} freed"))

    def memalloc(self, size):
        native.use_memory_manager(False)
        memory = native.allocate("device", size)
        native.use_memory_manager(True)
        return self._noted("device", cuda.MemoryPointer(self.context, memory.address, size, memory), of_host=False)

    def memhostalloc(self, size, mapped=False, portable=False, wc=False):
        memory = self.own[0](self, size, mapped, portable, wc)
        return self._noted(f"{'mapped' if mapped else 'pinned'} {portable} {wc}", memory)

    def memallocmanaged(self, size, attach_global):
        memory = cuda.HostOnlyCUDAMemoryManager.memallocmanaged(self, size, attach_global)
        return self._noted(f"managed {attach_global}", memory)

    def mempin(self, owner, pointer, size, mapped=False):
        return self._noted(f"pin {mapped}", self.own[1](self, owner, pointer, size, mapped))

    def get_ipc_handle(self, memory):
        raise NotImplementedError

    def get_memory_info(self):
        return cuda.MemoryInfo(1, 2)

    def reset(self):
        Whole.log.append("reset")

    @contextlib.contextmanager
    def defer_cleanup(self):
        Whole.log.append("defer")
        yield
        Whole.log.append("defer no more")

    interface_version = 1


@pytest.fixture
def whole():
    gc.collect()
    Whole.log.clear()
    cuda.set_memory_manager(Whole)
    yield Whole.log
    cuda.set_memory_manager(None)


@cuda.jit
def fill(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] = i


def test_memory_of_the_host_comes_from_the_manager(whole):
    arrays = [
        cuda.pinned_array(5),
        cuda.mapped_array(5, portable=True, wc=True),
        cuda.managed_array(5, attach_global=False),
    ]
    assert whole == ["pinned False False", "mapped True True", "managed False"]
    for array in arrays:
        fill[1, 32](array)
        cuda.synchronize()
        assert array.tolist() == [0, 1, 2, 3, 4]
    assert whole[3:] in ([], ["device", "device freed"])  # a copy of the pinned one
    view = arrays[1][2:]
    del array, arrays
    gc.collect()
    assert sorted(whole[-2:]) == ["managed False freed", "pinned False False freed"]
    assert view.tolist() == [2, 3, 4]
    del view
    assert whole[-1] == "mapped True True freed"
    assert cuda.pinned_array(0).size == 0 and "pinned" not in whole[-1]


def test_memory_that_is_there_is_pinned_by_the_manager(whole):
    array = np.zeros(5)
    with cuda.pinned(array):
        assert whole == ["pin False"]
    assert whole == ["pin False", "pin False freed"]
    with cuda.mapped(array) as seen:
        fill[1, 32](seen)
        cuda.synchronize()
    assert array.tolist() == [0, 1, 2, 3, 4] and whole[2:] == ["pin True", "pin True freed"]
    with pytest.raises(ValueError, match="only contiguous arrays can be pinned"), cuda.pinned(np.zeros(6)[::2]):
        pass


def test_memory_of_the_host_outlives_a_reset(whole):
    array = cuda.mapped_array(5)
    array[:] = 3
    cuda.current_context().reset()
    assert whole == ["mapped False False", "reset"] and array.tolist() == [3] * 5
    del array
    assert whole[-1] == "mapped False False freed"


def test_the_manager_is_told_of_deferred_cleanups(whole):
    array = cuda.device_array(3)
    with cuda.defer_cleanup():
        del array
        assert whole == ["device", "defer"]
    assert whole == ["device", "defer", "defer no more", "device freed"]


PLUGIN = """
from pyarray import cuda

class Named(cuda.HostOnlyCUDAMemoryManager):
    def initialize(self):
        print("initialize")
    def memalloc(self, size):
        print("memalloc", size)
        memory = cuda.mapped_array(size, "u1")
        return cuda.MemoryPointer(self.context, memory.device_array.address, size, owner=memory)
    def get_memory_info(self): ...
    def get_ipc_handle(self, memory): ...
    interface_version = 1

_numba_memory_manager = Named
"""


def test_the_environment_names_a_manager(run, tmp_path, monkeypatch):
    (tmp_path / "some_plugin.py").write_text(PLUGIN)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")]))
    program = "from pyarray import cuda\ncuda.device_array(3)\n"
    assert run(program, PYARRAY_CUDA_MEMORY_MANAGER="some_plugin").split() == ["initialize", "memalloc", "24"]
    assert run(program, PYARRAY_CUDA_MEMORY_MANAGER="default").split() == []


def test_objects_of_host_memory():
    block = np.arange(5.0)
    freed = []
    memory = cuda.PinnedMemory(None, block.ctypes.data, block.nbytes, owner=block, finalizer=lambda: freed.append(1))
    assert np.frombuffer(memory).tolist() == [0, 1, 2, 3, 4] and memory.own() is memory and memory.is_managed
    del memory
    assert freed == [1]
    pointer = cuda.AutoFreePointer(None, 4096, 100)
    owned = cuda.OwnedPointer(pointer)
    assert owned.device_pointer_value == 4096 and owned.size == 100
    with cuda.mapped(block) as seen:
        memory = cuda.MappedMemory(cuda.current_context(), block.ctypes.data, block.nbytes)
        assert memory.device_pointer_value == seen.address and memory.host_pointer == block.ctypes.data
        np.frombuffer(memory)[0] = 7
    assert block[0] == 7


def test_exceptions_of_plugins(manager):
    class Failing(Counting):
        def memalloc(self, size):
            raise MemoryError(f"no {size} bytes")

    class Nothing(Counting):
        def memalloc(self, size):
            return None

    cuda.set_memory_manager(Failing)
    with pytest.raises(MemoryError, match="no 24 bytes"):
        cuda.device_array(3)
    cuda.set_memory_manager(Nothing)
    with pytest.raises(TypeError, match=r"memalloc\(\) of Nothing gave None"):
        cuda.device_array(3)
    cuda.set_memory_manager(None)
    assert cuda.to_device(np.ones(3)).copy_to_host().tolist() == [1, 1, 1]


def test_other_versions_are_refused():
    class Later(Counting):
        interface_version = 2

    with pytest.raises(RuntimeError, match="has version 2 - version 1 required"):
        cuda.set_memory_manager(Later)
    with pytest.raises(TypeError, match="abstract"):
        cuda.set_memory_manager(cuda.BaseCUDAMemoryManager)


def test_memory_pointers():
    freed = []
    memory = cuda.MemoryPointer(None, 4096, 100, finalizer=lambda: freed.append(1))
    part = memory.view(10, 30)
    assert (part.device_pointer_value, part.size, part.owner) == (4106, 20, memory)
    with pytest.raises(RuntimeError, match="no bytes 50 to 101 of 100"):
        memory.view(50, 101)
    del part
    memory.free()
    assert freed == [1]
    with pytest.raises(RuntimeError, match="Freeing dead memory"):
        memory.free()


class CuPyManager(cuda.HostOnlyCUDAMemoryManager):
    """Memory of CuPy's pool."""

    def initialize(self):
        import cupy

        self.pool = cupy.get_default_memory_pool()

    def memalloc(self, size):
        memory = self.pool.malloc(size)
        return cuda.MemoryPointer(self.context, memory.ptr, size, owner=memory)

    def get_memory_info(self):
        return self.pool.used_bytes()

    def get_ipc_handle(self, memory):
        raise NotImplementedError

    interface_version = 1


@pytest.mark.gpu
def test_the_pool_of_cupy():
    cupy = pytest.importorskip("cupy")
    cuda.set_memory_manager(CuPyManager)
    try:
        before = cupy.get_default_memory_pool().used_bytes()
        x = cuda.to_device(np.arange(1000.0))
        assert cupy.get_default_memory_pool().used_bytes() - before >= 8000
        np.testing.assert_array_equal(cupy.asnumpy(cupy.asarray(x) * 2), np.arange(0, 2000.0, 2))
        del x
        gc.collect()
        assert cupy.get_default_memory_pool().used_bytes() == before
    finally:
        cuda.set_memory_manager(None)
