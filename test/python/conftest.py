"""Set-up of the Python tests.

They run with the real compiler, or, with PYARRAY_TEST_FAKE_CORE=1, with the fake one (``fake_core/``), for which
functions carry C code in their docstrings: then tests marked ``real`` are skipped. Where the compiler is not built,
nothing runs.
The fixture ``fake`` runs a program with the fake compiler in any case.
"""

import gc
import os
import pathlib
import signal
import subprocess
import sys
import sysconfig

import pytest

os.environ.setdefault("PYARRAY_VERIFY", "1")  # each level is checked behind every stage

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parent.parent


def _build_fake_core(folder):
    library = pathlib.Path(folder) / "libfake_core.so"
    command = ["cc", "-shared", "-fPIC", "-D_GNU_SOURCE", "-O1", f"-I{sysconfig.get_path('include')}",
               f"-I{ROOT}/capi/include", str(HERE / "fake_core" / "fake_core.c"), "-o", str(library)]  # fmt: skip
    subprocess.run(command, check=True)
    return library


def _is_compiler(path):
    return path.exists() and b"\0pyarray_core\0" in path.read_bytes()


def _uses_fake_core():
    if os.environ.get("PYARRAY_TEST_FAKE_CORE"):
        return True
    from pyarray import _pyarray

    path = _pyarray.core_path()
    if not _is_compiler(pathlib.Path(path)):
        raise pytest.UsageError(f"{path} is not the compiler: build it, or test without, with PYARRAY_TEST_FAKE_CORE=1")
    return False


def pytest_addoption(parser):
    parser.addoption("--fast", action="store_true", help="without the files of slow_files.txt")


def pytest_ignore_collect(collection_path, config):
    if config.getoption("fast") and collection_path.name in slow_files():
        return True
    return None


def set_up_hypothesis():
    """No time limits, and the same examples on each run, so that a test fails by a change only.

    Nor does it fail where many draws are dropped: Hypothesis tries the constants of all modules that are there, and
    those that are no float16 are dropped.

    PYARRAY_RANDOM_TESTS=1 draws new examples. A test that says more keeps these settings.
    """
    from hypothesis import HealthCheck, settings

    settings.register_profile(
        "pyarray",
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
        derandomize=not os.environ.get("PYARRAY_RANDOM_TESTS"),
    )
    settings.load_profile("pyarray")


def pytest_configure(config):
    import tempfile

    set_up_hypothesis()

    # Where a shell starts the tests in the background, SIGINT is ignored, and their programs would inherit it.
    signal.signal(signal.SIGINT, signal.default_int_handler)

    config.addinivalue_line("markers", "real: needs the real compiler")
    config.addinivalue_line("markers", "gpu: needs a GPU, and PYARRAY_CUDA=gpu; others run in the emulator too")
    os.environ.setdefault("PYARRAY_CUDA", "cpu")
    config.pa_folder = tempfile.TemporaryDirectory(prefix="pyarray-test-")
    os.environ["PYARRAY_CACHE_DIR"] = os.path.join(config.pa_folder.name, "cache")
    config.pa_fake_core = None
    config.pa_is_fake = _uses_fake_core()
    if config.pa_is_fake:
        config.pa_fake_core = _build_fake_core(config.pa_folder.name)
        os.environ["PYARRAY_CORE_LIBRARY"] = str(config.pa_fake_core)


def pytest_unconfigure(config):
    config.pa_folder.cleanup()


def slow_files():
    """The names of slow_files.txt, the slowest first."""
    return (HERE / "slow_files.txt").read_text().split()


def pytest_collection_modifyitems(config, items):
    rank = {name: place for place, name in enumerate(slow_files())}
    items.sort(key=lambda item: rank.get(item.path.name, len(rank)))  # files stay whole, and their tests in order
    if os.environ["PYARRAY_CUDA"] != "gpu":
        for item in items:
            if item.get_closest_marker("gpu"):
                item.add_marker(pytest.mark.skip(reason="needs a GPU: PYARRAY_CUDA=gpu"))
    if not config.pa_is_fake:
        return
    for item in items:
        if item.get_closest_marker("real"):
            item.add_marker(pytest.mark.skip(reason="needs the real compiler"))


def pytest_collection_finish(session):
    # The tests themselves are some million objects, which each full collection would go through again.
    gc.collect()
    gc.freeze()


