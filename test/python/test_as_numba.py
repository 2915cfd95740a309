"""install_as_numba() and python -m pyarray.run: programs whose `import numba` gives pyarray."""

import os
import pathlib
import subprocess
import sys
import textwrap

import pytest

PACKAGE = str(pathlib.Path(__import__("pyarray").__file__).parents[1])

# Like Numba where the fallback asks it: what it compiles runs in Python.
FAKE = {
    "numba/__init__.py": """
        from numba import core, errors, types
        __version__ = "0.1"

        class Twin:
            def __init__(self, function, signatures, options):
                self.function, self.signatures, self.options, self.calls = function, signatures, options, 0

            def __call__(self, *arguments, **keywords):
                self.calls += 1
                return self._compile_for_args(*arguments, **keywords)

            def _compile_for_args(self, *arguments, **keywords):
                import numba.core.late
                assert numba.__version__ == "0.1"
                if "refused" in self.function.__name__:
                    raise errors.NumbaError("neither")
                return "twin", self.function(*arguments, **keywords)

        class Ufunc(Twin):
            def reduce(self, *arguments, **keywords):
                return "twin", self.function.__name__, arguments, keywords

        def vectorize(*signatures, **options):
            def decorate(function):
                made.append(Ufunc(function, signatures, options))
                return made[-1]
            return decorate

        guvectorize = vectorize
        made = []

        def njit(signatures=None, **options):
            def decorate(function):
                made.append(Twin(function, signatures, options))
                return made[-1]
            return decorate

        class prange:
            def __new__(cls, *arguments):
                return ["of Numba", *range(*arguments)]
    """,
    "numba/errors.py": "class NumbaError(Exception):\n    pass\n",
    "numba/types.py": """
        from functools import partial

        def signature(result, *arguments):
            return [result, *arguments]

        int64, float64, none = (partial(signature, name) for name in ("int64", "float64", "none"))

        def Array(dtype, ndim, layout, readonly):
            return dtype, ndim, layout, readonly
    """,
    "numba/cuda/__init__.py": """
        import numba

        class Kernel(numba.Twin):
            def __getitem__(self, configuration):
                return lambda *arguments: (configuration, self(*arguments))[1]

            def forall(self, n):
                return self

        def jit(*signatures, **options):
            def decorate(function):
                numba.made.append(Kernel(function, signatures, options))
                return numba.made[-1]
            return decorate

        def grid(dimensions):
            return "thread"
    """,
    "numba/core/__init__.py": "",
    "numba/core/late.py": "",
}


@pytest.fixture
def folder(tmp_path):
    return tmp_path


def write(folder, files):
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text))


def run(folder, program, *words, env=(), expect=0, start=()):
    (folder / "program.py").write_text(textwrap.dedent(program))
    command = [sys.executable, *start, *(words or ("program.py",))]
    environment = {**os.environ, "PYTHONPATH": f"{PACKAGE}{os.pathsep}{folder}", **dict(env)}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == expect, done.stdout + done.stderr
    return done


INSTALL = "import pyarray\npyarray.install_as_numba()\n"


def test_names_and_submodules(folder):
    run(
        folder,
        """
        import pyarray
        pyarray.install_as_numba()
        pyarray.install_as_numba()
        import numba, numba.cuda, numba.typed, numba.extending
        import numba.core.types.containers
        from numba.core.typing.typeof import typeof
        from numba.np.ufunc import gufunc
        from numba import njit, prange, types
        import importlib, pickle

        assert numba.__version__ == pyarray.version_info.string == "0.68.1" != pyarray.__version__
        assert numba.cuda is pyarray.cuda and numba.typed is pyarray.typed and numba.core.types is pyarray.types
        assert numba.types is types is pyarray.types
        assert numba.typed.__spec__.name == "pyarray.typed" and numba.typed.__name__ == "pyarray.typed"
        assert importlib.import_module("numba.core.errors") is pyarray.errors
        assert set(pyarray.__all__) <= set(dir(numba)) and numba.int64 is pyarray.int64

        @numba.njit(parallel=True)
        def f(n):
            total = 0
            for i in numba.prange(n):
                total += i
            return total

        assert f(5) == 10 and f.signatures == [(pyarray.int64,)]
        assert f.get_metadata(f.signatures[0]) and "several threads" in next(iter(f.inspect_parallel().values()))
        assert type(f) is numba.core.registry.CPUDispatcher
        try:
            importlib.import_module("numba.nothing")
        except ModuleNotFoundError as error:
            assert "No module named 'numba.nothing'" in str(error) and error.name == "numba.nothing"
        else:
            raise AssertionError
        assert not hasattr(numba, "generated_jit") and not hasattr(numba, "nothing")
        try:
            from numba import generated_jit
        except ImportError as error:
            assert "overload()" in str(error)
        else:
            raise AssertionError
        """,
    )


