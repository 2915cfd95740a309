"""Calling compiled functions: python/ext/calls/dispatcher.c, bind.c, convert.c, raise.c, variant.c."""

import copy
import gc
import inspect
import threading
import traceback
import weakref

import kernels
import numpy as np
import pyarray
import pytest
from pyarray import njit, types


def raised_by(function, *arguments, **keywords):
    with pytest.raises(Exception) as info:
        function(*arguments, **keywords)
    return type(info.value), str(info.value)


# Calls ------------------------------------------------------------------------------------------


def test_compiles_for_the_types_of_each_call():
    assert kernels.hypot(3.0, 4.0) == 5.0
    assert kernels.hypot(3, 4) == 5.0
    assert {(types.float64, types.float64), (types.int64, types.int64)} <= set(kernels.hypot.signatures)


def test_py_func_is_the_plain_function():
    assert inspect.isfunction(kernels.hypot.py_func)
    assert kernels.hypot.py_func(3.0, 4.0) == 5.0


def test_keyword_arguments():
    assert kernels.hypot(3.0, y=4.0) == kernels.hypot(y=4.0, x=3.0) == 5.0


@njit
def with_defaults(a, b=2.0, *, c=3.0):
    """
    ddd>d: DR(0) = D(0) + 10 * D(1) + 100 * D(2);
    """
    return a + 10 * b + 100 * c


def test_default_arguments():
    assert with_defaults(1.0) == 321.0
    assert with_defaults(1.0, 1.0) == 311.0
    assert with_defaults(1.0, c=1.0) == 121.0
    assert with_defaults(b=1.0, a=1.0) == 311.0


BAD_CALLS = [
    ((), {}),
    ((1.0, 2.0, 3.0), {}),
    ((1.0,), {"d": 1.0}),
    ((1.0,), {"a": 1.0}),
    ((), {"b": 1.0}),
    ((1.0, 2.0, 3.0, 4.0), {"c": 3.0}),
]


@pytest.mark.parametrize("arguments, keywords", BAD_CALLS)
def test_bad_calls_fail_as_in_python(arguments, keywords):
    compiled = raised_by(with_defaults, *arguments, **keywords)
    plain = raised_by(with_defaults.py_func, *arguments, **keywords)
    if "keyword-only argument" in plain[1]:  # CPython counts given keyword-only arguments in this message alone
        assert compiled[0] is plain[0]
    else:
        assert compiled == plain


@njit
def several(a, b, c, /, d):
    """
    dddd>d: DR(0) = D(0);
    """
    return a


@pytest.mark.parametrize("count", range(6))
def test_missing_arguments_are_named_as_in_python(count):
    values = (1.0,) * count
    if count == 4:
        assert several(*values) == 1.0
    else:
        assert raised_by(several, *values) == raised_by(several.py_func, *values)


def test_positional_only_parameters():
    assert raised_by(several, 1.0, 1.0, c=1.0, d=1.0)[0] is TypeError
    assert several(1.0, 1.0, 1.0, d=1.0) == 1.0


@pytest.mark.parametrize("count", [100, 255, 256, 257, 600])
def test_many_arguments(count):
    names = ", ".join(f"a{i}" for i in range(count))
    last = count - 1
    source = f'def many({names}):\n    """\n    {"d" * count}>d: DR(0) = D({last});\n    """\n    return a{last}\n'
    many = _function_from(source, "many")
    assert many(*map(float, range(count))) == last


def test_large_tuples():
    last = njit(_large_tuple)
    assert last((1.0,) * 600) == 600


def test_a_tuple_beyond_the_limit_is_refused():
    with pytest.raises(pyarray.TypingError, match="a tuple of 4097 elements is too long: at most 4096") as info:
        njit(_large_tuple)((1.0,) * 4097)
    assert len(str(info.value)) < 1000 and "np.array" in str(info.value)


def _large_tuple(t):
    return len(t)


_large_tuple.__doc__ = f"({'d' * 600})>q: QR(0) = 600;"


def _function_from(source, name):
    import linecache

    filename = f"<test {name} {hash(source)}>"
    linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)
    names = {"np": np}
    exec(compile(source, filename, "exec"), names)
    return njit(names[name])


# A function among functions ---------------------------------------------------------------------


def test_has_the_attributes_of_a_function():
    assert kernels.hypot.__name__ == kernels.hypot.__qualname__ == "hypot"
    assert kernels.hypot.__module__ == "kernels"
    assert kernels.hypot.__doc__ is kernels.hypot.py_func.__doc__
    assert kernels.hypot.__wrapped__ is kernels.hypot.py_func
    assert str(inspect.signature(kernels.hypot)) == "(x, y)"
    assert "CPUDispatcher(<function hypot" in repr(kernels.hypot)


