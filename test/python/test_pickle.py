"""Pickling: python/pyarray/_pickle.py."""

import os
import pickle
import threading

import kernels
import numpy as np
import pytest
from pyarray import _pickle, cuda, guvectorize, njit, types, vectorize


def test_importable_functions_by_reference():
    data = pickle.dumps(kernels.hypot)
    assert pickle.loads(data) is kernels.hypot and len(data) < (3000 if kernels.hypot.signatures else 100)


def make(n):
    @njit
    def add(x):
        """
        d>d: DR(0) = D(0) + 10;
        """
        return x + n

    return add


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_closures(protocol):
    copy = pickle.loads(pickle.dumps(make(10), protocol))
    assert copy(1.0) == 11.0 == copy.py_func(1.0)
    assert copy.__name__ == "add" and copy.__qualname__ == "make.<locals>.add" and copy.__module__ == __name__


def test_options_and_declared_signatures():
    original = njit("float64(float64)", boundscheck=False)(make(10).py_func)
    copy = pickle.loads(pickle.dumps(original))
    assert copy.options == original.options and copy.targetoptions == {"boundscheck": False}
    assert copy.nopython_signatures == [types.float64(types.float64)]
    assert copy(1) == 11.0  # converted, not compiled


def test_functions_that_refer_to_themselves_and_others():
    def outer():
        def helper(x):
            return x + 1

        @njit
        def even(n):
            return helper(n) - 1 == 0 or not even(n - 1)

        return even

    copy = pickle.loads(pickle.dumps(outer()))
    assert copy.py_func.__closure__[0].cell_contents is copy
    assert copy.py_func.__closure__[1].cell_contents(1) == 2


def test_another_process(run, tmp_path):
    script = """
import pickle, sys
from pyarray import njit
import math
scale = 10.0

@njit
def f(x):
    '''
    d>d: DR(0) = D(0) * 10;
    '''
    return math.fabs(x) * scale

if sys.argv[0].endswith("program.py"):
    pickle.dump(f, open("{}/f.pickle", "wb"))
"""
    run(script.format(tmp_path))
    (tmp_path / "program.py").write_text("")
    load = f"import pickle; f = pickle.load(open('{tmp_path}/f.pickle', 'rb'))"
    code = load + "; print(f(2.0), f.py_func(2.0), f.__module__)"
    assert run(code, name="other.py").split() == ["20.0", "20.0", "__main__"]


def test_source_travels_along():
    import linecache

    from pyarray._source import function_ast

    f = make(3)
    data = pickle.dumps(f)
    kept = linecache.cache.pop(__file__, None)
    try:
        moved = pickle.loads(data.replace(__file__.encode(), __file__.replace("test_pickle", "tost_pickle").encode()))
    finally:
        if kept:
            linecache.cache[__file__] = kept
    node, filename = function_ast(moved.py_func)
    assert node.name == "add" and filename.startswith("<pyarray pickle of")
    assert node.lineno == f.py_func.__code__.co_firstlineno + 1


# Machine code -------------------------------------------------------------------------------------

MODULE = """
import math
import numpy as np
from pyarray import cuda, guvectorize, njit, vectorize

@njit
def scaled(x):
    return math.exp(x) * 10.0

def make(n):
    @njit
    def add(x):
        return x.sum() + n
    return add

add = make(3)

@vectorize
def twice(x):
    return 2 * x

@guvectorize("(n)->()")
def total(x, out):
    out[0] = x.sum()

lazy = vectorize(lambda x: x + 1.5)

@cuda.jit
def fill(a):
    i = cuda.grid(1)
    if i < a.size:
        a[i] = i
"""
CALLS = """
def calls(scaled, add, lazy, fill):
    a = np.zeros(3)
    fill[1, 4](a)
    return [scaled(1.0), add(np.ones(3)), lazy(np.ones(2)).tolist(), a.tolist()]
"""
SEND = """
import pickle, sys
from tools import *

print(calls(scaled, add, lazy, fill))
for function in (scaled, add, fill):
    assert not any(function.stats.cache_hits.values())
data = [pickle.dumps(function) for function in (scaled, add, lazy, fill)]
assert max(map(len, data)) < 4000, [len(each) for each in data]
pickle.dump(data, open("functions.pickle", "wb"))
"""
TAKE = """
import os, pickle, sys
from tools import calls
from pyarray import _pyarray, inspect

functions = [pickle.loads(each) for each in pickle.load(open("functions.pickle", "rb"))]
print(calls(*functions))
there = [functions[0], functions[1], inspect(functions[2]), functions[3]]
print([all(from_cache for _, from_cache, *_ in each._variants()) for each in there])
print("libpyarray_core" in open("/proc/self/maps").read())
"""


