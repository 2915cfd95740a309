"""Loops over prange on several threads: the same as the plain function, in which prange is range."""

import contextlib
import io
import threading
import traceback

import numpy as np
import pyarray
import pytest
from compare import arrays_alive, assert_same, define
from hypothesis import given
from hypothesis import strategies as st
from prange_loops import LARGE, checked, is_parallel, loop, many_parts, parallel, reduced, serial_reasons  # noqa: F401
from pyarray import (
    TypingError,
    config,
    get_num_threads,
    get_parallel_chunksize,
    get_thread_id,
    njit,
    parallel_chunksize,
    pndindex,
    prange,
    set_num_threads,
    set_parallel_chunksize,
    vectorize,
)

pytestmark = pytest.mark.real


def test_conditional_updates():
    f = loop("if a[i] > 10:\n    s += 1\nelif a[i] > 5:\n    s += 10\nelse:\n    continue\ns -= 3")
    assert_same(f, np.arange(30))
    assert is_parallel(f)


def test_reduction_in_nested_loops():
    f = loop("for j in range(i % 5):\n    for k in range(j):\n        s += a[i] * k\n    s += 1")
    assert_same(f, np.arange(40))
    assert is_parallel(f)


def test_reduction_in_while_loops():
    body = "k = i\nwhile k > 0:\n    s += k\n    if k == 3:\n        k -= 2\n    k -= 1"
    f = loop(body)
    assert_same(f, np.arange(40))
    assert is_parallel(f)


def test_break_and_continue_in_an_inner_loop():
    f = loop("for j in range(10):\n    if j > a[i]: break\n    if j % 2: continue\n    s += j")
    assert_same(f, np.arange(40) % 13)
    assert is_parallel(f)


#  What is no reduction runs in order


@pytest.mark.parametrize("body", [
    "s = a[i] - s",
    "s = a[i] / s",
    "s = s + s",
    "s = 2 * s + a[i]",
    "s += a[i]; o = s",
    "s += a[i] * o; o = s",
    "s, o = o, s + 1",
    "s, o = o + 1, s + 1",
    "s += a[i]\nif s > 50: o += 1",
    "s += a[i]\na[i] = s",
    "s += 1\nif a[i] > 9: s = 0.0",
    "s = max(s, a[i]) + 1",
    "if a[i] > s: s = a[i] + 1",
    "if a[i] > s + 1: s = a[i]",
    "x = a[i]\na[i] = 0\nif float(x) > s: s = float(a[i])",
    "b = a[i] > s\nif b: s = a[i]\nif b: o = 1.0",
    "if a[i] != s: s = a[i]",
    "for j in range(3):\n    o = s\n    s += 1",
    "k = 0\nwhile k < 3:\n    k += 1\n    s, o = o, s + k",
    "k = 0\nwhile s < 9 * i:\n    s += 1",
])  # fmt: skip
def test_other_dependences_run_in_order(body):
    f = loop(body, "s = 1.0; o = 2.0", "s, o")
    assert_same(f, np.arange(1.0, 40.0))
    assert serial_reasons(f) and "is carried from one iteration to the next" in serial_reasons(f)[0]


def test_array_variable_that_is_carried():
    f = loop("t = np.full(2, a[i])", "t = np.zeros(2)", "t[0]")
    assert_same(f, np.arange(30.0))
    assert serial_reasons(f) == ["'t' is carried from one iteration to the next, and is no reduction"]


@pytest.mark.parametrize("body", ["if a[i] > 7: break\ns += 1", "if a[i] > 7: return -s\ns += 1"])
def test_loop_that_may_be_left_runs_in_order(body):
    f = loop(body)
    for n in (0, 5, 30):
        assert_same(f, np.arange(n))
    assert serial_reasons(f)[0].startswith("'break' or 'return' may leave it")


#  Ranges


@checked
@given(st.integers(-30, 30), st.integers(-30, 30), st.integers(-5, 5), st.integers(0, 4))
def test_start_stop_step(start, stop, step, chunk):
    set_parallel_chunksize(chunk)
    assert_same(_steps, start, stop, step)


_steps = loop("s += i * i; k = i; n += 1", "s = 0; k = -99; n = 0", "s, k, n", "prange(b, e, d)", parameters="b, e, d")
MOST = 2**63 - 1


@pytest.mark.parametrize(
    "b, e, d", [(MOST - 5, MOST, 3), (-MOST, -MOST + 7, 2), (-MOST - 1, MOST, MOST), (5, -MOST, -MOST)]
)
def test_ranges_at_the_ends_of_int64(b, e, d):
    f = loop("s ^= i; n += 1", "s = 0; n = 0", "s, n", "prange(b, e, d)", parameters="b, e, d")
    assert_same(f, b, e, d)


