"""CUDA C++ that kernels are linked with: compiled by NVRTC for a GPU, by clang for the CPU, or to be inlined."""

import functools
import os
import re
import shutil
import subprocess
import tempfile

from .._pyarray import cuda as _cuda
from ..errors import LinkerError
from ._libraries import open_compiler, package_folders, toolkits
from ._link import read_file

_INCLUDE = re.compile(
    rb'^[ \t]*(?:#|%:)[ \t]*(?:include|include_next|import|embed)\b[ \t]*(?:"([^"\n]+)"|<([^>\n]+)>|(.*))', re.MULTILINE
)
_SPLICE, _COMMENT = re.compile(rb"\\[ \t]*\r?\n"), re.compile(rb"/\*.*?\*/", re.DOTALL)
_HERE = os.path.dirname(os.path.abspath(__file__))


def include_folders(source):
    """Where ``#include`` looks: the source's folder, and those of PYARRAY_CUDA_INCLUDE, which colons part."""
    named = os.environ.get("PYARRAY_CUDA_INCLUDE", "").split(os.pathsep)
    return [folder for folder in (source.folder, *named) if folder]


@functools.cache
def toolkit_headers():
    """The folders with CUDA's own headers: of NVIDIA's Python packages, and of toolkits."""
    folders = [f"{folder}/include" for folder in package_folders()]
    for folder in toolkits():
        folders += [f"{folder}/include", f"{folder}/targets/x86_64-linux/include"]
    folders += [f"{folder}/cccl" for folder in folders]  # the C++ library, from CUDA 13 on
    return [folder for folder in dict.fromkeys(map(os.path.realpath, folders)) if os.path.isdir(folder)]


def included(source, content):
    """The contents of files that it includes, directly or not, from the user's folders; None where no text says which.

    That is an ``#include`` of a macro.
    """
    seen, waiting, contents = set(), [(source.folder, content)], []
    while waiting:
        folder, text = waiting.pop()
        spliced = _SPLICE.sub(b"", text)  # what looks like a comment may be in a string, so both ways are searched
        for quoted, angled, other in _INCLUDE.findall(spliced + b"\n" + _COMMENT.sub(b"", spliced)):
            if other:
                return None
            name = os.fsdecode(quoted or angled)
            for place in ([folder] if quoted and folder else []) + include_folders(source):
                path = os.path.realpath(os.path.join(place, name))
                if path in seen or not os.path.isfile(path):
                    continue
                seen.add(path)
                try:
                    found = read_file(path)
                except OSError:
                    break  # the compiler tells
                contents.append(os.fsencode(path) + b"\0" + found)
                waiting.append((os.path.dirname(path), found))
                break
    return contents


# ------------------------------------------------------------------------------------------------
# clang


@functools.cache
def clang():
    """The path of a clang, or None: what PYARRAY_CLANG names, alone; else the newest that this compiler can read."""
    named = os.environ.get("PYARRAY_CLANG")
    if named:
        return shutil.which(named)
    for name in [f"clang-{version}" for version in range(22, 13, -1)] + ["clang"]:
        if found := shutil.which(name):
            return found
    return None


def _run_clang(source, content, arguments):
    command = [
        clang(),
        "-c",
        "-emit-llvm",
        "-std=c++17",
        "-fno-exceptions",
        "-fno-asynchronous-unwind-tables",
        *arguments,
    ]
    for folder in include_folders(source):
        command += ["-I", folder]
    for folder in toolkit_headers():
        command += ["-isystem", folder]
    name = source.name.replace("\\", "\\\\").replace('"', '\\"')
    with tempfile.TemporaryDirectory(prefix="pyarray-") as folder:
        path, made = os.path.join(folder, "source.cu"), os.path.join(folder, "made.bc")
        with open(path, "wb") as file:
            file.write(f'#line 1 "{name}"\n'.encode() + content)
        try:
            done = subprocess.run([*command, path, "-o", made], capture_output=True, text=True, errors="replace")
        except OSError as error:
            raise LinkerError(f"{source.name}: {clang()} cannot be run: {error.strerror}") from None
        if done.returncode:
            raise LinkerError(f"{source.name} does not compile:\n{_log(done.stderr)}{_missing_header(done.stderr)}")
        if not os.path.isfile(made):
            raise LinkerError(f"{source.name}: {clang()} makes no bitcode: it is no clang; PYARRAY_CLANG names one")
        with open(made, "rb") as file:
            return file.read()


def _log(text):
    """What a compiler said, without what is not about the source."""
    lines = [line for line in text.rstrip("\0\n ").split("\n") if not line.startswith("clang: ")]
    return "\n".join(lines) or "the compiler ended without a word about it"


