"""What goes on around compiled code: tracing, profiling, other threads that change its arrays, other interpreters."""

import subprocess
import sys
import textwrap
import threading

import numpy as np
import pytest
from pyarray import njit


@njit
def total(a):
    s = 0.0
    for i in range(a.size):
        s += a[i]
    if s < 0:
        raise ValueError("negative", s)
    return s


@njit(nogil=True)
def watch(a, turns):
    least = greatest = a[0]
    for _ in range(turns):
        for i in range(a.shape[0]):
            least, greatest = min(least, a[i]), max(greatest, a[i])
    return least, greatest


@pytest.mark.parametrize("begin", [sys.settrace, sys.setprofile])
def test_traced(begin):
    events = []

    def trace(frame, event, argument):
        if frame.f_code.co_filename == __file__:
            events.append((frame.f_code.co_name, event))
        return trace

    def calls():
        sums = total(np.ones(3)), total(np.ones(3, np.float32))  # the second one is compiled while traced
        with pytest.raises(ValueError) as caught:
            total(-np.ones(3))
        return sums, caught.value.args

    total(np.ones(2))
    begin(trace)
    try:
        found = calls()
    finally:
        begin(None)
    assert found == ((3.0, 3.0), ("negative", -3.0))
    assert ("calls", "call") in events and ("calls", "return") in events
    assert all(name != "total" for name, _ in events)  # compiled code has no frames


def test_arrays_that_another_thread_changes():
    a, seen = np.zeros(1000, np.int64), []
    watch(a, 1)
    thread = threading.Thread(target=lambda: seen.append(watch(a, 20_000)))
    thread.start()
    for k in range(2000):
        a[k % a.size] = k
    thread.join()
    assert len(seen) == 1 and 0 <= seen[0][0] <= seen[0][1] <= 1999


@pytest.mark.parametrize("first", ["main", "sub"])
def test_one_interpreter_of_a_process(first, tmp_path):
    """NumPy lets one interpreter of a process import it, from Python 3.12 on the main one: there all works, elsewhere
    the import fails and says so."""
    (tmp_path / "doubled.py").write_text("import numpy\nfrom pyarray import njit\n@njit\ndef f(x):\n    return x * 2\n")
    program = f"""
    try:
        import _xxsubinterpreters as interpreters
    except ImportError:
        import _interpreters as interpreters
    text = '''if True:
        import sys, warnings
        warnings.simplefilter("ignore")
        sys.path.insert(0, {str(tmp_path)!r})
        try:
            import doubled
            print(doubled.f(21), flush=True)
        except ImportError as error:
            print("ImportError:", error, flush=True)
    '''
    made = interpreters.create()
    for which in ({first!r}, "main", "sub"):
        if which == "main":
            exec(text)
        else:
            interpreters.run_string(made, text)
    interpreters.destroy(made)
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(program)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    lines = [line for line in done.stdout.splitlines() if line == "42" or line.startswith("ImportError:")]
    serves = "main" if sys.version_info >= (3, 12) else first
    assert ["42" if line == "42" else line.split(":")[0] for line in lines] == [
        "42" if which == serves else "ImportError" for which in (first, "main", "sub")
    ]
