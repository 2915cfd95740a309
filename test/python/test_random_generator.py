"""NumPy's Generator in compiled code: library/numpy/generator*.py, infer_random.c, lower_random.c, values/random.c."""

import gc
import sys

import numpy as np
import pytest
from compare import define, outcome
from pyarray import get_num_threads, njit, prange, set_num_threads, typed, typeof, types
from pyarray.errors import TypingError

BITS = ["PCG64", "MT19937", "Philox", "SFC64"]
A = np.array([[0.5], [1.5]])
B = np.array([1.0, 2.0, 3.5])

FLOATS = """
    beta(2.0, 3.0)|beta(A, B)|chisquare(3.0, size=2)|chisquare(B)|exponential(2.0)|exponential(B, (2, 3))
    f(2.0, 3.0)|f(A, 3.0, size=(2, 2))|gamma(2.0, 0.5)|gamma(A, B)|gumbel(1.0, 2.0)|gumbel(B, A)|laplace(0.5, 2.0)
    laplace(B, 1.0)|logistic(1.0, 2.0, 4)|logistic(B)|lognormal(0.5, 0.25)|lognormal(A, B)
    noncentral_chisquare(3.0, 1.5)|noncentral_chisquare(B, A)|noncentral_f(2.0, 3.0, 1.0)|noncentral_f(B, 3.0, A)
    normal()|normal(1.0, 2.0, 5)|normal(A, B)|pareto(2.5)|pareto(B)|power(2.5)|power(B, size=(2, 3))|rayleigh(2.0)
    rayleigh(B)|standard_t(3.0)|standard_t(B)|triangular(0.0, 1.0, 3.0)|triangular(-1.0, A, B + 4.0)|uniform()
    uniform(-2.0, 3.0, (2, 2))|uniform(A, B + 2.0)|vonmises(0.5, 4.0)|vonmises(A, B)|wald(1.0, 2.0)|wald(A, B)
    weibull(1.5)|weibull(B)
"""
STANDARD = """
    random()|random(3)|random((2, 2), dtype=np.float32)|random(dtype=np.float32)|random(out=out)
    random((2, 3), out=out)|standard_normal()|standard_normal(4)|standard_normal(4, np.float32)
    standard_normal(dtype="float32")|standard_normal(out=out)|standard_exponential()|standard_exponential((2, 2))
    standard_exponential(3, np.float32)|standard_exponential(method="inv")|standard_exponential(3, method="inv")
    standard_cauchy()|standard_cauchy(2)|standard_exponential(3, np.float32, "inv")|standard_gamma(2.5)
    standard_gamma(B)|standard_gamma(2.5, 3, np.float32)|standard_gamma(2.5, dtype=np.float32)
    standard_gamma(B, out=out)|standard_gamma(0.5, out=out)|random(())
"""
COUNTS = """
    binomial(9, 0.3)|binomial(400, 0.4, 5)|binomial(N, A / 2.0)|binomial(N, 0.5, (2, 3))|geometric(0.3)
    geometric(A / 2.0)|hypergeometric(9, 5, 7)|hypergeometric(90, 50, 70, 4)|hypergeometric(N, 5, 3)|logseries(0.7)
    logseries(A / 2.0)|negative_binomial(3, 0.4)|negative_binomial(B, 0.4)|poisson()|poisson(4.0, 3)|poisson(50.0)
    poisson(B)|zipf(2.5)|zipf(B + 1.0, (2, 3))
"""
INTEGERS = """
    integers(10)|integers(2, 10)|integers(5, size=(2, 3))|integers(1, 6, endpoint=True)|integers(N)
    integers(N, N + 9)|integers(0, 2**40)|integers(-(2**63), 2**63 - 1, 3)|integers(N, 2**40, (2, 3), endpoint=True)
    integers(3, 4)|integers(9, dtype=np.uint8)|integers(9, size=9, dtype=np.uint8)|integers(N, 90, (3, 3), np.uint8)
    integers(-5, 9, 7, np.int8)|integers(-5, N, dtype=np.int8)|integers(-9, 900, 7, np.int16)
    integers(N, 900, dtype=np.int16)|integers(900, dtype=np.uint16)|integers(-9, 90000, 7, np.int32)
    integers(-9, 90000, dtype=np.int32)|integers(N, 90000, dtype=np.int32)
    integers(0, 4294967295, 3, np.uint32, endpoint=True)|integers(N, 99, dtype=np.uint32)
    integers(2, size=9, dtype=np.bool_)|integers(0, 1, dtype=np.bool_, endpoint=True)|integers(0, T, dtype=np.bool_)
    integers(3, 2**63 + 9, 3, np.uint64)|integers(0, 9, dtype=np.uint64)|integers(N, 99, dtype=np.uint64)|bytes(7)
    bytes(0)
"""
ITEMS = """
    permutation(9)|permutation(B)|permutation(M)|permutation(M, axis=1)|permutation([3, 1, 2])|permuted(B)
    permuted(M)|permuted(M, axis=0)|permuted(M, axis=1)|permuted(M.T)|permuted(M, axis=1, out=M.copy())|choice(9)
    choice(9, 3)|choice(B)|choice(B, (2, 2))|choice(M, 2)|choice(M, 2, axis=1)|choice(9, 4, replace=False)
    choice(9, 4, False, shuffle=False)|choice(20000, 3000, replace=False)
    choice(20000, 3000, replace=False, shuffle=False)|choice(B, p=[0.2, 0.3, 0.5])|choice(3, 8, p=P)
    choice(3, 2, replace=False, p=P)|choice(B, 0)|choice(M, 2, False)
"""
VECTORS = """
    dirichlet(B)|dirichlet(B, 2)|dirichlet(B / 100.0, (2, 2))|multinomial(20, P)|multinomial(20, P, 2)
    multinomial(N, P)|multinomial(20, [[0.5, 0.5], [0.1, 0.9]], (3, 2))|multivariate_hypergeometric([4, 9, 3], 6)
    multivariate_hypergeometric(N, 6, 3)|multivariate_hypergeometric(N, 6, (2, 2), method="count")
    multivariate_normal([1.0, 2.0], C)|multivariate_normal([1.0, 2.0], C, 4, method="cholesky")
    multivariate_normal([1.0, 2.0], C, (2, 2), method="eigh")
"""
NAMES = {
    "A": A, "B": B, "N": np.array([2, 7, 30]), "M": np.arange(12.0).reshape(3, 4), "P": np.array([0.2, 0.3, 0.5]),
    "C": np.array([[2.0, 0.5], [0.5, 1.0]]), "T": np.array([1, 2, 2, 1]),
}  # fmt: skip


