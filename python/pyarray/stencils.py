"""``stencil``: arrays of what a kernel gives for the neighbourhood of each element.

A stencil is an ordinary function of compiled code: loops over the elements that have all their neighbours, around the
kernel, to which the place of the element is given (`_stencil_kernels.py`). It is made for the types of a call, as
overloads are.
"""

import ast
import functools
import inspect
import itertools
import types as _python_types

import numpy

from . import types
from ._frameless import frameless
from ._places import open_places as _open_places
from ._source import function_ast
from ._stencil_kernels import Kernel, NamedEnd, cells_of, located, make_function, other_subscripts
from .decorators import _function_type, njit, prange
from .errors import NumbaValueError
from .extending import _Refused, overload, register_jitable

_OPTIONS = ("cval", "standard_indexing", "neighborhood")


@frameless
def stencil(func_or_mode="constant", **options):
    """Make a stencil of a kernel: a function of relative indices.

    Parameters
    ----------
    func_or_mode : function or {'constant'}, optional
        The kernel, or how elements are treated whose neighbours are not all in the array: they are ``cval``.
    neighborhood : tuple of (int, int), optional
        The least and the greatest index of each dimension. Needed where indices are not constant.
    standard_indexing : sequence of str, optional
        Parameters that are indexed as everywhere, not relatively.
    cval : number, optional
        The value at the borders; 0 by default.

    Returns
    -------
    Stencil, or a decorator

    Raises
    ------
    NumbaValueError
        For unknown options, and kernels that are none (``docs/stencil.md``).
    """
    mode = func_or_mode if isinstance(func_or_mode, str) else "constant"
    if mode != "constant":
        raise NumbaValueError(f"Unsupported mode style {mode!r}: it is 'constant'")
    check_options(options)
    if isinstance(func_or_mode, str):
        return functools.partial(Stencil, options=options)
    return Stencil(func_or_mode, options)


def check_options(options):
    """Raise for options that stencils do not have."""
    unknown = [name for name in options if name not in _OPTIONS]
    if unknown:
        raise NumbaValueError(f"Unknown stencil option {unknown[0]!r}; there are {', '.join(_OPTIONS)}")


def _read_cval(value):
    if not isinstance(value, (bool, int, float, complex, numpy.number, numpy.bool_)):
        raise NumbaValueError(f"cval is a number, not {value!r}")
    return value


