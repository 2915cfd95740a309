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
                   "causes": [("TypingError: a | b <c>", 3)], "both": 1},
        "stumpy": {"state": "cannot be installed", "causes": []},
    })  # fmt: skip
    assert "| sparse 0.19.3 | 9 | 3 | 1 | 4 | TypingError: a \\| b &lt;c> (3) |\n" in text
    assert "| stumpy 1.14.1 | | | | | cannot be installed |" in text and text.startswith(compatibility.START)


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
    compatibility = load()
    assert all("==" in library.requirement and library.tests for library in compatibility.LIBRARIES.values())
    assert all("==" in requirement for requirement in compatibility.USED.values())


def test_tests_that_failed():
    said = "FAILED a/test_x.py::test_y[1-z] - E\nERROR b/test_z.py\nFAILED c/test_v.py::T::test_w\npassed d.py\n"
    assert load().FAILED.findall(said) == ["a/test_x.py::test_y[1-z]", "b/test_z.py", "c/test_v.py::T::test_w"]


def test_uses():
    """Every use is a program, of a library that is pinned, and results are compared item by item."""
    import ast
    import textwrap

    import numpy as np

    compatibility = load()
    spec = importlib.util.spec_from_file_location("uses", ROOT / "test" / "compatibility_uses.py")
    uses = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(uses)
    assert uses.USES.keys() <= {*compatibility.LIBRARIES, *compatibility.USED}
    for text in (text for programs in uses.USES.values() for text in programs.values()):
        assert isinstance(ast.parse(textwrap.dedent(text)).body[-1], ast.Expr)
    assert uses.plain(uses._run("x = rng.random(3)\n(x + 1, 'a', None)", 1))[1:] == ("a", None)
    one, two = np.array([1.0, np.nan]), np.array([1.0 + 1e-9, np.nan])
    assert compatibility.is_equal((one, "a"), (two, "a")) and not compatibility.is_equal((one,), (one, one))
    assert not compatibility.is_equal(np.array([1, 2]), np.array([1, 3]))
    made = {("sparse", "a"): (("value", one, 1.0), ("value", two, 1.0)), ("sparse", "b"): (None, ("value", one, 1.0)),
            ("sparse", "c"): (("value", one, 1.0), ("error", "E: x\ny", 1.0)),
            ("sparse", "d"): (("error", "E", 1.0), ("error", "E", 1.0))}  # fmt: skip
    page = compatibility.uses_page(made)
    rows = [row.split(" | ")[-1].strip(" |") for row in page.splitlines() if row.startswith("| sparse")]
    assert rows == ["equal", "runs; not compared, for want of time", "E: x", "fails with Numba"]
    assert "2 of 4 run; 1 of the 2 that Numba did give what it gave." in page
