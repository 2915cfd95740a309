"""Code of others that kernels are linked with: ``cuda.jit(link=[...])``, ``cuda.declare_device(..., link=...)``."""

import atexit
import codecs
import contextlib
import io
import os
import stat

from .._pyarray import cuda as _cuda
from ..errors import LinkerError
from ._compile import is_symbol, read_flag
from ._errors import CudaSupportError

_CODE = (str, bytes, bytearray, memoryview, io.StringIO, io.BytesIO)


def printable(name):
    """A name as messages and compilers have it: what is no text in it, and ends of lines, are marks."""
    return "".join(c if c.isprintable() else "\ufffd" for c in name)


class LinkableCode:
    """Code in memory that kernels may be linked with.

    Parameters
    ----------
    data : str, bytes, io.StringIO or io.BytesIO
    name : str, optional
        Of the file, for messages.
    setup_callback, teardown_callback : callable, optional
        Called with the module (`pyarray.cuda.cudadrv.driver.Module`) that this code became a part of, once before the
        first launch of its kernel, and once before it goes.
    nrt : bool
        Accepted for Numba's sake.
    debug, lineinfo, opt : bool, optional
        Of CUDA C++: as in `cuda.jit`, in place of what that says.
    """

    kind = None  # the driver's number; None: it is compiled first
    default_name = "<unnamed-code>"
    _is_text = False

    def __init__(self, data, name=None, setup_callback=None, teardown_callback=None, nrt=False, debug=None,
                 lineinfo=None, opt=None):  # fmt: skip
        what = type(self).__name__
        if not _is_file(self) and not isinstance(data, _CODE):
            raise TypeError(f"{what}: code is str or bytes, or an io.StringIO or io.BytesIO of it, not {data!r}")
        if name is not None and not isinstance(name, str):
            raise TypeError(f"{what}: name is a str, not {name!r}")
        if name is not None and name != printable(name):
            raise ValueError(f"{what}: the name {name!r} has characters that are not printed")
        for which, callback in (("setup", setup_callback), ("teardown", teardown_callback)):
            if callback is not None and not callable(callback):
                raise TypeError(f"{which}_callback must be callable, not {callback!r}")
        for option, value in (("debug", debug), ("lineinfo", lineinfo), ("opt", opt)):
            if value is not None:
                read_flag(option, value)
        if self.kind is not None and (debug or lineinfo or opt):
            raise ValueError(f"debug, lineinfo and opt are for CUDA C++, not for {type(self).__name__}")
        self._data, self._name, self.nrt = data, name, nrt
        self.setup_callback, self.teardown_callback = setup_callback, teardown_callback
        self.debug, self.lineinfo, self.opt = debug, lineinfo, opt

    @property
    def name(self):
        return self._name or self.default_name

    @property
    def data(self):
        return self._data.getvalue() if isinstance(self._data, (io.StringIO, io.BytesIO)) else self._data

    @property
    def folder(self):
        """Where ``#include "..."`` looks first, or None."""
        return None

    def content(self):
        """The code as bytes.

        Raises
        ------
        LinkerError
            The file cannot be read, or is no such code.
        """
        data = self.data
        try:
            content = data.encode() if isinstance(data, str) else bytes(data)
        except UnicodeEncodeError as error:
            raise LinkerError(f"{self.name}: the code is no text at character {error.start}: {error.reason}") from None
        if self._is_text:
            content = content.removeprefix(codecs.BOM_UTF8)
        if self._is_text and b"\0" in content.rstrip(b"\0"):
            raise LinkerError(f"{self.name}: the code has a NUL at byte {content.index(bytes(1))}: compilers end there")
        if not content and self.kind is not None:
            raise LinkerError(f"{self.name} is empty")
        return content

    def __repr__(self):
        return f"<{type(self).__name__} {self.name}>"

    @staticmethod
    def from_path(path, **options):
        """The code in a file, of the class that its suffix says.

        Raises
        ------
        ValueError
            The suffix is none of .cu, .ptx, .cubin, .fatbin, .o, .a and .ltoir.
        """
        return _file(path, **options)

    @classmethod
    def from_path_or_obj(cls, path_or_obj, **options):
        """``path_or_obj`` itself, if it is such code, else that of the file."""
        return path_or_obj if isinstance(path_or_obj, LinkableCode) else _file(path_or_obj, **options)


class CUSource(LinkableCode):
    """CUDA C++ in memory, or C that is also that."""

    default_name, _is_text = "<unnamed-cu>", True


class PTXSource(LinkableCode):
    """PTX in memory."""

    kind, default_name, _is_text = 1, "<unnamed-ptx>", True


class Cubin(LinkableCode):
    """A cubin in memory."""

    kind, default_name = 0, "<unnamed-cubin>"


class Fatbin(LinkableCode):
    """A fat binary in memory."""

    kind, default_name = 2, "<unnamed-fatbin>"


class Object(LinkableCode):
    """An object file in memory, made by ``nvcc -dc``."""

    kind, default_name = 3, "<unnamed-object>"


