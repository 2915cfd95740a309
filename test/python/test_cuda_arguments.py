"""Arguments of the host's functions that are no numbers, dtypes, streams, devices or classes: errors that name them."""

import numpy as np
import pytest
from pyarray import cuda
from pyarray._pyarray import cuda as native
from pyarray.cuda import cublas, cufft, curand

JUNK = [None, "2", b"2", [2], {}, object(), np.ones(2), np.array("2")]
ONE = np.ones(2, "f4")


@pytest.fixture(autouse=True)
def no_manager():
    yield
    cuda.set_memory_manager(None)


def ones(*shape):
    return np.ones(shape, "f4")


# ------------------------------------------------------------------------------------------------
# Numbers

NUMBERS = {
    "axpy: alpha": lambda v: cublas.Blas().axpy(v, ONE, ONE.copy()),
    "gemm: beta": lambda v: cublas.Blas().gemm("N", "N", 2, 2, 2, 1, ones(2, 2), ones(2, 2), v, ones(2, 2)),
    "gemm_batched: alpha": lambda v: cublas.Blas().gemm_batched("N", "N", v, *[ones(1, 2, 2)] * 2, 0, ones(1, 2, 2)),
    "scal: alpha": lambda v: cublas.Blas().scal(v, cuda.to_device(ONE)),
    "rot: c": lambda v: cublas.Blas().rot(ones(2), ones(2), v, 0),
    "rot: s": lambda v: cublas.Blas().rot(ones(2), ones(2), 1, v),
    r"rotm: param\[1\]": lambda v: cublas.Blas().rotm(ones(2), ones(2), (-1, v, 0, 0, 1)),
    "a": lambda v: cublas.Blas().rotg(v, 1),
    "d2": lambda v: cublas.Blas().rotmg(1, v, 1, 1),
    "mean": lambda v: curand.PRNG().normal(ones(4), v),
    "sigma": lambda v: curand.normal(0, v, 3),
    "lmbd": lambda v: curand.poisson(v, 3),
}


@pytest.mark.parametrize("what", NUMBERS)
def test_numbers(what):
    for value in JUNK:
        with pytest.raises(TypeError, match=f"^{what} is a number, not "):
            NUMBERS[what](value)
    with pytest.raises(ValueError, match=f"^{what} is more than a float holds"):
        NUMBERS[what](10**400)
    for value in (2, 2.0, True, np.float16(2), np.array(2), np.int8(2)):
        NUMBERS[what](value)


def test_complex_numbers_where_real_ones_are_expected():
    for value in (1j, np.complex64(1), np.array(1j)):
        for call in (lambda v: cublas.Blas().scal(v, ONE.copy()), lambda v: curand.PRNG().normal(ones(4), v)):
            with pytest.raises(TypeError, match="(scal: alpha|mean) is a real number, not"):
                call(value)
    assert cublas.Blas().scal(np.array(2j), np.ones(1, "c8")) == 2j


def test_params_of_five():
    for value in (None, 5, object()):
        with pytest.raises(TypeError, match="rotm: param is five numbers, not"):
            cublas.Blas().rotm(ones(2), ones(2), value)
    with pytest.raises(TypeError, match=r"rotm: param\[0\] is a number, not str"):
        cublas.Blas().rotm(ones(2), ones(2), "12345")


WHOLE = {
    "gemv: m": lambda v: cublas.Blas().gemv("N", v, 2, 1, ones(2, 2), ONE, 0, ones(2)),
    "an extent of shape": lambda v: cufft.FFTPlan((4, v), "c8", "c8"),
    "batch": lambda v: cufft.FFTPlan(4, "c8", "c8", v),
    "rndtype": lambda v: curand.QRNG(v),
    "seed": lambda v: setattr(curand.PRNG(), "seed", v),
    "offset": lambda v: setattr(curand.QRNG(), "offset", v),
    "ordering": lambda v: setattr(curand.PRNG(), "ordering", v),
    "ndim": lambda v: setattr(curand.QRNG(), "ndim", v),
    "bits": lambda v: curand.quasi(4, v),
    "nd": lambda v: curand.quasi(4, 32, v),
    "an extent of the shape": lambda v: cuda.device_array((2, v)),
    "a stride": lambda v: cuda.device_array(2, "f4", (v,)),
    "section": lambda v: list(cuda.to_device(ones(4)).split(v)),
    "bytesize": lambda v: cuda.current_context().memhostalloc(v),
    "size": lambda v: cuda.MemoryPointer(None, 256, v),
    "pointer": lambda v: cuda.MemoryPointer(None, v if v is not None else "", 256),
    "start": lambda v: cuda.MemoryPointer(None, 256, 8).view(v),
    "the number of a device": lambda v: cuda.gpus[v],
    "a peer's number": lambda v: cuda.current_context().can_access_peer(v),
    "handle": lambda v: cuda.Stream(handle=v if v is not None else ""),
    "priority": lambda v: cuda.Stream(v),
    "the handle of a stream that is no object with __cuda_stream__": lambda v: cuda.external_stream(v),
    "address": lambda v: cuda.DeviceNDArray(2, None, "f4", 0, native.allocate("device", 8), v if v is not None else ""),
    "__cuda_array_interface__: the address in data": lambda v: cuda.from_cuda_array_interface(
        {"shape": (2,), "typestr": "<f4", "data": (v, False), "version": 3}
    ),
}