def test_placeholders(folder):
    """A module that extends Numba at its top can be imported, and the rest of it works."""
    done = run(
        folder,
        INSTALL
        + """
import numba
from numba import types
from numba.core import cgutils
from numba.core.datamodel import models
from numba.core.extending import NativeValue, box, lower_builtin, make_attribute_wrapper, register_model, unbox
from numba.core.imputils import impl_ret_borrowed
from numba.core.typing.templates import AbstractTemplate, infer_global
import numba.core.typeinfer

class Kind(types.Type):
    def __init__(self):
        super().__init__("kind")

@register_model(Kind)
class Model(models.StructModel):
    def __init__(self, dmm, fe_type):
        models.StructModel.__init__(self, dmm, fe_type, [("x", types.pyobject)])

make_attribute_wrapper(Kind, "x", "x")

@lower_builtin(Kind, types.Array)
def lower(context, builder, sig, args):
    return cgutils.create_struct_proxy(sig.return_type)(context, builder)

@unbox(Kind)
def unbox_kind(typ, obj, c):
    return NativeValue(obj)

@infer_global(len)
class Template(AbstractTemplate):
    pass

def subject():
    pass

@numba.extending.type_callable(subject)
def typer(context):
    return lambda x: x

@lower_builtin(subject)
def lower_subject(context, builder, sig, args):
    pass

class Length(types.Sized):
    pass

assert typer.__name__ == "typer" and lower_subject.__name__ == "lower_subject"
assert isinstance(types.ListType(types.int64), types.Sized) and not isinstance(types.int64, types.Sized)
assert lower.__name__ == "lower" and unbox_kind.__name__ == "unbox_kind" and Template.__mro__[-1] is object

@numba.njit
def f(x):
    return x + 1

@numba.njit
def g(x):
    return cgutils.is_null(x)

assert f(1) == 2
try:
    g(1)
except numba.core.errors.NumbaError as error:
    print(error)
""",
    )
    assert "'cgutils' is not among the functions" in done.stdout
    assert "llvmlite" in run(folder, "import pyarray.core.cgutils\n", expect=1).stderr
    assert "llvmlite" in run(folder, "from pyarray.core import cgutils\n", expect=1).stderr


def test_before_all_else(folder):
    write(folder, FAKE)
    said = run(folder, "import numba\nimport pyarray\npyarray.install_as_numba()\n", expect=1).stderr
    assert "ImportError: Numba is imported already, from " in said and "numba/__init__.py" in said
    assert "python -m pyarray.run" in said
    run(folder, INSTALL + "import numba\nassert numba.njit is pyarray.njit\n")


def test_import_within_compiled_functions(folder):
    run(
        folder,
        INSTALL
        + """
import numba as nb

@nb.njit
def f(n):
    import numba
    return numba.int32(n) + nb.float64(n)

assert f(3) == 6.0
""",
    )


