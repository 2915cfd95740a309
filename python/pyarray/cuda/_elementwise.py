"""Operators and NumPy's ufuncs on device arrays (``a + 1``, ``np.sin(a)``, ``a += b``, ``np.add.reduce(a)``).

What a ufunc does with each element by itself is deferred (`_deferred`), everything else is done at once. Shapes and
dtypes are NumPy's.
"""

import functools

import numpy as np

from .._pyarray import cuda as _cuda
from ._arrays import DeviceNDArray, _on_device, to_device
from ._deferred import Expression, defer, expression_of, redefine, run

_NUMBERS = (bool, int, float, complex)
_KINDS = "biufc"

# NumPy's ufuncs that give one array, element by element; what a compiled function writes for those it does not call.
ELEMENTWISE = {
    value: f"np.{name}"
    for name, value in vars(np).items()
    if isinstance(value, np.ufunc) and value.nout == 1 and value.signature is None
}
# Exponents that are part of the text, since powers by them are products and roots.
_EXPONENTS = (2, 3, 0.5)
_SQUARE = 2
_COMPARISONS = {np.equal, np.not_equal, np.less, np.less_equal, np.greater, np.greater_equal}


class _NotHere(TypeError):
    """An operand that is no array."""


def refused(what, error=None):
    """The exception that says that something cannot be done on the device."""
    reason = f": {str(error).splitlines()[0]}" if error is not None else ""
    return TypeError(
        f"{what} is not possible on the device{reason}\nhint: copy_to_host() gives NumPy's array, for which it is"
    )


def is_number(value):
    return isinstance(value, (*_NUMBERS, np.generic))


def operand(value):
    """A device array, or a number, that stands for one; `_NotHere` for what is neither. Host arrays are copied."""
    if isinstance(value, DeviceNDArray):
        return value if _cuda.takes_code(value) else aligned(value)
    if is_number(value):
        return value
    found = _on_device(value, 0)
    if found is not None:
        return found if _cuda.takes_code(found) else aligned(found)
    if not isinstance(value, (np.ndarray, list, tuple)):
        raise _NotHere(f"{type(value).__name__} is no array and no number")
    host = np.asarray(value)
    if host.dtype.hasobject:
        raise _NotHere("an array of Python objects")
    return to_device(host) if host.ndim else host[()]


def aligned(array):
    """A copy of an array whose elements do not lie where compiled code can read them: a field of packed records."""
    if array.dtype.kind not in _KINDS or not array.dtype.isnative:
        return array
    copy = empty_on(array.shape, array.dtype, array)
    _cuda.array_copy(copy, array, 0, False)
    return copy


def device_of(values):
    """The device array among operands that says which device; ValueError where there are several."""
    found = None
    for value in values:
        if isinstance(value, DeviceNDArray):
            if found is not None and value._ordinal != found._ordinal:
                raise ValueError(
                    f"the arrays are on devices {found._ordinal} and {value._ordinal}\n"
                    f"hint: within `with cuda.gpus[{found._ordinal}]:` cuda.to_device(array) copies it to that one"
                )
            found = found if found is not None else value
    return found


@functools.lru_cache(maxsize=4096)
def loop_of(ufunc, kinds):
    """The dtypes of a ufunc's loop, the result's last, for dtypes, and int, float and complex for Python's numbers."""
    if hasattr(ufunc, "resolve_dtypes"):
        return ufunc.resolve_dtypes(kinds)
    ones = [kind(1) if isinstance(kind, type) else np.ones(1, kind) for kind in kinds[:-1]]  # before NumPy 1.25
    common = np.result_type(*ones)
    return (*(common if isinstance(kind, type) else kind for kind in kinds[:-1]), np.asarray(ufunc(*ones)).dtype)


def _kind(value):
    if isinstance(value, (DeviceNDArray, np.generic)):
        return value.dtype
    return np.dtype(bool) if value is True or value is False else type(value)


def _number(ufunc, value, dtype):
    """A number as of the type of its operand; one of Python that does not fit is compared as it is."""
    if isinstance(value, np.generic):
        return value
    try:
        return dtype(value)
    except OverflowError:
        if ufunc in _COMPARISONS and -(2**63) <= value < 2**64:
            return np.int64(value) if value < 2**63 else np.uint64(value)
        raise


def _expression(ufunc, inputs, dtypes):
    """The expression of a ufunc on operands."""
    values = [
        _number(ufunc, value, dtype.type) if is_number(value) else expression_of(value)
        for value, dtype in zip(inputs, dtypes, strict=False)
    ]
    if (
        ufunc is np.power
        and type(inputs[1]) in (int, float)
        and inputs[1] in _EXPONENTS
        and inputs[0].dtype.kind != "b"
    ):
        return Expression(f"{{0}} ** {inputs[1]}", tuple(values[:1]))
    places = ", ".join(f"{{{i}}}" for i in range(len(values)))
    return Expression(f"{ELEMENTWISE[ufunc]}({places})", tuple(values))


