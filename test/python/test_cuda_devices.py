"""Devices, contexts, streams, events, and which driver is taken."""

import asyncio
import os
import threading

import numpy as np
import pytest
from pyarray import cuda

PROGRAM = """
import warnings
with warnings.catch_warnings(record=True) as seen:
    warnings.simplefilter("always")
    from pyarray import cuda
    print(len(seen), end=" ")
    cuda.to_device([1.0])
    cuda.to_device([1.0])
print(cuda.is_available(), [(one.category.__name__, one.filename == __file__) for one in seen])
"""
no_gpu = pytest.mark.skipif("os.environ['PYARRAY_CUDA'] == 'gpu'", reason="of machines without a GPU")


# ------------------------------------------------------------------------------------------------
# The driver


@no_gpu
def test_the_emulator_is_announced_once(run):
    environment = {"PYARRAY_CUDA": "", "PYARRAY_CUDA_DRIVER": "/nonexistent/libcuda.so"}
    assert run(PROGRAM, **environment) == "0 False [('CudaEmulationWarning', True)]\n"


def test_the_emulator_that_was_asked_for_is_not_announced(run):
    assert run(PROGRAM, PYARRAY_CUDA="cpu") == "0 False []\n"


@no_gpu
def test_a_gpu_that_is_demanded_and_not_there(run):
    program = """
from pyarray import cuda
print(cuda.is_available(), cuda.detect())
try:
    cuda.to_device([1.0])
except cuda.cudadrv.error.CudaSupportError as error:
    print("CudaSupportError" if isinstance(error, ImportError) else "", str(error) != "")
"""
    shown = run(program, PYARRAY_CUDA="gpu", PYARRAY_CUDA_DRIVER="/nonexistent/libcuda.so").splitlines()
    assert shown[0].startswith("No CUDA device: ") and shown[1:] == ["False False", "CudaSupportError True"]


def test_importing_it_opens_no_driver_and_brings_nothing_along(run):
    program = """
import pyarray, sys
before = set(sys.modules)
from pyarray import cuda
brought = set(sys.modules) - before
assert all(name.startswith("pyarray.cuda") for name in brought), brought
assert "pyarray.cuda._arrays" not in brought
assert "libcuda" not in open("/proc/self/maps").read()
"""
    run(program)


@no_gpu
def test_a_fork_after_the_emulator_was_used(run):
    program = """
import os
from pyarray import cuda
cuda.to_device([1.0])
child = os.fork()
if not child:
    try:
        cuda.to_device([1.0])
    except cuda.CudaSupportError as error:
        os._exit(3 if "forked" in str(error) else 4)
    os._exit(0)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
    assert run(program) == "3\n"


# ------------------------------------------------------------------------------------------------
# Devices


def test_devices():
    device = cuda.get_current_device()
    assert device is cuda.gpus[0] is cuda.gpus.current and device == cuda.list_devices()[0]
    assert device.id == 0 and isinstance(device.name, str) and device.uuid.startswith("GPU-")
    major, minor = device.compute_capability
    assert (device.COMPUTE_CAPABILITY_MAJOR, device.COMPUTE_CAPABILITY_MINOR) == (major, minor) >= (5, 0)
    assert device.WARP_SIZE == 32 and device.MAX_THREADS_PER_BLOCK == 1024 and device.MULTIPROCESSOR_COUNT > 0
    assert "WARP_SIZE" in dir(device)
    assert len(cuda.gpus) == len(list(cuda.gpus)) >= 1
    assert type(device).from_identity(device.get_device_identity()) == device
    with pytest.raises(AttributeError):
        _ = device.NO_SUCH_THING
    with pytest.raises(IndexError):
        cuda.gpus[99]


def test_contexts():
    context = cuda.current_context()
    assert context == cuda.select_device(0) == cuda.gpus[0].get_primary_context()
    info = context.get_memory_info()
    assert 0 < info.free <= info.total
    with cuda.gpus[0] as inside:
        assert inside == context
    with pytest.raises((ValueError, cuda.CudaAPIError)):
        cuda.select_device(99)
    assert cuda.is_supported_version()


def test_require_context():
    @cuda.require_context
    def function(x):
        """Says so."""
        return x + 1

    assert function(1) == 2 and function.__doc__ == "Says so."


def test_detect(capsys):
    assert cuda.detect()
    shown = capsys.readouterr().out
    assert "Compute Capability" in shown and "Summary" in shown


def test_names_of_numba():
    assert cuda.cudadrv.driver.driver.get_device_count() == len(cuda.gpus)
    assert cuda.cudadrv.driver.driver.get_version() > (10, 0)
    assert issubclass(cuda.cudadrv.driver.CudaAPIError, cuda.cudadrv.error.CudaDriverError)
    assert cuda.cudadrv.devices.get_context() == cuda.current_context()
    assert cuda.cudadrv.devicearray.is_cuda_ndarray(cuda.device_array(1))
    assert not cuda.cudadrv.devicearray.is_cuda_ndarray(np.zeros(1))
    assert issubclass(cuda.errors.KernelRuntimeError, RuntimeError)
    with pytest.raises(AttributeError):
        _ = cuda.no_such_name
    with cuda.profiling():
        pass


def test_every_name_is_there():
    for name in dir(cuda):
        assert getattr(cuda, name) is not None


def test_reset_frees_what_was_made(run):
    program = """
