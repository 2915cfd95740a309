"""Functions whose code is in no file: of exec(), python -c, standard input, prompts, doctest; archives, .pyc files."""

import ast
import doctest
import gc
import linecache
import os
import platform
import pty
import py_compile
import select
import subprocess
import sys
import textwrap
import time
import traceback
import weakref
import zipfile

import pyarray
import pytest
from pyarray import _origins, _pyarray, njit, vectorize
from pyarray._origins import command_of


def made_by(text, **names):
    exec(textwrap.dedent(text), names)
    return names


# ------------------------------------------------------------------------------------------------
# exec, eval, compile


def test_exec():
    names = made_by(
        """
        def add(x, y):
            return x + y

        @njit
        def twice(x):
            return double(x)

        @njit
        def double(x):
            return x + x

        scale = lambda x: 3 * x

        def make(n):
            def times(x):
                return n * x
            return times

        class Holder:
            @staticmethod
            def inside(x):
                return [i * x for i in range(3)]

        @vectorize
        def root(x):
            return x ** 0.5
        """,
        njit=njit,
        vectorize=vectorize,
    )
    assert njit(names["add"])(1, 2) == 3
    assert names["twice"](4) == 8
    assert njit(names["scale"])(4) == 12
    assert njit(names["make"](5))(4) == 20
    assert njit(names["Holder"].inside)(2) == [0, 2, 4]
    assert names["root"](9.0) == 3.0


def test_texts_of_one_name():
    functions = [made_by(f"def f(x):\n    return x {sign} 2\n")["f"] for sign in ("+", "-", "*", "//")]
    assert [njit(f)(7) for f in functions] == [9, 5, 14, 3]
    # The same code twice is one text.
    assert njit(made_by("def f(x):\n    return x + 2\n")["f"])(1) == 3


def test_eval():
    for formula, want in {"x * y + 1": 7, "x if x > y else y": 3, "(x + y) ** 2": 25}.items():
        assert njit(eval("lambda x, y: " + formula))(2, 3) == want
    code = compile("lambda x: x + 4", "<formula>", "eval")
    assert njit(eval(code))(1) == 5
    first, second = eval("(lambda x: x + 1, lambda x: x + 2)")
    assert (njit(first)(0), njit(second)(0)) == (1, 2)


def test_bytes_and_names_of_missing_files():
    names = {}
    exec(compile(b"def f(x):\n    return x * 7\n", "/nowhere/generated.py", "exec"), names)
    assert njit(names["f"])(6) == 42


def test_the_text_of_linecache_is_of_other_code(monkeypatch):
    text = "def f(x):\n    return x + 100\n"
    monkeypatch.setitem(linecache.cache, "<shared name>", (len(text), None, text.splitlines(True), "<shared name>"))
    names = {}
    exec(compile("def f(x):\n    return x + 1\n", "<shared name>", "exec"), names)
    assert njit(names["f"])(1) == 2


def test_trees():
    tree = ast.parse("def f(x):\n    return x * 3\n")
    tree.body[0].body[0].value.right.value = 5
    names = {}
    exec(compile(ast.fix_missing_locations(tree), "<tree>", "exec"), names)
    assert njit(names["f"])(2) == 10
    expression = ast.Expression(ast.parse("lambda x: x - 1").body[0].value)
    assert njit(eval(compile(expression, "<tree>", "eval")))(2) == 1


def test_a_tree_is_kept_while_its_function_may_be_compiled():
    """A library makes hundreds of functions of trees when it is imported, and calls one of the first."""
    made = []
    for number in range(600):
        name = f"f{number}"
        tree = ast.parse(f"@njit\ndef {name}(x):\n    return x * {number}\n")
        names = {"njit": njit}
        exec(compile(tree, f"<{name}>", "exec"), names)
        made.append(names[name])
    assert len([source for source in _pyarray._sources_seen("") if isinstance(source, ast.AST)]) <= 256
    assert [made[at](2) for at in (0, 1, 300, 599)] == [0, 2, 600, 1198]
    assert made[0](2.5) == 0.0  # compiled again
    code = weakref.ref(made[1].py_func.__code__)
    assert any(code() is held() for held in _origins._held.keyrefs())
    del made, names
    gc.collect()
    assert code() is None


