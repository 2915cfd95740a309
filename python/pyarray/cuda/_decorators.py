"""``cuda.jit``."""

from .._frameless import frameless
from .._pyarray import Decorator
from .._pyarray import cuda as _cuda
from ..decorators import _fastmath, _is_signature
from ..errors import DeprecationError
from ._compile import (
    read_carveout,
    read_cluster_dims,
    read_flag,
    read_launch_bounds,
    read_link,
    read_max_registers,
    settle_clusters,
)

CUDADispatcher = _cuda.CUDADispatcher

_DEFAULTS = {
    "nogil": False,
    "cache": True,
    "fastmath": False,
    "parallel": False,
    "boundscheck": True,
    "debug": False,
    "accuracy": "default",
    "error_model": "numpy",
    "inline": "auto",
    "device": False,
    "opt": True,
    "lineinfo": False,
    "fma": True,
    "max_registers": 0,
    "max_threads": 0,
    "min_blocks": 0,
    "max_cluster": 0,
    "cluster": 0,
    "kernel_boundscheck": None,
    "link": (),
    "extensions": (),
    "lto": False,
    "carveout": 0,
}
# Options of Numba that change nothing here.
_IGNORED = {"link_in", "forceinline", "nopython", "_dbg_extend_lifetimes", "_dbg_optnone"}
_DIRECT = {"debug", "device", "opt", "lineinfo", "fma", "cache", "lto"}


def _inline(value):
    if isinstance(value, bool):
        return "always" if value else "auto"
    if value not in ("auto", "always", "never"):
        raise ValueError(f"inline is 'auto', 'always' or 'never', not {value!r}")
    return value


def _read_options(given):
    options = dict(_DEFAULTS)
    for name, value in given.items():
        if name in _IGNORED or value is None:
            continue
        if name in ("argtypes", "restype", "bind"):
            raise DeprecationError(f"Deprecated keyword argument `{name}`: pass a signature as the first argument")
        if name == "link":
            options["link"] = read_link(value)
        elif name == "extensions":
            from ._extensions import read

            options["extensions"] = read(value)
        elif name == "launch_bounds":
            options["max_threads"], options["min_blocks"], options["max_cluster"] = read_launch_bounds(value)
        elif name == "cluster_dims":
            options["cluster"] = read_cluster_dims(value)
        elif name == "shared_memory_carveout":
            options["carveout"] = read_carveout(value)
        elif name == "max_registers":
            options["max_registers"] = read_max_registers(value)
        elif name == "boundscheck":
            options["kernel_boundscheck"] = read_flag(name, value)
        elif name == "fastmath":
            options["fastmath"] = _fastmath(value)
        elif name == "inline":
            options["inline"] = _inline(value)
        elif name in _DIRECT:
            options[name] = read_flag(name, value)
        else:
            known = (
                "boundscheck, cache, cluster_dims, debug, device, extensions, fastmath, fma, inline, launch_bounds, "
                "lineinfo, link, lto, max_registers, opt, shared_memory_carveout"
            )
            raise TypeError(f"Unrecognized options: {name!r}. Known options are {known}")
    options.update(settle_clusters(options["cluster"], options["max_cluster"]))
    return options


@frameless
def jit(
    func_or_sig=None, device=False, inline=None, link=(), debug=None, opt=True, lineinfo=False, cache=True, **options
):
    """Compile a function for GPUs: a kernel, or with ``device`` a function that kernels call.

    Parameters
    ----------
    func_or_sig : function, str, Signature, tuple of types, or list of these, optional
        With signatures, the kernel is compiled at once and for them alone; other arguments are converted.
    device : bool
    inline : {'auto', 'always', 'never'}
        Accepted for Numba's sake: all calls are inlined, save recursive ones.
    link : sequence of path-like, LinkableCode
        Code that defines functions which `cuda.declare_device` declares: files, by their suffixes .cu, .ptx, .cubin,
        .fatbin, .o, .a and .ltoir, or what `cuda.CUSource` and its relatives make.
    extensions : sequence of object
        Their ``prepare_args(ty, val, stream, retr)`` gets the type and the value of each argument of a launch, and
        gives what takes their place; the last extension is asked first. What it appends to ``retr`` is called after the
        launch.
    lto : bool
        Inline functions of .cu files, which clang then compiles, where it is installed.
    debug : bool
        Check for errors in every thread, raise them right after the launch, which waits, and keep what debuggers need.
        Such code is not optimised.
    opt : bool
        Optimise.
    lineinfo : bool
        Keep lines of the source for profilers.
    cache : bool
        Keep compiled code on disk. On by default.
    fastmath : bool
        Let the compiler treat floating-point numbers as if they were real.
    fma : bool
        Let ``a * b + c`` be rounded once. On by default.
    max_registers : int
        Registers of a thread, at most.
    launch_bounds : int or tuple of int
        The most threads that a block will have, how many blocks a multiprocessor shall hold at least, and the most
        blocks of a cluster.
    cluster_dims : int or tuple of int
        Blocks of each cluster: compute capability 9.0 or more. Grids must be multiples of it.
    shared_memory_carveout : {'default', 'maxl1', 'maxshared'} or int
        How much of the memory that shared memory and the cache L1 have together is to be shared memory, in percent of
        the most that it can be: a wish. -1: no preference.
    boundscheck : bool
        Raise IndexError for indices out of bounds. By default with ``debug``, and where the CPU runs the kernel.

    Returns
    -------
    CUDADispatcher
        ``kernel[grid, block](...)`` launches it; ``kernel[grid, block, stream, bytes](...)`` in a stream, with dynamic
        shared memory; ``kernel[grid, block, stream, bytes, cluster](...)`` in clusters of blocks.
    """
    given = {
        "device": device,
        "inline": inline,
        "link": link,
        "debug": debug,
        "opt": opt,
        "lineinfo": lineinfo,
        "cache": cache,
    }
    given.update(options)
    normalized = _read_options(given)
    is_function = callable(func_or_sig) and not _is_signature(func_or_sig)
    if isinstance(func_or_sig, CUDADispatcher):
        raise TypeError(f"cuda.jit was called on {func_or_sig!r}, which it has made; its function is .py_func")
    if is_function or func_or_sig is None:
        decorator = Decorator(normalized, given, (), True)
        return decorator(func_or_sig) if is_function else decorator
    from ..signatures import codes_of

    return Decorator(normalized, given, codes_of(func_or_sig), True)
