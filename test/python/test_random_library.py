"""Distributions of ``random`` and ``np.random``: after the same seed CPython's and NumPy's numbers, to the bit."""

import linecache
import random

import numpy as np
import pytest
from compare import expression
from pyarray import njit


def draws_of(expression, module, count=300):
    """``count`` values of an expression in one loop, seeded before, as compiled and as interpreted code has them."""
    scope = {"random": random, "np": np}
    seed = "random.seed" if module is random else "np.random.seed"
    source = f"def draw(out):\n    {seed}(1234)\n    for i in range(len(out)):\n        out[i] = {expression}\n"
    name = f"<{expression}>"
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    exec(compile(source, name, "exec"), scope)
    compiled, expected = np.zeros(count), np.zeros(count)
    njit(scope["draw"])(compiled)
    scope["draw"](expected)
    return compiled, expected


PYTHON = """
random.uniform(-2, 3)
random.triangular(1.0, 4.0, 2.0)
random.triangular()
random.normalvariate(1.0, 2.0)
random.gauss(1.0, 2.0)
random.lognormvariate(0.5, 0.25)
random.expovariate(1.5)
random.vonmisesvariate(1.0, 2.0)
random.vonmisesvariate(1.0, 0.0)
random.gammavariate(2.5, 1.5)
random.gammavariate(1.0, 1.5)
random.gammavariate(0.5, 1.5)
random.betavariate(2.0, 3.0)
random.paretovariate(3.0)
random.weibullvariate(1.0, 1.5)
random.randint(-5, 17)
random.randint(1, 1)
random.randrange(10)
random.randrange(3, 50, 7)
random.randrange(50, 3, -7)
random.randrange(10**15)
random.getrandbits(7)
random.getrandbits(32)
random.getrandbits(48)
random.choice((3.5, 1.5, 2.5))
""".split("\n")[1:-1]


@pytest.mark.parametrize("expression", PYTHON)
def test_python(expression):
    compiled, expected = draws_of(expression, random)
    assert compiled.tolist() == expected.tolist()


NUMPY = """
np.random.rand()
np.random.randn()
np.random.ranf()
np.random.standard_normal()
np.random.normal(1.0, 2.0)
np.random.uniform(-1.0, 3.0)
np.random.lognormal(0.5, 0.25)
np.random.exponential(2.0)
np.random.standard_exponential()
np.random.gamma(2.5, 1.5)
np.random.gamma(1.0, 1.5)
np.random.gamma(0.4, 1.5)
np.random.standard_gamma(7.0)
np.random.chisquare(3.0)
np.random.beta(0.6, 0.7)
np.random.beta(2.0, 3.0)
np.random.standard_t(4.0)
np.random.standard_cauchy()
np.random.pareto(3.0)
np.random.weibull(1.5)
np.random.power(2.5)
np.random.rayleigh(1.5)
np.random.laplace(1.0, 2.0)
np.random.gumbel(1.0, 2.0)
np.random.logistic(1.0, 2.0)
np.random.poisson(3.5)
np.random.poisson(10.0)
np.random.poisson(250.0)
np.random.poisson(0.0)
np.random.geometric(0.5)
np.random.geometric(0.05)
np.random.binomial(10, 0.3)
np.random.binomial(100, 0.7)
np.random.binomial(1000, 0.25)
np.random.binomial(5, 0.0)
np.random.randint(10)
np.random.randint(-5, 17)
np.random.randint(0, 1)
np.random.randint(0, 2**40)
np.random.choice(7)
np.random.binomial(10**6, 0.001)
np.random.triangular(0.0, 1.0, 3.0)
np.random.wald(1.0, 2.0)
np.random.zipf(2.5)
np.random.zipf(1.1)
np.random.logseries(0.5)
np.random.logseries(0.99)
np.random.hypergeometric(10, 5, 7)
np.random.hypergeometric(100, 50, 70)
np.random.hypergeometric(50, 100, 140)
np.random.hypergeometric(1000, 3000, 11)
np.random.f(2.0, 3.0)
np.random.noncentral_chisquare(3.0, 2.0)
np.random.noncentral_chisquare(0.5, 2.0)
np.random.noncentral_chisquare(0.5, 0.0)
np.random.noncentral_f(3.0, 4.0, 2.0)
np.random.vonmises(1.0, 2.0)
np.random.vonmises(-2.0, 1e-9)
np.random.vonmises(3.0, 1e-6)
np.random.vonmises(1.0, 1e7)
np.random.negative_binomial(5, 0.3)
""".split("\n")[1:-1]


@pytest.mark.parametrize("expression", NUMPY)
def test_numpy(expression):
    compiled, expected = draws_of(expression, np.random)
    assert compiled.tolist() == expected.tolist()