def calls(table):
    return ["rng." + each.strip() for each in table.replace("\n", "|").split("|") if each.strip()]


def several(texts):
    """A compiled function that evaluates all of them in order, and draws once more."""
    lines = "".join(f"    r{i} = {text}\n" for i, text in enumerate(texts))
    results = ", ".join(f"r{i}" for i in range(len(texts)))
    names = ", ".join(NAMES)
    return define(f"def f(rng, out, {names}):\n{lines}    return {results}, rng.random()\n")


def same(ours, theirs, text=""):
    if isinstance(theirs, (tuple, list)):
        assert len(ours) == len(theirs)
        for mine, other, what in zip(ours, theirs, text or [""] * len(theirs), strict=False):
            same(mine, other, what)
    elif isinstance(theirs, np.ndarray):
        assert isinstance(ours, np.ndarray) and (ours.dtype, ours.shape) == (theirs.dtype, theirs.shape), text
        assert ours.tobytes() == theirs.tobytes(), (text, ours, theirs)
    else:
        assert ours == theirs, (text, ours, theirs)


@pytest.mark.parametrize(
    "table", [FLOATS, STANDARD, COUNTS, INTEGERS, ITEMS, VECTORS],
    ids=["floats", "standard", "counts", "integers", "items", "vectors"],
)  # fmt: skip
def test_methods(table):
    texts = calls(table)
    function = several(texts)
    for bits in BITS if table is STANDARD else BITS[:1]:
        mine, other = (np.random.Generator(getattr(np.random, bits)(7)) for _ in range(2))
        ours = function(mine, np.zeros((2, 3)), *NAMES.values())
        theirs = function.py_func(other, np.zeros((2, 3)), *NAMES.values())
        same(ours[:-1], theirs[:-1], texts)
        assert ours[-1] == theirs[-1]
        assert mine.normal() == other.normal()  # Python goes on where compiled code stopped


@njit
def ziggurats(rng, n):
    out = np.empty((4, n))
    for i in range(n):
        out[0, i], out[1, i] = rng.normal(1.5, 2.5), rng.exponential(3.5)
        out[2, i], out[3, i] = rng.standard_normal(), rng.standard_exponential()
    return out, rng.normal(1.5, 2.5, n), rng.exponential(3.5, n), rng.standard_normal(n), rng.standard_exponential(n)


@pytest.mark.parametrize("bits", BITS)
def test_every_layer_of_the_ziggurats(bits):
    """So many draws that each of 256 layers, its edge and the tail behind all of them occur."""
    mine, other = (np.random.Generator(getattr(np.random, bits)(11)) for _ in range(2))
    same(ziggurats(mine, 30_000), ziggurats.py_func(other, 30_000))
    assert mine.random() == other.random()


