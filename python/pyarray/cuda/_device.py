"""What kernels use: names that the compiler knows (``lib/ir/builtins.def``), grouped in modules as in Numba.

Outside compiled code every use raises RuntimeError. The names are module objects and functions, so that compiled code
finds them as it finds those of ``math``.
"""

import sys as _sys
import types as _types

_PACKAGE = __name__.rpartition(".")[0]


def _refuse(name):
    raise RuntimeError(f"cuda.{name} is only for functions that are compiled for a GPU")


def _function(name, parameters, text):
    """A function of the given parameters that raises; its documentation is ``text``."""
    scope = {"_refuse": _refuse}
    short = name.rpartition(".")[2]
    exec(f"def {short}({parameters}):\n    _refuse({name!r})", scope)
    function = scope[short]
    function.__doc__ = text
    function.__module__, function.__qualname__ = _PACKAGE, name
    return function


class _Value:
    """A value that each thread of a kernel has, such as ``cuda.laneid``."""

    def __init__(self, name, text):
        self._name, self.__doc__ = name, text

    def _raise(self, *arguments):
        _refuse(self._name)

    __index__ = __int__ = __float__ = __bool__ = __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = _raise
    __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = __lt__ = __le__ = __gt__ = __ge__ = __and__ = __rand__ = _raise

    def __repr__(self):
        return f"<cuda.{self._name}>"


def _module(name, text, **members):
    module = _types.ModuleType(f"{_PACKAGE}.{name}", text)
    module.__dict__.update(members)
    _sys.modules[module.__name__] = module
    return module


def _index(name, text):
    return _module(name, text, **{axis: _Value(f"{name}.{axis}", f"Along {axis}; an int32.") for axis in "xyz"})


threadIdx = _index("threadIdx", "The thread's place in its block.")
blockIdx = _index("blockIdx", "The block's place in the grid.")
blockDim = _index("blockDim", "How many threads a block has.")
gridDim = _index("gridDim", "How many blocks the grid has.")
laneid = _Value("laneid", "The thread's place in its warp: an int32 from 0 to 31.")
warpsize = _Value("warpsize", "How many threads a warp has: 32.")

_UPDATE = "Atomically ``ary[idx] = {}``; returns the old value. ``idx`` is an int or a tuple of ints."

shared = _module(
    "shared",
    "Memory that the threads of a block share.",
    array=_function(
        "shared.array",
        "shape, dtype, alignment=None",
        "An uninitialised array of the block. ``shape``: positive ints known when it is compiled, or 0 for all of the "
        "dynamic shared memory of the launch. ``alignment``: of what its address is a multiple, in "
        "bytes: a power of two from 8 to 1024; 16 where it is left out.",
    ),
)
local = _module(
    "local",
    "Memory of one thread.",
    array=_function(
        "local.array",
        "shape, dtype, alignment=None",
        "An uninitialised array of the thread; ``shape`` is known when it is compiled. ``alignment`` as in "
        "`shared.array`.",
    ),
)
const = _module(
    "const",
    "Memory that no kernel changes.",
    array_like=_function(
        "const.array_like", "ndarray", "The elements that a global NumPy array has when the kernel is compiled."
    ),
)
atomic = _module(
    "atomic",
    "Updates of array elements that other threads do not interrupt.",
    add=_function("atomic.add", "ary, idx, val", _UPDATE.format("ary[idx] + val")),
    sub=_function("atomic.sub", "ary, idx, val", _UPDATE.format("ary[idx] - val")),
    and_=_function("atomic.and_", "ary, idx, val", _UPDATE.format("ary[idx] & val")),
    or_=_function("atomic.or_", "ary, idx, val", _UPDATE.format("ary[idx] | val")),
    xor=_function("atomic.xor", "ary, idx, val", _UPDATE.format("ary[idx] ^ val")),
    inc=_function("atomic.inc", "ary, idx, val", _UPDATE.format("0 if ary[idx] >= val else ary[idx] + 1")),
    dec=_function(
        "atomic.dec", "ary, idx, val", _UPDATE.format("val if ary[idx] == 0 or ary[idx] > val else ary[idx] - 1")
    ),
    exch=_function("atomic.exch", "ary, idx, val", _UPDATE.format("val")),
    max=_function("atomic.max", "ary, idx, val", _UPDATE.format("max(ary[idx], val)") + " NaN if either is."),
    min=_function("atomic.min", "ary, idx, val", _UPDATE.format("min(ary[idx], val)") + " NaN if either is."),
    nanmax=_function(
        "atomic.nanmax", "ary, idx, val", _UPDATE.format("max(ary[idx], val)") + " NaN counts as missing."
    ),
    nanmin=_function(
        "atomic.nanmin", "ary, idx, val", _UPDATE.format("min(ary[idx], val)") + " NaN counts as missing."
    ),
    compare_and_swap=_function(
        "atomic.compare_and_swap",
        "ary, old, val",
        "Atomically ``ary[0] = val`` if ``ary[0] == old``; returns what was there. ``ary`` has one dimension.",
    ),
    cas=_function(
        "atomic.cas", "ary, idx, old, val", "Atomically ``ary[idx] = val`` if it was ``old``; returns what was there."
    ),
)

