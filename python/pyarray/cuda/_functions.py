"""NumPy's functions and methods on device arrays: ``np.sort(a)``, ``a.sum(axis=0)``, ``a[mask]``.

A call becomes a function of ``njit(target="cuda")``: its arrays are parameters, what has to be known when it is
compiled (axes, dtypes, orders) is part of its text. Views need no code: NumPy makes them.
"""

import functools
import inspect
import itertools

import numpy as np

from .. import errors
from .._pyarray import cuda as _cuda
from . import _elementwise as _ew
from . import _products
from ._arrays import DeviceNDArray, _cuda_device, _strides_like, device_array
from ._deferred import Expression, defer, expression_of, run

# Parameters whose ints are part of the text; all other ints are arguments.
_KNOWN_EARLY = frozenset(
    "axis axes axis1 axis2 axisa axisb axisc keepdims ddof decimals k kind ndim deg n s norm offset ord "
    "indices_or_sections source destination start subscripts".split()
)
# What compiled functions need no telling.
_DROPPED = {"subok", "like", "casting"}
_WORDS = {None: "None", True: "True", False: "False", Ellipsis: "..."}


class _Unknown(Exception):
    """A value that has no place in the text of a function."""


def type_text(dtype):
    """How a compiled function names a dtype."""
    dtype = np.dtype(dtype)
    if dtype.kind not in "biufc":
        raise _Unknown(f"the dtype {dtype}")
    return "np.bool_" if dtype.kind == "b" else f"np.{dtype.name}"


class _Call:
    """The text of a call, and its operands.

    Parameters
    ----------
    all_early : bool
        All numbers are part of the text.
    """

    def __init__(self, all_early=False):
        self.operands, self.all_early = [], all_early

    def place(self, value):
        self.operands.append(value)
        return f"{{{len(self.operands) - 1}}}"

    def argument(self, name, value):
        """The text of an argument."""
        if isinstance(value, DeviceNDArray):
            return self.place(expression_of(_ew.operand(value)))
        if value is None or value is Ellipsis or isinstance(value, (bool, np.bool_)):
            return _WORDS[value if value is None or value is Ellipsis else bool(value)]
        if isinstance(value, (int, np.integer)):
            early = self.all_early or name in _KNOWN_EARLY
            return repr(int(value)) if early else self.place(value)
        if isinstance(value, (float, complex, np.generic)):
            return repr(value) if self.all_early and not isinstance(value, np.generic) else self.place(value)
        if isinstance(value, str):
            return repr(value).replace("{", "{{").replace("}", "}}")
        if isinstance(value, slice):
            parts = (self.argument("", part) for part in (value.start, value.stop, value.step))
            return f"slice({', '.join(parts)})"
        if isinstance(value, np.dtype) or (isinstance(value, type) and name == "dtype"):
            return type_text(value)
        if isinstance(value, type) and issubclass(value, np.generic):
            return type_text(value)
        return self._several(name, value)

    def _several(self, name, value):
        if isinstance(value, (list, tuple)) and not _is_nested_list(value):
            parts = [self.argument(name, part) for part in value]
            if isinstance(value, list) and not any(isinstance(part, DeviceNDArray) for part in value):
                return f"[{', '.join(parts)}]" if parts else "()"
            return f"({', '.join(parts)},)" if parts else "()"
        try:
            return self.place(_ew.operand(value))
        except _ew._NotHere as error:
            raise _Unknown(f"an argument of type {type(value).__name__}") from error

    def index(self, item):
        """The text between brackets."""
        parts = item if isinstance(item, tuple) else (item,)
        return ", ".join(map(self._index_part, parts)) or "()"

    def _index_part(self, part):
        if isinstance(part, slice):
            ends = ["" if end is None else self.place(int(end)) for end in (part.start, part.stop)]
            return ":".join(ends if part.step is None else [*ends, self.place(int(part.step))])
        if isinstance(part, (list, tuple, np.ndarray)):
            host = np.asarray(part)
            return self.place(_ew.operand(host.astype(np.intp) if not host.size else host))
        return self.argument("", part)


def _is_nested_list(value):
    return isinstance(value, list) and any(isinstance(part, (list, tuple)) for part in value)


_needs_words = set()  # functions that take their numbers in the text alone


