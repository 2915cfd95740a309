# ruff: noqa: E501  (text of a stub)
"""Writes the type stubs of the package, whose names are looked up when they are used: python/pyarray/*.pyi.

    python tools/write_stubs.py --write

Names are those of the tables in pyarray/__init__.py and pyarray/cuda/__init__.py, taken from their modules; decorators
keep the parameters and the result of the function, which is written out here.
"""

import ast
import pathlib
import sys

PACKAGE = pathlib.Path(__file__).resolve().parent.parent / "python" / "pyarray"

HEAD = "# ruff: noqa\n# Written by tools/write_stubs.py."
ANYTHING = "\ndef __getattr__(name: str) -> Any: ...\n"
MAIN = '''# ruff: noqa
# Written by tools/write_stubs.py.
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Generic, NamedTuple, ParamSpec, Protocol, TypeVar, overload

import numpy

from ._types_basic import Signature as _Signature
from ._types_basic import Type as _Type

_P = ParamSpec("_P")
_R_co = TypeVar("_R_co", covariant=True)
_R = TypeVar("_R")
_C = TypeVar("_C", bound=type[Any])
_Signatures = str | _Signature | tuple[Any, ...] | list[Any]

class _Compiled(Generic[_P, _R_co]):
    """A compiled function."""

    __name__: str
    __qualname__: str
    options: dict[str, Any]
    targetoptions: dict[str, Any]
    @property
    def py_func(self) -> Callable[_P, _R_co]: ...
    @property
    def signatures(self) -> list[tuple[Any, ...]]: ...
    @property
    def nopython_signatures(self) -> list[Any]: ...
    @property
    def overloads(self) -> Mapping[Any, Any]: ...
    @property
    def stats(self) -> Any: ...
    def __call__(self, *args: _P.args, **kwargs: _P.kwargs) -> _R_co: ...
    def compile(self, signature: Any, /) -> Callable[..., Any]: ...
    def recompile(self) -> None: ...
    def disable_compile(self, value: bool = True, /) -> None: ...
    def enable_caching(self) -> None: ...
    def get_metadata(self, signature: Any = None) -> Any: ...
    def get_call_template(self, args: Any, kws: Any) -> Any: ...
    def inspect_types(self, file: Any = None, signature: Any = None) -> None: ...
    def inspect_mlir(self, level: str | int | None = None, signature: Any = None) -> Any: ...
    def inspect_llvm(self, signature: Any = None) -> Any: ...
    def inspect_asm(self, signature: Any = None) -> Any: ...
    def inspect_cfg(self, signature: Any = None, show_wrapper: Any = None, **options: Any) -> Any: ...
    def inspect_disasm_cfg(self, signature: Any = None) -> Any: ...
    def inspect_parallel(self, signature: Any = None) -> Any: ...
    def inspect_fusion(self, signature: Any = None) -> Any: ...
    def parallel_diagnostics(self, signature: Any = None, level: int = 1) -> None: ...
    def fusion_report(self, signature: Any = None) -> None: ...
    def __getattr__(self, name: str, /) -> Any: ...

class _Decorator(Protocol):
    def __call__(self, function: Callable[_P, _R], /) -> _Compiled[_P, _R]: ...

class _UfuncDecorator(Protocol):
    def __call__(self, function: Callable[..., Any], /) -> numpy.ufunc: ...

@overload
def njit(function: Callable[_P, _R], /, **options: Any) -> _Compiled[_P, _R]: ...
@overload
def njit(signature: _Signatures | None = None, /, **options: Any) -> _Decorator: ...
@overload
def jit(function: Callable[_P, _R], /, **options: Any) -> _Compiled[_P, _R]: ...
@overload
def jit(signature: _Signatures | None = None, /, **options: Any) -> _Decorator: ...
@overload
def vectorize(function: Callable[..., Any], /, **options: Any) -> numpy.ufunc: ...
@overload
def vectorize(signatures: str | Iterable[Any] = ..., /, **options: Any) -> _UfuncDecorator: ...
def guvectorize(*signatures: Any, **options: Any) -> _UfuncDecorator: ...
@overload
def stencil(kernel: Callable[..., Any], /, **options: Any) -> Callable[..., Any]: ...
@overload
def stencil(mode: str = "constant", /, **options: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]: ...
@overload
def jitclass(cls: _C, spec: Any = None, /) -> _C: ...
@overload
def jitclass(spec: Any = None, /) -> Callable[[_C], _C]: ...
def cfunc(signature: Any, **options: Any) -> Callable[[Callable[..., Any]], _CFunc]: ...

from .cfuncs import CFunc as _CFunc

DUFunc: Any  # of vectorize without signatures: a ufunc in all but its class

class _VersionInfo(NamedTuple):
    major: int
    minor: int
    patch: int
    short: tuple[int, int]
    full: tuple[int, int, int]
    string: str
    tuple: Any
    git_revision: str | None

__version__: str
version_info: _VersionInfo

class prange:
    def __init__(self, start: int, stop: int = ..., step: int = ..., /) -> None: ...
    def __iter__(self) -> Iterator[int]: ...

class pndindex:
    def __init__(self, *shape: Any) -> None: ...
    def __iter__(self) -> Iterator[tuple[int, ...]]: ...

def set_num_threads(n: int, /) -> None: ...
def get_num_threads() -> int: ...
def get_thread_id() -> int: ...
def threading_layer() -> str: ...
def set_parallel_chunksize(n: int, /) -> int: ...
def get_parallel_chunksize() -> int: ...
'''
#: Written out above.
WRITTEN = set(
    "njit jit vectorize guvectorize DUFunc stencil jitclass cfunc prange pndindex set_num_threads get_num_threads get_thread_id "
    "threading_layer set_parallel_chunksize get_parallel_chunksize".split()
)
CUDA = '''# ruff: noqa
# Written by tools/write_stubs.py.
from collections.abc import Callable
from typing import Any, overload

class _Kernel:
    """A kernel, or a function of one: ``kernel[grid, block](...)``."""

    def __getitem__(self, configuration: Any, /) -> Callable[..., None]: ...
    def __call__(self, *arguments: Any) -> Any: ...
    def forall(self, ntasks: int, tpb: int = 0, stream: Any = 0, sharedmem: int = 0) -> Callable[..., None]: ...
    def __getattr__(self, name: str, /) -> Any: ...

@overload
def jit(function: Callable[..., Any], /, **options: Any) -> _Kernel: ...
@overload
def jit(signature: Any = None, /, **options: Any) -> Callable[[Callable[..., Any]], _Kernel]: ...

threadIdx: Any
blockIdx: Any
blockDim: Any
gridDim: Any
laneid: int
warpsize: int
shared: Any
local: Any
const: Any
atomic: Any
fp16: Any
bf16: Any
gpus: Any
implementation: str

def to_device(obj: Any, stream: Any = 0, copy: bool = True, to: Any = None) -> Any: ...
def grid(ndim: int, /) -> Any: ...
def gridsize(ndim: int, /) -> Any: ...
def syncthreads() -> None: ...
def synchronize() -> None: ...
def is_available() -> bool: ...
def __getattr__(name: str) -> Any: ...  # vectors, functions of half numbers
'''
CUDA_WRITTEN = set("jit gpus to_device grid gridsize syncthreads synchronize is_available".split())


