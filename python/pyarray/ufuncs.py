"""``vectorize`` and ``guvectorize``: ufuncs made of compiled functions.

With signatures, the function is compiled at once and a ``numpy.ufunc`` comes out. Without, it is a :class:`DUFunc`,
compiled for the types of each call.
"""

import copyreg
from functools import partial

import numpy

from . import _pyarray, _ufunc_methods, errors, types  # noqa: F401  (the importer looks for the second)
from ._frameless import frameless
from ._pyarray import Dispatcher, DUFunc, UfuncKernel
from ._ufunc_signatures import (
    Layout,
    core_signature_code,
    counted,
    declared_output_count,
    outputs_of,
    plain_function,
    scalar_code,
    scalar_layout,
    shown,
    writable_bits,
    writes_outputs,
)
from .decorators import _function_type, _read_options

# What NumPy's C API calls them.
_IDENTITIES = {0: 0, 1: 1, None: -1, "reorderable": -2}
_GPU_TARGETS = ("cuda", "gpu")


# ------------------------------------------------------------------------------------------------
# Options


def _identity_number(identity):
    try:
        return _IDENTITIES[identity]
    except (KeyError, TypeError):
        raise ValueError(
            f"Invalid identity value {identity!r}: it is 0, 1, None (no identity) or 'reorderable' (none, but several "
            "axes may be reduced at once)"
        ) from None


def _check_target(target):
    if target not in ("cpu", "parallel"):
        raise ValueError(f"Unsupported target: {target}; use 'cpu', 'parallel' or 'cuda'")


def _read_ufunc_options(target, identity, given):
    """Every option with its value; division by zero gives inf or nan as NumPy's ufuncs have it."""
    _check_target(target)
    _identity_number(identity)
    options = _read_options({"error_model": "numpy", **given, "parallel": target == "parallel"})
    return {**options, "target": target}


# ------------------------------------------------------------------------------------------------
# Kernels


class _Recipe:
    """All that a kernel is made of.

    Attributes
    ----------
    function : function
    text : str or None
        The signature of a guvectorize function.
    codes : tuple of str
        Type codes of the declared signatures.
    options, target_options : dict
        Every option, and those given to the decorator.
    identity : int, str or None
    writable : int
        Bit i: input i may be written.
    nout : int
    methods : dict
        Those that compiled code has asked for, by name.
    """

    def __init__(self, function, text, codes, options, target_options, identity, writable=0, nout=1):
        self.function, self.text, self.codes = function, text, codes
        self.options, self.target_options = options, target_options
        self.identity, self.writable, self.nout = identity, writable, nout
        self.methods = {}

    @property
    def layout(self):
        if self.text is not None:
            return Layout(self.text)
        return scalar_layout(self.function, self.function.__code__.co_argcount, self.nout)

    def kernel(self):
        layout = self.layout
        dispatcher = Dispatcher(self.function, self.options, self.target_options, layout.compiled)
        return UfuncKernel(
            dispatcher,
            nin=len(layout.inputs),
            nout=len(layout.outputs),
            identity=_identity_number(self.identity),
            is_generalized=self.text is not None,
            writes_outputs=self.text is not None and writes_outputs(self.function, layout),
            writable=self.writable,
            ranks=bytes(map(len, layout.operands)),
            recipe=self,
        )

    def ufunc(self):
        if not self.codes:
            return DUFunc(self.kernel())
        return self.or_put_off(lambda: self.kernel().compile(self.codes))

    def or_put_off(self, make):
        """What ``make`` makes of the declared signatures, or a DUFunc that has the refusal, where it only warns."""
        from ._report import put_off

        try:
            return make()
        except errors.PyArrayError as refusal:
            if not self.codes or not put_off(self.function, refusal):
                raise
            return DUFunc(self.kernel(), refusal)


def _code_for_kernel(recipe, signature):
    """The type code of a signature given to ``DUFunc.add``."""
    if recipe.text is not None:
        return core_signature_code(recipe.function, recipe.layout, signature)
    code = scalar_code(recipe.function, signature)
    outputs = outputs_of(code)
    if outputs and len(outputs) != recipe.nout:
        raise TypeError(
            f"{shown(code)} has {counted(len(outputs), 'output')}, {recipe.function.__qualname__}() {recipe.nout}"
        )
    return code


# ------------------------------------------------------------------------------------------------
# Decorators


def _apply_vectorize(signatures, target, identity, given, function):
    if target in _GPU_TARGETS:
        from .cuda import _ufuncs

        _identity_number(identity)
        return _made_for_gpu(None, identity, given, *_ufuncs.vectorize(signatures, given, identity, function))
    options = _read_ufunc_options(target, identity, given)
    function = plain_function(function)
    codes = tuple(scalar_code(function, signature) for signature in signatures)
    nout = declared_output_count(function, codes)
    return _Recipe(function, None, codes, options, given, identity, nout=nout).ufunc()


