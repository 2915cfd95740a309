"""Methods of a GPU's ufuncs that combine elements: kernels of generalized ufuncs; a thread takes a line."""

import itertools
import math
import operator

import numpy as np

from .._ufunc_signatures import Layout
from ._arrays import device_array
from ._decorators import CUDADispatcher
from ._decorators import jit as _jit
from ._reduction import Reduce
from ._ufunc_axes import _UNSET, _inserted, _moved, _normalized, _view
from ._ufunc_loops import _code, _Loop

# A line of so many elements, or more, is split where there are fewer lines than a GPU has threads.
_LONG_LINE = 1024
_MANY_LINES = 1 << 16

# ------------------------------------------------------------------------------------------------
# Kernels


@_jit(device=True)
def _same(value):
    return value


def _fold(operation, kind):
    def fold(values, result):
        total = values[0]
        for i in range(1, values.shape[0]):
            total = kind(operation(total, values[i]))
        result[0] = total

    return fold


def _fold_from(operation, kind):
    def fold_from(values, initial, result):
        total = initial
        for i in range(values.shape[0]):
            total = kind(operation(total, values[i]))
        result[0] = total

    return fold_from


def _fold_masked(operation, kind):
    def fold_masked(values, mask, result, found):
        there = False
        total = values[0]
        for i in range(values.shape[0]):
            if mask[i]:
                total = kind(operation(total, values[i])) if there else values[i]
                there = True
        result[0] = total
        found[0] = there

    return fold_masked


def _fold_masked_from(operation, kind):
    def fold_masked_from(values, mask, initial, result):
        total = initial
        for i in range(values.shape[0]):
            if mask[i]:
                total = kind(operation(total, values[i]))
        result[0] = total

    return fold_masked_from


def _scan(operation, kind):
    def scan(values, result):
        if values.shape[0] > 0:
            total = values[0]
            result[0] = total
            for i in range(1, values.shape[0]):
                total = kind(operation(total, values[i]))
                result[i] = total

    return scan


def _fold_slice(operation, kind):
    def fold_slice(values, start, stop, result):
        total = values[start]
        for i in range(start + 1, stop):
            total = kind(operation(total, values[i]))
        result[0] = total

    return fold_slice


# Signature and parameters of each; "v": the ufunc's type.
_KERNELS = {
    _fold: ("(n)->()", ("[A1v", "[A1v")),
    _fold_from: ("(n),()->()", ("[A1v", "v", "[A1v")),
    _fold_masked: ("(n),(n)->(),()", ("[A1v", "[A1?", "[A1v", "[A1?")),
    _fold_masked_from: ("(n),(n),()->()", ("[A1v", "[A1?", "v", "[A1v")),
    _scan: ("(n)->(n)", ("[A1v", "[A1v")),
    _fold_slice: ("(n),(),()->()", ("[A1v", "q", "q", "[A1v")),
}


class _Folds:
    """The kernels of a ufunc for one dtype, made when they are first used."""

    def __init__(self, ufunc, dtype):
        self._ufunc, self.dtype = ufunc, dtype
        options = {**ufunc._options, "device": True}
        self._operation = CUDADispatcher(ufunc.py_func, options, {})
        self._kind = _same if dtype.kind in "mM" else dtype.type
        self._made = {}

    def run(self, make, operands, stream):
        """The outputs of one of the kernels."""
        if make not in self._made:
            text, parameters = _KERNELS[make]
            function = make(self._operation, self._kind)
            kernel = type(self._ufunc)(function, Layout(text), (), self._ufunc._options, {}, None)
            code = "".join(parameters).replace("v", _code(self.dtype)) + ">n"
            self._made[make] = kernel, _Loop(kernel, code)
        kernel, loop = self._made[make]
        return kernel._run(loop, operands, None, stream)

    def all(self, values, stream):
        """All elements of an array of one dimension, as a scalar."""
        if Reduce not in self._made:
            self._made[Reduce] = Reduce(self._ufunc.py_func, _options=self._ufunc._options)
        return self._made[Reduce]._reduce(values, None, None, 0, False, stream)

    def last_axis(self, values, mask, initial, stream, target=None):
        """Fold the last axis; ``initial`` None: there is an element at least."""
        while not values.shape[-1] == 0:
            parts = _parts_of(values.shape)
            if not parts:
                break
            values, mask = self._partial(values, mask, parts, stream)
        if mask is not None:
            return self.run(_fold_masked_from, (values, mask, initial, target), stream)[0]
        if initial is None:
            return self.run(_fold, (values, target), stream)[0]
        return self.run(_fold_from, (values, initial, target), stream)[0]

    def _partial(self, values, mask, parts, stream):
        """``parts`` partial results along the last axis, of elements as many apart: threads read neighbours."""
        length = values.shape[-1] // parts
        shape = (*values.shape[:-1], parts + bool(values.shape[-1] % parts))
        results = device_array(shape, self.dtype, stream=stream)
        found = None if mask is None else device_array(shape, np.bool_, stream=stream)
        pieces = [
            (slice(0, parts), _split(values, parts, length), mask if mask is None else _split(mask, parts, length))
        ]
        if values.shape[-1] % parts:
            rest = (..., None, slice(parts * length, None))
            pieces += [(slice(parts, None), _sliced(values, rest), mask if mask is None else _sliced(mask, rest))]
        for place, piece, piece_mask in pieces:
            target = _sliced(results, (..., place))
            if mask is None:
                self.run(_fold, (piece, target), stream)
            else:
                self.run(_fold_masked, (piece, piece_mask, target, _sliced(found, (..., place))), stream)
        return results, found


