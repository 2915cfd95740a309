"""Arrays on devices, host memory that devices see, and arrays of other libraries."""

import gc

import numpy as np
import pytest
from pyarray import cuda
from pyarray._pyarray import cuda as native
from pyarray.errors import TypingError

# ------------------------------------------------------------------------------------------------
# Making and copying


@pytest.mark.parametrize("shape", [(), (0,), (5,), (3, 4), (2, 3, 4), (3, 0, 2)])
@pytest.mark.parametrize("dtype", ["f8", "f4", "i2", "u8", "?", "c16", "M8[s]", "f2", "S3"])
def test_round_trip(shape, dtype):
    a = np.arange(np.prod(shape, dtype=int)).reshape(shape).astype(dtype)
    d = cuda.to_device(a)
    assert (d.shape, d.dtype, d.ndim, d.size) == (a.shape, a.dtype, a.ndim, a.size)
    assert d.strides == a.strides or not a.size
    assert d.nbytes == d.alloc_size == a.nbytes and d.itemsize == a.itemsize
    back = d.copy_to_host()
    assert back.dtype == a.dtype and back.shape == a.shape
    np.testing.assert_array_equal(back, a)


def test_lists_and_scalars_become_arrays():
    assert cuda.to_device([1, 2]).dtype == np.int64
    assert cuda.to_device(2.5).shape == ()


def test_records():
    a = np.array([(1.5, 2), (3.5, 4)], dtype=[("x", "f8"), ("n", "i4")])
    d = cuda.to_device(a)
    np.testing.assert_array_equal(d.copy_to_host(), a)
    np.testing.assert_array_equal(d["n"].copy_to_host(), a["n"])


@pytest.mark.parametrize("make", [np.asfortranarray, lambda a: a[::2, ::-1], lambda a: a.T])
def test_layouts(make):
    a = make(np.arange(24.0).reshape(4, 6))
    d = cuda.to_device(a)
    np.testing.assert_array_equal(d.copy_to_host(), a)
    assert d.layout in "CF"


def test_copies_into_arrays_that_are_there():
    a = np.arange(12.0).reshape(3, 4)
    d = cuda.device_array((3, 4))
    assert cuda.to_device(a, to=d) is d
    out = np.zeros((4, 3)).T
    assert d.copy_to_host(out) is out
    np.testing.assert_array_equal(out, a)
    d.copy_to_device(cuda.to_device(a + 1))
    d.copy_to_host(out)
    np.testing.assert_array_equal(out, a + 1)


def test_what_does_not_fit():
    d = cuda.device_array((3, 4))
    with pytest.raises(ValueError, match="incompatible shape"):
        d.copy_to_device(np.zeros((4, 3)))
    with pytest.raises(TypeError, match="incompatible dtype"):
        d.copy_to_device(np.zeros((3, 4), np.float32))
    readonly = np.zeros((3, 4))
    readonly.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        d.copy_to_host(readonly)


def test_device_array_and_like():
    d = cuda.device_array((2, 3), np.float32, order="F")
    assert d.strides == (4, 8) and d.is_f_contiguous() and not d.is_c_contiguous()
    like = cuda.device_array_like(np.zeros((3, 2), np.int8).T)
    assert like.shape == (2, 3) and like.dtype == np.int8 and like.is_f_contiguous()
    assert cuda.device_array(5).shape == (5,) and cuda.device_array(5).dtype == np.float64
    with pytest.raises(ValueError, match="negative"):
        cuda.device_array(-1)
    with pytest.raises(ValueError, match="order"):
        cuda.device_array(3, order="K")
    with pytest.raises((MemoryError, ValueError, cuda.CudaAPIError)):
        cuda.device_array((1 << 40, 1 << 40))


def test_memory_is_freed():
    gc.collect()
    before = native.statistics()["device_bytes"]
    d = cuda.to_device(np.zeros(1000))
    view = d[10:20]
    assert native.statistics()["device_bytes"] == before + 8000
    del d
    assert native.statistics()["device_bytes"] == before + 8000
    del view
    gc.collect()
    assert native.statistics()["device_bytes"] == before


