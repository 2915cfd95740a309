"""Compiled functions as tasks of Dask, of which only the tests need to be installed: docs/scaling.md."""

import os
import pathlib
import subprocess
import sys

import numpy as np
import pytest
from pyarray import cuda, extending, guvectorize, njit, vectorize

distributed = pytest.importorskip("distributed")
da = pytest.importorskip("dask.array")

EXAMPLES = pathlib.Path(__file__).resolve().parent.parent.parent / "examples"
sys.path.insert(0, str(EXAMPLES))

import out_of_core  # noqa: E402

pytestmark = [pytest.mark.real, pytest.mark.filterwarnings("ignore")]


@pytest.fixture(autouse=True, scope="module")
def none_registered():
    """What other tests' modules have registered, workers do not know: they would compile for themselves."""
    tables = [extending._names, extending._typers]
    before = [dict(table) for table in tables]
    for table in tables:
        table.clear()
    yield
    for table, former in zip(tables, before, strict=True):
        table.update(former)


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    """Of two processes with a disk cache of their own."""
    environment = {"PYARRAY_CACHE_DIR": str(tmp_path_factory.mktemp("workers") / "cache"), "PYARRAY_CUDA": "cpu"}
    settings = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None, "env": environment}
    before = dict(os.environ)
    with distributed.LocalCluster(**settings) as cluster, distributed.Client(cluster) as made:
        yield made
    os.environ.clear()  # Dask leaves OMP_NUM_THREADS and others, for its workers
    os.environ.update(before)


def loaded_compilers(client):
    """How many of the workers have loaded the compiler."""

    def is_loaded():
        return "libpyarray_core" in open("/proc/self/maps").read()

    return sum(client.run(is_loaded).values())


def scaled_by(factor):
    @njit
    def scaled(x):
        return (x * factor).sum()

    return scaled


def test_nothing_is_compiled_by_workers(client):
    scaled = scaled_by(3.0)
    assert scaled(np.ones(2)) == 6.0
    arrays = client.map(np.ones, range(20), pure=False)
    assert client.gather(client.map(scaled, arrays, pure=False)) == [3.0 * n for n in range(20)]
    assert loaded_compilers(client) == 0


def test_a_worker_has_one_copy(client):
    scaled = scaled_by(4.0)
    scaled(np.ones(2))

    def identity(_):
        return id(scaled)

    assert len(set(client.gather(client.map(identity, range(20), pure=False)))) <= 2


def test_map_blocks(client):
    x = da.arange(1000.0, chunks=100)

    @njit
    def clipped(block):
        return np.minimum(block, 500.0) * 2

    clipped(np.ones(1))
    found = x.map_blocks(clipped, dtype=float).sum().compute(scheduler=client)
    assert found == (np.minimum(np.arange(1000.0), 500.0) * 2).sum()
    assert loaded_compilers(client) == 0


def test_apply_gufunc(client):
    @guvectorize(["(float64[:], float64[:])"], "(n)->()")
    def spread(row, out):
        out[0] = row.max() - row.min()

    a = np.random.default_rng(0).normal(size=(40, 30))
    x = da.from_array(a, chunks=(10, 30))
    found = da.apply_gufunc(spread, "(n)->()", x, output_dtypes=float).compute(scheduler=client)
    np.testing.assert_array_equal(found, a.max(axis=1) - a.min(axis=1))


def test_ufuncs_of_dask_arrays(client):
    @vectorize(["float64(float64, float64)"])
    def relative(x, y):
        return 2 * (x - y) / (x + y)

    x = da.ones((20, 20), chunks=5)
    assert da.map_blocks(relative, x, 3 * x, dtype=float).sum().compute(scheduler=client) == -400.0


def test_apply_ufunc_of_xarray(client):
    xarray = pytest.importorskip("xarray")

    @guvectorize(["(float64[:], float64[:])"], "(n)->(n)")
    def running(row, out):
        total = 0.0
        for i in range(len(row)):
            total += row[i]
            out[i] = total

    a = np.random.default_rng(0).normal(size=(6, 5))
    data = xarray.DataArray(a, dims=("x", "t")).chunk(x=2)
    dims = {"input_core_dims": [["t"]], "output_core_dims": [["t"]]}
    found = xarray.apply_ufunc(running, data, dask="parallelized", output_dtypes=[float], **dims)
    np.testing.assert_allclose(found.compute(scheduler=client), a.cumsum(axis=1))


def test_kernels(client):
    @cuda.jit
    def fill(a, value):
        i = cuda.grid(1)
        if i < a.size:
            a[i] = value

    def task(value):
        a = np.zeros(4)
        fill[1, 4](a, value)
        return a.sum()

    assert client.gather(client.map(task, [1.0, 2.0], pure=False)) == [4.0, 8.0]


def test_errors_have_their_type(client):
    @njit
    def last(a):
        return a[len(a)]

    with pytest.raises(IndexError, match="out of bounds for axis 0 with size 3"):
        client.submit(last, client.submit(np.ones, 3)).result()


# The example --------------------------------------------------------------------------------------


def test_summary_of_blocks():
    """Combined from blocks it is NumPy's of the whole."""
    size, block = 10_007, 1000
    rows = [out_of_core.summary(out_of_core.readings(at, min(block, size - at))) for at in range(0, size, block)]
    found = out_of_core.combined(np.concatenate(rows))
    values = out_of_core.readings(0, size)
    expected = [size, values.mean(), size * values.var(), values.min(), values.max()]
    np.testing.assert_allclose(found[:5], expected, rtol=1e-12)
    assert found[5:].sum() == size
    counts, _ = np.histogram(values, np.arange(-32, 33) * 0.05)
    assert np.abs(found[5:] - counts).max() <= 1  # of readings at the edges of bins


def test_more_than_memory_with_a_killed_worker():
    """1 GB by two workers that may have 0.4 each, of which one is killed."""
    command = [sys.executable, EXAMPLES / "out_of_core.py", "--gigabytes", "1", "--kill"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("Killed ") and "125000000 readings" in done.stdout
    assert "mean 0.001" in done.stdout, done.stdout