def test_variables(folder):
    program = (
        INSTALL
        + """
from pyarray import config
import numba, sys
print(numba.get_num_threads(), config.OPT, config.BOUNDSCHECK)
"""
    )
    given = {"NUMBA_NUM_THREADS": "1", "NUMBA_OPT": "max", "NUMBA_BOUNDSCHECK": "0", "PYARRAY_OPT": "2"}
    done = run(folder, program, env=given)
    assert done.stdout.split() == ["1", "2", "False"]
    note = "taken from the environment: NUMBA_BOUNDSCHECK=0, NUMBA_NUM_THREADS=1 (as PYARRAY_BOUNDSCHECK, "
    assert done.stderr.count(note) == 1 and "program.py:2" in done.stderr
    assert "NUMBA_OPT" not in done.stderr
    early = "from pyarray import njit, config\n" + program
    assert run(folder, early, env=given).stdout.split() == ["1", "2", "False"]
    assert not run(folder, program).stderr
    assert not run(folder, "import pyarray.config", env=given).stderr


@pytest.mark.parametrize("method", ["spawn", "forkserver"])
def test_new_processes(folder, method):
    run(
        folder,
        f"""
        import multiprocessing
        import pyarray

        if __name__ == "__main__":
            pyarray.install_as_numba(fallback=True)
        import numba

        def work(x):
            from pyarray import _as_numba

            return numba.njit is pyarray.njit, _as_numba._falls_back, numba.njit(lambda x: x + 1)(x)

        if __name__ == "__main__":
            pyarray.install_as_numba(fallback=True)
            with multiprocessing.get_context("{method}").Pool(1) as pool:
                assert pool.map(work, [1, 2]) == [(True, True, 2), (True, True, 3)]
        """,
    )


def test_run(folder):
    program = """
        import sys
        import numba
        from beside import STEP
        if __name__ == "__main__":
            print(numba.__version__, sys.argv[1:], STEP, __file__.endswith("program.py"))
    """
    write(folder, {"beside.py": "STEP = 3\n"})
    expected = "0.68.1 ['-x', '--fallback', 'y'] 3 True\n"
    for how in ("program.py",), ("-m", "program"):
        assert run(folder, program, "-m", "pyarray.run", *how, "-x", "--fallback", "y").stdout == expected
        assert run(folder, program, "-m", "pyarray.run", "--fallback", *how, "-x", "--fallback", "y").stdout == expected
    assert "a script or -m module is needed" in run(folder, program, "-m", "pyarray.run", expect=2).stderr
    program = "import sys\nimport numba\nsys.exit(numba.njit(lambda x: x + 1)(3))\n"
    run(folder, program, "-m", "pyarray.run", "program.py", expect=4)


REFUSED = """
import numba

@numba.njit
def helper(x):
    return x + 1

@numba.njit(fastmath=True)
def f(x, y=0):
    if x < 0:
        raise ZeroDivisionError("less")
    items = [i for i in numba.prange(2)]
    return eval("3"), helper(x), y, items
"""


def test_fallback(folder):
    write(folder, FAKE)
    done = run(
        folder,
        "import pyarray, sys\npyarray.install_as_numba(fallback=True)\n"
        + REFUSED
        + """
wanted = ("twin", (3, ("twin", 2), 5, ["of Numba", 0, 1]))
try:
    f(-1)
except ZeroDivisionError:
    pass
assert f(1, y=5) == wanted and f(1, 5) == wanted
assert numba is sys.modules["numba"] and numba.njit is pyarray.njit and "numba.core.late" not in sys.modules
assert helper(1) == 2  # compiled here
""",
    )
    assert done.stderr.count("NumbaWarning") == 1
    assert "f() is compiled by Numba, since pyarray refuses it: " in done.stderr and "program.py:10" in done.stderr


def test_fallback_of_declared_signatures(folder):
    write(folder, FAKE)
    done = run(
        folder,
        """
        import pyarray
        pyarray.install_as_numba(fallback=True)
        import numba

        @numba.njit(["int64(int64)", (numba.float64,)], nogil=True)
        def f(x):
            return eval("x") and x

        twin = f(2)
        assert twin == ("twin", 2)
        from pyarray import _fallback
        types = _fallback._real("numba.types")
        made, = _fallback._real().made
        assert made.signatures == [["int64", types.int64], (types.float64,)], made.signatures
        assert made.options == {"nogil": True}
        """,
    )
    assert "cannot be compiled for its declared signatures" in done.stderr
    assert "f() is compiled by Numba" in done.stderr


