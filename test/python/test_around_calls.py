"""What goes on around compiled code: tracing, profiling, other threads that change its arrays, other interpreters."""

import subprocess
import sys
import textwrap
import threading
import time

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
    """What is read is a value that was there; what was written before the call is read by it."""
    values = np.array([-(2**62) + 1, 2**62 - 1])  # half of the one and half of the other is outside
    a, seen, done = np.full(1000, values[0]), [], threading.Event()
    watch(a, 1)

    def watching():
        while not done.is_set():
            seen.append(watch(a, 20))

    thread = threading.Thread(target=watching)
    thread.start()
    end, k = time.monotonic() + 20, 0
    while k < 3000 or ((values[0], values[1]) not in seen and time.monotonic() < end):
        a[:] = values[k % 2]
        k += 1
    done.set()
    thread.join()
    a[:] = values[1]
    assert watch(a, 1) == (values[1], values[1])
    assert (values[0], values[1]) in seen and {each for pair in seen for each in pair} == set(values.tolist())


@njit(nogil=True)
def count_where(a, mask, turns):
    for _ in range(turns):
        for i in range(len(a)):
            if mask[i]:
                a[i] += 1


@njit(nogil=True)
def count_where_as_arrays(a, mask, turns):
    for _ in range(turns):
        a[mask] += 1


@pytest.mark.parametrize("count", [count_where, count_where_as_arrays])
@pytest.mark.parametrize("dtype", ["i1", "i8", "f4", "f8"])
def test_neighbours_that_another_thread_changes(count, dtype):
    """Elements that are not stored to stay another thread's: no vector is written back with what it read of them."""
    a, turns = np.zeros(96, dtype), 200_000 if count is count_where else 20_000
    masks = np.arange(96) % 3 == 0, np.arange(96) % 3 != 0
    count(a, masks[0], 0)
    start = threading.Barrier(2)
    for turn in range(1, 5):
        threads = [threading.Thread(target=lambda mask=mask: (start.wait(), count(a, mask, turns))) for mask in masks]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert a.tolist() == np.full(96, turn * turns).astype(dtype).tolist()


@njit(nogil=True)
def looked_up(table, a):
    s = 0
    for i in range(len(a)):
        s += table[a[i]]
    return s


def test_indices_that_another_thread_changes():
    """The index that is checked is the one that is used: far ones raise, and never read."""
    table, a, found, done = np.ones(8, np.int64), np.zeros(500, np.int64), [], threading.Event()
    looked_up(table, a)

    def looking():
        while not done.is_set():
            try:
                found.append(looked_up(table, a))
            except IndexError:
                found.append("refused")

    thread = threading.Thread(target=looking)
    thread.start()
    end, k = time.monotonic() + 20, 0
    while k < 3000 or (set(found) != {500, "refused"} and time.monotonic() < end):
        a[k * 7 % 500] = 2**40 if k & 64 else k % 8
        if k & 63 == 0:
            a[:] = k % 8
        k += 1
    done.set()
    thread.join()
    assert set(found) == {500, "refused"}


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
