"""Functions to PTX, without a GPU: ``compile`` and its variants, as Numba has them."""

import operator
import re
from types import FunctionType

from . import _libdevice

#: What PTX is made for where neither an argument nor a device says otherwise.
DEFAULT_COMPUTE_CAPABILITY = (7, 5)
_ABIS = ("c", "numba")
_MOST_OF_CLUSTER = 16
_OWN_NAMES = ("pyarray_", "__nv_")


def _architecture(cc):
    cc = DEFAULT_COMPUTE_CAPABILITY if cc is None else cc
    numbers, feature = (cc[:2], tuple(cc[2:])) if isinstance(cc, (tuple, list)) else ((), ())
    if len(numbers) == 2 and all(hasattr(part, "__index__") for part in numbers) and feature in ((), ("a",), ("f",)):
        cc = f"sm_{operator.index(numbers[0])}{operator.index(numbers[1])}{''.join(feature)}"
    if not isinstance(cc, str) or not cc.isprintable():
        raise TypeError(f"cc is a compute capability such as (9, 0), (9, 0, 'a') or 'sm_90', not {cc!r}")
    return cc


def read_launch_bounds(value):
    """Threads of a block, blocks of a multiprocessor, blocks of a cluster; 0: not said."""
    bounds = tuple(value) if isinstance(value, (tuple, list)) else (value,)
    if not 1 <= len(bounds) <= 3 or not all(hasattr(bound, "__index__") and 0 < bound < 2**31 for bound in bounds):
        raise ValueError(
            "launch_bounds is the most threads of a block, (threads, blocks of a multiprocessor) or (threads, blocks "
            f"of a multiprocessor, blocks of a cluster), not {value!r}"
        )
    if len(bounds) == 3 and bounds[2] > _MOST_OF_CLUSTER:
        raise ValueError(f"a cluster has at most {_MOST_OF_CLUSTER} blocks, not {bounds[2]}")
    return tuple(int(bound) for bound in (*bounds, 0, 0)[:3])


def read_cluster_dims(value):
    """The blocks of a cluster as one number, x + 256 y + 65536 z."""
    extents = tuple(value) if isinstance(value, (tuple, list)) else (value,)
    if not 1 <= len(extents) <= 3 or not all(hasattr(extent, "__index__") and extent > 0 for extent in extents):
        raise ValueError(f"cluster_dims is the number of a cluster's blocks, or a tuple of 1 to 3, not {value!r}")
    x, y, z = (int(extent) for extent in (*extents, 1, 1)[:3])
    if x * y * z > _MOST_OF_CLUSTER:
        raise ValueError(f"a cluster has at most {_MOST_OF_CLUSTER} blocks, not {x * y * z}")
    return x | y << 8 | z << 16


def settle_clusters(cluster, max_cluster):
    """What is said of clusters of ``cluster_dims`` and ``launch_bounds`` together: PTX takes one of the two."""
    blocks = (cluster & 255) * (cluster >> 8 & 255) * (cluster >> 16)
    if cluster and max_cluster and blocks > max_cluster:
        raise ValueError(f"cluster_dims makes clusters of {blocks} blocks, and launch_bounds allows {max_cluster}")
    return {"cluster": cluster, "max_cluster": 0 if cluster else max_cluster}


def read_max_registers(value):
    """Registers of a thread; 0: as many as the code needs."""
    if not hasattr(value, "__index__") or not 0 <= value < 2**31:
        raise ValueError(f"max_registers is a number of registers, not {value!r}")
    return int(value)


_CARVEOUTS = {"default": -1, "maxl1": 0, "maxshared": 100}


def read_carveout(value):
    """Percent of shared memory, plus 1."""
    percent = _CARVEOUTS.get(value.lower()) if isinstance(value, str) else value
    if not hasattr(percent, "__index__") or isinstance(percent, bool) or not -1 <= percent <= 100:
        raise ValueError(
            f"shared_memory_carveout is 'default', 'maxl1', 'maxshared' or a percentage from -1 to 100, not {value!r}"
        )
    return int(percent) + 1 if percent >= 0 else 0


def read_flag(name, value):
    """An option that is on or off, as a bool; numbers are what they are in conditions."""
    if not hasattr(value, "__index__") and type(value).__name__ not in ("bool", "bool_"):
        raise TypeError(f"{name} is True or False, not {value!r}")
    return bool(value)


def read_link(link):
    """The option ``link`` as a tuple; what reads it is loaded where there is any."""
    if link is None or link == () or link == []:
        return ()
    from . import _link

    return _link.read(link)


