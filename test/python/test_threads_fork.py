"""Several threads compile and call at once; a forked child goes on; Ctrl-C interrupts a compilation cleanly."""

import multiprocessing
import threading

import numpy as np
import pytest
from compare import arrays_alive, define
from pyarray import TypingError, _pyarray, njit

pytestmark = pytest.mark.real


def test_threads_compile_different_functions():
    results, errors = {}, []

    def work(k):
        try:
            f = define(f"def f(x):\n    s = 0\n    for i in range({k + 10}):\n        s += i * x\n    return s\n")
            results[k] = f(1), f(1.5), f(np.int8(2))
        except Exception as error:
            errors.append(error)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(12)]
    [t.start() for t in threads]
    [t.join() for t in threads]
    assert not errors
    assert all(results[k][0] == sum(range(k + 10)) for k in range(12))


def test_threads_compile_one_function():
    f = define("def f(x):\n    return x + 1\n")
    barrier, results = threading.Barrier(8), []

    def work():
        barrier.wait()
        results.append((f(1), f(2.5), f(np.float32(1))))

    threads = [threading.Thread(target=work) for _ in range(8)]
    [t.start() for t in threads]
    [t.join() for t in threads]
    assert results == [(2, 3.5, 2.0)] * 8 and len(f.signatures) == 3


def test_nogil_runs_beside_other_threads():
    from pyarray import njit

    f = define(
        "def f(n):\n    s = 0\n    for i in range(n):\n        s += i % 7\n    return s\n", decorator=njit(nogil=True)
    )
    wanted = f(1000)
    results = []
    threads = [threading.Thread(target=lambda: results.append(f(1000))) for _ in range(4)]
    [t.start() for t in threads]
    [t.join() for t in threads]
    assert results == [wanted] * 4


def _in_child(queue, function):
    queue.put((function(3), define("def g(x):\n    return x * 5\n", "g")(2)))


def test_fork_after_compiling():
    f = define("def f(x):\n    return x * 2\n")
    f(1)
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    child = context.Process(target=_in_child, args=(queue, f))
    child.start()
    assert queue.get(timeout=60) == (6, 10)
    child.join()
    assert child.exitcode == 0


def slow_source(statements, first=""):
    lines = "".join(f"    x = x * {i} + {i + 1}.5\n" for i in range(statements))
    return f"def f(x):\n{first}{lines}    return x\n"


def test_interrupt_while_compiling(run):
    code = (
        "import signal\nfrom moments import during_call\nfrom pyarray import njit\n@njit(cache=False)\n"
        f"{slow_source(500)}"
        "def compile():\n    f(1.0)\n"
        "during_call(compile, signal.default_int_handler)\n"
        "try:\n    compile()\n"
        "except KeyboardInterrupt:\n    print('interrupted', f.signatures, f(1.0) == f.py_func(1.0))\n"
    )
    assert run(code) == "interrupted [] True\n"


def in_threads(count, work):
    """Run work(k) in so many threads at once; returns the results in order, or raises the first error."""
    results, errors, barrier = [None] * count, [], threading.Barrier(count)

    def run(k):
        try:
            barrier.wait()
            results[k] = work(k)
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=run, args=(k,)) for k in range(count)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    if errors:
        raise errors[0]
    return results


def test_threads_compile_functions_that_call_each_other():
    source = "def f(n):\n    return 1 if n == 0 else g(n - 1) + 1\n"
    f = define(source, g=define("def g(x):\n    return x * 2\n", "g"))
    assert in_threads(6, lambda k: (f(k), f.py_func.__globals__["g"](k))) == [
        (1 if k == 0 else 2 * k - 1, 2 * k) for k in range(6)
    ]


def test_exceptions_stay_in_their_thread():
    f = define(
        "def f(a, i):\n    for k in range(1000):\n        a[k % 3] += 1\n    return a[i]\n", decorator=njit(nogil=True)
    )

    def work(k):
        for _ in range(50):
            try:
                f(np.zeros(3), k)
            except IndexError as error:
                assert str(error) == f"index {k} is out of bounds for axis 0 with size 3"
            else:
                assert k < 3
        return True

    assert all(in_threads(6, work))


def test_arrays_made_in_one_thread_are_freed_in_another():
    f = define("def f(n):\n    return np.ones(n)\n")
    before = arrays_alive()
    for _ in range(5):
        made = in_threads(4, lambda k: [f(n) for n in (1, 100, 10_000)])
        assert all(array.sum() == array.size for arrays in made for array in arrays)
        del made
    assert arrays_alive() == before


def test_recompiling_while_others_call():
    f = define("def f(x):\n    return x + 1\n")

    def work(k):
        for i in range(30):
            if k == 0 and i % 10 == 0:
                f.recompile()
            assert f(i) == i + 1 and f(0.5) == 1.5
        return True

    assert all(in_threads(4, work))


def _compile_in_child(queue, k):
    queue.put(define(f"def f(x):\n    return x * {k}\n")(2))


def test_fork_while_other_threads_compile():
    context, done = multiprocessing.get_context("fork"), threading.Event()

    def work():
        k = 0
        while not done.is_set():
            define(f"def f(x):\n    return x + {k}\n")(1)
            k += 1

    thread = threading.Thread(target=work)
    thread.start()
    try:
        queue = context.Queue()
        for k in range(3):
            child = context.Process(target=_compile_in_child, args=(queue, k))
            child.start()
            assert queue.get(timeout=60) == 2 * k
            child.join(60)
            assert child.exitcode == 0
    finally:
        done.set()
        thread.join()


