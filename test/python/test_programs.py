"""The programs of examples/ against CPython and NumPy, for several sizes, dtypes and layouts."""

import io
import math
import os
import pathlib
import random
import subprocess
import sys
from fractions import Fraction

import numpy as np
import pytest
from compare import arrays_alive, assert_same, copied, is_same
from pyarray import TypingError

EXAMPLES = pathlib.Path(__file__).resolve().parent.parent.parent / "examples"
sys.path.insert(0, str(EXAMPLES))

from programs import PROGRAMS, UFUNCS, load, plain  # noqa: E402

pytestmark = pytest.mark.real

# The compiled programs, and the same source in CPython.
compiled = {name: load(name) for name in PROGRAMS}
python = {name: load(name, plain) for name in PROGRAMS}


def check(name, *arguments, ulps=0):
    """Compare a program with the same in CPython; returns its result."""
    return assert_same(getattr(compiled[name], name), *arguments, ulps=ulps, oracle=getattr(python[name], name))


def check_against_numpy(name, *arguments, tolerance=1e-12):
    """Compare a program with its reference, also what both write into their arguments."""
    ours, theirs = copied(arguments), copied(arguments)
    result = getattr(compiled[name], name)(*ours)
    np.testing.assert_allclose(result, compiled[name].reference(*theirs), tolerance, tolerance)
    for mine, other in zip(ours, theirs, strict=True):
        np.testing.assert_allclose(mine, other, tolerance, tolerance)


def strided(array):
    """The same elements, every other one of a larger array."""
    larger = np.zeros([2 * n for n in array.shape], array.dtype)
    view = larger[(slice(None, None, 2),) * array.ndim]
    view[...] = array
    return view


LAYOUTS = [np.ascontiguousarray, strided, lambda a: np.ascontiguousarray(a[::-1])[::-1]]


# Every program ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [name for name in PROGRAMS if name != "monte_carlo_pi"])
def test_default_arguments(name):
    tolerance = 1e-6 if name == "gaussian_pdf" else 1e-12
    check_against_numpy(name, *compiled[name].arguments(), tolerance=tolerance)


@pytest.mark.parametrize("name", [*PROGRAMS, *UFUNCS, "cannot_compile", "inspect_types"])
def test_runs_as_a_program(name):
    done = subprocess.run([sys.executable, EXAMPLES / f"{name}.py"], capture_output=True, text=True)
    assert done.returncode == 0 and done.stdout and not done.stderr, done.stderr


@pytest.mark.parametrize("name", PROGRAMS)
def test_nothing_leaks(name):
    function, arguments = getattr(compiled[name], name), compiled[name].arguments(20)
    function(*arguments)
    before = arrays_alive()
    for _ in range(3):
        function(*arguments)
    assert arrays_alive() == before


# Programs of the source documents -----------------------------------------------------------------


@pytest.mark.parametrize(
    "x, y", [(3.0, 4.0), (-3.0, 4.0), (1e200, 1e200), (0.0, 2.0), (math.inf, 1.0), (math.nan, 1.0)]
)
def test_hypot_of_floats(x, y):
    check("hypot", x, y)


@pytest.mark.parametrize("x, y", [(3, 4), (-3, 4), (3, 4.0), (True, 2), (0.0, 0.0), (0, 0)])
def test_hypot_of_other_numbers(x, y):
    check("hypot", x, y)


def test_hypot_is_5():
    hypot = compiled["hypot"].hypot
    assert hypot(3.0, 4.0) == hypot.py_func(3.0, 4.0) == 5.0
    assert type(hypot(3.0, 4.0)) is float and "float64" in str(hypot.signatures)


def test_hypot_of_float32():
    assert compiled["hypot"].hypot(np.float32(3), np.float32(4)) == 5.0


@pytest.mark.parametrize("nsamples", [1, 10, 1000])
def test_monte_carlo_pi_draws_what_python_draws(nsamples):
    compiled["monte_carlo_pi"].seed(nsamples)
    random.seed(nsamples)
    assert compiled["monte_carlo_pi"].monte_carlo_pi(nsamples) == python["monte_carlo_pi"].monte_carlo_pi(nsamples)


