"""Several threads compile and call at once; a forked child goes on; Ctrl-C interrupts a compilation cleanly."""

import multiprocessing
import os
import signal
import subprocess
import sys
import threading

import numpy as np
import pytest
from compare import define

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

    f = define("def f(n):\n    s = 0\n    for i in range(n):\n        s += i % 7\n    return s\n", decorator=njit(nogil=True))
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


def test_interrupt_while_compiling(tmp_path):
    lines = "".join(f"    x = x * {i} + {i + 1}.5\n" for i in range(1500))
    script = tmp_path / "long.py"
    script.write_text(
        f"import os, signal, threading\nfrom pyarray import njit\n@njit(cache=False)\ndef f(x):\n{lines}    return x\n"
        "threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT)).start()\n"
        "try:\n    f(1.0)\n    import time; time.sleep(2)\nexcept KeyboardInterrupt:\n    print('interrupted', f(1.0) == f.py_func(1.0))\n"
    )
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=120, env=dict(os.environ))
    assert done.returncode == 0 and done.stdout.startswith("interrupted"), done.stderr
    assert signal.SIGINT