def test_pool_of_forked_processes():
    f = define("def f(x):\n    return x * x\n")
    f(2)
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map(f, range(20)) == [x * x for x in range(20)]


def test_spawned_processes_compile_what_they_are_sent(run):
    code = (
        "import multiprocessing\nfrom pyarray import njit\n\n@njit\ndef f(x):\n    return x * x\n\n"
        "if __name__ == '__main__':\n    with multiprocessing.get_context('spawn').Pool(2) as pool:\n"
        "        print(pool.map(f, [1, 2.5, 3]))\n"
    )
    assert run(code).strip() == "[1, 6.25, 9]"


def test_exit_while_a_thread_runs_compiled_code(run):
    code = (
        "import threading\nimport numpy as np\nfrom moments import wait_until\nfrom pyarray import njit\n\n"
        "@njit(nogil=True)\ndef f(n, begun):\n    begun[0] = True\n    s = 1\n"
        "    for i in range(n):\n        s = (s * 31 + i) % 1000003\n    return s\n\n"
        "begun = np.zeros(1, bool)\nf(1, begun.copy())\n"
        "threading.Thread(target=f, args=(10**13, begun), daemon=True).start()\n"
        "wait_until(lambda: begun[0])\nprint('end')\n"
    )
    assert run(code).strip() == "end"


#  Threads that want the same variant


# Compiling a function that calls pause() comes to a halt in this process, until go_on is set.
PAUSE = """
import os, signal, threading
from moments import during_call
from pyarray import extending, njit

compiling, go_on, process = threading.Event(), threading.Event(), os.getpid()

def pause():
    pass

@extending.overload(pause)
def pause_overload():
    if os.getpid() == process:
        compiling.set()
        go_on.wait()
    return lambda: None

@njit(cache=False)
"""
PAUSED = PAUSE + slow_source(100, first="    pause()\n")
PAUSED += "thread = threading.Thread(target=f, args=(1.0,), daemon=True)\nthread.start()\ncompiling.wait()\n"


def compilations():
    return _pyarray.cache_info()["stored"]


def test_threads_that_want_one_variant_compile_it_once():
    f, before = define(slow_source(100)), compilations()
    assert in_threads(8, lambda k: f(1.0)) == [f.py_func(1.0)] * 8
    assert compilations() == before + 1
    assert list(f.stats.cache_misses.values()) == [1] and not f.stats.cache_hits


def test_threads_that_want_different_variants_do_not_wait_for_each_other():
    f, before = define("def f(x):\n    return x + 1 + 0 * 31\n"), compilations()  # in the cache by no other test
    values = [1, 1.0, np.float32(1), np.int8(1), 1 + 0j, True]
    assert in_threads(12, lambda k: f(values[k % 6])) == [2] * 12
    assert compilations() == before + 6


def test_each_waiting_thread_gets_an_error_of_its_own():
    f, errors = define("def f(x):\n    y = x * 2\n    return y.missing\n"), []

    def work(k):
        try:
            f(1.0)
        except TypingError as error:
            errors.append(error)

    in_threads(6, work)
    assert len({id(error) for error in errors}) == 6 and len({str(error) for error in errors}) == 1


def test_interrupt_while_waiting_for_another_thread(run):
    code = (
        f"{PAUSED}"
        "def wait():\n    f(1.0)\n"
        "during_call(wait, signal.default_int_handler)\n"
        "try:\n    wait()\n"
        "except KeyboardInterrupt:\n    print('interrupted', thread.is_alive(), f.signatures)\n"
        "go_on.set()\nprint(f(1.0) == f.py_func(1.0))\n"
    )
    assert run(code) == "interrupted True []\nTrue\n"


def test_a_signal_handler_may_call_what_is_being_compiled(run):
    code = (
        "from moments import during_call\nfrom pyarray import njit\n@njit(cache=False)\n"
        f"{slow_source(500)}"
        "results = []\ndef handler(number, frame):\n    results.append(f.signatures)\n    results.append(f(1.0))\n"
        "def compile():\n    results.append(f(1.0))\n"
        "during_call(compile, handler)\ncompile()\nprint(results == [[], *[f.py_func(1.0)] * 2])\n"
    )
    assert run(code) == "True\n"


def test_fork_while_another_thread_compiles_what_the_child_wants(run):
    code = (
        f"{PAUSED}"
        "def status_of_child():\n    child = os.fork()\n"
        "    if child == 0:\n        signal.alarm(60)\n        os._exit(f(1.0) != f.py_func(1.0))\n"
        "    return os.waitpid(child, 0)[1]\n"
        "print(status_of_child(), f.signatures)\ngo_on.set()\n"
        "statuses = {status_of_child()}\n"
        "while thread.is_alive():\n    statuses.add(status_of_child())  # forked while native code compiles\n"
        "print(statuses)\n"
        "thread.join()\nprint(len(f.signatures))\n"
    )
    assert run(code) == "0 []\n{0}\n1\n"


def test_fork_while_another_thread_imports(run, tmp_path):
    (tmp_path / "slow.py").write_text("import threading, time\nbegun.set()\ntime.sleep(0.3)\nvalue = 1\n")
    code = (
        "import builtins, importlib, os, signal, threading, pyarray\n"
        f"pyarray.__path__.append({str(tmp_path)!r})\n"
        "builtins.begun = threading.Event()\n"
        "thread = threading.Thread(target=importlib.import_module, args=('pyarray.slow',))\n"
        "thread.start()\nbegun.wait()\nchild = os.fork()\n"
        "if child == 0:\n    signal.alarm(20)\n    os._exit(importlib.import_module('pyarray.slow').value)\n"
        "print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))\nthread.join()\n"
    )
    assert run(code) == "1\n"