def _read_abi_name(abi_info):
    """The name that the function shall have in the code, or None.

    Raises
    ------
    TypeError, ValueError
        It is no name of a symbol.
    """
    if abi_info is None:
        return None
    if not isinstance(abi_info, dict):
        raise TypeError(f"abi_info is a dict such as {{'abi_name': 'f'}}, not {abi_info!r}")
    unknown = next((key for key in abi_info if key != "abi_name"), None)
    if unknown is not None:
        raise ValueError(f"abi_info has the key {unknown!r}; 'abi_name' is the only one that there is")
    name = abi_info.get("abi_name")
    if name is None or name == "":
        return None
    if not isinstance(name, str):
        raise TypeError(f"abi_name is a str, not {name!r}")
    if not is_symbol(name):
        raise ValueError(f"abi_name is the name of a symbol: letters, digits, _ and $, no digit first; not {name!r}")
    if name.startswith(_OWN_NAMES):
        raise ValueError(
            f"abi_name is {name!r}: names that begin with {' and '.join(_OWN_NAMES)} are the compiler's own"
        )
    return name


def is_symbol(name):
    """Whether PTX and C have such names."""
    return re.fullmatch(r"[A-Za-z_$][A-Za-z0-9_$]*", name) is not None


def request_options(
    target="cuda",
    cc=None,
    device=False,
    debug=False,
    lineinfo=False,
    fastmath=False,
    fma=True,
    opt=True,
    max_registers=None,
    launch_bounds=None,
    cluster_dims=None,
    name=None,
    boundscheck=None,
    link=(),
    lto=False,
):
    """The keyword arguments of ``_pyarray.compile_device`` for options under their Python names."""
    from ..decorators import _fastmath

    max_threads, min_blocks, max_cluster = (0, 0, 0) if launch_bounds is None else read_launch_bounds(launch_bounds)
    return {
        "target": target,
        "cpu": _architecture(cc) if target == "cuda" else None,
        "device": read_flag("device", device),
        "debug": read_flag("debug", debug),
        "lineinfo": read_flag("lineinfo", lineinfo),
        "fastmath": _fastmath(fastmath) is True,
        "no_fma": not read_flag("fma", fma),
        "no_opt": not read_flag("opt", opt),
        "boundscheck": bool(debug) if boundscheck is None else read_flag("boundscheck", boundscheck),
        "python_errors": bool(debug),
        "max_registers": read_max_registers(max_registers or 0),
        "max_threads": max_threads,
        "min_blocks": min_blocks,
        **settle_clusters(0 if cluster_dims is None else read_cluster_dims(cluster_dims), max_cluster),
        "export_name": name or None,
        "libdevice": _libdevice.path(),
        "link": read_link(link),
        "lto": read_flag("lto", lto),
    }


def compile_to(function, signature, level=None, **options):
    """Compile a function, or show its IR at a level.

    Returns
    -------
    dict
        ``code`` (PTX as text, or the bytes of an object for the CPU), ``type_code``, ``entry`` (its name there),
        ``sites`` (bytes), ``shared_bytes``; with a level only ``code``.
    """
    from .. import _pyarray
    from ..signatures import code_of

    function = getattr(function, "py_func", function)
    if not isinstance(function, FunctionType):
        raise TypeError(f"a Python function is compiled, not {function!r}")
    return _pyarray.compile_device(function, code_of(signature), level, **request_options(**options))


