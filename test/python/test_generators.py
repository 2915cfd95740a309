"""Generator functions against CPython: loops over them, what they hold, how they end, and generators as values."""
# ruff: noqa: B007, F821, F841, UP028

import gc
import itertools
import traceback
import weakref

import numpy as np
import pytest
from generators import (
    compiled,
    ended,
    fibonacci,
    floats_and_ints,
    guarded,
    handles,
    leaks_nothing,
    lists,
    nested,
    outcome,
    perhaps,
    same,
    squares,
    texts,
    without_items,
)
from pyarray import njit, types
from pyarray.typed import List


@pytest.mark.parametrize(
    "function, arguments",
    [
        (squares, (6,)),
        (squares, (0,)),
        (fibonacci, (50,)),
        (nested, (5, 4)),
        (ended, (2,)),
        (ended, (8,)),
        (texts, (["a", "bc"],)),
        (lists, (4,)),
        (perhaps, (4,)),
        (floats_and_ints, (2,)),
    ],
)
def test_iterated_from_python(function, arguments):
    generator = njit(function)(*arguments)
    assert iter(generator) is generator
    expected = list(function(*arguments))
    got = list(generator)
    assert got == expected
    if function is not floats_and_ints:  # whose items have one type
        assert repr(got) == repr(expected)
    assert list(generator) == []
    compiled = njit(function)
    leaks_nothing(lambda: list(compiled(*arguments)))


def over_all(f):
    def run(*arguments):
        result = []
        for x in f(*arguments):
            result.append(x)
        return result

    return run


def left_early(f):
    def run(stop, *arguments):
        count = 0
        for x in f(*arguments):
            count += 1
            if count == stop:
                return x
        return None

    return run


looped = {"squares": (6,), "tree": (3,), "texts": (["a", "bc"],), "lists": (4,), "fibonacci": (90,), "ended": (9,)}


@pytest.mark.parametrize("name, arguments", looped.items())
def test_in_loops(name, arguments):
    f = compiled[name]
    if name != "tree":  # which calls the compiled function
        assert njit(over_all(f))(*arguments) == list(f.py_func(*arguments))
    assert njit(over_all(f))(*arguments) == list(f(*arguments))
    for stop in 1, 3, 1000:
        expected = next(itertools.islice(f(*arguments), stop - 1, None), None)
        assert njit(left_early(f))(stop, *arguments) == expected
    leaks_nothing(njit(over_all(f)), *arguments)
    leaks_nothing(njit(left_early(f)), 2, *arguments)


def test_yield_from():
    sub = njit(squares)

    @njit
    def all_of(n):
        yield from range(n)
        yield from [10, 20]
        yield from sub(n)

    assert list(all_of(3)) == [0, 1, 2, 10, 20, 0, 1, 4]
    assert list(compiled["tree"](3)) == [1, 2, 1, 3, 1, 2, 1]


def test_views_of_an_array_outlive_the_call():
    a = np.arange(6.0).reshape(3, 2)
    generator = compiled["rows"](a)
    first = next(generator)
    reference = weakref.ref(a)
    del a
    assert first.tolist() == [0, 1] and next(generator).tolist() == [2, 3]
    first[0] = 7
    del generator, first
    gc.collect()
    assert reference() is None


def test_nothing_is_yielded():
    f = njit(without_items)

    @njit
    def run(n):
        for x in f(n):
            pass

    with pytest.raises(ValueError, match="nothing"):
        list(f(1))
    with pytest.raises(ValueError, match="nothing"):
        run(1)


# ------------------------------------------------------------------------------------------------
# finally, except, errors


