"""``cuda.reduce``: reductions of one-dimensional arrays by a function of two arguments."""

import numpy as np

from ..decorators import _function_type
from ._arrays import DeviceNDArray, _on_device, _refuse_masked, device_array, to_device
from ._decorators import _DEFAULTS, CUDADispatcher
from ._decorators import jit as _jit
from ._device import blockIdx, gridDim, shared, shfl_down_sync, syncthreads, threadIdx
from ._devices import get_current_device
from ._values import whole

_BLOCK = 256
_WARP = 32
_WARPS = _BLOCK // _WARP
_BLOCKS_OF_MULTIPROCESSOR = 8
# What warp shuffles move.
_SHUFFLED = {np.dtype(name) for name in ("int32", "int64", "uint32", "uint64", "float32", "float64")}


def _combine_elements(operation, kind):
    """``value`` and the elements at ``index`` plus each multiple of ``step``; four are read at a time."""

    @_jit(device=True)
    def combine_rest(values, index, step, value):
        index += step
        while index + 3 * step < values.shape[0]:
            first = kind(operation(values[index], values[index + step]))
            second = kind(operation(values[index + 2 * step], values[index + 3 * step]))
            value = kind(operation(value, kind(operation(first, second))))
            index += 4 * step
        while index < values.shape[0]:
            value = kind(operation(value, values[index]))
            index += step
        return value

    return combine_rest


def _combine_by_shuffles(operation, kind):
    """The first ``count`` threads of a warp's values, in its first thread."""

    @_jit(device=True)
    def combine(value, lane, count):
        step = _WARP // 2
        while step > 0:
            other = shfl_down_sync(0xFFFFFFFF, value, step)
            if lane + step < count:
                value = kind(operation(value, other))
            step //= 2
        return value

    return combine


