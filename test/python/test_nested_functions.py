"""Functions as values against CPython: nested ones, lambdas, what they capture, and how parameters are bound."""
# ruff: noqa: B023, F821, F841

import copy

import numpy as np
import pyarray
import pytest
from compare import compiled_once
from pyarray import errors, jit, njit
from pyarray._pyarray import allocation_counts


def outcome(function, *arguments):
    try:
        return function(*arguments)
    except Exception as error:  # compared with CPython's
        return type(error), str(error)


def plain_apply(f, x):
    return f(x)


def same(function, *arguments):
    ours, theirs = copy.deepcopy(arguments), copy.deepcopy(arguments)
    assert repr(outcome(function, *theirs)) == repr(outcome(compiled_once(function), *ours))


# ------------------------------------------------------------------------------------------------
# Nested functions


def captures(a):
    def g(x):
        return x + a

    return g(1) + g(2.5)


def lambdas(a):
    f = lambda x, y=2: x * y + a  # noqa: E731
    return f(3), f(3, y=5)


def counts(n):
    count = 0

    def inc():
        nonlocal count
        count += 1

    for _ in range(n):
        inc()
    return count


def recursive(n):
    def fact(k):
        return 1 if k <= 1 else k * fact(k - 1)

    return fact(n)


def makes_functions(n):
    def make(k):
        def add(x):
            return x + k + n

        return add

    a, b = make(1), make(2)
    return a(10), b(10)


def in_tuples(n):
    s = 0
    for f in (lambda x: x + 1, lambda x: x * n):
        s += f(3)
    return s


def sees_later_values(n):
    x = n

    def g():
        return x

    x = 5
    return g()


def sees_what_is_bound_later(n):
    def g():
        return y

    y = n * 2
    return g()


def maybe_unbound(n):
    def g():
        return y

    if n > 3:
        y = 1
    return g()


def two_levels(n):
    def outer():
        def inner():
            return n * 2

        return inner()

    return outer()


def nonlocal_through_two_levels(n):
    total = 0

    def outer(k):
        def inner(j):
            nonlocal total
            total += j

        inner(k)
        inner(2 * k)

    outer(n)
    outer(1)
    return total


def changes_a_list(n):
    acc = []

    def push(x):
        acc.append(x)

    for i in range(n):
        push(i)
    return acc


def passes_itself_on(n):
    total = 0.0

    def add(x):
        nonlocal total
        total += x

    def twice(f, x):
        f(x)
        f(x)

    twice(add, n)
    return total


def in_comprehension(a):
    def g(i):
        return a[i] * 2

    return [g(i) for i in range(len(a))], [(lambda y: y * x)(2) for x in a]


def deleted(n):
    x = n

    def g():
        return x

    del x
    return g()


def conditional(n):
    if n > 2:

        def g(x):
            return x + n
    else:

        def g(x):
            return x + n

    return n


def rest_parameters(n):
    def f(*xs, k=1):
        return len(xs) + k

    return f(1, 2, k=n), f(), f(*(1, 2, 3))


def parameter_is_reassigned(n):
    def g():
        return n

    n = n + 1
    return g()


@pytest.mark.parametrize(
    "function, arguments",
    [
        (captures, (1,)),
        (lambdas, (1,)),
        (counts, (4,)),
        (recursive, (5,)),
        (makes_functions, (1,)),
        (in_tuples, (4,)),
        (sees_later_values, (1,)),
        (sees_what_is_bound_later, (4,)),
        (maybe_unbound, (4,)),
        (maybe_unbound, (1,)),
        (two_levels, (4,)),
        (nonlocal_through_two_levels, (4,)),
        (changes_a_list, (3,)),
        (passes_itself_on, (3,)),
        (in_comprehension, ([1.5, 2.5],)),
        (deleted, (3,)),
        (rest_parameters, (3,)),
        (parameter_is_reassigned, (3,)),
    ],
)
def test_nested_functions(function, arguments):
    same(function, *arguments)


@njit
def apply(f, x):
    return f(x)


@njit
def make_adder(a):
    def add(x):
        return x + a

    return add


def test_functions_as_arguments_and_results():
    @njit
    def f(n):
        k = 10
        h = make_adder(n)
        results = apply(lambda x: x + k, n), apply(lambda x: x * 2.5, n), apply(make_adder(2.5), 1)
        return *results, h(1), apply(apply_twice, 1)

    assert f(1) == (11, 2.5, 3.5, 2, 4)


