"""Signals while functions are compiled: a handler runs at once, and where it raises the compilation ends.

That holds for compilations on any thread.

Each program runs in a process of its own, and sends a signal to itself as soon as its main thread is within a
compilation, which lets other threads of Python run. The functions are so long that they are not compiled by then.
"""

import os
import pathlib
import subprocess
import sys
import textwrap

import pytest

HERE = pathlib.Path(__file__).resolve().parent
HEAD = """
import os, signal, sys, threading
sys.path.insert(0, {here!r})
from compare import define
from pyarray import errors, njit

def repeated(text, count):
    return "def f(x):\\n" + "".join(text.format(k=k) for k in range(count)) + "    return x\\n"

SOURCES = {{
    "statements": repeated("    x = x * 3 % 2**40 + {{k}}\\n    x ^= x >> 5\\n", 1500),
    "branches": repeated("    if x % ({{k}} + 2) == 1:\\n        x += {{k}}\\n", 400),
    "loops": repeated("    for i in range(3):\\n        x += i % {{k}} if {{k}} else 1\\n", 150),
    "lists": repeated("    l{{k}} = [x, {{k}}]\\n    l{{k}}.append(x)\\n", 150),
}}

PROGRAM = open(__file__).read().splitlines()

def now(frame):
    here = frame.f_code.co_filename == __file__ and "# now" in PROGRAM[frame.f_lineno - 1]
    return here or frame.f_back and now(frame.f_back)

def compiling(number):
    '''Has another thread send a signal once the main thread is in the marked line, without the GIL.'''
    main = threading.main_thread().ident
    def wait():
        while not now(sys._current_frames()[main]):
            pass
        os.kill(os.getpid(), number)
    threading.Thread(target=wait, daemon=True).start()
"""


@pytest.fixture
def run(tmp_path):
    """Runs a program; gives its exit status and output."""

    def run_program(program):
        path = tmp_path / "program.py"
        path.write_text(HEAD.format(here=str(HERE)) + textwrap.dedent(program))
        environment = {**os.environ, "PYARRAY_CACHE_DIR": str(tmp_path / "cache")}
        done = subprocess.run([sys.executable, str(path)], capture_output=True, text=True, timeout=120, env=environment)
        assert done.stderr == "", done.stderr
        return done.returncode, done.stdout

    return run_program


@pytest.mark.parametrize("name", ["statements", "branches", "loops", "lists"])
def test_the_compilation_ends_and_another_one_succeeds(run, name):
    program = f"""
    f = define(SOURCES[{name!r}])
    compiling(signal.SIGINT)
    try:
        f(3)  # now
        print("compiled")
    except KeyboardInterrupt:
        print("interrupted", len(f.signatures))
    print(f(3) == f.py_func(3), len(f.signatures))
    """
    assert run(program) == (0, "interrupted 0\nTrue 1\n")


def test_a_handler_that_returns_runs_during_the_compilation(run):
    program = """
    f = define(SOURCES["branches"])
    seen = []
    signal.signal(signal.SIGUSR1, lambda *_: seen.append(len(f.signatures)))
    compiling(signal.SIGUSR1)
    print(f(3) == f.py_func(3), seen)  # now
    """
    assert run(program) == (0, "True [0]\n")


def test_what_a_handler_raises_leaves_the_call(run):
    program = """
    f = define(SOURCES["branches"])
    def raises(*_):
        raise LookupError("enough")
    signal.signal(signal.SIGUSR1, raises)
    compiling(signal.SIGUSR1)
    try:
        f(3)  # now
    except LookupError as error:
        print(error, error.__cause__, len(f.signatures))
    """
    assert run(program) == (0, "enough None 0\n")


def test_the_process_ends_with_its_status_and_output(run):
    program = """
    f = define(SOURCES["statements"])
    compiling(signal.SIGINT)
    try:
        f(3)  # now
    except KeyboardInterrupt:
        print("interrupted")
        sys.exit(3)
    """
    assert run(program) == (3, "interrupted\n")


def test_a_forked_child_knows_nothing_of_what_goes_on(run):
    program = """
    f = define(SOURCES["branches"])
    compiling(signal.SIGINT)
    try:
        f(3)  # now
    except KeyboardInterrupt:
        print("interrupted", flush=True)
    child = os.fork()
    if not child:
        print(define("def f(x):\\n    return x + 1\\n")(3), flush=True)
        sys.exit(0)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    """
    assert run(program) == (0, "interrupted\n4\n0\n")


def test_the_main_thread_waits_for_another_one(run):
    """What that one compiles is not given up."""
    program = """
    f = define(SOURCES["branches"])
    begun = threading.Event()
    results = []
    def other():
        begun.set()
        results.append(f(3))
    thread = threading.Thread(target=other)
    thread.start()
    begun.wait()
    compiling(signal.SIGINT)
    try:
        f(3)  # now
        print("compiled")
    except KeyboardInterrupt:
        print("interrupted")
    thread.join()
    print(results == [f.py_func(3)], len(f.signatures))
    """
    assert run(program) == (0, "interrupted\nTrue 1\n")


def test_texts_of_a_compilation(run):
    program = """
    f = define(SOURCES["branches"])
    compiling(signal.SIGINT)
    try:
        f.inspect_asm("int64(int64)")  # now
        print("shown")
    except KeyboardInterrupt:
        print("interrupted")
    """
    assert run(program) == (0, "interrupted\n")


def test_a_function_that_is_compiled_while_another_is_typed(run):
    program = """
    import numpy as np
    from pyarray.extending import overload
    inner = define(SOURCES["lists"].replace("def f", "def inner"), "inner")
    def asked(x):
        raise NotImplementedError
    @overload(asked)
    def ask(x):
        value = inner(3)  # now
        return lambda x: x + 1
    outer = define("def f(x):\\n    return asked(x)\\n", asked=asked)
    compiling(signal.SIGINT)
    try:
        outer(3)
        print("compiled")
    except KeyboardInterrupt:
        print("interrupted", len(inner.signatures), len(outer.signatures))
    print(outer(3))
    """
    assert run(program) == (0, "interrupted 0 0\n4\n")
