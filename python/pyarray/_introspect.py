"""What a dispatcher tells about itself: signatures, statistics, IR."""

import sys

from . import signatures as _signatures
from . import types

# Levels of IR by number; the names are those of pyarray-c/Core.h.
_LEVELS = {1: "untyped", 2: "typed", 3: "optimized", 4: "linalg", 5: "target", 6: "llvm"}
_NAMES = (*_LEVELS.values(), "llvm-ir", "llvm-ir-optimized", "asm", "types")


class Overload:
    """A compiled variant.

    Attributes
    ----------
    signature : Signature
    from_cache : bool
        It was read from the disk cache.
    seconds : dict of str to float
        Time spent compiling: frontend, passes, llvm, whole. Zero when read from the cache.
    """

    def __init__(self, code, from_cache, seconds):
        self.signature = types.signature_from_code(code)
        self.from_cache = from_cache
        self.seconds = dict(zip(("frontend", "passes", "llvm", "whole"), seconds, strict=True))

    def __repr__(self):
        return f"Overload({self.signature!r}, from_cache={self.from_cache})"


class CompileStats:
    """Disk cache hits and misses, by argument types.

    Attributes
    ----------
    cache_path : str or None
        Directory of the cache; None when it is not used.
    cache_hits, cache_misses : collections.Counter
        How often a variant was read from the cache, and compiled.
    """

    def __init__(self, cache_path, cache_hits, cache_misses):
        self.cache_path, self.cache_hits, self.cache_misses = cache_path, cache_hits, cache_misses

    def __repr__(self):
        return (
            f"CompileStats(cache_path={self.cache_path!r}, cache_hits={self.cache_hits!r}, "
            f"cache_misses={self.cache_misses!r})"
        )


def _codes(dispatcher):
    return [code for code, _, _, retired in dispatcher._variants() if not retired]


def signatures(dispatcher):
    return [types.arguments_from_code(code) for code in _codes(dispatcher)]


def nopython_signatures(dispatcher):
    return [types.signature_from_code(code) for code in _codes(dispatcher)]


def overloads(dispatcher):
    make = Overload
    if hasattr(dispatcher, "_kernel_attributes"):
        from functools import partial

        from .cuda._launch import KernelOverload

        make = partial(KernelOverload, dispatcher)
    return {
        types.arguments_from_code(code): make(code, from_cache, seconds)
        for code, from_cache, seconds, retired in dispatcher._variants()
        if not retired
    }


def stats(dispatcher):
    from collections import Counter

    from ._pyarray import _cache_directory

    hits, misses = Counter(), Counter()
    for code, from_cache, _, _ in dispatcher._variants():
        (hits if from_cache else misses)[types.arguments_from_code(code)] += 1
    return CompileStats(_cache_directory() if dispatcher.options["cache"] else None, hits, misses)


def python_signature(dispatcher):
    import inspect

    return inspect.signature(dispatcher.py_func)


def _level_name(level):
    if level in _LEVELS:
        return _LEVELS[level]
    if level in _NAMES:
        return level
    raise ValueError(f"level {level!r}: it is a number from 1 to 6 or one of {', '.join(map(repr, _NAMES))}")


def _arguments_code(signature):
    code = _signatures.code_of(signature)
    return code[: code.index(">") + 1]


def _show(dispatcher, level, signature):
    """The text for one signature, or a dict of texts for all that are compiled."""
    name = _level_name(level)
    return _of_signatures(dispatcher, signature, lambda code: dispatcher._show(name, code))


def inspect_mlir(dispatcher, level=None, signature=None):
    """IR of a level.

    Parameters
    ----------
    level : int or str, optional
        1 untyped, 2 typed, 3 optimized, 4 linalg, 5 target, 6 llvm; 2 by default.
    signature : str, Signature or tuple of types, optional

    Returns
    -------
    str, or dict of tuple of types to str
        The text for ``signature``; without one, the texts for all compiled signatures.
    """
    return _show(dispatcher, 2 if level is None else level, signature)


