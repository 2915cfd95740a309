"""Debug information: what gdb shows, what inspection shows, and that the disk cache keeps it."""

import ctypes
import gc
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarray
import pytest
from compare import define
from pyarray import _pyarray, njit

pytestmark = pytest.mark.real

PROGRAM = """\
from pyarray import njit


@njit
def scaled(y):
    return y * 2.0


@njit(debug=True)
def total(x, n):
    s = 0.0
    for i in range(n):
        s = s + scaled(x) / (i + 5)
    return s


print(total(3.0, 2), "from cache:", sum(total.stats.cache_hits.values()))
"""


def in_gdb(path, *commands, **environment):
    package = str(Path(pyarray.__file__).parent.parent)
    arguments = ["gdb", "-nx", "-batch", "-ex", "set debuginfod enabled off", "-ex", "set breakpoint pending on"]
    environment = {**os.environ, "PYTHONPATH": package, **environment}
    preloaded = environment.pop("LD_PRELOAD", None)  # by `make sanitize`: for the program, since gdb hangs with it
    if preloaded:
        arguments += ["-ex", f"set environment LD_PRELOAD {preloaded}"]
    for command in commands:
        arguments += ["-ex", command]
    done = subprocess.run(
        [*arguments, "--args", sys.executable, str(path)], capture_output=True, text=True, timeout=120, env=environment
    )
    return done.stdout + done.stderr


@pytest.mark.skipif(not shutil.which("gdb"), reason="gdb is not installed")
def test_gdb_stops_at_a_python_line_of_compiled_and_cached_code(tmp_path):
    path = tmp_path / "program.py"
    path.write_text(PROGRAM)
    for hits in range(2):
        shown = in_gdb(
            path, "break program.py:14", "break program.py:6", "run", "bt 2", "next", "delete 2", "continue", "bt 1",
            "continue", PYARRAY_CACHE_DIR=str(tmp_path / "cache"),
        )  # fmt: skip
        if "ptrace:" in shown or "Could not trace" in shown:
            pytest.skip("gdb may not trace processes here")
        lines = [line.split(" from ")[0] for line in shown.splitlines()]
        inner = lines.index("#0  scaled () at program.py:6")
        assert lines[inner + 1] == "#1  total () at program.py:13"
        assert "13\t        s = s + scaled(x) / (i + 5)" in lines[inner:]
        assert lines.index("14\t    return s") > inner and "#0  total () at program.py:14" in lines
        assert f"2.2 from cache: {hits}" in shown


class Entry(ctypes.Structure):
    pass


Entry._fields_ = [("next", ctypes.POINTER(Entry)), ("previous", ctypes.POINTER(Entry)),
                  ("image", ctypes.c_void_p), ("size", ctypes.c_uint64)]  # fmt: skip


class Descriptor(ctypes.Structure):
    _fields_ = [("version", ctypes.c_uint32), ("action", ctypes.c_uint32),
                ("relevant", ctypes.POINTER(Entry)), ("first", ctypes.POINTER(Entry))]  # fmt: skip


def images_known_to_debuggers():
    entry = Descriptor.in_dll(ctypes.CDLL(_pyarray.__file__), "__jit_debug_descriptor").first
    images = []
    while entry:
        images.append(ctypes.string_at(entry.contents.image, entry.contents.size))
        entry = entry.contents.next
    return images


def test_debuggers_know_debug_objects_while_they_live():
    gc.collect()  # those of other tests
    before = images_known_to_debuggers()
    plain = define("def f(x):\n    return x + 2\n")
    f = define("def f(x):\n    return x + 2\n", decorator=njit(debug=True))
    plain(1), f(1), f(1.0)
    images = images_known_to_debuggers()
    assert len(images) == len(before) + 2 and images[0].startswith(b"\x7fELF") and b".debug_line" in images[0]
    del f
    gc.collect()
    assert images_known_to_debuggers() == before


def test_inspection_shows_places():
    source = "def f(x):\n    y = x * 2.0\n    return y + 1.0\n"
    f, plain = define(source, decorator=njit(debug=True)), define(source)
    f(1.0), plain(1.0)
    (llvm,), (assembly,) = f.inspect_llvm().values(), f.inspect_asm().values()
    assert 'DISubprogram(name: "f"' in llvm and "DILocation(line: 3" in llvm and ".loc" in assembly
    (llvm,), (assembly,) = plain.inspect_llvm().values(), plain.inspect_asm().values()
    assert "!DI" not in llvm and ".loc" not in assembly


def test_debug_changes_no_results():
    source = (
        "def f(a, n):\n    b = np.zeros(n)\n    for i in range(n):\n        b[i] = a[i % 3] / (i - 7)\n"
        "    return b[n - 1], g(n)\n"
    )
    recursive = define("def g(n):\n    return 1 if n < 2 else g(n - 1) + g(n - 2)\n", "g", njit(debug=True))
    f = define(source, decorator=njit(debug=True), g=recursive)
    assert f(np.array([1.0, 2.0, 3.0]), 7) == f.py_func(np.array([1.0, 2.0, 3.0]), 7)
    with pytest.raises(ZeroDivisionError) as caught:
        f(np.array([1.0, 2.0, 3.0]), 8)
    assert caught.traceback[-1].lineno == 3  # from 0


def test_a_moved_file_is_not_shown_under_its_old_name(run, tmp_path):
    code = (
        "from pyarray import njit\n@njit(debug={})\ndef f(x):\n    return x + 1\n"
        "f(1)\nprint(sum(f.stats.cache_hits.values()))\n"
    )
    for debug, hits in ((True, "0"), (False, "1")):
        run(code.format(debug), name=f"first{debug}.py")
        assert run(code.format(debug), name=f"second{debug}.py").strip() == hits
