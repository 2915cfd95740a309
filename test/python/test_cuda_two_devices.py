"""Two devices in one process, played by the CPU: which is current, and copies between them."""

import pytest

TWO = {"PYARRAY_CUDA": "cpu", "PYARRAY_CUDA_EMULATED_DEVICES": "2"}
START = """
import contextlib
import threading

import numpy as np
from pyarray import cuda

def current():
    return cuda.get_current_device().id

def on(device, values):
    with cuda.gpus[device]:
        return cuda.to_device(values)

def in_thread(body):
    errors = []
    def run():
        try:
            body()
        except BaseException as error:
            errors.append(error)
    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    if errors:
        raise errors[0]
"""


@pytest.fixture
def two(run):
    return lambda program: run(START + program, **TWO)


FIRST_USES = {
    "a block": "with cuda.gpus[1]:\n    assert current() == 1",
    "a block that does nothing": "with cuda.gpus[1]:\n    pass",
    "a block that makes an array": "with cuda.gpus[1]:\n    cuda.to_device(np.ones(3))",
    "a block that fails": "with contextlib.suppress(ZeroDivisionError), cuda.gpus[1]:\n    1 // 0",
    "blocks within blocks": "with cuda.gpus[1], cuda.gpus[0], cuda.gpus[1]:\n    assert current() == 1",
    "a decorator": "@cuda.require_context\ndef f():\n    return current()\nwith cuda.gpus[1]:\n    assert f() == 1",
    "a pushed context": "one = cuda.gpus[1].get_primary_context()\none.push()\nassert current() == 1\none.pop()",
    "memory of the other device": "cuda.gpus[1].get_primary_context().get_memory_info()",
    "synchronizing the other device": "cuda.gpus[1].get_primary_context().synchronize()",
    "a reset of the other device": "cuda.gpus[1].reset()",
    "another device's stream": "cuda.gpus[1].get_primary_context().create_stream().synchronize()",
    "select in a block": "with cuda.gpus[1]:\n    cuda.select_device(1)",
    "a close": "cuda.select_device(1)\ncuda.close()",
    "a close in a block": "with contextlib.suppress(ValueError), cuda.gpus[1]:\n    cuda.close()",
}


EACH_IN_A_PROCESS = """
import os, sys, traceback

def uses_first(name, source):
    child = os.fork()  # which is the first to use a device
    if child:
        if os.waitpid(child, 0)[1]:
            print(name)
        return
    try:
        exec(source, globals())
        assert current() == 0
    except BaseException:
        traceback.print_exc()
        sys.stderr.flush()
        os._exit(1)
    os._exit(0)
"""


def test_the_current_device_is_0_after_first_uses(two):
    """In the main thread and in another, each in a process of its own."""
    program = EACH_IN_A_PROCESS
    for name, source in FIRST_USES.items():
        body = "\n".join("    " + line for line in source.splitlines())
        threaded = f"def body():\n{body}\n    assert current() == 0\nin_thread(body)\n"
        program += f"uses_first({name!r}, {source!r})\nuses_first({name + ', in a thread'!r}, {threaded!r})\n"
    program += "uses_first('nothing', 'cuda.select_device(1)')\n"
    assert two(program) == "nothing\n"  # which tells that what is wrong is seen


def test_an_array_of_the_other_device_in_a_new_thread(two):
    program = """
a = on(1, np.arange(4.0))
def body():
    assert a.copy_to_host().tolist() == [0, 1, 2, 3] and a[2] == 2
    assert current() == 0
    a[0] = 7
    assert current() == 0
in_thread(body)
holder = [on(1, np.zeros(3))]
def drop():
    holder.clear()
    assert current() == 0
in_thread(drop)
print(current(), a[0])
"""
    assert two(program) == "0 7.0\n"


def test_a_selected_device_stays(two):
    program = """
cuda.select_device(1)
a = on(0, np.ones(3))
a.copy_to_host()
with cuda.gpus[0]:
    pass
print(current())
"""
    assert two(program) == "1\n"


COPIES = """
host = np.arange(24.0).reshape(4, 6)
for order in "CF":
    for source in range(2):
        target = 1 - source
        a = on(source, np.array(host, order=order))
        b = on(target, np.zeros((4, 6)))
        b.copy_to_device(a)
        assert np.array_equal(b.copy_to_host(), host)
        views = [lambda x: x[::2], lambda x: x[:, 1:3], lambda x: x.T, lambda x: x[::-1], lambda x: x[1]]
        for view in views:
            c = on(target, np.zeros(view(host).shape))
            c.copy_to_device(view(a))
            assert np.array_equal(c.copy_to_host(), view(host))
            d, wanted = on(target, np.zeros((4, 6))), np.zeros((4, 6))
            view(d).copy_to_device(view(a))
            view(wanted)[...] = view(host)
            assert np.array_equal(d.copy_to_host(), wanted)
        e = on(target, np.zeros((4, 6)))
        e[1:3] = a[:2]
        e[3] = a[0, 0:1]
        assert np.array_equal(e.copy_to_host()[1:], np.vstack([host[:2], np.zeros((1, 6))]))
        e[:] = on(source, np.arange(6))  # of another dtype
        assert np.array_equal(e.copy_to_host(), np.broadcast_to(np.arange(6.0), (4, 6)))
        assert current() == 0
print("done")
"""


def test_copies_between_devices(two):
    assert two(COPIES) == "done\n"


