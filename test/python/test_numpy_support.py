"""Each row of docs/numpy-support.md says what is so, and NumPy has nothing that no row is for."""

import pathlib
import sys
import types

import numpy as np
import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent / "docs"))

import numpy_support  # noqa: E402

pytestmark = pytest.mark.real

PAGE = numpy_support.rows_of_page()
ROWS = numpy_support.rows()
STALE = "the page is not up to date: python docs/numpy_support.py --write"
NAMES = {row.name for _, row in ROWS}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("section, row", ROWS, ids=[f"{section}: {row.shown}" for section, row in ROWS])
def test_row(section, row):
    arguments, ours, _ = PAGE[section, row.shown]
    said = numpy_support.read_state(arguments, ours)
    found = {None: numpy_support.outcome(row, None, row.code) == numpy_support.YES}
    for argument, code in row.codes(found[None]):
        found[argument] = found[None] and numpy_support.outcome(row, argument, code) == numpy_support.YES
    assert said == found, STALE


def test_the_page_has_no_other_rows():
    assert list(PAGE) == [(section, row.shown) for section, row in ROWS], STALE


@pytest.mark.parametrize("name, module", numpy_support.MODULES.items(), ids=numpy_support.MODULES)
def test_every_name_of_numpy_has_a_row(name, module):
    public = [each for each in dir(module) if not each.startswith("_") and each not in numpy_support.NOT_LISTED]
    public = [each for each in public if not isinstance(getattr(module, each), types.ModuleType)]
    if name == "np.random":
        public = [each for each in public if not isinstance(getattr(module, each), type)]
    assert not [each for each in public if f"{name}.{each}" not in NAMES]


def test_every_attribute_of_arrays_has_a_row():
    assert not [each for each in dir(np.ndarray) if not each.startswith("_") and f"ndarray.{each}" not in NAMES]
