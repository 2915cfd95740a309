"""Ufuncs and generalized ufuncs that run on a GPU: what ``vectorize`` and ``guvectorize`` make with ``target='cuda'``.

A kernel computes one point of the loop dimensions in each thread, over operands as they are: any strides, any of the
dtypes that convert to the function's. Here types and shapes are resolved as NumPy does, and host arrays copied.
"""

import numpy as np

from .. import _pyarray
from .._pyarray import cuda as _cuda
from .._ufunc_signatures import (
    Layout,
    core_signature_code,
    declared_output_count,
    plain_function,
    scalar_code,
    scalar_layout,
    writes_outputs,
)
from ..errors import UnsupportedError
from ._arrays import DeviceNDArray, _on_device, device_array
from ._decorators import _read_options
from ._ufunc_loops import _CODES, _WEAK, _adopted, _category, _fits, _fits_narrower, _Loop, _weak_kind

# Options of ufuncs for the CPU that mean nothing here.
_IGNORED = {"nopython", "forceobj", "looplift", "error_model", "parallel", "nogil", "accuracy"}


class UFunc:
    """A ufunc whose points are computed by the threads of a GPU.

    Called with host arrays it copies them to the device and its results back; with device arrays among the inputs,
    results are device arrays and nothing else is copied.

    Attributes
    ----------
    nin, nout, nargs : int
        Operands.
    signature : str or None
        Core dimensions of a generalized ufunc.
    types : list of str
        Its loops, as ``numpy.ufunc.types`` shows them.
    """

    def __init__(self, function, layout, codes, options, given, identity):
        self.py_func, self._layout, self._identity = function, layout, identity
        self._options, self.targetoptions = options, given
        self.__name__, self.__qualname__, self.__doc__ = function.__name__, function.__qualname__, function.__doc__
        self.__module__, self.__wrapped__ = function.__module__, function
        self.nin, self.nout = len(layout.inputs), len(layout.outputs)
        self.nargs = self.nin + self.nout
        self.signature_text = layout.text
        self.signature = layout.text if any(map(len, layout.operands)) else None
        self._ranks = bytes(map(len, layout.operands))
        self._resolved = {}
        self._reduction = None
        self._codes = codes
        self._is_declared = bool(codes)
        self._loops = [_Loop(self, code) for code in codes]
        for loop in self._loops:
            loop.compile(self._ranks)

    def __reduce__(self):
        from types import SimpleNamespace

        from .._pickle import _wrap
        from ..ufuncs import _importable, _is_importable

        function = self.py_func
        if _is_importable(self, SimpleNamespace(function=function)):
            return _importable, (function.__module__, function.__qualname__)
        text = None if self.signature is None else self.signature_text
        parts = (text, self._codes, self._options, self.targetoptions, self._identity, self.nout)
        return _rebuild, (_wrap(function), *parts)

    def __repr__(self):
        return f"<cuda ufunc '{self.__name__}'>"

    @property
    def identity(self):
        return None if self._identity == "reorderable" else self._identity

    @property
    def types(self):
        chars = ("".join(dtype.char for dtype in loop.dtypes) for loop in self._loops)
        return [f"{text[: self.nin]}->{text[self.nin :]}" for text in chars]

    @property
    def ntypes(self):
        return len(self._loops)

    def inspect_ptx(self, operands=None, loop=0, cc=None):
        """The PTX of a kernel; needs no GPU.

        Parameters
        ----------
        operands : str, optional
            Type code of the operands, inputs and outputs with all their loop dimensions: ``'f[C1f[A1f'`` is a number,
            a contiguous array and one of any stride. By default all are contiguous arrays.
        loop : int
            Which of ``types``.
        cc : tuple of int, optional
            Compute capability.
        """
        from ._compile import request_options

        options = request_options(
            cc=cc, **{name: self._options[name] for name in ("debug", "fastmath", "fma", "lineinfo", "opt")}
        )
        chosen = self._loops[loop]
        wanted = operands or chosen.contiguous(self._ranks)
        return _pyarray.compile_device(
            self.py_func, chosen.code, None, ufunc=self.signature_text, operands=wanted + ">", **options
        )["code"]

    # -- types

    def _loop_for(self, kinds, are_numbers):
        """The first loop to which all inputs convert safely; ``kinds``: dtypes, or types of Python's numbers."""
        loop = self._resolved.get((kinds, are_numbers))
        if loop is None:
            loop = self._find_loop(kinds, are_numbers) if self._is_declared else self._make_loop(kinds)
            self._resolved[kinds, are_numbers] = loop
        return loop

    def _find_loop(self, kinds, are_numbers):
        numbers = [_category(kind) for kind, number in zip(kinds, are_numbers, strict=True) if number]
        arrays = [_category(kind) for kind, number in zip(kinds, are_numbers, strict=True) if not number]
        # NumPy lets numbers adopt what arrays of their category or a higher one have; Numba lets them always.
        adopt = arrays and numbers and max(numbers) <= max(arrays)
        tries = [(_fits, kinds if adopt else tuple(map(np.dtype, kinds)))]
        tries += [
            (
                _fits,
                tuple(_weak_kind(kind) if number else kind for kind, number in zip(kinds, are_numbers, strict=True)),
            )
        ]
        if self.signature is not None:
            tries += [(_fits_narrower, tries[-1][1])]
        for fits, wanted in tries:
            for loop in self._loops:
                if all(map(fits, wanted, loop.dtypes)):
                    return loop
        raise TypeError(
            f"ufunc '{self.__name__}' not supported for the input types, and the inputs could not be safely coerced to "
            "any supported types according to the casting rule ''safe''"
        )

    def _make_loop(self, kinds):
        strong = [kind for kind in kinds if kind not in _WEAK]
        base = np.result_type(*strong) if strong else None
        dtypes = [_adopted(kind, base) for kind in kinds]
        for dtype in dtypes:
            if dtype not in _CODES:
                raise TypeError(f"ufunc '{self.__name__}' not supported for inputs of dtype {dtype}")
        codes = [_CODES[dtype] for dtype in dtypes]
        if self._writes:
            codes += [_CODES[np.result_type(*dtypes)]] * self.nout
        ranks = self._parameter_ranks
        wanted = "".join(f"[A{rank}{code}" if rank else code for rank, code in zip(ranks, codes, strict=True)) + ">"
        for loop in self._loops:
            if loop.code.startswith(wanted):
                return loop
        self._loops.append(_Loop(self, wanted))
        return self._loops[-1]

    @property
    def _writes(self):
        return self.signature is not None and writes_outputs(self.py_func, self._layout)

    @property
    def _parameter_ranks(self):
        ranks = list(self._ranks) if self._writes else list(self._ranks[: self.nin])
        return [max(1, rank) if i >= self.nin else rank for i, rank in enumerate(ranks)]

    # -- calls

    def __call__(self, *args, out=None, stream=0):
        """Compute.

        Parameters
        ----------
        *args : array_like or device array
            Inputs, then perhaps outputs. What is on the device, or offers ``__cuda_array_interface__``, stays there.
        out : array, device array, or tuple of these and None, optional
        stream : Stream, optional
            What is done is part of it. Host outputs are complete when this returns, unless their memory is pinned.

        Returns
        -------
        array, device array, scalar, or tuple of these
            Device arrays if any input is one. Of numbers alone an array of one element, as Numba has it.
        """
        inputs, outs = self._split(args, out)
        inputs = [_Operand(value, stream) for value in inputs]
        loop = self._loop_for(*zip(*((operand.kind, operand.is_number) for operand in inputs), strict=True))
        outs = [None if value is None else _Operand(value, stream) for value in outs]
        shape, cores = self._shape_of(inputs, outs)
        if not shape and self.signature is None and not any(outs):
            shape = (1,)
        on_device = any(operand.device is not None for operand in inputs)
        operands = [
            operand.input(dtype, rank, stream)
            for operand, dtype, rank in zip(inputs, loop.dtypes[: self.nin], self._ranks[: self.nin], strict=True)
        ]
        order = _order_of(operands, shape, self.signature)
        results = []
        for number in range(self.nout):
            core = tuple(cores[name] for name in self._layout.outputs[number])
            dtype = loop.dtypes[self.nin + number]
            if outs[number] is None:
                results.append(device_array(shape + core, dtype, order=order, stream=stream))
            else:
                results.append(self._given_output(outs[number], number, dtype, shape + core, stream))
        points = 1
        for extent in shape:
            points *= extent
        if points:
            views = _cuda.ufunc_views(shape, (*operands, *results), self._ranks)
            loop.dispatcher._launch_points(points, stream, views)
        answers = [
            _answer(given, result, on_device, dtype, stream)
            for given, result, dtype in zip(outs, results, loop.dtypes[self.nin :], strict=True)
        ]
        return answers[0] if self.nout == 1 else tuple(answers)

    def _split(self, args, out):
        if not self.nin <= len(args) <= self.nargs:
            at_most = "" if len(args) < self.nin else f" to {self.nargs}"
            raise TypeError(
                f"{self.__name__}() takes from {self.nin}{at_most or f' to {self.nargs}'} positional arguments but "
                f"{len(args)} were given"
            )
        outs = list(args[self.nin :])
        if out is not None:
            if outs:
                raise TypeError("cannot specify 'out' as both a positional and keyword argument")
            outs = list(out) if isinstance(out, tuple) else [out]
            if len(outs) != self.nout:
                raise ValueError("The 'out' tuple must have exactly one entry per ufunc output")
        for value in outs:
            if (
                value is not None
                and not isinstance(value, (np.ndarray, DeviceNDArray))
                and not hasattr(value, "__cuda_array_interface__")
            ):
                raise TypeError("return arrays must be of ArrayType")
        return args[: self.nin], outs + [None] * (self.nout - len(outs))

    def _given_output(self, given, number, dtype, shape, stream):
        if not np.can_cast(dtype, given.dtype, "same_kind") or (
            self._ranks[self.nin + number] and dtype != given.dtype
        ):
            rule = "no" if np.can_cast(dtype, given.dtype, "same_kind") else "same_kind"
            raise TypeError(
                f"Cannot cast ufunc '{self.__name__}' output from {dtype!r} to {given.dtype!r} with casting rule "
                f"'{rule}'"
            )
        if given.shape != shape:
            raise _not_broadcastable(given.shape, shape)
        if given.readonly:
            raise ValueError("output array is read-only")
        if given.device is not None:
            return given.device
        return device_array(shape, given.dtype if given.dtype in _CODES else dtype, stream=stream)

    # -- shapes

    def _shape_of(self, inputs, outs):
        """The loop's shape, and the sizes of core dimensions by name."""
        if self.signature is None:
            shapes = [operand.shape for operand in inputs]
            given = [operand.shape for operand in outs if operand is not None]
            return _broadcast(shapes, given), {}
        cores, shapes = {}, []
        for i, operand in enumerate((*inputs, *outs)):
            if operand is None:
                continue
            names = self._layout.operands[i]
            is_output = i >= self.nin
            where = f"{self.__name__}: {'Output' if is_output else 'Input'} operand {i - self.nin if is_output else i}"
            loop_rank = len(operand.shape) - len(names)
            if loop_rank < 0:
                raise ValueError(
                    f"{where} does not have enough dimensions (has {len(operand.shape)}, gufunc core with signature "
                    f"{self.signature} requires {len(names)})"
                )
            for axis, name in enumerate(names):
                size = operand.shape[loop_rank + axis]
                known = cores.setdefault(name, int(name) if name.isdigit() else size)
                if size != known:
                    raise ValueError(
                        f"{where} has a mismatch in its core dimension {axis}, with gufunc signature {self.signature} "
                        f"(size {size} is different from {known})"
                    )
            shapes.append(operand.shape[:loop_rank])
        for name in (name for names in self._layout.outputs for name in names if name.isdigit()):
            cores.setdefault(name, int(name))
        return _broadcast(shapes[: self.nin], shapes[self.nin :]), cores

    # -- reductions

    def reduce(self, array, stream=0):
        """Combine the elements of a one-dimensional array, of the host or a device.

        The ufunc has two inputs and one output of one type; its function must be associative and commutative. Returns
        a scalar.
        """
        if (self.nin, self.nout, self.signature) != (2, 1, None):
            raise ValueError("reduce only supported for binary functions")
        operand = _Operand(array, stream)
        if len(operand.shape) != 1:
            raise TypeError(f"reduce() takes a one-dimensional array, not one of {len(operand.shape)} dimensions")
        loop = self._loop_for((operand.kind, operand.kind), (False, False))
        if loop.dtypes[0] != loop.dtypes[2] or loop.dtypes[1] != loop.dtypes[2]:
            raise TypeError(f"reduce() needs a loop whose operands have one type, not {loop.code}")
        if operand.shape[0] == 0 and self.identity is None:
            raise ValueError(f"zero-size array to reduction operation {self.__name__} which has no identity")
        from ._reduction import Reduce

        if self._reduction is None:
            self._reduction = Reduce(self.py_func, _options=self._options)
        values = operand.device if operand.device is not None else operand.host
        values = values if values.dtype == loop.dtypes[0] else _converted(values, loop.dtypes[0], stream)
        if operand.shape[0] == 0:
            return loop.dtypes[2].type(self.identity)
        return self._reduction._reduce(values, None, None, 0, False, stream)