@pytest.mark.parametrize("size", [0, 1, 1023, 1024, 1025, (3, 700)])
def test_sizes_about_a_part(size):
    draws = define("def f(rng, n):\n    return rng.normal(1.0, 2.0, n), rng.exponential(2.0, n), rng.random()\n")
    same(draws(np.random.default_rng(3), size), draws.py_func(np.random.default_rng(3), size))


WRONG = """
    normal(0.0, -1.0)|normal(0.0, -0.0)|normal(0.0, -B)|exponential(-1.0)|beta(0.0, 1.0)|gamma(-1.0)
    uniform(2.0, 1.0)|uniform(0.0, np.inf)|uniform(0.0, np.inf * B)|poisson(-1.0)|poisson(np.nan)
    poisson(np.nan * B)|poisson(1e19)|zipf(1.0)|geometric(0.0)|logseries(1.0)|binomial(3, 1.5)|binomial(3, np.nan)
    binomial(-1, 0.5)|binomial(N, 1.5)|triangular(1, 0, 2)|negative_binomial(0, 0.5)|negative_binomial(1, 0.0)
    negative_binomial(1e18, 1e-9)|hypergeometric(1, 2, 9)|hypergeometric(-1, 20, 9)|integers(5, 5)
    integers(6, 5, endpoint=True)|integers(300, dtype=np.uint8)|integers(-1, 5, dtype=np.uint8)|integers(N, 3)
    integers(-1, 5, dtype=np.uint64)|normal(B, 1.0, size=2)|normal(A, B, size=(3, 3))|random(2, out=out)
    random(out=out, dtype=np.float32)|random(out=out.T[::2])|shuffle(out, axis=2)|choice(0)
    choice(B, 9, replace=False)|choice(3, p=[0.5, 0.5])|choice(2, p=[0.5, 0.6])|choice(2, p=[1.5, -0.5])
    choice(2, p=[np.nan, 0.5])|multinomial(3, [0.9, 0.9, 0.1])|multinomial(-3, P)|dirichlet(-B)|permuted(B, out=out)
    multivariate_hypergeometric([4, 9], 60)|choice(3, 3, replace=False, p=[0.5, 0.5, 0.0])
"""


@pytest.mark.parametrize("text", calls(WRONG))
def test_wrong_parameters(text):
    function = define(f"def f(rng, out, {', '.join(NAMES)}):\n    return {text}\n")
    ours, theirs = (
        outcome(each, [np.random.default_rng(1), np.zeros((2, 3)), *NAMES.values()])
        for each in (function, function.py_func)
    )
    assert (theirs[0], ours[:2]) == ("raised", theirs[:2]), (text, ours, theirs)
    assert str(ours[2][0]) == str(theirs[2][0])


def test_shuffle():
    function = define(
        "def f(rng, a, m, xs):\n"
        "    rng.shuffle(a)\n    rng.shuffle(m)\n    rng.shuffle(m, axis=1)\n    rng.shuffle(m[:, ::-1], 1)\n"
        "    rng.shuffle(xs)\n"
        "    return a, m, xs\n"
    )
    ours, theirs = (
        each(np.random.default_rng(3), np.arange(9), np.arange(20).reshape(5, 4), [1, 2, 3, 4])
        for each in (function, function.py_func)
    )
    same(ours, theirs)


def test_made_in_compiled_code():
    function = define(
        "def f(seed, seeds):\n"
        "    made = (np.random.default_rng(seed), np.random.default_rng(seeds),\n"
        "            np.random.Generator(np.random.PCG64(seed)),\n"
        "            np.random.Generator(np.random.MT19937(seed)), np.random.Generator(np.random.Philox(seed)),\n"
        "            np.random.Generator(np.random.SFC64(seed)), np.random.Generator(np.random.PCG64DXSM(seed)))\n"
        "    rng = made[0]\n"
        "    children = rng.spawn(2)\n"
        "    jumped = np.random.Generator(rng.bit_generator.jumped())\n"
        "    return [each.normal() for each in made], [each.random() for each in children], jumped.random(), rng\n",
        decorator=njit(nogil=True),
    )
    ours, theirs = function(5, np.array([1, 2])), function.py_func(5, np.array([1, 2]))
    assert ours[:3] == theirs[:3]
    assert type(ours[3]) is np.random.Generator and ours[3].random() == theirs[3].random()
    assert isinstance(define("def f():\n    return np.random.default_rng().random()\n")(), float)
    with pytest.raises(ValueError, match="expected non-negative integer"):
        function(-1, np.array([1]))


