"""Kernels whose blocks wait for each other: on a GPU one that hangs would never end, and so they are tried in a process
that is killed then."""

import os
import pathlib
import subprocess
import sys

import pytest

GRID = """
import numpy as np
from pyarray import cuda

@cuda.jit
def count(a):
    grid = cuda.cg.this_grid()
    for i in range(5):
        cuda.atomic.add(a, i, 1)
        grid.sync()
        if a[i] != grid.size:
            a[5] = 1

a = np.zeros(6, np.int32)
for _ in range(3):
    a[:] = 0
    count[20, 64](a)
    assert (a == [1280] * 5 + [0]).all(), a
"""

# The first thread of a block ends with an error while others wait for it.
GRID_ERROR = """
import numpy as np
from pyarray import cuda

@cuda.jit
def fails(a):
    grid = cuda.cg.this_grid()
    if grid.thread_rank == 64:
        raise ValueError("no")
    while True:
        grid.sync()

try:
    fails[4, 64](np.zeros(1))
    cuda.synchronize()
except ValueError as error:
    print(error)
"""

CLUSTER = """
import numpy as np
from pyarray import cuda

@cuda.jit(cluster_dims=4)
def ranks(a):
    shared = cuda.shared.array(1, np.int32)
    cluster = cuda.cg.this_cluster()
    shared[0] = cluster.block_rank
    cluster.sync()
    total = 0
    for rank in range(cluster.num_blocks):
        total += cluster.map_shared_rank(shared, rank)[0]
    a[cuda.blockIdx.x] = total
    cluster.sync()

a = np.zeros(8, np.int32)
ranks[8, 32](a)
assert (a == 6).all(), a
"""


def outcome(program, seconds=120):
    """What a program prints, and its errors; the test fails where it does not end."""
    import pyarray

    package = str(pathlib.Path(pyarray.__file__).parent.parent)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([package, os.environ.get("PYTHONPATH", "")])}
    # The compiler reads functions from files.
    folder = pathlib.Path(os.environ["PYARRAY_CACHE_DIR"]).parent
    path = folder / f"waiting_{abs(hash(program))}.py"
    path.write_text(program)
    try:
        command = [sys.executable, str(path)]
        done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=seconds)
    except subprocess.TimeoutExpired:
        pytest.fail(f"a kernel hangs:\n{program}")
    assert done.returncode == 0, done.stderr
    return done.stdout


def require(*programs):
    """Fails, before anything can hang in this process, where one of these does. In the emulator nothing hangs."""
    if os.environ["PYARRAY_CUDA"] == "gpu":
        for program in programs:
            outcome(program)


def skip_without_clusters():
    from pyarray import cuda

    if not cuda.get_current_device().CLUSTER_LAUNCH:
        pytest.skip("the GPU has no clusters")