def _shown(shape):
    return f"({shape[0]},)" if len(shape) == 1 else "(" + ",".join(map(str, shape)) + ")"


def _not_broadcastable(given, shape):
    return ValueError(
        f"non-broadcastable output operand with shape {_shown(given)} doesn't match the broadcast shape {_shown(shape)}"
    )


def _broadcast(shapes, outputs):
    try:
        shape = np.broadcast_shapes(*shapes)
    except ValueError:
        # An iterator's message is that of ufuncs.
        try:
            np.nditer([np.broadcast_to(np.int8(0), shape) for shape in shapes], ["zerosize_ok"])
        except ValueError as error:
            raise ValueError(str(error)) from None
        raise
    for given in outputs:
        if given != shape:
            raise _not_broadcastable(given, shape)
    return shape


def _order_of(operands, shape, signature):
    """F where all inputs of the loop's rank are in that order, so that the loop has one dimension."""
    if len(shape) < 2 or signature is not None:
        return "C"
    layouts = {
        operand.layout for operand in operands if isinstance(operand, DeviceNDArray) and operand.ndim == len(shape)
    }
    return "F" if layouts == {"F"} else "C"


def _converted(values, dtype, stream):
    """A copy in another dtype; on the device if it is there."""
    if isinstance(values, np.ndarray):
        return values.astype(dtype)
    global _positive
    if _positive is None:
        _positive = vectorize((), {}, None, lambda x: x)
    copy = device_array(values.shape, dtype, stream=stream)
    return _positive(values, out=copy, stream=stream)


