"""Stencils against their definition: the kernel, called in Python for each element that has all its neighbours."""

import copy
import itertools
import math
import pickle

import numpy as np
import pyarray
import pytest
from compare import define
from pyarray import njit, prange, stencil, types
from pyarray.errors import NumbaValueError, TypingError

pytestmark = pytest.mark.real


class Around:
    """An array whose indices count from a place."""

    def __init__(self, array, place):
        self.array, self.place = array, place

    def __getitem__(self, index):
        parts = index if isinstance(index, tuple) else (index,)
        moved = [
            slice(part.start + i, part.stop + i, part.step) if isinstance(part, slice) else part + i
            for part, i in zip(parts, self.place, strict=True)
        ]
        return self.array[tuple(moved)]


def expected(made, *arguments, out=None, cval=0):
    """What a stencil is to give; parameters that are arrays and not indexed as everywhere are relative."""
    standard = made.options.get("standard_indexing", ())
    names = made.py_func.__code__.co_varnames
    first, values = arguments[0], {}
    ranges = [range(-low, n - high) for n, (low, high) in zip(first.shape, made.neighborhood, strict=True)]
    for place in itertools.product(*ranges):
        given = [
            Around(value, place) if isinstance(value, np.ndarray) and name not in standard else value
            for name, value in zip(names, arguments, strict=False)
        ]
        values[place] = made.py_func(*given)
    if out is None:
        dtype = np.asarray(next(iter(values.values()))).dtype
        out = np.full(first.shape, cval, dtype)
    elif cval is not None:
        out[...] = cval
    for place, value in values.items():
        out[place] = value
    return out


def check(made, *arguments, cval=0):
    wanted = expected(made, *arguments, cval=cval)
    calls = (made, in_compiled(made, len(arguments)), in_compiled(made, len(arguments), parallel=True))
    for call in calls:
        result = call(*arguments)
        assert (result.dtype, result.shape) == (wanted.dtype, wanted.shape)
        np.testing.assert_allclose(result, wanted, rtol=1e-14)
        assert result.flags.c_contiguous
    return result


def in_compiled(made, count, **options):
    names = ", ".join(f"x{k}" for k in range(count))
    return define(f"def f({names}):\n    return made({names})\n", decorator=njit(**options), made=made)


@stencil
def heat(a):
    return 0.25 * (a[0, 1] + a[1, 0] + a[0, -1] + a[-1, 0])


@stencil
def difference(a):
    return a[1] - a[-1]


GRID = np.arange(30.0).reshape(5, 6) ** 2


# -- What kernels compute --------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", ["i1", "u2", "i4", "i8", "f4", "f8", "c8", "c16"])
def test_dtypes(dtype):
    a = np.array([1, 5, 2, 8, 3, 3], dtype)
    result = difference(a)
    kind = types.signature_from_code(difference._typed._show("type", pyarray.typeof(a).code + "q>")).return_type
    assert result.dtype == types.as_dtype(kind)
    np.testing.assert_array_equal(result[1:-1], (a[2:].astype(result.dtype) - a[:-2]))
    assert result[0] == result[-1] == 0


def test_two_dimensions():
    result = check(heat, GRID)
    wanted = np.zeros_like(GRID)
    wanted[1:-1, 1:-1] = 0.25 * (GRID[1:-1, 2:] + GRID[2:, 1:-1] + GRID[1:-1, :-2] + GRID[:-2, 1:-1])
    np.testing.assert_array_equal(result, wanted)


def test_three_dimensions():
    @stencil
    def laplacian(a):
        near = a[1, 0, 0] + a[-1, 0, 0] + a[0, 1, 0] + a[0, -1, 0] + a[0, 0, 1] + a[0, 0, -1]
        return near - 6 * a[0, 0, 0]

    check(laplacian, np.random.default_rng(1).normal(size=(4, 5, 6)))


@pytest.mark.parametrize("shape", [(0, 0), (1, 1), (2, 2), (1, 7), (3, 3), (2, 9), (7, 0)])
def test_small_arrays(shape):
    """There may be no element that has all neighbours."""
    a = np.arange(float(math.prod(shape))).reshape(shape)
    made = stencil(heat.py_func, cval=7.0)
    for call in (made, in_compiled(made, 1)):
        wanted = np.full(shape, 7.0)
        wanted[1:-1, 1:-1] = expected(made, a)[1:-1, 1:-1] if min(shape) > 2 else 0
        np.testing.assert_array_equal(call(a), wanted)


