"""Generator expressions, programs of generators, generators in Python's hands, and what is refused."""
# ruff: noqa: B007, F821, F841, UP028

import contextlib
import gc
import io
import os
import subprocess
import sys
import threading
import weakref

import numpy as np
import pytest
from generators import compiled, leaks_nothing, same, squares
from pyarray import cuda, errors, njit, prange, types, vectorize
from pyarray._pyarray import allocation_counts
from pyarray.experimental import jitclass


def lazy_any(a):
    return any(a[i] > 3 for i in range(1000))


def lazy_all(a):
    return all(a[i] < 3 for i in range(1000))


def totals(n):
    greatest = max(x % 7 for x in range(1, n + 1))
    return sum(x * x for x in range(n)), greatest, min((x for x in range(1, n + 1)), key=lambda v: -v)


def containers(n):
    return (
        sorted((-x for x in range(n)), key=lambda x: x % 3),
        set(x % 4 for x in range(n)),
        dict((x, x * x) for x in range(n)),
        list(x + y for x in range(n) for y in range(x) if y % 2),
        ",".join(str(x) for x in range(n)),
        [*(x for x in range(n))],
    )


def captured(n):
    k = 1
    for i in range(n):
        k = k + i
    return sum(k * x for x in range(n)), k


def captured_later(n):
    k = 1
    g = (k * x for x in range(n))
    k = 100
    return list(g)


def walrus(n):
    if any((y := x) > 3 for x in range(n)):
        return y
    return -1


def enumerated(n):
    return [(i, x) for i, x in enumerate((x * x for x in range(n)), 5)]


def zipped(n):
    return [p for p in zip((x for x in range(n)), [1.5, 2.5, 3.5], (str(x) for x in range(n)))]


def zipped_strictly(n):
    return [p for p in zip((x for x in range(n)), [1.5, 2.5, 3.5], strict=True)]


def mapped(n):
    return list(map(lambda x: x + 1, range(n))), list(map(lambda x, y: x * y, range(n), [2, 3, 4]))


def filtered(n):
    return list(filter(lambda x: x % 2, range(n))), list(filter(None, [0, 1, 2, 0]))


def pipeline(n):
    return sum(map(lambda x: x * x, filter(lambda x: x % 2, (x + 1 for x in range(n)))))


def of_dicts(n):
    d = {i: i * i for i in range(n)}
    return sum(v for v in d.values()), max(k for k in d) if n else None, list(k + v for k, v in d.items())


programs = [totals, containers, captured, captured_later, walrus, enumerated, zipped, zipped_strictly, mapped, filtered]


@pytest.mark.parametrize("function", [*programs, pipeline, of_dicts])
@pytest.mark.parametrize("n", [1, 3, 6])
def test_expressions(function, n):
    same(function, n)
    leaks_nothing(njit(function), n)


@pytest.mark.parametrize("function", [lazy_any, lazy_all])
def test_lazy(function):
    same(function, np.arange(10.0))


def test_a_loop_over_a_known_generator_has_no_frame():
    f = compiled["squares"]

    @njit
    def total(n):
        s = 0
        for x in f(n):
            s += x
        return s

    @njit
    def found(n):
        return any(x > 10 for x in f(n))

    for function in total, found:
        before = allocation_counts()
        function(10)
        assert allocation_counts() == before


# ------------------------------------------------------------------------------------------------
# Programs


def test_run_lengths():
    @njit
    def runs(values):
        count = 0
        for i in range(len(values)):
            count += 1
            if i + 1 == len(values) or values[i + 1] != values[i]:
                yield values[i], count
                count = 0

    @njit
    def expand(encoded):
        for value, count in encoded:
            for _ in range(count):
                yield value

    text = "aaabccdddd"
    encoded = list(runs(text))
    assert encoded == [("a", 3), ("b", 1), ("c", 2), ("d", 4)]
    assert "".join(expand(encoded)) == text
    array = np.array([1.5, 1.5, 2.0])
    assert list(runs(array)) == [(1.5, 2), (2.0, 1)]


def test_sieve():
    @njit
    def primes():
        multiples = {0: 0}
        n = 2
        while True:
            if n in multiples:
                step = multiples.pop(n)
            else:
                yield n
                step = n
            at = n + step
            while at in multiples:
                at += step
            multiples[at] = step
            n += 1

    @njit
    def first(count):
        found = []
        for p in primes():
            if len(found) == count:
                break
            found.append(p)
        return found

    assert first(10) == [2, 3, 5, 7, 11, 13, 17, 19, 23, 29]
    generator = primes()
    assert [next(generator) for _ in range(5)] == [2, 3, 5, 7, 11]
    leaks_nothing(first, 10)


def test_deep_recursion():
    @njit
    def deep(n):
        if n > 0:
            yield from deep(n - 1)
        yield n

    @njit
    def count(n):
        total = 0
        for x in deep(n):
            total += 1
        return total

    assert count(300) == 301
    for depth in 300, 5000, 20000:
        generator = deep(depth)
        assert next(generator) == 0
        del generator
    with pytest.raises(RecursionError):
        count(1000000)


# ------------------------------------------------------------------------------------------------
# From Python: threads, processes, life