@pytest.mark.parametrize("n", [0, -1, -(2**63)])
def test_no_iterations_keep_what_was_there(n):
    f = loop("s += 1; k = i", "s = 7; k = 1.5", "s, k", "prange(n)", parameters="n")
    assert f(n) == (7, 1.5)


def test_variable_that_no_iteration_set():
    f = loop("t = i * 2", "pass", "t", "prange(n)", parameters="n")
    assert f(20) == 38
    with pytest.raises(UnboundLocalError):
        f(0)


#  Arrays


def test_arrays_written_by_index():
    f = loop("o[i] = a[i] * 2 + i", "o = np.empty(len(a))", "o")
    for a in (np.arange(50.0), np.arange(100.0)[::-2], np.empty(0)):
        assert_same(f, a)


def test_rows_and_columns():
    source = """
def f(a, o):
    n, m = a.shape
    for i in prange(n):
        for j in prange(m):
            o[i, j] = a[i, j] + i * j
"""
    f = define(source, decorator=parallel, prange=prange)
    assert_same(f, np.ones((17, 5)), np.zeros((17, 5)))
    assert_same(f, np.ones((17, 5), order="F"), np.zeros((5, 17)).T)
    (text,) = list(f.inspect_parallel().values())[:1]
    assert "within each iteration of the parallel loop in line 4" in text


def test_neighbours():
    f = loop("if 0 < i < len(a) - 1:\n    o[i] = a[i - 1] + a[i + 1]", "o = np.zeros(len(a))", "o")
    for n in range(6):
        assert_same(f, np.arange(float(n)))


def test_arrays_of_an_iteration():
    f = loop("t = np.full(i + 1, a[i])\nu = t[1:]\nfor j in range(len(u)):\n    s += u[j]", "s = 0.0")
    before = arrays_alive()
    a = np.arange(40.0)
    for _ in range(20):
        assert f(a) == f.py_func(a)
    assert arrays_alive() == before and is_parallel(f)


def test_random_numbers():
    f = loop("s += np.random.random()", "s = 0.0", over="prange(n)", parameters="n")
    assert 400 < f(1000) < 600


#  Errors


def test_branch_that_raises_is_no_obstacle():
    f = loop("if a[i] > 5:\n    s += 1\nelif a[i] < 0:\n    raise ValueError('negative')\nelse:\n    s += 2", "s = 0.0")
    assert_same(f, np.arange(30.0))
    assert_same(f, np.arange(30.0) - 3)
    assert is_parallel(f)


def test_error_of_the_first_failing_iteration():
    f = loop("t = np.zeros(3)\nif a[i] < 0: raise ValueError('bad')\ns += t[0]", "s = 0.0")
    for bad in ([5], [39], [0], [11, 12, 37], range(40)):
        a = np.ones(40, np.int64)
        a[list(bad)] = [-1 - k for k in bad]
        for chunk in (0, 1, 7):
            set_parallel_chunksize(chunk)
            for _ in range(5):
                assert_same(f, a)


@pytest.mark.parametrize("body, error", [
    ("s += b[i + a[i]]", IndexError),
    ("s += 1 / (a[i] - 3)", ZeroDivisionError),
    ("s += math.sqrt(3 - a[i])", ValueError),
])  # fmt: skip
def test_errors_of_operations(body, error):
    f = loop(body, "b = np.ones(10); s = 0.0", decorator=njit(parallel=True, error_model="strict"))
    a = np.arange(40)
    with pytest.raises(error) as caught:
        f(a)
    assert traceback.extract_tb(caught.value.__traceback__)[-1].lineno == 4


def test_error_from_a_called_function():
    g = define("def g(x):\n    if x > 20: raise KeyError('no')\n    return x", "g", decorator=njit(inline="never"))
    source = "def f(n):\n    s = 0\n    for i in prange(n):\n        s += g(i)\n    return s"
    f = define(source, decorator=parallel, prange=prange, g=g)
    before = arrays_alive()
    with pytest.raises(KeyError) as caught:
        f(60)
    assert caught.value.args == ("no",) and arrays_alive() == before
    assert [frame.name for frame in traceback.extract_tb(caught.value.__traceback__)][-2:] == ["f", "g"]
    assert f(10) == 45


#  Threads


def _sums():
    return loop("s += a[i]\nm = max(m, a[i])", "s = 0; m = -1", "s, m")


def test_any_number_of_threads():
    f, a = _sums(), np.arange(1000)
    for threads in range(1, config.NUM_THREADS + 1):
        for chunk in (0, 1, 10, 10**6):
            set_num_threads(threads)
            set_parallel_chunksize(chunk)
            assert f(a) == (499500, 999)


def test_without_parallel():
    f = loop("s += a[i]\nm = max(m, a[i])", "s = 0; m = -1", "s, m", decorator=njit)
    assert f(np.arange(100)) == (4950, 99)
    assert serial_reasons(f) == ["the function is compiled without parallel=True"]