def same(function, *arguments):
    """The function, which seeds, gives the same compiled and interpreted; arguments are changed alike."""
    copies = [a.copy() if isinstance(a, (list, np.ndarray)) else a for a in arguments]
    compiled, expected = njit(function)(*arguments), function(*copies)
    assert repr(compiled) == repr(expected)
    assert repr(arguments) == repr(tuple(copies))


def test_python_sequences():
    def sequences(values):
        random.seed(5)
        random.shuffle(values)
        return random.sample(values, 4), random.sample(values, 60), random.choices(values, k=5), random.choice(values)

    same(sequences, list(range(100)))
    same(sequences, [0.5 * i for i in range(2000)])


def test_python_weights():
    def weighted(values, weights):
        random.seed(6)
        return random.choices(values, weights, k=20), random.choices(values, cum_weights=[1, 5, 6, 7], k=20)

    same(weighted, [1, 2, 3, 4], [0.5, 2.0, 0.25, 1.0])


def test_numpy_sizes():
    def sizes():
        np.random.seed(7)
        return np.random.rand(3, 2), np.random.randn(2), np.random.normal(0.0, 1.0, 3), np.random.random((2, 2))

    def more():
        np.random.seed(8)
        return (
            np.random.randint(0, 9, (2, 3)),
            np.random.poisson(2.0, 4),
            np.random.standard_normal((1, 2)),
            np.random.uniform(size=2),
        )

    def no_axes():
        np.random.seed(9)
        return (
            np.random.normal(0.0, 1.0, ()),
            np.random.random(()),
            np.random.randint(0, 9, ()),
            np.random.choice(np.arange(4.0), ()),
            np.random.poisson([3.0], 1),
            np.random.standard_normal(()),
        )

    same(sizes)
    same(more)
    same(no_axes)


def test_numpy_orders():
    def orders(a, b):
        np.random.seed(9)
        np.random.shuffle(a)
        np.random.shuffle(b)
        return np.random.permutation(10), np.random.permutation(a)

    def choices(a, p):
        np.random.seed(10)
        return (
            np.random.choice(a, 5),
            np.random.choice(6, 4, False),
            np.random.choice(a, 8, True, p),
            np.random.choice(4, p=p),
        )

    same(orders, np.arange(12.0), np.arange(20).reshape(5, 4))
    same(choices, np.array([1.5, 2.5, 3.5, 4.5]), np.array([0.1, 0.2, 0.3, 0.4]))


def test_numpy_choices_without_replacement():
    def choices(a, p):
        np.random.seed(11)
        return (
            np.random.choice(a, 3, False, p), float(np.random.choice(a, replace=False)),
            np.random.choice(4, (2, 2), False, p), np.random.choice(5, (2, 2), False),
            np.random.choice([1, 2, 3], (2, 3)), np.random.choice(0, 0),
            np.random.permutation([1, 2, 3]), np.random.permutation(a.reshape(2, 2)), np.random.random(),
        )  # fmt: skip

    same(choices, np.array([1.5, 2.5, 3.5, 4.5]), np.array([0.1, 0.2, 0.3, 0.4]))


def test_numpy_integers_of_few_bits():
    def integers(most):
        np.random.seed(12)
        return (
            np.random.randint(200, size=9, dtype=np.uint8), np.random.randint(-100, 100, (3, 3), np.int8),
            np.random.randint(0, 60000, 5, np.uint16), np.random.randint(2, size=40, dtype=np.bool_),
            np.random.randint(200, dtype=np.int16), np.random.randint(0, 2**32, 3, np.uint32),
            np.random.randint(200, size=3, dtype=np.uint64), np.random.randint(1, size=2, dtype=np.int8),
            np.random.randint([1, 5], most), np.random.bytes(0), np.random.bytes(13), np.random.random(),
        )  # fmt: skip

    compiled, expected = njit(integers)(np.array([5, 2**40])), integers(np.array([5, 2**40]))
    for mine, other in zip(compiled, expected, strict=True):
        assert np.array_equal(mine, other) and getattr(mine, "dtype", 0) == getattr(other, "dtype", 0) or mine == other


def test_numpy_parameters_in_arrays():
    def drawn(a, p, n):
        np.random.seed(13)
        return (
            np.random.normal(a, p), np.random.normal(0, [1.0, 2.0]), np.random.uniform(p, a, (2, 4)),
            np.random.gamma(a[:, None], p), np.random.poisson(a), np.random.binomial(n, 0.5), np.random.binomial(9, p),
            np.random.geometric(p), np.random.vonmises(a, p), np.random.exponential(a[:0]), np.random.zipf(a + 1),
            np.random.poisson(np.array(3.0)), np.random.f(a, 3.0), np.random.negative_binomial(a, p),
            np.random.triangular(-a, 0.0, a), np.random.triangular(0, [1, 2], 3, (2, 2)),
            np.random.noncentral_f(a, 3.0, p), np.random.hypergeometric(n, 5, [2, 3, 4]),
        )  # fmt: skip

    same(drawn, np.array([0.5, 1.5, 2.5, 30.0]), np.array([0.2, 0.5, 0.25, 0.05]), np.array([3, 5, 9]))