@pytest.mark.parametrize("kernel", ["a[0]", "a[2]", "a[-3]", "a[1] + a[2]", "a[-3] * a[-1]", "a[-2] - a[3]"])
@pytest.mark.parametrize("size", [0, 1, 2, 3, 4, 9])
def test_borders(kernel, size):
    """Indices that are all behind the element, or all in front of it, leave out what they need, and no more."""
    made = stencil(define(f"def f(a):\n    return {kernel}\n").py_func, cval=-1.0)
    low, high = made.neighborhood[0]
    result = made(np.arange(1.0, size + 1))
    wanted = np.full(size, -1.0)
    for i in range(-low, size - high):
        wanted[i] = made.py_func(Around(np.arange(1.0, size + 1), (i,)))
    np.testing.assert_array_equal(result, wanted)


@pytest.mark.parametrize("view", [np.transpose, lambda a: a[::2], lambda a: a[:, ::-1], np.asfortranarray])
def test_layouts(view):
    check(heat, view(np.arange(80.0).reshape(10, 8) ** 1.5))


def test_several_arrays_and_numbers():
    @stencil
    def flux(u, v, dt, steps):
        return dt * (u[1, 0] - u[-1, 0]) * v[0, 0] + steps * v[0, 2]

    check(flux, GRID, GRID.T.copy().reshape(5, 6), 0.5, 3)
    check(flux, GRID.astype("f4"), GRID, 0.5, 3)


def test_larger_arrays_beside_the_first():
    @stencil
    def product(a, b):
        return a[1] * b[-1]

    for call in (product, in_compiled(product, 2)):
        np.testing.assert_array_equal(call(np.arange(4.0), np.arange(9.0)), [0, 0, 3, 0])
        with pytest.raises(ValueError, match="product: b is smaller than a in some dimension"):
            call(np.arange(4.0), np.arange(3.0))


def test_standard_indexing():
    @stencil(standard_indexing=("w", "table"))
    def weighted(a, w, table):
        return w[0] * a[-1] + w[1] * a[0] + w[-1] * a[1] + len(table)

    check(weighted, np.arange(6.0), np.array([1.0, 2.0, 4.0]), np.ones(5))


def test_statements():
    @stencil
    def larger(a, limit):
        """Any statements."""
        best = a[0]
        for value in (a[-1], a[1]):
            if value > best:
                best = value
        if best > limit:
            return limit
        return best

    check(larger, np.array([3.0, 9, 1, 4, 1, 5, 2, 6]), 5.0)


def test_functions_and_globals():
    @njit
    def squared(x):
        return x * x

    scale = 3

    @stencil
    def roots(a):
        return scale * math.sqrt(squared(a[-1]) + np.abs(a[1]))

    check(roots, np.arange(7.0))


def test_indices_by_names():
    left, right = -2, 1

    @stencil
    def ends(a):
        return a[left] - a[right] + a[-(1)]

    assert ends.neighborhood == ((-2, 1),)
    check(ends, np.arange(8.0) ** 2)


def test_the_array_itself():
    @stencil
    def share(a):
        return a[0] / a.shape[0] + a.size

    check_against = np.arange(1.0, 5.0)
    np.testing.assert_array_equal(share(check_against), check_against / 4 + 4)


def test_bools():
    @stencil
    def rises(a):
        return a[0] < a[1]

    result = check(rises, np.array([1, 2, 2, 3, 1]), cval=False)
    assert result.dtype == bool


# -- Neighbourhoods --------------------------------------------------------------------------------


def test_a_moving_mean():
    @stencil(neighborhood=((-3, 2),))
    def mean(a, count):
        total = 0.0
        for k in range(-3, 3):
            total += a[k]
        return total / count

    check(mean, np.arange(20.0) ** 2, 6)


def test_two_dimensional_neighborhoods():
    @stencil(neighborhood=((-1, 1), (0, 2)), cval=0.5)
    def total(a):
        result = 0.0
        for i in range(-1, 2):
            for j in range(3):
                result += a[i, j] * (i + j)
        return result

    check(total, GRID, cval=0.5)


