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

    same(sizes)
    same(more)


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