def test_same_object():
    function = define(
        "def f(rng, bits, others):\n"
        "    rest = [rng]\n    rest.extend(others)\n"
        "    return rng, bits, (others[1], rng), rest, {1: rng}, others[0].random()\n"
    )
    rng, bits = np.random.default_rng(1), np.random.PCG64(2)
    others = [np.random.default_rng(3), np.random.default_rng(4)]
    counts = [sys.getrefcount(each) for each in (rng, bits, *others)]
    wanted = np.random.default_rng(3).random()
    for _ in range(3):
        result = function(rng, bits, others)
        assert result[0] is rng and result[1] is bits and result[2][0] is others[1] and result[2][1] is rng
        assert result[3][0] is rng and result[3][2] is others[1] and result[4][1] is rng
    assert result[5] != wanted and others[0].random() != wanted
    del result
    gc.collect()
    assert [sys.getrefcount(each) for each in (rng, bits, *others)] == counts
    assert typeof(rng) == types.npy_rng and typeof(bits) == types.npy_bitgen


def test_held_by_others():
    from pyarray.experimental import jitclass

    @jitclass([("rng", types.npy_rng), ("total", types.float64)])
    class Walk:
        def __init__(self, rng):
            self.rng = rng
            self.total = 0.0

        def step(self):
            self.total += self.rng.normal()
            return self.total

    rng, wanted = np.random.default_rng(8), np.random.default_rng(8)
    walk = Walk(rng)
    expected = wanted.normal()
    assert walk.step() == expected and walk.rng is rng
    del rng
    gc.collect()
    assert walk.step() == expected + wanted.normal()
    held = typed.List([np.random.default_rng(1), np.random.default_rng(2)])
    total = define("def f(xs):\n    total = 0.0\n    for x in xs:\n        total += x.random()\n    return total\n")
    assert total(held) == np.random.default_rng(1).random() + np.random.default_rng(2).random()
    kinds = define(
        "def f(x):\n"
        "    return isinstance(x, np.random.Generator), isinstance(x, np.random.BitGenerator), isinstance(x, list)\n"
    )
    assert kinds(held[0]) == (True, False, False) and kinds(np.random.SFC64(1)) == (False, True, False)
    maybe = define("def f(rng=None):\n    return 0.0 if rng is None else rng.random()\n")
    assert maybe() == 0.0 and maybe(np.random.default_rng(1)) == np.random.default_rng(1).random()


def test_declared():
    function = define(
        "def f(rng, n):\n    return rng.random(n)\n", decorator=njit(types.float64[::1](types.npy_rng, types.int64))
    )
    assert function(np.random.default_rng(1), 3).tolist() == np.random.default_rng(1).random(3).tolist()
    with pytest.raises(TypeError):
        function(np.zeros(5, np.uint64), 3)


def test_unknown_methods():
    for text in ("rng.integers64(3)", "rng.state", "rng.bit_generator.state"):
        with pytest.raises(TypingError, match="attribute|method"):
            define(f"def f(rng):\n    return {text}\n")(np.random.default_rng(1))


# -- In parallel -----------------------------------------------------------------------------------


@njit(parallel=True)
def means_of_resamples(x, rngs):
    means = np.empty(len(rngs))
    for i in prange(len(rngs)):
        means[i] = x[rngs[i].integers(0, len(x), len(x))].mean()
    return means


def test_bootstrap_in_prange(capsys):
    x = np.random.default_rng(1).gamma(2.0, size=200)
    ours = means_of_resamples(x, np.random.default_rng(5).spawn(64))
    theirs = means_of_resamples.py_func(x, np.random.default_rng(5).spawn(64))
    means_of_resamples.parallel_diagnostics()
    assert "share a Generator" not in capsys.readouterr().out
    same(ours, theirs)
    same(np.quantile(ours, [0.025, 0.975]), np.quantile(theirs, [0.025, 0.975]))


def test_generators_are_made_before_a_prange():
    """On threads that do not have the GIL; the caller's own may make them."""
    function = define(
        "def f(n):\n    out = np.empty(n)\n    for i in prange(n):\n"
        "        out[i] = np.random.default_rng(i).random()\n    return out\n",
        decorator=njit(parallel=True),
        prange=prange,
    )
    kept = get_num_threads()
    set_num_threads(2)
    try:
        with pytest.raises(RuntimeError, match=r"rngs = rng.spawn\(n\), and take rngs\[i\]"):
            for _ in range(1000):  # the other thread may be late
                function(4000)
    finally:
        set_num_threads(kept)


def test_one_generator_in_prange_runs_in_order(capsys):
    function = define(
        "def f(rng, n):\n    out = np.empty(n)\n    for i in prange(n):\n"
        "        out[i] = rng.random()\n    return out\n",
        decorator=njit(parallel=True),
        prange=prange,
    )
    assert function(np.random.default_rng(2), 1000).tolist() == np.random.default_rng(2).random(1000).tolist()
    function.parallel_diagnostics()
    assert "its iterations share a Generator" in capsys.readouterr().out