def test_wider_than_needed():
    made = stencil(lambda a: a[0] + 0.0, neighborhood=[(-2, 1)])
    np.testing.assert_array_equal(made(np.ones(6)), [0, 0, 1, 1, 1, 0])


def test_slices():
    @stencil(neighborhood=((-1, 1), (-1, 1)))
    def largest(a):
        return np.max(a[-1:2, -1:2]) - a[-1:2, 0].sum()

    check(largest, GRID[::-1])


def test_neighborhood_of_numba():
    assert heat.neighborhood == ((-1, 1), (-1, 1))
    assert stencil(lambda a: a[3] + a[1]).neighborhood == ((0, 3),)


# -- Outputs and borders ---------------------------------------------------------------------------


def test_outputs():
    @njit
    def into(a, out):
        return heat(a, out=out)

    for call in (lambda a, out: heat(a, out=out), into):
        out = np.full(GRID.shape, 9.0)
        assert call(GRID, out) is out
        np.testing.assert_array_equal(out[1:-1, 1:-1], heat(GRID)[1:-1, 1:-1])
        assert (out[0] == 9).all() and (out[:, -1] == 9).all()  # without cval the borders stay
        with pytest.raises(ValueError, match="heat: out has another shape than a"):
            call(GRID, np.zeros((5, 5)))


def test_outputs_with_a_border():
    made = stencil(heat.py_func, cval=-2)
    out = np.full(GRID.shape, 9, np.float32)
    made(GRID, out=out)
    np.testing.assert_array_equal(out, expected(made, GRID, cval=-2).astype(np.float32))


OVERLAPS = {
    "the same array": lambda m: (m[1:], m[1:]),
    "a row further": lambda m: (m[1:], m[:-1]),
    "the other way round": lambda m: (m[1:], m[1:][::-1]),
    "backwards": lambda m: (m[1:][::-1], m[1:][::-1]),
    "Fortran's order": lambda m: (m.T[:, 1:], m.T[:, 1:]),
    "apart": lambda m: (m[:4], m[4:]),
}


@pytest.mark.parametrize("views", OVERLAPS.values(), ids=OVERLAPS)
@pytest.mark.parametrize("parallel", [False, True])
def test_outputs_that_overlap(views, parallel):
    memory = np.arange(48.0).reshape(8, 6) ** 2
    a, out = views(memory)
    wanted = heat(a.copy())

    @njit(parallel=parallel)
    def into(a, out):
        return heat(a, out=out)

    into(a, out)
    np.testing.assert_array_equal(out[1:-1, 1:-1], wanted[1:-1, 1:-1])


def test_an_output_that_overlaps_a_readonly_array():
    memory = np.arange(30.0).reshape(5, 6) ** 2
    view = memory[:]
    view.flags.writeable = False
    wanted = heat(memory.copy())
    heat(view, out=memory)
    np.testing.assert_array_equal(memory[1:-1, 1:-1], wanted[1:-1, 1:-1])


def test_an_output_that_overlaps_weights():
    made = stencil(lambda a, w: a[-1] * w[0] + a[1] * w[1], standard_indexing=("w",))
    memory = np.arange(1.0, 9.0)
    wanted = made(memory.copy(), memory[2:4].copy())
    made(memory, memory[2:4], out=memory)
    np.testing.assert_array_equal(memory[1:-1], wanted[1:-1])


@pytest.mark.parametrize(
    "cval, dtype, value",
    [(1, "f8", 1.0), (1.0, "i8", 1), (np.nan, "f8", np.nan), (np.inf, "f4", np.inf), (True, "f4", 1), (2j, "c16", 2j),
     (np.float32(0.1), "f8", np.float32(0.1)), (3, "i1", 3)],
)  # fmt: skip
def test_borders_that_fit(cval, dtype, value):
    made = stencil(lambda a: a[-1], cval=cval)
    np.testing.assert_array_equal(made(np.ones(2, dtype)), np.array([value, 1], dtype))


@pytest.mark.parametrize("cval, dtype", [(1.5, "i8"), (np.nan, "i4"), (1j, "f8"), (300, "u1"), (-1, "u2")])
def test_borders_that_do_not_fit(cval, dtype):
    made = stencil(lambda a: a[-1], cval=cval)
    with pytest.raises(TypingError, match="cval=.* does not fit what the stencil kernel\\(\\) gives"):
        made(np.ones(3, dtype))