def test_takes_attributes_and_weak_references():
    @njit
    def f():
        return 1

    f.note = "kept"
    assert f.note == f.__dict__["note"] == "kept"
    reference = weakref.ref(f)
    del f
    gc.collect()
    assert reference() is None


def test_is_a_method():
    class Holder:
        @njit
        def method(self, x):
            """
            nd>d: DR(0) = D(0);
            """
            return x

        @staticmethod
        @njit
        def static(x):
            """
            d>d: DR(0) = D(0);
            """
            return x

    assert Holder.static(2.0) == Holder().static(2.0) == 2.0
    assert Holder.method(None, 2.0) == 2.0
    assert inspect.ismethod(Holder().method)
    with pytest.raises(pyarray.TypingError, match="argument 0 .'self'."):
        Holder().method(2.0)


def test_copies_are_the_function_itself():
    assert copy.copy(kernels.hypot) is kernels.hypot
    assert copy.deepcopy(kernels.hypot) is kernels.hypot


def test_cycles_are_collected():
    def make():
        @njit
        def f(x):
            return f

        return weakref.ref(f)

    reference = make()
    gc.collect()
    assert reference() is None


# Options ----------------------------------------------------------------------------------------


def test_options():
    f = njit(nogil=True, fastmath={"contract"}, parallel=True, cache=False)(kernels.identity.py_func)
    assert f.targetoptions == {"nogil": True, "fastmath": {"contract"}, "parallel": True, "cache": False}
    assert f.options["nogil"] and f.options["fastmath"] == "contract" and not f.options["cache"]
    assert f(2.0) == 2.0


@pytest.mark.parametrize(
    "options, error, text",
    [
        ({"fastmth": True}, TypeError, "Unrecognized options: 'fastmth'"),
        ({"locals": {"x": 1}}, TypeError, "locals"),
        ({"error_model": "c"}, ValueError, "error_model"),
        ({"inline": "yes"}, ValueError, "inline"),
        ({"fastmath": {"fats"}}, ValueError, "'fats'"),
    ],
)
def test_bad_options(options, error, text):
    with pytest.raises(error, match=text):
        njit(**options)


def test_decorating_what_is_no_function():
    with pytest.raises(TypeError, match="already jitted"):
        njit(kernels.hypot)
    with pytest.raises(TypeError, match="classes cannot be compiled"):
        njit(int)
    with pytest.raises(TypeError, match="@staticmethod above"):
        njit()(staticmethod(lambda x: x))


def test_disable_jit(run):
    code = "from pyarray import njit\nf = njit(lambda x: x)\ng = njit(nogil=True)(f)\nprint(type(f).__name__, g is f)"
    assert run(code, PYARRAY_DISABLE_JIT="1").split() == ["function", "True"]


# Errors -----------------------------------------------------------------------------------------


def test_compiled_code_raises_with_the_users_line():
    with pytest.raises(ValueError) as info:
        kernels.checked_sqrt(-1.0)
    assert info.value.args == ("negative number",)
    entry = traceback.extract_tb(info.value.__traceback__)[-1]
    assert (entry.filename, entry.name, entry.line) == (
        kernels.__file__,
        "checked_sqrt",
        'raise ValueError("negative number")',
    )


def test_values_of_an_error():
    with pytest.raises(IndexError, match="^index 9 is out of bounds for axis 0 with size 3$"):
        kernels.item(np.ones(3), 9)


class OwnError(Exception):
    pass


@njit
def raises_own(x):
    """
    q>q: if (Q(0)) RAISE(0); QR(0) = 0;
    site: test_dispatcher:OwnError | ('a', 1) | 7
    """
    if x:
        raise OwnError("a", 1)
    return 0


def test_an_exception_of_the_users():
    with pytest.raises(OwnError) as info:
        raises_own(1)
    assert info.value.args == ("a", 1)


def test_an_error_leaves_the_function_usable():
    for _ in range(100):
        with pytest.raises(ValueError):
            kernels.checked_sqrt(-1.0)
        assert kernels.checked_sqrt(4.0) == 2.0


def test_a_compile_error_shows_the_place_and_no_frames_of_ours():
    with pytest.raises(pyarray.TypingError) as info:
        with_unknown_types(np.ones((2, 2, 2, 2, 2)))
    frames = traceback.extract_tb(info.value.__traceback__)
    assert [frame.filename for frame in frames] == [__file__]
    assert info.value.__cause__ is None and info.value.__context__ is None
    assert 'File "' in str(info.value) and "test_dispatcher.py" in str(info.value)
    assert "^" in str(info.value)