def _missing_header(log):
    found = re.search(
        r"'?([\w./]+)'? file not found|could not open source file \"([^\"]+)\"|cannot open source file \"([^\"]+)\"",
        log,
    )
    if not found:
        return ""
    name = next(filter(None, found.groups()))
    package = next((package for start, package in _PACKAGES if name.startswith(start)), None)
    hint = f"install CUDA's headers: pip install {package}, or a toolkit; or name" if package else "name"
    return f"\n\nHint: {hint} the folder of {name} in PYARRAY_CUDA_INCLUDE"


_PACKAGES = (
    ("curand", "nvidia-curand nvidia-cuda-runtime nvidia-cuda-crt"),
    ("cuda/", "nvidia-cuda-cccl"),
    ("cu", "nvidia-cuda-runtime nvidia-cuda-crt"),
    ("cooperative_groups", "nvidia-cuda-cccl"),
    ("math_constants", "nvidia-cuda-runtime"),
)  # the first that fits


def host_bitcode(source, content, options):
    """Bitcode for the CPU of device functions in plain C++.

    Raises
    ------
    LinkerError
        There is no clang, or the source does not compile.
    """
    if clang() is None:
        raise LinkerError(
            f"{source.name}: without a GPU, functions of CUDA C++ are compiled by clang, which is not there; install "
            "it, or let PYARRAY_CLANG name it"
        )
    debug = options["debug"] if source.debug is None else source.debug
    arguments = ["-x", "c++", "-include", os.path.join(_HERE, "host_device.h"), "-fPIC", "-fno-stack-protector"]
    arguments += ["-O0" if debug else "-O1", "-fno-math-errno", "-ffp-contract=off"]
    # What is wrong ends in a trap, of which lib/codegen/linked_guards.c makes an error; and a recursion without end is
    # neither a loop without end nor left out.
    arguments += ["-fsanitize=return,array-bounds", "-fsanitize-trap=return,array-bounds"]
    arguments += ["-fno-optimize-sibling-calls", "-fno-finite-loops", "-fno-rtti"]
    return _run_clang(source, content, arguments)


def device_bitcode(source, content, arch, options):
    """Bitcode for a GPU, or None where there is no clang, or it does not compile the source.

    What clang does not compile NVRTC may: its headers differ.
    """
    if clang() is None:
        return None
    arguments = [
        "-x",
        "cuda",
        "--cuda-device-only",
        f"--cuda-gpu-arch={arch}",
        "-nocudalib",
        "-O1",
        "-Wno-unknown-cuda-version",
    ]
    if options["fastmath"]:
        arguments += ["-ffast-math", "-fcuda-flush-denormals-to-zero"]
    # A toolkit may be newer than clang: then what is in these headers alone has to do.
    definitions = [["-nocudainc", "-include", os.path.join(_HERE, "device_only.h")]]
    toolkit = next((folder for folder in toolkits() if os.path.isfile(f"{folder}/include/cuda.h")), None)
    if toolkit:
        definitions.insert(0, [f"--cuda-path={toolkit}"])
    for each in definitions:
        try:
            return _run_clang(source, content, arguments + each)
        except LinkerError:
            pass
    return None


# ------------------------------------------------------------------------------------------------
# NVRTC


def compile_source(source, content, arch, options, lto=False):
    """A cubin that is to be linked, and the same as PTX, or with ``lto`` code for link-time optimisation and None.

    NVRTC makes them.

    Raises
    ------
    LinkerError
        The source does not compile: the log has its lines.
    CudaSupportError
        There is no NVRTC.
    """
    open_compiler("nvrtc")
    own = {
        name: value if getattr(source, name, None) is None else getattr(source, name) for name, value in options.items()
    }
    arguments = [f"--gpu-architecture={arch}", "--relocatable-device-code=true", "--std=c++17"]
    arguments += [f"--include-path={folder}" for folder in include_folders(source) + toolkit_headers()]
    if lto:
        arguments += ["-dlto"]
    if own["debug"]:
        arguments += ["--device-debug"]
    elif own["lineinfo"]:
        arguments += ["--generate-line-info"]
    if own["fastmath"]:
        arguments += ["--use_fast_math"]
    if source.opt is False:
        arguments += ["--ptxas-options=-O0"]
    try:
        return _cuda.compile_source(content.rstrip(b"\0"), source.name, arguments)
    except LinkerError as error:
        raise LinkerError(f"{error}{_missing_header(str(error))}") from None
