"""docs/vectorize.md, docs/guvectorize.md, and the example programs with ufuncs."""

import doctest
import importlib.util
import pathlib

import numpy as np
import pytest

pytestmark = pytest.mark.real
ROOT = pathlib.Path(__file__).parent.parent.parent


@pytest.mark.skipif(np.__version__ < "2", reason="NumPy 1 shows numbers otherwise")
@pytest.mark.parametrize("page", ["vectorize", "guvectorize"])
def test_examples_of_a_page(page):
    result = doctest.testfile(str(ROOT / "docs" / f"{page}.md"), module_relative=False)
    assert result.attempted > 10 and result.failed == 0


@pytest.mark.parametrize("name", ["haversine", "moving_mean"])
def test_example_program(name, capsys):
    spec = importlib.util.spec_from_file_location(name, ROOT / "examples" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    arguments = module.arguments()
    np.testing.assert_allclose(getattr(module, name)(*arguments), module.reference(*arguments), rtol=1e-9)
    module.main()
    assert capsys.readouterr().out