@pytest.mark.parametrize("stop", [0, 1, 2, 5, 9])
def test_finally(stop):
    f = compiled["guarded"]

    def run(g, stop, log):
        count = 0
        for x in g(5, log):
            count += 1
            if count == stop:
                break
        return count

    ours, theirs = np.zeros(4, np.int64), np.zeros(4, np.int64)
    assert njit(run)(f, stop, ours) == run(guarded, stop, theirs)
    assert ours.tolist() == theirs.tolist()
    ours[:] = 0
    generator = f(5, ours)
    for _ in range(min(stop, 5)):
        next(generator)
    generator.close()
    theirs[:] = 0
    plain = guarded(5, theirs)
    for _ in range(min(stop, 5)):
        next(plain)
    plain.close()
    assert ours.tolist() == theirs.tolist()
    assert list(generator) == []
    generator.close()


def test_dropped_half_way():
    f = compiled["guarded"]
    log = np.zeros(4, np.int64)
    generator = f(5, log)
    next(generator)
    del generator
    assert log.tolist() == [1, 0, 0, 1]
    log[:] = 0
    unstarted = f(5, log)
    del unstarted
    assert log.tolist() == [0, 0, 0, 0]
    leaks_nothing(lambda: next(compiled["texts"](["ab", "c"])))
    leaks_nothing(lambda: compiled["texts"](["ab", "c"]))
    leaks_nothing(lambda: next(compiled["lists"](3)))


@pytest.mark.parametrize("n", [1, 2, 3, 9])
def test_what_a_loop_carries_when_the_generator_raises(n):
    @njit
    def f(n):
        try:
            yield 1
        finally:
            n -= 1
        yield 2
        yield 1 // (n - 1)
        yield 1 // (n - 2)

    @njit
    def carry(n):
        text, pair = "a", ("b", 1)
        for x in f(n):
            text += str(x)
            pair = (pair[0] + text, x)
        return text, pair

    @njit
    def caught(n):
        text = "a"
        try:
            for x in f(n):
                text = text + str(x)
        except ZeroDivisionError:
            return text
        return text + "!"

    assert caught(n) == {1: "a12-1-1!", 2: "a12", 3: "a121", 9: "a1200!"}[n]
    leaks_nothing(carry, n)
    leaks_nothing(caught, n)


def test_handlers_within():
    ours, theirs = np.zeros(1, np.int64), np.zeros(1, np.int64)
    assert list(compiled["handles"](4, ours)) == list(handles(4, theirs))
    assert ours.tolist() == theirs.tolist()


def test_a_generator_that_handles_an_error_waits():
    f = compiled["in_handler"]

    @njit
    def run(n):
        count = 0
        try:
            raise KeyError(1)
        except KeyError:
            g = f(n)
            count += next(g)
        try:
            raise IndexError("second")
        except IndexError:
            count += next(g)
        try:
            for x in g:
                count += 10 * x
        except ValueError as error:
            count += 1000
        try:
            raise
        except RuntimeError:
            count += 10000
        return count

    assert run(4) == 11051
    leaks_nothing(run, 4)
    with pytest.raises(ValueError, match="first"):
        list(f(2))


def broken(n):
    for i in range(n):
        yield 10 // (2 - i)


@njit
def broken_compiled(n):
    for i in range(n):
        yield 10 // (2 - i)


def test_tracebacks():
    @njit
    def run(n):
        total = 0
        for x in broken_compiled(n):
            total += x
        return total

    @njit
    def run_value(n):
        g = broken_compiled(n)
        total = next(g)
        for x in g:
            total += x
        return total

    for function in run, run_value:
        with pytest.raises(ZeroDivisionError) as caught:
            function(5)
        names = [frame.name for frame in traceback.extract_tb(caught.value.__traceback__)]
        assert names[1:] == [function.__name__, "broken_compiled"]
    generator = broken_compiled(5)
    assert next(generator) == 5
    next(generator)
    with pytest.raises(ZeroDivisionError) as caught:
        next(generator)
    assert [frame.name for frame in traceback.extract_tb(caught.value.__traceback__)][1:] == ["broken_compiled"]
    assert list(generator) == []