_positive = None


class _Operand:
    """An argument of a call.

    Attributes
    ----------
    device : DeviceNDArray or None
    host : ndarray, Python number or None
    kind : dtype, or int, float or complex for Python's numbers
    shape : tuple of int
    """

    __slots__ = ("device", "host", "kind", "shape", "dtype")

    def __init__(self, value, stream):
        self.device = _on_device(value, stream)
        self.host = None
        if self.device is not None:
            self.shape, self.kind = self.device.shape, self.device.dtype
        elif type(value) in _WEAK:
            self.host, self.shape, self.kind = value, (), type(value)
        else:
            self.host = np.asarray(value)
            self.shape, self.kind = self.host.shape, self.host.dtype
        self.dtype = self.kind

    @property
    def is_number(self):
        return self.device is None and not self.shape

    @property
    def readonly(self):
        return self.device.readonly if self.device is not None else not self.host.flags.writeable

    def input(self, dtype, rank, stream):
        """What a kernel is given: a device array or a number."""
        if self.device is not None:
            if rank and self.device.dtype != dtype:
                return _converted(self.device, dtype, stream)
            return self.device
        if not rank and (self.kind in _WEAK or self.host.size == 1):
            return dtype.type(self.host if self.kind in _WEAK else self.host.reshape(-1)[0])
        host = self.host
        if host.dtype not in _CODES or not host.dtype.isnative or (rank and host.dtype != dtype):
            host = host.astype(dtype)
        copy = device_array(
            host.shape,
            host.dtype,
            order="F" if host.flags.f_contiguous and not host.flags.c_contiguous else "C",
            stream=stream,
        )
        copy.copy_to_device(host, stream=stream)
        return copy


