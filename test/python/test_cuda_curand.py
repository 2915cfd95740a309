"""Generators of cuRAND: arrays, settings, errors; in the emulator, on a GPU, and through stand-ins for the library.

What numbers they give is in test_cuda_curand_numbers.py.
"""

import os
import pathlib
import threading

import numpy as np
import pytest
from pyarray import cuda
from pyarray.cuda import curand
from pyarray.cuda.curand import PRNG, QRNG

BUILD = pathlib.Path(os.environ.get("PYARRAY_TEST_BUILD", pathlib.Path(__file__).resolve().parents[2] / "build"))
DRIVER, LIBRARIES = BUILD / "test" / "libpyarray_fake_cuda.so", BUILD / "test" / "libraries"
STAND_INS = {"PYARRAY_CUDA": "gpu", "PYARRAY_CUDA_DRIVER": str(DRIVER), "PYARRAY_CUDA_LIBRARIES": str(LIBRARIES)}

METHODS = [("generate", "u4", ()), ("generate", "u8", ()), ("uniform", "f4", ()), ("uniform", "f8", ()),
           ("normal", "f4", (1, 2)), ("normal", "f8", (1, 2)), ("lognormal", "f4", (0, 0.5)),
           ("lognormal", "f8", (0, 0.5)), ("poisson", "u4", (7,))]  # fmt: skip


def on_host(array):
    return array.copy_to_host() if isinstance(array, cuda.DeviceNDArray) else array


def host(shape, dtype):
    return np.zeros(shape, dtype)


def device(shape, dtype):
    return cuda.to_device(np.zeros(shape, dtype))


def strided(shape, dtype):
    return cuda.to_device(np.zeros((*shape[:-1], 2 * shape[-1]), dtype))[..., ::2]


def fortran(shape, dtype):
    return cuda.to_device(np.zeros(shape, dtype, order="F"))


def unaligned(shape, dtype):
    return cuda.to_device(np.zeros(np.prod(shape) + 1, dtype))[1:].reshape(shape)


@pytest.mark.parametrize("place", [device, strided, fortran, unaligned])
@pytest.mark.parametrize("method, dtype, arguments", METHODS)
def test_places(method, dtype, arguments, place):
    """The numbers are those that a host array gets, in C order, wherever the elements are."""
    shape = (6, 35)
    expected, array = host(shape, dtype), place(shape, dtype)
    for target in (expected, array):
        assert getattr(PRNG(seed=4), method)(target, *arguments) is target
    assert np.unique(expected).size > 10
    np.testing.assert_array_equal(on_host(array), expected)


class Foreign:
    """An array of another library."""

    def __init__(self, array):
        self.array, self.__cuda_array_interface__ = array, array.__cuda_array_interface__


def test_arrays_of_other_libraries():
    expected, array = PRNG(seed=4).normal(np.zeros((7, 11))), device((7, 11), "f8")
    foreign, rows = Foreign(array), Foreign(array[::2])
    assert PRNG(seed=4).normal(foreign) is foreign
    np.testing.assert_array_equal(array.copy_to_host(), expected)
    PRNG(seed=5).normal(rows)
    np.testing.assert_array_equal(array.copy_to_host()[1::2], expected[1::2])
    np.testing.assert_array_equal(array.copy_to_host()[::2], PRNG(seed=5).normal(np.zeros((4, 11))))


@pytest.mark.parametrize("place", [host, device, unaligned])
@pytest.mark.parametrize("method, dtype, arguments", METHODS)
def test_a_part_of_an_array(method, dtype, arguments, place):
    whole, array = host((40,), dtype), place((40,), dtype)
    getattr(PRNG(seed=4), method)(whole, *arguments)
    getattr(PRNG(seed=4), method)(array, *arguments, size=20)
    np.testing.assert_array_equal(on_host(array), np.where(np.arange(40) < 20, whole, np.zeros(40, dtype)))
    getattr(PRNG(seed=4), method)(array, *arguments, size=0)