@njit
def apply_twice(x):
    return 4 * x


@njit
def square(x):
    return x * x


@njit
def cube(x):
    return x**3


@njit
def integrate(f, a, b, n):
    h = (b - a) / n
    s = 0.0
    for i in range(n):
        s += f(a + (i + 0.5) * h)
    return s * h


@njit
def chain(functions, x):
    for f in functions:
        x = f(x)
    return x


@njit
def descend(f, n):
    return f(n) if n <= 0 else descend(f, n - 1) + f(n)


def test_functions_from_python():
    for _ in range(2):
        for f in (square, cube):
            assert integrate(f, 0.0, 1.0, 64) == integrate.py_func(f, 0.0, 1.0, 64)
    assert apply(square, 3) == 9 and apply(cube, 2) == 8 and apply(square, 1.5) == 2.25
    assert chain((square, cube), 2) == 64 and chain((cube, square, square), 2) == 4096
    assert descend(square, 3) == 14


def test_a_function_is_not_taken_for_one_that_is_gone():
    results = []
    for k in range(4):
        source = njit(lambda x, k=k: x + k)
        results.append(apply(source, 1))
        del source
    assert results == [1, 2, 3, 4]


def test_errors_in_a_function_from_python():
    @njit
    def fails(x):
        if x > 1:
            raise ValueError("too large")
        return x

    assert outcome(apply, fails, 2) == (ValueError, "too large")
    assert apply(fails, 1) == 1
    with pytest.raises(errors.TypingError, match=r"square\(\) takes 1 argument but 2 were given"):
        njit(lambda f: f(1, 2))(square)
    with pytest.raises(errors.TypingError, match="a value of type function cannot be returned to Python"):
        njit(lambda f: f)(square)


def test_a_closure_cannot_be_returned_to_python():
    with pytest.raises(errors.TypingError, match="cannot be returned to Python"):
        make_adder(1)


def defaults_of_variables(n):
    def g(x, step=n, *, scale=n * 2.5, name="a"):
        return x * scale + step, name

    n += 100
    return g(1), g(1, 7), g(1, scale=2), g(1, step=3, name="b")


def defaults_in_a_loop(n):
    functions = [lambda x, k=k: x * 10 + k for k in range(3)]
    total = 0
    for k in range(n):

        def g(x, k=k, a=(k, 2.5)):
            return x + k + a[0] * a[1]

        total = total * 2 + g(1) + g(1, 100)
    return [f(n) for f in functions], functions[1](5, 2), total


def defaults_that_are_containers(n):
    def g(x, seen=[n]):  # noqa: B006
        seen.append(x)
        return len(seen)

    def h(a=np.arange(n)):  # noqa: B008
        return a.sum()

    return g(1), g(1), g(1, [0]), h(), h(np.ones(2, np.int64))


def defaults_of_recursive_functions(n):
    def count(k, step=n):
        return 0 if k <= 0 else 1 + count(k - step)

    def outer(x, inner=lambda y, by=n: y * by):
        return inner(x) + inner(x, 1)

    return count(10), count(10, 3), outer(4)


def defaults_that_bind(n):
    g = lambda x, y=(z := n + 1): x + y  # noqa: E731
    return g(1), z


@pytest.mark.parametrize(
    "function",
    [
        defaults_of_variables, defaults_in_a_loop, defaults_that_are_containers, defaults_of_recursive_functions,
        defaults_that_bind,
    ],
)  # fmt: skip
def test_defaults_that_are_no_constants(function):
    assert njit(function)(2) == function(2)


def test_decorators_that_compile():
    def f(n):
        @njit
        def g(x):
            return x + n

        @pyarray.njit
        def h(x):
            return g(x) * 2

        @jit()
        def k(x, y=n):
            return h(x) - y

        return g(1), h(2), k(3)

    assert njit(f)(4) == (5, 12, 10)

    def other(n):
        @njit(fastmath=True)
        def g(x):
            return x

        return g(n)

    with pytest.raises(errors.UnsupportedError, match="a decorated nested function"):
        njit(other)(4)

    def shadowed(n):
        njit = n

        @njit
        def g(x):
            return x

        return g(n)

    with pytest.raises(errors.UnsupportedError, match="a decorated nested function"):
        njit(shadowed)(4)


