"""Random streams, bit for bit those of CPython's `random` and NumPy's legacy generator."""

import random

import numpy as np
import pytest
from compare import define

pytestmark = pytest.mark.real

SEEDS = [0, 1, 42, 2**31, 2**32 - 1]


def stream(module_name, draw, module):
    return define(
        f"def f(seed, n):\n    {module_name}.seed(seed)\n    out = np.empty(n)\n"
        f"    for i in range(n):\n        out[i] = {draw}()\n    return out\n",
        random=module,
    )


@pytest.mark.parametrize("seed", [*SEEDS, -5, 2**40])
def test_python_stream(seed):
    generator = random.Random(seed)
    assert stream("random", "random.random", random)(seed, 2000).tolist() == [generator.random() for _ in range(2000)]


@pytest.mark.parametrize("draw", ["np.random.random", "np.random.rand", "np.random.random_sample"])
@pytest.mark.parametrize("seed", SEEDS)
def test_numpy_stream(seed, draw):
    assert stream("np.random", draw, random)(seed, 2000).tolist() == np.random.RandomState(seed).random_sample(2000).tolist()


def test_the_two_streams_are_apart():
    f = define(
        "def f():\n    random.seed(1)\n    np.random.seed(1)\n    a = random.random()\n    b = np.random.random()\n"
        "    return a, b\n",
        random=random,
    )
    assert f() == (random.Random(1).random(), np.random.RandomState(1).random_sample())


def test_unseeded_streams_differ():
    f = define("def f():\n    return random.random()\n", random=random)
    assert len({f() for _ in range(100)}) == 100
