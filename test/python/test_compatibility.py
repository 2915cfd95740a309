"""test/compatibility.py: what it makes of pytest's output, and the page. The libraries themselves it runs apart."""

import importlib.util
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[2]


def load():
    spec = importlib.util.spec_from_file_location("compatibility", ROOT / "test" / "compatibility.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_rows():
    compatibility = load()
    text = compatibility.page({
        "sparse": {"state": "run", "counts": {"passed": 9, "failed": 1, "error": 2, "xfailed": 4},
                   "causes": [("TypingError: a | b <c>", 3)]},
        "stumpy": {"state": "cannot be installed", "causes": []},
    })  # fmt: skip
    assert "| sparse 0.19.3 | 9 | 3 | 4 | TypingError: a \\| b &lt;c> (3) |\n" in text
    assert "| stumpy 1.14.1 | | | | cannot be installed |" in text and text.startswith(compatibility.START)


def test_causes():
    compatibility = load()
    said = "E   pyarray.errors.TypingError: no at 0x7f01\nE    assert 1\nE   ValueError: x\nE   ValueError: x\n"
    assert [compatibility.shortened(one) for one in compatibility.CAUSE.findall(said)] == [
        "TypingError: no at 0x...",
        "ValueError: x",
        "ValueError: x",
    ]
    assert dict(
        (what, int(count)) for count, what in compatibility.COUNT.findall("3 failed, 12 passed, 1 error in 2s")
    ) == {
        "failed": 3,
        "passed": 12,
        "error": 1,
    }


def test_libraries_are_pinned():
    assert all("==" in library.requirement and library.tests for library in load().LIBRARIES.values())