@pytest.fixture
def tools(run, tmp_path, monkeypatch):
    """Programs that send functions and take them, in processes with a disk cache each."""
    (tmp_path / "tools.py").write_text(MODULE + CALLS)
    monkeypatch.chdir(tmp_path)

    def program(code, cache, **environment):
        environment = {"PYARRAY_CACHE_DIR": str(tmp_path / cache), "PYARRAY_CUDA": "cpu", **environment}
        return run(code, **environment).splitlines()

    return program


@pytest.mark.real
def test_machine_code_travels_along(tools):
    """Where the disk cache is another one, nothing is compiled: the compiler is not even loaded."""
    sent = tools(SEND, "sender")
    assert tools(TAKE, "receiver") == [*sent, "[True, True, True, True]", "False"]
    assert tools(TAKE, "receiver") == [*sent, "[True, True, True, True]", "False"]


@pytest.mark.real
def test_machine_code_goes_on_through_a_process_that_does_not_call(tools):
    sent = tools(SEND, "sender")
    passed = "functions = [pickle.loads(each) for each in pickle.load(open('functions.pickle', 'rb'))]\n"
    passed += "pickle.dump([pickle.dumps(each) for each in functions], open('functions.pickle', 'wb'))"
    tools(f"import pickle\n{passed}", "between")
    assert tools(TAKE, "receiver") == [*sent, "[True, True, True, True]", "False"]


@pytest.mark.real
def test_machine_code_without_a_disk_cache(tools):
    sent = tools(SEND, "sender")
    assert tools(TAKE, "none", PYARRAY_CACHE_SIZE="0") == [*sent, "[True, True, True, True]", "False"]


@pytest.mark.real
def test_machine_code_for_another_processor_is_not_taken(tools):
    sent = tools(SEND, "sender")
    assert tools(TAKE, "receiver", PYARRAY_CPU_NAME="x86-64-v2") == [*sent, "[False, False, False, False]", "True"]


@pytest.mark.real
def test_damaged_machine_code_is_compiled_anew(tools):
    sent = tools(SEND, "sender")
    damage = "_pyarray._receive_code = lambda key, code, real=_pyarray._receive_code: real(key, code[:-9])"
    damage += "\nfrom pyarray import _pickle; _pickle._receive_code = _pyarray._receive_code"
    code = TAKE.replace("functions = ", f"{damage}\nfunctions = ", 1)
    assert tools(code, "receiver") == [*sent, "[False, False, False, False]", "True"]


@pytest.mark.real
def test_code_for_changed_globals_is_not_sent(run, tmp_path):
    code = """
import pickle
import numpy as np
from pyarray import njit, _pickle
n = 1
@njit
def f(x):
    return x + n
print(f(1), len(_pickle.machine_code(f)))
n = 5
print(len(_pickle.machine_code(f)), pickle.loads(pickle.dumps(f))(1))
"""
    assert run(code).split() == ["2", "1", "0", "6"]


# One copy for many pickles ------------------------------------------------------------------------