@njit
def with_unknown_types(x):
    """
    d>d: DR(0) = D(0);
    """
    return x.no_such_attribute


def test_an_eager_compile_error_has_no_frames_of_ours():
    with pytest.raises(pyarray.TypingError) as info:
        njit("int64(int64[:,:,:,:,:])")(with_unknown_types.py_func)
    frames = traceback.extract_tb(info.value.__traceback__)
    assert [frame.filename for frame in frames] == [__file__]


# Threads ----------------------------------------------------------------------------------------


def test_threads_compile_and_call_at_once():
    f = njit(kernels.identity.py_func)
    wrong = []

    def work(value):
        for _ in range(200):
            if f(value) != value:
                wrong.append(value)

    threads = [threading.Thread(target=work, args=(value,)) for value in (1, 2.0, True, 3j, None, (1, 2.5)) * 2]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
    assert len(f.signatures) == 6


def test_nogil_calls_in_threads():
    f = njit(nogil=True)(kernels.hypot.py_func)
    results = []
    threads = [threading.Thread(target=lambda: results.extend(f(3.0, 4.0) for _ in range(1000))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [5.0] * 4000


def test_fork_after_compiling(run):
    code = """
import os, kernels
assert kernels.hypot(3.0, 4.0) == 5.0
pid = os.fork()
if pid == 0:
    ok = kernels.hypot(3.0, 4.0) == 5.0 and kernels.hypot(3, 4) == 5.0
    os._exit(0 if ok else 1)
print(os.waitpid(pid, 0)[1])
"""
    assert run(code).strip() == "0"


# Looking ----------------------------------------------------------------------------------------


def test_overloads():
    f = njit(cache=False)(kernels.hypot.py_func)
    f(3.0, 4.0)
    (overload,) = f.overloads.values()
    assert overload.signature == types.float64(types.float64, types.float64)
    assert not overload.from_cache


def test_inspection_returns_text_by_signature():
    f = njit(kernels.hypot.py_func)
    assert f.inspect_llvm() == {}
    f(3.0, 4.0)
    assert list(f.inspect_llvm()) == f.signatures
    for level in (1, 2, 3, 4, 5, 6, "untyped", "llvm", None):
        assert isinstance(f.inspect_mlir(level, f.signatures[0]), str)
    assert isinstance(f.inspect_asm("(float64, float64)"), str)
    with pytest.raises(ValueError, match="level 7"):
        f.inspect_mlir(7)


def test_loops_start_at_a_cache_line():
    @njit
    def steps(n):
        count = 0
        while n != 1:
            n = n // 2 if n % 2 == 0 else 3 * n + 1
            count += 1
        return count

    assert steps(27) == 111
    (assembly,) = steps.inspect_asm().values()
    assert ".p2align\t6" in assembly


def test_inspect_types_prints(capsys):
    f = njit(kernels.hypot.py_func)
    f(3.0, 4.0)
    f.inspect_types()
    assert "hypot (float64, float64)" in capsys.readouterr().out


def test_import_loads_little(run):
    code = """
import sys, numpy
before = set(sys.modules)
import pyarray
from pyarray import njit
print(sorted(name for name in set(sys.modules) - before if not name.startswith(("pyarray", "numpy._core"))))
"""
    assert run(code).strip() == "[]"  # NumPy 1.26 has numpy._core as another name of numpy.core


# The fake compiler: what only it can do ------------------------------------------------------------


def test_a_missing_compiler(fake):
    missing = fake("import kernels\nkernels.hypot(1.0, 2.0)", check=False, PYARRAY_CORE_LIBRARY="/nowhere.so")
    assert "ImportError: the pyarray compiler could not be loaded" in missing.stderr


def test_error_text_of_the_compiler(fake):
    code = """
from pyarray import njit

@njit
def f(x):
    '''
    d>d: DR(0) = D(0);
    '''
f(1)
"""
    lines = fake(code, check=False).stderr.splitlines()
    assert 'File "' in lines[1] and lines[2].strip() == "f(1)" and "TypingError: fake: no code" in "".join(lines)
    assert lines[-5].endswith('program.py", line 4:') and lines[-4:] == ["@njit", "^", "", "Hint: write some"]


def test_functools_wraps_around_a_compiled_function():
    import functools
    import inspect

    def plain(x, y):
        """Its text."""

    @functools.wraps(plain)
    @njit
    def wrapper(x):
        return x + 1

    assert wrapper(1) == 2 and wrapper.__wrapped__ is plain and wrapper.__doc__ == "Its text."
    assert inspect.unwrap(wrapper) is plain
    del wrapper.__wrapped__
    assert wrapper.__wrapped__ is wrapper.py_func
