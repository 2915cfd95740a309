"""Threads of parallel loops: settings, fork, several callers. The loops are C code for the fake compiler."""

import os
import subprocess
import sys
import threading

import numpy as np
import pyarray
import pytest
from pyarray import (
    config,
    get_num_threads,
    get_parallel_chunksize,
    get_thread_id,
    parallel_chunksize,
    set_num_threads,
    set_parallel_chunksize,
    threading_layer,
    vectorize,
)

# total(n) is the sum of range(n), in parallel; check(n, bad) raises ValueError at iteration `bad`; wide() is the number
# of parts of a long loop.
KERNELS = '''
import os, sys, threading
import pyarray
from moments import others_sleep, wait_until
from pyarray import njit

@njit(nogil=True)
def total(n):
    """
    q>q: extern int32_t pyarray_rt_parallel_for(int64_t, int64_t, int64_t, int64_t); extern int64_t pyarray_rt_parallel_parts(int64_t, int64_t); int32_t add(void *sums, int64_t begin, int64_t end, int64_t part) { int64_t sum = 0; for (int64_t i = begin; i < end; ++i) sum += i; ((int64_t *)sums)[8 * part] = sum; return 0; } int64_t sums[512], sum = 0, parts = pyarray_rt_parallel_parts(Q(0), 1); if (pyarray_rt_parallel_for((int64_t)add, (int64_t)sums, Q(0), 1)) return 1; for (int64_t i = 0; i < parts; ++i) sum += sums[8 * i]; QR(0) = sum;
    """

@njit
def check(n, bad):
    """
    qq>q: extern int32_t pyarray_rt_parallel_for(int64_t, int64_t, int64_t, int64_t); int32_t look(void *bad, int64_t begin, int64_t end, int64_t part) { for (int64_t i = begin; i < end; ++i) if (i >= *(int64_t *)bad) { pyarray_rt_raise_values(0, i, 0, 0); return 1; } return 0; } int64_t bad = Q(1); QR(0) = Q(0); return pyarray_rt_parallel_for((int64_t)look, (int64_t)&bad, Q(0), 1);
    site: ValueError | ('bad iteration {0}',) | 2
    """

@njit
def wide():
    """
    >q: extern int64_t pyarray_rt_parallel_parts(int64_t, int64_t); QR(0) = pyarray_rt_parallel_parts(1000000, 1);
    """
'''  # noqa: E501

FOUR = {"PYARRAY_NUM_THREADS": "4"}


@pytest.fixture(autouse=True)
def default_settings():
    yield
    set_num_threads(config.NUM_THREADS)
    set_parallel_chunksize(0)


#  Settings


def test_number_of_threads():
    assert get_num_threads() == config.NUM_THREADS == config.NUMBA_NUM_THREADS >= 1
    for n in {1, config.NUM_THREADS}:
        set_num_threads(np.int32(n))
        assert get_num_threads() == n
    assert get_thread_id() == 0


@pytest.mark.parametrize("n", [0, -1, 10**6, 2**70, -(2**70)])
def test_number_of_threads_out_of_range(n):
    with pytest.raises(ValueError, match=f"^The number of threads must be between 1 and {config.NUM_THREADS}$"):
        set_num_threads(n)


@pytest.mark.parametrize("n", [1.0, "1", None])
def test_number_of_threads_is_an_integer(n):
    with pytest.raises(TypeError, match="^The number of threads specified must be an integer$"):
        set_num_threads(n)


def test_settings_belong_to_a_thread():
    set_num_threads(1)
    set_parallel_chunksize(7)
    seen = []
    thread = threading.Thread(target=lambda: seen.append((get_num_threads(), get_parallel_chunksize())))
    thread.start()
    thread.join()
    assert seen == [(config.NUM_THREADS, 0)]
    assert (get_num_threads(), get_parallel_chunksize()) == (1, 7)


def test_chunk_size():
    assert get_parallel_chunksize() == 0
    assert set_parallel_chunksize(4) == 0 and set_parallel_chunksize(8) == 4
    with pytest.raises(ValueError, match="^chunksize must be greater than or equal to zero$"):
        set_parallel_chunksize(-1)
    with pytest.raises(TypeError, match="^The parallel chunksize must be an integer$"):
        set_parallel_chunksize(2.5)
    assert get_parallel_chunksize() == 8


def test_chunk_size_of_a_block():
    set_parallel_chunksize(3)
    with pytest.raises(KeyError), parallel_chunksize(5):
        assert get_parallel_chunksize() == 5
        raise KeyError
    assert get_parallel_chunksize() == 3
    with pytest.raises(ValueError), parallel_chunksize(-5):
        pass