def test_several_python_threads():
    f, a, wrong = loop("s += a[i]", decorator=njit(parallel=True, nogil=True)), np.arange(5000), []
    f(a)

    def work():
        with parallel_chunksize(11):
            wrong.extend(x for x in (f(a) for _ in range(30)) if x != 12497500)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_inside_another_parallel_function():
    inner = _sums()
    body = "        s, m = inner(a)\n        t += s + m * i\n"
    source = f"def f(a):\n    t = 0\n    for i in prange(30):\n{body}    return t"
    f = define(source, decorator=parallel, prange=prange, inner=inner)
    a = np.arange(50)
    assert f(a) == f.py_func(a)
    assert is_parallel(f)


def test_repeatable():
    f, a = loop("s += a[i]", "s = 0.0"), np.random.default_rng(1).normal(size=10001)
    assert len({f(a) for _ in range(20)}) == 1


PROGRAM = """
import os, numpy as np
from pyarray import njit, prange
@njit(parallel=True)
def f(n):
    s = 0
    for i in prange(n):
        s += i
    return s
"""


def test_more_threads_than_processors(run):
    code = PROGRAM + "print(f(10**6), len(os.listdir('/proc/self/task')) >= 4)"
    assert run(code, PYARRAY_NUM_THREADS="4") == "499999500000 True\n"


def test_after_fork(run):
    code = (
        PROGRAM
        + """
f(10**6)
pid = os.fork()
if not pid:
    os._exit(f(10**6) != 499999500000)
print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), f(10))
"""
    )
    assert run(code, PYARRAY_NUM_THREADS="4") == "0 45\n"


def test_no_memory_for_partial_results(run):
    names = [f"s{k}" for k in range(100)]
    body = "".join(f"        {name} += i\n" for name in names)
    code = f"""
import resource, numpy as np
from pyarray import njit, prange, set_parallel_chunksize
@njit(parallel=True)
def f(n):
    {" = ".join(names)} = 0
    for i in prange(n):
{body}    return {" + ".join(names)}
set_parallel_chunksize(1)
expected = 100 * sum(range(100))
assert f(100) == expected
pages = int(open('/proc/self/statm').read().split()[0])
resource.setrlimit(resource.RLIMIT_AS, (pages * 4096 + 2**25, -1))
try:
    f(2**17)
except MemoryError as error:
    print(error, error.__traceback__.tb_next.tb_lineno)
print(f(100) == expected)
"""
    assert run(code) == "Unable to allocate the partial results of a parallel loop 7\nTrue\n"


#  The report


def test_report():
    double = vectorize(lambda x: 2 * x)
    source = """
def f(a, n):
    s = 0.0; m = -1.0; x = 0.0
    for i in prange(n):
        s += a[i]; m = max(m, a[i]); k = i
        for j in prange(3):
            s += j
    for i in prange(n):
        x = a[i] - x
    for i in range(n):
        s += 1
    return s, m, k, x, double(a)
"""
    f = define(source, decorator=parallel, prange=prange, double=double)
    f(np.ones(10), 5)
    with contextlib.redirect_stdout(io.StringIO()) as shown:
        f.parallel_diagnostics()
    (text,) = f.inspect_parallel().values()
    assert shown.getvalue() == text + "\n"
    lines = [line.split(": ", 1)[1] if line[0] == "<" else line for line in text.splitlines()]
    assert lines == [
        "f (array(float64, 1d, C), int64)",
        "for i in prange(n):",
        "    loop over prange: runs on several threads; reductions: 's' (add), 'm' (max); "
        "value of the last iteration: 'k'",
        "for j in prange(3):",
        "    loop over prange: runs in order within each iteration of the parallel loop in line 4",
        "for i in prange(n):",
        "    loop over prange: runs in order: 'x' is carried from one iteration to the next, and is no reduction",
        "return s, m, k, x, double(a)",
        "    array operation: runs on several threads",
    ]


def test_report_of_one_signature_and_of_nothing():
    f = define("def f(x):\n    return x", decorator=parallel)
    assert f.inspect_parallel() == {}
    assert "nothing to run on several threads" in f.inspect_parallel("(float64,)")
    with pytest.raises(ValueError, match="^level 5: it is a number from 1 to 4$"):
        f.parallel_diagnostics(level=5)


# Threads, in compiled code