# -- Within compiled functions ---------------------------------------------------------------------


def test_in_parallel_functions():
    @njit(parallel=True)
    def steps(a, count):
        b = np.empty_like(a)
        for _ in range(count):
            heat(a, out=b)
            a, b = b, a
        return a

    @njit
    def in_order(a):
        return heat(a)

    a = np.zeros((60, 70))
    a[30] = 1
    result = steps(a.copy(), 4)
    b = a.copy()
    c = np.empty_like(a)
    for _ in range(4):
        c[...] = 0
        c[1:-1, 1:-1] = expected(heat, b)[1:-1, 1:-1]
        b, c = c, b
    np.testing.assert_allclose(result[4:-4, 4:-4], b[4:-4, 4:-4], rtol=1e-14)
    in_order(a)
    assert "runs on several threads" in told(steps) and "runs on several threads" not in told(in_order)


def told(function):
    import contextlib
    import io

    shown = io.StringIO()
    with contextlib.redirect_stdout(shown):
        function.parallel_diagnostics()
    return shown.getvalue()


def test_in_a_parallel_loop():
    @njit(parallel=True)
    def each(a):
        out = np.empty_like(a)
        for i in prange(a.shape[0]):
            out[i] = difference(a[i])
        return out

    np.testing.assert_array_equal(each(GRID), [difference(row) for row in GRID])


def test_made_in_a_compiled_function():
    @njit
    def pairs(a):
        return stencil(lambda x: x[-1] + x[1])(a)

    @njit(parallel=True)
    def weighted(a, factor):
        """Kernels take variables of the function."""

        def kernel(x, y):
            return factor * x[0, 1] + y[-1, 0]

        made = pyarray.stencil(kernel, cval=5)
        out = np.zeros(a.shape)
        made(a, a, out=out)
        return made(a, a), out

    np.testing.assert_array_equal(pairs(np.arange(6)), [0, 2, 4, 6, 8, 0])
    a = np.arange(12.0).reshape(3, 4)
    wanted = np.full((3, 4), 5.0)
    wanted[1:, :-1] = 2.5 * a[1:, 1:] + a[:-1, :-1]
    for result in weighted(a, 2.5):
        np.testing.assert_array_equal(result, wanted)


@pytest.mark.parametrize("parallel", [False, True])
def test_neighborhoods_of_run_time(parallel):
    @njit(parallel=parallel)
    def mean(a, w):
        return stencil(lambda x: np.mean(x[-w : w + 1]), neighborhood=((-w, w),))(a)

    @njit(parallel=parallel)
    def trailing(a, w):
        def kernel(x):
            total = 0.0
            for i in range(-w, 1):
                total += x[i]
            return total

        return stencil(kernel, neighborhood=((-w, 0),), cval=-1)(a)

    @njit(parallel=parallel)
    def kept(a, w):
        made = stencil(lambda x: x[-1] + x[1], neighborhood=((-w, w),))
        w = 5
        return made(a), made(a * w)

    @njit(parallel=parallel)
    def two(a, low, high):
        return stencil(lambda x: x[0, low] + x[high, 0], neighborhood=((0, high), (low, 0)))(a)

    a = np.arange(10.0) ** 2
    for w in (0, 1, 2, 5, 20):
        middle, behind = np.zeros(10), np.full(10, -1.0)
        for i in range(w, 10):
            behind[i] = a[i - w : i + 1].sum()
            if i < 10 - w:
                middle[i] = a[i - w : i + w + 1].mean()
        np.testing.assert_allclose(mean(a, w), middle)
        np.testing.assert_array_equal(trailing(a, w), behind)
    sums = np.zeros(10)
    sums[2:-2] = a[1:-3] + a[3:-1]
    for mine, theirs in zip(kept(a, 2), (sums, sums * 5)):
        np.testing.assert_array_equal(mine, theirs)
    grid, corners = np.arange(30.0).reshape(5, 6), np.zeros((5, 6))
    corners[:3, 1:] = grid[:3, :-1] + grid[2:, 1:]
    np.testing.assert_array_equal(two(grid, -1, 2), corners)
    with pytest.raises(ValueError, match="the least index of a dimension of the neighborhood comes first"):
        two(grid, 1, 2)
    with pytest.raises(IndexError, match="out of bounds"):
        kept(a, 0)