def test_every_name_is_documented():
    for name in pyarray.parallel.__all__:
        assert getattr(pyarray, name).__doc__ and name in pyarray.__all__


@pytest.mark.parametrize(
    "environment, threads",
    [
        ({"PYARRAY_NUM_THREADS": "3", "OMP_NUM_THREADS": "5"}, 3),
        ({"OMP_NUM_THREADS": "5,2"}, 5),
        ({"PYARRAY_NUM_THREADS": "0", "OMP_NUM_THREADS": "x"}, None),
    ],
)
def test_environment(run, environment, threads):
    count = int(run("import pyarray\nprint(pyarray.config.NUM_THREADS)", **environment))
    assert count == (threads or len(os.sched_getaffinity(0))) or threads is None and count >= 1


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="Linux")
def test_affinity(run):
    code = "import os\nos.sched_setaffinity(0, [min(os.sched_getaffinity(0))])\nimport pyarray\n"
    environment = {"PYARRAY_NUM_THREADS": "", "OMP_NUM_THREADS": ""}
    assert run(code + "print(pyarray.get_num_threads())", **environment) == "1\n"


#  The OpenMP runtime


def test_importing_loads_no_openmp(run):
    code = "import pyarray, numpy\nfrom pyarray import njit\nprint('libomp' in open('/proc/self/maps').read())\n"
    assert run(code + "pyarray.threading_layer()\nprint('libomp' in open('/proc/self/maps').read())") == "False\nTrue\n"


def test_threading_layer():
    assert threading_layer() == "omp"


def test_without_openmp_one_warning(fake):
    code = KERNELS + "print(total(1000), pyarray.threading_layer(), total(1000), wide())"
    done = fake(code, check=False, PYARRAY_OPENMP_LIBRARY="/no-such-library.so", **FOUR)
    assert done.stdout == "499500 serial 499500 1\n" and done.returncode == 0
    assert done.stderr.count("NumbaWarning: Parallel loops run serially: no OpenMP runtime was found") == 1


def test_a_library_that_is_no_openmp(fake):
    done = fake(KERNELS + "print(total(1000))", check=False, PYARRAY_OPENMP_LIBRARY="libm.so.6", **FOUR)
    assert done.stdout == "499500\n" and "not LLVM's OpenMP runtime" in done.stderr


def test_serial_programs_are_not_warned(fake):
    done = fake(KERNELS + "pyarray.set_num_threads(1)\nprint(total(1000))", PYARRAY_OPENMP_LIBRARY="/none.so", **FOUR)
    assert done == "499500\n"


def test_a_loaded_runtime_is_used(fake):
    code = KERNELS + "import ctypes, glob\nctypes.CDLL('libomp.so.5')\nprint(total(1000), wide())\n"
    assert fake(code, **FOUR) == "499500 4\n"


#  Loops


def test_results_and_parts(fake):
    code = """
print([total(n) == n * (n - 1) // 2 for n in (0, 1, 2, 3, 5, 1000)], wide())
pyarray.set_num_threads(3)
print(wide())
with pyarray.parallel_chunksize(100):
    print(total(6000), wide())
with pyarray.parallel_chunksize(1):
    print(wide())
"""
    assert fake(KERNELS + code, **FOUR).splitlines() == [f"{[True] * 6} 4", "3", "17997000 10000", "65536"]


def test_errors_are_those_of_a_serial_loop(fake):
    code = """
for bad in (0, 1, 249, 250, 600, 999):
    for size in (0, 7):
        try:
            with pyarray.parallel_chunksize(size):
                check(1000, bad)
        except ValueError as error:
            assert str(error) == f"bad iteration {bad}"
        else:
            assert False
print(check(1000, 1000))
"""
    assert fake(KERNELS + code, **FOUR) == "1000\n"


def test_several_threads_call_at_once(fake):
    code = """
def work(k):
    pyarray.set_num_threads(1 + k % 4)
    for i in range(300):
        assert total(1000 + i) == (1000 + i) * (999 + i) // 2
        try:
            check(100, (i + k) % 100)
        except ValueError as error:
            assert str(error) == f"bad iteration {(i + k) % 100}"
    done.append(k)

done = []
threads = [threading.Thread(target=work, args=(k,)) for k in range(6)]
[t.start() for t in threads]
[t.join() for t in threads]
print(sorted(done))
"""
    assert fake(KERNELS + code, **FOUR) == "[0, 1, 2, 3, 4, 5]\n"


