"""``njit(target="cuda")``: whole arrays are a GPU's, and kernels are made of what is done with them."""

import pathlib

import numpy as np
import pyarray
import pytest
from pyarray import cuda

pytestmark = pytest.mark.real

RNG = np.random.default_rng(20)
X = RNG.normal(size=3000)
M = RNG.normal(size=(37, 53))
V = RNG.normal(size=53)
B = RNG.normal(size=(53, 21))
T = RNG.normal(size=(5, 6, 7))
K = RNG.integers(-50, 50, size=(40, 30)).astype(np.int32)
F = RNG.uniform(1, 2, size=(64, 64)).astype(np.float32)
C = RNG.normal(size=50) + 1j * RNG.normal(size=50)


def twice(a, b):
    return a * b + 1


twice_jitted = pyarray.njit(twice)


def saxpy(a, s):
    return a * s + a


def standardise(a):
    return (a - a.mean(axis=0)) / a.std(axis=0)


def softmax(a):
    e = np.exp(a - a.max(axis=1)[:, None])
    return e / e.sum(axis=1)[:, None]


def layer_norm(a):
    centred = a - a.mean(axis=-1, keepdims=True)
    return centred / np.sqrt((centred * centred).mean(axis=-1, keepdims=True) + 1e-5)


def normalised(a):
    b = a / np.abs(a).sum(axis=1)[:, None]
    return b, b.max(axis=1), (b * b).sum(axis=1)


def places(a):
    m = a.max(axis=1)
    return a.argmax(axis=1), (a == m[:, None]).sum(axis=1), (a > m[:, None] / 2).any(axis=1)


def with_gain(a, g, b):
    m = a.mean(axis=-1)[..., None]
    v = ((a - m) ** 2).mean(axis=-1)[..., None]
    return (a - m) / np.sqrt(v + 1e-5) * g + b


def scaled(a):
    b = a - a.min(axis=1)[:, None]
    c = b / b.max(axis=1)[:, None]
    return b, c, (c > 0.5).sum(axis=1)


def log_sum(a):
    m = a.max(axis=1)
    return m + np.log(np.exp(a - m[:, None]).sum(axis=1))


def centred(a):
    return (a - a.mean()) / a.std() + a.max()


def sums(a):
    return a.sum(), a.sum(axis=0), a.sum(axis=-1), a.mean(), a.prod(axis=0)


def extremes(a):
    return a.min(), a.max(axis=0), a.argmin(), a.argmax(axis=1), np.ptp(a)


def truths(a):
    return (a > 0).any(), (a > -100).all(axis=0), (a > 0).sum(), np.count_nonzero(a > 1)


def three_axes(a):
    return a.sum(axis=(0, 2)), a.max(axis=1), a.transpose(2, 0, 1) * 2, a.sum(axis=1, keepdims=True)


def product(a, b):
    return a @ b


def dot(a):
    return np.dot(a, a)


def assignments(a, v):
    a[1:3] += v
    a[0] = v * 2
    a[:, 2] = 1.0
    a[4, 5] = a[3, 2] + 1
    a *= 2
    return a


def overlap(a):
    a[1:] = a[:-1]
    a[:-1] += a[1:]
    return a


def views(a):
    return a.T.copy(), a[::2, ::-1] * 2, a.reshape(53, 37) + 1, a.ravel()[3:9], a.T + 1


def creation(n, m):
    return np.zeros((n, m)), np.ones(n), np.full((n, m), 3.5), np.arange(n), np.linspace(0.0, 1.0, m), np.eye(n)


def items(a):
    a[3] = a[0] + a[-1]
    return a


def masks(a):
    a[a < 0] = 0.0
    return a[a > 0.5], np.where(a > 1, a, -a)


def loops(a):
    t = a.copy()
    for _ in range(5):
        t = t * 0.5 + a
    while np.abs(t).max() > 0.01:
        t = t / 2
    return t


def library(a):
    return np.sort(a), np.cumsum(a), np.histogram(a, 10)[0], np.median(a), np.unique(np.round(a))