def test_numpy_several_variables():
    def several(a):
        np.random.seed(14)
        return np.random.dirichlet(a), np.random.dirichlet((1, 2, 3), (2, 2)), np.random.dirichlet([0.5, 0.5], 3)

    def correlated(mean, cov):
        np.random.seed(15)
        return np.random.multivariate_normal(mean, cov), np.random.multivariate_normal(mean, cov, (2, 3))

    same(several, np.array([0.5, 1.5, 2.5]))
    mean, cov = np.array([1.0, -2.0]), np.array([[2.0, 0.5], [0.5, 1.0]])
    for mine, other in zip(njit(correlated)(mean, cov), correlated(mean, cov), strict=True):
        np.testing.assert_allclose(mine, other, rtol=1e-13)


def test_gauss_is_forgotten_by_seed():
    def pairs():
        random.seed(1)
        first = random.gauss(0.0, 1.0)
        random.seed(1)
        np.random.seed(1)
        second = np.random.randn()
        np.random.seed(1)
        return first, random.gauss(0.0, 1.0), second, np.random.randn()

    same(pairs)


def test_numpy_multinomial():
    def counts(n, shares):
        np.random.seed(n)
        return (
            np.random.multinomial(n, [0.2, 0.3, 0.5]), np.random.multinomial(1000, shares, 4),
            np.random.multinomial(20, [1 / 6.0] * 6, size=(2, 3)), np.random.multinomial(3, [0.0, 1.0]),
            np.random.hypergeometric(5, 3, 8, 4), np.random.triangular(-1, -1, 3, (2, 3)),
        )  # fmt: skip

    same(counts, 10, np.array([0.5, 0.25, 0.125, 0.125]))


MISTAKES = """
triangular(2, 1, 3)
triangular(1, 3, 2)
triangular(1, 1, 1)
triangular([0, 3], 2, 4)
noncentral_f([1, 0], 1, 1)
hypergeometric([1, 9], 1, 5)
hypergeometric(5, 5, [1, 0])
wald(0, 1)
wald(1, -1)
zipf(1)
logseries(1)
logseries(-0.5)
hypergeometric(-1, 3, 1)
hypergeometric(1, -1, 0)
hypergeometric(1, 1, 5)
hypergeometric(1, 1, 0)
multinomial(-1, [0.5, 0.5])
multinomial(1, [0.5, 1.5])
multinomial(1, [0.5, 0.6, 0.0])
randint(0)
randint(3, 2)
randint(300, dtype=np.uint8)
randint(-1, 5, dtype=np.uint16)
randint([1, 5], 5)
choice(0)
choice(np.zeros((2, 2)))
choice([1.0, 2.0], 3, False)
choice(3, p=[0.5, 0.5])
choice(2, p=[0.5, 0.6])
choice(2, p=[1.5, -0.5])
choice(2, p=[np.nan, 1.0])
choice(3, 3, False, [0.5, 0.5, 0.0])
normal(0, [1, -1])
normal([1, 2], 1, 3)
normal([1, 2], 1, ())
normal([1, 2], [1, 2, 3])
poisson([-1.0])
poisson(1e30)
binomial([5, 6], 2.0)
binomial(5, [0.5, 2.0])
geometric([0.0])
f(1, 0)
noncentral_chisquare(1, -1)
vonmises(0, -1)
negative_binomial(0, 0.5)
dirichlet([0.0, 1.0])
multivariate_normal([1.0], [[1.0, 2.0]])
multivariate_normal([0.0, 0.0], [[1.0, 2.0], [2.0, 1.0]], check_valid='raise')
""".split("\n")[1:-1]


@pytest.mark.parametrize("call", MISTAKES)
def test_texts_of_errors(call):
    function = expression(f"np.random.{call}", "")
    with pytest.raises(ValueError) as theirs:
        function.py_func()
    with pytest.raises(ValueError) as ours:
        function()
    assert str(ours.value).split("\n")[0] == str(theirs.value)


@pytest.mark.parametrize(
    "call",
    [
        lambda: random.randrange(0), lambda: random.randrange(5, 2), lambda: random.randrange(1, 5, 0),
        lambda: random.getrandbits(-1),
        lambda: random.gammavariate(-1.0, 1.0), lambda: random.sample((1, 2), 3), lambda: np.random.normal(0.0, -1.0),
        lambda: np.random.poisson(-1.0), lambda: np.random.beta(0.0, 1.0), lambda: np.random.randint(3, 3),
        lambda: np.random.choice(0),
        lambda: np.random.binomial(5, 1.5), lambda: np.random.geometric(0.0),
    ],
)  # fmt: skip
def test_errors(call):
    with pytest.raises(ValueError):
        call()
    with pytest.raises(ValueError):
        njit(call)()