#  Processors

# masks() is what each thread of the process may run on.
MASKS = KERNELS + '''
def masks():
    return {tuple(sorted(os.sched_getaffinity(int(task)))) for task in os.listdir("/proc/self/task")}

def loops_after_pauses(expected):
    for _ in range(4):
        wait_until(others_sleep)
        assert total(1000) == 499500 and masks() == expected, masks()
'''


@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="needs two processors")
def test_threads_keep_their_processors(fake):
    """The first loop after a pause keeps threads off the caller's processor, until they begin."""
    code = """
everything = masks()
loops_after_pauses(everything)
child = os.fork()
if child == 0:
    loops_after_pauses(everything)
    os._exit(0)
print(os.waitpid(child, 0)[1])
"""
    assert fake(MASKS + code, **FOUR) == "0\n"


@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="needs two processors")
def test_bound_threads_keep_their_processors(fake):
    code = """
total(1000)
bound = masks()
loops_after_pauses(bound)
print(len(bound) > 1)
"""
    assert fake(MASKS + code, OMP_PROC_BIND="true", **FOUR) == "True\n"


#  Fork and exit


def test_fork_after_a_loop(fake):
    code = """
assert total(1000) == 499500
for how in (os._exit, sys.exit):
    child = os.fork()
    if child == 0:
        how(total(1000) != 499500 or wide() != 4)
    print(os.waitpid(child, 0)[1], total(1000), flush=True)
"""
    assert fake(KERNELS + code, **FOUR) == "0 499500\n" * 2


@pytest.mark.skipif(
    "libasan" in os.environ.get("LD_PRELOAD", ""), reason="a child forked while other threads allocate hangs in ASan"
)
def test_fork_while_a_loop_runs_in_another_thread(fake):
    code = """
def work():
    while not stop:
        total(10**7)

stop = []
threads = [threading.Thread(target=work) for _ in range(2)]
[t.start() for t in threads]
for i in range(10):
    child = os.fork()
    if child == 0:
        os._exit(total(1000) != 499500)
    print(os.waitpid(child, 0)[1])
stop.append(1)
[t.join() for t in threads]
"""
    assert fake(KERNELS + code, **FOUR) == "0\n" * 10


def test_pool_of_forked_processes(fake):
    code = """
import multiprocessing
total(10)
with multiprocessing.get_context("fork").Pool(2) as pool:
    print(pool.map(total, range(10)))
"""
    assert fake(KERNELS + code, **FOUR) == f"{[n * (n - 1) // 2 for n in range(10)]}\n"


def test_exit_while_a_daemon_thread_is_in_a_loop(fake):
    code = (
        "threading.Thread(target=total, args=(10**15,), daemon=True).start()\n"
        "wait_until(lambda: len(os.listdir('/proc/self/task')) > 2)  # the loop has threads\nprint('end')\n"
    )
    assert fake(KERNELS + code, **FOUR) == "end\n"


def test_threads_that_end(fake):
    code = """
for i in range(50):
    thread = threading.Thread(target=total, args=(1000,))
    thread.start()
    thread.join()
print(total(1000))
"""
    assert fake(KERNELS + code, **FOUR) == "499500\n"


def test_interrupt_comes_after_the_loop(tmp_path, fake_core):
    script = tmp_path / "program.py"
    script.write_text(
        KERNELS
        + "import signal\ntotal(10)\nthreading.Timer(0.05, os.kill, (os.getpid(), signal.SIGINT)).start()\n"
        + "try:\n    while True:\n        total(10**7)\nexcept KeyboardInterrupt:\n    print(total(1000))\n"
    )
    environment = {**os.environ, "PYARRAY_CORE_LIBRARY": str(fake_core), "PYARRAY_CACHE_DIR": str(tmp_path), **FOUR}
    package = os.path.dirname(os.path.dirname(pyarray.__file__))
    environment["PYTHONPATH"] = os.pathsep.join([package, os.path.dirname(__file__)])
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=60, env=environment)
    assert done.stdout == "499500\n", done.stderr


def test_floating_point_exceptions_of_all_threads():
    inverse = vectorize(["float64(float64)"], target="parallel")(lambda x: 1 / x)
    for place in (0, 500_000, 999_999):
        x = np.ones(1_000_000)
        x[place] = 0
        with np.errstate(divide="raise"), pytest.raises(FloatingPointError, match="divide by zero"):
            inverse(x)
        with np.errstate(all="raise"):
            inverse(np.ones(1_000_000))
