# ruff: noqa: E501  (a table)
"""Messages about what is not compiled use the user's words: no text of the compiler's own is in them."""

import collections
import enum
import re

import numpy as np
import pytest
from compare import define

Point = collections.namedtuple("Point", "x y")


class Color(enum.Enum):
    RED = 1


class Size(enum.IntEnum):
    SMALL = 1


VALUES = {
    "int": 1, "float": 2.5, "complex": 1j, "bool": True, "None": None, "str": "ab", "bytes": b"ab", "bytearray": bytearray(b"ab"),
    "memoryview": memoryview(b"ab"), "list": [1], "list of str": ["a"], "dict": {1: 2}, "set": {1}, "frozenset": frozenset([1]),
    "deque": collections.deque([1]), "tuple": (1, 2), "tuple of two types": (1, "a"), "empty tuple": (), "named tuple": Point(1, 2.5),
    "member": Color.RED, "int member": Size.SMALL, "range": range(3), "slice": slice(1, 2), "array": np.ones(3),
    "matrix": np.ones((2, 2)), "record": np.zeros(2, "i4,f8")[0], "records": np.zeros(2, "i4,f8"), "array of text": np.array([b"a"]),
    "time": np.datetime64("2024-01-01"), "unaligned array": np.zeros(17, np.uint8)[1:].view("f8"), "empty list": 0, "empty dict": 0,
}  # fmt: skip

BODIES = """
return a[0] | return a['x'] | return a[1:2] | a[0] = 'a' | a[0:1] = a | del a[0] | return -a | return a + 'x' | return a % 2 | return a @ a
x, y = a; return x | return a.foo | return a.foo() | a.x = 1 | return a() | return len(a) | return str(a) | return int(a) | return float(a)
return list(a) | return dict(a) | return bytes(a) | return bytearray(a) | return memoryview(a) | return sum(a) | return max(a) | return sorted(a)
return hash(a) | return ord(a) | return round(a) | return zip(a, a) | return next(a) | return isinstance(a, a) | return range(a)
return f'{a:>3}' | return '%d' % a | return [a, 'x'] | return {a: 1} | return {a, 'x'} | return np.sqrt(a) | return np.zeros(a)
return a.join(a) | return a.translate(a) | return a.get(a) | return a.pop(a) | return a.find(a) | a += 1; return a | return a[0, 1] | return a < 1
x = []; x.append(a); x.append('b'); x.append(1.5); return x | return 1 in a | return a in [1] | raise a | return a.setdefault(1, 'x')
"""

OWN = re.compile(
    r"!pyarray|undefined|_intrinsics|pyarray[./]library|\bhost\.|\$\d|\b[su]i(8|16|32|64)\b|memref|tuple<|\b[if]64\b|llvm|\bscf\.|"
    r"arith\.|builtin |cannot be lowered|no lowering|internal|malformed|of type unknown"
)


@pytest.mark.parametrize("kind", VALUES)
def test_messages_have_no_text_of_the_compiler(kind):
    start = {"empty list": "    a = []\n", "empty dict": "    a = {}\n"}.get(kind, "")
    refused = 0
    for body in (part.strip() for line in BODIES.strip().splitlines() for part in line.split(" | ")):
        statements = "".join(f"    {statement}\n" for statement in body.split("; "))
        value = VALUES[kind].copy() if isinstance(VALUES[kind], (list, dict, set, bytearray)) else VALUES[kind]
        try:
            define(f"def f(a):\n{start}{statements}")(value)
        except Exception as error:
            refused += 1
            message = str(error).replace(statements, "")
            assert not OWN.search(message), (body, message)
            assert type(error).__name__ != "InternalError" and not isinstance(error, SystemError), body
    assert refused > 10
