"""Fourier transforms against NumPy's: in the emulator, on a GPU, and through stand-ins for the driver and for cuFFT."""

import os
import pathlib

import numpy as np
import pytest
from pyarray import cuda
from pyarray.cuda import cufft

BUILD = pathlib.Path(os.environ.get("PYARRAY_TEST_BUILD", pathlib.Path(__file__).resolve().parents[2] / "build"))
DRIVER, LIBRARIES = BUILD / "test" / "libpyarray_fake_cuda.so", BUILD / "test" / "libraries"
STAND_INS = {"PYARRAY_CUDA": "gpu", "PYARRAY_CUDA_DRIVER": str(DRIVER), "PYARRAY_CUDA_LIBRARIES": str(LIBRARIES)}

SHAPES = [(1,), (8,), (5,), (4, 6), (3, 4, 5), (2, 1, 7)]
PRECISIONS = {"complex64": ("float32", 2e-5), "complex128": ("float64", 1e-12)}
random = np.random.default_rng(7)


def numbers(shape, dtype):
    x = random.standard_normal(shape)
    return (x + 1j * random.standard_normal(shape)).astype(dtype) if dtype.startswith("c") else x.astype(dtype)


def close(found, expected, tolerance):
    found = found.copy_to_host() if isinstance(found, cuda.DeviceNDArray) else found
    scale = max(1, np.abs(expected).max(initial=0))
    np.testing.assert_allclose(found / scale, expected / scale, rtol=0, atol=tolerance)