def test_other_threads():
    generator = compiled["squares"](2000)
    seen = []

    def take():
        for x in generator:
            seen.append(x)

    threads = [threading.Thread(target=take) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(seen) == [i * i for i in range(2000)]


def test_after_fork():
    generator = compiled["texts"](["a", "b"])
    assert next(generator) == "a!"
    child = os.fork()
    if child == 0:
        os._exit(0 if list(generator) == ["A", "b!", "B"] else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert list(generator) == ["A", "b!", "B"]


def test_outlives_its_function():
    @njit
    def f(n):
        for i in range(n):
            yield str(i)

    generator = f(3)
    assert next(generator) == "0"
    reference = weakref.ref(generator)
    f.recompile()
    del f
    gc.collect()
    assert list(generator) == ["1", "2"]
    del generator
    assert reference() is None


def test_running():
    @njit
    def shout(n):
        for i in range(n):
            print(i)
            yield i

    class Again(io.StringIO):
        def write(self, text):
            with pytest.raises(ValueError, match="already executing"):
                next(generator)
            with pytest.raises(ValueError, match="already executing"):
                generator.close()
            return super().write(text)

    generator = shout(2)
    with contextlib.redirect_stdout(Again()) as out:
        assert next(generator) == 0
    assert out.getvalue() == "0\n"


def test_methods():
    @jitclass([("n", types.int64)])
    class Multiples:
        def __init__(self, n):
            self.n = n

        def below(self, limit):
            value = 0
            while value < limit:
                yield value
                value += self.n

    @njit
    def total(m):
        return sum(x for x in m.below(10))

    m = Multiples(3)
    assert total(m) == 18
    generator = m.below(7)
    assert next(generator) == 0
    del m
    assert list(generator) == [3, 6]


@pytest.mark.parametrize("options", [{"debug": True}, {"boundscheck": False}, {"nogil": True}, {"fastmath": True}])
def test_options(options):
    @njit(**options)
    def f(a):
        for i in range(a.size):
            yield a[i], str(i)

    generator = f(np.arange(3.0))
    assert list(generator) == [(0.0, "0"), (1.0, "1"), (2.0, "2")]


def test_from_the_disk_cache(tmp_path):
    path = tmp_path / "program.py"
    path.write_text(
        "from pyarray import njit\n\n\n@njit\ndef f(n):\n    for i in range(n):\n        yield 6 // (2 - i), str(i)\n\n"
        "try:\n    for x in f(4):\n        print(x)\nexcept ZeroDivisionError as error:\n"
        "    print(error.__traceback__.tb_next.tb_lineno, f.stats.cache_hits)\n"
    )
    environment = {**os.environ, "PYARRAY_CACHE": "1", "PYARRAY_CACHE_DIR": str(tmp_path / "cache")}
    shown = [
        subprocess.run([sys.executable, str(path)], capture_output=True, text=True, check=True, env=environment).stdout
        for _ in range(2)
    ]
    assert shown[0].splitlines()[:2] == ["(3, '0')", "(6, '1')"]
    assert shown[0].replace("Counter()", "") == shown[1].replace("Counter({(int64,): 1})", "")


def test_repr_and_type():
    generator = compiled["squares"](3)
    assert "squares" in repr(generator)
    (result,) = {signature.return_type for signature in compiled["squares"].nopython_signatures}
    assert result == types.Generator(types.int64) and result.yield_type == types.int64
    with pytest.raises(TypeError):
        type(generator)()


# ------------------------------------------------------------------------------------------------
# What is refused


def in_a_lambda():
    f = lambda: (yield 1)  # noqa: E731
    return 0


def two_types(n):
    yield 1
    yield "a"


def with_a_value(n):
    yield 1
    return 5


def on_a_gpu(n):
    @cuda.jit
    def kernel(a):
        yield 1

    kernel[1, 1](np.zeros(n))


def holds_itself(n):
    gens = []
    g = (len(gens) for i in range(n))
    gens.append(g)
    first = next(g)
    gens.clear()  # memory is counted, not collected: a circle would stay
    return first


@pytest.mark.parametrize(
    "function, arguments, error, message",
    [
        (in_a_lambda, (), errors.UnsupportedError, "'yield' in a lambda"),
        (two_types, (1,), errors.TypingError, "cannot unify int64 and unicode_type for what the generator yields"),
        (on_a_gpu, (1,), errors.UnsupportedError, "'yield' on a GPU"),
        (with_a_value, (1,), errors.UnsupportedError, "'return' with a value in a generator"),
        (lambda n: list(reversed(x for x in range(n))), (1,), errors.TypingError, "object is not reversible"),
        (lambda n: len(x for x in range(n)), (1,), errors.TypingError, "generator"),
    ],
)
def test_refused(function, arguments, error, message):
    with pytest.raises(error, match=message):
        (function if function is on_a_gpu else njit(function))(*arguments)


def declared_otherwise():
    return njit("int64(int64)")(two_types)


def as_a_ufunc():
    return vectorize(squares)(np.arange(3))


@pytest.mark.parametrize("make", [declared_otherwise, as_a_ufunc])
def test_other_decorators(make):
    with pytest.raises(errors.TypingError, match="generator"):
        make()


def test_not_an_argument_from_python():
    with pytest.raises(errors.TypingError, match="cannot determine the type of <class 'generator'>"):
        njit(lambda g: next(g))(x for x in range(3))
    with pytest.raises(errors.TypingError, match="Generator"):
        njit(lambda g: next(g))(compiled["squares"](3))


def test_holds_itself():
    assert njit(holds_itself)(2) == 1


def test_prange():
    @njit(parallel=True)
    def f(n):
        total = 0
        for i in prange(n):
            total += sum(x for x in range(i))
        return total

    assert f(20) == sum(sum(range(i)) for i in range(20))

    @njit(parallel=True)
    def g(n):
        for i in prange(n):
            yield i

    assert list(g(5)) == [0, 1, 2, 3, 4]

    @njit(parallel=True)
    def h(n):
        source = (x for x in range(n))
        total = 0
        for i in prange(n):
            total += next(source)
        return total

    assert h(50) == sum(range(50))


def test_kernels():
    @vectorize(["int64(int64)"])
    def f(n):
        return sum(x * x for x in range(n))

    assert f(np.arange(4)).tolist() == [0, 0, 1, 5]