@pytest.mark.real
def test_equal_pickles_give_one_copy():
    """As tasks of Dask and Ray bring it, so that a worker loads it once."""
    first, second = pickle.loads(pickle.dumps(make(70))), pickle.loads(pickle.dumps(make(70)))
    assert first is second and first(1.0) == 71.0
    other = pickle.loads(pickle.dumps(make(71)))
    assert other is not first and other(1.0) == 72.0


@pytest.mark.real
@pytest.mark.parametrize("change", [lambda f: f.disable_compile(), lambda f: f.targetoptions.update(fastmath=True)])
def test_a_copy_that_was_changed_stands_for_itself(change):
    first = pickle.loads(pickle.dumps(make(80)))
    change(first)
    second = pickle.loads(pickle.dumps(make(80)))
    assert second is not first and second._can_compile() and not second.options["fastmath"]


@pytest.mark.real
def test_ufuncs_and_their_copies():
    def pair(n):
        return vectorize(lambda x: x + n), guvectorize("(n)->()")(lambda x, out: None)

    for ufunc in pair(3):
        copy = pickle.loads(pickle.dumps(ufunc))
        assert copy is pickle.loads(pickle.dumps(ufunc)) and copy is not ufunc
    copy = pickle.loads(pickle.dumps(pair(4)[0]))
    copy.add("float64(float64)")
    assert pickle.loads(pickle.dumps(pair(4)[0])) is not copy


@pytest.mark.real
def test_options_tell_copies_apart():
    strict = njit(error_model="strict")(make(90).py_func)
    assert pickle.loads(pickle.dumps(strict)) is not pickle.loads(pickle.dumps(make(90)))


@pytest.mark.real
def test_threads_get_complete_copies():
    data, found = pickle.dumps(make(100)), []
    threads = [threading.Thread(target=lambda: found.append(pickle.loads(data)(1.0))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [101.0] * 8


@pytest.mark.real
def test_tables_of_copies_are_bounded():
    _pickle._known.clear()
    for n in range(_pickle._MOST_KNOWN + 3):
        pickle.loads(pickle.dumps(make(1000 + n)))
    assert len(_pickle._known) <= _pickle._MOST_KNOWN


@pytest.mark.real
def test_what_is_large_is_compiled_where_it_arrives(monkeypatch):
    f = make(110)
    assert f(np.float64(1)) == 111.0
    _pickle._packed.clear()
    assert _pickle.machine_code(f)
    _pickle._packed.clear()
    monkeypatch.setattr(_pickle, "_MOST_CODE", 100)
    assert _pickle.machine_code(f) == ()
    _pickle._packed.clear()


@pytest.mark.real
def test_kernels_give_one_copy():
    def fill(n):
        @cuda.jit
        def kernel(a):
            a[cuda.grid(1)] = n

        return kernel

    copy = pickle.loads(pickle.dumps(fill(2)))
    assert copy is pickle.loads(pickle.dumps(fill(2))) and isinstance(copy, cuda.CUDADispatcher)
    a = np.zeros(2)
    copy[1, 2](a)
    assert a.tolist() == [2.0, 2.0]


def test_keys_are_those_of_the_build_not_of_the_file(fake, fake_core, tmp_path):
    """Two machines with one wheel have one key; another build has another one, be it as large and as old."""
    code = """
import sys
from pyarray import njit

@njit
def f(x):
    return x

print(f._fingerprint("d>").hex())
"""
    built = fake_core.read_bytes()
    other = bytearray(built)
    other[built.index(b"\3\0\0\0GNU\0") + 8] ^= 1  # NT_GNU_BUILD_ID, the name, and then the ID
    keys = []
    for name, content in (("a.so", built), ("b.so", built), ("c.so", bytes(other))):
        (tmp_path / name).write_bytes(content)
        os.utime(tmp_path / name, (1e9, 1e9 + (name == "b.so")))
        keys.append(fake(code, PYARRAY_CORE_LIBRARY=str(tmp_path / name)))
    assert keys[0] == keys[1] != keys[2]