def test_options_in_a_compiled_function():
    width = 2

    @njit
    def means(a, w):
        return stencil(
            lambda x, w: (x[-width] + x[0]) * w[0], standard_indexing=("w",), neighborhood=((-width, 0),), cval=np.nan
        )(a, w)

    np.testing.assert_array_equal(means(np.arange(4.0), np.array([2.0])), [np.nan, np.nan, 4, 8])


# -- Errors ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "kernel, options, message",
    [
        ("a[n]", {}, "index of a stencil kernel is not constant: the option 'neighborhood' is required"),
        ("a[n, 0] + a[0, 0]", {}, "is not constant"),
        ("a[1:3]", {}, None),
        ("a[0] + a[0, 1]", {}, "a relative index has 2 parts, but another index 1"),
        ("a[2]", {"neighborhood": ((-1, 1),)}, "index 2 of dimension 0 is outside the neighborhood, from -1 to 1"),
        ("a[0, 0]", {"neighborhood": ((-1, 1),)}, "a relative index has 2 parts, but the neighborhood 1"),
        ("n + 1", {}, "the stencil kernel indexes no array relatively"),
        ("a[0] + n[0]", {"standard_indexing": ("a",)}, "the first parameter of a stencil kernel, 'a', is indexed rel"),
        ("a[0] + n[0]", {"standard_indexing": ("b",)}, "standard_indexing names 'b', which is no parameter"),
        ("a[None]", {}, "a relative index is an integer or a slice for each dimension"),
        ("a[:2]", {"neighborhood": ((-1, 1),)}, "a relative slice has both ends"),
        ("a[0]", {"neighborhood": ((1, -1),)}, "the least index of a dimension comes first"),
        ("a[0]", {"neighborhood": 3}, "neighborhood is \\(\\(low, high\\), ...\\)"),
        ("a[0]", {"mode": "wrap"}, "Unknown stencil option 'mode'; there are cval, standard_indexing, neighborhood"),
        ("a[0]", {"cval": "0"}, "cval is a number, not '0'"),
    ],
)
def test_kernels_that_are_refused(kernel, options, message):
    function = define(f"def f(a, n):\n    return {kernel}\n").py_func
    if message is None:
        assert stencil(function, **options).neighborhood == ((0, 2),)
        return
    with pytest.raises(NumbaValueError, match=message):
        stencil(function, **options)


def test_where_a_kernel_is_refused():
    function = define("def f(a, n):\n    b = n + 1\n    return a[0] + a[n]\n").py_func
    with pytest.raises(NumbaValueError, match=r"line 3:\n    return a\[0\] \+ a\[n\]\n +\^") as caught:
        stencil(function)
    assert caught.value.line == 3


@pytest.mark.parametrize(
    "line", ["a[0] = 1", "a[0] += 1", "n[0] = a[0]", "del a[0]", "a = n", "for a[0] in range(3): pass"]
)
def test_kernels_do_not_assign(line):
    function = define(f"def f(a, n):\n    b = a[0]\n    {line}\n    return b\n").py_func
    with pytest.raises(NumbaValueError, match="a stencil kernel cannot assign to"):
        stencil(function)


@pytest.mark.parametrize("parameters", ["", "a, out", "a, *b", "a, b=1", "a, *, b", "a, **b", "a, /, b"])
def test_parameters_that_are_refused(parameters):
    function = define(f"def f({parameters}):\n    return 1\n").py_func
    with pytest.raises(NumbaValueError, match="stencil kernel"):
        stencil(function)


def test_modes_and_things_that_are_refused():
    with pytest.raises(NumbaValueError, match="Unsupported mode style 'wrap': it is 'constant'"):
        stencil("wrap")
    with pytest.raises(TypeError, match="a stencil is made of a function, not of 3"):
        stencil(3)
    assert stencil("constant")(heat.py_func)(GRID).shape == GRID.shape
    assert stencil(njit(lambda a: a[1] + 1))(np.arange(3)).tolist() == [2, 3, 0]