def joins(a):
    return np.concatenate((a, a * 2)), np.stack((a, a)), np.diff(a), np.clip(a, -1, 1)


def kinds(a):
    return a.astype(np.float32), (a * 10).astype(np.int64), a > 0, (a > 0) & (a < 1)


def complexes(a):
    return a * a.conj(), a.sum(), np.abs(a), a.real + 1, a.prod()


def halves(a):
    return np.sqrt(a * a + 1), a.sum(axis=0), a.mean(axis=1)


def calls(a):
    return twice_jitted(a, a) + twice_jitted(a, 2.0)


def calls_in_python(a):
    return twice(a, a) + twice(a, 2.0)


def pairs(p):
    a, b = p
    return (a + b, a - b), a


def solve(a):
    return np.linalg.solve(a, a[0]), np.linalg.norm(a)


CASES = [
    (saxpy, X, 2.5), (saxpy, X, np.float32(2.5)), (saxpy, M, 3), (saxpy, T[:, ::2], 3), (saxpy, M.T, 2.0),
    (saxpy, np.float64(3), X), (saxpy, X[::-3], 2.0), (saxpy, np.zeros((0, 4)), 1.0), (saxpy, K, 2), (saxpy, C, 2j),
    (standardise, M), (standardise, F), (softmax, M), (softmax, F), (softmax, RNG.normal(size=(3, 5000))),
    (softmax, RNG.normal(size=(700, 3))), (softmax, M.T), (softmax, M[::2, 1:]), (softmax, np.ones((0, 4))),
    (softmax, RNG.normal(size=(5, 1024)).astype(np.float32)), (layer_norm, M), (layer_norm, F), (layer_norm, T),
    (normalised, M), (normalised, F), (places, M), (places, F), (places, K), (centred, M), (centred, F), (centred, X),
    (with_gain, M, V, V * 2), (with_gain, T, T[0, 0], 2.0), (scaled, M), (scaled, F), (log_sum, M),
    (log_sum, M[:, ::2]), (sums, M), (sums, K), (sums, F), (sums, M.T),
    (sums, M[::2, ::3]), (sums, np.ones((3, 0))), (sums, RNG.normal(size=(4000, 3))),
    (sums, RNG.normal(size=(3, 4000))), (extremes, M), (extremes, K), (extremes, F), (truths, M), (truths, K),
    (three_axes, T), (three_axes, T.T), (product, M, B), (product, M, V), (product, V, B), (product, F, F),
    (product, K, K.T), (dot, X), (assignments, M, V), (overlap, M), (overlap, X), (views, M), (creation, 5, 7),
    (items, X), (masks, X), (loops, X), (loops, M), (library, X), (joins, X), (kinds, X), (complexes, C), (halves, F),
    (pairs, (X, X * 2)), (solve, RNG.normal(size=(9, 9))),
]  # fmt: skip


def copied(value):
    if isinstance(value, tuple):
        return tuple(copied(item) for item in value)
    return value.copy() if isinstance(value, np.ndarray) else value


def check(got, expected):
    if isinstance(expected, tuple):
        assert len(got) == len(expected)
        for one, other in zip(got, expected, strict=True):
            check(one, other)
        return
    got, expected = np.asarray(got), np.asarray(expected)
    assert got.shape == expected.shape
    assert got.dtype == expected.dtype or not got.ndim
    single = expected.dtype in (np.float32, np.complex64) or F.dtype in (got.dtype, expected.dtype)
    np.testing.assert_allclose(got, expected, rtol=1e-4 if single else 1e-10, atol=1e-5 if single else 1e-10)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0].__name__)
def test_as_numpy(case):
    function, *arguments = case
    own, other = [copied(a) for a in arguments], [copied(a) for a in arguments]
    expected = function(*other)
    compiled = pyarray.njit(target="cuda")(function)
    check(compiled(*own), expected)
    check(tuple(own), tuple(other))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0].__name__)
