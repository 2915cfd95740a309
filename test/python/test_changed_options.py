"""`targetoptions` that are changed: what is compiled from then on has them."""

import os
import pickle
import re
import subprocess
import sys

import numpy as np
import pytest
from pyarray import cuda, njit, types


def finite_sum(a):
    total = 0.0
    for x in a:
        if not np.isnan(x):
            total += x
    return total


def item(a, i):
    return a[i]


def divided(a, b):
    return a / b


def total(a):
    total = 0
    for x in a:
        total += x
    return total


HOLES = np.array([1.0, np.nan, 2.0])
ONES = np.ones(3)


def raises_index_error(f, *arguments):
    try:
        f(*arguments)
    except IndexError:
        return True
    return False


@pytest.mark.parametrize(
    "flags, read",
    [(False, False), ({"nsz", "arcp", "contract", "afn"}, "afn, arcp, contract, nsz"), (["nsz"], "nsz"),
     ({"nnan": False, "nsz": True}, "nsz"), ({"nnan": False}, False)],
)  # fmt: skip
def test_fastmath(flags, read):
    f = njit(fastmath=True)(finite_sum)
    f(HOLES)
    f.targetoptions["fastmath"] = flags
    f.recompile()
    assert f(HOLES) == 3.0 and f.options["fastmath"] == read
    f.targetoptions["fastmath"] = True
    f.recompile()
    assert "fastmath<fast>" in f.inspect_mlir(6, f.signatures[0]) or "fast" in f.inspect_llvm(f.signatures[0])


def back_and_forth(x, y):
    return (x - y) + y


def calls_back_and_forth(x, y):
    return _helper(x, y) * y


_helper = njit(back_and_forth)


@pytest.mark.parametrize(
    "flags, folds", [({"reassoc", "nsz"}, True), ("reassoc, nsz", True), ({"reassoc"}, False), ({"nsz"}, False),
                     ({"reassoc": True, "nsz": False}, False), (True, True), (set(), False)],
)  # fmt: skip
def test_some_flags_of_fastmath(flags, folds, monkeypatch):
    """(x - y) + y is x where sums are reassociated and zeros have no sign: also in functions that have no option."""
    monkeypatch.setenv("PYARRAY_OPT", "3")
    f = njit(fastmath=flags)(back_and_forth)
    assert f(1e-20, 1.0) == (1e-20 if folds else 0.0)
    assert flags is True or np.isnan(f(np.inf, 1.0) - np.inf)  # infinities are kept
    g = njit(fastmath=flags)(calls_back_and_forth)
    assert g(1e-20, 1.0) == (1e-20 if folds else 0.0)
    assert pickle.loads(pickle.dumps(f)).options["fastmath"] == f.options["fastmath"]


def test_flags_of_fastmath_in_a_loop(monkeypatch):
    monkeypatch.setenv("PYARRAY_OPT", "3")

    def total(a):
        s = 0.0
        for x in a:
            s += x
        return s

    a = np.full(1001, 0.1)
    exact, fast = njit(total), njit(fastmath={"reassoc"})(total)
    assert exact(a) == total(a) and fast(a) == pytest.approx(100.1)
    loop = "<[0-9]+ x double>.*"
    (text,) = fast.inspect_llvm().values()
    assert re.search(f"fadd reassoc {loop}", text)
    (text,) = exact.inspect_llvm().values()
    assert not re.search(f"fadd .*{loop}", text)
    assert np.isnan(fast(np.array([np.nan, 1.0])))


def test_unknown_flags_of_fastmath():
    for flags in ({"nosuch"}, "nsz, nosuch", {"nosuch": True}):
        with pytest.raises(ValueError, match="Unrecognized fastmath flags: 'nosuch'"):
            njit(fastmath=flags)(back_and_forth)


def test_a_set_changed_in_place():
    f = njit(fastmath={"fast"})(finite_sum)
    assert f.options["fastmath"]
    f.targetoptions["fastmath"].discard("fast")
    assert not f.options["fastmath"]
    assert f(HOLES) == 3.0


@pytest.mark.parametrize("cache", [True, False])
def test_boundscheck_after_a_call(cache):
    f = njit(cache=cache, boundscheck=False)(item)
    assert f(ONES, 1) == 1.0
    f.targetoptions["boundscheck"] = True
    f.recompile()
    assert raises_index_error(f, ONES, 3)


def test_before_the_first_call_and_for_other_types():
    f = njit(error_model="numpy")(divided)
    f.targetoptions["error_model"] = "python"
    with pytest.raises(ZeroDivisionError):
        f(1.0, 0.0)
    f.targetoptions["error_model"] = "numpy"
    assert f(np.float32(1), np.float32(0)) == np.inf
    with pytest.raises(ZeroDivisionError):  # compiled before
        f(1.0, 0.0)


def test_options_that_were_not_given():
    f = njit(divided)
    assert f.targetoptions == {} and f.targetoptions is f.targetoptions
    f.targetoptions.update(error_model="numpy", nogil=True)
    assert f(1.0, 0.0) == np.inf and f.options["nogil"]
    assert njit(divided).targetoptions == {}  # every function has its own
    del f.targetoptions["error_model"]
    f.recompile()
    with pytest.raises(ZeroDivisionError):
        f(1.0, 0.0)