def test_deferred_cleanup():
    with cuda.defer_cleanup():
        before = native.statistics()["deferred"]
        d = cuda.to_device(np.zeros(100))
        del d
        gc.collect()
        assert native.statistics()["deferred"] == before + 1
    assert native.statistics()["deferred"] == before


# ------------------------------------------------------------------------------------------------
# Views


@pytest.mark.parametrize(
    "index",
    [np.s_[1], np.s_[-1], np.s_[1:3], np.s_[::-1], np.s_[:, 2], np.s_[1, 2], np.s_[..., 0], np.s_[None],
     np.s_[::2, 1:, 3], np.s_[1, 2, 3], np.s_[5:2], np.s_[:, ::-2, ::3], np.s_[...]],
)  # fmt: skip
def test_indexing_is_numpys(index):
    a = np.arange(60.0).reshape(3, 4, 5)
    got, expected = cuda.to_device(a)[index], a[index]
    if np.ndim(expected):
        assert got.shape == expected.shape and got.strides == expected.strides
        got = got.copy_to_host()
    np.testing.assert_array_equal(got, expected)
    assert type(got) is type(expected)


@pytest.mark.parametrize(
    ("index", "error"),
    [((9,), IndexError), ((0, 0, 0, 0), IndexError), (([0, 9],), IndexError),
     ((1.5,), IndexError)],
)  # fmt: skip
def test_bad_indices(index, error):
    with pytest.raises(error):
        cuda.to_device(np.zeros((3, 4, 5)))[index]


def test_slices_are_views():
    a = np.arange(24.0).reshape(4, 6)
    d = cuda.to_device(a)
    d[1:3, ::2] = -1
    d[0] = np.arange(6)
    d[:, 5] = cuda.to_device(np.array([10.0, 11, 12, 13]))
    d[3, 3] = 99
    d[2] = d[0]
    a[1:3, ::2] = -1
    a[0] = np.arange(6)
    a[:, 5] = [10, 11, 12, 13]
    a[3, 3] = 99
    a[2] = a[0]
    np.testing.assert_array_equal(d.copy_to_host(), a)


@pytest.mark.parametrize("value", [3, 2.5, np.float32(1), [1, 2, 3, 4], np.arange(3)[:, None]])
def test_setting_broadcasts_and_converts(value):
    a = np.zeros((3, 4), np.float32)
    d = cuda.to_device(a)
    d[:] = value
    a[:] = value
    np.testing.assert_array_equal(d.copy_to_host(), a)


def test_setting_from_a_device_array():
    d = cuda.to_device(np.zeros((3, 4)))
    d[:] = cuda.to_device(np.arange(4.0))
    np.testing.assert_array_equal(d.copy_to_host(), np.broadcast_to(np.arange(4.0), (3, 4)))
    d[::-1, 1:3] = cuda.to_device(np.arange(3, dtype=np.int16).reshape(3, 1))
    assert d.copy_to_host()[:, 1].tolist() == [2, 1, 0]
    with pytest.raises(ValueError, match="broadcast"):
        d[:] = np.zeros(3)


def test_reshape_ravel_transpose():
    a = np.arange(24.0).reshape(2, 3, 4)
    d = cuda.to_device(a)
    for got, expected in [
        (d.reshape(6, 4), a.reshape(6, 4)), (d.reshape((4, -1)), a.reshape(4, -1)), (d.T, a.T),
        (d.transpose((1, 0, 2)), a.transpose(1, 0, 2)), (d.ravel(), a.ravel()), (d.T.ravel(), a.T.ravel()),
        (d.T.ravel(order="F"), a.T.ravel(order="F")), (d.T.reshape(4, 6, order="F"), a.T.reshape(4, 6, order="F")),
        (d[:1].squeeze(), a[:1].squeeze()), (d.view(np.int64), a.view(np.int64)), (d.view(np.int32), a.view(np.int32)),
    ]:  # fmt: skip
        assert got.shape == expected.shape and got.dtype == expected.dtype
        np.testing.assert_array_equal(got.copy_to_host(), expected)
    np.testing.assert_array_equal(d.T.reshape(24).copy_to_host(), a.T.reshape(24))
    with pytest.raises(ValueError):
        d.reshape(7)


