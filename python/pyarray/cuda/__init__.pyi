# ruff: noqa
from collections.abc import Callable
from typing import Any, overload

class _Kernel:
    """A kernel, or a function of one: ``kernel[grid, block](...)``."""

    def __getitem__(self, configuration: Any, /) -> Callable[..., None]: ...
    def __call__(self, *arguments: Any) -> Any: ...
    def forall(self, ntasks: int, tpb: int = 0, stream: Any = 0, sharedmem: int = 0) -> Callable[..., None]: ...
    def __getattr__(self, name: str, /) -> Any: ...

@overload
def jit(function: Callable[..., Any], /, **options: Any) -> _Kernel: ...
@overload
def jit(signature: Any = None, /, **options: Any) -> Callable[[Callable[..., Any]], _Kernel]: ...

threadIdx: Any
blockIdx: Any
blockDim: Any
gridDim: Any
laneid: int
warpsize: int
shared: Any
local: Any
const: Any
atomic: Any
fp16: Any
bf16: Any
gpus: Any
implementation: str

def to_device(obj: Any, stream: Any = 0, copy: bool = True, to: Any = None) -> Any: ...
def grid(ndim: int, /) -> Any: ...
def gridsize(ndim: int, /) -> Any: ...
def syncthreads() -> None: ...
def synchronize() -> None: ...
def is_available() -> bool: ...
def __getattr__(name: str) -> Any: ...  # vectors, functions of half numbers

# From here on written by tools/write_stubs.py.
from . import api as api
from . import args as args
from . import cg as cg
from . import compiler as compiler
from . import core as core
from . import cublas as cublas
from . import cudadrv as cudadrv
from . import cufft as cufft
from . import curand as curand
from . import decorators as decorators
from . import dispatcher as dispatcher
from . import errors as errors
from . import extending as extending
from . import fp8 as fp8
from . import kernels as kernels
from . import libdevice as libdevice
from . import np as np
from . import random as random
from . import testing as testing
from . import types as types
from . import typing as typing
from ..errors import (
    LinkerError as LinkerError,
)
from ._arrays import (
    DeviceNDArray as DeviceNDArray,
    as_cuda_array as as_cuda_array,
    device_array as device_array,
    device_array_like as device_array_like,
    from_cuda_array_interface as from_cuda_array_interface,
    from_dlpack as from_dlpack,
    is_cuda_array as is_cuda_array,
)
from ._compile import (
    compile as compile,
    compile_ptx as compile_ptx,
)
from ._declared import (
    declare_device as declare_device,
)
from ._decorators import (
    CUDADispatcher as CUDADispatcher,
)
from ._device import (
    syncthreads_and as syncthreads_and,
    syncthreads_count as syncthreads_count,
    syncthreads_or as syncthreads_or,
    syncwarp as syncwarp,
    threadfence as threadfence,
)
from ._devices import (
    Context as Context,
    Device as Device,
    Event as Event,
    MemoryInfo as MemoryInfo,
    Stream as Stream,
    close as close,
    cuda_error as cuda_error,
    current_context as current_context,
    default_stream as default_stream,
    defer_cleanup as defer_cleanup,
    detect as detect,
    event as event,
    event_elapsed_time as event_elapsed_time,
    external_stream as external_stream,
    get_current_device as get_current_device,
    is_bfloat16_supported as is_bfloat16_supported,
    is_float16_supported as is_float16_supported,
    is_supported_version as is_supported_version,
    legacy_default_stream as legacy_default_stream,
    list_devices as list_devices,
    per_thread_default_stream as per_thread_default_stream,
    profile_start as profile_start,
    profile_stop as profile_stop,
    profiling as profiling,
    require_context as require_context,
    runtime as runtime,
    select_device as select_device,
    stream as stream,
)
from ._errors import (
    CudaAPIError as CudaAPIError,
    CudaDriverError as CudaDriverError,
    CudaEmulationWarning as CudaEmulationWarning,
    CudaLoweringError as CudaLoweringError,
    CudaRuntimeError as CudaRuntimeError,
    CudaSupportError as CudaSupportError,
    ForeignFunctionError as ForeignFunctionError,
    KernelRuntimeError as KernelRuntimeError,
)
from ._graphs import (
    Graph as Graph,
    graph as graph,
)
from ._host_arrays import (
    In as In,
    InOut as InOut,
    ManagedNDArray as ManagedNDArray,
    MappedNDArray as MappedNDArray,
    Out as Out,
    managed_array as managed_array,
    mapped as mapped,
    mapped_array as mapped_array,
    mapped_array_like as mapped_array_like,
    pinned as pinned,
    pinned_array as pinned_array,
    pinned_array_like as pinned_array_like,
)
from ._ipc import (
    IpcArrayHandle as IpcArrayHandle,
    IpcHandle as IpcHandle,
    open_ipc_array as open_ipc_array,
)
from ._link import (
    Archive as Archive,
    CUSource as CUSource,
    Cubin as Cubin,
    Fatbin as Fatbin,
    LTOIR as LTOIR,
    LinkableCode as LinkableCode,
    Object as Object,
    PTXSource as PTXSource,
)
from ._memory_managers import (
    AutoFreePointer as AutoFreePointer,
    BaseCUDAMemoryManager as BaseCUDAMemoryManager,
    GetIpcHandleMixin as GetIpcHandleMixin,
    HostOnlyCUDAMemoryManager as HostOnlyCUDAMemoryManager,
    ManagedMemory as ManagedMemory,
    MappedMemory as MappedMemory,
    MemoryPointer as MemoryPointer,
    OwnedPointer as OwnedPointer,
    PinnedMemory as PinnedMemory,
    set_memory_manager as set_memory_manager,
)
from ._reduction import (
    Reduce as Reduce,
    reduce as reduce,
)
from ._ufuncs import (
    UFunc as UFunc,
)
from ._vectorize import (
    guvectorize as guvectorize,
    vectorize as vectorize,
)
from .core import (
    config as config,
)
from .cudadrv import (
    nvvm as nvvm,
)
from .types import (
    b1 as b1,
    bool_ as bool_,
    boolean as boolean,
    byte as byte,
    c16 as c16,
    c8 as c8,
    char as char,
    complex128 as complex128,
    complex64 as complex64,
    double as double,
    f2 as f2,
    f4 as f4,
    f8 as f8,
    float16 as float16,
    float32 as float32,
    float64 as float64,
    i1 as i1,
    i2 as i2,
    i4 as i4,
    i8 as i8,
    int16 as int16,
    int32 as int32,
    int64 as int64,
    int8 as int8,
    int_ as int_,
    intc as intc,
    intp as intp,
    long_ as long_,
    longlong as longlong,
    none as none,
    optional as optional,
    short as short,
    size_t as size_t,
    ssize_t as ssize_t,
    u1 as u1,
    u2 as u2,
    u4 as u4,
    u8 as u8,
    uchar as uchar,
    uint as uint,
    uint16 as uint16,
    uint32 as uint32,
    uint64 as uint64,
    uint8 as uint8,
    uintc as uintc,
    uintp as uintp,
    ulong as ulong,
    ulonglong as ulonglong,
    ushort as ushort,
    void as void,
)