def test_nested_functions_that_call_each_other_are_refused():
    def f(n):
        def even(k):
            return True if k == 0 else odd(k - 1)

        def odd(k):
            return False if k == 0 else even(k - 1)

        return even(n)

    with pytest.raises(errors.UnsupportedError, match="nested functions that call each other"):
        njit(f)(4)


def test_messages_do_not_count_what_is_captured():
    def f(n):
        def g(x):
            return x + n

        return g(1, 2)

    with pytest.raises(errors.TypingError, match=r"g\(\) takes 1 argument but 2 were given"):
        njit(f)(1)


# ------------------------------------------------------------------------------------------------
# Parameters


@njit
def mixed(a, b, *rest, k=2):
    return a + b * 10 + len(rest) * 100 + k * 1000


@njit
def everything(*xs):
    return xs


@njit
def kinds(a, /, b, *, c=3):
    return a, b, c


@njit
def calls(n):
    t = (1, 2, 3)
    spread = mixed(n, *(1, 2)), mixed(*t, k=5), mixed(*t, *t), everything(), everything(n, 2.5, *(1,)), max(*t, n)
    return spread, kinds(n, b=2, c=1), kinds(n, 2), mixed(**{"a": 1, "b": n})


def test_parameters():
    assert calls(4) == calls.py_func(4)
    assert everything(1, 2.5) == (1, 2.5) and everything() == ()
    assert kinds(1, 2) == (1, 2, 3)


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: njit(lambda n: kinds(n, 2, 3))(1), r"kinds\(\) takes 2 arguments but 3 were given"),
        (lambda: njit(lambda n: kinds(a=n, b=2))(1), r"kinds\(\) got an unexpected keyword argument 'a'"),
        (lambda: njit(lambda n: mixed(*[n, 1]))(1), r"the argument after \* must be a tuple"),
    ],
)
def test_wrong_calls(call, message):
    with pytest.raises(errors.TypingError, match=message):
        call()


def same_names(n):
    def g(x):
        return x + n

    def h(n):
        return g(n) * n

    return h(n + 1)


def cells_of_others(n):
    def count():
        nonlocal n
        n += 1
        return n

    def twice():
        return count() + count()

    def deeper():
        def inner():
            return twice() * count()

        return inner()

    return deeper(), n


def kept_in_a_loop(n):
    kept = []
    for i in range(n):
        g = lambda x: x + i  # noqa: E731
        kept.append(lambda x: g(x) * 2)
    return [f(3) for f in kept]


def bound_later(n):
    k = n

    def g(x):
        return x + k

    def h(x):
        return g(x) * 10

    k += 5
    return h(1)


def generators_and_exceptions(n):
    def steps(m):
        for k in range(m):
            if k == n:
                raise ValueError(k, n)
            yield k * n

    def total(m):
        return sum(steps(m)) + max(steps(m))

    def safe(m):
        try:
            return total(m)
        except ValueError as error:
            return -error.args[0]

    return safe(3), safe(9)


def recursive_and_used(n):
    def power(k):
        return n if k == 0 else power(k - 1) * 2

    def both(k):
        return power(k) + (lambda j: power(j))(k + 1)

    return both(3)


def deleted(n):
    def g(x):
        return x + n

    def h(x):
        return g(x)

    del g
    return h(1)


# Functions that use others, which are made again of what these captured.
FUNCTIONS_OF_FUNCTIONS = [
    same_names,
    cells_of_others,
    kept_in_a_loop,
    bound_later,
    generators_and_exceptions,
    recursive_and_used,
    deleted,
]


@pytest.mark.parametrize("function", FUNCTIONS_OF_FUNCTIONS)
def test_functions_of_functions(function):
    same(function, 4)


def test_nothing_leaks():
    @njit
    def f(n):
        kept = [[1.5]]
        log = [0]

        def note(x):
            nonlocal log
            log = log + [x]
            kept.append([x * 0.5])

        for i in range(n):
            note(i)
        if n > 3:
            raise ValueError("after all")
        return len(log) + len(kept), everything(kept, *(kept, [1]))

    def live():
        made, freed = allocation_counts()[:2]
        return made - freed

    for n in (3, 4):
        outcome(f, n)
    before = live()
    for n in (2, 3, 4):
        outcome(f, n)
    assert live() == before
