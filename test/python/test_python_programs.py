"""The programs of examples/ whose data are Python's own, against references and CPython."""

import copy
import pathlib
import sys

import pytest
from compare import arrays_alive

EXAMPLES = pathlib.Path(__file__).resolve().parent.parent.parent / "examples"
sys.path.insert(0, str(EXAMPLES))

from programs import PYTHON, is_close, load, plain  # noqa: E402

pytestmark = pytest.mark.real


@pytest.fixture(scope="module")
def compiled():
    modules = {name: load(name) for name in PYTHON}
    sys.modules.update(modules)  # compiled code finds classes of exceptions by their modules
    yield modules
    for name in modules:
        del sys.modules[name]


@pytest.mark.parametrize("size", [10, 100, 500])
@pytest.mark.parametrize("name", PYTHON)
def test_result(compiled, name, size):
    arguments = compiled[name].arguments(size)
    result = getattr(compiled[name], name)(*copy.deepcopy(arguments))
    assert is_close(result, compiled[name].reference(*arguments), 1e-9)


@pytest.mark.parametrize("name", PYTHON)
def test_nothing_leaks(compiled, name):
    function, arguments = getattr(compiled[name], name), compiled[name].arguments(40)
    function(*arguments)
    before = arrays_alive()
    for _ in range(3):
        function(*arguments)
    assert arrays_alive() == before


@pytest.mark.parametrize("name", [name for name in PYTHON if "jitclass" not in PYTHON[name]])
def test_prints_what_cpython_prints(compiled, name, capsys):
    compiled[name].main()
    printed = capsys.readouterr().out
    load(name, plain).main()
    assert printed == capsys.readouterr().out


@pytest.mark.parametrize("name", [name for name in PYTHON if "jitclass" in PYTHON[name]])
def test_program(compiled, name, capsys):
    compiled[name].main()
    assert capsys.readouterr().out