def reexports(module):
    """The imports of a module as ones that its users may rely on."""
    for node in ast.parse((PACKAGE / f"{module}.py").read_text()).body:
        if isinstance(node, ast.ImportFrom) and node.level:
            for alias in node.names:
                name = alias.asname or alias.name
                if not name.startswith("_"):
                    yield f"from .{node.module or ''} import {alias.name} as {name}"


def imports(homes, modules, written):
    """Lines that take each name from its module."""
    by_home = {}
    for name, home in homes.items():
        if name not in written:
            by_home.setdefault(home, []).append(name)
    lines = [f"from . import {module} as {module}" for module in sorted(modules)]
    for home in sorted(by_home):
        lines.append(f"from .{home} import (")
        lines += [f"    {name} as {name}," for name in sorted(by_home[home])]
        lines.append(")")
    return "\n".join(lines) + "\n"


def stubs():
    """Text by the name of the file in the package."""
    import pyarray
    from pyarray import cuda

    functions = "grid gridsize syncthreads syncthreads_count syncthreads_and syncthreads_or syncwarp threadfence"
    device = {name: "_device" for name in functions.split()}
    compiled = {name: "_compile" for name in ("compile", "compile_ptx")}
    cuda_homes = {**cuda._HOME, **device, **compiled, "LinkerError": ".errors"}
    return {
        "__init__.pyi": MAIN + "\n" + imports(pyarray._HOME, pyarray._MODULES, WRITTEN),
        "types.pyi": "\n".join([HEAD, "from typing import Any", *reexports("types"), ANYTHING]),
        "cuda/__init__.pyi": CUDA + "\n" + imports(cuda_homes, cuda._MODULES, CUDA_WRITTEN),
    }


def main():
    """Write the stubs, or say which are not up to date."""
    for name, text in stubs().items():
        if "--write" in sys.argv:
            (PACKAGE / name).write_text(text)
        elif (PACKAGE / name).read_text() != text:
            sys.exit(f"{name} is not up to date: python tools/write_stubs.py --write")


if __name__ == "__main__":
    main()