class Stencil:
    """What `stencil` makes: called with arrays, by Python and by compiled code.

    Attributes
    ----------
    py_func : function
        The kernel as it was written.
    neighborhood : tuple of (int, int)
        The indices of each dimension.
    options : dict
    """

    def __init__(self, function, options):
        if hasattr(function, "py_func"):
            function = function.py_func
        if type(function) is not _function_type:
            raise TypeError(f"a stencil is made of a function, not of {function!r}")
        node, filename = function_ast(function)
        names = inspect.getclosurevars(function) if function.__closure__ else None
        known = {**function.__globals__, **(names.nonlocals if names else {})}
        kernel = Kernel(node, filename, known.get, options.get("standard_indexing", ()), options.get("neighborhood"))
        self._set_up(function, kernel, options, function.__globals__, cells_of(function))

    def _set_up(self, function, kernel, options, names, cells):
        self.py_func, self.options, self._kernel = function, options, kernel
        self.neighborhood = tuple(map(tuple, kernel.bounds))
        self.__name__ = self.__qualname__ = kernel.definition.name
        self.__doc__ = getattr(function, "__doc__", None)
        self._cval = _read_cval(options.get("cval", 0))
        moved = make_function(kernel.definition, kernel.filename, names, cells)
        unchecked = kernel.is_inside and not other_subscripts(kernel)
        self._typed = njit(moved)
        self._moved = register_jitable(moved, inline="always", **({"boundscheck": False} if unchecked else {}))
        self._made, self._extra = {}, []
        overload(self)(_Typer(self))

    @functools.cached_property
    def _dispatcher(self):
        parameters = ", ".join(self._kernel.parameters)
        text = f"def {self.__name__}({parameters}, out=None):\n    return stencil({parameters}, out=out)\n"
        node = located(ast.parse(text), self._kernel.definition).body[0]
        return njit(make_function(node, self._kernel.filename, {}, {"stencil": _python_types.CellType(self)}))

    def __call__(self, *arguments, out=None):
        """The array of what the kernel gives; ``out`` is written, if it is given, and returned."""
        wanted = len(self._kernel.parameters)
        if len(arguments) != wanted:
            raise TypeError(
                f"the stencil {self.__name__}() takes {wanted} argument{'s' * (wanted != 1)}, and out=array, but "
                f"{len(arguments)} {'was' if len(arguments) == 1 else 'were'} given"
            )
        return self._dispatcher(*arguments) if out is None else self._dispatcher(*arguments, out)

    def __repr__(self):
        return f"<stencil {self.__qualname__}>"

    def __reduce__(self):
        from ._pickle import _wrap
        from .ufuncs import _importable, _is_importable

        function = self.py_func
        if _is_importable(self, function):
            return _importable, (function.__module__, function.__qualname__)
        return Stencil, (_wrap(function), self.options)

    @property
    def __pyarray_key__(self):
        """What code on disk that calls it depends on."""
        return "stencil", self._moved, repr(self._cval), "cval" in self.options, repr(self._kernel.bounds)

    def _result_dtype(self, given):
        """The dtype of what the kernel gives for arguments of these types."""
        code = "".join(types.unliteral(kind).code for kind in given) + "q" * self._kernel.rank + ">"
        kind = types.signature_from_code(self._typed._show("type", code)).return_type
        if not isinstance(kind, types.Number | types.Boolean) or types.as_dtype(kind).kind not in "biufc":
            raise _Refused(f"a stencil kernel returns a number, but {self.__name__}() gives {kind}")
        return types.as_dtype(kind)

    def _check(self, given):
        """Refuse arguments by their types."""
        kernel, rank = self._kernel, self._kernel.rank
        for name, kind in zip(kernel.parameters, given, strict=False):
            if name not in kernel.relative:
                continue
            if not isinstance(kind, types.Array):
                first = "first argument" if name == kernel.parameters[0] else f"argument '{name}'"
                raise _Refused(f"the {first} of the stencil {self.__name__}() is indexed relatively: an array is "
                               f"expected, not {kind}")  # fmt: skip
            if kind.ndim != rank:
                raise _Refused(
                    f"the stencil {self.__name__}() is of {rank} dimension{'s' * (rank != 1)}, but its argument "
                    f"'{name}' has {kind.ndim}"
                )

    def _border(self, dtype):
        """cval as a number of the dtype."""
        value = numpy.asarray(self._cval)
        with numpy.errstate(all="ignore"):
            fits = numpy.can_cast(value.dtype, dtype, "same_kind")
            if not fits and (dtype.kind == "c" or value.dtype.kind != "c") and numpy.isfinite(value):
                fits = dtype.type(value) == value
        if not fits:
            raise _Refused(f"cval={self._cval!r} does not fit what the stencil {self.__name__}() gives, {dtype.name}")
        return dtype.type(value).item()

    def made_for(self, given, out):
        """The function for arguments of these types, with an output or without."""
        self._check(given)
        dtype = self._result_dtype(given)
        if out is not None and (not isinstance(out, types.Array) or out.ndim != self._kernel.rank):
            rank = self._kernel.rank
            raise _Refused(
                f"out of the stencil {self.__name__}() is an array of {rank} dimension{'s' * (rank != 1)}, not {out}"
            )
        names = zip(self._kernel.parameters, given, strict=False)
        arrays = tuple(name for name, kind in names if isinstance(kind, types.Array)) if out is not None else ()
        key = dtype, out is not None, arrays
        if key not in self._made:
            border = self._border(types.as_dtype(out) if out is not None else dtype)
            self._made[key] = self._make(dtype, border, out is not None, arrays)
        return self._made[key]

    def _make(self, dtype, border, has_output, arrays):
        kernel = self._kernel
        own = "own_"
        while any(name.startswith(own) for name in kernel.parameters):
            own = f"_{own}"
        text = _text(kernel, self.__name__, own, has_output, not has_output or "cval" in self.options, arrays)
        node = located(ast.parse(text), kernel.definition).body[0]
        values = {"kernel": self._moved, "np": numpy, "prange": prange, "dtype": dtype, "border": border}
        cells = {own + name: _python_types.CellType(value) for name, value in values.items()}
        return register_jitable(make_function(node, kernel.filename, {}, cells), parallel="caller")