def test_two_functions_of_one_decorator():
    decorate = njit(boundscheck=True)
    f, g = decorate(item), decorate(divided)
    f.targetoptions["boundscheck"] = False
    assert g.targetoptions == {"boundscheck": True} and g.options["boundscheck"] and not f.options["boundscheck"]


def test_locals():
    f = njit(total)
    assert f(np.arange(3)) == 3
    f.targetoptions["locals"] = {"total": types.float64}
    f.recompile()
    assert type(f(np.arange(3))) is float
    f.targetoptions["locals"] = {}
    f.recompile()
    assert type(f(np.arange(3))) is int


@pytest.mark.parametrize(
    ("name", "value"),
    [("parallel", True), ("debug", True), ("inline", "never"), ("accuracy", "high"), ("cache", False), ("nogil", True)],
)
def test_every_option(name, value):
    f = njit(finite_sum)
    before = f._fingerprint("[C1d>")
    assert f(HOLES) == 3.0
    f.targetoptions[name] = value
    f.recompile()
    assert f(HOLES) == 3.0 and f.options[name] == value
    assert (f._fingerprint("[C1d>") == before) == (name in ("cache", "nogil"))  # which are not in the code


def test_the_options_of_a_callee():
    get = njit(item)

    @njit
    def f(a, i):
        return get(a, i)

    assert raises_index_error(f, ONES, 3)
    before = f._fingerprint("[C1dq>")
    get.targetoptions["inline"] = "never"
    assert f._fingerprint("[C1dq>") != before
    f.recompile()
    assert "call @" in f.inspect_mlir(3, f.signatures[0])


@pytest.mark.parametrize("change", ["recompile", "call", "callee"])
def test_unknown_options(change):
    f = njit(item)

    @njit
    def caller(a, i):
        return f(a, i)

    f(ONES, 1)
    f.targetoptions["boundschek"] = False
    with pytest.raises(TypeError, match="Unrecognized options: 'boundschek'"):
        if change == "recompile":
            f.recompile()
        elif change == "call":
            f(np.ones(3, np.float32), 1)
        else:
            caller(ONES, 1)
    assert f(ONES, 1) == 1.0  # what is compiled still runs
    del f.targetoptions["boundschek"]
    f.recompile()
    assert f(ONES, 1) == caller(ONES, 1) == 1.0


def test_values_that_are_none():
    f = njit(item)
    f.targetoptions["error_model"] = "perl"
    with pytest.raises(ValueError, match="error_model is 'python', 'numpy' or 'strict'"):
        f(ONES, 1)


def test_all_options_replaced():
    f = njit(boundscheck=False)(item)
    f.targetoptions = {"error_model": "numpy"}
    assert f.options["boundscheck"] and f.options["error_model"] == "numpy"
    with pytest.raises(TypeError, match="targetoptions is a dict"):
        f.targetoptions = None


def test_a_copy_by_pickle():
    f = njit(lambda a, i: a[i])
    f.targetoptions["boundscheck"] = False
    copy = pickle.loads(pickle.dumps(f))
    assert copy.targetoptions == {"boundscheck": False} and not copy.options["boundscheck"]


def test_declared_results_stay_when_compiled_again():
    f = njit("float32(float64)")(lambda x: 1.5 * x)
    f.targetoptions["fastmath"] = True
    f.recompile()
    assert f.nopython_signatures[0].return_type == types.float32


@pytest.mark.filterwarnings("ignore")
def test_kernels():
    @cuda.jit(boundscheck=False)
    def kernel(a, i):
        a[i] += 1.0

    a = np.zeros(4)
    kernel[1, 1](a, 1)
    kernel.targetoptions["boundscheck"] = True
    kernel.targetoptions["debug"] = True
    kernel.recompile()
    with pytest.raises(IndexError):
        kernel[1, 1](a, 9)
        cuda.synchronize()
    assert a[1] == 1.0
    kernel.targetoptions["max_register"] = 8
    with pytest.raises(TypeError, match="Unrecognized options: 'max_register'"):
        kernel.recompile()


def doubled(a):
    for i in range(len(a)):
        a[i] = a[i] * 2.0


@pytest.mark.parametrize(("level", "vectors"), [("0", False), ("1", False), ("2", True), ("3", True), ("", True)])
def test_level_of_optimisation(level, vectors, monkeypatch):
    monkeypatch.setenv("PYARRAY_OPT", level)
    f, a = njit(cache=False)(doubled), np.arange(9.0)
    f(a)
    assert a.tolist() == [2.0 * i for i in range(9)]
    assert ("x double>" in f.inspect_llvm(f.signatures[0])) is vectors


def test_levels_that_there_are_not():
    command = [sys.executable, "-c", "from pyarray import config"]
    run = subprocess.run(command, env={**os.environ, "PYARRAY_OPT": "fast"}, capture_output=True, text=True)
    assert run.returncode and "PYARRAY_OPT is 0, 1, 2 or 3, not 'fast'" in run.stderr
