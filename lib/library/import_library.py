"""Imports the Python library at build time: import_library.py IMPORTER.so PACKAGE OUTPUT.

Every function of ``PACKAGE/library/*.py`` becomes MLIR bytecode of level 1; OUTPUT is what ``lib/ir/library.h`` says.
"""

import ctypes
import importlib
import importlib.util
import linecache
import struct
import sys
import types
from pathlib import Path

ALIGNMENT = 64


class NoExtension:
    """Hides the extension module of an earlier build: what needs it fails in every build, not in the first alone."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        """As importlib calls it."""
        if name == "pyarray._pyarray":
            raise ModuleNotFoundError(f"the library needs {name}, which is built after it")


def load_package(folder):
    """A package ``pyarray`` without its ``__init__``, which needs the compiler that is being built."""
    package = types.ModuleType("pyarray")
    package.__path__ = [str(folder)]
    library = types.ModuleType("pyarray.library")
    library.__path__ = [str(folder / "library")]
    sys.modules.update({"pyarray": package, "pyarray.library": library})
    sys.meta_path.insert(0, NoExtension)
    importlib.import_module("pyarray._named").describes_methods = False
    load_device_names(folder)


def load_device_names(folder):
    """``pyarray.cuda`` with what kernels use alone, which the compiler finds there."""
    package = types.ModuleType("pyarray.cuda")
    package.__path__ = [str(folder / "cuda")]
    sys.modules["pyarray.cuda"] = package
    names = importlib.import_module("pyarray.cuda._device")
    vars(package).update({name: value for name, value in vars(names).items() if not name.startswith("_")})


def load_module(package, path):
    """A module of the library, whose functions name their file as users shall see it, not where it was built."""
    shown = path.relative_to(package.parent)
    name, shown = ".".join(shown.with_suffix("").parts), str(shown)
    text = path.read_text()
    linecache.cache[shown] = (len(text), None, text.splitlines(keepends=True), shown)
    spec = importlib.util.spec_from_loader(name, None)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    exec(compile(text, shown, "exec", dont_inherit=True), vars(module))
    return module


def functions_of(module):
    """The functions that a module defines, by their canonical names."""
    prefix = module.__name__.removeprefix("pyarray.library.")
    return {
        f"{prefix}.{value.__name__}": value
        for value in vars(module).values()
        if isinstance(value, types.FunctionType) and value.__module__ == module.__name__
    }


def packed(codes):
    """The file's bytes, of a dict of names to bytecode."""
    names = b"".join(name.encode() for name in codes)
    entry = struct.Struct("<4I")
    name_at = 4 + entry.size * len(codes)
    end = name_at + len(names)
    index, body = b"", b""
    for name, code in codes.items():
        start = -(-(end + len(body)) // ALIGNMENT) * ALIGNMENT
        body = body.ljust(start - end, b"\0") + code + b"\0"
        index += entry.pack(name_at, len(name.encode()), start, len(code))
        name_at += len(name.encode())
    return struct.pack("<I", len(codes)) + index + names + body


def main(importer, package, output):
    """Writes OUTPUT, unless a row of builtins.def names a function that is not there."""
    core = ctypes.PyDLL(importer)
    core.pa_library_rows.restype = core.pa_library_bytecode.restype = ctypes.py_object
    core.pa_library_bytecode.argtypes = [ctypes.py_object]
    package = Path(package)
    load_package(package)
    found = {}
    for path in sorted(package.glob("library/**/*.py")):
        module = load_module(package, path)
        if not path.stem.startswith("_"):
            found.update(functions_of(module))
    missing = sorted(set(core.pa_library_rows()) - set(found))
    if missing:
        sys.exit(f"functions of builtins.def that the library does not have: {', '.join(missing)}")
    codes = {name: core.pa_library_bytecode(function) for name, function in found.items()}
    Path(output).write_bytes(packed(dict(sorted(codes.items(), key=lambda item: item[0].encode()))))


if __name__ == "__main__":
    main(*sys.argv[1:])