def test_device_arrays_stay_there(case):
    function, *arguments = case
    if not any(isinstance(a, np.ndarray) for a in arguments):
        pytest.skip("no array is given")
    expected = function(*[copied(a) for a in arguments])
    given = [cuda.to_device(copied(a)) if isinstance(a, np.ndarray) else a for a in arguments]
    got = pyarray.njit(target="cuda")(function)(*given)

    def to_host(value):
        assert not isinstance(value, np.ndarray)
        if isinstance(value, tuple):
            return tuple(to_host(item) for item in value)
        return value.copy_to_host() if isinstance(value, cuda.DeviceNDArray) else value

    check(to_host(got), expected)


def into(a, b, out):
    np.matmul(a, b, out=out)
    return out


HALF_SHAPES = [((7, 50), (50, 60)), ((70, 50), (50,)), ((50,), (50, 9)), ((3, 20, 30), (3, 30, 8)), ((50,), (50,)),
               ((3, 20, 30), (30,)), ((5, 0), (0, 6)), ((4, 3000), (3000, 5))]  # fmt: skip


@pytest.mark.parametrize("shapes", HALF_SHAPES, ids=str)
@pytest.mark.parametrize("name", ["float16", "bfloat16"])
def test_products_of_halves(shapes, name):
    """Added up in float32 and rounded once: to the bit where that is exact, as it is of small integers."""
    dtype = np.dtype(name) if name == "float16" else pytest.importorskip("ml_dtypes").bfloat16
    a, b = (RNG.integers(-2, 3, size=shape).astype(dtype) for shape in shapes)
    exact = a.astype(np.float32) @ b.astype(np.float32)
    expected = exact.astype(dtype)
    compiled = pyarray.njit(target="cuda")(product)
    got = np.asarray(compiled(a, b))
    assert got.shape == expected.shape and (got.dtype == expected.dtype or not got.ndim)
    np.testing.assert_array_equal(got.astype(np.float32), expected.astype(np.float32))
    if expected.ndim:
        out = np.zeros_like(expected)
        pyarray.njit(target="cuda")(into)(a, b, out)
        np.testing.assert_array_equal(out.astype(np.float32), expected.astype(np.float32))
    if a.ndim == b.ndim == 2 and all(a.shape):
        reversed_order = compiled(b.T, a.T)
        np.testing.assert_array_equal(reversed_order.astype(np.float32), expected.T.astype(np.float32))


def test_calls_of_compiled_functions():
    check(pyarray.njit(target="cuda")(calls)(X), calls_in_python(X))


@pyarray.njit(target="cuda")
def first_of(a, b):
    return a


def test_an_argument_that_is_returned_is_itself():
    device = cuda.to_device(X)
    assert first_of(device, 1) is device
    assert first_of(X, 1) is X
    assert first_of(b=1, a=device) is device


@pyarray.njit(target="cuda")
def fill(a, b):
    a[:] = b


def test_arguments_are_written_back():
    a, b = np.zeros(5), np.arange(5.0)
    fill(a, b)
    assert (a == b).all()
    fill(b=3.0, a=a)
    assert (a == 3).all()
    with pytest.raises(pyarray.TypingError, match="read"):
        fill(np.broadcast_to(1.0, 5), b)


def test_a_readonly_argument_is_only_read():
    a = X.copy()
    a.flags.writeable = False
    check(pyarray.njit(target="cuda")(saxpy)(a, 2.0), saxpy(X, 2.0))


def test_errors_are_numpys_on_the_users_line():
    add = pyarray.njit(target="cuda")(lambda a, b: a + b)
    with pytest.raises(ValueError, match=r"shapes \(3,\) \(4,\)"):
        add(np.ones(3), np.ones(4))
    with pytest.raises(ValueError, match="zero-size array to reduction operation maximum"):
        pyarray.njit(target="cuda")(lambda a: a.max())(np.ones(0))
    with pytest.raises(IndexError):
        pyarray.njit(target="cuda")(lambda a, i: a[i])(np.ones(3), 5)


