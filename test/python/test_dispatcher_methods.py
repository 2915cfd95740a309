"""Methods of compiled functions that Numba has: compile, get_call_template, get_metadata, inspect_cfg and others."""

import gc
import inspect

import numpy as np
import pytest
from pyarray import cuda, njit, types


def count_up(n):
    total = 0
    for i in range(n):
        if i % 3:
            total += i
    return total


@pytest.mark.parametrize("cache", [True, False])
@pytest.mark.parametrize(
    "signature", ["float64(float64)", "(float64,)", (types.float64,), types.float64(types.float64)]
)
def test_compile_gives_what_can_be_called(cache, signature):
    f = njit(cache=cache)(lambda x: x + 1)
    entry = f.compile(signature)
    assert entry(1.5) == 2.5
    assert repr(entry(1)) == "2.0"  # converted to what was asked for
    assert f.signatures == [(types.float64,)]
    with pytest.raises(TypeError, match="No matching definition"):
        entry("a")


def test_what_compile_gives_lives_by_itself():
    def make():
        f = njit(lambda a: (a[0] * 2, a[1:], [1, 2]))
        return f.compile((types.float64[::1],))

    entry = make()
    gc.collect()
    doubled, rest, items = entry(np.ones(2))
    assert doubled == 2.0 and rest.tolist() == [1.0] and list(items) == [1, 2]


def test_errors_of_what_compile_gives():
    f = njit(lambda a, i: a[i])
    with pytest.raises(IndexError, match="index 5 is out of bounds"):
        f.compile("(float64[::1], int64)")(np.ones(2), 5)


def test_compile_again_and_recompile():
    f = njit(lambda x: x + 1)
    first, second = f.compile("int64(int64)"), f.compile("int64(int64)")
    f.recompile()
    assert first(1) == second(1) == f(1) == 2
    assert len(f.signatures) == 1


@pytest.mark.filterwarnings("ignore")
def test_compile_of_a_kernel():
    @cuda.jit
    def kernel(a):
        a[0] = 1.0

    a = np.zeros(2)
    kernel.compile((types.float64[::1],))[1, 1](a)
    assert a[0] == 1.0


def test_call_templates():
    @njit
    def f(x, y=2, how="fast"):
        return x + y if how == "fast" else x

    template, signature, arguments, named = f.get_call_template((types.float64,), {})
    assert [case.args[0] for case in template.cases] == [types.float64]
    assert signature == inspect.signature(f) and arguments == (types.float64,) and named == {}
    arguments = f.get_call_template((types.float64,), {"y": types.int32})[2]
    assert arguments == (types.float64, types.int32)
    with pytest.raises(TypeError):
        f.get_call_template((), {})


def test_metadata():
    f = njit(lambda x: x)
    f(1), f(2.0)
    known = f.get_metadata()
    assert list(known) == f.signatures
    one = f.get_metadata(f.signatures[1])
    assert one == known[f.signatures[1]] and one["signature"].return_type == types.float64
    assert set(one["timers"]) >= {"whole", "llvm"}


def test_enable_caching():
    f = njit(cache=False)(lambda x: x)
    assert f.enable_caching() is None
    assert f.options["cache"]


@pytest.mark.parametrize("show", ["inspect_cfg", "inspect_disasm_cfg"])
def test_control_flow(show):
    f = njit(count_up)
    f(10)
    graph = getattr(f, show)(f.signatures[0])
    assert getattr(f, show)()[f.signatures[0]].dot == graph.dot == repr(graph)
    assert len(graph.blocks) > 2
    assert all(start in graph.blocks and end in graph.blocks for start, end in graph.edges)
    assert any(function == "pyarray_entry" for function, _ in graph.blocks)
    reached, waiting = set(), [block for block in graph.blocks if block[0] == "pyarray_entry"][:1]
    while waiting:
        block = waiting.pop()
        reached.add(block)
        waiting += [end for start, end in graph.edges if start == block and end not in reached]
    assert reached == {block for block in graph.blocks if block[0] == "pyarray_entry"}
    assert graph.dot.count("->") == len(graph.edges) and graph.dot.startswith("digraph {")


def test_unknown_arguments_of_inspect_cfg():
    with pytest.raises(TypeError, match="unexpected keyword argument 'colour'"):
        njit(count_up).inspect_cfg(colour=1)
