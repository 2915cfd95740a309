"""Graphs: what is captured, what launches do, what is refused."""

import gc

import numpy as np
import pytest
from pyarray import cuda, njit, vectorize

pytestmark = pytest.mark.real

X = np.arange(64, dtype=np.float32)


@cuda.jit
def add_one(a):
    i = cuda.grid(1)
    if i < a.size:
        a[i] += 1


@njit(target="cuda")
def chain(x, y):
    t = np.sqrt(x * x + y) + 1
    return (t * 2 + y).reshape(8, 8).sum(axis=0)


def expected(x, y):
    t = np.sqrt(x * x + y) + 1
    return (t * 2 + y).reshape(8, 8).sum(axis=0)


def test_kernels_run_when_the_graph_is_launched():
    a = cuda.to_device(X)
    add_one[2, 32](a)
    with cuda.graph() as graph:
        add_one[2, 32](a)
        add_one[2, 32](a)
    assert graph.nodes == 2 and "2 nodes" in repr(graph)
    assert np.array_equal(a.copy_to_host(), X + 1)
    graph.launch()
    graph.replay(cuda.stream())
    cuda.synchronize()
    assert np.array_equal(a.copy_to_host(), X + 5)


def test_a_stream_is_captured():
    a, stream = cuda.to_device(X), cuda.stream()
    stream.begin_capture()
    add_one[2, 32, stream](a)
    add_one[2, 32](a)
    graph = stream.end_capture()
    assert np.array_equal(a.copy_to_host(), X)
    graph.launch(stream)
    stream.synchronize()
    assert np.array_equal(a.copy_to_host(), X + 2)
    with pytest.raises(RuntimeError, match="begin_capture"):
        stream.end_capture()


def test_functions_of_whole_arrays():
    x, y = cuda.to_device(X), cuda.to_device(X + 1)
    np.testing.assert_allclose(chain(x, y).copy_to_host(), expected(X, X + 1), rtol=1e-5)
    with cuda.graph() as graph:
        out = chain(x, y)
    for factor in (2, 3):
        x.copy_to_device(X * np.float32(factor))
        graph.launch()
        np.testing.assert_allclose(out.copy_to_host(), expected(X * np.float32(factor), X + 1), rtol=1e-5)


def test_operators_and_ufuncs():
    @vectorize(["float32(float32, float32)"], target="cuda")
    def total(a, b):
        return a + 2 * b

    x, y = cuda.to_device(X), cuda.to_device(X[::-1].copy())
    before = x * 100
    total(x, y)
    with cuda.graph() as graph:
        out = x * 2 + y
        more = total(x, y)
        y += 1
    assert graph.nodes == 3
    np.testing.assert_allclose(before.copy_to_host(), X * 100)
    for turn in range(3):
        x.copy_to_device(X + np.float32(turn))
        graph.launch()
        np.testing.assert_allclose(out.copy_to_host(), (X + turn) * 2 + X[::-1] + turn, rtol=1e-6)
        np.testing.assert_allclose(more.copy_to_host(), (X + turn) + 2 * (X[::-1] + turn), rtol=1e-6)


def test_copies_and_fills():
    pinned = cuda.pinned_array(64, np.float32)
    back = cuda.pinned_array(64, np.float32)
    host = X.copy()
    a, b, c = (cuda.to_device(np.zeros(64, np.float32)) for _ in range(3))
    stream = cuda.stream()
    with cuda.graph(stream) as graph:
        a.copy_to_device(pinned, stream=stream)  # read each time
        b.copy_to_device(host)  # as it is now
        c[:] = a
        c[::2] = b[::2]
        a.copy_to_host(back, stream=stream)
    host[:] = -1
    del host
    gc.collect()
    for value in (3, 4):
        pinned[:] = value
        graph.launch(stream)
        stream.synchronize()
        assert (back == value).all() and np.array_equal(b.copy_to_host(), X)
        assert np.array_equal(c.copy_to_host(), np.where(np.arange(64) % 2, value, X))


def test_a_graph_keeps_what_it_uses():
    a = cuda.to_device(X)
    seen = cuda.to_device(np.zeros_like(X))
    (a * 2 + 1).copy_to_host()
    with cuda.graph() as graph:
        temporary = a * 2 + 1
        seen[:] = temporary * 3
    del temporary, a
    gc.collect()
    others = [cuda.to_device(np.full(64, 7, np.float32)) for _ in range(8)]
    graph.launch()
    np.testing.assert_allclose(seen.copy_to_host(), (X * 2 + 1) * 3)
    assert all((other.copy_to_host() == 7).all() for other in others)


def test_what_waits_is_refused():
    a = cuda.to_device(X)
    for wait in (a.copy_to_host, cuda.synchronize, lambda: float(a[3]), lambda: a.sum(), lambda: a[a > 0]):
        with pytest.raises(Exception, match=r"captur"), cuda.graph():
            wait()
        assert np.array_equal(a.copy_to_host(), X)
    with pytest.raises(ZeroDivisionError), cuda.graph() as graph:
        raise ZeroDivisionError
    with pytest.raises(RuntimeError, match="captured"):
        graph.launch()
    with pytest.raises(RuntimeError, match="captured"):
        cuda.Graph().launch()
    with cuda.graph() as outer:
        with pytest.raises(Exception, match="captures a graph already"), cuda.graph():
            pass
        add_one[2, 32](a)
    outer.launch()
    assert np.array_equal(a.copy_to_host(), X + 1)
    with pytest.raises(ValueError, match="default stream"), cuda.graph(cuda.default_stream()):
        pass


def test_other_threads_are_not_captured():
    import threading

    a, b = cuda.to_device(X), cuda.to_device(X)
    add_one[2, 32](a)

    def work():
        add_one[2, 32](b)
        assert np.array_equal(b.copy_to_host(), X + 1)

    with cuda.graph() as graph:
        add_one[2, 32](a)
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    assert graph.nodes == 1
    assert np.array_equal(b.copy_to_host(), X + 1)


def test_a_graph_frees_its_memory():
    from pyarray._pyarray import cuda as native

    a = cuda.to_device(np.zeros(1 << 16))
    (a * 2 + 1).copy_to_host()
    gc.collect()
    before = native.statistics()["device_bytes"]
    for _ in range(3):
        with cuda.graph() as graph:
            out = a * 2 + 1
        graph.launch()
        out.copy_to_host()
        del graph, out
        gc.collect()
    assert native.statistics()["device_bytes"] == before


def test_a_graph_that_goes_while_another_is_captured():
    """The name of the old one is given to the new one within its block."""
    data = cuda.to_device(np.arange(5.0))
    scaled = njit(target="cuda")(lambda a: a * 2 + 1)
    scaled(data)
    for _ in range(3):
        with cuda.graph() as graph:
            scaled(data)  # whose memory is the graph's
            kept = scaled(data)
        graph.launch()
        np.testing.assert_array_equal(kept.copy_to_host(), np.arange(5.0) * 2 + 1)
