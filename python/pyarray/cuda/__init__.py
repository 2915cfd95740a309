"""Kernels for NVIDIA's GPUs, under Numba's names; where there is no GPU the CPU runs them (docs/cuda.md).

What kernels use is here at once, everything else when it is first used.
"""

import os as _os

from .. import _look_up_later
from ._compile import (  # noqa: F401
    compile,
    compile_all,
    compile_for_current_device,
    compile_ptx,
    compile_ptx_for_current_device,
)
from ._device import *  # noqa: F403
from ._halves import *  # noqa: F403
from ._vectors import *  # noqa: F403

# Module of every other public name.
_HOME = {
    **dict.fromkeys(("jit", "CUDADispatcher"), "_decorators"),
    **dict.fromkeys(("reduce", "Reduce"), "_reduction"),
    "declare_device": "_declared",
    **dict.fromkeys("Archive CUSource Cubin Fatbin LTOIR LinkableCode Object PTXSource".split(), "_link"),
    "UFunc": "_ufuncs",
    **dict.fromkeys(("guvectorize", "vectorize"), "_vectorize"),
    "config": "core",
    **dict.fromkeys(
        "b1 bool_ boolean byte c16 c8 char complex128 complex64 double f2 f4 f8 float16 float32 float64 i1 i2 i4 i8 "
        "int16 int32 int64 int8 int_ intc intp long_ longlong none optional short size_t ssize_t u1 u2 u4 u8 uchar "
        "uint uint16 uint32 uint64 uint8 uintc uintp ulong ulonglong ushort void".split(),
        "types",
    ),
    "nvvm": "cudadrv",
    **dict.fromkeys(
        "DeviceNDArray to_device device_array device_array_like is_cuda_array as_cuda_array "
        "from_cuda_array_interface from_dlpack".split(),
        "_arrays",
    ),
    **dict.fromkeys(
        "MappedNDArray ManagedNDArray In Out InOut pinned_array pinned_array_like mapped_array mapped_array_like "
        "managed_array pinned mapped".split(),
        "_host_arrays",
    ),
    **dict.fromkeys(
        "Context Device Event MemoryInfo Stream close cuda_error current_context default_stream defer_cleanup detect "
        "event event_elapsed_time external_stream get_current_device gpus is_available is_bfloat16_supported "
        "is_float16_supported is_supported_version legacy_default_stream list_devices per_thread_default_stream "
        "profile_start profile_stop profiling require_context runtime select_device stream synchronize".split(),
        "_devices",
    ),
    **dict.fromkeys(
        "AutoFreePointer BaseCUDAMemoryManager GetIpcHandleMixin HostOnlyCUDAMemoryManager ManagedMemory MappedMemory "
        "MemoryPointer OwnedPointer PinnedMemory set_memory_manager".split(),
        "_memory_managers",
    ),
    **dict.fromkeys(("Graph", "graph"), "_graphs"),
    **dict.fromkeys(("IpcArrayHandle", "IpcHandle", "open_ipc_array"), "_ipc"),
    **dict.fromkeys(
        "CudaAPIError CudaDriverError CudaEmulationWarning CudaLoweringError CudaRuntimeError CudaSupportError "
        "ForeignFunctionError KernelRuntimeError LinkerError".split(),
        "_errors",
    ),
}
_MODULES = tuple(
    "api args cg compiler core cublas cudadrv cufft curand decorators dispatcher errors extending fp8 kernels "
    "libdevice np random testing types typing".split()
)
#: Whose CUDA this is, for programs that ask Numba.
implementation = "pyarray"

__getattr__, __dir__ = _look_up_later(globals(), _HOME, _MODULES, _HOME)

if _os.environ.get("PYARRAY_CUDA_MEMORY_MANAGER"):
    from ._memory_managers import use_named as _use_named

    _use_named(_os.environ["PYARRAY_CUDA_MEMORY_MANAGER"])
