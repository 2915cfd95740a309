"""What README.md and the pages for users show as code, and the example programs with ufuncs and parallel loops."""

import doctest
import os
import pathlib
import re
import subprocess
import sys

import numpy as np
import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
EXAMPLES = ROOT / "examples"
sys.path.insert(0, str(EXAMPLES))

from plotting import save_plot  # noqa: E402
from programs import UFUNCS, load  # noqa: E402

pytestmark = pytest.mark.real


@pytest.mark.skipif(np.__version__ < "2", reason="NumPy 1 shows numbers otherwise")
@pytest.mark.parametrize("page", ["vectorize", "guvectorize", "stencil"])
def test_examples_of_a_page(page):
    result = doctest.testfile(str(ROOT / "docs" / f"{page}.md"), module_relative=False)
    assert result.attempted > 8 and result.failed == 0


@pytest.mark.parametrize("page, error", [("README.md", "ZeroDivisionError"), ("docs/parallel.md", "")])
def test_code_of_a_page(page, error, tmp_path):
    code = "\n".join(re.findall(r"^```python\n(.*?)^```", (ROOT / page).read_text(), re.MULTILINE | re.DOTALL))
    (tmp_path / "code.py").write_text(code)
    environment = {**os.environ, "PYARRAY_NUM_THREADS": "2"}
    done = subprocess.run([sys.executable, tmp_path / "code.py"], capture_output=True, text=True, env=environment)
    *traceback, last = done.stderr.splitlines() or [""]
    assert last.startswith(error) if error else not done.stderr, done.stderr
    assert not error or f"# {error}" in traceback[2], done.stderr


# Example programs ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", UFUNCS)
def test_example_program(name, capsys):
    module = load(name)
    arguments = module.arguments()
    found, expected = getattr(module, name)(*arguments), module.reference(*arguments)
    tolerance = 2e-6 if np.asarray(expected).dtype == np.float32 else 1e-9
    np.testing.assert_allclose(found, expected, rtol=tolerance, atol=tolerance)
    module.main()
    assert capsys.readouterr().out


@pytest.mark.parametrize("name", [*UFUNCS, "mandelbrot"])
def test_picture(name, tmp_path):
    image = pytest.importorskip("matplotlib.image")
    save_plot(load(name).draw, tmp_path / "picture.png")
    colours = np.unique(image.imread(tmp_path / "picture.png").reshape(-1, 4), axis=0)
    assert len(colours) > 10


def test_option_plot(tmp_path):
    pytest.importorskip("matplotlib")
    file = tmp_path / "picture.svg"
    done = subprocess.run([sys.executable, EXAMPLES / "l2_norm.py", "--plot", file], capture_output=True, text=True)
    assert done.returncode == 0 and f"Picture written to {file}" in done.stdout, done.stderr
    assert "<svg" in file.read_text()


def test_option_plot_without_matplotlib(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(SystemExit, match="needs matplotlib, which is not installed"):
        save_plot(lambda figure: None, tmp_path / "picture.png")
    assert not list(tmp_path.iterdir())
