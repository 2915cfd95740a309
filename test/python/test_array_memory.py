"""What a chain of array expressions allocates: its result, and nothing else."""

import subprocess
import sys

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