@pytest.mark.parametrize("what", WHOLE)
def test_whole_numbers(what):
    for value in [*JUNK, 1.5]:
        with pytest.raises(TypeError, match=f"^{what} is an int, not "):
            WHOLE[what](value)
    with pytest.raises((ValueError, IndexError)):
        WHOLE[what](2**70)


def test_names_of_devices():
    for value in [*JUNK, 1.5]:
        with pytest.raises(TypeError, match="the number of a device is an int, not"):
            cuda.select_device(value)
        with pytest.raises(TypeError, match="a context is of a Device, not of"):
            cuda.Context(value)
    with pytest.raises(ValueError, match=f"there is no device {2**70}"):
        cuda.select_device(2**70)


# ------------------------------------------------------------------------------------------------
# Dtypes, streams, events


@pytest.mark.parametrize(
    "what, call",
    [
        ("itype", lambda v: cufft.FFTPlan(4, v, "c16")),
        ("otype", lambda v: cufft.FFTPlan(4, "c16", v)),
        ("dtype", lambda v: curand.uniform(3, v)),
    ],
)
def test_dtypes(what, call):
    for value in (None, "nothing", 5, object(), ["f4"]):
        with pytest.raises(TypeError, match=f"{what} is a dtype, not "):
            call(value)


STREAMS = {
    "Blas": lambda v: cublas.Blas(v),
    "FFTPlan": lambda v: cufft.FFTPlan(4, "c8", "c8", stream=v),
    "FFTPlan.stream": lambda v: setattr(cufft.FFTPlan(4, "c8", "c8"), "stream", v),
    "FFTPlan.forward": lambda v: cufft.FFTPlan(4, "c8", "c8").forward(cuda.to_device(np.ones(4, "c8")), stream=v),
    "fft": lambda v: cufft.fft(np.ones(4, "c8"), np.ones(4, "c8"), v),
    "PRNG": lambda v: curand.PRNG(stream=v),
    "PRNG.stream": lambda v: setattr(curand.PRNG(), "stream", v),
    "QRNG.stream": lambda v: setattr(curand.QRNG(), "stream", v),
    "DeviceNDArray": lambda v: cuda.DeviceNDArray(2, stream=v),
    "DeviceNDArray.stream": lambda v: setattr(cuda.device_array(2), "stream", v),
    "bind": lambda v: cuda.device_array(2).bind(v),
    "device_array": lambda v: cuda.device_array(2, stream=v),
    "mapped": lambda v: cuda.mapped(ones(2), stream=v).__enter__(),
    "record": lambda v: cuda.event().record(v),
}


@pytest.mark.parametrize("what", STREAMS)
def test_streams(what):
    for value in ("x", 1.5, 7, [], np.zeros(2)):
        with pytest.raises(TypeError, match="a stream is None, 0, a Stream or an object with __cuda_stream__, not"):
            STREAMS[what](value)
    for value in (None, 0, cuda.stream()):
        STREAMS[what](value)


def test_streams_of_a_context_that_was_reset(run):
    program = """
import numpy as np
from pyarray import cuda
from pyarray.cuda import cublas, cufft, curand
stream = cuda.stream()
cuda.current_context().reset()
prng, plan, array = curand.PRNG(), cufft.FFTPlan(4, "c8", "c8"), cuda.device_array(2)
for owner in (prng, plan, array):
    try:
        owner.stream = stream
    except ValueError as error:
        print(error, owner.stream)
    owner.stream = cuda.stream()
    del owner.stream
    print(owner.stream)
"""
    lines = run(program).splitlines()
    gone = "the stream is gone: the context of device 0 was reset or closed 0"
    assert lines == [gone, "0"] * 3


def test_events():
    for value in JUNK:
        for call in (
            lambda v: cuda.event_elapsed_time(v, cuda.event()),
            lambda v: cuda.event_elapsed_time(cuda.event(), v),
        ):
            with pytest.raises(TypeError, match="an event is expected, not"):
                call(value)


# ------------------------------------------------------------------------------------------------
# Vectors


@pytest.mark.parametrize("value", [None, "1", b"1", [1], (1,), np.ones(2), np.ones(1), 1j, np.complex64(1), object()])
@pytest.mark.parametrize("make", [cuda.float32x2, cuda.int8x2, cuda.uint64x2])
def test_elements_of_vectors(make, value):
    with pytest.raises(TypeError, match=f"{make.__name__}\\(\\) takes numbers and vectors, not {type(value).__name__}"):
        make(value, 1)