def _shape(inputs):
    shapes = [value.shape for value in inputs if isinstance(value, DeviceNDArray)]
    first = shapes[0]
    return first if all(shape == first for shape in shapes) else np.broadcast_shapes(*shapes)


def plain(inputs):
    """Whether elements are numbers, and the arrays can be read later."""
    return all(_cuda.deferrable(value) for value in inputs if isinstance(value, DeviceNDArray))


def are_numbers(inputs):
    """Whether the elements of operands are numbers that compiled functions have."""
    return all(is_number(value) or value.dtype.kind in _KINDS for value in inputs)


def at_once(ufunc, inputs, outs=None):
    """A ufunc on times, and on what is not of the machine's byte order."""
    from ._functions import call

    return call(ELEMENTWISE[ufunc], inputs, {}, outs)


def apply(ufunc, inputs, out=None, dtype=None, where=True):
    """A ufunc of `ELEMENTWISE` on operands; ``out`` is a device array."""
    device = device_of(inputs if out is None else (*inputs, out))
    inputs = tuple(value if is_number(value) or _cuda.takes_code(value) else aligned(value) for value in inputs)
    kinds = tuple(map(_kind, inputs))
    if dtype is not None:
        dtypes = loop_of(ufunc, (*(np.dtype(dtype) for _ in kinds), None))
        inputs = tuple(
            value if is_number(value) or value.dtype == wanted else value.astype(wanted)
            for value, wanted in zip(inputs, dtypes, strict=False)
        )
    else:
        dtypes = loop_of(ufunc, (*kinds, None))
    expression = _expression(ufunc, inputs, dtypes)
    if out is None and where is True:
        shape = _shape(inputs)
        if shape and plain(inputs):
            return defer(DeviceNDArray, shape, dtypes[-1], device, expression)
        result = run("return {0}", (expression,), device)
        return result if isinstance(result, DeviceNDArray) else dtypes[-1].type(result)
    if out is None:
        out = empty_on(np.broadcast_shapes(_shape(inputs), np.shape(where)), dtypes[-1], device)
    return store(out, expression, dtypes[-1], ufunc.__name__, _shape((*inputs, out)), where)


def _word(dtype):
    return "bool_" if dtype.kind == "b" else dtype.name


def empty_on(shape, dtype, device):
    """A new array on the device of another one."""
    from ._arrays import _cuda_device, device_array

    with _cuda_device(device):
        return device_array(shape, dtype)


def store(out, value, dtype, name, shape=None, where=True):
    """``out[...] = value`` for an expression whose elements are of ``dtype``."""
    if out.readonly:
        raise ValueError("output array is read-only")
    if not np.can_cast(dtype, out.dtype, "same_kind"):
        raise TypeError(
            f"Cannot cast ufunc '{name}' output from {dtype!r} to {out.dtype!r} with casting rule 'same_kind'"
        )
    if shape is not None and shape != out.shape:
        raise ValueError(f"non-broadcastable output operand with shape {out.shape} doesn't match the broadcast "
                         f"shape {shape}")  # fmt: skip
    if not _cuda.takes_code(out):
        place = empty_on(out.shape, out.dtype, out)
        _cuda.array_copy(place, out, 0, False)
        out[...] = store(place, value, dtype, name, shape, where)
    elif where is not True:
        value = Expression("np.where({0}, {1}, {2})", (expression_of(operand(where)), value, out))
        run(f"{{0}}[...] = {{1}}.astype(np.{_word(out.dtype)})", (out, value), out, writes=out)
    elif _cuda.expression_of(out) is not None and shape == out.shape:
        if dtype != out.dtype:
            value = Expression(f"{{0}}.astype(np.{_word(out.dtype)})", (value,))
        redefine(out, value)
    elif dtype != out.dtype:
        run(f"{{0}}[...] = {{1}}.astype(np.{_word(out.dtype)})", (out, value), out, writes=out)
    else:
        run("{0}[...] = {1}", (out, value), out, writes=out)
    return out


# ------------------------------------------------------------------------------------------------
# Operators

_BINARY = {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "truediv": np.true_divide,
    "floordiv": np.floor_divide,
    "mod": np.remainder,
    "pow": np.power,
    "and": np.bitwise_and,
    "or": np.bitwise_or,
    "xor": np.bitwise_xor,
    "lshift": np.left_shift,
    "rshift": np.right_shift,
}
_COMPARED = {"eq": np.equal, "ne": np.not_equal, "lt": np.less, "le": np.less_equal, "gt": np.greater,
             "ge": np.greater_equal}  # fmt: skip
_UNARY = {"neg": np.negative, "pos": np.positive, "abs": np.absolute, "invert": np.invert}


class _Plans(dict):
    """What an operator makes of two dtypes, or of one and a type of Python's numbers: (text of the expression,
    the type of the number or None, dtype)."""

    def __init__(self, ufunc, reflected):
        self.ufunc = ufunc
        self.text = f"{ELEMENTWISE[ufunc]}({{1}}, {{0}})" if reflected else f"{ELEMENTWISE[ufunc]}({{0}}, {{1}})"
        self.reflected = reflected

    def __missing__(self, key):
        kinds = (*reversed(key), None) if self.reflected else (*key, None)
        dtypes = loop_of(self.ufunc, kinds)
        number = None if isinstance(key[1], np.dtype) else dtypes[0 if self.reflected else 1].type
        plan = self[key] = self.text, number, dtypes[-1]
        return plan


