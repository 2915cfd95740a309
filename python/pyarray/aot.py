"""Compilation ahead of time: extension modules and wheels that run without pyarray, and libraries for C.

See ``docs/ahead-of-time.md``.
"""

import inspect
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile

from . import _pyarray
from ._aot_header import header_text
from .errors import UnsupportedError

__all__ = ["Module", "link_arguments", "runtime_library"]

_HERE = os.path.dirname(os.path.abspath(__file__))
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_SUFFIXES = (".o", ".a", ".so", ".ptx", ".ltoir")


def runtime_library():
    """The path of ``libpyarray_runtime.a``, which C programs link beside objects that were made here."""
    return os.path.join(_HERE, "libpyarray_runtime.a")


def link_arguments():
    """What a C compiler's command line needs behind the objects, as a list of words."""
    return [runtime_library(), *_system_libraries()]


def _system_libraries():
    return ["-lstdc++", "-lm", "-ldl", "-lpthread"]


# ------------------------------------------------------------------------------------------------
# Tools


def _tool(variable, *names):
    """The command of a tool, as words: of an environment variable, else the first of the names that there is."""
    given = os.environ.get(variable)
    if given:
        return given.split()
    for name in names:
        if path := shutil.which(name):
            return [path]
    raise FileNotFoundError(f"none of {', '.join(names)} is installed; set {variable} to one")


def _run(command):
    done = subprocess.run(command, capture_output=True, text=True, errors="replace")
    if done.returncode:
        raise RuntimeError(f"{command[0]} failed: {(done.stderr or done.stdout).strip()}")
    return done.stdout.strip()


def _compiler():
    return _tool("CC", "cc", "gcc", "clang")


def _static_libstdcxx(compiler):
    """A shared library takes what it needs of the C++ library with it, where that can be had as an archive."""
    path = _run([*compiler, "-print-file-name=libstdc++.a"])
    return path if os.path.isabs(path) else "-lstdc++"


def _link_shared(output, objects, archives, exported):
    compiler = _compiler()
    with tempfile.TemporaryDirectory() as folder:
        script = os.path.join(folder, "exported.map")
        with open(script, "w") as file:
            file.write(f"{{ global: {'; '.join(exported)}; local: *; }};\n")
        libraries = [_static_libstdcxx(compiler) if word == "-lstdc++" else word for word in _system_libraries()]
        _run([
            *compiler, "-shared", "-o", output, *objects, *archives, *libraries, f"-Wl,--version-script={script}",
            "-Wl,--gc-sections", "-Wl,-z,nostart-stop-gc", "-Wl,-z,relro", "-Wl,-z,now", "-Wl,-Bsymbolic", "-s",
        ])  # fmt: skip


def _write_object(output, objects):
    if len(objects) == 1:
        shutil.copyfile(objects[0], output)
    else:
        _run([*_tool("LD", "ld.lld", "ld.lld-22", "ld"), "-r", "-o", output, *objects])


def _write_archive(output, objects):
    if os.path.exists(output):
        os.remove(output)  # ar adds to what there is
    _run([*_tool("AR", "ar", "llvm-ar", "llvm-ar-22"), "rcs", output, *objects])


# ------------------------------------------------------------------------------------------------
# Functions


def _check_name(name, what):
    if not isinstance(name, str) or not _NAME.match(name):
        raise ValueError(f"{what} is a name as C and Python have them, not {name!r}")
    return name


class _Export:
    """A function under a name, for a signature."""

    def __init__(self, function, name, signature, options):
        from .decorators import _read_options
        from .signatures import code_of

        plain = getattr(function, "py_func", function)
        if not inspect.isfunction(plain):
            raise TypeError(f"functions of Python can be exported, not {function!r}")
        given = {**dict(getattr(function, "targetoptions", {})), **options}
        self.name = _check_name(name, "an export")
        self.code = code_of(signature)
        self.text = signature if isinstance(signature, str) else str(signature)
        self.function = plain
        self.parameters = self._parameters()
        self.dispatcher = _pyarray.Dispatcher(plain, _read_options(given), given)

    def _parameters(self):
        names = []
        for parameter in inspect.signature(self.function).parameters.values():
            if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD, parameter.KEYWORD_ONLY):
                raise UnsupportedError(
                    f"{self.name} cannot be exported: parameter {str(parameter)!r} has no place of its own"
                )
            names.append(parameter.name)
        return names

    def compile(self, form, module, cpu, features):
        """The complete type code, and the object file's bytes."""
        from . import types

        code, made = self.dispatcher._export(
            self.code, form, self.name, ",".join(self.parameters), self.text, module, cpu, features
        )
        if self.dispatcher._fingerprint(self.code) is None:
            raise UnsupportedError(
                f"{self.name} cannot be compiled ahead of time: it refers to something of this process alone, such as "
                "the address of a function of C"
            )
        self.code = code
        self.signature = types.signature_from_code(self.code)
        return made


