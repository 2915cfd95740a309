"""Flags in compiled code against CPython: truth, names, bits, iteration."""

import enum

import pytest
from compare import agrees


class Mode(enum.Flag):
    R = 4
    W = 2
    X = 1
    RW = 6
    NONE = 0


class Plain(enum.Flag):
    A = 1
    B = 2


class Access(enum.IntFlag):
    A = 1
    B = 2
    AB = 3


def truths(a, b):
    return bool(a), bool(a & b), not a, not (a & b), 1 if a & b else 2


def names(a, b):
    return a.name, (a | b).name, (a & b).name, (a ^ a).name, (a & b).name is None, (~a).name


def texts(a, b):
    return str(a), str(a | b), repr(a | b), repr(a & b), f"{a | b}", repr(~a), str(a & b)


def iterated(a, b):
    total = 0
    for member in a | b:
        total = 10 * total + member.value
    return total, [m for m in a | b], list(a), len(a), len(a | b), len(a & b), [(k, m) for k, m in enumerate(a | b)]


def left_early(a, wanted):
    for member in a:
        if member == wanted:
            return member
        if member.name == "none":
            break
    return a


def collected(a):
    ordered = sorted(a, key=lambda m: m.value)
    return {m: m.name for m in a}, len(set(a)), ordered, list(zip(a, a)), max(a, key=lambda m: m.value)


def of_integers(a):
    return [m for m in a | 8], list(a), sorted(a), sum(a), max(a)


def unknown_bits(a):
    b, c = a | 8, Access(8)
    return (
        b,
        b.name,
        b.value,
        c,
        c.name,
        c.name is None,
        repr(b),
        repr(c),
        str(b),
        len(b),
        len(c),
        list(c),
        bool(c),
        b & ~8,
    )


CASES = [
    *(
        (f, (a, b))
        for f in (truths, names, texts, iterated)
        for a, b in ((Mode.R, Mode.X), (Mode.RW, Mode.W), (Mode(0), Mode.R))
    ),
    *((f, (Plain.A, Plain.B)) for f in (truths, names, texts, iterated)),
    *((f, (Access.A, Access.AB)) for f in (truths, names, iterated)),
    (left_early, (Mode.RW, Mode.W)),
    (left_early, (Mode.RW, Mode.X)),
    (collected, (Mode.RW,)),
    (collected, (Mode.X,)),
    (of_integers, (Access.AB,)),
    (unknown_bits, (Access.A,)),
]


@pytest.mark.parametrize("function, arguments", CASES, ids=lambda value: getattr(value, "__name__", ""))
def test_as_cpython(function, arguments):
    agrees(function, *arguments)
