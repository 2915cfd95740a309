"""Where memory is short there is a MemoryError, and the process goes on. Programs run in processes with a limit."""

import os
import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif("ASAN_OPTIONS" in os.environ, reason="AddressSanitizer needs the address space")

HEAD = """
import linecache
import resource
import threading

import numpy as np
from pyarray import njit

resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
BEFORE = resource.getrlimit(resource.RLIMIT_AS)


def limited(megabytes, function, *arguments):
    with open("/proc/self/statm") as statm:
        used = int(statm.read().split()[0]) * 4096
    resource.setrlimit(resource.RLIMIT_AS, (used + (megabytes << 20), BEFORE[1]))
    try:
        return function(*arguments)
    except MemoryError:
        return None
    finally:
        resource.setrlimit(resource.RLIMIT_AS, BEFORE)


def long_function(number, lines=120):
    body = "".join(f"    x = x * {i + number} + x // (x - {i}) + len(str(x))\\n" for i in range(lines))
    source, name = f"def g(x):\\n{body}    return x\\n", f"<long {number}>"
    linecache.cache[name] = len(source), None, source.splitlines(True), name
    space = {}
    exec(compile(source, name, "exec"), space)
    return njit(space["g"])
"""


def run(program):
    # A few threads: each has a stack that counts.
    environment = {**os.environ, "PYARRAY_CACHE": "0", "OPENBLAS_NUM_THREADS": "1"}
    command = [sys.executable, "-c", HEAD + program]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, env=environment)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout.split()


def test_compiling():
    output = run("""
assert long_function(-1)(1.5) is not None
results = [limited(megabytes, long_function(megabytes), 1.5) for megabytes in (0, 1, 3, 5, 7, 8, 9, 12, 24)]
print(results.count(None))
assert long_function(100)(1.5) is not None
""")
    assert int(output[0]) > 3


def test_the_first_compilation():
    run("""
for megabytes in (0, 8, 40, 80, 120):
    limited(megabytes, long_function(megabytes, 50), 1.5)
assert long_function(100)(1.5) is not None
""")


def test_compiling_in_threads():
    run("""
assert long_function(-1)(1.5) is not None


def work(number):
    try:
        long_function(number, 100)(1.5)
    except (MemoryError, RuntimeError):
        pass


def all_of_them(first):
    threads = [threading.Thread(target=work, args=(first + k,)) for k in range(3)]
    try:
        for thread in threads:
            thread.start()
    except RuntimeError:  # no memory for its stack
        pass
    for thread in threads:
        if thread.ident:
            thread.join()


for number, megabytes in enumerate((30, 40, 60)):
    limited(megabytes, all_of_them, 10 * number)
assert long_function(100)(1.5) is not None
""")


def test_inspecting():
    run("""
function = long_function(-1)
function(1.5)
for megabytes in (0, 4, 9, 12):
    limited(megabytes, lambda: function.inspect_mlir("llvm"))
assert limited(2000, lambda: function.inspect_mlir("llvm"))
""")


FORMATS = {
    "field": ('len("{:{}}".format(x, width))', "3"),
    "grouped": ('len("{:{},}".format(x, width))', "3"),
    "zeros": ('len("{:0{}}".format(x, width))', "3"),
    "zeros and groups": ('len("{:0{}_}".format(x, width))', "3"),
    "filled": ('len("{:\\u20ac^{}}".format(x, width))', "3"),
    "character": ('len("{:{}c}".format(x, width))', "65"),
    "percent": ('len("%*d" % (width, x))', "3"),
    "percent zeros": ('len("%0*d" % (width, x))', "3"),
    "percent digits": ('len("%.*d" % (width, x))', "3"),
    "percent left": ('len("%-*s" % (width, x))', "'ab'"),
    "percent float": ('len("%*.2f" % (width, x))', "1.5"),
    "float": ('len("{:{}}".format(x, width))', "1.5"),
    "complex": ('len("{:{}}".format(x, width))', "1j"),
    "text": ('len("{:{}}".format(x, width))', "'ab'"),
    "shown": ('len("{!r:{}}".format(x, width))', "'ab'"),
    "precision": ('len("{:.{}f}".format(x, width))', "1.5"),
    "general": ('len("{:.{}}".format(x, width))', "1.5"),
    "percent precision": ('len("%.*e" % (width, x))', "1.5"),
    "ljust": ("len(x.ljust(width))", "'ab'"),
    "rjust": ("len(x.rjust(width))", "'ab'"),
    "center": ("len(x.center(width))", "'ab'"),
    "zfill": ("len(x.zfill(width))", "'ab'"),
    "expandtabs": ("len(x.expandtabs(width))", "'a\\tb'"),
    "times": ("len(x * width)", "'ab'"),
    "bytes times": ("len(x * width)", "b'ab'"),
    "bytes ljust": ("len(x.ljust(width))", "b'ab'"),
    "bytes": ("len(bytes(width + x))", "0"),
    "bytearray": ("len(bytearray(width + x))", "0"),
    "list times": ("len([x, x] * width)", "3"),
    "replace": ("len(x.replace('a', 'b' * (width // 50)))", "'a' * 100"),
    "join": ("len(('b' * (width // 50)).join([x] * 100))", "'a'"),
    "empty": ("np.empty(width * 8 + x).size", "0"),
    "zeros of arrays": ("np.zeros((width, 8), np.int8).size + x", "0"),
    "range": ("len(list(range(width + x)))", "0"),
    "int to_bytes": ("len(x.to_bytes(width, 'big'))", "3"),
}


