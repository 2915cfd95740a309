"""Device memory from plugins: each piece is theirs, and goes back to them."""

import gc

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


def test_pinned_memory_is_not_asked_for(manager):
    array = cuda.pinned_array(3)
    array[:] = 1
    assert not Counting.made[1:]


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
