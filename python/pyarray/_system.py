"""``python -m pyarray -s``: what a report of a defect needs to say of the machine and the installation."""

import os
import platform
import sys

from . import _pyarray


def _line_of(path, start):
    """What follows the colon of the first line of a file that starts so."""
    try:
        with open(path) as file:
            return next((line.partition(":")[2].strip() for line in file if line.startswith(start)), None)
    except OSError:
        return None


def _version(name):
    import importlib.metadata

    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return "not installed"


def _attempt(ask):
    """What is asked for, or why it is not known: a report is of use where something is broken, too."""
    try:
        return ask()
    except Exception as error:
        return f"not known ({type(error).__name__}: {error})"


def _machine():
    cpu, features = _pyarray.host()
    yield "processor", _line_of("/proc/cpuinfo", "model name") or platform.processor() or platform.machine()
    yield "processors of the process", len(os.sched_getaffinity(0))
    yield "LLVM's name of it", cpu
    yield "features", features
    memory = _line_of("/proc/meminfo", "MemTotal")
    yield "memory", memory or "not known"


def _gpus():
    from .cuda import gpus

    kind = _pyarray.cuda.kind()
    yield "kernels run on", {"gpu": "a GPU"}.get(kind, "the CPU")
    if kind != "gpu":
        return
    from . import cuda

    yield "driver", ".".join(map(str, cuda.driver.get_version())) if hasattr(cuda, "driver") else "not known"
    for device in gpus:
        name = device.name.decode() if isinstance(device.name, bytes) else device.name
        yield f"device {device.id}", f"{name}, compute capability {'.'.join(map(str, device.compute_capability))}"


def _cache():
    info = _pyarray.cache_info()
    yield "folder", info["directory"] or "-"
    if info["enabled"]:
        yield "entries", f"{info['entries']}, {info['bytes']} of {info['limit']} bytes"
    else:
        yield "disabled", info["reason"]


def _threads():
    from . import parallel

    yield "threads of a parallel loop", _attempt(parallel.get_num_threads)
    yield "most threads", _attempt(_pyarray.max_threads)
    yield "OpenMP", os.environ.get("PYARRAY_OPENMP_LIBRARY", "libomp.so.5 or libiomp5.so, where one is found")


def _environment():
    starts = tuple("PYARRAY_ NUMBA_ OMP_ KMP_ CUDA_ XDG_CACHE_HOME LD_PRELOAD LD_LIBRARY_PATH PYTHON".split())
    found = {name: value for name, value in sorted(os.environ.items()) if name.startswith(starts)}
    yield from found.items() or [("-", "nothing that concerns pyarray")]


def _packages():
    for name in "numpy scipy numba llvmlite pandas cffi nvidia-nvvm nvidia-cublas nvidia-cufft".split():
        yield name, _version(name)


def _versions():
    from . import __version__, version_info

    yield "pyarray", __version__
    yield "interface of Numba", version_info.string
    yield "from", os.path.dirname(os.path.abspath(__file__))
    yield "compiler", _attempt(_pyarray.core_path)
    yield "LLVM and MLIR", _pyarray.llvm
    yield "Python", f"{sys.version.split()[0]}, {platform.python_implementation()}, {sys.executable}"
    yield "system", platform.platform()
    yield "C library", " ".join(platform.libc_ver()) or "not known"


_PARTS = {
    "Versions": _versions,
    "Packages": _packages,
    "Machine": _machine,
    "GPU": _gpus,
    "Threads": _threads,
    "Cache": _cache,
    "Environment": _environment,
}


def report():
    """The report: {part: {what: value}}, all text."""
    found = {}
    for part, rows in _PARTS.items():
        try:
            found[part] = {name: str(value) for name, value in rows()}
        except Exception as error:
            found[part] = {"not known": f"{type(error).__name__}: {error}"}
    return found


def as_text(found):
    """The report as a table."""
    width = max(len(name) for rows in found.values() for name in rows)
    lines = []
    for part, rows in found.items():
        lines.append(f"{part}")
        lines += [f"  {name:<{width}}  {value}" for name, value in rows.items()]
        lines.append("")
    return "\n".join(lines)