def test_errors_of_the_loop_are_nothing_to_the_generator():
    @njit
    def source(log):
        try:
            yield 1
            yield 0
        except ZeroDivisionError:
            log[0] += 1
        finally:
            log[1] += 1

    @njit
    def run(log):
        total = 0
        for x in source(log):
            total += 10 // x
        return total

    log = np.zeros(2, np.int64)
    with pytest.raises(ZeroDivisionError):
        run(log)
    assert log.tolist() == [0, 1]


def test_stop_iteration_of_the_body_is_a_runtime_error():
    @njit
    def f(n):
        g = (i for i in range(n))
        while True:
            yield next(g)

    generator = f(2)
    assert [next(generator), next(generator)] == [0, 1]
    with pytest.raises(RuntimeError, match="generator raised StopIteration") as caught:
        next(generator)
    assert isinstance(caught.value.__cause__, StopIteration)

    @njit
    def run_through(n):
        for x in f(n):
            pass

    with pytest.raises(RuntimeError) as caught:
        run_through(2)
    names = [frame.name for frame in traceback.extract_tb(caught.value.__traceback__)]
    assert names[1:] == ["run_through"]  # as in CPython; the cause has the generator's
    assert [frame.name for frame in traceback.extract_tb(caught.value.__cause__.__traceback__)][:1] == ["f"]

    @njit
    def run(n):
        count = 0
        try:
            for x in f(n):
                count += 1
        except RuntimeError:
            return -count
        return count

    assert run(3) == -3


def test_ignored_close():
    @njit
    def stubborn(log):
        while True:
            try:
                yield 1
            except:  # noqa: E722
                log[0] += 1

    log = np.zeros(1, np.int64)
    generator = stubborn(log)
    next(generator)
    with pytest.raises(RuntimeError, match="generator ignored GeneratorExit"):
        generator.close()
    assert log[0] == 1 and list(generator) == []
    generator = stubborn(log)
    next(generator)
    del generator
    assert log[0] == 2


# ------------------------------------------------------------------------------------------------
# Generators as values


def stepwise(n):
    g = (x * 2 for x in range(n))
    return next(g), next(g), next(g, -1), next(g, -1)


def exhausted(n):
    g = (x * 2 for x in range(n))
    return next(g), next(g), next(g)


def used_up(n):
    g = (x for x in range(n))
    first = list(g)
    return first, sum(g), len(list(g))


def continued(n):
    g = (x for x in range(n))
    total = next(g)
    for x in g:
        total += 10 * x
        if x == 2:
            break
    return total, list(g)


def in_tuples(n):
    t = ((x for x in range(n)), (float(x) for x in range(n)))
    return next(t[0]), next(t[1]), next(t[0])


def in_lists(n):
    gens = [(x * 2 for x in range(k, k + 3)) for k in range(n)]
    return [next(g) for g in gens], [next(g) for g in gens]


def chosen(n):
    g = (x for x in range(n)) if n > 2 else (-x for x in range(n))
    return list(g)


def passed(n):
    def total(g):
        s = 0
        for x in g:
            s += x
        return s

    return total(x * x for x in range(n)), total(x for x in [1.5, 2.5])


def not_an_iterator(n):
    return next([n])


def iters(n):
    g = iter([1, 2, 3])
    first = next(g)
    return first, list(g), list(iter(range(n))), next(iter("ab"))


def perhaps_none(n):
    g = None
    if n > 2:
        g = (x for x in range(n))
    if g is None:
        return -1
    return next(g) + (10 if g else 20)


def none_at_all(n):
    g = None
    if n > 2:
        g = (x for x in range(n))
    for x in g:
        n += x
    return n


def unpacked(n):
    a, b, c = (str(x) for x in range(n))
    return a + b + c


def unpacked_with_a_star(n):
    a, *b = (x * x for x in range(n))
    return a, b


def contained(n):
    g = (x for x in range(10))
    return n in g, next(g), 2 in g, -1 not in g


values = [unpacked, unpacked_with_a_star, contained, perhaps_none, none_at_all]
values += [stepwise, exhausted, used_up, continued, in_tuples, in_lists, chosen, passed, iters]