def test_monte_carlo_pi_is_about_pi():
    assert abs(compiled["monte_carlo_pi"].monte_carlo_pi(1_000_000) - math.pi) < 0.02


def test_monte_carlo_pi_of_no_samples():
    check("monte_carlo_pi", 0)


NAN_ARRAYS = [[], [1.0], [math.nan], [math.nan, 1.0, -0.0, math.nan], [math.nan] * 4, [math.inf, 1.0, -math.inf]]


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.complex128, np.complex64])
@pytest.mark.parametrize("values", NAN_ARRAYS)
def test_nan_compact(values, dtype, layout):
    a = layout(np.array(values, dtype))
    result = compiled["nan_compact"].nan_compact(a)
    assert is_same(result, a[~np.isnan(a)])
    assert result.flags.writeable


def test_nan_compact_of_integers():
    check("nan_compact", np.arange(5))


def test_cannot_compile_says_which_argument():
    module = load("cannot_compile")
    with pytest.raises(TypingError) as caught:
        module.cannot_compile(Fraction(1, 3))
    text = str(caught.value)
    parts = ("argument 0", "'x'", "Fraction", "cannot_compile.py", "line 9:", "def cannot_compile(x):", "^", "Hint")
    for part in parts:
        assert part in text, text
    assert module.cannot_compile.py_func(Fraction(1, 3)) == Fraction(2, 3)
    assert len(caught.traceback) == 1, "no frames of the compiler"


def test_inspect_types_shows_types_beside_the_source():
    hypot = load("inspect_types").hypot
    hypot(3.0, 4.0)
    shown = io.StringIO()
    hypot.inspect_types(file=shown)
    text = shown.getvalue()
    assert text.startswith("hypot (float64, float64)\n")
    for part in ("x = abs(x)", "t = t / x", "return x * math.sqrt(1 + t * t)", "float64"):
        assert part in text, text


@pytest.mark.parametrize("dtype", [np.int8, np.int16, np.int32, np.int64, np.float32, np.float64])
@pytest.mark.parametrize("threshold", [15, -3, 15.0])
def test_zero_suppress(dtype, threshold):
    waveform = compiled["zero_suppress"].arguments(200)[0].clip(-100, 100).astype(dtype)
    result = compiled["zero_suppress"].zero_suppress(waveform, threshold)
    assert result.dtype == dtype
    np.testing.assert_array_equal(result, np.where(waveform < threshold, 0, waveform))


@pytest.mark.parametrize("layout", LAYOUTS)
def test_zero_suppress_of_other_layouts(layout):
    waveform, threshold = compiled["zero_suppress"].arguments(50)
    check_against_numpy("zero_suppress", layout(waveform), threshold)
    check_against_numpy("zero_suppress", layout(waveform[:0]), threshold)


@pytest.mark.parametrize("value, threshold", [(20, 15), (15, 15), (14, 15), (-1, -2), (2.5, 3.0), (7, 3.5)])
def test_zero_suppress_value(value, threshold):
    function = compiled["zero_suppress"].zero_suppress_value
    assert function(value, threshold) == function.py_func(value, threshold)


@pytest.mark.parametrize("dtype, tolerance", [(np.float32, 1e-6), (np.float64, 1e-14)])
@pytest.mark.parametrize("mean, sigma", [(0.0, 1.0), (1.5, 0.25)])
def test_gaussian_pdf(dtype, tolerance, mean, sigma):
    x = compiled["gaussian_pdf"].arguments(100)[0].astype(dtype)
    check_against_numpy("gaussian_pdf", x, dtype(mean), dtype(sigma), tolerance=tolerance)
    for value in (0.0, -2.5, math.nan, math.inf):
        function, scalar = compiled["gaussian_pdf"].gaussian_pdf_value, python["gaussian_pdf"].gaussian_pdf_value
        # NumPy computes with the float32 constant in float32, compiled code in float64.
        np.testing.assert_allclose(function(value, mean, sigma), scalar(value, mean, sigma), 1e-6, 1e-30)