@pytest.mark.parametrize("shape", [(0,), (3, 0), ()])
@pytest.mark.parametrize("method, dtype, arguments", METHODS)
def test_small_arrays(method, dtype, arguments, shape):
    for place in (host, device):
        array = place(shape, dtype)
        rng = PRNG(seed=4)
        getattr(rng, method)(array, *arguments)
        assert on_host(array).shape == shape
        if 0 in shape:
            first, second = np.zeros(8, "u4"), np.zeros(8, "u4")
            np.testing.assert_array_equal(rng.generate(first), PRNG(seed=4).generate(second))  # it has taken none


def test_settings():
    rng = PRNG()
    assert (rng.rndtype, rng.seed, rng.offset, rng.stream) == (PRNG.DEFAULT, 0, 0, 0)
    assert rng.ordering == PRNG.ORDERING_DEFAULT
    assert repr(PRNG(PRNG.PHILOX4_32_10)) == "<PRNG PHILOX4_32_10>"
    stream = cuda.stream()
    rng = PRNG(PRNG.XORWOW, seed=2**64 - 1, offset=np.uint64(7), stream=stream)
    assert (rng.seed, rng.offset, rng.stream) == (2**64 - 1, 7, stream)
    at_seven = rng.generate(np.zeros(20, "u4"))
    rng.offset = 9
    np.testing.assert_array_equal(rng.generate(np.zeros(18, "u4")), at_seven[2:])
    rng.seed = 2**64 - 1  # begins at the offset
    np.testing.assert_array_equal(rng.generate(np.zeros(18, "u4")), at_seven[2:])
    q = QRNG()
    assert (q.rndtype, q.ndim, q.offset) == (QRNG.DEFAULT, 1, 0)
    q.ndim = 3
    points = q.generate(np.zeros((3, 10), "u4"))
    q.ndim = 3
    np.testing.assert_array_equal(q.generate(np.zeros((3, 10), "u4")), points)


def test_orderings():
    legacy, best = PRNG(PRNG.MRG32K3A, seed=1), PRNG(PRNG.MRG32K3A, seed=1)
    legacy.ordering = PRNG.ORDERING_LEGACY
    assert legacy.ordering == PRNG.ORDERING_LEGACY
    numbers = [rng.generate(np.zeros(5000, "u4")) for rng in (legacy, best)]
    np.testing.assert_array_equal(numbers[0][:4096], numbers[1][:4096])
    assert (numbers[0][4096:] != numbers[1][4096:]).any()
    legacy.ordering = PRNG.ORDERING_BEST
    np.testing.assert_array_equal(legacy.generate(np.zeros(5000, "u4")), numbers[1])
    seeded = PRNG(PRNG.XORWOW, seed=1)
    seeded.ordering = PRNG.ORDERING_SEEDED
    assert (seeded.generate(np.zeros(50, "u4")) != PRNG(PRNG.XORWOW, seed=1).generate(np.zeros(50, "u4"))).any()


def test_streams_share_a_generator():
    rng, streams = PRNG(seed=6), [cuda.stream(), 0, cuda.stream()]
    arrays = []
    for i in range(9):
        rng.stream = streams[i % 3]
        arrays.append(rng.uniform(cuda.device_array(1000, np.float32)))
    cuda.synchronize()
    whole = PRNG(seed=6).uniform(np.zeros(9000, np.float32))
    np.testing.assert_array_equal(np.concatenate([array.copy_to_host() for array in arrays]), whole)


