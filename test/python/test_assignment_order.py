"""Expressions that bind with ``:=`` what the same statement reads, in the order of evaluation."""
# ruff: noqa: E501

import pytest
from compare import agrees, define

pytestmark = pytest.mark.filterwarnings("ignore::pyarray.errors.UnreachableCodeWarning")

STATEMENTS = [
    "p -= (p := x)",
    "p += (p := x) + p",
    "p *= p + (p := x)",
    "p -= (q := p) + (p := x) - q",
    "a[p % 3] += (p := x)",
    "a[(p := p % 3)] -= p",
    "a[(p := 1)] -= (p := x) + p",
    "a[0] -= (p := x) if p > x else p",
    "p = p - (p := x)",
    "p = (p := x) - p",
    "a[p % 3] = (p := x)",
    "p, a[p % 3] = p + 1, (p := x)",
    "assert p != (p := x), p",
    "assert p == (p := x), p",
    "assert p < 0, (p := x) + p",
    "p = p and (p := x) and p",
    "p = (p := x) if p > x else p - (p := 1)",
    "p = max(p, (p := x), p - 1)",
    "p = 1 if p < (p := x) < p + 3 else p",
    "p = sum([p, (p := x), p])",
    "p -= sum([(p := y) for y in range(x)])",
    "p = len(f'{p}{(p := x)}{p}')",
    "p = a[p % 2:(p := 2)][0] + p",
    "for p in range(p, (p := x) + p): a[0] += p",
    "while p > (p := x): a[0] += p",
    "if p > (p := x): a[1] += p",
    "raise ValueError(p, (p := x), p)",
    "raise ValueError(p) from KeyError((p := x))",
    "p -= (lambda y: y - p)((p := x))",
]

BEFORE = {
    "branch": "    if x > 1:\n        p = 7\n",
    "loop": "    for i in range(x):\n        p = i\n",
    "while": "    while p > 90:\n        p -= 3\n",
    "try": "    try:\n        p = x // (x - 2)\n    except ZeroDivisionError:\n        p = -1\n",
    "nothing": "",
}

# Where the statement stands.
PLACES = {
    "straight": "    {statement}\n",
    "in a loop": "    for k in range(2):\n        {statement}\n",
    "in a branch": "    if x > 0:\n        {statement}\n",
    "in a try": "    try:\n        {statement}\n    except (AssertionError, ValueError) as error:\n        a[2] = p\n    finally:\n        a[1] += p\n",
}


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("statement", STATEMENTS)
def test_order(statement, place):
    for before in BEFORE.values():
        source = (
            "def f(x, a):\n    p = 100\n" + before + PLACES[place].format(statement=statement) + "    return p, a\n"
        )
        function = define(source)
        for x in (1, 2, 5):
            agrees(function, x, [10, 20, 30])