UFUNCS = """
import numba
import numpy as np

@numba.vectorize
def dynamic(x, y):
    return eval("x") + y

@numba.vectorize(["float64(float64)", "int64(int64)"], target="parallel", identity=0)
def declared(x):
    return eval("x"), numba.prange(1)

@numba.guvectorize(["void(float64[:], float64[:])"], "(n)->(n)")
def core(x, out):
    out[:] = eval("x")

@numba.guvectorize("(n)->()")
def free(x, out):
    out[()] = eval("x").sum()

@numba.vectorize
def helper(x):
    return x + 1
"""


def test_fallback_of_ufuncs(folder):
    write(folder, FAKE)
    done = run(
        folder,
        "import pyarray\npyarray.install_as_numba(fallback=True)\n"
        + UFUNCS
        + """
x, out = np.arange(3.0), np.zeros(3)
for _ in range(2):
    assert dynamic(1.0, 2.0) == ("twin", 3.0)
assert dynamic.reduce([1, 2], axis=0) == ("twin", "dynamic", ([1, 2],), {"axis": 0})
assert declared(2.0) == ("twin", (2.0, ["of Numba", 0]))
assert core(x, out) == ("twin", None) and (out == x).all()
assert free(x, np.zeros(())) == free(x, np.zeros(())) == ("twin", None)
assert helper(1) == 2

from pyarray import _fallback
numba, types = _fallback._real(), _fallback._real("numba.types")
shown = [(one.function.__name__, one.signatures, one.options, one.calls) for one in numba.made]
by_name = {name: rest for name, *rest in shown}
assert len(shown) == 4, shown
assert by_name["dynamic"] == [(), {}, 2], by_name
float64, int64 = types.float64, types.int64
assert by_name["declared"][:2] == [([["float64", float64], ["int64", int64]],), {"target": "parallel", "identity": 0}]
(signatures, text), options, calls = by_name["core"]
assert text == "(n)->(n)" and len(signatures[0]) == 3 and options == {} and calls == 1, by_name["core"]
""",
    )
    assert done.stderr.count("is compiled by Numba") == 4
    for name in ("declared", "core"):
        assert f"{name}() cannot be compiled for its declared signatures" in done.stderr


def test_refused_ufuncs_without_fallback(folder):
    """The import goes on, and calls raise what the compiler said; other ufuncs are NumPy's as ever."""
    done = run(
        folder,
        INSTALL
        + UFUNCS
        + """
for call in (lambda: declared(2.0), lambda: core([1.0]), lambda: core.reduce([1.0]), lambda: dynamic(1, 2),
             lambda: dynamic.outer(1, 2)):
    try:
        call()
    except numba.errors.NumbaError as error:
        assert "eval" in str(error)
    else:
        raise AssertionError
assert isinstance(numba.vectorize(["int64(int64)"])(lambda x: x), np.ufunc) and helper(1) == 2
""",
    )
    assert done.stderr.count("cannot be compiled for its declared signatures") == 2
    program = UFUNCS.replace("import numba", "import pyarray as other").replace("numba.", "other.")
    assert "'eval' is not among" in run(folder, program, expect=1).stderr  # a program written for pyarray


KERNELS = """
import numba
import numpy as np
from numba import cuda

@cuda.jit(fastmath=True)
def dynamic(x, out):
    out[0] = eval("x"), cuda.grid(1)

@cuda.jit("void(float64[:], float64[:])")
def declared(x, out):
    out[0] = eval("x")[1]

@numba.vectorize(["float64(float64)"], target="cuda")
def ufunc(x):
    return eval("x")
"""


