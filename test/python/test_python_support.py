"""Each row of docs/python-support.md says what is so."""

import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent / "docs"))

import python_support  # noqa: E402
from support_rows import SECTIONS  # noqa: E402

pytestmark = pytest.mark.real

PAGE = python_support.rows_of_page()
ROWS = [(section, name, code) for section, rows in SECTIONS.items() for name, code in rows]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("section, name, code", ROWS, ids=[f"{section}: {name}" for section, name, _ in ROWS])
def test_row(section, name, code):
    found = python_support.YES if python_support.outcome(code) == python_support.YES else python_support.NO
    assert PAGE[section, name][0] == found, "the page is not up to date: python docs/python_support.py --write"


def test_the_page_has_no_other_rows():
    assert list(PAGE) == [(section, name) for section, name, _ in ROWS]


def test_rows_have_names_of_their_own():
    assert all(len({name for name, _ in rows}) == len(rows) for rows in SECTIONS.values())
