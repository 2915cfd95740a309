"""The disk cache as the dispatcher uses it: python/ext/cache/fingerprint.c and variant.c."""

import os
import pathlib
import types as python_types

import kernels
import numpy as np
import pyarray
import pytest
from pyarray import njit, types

ONE = 1
TABLE = np.arange(4.0)


def key(function, code="d>", **options):
    """The key of the cache entry; None where there can be none."""
    return njit(**options)(function)._fingerprint(code)


def test_the_same_function_has_the_same_key():
    assert key(kernels.hypot.py_func) == key(kernels.hypot.py_func) is not None


def test_types_and_options_enter():
    f = kernels.hypot.py_func
    keys = [key(f), key(f, "q>"), key(f, "d>d"), key(f, fastmath=True), key(f, boundscheck=False),
            key(f, error_model="numpy"), key(f, inline="never"), key(f, debug=True)]  # fmt: skip
    assert len(set(keys)) == len(keys)
    assert key(f, nogil=True) == key(f)


def test_the_environment_enters(monkeypatch):
    before = key(kernels.hypot.py_func)
    with monkeypatch.context() as other:
        other.setenv("PYARRAY_CPU_NAME", "generic")
        assert key(kernels.hypot.py_func) != before
    with monkeypatch.context() as other:
        other.setenv("PYARRAY_OPT", "1")
        assert key(kernels.hypot.py_func) != before
    monkeypatch.setenv("PYARRAY_CACHE_SIZE", "1G")
    assert key(kernels.hypot.py_func) == before


def reads_global(x):
    return x + ONE


@pytest.mark.parametrize(
    "value",
    [2, 1.0, True, 1 + 0j, 2**70, "1", b"1", None, (1,), (1, (2.0,)), np.float64(1), np.int8(1), np.arange(3),
     np.ones((2, 2)), np.dtype("f4"), np.float32, np.sin, np.zeros, abs, types.float64, ValueError,
     frozenset("ab"), ...],
)  # fmt: skip
def test_the_value_of_a_global_enters(monkeypatch, value):
    before = key(reads_global)
    monkeypatch.setattr("test_cache_dispatch.ONE", value)
    changed = key(reads_global)
    assert changed is not None and changed != before
    assert key(reads_global) == changed


@pytest.mark.parametrize(
    "value",
    [[object()], {1: object()}, object(), python_types.SimpleNamespace(), np.frompyfunc(abs, 1, 1), np.array([None])],
)
def test_values_without_a_key(monkeypatch, value):
    monkeypatch.setattr("test_cache_dispatch.ONE", value)
    assert key(reads_global) is None


def test_contents_of_containers_enter(monkeypatch):
    keys = set()
    lists = [[1], [2], [1, 2], [[1], [2]], (1,), range(3), range(4), slice(3), slice(None, None, 3)]
    values = [*lists, {1: 2}, {1: 3}, {2: 2}, {1}, {2}, frozenset({1})]
    for value in values:
        monkeypatch.setattr("test_cache_dispatch.ONE", value)
        keys.add(key(reads_global))
    assert None not in keys and len(keys) == len(values)


def test_array_contents_enter(monkeypatch):
    def f(x):
        return x + TABLE[0]

    before = key(f)
    changed = TABLE.copy()
    changed[3] = 9
    monkeypatch.setattr("test_cache_dispatch.TABLE", changed)
    assert key(f) != before
    strided = np.repeat(TABLE, 2)[::2]
    monkeypatch.setattr("test_cache_dispatch.TABLE", TABLE.astype("f4"))
    assert key(f) != before
    monkeypatch.setattr("test_cache_dispatch.TABLE", strided)
    assert key(f) is not None


def test_closures_enter():
    def make(n):
        return lambda x: x + n

    assert key(make(1)) == key(make(1)) != key(make(2)) and key(make([object()])) is None


def test_lambdas_on_one_line_differ():
    pair = (lambda x: x, lambda x: x)
    assert key(pair[0]) != key(pair[1])  # their columns


def test_callees_enter():
    def make(n):
        def inner(x):
            return x + n

        compiled = njit(inner)

        def outer(x):
            return compiled(x) + inner(x)

        return outer

    assert key(make(1)) == key(make(1)) != key(make(2))


def test_options_of_callees_enter():
    def make(**options):
        inner = njit(**options)(reads_global)

        def outer(x):
            return inner(x)

        return outer

    assert key(make()) != key(make(fastmath=True))


def test_mutual_recursion_has_a_key():
    def make(n):
        def even(x):
            return x == 0 or odd(x - 1)

        def odd(x):
            return x != n and even(x - 1)

        return even

    assert key(make(0)) == key(make(0)) != key(make(1))


def test_defaults_enter():
    def make(n):
        def f(x, a=n, *, b=n):
            return x + a + b

        return f

    assert key(make(1)) != key(make(2))


settings = python_types.ModuleType("settings")
settings.step = 1
settings.inner = python_types.ModuleType("settings.inner")
settings.inner.size = 1


def reads_module(x):
    return x + settings.step + settings.inner.size


