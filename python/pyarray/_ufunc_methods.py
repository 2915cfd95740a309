"""Attributes and methods of ufuncs in compiled code.

A method is a function of the compiled subset that calls the ufunc; ``reduce`` and ``accumulate`` are kernels of
generalized ufuncs, so that the compiler loops over the other axes. Outputs have the type that NumPy computes
in (`lib/passes/infer/ufuncs/infer_ufunc_arguments.c`).
"""

from . import _pyarray


# The parts of the first of several axes are reduced by the method itself.
def _reduce(ufunc):
    message = f"zero-size array to reduction operation {ufunc.__name__} which has no identity"

    def reduce(values, result):
        if values.shape[0] == 0:
            raise ValueError(message)
        kind = result.dtype
        if values.ndim == 1:
            total = kind(values[0])
            for i in range(1, values.shape[0]):
                total = kind(ufunc(total, kind(values[i])))
        else:
            total = ufunc.reduce(values[0], None, kind)
            for i in range(1, values.shape[0]):
                total = kind(ufunc(total, ufunc.reduce(values[i], None, kind)))
        result[0] = total

    return reduce


def _reduce_from(ufunc, identity):
    def reduce(values, result):
        kind = result.dtype
        total = kind(identity)
        for i in range(values.shape[0]):
            if values.ndim == 1:
                total = kind(ufunc(total, kind(values[i])))
            else:
                total = kind(ufunc(total, ufunc.reduce(values[i], None, kind)))
        result[0] = total

    return reduce


def _reduce_initial(ufunc):
    def reduce(values, initial, result):
        kind = result.dtype
        total = kind(initial)
        for i in range(values.shape[0]):
            if values.ndim == 1:
                total = kind(ufunc(total, kind(values[i])))
            elif values.size:
                total = kind(ufunc(total, ufunc.reduce(values[i], None, kind)))
        result[0] = total

    return reduce


def _accumulate(ufunc):
    def accumulate(values, result):
        kind = result.dtype
        if values.shape[0] > 0:
            total = kind(values[0])
            result[0] = total
            for i in range(1, values.shape[0]):
                total = kind(ufunc(total, kind(values[i])))
                result[i] = total

    return accumulate


# Indices may be whatever a subscript takes.
def _at(ufunc):
    from .library.numpy import selection

    def at(a, indices, b):
        selection.at(ufunc, a, indices, b)

    return at


def _at_unary(ufunc):
    from .decorators import njit
    from .library.numpy import selection

    @njit
    def changed(x, _):
        return ufunc(x)

    def at(a, indices):
        selection.at(changed, a, indices, 0)

    return at


class _Method:
    """What the importer takes for a method.

    `__pyarray_ufunc_method__` is (function, core signature or None, ufunc), and of reduce what is known of the ufunc's
    identity and the method that takes ``initial=`` too, else None.
    """

    def __init__(self, function, signature, ufunc, identity=None, with_initial=None):
        self.__pyarray_ufunc_method__ = function, signature, ufunc, identity, with_initial


_SIGNATURES = {"reduce": "(n)->()", "accumulate": "(n)->(n)", "reduceat": None, "at": None}
_CONSTANTS = ("nin", "nout", "nargs", "identity", "signature")


def _function(ufunc, name):
    if ufunc.signature is not None:
        raise AttributeError(f"{name}() is not defined for ufuncs with signatures")
    if name == "at" and ufunc.nout == 1 and ufunc.nin < 3:
        return _at(ufunc) if ufunc.nin == 2 else _at_unary(ufunc)
    if name == "at":
        raise AttributeError("only unary and binary ufuncs with one output have at()")
    if ufunc.nin != 2:
        raise AttributeError(f"{name}() is only supported for binary functions")
    if ufunc.nout != 1:
        raise AttributeError(f"{name}() is only supported for functions that return a single value")
    if name == "reduce":
        return _reduce(ufunc) if ufunc.identity is None else _reduce_from(ufunc, ufunc.identity)
    if name == "accumulate":
        return _accumulate(ufunc)
    from . import _numpy_ufuncs

    return _numpy_ufuncs._reduceat(ufunc)


def attribute(ufunc, name):
    """The attribute of a ufunc as compiled code has it: a constant, or a method.

    Raises
    ------
    AttributeError
        Where compiled code has none of that name, or not for this ufunc.
    """
    if name in _CONSTANTS:
        return getattr(ufunc, name)
    if _pyarray.ufunc_kernel(ufunc) is None:
        from . import _numpy_ufuncs

        return _numpy_ufuncs.method(ufunc, name)
    if name not in _SIGNATURES:
        raise AttributeError(
            f"the attribute '{name}' of ufuncs is not supported in compiled code; there are "
            f"{', '.join((*_CONSTANTS, *_SIGNATURES))}"
        )
    recipe = _pyarray.ufunc_recipe(ufunc)
    methods = recipe.methods
    if name not in methods:
        function, more = _function(ufunc, name), ()
        if name == "reduce":
            identity = {None: "none", "reorderable": "reorderable"}.get(recipe.identity, "known")
            more = identity, _Method(_reduce_initial(ufunc), "(n),()->()", ufunc, identity)
        methods[name] = _Method(function, _SIGNATURES[name], ufunc, *more)
    return methods[name]
