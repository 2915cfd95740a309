"""python -m pyarray explain FILE, -s and cache: reports of a program, of the system and of the cache."""

import json
import os
import pathlib
import subprocess
import sys
import textwrap

import pytest

pytestmark = pytest.mark.real

PACKAGE = str(pathlib.Path(__import__("pyarray").__file__).parents[1])


def command(folder, *words, expect=0, **env):
    environment = {**os.environ, "PYTHONPATH": PACKAGE, "PYARRAY_CACHE_DIR": str(folder / "cache"), **env}
    done = subprocess.run(
        [sys.executable, "-m", "pyarray", *words], cwd=folder, env=environment, capture_output=True, text=True
    )
    assert done.returncode == expect, done.stdout + done.stderr
    return done


PROGRAM = """
import sys
import numba
from numba import njit

@njit
def good(x):
    return x + 1

@njit
def bad(x):
    y = eval("x")
    return y, open, good(x)

@njit(["float64(float64)", "int64(int64)"])
def declared(x):
    return x * 2

@njit("float64(float64)")
def refused(x):
    return x.nothing

def factory(k):
    @njit
    def inner(x):
        return x * k
    return inner

three = factory(3)

class Group:
    @staticmethod
    @njit
    def method(x):
        return -x

def plain(x):
    return x / 2

if __name__ == "__main__":
    print("ran", sys.argv[1:], bad(2)[0], good(2.5), three(1), Group.method(2))
    good("a")
"""


@pytest.fixture
def program(tmp_path):
    (tmp_path / "program.py").write_text(PROGRAM)
    return tmp_path


def by_name(found):
    return {one["name"]: one for one in found["functions"]}


def states(one):
    return [(result["signature"], result["state"]) for result in one["results"]]


def test_without_running(program):
    found = json.loads(command(program, "explain", "program.py", "--json", expect=1).stdout)
    functions = by_name(found)
    assert list(functions) == ["good", "bad", "declared", "refused", "factory.<locals>.inner", "Group.method"]
    assert functions["good"]["results"] == [] and functions["good"]["state"] == "no signature is declared"
    assert states(functions["declared"]) == [
        ("(float64,) -> float64", "compiles"),
        ("(int64,) -> int64", "compiles"),
    ]
    assert all(result["seconds"] > 0 for result in functions["declared"]["results"])
    (result,) = functions["bad"]["results"]
    assert result["state"] == "refused" and {one["line"] for one in result["refusals"]} >= {12}
    (result,) = functions["refused"]["results"]
    assert "nothing" in result["refusals"][0]["text"] and result["refusals"][0]["line"] == 21
    assert "6 functions: 1 compiled, 2 refused, 3 without a known signature" in found["said"]


def test_run(program):
    done = command(program, "explain", "program.py", "--json", "out.json", "--run", "-x", "3", expect=1)
    assert "ran ['-x', '3'] 2 3.5 3 -2" in done.stdout  # Python runs what is refused
    functions = by_name(json.loads((program / "out.json").read_text()))
    assert states(functions["good"]) == [
        ("(int64,) -> int64", "compiles"),  # a call of the function that Python runs
        ("(float64,) -> float64", "compiles"),
        ("(unicode_type)", "refused"),
    ]
    assert states(functions["bad"]) == [("(int64)", "refused")]
    assert states(functions["Group.method"]) == [("(int64,) -> int64", "compiles")]
    assert "the program ended with TypeError" in (program / "out.json").read_text()  # "a" + 1, in Python


def test_text_and_page(program):
    said = command(program, "explain", "program.py", expect=1).stdout
    assert said.startswith("program.py: 6 functions: ") and "\nbad  program.py:11" in said.replace(":10", ":11")
    assert "(float64,) -> float64  compiles, 0." in said and '          y = eval("x")\n' in said
    command(program, "explain", "program.py", "--html", "report.html", expect=1)
    page = (program / "report.html").read_text()
    assert 'data-kind="report"' in page and "factory.\\u003clocals\\u003e.inner" in page