def test_copies_of_records_numbers_and_in_streams(two):
    program = """
dtype = np.dtype([("t", "i1"), ("x", "f8")])
records = np.zeros(3, dtype)
records["x"] = [1, 2, 3]
a, b = on(0, records), on(1, np.zeros(3, dtype))
b[1] = a[2]
b["x"][2] = a["x"][0]
b["t"] = 5
assert b.copy_to_host().tolist() == [(5, 0.0), (5, 3.0), (5, 1.0)]
c = on(1, np.zeros(()))
c.copy_to_device(on(0, np.array(2.5)))
assert c.copy_to_host() == 2.5
with cuda.gpus[1]:
    stream = cuda.stream()
    d = cuda.to_device(np.zeros(1000), stream=stream)
d.copy_to_device(on(0, np.arange(1000.0)), stream=stream)
stream.synchronize()
assert np.array_equal(d.copy_to_host(), np.arange(1000.0))
for wrong in (np.zeros(999), np.zeros(1000, np.float32)):
    try:
        d.copy_to_device(on(0, wrong))
        raise AssertionError
    except (ValueError, TypeError) as error:
        assert "incompatible" in str(error)
print(current())
"""
    assert two(program) == "0\n"


def test_a_copy_comes_after_what_the_source_s_device_has_to_do(two):
    program = """
@cuda.jit
def double(a):
    i = cuda.grid(1)
    if i < a.size:
        a[i] *= 2
a, b = on(0, np.ones(1000)), on(1, np.zeros(1000))
for _ in range(5):
    double[8, 128](a)
b.copy_to_device(a)
del a
print(set(b.copy_to_host().tolist()))
"""
    assert two(program) == "{32.0}\n"


def test_operators_work_where_their_arrays_are(two):
    two("""
from pyarray.cuda import _deferred
host = np.arange(12.0).reshape(3, 4)
a, b = on(1, host), on(1, host + 1)
c = a * 2 + b
assert current() == 0 and c._ordinal == 1
assert np.array_equal(c.copy_to_host(), host * 3 + 1) and c.__cuda_array_interface__ and current() == 0
assert c.sum() == (host * 3 + 1).sum() and c.sum(axis=0)._ordinal == 1
assert np.sort(c)._ordinal == 1 and c[c > 5]._ordinal == 1 and (c @ b.T)._ordinal == 1
assert np.zeros_like(c)._ordinal == 1
assert c.astype(np.float32)._ordinal == 1 and (1 + c)._ordinal == 1 and np.concatenate([a, b])._ordinal == 1
c += 1
c[1:] = 0
assert c._ordinal == 1 and current() == 0
late = a + b
with cuda.gpus[1]:
    assert np.array_equal((a + late).copy_to_host(), 3 * host + 1)
d = on(0, host)
for act in (lambda: a + d, lambda: np.hypot(d, a), lambda: np.concatenate([d, a]), lambda: np.add(d, d, out=a),
            lambda: d[on(1, host) > 3], lambda: d @ a.T):
    try:
        act()
    except ValueError as error:
        assert "devices 0 and 1" in str(error) or "devices 1 and 0" in str(error), error
    else:
        raise AssertionError("arrays of two devices")
assert current() == 0
""")


def test_a_graph_for_each_device(two):
    two("""
@cuda.jit
def add_one(a):
    i = cuda.grid(1)
    if i < a.size:
        a[i] += 1

arrays, graphs = [on(i, np.zeros(32)) for i in range(2)], []
for i in range(2):
    with cuda.gpus[i]:
        add_one[1, 32](arrays[i])
        with cuda.graph() as graph:
            add_one[1, 32](arrays[i])
            arrays[i] *= 2
        graphs.append(graph)
for _ in range(2):
    for i in range(2):
        with cuda.gpus[i]:
            graphs[i].launch()
assert all((a.copy_to_host() == 10).all() for a in arrays)
""")


def test_an_array_of_another_device_is_refused_before_the_launch(two):
    two("""
from pyarray import njit, vectorize

@cuda.jit
def add(first, second, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = first[i] + second[i]

@vectorize(["float64(float64, float64)"], target="cuda")
def total(x, y):
    return x + y

@njit(target="cuda")
def double(x):
    return x * 2

here, there = on(0, np.ones(8)), on(1, np.arange(8.0))

def refused(act, *words):
    try:
        act()
    except ValueError as error:
        assert all(word in str(error) for word in words), error
    else:
        raise AssertionError(f"not refused: {words}")

refused(lambda: add[1, 8](here, there, here), "argument 1 ('second') of add()", "device 1", "enable_peer_access(1)")
refused(lambda: total(here, there), "device 1")
refused(lambda: total(there, there, out=there), "device 1")
refused(lambda: double(there), "device 1")
with cuda.gpus[1]:
    stream = cuda.stream()
refused(lambda: add[1, 8, stream](here, here, here), "stream", "device 1", "device 0")
assert (here.copy_to_host() == 1).all() and double(here)._ordinal == 0
with cuda.gpus[1]:
    assert double(there).tolist() == [2 * i for i in range(8)]
    shared = cuda.managed_array(8)
    shared[:] = 5
add[1, 8](here, shared, here)
assert (here.copy_to_host() == 6).all()
copy = cuda.to_device(there)
assert copy._ordinal == 0 and copy is not there and copy.tolist() == there.tolist()
assert cuda.to_device(here) is here
cuda.current_context().enable_peer_access(1)
add[1, 8](here, there, here)
assert here.tolist() == [6.0 + i for i in range(8)]
with cuda.gpus[1]:
    refused(lambda: add[1, 8](here, there, there), "argument 0 ('first') of add()", "device 0")
""")