def _shuffling_kernel(operation, dtype, options):
    kind = dtype.type
    combine = _combine_by_shuffles(operation, kind)
    combine_rest = _combine_elements(operation, kind)

    def reduce(values, partials, init, has_init):
        of_warps = shared.array(_WARPS, dtype)
        thread = threadIdx.x
        first = blockIdx.x * np.int64(_BLOCK)
        count = min(np.int64(_BLOCK), values.shape[0] - first)
        index = first + thread
        value = init
        if thread < count:
            value = values[index]
            value = combine_rest(values, index, gridDim.x * np.int64(_BLOCK), value)
        lane = thread % _WARP
        warp = thread // _WARP
        value = combine(value, lane, count - warp * _WARP)
        if lane == 0:
            of_warps[warp] = value
        syncthreads()
        if warp == 0:
            if lane < _WARPS:
                value = of_warps[lane]
            value = combine(value, lane, (count + _WARP - 1) // _WARP)
            if lane == 0:
                if has_init:
                    value = kind(operation(init, value))
                partials[blockIdx.x] = value

    return CUDADispatcher(reduce, options, {})


def _sharing_kernel(operation, dtype, options):
    """For elements that shuffles do not move."""
    kind = dtype.type
    combine_rest = _combine_elements(operation, kind)

    def reduce(values, partials, init, has_init):
        of_threads = shared.array(_BLOCK, dtype)
        thread = threadIdx.x
        first = blockIdx.x * np.int64(_BLOCK)
        count = min(np.int64(_BLOCK), values.shape[0] - first)
        index = first + thread
        if thread < count:
            value = values[index]
            value = combine_rest(values, index, gridDim.x * np.int64(_BLOCK), value)
            of_threads[thread] = value
        step = _BLOCK // 2
        while step > 0:
            syncthreads()
            if thread < step and thread + step < count:
                of_threads[thread] = kind(operation(of_threads[thread], of_threads[thread + step]))
            step //= 2
        if thread == 0:
            value = of_threads[0]
            if has_init:
                value = kind(operation(init, value))
            partials[blockIdx.x] = value

    return CUDADispatcher(reduce, options, {})


class Reduce:
    """A reduction: ``total = Reduce(lambda a, b: a + b)``, ``total(array)``.

    Parameters
    ----------
    functor : function
        Of two elements; associative and commutative. Compiled for the dtype of each call.
    """

    def __init__(self, functor, _options=None):
        functor = getattr(functor, "py_func", functor)
        if type(functor) is not _function_type:
            raise TypeError(f"cuda.reduce takes a function of two arguments, not {functor!r}")
        self._functor = functor
        self._options = dict(_DEFAULTS if _options is None else _options)
        self._operation = CUDADispatcher(functor, {**self._options, "device": True}, {})
        self._kernels = {}

    def _kernel(self, dtype):
        if dtype not in self._kernels:
            make = _shuffling_kernel if dtype in _SHUFFLED else _sharing_kernel
            self._kernels[dtype] = make(self._operation, dtype, self._options)
        return self._kernels[dtype]

    def __call__(self, arr, size=None, res=None, init=0, stream=0):
        """Reduce ``arr``.

        Parameters
        ----------
        arr : array or device array
            One-dimensional. It is not changed.
        size : int, optional
            How many elements, from the first on; all by default.
        res : device array, optional
            Its first element takes the result; nothing is waited for then.
        init : number
            What the elements are combined with; converted to their dtype, which may round it and must not change it
            otherwise. Datetimes need one.
        stream : Stream, optional

        Returns
        -------
        scalar, or None if ``res`` is given
        """
        return self._reduce(arr, size, res, init, True, stream)

    def _reduce(self, arr, size, res, init, has_init, stream):
        _refuse_masked(arr)
        found = _on_device(arr, stream)
        arr = np.asarray(arr) if found is None else found
        if arr.ndim != 1:
            raise TypeError("only support 1D array")
        if size is not None:
            size = whole(size, "size")
            if size > arr.shape[0]:
                raise ValueError(f"size is {size}, of an array with {arr.shape[0]} elements")
            arr = arr[:size]
        dtype = arr.dtype
        init = _initial(init, dtype)
        out = device_array(1, dtype, stream=stream) if res is None else _result(res, dtype)
        if arr.shape[0] == 0:
            out[:1].copy_to_device(np.array([init]), stream=stream)
            return init if res is None else None
        arr = arr if isinstance(arr, DeviceNDArray) else to_device(arr, stream=stream)
        self._launch(arr, out, init, has_init, stream)
        return out.copy_to_host(stream=stream)[0] if res is None else None

    def _launch(self, arr, out, init, has_init, stream):
        kernel = self._kernel(arr.dtype)
        most = get_current_device().MULTIPROCESSOR_COUNT * _BLOCKS_OF_MULTIPROCESSOR
        blocks = min((arr.shape[0] + _BLOCK - 1) // _BLOCK, most)
        if blocks > 1:
            partials = device_array(blocks, arr.dtype, stream=stream)
            kernel[blocks, _BLOCK, stream](arr, partials, init, False)
            arr = partials
        kernel[1, _BLOCK, stream](arr, out, init, has_init)


def _initial(init, dtype):
    value = np.asarray(init)
    if value.ndim:
        raise TypeError(f"init is a number, not an array of shape {value.shape}")
    if dtype.kind == "M" and value.dtype.kind != "M":
        raise TypeError(f"a reduction of {dtype} begins with a datetime: pass init, such as the first element")
    fits = np.can_cast(value.dtype, dtype, "same_kind")
    if not fits and value.dtype.kind not in "biuf":
        raise TypeError(f"init is {init!r}, which is no {dtype}")
    with np.errstate(invalid="ignore"):
        converted = dtype.type(init) if type(init) is int and dtype.kind in "iu" else value.astype(dtype)[()]
    if not fits and converted != value:
        raise TypeError(f"init is {init!r}, which is no {dtype}")
    return converted


def _result(res, dtype):
    found = _on_device(res, 0)
    if found is None:
        raise TypeError("res is a device array")
    if found.ndim != 1 or found.shape[0] < 1 or found.dtype != dtype:
        raise TypeError(f"res is a one-dimensional device array of {dtype}, with an element at least")
    return found


#: As a decorator: ``@cuda.reduce``.
reduce = Reduce
