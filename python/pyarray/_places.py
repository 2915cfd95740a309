"""Where Numba has what is somewhere else here: ``pyarray.core.registry``, ``pyarray.np.numpy_support``, and so on.

A place is one of our modules under another name, which is loaded with the package that the place is in, or a module
with names of ours, each of which is loaded when it is asked for. A place that is not in the table does not exist, as
``import`` says.
"""

import sys
from importlib import import_module
from types import ModuleType

_TYPES = "abstract common containers functions misc npytypes scalars"  # files of numba.core.types
_THREADS = "get_num_threads get_thread_id set_num_threads threading_layer get_parallel_chunksize set_parallel_chunksize"

#: Name of a package or module of ours: its places, each with the module that it is, or where each of its names is.
_PLACES = {
    "core": {
        "ccallback": {"CFunc": "cfuncs"},
        "caching": {},
        "config": "config",
        "decorators": {
            "cfunc": "cfuncs",
            "jit": "decorators",
            "jit_module": "decorators",
            "njit": "decorators",
            "stencil": "stencils",
        },
        "dispatcher": {"Dispatcher": "_pyarray"},
        "errors": "errors",
        "extending": "extending",
        "registry": {"CPUDispatcher": ("_pyarray", "Dispatcher")},
        "runtime": {"rtsys": ("_places", "rtsys")},
        "runtime.nrt": {"rtsys": ("_places", "rtsys")},
        "serialize": {"dumps": ("_places", "_dumps"), "loads": ("_places", "_loads")},
        "types": "types",
        "typing": {"Signature": "types", "signature": "signatures"},
        "typing.cffi_utils": {name: "_pointers" for name in ("SUPPORTED", "register_module", "register_type")},
        "typing.asnumbatype": {"as_numba_type": "classes"},
        "typing.templates": {"Signature": "types", "signature": "signatures"},
        "typing.typeof": {"typeof": "decorators", "typeof_impl": "extending"},
        "utils": {"pysignature": ("_places", "_pysignature")},
    },
    "cuda.core": {"config": "config", "errors": "errors"},
    "cuda.np": {
        "numpy_support": {"as_dtype": "types", "carray": "cfuncs", "farray": "cfuncs", "from_dtype": "types"},
        "ufunc": {"guvectorize": "cuda._vectorize", "vectorize": "cuda._vectorize"},
    },
    "cpython": {"unsafe": {}, "unsafe.tuple": {"tuple_setitem": "extending"}},
    "misc": {
        "special": {
            "as_numba_type": "classes",
            "literal_unroll": "extending",
            "literally": "extending",
            **{name: "decorators" for name in ("pndindex", "prange", "typeof")},
        },
    },
    "np": {
        "extensions": {"cross2d": "extending"},
        "linalg": {"_LAPACK": "_lapack"},
        "numpy_support": {
            "as_dtype": "types",
            "carray": "cfuncs",
            "farray": "cfuncs",
            "from_dtype": "types",
            "from_struct_dtype": ("types", "from_dtype"),
            "numpy_version": "_places",
        },
        "ufunc": {
            **{name: "ufuncs" for name in ("DUFunc", "guvectorize", "vectorize")},
            **{name: "parallel" for name in _THREADS.split()},
        },
        "ufunc.dufunc": {"DUFunc": "ufuncs"},
        "ufunc.omppool": {},  # it is there where Numba has the layer "omp"
        "ufunc.gufunc": {"GUFunc": ("ufuncs", "DUFunc")},
        "ufunc.parallel": {
            "_get_thread_id": ("parallel", "get_thread_id"),
            **{name: "parallel" for name in _THREADS.split()},
        },
        "unsafe": {},
        "unsafe.ndarray": {"to_fixed_tuple": "extending"},
    },
    "experimental": {"jitclass": {"jitclass": "classes"}, "jitclass.base": {"JitClassType": "classes"}},
    "stencils": {"stencil": {"StencilFunc": ("stencils", "Stencil"), "stencil": "stencils"}},
    "typed": {"typeddict": "typed", "typedlist": "typed"},
    "types": {name: "types" for name in _TYPES.split()},
}
# numba.core.types has the same files as numba.types.
_PLACES["core"].update({f"types.{name}": "types" for name in _TYPES.split()})


def _pysignature(function):
    import inspect

    return inspect.signature(getattr(function, "py_func", function))


def __getattr__(name):
    if name == "numpy_version":
        import numpy

        return tuple(int(part) for part in numpy.__version__.split(".")[:2])
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


class _Runtime:
    """Numba's object of this name: what compiled code allocates."""

    def get_allocation_stats(self):
        """Allocations so far: (alloc, free, mi_alloc, mi_free); the last two, of Numba's headers, are the same."""
        from collections import namedtuple

        from ._pyarray import allocation_counts

        allocated, freed = allocation_counts()
        return namedtuple("nrt_mstats", "alloc free mi_alloc mi_free")(allocated, freed, allocated, freed)


rtsys = _Runtime()


def _dumps(value):
    import pickle

    return pickle.dumps(value)


def _loads(data):
    import pickle

    return pickle.loads(data)


def _getattr_of(module_name):
    def look_up(name):
        from ._not_here import missing

        return missing(module_name, name)

    return look_up


def _module_of(place, names):
    made = ModuleType(place, f"Where Numba has {', '.join(sorted(names))}." if names else None)
    made.__path__ = []  # it may have places of its own
    made.__all__ = sorted(name for name in names if not name.startswith("_"))

    def look_up(name):
        if name not in names:
            from ._not_here import missing

            return missing(place, name)
        home, attribute = names[name] if isinstance(names[name], tuple) else (names[name], name)
        value = getattr(import_module("." + home, __package__), attribute)
        setattr(made, name, value)
        return value

    made.__getattr__ = look_up
    made.__dir__ = lambda: sorted({*vars(made), *names})
    return made


def open_places(module_name):
    """Let ``import`` find the places of a module of ours.

    Parameters
    ----------
    module_name : str
        Its ``__name__``; it calls this once, at the end of its file.
    """
    places = _PLACES[module_name.removeprefix(__package__ + ".")]
    for name, what in places.items():
        place = f"{module_name}.{name}"
        found = import_module("." + what, __package__) if isinstance(what, str) else _module_of(place, what)
        sys.modules[place] = found
        owner, _, last = place.rpartition(".")
        vars(sys.modules[owner]).setdefault(last, found)  # experimental.jitclass is the decorator, too
    sys.modules[module_name].__dict__.setdefault("__getattr__", _getattr_of(module_name))