def test_split_iteration_length():
    d = cuda.to_device(np.arange(10.0))
    assert [part.copy_to_host().tolist() for part in d.split(4)] == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9]]
    assert len(d) == 10 and list(d) == list(range(10))
    with pytest.raises(ValueError):
        list(cuda.to_device(np.zeros((2, 2))).split(1))
    with pytest.raises(TypeError, match="unsized"):
        len(cuda.to_device(1.0))


def test_bind_and_streams():
    stream = cuda.stream()
    d = cuda.to_device(np.arange(4.0), stream=stream)
    assert d.stream is stream and d[1:].stream is stream
    other = d.bind(0)
    assert other.stream == 0 and other.address == d.address
    out = d.copy_to_host(stream=stream)
    stream.synchronize()
    assert out.tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize("seed", range(8))
def test_random_copies_between_strides(seed):
    random = np.random.default_rng(seed)

    def random_view(array):
        axes = random.permutation(array.ndim)
        index = tuple(slice(None, None, int(random.choice([1, 2, -1, -2]))) for _ in range(array.ndim))
        return index, tuple(int(axis) for axis in axes)

    for _ in range(20):
        shape = tuple(random.integers(1, 6, random.integers(1, 5)))
        a = random.random(shape)
        index, axes = random_view(a)
        d = cuda.to_device(a)
        np.testing.assert_array_equal(d[index].transpose(axes).copy_to_host(), a[index].transpose(axes))
        fresh = random.random(a[index].transpose(axes).shape)
        d[index].transpose(axes).copy_to_device(fresh)
        a[index].transpose(axes)[...] = fresh
        np.testing.assert_array_equal(d.copy_to_host(), a)
        target = cuda.device_array(fresh.shape)
        target.copy_to_device(d[index].transpose(axes))
        np.testing.assert_array_equal(target.copy_to_host(), fresh)


# ------------------------------------------------------------------------------------------------
# Other libraries


def test_the_interface_of_an_array():
    d = cuda.to_device(np.arange(6.0).reshape(2, 3))
    interface = d.__cuda_array_interface__
    assert interface["version"] == 3 and interface["shape"] == (2, 3) and interface["typestr"] == "<f8"
    assert interface["data"] == (d.address, False) and interface["strides"] is None and interface["stream"] == 1
    assert d.T.__cuda_array_interface__["strides"] == (8, 24)
    stream = cuda.stream()
    assert d.bind(stream).__cuda_array_interface__["stream"] == stream.address


def test_from_an_interface():
    d = cuda.to_device(np.arange(6.0).reshape(2, 3))
    again = cuda.from_cuda_array_interface(d.T.__cuda_array_interface__, owner=d)
    np.testing.assert_array_equal(again.copy_to_host(), np.arange(6.0).reshape(2, 3).T)
    assert cuda.as_cuda_array(d) is d
    assert cuda.is_cuda_array(d) and not cuda.is_cuda_array(np.zeros(3))
    with pytest.raises(TypeError, match="cuda array interface"):
        cuda.as_cuda_array(np.zeros(3))


def test_a_foreign_array_keeps_its_owner():
    class Foreign:
        def __init__(self):
            self.memory = cuda.to_device(np.arange(3.0))
            self.__cuda_array_interface__ = self.memory.__cuda_array_interface__

    array = cuda.as_cuda_array(Foreign())
    gc.collect()
    assert array.copy_to_host().tolist() == [0, 1, 2]
    assert isinstance(cuda.to_device(Foreign()), cuda.DeviceNDArray)


