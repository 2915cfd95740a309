"""What Numba has in other modules, and the kinds of types that it names."""

import collections
import ctypes
import ctypes.util
import enum
import importlib
import subprocess
import sys

import numpy as np
import pyarray
import pytest
from pyarray import float32, float64, int64, njit, types
from pyarray.extending import get_cython_function_address, is_jitted, overload


@njit
def half(x):
    return x / 2


def test_modules_that_are_the_same():
    import pyarray.core.types.containers as containers
    from pyarray.core import config, errors, extending
    from pyarray.core.types.misc import NoneType
    from pyarray.typed.typedlist import List

    assert containers is types and NoneType is types.NoneType and List is pyarray.typed.List
    assert config is pyarray.config and errors is pyarray.errors and extending is pyarray.extending
    assert pyarray.types.misc is pyarray.core.types.misc is types
    assert pyarray.core.errors.TypingError is pyarray.TypingError


def test_more_places():
    from pyarray.core.decorators import stencil
    from pyarray.core.runtime.nrt import rtsys
    from pyarray.core.typing.asnumbatype import as_numba_type
    from pyarray.experimental import jitclass
    from pyarray.experimental.jitclass.base import JitClassType
    from pyarray.misc.special import pndindex
    from pyarray.np.extensions import cross2d
    from pyarray.np.ufunc import get_parallel_chunksize
    from pyarray.stencils.stencil import StencilFunc

    @jitclass([("x", int64)])
    class Held:
        def __init__(self):
            self.x = 1

    assert isinstance(Held, JitClassType) and isinstance(stencil(lambda a: a[1]), StencilFunc)
    assert as_numba_type(int) == int64 and rtsys is pyarray.core.runtime.rtsys and get_parallel_chunksize() == 0
    assert (
        pndindex is pyarray.pndindex
        and pyarray.size_t == types.uint64
        and issubclass(pyarray.NumbaExperimentalFeatureWarning, pyarray.NumbaWarning)
    )
    a, b = np.ones((3, 2)), np.arange(6.0).reshape(3, 2)
    crossed = njit(lambda x, y: cross2d(x, y))
    assert crossed(a, b).tolist() == cross2d(a, b).tolist() == [1.0] * 3 and crossed([1, 2], (3, 4)) == -2
    with pytest.raises(ValueError, match="Incompatible dimensions for 2D cross product"):
        crossed(np.ones(3), a)
    with pytest.raises(ImportError, match="cannot import name 'gdb' from 'pyarray': compile with debug=True"):
        from pyarray import gdb  # noqa: F401


def test_names_in_other_places():
    from pyarray.core.ccallback import CFunc
    from pyarray.core.decorators import njit as other
    from pyarray.core.registry import CPUDispatcher
    from pyarray.core.typing import signature
    from pyarray.core.utils import pysignature
    from pyarray.misc.special import literal_unroll, prange
    from pyarray.np.numpy_support import as_dtype, from_dtype, numpy_version
    from pyarray.np.ufunc.parallel import _get_thread_id

    assert isinstance(half, CPUDispatcher) and isinstance(half, pyarray.core.dispatcher.Dispatcher)
    assert other is njit and literal_unroll is pyarray.literal_unroll and prange is pyarray.prange
    assert signature(int64, float64) == int64(float64) and from_dtype(as_dtype(float32)) == float32
    assert numpy_version == tuple(map(int, np.__version__.split(".")[:2]))
    assert list(pysignature(half).parameters) == ["x"] and _get_thread_id() == 0
    assert isinstance(pyarray.cfunc("float64(float64)")(lambda x: x), CFunc)


def test_everything_in_the_table_is_there():
    from pyarray import _places

    for package, places in _places._PLACES.items():
        for place, names in places.items():
            module = importlib.import_module(f"pyarray.{package}.{place}")
            for name in names if isinstance(names, dict) else ():
                assert getattr(module, name) is not None and name in dir(module)


def test_places_are_known_before_anything_else_is():
    program = (
        "import pyarray.np.unsafe, pyarray.core.types.npytypes as n, pyarray.misc.special as m\n"
        "print(n.Array.__name__, m.typeof(1))"
    )
    assert subprocess.check_output([sys.executable, "-c", program], text=True) == "Array int64\n"


def test_what_is_not_there():
    with pytest.raises(ModuleNotFoundError, match=r"pyarray\.core\.cgutils"):
        importlib.import_module("pyarray.core.cgutils")
    with pytest.raises(ImportError, match="cannot import name .lower_builtin.*overload"):
        from pyarray.core.typing import lower_builtin  # noqa: F401
    with pytest.raises(AttributeError, match="no attribute 'models'"):
        _ = pyarray.core.dispatcher.models


