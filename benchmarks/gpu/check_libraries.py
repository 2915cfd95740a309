"""Checks of arrays and streams of CuPy, PyTorch and JAX: without a copy, both ways, in the right order."""

import os
from operator import attrgetter

import numpy as np
from checking import check, kernels, library

N = 1 << 22
CONFIGURATION = N // 256, 256


def pointer(array):
    """Where an array of ours begins."""
    return array.__cuda_array_interface__["data"][0]


def address(array):
    """Where our view of an array of another library begins."""
    from pyarray import cuda

    return pointer(cuda.as_cuda_array(array))


class OnlyDLPack:
    """An array that offers DLPack alone."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


def share(view_of, where):
    """Check that another library's view of an array of ours is in its place, and that we see what changes there."""
    from pyarray import cuda

    device = cuda.to_device(np.arange(10.0))
    view = view_of(device)
    assert where(view) == pointer(device)
    view += 1
    assert (device.copy_to_host() == np.arange(10) + 1).all()


def share_by_dlpack(ones, view_of, where, finish):
    """The same, both ways, by DLPack alone; ``finish`` waits for the other library."""
    from pyarray import cuda

    double, _ = kernels()
    double[CONFIGURATION](OnlyDLPack(ones))
    cuda.synchronize()
    assert bool((ones == 2).all())
    device = cuda.to_device(np.arange(12.0).reshape(3, 4))
    view = view_of(device)
    assert where(view) == pointer(device) and view.shape == (3, 4)
    view[...] = 7
    finish()
    assert (device.copy_to_host() == 7).all()


def launch_in_order(stream, handle, enter, zeros):
    """Check a launch amid work in another library's stream; the ways in which that can be named."""
    from pyarray import cuda

    double, _ = kernels()
    ways = {"external_stream": cuda.external_stream(handle)}
    if hasattr(stream, "__cuda_stream__"):
        ways["__cuda_stream__"] = stream
    for way, launch_stream in ways.items():
        with enter(stream):
            x = zeros()
            for _ in range(200):
                x += 1
            double[(*CONFIGURATION, launch_stream)](x)
            y = x + 1
        stream.synchronize()
        assert bool((y == 401).all()), f"{way}: not in the order of the stream"
    return "by " + ", ".join(ways)


@check
def cupy_arrays():
    cupy = library("cupy")
    from pyarray import cuda

    double, add_one = kernels()
    x, y = cupy.arange(N, dtype=cupy.float32), cupy.zeros(N, cupy.float32)
    assert address(x) == x.data.ptr
    double[CONFIGURATION](x)
    add_one[CONFIGURATION](x, y)
    assert bool((y == 2 * cupy.arange(N, dtype=cupy.float32) + 1).all()), "CuPy does not see the results"
    every_other = x[::-2]
    double[CONFIGURATION](every_other)
    cuda.synchronize()
    assert float(x[1]) == 4 and float(x[2]) == 4, "a strided view"
    share(cupy.asarray, attrgetter("data.ptr"))
    return f"CuPy {cupy.__version__}: same addresses, both ways"


@check
def cupy_dlpack():
    cupy = library("cupy")
    from pyarray import cuda

    finish = cupy.cuda.get_current_stream().synchronize
    share_by_dlpack(cupy.ones(N, cupy.float64), cupy.from_dlpack, attrgetter("data.ptr"), finish)
    device = cuda.to_device(np.arange(12.0).reshape(3, 4))
    view = cupy.from_dlpack(device.T)
    assert view.data.ptr == pointer(device) and view.shape == (4, 3), "a transposed array"
    return "same addresses, both ways"


@check
def cupy_streams():
    cupy = library("cupy")
    from pyarray import cuda

    double, _ = kernels()
    stream = cupy.cuda.Stream(non_blocking=True)
    said = launch_in_order(stream, stream.ptr, lambda stream: stream, lambda: cupy.zeros(N, cupy.float32))
    with stream:
        x = cupy.zeros(N, cupy.float32)
        for _ in range(200):
            x += 1
        double[CONFIGURATION](x)  # in the default stream; x names the other one
    cuda.synchronize()
    assert bool((x == 400).all()), "the launch did not wait for the stream that the array names"
    return said + "; a launch elsewhere waits"


@check
def torch_arrays():
    torch = library("torch")
    from pyarray import cuda

    double, add_one = kernels()
    x, y = torch.arange(N, dtype=torch.float32, device="cuda"), torch.zeros(N, device="cuda")
    assert address(x) == x.data_ptr()
    double[CONFIGURATION](x)
    add_one[CONFIGURATION](x, y)
    assert bool((y == 2 * torch.arange(N, device="cuda") + 1).all()), "PyTorch does not see the results"
    matrix = torch.ones((4, 6), dtype=torch.float64, device="cuda")
    double[1, 32](matrix.t()[2])
    cuda.synchronize()
    assert matrix[:, 2].sum().item() == 8 and matrix.sum().item() == 28, "a strided view"
    share(lambda device: torch.as_tensor(device, device="cuda"), torch.Tensor.data_ptr)
    return f"PyTorch {torch.__version__}: same addresses, both ways"


@check
def torch_dlpack():
    torch = library("torch")
    ones = torch.ones(N, dtype=torch.float64, device="cuda")
    share_by_dlpack(ones, torch.from_dlpack, torch.Tensor.data_ptr, torch.cuda.synchronize)
    return "same addresses, both ways"


@check
def torch_streams():
    torch = library("torch")
    stream = torch.cuda.Stream()
    return launch_in_order(stream, stream.cuda_stream, torch.cuda.stream, lambda: torch.zeros(N, device="cuda"))


@check
def jax_arrays():
    os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
    jax = library("jax")
    library("jax.dlpack")
    from pyarray import cuda

    _, add_one = kernels()
    x = jax.numpy.arange(N, dtype=jax.numpy.float32).block_until_ready()
    assert x.devices().pop().platform in ("gpu", "cuda"), "JAX has no GPU"
    if hasattr(x, "__cuda_array_interface__"):
        assert address(x) == x.unsafe_buffer_pointer()
    y = cuda.device_array(N, np.float32)
    add_one[CONFIGURATION](x, y)
    cuda.synchronize()
    view = jax.dlpack.from_dlpack(y)
    assert view.unsafe_buffer_pointer() == pointer(y)
    assert bool((view == x + 1).all()), "JAX does not see the results"
    add_one[CONFIGURATION](OnlyDLPack(x), y)
    np.testing.assert_array_equal(y.copy_to_host(), np.arange(N, dtype=np.float32) + 1)
    return f"JAX {jax.__version__}: same addresses, both ways"


@check
def all_libraries_in_one_process():
    os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
    cupy, torch, jax = library("cupy"), library("torch"), library("jax")
    from pyarray import cuda, vectorize

    @vectorize(["float32(float32, float32)"], target="cuda")
    def add(a, b):
        return a + b

    double, _ = kernels()
    x = torch.ones(N, device="cuda")
    double[CONFIGURATION](x)
    y = cupy.ones(N, cupy.float32)
    z = add(add(x, y), jax.numpy.ones(N, jax.numpy.float32))
    assert isinstance(z, cuda.DeviceNDArray)
    assert bool((torch.as_tensor(z, device="cuda") @ torch.ones(N, device="cuda")) > 0)
    assert (z.copy_to_host() == 4).all()
    cupy.linalg.norm(cupy.asarray(z))
    return "PyTorch + CuPy + JAX arrays in one ufunc"