def test_dlpack():
    d = cuda.to_device(np.arange(6, dtype=np.float32).reshape(2, 3))
    assert d.__dlpack_device__()[0] in (1, 2)
    capsule = d.T.__dlpack__()
    assert "dltensor" in repr(capsule)
    del capsule

    class Tensor:
        def __init__(self, array):
            self.array = array

        def __dlpack_device__(self):
            return 2, 0

        def __dlpack__(self, stream=None):
            assert stream == 1
            return self.array.__dlpack__(stream=stream)

    taken = cuda.as_cuda_array(Tensor(d[:, ::2]))
    np.testing.assert_array_equal(taken.copy_to_host(), [[0, 2], [3, 5]])
    assert taken.address == d.address
    taken = cuda.from_dlpack(Tensor(d[:, ::2]))
    np.testing.assert_array_equal(taken.copy_to_host(), [[0, 2], [3, 5]])
    assert taken.address == d.address == cuda.from_dlpack(d).address
    with pytest.raises(TypeError, match="takes an object with __dlpack__ and __dlpack_device__, not int"):
        cuda.from_dlpack(3)
    with pytest.raises(TypeError, match="the memory of this ndarray is not of a device"):
        cuda.from_dlpack(np.ones(3))
    records = cuda.to_device(np.zeros(2, dtype=[("a", "f8")]))
    with pytest.raises(BufferError):
        records.__dlpack__()


@pytest.mark.skipif("os.environ['PYARRAY_CUDA'] == 'gpu'", reason="NumPy takes memory of the host alone")
def test_dlpack_to_numpy():
    d = cuda.to_device(np.arange(6.0).reshape(2, 3))
    host = np.from_dlpack(d[:, 1:])
    d[0, 1] = 42
    assert host[0, 0] == 42


# ------------------------------------------------------------------------------------------------
# Host memory that devices see


def test_pinned_arrays():
    a = cuda.pinned_array((3, 4), np.float32, order="F")
    assert type(a) is np.ndarray and a.flags.f_contiguous and a.dtype == np.float32
    a[:] = 3
    stream = cuda.stream()
    d = cuda.to_device(a, stream=stream)
    out = cuda.pinned_array_like(a)
    d.copy_to_host(out, stream=stream)
    stream.synchronize()
    np.testing.assert_array_equal(out, a)
    assert cuda.pinned_array(0).size == 0


@pytest.mark.real
@pytest.mark.parametrize("make", [cuda.mapped_array, cuda.managed_array])
def test_arrays_that_kernels_use_as_they_are(make):
    @cuda.jit
    def add_one(a):
        a[cuda.grid(1)] += 1

    a = make(8)
    a[:] = np.arange(8)
    address = a.ctypes.data
    before = native.statistics()["allocations"]
    add_one[1, 8](a)
    add_one[1, 4](a[4:])
    cuda.synchronize()
    assert native.statistics()["allocations"] == before and a.ctypes.data == address
    assert a.tolist() == [1, 2, 3, 4, 6, 7, 8, 9]
    assert a.device_array.copy_to_host().tolist() == a.tolist()
    assert cuda.is_cuda_array(a) and a.__cuda_array_interface__["shape"] == (8,)
    assert not cuda.is_cuda_array(a.copy())
    plain = a + 1
    add_one[1, 8](plain)
    assert plain[0] == 3


def test_mapped_and_pinned_blocks():
    a, b = np.arange(4.0), np.ones(3)
    with cuda.pinned(a, b):
        assert cuda.to_device(a).copy_to_host().tolist() == a.tolist()
    with cuda.mapped(a) as d:
        d[1] = 42
    assert a[1] == 42
    with cuda.mapped(a, b) as (first, second):
        second[0] = 7
        assert first.shape == (4,)
    assert b[0] == 7
    with pytest.raises(ValueError, match="contiguous"), cuda.pinned(np.zeros((4, 4))[::2, ::2]):
        pass


def test_representation():
    assert repr(cuda.device_array((2, 3), np.int8)) == "<DeviceNDArray (2, 3) int8 on device 0>"


# ------------------------------------------------------------------------------------------------
# Misuse


