"""Loops over prange on several threads: the same as the plain function, in which prange is range."""

import contextlib
import io
import math
import threading
import traceback

import numpy as np
import pytest
from compare import arrays_alive, assert_same, define
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pyarray import config, njit, parallel_chunksize, prange, set_num_threads, set_parallel_chunksize, vectorize

pytestmark = pytest.mark.real
parallel = njit(parallel=True)
checked = settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))


@pytest.fixture(autouse=True)
def many_parts():
    """Loops of a few iterations are cut into parts too."""
    set_parallel_chunksize(3)
    yield
    set_parallel_chunksize(0)
    set_num_threads(config.NUM_THREADS)


def loop(body, start="s = 0", result="s", over="prange(len(a))", decorator=parallel, parameters="a"):
    lines = "\n".join(f"        {line}" for line in body.split("\n"))
    source = f"def f({parameters}):\n    {start}\n    for i in {over}:\n{lines}\n    return {result}\n"
    return define(source, decorator=decorator, prange=prange)


def serial_reasons(f):
    """Text of the report for loops that run in order."""
    (text,) = f.inspect_parallel().values()
    return [line.split("runs in order: ")[1] for line in text.splitlines() if "runs in order: " in line]


def is_parallel(f):
    (text,) = f.inspect_parallel().values()
    return "runs on several threads" in text


#  Reductions

INTEGERS = ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"]
KINDS = {
    "add": ("s += a[i]", "s = 5"),
    "subtract": ("s -= a[i]", "s = 5"),
    "reversed add": ("s = a[i] + s", "s = 5"),
    "multiply": ("s *= a[i]", "s = 3"),
    "min": ("s = min(s, a[i])", "s = 90"),
    "max": ("s = max(s, a[i])", "s = -90"),
    "and": ("s &= a[i]", "s = 127"),
    "or": ("s |= a[i]", "s = 1"),
    "xor": ("s ^= a[i]", "s = 9"),
}


@pytest.mark.parametrize("kind", KINDS)
@checked
@given(values=st.lists(st.integers(-100, 100), max_size=40))
def test_reduction_of_int64(kind, values):
    f = _reduction(kind)
    a = np.array(values, np.int64)
    with np.errstate(all="ignore"):
        assert f(a) == f.py_func(a)
    assert is_parallel(f)


_reductions = {}


def _reduction(kind, start=None):
    if (kind, start) not in _reductions:
        body, default = KINDS[kind]
        _reductions[kind, start] = loop(body, start or default)
    return _reductions[kind, start]


@pytest.mark.parametrize("dtype", INTEGERS)
@pytest.mark.parametrize("kind", KINDS)
def test_reduction_of_integers_of_any_type(kind, dtype):
    """Sums of narrow integers have 64 bits in compiled code: so the same loop compiled in order is the oracle."""
    f, ordered = (loop(KINDS[kind][0], start=f"s = np.{dtype}(7)", decorator=d) for d in (parallel, njit))
    a = np.arange(1, 40).astype(dtype)
    assert f(a) == ordered(a) and f(a[:0]) == 7
    assert is_parallel(f)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("kind", ["add", "subtract", "reversed add", "multiply", "min", "max"])
def test_reduction_of_floats(kind, dtype):
    f = loop(KINDS[kind][0], start=f"s = np.{dtype}(3)")
    a = np.linspace(0.9, 1.1, 101).astype(dtype)
    assert math.isclose(f(a), f.py_func(a), rel_tol=1e-4 if dtype == "float32" else 1e-12)
    assert is_parallel(f)


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_reduction_of_complex_numbers(dtype):
    a = (np.exp(1j * np.arange(50)) * 1.01).astype(dtype)
    for body in ("s += a[i]", "s -= a[i]", "s *= a[i]"):
        f = loop(body, start=f"s = np.{dtype}(1 + 2j)")
        assert np.isclose(f(a), f.py_func(a), rtol=1e-4) and is_parallel(f)


def test_division_is_a_product_of_divisors():
    f = loop("s /= a[i]", "s = 8.0")
    a = np.full(20, 2.0)
    assert f(a) == 8.0 / 2.0**20 and is_parallel(f)
    a[7] = 0.0
    with pytest.raises(ZeroDivisionError, match="^float division by zero$"):
        f(a)


@pytest.mark.parametrize("operator", ["&=", "|=", "^="])
@pytest.mark.parametrize("start", [True, False])
def test_reduction_of_bools(operator, start):
    f = loop(f"s {operator} a[i] > 0", f"s = {start}")
    for values in ([], [1] * 20, [0] * 20, [1] * 10 + [0] + [1] * 10):
        assert_same(f, np.array(values, np.int64))
    assert is_parallel(f)


def test_signed_zeros_are_those_of_the_serial_loop():
    f = loop("s += a[i]", "s = -0.0")
    assert math.copysign(1, f(np.full(20, -0.0))) == -1
    assert math.copysign(1, f(np.zeros(20))) == 1


def test_minimum_of_values_with_nan():
    f = loop("s = min(s, a[i])", "s = 5.0")
    a = np.arange(20.0)
    a[[0, 7]] = np.nan
    assert_same(f, a)
    assert_same(loop("s = max(s, a[i])", "s = math.nan"), a)


def test_several_reductions_at_once():
    body = "s += a[i]\np *= 2\nm = max(m, a[i])\nk = i\nx ^= i"
    f = loop(body, "s, p, m, k, x = 0.5, 1, -1.0, -7, 3", "s, p, m, k, x")
    assert_same(f, np.arange(30.0))
    assert_same(f, np.empty(0))
    assert is_parallel(f)


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
    "if a[i] > s: s = a[i]",
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
    f = loop(body, "b = np.ones(10); s = 0.0")
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