@pytest.fixture(params=["host", "device", "strided", "fortran"])
def place(request):
    """A function that puts an array where the parameter says."""

    def put(x):
        if request.param == "host":
            return x.copy()
        if request.param == "fortran":
            return cuda.to_device(np.asfortranarray(x))
        if request.param == "strided":
            wide = cuda.device_array((*x.shape[:-1], 2 * x.shape[-1]), x.dtype)
            view = wide[..., ::2]
            view[...] = x
            return view
        return cuda.to_device(x)

    return put


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("dtype", PRECISIONS)
def test_complex(shape, dtype, place):
    x, tolerance = numbers(shape, dtype), PRECISIONS[dtype][1]
    ary, out = place(x), place(np.zeros(shape, dtype))
    assert cufft.fft(ary, out) is out
    close(out, np.fft.fftn(x), tolerance)
    close(ary, x, 0)
    assert cufft.ifft(out, ary) is ary
    close(ary, x * x.size, tolerance)
    assert cufft.fft_inplace(out) is out
    close(out, np.fft.fftn(np.fft.fftn(x)), 10 * tolerance)
    assert cufft.ifft_inplace(out) is out


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("dtype", PRECISIONS)
def test_real(shape, dtype, place):
    real, tolerance = PRECISIONS[dtype]
    x = numbers(shape, real)
    ary, half = place(x), place(np.zeros((*shape[:-1], shape[-1] // 2 + 1), dtype))
    cufft.fft(ary, half)
    close(half, np.fft.rfftn(x), tolerance)
    back = place(np.zeros(shape, real))
    cufft.ifft(half, back)
    close(back, x * x.size, tolerance)
    close(half, np.fft.rfftn(x), tolerance)  # it is left as it was


def test_plans_are_reused_and_batched():
    plan = cufft.FFTPlan((4, 8), np.float32, np.complex64, batch=3, stream=cuda.stream())
    for _ in range(3):
        x = numbers((3, 4, 8), "float32")
        found = plan.forward(cuda.to_device(x))
        assert isinstance(found, cuda.DeviceNDArray)
        close(found, np.fft.rfftn(x, axes=(1, 2)), 2e-5)
    assert isinstance(plan.forward(x), np.ndarray)
    back = cufft.FFTPlan((4, 8), "c8", "f4", 3)
    close(back.inverse(found), 32 * x, 2e-5)
    close(back.inverse(cuda.to_device(found.copy_to_host()), overwrite_input=True), 32 * x, 2e-5)


def test_streams_share_a_plan():
    plan, streams = cufft.FFTPlan(64, "c16", "c16"), [cuda.stream(), 0, cuda.stream()]
    x = numbers((64,), "complex128")
    ary = cuda.to_device(x)
    outs = [plan.forward(ary, stream=streams[i % 3]) for i in range(9)]
    cuda.synchronize()
    for out in outs:
        close(out, np.fft.fft(x), 1e-12)


def test_arrays_that_share_memory():
    base = cuda.to_device(numbers((12,), "complex128"))
    x = base.copy_to_host()
    cufft.fft(base[:8], base[4:])
    close(base[4:], np.fft.fft(x[:8]), 1e-12)
    real = cuda.to_device(numbers((10,), "float64"))
    y = real.copy_to_host()[:8]
    cufft.fft(real[:8], real.view("c16"))  # five complex numbers over the eight real ones
    close(real.view("c16"), np.fft.rfft(y), 1e-12)


@pytest.mark.parametrize(
    "call, error, text",
    [
        (lambda: cufft.FFTPlan((), "c8", "c8"), ValueError, "1 to 3 dimensions, not 0"),
        (lambda: cufft.FFTPlan((2, 2, 2, 2), "c8", "c8"), ValueError, "1 to 3 dimensions, not 4"),
        (lambda: cufft.FFTPlan(0, "c8", "c8"), ValueError, "an extent of shape is from 1 to"),
        (lambda: cufft.FFTPlan(2**31, "c8", "c8"), ValueError, "an extent of shape is from 1 to"),
        (lambda: cufft.FFTPlan(8, "c8", "c8", batch=0), ValueError, "batch is from 1 to"),
        (lambda: cufft.FFTPlan(8.0, "c8", "c8"), TypeError, "an extent of shape is an int, not float"),
        (lambda: cufft.FFTPlan(8, "f4", "c16"), TypeError, "no transform from float32 to complex128"),
        (lambda: cufft.FFTPlan(8, "i4", "c8"), TypeError, "no transform from int32 to complex64"),
        (lambda: cufft.FFTPlan(8, "f4", "c8").inverse(np.zeros(5, "c8")), ValueError, "is for the forward transform"),
        (lambda: cufft.FFTPlan(8, "c8", "f4").forward(np.zeros(5, "c8")), ValueError, "is for the inverse transform"),
        (
            lambda: cufft.FFTPlan(8, "c8", "c8").forward(np.zeros(7, "c8")),
            ValueError,
            r"shape \(7,\); the plan's is \(8,\)",
        ),
        (lambda: cufft.FFTPlan(8, "c8", "c8").forward(np.zeros(8)), TypeError, "dtype float64, not complex64"),
        (lambda: cufft.FFTPlan(8, "c8", "c8").forward("text"), TypeError, "dtype <U4, not complex64"),
        (lambda: cufft.fft(np.zeros(8, "c8"), np.broadcast_to(np.zeros(1, "c8"), 8)), ValueError, "out is read-only"),
        (
            lambda: cufft.fft(np.zeros(8, "f4"), np.zeros(8, "c8")),
            ValueError,
            r"out has shape \(8,\); the plan's is \(5,\)",
        ),
        (lambda: cufft.fft(np.ma.array(np.zeros(8, "c8")), np.zeros(8, "c8")), TypeError, "MaskedArray"),
        (lambda: cufft.fft([1, 2], [3, 4]), TypeError, "transforms are of arrays, not of list"),
    ],
)
def test_what_does_not_fit(call, error, text):
    with pytest.raises(error, match=text):
        call()


# ------------------------------------------------------------------------------------------------
# Through stand-ins for the driver and the library: what calls cuFFT, without a GPU

needs_stand_ins = pytest.mark.skipif(
    not DRIVER.exists() or not LIBRARIES.exists(), reason="the stand-ins are not built"
)


@needs_stand_ins
def test_through_the_library(run):
    module = pathlib.Path(__file__)
    program = f"""
import sys
sys.path.insert(0, {str(module.parent)!r})
import pytest
sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", {str(module)!r}, "-k", "not stand_in and not library"]))
"""
    log = pathlib.Path(run.folder) / "log"
    shown = run(program, PYARRAY_FAKE_CUFFT_LOG=str(log), **STAND_INS)
    assert " passed" in shown and "failed" not in shown
    lines = log.read_text().splitlines()
    types = {line.split()[1] for line in lines if line.startswith("run")}
    assert types == {"0x29", "0x2a", "0x2c", "0x69", "0x6a", "0x6c"}
    assert any(line.startswith("run") and line.endswith("stream=1") for line in lines)
    assert sum(line.startswith("plan") for line in lines) >= sum(line.startswith("destroy") for line in lines) > 0


@needs_stand_ins
@pytest.mark.parametrize(
    "call, text",
    [
        ("cufftCreate=7", "making a plan: CUFFT_SETUP_FAILED"),
        ("cufftMakePlanMany64=2", "making a plan of 1 transforms of 1 dimensions (8, ...): CUFFT_ALLOC_FAILED"),
        ("cufftExecC2C=6", "running a plan: CUFFT_EXEC_FAILED"),
        ("cufftExecC2C=99", "running a plan: result 99 of cuFFT"),
    ],
)
def test_failures_of_the_library(run, call, text):
    program = """
import numpy as np
from pyarray import cuda
from pyarray.cuda import cufft
try:
    cufft.FFTPlan(8, "c8", "c8").forward(np.zeros(8, "c8"))
except cuda.CudaAPIError as error:
    print(error.code, error.msg)
"""
    shown = run(program, PYARRAY_FAKE_LIBRARY_FAIL=call, **STAND_INS)
    assert shown.startswith(call.partition("=")[2] + " " + text)


@needs_stand_ins
def test_a_plan_after_a_reset(run):
    program = """
import numpy as np
from pyarray import cuda
from pyarray.cuda import cufft
plan = cufft.FFTPlan(8, "c8", "c8")
x = np.arange(8).astype("c8")
out = np.empty_like(x)
first = cufft.fft(x, out).copy()
cuda.current_context().reset()
try:
    plan.forward(cuda.to_device(x), cuda.device_array(8, "c8"))
except ValueError as error:
    print(error)
del plan
print(np.array_equal(cufft.fft(x, out), first))
"""
    shown = run(program, **STAND_INS).splitlines()
    assert "the plan" in shown[0] and shown[1] == "True"


def test_arrays_of_a_context_that_was_reset(run):
    program = """
import numpy as np
from pyarray import cuda
from pyarray.cuda import cublas, cufft
x = np.ones(8, "c8")
gone, real = cuda.to_device(x), cuda.to_device(np.ones(8, "f4"))
cuda.current_context().reset()
blas = cublas.Blas()
calls = (
    lambda: cufft.fft(gone, x), lambda: cufft.fft(x, gone), lambda: cufft.fft_inplace(gone), lambda: blas.scal(2, real),
    lambda: blas.dot(real, real), lambda: blas.axpy(2, np.ones(8, "f4"), real),
)
for call in calls:
    try:
        call()
    except ValueError as error:
        print(error)
"""
    shown = run(program).splitlines()
    assert shown == ["the device array is gone: the context of device 0 was reset or closed"] * 6


@needs_stand_ins
def test_device_arrays_go_to_the_library_by_way_of_c(run):
    program = """
import inspect
import numpy as np
from pyarray import cuda
from pyarray.cuda import cufft

def refuse(self, *arguments):
    raise AssertionError("a transform went through Python")

cufft.FFTPlan._run = refuse
x = np.arange(12).astype("c8")
for stream in (0, cuda.stream()):
    plan = cufft.FFTPlan(12, "c8", "c8", stream=stream)
    ary, out = cuda.to_device(x), cuda.device_array(12, "c8")
    assert plan.forward(ary, out) is plan.forward(out=out, ary=ary, stream=cuda.stream()) is out
    assert plan.inverse(ary=out, out=ary, stream=None) is ary
    cuda.synchronize()
    np.testing.assert_allclose(ary.copy_to_host(), 12 * x, atol=1e-3)
plan.stream = 0
half, real = cuda.device_array((2, 5, 7), "c16"), cuda.to_device(np.arange(120.0).reshape(2, 5, 12))
cufft.FFTPlan((5, 12), "f8", "c16", 2).forward(real, half)
back = cufft.FFTPlan((5, 12), "c16", "f8", 2)
back.inverse(half, real, overwrite_input=True)
np.testing.assert_allclose(real.copy_to_host(), 60 * np.arange(120.0).reshape(2, 5, 12), atol=1e-9)
print(inspect.signature(plan.forward), plan.forward.__doc__ == cufft.FFTPlan.forward.__doc__)
went = {
    "new result": lambda: plan.forward(ary),
    "host": lambda: plan.forward(x, x),
    "shape": lambda: plan.forward(ary[:6], out),
    "overlap": lambda: cufft.FFTPlan(6, "c8", "c8").forward(ary[:6], ary[3:9]),
    "odd": lambda: cufft.FFTPlan(6, "f4", "c8").forward(ary.view("f4")[1:7], out[:4]),
    "to real": lambda: back.inverse(half, real),
}
for name, call in went.items():
    try:
        call()
        print(name)
    except AssertionError:
        pass
for call in (lambda: back.forward(half, real), lambda: cufft.FFTPlan(12, "f4", "c8").inverse(out, ary), plan.forward):
    try:
        call()
    except (ValueError, TypeError) as error:
        print(error)
"""
    shown = run(program, **STAND_INS).splitlines()
    assert shown[0] == "(ary, out=None, stream=None) True"
    assert shown[1] == "a plan from complex to real numbers is for the inverse transform"
    assert shown[2] == "a plan from real to complex numbers is for the forward transform"
    assert "forward() missing 1 required positional argument: 'ary'" in shown[3] and len(shown) == 4


def test_numbers_that_lie_at_odd_places():
    x = numbers((8,), "float32")
    odd = cuda.to_device(np.concatenate([[0], x]).astype("f4"))[1:]
    out = cuda.device_array(5, "c8")
    close(cufft.fft(odd, out), np.fft.rfft(x), 2e-5)


def test_a_missing_library_is_named(run, tmp_path):
    if not DRIVER.exists():
        pytest.skip("the stand-in for the driver is not built")
    program = """
import numpy as np
from pyarray import cuda
from pyarray.cuda import cufft
try:
    cufft.fft_inplace(np.zeros(8, "c8"))
except cuda.cudadrv.error.CudaSupportError as error:
    print(error)
"""
    (tmp_path / "libcufft.so.11").write_text("no library")
    shown = run(program, **{**STAND_INS, "PYARRAY_CUDA_LIBRARIES": str(tmp_path)})
    assert "cuFFT cannot be opened; pip install nvidia-cufft" in shown and "libcufft.so.11" in shown
