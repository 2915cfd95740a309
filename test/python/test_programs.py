"""The programs of examples/: compiled, they give what CPython and NumPy give, at several sizes."""

import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest

from pyarray.errors import TypingError

pytestmark = pytest.mark.real

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
sys.path.insert(0, str(EXAMPLES))
programs = importlib.import_module("programs")


def assert_close(a, b):
    """Shapes equal, values as close as the precision of the first allows."""
    precision = 1e-5 if np.asarray(a).dtype == np.float32 else 1e-9
    np.testing.assert_allclose(a, b, rtol=precision, atol=precision)


def small_arguments(module, name):
    defaults = module.arguments.__defaults__
    return module.arguments(min(defaults[0], 40)) if defaults else module.arguments()


@pytest.mark.parametrize("name", [name for name in programs.PROGRAMS if name != "monte_carlo_pi"])
def test_equals_cpython_and_reference(name):
    compiled, plain = programs.load(name), programs.load(name, programs.plain)
    ours, theirs, reference = (small_arguments(compiled, name) for _ in range(3))
    result = getattr(compiled, name)(*ours)
    assert_close(result, getattr(plain, name)(*theirs))
    assert_close(result, compiled.reference(*reference))
    for mine, other in zip(ours, theirs, strict=True):
        assert_close(mine, other)


def test_monte_carlo_pi_is_near_pi():
    module = programs.load("monte_carlo_pi")
    assert abs(module.monte_carlo_pi(200_000) - np.pi) < 0.02


@pytest.mark.parametrize("values", [[], [np.nan], [np.nan, np.nan, 1.0], [1.0, 2.0]])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_nan_compact_edges(values, dtype):
    nan_compact = programs.load("nan_compact").nan_compact
    a = np.array(values, dtype)
    result = nan_compact(a)
    assert result.dtype == dtype
    np.testing.assert_equal(result, a[~np.isnan(a)])


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int64])
def test_matmul_of_other_types(dtype, order):
    matmul = programs.load("matmul").matmul
    a, b = (np.arange(12).reshape(shape).astype(dtype, order=order) for shape in ((3, 4), (4, 3)))
    np.testing.assert_allclose(matmul(a, b), a @ b)


def test_hypot_keeps_its_python_function():
    hypot = programs.load("hypot").hypot
    assert hypot(3.0, 4.0) == hypot.py_func(3.0, 4.0) == 5.0


def test_cannot_compile_says_what_is_wrong():
    with pytest.raises(TypingError, match="dict"):
        programs.load("cannot_compile").cannot_compile({"key": "value"})


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.py")), ids=lambda path: path.stem)
def test_main_prints_something(path, capsys, monkeypatch):
    monkeypatch.setattr(sys, "argv", [str(path)])
    if path.stem in ("demo", "programs"):
        pytest.skip("no program")
    spec = importlib.util.spec_from_file_location(f"example_{path.stem}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.main()
    assert capsys.readouterr().out.strip()
