"""Pickling: python/pyarray/_pickle.py."""

import pickle

import kernels
import pytest
from pyarray import njit, types


def test_importable_functions_by_reference():
    data = pickle.dumps(kernels.hypot)
    assert pickle.loads(data) is kernels.hypot and len(data) < 100


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