import numpy as np
from pyarray import cuda
@cuda.jit
def store(a):
    a[cuda.grid(1)] = 5
d, stream, event = cuda.to_device(np.zeros(4)), cuda.stream(), cuda.event()
pinned, mapped, later = cuda.pinned_array(4), cuda.mapped_array(4), store[1, 4, stream]
store[1, 4](d)
cuda.get_current_device().reset()
calls = [stream.synchronize, event.query, d.copy_to_host, lambda: store[1, 4](d), lambda: store[1, 4](d[1:])]
calls += [lambda: d.__cuda_array_interface__, lambda: d.__dlpack__(), lambda: d.copy_to_device(np.zeros(4))]
calls += [lambda: later(np.zeros(4))]
for call in calls:
    try:
        call()
    except ValueError as error:
        print(error)
d = cuda.to_device(np.zeros(4))
store[1, 4](d)
print(d.copy_to_host())
cuda.close()
d = cuda.to_device(np.zeros(4))
store[1, 4](d)
print(d.copy_to_host())
"""
    shown = run(program).splitlines()
    gone = ["stream", "event"] + 6 * ["device array"] + ["stream"]
    assert shown[:-2] == [f"the {what} is gone: the context of device 0 was reset or closed" for what in gone]
    assert shown[-2] == shown[-1] == "[5. 5. 5. 5.]"


def test_what_is_gone_is_not_handed_on(run):
    """Arrays of a context that was reset, or whose memory was given back, and capsules and dicts from before."""
    program = """
import numpy as np
from pyarray import cuda
class Holder:
    def __init__(self, array):
        self.capsule = array.__dlpack__()
    def __dlpack__(self, **unused):
        return self.capsule
    def __dlpack_device__(self):
        return 2, 0
d, host = cuda.to_device(np.zeros(4)), np.zeros(4)
view, holder, other, interface = d[1:], Holder(d), Holder(d), d.__cuda_array_interface__
with cuda.mapped(host) as mapped:
    mapped[:] = 1
RESET
calls = [lambda: cuda.from_dlpack(d), lambda: cuda.as_cuda_array(d), lambda: cuda.to_device(view)]
calls += [lambda: cuda.from_dlpack(view), lambda: cuda.from_dlpack(holder), lambda: cuda.as_cuda_array(other)]
calls += [lambda: cuda.from_cuda_array_interface(interface, owner=d), lambda: d.get_ipc_handle()]
calls += [lambda: np.asarray(d), lambda: d[0], lambda: view.__setitem__(0, 1), lambda: list(view)]
calls += [d.ravel().copy_to_host]
calls += [mapped.copy_to_host, lambda: cuda.from_dlpack(mapped), lambda: mapped[:2].copy_to_device(np.zeros(2))]
for call in calls:
    try:
        print(call())
    except (ValueError, RuntimeError) as error:
        print(str(error).splitlines()[0])