class Archive(LinkableCode):
    """An archive of such objects in memory."""

    kind, default_name = 4, "<unnamed-archive>"


class LTOIR(LinkableCode):
    """Code for link-time optimisation in memory, made by ``nvcc -dlto`` or NVRTC."""

    kind, default_name = 5, "<unnamed-ltoir>"


_SUFFIXES = {
    ".cu": CUSource, ".ptx": PTXSource, ".cubin": Cubin, ".fatbin": Fatbin, ".o": Object, ".a": Archive,
    ".ltoir": LTOIR,
}  # fmt: skip


def _file(path, **options):
    path = os.fsdecode(path)
    suffix = os.path.splitext(path)[1]
    if suffix not in _SUFFIXES:
        raise ValueError(f"{path}: code to link with has one of the suffixes {', '.join(_SUFFIXES)}")
    if "\0" in path:
        raise ValueError(f"{path!r} is no path: there is a NUL in it")
    return _of_file(_SUFFIXES[suffix])(path, **options)


_of_files = {}


def _of_file(kind):
    """The class of code in files, which are read when they are needed: they may change."""
    if kind not in _of_files:
        _of_files[kind] = type(kind.__name__, (_File, kind), {})
    return _of_files[kind]


class _File:
    def __init__(self, path, **options):
        super().__init__(None, **options)
        self.path = os.path.abspath(path)

    @property
    def data(self):
        try:
            return read_file(self.path)
        except OSError as error:
            raise LinkerError(f"{self.name}: {error.strerror}") from None

    @property
    def name(self):
        return printable(self.path)

    @property
    def folder(self):
        return os.path.dirname(self.path)


def _is_file(code):
    return isinstance(code, _File)


def read_file(path):
    """The contents of a file: pipes and devices, which may have no end, are none.

    Raises
    ------
    OSError
        It cannot be read.
    """
    with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(0, "Not a regular file")
        return file.read()


def _read_part(part):
    if not isinstance(part, (str, os.PathLike, LinkableCode)):
        raise TypeError(f"link has files and what cuda.CUSource and the like make, not {part!r}")
    made = LinkableCode.from_path_or_obj(part)
    if made.kind is None and not isinstance(made, CUSource):
        raise TypeError(f"link has {part!r}, which is of no kind of code: make it by cuda.CUSource or the like")
    return made


def read(link):
    """What ``link=`` was given, as a tuple of `LinkableCode`."""
    single = (str, bytes, bytearray, dict, os.PathLike, LinkableCode)
    if isinstance(link, single) or not hasattr(type(link), "__iter__"):
        raise TypeError(f"link is a list of files and of what cuda.CUSource and the like make, not {link!r}")
    return tuple(_read_part(part) for part in link)


def key(link):
    """What stands for the code in the keys of the disk cache; never the same where nobody knows what it includes."""
    import hashlib

    from . import _sources

    hashed = hashlib.sha256()
    for part in link:
        try:
            contents = [part.content()]
        except LinkerError:
            contents = []  # told when it is compiled
        if isinstance(part, CUSource) and contents:
            included = _sources.included(part, contents[0])
            contents += [os.urandom(16)] if included is None else included
        head = f"{type(part).__name__} {part.name} {part.debug} {part.lineinfo} {part.opt} {len(contents)}"
        for field in (head.encode(), *contents):
            hashed.update(len(field).to_bytes(8, "little"))
            hashed.update(field)
    return hashed.digest()


def _distinct(parts):
    """(part, content) without those that are there already."""
    seen, kept = set(), []
    for part in parts:
        content = part.content()
        found = type(part).kind, content, _meaning(part, content)
        if found not in seen:
            seen.add(found)
            kept.append((part, content))
    return kept


def _meaning(part, content):
    """What the same text in another folder may not have: the files that it includes."""
    from . import _sources

    included = _sources.included(part, content) if isinstance(part, CUSource) else []
    return part if included is None else tuple(text.partition(b"\0")[2] for text in included)