def test_thread_numbers_in_a_loop():
    set_num_threads(config.NUM_THREADS)
    names = {"get_thread_id": get_thread_id, "get_num_threads": get_num_threads}
    body = "ids[i] = get_thread_id()\ncounts[i] = get_num_threads()"
    f = loop(body, "pass", "get_thread_id()", over="prange(len(ids))", parameters="ids, counts", **names)
    ids, counts = np.full(1000, -1), np.zeros(1000, np.int64)
    set_parallel_chunksize(0)
    set_parallel_chunksize(1000 // config.NUM_THREADS)
    assert f(ids, counts) == 0
    assert ids.min() == 0 and ids.max() < config.NUM_THREADS
    assert (counts == config.NUM_THREADS).all() and is_parallel(f)


def test_a_row_for_each_thread():
    body = "partial[get_thread_id(), b[i]] += 1"
    names = {"get_thread_id": get_thread_id}
    f = loop(body, "pass", "partial", over="prange(len(b))", parameters="b, partial", **names)
    partial = np.zeros((config.NUM_THREADS, 10))
    f(np.arange(LARGE) % 10, partial)
    assert (partial.sum(axis=0) == LARGE // 10).all() and is_parallel(f) and not reduced(f)


def test_settings_in_compiled_code():
    @njit
    def change(threads, chunk):
        set_num_threads(threads)
        previous = set_parallel_chunksize(chunk)
        return get_num_threads(), previous, get_parallel_chunksize(), pyarray.get_thread_id()

    assert change(1, np.uint8(5)) == (1, 3, 5, 0)
    assert (get_num_threads(), get_parallel_chunksize()) == (1, 5)
    assert change(config.NUM_THREADS, 0) == (config.NUM_THREADS, 5, 0, 0)


@pytest.mark.parametrize("arguments, message", [
    ((0, 1), f"The number of threads must be between 1 and {config.NUM_THREADS}"),
    ((config.NUM_THREADS + 1, 1), f"The number of threads must be between 1 and {config.NUM_THREADS}"),
    ((1, -1), "chunksize must be greater than or equal to zero"),
])  # fmt: skip
def test_bad_settings_in_compiled_code(arguments, message):
    @njit
    def change(threads, chunk):
        set_num_threads(threads)
        set_parallel_chunksize(chunk)

    with pytest.raises(ValueError, match=message):
        change(*arguments)
    with pytest.raises(TypingError, match="expected an integer"):
        change(1.0, 1)


def test_chunksize_in_compiled_code():
    @njit(parallel=True)
    def f(n, size, end):
        out = np.zeros(n)
        with parallel_chunksize(size):
            inside = get_parallel_chunksize()
            for i in prange(n):
                out[i] = i
            if end == 1:
                return out, inside
            if end == 2:
                raise KeyError(end)
            with pyarray.parallel_chunksize(size + 1):
                inside = 10 * inside + get_parallel_chunksize()
        return out, 100 * inside + get_parallel_chunksize()

    set_parallel_chunksize(7)
    try:
        for end, expected in ((0, 4507), (1, 4)):
            out, seen = f(20, 4, end)
            assert seen == expected and out.tolist() == list(range(20)) and get_parallel_chunksize() == 7
        with pytest.raises(KeyError):
            f(20, 4, 2)
        with pytest.raises(ValueError, match="chunksize must be greater than or equal to zero"):
            f(20, -4, 0)
        assert get_parallel_chunksize() == 7
        assert "runs on several threads" in f.inspect_parallel(f.signatures[0])
    finally:
        set_parallel_chunksize(0)


def test_chunksize_is_no_value():
    @njit
    def f():
        with parallel_chunksize(4) as size:
            return size

    with pytest.raises(pyarray.TypingError, match="parallel_chunksize has no 'as'"):
        f()


def test_indices_of_several_axes():
    def roots(a, n):
        out, total = np.zeros(a.shape), 0
        for index in pndindex(a.shape):
            out[index] = np.sqrt(a[index])
        for i, j, k in pndindex(2, n, 3):
            total += 100 * i + 10 * j + k
        for index in pndindex(n):
            total += index[0]
        for _ in pndindex(()):
            total += 1
        columns = np.zeros(a.shape[-1])
        for index in pndindex(a.shape):
            if a[index] == 5:
                continue
            columns[index[-1]] += a[index]
            out[index] += 1
        return out, total, columns

    def first(a):
        for index in pndindex(a.shape):
            if a[index] > 4:
                return index
        return a.shape

    a = np.arange(24.0).reshape(2, 4, 3)
    for function in (parallel(roots), njit(roots)):
        for shape, n in [(a.shape, 4), ((8, 3), 0), ((0, 3), 1)]:
            assert_same(function, a[:, :0] if 0 in shape else a.reshape(shape), n)
    assert_same(parallel(first), a)
    threads = parallel(roots)
    threads(a, 2)
    (report,) = threads.inspect_parallel().values()
    assert report.count("runs on several threads") == 5
    large = np.arange(3 * 200 * 7.0).reshape(3, 200, 7)
    assert_same(threads, large, 1000)
    with pytest.raises(ValueError, match="negative dimensions"):
        threads(a, -1)