SIZES = """
import os, sys, traceback


def check(f, x):
    try:
        assert f(x, 10) == f.py_func(x, 10)
    except OverflowError:
        pass
    for width in (2**31 - 9, 2**31 - 1, 1_500_000_000, 2**40, 2**62, 2**63 - 1):
        try:
            limited(200, f, x, width)
        except (OverflowError, ValueError, SystemError):
            pass
    assert f(x, 10) == f.py_func(x, 10)


for name, (f, x) in cases.items():
    child = os.fork()  # each in a process of its own
    if child:
        if os.waitpid(child, 0)[1]:
            print(name, end=";")
        continue
    try:
        check(f, x)
    except BaseException:
        traceback.print_exc()
        sys.stderr.flush()
        os._exit(1)
    os._exit(0)
"""


def test_sizes(tmp_path):
    path = tmp_path / "program.py"
    functions = "cases = {}\n"
    for name, (text, value) in {**FORMATS, "wrong": ("width + width % 2 // (width - 10)", "0")}.items():
        functions += f"@njit\ndef f(x, width):\n    return {text}\n\n\ncases[{name!r}] = f, {value}\n"
    path.write_text(HEAD + functions + SIZES)
    done = subprocess.run([sys.executable, path], capture_output=True, text=True, timeout=300)
    assert done.stdout == "wrong;", done.stderr[-2000:]  # which divides by 0: what goes wrong is told


def test_a_memory_error_is_caught_where_nothing_is_left(tmp_path):
    path = tmp_path / "program.py"
    path.write_text(
        HEAD
        + """
@njit
def fill(n):
    texts = ["0"]
    count = 0
    try:
        for i in range(n):
            texts.append(str(i) * 3)
    except MemoryError:
        try:
            texts.append("x" * n)
        except MemoryError as error:
            count = len(texts)
        finally:
            count += 1
    return count


assert fill(100) == 0
for megabytes in (1, 3, 10):
    assert limited(megabytes, fill, 10**9) != 0
assert fill(100) == 0
"""
    )
    done = subprocess.run([sys.executable, path], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr[-2000:]


GROWING = """
@njit
def grow(kind, xs, octets, text):
    if kind == 0:
        xs.extend(x for x in xs)
    elif kind == 1:
        xs += (x for x in xs)
    elif kind == 2:
        for x in xs:
            xs.append(x)
    elif kind == 3:
        for x in octets:
            octets.append(x)
    elif kind == 4:
        xs.extend(map(lambda x: x + 1, xs))
    elif kind == 5:
        for x in text:
            text.append(x + text[-1])
    return 0


@njit
def grow_at_once(xs, n):
    failures = 0
    for count in (n, n // 2, n // 8, n // 16):
        try:
            xs *= count
        except MemoryError:
            failures += 1
        try:
            xs = xs * count
        except MemoryError:
            failures += 1
    return failures, len(xs)


grow(9, [1], bytearray(b"a"), ["b"])
for kind in range(6):
    assert limited(64, grow, kind, [1, 2, 3], bytearray(b"abc"), ["a", "b"]) is None, kind
assert grow_at_once([1, 2, 3], 2**63 - 1) == (8, 3)
"""


def test_lists_that_grow_as_long_as_they_are_gone_over(tmp_path):
    path = tmp_path / "growing.py"
    path.write_text(HEAD + GROWING)
    run(f"import runpy\nrunpy.run_path({str(path)!r})\n")