print(host, cuda.to_device(host).copy_to_host())
"""
    for reset in ("cuda.close()", "cuda.current_context().reset()"):
        shown = run(program.replace("RESET", reset)).splitlines()
        gone = "the device array is gone: the context of device 0 was reset or closed"
        given = "the device array is gone: its memory was given back, by close() or at the end of a with block"
        assert shown == [gone] * 13 + [gone] * 3 + ["[1. 1. 1. 1.] [1. 1. 1. 1.]"]
    assert run(program.replace("RESET", "")).splitlines()[13:16] == [given] * 3


@pytest.mark.skipif(os.environ.get("PYARRAY_CUDA", "cpu") == "gpu", reason="the host does not see a GPU's memory")
@pytest.mark.parametrize("reset", ["cuda.close()", "cuda.current_context().reset()"])
def test_memory_that_numpy_sees_outlives_its_context(run, reset):
    program = f"""
import numpy as np
from pyarray import cuda
views = []
for size in (3, 10**6, 0):
    d = cuda.to_device(np.full(size, 7.0))
    views += [np.from_dlpack(d), np.from_dlpack(d), np.from_dlpack(d[1:])]
gone = cuda.to_device(np.ones(3)).__dlpack__()
{reset}
del d
print([view.size for view in views], [float(view.max(initial=0)) for view in views])
a = cuda.to_device(np.zeros(10**6))
del views, gone
print(a.copy_to_host().sum())
"""
    shown = run(program).splitlines()
    sizes = [3, 3, 2, 10**6, 10**6, 10**6 - 1, 0, 0, 0]
    assert shown == [f"{sizes} {[7.0] * 6 + [0.0] * 3}", "0.0"]


def test_host_memory_outlives_its_context(run):
    program = """
import gc
import numpy as np
from pyarray import cuda
@cuda.jit
def store(a):
    a[cuda.grid(1)] = 5
arrays = [cuda.pinned_array(300_000), cuda.mapped_array(300_000)]
for end in (cuda.get_current_device().reset, cuda.close):
    for a in arrays:
        a[:] = 1
    end()
    for a in arrays:
        a[1:] += 1
        store[1, 1](a)
        print(a.sum(), end=" ")
    print()
    device = cuda.to_device(arrays[0])
    print(device.copy_to_host(arrays[1])[:2])
with cuda.defer_cleanup():
    del a, arrays
gc.collect()
managed = [cuda.managed_array(4), cuda.managed_array(4)]
for end in (cuda.get_current_device().reset, cuda.close):
    try:
        end()
    except ValueError as error:
        print(error)
managed[0][:] = 3
store[1, 1](managed[0])
cuda.synchronize()
print(managed[0])
managed.clear()
cuda.get_current_device().reset()
cuda.close()
"""
    sums = ["600003.0 600003.0 ", "[5. 2.]"]
    refused = [
        f"{doing} the context of device 0 would free 2 managed arrays in use: delete them first"
        for doing in ("resetting", "closing")
    ]
    assert run(program).splitlines() == [*sums, *sums, *refused, "[5. 3. 3. 3.]"]


@pytest.mark.parametrize("count", ["x", "0", "17", "2x"])
def test_bad_numbers_of_emulated_devices(run, count):
    program = "from pyarray import cuda\ntry: cuda.to_device([1.0])\nexcept ValueError as error: print(error)"
    shown = run(program, PYARRAY_CUDA="cpu", PYARRAY_CUDA_EMULATED_DEVICES=count)
    assert shown == f"PYARRAY_CUDA_EMULATED_DEVICES is '{count}': it is a number from 1 to 16, or unset\n"


def test_peers_are_contexts_devices_and_numbers(run):
    program = """
