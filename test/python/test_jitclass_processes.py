"""jitclass in other processes: without compiling, and with code from the cache."""

import subprocess
import sys

import pytest

pytestmark = pytest.mark.real

PROGRAM = """
from pyarray.experimental import jitclass
from pyarray import njit, types

@jitclass([("n", types.int64)])
class Counter:
    def __init__(self, n):
        self.n = n
    def step(self, k):
        self.n += k
        return self.n

@njit
def use(c):
    return c.step(STEP) * 2

c = Counter(3)
print(use(c), c.n, type(c).__name__, c.step(1))
print(use.stats.cache_hits if hasattr(use, "stats") else 0)
"""


def test_without_compiling(tmp_path, monkeypatch):
    script = tmp_path / "program.py"
    script.write_text(PROGRAM.replace("STEP", "2"))
    monkeypatch.setenv("PYARRAY_DISABLE_JIT", "1")
    output = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True).stdout
    assert output.split("\n")[0] == "10 5 Counter 6"


def test_cached_code_follows_the_class(tmp_path, monkeypatch):
    monkeypatch.setenv("PYARRAY_CACHE_DIR", str(tmp_path / "cache"))
    script = tmp_path / "program.py"
    other = PROGRAM.replace("+= k", "-= k")
    for program, first in ((PROGRAM, "10 5 Counter 6"), (PROGRAM, "10 5 Counter 6"), (other, "2 1 Counter 0")):
        script.write_text(program.replace("STEP", "2"))
        output = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True).stdout
        assert output.split("\n")[0] == first
    script.write_text(PROGRAM.replace("STEP", "2"))
    count = "from pyarray._pyarray import cache_info\nprint(cache_info()['misses'])\n"
    script.write_text(PROGRAM.replace("STEP", "2") + count)
    output = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True).stdout
    assert output.split()[-1] == "0"
