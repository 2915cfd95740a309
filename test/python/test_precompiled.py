"""Functions of the library that are machine code already (lib/library/precompile.py): called, and as if compiled."""

import os
import pathlib
import re
import sys
import traceback

import numpy as np
import pyarray
import pytest
from arrays import check, copied
from pyarray import _pyarray, njit

FILE = pathlib.Path(pyarray.__file__).parent / "library.bin"
# Where the file is not for this processor, or other code is asked for, everything is compiled.
SETTINGS = {"PYARRAY_PRECOMPILED", "PYARRAY_CPU_NAME", "PYARRAY_CPU_FEATURES"} & set(os.environ)
FITS = {"+avx2", "+bmi2", "+fma", "+f16c", "+lzcnt", "+movbe"} <= set(_pyarray.host()[1].split(","))
pytestmark = pytest.mark.skipif(bool(SETTINGS) or not FITS, reason="precompiled functions are not for this process")

sys.path.append(str(pathlib.Path(__file__).parents[2] / "lib" / "library"))
import precompile  # noqa: E402

RANDOM = np.random.default_rng(7)
VALUES = {
    "d": 0.5,
    "q": 3,
    "[C1d": np.sort(RANDOM.random(12)),
    "[C1f": RANDOM.random(12).astype(np.float32),
    "[C1q": np.sort(RANDOM.integers(0, 9, 12)),
    "[C1i": RANDOM.integers(0, 9, 12).astype(np.int32),
    "[C1D": RANDOM.random(12) + 1j * RANDOM.random(12),
    "[C2d": (lambda m: m @ m.T + 3 * np.eye(3))(RANDOM.random((3, 3))),
    "[C2f": RANDOM.random((3, 3)).astype(np.float32),
    "[C2D": RANDOM.random((3, 4)) + 0j,
    "[C3d": RANDOM.random((2, 3, 3)),
}
VALUES["[F2d"] = np.asfortranarray(VALUES["[C2d"])


def values_of(code):
    """The arguments of a row's type codes, "[C2d[C1d"; a vector beside a matrix has its length."""
    parts = [part for part in code.replace("[", " [").split() if part]
    values = []
    for part in parts:
        head = part if part in VALUES else part[:4] if part[0] == "[" else ""
        values += [VALUES[head]] if head else []
        values += [VALUES[letter] for letter in part[len(head) :]]
    if isinstance(values[0], np.ndarray) and values[0].ndim == 2:
        values = [v[:3].copy() if isinstance(v, np.ndarray) and v.ndim == 1 else v for v in values]
    return values


def called(function, *arguments):
    """The names of what a function calls that is machine code already."""
    compiled = njit(function)
    compiled(*copied(arguments))
    text = "".join(compiled.inspect_mlir("typed").values())
    return re.findall(r'pyarray.precompiled = "([\w.]+)', text)


@pytest.mark.parametrize("program", precompile.programs(), ids=lambda p: p[0].__code__.co_filename + p[1])
def test_rows(program):
    function, code = program
    values = values_of(code[:-1])
    call = precompile.CALLS[int(function.__code__.co_filename.split()[1][:-1])][0]
    if "roots" in call:
        values = [np.array([1.0, -3.0, 2.0])]
    if "(c, d)" in call:
        values[2:] = [type(values[2])(0), type(values[2])(5)]
    assert called(function, *values)
    ours, theirs = njit(function)(*copied(values)), function(*copied(values))
    if "partition" in call:  # the order within each part is open
        ours, theirs = (np.sort(each) for each in (ours, theirs))
    is_close(ours, theirs)


def is_close(ours, theirs):
    if isinstance(theirs, tuple):
        assert len(ours) == len(theirs)
        return [is_close(*pair) for pair in zip(ours, theirs)]
    # NumPy 2.5 has complex eigenvalues always.
    assert not isinstance(theirs, np.ndarray) or ours.dtype == theirs.dtype or theirs.dtype.kind == "c"
    np.testing.assert_allclose(ours, theirs, rtol=1e-6 if np.asarray(theirs).dtype == np.float32 else 1e-12, atol=1e-12)


def solved(a, b):
    x = np.linalg.solve(a, b)
    return x + 1


def test_an_error_has_the_users_line():
    compiled = njit(solved)
    check(njit(solved), VALUES["[C2d"], VALUES["[C1d"][:3].copy())
    with pytest.raises(np.linalg.LinAlgError, match="Singular matrix") as info:
        compiled(np.zeros((3, 3)), np.ones(3))
    frames = traceback.extract_tb(info.value.__traceback__)
    assert frames[-1].name == "solved" and frames[-1].line == "x = np.linalg.solve(a, b)"
    assert not any("library" in frame.filename for frame in frames)
    with pytest.raises(ValueError, match="mismatch"):
        compiled(np.ones((3, 3)), np.ones(4))


def caught(a, b):
    try:
        return np.linalg.solve(a, b)
    except np.linalg.LinAlgError:
        return np.zeros(1)
    except ValueError:
        return np.ones(2)


def test_handlers_know_their_errors():
    compiled = njit(caught)
    assert not called(caught, np.ones((3, 3)), np.ones(3))
    assert compiled(np.zeros((3, 3)), np.ones(3)).size == 1
    assert compiled(np.ones((3, 3)), np.ones(4)).size == 2


@njit
def inner(a):
    return np.histogram(a, 0)[0].sum()


def caught_from_inner(a):
    try:
        return inner(a)
    except ValueError:
        return -1


def test_a_handler_around_a_call():
    assert njit(caught_from_inner)(np.ones(3)) == -1


def tried_in_the_library(a, texts):
    return np.median(a) + len([float(text) for text in texts]), int("3") + np.median(a)


def test_a_handler_of_the_library():
    check(njit(tried_in_the_library), VALUES["[C1d"], ["1.5", "2"])


def several(a, n):
    return np.percentile(a, 50) + np.percentile(a, n) + np.percentile(a, abs(n)), np.median(a) + np.median(a[1:].copy())


def test_one_function_that_is_called_with_several_facts():
    check(njit(several), VALUES["[C1d"], 25)
    assert len(called(several, VALUES["[C1d"], 25)) == 2


def test_what_has_options_is_compiled():
    values = VALUES["[C1d"]
    for options in ({"parallel": True}, {"fastmath": True}):
        compiled = njit(**options)(lambda a: np.median(a))
        assert compiled(values) == np.median(values)
        assert "precompiled" not in "".join(compiled.inspect_mlir("typed").values())


PROGRAM = """
import sys
import numpy as np
from pyarray import njit

@njit
def f(a):
    return np.median(a) + np.histogram(a, 4)[0].sum()

print(f(np.arange(5.0)), f.stats.cache_hits)
"""


def test_from_the_disk_cache(run):
    first, second = run(PROGRAM), run(PROGRAM)
    assert first.split()[0] == second.split()[0] == "7.0"
    assert first != second  # a hit


def test_the_build_has_it():
    assert FILE.stat().st_size > 100_000


def test_without_it(run):
    assert run(PROGRAM, PYARRAY_PRECOMPILED="0").split()[0] == "7.0"