class Runner:
    """Runs Python code in a new process; returns what it prints."""

    def __init__(self, folder, environment=None):
        self.folder = folder
        self.environment = environment or {}

    def __call__(self, code, *, check=True, name="program.py", arguments=(), **environment):
        path = self.folder / name
        path.write_text(code)
        import pyarray

        package = str(pathlib.Path(pyarray.__file__).parent.parent)
        blas = {"OPENBLAS_NUM_THREADS": "1"}  # threads that nothing uses are a fifth of NumPy's import
        full = {**blas, **os.environ, **self.environment, **environment}
        full["PYTHONPATH"] = os.pathsep.join([package, str(HERE), full.get("PYTHONPATH", "")])
        command = [sys.executable, *arguments, str(path)]
        done = subprocess.run(command, capture_output=True, text=True, env=full, timeout=600)  # one that hangs fails
        if check and done.returncode:
            raise AssertionError(f"exit status {done.returncode}\n{done.stdout}\n{done.stderr}")
        return done.stdout if check else done


@pytest.fixture
def run(tmp_path):
    """Runs programs in new processes that share a fresh disk cache."""
    return Runner(tmp_path, {"PYARRAY_CACHE_DIR": str(tmp_path / "cache")})


@pytest.fixture(scope="session")
def fake_core(request):
    if request.config.pa_fake_core is None:
        request.config.pa_fake_core = _build_fake_core(request.config.pa_folder.name)
    return request.config.pa_fake_core


@pytest.fixture
def fake(tmp_path, fake_core):
    """The same with the fake compiler."""
    return Runner(tmp_path, {"PYARRAY_CACHE_DIR": str(tmp_path / "cache"), "PYARRAY_CORE_LIBRARY": str(fake_core)})


# What these look at LLVM takes part in: numbers and elements, loops and threads, exceptions, limits, whole programs and
# random ones. They compile as users do. Others look at what code means: LLVM does not optimise there, which halves
# their time. Kernels it optimises a little, as PTX for a GPU differs else. PYARRAY_OPT=2 has all as users have it.
_AS_USERS_HAVE_IT = {
    "test_analysis_programs", "test_any_level", "test_array_aliasing", "test_array_expressions",
    "test_array_indexing", "test_array_memory", "test_array_parts",
    "test_array_programs", "test_array_rows", "test_array_stack", "test_array_strips",
    "test_arrays", "test_cache_dispatch", "test_carried_arrays", "test_cmath", "test_comparisons",
    "test_control_flow", "test_debug", "test_dicts", "test_differential", "test_dispatcher", "test_exact_constants",
    "test_exceptions", "test_explain", "test_float16", "test_fused_reductions", "test_fusion",
    "test_fusion_report", "test_fuzz",
    "test_generator_programs", "test_guvectorize", "test_hostile", "test_ieee", "test_interrupts", "test_intrinsic",
    "test_limits", "test_lists", "test_local_generators", "test_long_functions", "test_long_ranges", "test_masks",
    "test_math", "test_matmul", "test_matmul_programs", "test_mixed_orders", "test_out_of_memory", "test_parallel",
    "test_plain_raises", "test_prange", "test_prange_random", "test_prange_reductions", "test_prange_stores",
    "test_programs", "test_python_programs", "test_random", "test_reader_pages",
    "test_reductions", "test_rows", "test_runs_in_masks",
    "test_scalars", "test_seeds", "test_small_arrays", "test_stencil", "test_stock_mlir", "test_threads_fork",
    "test_tuple_tables", "test_ufunc_copies", "test_ufunc_memory", "test_ufunc_outputs", "test_ufunc_programs",
    "test_vector_math", "test_vectorize",
}  # fmt: skip


@pytest.fixture(autouse=True, scope="module")
def optimised(request):
    name = request.module.__name__.split(".")[-1]
    if name in _AS_USERS_HAVE_IT or "PYARRAY_OPT" in os.environ:
        yield
        return
    os.environ["PYARRAY_OPT"] = "1" if name.startswith("test_cuda_") else "0"
    yield
    del os.environ["PYARRAY_OPT"]


@pytest.fixture
def little_optimised(monkeypatch):
    """The same for one test of a file: where it goes through many forms of what others test as users have it."""
    if "PYARRAY_OPT" not in os.environ:
        monkeypatch.setenv("PYARRAY_OPT", "0")


@pytest.fixture(autouse=True)
def nothing_leaks(request):
    """After each test as much memory of compiled code is in use as before it."""
    if request.config.pa_is_fake:
        yield
        return
    from pyarray._pyarray import allocation_counts

    def in_use():
        allocated, freed = allocation_counts()
        return allocated - freed

    before = in_use()
    yield
    if in_use() != before:
        gc.collect()  # a full one for each test would take longer than the tests
        assert in_use() == before, "memory of compiled code leaked"


@pytest.fixture(autouse=True)
def overloads_end(request):
    """What a test registers ends with it: code compiled before would count as compiled of something else."""
    if request.config.pa_is_fake:
        yield
        return
    from pyarray import extending

    tables = [extending._names, extending._typers]
    before = [{name: value if isinstance(value, str) else list(value) for name, value in t.items()} for t in tables]
    yield
    for table, former in zip(tables, before):
        if table != former:
            table.clear()
            table.update(former)