def plan(link, numbers, target, arch, lto, debug, lineinfo, fastmath, fma):
    """What a kernel is linked with; asked by the compiler.

    Parameters
    ----------
    link : tuple of LinkableCode or None
        Of the kernel's options.
    numbers : list of int
        Of the declared functions that it calls.
    target : {"cuda", "cuda-on-cpu"}
    arch : str
        "sm_90".

    Returns
    -------
    list of (str, bytes), list of (int, str, bytes), str
        Bitcode that becomes part of the module; what the driver links, with its numbers of their kinds, or with
        `OWN_IR`, options of libNVVM and nvJitLink and nothing where these optimise the kernel too; text to show behind
        the PTX.
    """
    from . import _declared, _sources

    options = {"debug": bool(debug), "lineinfo": bool(lineinfo), "fastmath": bool(fastmath)}
    parts = _distinct([*(link or ()), *_declared.links_of(numbers)])
    if _seen is not None:
        _seen.update((id(part), (part, content)) for part, content in parts)
        return [], [], ""
    if target == "cuda-on-cpu":
        return [(part.name, _for_cpu(part, content, options)) for part, content in parts], [], ""
    bitcode, inputs, shown = [], [], []
    together = not debug and (lto or any(isinstance(part, LTOIR) for part, _ in parts)) and _can_optimise_together()
    for part, content in parts:
        made = _sources.device_bitcode(part, content, arch, options) if lto and isinstance(part, CUSource) else None
        if made is not None:
            bitcode.append((part.name, made))
            continue
        kind, code, text = part.kind, content, None
        if isinstance(part, CUSource):
            kind = LTOIR.kind if lto and together else Cubin.kind
            code, text = _sources.compile_source(part, content, arch, options, lto=kind == LTOIR.kind)
        elif isinstance(part, LTOIR):
            _open_nvjitlink()
        elif isinstance(part, PTXSource):
            code, text = content.rstrip(b"\0") + b"\0", content.rstrip(b"\0").decode(errors="replace")
        inputs.append((kind, part.name, code))
        shown.append(f"\n// Linked: {part.name}\n{text or ''}")
    if together and any(kind == LTOIR.kind for kind, _, _ in inputs):
        flags = ["-ftz=1", "-prec-sqrt=0", "-prec-div=0"] if fastmath else []
        inputs.insert(0, (OWN_IR, " ".join(flags + ([] if fma else ["-fma=0"])), b""))
    return bitcode, inputs, "".join(shown)


_seen = None


@contextlib.contextmanager
def seen():
    """In the block nothing is linked: a dict gets what would be."""
    global _seen
    _seen = {}
    try:
        yield _seen
    finally:
        _seen = None


OWN_IR = -2  # PYARRAY_LINKED_NVVM_IR


def _can_optimise_together():
    """Whether NVIDIA's libraries are there that optimise a kernel and what it is linked with as one."""
    from ._libraries import open_compiler

    try:
        for name in ("nvrtc", "nvvm", "nvjitlink"):
            open_compiler(name)
    except CudaSupportError:
        return False
    return True


def _open_nvjitlink():
    """Without it the driver links, which may know how to."""
    from ._libraries import open_compiler

    try:
        open_compiler("nvjitlink")
    except CudaSupportError:
        pass


def _for_cpu(part, content, options):
    from . import _sources

    if isinstance(part, CUSource):
        return _sources.host_bitcode(part, content, options)
    raise LinkerError(
        f"{part.name}: the CPU, which runs kernels where there is no GPU, cannot run code for GPUs; link the source, a "
        ".cu file in plain C++, which clang compiles for it"
    )


# ------------------------------------------------------------------------------------------------
# Callbacks


_live = {}  # modules that are to be told when they go: handle -> _Modules


class _Modules:
    """What is told of the modules that a kernel is loaded into."""

    def __init__(self, parts):
        self._parts = parts
        self._set_up = {}  # parts, by handle

    def loaded(self, handle):
        """Where a callback fails, the module goes, and those parts are told that were set up before."""
        module, done = Module(handle), []
        self._set_up[handle] = done
        try:
            for part in self._parts:
                if part.setup_callback:
                    part.setup_callback(module)
                done.append(part)
        except BaseException:
            self.unloaded(handle)
            raise
        if any(part.teardown_callback for part in self._parts):
            if not _live:
                atexit.register(_end)
            _live[handle] = self

    def unloaded(self, handle):
        """Each is told, whatever the others raise."""
        _live.pop(handle, None)
        with contextlib.ExitStack() as calls:
            for part in reversed(self._set_up.pop(handle, ())):
                if part.teardown_callback:
                    calls.callback(part.teardown_callback, Module(handle))


def _end():
    """Before the process ends, which unloads nothing."""
    with contextlib.ExitStack() as calls:
        for handle, modules in reversed(list(_live.items())):
            calls.callback(modules.unloaded, handle)


class Module:
    """A module on a device, as callbacks of linked code get it.

    Attributes
    ----------
    handle : int
        The driver's CUmodule.
    """

    def __init__(self, handle):
        self.handle = handle

    def __int__(self):
        return self.handle

    def __repr__(self):
        return f"<module {self.handle:#x}>"

    def get_global_symbol(self, name):
        """Address and bytes of a variable of the module.

        Raises
        ------
        CudaAPIError
            It has none of that name.
        TypeError
            The name is no str.
        """
        if not isinstance(name, str) or not is_symbol(name):
            raise TypeError(f"the name of a variable is the name of a symbol, not {name!r}")
        return _cuda.module_variable(self.handle, name)


def callbacks(link, numbers):
    """An object that is told of a kernel's modules, or None: by its links and the numbers of what it declares."""
    from . import _declared

    parts = [*(link or ()), *_declared.links_of(int(number) for number in numbers.split(",") if number)]
    parts = [part for part in dict.fromkeys(parts) if part.setup_callback or part.teardown_callback]
    return _Modules(parts) if parts else None


def has_callbacks(link):
    return any(part.setup_callback or part.teardown_callback for part in link)