@pytest.mark.parametrize("dtype", ["O", [("number", "i4"), ("object", "O")]])
def test_python_objects_stay_off_devices(dtype):
    address = cuda.to_device(np.zeros(4)).address
    described = {"shape": (2,), "typestr": "|O", "data": (address, False), "version": 3}
    for attempt in (
        lambda: cuda.to_device(np.zeros(3, dtype)),
        lambda: cuda.device_array(3, dtype),
        lambda: cuda.DeviceNDArray(3, None, np.dtype(dtype)),
        lambda: cuda.pinned_array(3, dtype),
        lambda: cuda.mapped_array(3, dtype),
        lambda: cuda.managed_array(3, dtype),
        lambda: cuda.from_cuda_array_interface(described),
    ):
        with pytest.raises(TypeError, match="no Python objects"):
            attempt()


@pytest.mark.parametrize(
    "assign",
    [
        lambda a: a.__setitem__(slice(None), a[::-1]),
        lambda a: a[1:].__setitem__(slice(None), a[:-1]),
        lambda a: a[:-1].__setitem__(slice(None), a[1:]),
        lambda a: a.__setitem__(slice(None), a[3:4]),
        lambda a: a.reshape(4, 4).__setitem__(slice(None), a.reshape(4, 4).T),
    ],
)
def test_setting_from_an_array_that_overlaps(assign):
    expected = np.arange(16.0)
    array = cuda.to_device(expected)
    assign(array)
    assign(expected)
    np.testing.assert_array_equal(array.copy_to_host(), expected)
    other = cuda.to_device(np.arange(8))
    other.copy_to_device(other[::-1])
    np.testing.assert_array_equal(other.copy_to_host(), np.arange(8)[::-1])


def test_arrays_fit_in_their_memory():
    memory = cuda.device_array(4).gpu_data
    assert cuda.DeviceNDArray(4, None, np.dtype(float), None, memory).address == memory.address
    with pytest.raises(ValueError, match="40 bytes is larger than its memory, 32 bytes"):
        cuda.DeviceNDArray(5, None, np.dtype(float), None, memory)
    with pytest.raises(ValueError, match="larger than its memory"):
        cuda.DeviceNDArray(3, (16,), np.dtype(float), None, memory)
    with pytest.raises(ValueError, match="strides must not be negative"):
        cuda.device_array(4, strides=(-8,))
    with pytest.raises(TypeError, match="gpu_data is a Memory"):
        cuda.DeviceNDArray(4, None, np.dtype(float), None, object())
    with pytest.raises(ValueError, match="strides have 2 dimensions"):
        cuda.pinned_array(4, strides=(8, 8))
    for shape in ("a", 1.5, None, (2, None)):
        with pytest.raises(TypeError, match="an extent of the shape is an int, not"):
            cuda.device_array(shape)


def test_numpy_sees_a_copy():
    array = cuda.to_device(np.float32(3))
    assert np.asarray(array).dtype == np.float32 and np.asarray(array) == 3
    assert np.array(cuda.to_device(np.arange(3)), np.float32).tolist() == [0, 1, 2]
    with pytest.raises(ValueError, match="as a copy"):
        np.array(array, copy=False)
    with pytest.raises(TypeError, match="to a NumPy array, not to list"):
        array.copy_to_host([0])


def test_mapped_blocks_give_back_memory_after_an_error():
    host = np.zeros(4)
    host.flags.writeable = False
    with cuda.mapped(host) as array:
        assert array.readonly
    for _ in range(2):
        with pytest.raises(IndexError), cuda.mapped(np.zeros(4), host) as (written, _):
            out_of_bounds[1, 1](written, 10)
    with cuda.pinned(host):
        pass


@cuda.jit(boundscheck=True)
def out_of_bounds(array, index):
    array[index] = 1