def test_containers_of_arrays_of_the_host_are_refused():
    with pytest.raises(pyarray.TypingError, match="container of arrays"):
        pyarray.njit(target="cuda")(lambda a: a[0] + 1)([np.ones(3)])


def test_memory_is_given_back():
    step = pyarray.njit(target="cuda")(lambda a: (a * 2 + 1) - a.sum())
    a, context = cuda.to_device(X), cuda.current_context()

    def bytes_in_use():
        cuda.synchronize()
        return context.memory_statistics()["device_bytes"]

    step(a)
    before = bytes_in_use()
    for _ in range(50):
        step(a)
    assert bytes_in_use() == before
    with pytest.raises(ZeroDivisionError):  # what was made before is given back too
        pyarray.njit(target="cuda")(lambda a, i: (a * 2 + 1) * (1 // i))(a, 0)
    assert bytes_in_use() == before


def test_it_comes_from_the_cache(tmp_path, monkeypatch):
    import subprocess
    import sys

    code = (
        "import numpy as np, pyarray\n"
        "@pyarray.njit(target='cuda')\n"
        "def f(a): return (a * 2).sum(axis=0)\n"
        "print(f(np.ones((3, 4))), sum(f.stats.cache_hits.values()))\n"
    )
    (tmp_path / "program.py").write_text(code)
    monkeypatch.setenv("PYARRAY_CACHE_DIR", str(tmp_path / "cache"))
    outputs = [
        subprocess.run(
            [sys.executable, "-W", "ignore", str(tmp_path / "program.py")], capture_output=True, text=True, check=True
        ).stdout
        for _ in range(2)
    ]
    assert outputs == ["[6. 6. 6. 6.] 0\n", "[6. 6. 6. 6.] 1\n"]


def test_levels_show_kernels():
    compiled = pyarray.njit(target="cuda")(standardise)
    compiled(M)
    (signature,) = compiled.signatures
    assert "pyarray.launch @standardise" in compiled.inspect_mlir("optimized", signature)
    assert "linalg.generic" in compiled.inspect_mlir("linalg", signature)
    assert "pyarray_rt_device_launch" in compiled.inspect_mlir("target", signature)
    assert "pyarray_rt_device_launch" in compiled.inspect_asm(signature)


DRIVER = pathlib.Path(__file__).parents[2] / "build/test/libpyarray_fake_cuda.so"


@pytest.mark.skipif(not DRIVER.exists(), reason="the fake driver is not built")
def test_the_driver_compiles_each_kernel_once(run, tmp_path):
    program = (
        "import numpy as np, pyarray\n"
        "@pyarray.njit(target='cuda', cache=False)\n"
        "def f(a): return (a - a.mean(axis=0)) / np.exp(a).sum()\n"
        "try: f(np.ones((3, 4)))\n"
        "except Exception as error: print('compiling the PTX' in str(error))\n"  # the fake driver knows no PTX
    )
    log = tmp_path / "link.log"
    environment = {"PYARRAY_CUDA": "gpu", "PYARRAY_CUDA_DRIVER": str(DRIVER), "PYARRAY_FAKE_CUDA_LINK_LOG": str(log)}
    assert "True" in run(program, **environment)
    names = [line.split()[1] for line in log.read_text().splitlines()]
    names = [name for name in names if name != "nothing"]  # which warms the driver's compiler up
    first = names[: len(set(names))]  # behind them there is the launch, which tries again
    assert sorted(first) == [f"f_kernel{i}" for i in range(len(first))]
    assert len(first) > 3


@pytest.mark.skipif(not DRIVER.exists(), reason="the fake driver is not built")
def test_what_fails_in_one_of_several_kernels_is_told(run, tmp_path):
    program = (
        "import numpy as np, pyarray\n"
        "@pyarray.njit(target='cuda', cache=False)\n"
        "def f(a): return np.sinh(a) + a.mean(axis=0), a.sum()\n"
        "for i in range(2):\n"
        "    try: f(np.ones((3, 4)))\n"
        "    except Exception as error: print('mathematical functions on a GPU need' in str(error))\n"
    )
    nowhere = {"PYARRAY_LIBDEVICE": str(tmp_path / "nowhere.bc")}
    assert run(program, PYARRAY_CUDA="gpu", PYARRAY_CUDA_DRIVER=str(DRIVER), **nowhere).count("True") == 2


def test_other_targets_are_the_cpus():
    assert isinstance(pyarray.njit(target="cpu")(saxpy)(X, 2.0), np.ndarray)
    with pytest.raises(pyarray.TypingError):
        pyarray.njit(target="cpu")(saxpy)(cuda.to_device(X), 2.0)


def gathered(a, i):
    return a[i], a[i, 1], a[:, i]


def test_indices_are_checked_on_the_device():
    indices = np.array([3, -1, 0])
    compiled = pyarray.njit(target="cuda")(gathered)
    check(compiled(M, indices), gathered(M, indices))
    with pytest.raises(IndexError):
        compiled(M, np.array([100]))
    cuda.synchronize()
    check(compiled(M, indices), gathered(M, indices))


def test_a_kernel_that_raises_is_told_of_by_what_waits():
    @pyarray.vectorize
    def inverse(x):
        if x == 0:
            raise ValueError("no inverse")
        return 1 / x

    total = pyarray.njit(target="cuda")(lambda a: inverse(a).sum())
    assert total(np.array([1.0, 2.0])) == 1.5
    with pytest.raises(ValueError, match="no inverse"):
        total(np.array([1.0, 0.0]))
    assert total(np.array([1.0, 2.0])) == 1.5


def test_numbers_stay_on_the_device():
    compiled = pyarray.njit(target="cuda")(centred)
    check(compiled(M), centred(M))
    text = compiled.inspect_mlir("optimized", compiled.signatures[0])
    host, kernels = text.split("func.func private", 1)
    assert "pyarray.fetched" not in host and "pyarray.fetched" in kernels
    # What the host needs as well is read by it.
    both = pyarray.njit(target="cuda")(lambda a: (a - a.mean(), a.mean()))
    check(both(X), (X - X.mean(), X.mean()))
    branch = pyarray.njit(target="cuda")(lambda a: a - a.sum() if a.sum() > 0 else a + a.sum())
    check(branch(X), X - X.sum() if X.sum() > 0 else X + X.sum())


def test_kernels_are_made_once():
    total = pyarray.njit(target="cuda")(lambda a: (a.sum(), a.sum() * 2, a.max()))
    check(total(X), (X.sum(), X.sum() * 2, X.max()))
    text = total.inspect_mlir("optimized", total.signatures[0])
    # Parts are folded by what made them.
    assert text.count("pyarray.launch ") == 4 and text.count("func.func private") == 2


def test_numbers_that_the_host_reads_are_in_its_memory():
    read = pyarray.njit(target="cuda")(lambda a: (a.sum(), a.argmax(), a.min()))
    for _ in range(100):  # more than there are places for numbers
        check(read(X), (X.sum(), X.argmax(), X.min()))
    text = read.inspect_mlir("optimized", read.signatures[0])
    assert text.count("pyarray.number") == 3
    kept = pyarray.njit(target="cuda")(lambda a: a - a.mean())  # a kernel reads it
    check(kept(X), X - X.mean())
    assert "pyarray.number" not in kept.inspect_mlir("optimized", kept.signatures[0])

    @pyarray.njit(target="cuda")
    def halved(a):
        count = 0
        while a.sum() > 1e-3:
            a = a / 2
            count += 1
        return count

    assert halved(np.ones(8)) == 13
    with pytest.raises(ZeroDivisionError):
        pyarray.njit(target="cuda")(lambda a, i: a.sum() + 1 // i)(X, 0)
    cuda.current_context().reset()
    check(read(X), (X.sum(), X.argmax(), X.min()))


@pytest.mark.parametrize("dtype", ["?", "i1", "u2", "i4", "i8", "f2", "f4", "f8", "c8", "c16"])
@pytest.mark.parametrize("shape", [(1, 700), (2100, 3), (70, 33), (5, 2500), (300, 1)])
def test_folds_of_all_sizes_of_teams(dtype, shape):
    numbers = (RNG.normal(size=shape) * 5).astype(dtype)
    if numbers.dtype.kind in "fc":
        numbers = np.round(numbers).astype(dtype)  # sums are exact in any order
    programs = [lambda a: a.sum(axis=1), lambda a: a.sum(axis=0), lambda a: a.sum()]
    if numbers.dtype.kind != "c":
        programs += [lambda a: a.argmax(axis=0), lambda a: a.argmin(axis=1), lambda a: a.argmax(), lambda a: a.min()]
    for program in programs:
        compiled = pyarray.njit(target="cuda")(program)
        check(compiled(numbers), program(numbers))
        check(compiled(np.asfortranarray(numbers)), program(numbers))


def test_positions():
    place, least = pyarray.njit(target="cuda")(lambda a: a.argmax()), pyarray.njit(target="cuda")(lambda a: a.argmin())
    many = np.zeros(40000, np.float32)
    assert place(many) == 0 and least(many) == 0
    many[[20000, 39999]] = 3
    assert place(many) == 20000
    many[[30000, 31000]] = np.nan
    assert place(many) == least(many) == 30000
    assert place(np.full(5000, -np.inf)) == 0 and least(np.full(5000, np.inf)) == 0
    assert place(np.full(5000, -128, np.int8)) == 0
    assert place(many[::-1]) == 8999


def test_rows_are_one_kernel():
    compiled = pyarray.njit(target="cuda")(softmax)
    compiled(F)
    assert compiled.inspect_mlir("optimized", compiled.signatures[0]).count("pyarray.launch ") == 1


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int16, np.bool_, np.complex64])
def test_the_order_of_a_sum_does_not_depend_on_alignment(dtype):
    total = pyarray.njit(target="cuda")(lambda a: a.sum())
    rows = pyarray.njit(target="cuda")(lambda a: a.sum(axis=1))
    numbers = (RNG.normal(size=5001) * 3).astype(dtype)
    for start in range(4):
        assert total(numbers[start:4990 + start].copy()) == total(cuda.to_device(numbers)[start:4990 + start])
    matrix = (RNG.normal(size=(30, 127)) * 3).astype(dtype)
    assert (rows(matrix[:, 1:]) == rows(matrix[:, 1:].copy())).all()


def test_several_threads_call_at_once():
    from concurrent.futures import ThreadPoolExecutor

    compiled = pyarray.njit(target="cuda")(standardise)
    expected = standardise(M)
    with ThreadPoolExecutor(4) as pool:
        for got in pool.map(lambda _: compiled(M), range(40)):
            check(got, expected)


def test_after_a_reset_of_the_context():
    compiled = pyarray.njit(target="cuda")(saxpy)
    device = cuda.to_device(X)
    result = compiled(device, 2.0)
    cuda.current_context().reset()
    with pytest.raises(ValueError, match="gone"):
        compiled(device, 2.0)
    with pytest.raises(ValueError, match="gone"):
        result.copy_to_host()
    check(compiled(X, 2.0), saxpy(X, 2.0))


GLOBAL = np.arange(4.0)
ROWS = np.arange(12.0).reshape(3, 4)


@pyarray.vectorize
def one_more_of(x, y):
    return x * y + 1


def closed_over(c):
    return lambda a: a + c


def recursive(a, n):
    return a if n == 0 else recursive(a * 2, n - 1)


def in_containers(a):
    arrays = [a, a + 1]
    arrays.append(a * 2)
    known = {"x": arrays[2]}
    return known["x"] + arrays[0], arrays


def handled(a):
    try:
        return (a * 2)[10].sum()
    except IndexError:
        return a.sum()


MORE = [
    (lambda a: a * GLOBAL, ROWS), (closed_over(np.ones(4)), ROWS), (in_containers, ROWS), (handled, ROWS),
    (lambda a, s: (a + 1, s + "x"), ROWS, "b"),
    (lambda a: a + np.timedelta64(1, "D"), np.array(["2020-01-01"], "M8[D]")), (lambda a: ~a, np.array([True, False])),
    (lambda a: (a * a).sum(), np.ones(1000, np.float16)), (lambda a: a + 1, np.array(3.0)),
    (lambda a: a @ a.transpose(0, 2, 1), np.ones((2, 3, 4))), (lambda a: np.einsum("ij,kj->ik", a, a), ROWS),
    (lambda a: np.fft.fft(a), GLOBAL), (lambda a: np.outer(a, a), GLOBAL), (lambda a: np.pad(a, 1), GLOBAL),
    (lambda a: np.roll(a, 1), GLOBAL), (lambda a, o: np.add(a, 1, o), GLOBAL, np.zeros(4)),
    (lambda a: sum([r.sum() for r in a]), ROWS), (lambda a: np.array([a.sum(), 2.0]), ROWS),
    (lambda a: a.flat[3], ROWS), (lambda a: np.linspace(0, a.sum(), 5), ROWS), (lambda a: np.repeat(a, 2), GLOBAL),
    (lambda a: np.tile(a, 2), GLOBAL), (lambda a: a.tolist()[1] + a.item(2), GLOBAL),
    (lambda a: np.searchsorted(a, 2.5), GLOBAL),
]  # fmt: skip


@pytest.mark.parametrize("number", range(len(MORE)))
def test_more_programs(number):
    function, *arguments = MORE[number]
    expected = function(*[copied(a) for a in arguments])
    own = [copied(a) for a in arguments]
    got = pyarray.njit(target="cuda")(function)(*own)
    if isinstance(expected, tuple) and isinstance(expected[1], (str, list)):
        check(got[0], expected[0])
        assert got[1] == expected[1] if isinstance(got[1], str) else len(got[1]) == 3
    elif np.asarray(expected).dtype.kind == "M":
        assert (got == expected).all()
    else:
        check(got, expected)


def test_recursion_ufuncs_and_random_numbers():
    global recursive
    expected = ROWS * 8
    recursive = pyarray.njit(target="cuda")(recursive)
    check(recursive(ROWS, 3), expected)
    check(pyarray.njit(target="cuda")(lambda a: one_more_of(a, 2.0))(ROWS), ROWS * 2 + 1)

    @pyarray.njit(target="cuda")
    def drawn(n):
        np.random.seed(3)
        return np.random.random(n) * 2

    np.random.seed(3)
    check(drawn(50), np.random.random(50) * 2)


def test_what_the_host_and_the_device_call_keeps_its_views():
    a, b = np.array([3.0, 1, 2, 1]), np.array([1.0, 1, 0, 0])
    order = pyarray.njit(target="cuda")(lambda a, b: np.lexsort((a, b)))
    np.testing.assert_array_equal(order(a, b), np.lexsort((a, b)))


def test_reductions_of_numbers():
    a = np.array([[1.0, np.nan, 3], [np.nan, 5, 6]])
    places = pyarray.njit(target="cuda")(lambda a: (np.nanargmax(a), np.nanargmin(a[0]), np.any(a[0, 0] > 0)))
    assert places(a) == (5, 0, True)
    with pytest.raises(ValueError, match="All-NaN slice encountered"):
        places(a * np.nan)


def test_one_point_is_changed_once():
    def change(s, x):
        np.exp(x, out=x)
        np.multiply(s, x, out=s)
        s += 1

    compiled = pyarray.njit(target="cuda")(change)
    for shape in ((), (1,), (3,)):
        s, x, t, y = np.full(shape, -1.0), np.full(shape, 2.0), np.full(shape, -1.0), np.full(shape, 2.0)
        compiled(s, x)
        change(t, y)
        np.testing.assert_allclose(s, t)
        np.testing.assert_allclose(x, y)