def test_elements_that_do_not_fit():
    for make, value in ((cuda.int8x2, 300), (cuda.uint8x2, -1), (cuda.int64x2, float("inf"))):
        with pytest.raises(OverflowError, match=rf"{make.__name__}\(\): x is {value}, which \w+ does not hold"):
            make(value, 0)
    with pytest.raises(ValueError, match=r"int32x2\(\): y is nan, which int32 does not hold"):
        cuda.int32x2(0, float("nan"))
    with np.errstate(all="raise"):
        assert cuda.float32x2(1e300, 1).x == np.inf
    for value in (1, 1.0, True, np.float16(1), np.array(1), np.int64(1)):
        assert cuda.float32x2(value, 0).x == 1


# ------------------------------------------------------------------------------------------------
# Memory managers and arrays


class NoClassOfOurs:
    interface_version = 1

    def __init__(self, context):
        pass


@pytest.mark.parametrize("value", [3, "x", object(), int, NoClassOfOurs, cuda.MemoryPointer, [], lambda context: None])
def test_memory_managers(value):
    with pytest.raises(TypeError, match=r"a memory manager is a class that derives from cuda.BaseCUDAMemoryManager"):
        cuda.set_memory_manager(value)
    assert cuda.to_device(ONE).copy_to_host().tolist() == [1, 1]


@pytest.mark.parametrize(
    "given, error, text",
    [
        (3, TypeError, "has a host_pointer or a buffer, which 3 lacks"),
        (None, TypeError, "which None lacks"),
        (b"1234" * 8, TypeError, "pinned memory is to be written to, and b'1234"),
        (bytearray(23), ValueError, "Odd gave 23 bytes of memory where 24 were asked for"),
        (np.zeros(2), ValueError, "Odd gave 16 bytes of memory where 24 were asked for"),
    ],
)
def test_memory_that_managers_give(given, error, text):
    class Odd(cuda.HostOnlyCUDAMemoryManager):
        interface_version = 1
        initialize = get_memory_info = get_ipc_handle = lambda self, *arguments: None

        def memalloc(self, size):
            return cuda.MemoryPointer(self.context, 4096, size - 1)

        def memhostalloc(self, size, mapped=False, portable=False, wc=False):
            return given

    cuda.set_memory_manager(Odd)
    with pytest.raises(error, match=text):
        cuda.pinned_array(3)
    with pytest.raises(ValueError, match="Odd gave 7 bytes of memory where 8 were asked for"):
        cuda.device_array(1)


def test_objects_that_were_not_made():
    for kind, call in ((cufft.FFTPlan, "forward"), (curand.PRNG, "uniform")):
        with pytest.raises(RuntimeError, match=rf"was not made: {kind.__name__}.__init__ was not called"):
            getattr(kind.__new__(kind), call)(np.ones(4))


def test_memory_of_nothing():
    with pytest.raises(BufferError, match="there is no memory"):
        memoryview(cuda.PinnedMemory(None, None, 8))
    with pytest.raises(ValueError, match="gpu_data is memory that the device does not see"):
        cuda.DeviceNDArray(2, None, "f8", 0, cuda.pinned_array(2).base)
    with pytest.raises(TypeError, match="an address is given without gpu_data"):
        cuda.DeviceNDArray(2, None, "f8", 0, None, 4096)
    memory = cuda.device_array(4).gpu_data
    for address, strides in ((memory.address + 8, None), (memory.address - 8, None), (memory.address, (-8,))):
        with pytest.raises(ValueError, match="an array of 32 bytes leaves its memory of 32 bytes"):
            cuda.DeviceNDArray(4, strides, "f8", 0, memory, address)
    assert cuda.DeviceNDArray(4, (-8,), "f8", 0, memory, memory.address + 24).shape == (4,)


@pytest.mark.parametrize("value", [None, "x", 5, [1]])
def test_arrays_that_are_none(value):
    for call in (cuda.device_array_like, cuda.pinned_array_like, cuda.mapped_array_like):
        with pytest.raises(TypeError, match="an array is expected, not"):
            call(value)
    for call in (cuda.pinned, cuda.mapped):
        with pytest.raises(TypeError, match="memory of NumPy arrays can be pinned, not that of"):
            call(value).__enter__()
    with pytest.raises(TypeError, match="is no dict"):
        cuda.from_cuda_array_interface(value, sync=False)
    if value is not None:
        with pytest.raises(TypeError, match="to is a device array, not"):
            cuda.to_device(ONE, to=value)


def test_dicts_that_describe_no_memory():
    described = {"shape": (2,), "typestr": "<f4", "data": (4096, False), "version": 3}
    with pytest.raises(ValueError, match="the address of the elements, 0x1000, is none of a device's"):
        cuda.from_cuda_array_interface(described)
    assert cuda.from_cuda_array_interface({**described, "shape": (0,)}).size == 0
    for shape in (b"x", "x", None, 1.5, {}):
        with pytest.raises(TypeError, match="__cuda_array_interface__: shape is an int or a tuple of ints, not"):
            cuda.from_cuda_array_interface({**described, "shape": shape})
        with pytest.raises(TypeError, match="the shape is an int or a tuple of ints, not"):
            cuda.DeviceNDArray(shape)
