"""Writes the type stubs of the package, whose names are looked up when they are used: python/pyarray/*.pyi.

    python tools/write_stubs.py --write

Names are those of the tables in pyarray/__init__.py and pyarray/cuda/__init__.py, taken from their modules; decorators
keep the parameters and the result of the function, which the stubs have by hand, above the mark.
"""

import ast
import pathlib
import sys

PACKAGE = pathlib.Path(__file__).resolve().parent.parent / "python" / "pyarray"

ANYTHING = "\ndef __getattr__(name: str) -> Any: ...\n"
MARK = "\n# From here on written by tools/write_stubs.py.\n"


def head(name):
    """What a stub has by hand, with its mark, and the names that this defines."""
    text = (PACKAGE / name).read_text().partition(MARK)[0]
    names = set()
    for node in ast.parse(text).body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            names.add(node.name)
        elif isinstance(node, ast.AnnAssign):
            names.add(node.target.id)
        elif isinstance(node, ast.Assign):
            names.update(target.id for target in node.targets)
    return text + MARK, names


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
    main, main_names = head("__init__.pyi")
    kernels, kernels_names = head("cuda/__init__.pyi")
    return {
        "__init__.pyi": main + imports(pyarray._HOME, pyarray._MODULES, main_names),
        "types.pyi": "\n".join(["# ruff: noqa" + MARK + "from typing import Any", *reexports("types"), ANYTHING]),
        "cuda/__init__.pyi": kernels + imports(cuda_homes, cuda._MODULES, kernels_names),
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