def compile(
    pyfunc,
    sig,
    debug=False,
    lineinfo=False,
    device=True,
    fastmath=False,
    cc=None,
    opt=True,
    abi="c",
    abi_info=None,
    output="ptx",
    fma=True,
    max_registers=None,
    launch_bounds=None,
    link=(),
    lto=False,
    cluster_dims=None,
    forceinline=False,
):
    """Compile a Python function to PTX, or to code for link-time optimisation, for given argument types.

    Parameters
    ----------
    pyfunc : function
    sig : Signature, tuple of types or str
        A result type that is given must be None for kernels; for device functions the result is converted to it.
    device : bool
        A function that other GPU code calls, with the C calling convention, instead of a kernel.
    cc : tuple of int, or str
        Compute capability, such as (9, 0), (9, 0, "a") or "sm_90a"; (7, 5) by default. With "a" the code is for this
        one alone, with "f" for its family.
    opt : bool
        Optimise; without, as with ``debug``.
    abi : {"c", "numba"}
        Of device functions; "numba" has no meaning of its own here.
    abi_info : dict, optional
        ``{"abi_name": name}``: the name in the PTX in place of the Python name.
    max_registers : int, optional
        Registers of a thread.
    launch_bounds : int or tuple of int, optional
        Threads of a block, blocks that a multiprocessor shall hold, and the most blocks of a cluster.
    output : {"ptx", "ltoir"}
        "ltoir" is what nvJitLink links and optimises across files. NVIDIA's libNVVM makes it, which takes this
        compiler's LLVM IR for compute capability 10.0 and newer alone.
    link, lto
        As in `jit`. What is linked is not part of the PTX, save what ``lto`` inlines.
    cluster_dims : int or tuple of int, optional
        Blocks of each cluster.
    forceinline : bool
        Accepted: all that the function calls is inlined, unless it is recursive.

    Returns
    -------
    str or bytes, Type
        The code, and the type of the function's result.

    Raises
    ------
    NvvmError
        libNVVM refuses the function's IR.
    """
    from .. import types

    if abi not in _ABIS:
        raise NotImplementedError(f"Unsupported ABI: {abi}")
    if output not in ("ptx", "ltoir"):
        raise NotImplementedError(f"Unsupported output type: {output}")
    name = _read_abi_name(abi_info)
    options = dict(
        cc=cc, device=device, debug=debug, lineinfo=lineinfo, fastmath=fastmath, fma=fma, opt=opt,
        max_registers=max_registers, launch_bounds=launch_bounds, cluster_dims=cluster_dims,
        name=name, link=link, lto=lto,
    )  # fmt: skip
    result = compile_to(pyfunc, sig, **options)
    code = result["code"] if output == "ptx" else _to_ltoir(pyfunc, sig, result["entry"], options)
    return code, types.signature_from_code(result["type_code"]).return_type


def compile_all(pyfunc, sig, output="ptx", link=(), **options):
    """``compile``, and what is linked: a list of code, the function's first, and the type of its result.

    CUDA C++ is compiled by NVRTC, to PTX or with ``output="ltoir"`` to code for link-time optimisation; other parts are
    in the list as they were given.
    """
    from ..decorators import _fastmath
    from . import _link, _sources

    with _link.seen() as parts:
        code, result = compile(pyfunc, sig, output=output, link=link, **options)
    flags = {name: bool(options.get(name)) for name in ("debug", "lineinfo")}
    flags["fastmath"] = _fastmath(options.get("fastmath")) is True
    arch, lto = _architecture(options.get("cc")), output == "ltoir"
    codes = [code]
    for part, content in parts.values():
        if isinstance(part, _link.CUSource):
            made, text = _sources.compile_source(part, content, arch, flags, lto)
            codes.append(made if lto else text)
        else:
            codes.append(part)
    return codes, result


def _to_ltoir(function, sig, name, options):
    from .._pyarray import cuda
    from ..errors import LinkerError, UnsupportedError
    from ._errors import NvvmError
    from ._libraries import open_compiler

    architecture = _architecture(options["cc"])
    open_compiler("nvvm")
    hint = "\n\nHint: give output='ptx' to the linker instead"
    try:
        text = compile_to(function, sig, "nvvm-ir", **options)["code"]
    except UnsupportedError as error:
        raise NvvmError(f"{name}(): for {architecture} {error}{hint}") from None
    arguments = [f"-arch={architecture.replace('sm', 'compute')}", "-gen-lto", "-opt=3" if options["opt"] else "-opt=0"]
    if options["fastmath"]:
        arguments += ["-ftz=1", "-prec-sqrt=0", "-prec-div=0"]
    if not options["fma"]:
        arguments.append("-fma=0")
    try:
        return cuda.compile_ir(text.encode(), name, arguments)[0]
    except LinkerError as error:
        raise NvvmError(f"{error}{hint}") from None


def compile_ptx(pyfunc, sig, debug=False, lineinfo=False, device=False, fastmath=False, cc=None, opt=True, abi="numba",
                abi_info=None, **options):  # fmt: skip
    """``compile`` whose default is a kernel."""
    return compile(
        pyfunc, sig, debug=debug, lineinfo=lineinfo, device=device, fastmath=fastmath, cc=cc, opt=opt, abi=abi,
        abi_info=abi_info, **options,
    )  # fmt: skip


def _current_compute_capability():
    """That of the current device. Without a GPU there is none."""
    from . import get_current_device

    return get_current_device().compute_capability


def compile_for_current_device(pyfunc, sig, **options):
    """``compile`` for the compute capability of the current device."""
    return compile(pyfunc, sig, cc=_current_compute_capability(), **options)


def compile_ptx_for_current_device(pyfunc, sig, **options):
    """``compile_ptx`` for the compute capability of the current device."""
    return compile_ptx(pyfunc, sig, cc=_current_compute_capability(), **options)