_LOADS = {
    "ldca": "in all levels of the cache",
    "ldcg": "in the second level of the cache alone, which all multiprocessors share",
    "ldcs": "in the cache for short, since it is read once",
    "ldlu": "in the cache no more: it is read for the last time",
    "ldcv": "nowhere: it is fetched from memory each time",
}
_STORES = {
    "stcg": "in the second level of the cache alone",
    "stcs": "in the cache for short, since nothing reads it soon",
    "stwb": "in all levels of the cache",
    "stwt": "in memory too, through the cache",
}
_HINT = "``i`` is an int or a tuple of ints, ``array`` an array of numbers or vectors in global memory, or a pointer."
for _name, _text in _LOADS.items():
    globals()[_name] = _function(_name, "array, i", f"``array[i]``, kept {_text}. {_HINT}")
for _name, _text in _STORES.items():
    globals()[_name] = _function(_name, "array, i, value", f"``array[i] = value``, kept {_text}. {_HINT}")

grid = _function("grid", "ndim", "The thread's place in the whole grid: an int64, or a tuple of ``ndim`` of them.")
gridsize = _function(
    "gridsize", "ndim", "How many threads the whole grid has: an int64, or a tuple of ``ndim`` of them."
)

syncthreads = _function("syncthreads", "", "Wait for all threads of the block.")
syncthreads_count = _function(
    "syncthreads_count", "predicate", "Wait; how many threads of the block have a true predicate."
)
syncthreads_and = _function(
    "syncthreads_and", "predicate", "Wait; non-zero if all threads of the block have a true predicate."
)
syncthreads_or = _function(
    "syncthreads_or", "predicate", "Wait; non-zero if any thread of the block has a true predicate."
)
syncwarp = _function("syncwarp", "mask=0xFFFFFFFF", "Wait for the threads of the warp that ``mask`` names.")
threadfence = _function(
    "threadfence", "", "What this thread wrote before is seen by the device before what it writes next."
)
threadfence_block = _function("threadfence_block", "", "The same for the threads of the block.")
threadfence_system = _function("threadfence_system", "", "The same for the host and all devices.")
nanosleep = _function("nanosleep", "ns", "Suspend the thread for about ``ns`` nanoseconds.")

shfl_sync = _function("shfl_sync", "mask, value, src_lane", "The value that lane ``src_lane`` of the warp has.")
shfl_up_sync = _function("shfl_up_sync", "mask, value, delta", "The value that the lane ``delta`` below has.")
shfl_down_sync = _function("shfl_down_sync", "mask, value, delta", "The value that the lane ``delta`` above has.")
shfl_xor_sync = _function("shfl_xor_sync", "mask, value, lane_mask", "The value that lane ``laneid ^ lane_mask`` has.")
all_sync = _function("all_sync", "mask, predicate", "Whether the predicate is true in all lanes of the mask.")
any_sync = _function("any_sync", "mask, predicate", "Whether the predicate is true in any lane of the mask.")
eq_sync = _function("eq_sync", "mask, predicate", "Whether the predicate is the same in all lanes of the mask.")
ballot_sync = _function(
    "ballot_sync", "mask, predicate", "The lanes of the mask in which the predicate is true, as bits."
)
match_any_sync = _function("match_any_sync", "mask, value", "The lanes of the mask that have the same value, as bits.")
match_all_sync = _function(
    "match_all_sync", "mask, value", "(mask, True) if all lanes of the mask have the same value, else (0, False)."
)
activemask = _function("activemask", "", "The lanes of the warp that are active here, as bits.")
lanemask_lt = _function("lanemask_lt", "", "The lanes below this one, as bits.")

popc = _function("popc", "x", "How many bits are set.")
brev = _function("brev", "x", "The bits in reverse order.")
clz = _function("clz", "x", "How many of the highest bits are zero.")
ffs = _function("ffs", "x", "The position of the lowest bit that is set, from 1; 0 if none is.")
fma = _function("fma", "a, b, c", "``a * b + c``, rounded once.")
cbrt = _function("cbrt", "a", "The cube root.")
selp = _function("selp", "a, b, c", "``b`` if ``a`` else ``c``, without a branch.")

__all__ = [name for name in globals() if not name.startswith("_")]