def _shown(exports):
    """The exports, one after the other; on a terminal a line says which, as that of a long compilation does."""
    terminal = sys.stderr is not None and sys.stderr.isatty() and os.environ.get("TERM", "dumb") != "dumb"
    if not terminal or os.environ.get("PYARRAY_PROGRESS") == "0":
        yield from exports
        return
    try:
        for number, export in enumerate(exports, 1):
            print(f"\r\033[Kexport {number} of {len(exports)}: {export.name[:40]}", end="", file=sys.stderr, flush=True)
            yield export
    finally:
        print("\r\033[K", end="", file=sys.stderr, flush=True)


class Module:
    """Functions that are compiled together: a Python extension module, or a library for C.

    Parameters
    ----------
    name : str
        Of the extension module, which may lie in a package, ``"package.name"``.
    cpu : str, optional
        A processor as LLVM names it; ``"native"`` is this one. The default runs on all of x86-64.
    features : str, optional
        More of its instructions, ``"+avx2,+fma"``.

    Examples
    --------
    >>> module = Module("fast")
    >>> @module.export("mean", "float64(float64[::1])")
    ... def mean(a):
    ...     return a.sum() / a.size
    >>> module.compile("build")  # doctest: +SKIP
    'build/fast.cpython-311-x86_64-linux-gnu.so'
    """

    def __init__(self, name, cpu="x86-64", features=""):
        for part in str(name).split("."):
            _check_name(part, "a module")
        self.name = name
        self.cpu, self.features = (None, None) if cpu == "native" else (cpu, features)
        self._exports = []

    def export(self, name, signature, **options):
        """Decorator: add a function under a name, for a signature.

        Parameters
        ----------
        name : str
            A second signature under the same name makes an overload, in extension modules.
        signature : str, Signature or tuple of types
            ``"float64(float64[:])"``; without a result, that of the function.
        **options
            Those of :func:`njit`.

        Returns
        -------
        decorator
            It gives the function as it is.
        """

        def add(function):
            self._exports.append(_Export(function, name, signature, options))
            return function

        return add

    def _compile_objects(self, folder, form, module):
        if not self._exports:
            raise ValueError(f"nothing is exported by {self.name}")
        paths = []
        for number, export in enumerate(_shown(self._exports)):
            made = export.compile(form, module if number == 0 else None, self.cpu, self.features)
            paths.append(os.path.join(folder, f"{number}_{export.name}.o"))
            with open(paths[-1], "wb") as file:
                file.write(made)
        return paths

    def _check_types(self):
        """Of extension modules: types whose values are told apart by classes of a process."""
        for export in self._exports:
            found = re.search(r"[JNEPpk]\[|r[gb]|\*:|c\[", re.sub(r"[Mm]\[[^]]*\]|r\[[^]]*\]", "", export.code))
            if found:
                raise UnsupportedError(
                    f"{export.name} cannot be compiled ahead of time: its signature {export.text} has a class, a "
                    "function or a random generator, which only the process that compiled it knows"
                )

    def compile(self, path=None):
        """Make the extension module, which needs NumPy alone.

        Parameters
        ----------
        path : str, optional
            A folder, by default the current one; or the file, which ends in ``.so``.

        Returns
        -------
        str
            The file's path.

        Raises
        ------
        UnsupportedError
            Where a function needs the compiler's process: objmode, classes of its signature, addresses of C functions.
        """
        path = os.fspath(path or ".")
        last = self.name.rpartition(".")[2]
        if not path.endswith(".so"):
            os.makedirs(path, exist_ok=True)
            path = os.path.join(path, last + sysconfig.get_config_var("EXT_SUFFIX"))
        with tempfile.TemporaryDirectory() as folder:
            objects = self._compile_objects(folder, "python", last)
            self._check_types()
            archives = [os.path.join(_HERE, "libpyarray_extension.a"), runtime_library()]
            _link_shared(path, objects, archives, [f"PyInit_{last}"])
        return path

    def wheel(self, folder=".", version="0.1.0", distribution=None):
        """Make a wheel of the extension module, for this version of Python, and give its path.

        Parameters
        ----------
        folder : str, optional
        version : str, optional
        distribution : str, optional
            Its name for pip; by default the module's.
        """
        from ._aot_wheel import write_wheel

        with tempfile.TemporaryDirectory() as scratch:
            extension = self.compile(scratch)
            return write_wheel(folder, distribution or self.name.replace(".", "_"), version, self.name, extension)

    def library(self, output, header=None):
        """Make an object, an archive or a shared library for C, by the ending of `output`; or a GPU's code.

        Parameters
        ----------
        output : str
            ``.o`` and ``.a`` are linked with :func:`link_arguments`; ``.so`` needs nothing; ``.ptx``, ``.ltoir``.
        header : str, optional
            Where the C header is written.

        Returns
        -------
        str
            The path of the output.
        """
        output = os.fspath(output)
        suffix = os.path.splitext(output)[1]
        if suffix not in _SUFFIXES:
            raise ValueError(f"'{output}' ends in none of {', '.join(_SUFFIXES)}")
        if suffix in (".ptx", ".ltoir"):
            if header:
                raise ValueError("code for a GPU has no C header")
            return self._write_device_code(output, suffix[1:])
        names = [export.name for export in self._exports]
        if len(set(names)) < len(names):
            raise ValueError("C has no overloads: each export needs a name of its own")
        stem = os.path.basename(output)[: -len(suffix)].removeprefix("lib")
        prefix = re.sub(r"\W", "_", stem) if suffix == ".so" else None
        with tempfile.TemporaryDirectory() as folder:
            objects = self._compile_objects(folder, "c", prefix)
            if suffix == ".so":
                _link_shared(output, objects, [runtime_library()], [*names, f"{prefix}_*"])
            elif suffix == ".a":
                _write_archive(output, objects)
            else:
                _write_object(output, objects)
        if header:
            with open(header, "w", encoding="utf-8") as file:
                file.write(header_text(os.path.basename(header), self._exports, prefix))
        return output

    def _write_device_code(self, output, kind):
        from . import cuda

        if len(self._exports) != 1:
            raise UnsupportedError(f"a .{kind} file has one function; make one for each, which the driver links")
        [export] = self._exports
        info = {"abi_name": export.name}
        device = not export.code.endswith((">n", ">"))
        architecture = re.match(r"sm_(\d+)(\d)$", self.cpu or "")
        cc = tuple(map(int, architecture.groups())) if architecture else None
        code, _ = cuda.compile(export.function, export.text, device=device, cc=cc, abi="c", abi_info=info, output=kind)
        with open(output, "wb") as file:
            file.write(code.encode() if isinstance(code, str) else bytes(code))
        return output


# ------------------------------------------------------------------------------------------------
# pyarray-translate --export


def _translate(exports, path, output, header, options):
    """What ``pyarray-translate --export`` asks for: the text of what is wrong, or None."""
    from ._translate import _ImportFailed, _in_one_line, _load

    try:
        if path is None:
            raise ValueError("--export needs a Python file")
        if not output:
            raise ValueError("--export needs -o FILE")
        cpu, features = options.pop("cpu", None) or "x86-64", options.pop("features", None) or ""
        library = Module("export", cpu, features)
        loaded = _load(path)
        for text in exports:
            name, colon, signature = text.partition(":")
            if not colon:
                raise ValueError(f"--export takes 'name:signature', not '{text}'")
            target = loaded
            for part in name.split("."):
                target = getattr(target, part)
            library.export(name.replace(".", "_"), signature, **options)(target)
        library.library(output, header)
    except KeyboardInterrupt:
        raise
    except _ImportFailed as failure:
        return str(failure)
    except BaseException as error:  # whatever objects of the user's do
        return f"{type(error).__name__}: {error}" if str(error) else _in_one_line(error, path)
    return None


if __name__ == "__main__":
    print(*link_arguments())
