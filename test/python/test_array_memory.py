"""What a chain of array expressions allocates: its result, and nothing else."""

import subprocess
import sys
import textwrap

import pytest

PROGRAM = """
import resource
import sys

import numpy as np
from pyarray import njit


def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


@njit({options})
def f(a, b, c):
    {body}


small = np.ones(100)
f(small, small, small)
n = 4_000_000
a, b, c = np.full(n, 1.0), np.full(n, 2.0), np.full(n, 3.0)
before = peak()
result = f(a, b, c)
print(peak() - before, n * 8)
"""

CHAIN = "x = a * b + c; y = x * 2.0 - b; z = np.sqrt(y * y + x); return z / (1.0 + y * y)"
SUM = "x = a * b + c; y = x * 2.0 - b; return (y * y + x).sum() + (x - y).max()"
STORED = "x = a * b; c[:] = x * 2.0 + b; return c"


@pytest.mark.parametrize("options", ["", "parallel=True"])
@pytest.mark.parametrize("body, results", [(CHAIN, 1), (SUM, 0), (STORED, 0)])
def test_peak_is_that_of_inputs_and_result(tmp_path, body, results, options):
    path = tmp_path / "program.py"
    path.write_text(PROGRAM.format(body=body, options=options))
    run = subprocess.run([sys.executable, str(path)], capture_output=True, text=True, check=True)
    grown, size = map(int, run.stdout.split())
    assert grown < results * size + size // 4


def test_kept_blocks(tmp_path):
    """Memory of arrays that are gone serves new ones, within bounds; zeros are zero whatever was there."""
    program = """
        import gc
        import resource

        import numpy as np
        from pyarray import njit


        def resident():
            with open("/proc/self/statm") as file:
                return int(file.read().split()[1]) * resource.getpagesize()


        @njit
        def full(n):
            a = np.empty(n)
            a[:] = 7.0
            return a


        @njit
        def zeros(n):
            return np.zeros(n), np.zeros(n + 1)


        @njit
        def sums(n):
            return (np.zeros(n) + 1).sum()

        n = 1 << 18
        full(n)
        place = full(n).__array_interface__["data"][0]
        assert full(n).__array_interface__["data"][0] == place
        assert not any(z.any() for z in zeros(n))
        assert sums(n) == n
        before = resident()
        arrays = [full(size << 16) for size in range(1, 40)]
        assert resident() - before > 300 << 20
        assert all(a.min() == 7 and a.max() == 7 for a in arrays)
        del arrays
        gc.collect()
        assert resident() - before < 140 << 20, (resident() - before) >> 20
    """
    path = tmp_path / "program.py"
    path.write_text(textwrap.dedent(program))
    subprocess.run([sys.executable, str(path)], check=True)
