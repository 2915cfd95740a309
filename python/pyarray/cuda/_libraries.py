"""Where CUDA's libraries are: NVIDIA's Python packages, a toolkit, or where the loader looks, in this order."""

import functools
import os
from glob import glob
from importlib.util import find_spec

from .._pyarray import cuda as _cuda


def package_folders():
    """Folders of the Python packages ``nvidia.*`` of this environment, the newest version of CUDA first."""
    try:
        spec = find_spec("nvidia")
    except (ImportError, ValueError):
        spec = None
    folders = spec.submodule_search_locations or () if spec else ()
    return [found for folder in folders for found in sorted(glob(f"{folder}/*"), reverse=True)]


def toolkits():
    """Folders of CUDA toolkits: what CUDA_HOME and CUDA_PATH name, and the usual place."""
    named = [os.environ.get(name) for name in ("CUDA_HOME", "CUDA_PATH")]
    return [folder for folder in (*named, "/usr/local/cuda") if folder]


_FILES = {"nvjitlink": "nvJitLink"}  # whose names are spelled otherwise


@functools.cache
def open_compiler(name):
    """Open "nvrtc", "nvjitlink" or "nvvm", for which no GPU is needed.

    Raises
    ------
    CudaSupportError
        It is not there.
    """
    _cuda.open_library(name, _paths(name))


def _paths(name):
    """Files that may be the library ``name`` ("cufft"), best first; PYARRAY_CUDA_LIBRARIES alone, if set."""
    only = os.environ.get("PYARRAY_CUDA_LIBRARIES")
    if only:
        folders = [only]
    else:
        parts = ("lib64", "targets/x86_64-linux/lib", "nvvm/lib64")
        toolkit = [f"{folder}/{part}" for folder in toolkits() for part in parts]
        folders = [f"{folder}/{part}" for folder in package_folders() for part in ("lib", "lib64")] + toolkit
    file = _FILES.get(name, name)
    found = [path for folder in folders for path in sorted(glob(f"{folder}/lib{file}.so*"), reverse=True)]
    # A package has one file, a toolkit the same one under several names.
    paths = list({os.path.realpath(path): path for path in reversed(found)}.values())[::-1]
    return paths[:8] if only else [*paths[:8], f"lib{file}.so"]


@functools.cache
def is_there(name):
    """Open the library for the GPU. False where the CPU plays the device, and NumPy its library.

    Raises
    ------
    CudaSupportError
        There is a GPU, and no such library.
    """
    if _cuda.kind() == "cpu":
        return False
    open_library(name)
    return True


@functools.cache
def open_library(name):
    """Open the library, or what has its place where the CPU plays the device. Raises as ``is_there`` does."""
    _cuda.open_library(name, [] if _cuda.kind() == "cpu" else _paths(name))
