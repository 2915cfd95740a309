"""Type stubs: tools/write_stubs.py writes them, and mypy, where it is installed, checks programs against them."""

import ast
import importlib
import pathlib
import sys

import numpy as np
import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tools"))

import write_stubs  # noqa: E402

STUBS = sorted(write_stubs.stubs().items())


@pytest.mark.parametrize("name, text", STUBS, ids=[name for name, _ in STUBS])
def test_stubs_are_up_to_date(name, text):
    assert (write_stubs.PACKAGE / name).read_text() == text, "python tools/write_stubs.py --write"


@pytest.mark.parametrize("name, text", STUBS, ids=[name for name, _ in STUBS])
def test_what_stubs_name_is_there(name, text):
    module = importlib.import_module(
        ".".join(["pyarray", *pathlib.PurePath(name).parts]).removesuffix(".pyi").removesuffix(".__init__")
    )
    for node in ast.parse(text).body:
        if isinstance(node, ast.ImportFrom) and node.level:
            assert all(hasattr(module, alias.asname) for alias in node.names if not alias.asname.startswith("_"))
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)) and not node.name.startswith("_"):
            assert hasattr(module, node.name), node.name


def test_every_public_name_has_its_type():
    import pyarray

    bound = set()
    for node in ast.parse((write_stubs.PACKAGE / "__init__.pyi").read_text()).body:
        if isinstance(node, ast.ImportFrom):
            bound.update(alias.asname or alias.name for alias in node.names)
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            bound.add(node.name)
        elif isinstance(node, ast.AnnAssign):
            bound.add(node.target.id)
    assert set(pyarray.__all__) <= bound


PROGRAM = """
from typing import assert_type
import numpy as np
import pyarray
from pyarray import cuda, errors, float64, guvectorize, jit, njit, prange, types, vectorize

@njit
def add(x: int, y: int) -> int:
    return x + y

@njit(parallel=True)
def total(a: np.ndarray) -> float:
    s = 0.0
    for i in prange(len(a)):
        s += a[i]
    return s

@jit("float64(float64)")
def half(x: float) -> float:
    return x / 2

@vectorize(["float64(float64)"])
def twice(x: float) -> float:
    return 2 * x

@cuda.jit
def fill(a: np.ndarray) -> None:
    a[cuda.grid(1)] = 1

assert_type(add(1, 2), int)
assert_type(half.py_func(1.0), float)
twice.reduce(np.ones(3))
fill[1, 3](cuda.to_device(np.zeros(3)))
signature = float64(float64, types.int64)
"""


def checked(code, tmp_path, monkeypatch):
    """What mypy says of a program."""
    api = pytest.importorskip("mypy.api")
    (tmp_path / "program.py").write_text(code)
    monkeypatch.setenv("MYPYPATH", str(write_stubs.PACKAGE.parent))
    options = ["--strict", "--follow-imports=silent", "--cache-dir", str(tmp_path / "cache")]
    return api.run([*options, str(tmp_path / "program.py")])[0]


@pytest.mark.skipif(np.__version__ < "2", reason="NumPy 1 has other stubs")
def test_mypy_takes_a_program(tmp_path, monkeypatch):
    assert "Success" in checked(PROGRAM, tmp_path, monkeypatch)


@pytest.mark.skipif(np.__version__ < "2", reason="NumPy 1 has other stubs")
def test_mypy_finds_mistakes(tmp_path, monkeypatch):
    said = checked(PROGRAM + '\nadd("a", 2)\npyarray.nijt\n', tmp_path, monkeypatch)
    assert 'expected "int"' in said and 'no attribute "nijt"' in said.replace('"nijt"; maybe', '"nijt" maybe')
