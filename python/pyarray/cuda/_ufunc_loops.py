"""Loops of a GPU's ufuncs: the types that a function is compiled for, and to which of them inputs convert."""

import numpy as np

from .. import _pyarray
from .._ufunc_signatures import counted, shown
from ..errors import UnsupportedError
from ._decorators import CUDADispatcher

_CODES = {
    np.dtype(name): code
    for name, code in zip(
        "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128".split(),
        "?bhiqBHIQefdFD",
        strict=True,
    )
}
_DTYPES = {code: dtype for dtype, code in _CODES.items()}


def _code(dtype):
    """The type code of an operand's elements; None where kernels take no such dtype."""
    if dtype.kind in "mM" and dtype.isnative:
        unit, count = np.datetime_data(dtype)
        return f"{dtype.kind}[{unit if count == 1 else f'{count}{unit}'}]"
    return _CODES.get(dtype)


def _needs_copy(dtype, wanted, rank):
    """Whether an array is converted before a kernel sees it: kernels convert elements, but no cores and no units."""
    return dtype != wanted and (rank > 0 or dtype.kind in "mM" or wanted.kind in "mM")


# Python's numbers adopt the dtype of the other operands: the kinds that each can become, and what it is by itself.
_WEAK = {int: "iufcm", float: "fc", complex: "c"}


def _element(kind):
    """The dtype of an operand's elements, or None where kernels take no such type."""
    kind = getattr(kind, "dtype", kind)
    return np.dtype(str(kind)) if kind.code[0] in "mM" else _DTYPES.get(kind.code)


class _Loop:
    """The function for certain types of its parameters.

    Attributes
    ----------
    dtypes : tuple of dtype
        Of each operand, inputs and outputs.
    dispatcher : CUDADispatcher
        Its kernels are for the types of operands.
    """

    def __init__(self, ufunc, code):
        from .. import types

        if code.endswith(">"):
            options = {"target": "cuda", "device": True}
            code = _pyarray.compile_device(ufunc.py_func, code, "type", **options)["code"]
        kinds = types.arguments_from_code(code)
        result = types.from_code(code[code.index(">") + 1 :])
        results = () if result == types.none else getattr(result, "types", (result,))
        for kind in (*kinds, *results):
            if _element(kind) is None:
                raise UnsupportedError(
                    f"{shown(code)} for {ufunc.__qualname__}(): a GPU's ufuncs have no operands of type {kind}"
                )
        operands = (*kinds, *results)
        if len(operands) != ufunc.nargs:
            raise TypeError(
                f"{shown(code)} for {ufunc.__qualname__}() has {counted(len(operands), 'operand')}, not {ufunc.nargs}"
            )
        self.code = code
        self.dtypes = tuple(map(_element, operands))
        self.dispatcher = CUDADispatcher(
            ufunc.py_func, ufunc._options, ufunc.targetoptions, (), ufunc.signature_text, code
        )

    def contiguous(self, ranks):
        """The type code of contiguous operands with one loop dimension."""
        return "".join(f"[C{1 + rank}{_code(dtype)}" for rank, dtype in zip(ranks, self.dtypes, strict=True))


def _fits(kind, dtype):
    return dtype.kind in _WEAK[kind] if kind in _WEAK else np.can_cast(kind, dtype, "safe")


def _fits_narrower(kind, dtype):
    """As Numba has it for generalized ufuncs: float64 may become float32."""
    return _fits(kind, dtype) or (
        kind not in _WEAK and np.can_cast(dtype, kind, "safe") and np.can_cast(kind, dtype, "same_kind")
    )


def _weak_kind(kind):
    return {"i": int, "u": int, "f": float, "c": complex}.get(np.dtype(kind).kind, kind)


def _category(kind):
    """Booleans, integers, and what may have a fraction; 3 for all others."""
    return {"b": 0, "i": 1, "u": 1, "f": 2, "c": 2}.get(np.dtype(kind).kind, 3)


def _adopted(kind, base):
    """The dtype that an input of this kind has beside inputs of the dtype ``base``."""
    if kind not in _WEAK:
        return kind
    alone = np.dtype(kind)
    if base is None or base.kind in "mM":
        return alone
    if base.kind in _WEAK[kind]:
        return base
    if kind is complex and base.kind == "f":
        return np.dtype("c8" if base.itemsize <= 4 else "c16")
    return np.result_type(base, alone)
