"""Settings from the environment, read once when this module is first imported.

=============================== ==========================================================================
``PYARRAY_DISABLE_JIT``         1: decorators return the plain function
``PYARRAY_CACHE``               0: no disk cache
``PYARRAY_CACHE_DIR``           where the disk cache is; default ``$XDG_CACHE_HOME/pyarray``
``PYARRAY_CACHE_SIZE``          its size limit, such as ``512M``
``PYARRAY_DECLARED_ERRORS``     of a function with declared signatures that cannot be compiled. ``raise``: the decorator
                                raises, as Numba's does; ``warn``: it warns, and calls raise; default: ``warn`` in
                                modules that name this package ``numba`` or ``nb``, else ``raise``
``PYARRAY_BOUNDSCHECK``         default of ``boundscheck``: 1 or 0
``PYARRAY_DEBUG``               1: IR of failures, verification between passes
``PYARRAY_PROGRESS``            0: no line on the terminal while something takes long to compile
``PYARRAY_WARN``                performance: warn of what costs time, float64 arithmetic on float32 values for one;
                                types: of a uint64 and an integer that may be negative, which make a float64
``PYARRAY_CPU_NAME``            LLVM's name of the CPU to compile for
``PYARRAY_CPU_FEATURES``        LLVM's feature string
``PYARRAY_OPT``                 how far LLVM optimises: 0 not at all, 1 without vectors and unrolled loops, which takes
                                two thirds of the time, 3 all that it has; default: what was measured best, near to 2
``PYARRAY_CORE_LIBRARY``        path of the compiler library
``PYARRAY_NUM_THREADS``         most threads of a parallel loop; default: ``OMP_NUM_THREADS``, else as many
                                as the process may use processors
``PYARRAY_OPENMP_LIBRARY``      path of the OpenMP runtime
``PYARRAY_CUDA``                ``gpu``: kernels run on a GPU; ``cpu``: on the CPU; default: where there is a GPU, on it
``PYARRAY_CUDA_DRIVER``         a library to use in place of ``libcuda.so.1``
``PYARRAY_CUDA_MEMORY_MANAGER`` a module: its ``_numba_memory_manager`` is for ``cuda.set_memory_manager``
``PYARRAY_LIBDEVICE``           path of NVIDIA's ``libdevice.10.bc``
=============================== ==========================================================================
"""

import os


def _flag(name, default):
    text = os.environ.get(name, "").strip().lower()
    return default if not text else text not in ("0", "false", "no", "off")


def _opt():
    given = os.environ.get("PYARRAY_OPT", "").strip() or "3"
    if given not in ("0", "1", "2", "3"):
        raise ValueError(f"PYARRAY_OPT is 0, 1, 2 or 3, not {given!r}")
    return int(given)


def read():
    """Read the environment again: `install_as_numba` has added to it."""
    globals().update(
        DISABLE_JIT=_flag("PYARRAY_DISABLE_JIT", False),
        BOUNDSCHECK=_flag("PYARRAY_BOUNDSCHECK", True),
        DECLARED_ERRORS=os.environ.get("PYARRAY_DECLARED_ERRORS", "").strip().lower(),
        DEBUG=_flag("PYARRAY_DEBUG", False),
        OPT=_opt(),
        CACHE_DIR=os.environ.get("PYARRAY_CACHE_DIR", ""),
        CUDA_LOW_OCCUPANCY_WARNINGS=int(_flag("PYARRAY_CUDA_LOW_OCCUPANCY_WARNINGS", False)),
    )


read()

# Settings of Numba that programs read or set. Setting them changes nothing: there is one threading layer, and the cache
# (CACHE_DIR) and the optimiser (OPT) are as the environment and the options of functions say.
ENABLE_CUDASIM = False
CUDA_WARN_ON_IMPLICIT_COPY = 0
DISABLE_PERFORMANCE_WARNINGS = 0
THREADING_LAYER = "default"
THREADING_LAYER_PRIORITY = ["omp"]


def __getattr__(name):
    if name in ("NUM_THREADS", "NUMBA_NUM_THREADS"):  # asks the system, which importing pyarray should not pay for
        from ._pyarray import max_threads

        globals()["NUM_THREADS"] = globals()["NUMBA_NUM_THREADS"] = count = max_threads()
        return count
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