def _text(kernel, name, own, has_output, fills, arrays):
    """The function that goes over the elements, whose own names begin with ``own``; ``arrays`` may lie in ``out``."""
    first, axes = kernel.parameters[0], range(kernel.rank)
    size, result = [f"{own}n{axis}" for axis in axes], f"{own}result"
    lines = [f"{', '.join(size)}, = {first}.shape"]
    low, high = [], []
    for axis, (least, greatest) in enumerate(kernel.bounds):
        low.append(_margin(lines, f"{own}low{axis}", least, "-"))
        high.append(_margin(lines, f"{own}high{axis}", greatest, ""))
        if isinstance(least, NamedEnd) or isinstance(greatest, NamedEnd):
            text = f"{name}: the least index of a dimension of the neighborhood comes first"
            lines += [f"if {least} > {greatest}:", f"    raise ValueError({text!r})"]
    for other in kernel.relative[1:]:
        smaller = " or ".join(f"{other}.shape[{axis}] < {size[axis]}" for axis in axes)
        lines += [f"if {smaller}:",
                  f"    raise ValueError('{name}: {other} is smaller than {first} in some dimension')"]  # fmt: skip
    if has_output:
        other = " or ".join(f"out.shape[{axis}] != {size[axis]}" for axis in axes)
        lines += [f"if {other}:", f"    raise ValueError('{name}: out has another shape than {first}')"]
    for array in arrays:  # what is read stays as it was before the call
        lines += [f"if {own}np.may_share_memory({array}, out):", f"    {array} = {own}np.copy({array})"]
    made = "out" if has_output else f"{own}np.empty(({', '.join(size)},), {own}dtype)"
    lines.append(f"{result} = {made}")
    indent = ""
    for axis in axes:
        loop = f"{own}prange" if axis == 0 else "range"
        lines.append(f"{indent}for {own}i{axis} in {loop}({low[axis]}, {size[axis]} - {high[axis]}):")
        indent += "    "
    places = ", ".join(f"{own}i{axis}" for axis in axes)
    lines.append(f"{indent}{result}[{places}] = {own}kernel({', '.join(kernel.parameters)}, {places})")
    inner = []
    for axis in axes if fills else ():
        end = f"max({low[axis]}, {size[axis]} - {high[axis]})"
        parts = [f":{low[axis]}"] * (low[axis] != 0) + [f"{end}:"] * (high[axis] != 0 or low[axis] != 0)
        lines += [f"{result}[{', '.join([*inner, part])}] = {own}border" for part in parts]
        inner.append(f"{low[axis]}:{end}")
    lines.append(f"return {result}")
    return f"def {name}({', '.join(kernel.parameters)}, *, out=None):\n" + "".join(f"    {line}\n" for line in lines)


def _margin(lines, name, end, sign):
    """How many elements at a border have no result: a number, or a name for what one of the lines computes."""
    if not isinstance(end, NamedEnd):
        return abs(end)
    lines.append(f"{name} = max({sign}{end}, 0)")
    return name


def keep(function, at, kernel, options):
    """The name in this module of a stencil that a compiled function makes at a place of its source."""
    kept = function.__dict__.setdefault("__pyarray_stencils__", {})
    if at not in kept:
        made = Stencil.__new__(Stencil)
        made._set_up(function, kernel, options, function.__globals__, cells_of(function))
        kept[at] = f"made_{next(_numbers)}"
        globals()[kept[at]] = made
    return kept[at]


_numbers = itertools.count()


class _Typer:
    """What is asked for a stencil with arguments of some types."""

    __pyarray_key__ = "declared"  # `Stencil` has a key of its own, which enters that of functions that call it

    def __init__(self, stencil):
        self.stencil, self.__qualname__ = stencil, stencil.__name__
        names = [*stencil._kernel.parameters, "out"]
        parameters = [inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD) for name in names[:-1]]
        output = inspect.Parameter("out", inspect.Parameter.KEYWORD_ONLY, default=None)
        self.__signature__ = inspect.Signature([*parameters, output])
        self.unbound = f"the stencil {stencil.__name__}() is called with {', '.join(names[:-1])}, and out=array"

    def __call__(self, *arguments, **named):
        bound = self.__signature__.bind(*arguments, **named).arguments
        out = bound.pop("out", None)
        return self.stencil.made_for(list(bound.values()), None if isinstance(out, types.NoneType) else out)


_open_places(__name__)
