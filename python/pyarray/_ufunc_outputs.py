"""Calls of generalized ufuncs whose outputs are cast (python/ext/ufunc/ufunc_outputs.c)."""

import warnings

import numpy as np


def _operand_type(value):
    # Python's numbers have no type of their own to NumPy.
    if type(value) in (int, float, complex):
        return type(value)
    return np.asarray(value).dtype


def _loop_types(ufunc, inputs, outputs, keywords):
    """The dtypes of the outputs of the loop that NumPy takes; None where it takes none, which it says better itself."""
    wanted = [None if out is None else out.dtype for out in outputs]
    options = {name: keywords[name] for name in ("signature", "casting") if name in keywords}
    try:
        found = ufunc.resolve_dtypes((*map(_operand_type, inputs), *wanted), **options)
    except (TypeError, ValueError):
        return None
    return found[ufunc.nin :]


def call(ufunc, arguments, keywords):
    """The result of a call with copies of the outputs that are cast, which are cast back then; None where none is."""
    inputs, outputs = arguments[: ufunc.nin], list(arguments[ufunc.nin :])
    keywords = dict(keywords)
    if "out" in keywords:
        out = keywords.pop("out")
        outputs = list(out) if isinstance(out, tuple) else [out]
    outputs += [None] * (ufunc.nout - len(outputs))
    if not all(out is None or isinstance(out, np.ndarray) for out in outputs):
        return None
    types, casting = _loop_types(ufunc, inputs, outputs, keywords), keywords.get("casting", "same_kind")
    if types is None or keywords.keys() & {"dtype", "sig"}:
        return None
    cast = [out is not None and out.dtype != kind for out, kind in zip(outputs, types)]
    if not any(cast) or not all(np.can_cast(types[k], outputs[k].dtype, casting) for k in range(ufunc.nout) if cast[k]):
        return None
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        given = [out.astype(kind) if changes else out for out, kind, changes in zip(outputs, types, cast)]
    made = ufunc(*inputs, out=tuple(given), **keywords)
    for k in range(ufunc.nout):
        if cast[k]:
            np.copyto(outputs[k], given[k], casting=casting)
    results = made if isinstance(made, tuple) else (made,)
    kept = tuple(outputs[k] if cast[k] else results[k] for k in range(ufunc.nout))
    return kept if ufunc.nout > 1 else kept[0]