def test_gaussian_pdf_of_sigma_zero():
    function = compiled["gaussian_pdf"].gaussian_pdf_value
    with pytest.raises(ZeroDivisionError, match="^float division by zero$"):
        function(0.0, 0.0, 0.0)


# Further programs ---------------------------------------------------------------------------------


@pytest.mark.parametrize("layout", [np.ascontiguousarray, np.asfortranarray, strided])
@pytest.mark.parametrize("shape", [(0, 0, 0), (1, 1, 1), (3, 4, 5), (5, 0, 2), (0, 3, 2), (17, 16, 33)])
def test_matmul(shape, layout):
    m, n, p = shape
    generator = np.random.default_rng(m + n + p)
    a, b = layout(generator.normal(size=(m, n))), layout(generator.normal(size=(n, p)))
    check("matmul", a, b)
    check_against_numpy("matmul", a, b)


@pytest.mark.parametrize("dtype", [np.float32, np.int32, np.uint8, np.bool_])
def test_matmul_of_other_dtypes(dtype):
    a, b = np.arange(6).reshape(2, 3).astype(dtype), np.arange(12).reshape(3, 4).astype(dtype)
    result = compiled["matmul"].matmul(a, b)
    np.testing.assert_array_equal(result, a.astype(float) @ b.astype(float))


def test_matmul_of_matrices_that_do_not_fit():
    check("matmul", np.ones((2, 3)), np.ones((2, 3)))


@pytest.mark.parametrize("height, width, limit", [(0, 0, 10), (1, 1, 1), (12, 18, 0), (12, 18, 200), (7, 0, 5)])
def test_mandelbrot(height, width, limit):
    check("mandelbrot", height, width, limit)
    check_against_numpy("mandelbrot", height, width, limit)


@pytest.mark.parametrize("layout", [np.ascontiguousarray, np.asfortranarray, strided])
@pytest.mark.parametrize(
    "shape, iterations", [((0, 0), 3), ((2, 2), 3), ((3, 3), 1), ((8, 5), 0), ((8, 5), 7), ((5, 8), 8)]
)
def test_laplace(shape, iterations, layout):
    u = layout(np.random.default_rng(1).normal(size=shape))
    check("laplace", u, copied([u])[0], iterations)
    check_against_numpy("laplace", u, copied([u])[0], iterations)


def test_laplace_returns_one_of_its_arguments():
    u, work = np.ones((4, 4)), np.ones((4, 4))
    assert compiled["laplace"].laplace(u, work, 2) is u
    assert compiled["laplace"].laplace(u, work, 3) is work


def test_laplace_of_arrays_of_two_layouts():
    u = np.random.default_rng(1).normal(size=(5, 6))
    check("laplace", u, np.asfortranarray(u), 3)


@pytest.mark.parametrize("steps", [0, 1, 10])
def test_nbody(steps):
    check("nbody", *compiled["nbody"].arguments(steps), ulps=4)
    check_against_numpy("nbody", *compiled["nbody"].arguments(steps))


def test_nbody_keeps_its_energy():
    start = compiled["nbody"].nbody(*compiled["nbody"].arguments(0))
    assert abs(compiled["nbody"].nbody(*compiled["nbody"].arguments(20_000)) / start - 1) < 1e-2


def test_nbody_of_two_bodies_in_one_place():
    positions, velocities, masses, _, dt = compiled["nbody"].arguments()
    with pytest.raises(
        ZeroDivisionError, match="^float division by zero$"
    ):  # plain code has NumPy's numbers, which warn
        compiled["nbody"].nbody(positions * 0, velocities, masses, 1, dt)


def test_nbody_with_too_few_positions():
    positions, velocities, masses, _, dt = compiled["nbody"].arguments()
    check("nbody", positions[:3].copy(), velocities, masses, 1, dt)


@pytest.mark.parametrize("n", [-5, 0, 1, 2, 3, 4, 5, 9, 10, 25, 26, 100, 1000])
def test_sieve(n):
    check("sieve", n)


