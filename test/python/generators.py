"""Generator functions that several tests share, and how they are compared with CPython's."""
# ruff: noqa: F841, UP028

import copy
import gc

import numpy as np
from compare import compiled_once
from pyarray import njit
from pyarray._pyarray import allocation_counts


def outcome(function, *arguments):
    try:
        return function(*arguments)
    except Exception as error:  # compared with CPython's
        return type(error), str(error)


def same(function, *arguments):
    ours, theirs = copy.deepcopy(arguments), copy.deepcopy(arguments)
    expected = outcome(function, *theirs)
    assert repr(outcome(compiled_once(function), *ours)) == repr(expected)
    for a, b in zip(ours, theirs):
        if isinstance(a, np.ndarray):
            assert a.tolist() == b.tolist()


def in_use():
    allocated, freed = allocation_counts()
    return allocated - freed


def leaks_nothing(function, *arguments):
    """Calls a compiled function twice; the second time leaves as many blocks as the first."""
    outcome(function, *arguments)
    gc.collect()
    before = in_use()
    for _ in range(3):
        outcome(function, *arguments)
    gc.collect()
    assert in_use() == before


def squares(n):
    for i in range(n):
        yield i * i


def fibonacci(limit):
    a, b = 0, 1
    while a < limit:
        yield a
        a, b = b, a + b


def nested(n, m):
    for i in range(n):
        if i % 2:
            continue
        for j in range(m):
            if j > i:
                break
            yield i, j
        else:
            yield i, -1


def ended(n):
    for i in range(n):
        if i == 3:
            return
        yield i


def from_others(n):
    yield from range(n)
    yield from [10, 20]
    yield from squares(n)
    x = yield
    yield -1


def tree(n):
    if n > 0:
        yield from tree(n - 1)
        yield n
        yield from tree(n - 1)


def texts(words):
    for word in words:
        yield word + "!"
        yield word.upper()


def rows(a):
    for i in range(a.shape[0]):
        yield a[i]


def lists(n):
    for i in range(n):
        yield [i] * i


def perhaps(n):
    for i in range(n):
        yield None if i % 2 else i


def floats_and_ints(n):
    yield 1
    yield 2.5
    for i in range(n):
        yield i


def without_items(n):
    if n < 0:
        yield
    raise ValueError("nothing")


def guarded(n, log):
    try:
        for i in range(n):
            try:
                yield i
            finally:
                log[0] += 1
        log[1] += 100
    except ZeroDivisionError:
        log[2] += 1
    finally:
        log[3] += 1


def handles(n, log):
    for i in range(n):
        try:
            yield 10 // (i - 1)
        except ZeroDivisionError:
            yield -100
        else:
            log[0] += 1


def in_handler(n):
    try:
        raise ValueError("first")
    except ValueError:
        for i in range(n):
            yield i
        raise


compiled = {
    f.__name__: njit(f)
    for f in (squares, tree, guarded, handles, in_handler, texts, rows, lists, fibonacci, ended)
}