def _binary(ufunc, name, reflected=False):
    plans = _Plans(ufunc, reflected)
    by_power = ufunc is np.power  # whose exponents are part of the text

    def method(self, other):
        kind = type(other)
        if kind is DeviceNDArray:
            shape = _cuda.shape_of(self, other)
            if shape is not None:
                text, _, dtype = plans[self.dtype, other.dtype]
                values = _cuda.expression_of(self) or self, _cuda.expression_of(other) or other
                return defer(DeviceNDArray, shape, dtype, self, Expression(text, values))
        elif (kind is float or kind is int) and not by_power:
            shape = _cuda.shape_of(self, None)
            if shape is not None:
                text, number, dtype = plans[self.dtype, kind]
                values = _cuda.expression_of(self) or self, _number(ufunc, other, number)
                return defer(DeviceNDArray, shape, dtype, self, Expression(text, values))
        try:
            other = operand(other)
        except _NotHere:
            return NotImplemented
        inputs = (other, self) if reflected else (self, other)
        if ufunc is np.power and not reflected and type(other) is int and other == _SQUARE:
            return apply(np.square, (self,))  # as NumPy has it
        return apply(ufunc, inputs) if are_numbers(inputs) else at_once(ufunc, inputs)

    return _named(method, name, f"NumPy's ``{ufunc.__name__}``.")


def _in_place(ufunc, name):
    def method(self, other):
        try:
            other = operand(other)
        except _NotHere:
            return NotImplemented
        inputs = self, other
        return apply(ufunc, inputs, out=self) if are_numbers(inputs) else at_once(ufunc, inputs, (self,))

    return _named(method, name, f"NumPy's ``{ufunc.__name__}`` into the array.")


def _unary(ufunc, name):
    def method(self):
        return apply(ufunc, (self,)) if are_numbers((self,)) else at_once(ufunc, (self,))

    return _named(method, name, f"NumPy's ``{ufunc.__name__}``.")


def _named(method, name, text):
    method.__name__, method.__qualname__, method.__doc__ = name, f"DeviceNDArray.{name}", text
    return method


def _install():
    for name, ufunc in _BINARY.items():
        setattr(DeviceNDArray, f"__{name}__", _binary(ufunc, f"__{name}__"))
        setattr(DeviceNDArray, f"__r{name}__", _binary(ufunc, f"__r{name}__", True))
        setattr(DeviceNDArray, f"__i{name}__", _in_place(ufunc, f"__i{name}__"))
    for name, ufunc in _COMPARED.items():
        setattr(DeviceNDArray, f"__{name}__", _binary(ufunc, f"__{name}__"))
    for name, ufunc in _UNARY.items():
        setattr(DeviceNDArray, f"__{name}__", _unary(ufunc, f"__{name}__"))


_install()

# ------------------------------------------------------------------------------------------------
# __array_ufunc__


def _matmul(inputs, out):
    """The product by a library, or None."""
    from ._products import product

    try:
        first, second = map(operand, inputs)
    except _NotHere:
        return None
    if is_number(first) or is_number(second) or not (out is None or isinstance(out, DeviceNDArray)):
        return None
    made = product(first, second)
    if made is None or out is None:
        return made
    out[...] = made
    return out


def array_ufunc(array, ufunc, method, *inputs, out=None, **keywords):
    """What NumPy calls for ``np.sin(a)``, ``np.add.reduce(a)`` and the like."""
    from ._functions import call

    outs = out if isinstance(out, tuple) else (out,)
    if ufunc.signature is None and method == "__call__" and ufunc in ELEMENTWISE and len(outs) == 1:
        known = {name: keywords.pop(name) for name in ("dtype", "where") if name in keywords}
        for name in ("casting", "order", "subok", "signature", "sig"):
            keywords.pop(name, None)
        target = outs[0]
        if not keywords and (target is None or isinstance(target, DeviceNDArray)):
            try:
                values = tuple(map(operand, inputs))
                if are_numbers(values):
                    return apply(ufunc, values, target, **known)
            except _NotHere:
                return NotImplemented
        keywords.update(known)
    if ufunc is np.matmul and method == "__call__" and not keywords:
        made = _matmul(inputs, outs[0])
        if made is not None:
            return made
    name = ELEMENTWISE.get(ufunc)
    extra = {}
    if name is None:
        name = f"np.{ufunc.__name__}" if getattr(np, ufunc.__name__, None) is ufunc else "ufunc"
        extra = {"ufunc": ufunc} if name == "ufunc" else {}
    if method == "at":
        return call(f"{name}.at", inputs, keywords, extra=extra, writes=inputs[0])
    text = name if method == "__call__" else f"{name}.{method}"
    return call(text, inputs, keywords, outs if out is not None else None, extra=extra)