def test_sieve_counts():
    assert len(compiled["sieve"].sieve(10**6)) == 78_498


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64, np.int8, np.uint16, np.bool_])
@pytest.mark.parametrize("values", [[], [1], [2, 1], [1, 2, 3], [3, 2, 1, 0], [1, 1, 0, 0, 1]])
def test_bubble_sort(values, dtype, layout):
    a = layout(np.array(values, dtype))
    check("bubble_sort", a)
    check_against_numpy("bubble_sort", a)


def test_bubble_sort_of_nan():
    check("bubble_sort", np.array([2.0, math.nan, 1.0, -1.0, math.nan, 0.0]))


def test_bubble_sort_refuses_a_readonly_array():
    a = np.arange(3.0)
    a.flags.writeable = False
    with pytest.raises(TypingError, match="readonly"):
        compiled["bubble_sort"].bubble_sort(a)


@pytest.mark.parametrize("dtype", [np.int64, np.int32, np.uint8, np.float64])
@pytest.mark.parametrize(
    "a, b", [("", ""), ("", "abc"), ("abc", ""), ("kitten", "sitting"), ("flaw", "lawn"), ("aa", "aa")]
)
def test_levenshtein(a, b, dtype):
    a, b = (np.array([ord(letter) for letter in text], dtype) for text in (a, b))
    check("levenshtein", a, b)
    check_against_numpy("levenshtein", strided(a), b)


def test_route_length():
    latitudes, longitudes = compiled["route_length"].arguments(50)
    check("route_length", latitudes, longitudes, ulps=8)
    check_against_numpy("route_length", latitudes, longitudes)
    check("route_length", latitudes[:0], longitudes[:0])
    check("route_length", latitudes, longitudes[:20])


def test_route_length_compiles_each_function_by_itself_too():
    module = compiled["route_length"]
    assert module.leg_length((0.0, 0.0), (0.0, 180.0)) == pytest.approx(math.pi * module.EARTH_RADIUS)
    assert module.haversine(math.pi) == 1.0


@pytest.mark.parametrize("n", [0, 1, 2, 7, 300])
def test_mutual_recursion(n):
    check("is_even", n)
    assert compiled["is_even"].is_odd(n) is bool(n % 2)


# IR of every level --------------------------------------------------------------------------------

TOOLS = pathlib.Path(os.environ.get("PYARRAY_TEST_TOOLS") or EXAMPLES.parent / "build" / "bin")
OPT = TOOLS / "pyarray-opt"
needs_opt = pytest.mark.skipif(not OPT.exists(), reason="pyarray-opt is not built")


def opt(text, *options):
    """What pyarray-opt makes of a module; fails where it says anything."""
    done = subprocess.run([OPT, *options], input=text, capture_output=True, text=True)
    assert done.returncode == 0 and not done.stderr, done.stderr[:1000]
    return done.stdout


def ir(name, level):
    """The IR of a program for its usual arguments."""
    function = getattr(compiled[name], name)
    function(*compiled[name].arguments(20))
    return function.inspect_mlir(level, function.signatures[-1])


@needs_opt
@pytest.mark.parametrize("level", range(1, 7))
@pytest.mark.parametrize("name", PROGRAMS)
def test_ir_can_be_read_back(name, level):
    text = ir(name, level)
    assert opt(text).strip() == text.strip()


@needs_opt
@pytest.mark.parametrize("level", range(1, 6))
@pytest.mark.parametrize("name", PROGRAMS)
def test_ir_is_carried_on_by_the_tool(name, level):
    lowered = opt(ir(name, level), "--pyarray-pipeline=cpu")
    assert "llvm.func @pyarray_entry(" in lowered and "pyarray.apply" not in lowered and "scf." not in lowered


# The source runs under Numba, too -----------------------------------------------------------------


@pytest.mark.parametrize("name", PROGRAMS)
def test_only_the_import_names_this_package(name):
    lines = (EXAMPLES / f"{name}.py").read_text().splitlines()
    assert [line for line in lines if "pyarray" in line] == ["from pyarray import njit"]