def _apply_guvectorize(signatures, text, target, identity, writable, given, function):
    if target in _GPU_TARGETS:
        from .cuda import _ufuncs

        _identity_number(identity)
        parts = _ufuncs.guvectorize(signatures, text, given, identity, writable, function)
        return _made_for_gpu(text, identity, given, *parts)
    options = _read_ufunc_options(target, identity, given)
    function = plain_function(function)
    layout = Layout(text)
    writes_outputs(function, layout)
    codes = tuple(core_signature_code(function, layout, signature) for signature in signatures)
    bits = writable_bits(function, layout, writable)
    return _Recipe(function, layout.text, codes, options, given, identity, bits, len(layout.outputs)).ufunc()


def _made_for_gpu(text, identity, given, make, function, layout, codes):
    options = _read_ufunc_options("cpu", identity, {})
    recipe = _Recipe(function, text, codes, {**options, "target": "cuda"}, given, identity, nout=len(layout.outputs))
    return recipe.or_put_off(make)


def _listed(signatures):
    if isinstance(signatures, (str, types.Signature)):
        return (signatures,)
    if signatures is None:
        return ()
    if isinstance(signatures, numpy.ufunc | DUFunc):
        raise TypeError(f"{signatures!r} is a ufunc already")
    try:
        return tuple(signatures)
    except TypeError:
        raise TypeError(
            "expected a function of Python, a signature such as 'float64(float64)', or a list of these, not "
            f"{signatures!r}"
        ) from None


@frameless
def vectorize(ftylist_or_function=(), target="cpu", identity=None, **kws):
    """Make a ufunc of a function of scalars.

    Parameters
    ----------
    ftylist_or_function : function, str, Signature, tuple of types, or iterable of these, optional
        With signatures such as ``'float64(float64, float64)'``, in order of preference, the function is compiled at
        once and for them alone. A function that returns a tuple makes a ufunc with several outputs.
    target : {'cpu', 'parallel', 'cuda'}
        'parallel': on several threads; 'cuda' or 'gpu': on a GPU, see :class:`pyarray.cuda.UFunc`.
    identity : {0, 1, None, 'reorderable'}
        What reducing nothing gives; 'reorderable': no such value, but several axes can be reduced at once.
    nopython, cache, fastmath, boundscheck, error_model, debug, ...
        As for :func:`njit`; but division by zero gives inf or nan, unless ``error_model='python'``.

    Returns
    -------
    numpy.ufunc, DUFunc or decorator
        The ufunc if signatures are given; otherwise a :class:`DUFunc`, which is compiled for exactly the types of each
        call. A decorator where no function is given.

    Raises
    ------
    TypeError, TypingError
        Where signatures and function do not fit each other.
    ValueError
        For an unknown target or identity.
    UnsupportedError
        For ``forceobj=True``.
    """
    if isinstance(ftylist_or_function, (_function_type, Dispatcher)):
        return _apply_vectorize((), target, identity, kws, ftylist_or_function)
    signatures = _listed(ftylist_or_function)
    return partial(_pyarray._without_own_frames, _apply_vectorize, signatures, target, identity, kws)


def _dufunc(function, identity=None, cache=False, targetoptions=None):
    """What ``DUFunc(function)`` is."""
    return vectorize(function, identity=identity, cache=cache, **(targetoptions or {}))


@frameless
def guvectorize(*args, target="cpu", identity=None, writable_args=(), **kws):
    """Make a generalized ufunc of a function of arrays.

    ``guvectorize(ftylist, signature)`` or ``guvectorize(signature)``.

    Parameters
    ----------
    ftylist : iterable of str, Signature or tuple of types
        Such as ``'void(float64[:,:], float64, float64[:])'``, inputs and then outputs, which the function writes. Core
        dimensions ``()`` of an output are an array of one element, those of an input a scalar or such an array. Where
        all outputs have core dimensions ``()``, the function may return them instead: ``'float64(float64[:])'``.
        Without it, the function is compiled for exactly the types of each call; outputs that are not given then have
        the common type of the inputs.
    signature : str
        Core dimensions, ``'(m,n),()->(m)'``; ``3`` is a size, and ``m?`` may be missing.
    target, identity, **kws
        As for :func:`vectorize`.
    writable_args : tuple of int or str
        Inputs that the function writes, by index or name; the caller's arrays then change.

    Returns
    -------
    decorator
        Of functions; it gives a numpy.ufunc, or a :class:`DUFunc` if there are no type signatures.

    Raises
    ------
    TypeError, TypingError
        Where type signatures, signature and function do not fit each other.
    ValueError, NameError
        For a malformed signature, or one with outputs whose size does not follow from the inputs.
    """
    if len(args) not in (1, 2):
        raise TypeError(
            "guvectorize() takes one or two positional arguments: type signatures and a signature '(n)->(n)'"
        )
    *signatures, text = args
    if isinstance(text, (_function_type, Dispatcher)):
        raise TypeError(f"guvectorize() takes a signature first: @guvectorize('(n)->(n)') def {text.__name__}(...)")
    signatures = _listed(signatures[0]) if signatures else ()
    return partial(
        _pyarray._without_own_frames, _apply_guvectorize, signatures, text, target, identity, writable_args, kws
    )