def test_a_tree_of_several_functions_at_one_line():
    body = [ast.parse(f"def f(x):\n    return x + {i}\ng{i} = f").body for i in range(2)]
    tree = ast.Module([statement for part in body for statement in part], [])
    for node in ast.walk(tree):
        if "lineno" in node._attributes:
            node.lineno = node.end_lineno = 1
            node.col_offset = node.end_col_offset = 0
    names = {}
    exec(compile(tree, "<flat tree>", "exec"), names)
    assert [njit(names[f"g{i}"])(1) for i in range(2)] == [1, 2]  # by the bytecode


def test_messages_and_tracebacks_show_the_line():
    names = made_by("def f(x):\n    return x.no_such_attribute\n\ndef g(x):\n    return 1 // x\n")
    with pytest.raises(pyarray.TypingError, match=r"(?s)<string \w+>.*return x.no_such_attribute") as caught:
        njit(names["f"])(1)
    assert caught.value.line == 2
    with pytest.raises(ZeroDivisionError) as caught:
        njit(names["g"])(0)
    assert traceback.extract_tb(caught.value.__traceback__)[-1].line == "return 1 // x"


def texts_seen(name):
    return [source for source in _pyarray._sources_seen(name) if isinstance(source, bytes)]


def test_the_record_is_bounded():
    name = "<many texts>"
    for i in range(40):
        compile(f"x = '{'a' * 1_000_000}{i}'", name, "exec")
    kept = texts_seen(name)
    assert 1 <= len(kept) <= 8 and b"a39'" in kept[0]
    ast.parse("x = 1")
    assert texts_seen("<unknown>") == texts_seen(__file__) == []
    compile("y = 1", name, "exec")
    compile("y = 1", name, "exec")
    assert texts_seen(name).count(b"y = 1") == 1
    for _ in range(100):
        compile(ast.parse("x = 1"), name, "exec")
    compile(ast.parse("x = 1\n" * 50), name, "exec")
    trees = [source for source in _pyarray._sources_seen(name) if isinstance(source, ast.AST)]
    assert 1 <= len(trees) <= 256 and all(len(tree.body) <= 16 for tree in trees if isinstance(tree.body, list))


def test_a_text_that_was_forgotten():
    names = made_by("def forgotten(x):\n    match x:\n        case (1, y): return y\n")
    for i in range(9):
        compile(f"x = '{'c' * 1_000_000}{i}'", "<filler>", "exec")
    with pytest.raises(pyarray.UnsupportedError, match="no source: it was made by exec"):
        njit(names["forgotten"])(1)


# ------------------------------------------------------------------------------------------------
# Programs that are in no file


@pytest.mark.parametrize(
    "words, text",
    [
        (["-c", "1"], "1"),
        (["-c1"], "1"),
        (["-Ic", "1", "-c", "2"], "1"),
        (["-W", "ignore", "-Xdev", "-X", "faulthandler", "-OO", "-c", "1"], "1"),
        (["--check-hash-based-pycs", "always", "-c", "1"], "1"),
        (["-m", "timeit", "-c", "1"], None),
        (["-mtimeit", "-c", "1"], None),
        (["file.py", "-c", "1"], None),
        (["-", "-c", "1"], None),
        (["-c"], None),
        ([], None),
    ],
)
def test_command_lines(words, text):
    assert command_of(["python", *words]) == text


PROGRAM = """from pyarray import njit

@njit
def g(x):
    return x * 2

@njit
def f(x):
    return g(x) + 2

print(f(20))
"""


# Code that the cache has needs no source.
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"} | {"PYARRAY_CACHE": "0"}


def output_of(*words, **how):
    done = subprocess.run([sys.executable, *words], capture_output=True, text=True, timeout=120, env=ENVIRONMENT, **how)
    return (done.stdout + done.stderr).strip()


def test_command():
    assert output_of("-c", PROGRAM) == "42"
    line = "from pyarray import njit; print(njit(lambda x: x + 1)(41))"
    assert output_of("-W", "ignore", "-X", "faulthandler", "-c", line, "argument") == "42"


def test_standard_input_of_a_file(tmp_path):
    (tmp_path / "program").write_text(PROGRAM)
    with open(tmp_path / "program") as file:
        assert output_of("-", stdin=file) == "42"


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="its buffer is known")
def test_standard_input_of_a_pipe():
    assert output_of("-", input=PROGRAM) == "42"
    assert output_of(input="# ä\n" + PROGRAM.rstrip()) == "42"
    script = f"{sys.executable} <<'END'\n{PROGRAM}END\n"
    done = subprocess.run(["sh", "-c", script], capture_output=True, text=True, timeout=120, env=ENVIRONMENT)
    assert (done.stdout, done.stderr) == ("42\n", "")