@pytest.mark.parametrize("function", values)
@pytest.mark.parametrize("n", [2, 3, 5])
def test_values(function, n):
    same(function, n)
    leaks_nothing(njit(function), n)


def test_returned_in_a_tuple():
    @njit
    def two(n):
        return (x for x in range(n)), (str(x) for x in range(n))

    a, b = two(2)
    assert list(a) == [0, 1] and list(b) == ["0", "1"]


def test_next_of_a_list():
    assert outcome(njit(not_an_iterator), 1)[0] is TypeError


@njit
def endless(n):
    yield n
    yield from endless(n + 1)


@njit
def endless_sum(n):
    yield n
    for x in endless_sum(n + 1):
        yield x + 1


@njit
def countdown(n):
    yield n
    if n:
        yield from countdown(n - 1)


@njit
def in_order(low, high):
    if low < high:
        middle = (low + high) // 2
        yield from in_order(low, middle)
        yield str(middle)
        yield from in_order(middle + 1, high)


def that_raise(decorate):
    @decorate
    def failing(n, log):
        try:
            yield n
            if n == 0:
                raise ValueError("bottom", n)
            yield from failing(n - 1, log)
            yield -n
        except KeyError:
            yield 1000 + n
        finally:
            log.append(n)

    @decorate
    def catching(n):
        try:
            yield n
            if n == 0:
                raise ValueError("bottom")
            yield from catching(n - 1)
        except ValueError:
            yield 1000 + n
        yield 10 * n

    return failing, catching


@pytest.mark.parametrize("function", [endless, endless_sum])
def test_recursion_without_end(function):
    """An item goes through all generators that wait for it: the depth has a limit before that takes minutes."""

    @njit
    def last():
        seen = -1
        try:
            for x in function(0):
                seen = x
        except RecursionError:
            return seen
        return -2

    assert last() == (50000 if function is endless else 2 * 4001)
    with pytest.raises(RecursionError):
        list(function(0))
    leaks_nothing(last)


def test_deep_recursion():
    assert list(countdown(30000)) == list(range(30000, -1, -1))
    assert njit(lambda n: sum(countdown(n)))(40000) == 40000 * 40001 // 2
    assert list(in_order(0, 500)) == [str(i) for i in range(500)]

    @njit
    def dropped(n):
        generator = countdown(n)
        return next(generator) + next(generator) + next(generator)

    leaks_nothing(dropped, 2000)
    leaks_nothing(njit(lambda n: sum([int(x) for x in in_order(0, n)])), 100)


def test_errors_in_recursion():
    def traced(failing, log, n):
        with pytest.raises(ValueError) as caught:
            list(failing(n, log))
        return caught.value.args, [frame.name for frame in traceback.extract_tb(caught.tb)][1:], list(log)

    (failing, catching), (plain, plainly_catching) = that_raise(njit), that_raise(lambda function: function)
    assert list(catching(6)) == list(plainly_catching(6))
    for n in (0, 1, 5):
        ours, theirs = traced(failing, List.empty_list(types.int64), n), traced(plain, [], n)
        assert ours[0] == theirs[0] and ours[1][-n - 1 :] == theirs[1][-n - 1 :] and ours[2] == theirs[2]


def test_a_recursive_one_that_is_left():
    failing = that_raise(njit)[0]
    log = List.empty_list(types.int64)
    generator = failing(5, log)
    assert [next(generator) for _ in range(4)] == [5, 4, 3, 2]
    generator.close()
    assert list(log) == [2, 3, 4, 5]
    log, generator = List.empty_list(types.int64), failing(5, log)
    assert [next(generator) for _ in range(3)] == [5, 4, 3]
    del generator


def test_two_that_run_a_recursive_one():
    """It is handed on, and asked for items by others too."""

    def pairs(n):
        first, second = countdown(n), countdown(n)
        total = 0
        for x in first:
            total = total * 3 + x
            if x % 2:
                total += next(second)
        return total, next(second), sum(second)

    same(pairs, 7)