# ------------------------------------------------------------------------------------------------
# Inspection


def inspect(ufunc, form=None):
    """The dispatcher that compiles the loops of a ufunc made here, with ``inspect_mlir`` and the like.

    Parameters
    ----------
    ufunc : numpy.ufunc or DUFunc
    form : {'strided', 'carried'} or str, optional
        A copy of the loop instead: for operands that are not contiguous, for ``reduce`` and ``accumulate``, for
        contiguous operands beside constant ones, ``'constant vc'`` (a letter for each input, c for a constant one), or,
        of a generalized ufunc, for core dimensions of known sizes, ``'(2,4),(4,5)->(2,5)'``.

    Returns
    -------
    Dispatcher
        Its variants are inner loops: it cannot be called.

    Raises
    ------
    TypeError
        For any other object.
    ValueError
        For a form that the loops of this ufunc do not have.
    """
    signature = None
    if form is not None and form.startswith("("):
        signature, form = Layout(form).compiled, "dense"
    if _pyarray.ufunc_recipe(ufunc) is None:
        raise TypeError(f"{ufunc!r} is no ufunc made by vectorize or guvectorize")
    own = _pyarray.ufunc_dispatcher(ufunc, None, None)
    is_generalized = _pyarray.ufunc_recipe(ufunc).text is not None
    if form is None:
        return own
    if is_generalized != (form == "dense") or form.split(" ")[0] not in ("dense", "strided", "carried", "constant"):
        raise ValueError(f"the loops of {ufunc.__name__} have no form {signature or form!r}")
    return _pyarray.ufunc_dispatcher(ufunc, signature, form)


# ------------------------------------------------------------------------------------------------
# Pickling: by name where a module holds the ufunc, else with its function


def _is_importable(made, function):
    """Whether a module holds what was made of a function under its name."""
    import sys

    module = sys.modules.get(function.__module__)
    if module is None or module.__name__ == "__main__":
        return False
    for name in function.__qualname__.split("."):
        module = getattr(module, name, None)
    return module is made


def _importable(module, qualname):
    from importlib import import_module

    found = import_module(module)
    for name in qualname.split("."):
        found = getattr(found, name)
    return found


def _rebuild(
    function, text, codes, options, target_options, identity, writable, nout, added, frozen, token=None, packed=()
):
    from ._pickle import known, receive, remember

    copy = known(token)
    if copy is not None:
        return copy
    receive(packed)
    ufunc = _Recipe(function, text, codes, options, target_options, identity, writable, nout).ufunc()
    for code in added:
        ufunc.add(types.signature_from_code(code) if not code.endswith(">") else types.arguments_from_code(code))
    if frozen:
        ufunc.disable_compile()
    inspect(ufunc)._brought = packed
    remember(token, ufunc)
    return ufunc


class _Copyable:
    """A ufunc on its way into a pickle, or through `copy`, which leaves it as it is."""

    def __init__(self, ufunc):
        self.ufunc = ufunc

    def __deepcopy__(self, memo):
        return self

    def __reduce__(self):
        return _reduce(self.ufunc)


def _itself(ufunc):
    return ufunc.ufunc if isinstance(ufunc, _Copyable) else ufunc


def given_codes(ufunc):
    """Codes of the loops that ``add`` has made."""
    return tuple(_pyarray.ufunc_kernel(ufunc)[3])


def _reachable_codes(ufunc):
    """Codes of the loops that a copy is to have. A frozen one keeps all; alike but for their units the first serves."""
    if not ufunc._frozen:
        return given_codes(ufunc)
    first = {}
    for types_of_loop, code in zip(ufunc.types, ufunc._codes, strict=True):
        first.setdefault(types_of_loop, code)
    return tuple(first.values())


def _reduce(ufunc):
    """What pickles hold of a ufunc made here."""
    from ._pickle import _wrap, machine_code, token_of

    recipe = _pyarray.ufunc_recipe(ufunc)
    function = recipe.function
    if _is_importable(ufunc, function):
        return _importable, (function.__module__, function.__qualname__)
    is_lazy = isinstance(ufunc, DUFunc)
    added = _reachable_codes(ufunc) if is_lazy else ()
    parts = (recipe.text, recipe.codes, recipe.options, recipe.target_options, recipe.identity, recipe.writable)
    parts = (*parts, recipe.nout, added, is_lazy and ufunc._frozen)
    loops = inspect(ufunc)
    return _rebuild, (_wrap(function), *parts, token_of(loops, parts), machine_code(loops))


_reduce_foreign = copyreg.dispatch_table.get(numpy.ufunc)


def _reduce_ufunc(ufunc):
    if _pyarray.ufunc_recipe(ufunc) is not None:
        return _itself, (_Copyable(ufunc),)
    return _reduce_foreign(ufunc) if _reduce_foreign else ufunc.__name__


copyreg.pickle(numpy.ufunc, _reduce_ufunc)
