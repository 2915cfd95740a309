# ruff: noqa: E501  (text of a page, tables)
"""Writes docs/api.md, the reference of public names, from their docstrings.

python docs/api_reference.py --write
"""

import importlib
import inspect
import os
import pathlib
import re
import sys

os.environ.setdefault("PYARRAY_CUDA", "cpu")  # `cuda.gpus` opens the driver
PAGE = pathlib.Path(__file__).resolve().parent / "api.md"

HEADER = """# API reference

Written by `docs/api_reference.py` from the docstrings. Names of types (`float64`, `int32[:, ::1]`) are those of Numba, in `pyarray.types` and in `pyarray` itself. What code within a compiled function may use is in
[the language](language.md), and in the tables of [Python](python-support.md) and [NumPy](numpy-support.md).
"""
#: Title, module, and the names of it; those of a class: its public methods and attributes.
SECTIONS = [
    ("Compile functions", "pyarray", "njit jit jit_module typeof"),
    ("Compiled functions", "pyarray._pyarray", "Dispatcher.*"),
    ("Ufuncs and stencils", "pyarray", "vectorize guvectorize DUFunc inspect stencil"),
    (
        "Threads",
        "pyarray",
        "prange pndindex set_num_threads get_num_threads get_thread_id threading_layer set_parallel_chunksize "
        "get_parallel_chunksize parallel_chunksize",
    ),
    ("Callbacks for C", "pyarray", "cfunc carray farray"),
    ("Classes and containers", "pyarray", "jitclass as_numba_type"),
    ("Typed containers", "pyarray.typed", "List Dict Set"),
    (
        "Structs",
        "pyarray.experimental.structref",
        "register define_proxy define_constructor define_attributes define_boxing new StructRefProxy",
    ),
    ("Types", "pyarray", "from_dtype as_dtype optional deferred_type"),
    (
        "Extensions",
        "pyarray.extending",
        "overload overload_method overload_attribute overload_classmethod register_jitable intrinsic literal_unroll "
        "literally typeof_impl register_model is_jitted get_cython_function_address",
    ),
    ("Blocks for the interpreter", "pyarray", "objmode"),
    (
        "Errors and warnings",
        "pyarray.errors",
        "PyArrayError TypingError UnsupportedError LoweringError InternalError VerificationError NumbaWarning "
        "NumbaPerformanceWarning NumbaTypeSafetyWarning OverflowWarning UnreachableCodeWarning",
    ),
    (
        "CUDA: kernels",
        "pyarray.cuda",
        "jit CUDADispatcher.* declare_device compile compile_ptx reduce grid gridsize syncthreads syncwarp",
    ),
    (
        "CUDA: arrays",
        "pyarray.cuda",
        "to_device device_array device_array_like DeviceNDArray as_cuda_array from_dlpack In Out InOut pinned_array "
        "mapped_array managed_array pinned mapped open_ipc_array set_memory_manager",
    ),
    (
        "CUDA: devices, streams, events",
        "pyarray.cuda",
        "is_available cuda_error gpus select_device get_current_device current_context stream default_stream event "
        "event_elapsed_time synchronize close detect list_devices",
    ),
]
UNDERLINED = re.compile(r"^(\w[\w ]*)\n-{3,}\n", re.MULTILINE)


def code_to_markdown(text):
    """reStructuredText's marks of code as Markdown's."""
    text = re.sub(r":\w+:`~?([^`]+)`", r"`\1`", text)
    return re.sub(r"``([^`]+)``", r"`\1`", text)


def paragraphs(text):
    """Lines of each paragraph joined; lists and code as they stand."""
    return "\n\n".join(
        part if re.search(r"^(\s|[-*|>])", part, re.MULTILINE) else " ".join(part.split())
        for part in text.strip().split("\n\n")
    )


def entries(text):
    """A list of parameters, attributes or exceptions, NumPy's way, as one of Markdown's."""
    lines = []
    for block in re.split(r"\n(?=\S)", text.strip("\n")):
        name, _, says = block.partition("\n")
        says = " ".join(says.split())
        name, _, kind = name.partition(" : ")
        kind = f" ({kind})" if kind else ""
        lines.append(f"- `{name}`{kind}{': ' + says if says else ''}")
    return "\n".join(lines)


def described(text):
    """A docstring as Markdown."""
    before, *sections = UNDERLINED.split(text)
    parts = [paragraphs(before)] if before.strip() else []
    for title, body in zip(sections[::2], sections[1::2]):
        is_list = title in ("Parameters", "Attributes", "Raises", "Returns", "Yields", "Other Parameters")
        parts.append(f"**{title}**\n\n{entries(body) if is_list else paragraphs(body)}")
    return code_to_markdown("\n\n".join(parts))


def heading(name, value):
    """The name with its parameters, as far as they are known."""
    try:
        signature = str(inspect.signature(value))
    except (TypeError, ValueError):
        signature = getattr(value, "__text_signature__", None) or ""
    if inspect.isclass(value) or " at 0x" in signature:
        signature = ""
    return f"### `{name}{signature.replace('$self, ', '').replace('(self, ', '(').replace('(self)', '()')}`\n"


def members(kind):
    """The public methods and attributes of a class that say something of themselves."""
    for name in sorted(name for name in vars(kind) if not name.startswith("_")):
        if inspect.getdoc(getattr(kind, name)):
            yield name, getattr(kind, name)


def entry(name, value):
    """Heading and text of a name."""
    text = inspect.getdoc(value) or ""
    if hasattr(value, "func") and not text.strip():
        text = inspect.getdoc(value.func) or ""
    lines = text.split("\n")
    if lines and re.match(rf"{re.escape(name.split('.')[-1])}\(.*\)$", lines[0]):  # of functions in C
        return f"### `{name}{lines[0][lines[0].index('(') :]}`\n\n{described(chr(10).join(lines[1:]))}\n"
    return f"{heading(name, value)}\n{described(text)}\n"


def page():
    """The text of docs/api.md."""
    parts = [HEADER]
    for title, home, names in SECTIONS:
        module = importlib.import_module(home)
        parts.append(f"## {title}\n\nOf `{home.replace('._pyarray', '')}`.\n")
        for name in names.split():
            value = getattr(module, name.removesuffix(".*"))
            if name.endswith(".*"):
                parts += [entry(f"fn.{member}", each) for member, each in members(value)]
            else:
                parts.append(entry(name, value))
    return re.sub(r"\n{3,}", "\n\n", "\n".join(parts))


def main():
    """Write the page, or say that it is not up to date."""
    if "--write" in sys.argv:
        PAGE.write_text(page())
    elif PAGE.read_text() != page():
        sys.exit("docs/api.md is not up to date: python docs/api_reference.py --write")


if __name__ == "__main__":
    main()