from pyarray import cuda
context = cuda.current_context()
for peer in (1, cuda.gpus[1], cuda.gpus[1].get_primary_context(), 5, "a"):
    try:
        print(context.can_access_peer(peer))
    except (TypeError, ValueError) as error:
        print(error)
"""
    shown = run(program, PYARRAY_CUDA="cpu", PYARRAY_CUDA_EMULATED_DEVICES="2").splitlines()
    assert shown[:4] == ["True"] * 3 + ["there is no device 5: devices are 0 to 1"] and "is an int, not str" in shown[4]


@pytest.mark.parametrize("number", [-1, 2**31, 2**40, -(2**40)])
def test_numbers_of_no_device(number):
    with pytest.raises(ValueError, match=f"there is no device {number}"):
        cuda.select_device(number)


def test_devices_of_threads_are_their_own():
    seen = []

    def run():
        seen.append(cuda.get_current_device().id)
        with cuda.gpus[0]:
            seen.append(cuda.get_current_device().id)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert seen == [0, 0]


# ------------------------------------------------------------------------------------------------
# Streams and events


def test_streams():
    stream = cuda.stream()
    assert stream.address and stream.handle.value == stream.address == int(stream)
    assert stream.__cuda_stream__() == (0, stream.address) and not stream.external
    assert stream.query() is True
    stream.synchronize()
    with stream.auto_synchronize() as inside:
        assert inside is stream
    assert [
        make().address for make in (cuda.default_stream, cuda.legacy_default_stream, cuda.per_thread_default_stream)
    ] == [0, 1, 2]
    assert "efault" in repr(cuda.default_stream()) and hex(stream.address) in repr(stream)


def test_external_streams():
    stream = cuda.stream()
    external = cuda.external_stream(stream.address)
    assert external.external and external.address == stream.address
    d = cuda.to_device(np.arange(3.0), stream=external)
    assert d.copy_to_host().tolist() == [0, 1, 2]

    class Other:
        def __cuda_stream__(self):
            return 0, stream.address

    assert cuda.external_stream(Other()).address == stream.address
    assert cuda.to_device(np.ones(2), stream=Other()).copy_to_host().tolist() == [1, 1]
    with pytest.raises(TypeError, match="a stream is"):
        cuda.to_device(np.ones(2), stream="no")


def test_callbacks():
    stream, done, seen = cuda.stream(), threading.Event(), []

    def callback(stream, status, argument):
        seen.append((stream, status, argument))
        done.set()

    stream.add_callback(callback, "argument")
    stream.synchronize()
    assert done.wait(10) and seen == [(stream, 0, "argument")]
    with pytest.raises(TypeError, match="cannot be called"):
        stream.add_callback(3)


def test_async_done():
    async def wait():
        stream = cuda.stream()
        return await asyncio.wait_for(stream.async_done(), 10) is stream

    assert asyncio.run(wait())


def test_events():
    start, end, stream = cuda.event(), cuda.event(timing=True), cuda.stream()
    start.record(stream)
    end.record(stream=stream)
    end.synchronize()
    assert start.query() and cuda.event_elapsed_time(start, end) >= 0 and start.elapsed_time(end) >= 0
    end.wait(cuda.stream())
    end.wait()
    with pytest.raises(cuda.CudaAPIError):
        cuda.event_elapsed_time(cuda.event(timing=False), end)
    with pytest.raises(TypeError):
        start.elapsed_time(3)


def test_objects_of_a_context():
    context = cuda.current_context()
    stream, event = context.create_stream(), context.create_event()
    event.record(stream)
    event.synchronize()
    assert not context.can_access_peer(context)
    with context.defer_cleanup():
        pass


def test_a_handle_that_leads_nowhere_is_no_stream():
    with pytest.raises((ValueError, cuda.CudaAPIError), match="stream"):
        cuda.external_stream(0x1230).synchronize()