def inspect_llvm(dispatcher, signature=None):
    return _show(dispatcher, "llvm-ir-optimized", signature)


def inspect_asm(dispatcher, signature=None):
    return _show(dispatcher, "asm", signature)


def inspect_types(dispatcher, file=None, signature=None, **kwargs):
    """Print the source of each compiled variant with the types of its values; ``pretty``: give it for notebooks."""
    for name in kwargs:
        if name not in ("pretty", "style"):
            raise TypeError(f"inspect_types() got an unexpected keyword argument '{name}'")
    if kwargs.get("pretty"):
        if file is not None:
            raise ValueError("`file` must be None if `pretty=True`")
        from ._shown import AnnotatedTypes, Texts

        one = None if signature is None else types.arguments_from_code(_arguments_code(signature))
        wanted = signatures(dispatcher) if one is None else [one]
        return AnnotatedTypes(Texts({one: dispatcher._show("types", _arguments_code(one)) for one in wanted}))
    file = sys.stdout if file is None else file
    wanted = [signature] if signature is not None else signatures(dispatcher)
    for one in wanted:
        arguments = types.arguments_from_code(_arguments_code(one))
        print(f"{dispatcher.__name__} ({', '.join(map(str, arguments))})", file=file)
        print("-" * 80, file=file)
        print(dispatcher._show("types", _arguments_code(one)), file=file)
        print("=" * 80, file=file)


def _report(dispatcher, code, level, nothing):
    """The report of one variant: each line of the source that has a loop or an operation, and what becomes of it."""
    import linecache

    arguments = ", ".join(map(str, types.arguments_from_code(code)))
    lines, place = [f"{dispatcher.__name__} ({arguments})"], None
    rows = [row.split("\t", 2) for row in filter(None, dispatcher._show(level, code).split("\n"))]
    files = list(dict.fromkeys(file for _, file, _ in rows))
    for number, file, text in sorted(rows, key=lambda row: (files.index(row[1]), int(row[0]))):
        if (file, number) != place:
            place = file, number
            lines.append(f"{file}:{number}: {linecache.getline(file, int(number)).strip()}")
        lines.append(f"    {text}")
    if place is None:
        lines.append(f"    {nothing}")
    return "\n".join(lines) + "\n"


def inspect_parallel(dispatcher, signature=None):
    """What runs on several threads, and what does not and why.

    Parameters
    ----------
    signature : str, Signature or tuple of types, optional

    Returns
    -------
    str, or dict of tuple of types to str
        The text for ``signature``; without one, the texts for all compiled signatures.
    """
    nothing = "nothing to run on several threads: no loop over prange, no operation on whole arrays"
    return _of_signatures(dispatcher, signature, lambda code: _report(dispatcher, code, "parallel", nothing))


def parallel_diagnostics(dispatcher, signature=None, level=1):
    """Print what ``inspect_parallel`` gives, for one signature or for all that are compiled.

    Parameters
    ----------
    signature : str, Signature or tuple of types, optional
    level : int
        1 to 4, as in Numba; the text is the same for all.
    """
    if level not in (1, 2, 3, 4):
        raise ValueError(f"level {level!r}: it is a number from 1 to 4")
    texts = inspect_parallel(dispatcher, signature)
    for text in texts.values() if signature is None else [texts]:
        print(text)


def inspect_fusion(dispatcher, signature=None):
    """What became of each operation on whole arrays: where it is computed, what is written down, and why.

    It also says where numbers beside float32 values make code compute in float64, in kernels too.

    Parameters
    ----------
    signature : str, Signature or tuple of types, optional

    Returns
    -------
    str, or dict of tuple of types to str
        The text for ``signature``; without one, the texts for all compiled signatures.
    """
    nothing = "no operation on whole arrays"
    return _of_signatures(dispatcher, signature, lambda code: _report(dispatcher, code, "fusion", nothing))


def fusion_report(dispatcher, signature=None):
    """Print what ``inspect_fusion`` gives, for one signature or for all that are compiled.

    Parameters
    ----------
    signature : str, Signature or tuple of types, optional
    """
    texts = inspect_fusion(dispatcher, signature)
    for text in texts.values() if signature is None else [texts]:
        print(text)


