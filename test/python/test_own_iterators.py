"""Classes that say what is iterated over: __iter__ and __next__ of a jitclass, in compiled code and from Python."""

import pytest
from compare import arrays_alive
from pyarray import jitclass, njit, types
from pyarray.errors import TypingError

pytestmark = pytest.mark.real


class Squares:
    def __init__(self, count):
        self.count = count

    def __iter__(self):
        for i in range(self.count):
            yield i * i


class Countdown:
    def __init__(self, count):
        self.count = count

    def __iter__(self):
        return self

    def __next__(self):
        if self.count == 0:
            raise StopIteration
        self.count -= 1
        return self.count * 0.5


class Failing:
    def __init__(self, count):
        self.count = count

    def __iter__(self):
        return self

    def __next__(self):
        return 6 // self.count


class Without:
    def __init__(self, count):
        self.count = count


SPEC = [("count", types.int64)]
COMPILED = {cls: jitclass(SPEC)(cls) for cls in (Squares, Countdown, Failing, Without)}


def loops(Squares, Countdown, n):
    total = 0
    for x in Squares(n):
        total += x
    for x in Squares(10):
        if x > n:
            break
        total = 10 * total + x
    half = 0.0
    for y in Countdown(n):
        half = 2 * half + y
    return total, half


def consumers(Squares, Countdown, n):
    ordered = sorted(Squares(n), reverse=True)
    pairs = list(zip(Squares(n), Countdown(n)))
    numbered = [(k, v) for k, v in enumerate(Countdown(n))]
    more = [0]
    more.extend(Squares(n))
    return list(Squares(n)), sum(Countdown(n)), max(Squares(n)), ordered, pairs, numbered, set(Squares(n)), more


def by_hand(Squares, Countdown, n):
    countdown = Countdown(n)
    same = iter(countdown)
    first = next(same)
    return first, next(countdown), 4 in Squares(n), 5 not in Squares(n), list(same)


@pytest.mark.parametrize("function", [loops, consumers, by_hand], ids=lambda f: f.__name__)
def test_as_python(function):
    squares, countdown = COMPILED[Squares], COMPILED[Countdown]
    before = arrays_alive()
    inner = njit(function)
    run = njit(lambda n: inner(squares, countdown, n))
    for n in (2, 4):
        assert run(n) == function(Squares, Countdown, n)
    assert arrays_alive() == before


def test_from_python():
    assert list(COMPILED[Squares](4)) == [0, 1, 4, 9]
    countdown = COMPILED[Countdown](3)
    assert next(countdown) == 1.0 and list(countdown) == [0.5, 0.0]
    with pytest.raises(StopIteration):
        next(countdown)


def test_errors():
    failing, without = COMPILED[Failing], COMPILED[Without]

    @njit
    def divides(n):
        total = 0
        for x in failing(n):
            total += x
            if total > 10:
                break
        return total

    assert divides(1) == 12
    with pytest.raises(ZeroDivisionError):
        divides(0)

    @njit
    def goes_over():
        return [x for x in without(2)]

    with pytest.raises(TypingError, match="cannot be iterated over"):
        goes_over()