def _answer(given, result, on_device, dtype, stream):
    if given is None:
        return result if on_device else result.copy_to_host(stream=stream)[()]
    if given.device is not None:
        return given.device
    if given.host.dtype == result.dtype:
        return result.copy_to_host(given.host, stream=stream)
    given.host[...] = result.copy_to_host(stream=stream)
    return given.host


# ------------------------------------------------------------------------------------------------
# What the decorators call


def _rebuild(function, text, codes, options, given, identity, nout):
    layout = scalar_layout(function, function.__code__.co_argcount, nout) if text is None else Layout(text)
    return UFunc(function, layout, codes, options, given, identity)


def _options_of(given):
    return _read_options({name: value for name, value in given.items() if name not in _IGNORED})


def _check_layout(layout):
    if any(name.endswith("?") for names in layout.operands for name in names):
        raise UnsupportedError(f"'{layout.text}': core dimensions that may be missing are not supported on a GPU")


def vectorize(signatures, given, identity, function):
    """The ufunc of a function of scalars."""
    options = _options_of(given)
    function = plain_function(function)
    codes = tuple(scalar_code(function, signature) for signature in signatures)
    layout = scalar_layout(function, function.__code__.co_argcount, declared_output_count(function, codes))
    return UFunc(function, layout, codes, options, given, identity)


def guvectorize(signatures, text, given, identity, writable, function):
    """The generalized ufunc of a function of arrays."""
    options = _options_of(given)
    function = plain_function(function)
    layout = Layout(text)
    writes_outputs(function, layout)
    _check_layout(layout)
    if writable:
        raise UnsupportedError("writable_args: inputs that change are not supported on a GPU; make them outputs")
    codes = tuple(core_signature_code(function, layout, signature) for signature in signatures)
    return UFunc(function, layout, codes, options, given, identity)
