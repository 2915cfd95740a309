"""The line on a terminal that says what is compiled, while that takes long."""

import os
import pty
import re
import subprocess
import sys

import pytest

# Takes seconds to compile: many statements that all depend on each other.
RUN = """
import sys
from pyarray import njit
lines = "\\n".join(f"    a[{i}] = a[{i} - 1] * 2.5 + a[{i} // 2] / 3.0" for i in range(1, 1500))
code = f"def grows_long(a):\\n{lines}\\n    return a[7]\\n"
space = {}
exec(compile(code, "long.py", "exec"), space)
import numpy as np
print(njit(space["grows_long"])(np.ones(1500)))
"""


EXPORT = """
import sys
from pyarray.aot import Module
module = Module("fast")
@module.export("half", "float64(float64)")
def half(x): return x / 2
@module.export("twice", "float64(float64)")
def twice(x): return x * 2
module.compile(sys.argv[1])
"""


def on_terminal(program, *arguments, **environment):
    """What a program writes to a terminal that is its stderr, and what to its stdout."""
    ours, theirs = pty.openpty()
    settings = {**os.environ, "TERM": "xterm", "PYARRAY_CACHE": "0", **environment}
    process = subprocess.Popen(
        [sys.executable, "-c", program, *arguments], stdout=subprocess.PIPE, stderr=theirs, env=settings
    )
    os.close(theirs)
    written = b""
    try:
        while part := os.read(ours, 4096):
            written += part
    except OSError:  # Linux: the other end is closed
        pass
    out = process.stdout.read()
    os.close(ours)
    assert process.wait() == 0, written
    return written.decode(), out.decode()


def test_line_of_a_long_compilation():
    written, out = on_terminal(RUN.replace("1500", "3000"))
    assert re.search(r"compiling grows_long, \d+ s: [a-z ]+", written)
    assert written.endswith("\r\x1b[K")
    assert written.replace("\r", "\n").count("\x1b[K") == written.count("compiling") + 1
    assert float(out)


@pytest.mark.parametrize("environment", [{"PYARRAY_PROGRESS": "0"}, {"TERM": "dumb"}])
def test_no_line(environment):
    written, out = on_terminal(RUN, **environment)
    assert written == ""
    assert float(out)


def test_not_written_where_stderr_is_no_terminal():
    program = (
        RUN.replace("import sys", "import sys, io; sys.stderr = io.StringIO()", 1) + "assert not sys.stderr.getvalue()"
    )
    assert on_terminal(program)[0] == ""
    program = RUN.replace("import sys", "import sys; sys.stderr = None", 1)
    assert on_terminal(program)[0] == ""


def test_stderr_that_fails():
    program = RUN.replace("import sys", "import sys; sys.stderr = Broken()", 1)
    methods = ["isatty(self): return True", "write(self, text): raise OSError(text)", "flush(self): pass"]
    broken = "class Broken:\n" + "".join(f"    def {method}\n" for method in methods)
    written, out = on_terminal(broken + program)
    assert written == ""
    assert float(out)


def test_line_of_exports(tmp_path):
    written, _ = on_terminal(EXPORT, str(tmp_path))
    assert "export 1 of 2: half" in written
    assert "export 2 of 2: twice" in written
    assert written.endswith("\r\x1b[K")
    written, _ = on_terminal(EXPORT, str(tmp_path), PYARRAY_PROGRESS="0")
    assert written == ""