def test_threads_share_a_generator():
    rng, parts = PRNG(PRNG.PHILOX4_32_10, seed=6), []

    def draw():
        for _ in range(50):
            parts.append(rng.generate(np.zeros(40, "u4")).tobytes())

    threads = [threading.Thread(target=draw) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    whole = PRNG(PRNG.PHILOX4_32_10, seed=6).generate(np.zeros((200, 40), "u4"))
    assert sorted(parts) == sorted(row.tobytes() for row in whole)


def test_device_arrays_are_filled_by_way_of_c(monkeypatch):
    prng, qrng = PRNG(seed=4, stream=cuda.stream()), QRNG(ndim=3)
    expected = PRNG(seed=4).uniform(np.zeros(8)), QRNG(ndim=3).uniform(np.zeros(6))

    def refuse(*arguments):
        raise AssertionError("by way of Python")

    monkeypatch.setattr(curand._Generator, "_fill", refuse)
    array, singles, bits = cuda.device_array(8), cuda.device_array(7, np.float32), cuda.device_array((2, 3), np.uint64)
    assert prng.uniform(array) is array and prng.normal(singles, 5, 0.5) is singles and prng.generate(bits) is bits
    assert prng.lognormal(ary=array, sigma=2, size=6) is prng.uniform(array, size=None) is array
    prng.seed = 4
    np.testing.assert_array_equal(prng.uniform(array).copy_to_host(), expected[0])
    np.testing.assert_array_equal(qrng.uniform(array, 6).copy_to_host()[:6], expected[1])
    by_python = [
        lambda: prng.uniform(np.zeros(4)),
        lambda: prng.uniform(bits),
        lambda: prng.uniform(array[::2]),
        lambda: prng.uniform(array, np.int64(3)),
        lambda: prng.normal(array, np.float32(1)),
    ]
    for call in by_python:
        with pytest.raises(AssertionError):
            call()
    for call in (lambda: prng.uniform(array, -1), lambda: prng.uniform(array, 9), lambda: prng.normal(array, 0, -1)):
        with pytest.raises(ValueError, match="size is from 0 to|sigma is 0 or more"):
            call()
    with pytest.raises(ValueError, match="no multiple of the 3 dimensions"):
        qrng.uniform(array)


def test_generators_go():
    for _ in range(40):
        PRNG(PRNG.MT19937, seed=1).uniform(np.zeros(3))
        QRNG().uniform(np.zeros(3))


def readonly():
    array = np.zeros(4)
    array.flags.writeable = False
    return array


@pytest.mark.parametrize(
    "call, error, text",
    [
        (lambda: PRNG(QRNG.SOBOL32), ValueError, "PRNG has no algorithm 201"),
        (lambda: QRNG(PRNG.XORWOW), ValueError, "QRNG has no algorithm 101"),
        (lambda: PRNG("XORWOW"), TypeError, "rndtype is an int, not str"),
        (lambda: PRNG(seed=-1), ValueError, r"seed is from 0 to 2\*\*64 - 1, not -1"),
        (lambda: PRNG(seed=2**64), ValueError, "seed is from 0"),
        (lambda: PRNG(seed=1.5), TypeError, "seed is an int, not float"),
        (lambda: PRNG(offset=-1), ValueError, "offset is from 0"),
        (lambda: PRNG(stream="text").uniform(np.zeros(4)), TypeError, "stream"),
        (lambda: PRNG().uniform(np.zeros(4, "f2")), TypeError, "dtype float16; these numbers are float32 or float64"),
        (lambda: PRNG().uniform(np.zeros(4, "i4")), TypeError, "dtype int32; these numbers are float32"),
        (lambda: PRNG().uniform(np.zeros(4, ">f4")), TypeError, "dtype >f4, not float32"),
        (lambda: PRNG().generate(np.zeros(4, "f4")), TypeError, "dtype float32; these numbers are uint32 or uint64"),
        (lambda: PRNG().poisson(np.zeros(4, "u8"), 1), TypeError, "dtype uint64; these numbers are uint32"),
        (lambda: PRNG().uniform([0.0, 1.0]), TypeError, "random numbers fill arrays, not list"),
        (lambda: PRNG().uniform(None), TypeError, "random numbers fill arrays, not NoneType"),
        (lambda: PRNG().uniform(np.ma.array(np.zeros(4))), TypeError, "MaskedArray"),
        (lambda: PRNG().uniform(readonly()), ValueError, "read-only"),
        (lambda: PRNG().uniform(np.broadcast_to(np.zeros(1), 8)), ValueError, "read-only"),
        (lambda: PRNG().uniform(np.zeros(4), size=5), ValueError, "size is from 0 to the array's 4 elements, not 5"),
        (lambda: PRNG().uniform(cuda.device_array(4), size=-1), ValueError, "size is from 0"),
        (lambda: PRNG().uniform(np.zeros(4), size=1.5), TypeError, "size is an int, not float"),
        (lambda: PRNG().normal(np.zeros(4), 0, -1), ValueError, "sigma is 0 or more, not -1"),
        (lambda: PRNG().normal(np.zeros(4), 0, np.nan), ValueError, "sigma is 0 or more, not nan"),
        (lambda: PRNG().lognormal(np.zeros(4), 0, -0.1), ValueError, "sigma is 0 or more"),
        (lambda: PRNG().normal(np.zeros(4), "x", 1), TypeError, "mean is a number, not str"),
        (lambda: PRNG().normal(np.zeros(4), 0, None), TypeError, "sigma is a number, not NoneType"),
        (lambda: PRNG().poisson(np.zeros(4, "u4"), 0), ValueError, "lmbd is above 0 and at most 400000, not 0.0"),
        (lambda: PRNG().poisson(np.zeros(4, "u4"), -2), ValueError, "lmbd is above 0"),
        (lambda: PRNG().poisson(np.zeros(4, "u4"), np.nan), ValueError, "lmbd is above 0 .* not nan"),
        (lambda: PRNG().poisson(np.zeros(4, "u4"), 400_001), ValueError, "lmbd is above 0"),
        (lambda: QRNG(ndim=0), ValueError, "ndim is from 1 to 20000, not 0"),
        (lambda: QRNG(ndim=20_001), ValueError, "ndim is from 1 to 20000, not 20001"),
        (lambda: QRNG(ndim=3).uniform(np.zeros(4)), ValueError, "4 numbers are no multiple of the 3 dimensions"),
        (lambda: QRNG(ndim=3).generate(np.zeros(6, "u4"), size=4), ValueError, "4 numbers are no multiple"),
        (lambda: QRNG().generate(np.zeros(6, "u8")), TypeError, "the numbers of this generator are uint32"),
        (lambda: QRNG(QRNG.SOBOL64).generate(np.zeros(6, "u4")), TypeError, "the numbers of this generator are uint64"),
        (lambda: PRNG(PRNG.MTGP32, offset=3), cuda.CudaAPIError, "offset: CURAND_STATUS_TYPE_ERROR"),
        (lambda: PRNG(PRNG.MT19937, offset=3), cuda.CudaAPIError, "offset: CURAND_STATUS_TYPE_ERROR"),
        (lambda: setattr(PRNG(), "ordering", 99), cuda.CudaAPIError, "ordering: CURAND_STATUS_OUT_OF_RANGE"),
        (lambda: curand.quasi(4, bits=16), ValueError, "bits is 32 or 64, not 16"),
        (lambda: curand.uniform(-1), ValueError, "negative"),
        (lambda: curand.uniform(3, np.int32), TypeError, "dtype int32"),
    ],
)
def test_what_does_not_fit(call, error, text):
    with pytest.raises(error, match=text):
        call()


@pytest.mark.skipif(cuda.is_available() or "PYARRAY_CUDA_DRIVER" in os.environ, reason="a GPU has 20000 dimensions")
def test_dimensions_of_the_cpu():
    with pytest.raises(ValueError, match="ndim is at most 1111 where the CPU plays the device, not 1112"):
        QRNG(ndim=1112)


def test_a_setting_that_fails_changes_nothing():
    rng = PRNG(seed=8)
    with pytest.raises(cuda.CudaAPIError):
        rng.ordering = 99
    assert rng.ordering == PRNG.ORDERING_DEFAULT and rng.seed == 8
    np.testing.assert_array_equal(rng.generate(np.zeros(9, "u4")), PRNG(seed=8).generate(np.zeros(9, "u4")))


def test_another_device():
    if len(cuda.gpus) < 2:
        pytest.skip("one device")
    with cuda.gpus[1]:
        rng, array = PRNG(seed=3), cuda.device_array(100)
        expected = rng.uniform(array).copy_to_host()
    with cuda.gpus[0]:
        here = cuda.device_array(100)
        with pytest.raises(ValueError, match="the generator was made for another device"):
            rng.uniform(here)
        np.testing.assert_array_equal(PRNG(seed=3).uniform(here).copy_to_host(), expected)
    with cuda.gpus[1]:
        rng.uniform(array)


# ------------------------------------------------------------------------------------------------
# Through stand-ins for the driver and the library: what calls cuRAND, without a GPU

needs_stand_ins = pytest.mark.skipif(
    not DRIVER.exists() or not LIBRARIES.exists(), reason="the stand-ins are not built"
)


@needs_stand_ins
@pytest.mark.parametrize("file", ["test_cuda_curand.py", "test_cuda_curand_numbers.py"])
def test_through_the_library(run, file):
    folder = pathlib.Path(__file__).parent
    program = f"""
import sys
sys.path.insert(0, {str(folder)!r})
import pytest
sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", {str(folder / file)!r}, "-k",
                      "not through and not library and not kernels and not test_poisson and not test_distributions"]))
"""
    log = pathlib.Path(run.folder) / "log"
    shown = run(program, PYARRAY_FAKE_CURAND_LOG=str(log), **STAND_INS)
    assert " passed" in shown and "failed" not in shown
    lines = log.read_text().splitlines()
    called = {line.split()[0] for line in lines}
    assert {"create", "curandSetPseudoRandomGeneratorSeed", "curandGenerate", "curandGenerateUniform"} <= called
    assert sum(line.startswith("create") for line in lines) >= sum(line.startswith("destroy") for line in lines) > 0
    if file == "test_cuda_curand.py":
        assert {"curandGenerateLogNormalDouble", "curandGeneratePoisson", "curandSetGeneratorOrdering"} <= called
        assert any(line == "curandGenerateUniform stream=1" for line in lines)


@needs_stand_ins
def test_two_devices_through_the_library(run):
    program = f"""
import sys
sys.path.insert(0, {str(pathlib.Path(__file__).parent)!r})
import test_cuda_curand
test_cuda_curand.test_another_device()
print("done")
"""
    assert run(program, PYARRAY_CUDA_EMULATED_DEVICES="2", **STAND_INS).strip() == "done"


@needs_stand_ins
@pytest.mark.parametrize(
    "call, text",
    [
        ("curandCreateGenerator=203", "making a generator: CURAND_STATUS_INITIALIZATION_FAILED"),
        ("curandSetPseudoRandomGeneratorSeed=101", "setting a generator's seed: CURAND_STATUS_NOT_INITIALIZED"),
        ("curandSetStream=999", "choosing the stream of a generator: CURAND_STATUS_INTERNAL_ERROR"),
        ("curandGenerateUniformDouble=201", "generating 8 numbers: CURAND_STATUS_LAUNCH_FAILURE"),
        ("curandGenerateUniformDouble=105", "generating 8 numbers: CURAND_STATUS_LENGTH_NOT_MULTIPLE"),
        ("curandGenerateUniformDouble=77", "generating 8 numbers: result 77 of cuRAND"),
    ],
)
def test_failures_of_the_library(run, call, text):
    program = """
import numpy as np
from pyarray import cuda
from pyarray.cuda import curand
try:
    curand.PRNG(seed=1, stream=cuda.stream()).uniform(np.zeros(8))
except cuda.CudaAPIError as error:
    print(error.code, error.msg)
"""
    shown = run(program, PYARRAY_FAKE_LIBRARY_FAIL=call, **STAND_INS)
    assert shown.startswith(call.partition("=")[2] + " " + text)


@needs_stand_ins
def test_a_generator_after_a_reset(run):
    program = """
import numpy as np
from pyarray import cuda
from pyarray.cuda import curand
rng = curand.PRNG(seed=1)
rng.normal(np.zeros(3))
first = curand.uniform(5)
cuda.current_context().reset()
for act in (lambda: rng.uniform(np.zeros(5)), lambda: setattr(rng, "seed", 3)):
    try:
        act()
    except ValueError as error:
        print(error)
del rng
print(curand.uniform(5).size)
"""
    shown = run(program, **STAND_INS).splitlines()
    assert "the generator" in shown[0] and "the generator" in shown[1] and shown[2] == "5"


def test_a_missing_library_is_named(run, tmp_path):
    if not DRIVER.exists():
        pytest.skip("the stand-in for the driver is not built")
    program = """
from pyarray import cuda
from pyarray.cuda import curand
try:
    curand.PRNG()
except cuda.cudadrv.error.CudaSupportError as error:
    print(error)
"""
    (tmp_path / "libcurand.so.10").write_text("no library")
    shown = run(program, **{**STAND_INS, "PYARRAY_CUDA_LIBRARIES": str(tmp_path)})
    assert "cuRAND cannot be opened; pip install nvidia-curand" in shown and "libcurand.so.10" in shown