def test_what_to_use_instead():
    for name, words in (("lower_builtin", "overload"), ("box", "structref"), ("NativeValue", "jitclass")):
        with pytest.raises(ImportError, match=f"cannot import name '{name}' from 'pyarray.extending': .*{words}"):
            exec(f"from pyarray.extending import {name}")
        assert not hasattr(pyarray.extending, name)
        with pytest.raises(AttributeError, match=words):
            getattr(pyarray.extending, name)
    asked = {"core": "cgutils compiler no_such_name", "core.caching": "FunctionCache", "np.linalg": "_BLAS"}
    for module, name in ((module, name) for module, names in asked.items() for name in names.split()):
        advice = "" if name == "no_such_name" else f"from 'pyarray.{module}': "
        with pytest.raises(ImportError, match=f"cannot import name '{name}' {advice}"):
            exec(f"from pyarray.{module} import {name}")
    with pytest.raises(ImportError, match="generated_jit.*overload"):
        from pyarray import generated_jit  # noqa: F401


@pytest.mark.parametrize(
    ("module", "instead"),
    [
        ("core.imputils", "overload"),
        ("core.datamodel.models", "structref"),
        ("core.typing.npydecl", "intrinsic"),
        ("np.arrayobj", "overload"),
        ("cpython.unicode", "docs/language.md"),
        ("parfors.parfor", "inspect_mlir"),
    ],
)
def test_modules_that_only_numba_has(module, instead):
    with pytest.raises(ModuleNotFoundError, match=instead) as caught:
        importlib.import_module(f"pyarray.{module}")
    assert caught.value.name.startswith("pyarray.")
    with pytest.raises(ModuleNotFoundError, match="^No module named 'pyarray.core.nowhere'$"):
        importlib.import_module("pyarray.core.nowhere")


def test_names_that_libraries_import():
    from pyarray import NumbaTypeSafetyWarning, vectorize
    from pyarray.core import caching, serialize  # noqa: F401
    from pyarray.core.runtime import rtsys
    from pyarray.np import linalg  # noqa: F401
    from pyarray.np.ufunc.dufunc import DUFunc
    from pyarray.np.ufunc.gufunc import GUFunc

    assert issubclass(NumbaTypeSafetyWarning, Warning) and GUFunc is DUFunc is pyarray.DUFunc
    assert isinstance(vectorize(lambda x: x), pyarray.np.ufunc.gufunc.GUFunc)
    before = rtsys.get_allocation_stats()
    made = njit(lambda n: np.zeros(n))(3)
    after = rtsys.get_allocation_stats()
    assert after.alloc == before.alloc + 1 and after.free == before.free and len(made) == 3
    assert serialize.loads(serialize.dumps(half))(5) == 2.5


def test_wrapper_addresses():
    libm = ctypes.CDLL(ctypes.util.find_library("m"))

    class Function(types.WrapperAddressProtocol):
        def __init__(self, name, signature):
            self.name, self.declared = name, signature

        def __wrapper_address__(self):
            return ctypes.cast(getattr(libm, self.name), ctypes.c_void_p).value

        def signature(self):
            return self.declared

    cosine = Function("cos", float64(float64))
    power = Function("pow", types.FunctionType(float64(float64, float64)))

    @njit
    def f(x):
        return cosine(x) + power(x, 3)

    @njit
    def call(function, x):
        return function(x)

    assert f(2.0) == np.cos(2.0) + 8 and call(cosine, 0.0) == 1.0
    with pytest.raises(TypeError, match="numbers and pointers"):
        call(Function("cos", float64(types.unicode_type)), 1.0)
    with pytest.raises(TypeError, match="no signature"):
        call(Function("cos", "d(d)"), 1.0)


def test_version():
    assert (0, 60) < pyarray.version_info.full == pyarray.version_info[:3]
    assert pyarray.version_info.short == pyarray.version_info[:2] and pyarray.version_info >= (0, 50)


