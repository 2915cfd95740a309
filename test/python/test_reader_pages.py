"""What the pages for readers show is so: docs/{page_runs,pictures,api_reference,gallery}.py."""

import pathlib
import re
import sys

import numpy as np
import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "docs"))

import api_reference  # noqa: E402
import gallery  # noqa: E402
import page_runs  # noqa: E402
import pictures  # noqa: E402

pytestmark = pytest.mark.real


@pytest.mark.skipif(np.__version__ < "2", reason="NumPy 1 shows numbers otherwise")
@pytest.mark.parametrize("page", ["tutorial", "troubleshooting", "performance-guide", "scaling"])
def test_code_of_a_page(page):
    wrong, count = [], 0
    for line, _, expected, found in page_runs.run((ROOT / "docs" / f"{page}.md").read_text()):
        count += 1
        if not page_runs.agree(expected, found):
            wrong.append(f"docs/{page}.md:{line}: it is\n{found}")
    assert count and not wrong, "\n".join(wrong)


def test_a_page_that_is_wrong_is_found():
    page = "```python\nprint(1)\n```\n```text\n2\n```\n```python\n1 / 0\n```\n"
    assert [page_runs.agree(said, found) for _, _, said, found in page_runs.run(page)] == [False, False]


@pytest.mark.parametrize("name", pictures.PICTURES)
def test_pictures_are_up_to_date(name):
    drawn = pictures.PICTURES[name]()
    assert (pictures.FOLDER / name).read_text() == drawn, "python docs/pictures.py --write"
    assert not re.search(r"\bnan\b", drawn)


def test_the_reference_is_up_to_date():
    found = api_reference.page()
    assert api_reference.PAGE.read_text() == found, "python docs/api_reference.py --write"
    assert "**Parameters**" in found and "``" not in found


def test_the_gallery_is_up_to_date():
    page = gallery.page()
    assert (ROOT / "docs" / "gallery.md").read_text() == page, "python docs/gallery.py --write"
    named = set(re.findall(r"\]\(pictures/gallery/([\w.]+)\)", page))
    assert named == {path.name for path in gallery.PICTURES.iterdir()}, "python docs/gallery.py --write --plots"
    assert len(named) > 20
