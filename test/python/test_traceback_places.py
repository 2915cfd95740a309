"""Files and first lines of the frames that tracebacks show of compiled functions."""

import os
import subprocess
import sys
import traceback

import pytest
from pyarray import njit

MODULE = """
from pyarray import njit

@njit
def inner(x):
    if x > 2:
        raise ValueError("too large")
    return x

@njit
def outer(x):
    return inner(x) + 1
"""
RUN = """
import sys, traceback
sys.path.insert(0, sys.argv[1])
import moved_module
try:
    moved_module.outer(5)
except ValueError as error:
    print(*[frame.filename for frame in traceback.extract_tb(error.__traceback__)][1:], sep="\\n")
    print(sum(moved_module.outer.stats.cache_hits.values()))
"""


def test_the_file_has_moved_since_its_code_was_cached(tmp_path):
    environment = {**os.environ, "PYARRAY_CACHE_DIR": str(tmp_path / "cache"), "PYARRAY_CACHE": "1"}
    old, new = tmp_path / "old", tmp_path / "new"
    old.mkdir()
    (old / "moved_module.py").write_text(MODULE)

    def frames(place):
        words = [sys.executable, "-c", RUN, str(place)]
        done = subprocess.run(words, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout.split()

    file = str(old / "moved_module.py")
    assert frames(old) == [file, file, "0"]
    old.rename(new)
    file = str(new / "moved_module.py")
    assert frames(new) == [file, file, "1"]


@njit
def fails(x):
    y = x + 1
    y *= 2
    if y > 2:
        raise ValueError(y)
    return y


@njit
def calls(x):
    y = x

    return fails(y) + 1


def test_frames_have_the_first_line_of_their_function():
    with pytest.raises(ValueError) as caught:
        calls(5)
    places, place = [], caught.value.__traceback__
    while place:
        places.append((place.tb_frame.f_code, place.tb_lineno))
        place = place.tb_next
    for (code, line), function in zip(places[-2:], (calls, fails), strict=True):
        plain = function.py_func.__code__
        assert (code.co_name, code.co_filename) == (plain.co_name, plain.co_filename)
        assert code.co_firstlineno == plain.co_firstlineno < line
    shown = traceback.extract_tb(caught.value.__traceback__)[-2:]
    assert [frame.line for frame in shown] == ["return fails(y) + 1", "raise ValueError(y)"]