def test_package(tmp_path):
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "__init__.py").write_text("")
    (tmp_path / "parts" / "one.py").write_text(
        "from numba import njit\nfrom . import two\n\n@njit('int64(int64)')\ndef f(x):\n    return two.g(x)\n"
    )
    (tmp_path / "parts" / "two.py").write_text("from numba import njit\n\n@njit\ndef g(x):\n    return x + 1\n")
    (tmp_path / "parts" / "broken.py").write_text("import nowhere_at_all\n")
    for target in ("parts", str(tmp_path / "parts")):
        found = json.loads(command(tmp_path, "explain", target, "--json", expect=1).stdout)
        assert list(by_name(found)) == ["f", "g"]
        assert found["problems"] == [
            "parts.broken cannot be imported: ModuleNotFoundError: No module named 'nowhere_at_all'"
        ]
    (tmp_path / "parts" / "broken.py").unlink()
    command(tmp_path, "explain", "parts")
    found = json.loads(command(tmp_path, "explain", "parts.two", "--json").stdout)
    assert list(by_name(found)) == ["g"]
    assert "neither a file" in command(tmp_path, "explain", "nowhere_at_all", expect=2).stderr


def test_function(program):
    command(program, "explain", "program.py:good", "float64(float64)")
    assert "pyarray" in (program / "good.html").read_text()
    command(program, "explain", "program.py:plain", "(float64,)", "-o", "plain.html", "--json", "plain.json")
    data = json.loads((program / "plain.json").read_text())
    assert data["name"] == "plain" and data["variants"][0]["signature"].startswith("(float64,)")
    assert (program / "plain.html").exists()
    command(program, "explain", "program.py:Group.method", "(int64,)", "-o", "method.html")
    said = command(program, "explain", "program.py:bad", "(int64,)", expect=1).stderr
    assert "'eval' is not among the functions" in said
    assert "is not compiled for any signature yet" in command(program, "explain", "program.py:good", expect=1).stderr
    assert "has no 'nothing'" in command(program, "explain", "program.py:nothing", expect=1).stderr
    assert "is no function" in command(program, "explain", "program.py:sys", expect=1).stderr


def test_system(tmp_path):
    said = command(tmp_path, "-s", PYARRAY_OPT="2", NUMBA_NUM_THREADS="3").stdout
    for part in ("Versions", "Packages", "Machine", "GPU", "Threads", "Cache", "Environment"):
        assert f"\n{part}\n" in f"\n{said}"
    import numpy

    for name, value in {
        "numpy": numpy.__version__,
        "Python": sys.version.split()[0],
        "PYARRAY_OPT": "2",
        "NUMBA_NUM_THREADS": "3",
        "folder": str(tmp_path / "cache"),
        "LLVM and MLIR": "22.",
    }.items():
        (line,) = [line for line in said.splitlines() if line.startswith(f"  {name} ")]
        assert value in line
    said = command(tmp_path, "-s", PYARRAY_CUDA="gpu", PYARRAY_CORE_LIBRARY="/nowhere.so").stdout
    assert "not known" in said and "Environment" in said  # of what is broken a report tells, too


def test_cache(tmp_path):
    assert "entries    0" in command(tmp_path, "cache").stdout
    program = "from pyarray import njit\nf = njit(lambda x: x + 1)\nf(1)\nf(2.5)\n"
    environment = {**os.environ, "PYTHONPATH": PACKAGE, "PYARRAY_CACHE_DIR": str(tmp_path / "cache")}
    (tmp_path / "fill.py").write_text(textwrap.dedent(program))
    subprocess.run([sys.executable, "fill.py"], cwd=tmp_path, env=environment, check=True)
    old = sorted((tmp_path / "cache").glob("??/*.pac"))[0]
    size = old.stat().st_size
    os.utime(old, (1e9, 1e9))
    rows = [line.split() for line in command(tmp_path, "cache").stdout.splitlines()]
    assert ["entries", "2"] in rows and ["last", "used", "entries", "size"] in rows
    assert ["longer", "ago", "1", *_size(size)] in rows
    assert [row[3] for row in rows if row[:3] == ["within", "an", "hour"]] == ["1"]
    listed = command(tmp_path, "cache", "list", "-n", "1").stdout.splitlines()
    assert len(listed) == 3 and listed[2] == "... and 1 more; -n 2 shows all"
    assert old.stem in command(tmp_path, "cache", "list").stdout.splitlines()[-1]
    assert "2 entries removed" in command(tmp_path, "cache", "clear").stdout


def _size(count):
    return [f"{count / 1024:.1f}", "KiB"] if count >= 1024 else [str(count), "bytes"]


def test_usage(tmp_path):
    assert "a command is needed" in command(tmp_path, expect=2).stderr