def describe(array, **changes):
    return {"shape": array.shape, "typestr": array.dtype.str, "data": (array.address, False), "version": 3} | changes


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        ({"data": (0, False)}, ValueError, "address of the elements is 0"),
        ({"data": (2**70, False)}, ValueError, "the address in data is from 0 to 2\\*\\*64 - 1"),
        ({"data": [1, False]}, ValueError, "data is .address, whether it is read-only., not .1, False."),
        ({"data": (1,)}, ValueError, "data is"),
        ({"shape": (-1,)}, ValueError, "negative dimensions"),
        ({"shape": (2**62,)}, ValueError, "too big"),
        ({"shape": (2**40, 2**40)}, ValueError, "too big"),
        ({"typestr": None}, TypeError, "typestr is a str"),
    ],
)
def test_interfaces_that_describe_no_array(changes, error, message):
    array = cuda.to_device(np.arange(8.0))
    with pytest.raises(error, match=message):
        cuda.from_cuda_array_interface(describe(array, **changes))
    empty = cuda.from_cuda_array_interface(describe(array, shape=(0,), data=(0, False)))
    assert empty.copy_to_host().shape == (0,)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"typestr": "|V8"}, "unsupported array dtype: |V8".replace("|", ".")),
        ({"typestr": ">f8"}, "foreign byte order"),
        ({"strides": (12,)}, "no multiples"),
        ({}, "not aligned"),
    ],
)
def test_kernels_say_why_they_take_no_foreign_array(changes, message):
    array = cuda.to_device(np.arange(8.0))
    foreign = Foreign(describe(array, **{"shape": (2,)} | changes), array)
    if message == "not aligned":
        foreign.__cuda_array_interface__["data"] = (array.address + 1, False)
    with pytest.raises(TypingError, match=message):
        out_of_bounds[1, 1](foreign, 0)


class Foreign:
    def __init__(self, interface, owner):
        self.__cuda_array_interface__, self.owner = interface, owner


class Tensors:
    """Gives DLPack capsules of a NumPy array as if they were on a GPU."""

    def __init__(self, array, device=(2, 0)):
        self.array, self.device = array, device

    def __dlpack__(self, stream=None):
        return self.array.__dlpack__()

    def __dlpack_device__(self):
        return self.device


@pytest.mark.parametrize("device", [[2, 0], None, (2,), ("a", 0)])
def test_dlpack_devices_that_are_none(device):
    with pytest.raises((TypeError, ValueError), match="kind, number of the device|'str' object"):
        cuda.as_cuda_array(Tensors(np.zeros(3), device))


def test_dlpack_of_another_device():
    with pytest.raises(ValueError, match="the array is on device 7, and device 0 is selected"):
        cuda.as_cuda_array(Tensors(np.zeros(3), (2, 7)))


def test_dlpack_says_where_the_array_is():
    d = cuda.to_device(np.zeros(3))
    assert "dltensor" in repr(d.__dlpack__(dl_device=d.__dlpack_device__()))
    with pytest.raises(BufferError, match=r"is not copied to \(2, 7\)"):
        d.__dlpack__(dl_device=(2, 7))
    with pytest.raises(ValueError, match="dl_device is"):
        d.__dlpack__(dl_device="x")


def test_masks_are_not_ignored():
    masked = np.ma.array([1.0, 2.0], mask=[0, 1])
    with pytest.raises(TypeError, match="its mask would be ignored"):
        cuda.to_device(masked)
    assert cuda.to_device(masked.filled(0)).copy_to_host().tolist() == [1, 0]


def test_dlpack_capsules_are_used_once():
    capsule = np.arange(3.0).__dlpack__()
    tensors = Tensors(np.arange(3.0))
    tensors.array = type("Once", (), {"__dlpack__": lambda self: capsule})()
    assert cuda.as_cuda_array(tensors).shape == (3,)
    with pytest.raises(ValueError, match="nobody has used yet"):
        cuda.as_cuda_array(tensors)


def test_dlpack_exports_what_it_can_say():
    with pytest.raises(BufferError, match="no type for >f8"):
        cuda.to_device(np.zeros(3, ">f8")).__dlpack__()
    with pytest.raises(BufferError, match="no multiples"):
        cuda.DeviceNDArray(2, (12,), np.dtype(float)).__dlpack__()