def test_fallback_of_kernels(folder):
    write(folder, FAKE)
    done = run(
        folder,
        "import pyarray\npyarray.install_as_numba(fallback=True)\n"
        + KERNELS
        + """
out, x = [None], np.arange(3.0)
for launch in (dynamic[2, 32], dynamic[1, 1], dynamic[2, 32, 0, 64], dynamic.forall(7)):
    out = [None]
    assert launch(x, out) == ("twin", None) or launch is not None
    assert out[0][1] == "thread" and (out[0][0] == x).all()
values = np.zeros(1)
declared[1, 1](x, values)
assert values == [1.0]
assert ufunc(2.5) == ("twin", 2.5)
from pyarray import _fallback
made = {one.function.__name__: one for one in _fallback._real().made}
assert sorted(made) == ["declared", "dynamic", "ufunc"]
assert made["dynamic"].options == {"fastmath": True} and made["ufunc"].options == {"target": "cuda"}
assert made["dynamic"].signatures == () and len(made["declared"].signatures[0]) == 1
""",
        env={"PYARRAY_CUDA": "cpu"},
    )
    assert done.stderr.count("is compiled by Numba") == 3


def test_refused_kernels_without_fallback(folder):
    done = run(
        folder,
        INSTALL
        + KERNELS
        + """
x = np.arange(3.0)
for call in (lambda: dynamic[1, 1](x, x), lambda: dynamic.forall(3)(x, x), lambda: declared[1, 1](x, x),
             lambda: ufunc(x)):
    try:
        call()
    except numba.errors.NumbaError as error:
        assert "eval" in str(error)
    else:
        raise AssertionError
""",
        env={"PYARRAY_CUDA": "cpu"},
    )
    assert done.stderr.count("cannot be compiled for its declared signatures") == 2


def test_refusals_that_stand(folder):
    text = REFUSED.replace("def f(", "def refused(").replace("raise ", "return ")
    calls = "try:\n    refused(1)\nexcept pyarray.errors.PyArrayError as error:\n    print(error.__notes__)\n"
    start = "import pyarray\npyarray.install_as_numba(fallback=True)\n"
    said = run(folder, start + text + calls, start=("-S",), env={"PYTHONPATH": site_without_numba(folder)}).stdout
    assert "Nor can the real Numba take refused(): numba cannot be imported" in said
    write(folder, FAKE)
    done = run(folder, start + text + calls)
    assert "Nor does the real Numba compile refused(): neither" in done.stdout and "Warning" not in done.stderr
    # Without the option Numba is not asked.
    assert "'eval' is not among" in run(folder, INSTALL + text + "refused(1)\n", expect=1).stderr


def site_without_numba(folder):
    """A path with this package and NumPy alone."""
    import numpy

    (folder / "only").mkdir()
    home = pathlib.Path(numpy.__file__).parents[1]
    for path in home.glob("numpy*"):
        (folder / "only" / path.name).symlink_to(path)
    return f"{PACKAGE}{os.pathsep}{folder / 'only'}"


def test_errors_of_compiled_functions_are_no_refusals(folder):
    """What a function raises while it runs is raised once: it is not run again by Numba."""
    write(folder, FAKE)
    run(
        folder,
        """
        import pyarray
        pyarray.install_as_numba(fallback=True)
        import numba
        calls = []

        def note():
            calls.append(1)
            raise numba.core.errors.TypingError("of the program's own")

        @numba.njit
        def f(x):
            with numba.objmode():
                note()
            return x

        try:
            f(1)
        except pyarray.errors.TypingError:
            pass
        else:
            raise AssertionError
        assert calls == [1], calls
        """,
    )


def test_imports_warn_of_nothing(folder):
    program = """
import numba.extending, numba.core.types, numba.cuda, numba.typed, numba.np.ufunc
from numba.extending import overload, get_cython_function_address
from numba.core.extending import intrinsic
assert numba.extending.__spec__.name == "pyarray.extending" and numba.core.__spec__.name == "pyarray.core"
"""
    run(folder, INSTALL + program, start=("-W", "error"))