def call(name, arguments, keywords, outs=None, extra=None, names=(), writes=None, result=None):
    """A function of NumPy, by the name that compiled functions have for it, on device arrays.

    Parameters
    ----------
    outs : tuple, optional
        Arrays that results are stored in.
    names : tuple of str
        Of the parameters of positional arguments.
    writes : DeviceNDArray, optional
        An argument that the function changes.
    result : callable, optional
        Makes an answer of the result.
    """
    keywords = {key: value for key, value in keywords.items() if key not in _DROPPED}
    short = name.removeprefix("np.")
    failure = None
    for all_early in (True,) if name in _needs_words else (False, True):
        made = _Call(all_early)
        try:
            parts = [made.argument(names[i] if i < len(names) else "", value) for i, value in enumerate(arguments)] + [
                f"{key}={made.argument(key, value)}" for key, value in keywords.items()
            ]
        except _Unknown as error:
            raise _ew.refused(f"{short} with {error}") from None
        device = _ew.device_of(_arrays_in((arguments, keywords, outs)))
        if device is None:
            raise _ew.refused(f"{short} without device arrays")
        text = f"{name}({', '.join(parts)})"
        try:
            if outs is not None and len(outs) == 1 and isinstance(outs[0], DeviceNDArray):
                return _into(outs[0], text, made.operands, device, extra)
            answer = run(f"return {text}", made.operands, device, extra, writes)
        except errors.PyArrayError as error:
            failure = error
            continue
        if all_early:
            _needs_words.add(name)
        answer = answer if result is None else result(answer)
        return answer if outs is None else _stored(answer, outs)
    raise _ew.refused(short, failure) from failure


def _into(out, text, operands, device, extra):
    """Store the result of a text in ``out``."""
    run(f"{{{len(operands)}}}[...] = {text}", [*operands, out], device, extra, writes=out)
    return out


def _stored(answer, outs):
    answers = answer if isinstance(answer, tuple) else (answer,)
    stored = []
    for value, out in zip(answers, outs, strict=True):
        if out is None:
            stored.append(value)
        elif isinstance(out, DeviceNDArray):
            out[...] = value
            stored.append(out)
        else:
            out[...] = value.copy_to_host() if isinstance(value, DeviceNDArray) else value
            stored.append(out)
    return tuple(stored) if isinstance(answer, tuple) else stored[0]


def _arrays_in(value):
    """The device arrays in tuples, lists and dicts."""
    if isinstance(value, DeviceNDArray):
        yield value
    elif isinstance(value, dict):
        for part in value.values():
            yield from _arrays_in(part)
    elif isinstance(value, (list, tuple)):
        for part in value:
            yield from _arrays_in(part)


# ------------------------------------------------------------------------------------------------
# Views and facts: by NumPy, without elements

_VIEWS = {
    np.squeeze, np.transpose, np.swapaxes, np.moveaxis, np.rollaxis, np.expand_dims, np.broadcast_to, np.flip,
    np.fliplr, np.flipud, np.diagonal, np.split, np.array_split, np.hsplit, np.vsplit, np.dsplit, np.atleast_1d,
    np.atleast_2d, np.atleast_3d, np.real, np.imag, np.rot90, np.broadcast_arrays,
}  # fmt: skip
_VIEWS |= {getattr(np, name) for name in ("permute_dims", "matrix_transpose", "unstack") if hasattr(np, name)}
_FACTS = {np.shape, np.ndim, np.size, np.iscomplexobj, np.isrealobj, np.result_type, np.can_cast, np.may_share_memory,
          np.shares_memory, np.min_scalar_type, np.common_type}  # fmt: skip
# What shows elements, and so has them copied to the host.
_SHOWN = {np.array_repr, np.array_str, np.array2string}


def _as_shadows(value):
    if isinstance(value, DeviceNDArray):
        return value._shadow()
    if isinstance(value, (list, tuple)):
        return type(value)(map(_as_shadows, value))
    return value


def _from_shadows(value, arrays):
    if isinstance(value, np.ndarray):
        if len(arrays) == 1:
            return arrays[0]._from_shadow(value, DeviceNDArray)
        base = next(array for array in arrays if np.may_share_memory(array._shadow(), value) or not value.size)
        return base._from_shadow(value, DeviceNDArray)
    return type(value)(_from_shadows(part, arrays) for part in value) if isinstance(value, (list, tuple)) else value