def test_used_attributes_of_modules_enter():
    before = key(reads_module)
    settings.unused = object()
    assert key(reads_module) == before
    settings.step = 2
    changed = key(reads_module)
    settings.inner.size = 2
    assert len({before, changed, key(reads_module)}) == 3


def test_module_attributes_used_in_nested_code_enter():
    def make():
        m = settings

        def f(x):
            return tuple(m.step for _ in x)

        return f

    settings.step = 5
    before = key(make())
    settings.step = 6
    assert key(make()) != before


class MyError(Exception):
    pass


def test_own_exceptions_have_a_key():
    class LocalError(Exception):  # which no other process finds
        pass

    def make(kind):
        def f(x):
            raise kind

        return f

    assert key(make(MyError)) is not None and key(make(LocalError)) is None


def test_what_is_used_of_a_class_enters():
    def make(step, other):
        class Settings:
            STEP = step
            OTHER = other

        return lambda x: x + Settings.STEP

    assert key(make(1, 2)) == key(make(1, 3)) is not None
    assert key(make(1, 2)) != key(make(2, 2))
    assert key(make(object(), 2)) is None


def test_names_of_attributes_are_no_globals():
    def f(x):
        return x.ONE

    before = key(f)
    global ONE
    ONE, kept = object(), ONE
    try:
        assert key(f) == before
    finally:
        ONE = kept


def test_line_numbers_enter_but_the_own_file_does_not():
    source = "def f(x):\n    return x\n"
    keys = []
    for name, text in (("a.py", source), ("b.py", source), ("a.py", "\n" + source)):
        names = {"__name__": "m"}
        exec(compile(text, name, "exec"), names)
        keys.append(key(names["f"]))
    assert keys[0] == keys[1] != keys[2]


# Hits and misses ----------------------------------------------------------------------------------

PROGRAM = """
import kernels, sys
print(kernels.hypot(3.0, 4.0), kernels.hypot.stats.cache_hits, kernels.hypot.stats.cache_misses)
"""


def test_a_second_process_hits(run):
    assert run(PROGRAM).strip() == "5.0 Counter() Counter({(float64, float64): 1})"
    assert run(PROGRAM).strip() == "5.0 Counter({(float64, float64): 1}) Counter()"


def test_a_hit_loads_neither_compiler_nor_ast(run):
    run(PROGRAM)
    code = """
import sys, numpy
before = set(sys.modules)
import kernels
print(kernels.hypot(3.0, 4.0))
print({"ast", "inspect", "pyarray.types", "pyarray._source"} & (set(sys.modules) - before))
maps = open("/proc/self/maps").read()
print("pyarray_core" in maps or "fake_core" in maps)
"""
    assert run(code).splitlines() == ["5.0", "set()", "False"]


def test_a_raising_function_from_the_cache(run):
    code = """
import kernels, sys, traceback
try:
    kernels.checked_sqrt(-1.0)
except ValueError:
    traceback.print_exc(file=sys.stdout)
"""
    first = run(code)
    assert "in checked_sqrt" in first and "kernels.py" in first and "negative number" in first
    assert run(code) == first


def test_the_cache_can_be_turned_off(run):
    run(PROGRAM, PYARRAY_CACHE="0")
    assert "Counter() Counter({" in run(PROGRAM, PYARRAY_CACHE="0")
    code = PROGRAM.replace(
        "import kernels, sys", "import kernels; kernels.hypot = kernels.njit(cache=False)(kernels.hypot.py_func)"
    )
    run(code)
    assert "Counter() Counter({" in run(code)


def test_damaged_entries_are_compiled_again(run, tmp_path):
    run(PROGRAM)
    entries = [
        path for path in pathlib.Path(tmp_path / "cache").rglob("*") if path.is_file() and path.stat().st_size > 64
    ]
    assert entries
    for path in entries:
        data = bytearray(path.read_bytes())
        data[len(data) // 2] ^= 0xFF
        path.write_bytes(data)
    assert "5.0 Counter() Counter({" in run(PROGRAM)


def test_a_changed_callee_is_compiled_again(run):
    program = '''
from pyarray import njit

@njit
def inner(x):
    return x + {n}

@njit
def outer(x):
    """
    d>d: DR(0) = D(0) + {n};
    """
    return inner(x)

print(outer(1.0), sum(outer.stats.cache_hits.values()))
'''
    assert run(program.format(n=1)).split() == ["2.0", "0"]
    assert run(program.format(n=1)).split() == ["2.0", "1"]
    assert run(program.format(n=2)).split() == ["3.0", "0"]


def test_cache_command(run, tmp_path):
    run(PROGRAM)
    show = "import runpy, sys; sys.argv = ['pyarray', 'cache', {!r}]; runpy.run_module('pyarray', run_name='__main__')"
    info = run(show.format("info"))
    assert str(tmp_path / "cache") in info and "entries    1" in info
    assert run(show.format("clear")).strip() == "1 entries removed"
    assert "entries    0" in run(show.format("info"))


def test_stats_name_the_directory():
    stats = kernels.hypot.stats
    assert stats.cache_path == os.environ["PYARRAY_CACHE_DIR"]
    assert njit(cache=False)(kernels.hypot.py_func).stats.cache_path is None
    assert pyarray._pyarray.cache_info()["enabled"]
