"""The programs of examples/seeds/, against NumPy; with PYARRAY_CUDA=gpu on a GPU."""

import pathlib
import sys

import numpy as np
import pytest

EXAMPLES = pathlib.Path(__file__).resolve().parent.parent.parent / "examples"
sys.path.insert(0, str(EXAMPLES))

from plotting import save_plot  # noqa: E402
from programs import SEEDS, load  # noqa: E402

pytestmark = pytest.mark.real

loaded = {name: load(name) for name in SEEDS}


def available(name):
    """A program, unless what it needs is not there."""
    missing = getattr(loaded[name], "missing", lambda: None)()
    if missing:
        pytest.skip(f"{name}: {missing}")
    return loaded[name]


@pytest.mark.parametrize("name", SEEDS)
@pytest.mark.parametrize("size", [None, 17, 33])
def test_against_numpy(name, size):
    module = available(name)
    arguments = module.arguments(*([] if size is None else [size]))
    found, expected = getattr(module, module.__name__)(*arguments), module.reference(*arguments)
    for result, wanted in zip(found, expected, strict=True):
        assert np.shape(result) == np.shape(wanted)
        np.testing.assert_allclose(result, wanted, rtol=module.TOLERANCE, atol=module.TOLERANCE)


@pytest.mark.parametrize("name", SEEDS)
def test_as_programs(name, run):
    available(name)
    program = EXAMPLES / f"{name}.py"
    assert run(f"import runpy\nrunpy.run_path({str(program)!r}, run_name='__main__')\n")


@pytest.mark.parametrize("name", SEEDS)
def test_pictures(name, tmp_path):
    pytest.importorskip("matplotlib")
    file = tmp_path / "picture.png"
    save_plot(available(name).draw, file)
    assert file.read_bytes().startswith(b"\x89PNG")


def test_all_are_listed():
    """Each file of the folder is in the table of programs, and in the README's."""
    names = {path.stem for path in (EXAMPLES / "seeds").glob("*.py")}
    assert {name.rpartition("/")[2] for name in SEEDS} == names
    readme = (EXAMPLES / "seeds" / "README.md").read_text()
    assert all(f"`{name}.py`" in readme for name in names)
