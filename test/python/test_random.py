"""Random streams, bit for bit those of CPython's `random` and NumPy's legacy generator."""

import multiprocessing
import random
import threading

import numpy as np
import pytest
from compare import define, outcome

pytestmark = pytest.mark.real

SEEDS = [0, 1, 42, 2**31, 2**32 - 1]


def stream(module_name, draw):
    """A compiled function that seeds and returns an array of draws."""
    return define(
        f"def f(seed, n):\n    {module_name}.seed(seed)\n    out = np.empty(n)\n"
        f"    for i in range(n):\n        out[i] = {draw}()\n    return out\n",
        random=random,
    )


draw_python = define("def f():\n    return random.random()\n", random=random)
draw_numpy = define("def f():\n    return np.random.random()\n")
seed_python = define("def f(seed):\n    random.seed(seed)\n", random=random)
seed_numpy = define("def f(seed):\n    np.random.seed(seed)\n")


@pytest.mark.parametrize("seed", [*SEEDS, -5, 2**40, 2**63 - 1, -(2**63)])
def test_python_stream(seed):
    generator = random.Random(seed)
    assert stream("random", "random.random")(seed, 2000).tolist() == [generator.random() for _ in range(2000)]


@pytest.mark.parametrize("draw", ["np.random.random", "np.random.rand", "np.random.random_sample"])
@pytest.mark.parametrize("seed", SEEDS)
def test_numpy_stream(seed, draw):
    wanted = np.random.RandomState(seed).random_sample(2000)
    assert stream("np.random", draw)(seed, 2000).tolist() == wanted.tolist()


@pytest.mark.parametrize("seed", [np.int8(7), np.uint16(7), np.uint64(7), True])
def test_seeds_of_other_types(seed):
    seed_python(seed)
    assert draw_python() == random.Random(int(seed)).random()
    seed_numpy(seed)
    assert draw_numpy() == np.random.RandomState(int(seed)).random_sample()


@pytest.mark.parametrize("seed", [-1, 2**32, 2**40])
def test_seeds_that_numpy_refuses(seed):
    kind, error, arguments = outcome(seed_numpy, (seed,))
    assert (kind, error) == ("raised", ValueError)
    assert arguments == outcome(np.random.RandomState, (seed,))[2]


def test_a_stream_goes_on_from_call_to_call():
    seed_python(5)
    seed_numpy(5)
    ours = [(draw_python(), draw_numpy()) for _ in range(700)]
    python, numpy = random.Random(5), np.random.RandomState(5)
    assert ours == [(python.random(), numpy.random_sample()) for _ in range(700)]


def test_the_two_streams_are_apart():
    f = define(
        "def f():\n    random.seed(1)\n    np.random.seed(1)\n    a = random.random()\n    b = np.random.random()\n"
        "    return a, b\n",
        random=random,
    )
    assert f() == (random.Random(1).random(), np.random.RandomState(1).random_sample())


def test_the_streams_of_the_interpreter_are_left_alone():
    random.seed(3)
    np.random.seed(3)
    seed_python(4)
    seed_numpy(4)
    draw_python(), draw_numpy()
    assert random.random() == random.Random(3).random()
    assert np.random.random() == np.random.RandomState(3).random_sample()


def test_draws_on_several_paths():
    f = define(
        "def f(seed, n):\n    random.seed(seed)\n    s = 0.0\n    for i in range(n):\n"
        "        if random.random() < 0.5:\n            s += random.random() * i\n"
        "        while random.random() < 0.3:\n            s -= 1.0\n    return s\n",
        random=random,
    )
    wanted = f.py_func(9, 500)
    assert f(9, 500) == wanted


def test_unseeded_streams_differ():
    assert len({draw_python() for _ in range(100)} | {draw_numpy() for _ in range(100)}) == 200


def test_each_thread_has_its_own_stream():
    seed_python(1)
    results = []

    def work():
        unseeded = draw_python()
        seed_python(1)
        results.append((unseeded, [draw_python() for _ in range(10)]))

    threads = [threading.Thread(target=work) for _ in range(4)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    generator = random.Random(1)
    wanted = [generator.random() for _ in range(10)]
    assert [draws for _, draws in results] == [wanted] * 4
    assert len({unseeded for unseeded, _ in results}) == 4
    assert draw_python() == wanted[0], "threads draw from their own streams"


def test_a_forked_process_draws_other_numbers():
    seed_python(1)
    draw_python()
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    child = context.Process(target=lambda: queue.put(draw_python()))
    child.start()
    theirs = queue.get(timeout=60)
    child.join()
    assert theirs != draw_python()