def _view(function, arguments, keywords):
    arrays = list(_arrays_in((arguments, keywords)))
    if function is np.imag and arrays[0].dtype.kind != "c":
        return np.zeros_like(arrays[0])
    made = function(*_as_shadows(arguments), **{key: _as_shadows(value) for key, value in keywords.items()})
    return _from_shadows(made, arrays)


# ------------------------------------------------------------------------------------------------
# What is more than a call of a compiled function


def _like(a, dtype, order, shape):
    dtype = a.dtype if dtype is None else np.dtype(dtype)
    if shape is not None:
        shape, strides = (shape if isinstance(shape, (tuple, list)) else (shape,)), None
    else:
        shape = a.shape
        strides = _strides_like(a) if order == "K" else None
        if strides is not None:
            strides = tuple(step // max(a.itemsize, 1) * dtype.itemsize for step in strides)
    if order == "A":
        order = "F" if a.flags.f_contiguous and not a.flags.c_contiguous else "C"
    with _cuda_device(a):
        return device_array(shape, dtype, strides, order if order in ("C", "F") else "C")


def _empty_like(prototype, dtype=None, order="K", subok=True, shape=None, *, device=None):
    return _like(prototype, dtype, order, shape)


def _filled_like(value):
    def make(a, dtype=None, order="K", subok=True, shape=None, *, device=None):
        made = _like(a, dtype, order, shape)
        made[...] = value
        return made

    return make


def _full_like(a, fill_value, dtype=None, order="K", subok=True, shape=None, *, device=None):
    made = _like(a, dtype, order, shape)
    made[...] = fill_value
    return made


def _copy(a, order="K", subok=False):
    made = _like(a, None, order, None)
    _cuda.array_copy(made, a, 0, False)
    return made


def _reshape(a, /, shape=None, order="C", *, newshape=None, copy=None):
    return a.reshape(newshape if shape is None else shape, order=order)


def _ravel(a, order="C"):
    return a.ravel(order)


def _copyto(dst, src, casting="same_kind", where=True):
    if not isinstance(dst, DeviceNDArray):
        dst[...] = src.copy_to_host() if where is True else np.where(np.asarray(where), src.copy_to_host(), dst)
        return
    source = _ew.operand(src)
    if not np.can_cast(getattr(source, "dtype", type(source)), dst.dtype, casting):
        raise TypeError(f"Cannot cast array data from {source.dtype!r} to {dst.dtype!r} according to the rule "
                        f"{casting!r}")  # fmt: skip
    if where is True:
        dst[...] = source
    else:
        values = (expression_of(dst), expression_of(source), expression_of(_ew.operand(where)))
        run("{0}[...] = np.where({2}, {1}, {0})", values, dst, writes=dst)


def _around(a, decimals=0, out=None):
    return call("np.round", (a,), {"decimals": decimals}, None if out is None else (out,))


_OWN = {
    np.empty_like: _empty_like,
    np.zeros_like: _filled_like(0),
    np.ones_like: _filled_like(1),
    np.full_like: _full_like,
    np.copy: _copy,
    np.reshape: _reshape,
    np.ravel: _ravel,
    np.copyto: _copyto,
    np.around: _around,
    np.round: _around,
}

# Whose result is a number where no axis is left: NumPy's scalar of a dtype, which NumPy tells of arrays of one element.
_FOLDS = {np.sum, np.prod, np.min, np.max, np.amin, np.amax, np.mean, np.std, np.var, np.any, np.all, np.argmin,
          np.argmax, np.ptp, np.median, np.nansum, np.nanprod, np.nanmin, np.nanmax, np.nanmean, np.nanstd, np.nanvar,
          np.trace, np.average, np.dot, np.vdot, np.inner, np.linalg.norm, np.linalg.det}  # fmt: skip


@functools.lru_cache(maxsize=1024)
def _scalar_dtype(function, dtypes, given):
    ones = [np.ones((1, 1) if function in (np.trace, np.linalg.det) else 1, dtype) for dtype in dtypes]
    return np.asarray(function(*ones, **({} if given is None else {"dtype": given}))).dtype


def _as_scalar(function, arguments, keywords, answer):
    if function not in _FOLDS or not isinstance(answer, (bool, int, float, complex)):
        return answer
    dtypes = tuple(value.dtype for value in arguments if isinstance(value, DeviceNDArray))
    given = keywords.get("dtype")
    try:
        return _scalar_dtype(function, dtypes, None if given is None else np.dtype(given)).type(answer)
    except (TypeError, ValueError):
        return answer


@functools.lru_cache(maxsize=1024)
def _name_of(function):
    """The name that compiled functions have for a function of NumPy, and its parameters."""
    found = None
    for prefix, module in (("np", np), ("np.linalg", np.linalg), ("np.fft", np.fft)):
        if getattr(module, getattr(function, "__name__", ""), None) is function:
            found = f"{prefix}.{function.__name__}"
            break
    try:
        known = inspect.signature(function).parameters.values()
        named = itertools.takewhile(lambda parameter: parameter.kind != parameter.VAR_POSITIONAL, known)
        parameters = tuple(parameter.name for parameter in named)
    except (TypeError, ValueError):
        parameters = ()
    return found, parameters


def _by_library(function, arguments, keywords):
    """What a library of CUDA's makes of it, or None."""
    if _products.is_transform(function):
        return _products.fourier(function.__name__, arguments, keywords)
    if function is np.dot and len(arguments) == 2 and not keywords:  # noqa: PLR2004
        first, second = arguments
        both = isinstance(first, DeviceNDArray) and isinstance(second, DeviceNDArray)
        return _products.product(first, second) if both and second.ndim <= 2 and first.ndim <= 2 else None  # noqa: PLR2004
    return None


def array_function(array, function, types, arguments, keywords):
    """What NumPy calls for its functions that are given device arrays."""
    if function in _VIEWS:
        return _view(function, arguments, keywords)
    if function in _FACTS:
        return function(*_as_shadows(arguments), **keywords)
    if function in _SHOWN:
        return function(*_on_host(arguments), **keywords)
    own = _OWN.get(function)
    if own is not None and isinstance(arguments[0] if arguments else array, DeviceNDArray):
        return own(*arguments, **keywords)
    made = _by_library(function, arguments, keywords)
    if made is not None:
        return made
    name, parameters = _name_of(function)
    if name is None:
        raise _ew.refused(f"{function.__module__}.{function.__name__}")
    keywords = dict(keywords)
    out = keywords.pop("out", None)
    if "out" in parameters[: len(arguments)]:
        place = parameters.index("out")
        out, arguments = arguments[place], (*arguments[:place], *_by_keyword(arguments, parameters, place, keywords))
    return call(
        name,
        arguments,
        keywords,
        None if out is None else out if isinstance(out, tuple) else (out,),
        names=parameters,
        writes=arguments[0] if function in _CHANGING else None,
        result=lambda answer: _as_scalar(function, arguments, keywords, answer),
    )


_CHANGING = {np.put, np.place, np.putmask, np.fill_diagonal, np.put_along_axis}


def _by_keyword(arguments, parameters, place, keywords):
    """What comes after ``out`` goes by keyword."""
    keywords.update(zip(parameters[place + 1 :], arguments[place + 1 :], strict=False))
    return ()


def _on_host(value):
    return tuple(part.copy_to_host() if isinstance(part, DeviceNDArray) else part for part in value)


# ------------------------------------------------------------------------------------------------
# Methods and subscripts

# Methods that are NumPy's functions of the same parameters.
_METHODS = (
    "sum prod min max mean std var any all argmin argmax cumsum cumprod round clip dot take repeat argsort "
    "searchsorted nonzero trace compress argpartition choose diagonal swapaxes"
).split()


def _method(name):
    function = getattr(np, name)

    def method(self, *arguments, **keywords):
        return array_function(self, function, (), (self, *arguments), keywords)

    return _ew._named(method, name, f"NumPy's ``{name}`` on the device: see ``numpy.ndarray.{name}``.")


def astype(self, dtype, order="K", casting="unsafe", subok=True, copy=True):
    """The elements in another dtype: an array on the device."""
    dtype = np.dtype(dtype)
    if not copy and dtype == self.dtype:
        return self
    if not np.can_cast(self.dtype, dtype, casting):
        raise TypeError(f"Cannot cast array data from {self.dtype!r} to {dtype!r} according to the rule {casting!r}")
    if order in ("C", "F"):
        made = _like(self, dtype, order, None)
        made[...] = self
        return made
    try:
        expression = Expression(f"{{0}}.astype({type_text(dtype)})", (expression_of(self),))
    except _Unknown as error:
        raise _ew.refused(f"astype to {error}") from None
    if self.shape and _ew.plain((self,)):
        return defer(DeviceNDArray, self.shape, dtype, self, expression)
    if not self.shape:
        with _cuda_device(self):
            return _ew.to_device(self.copy_to_host().astype(dtype))
    return run("return {0}", (expression,), self)


def copy(self, order="C"):
    """A copy on the device."""
    return _copy(self, order)


def flatten(self, order="C"):
    """A copy of the elements in one dimension."""
    order = "F" if order == "A" and self.layout == "F" else order
    return _copy(self, "C" if order in "AK" else order).reshape(-1, order="C" if order in "AK" else order)


def conj(self):
    """The complex conjugates; of other numbers the array itself."""
    return _ew.apply(np.conjugate, (self,)) if self.dtype.kind == "c" else self


def fill(self, value):
    """Set all elements."""
    self[...] = value


def sort(self, axis=-1, kind=None, order=None):
    """Sort in place."""
    self[...] = np.sort(self, axis=axis, kind=kind)


def item(self, *index):
    """One element as a number of Python's."""
    return self.copy_to_host().item(*index) if not index or self.size == 1 else self[index].item()


def tolist(self):
    """The elements as nested lists."""
    return self.copy_to_host().tolist()


def _number_of(kind):
    def method(self):
        if self.size != 1:
            name = "index" if kind is None else kind.__name__
            if kind is bool:
                raise ValueError(
                    "The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()"
                    if self.size
                    else "The truth value of an empty array is ambiguous"
                )
            raise TypeError(f"only arrays of one element have a value as {name}, not one of shape {self.shape}")
        value = self.copy_to_host()
        return value.__index__() if kind is None else kind(value)

    return method


def contains(self, value):
    return bool((self == value).any())


def select(self, index):
    """``self[index]`` where an index is an array."""
    made = _Call()
    text = f"return {made.place(expression_of(_ew.operand(self)))}[{made.index(index)}]"
    try:
        _ew.device_of(_arrays_in((self, index)))
        answer = run(text, made.operands, self)
    except (errors.PyArrayError, _Unknown) as error:
        raise _ew.refused("this subscript", error) from error
    return answer if isinstance(answer, DeviceNDArray) else self.dtype.type(answer)


def assign(self, index, value):
    """``self[index] = value`` by a kernel."""
    made = _Call()
    value = _ew.operand(value)
    if _ew.is_number(value):
        place = np.empty((), self.dtype)
        place[...] = value
        value = place[()]
    try:
        text = f"{made.place(self)}[{made.index(index)}] = {made.place(expression_of(value))}"
        _ew.device_of(_arrays_in((self, index, value)))
        run(text, made.operands, self, writes=self)
    except (errors.PyArrayError, _Unknown) as error:
        raise _ew.refused("this assignment", error) from error


def _install():
    for name in _METHODS:
        setattr(DeviceNDArray, name, _method(name))
    for method in (astype, copy, flatten, conj, fill, sort, item, tolist):
        setattr(DeviceNDArray, method.__name__, method)
    DeviceNDArray.conjugate = conj
    DeviceNDArray.__contains__ = contains
    DeviceNDArray.__bool__ = _number_of(bool)
    for kind in (int, float, complex):
        setattr(DeviceNDArray, f"__{kind.__name__}__", _number_of(kind))
    DeviceNDArray.__index__ = _number_of(None)
    DeviceNDArray.real = property(lambda self: np.real(self), doc="The real parts: a view.")
    DeviceNDArray.imag = property(lambda self: np.imag(self), doc="The imaginary parts: a view, or zeros.")
    DeviceNDArray.swapaxes = lambda self, axis1, axis2: np.swapaxes(self, axis1, axis2)
    DeviceNDArray.diagonal = lambda self, offset=0, axis1=0, axis2=1: np.diagonal(self, offset, axis1, axis2)
    for name, function in (("__divmod__", lambda a, b: np.divmod(a, b)), ("__rdivmod__", lambda a, b: np.divmod(b, a))):
        setattr(DeviceNDArray, name, function)
    DeviceNDArray.__matmul__ = lambda self, other: _product(self, other)
    DeviceNDArray.__rmatmul__ = lambda self, other: _product(other, self)
    DeviceNDArray.__imatmul__ = _multiply_in_place


def _product(first, second):
    return np.matmul(first, second)


def _multiply_in_place(self, other):
    self[...] = _product(self, other)
    return self


_install()