def test_a_long_script_of_a_pipe():
    assert output_of("-", input=PROGRAM + "# a comment\n" * 1000) == "42"
    matches = PROGRAM.replace("return", "match x:\n        case (1, y): pass\n    return", 1)
    output = output_of("-", input=matches + "# a comment\n" * 1000)
    assert "UnsupportedError" in output and 'python -c "$(cat)"' in output


TYPED = """from pyarray import njit
@njit
def f(x):
    return x + 1

print("first", f(41))
@njit
def f(x):
    if x:
        return x - 1
    return x

print("second", f(41)); g = njit(lambda x: x * 2)
print("third", g(21))
exit()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="terminals of Unix")
def test_prompt():
    pytest.importorskip("readline")
    child, terminal = pty.fork()
    if child == 0:
        os.environ.update(PYTHON_BASIC_REPL="1", TERM="dumb", PYTHON_HISTORY=os.devnull)
        os.execv(sys.executable, [sys.executable, "-q"])
    seen = ""

    def read_until(mark, seconds):
        nonlocal seen
        start, end = len(seen), time.monotonic() + seconds
        while mark not in seen[start:] and time.monotonic() < end:
            if select.select([terminal], [], [], 0.2)[0]:
                try:
                    seen += os.read(terminal, 4096).decode(errors="replace")
                except OSError:
                    return

    before = ""
    for line in TYPED.splitlines():
        goes_on = line.startswith(" ") or not line or before.startswith("@")
        read_until("... " if goes_on else ">>> ", 20)
        os.write(terminal, line.encode() + b"\n")
        before = line
    read_until("never", 3)
    os.waitpid(child, 0)
    os.close(terminal)
    lines = [line.strip() for line in seen.splitlines()]
    assert [word for word in ("first 42", "second 40", "third 42") if word not in lines] == [], seen


# ------------------------------------------------------------------------------------------------
# doctest, archives, packages without sources

EXAMPLE = """
>>> from pyarray import njit
>>> @njit
... def f(x):
...     return x + 1
>>> f(41)
42
>>> g = njit(lambda x: f(x) * 2)
>>> g(20)
42
"""


def test_doctest(tmp_path):
    documented = type("Documented", (), {"__doc__": EXAMPLE})
    runner = doctest.DocTestRunner(verbose=False)
    for test in doctest.DocTestFinder().find(documented, "documented"):
        runner.run(test)
    assert (runner.tries, runner.failures) == (5, 0)
    (tmp_path / "example.txt").write_text(EXAMPLE)
    assert doctest.testfile(str(tmp_path / "example.txt"), module_relative=False) == (0, 5)


MODULE = "from pyarray import njit\n\n@njit\ndef f(x):\n    return x + 1\n"
MAIN = "import work\nprint(work.f(41))\n"


def archive_of(folder, suffix):
    """A zip archive of a program and its module, as sources or as .pyc files."""
    with zipfile.ZipFile(folder / "archive.zip", "w") as file:
        for name, text in (("work", MODULE), ("__main__", MAIN)):
            (folder / f"{name}.py").write_text(text)
            py_compile.compile(str(folder / f"{name}.py"), cfile=str(folder / f"{name}.pyc"))
            file.write(folder / f"{name}{suffix}", f"{name}{suffix}")
            (folder / f"{name}.py").unlink()
            (folder / f"{name}.pyc").unlink()
    return folder / "archive.zip"


def test_archives(tmp_path):
    path = archive_of(tmp_path, ".py")
    assert output_of(str(path)) == "42"
    assert output_of("-c", f"import sys; sys.path.insert(0, {str(path)!r}); import work; print(work.f(41))") == "42"


def test_files_without_sources(tmp_path):
    assert output_of(str(archive_of(tmp_path, ".pyc"))) == "42"  # by the bytecode
    (tmp_path / "work.py").write_text(MODULE + "print(f(41))\n")
    py_compile.compile(str(tmp_path / "work.py"), cfile=str(tmp_path / "work.pyc"))
    (tmp_path / "work.py").unlink()
    assert output_of(str(tmp_path / "work.pyc")) == "42"
    assert output_of("-c", "import work", cwd=tmp_path) == "42"