def _sliced(array, item):
    return _view(array, lambda shadow: shadow[item])


def _parts_of(shape):
    """Into how many parts lines are split; 0: they are not."""
    lines = 1
    for extent in shape[:-1]:
        lines *= extent
    if shape[-1] < _LONG_LINE or not 0 < lines < _MANY_LINES:
        return 0
    return min(_MANY_LINES // lines, shape[-1] // 32) if _MANY_LINES // lines > 1 else 0


def _split(array, parts, length):
    """A view ``(..., parts, length)`` of elements ``parts`` apart."""

    def view(shadow):
        step = shadow.strides[-1]
        shape, strides = (*shadow.shape[:-1], parts, length), (*shadow.strides[:-1], step, step * parts)
        return np.lib.stride_tricks.as_strided(shadow, shape, strides, writeable=False)

    return _view(array, view)


def _joined(array, count):
    """The last ``count`` axes as one, or None where that would need a copy."""
    shadow = array._shadow()
    kept = shadow.ndim - count
    axes = [axis for axis in zip(shadow.shape[kept:], shadow.strides[kept:]) if axis[0] != 1]
    if shadow.size and any(step != extent * inner for (_, step), (extent, inner) in itertools.pairwise(axes)):
        return None
    shape = (*shadow.shape[:kept], math.prod(shadow.shape[kept:]))
    strides = (*shadow.strides[:kept], axes[-1][1] if axes else shadow.itemsize)
    # NumPy's own reshape would try a copy, of memory that only the device can read.
    return array._from_shadow(np.lib.stride_tricks.as_strided(shadow, shape, strides, writeable=shadow.flags.writeable))


# ------------------------------------------------------------------------------------------------
# Arguments


def _check(ufunc, method):
    if ufunc.signature is not None:
        raise RuntimeError("Reduction not defined on ufunc with signature")
    if ufunc.nin != 2:
        raise ValueError(f"{method} only supported for binary functions")
    if ufunc.nout != 1:
        raise ValueError(f"{method} only supported for functions returning a single value")


class _Call:
    """What every method does with its array, its dtype and its output."""

    def __init__(self, ufunc, method, array, dtype, out, stream):
        from ._ufuncs import _Operand

        _check(ufunc, method)
        self.ufunc, self.stream = ufunc, stream
        self._operand = _Operand(array, stream)
        kind = np.dtype(self._operand.kind) if dtype is None else np.dtype(dtype)
        loop = ufunc._loop_for((kind, kind), (False, False))
        if len(set(loop.dtypes)) > 1:
            raise TypeError(f"{method}() needs a loop whose operands have one type, not {loop.code}")
        if not np.can_cast(self._operand.dtype, loop.dtypes[0], "same_kind"):
            raise TypeError(
                f"Cannot cast ufunc '{ufunc.__name__}' input 1 from {np.dtype(self._operand.dtype)!r} to "
                f"{loop.dtypes[0]!r} with casting rule 'same_kind'"
            )
        self.dtype = loop.dtypes[0]
        self.out = self._read_out(out)
        if self.dtype not in ufunc._folds:
            ufunc._folds[self.dtype] = _Folds(ufunc, self.dtype)
        self.folds = ufunc._folds[self.dtype]

    def _read_out(self, out):
        from ._ufuncs import _check_outputs, _Operand

        if isinstance(out, tuple):
            if len(out) != 1:
                raise ValueError("The 'out' tuple must have exactly one entry per ufunc output")
            out = out[0]
        _check_outputs((out,))
        return None if out is None else _Operand(out, self.stream)

    @property
    def shape(self):
        return self._operand.shape

    def values(self):
        """The array on the device, in the dtype of the loop."""
        return self._operand.input(self.dtype, 1, self.stream)

    def answer(self, result):
        """The result to the user: ``result`` is a device array, or a scalar."""
        from ._ufuncs import _answer, _convert, _to_device

        if self.out is None:
            if isinstance(result, np.generic):
                return result
            return _answer(None, result, self._operand.device is not None and result.ndim > 0, self.stream)
        if isinstance(result, np.generic):
            result = _to_device(np.asarray(result).reshape(1), self.stream).reshape(())
        if self.out.shape != result.shape:
            raise ValueError(
                f"non-broadcastable output operand with shape {_shown(self.out.shape)} doesn't match the broadcast "
                f"shape {_shown(result.shape)}"
            )
        target = self.out.output(self.dtype, 0, False, self.stream)
        return _answer(self.out, _convert(result, target, self.stream), True, self.stream)

    def one_axis(self, axis, method):
        rank = len(self.shape)
        axes = range(rank) if axis is None else axis if isinstance(axis, tuple) else (axis,)
        if len(axes) != 1:
            raise (
                ValueError(f"{method} does not allow multiple axes")
                if rank
                else TypeError(f"cannot {method} on a scalar")
            )
        if not rank:
            raise TypeError(f"cannot {method} on a scalar")
        return _normalized(operator.index(axes[0]), rank)


def _axes_to_reduce(call, axis):
    rank = len(call.shape)
    if axis is None:
        return tuple(range(rank))
    given = axis if isinstance(axis, tuple) else (axis,)
    if not rank and not isinstance(axis, tuple) and operator.index(axis) in (0, -1):
        return ()
    axes = tuple(_normalized(operator.index(one), rank) for one in given)
    if len(set(axes)) < len(axes):
        raise ValueError("duplicate value in 'axis'")
    return axes


def _initial(call, initial, axes, where):
    """What elements are combined with, or None."""
    ufunc, name = call.ufunc, call.ufunc.__name__
    if len(axes) > 1 and ufunc._identity is None:
        raise ValueError(f"reduction operation '{name}' is not reorderable, so at most one axis may be specified")
    is_empty = any(call.shape[axis] == 0 for axis in axes)
    kept = [extent for axis, extent in enumerate(call.shape) if axis not in axes]
    if initial is _UNSET and (is_empty or where is not True):
        initial = ufunc.identity
    if initial is None or initial is _UNSET:
        if where is not True:
            raise ValueError(
                f"reduction operation '{name}' does not have an identity, so to use a where mask one has to specify "
                "'initial'"
            )
        if is_empty and 0 not in kept:
            raise ValueError(f"zero-size array to reduction operation {name} which has no identity")
        return None
    return np.asarray(initial).astype(call.dtype)[()]


# ------------------------------------------------------------------------------------------------
# Methods


def _where_like(call, where, axes):
    """The mask with the axes that are reduced last, on the device."""
    from ._ufuncs import _mask

    mask = _mask(where, call.stream)
    if not hasattr(mask, "_shadow"):
        mask = device_array(1, np.bool_, stream=call.stream).reshape(()) if mask is None else _of_number(call, mask)
    try:
        return _moved(_view(mask, lambda shadow: np.broadcast_to(shadow, call.shape)), axes)
    except ValueError:
        raise ValueError(
            "operands could not be broadcast together with remapped shapes [original->remapped]: "
            f"{_shown(call.shape)} {_shown(mask.shape)} "
        ) from None


def _of_number(call, mask):
    from ._ufuncs import _to_device

    return _to_device(np.full(1, bool(mask)), call.stream).reshape(())


def _shown(shape):
    return f"({shape[0]},)" if len(shape) == 1 else "(" + ",".join(map(str, shape)) + ")"


def _reduced(call, axes, initial, where):
    """The result, without the axes that are reduced."""
    folds, stream = call.folds, call.stream
    if not axes:
        values = _inserted(call.values(), (len(call.shape),))
        mask = None if where is True else _inserted(_where_like(call, where, ()), (len(call.shape),))
        return folds.last_axis(values, mask, initial, stream)
    values = _moved(call.values(), axes)
    mask = None if where is True else _where_like(call, where, axes)
    count = len(axes)
    joined = _joined(values, count)
    joined_mask = None if mask is None or joined is None else _joined(mask, count)
    if joined is None or (mask is not None and joined_mask is None):
        # One copy, so that the axes become one.
        values, mask = _compact(values, stream), None if mask is None else _compact(mask, stream)
        joined, joined_mask = _joined(values, count), None if mask is None else _joined(mask, count)
    if joined.ndim == 1 and mask is None and initial is None and joined.shape[0]:
        return folds.all(joined, stream)
    return folds.last_axis(joined, joined_mask, initial, stream)


def _compact(array, stream):
    from ._ufuncs import _convert

    return _convert(array, device_array(array.shape, array.dtype, stream=stream), stream)


def reduce(ufunc, array, axis, dtype, out, keepdims, initial, where, stream):
    call = _Call(ufunc, "reduce", array, dtype, out, stream)
    axes = _axes_to_reduce(call, axis)
    initial = _initial(call, initial, axes, where)
    result = _reduced(call, axes, initial, where)
    if keepdims and call.shape:
        if isinstance(result, np.generic):
            from ._ufuncs import _to_device

            result = _to_device(np.asarray(result).reshape(1), stream).reshape((1,) * len(call.shape))
        else:
            result = _inserted(result, axes)
    return call.answer(result)


def accumulate(ufunc, array, axis, dtype, out, stream):
    call = _Call(ufunc, "accumulate", array, dtype, out, stream)
    axis = call.one_axis(axis, "accumulate")
    lines = _moved(call.values(), (axis,))
    result = device_array(call.shape, call.dtype, stream=stream)
    call.folds.run(_scan, (lines, _moved(result, (axis,))), stream)
    return call.answer(result)


def reduceat(ufunc, array, indices, axis, dtype, out, stream):
    from ._ufuncs import _Operand, _to_device

    call = _Call(ufunc, "reduceat", array, dtype, out, stream)
    axis = call.one_axis(axis, "reduceat")
    count = call.shape[axis]
    given = _Operand(indices, stream)
    starts = np.asarray(given.host if given.device is None else given.device.copy_to_host(stream=stream)).astype(
        np.int64
    )
    if starts.ndim != 1:
        raise ValueError(f"indices have one dimension, not {starts.ndim}")
    for index in starts[(starts < 0) | (starts >= count)][:1]:
        raise IndexError(f"index {index} out-of-bounds in {ufunc.__name__}.reduceat [0, {count})")
    stops = np.maximum(np.append(starts[1:], count)[: len(starts)], starts + 1)
    lines = _sliced(_moved(call.values(), (axis,)), (..., None, slice(None)))
    shape = (*call.shape[:axis], len(starts), *call.shape[axis + 1 :])
    result = device_array(shape, call.dtype, stream=stream)
    operands = (lines, _to_device(starts, stream), _to_device(stops, stream), _moved(result, (axis,)))
    call.folds.run(_fold_slice, operands, stream)
    return call.answer(result)


def outer(ufunc, args, kwargs):
    from ._ufuncs import _Operand

    if ufunc.signature is not None:
        raise TypeError("method outer is not allowed in ufunc with non-trivial signature")
    if ufunc.nin != 2:
        raise ValueError("outer product only supported for binary functions")
    if len(args) != 2:
        raise TypeError("exactly two arguments expected")
    first, second = (_Operand(value, kwargs.get("stream", 0)) for value in args)
    rank = len(second.shape)
    added = tuple(range(len(first.shape), len(first.shape) + rank))
    if first.device is not None:
        left = _inserted(first.device, added)
    else:
        left = np.expand_dims(np.asarray(args[0]), added) if rank and not first.is_number else args[0]
    return ufunc(left, args[1], **kwargs)
