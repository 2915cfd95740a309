"""Ufuncs and generalized ufuncs that run on a GPU: what ``vectorize`` and ``guvectorize`` make with ``target='cuda'``.

A kernel computes one point of the loop dimensions in each thread, over operands as they are: any strides, any of the
dtypes that convert to the function's. Calls with device arrays alone are done in C (``python/ext/cuda/cuda_ufunc.c``);
here loops are found and compiled, host arrays copied, and rare keywords taken apart.
"""

from functools import partial

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
from . import _ufunc_folds as _folds
from ._arrays import DeviceNDArray, _on_device, _refuse_masked, device_array
from ._decorators import _read_options
from ._overlap import refuse_overlapping
from ._ufunc_axes import _UNSET, _CoreAxes
from ._ufunc_loops import _WEAK, _adopted, _category, _code, _fits, _fits_narrower, _Loop, _needs_copy, _weak_kind

# Options of ufuncs for the CPU that mean nothing here.
_IGNORED = {"nopython", "forceobj", "looplift", "error_model", "parallel", "nogil", "accuracy"}


class UFunc(_cuda.UFunc):
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
        super().__init__(function.__name__, layout.text, DeviceNDArray)
        self.py_func, self._layout, self._identity = function, layout, identity
        self._options, self.targetoptions = options, given
        self.__name__, self.__qualname__, self.__doc__ = function.__name__, function.__qualname__, function.__doc__
        self.__module__, self.__wrapped__ = function.__module__, function
        self.signature_text = layout.text
        self.signature = layout.text if any(map(len, layout.operands)) else None
        self._ranks = bytes(map(len, layout.operands))
        self._resolved, self._folds = {}, {}
        self._codes = codes
        self._is_declared = bool(codes)
        self._loops = [_Loop(self, code) for code in codes]
        for loop in self._loops:
            self._compile(loop, "linalg")

    def __reduce__(self):
        from .._pickle import _wrap
        from ..ufuncs import _importable, _is_importable

        function = self.py_func
        if _is_importable(self, function):
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
        return self._compile(self._loops[loop], None, operands, cc)

    def _compile(self, loop, level, operands=None, cc=None):
        """PTX of a loop, or its IR at a level: what fails before that fails here, and takes a tenth of the time."""
        from ._compile import request_options

        names = "debug", "fastmath", "fma", "lineinfo", "opt"
        options = request_options(cc=cc, **{name: self._options[name] for name in names})
        operands = (operands or loop.contiguous(self._ranks)) + ">"
        return _pyarray.compile_device(
            self.py_func, loop.code, level, ufunc=self.signature_text, operands=operands, **options
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
        units = " and units" if any(dtype.kind in "mM" for loop in self._loops for dtype in loop.dtypes) else ""
        raise TypeError(
            f"ufunc '{self.__name__}' not supported for the input types, and the inputs could not be safely coerced to "
            f"any supported types{units} according to the casting rule ''safe''"
        )

    def _make_loop(self, kinds):
        strong = [kind for kind in kinds if kind not in _WEAK]
        base = np.result_type(*strong) if strong and len(strong) < len(kinds) else None
        dtypes = [_adopted(kind, base) for kind in kinds]
        for dtype in dtypes:
            if _code(dtype) is None:
                raise TypeError(f"ufunc '{self.__name__}' not supported for inputs of dtype {dtype}")
        codes = [_code(dtype) for dtype in dtypes]
        if self._writes:
            codes += [_code(np.result_type(*dtypes))] * self.nout
        ranks = self._parameter_ranks
        wanted = "".join(f"[A{rank}{code}" if rank else code for rank, code in zip(ranks, codes, strict=True)) + ">"
        for loop in self._loops:
            if loop.code.startswith(wanted):
                return loop
        self._loops.append(_Loop(self, wanted))
        return self._loops[-1]

    @property
    def _writes(self):
        return writes_outputs(self.py_func, self._layout)

    @property
    def _parameter_ranks(self):
        ranks = list(self._ranks) if self._writes else list(self._ranks[: self.nin])
        return [max(1, rank) if i >= self.nin else rank for i, rank in enumerate(ranks)]

    # -- calls

    def _call(self, *args, out=None, where=True, axes=_UNSET, axis=_UNSET, keepdims=_UNSET, stream=0, **unknown):
        """Compute; what calling the ufunc does where C does not do it all.

        Parameters
        ----------
        *args : array_like or device array
            Inputs, then perhaps outputs. What is on the device, or offers ``__cuda_array_interface__``, stays there.
        out : array, device array, or tuple of these and None, optional
        where : array_like or device array of bool
            Points where it is false are not computed, and outputs keep what they have there.
        axes, axis, keepdims
            Of generalized ufuncs, as NumPy has them.
        stream : Stream, optional
            What is done is part of it. Host outputs are complete when this returns, unless their memory is pinned.

        Returns
        -------
        array, device array, scalar, or tuple of these
            Device arrays if any input is one. Of numbers alone an array of one element, as Numba has it.
        """
        axes = _CoreAxes.of(self, unknown, axes, axis, keepdims)
        inputs, outs = self._split(args, out)
        inputs = [_Operand(value, stream) for value in inputs]
        loop = self._loop_for(*zip(*((operand.kind, operand.is_number) for operand in inputs), strict=True))
        outs = [None if value is None else _Operand(value, stream) for value in outs]
        mask = None if where is True else _mask(where, stream)
        operands = [
            operand.input(dtype, rank, stream)
            for operand, dtype, rank in zip(inputs, loop.dtypes[: self.nin], self._ranks[: self.nin], strict=True)
        ]
        targets = [
            None if given is None else given.output(dtype, rank, mask is not None or self._writes, stream)
            for given, dtype, rank in zip(outs, loop.dtypes[self.nin :], self._ranks[self.nin :], strict=True)
        ]
        if axes is None:
            results = self._run(loop, (*operands, *targets), mask, stream)
        else:
            results = axes.run(loop, operands, targets, mask, stream)
        on_device = any(operand.device is not None for operand in inputs)
        answers = [
            _answer(given, result if target is None else target, on_device, stream)
            for given, target, result in zip(outs, targets, results, strict=True)
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
        _check_outputs(outs)
        return args[: self.nin], outs + [None] * (self.nout - len(outs))

    # -- methods

    def reduce(self, array, axis=0, dtype=None, out=None, keepdims=False, initial=_UNSET, where=True, stream=0):
        """Combine the elements along one axis, several, or all (``axis=None``).

        The ufunc has two inputs and one output of one type; its function must be associative and commutative.
        Parameters are those of ``numpy.ufunc.reduce``. Returns a device array for a device array, and a scalar, for
        which it waits, where no dimension is left and ``out`` is not given.
        """
        return _folds.reduce(self, array, axis, dtype, out, keepdims, initial, where, stream)

    def accumulate(self, array, axis=0, dtype=None, out=None, stream=0):
        """Combine each element along an axis with those before it; one thread for each line."""
        return _folds.accumulate(self, array, axis, dtype, out, stream)

    def reduceat(self, array, indices, axis=0, dtype=None, out=None, stream=0):
        """Combine the elements from each index up to the next one; one thread for each of these slices."""
        return _folds.reduceat(self, array, indices, axis, dtype, out, stream)

    def outer(self, *args, **kwargs):
        """Compute for all pairs of elements of two arrays."""
        return _folds.outer(self, args, kwargs)

    def at(self, array, indices, *values):
        """Not supported: raises NotImplementedError."""
        raise NotImplementedError(
            f"{self.__name__}.at is not supported on a GPU, where indices that occur several times need atomic "
            "operations: write a kernel with cuda.atomic, or use the ufunc for the CPU on host arrays"
        )


def _check_outputs(outs):
    for value in outs:
        known = value is None or isinstance(value, (np.ndarray, DeviceNDArray))
        if not known and not hasattr(value, "__cuda_array_interface__"):
            raise TypeError("return arrays must be of ArrayType")
        if isinstance(value, np.ndarray):
            refuse_overlapping(value, "the output array")


def _converted(values, dtype, stream):
    """A copy of a device array in another dtype."""
    return _convert(values, device_array(values.shape, dtype, stream=stream), stream)


def _convert(values, target, stream):
    """Store the elements of a device array in another one."""
    key = values.dtype, target.dtype
    if key not in _copies:
        kernel = UFunc(_store, Layout("()->()"), (), _options_of({}), {}, None)
        _copies[key] = kernel, _Loop(kernel, f"{_code(key[0])}[A1{_code(key[1])}>n")
    kernel, loop = _copies[key]
    return kernel._run(loop, (values, target), None, stream)[0]


def _store(value, target):
    target[0] = value


_copies = {}  # kernels and their loops, by the dtypes that they convert from and to


def _mask(where, stream):
    """``where`` as a device array of bool, or a bool."""
    operand = _Operand(where, stream)
    if operand.host is None:
        dtype = operand.dtype
    else:
        operand.host = np.asarray(operand.host)
        dtype = operand.host.dtype
    if where is not None and type(where) not in _WEAK and not np.can_cast(dtype, np.bool_, "safe"):
        raise TypeError(f"Cannot cast array data from {dtype!r} to dtype('bool') according to the rule 'safe'")
    return operand.device if operand.host is None else _to_device(operand.host.astype(bool), stream)


def _to_device(host, stream):
    """A device array, or, of no dimensions, a number."""
    if not host.ndim:
        return host[()]
    order = "F" if host.flags.f_contiguous and not host.flags.c_contiguous else "C"
    copy = device_array(host.shape, host.dtype, order=order, stream=stream)
    copy.copy_to_device(host, stream=stream)
    return copy


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
            _refuse_masked(value)
            self.host = np.asarray(value)
            self.shape, self.kind = self.host.shape, self.host.dtype
        self.dtype = self.kind

    @property
    def is_number(self):
        return self.device is None and not self.shape

    def input(self, dtype, rank, stream):
        """What a kernel is given: a device array, or, without core dimensions, a number."""
        if self.device is not None:
            copies = _needs_copy(self.device.dtype, dtype, rank)
            return _converted(self.device, dtype, stream) if copies else self.device
        if not rank and self.kind in _WEAK:
            return self.host
        host = np.asarray(self.host)
        if not rank and not host.ndim:
            return host.astype(dtype)[()]
        if _code(host.dtype) is None or _needs_copy(host.dtype, dtype, rank):
            host = host.astype(dtype)
        if not host.ndim and rank:
            return _to_device(host.reshape(1), stream).reshape(())
        return _to_device(host, stream)

    def output(self, dtype, rank, keeps, stream):
        """The device array that a kernel writes to: this one, or one whose elements :func:`_answer` takes over.

        With ``keeps`` it has this one's elements.
        """
        converts = _needs_copy(self.dtype, dtype, rank) and np.can_cast(dtype, self.dtype, "same_kind")
        if self.device is not None and (self.dtype == dtype or not converts):
            return self.device
        if self.device is None and not self.host.flags.writeable:
            raise ValueError("output array is read-only")
        target = device_array(self.shape, dtype if converts or _code(self.dtype) is None else self.dtype, stream=stream)
        if keeps and self.device is not None:
            _convert(self.device, target, stream)
        elif keeps:
            target.copy_to_device(self.host.astype(target.dtype, copy=False), stream=stream)
        return target


def _answer(given, result, on_device, stream):
    if given is None:
        return result if on_device else result.copy_to_host(stream=stream)[()]
    if given.device is not None:
        return given.device if result is given.device else _convert(result, given.device, stream)
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


def vectorize(signatures, given, identity, function):
    """What makes the ufunc of a function of scalars, and the function, its layout and type codes."""
    options = _options_of(given)
    function = plain_function(function)
    codes = tuple(scalar_code(function, signature) for signature in signatures)
    layout = scalar_layout(function, function.__code__.co_argcount, declared_output_count(function, codes))
    return partial(UFunc, function, layout, codes, options, given, identity), function, layout, codes


def guvectorize(signatures, text, given, identity, writable, function):
    """The same of a generalized ufunc of a function of arrays."""
    options = _options_of(given)
    function = plain_function(function)
    layout = Layout(text)
    if not layout.outputs:
        raise ValueError(f"'{text}' has no outputs; on a GPU a generalized ufunc has one, as in '(n),(n)->(n)'")
    writes_outputs(function, layout)
    if writable:
        raise UnsupportedError("writable_args: inputs that change are not supported on a GPU; make them outputs")
    codes = tuple(core_signature_code(function, layout, signature) for signature in signatures)
    return partial(UFunc, function, layout, codes, options, given, identity), function, layout, codes