@pytest.mark.parametrize(
    "arguments, message",
    [
        ((np.ones(3),), "the stencil heat\\(\\) is of 2 dimensions, but its argument 'a' has 1"),
        ((2.0,), "the first argument of the stencil heat\\(\\) is indexed relatively: an array is expected"),
    ],
)
def test_arguments_that_are_refused(arguments, message):
    for call in (heat, in_compiled(heat, 1)):
        with pytest.raises(TypingError, match=message):
            call(*arguments)


def test_wrong_numbers_of_arguments():
    with pytest.raises(TypeError, match=r"the stencil heat\(\) takes 1 argument, and out=array, but 2 were given"):
        heat(GRID, GRID)
    with pytest.raises(TypingError, match="the stencil heat\\(\\) is called with a, and out=array"):
        in_compiled(heat, 2)(GRID, GRID)


@pytest.mark.parametrize("text, given", [("a", "array"), ("(a[0], 1)", "Tuple|tuple"), ("None", "none")])
def test_results_that_are_refused(text, given):
    made = stencil(define(f"def f(a):\n    b = a[0]\n    return {text}\n").py_func)
    with pytest.raises(TypingError, match=f"a stencil kernel returns a number, but f\\(\\) gives ({given})"):
        made(np.ones(4))


def test_times_are_refused():
    made = stencil(lambda a: a[1] - a[0])
    with pytest.raises(TypingError, match="a stencil kernel returns a number, but kernel\\(\\) gives timedelta"):
        made(np.array(["2020-01-01", "2020-01-03"], "M8[D]"))


def test_errors_of_kernels():
    @stencil
    def ratio(a):
        return a[0] // a[1]

    with pytest.raises(ZeroDivisionError):
        ratio(np.array([1, 2, 0, 3]))
    with pytest.raises(TypingError, match="a\\[0\\] // a\\[1\\]"):
        ratio(np.array([1j, 2]))


def test_indices_out_of_bounds():
    """Those that are not constant are checked as everywhere."""

    @stencil(neighborhood=((-1, 1),))
    def far(a, k):
        return a[k]

    np.testing.assert_array_equal(far(np.arange(4.0), 1), [0, 2, 3, 0])
    with pytest.raises(IndexError):
        far(np.arange(4.0), 9)


# -- Objects ---------------------------------------------------------------------------------------


def test_attributes():
    assert heat.__name__ == "heat" and repr(heat) == "<stencil heat>" and heat.options == {}
    assert heat.py_func({(0, 1): 1, (1, 0): 1, (0, -1): 1, (-1, 0): 1}) == 1


def test_pickles():
    assert pickle.loads(pickle.dumps(heat)) is heat and copy.deepcopy(heat)(GRID).shape == GRID.shape
    scale = 3
    made = pickle.loads(pickle.dumps(stencil(lambda a: scale * a[-1], cval=5)))
    assert made(np.arange(3)).tolist() == [5, 0, 3]


def test_options_of_the_caller():
    @stencil
    def ratio(a):
        return a[0] / a[1]

    @njit(error_model="numpy")
    def quiet(a):
        return ratio(a)

    np.testing.assert_array_equal(quiet(np.array([1.0, 0, 2])), [np.inf, 0, 0])
    with pytest.raises(ZeroDivisionError):
        ratio(np.array([1.0, 0, 2]))


def test_the_disk_cache(run):
    program = """
import sys
import numpy as np
import pyarray
from pyarray import njit, stencil

SCALE = int(sys.argv[1]) if len(sys.argv) > 1 else {scale}

@stencil
def moved(a):
    return a[{index}] * SCALE

@njit
def f(a):
    return moved(a), stencil(lambda x: x[{index}] - SCALE)(a)

print(moved(np.arange(4)).tolist(), [each.tolist() for each in f(np.arange(4))], sum(f.stats.cache_hits.values()))
"""
    first = run(program.format(scale=2, index=1))
    assert first == "[2, 4, 6, 0] [[2, 4, 6, 0], [-1, 0, 1, 0]] 0\n"
    assert run(program.format(scale=2, index=1)) == first.replace("] 0\n", "] 1\n")
    assert run(program.format(scale=3, index=1)) == "[3, 6, 9, 0] [[3, 6, 9, 0], [-2, -1, 0, 0]] 0\n"
    assert run(program.format(scale=2, index=-1)) == "[0, 0, 2, 4] [[0, 0, 2, 4], [0, -2, -1, 0]] 0\n"