def test_jit_module(tmp_path, monkeypatch):
    (tmp_path / "whole.py").write_text(
        "from math import sqrt\nfrom textwrap import dedent\nfrom pyarray import jit_module, njit\n"
        "def f(x):\n    return g(x) + 1\ndef g(x):\n    return sqrt(x)\nkept = njit(lambda x: x)\nlater = kept\n"
        "class C:\n    pass\n"
        "jit_module(error_model='numpy')\ndef behind(x):\n    return x\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    import whole

    assert whole.f(4.0) == 3.0 and whole.f.targetoptions == {"error_model": "numpy"}
    assert all(map(is_jitted, (whole.f, whole.g, whole.kept)))
    assert not any(map(is_jitted, (whole.dedent, whole.jit_module, whole.behind, whole.C)))
    assert whole.later is whole.kept


def test_options_that_change_nothing():
    assert njit(target_backend="cpu", nopython=True)(lambda x: x)(3) == 3


Point = collections.namedtuple("Point", "x y")


class Colour(enum.IntEnum):
    RED = 1


class Shape(enum.Enum):
    ROUND = 1


@pytest.mark.parametrize(
    "kind, is_so, is_not",
    [
        ("Hashable", [int64, types.unicode_type, types.UniTuple(int64, 2)], [float64[:], types.ListType(int64)]),
        (
            "Sequence",
            [types.ListType(int64), types.UniTuple(int64, 2)],
            [types.Tuple((int64, float64)), types.Set(int64)],
        ),
        ("Container", [types.ListType(int64), types.Set(int64)], [float64[:]]),
        ("Buffer", [float64[:], types.bytes_type], [types.unicode_type]),
        ("ArrayCompatible", [float64[:]], [int64]),
        ("IterableType", [types.unicode_type, types.range_type, float64[:]], [int64]),
        ("RangeType", [types.range_type], [types.ListType(int64)]),
        ("BaseAnonymousTuple", [types.UniTuple(int64, 2)], [pyarray.typeof(Point(1, 2))]),
        ("BaseNamedTuple", [pyarray.typeof(Point(1, 2))], [types.UniTuple(int64, 2)]),
        ("NamedUniTuple", [pyarray.typeof(Point(1, 2))], [pyarray.typeof(Point(1, 2.5))]),
        ("IntEnumMember", [pyarray.typeof(Colour.RED)], [pyarray.typeof(Shape.ROUND)]),
        ("Callable", [pyarray.typeof(half)], [int64]),
        ("Dispatcher", [pyarray.typeof(half)], [int64]),
    ],
)
def test_kinds(kind, is_so, is_not):
    for one in is_so:
        assert isinstance(one, getattr(types, kind))
    for one in (*is_not, 1, "int64"):
        assert not isinstance(one, getattr(types, kind))


def test_kinds_that_make_types():
    assert types.NamedUniTuple(float64, 2, Point) == pyarray.typeof(Point(1.0, 2.0))
    assert types.IntEnumMember(Colour, int64) == pyarray.typeof(Colour.RED)
    assert types.string is types.unicode_type and types.List(int64, reflected=True) == types.ListType(int64)
    with pytest.raises(TypeError, match="integers"):
        types.IntEnumMember(Colour, float64)

    @njit(float64(types.NamedUniTuple(float64, 2, Point), types.IntEnumMember(Colour, int64)))
    def f(point, colour):
        return point.x + colour

    assert f(Point(1.5, 2.5), Colour.RED) == 2.5


def test_the_type_of_a_function():
    kind = pyarray.typeof(half)
    assert kind.dispatcher is half and "half" in str(kind) and pyarray.typeof(half) == kind


def test_kinds_in_overloads():
    def describe(x):
        raise NotImplementedError

    @overload(describe)
    def of_describe(x):
        if isinstance(x, types.Sequence):
            return lambda x: "sequence"
        if isinstance(x, types.Buffer):
            return lambda x: "buffer"
        return lambda x: "other"

    @njit
    def f(x):
        return describe(x)

    assert [f(x) for x in ((1, 2), [1], np.zeros(2), b"a", 1, "a")] == [
        "sequence",
        "sequence",
        "buffer",
        "buffer",
        "other",
        "other",
    ]


def test_cython_functions():
    import ctypes
    import math

    pytest.importorskip("scipy.special.cython_special")
    address = get_cython_function_address("scipy.special.cython_special", "gammaln")
    gammaln = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)(address)

    @njit
    def f(x):
        return gammaln(x)

    assert f(4.5) == pytest.approx(math.lgamma(4.5), rel=1e-14)
    with pytest.raises(ValueError, match="No function 'nothing' found in __pyx_capi__"):
        get_cython_function_address("scipy.special.cython_special", "nothing")
    with pytest.raises(ModuleNotFoundError):
        get_cython_function_address("no.such.module", "f")


@pytest.mark.parametrize("letter", "fdFD")
def test_lapack_by_the_name_that_numba_has(letter):
    pytest.importorskip("scipy")
    from pyarray.np.linalg import _LAPACK

    def solve(a, b):
        """To be overloaded."""

    @overload(solve)
    def solve_in_place(a, b):
        gesv = _LAPACK().numba_xgesv(a.dtype)
        kind = ord({float32: "s", float64: "d"}.get(a.dtype, "z"))

        def impl(a, b):
            n = a.shape[-1]
            ipiv = np.empty(n, dtype=np.int32)
            return gesv(kind, n, 1 if b.ndim == 1 else b.shape[-1], a.ctypes, n, ipiv.ctypes, b.ctypes, n)

        return impl

    call = njit(lambda a, b: solve(a, b))
    a = np.array([[4, 1, 2], [1, 5, 3], [2, 3, 6]], letter, order="F")
    for b in (np.array([1, 2, 3], letter), np.array([[1, 2], [3, 4], [5, 6]], letter, order="F")):
        wanted = np.linalg.solve(a, b)
        assert call(a.copy(order="F"), b) == 0
        np.testing.assert_allclose(b, wanted, rtol=1e-5, atol=1e-6)
    assert call(np.zeros((2, 2), letter, order="F"), np.ones(2, letter)) > 0
    with pytest.raises(AttributeError, match="np.linalg.solve"):
        _ = _LAPACK().numba_xxgetrf