def explain(dispatcher, signature=None):
    from ._explain import explain

    return explain(dispatcher, signature)


def _of_signatures(dispatcher, signature, show):
    """``show(type code)`` for one signature, or a dict of that for all that are compiled."""
    from ._shown import Text, Texts

    def as_shown(code):
        shown = show(code)
        return Text(shown) if isinstance(shown, str) else shown

    if signature is not None:
        return as_shown(_arguments_code(signature))
    found = {types.arguments_from_code(code): as_shown(code[: code.index(">") + 1]) for code in _codes(dispatcher)}
    return Texts(found) if all(isinstance(text, str) for text in found.values()) else found


def inspect_cfg(dispatcher, signature=None, show_wrapper=None, **options):
    """Graphs of the blocks of the LLVM IR.

    Parameters
    ----------
    signature : str, Signature or tuple of types, optional
    show_wrapper, **options
        Numba's, of which only ``filename``, ``view`` and ``render`` of the graph's own methods mean something here.

    Returns
    -------
    ControlFlow, or dict of tuple of types to ControlFlow
    """
    from ._control_flow import of_llvm

    known = {"highlight", "interleave", "strip_ir", "show_key", "fontsize"}
    for name in options:
        if name not in known:
            raise TypeError(f"inspect_cfg() got an unexpected keyword argument '{name}'")
    return _of_signatures(dispatcher, signature, lambda code: of_llvm(dispatcher._show("llvm-ir-optimized", code)))


def inspect_disasm_cfg(dispatcher, signature=None):
    """Graphs of the blocks of the machine code, as `inspect_cfg`."""
    from ._control_flow import of_assembly

    return _of_signatures(dispatcher, signature, lambda code: of_assembly(dispatcher._show("asm", code)))


def get_metadata(dispatcher, signature=None):
    """What is known of how variants were compiled.

    Parameters
    ----------
    signature : str, Signature or tuple of types, optional

    Returns
    -------
    dict, or dict of tuple of types to dict
        With the keys ``signature``, ``from_cache``, ``timers`` (seconds) and ``options``.
    """
    known = {
        arguments: {
            "signature": variant.signature,
            "from_cache": variant.from_cache,
            "timers": variant.seconds,
            "options": dispatcher.options,
        }
        for arguments, variant in overloads(dispatcher).items()
    }
    return known if signature is None else known[types.arguments_from_code(_arguments_code(signature))]


class CallTemplate:
    """The signatures that calls of a function have, as Numba gives them to those who type calls.

    Attributes
    ----------
    key : function
        The dispatcher.
    cases : list of Signature
    """

    def __init__(self, dispatcher):
        self.key, self.cases = dispatcher, nopython_signatures(dispatcher)

    def __repr__(self):
        return f"CallTemplate({self.key.__name__}: {', '.join(map(str, self.cases))})"


def _default_types(signature):
    """(name, type of the default or None) of each parameter: that of an argument which is left out."""
    from .decorators import typeof

    for name, parameter in signature.parameters.items():
        default = parameter.default
        is_text = isinstance(default, str)
        yield name, types.omitted if is_text else None if default is parameter.empty else typeof(default)


def get_call_template(dispatcher, args, kws):
    """What a call with arguments of these types is typed by; the function is compiled for them.

    Parameters
    ----------
    args : sequence of Type
    kws : dict of str to Type

    Returns
    -------
    template : CallTemplate
    pysig : inspect.Signature
    args : tuple of Type
        In the order of the parameters.
    kws : dict
        Empty.
    """
    signature = python_signature(dispatcher)
    given = signature.bind(*args, **kws)
    if dispatcher._can_compile():
        kinds = [given.arguments.get(*of_default) for of_default in _default_types(signature)]
        dispatcher.compile(tuple(kind for kind in kinds if kind is not None))
    return CallTemplate(dispatcher), signature, given.args, {}


def enable_caching(dispatcher):
    dispatcher.targetoptions["cache"] = True
