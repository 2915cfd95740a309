"""bytearray in compiled code, and making bytes, against CPython."""

import numpy as np
import pytest
from compare import check_alike, define, expression
from hypothesis import given, settings
from hypothesis import strategies as st
from pyarray import errors, njit, prange, typeof
from pyarray._pyarray import allocation_counts


def same(function, *arguments):
    """As check_alike, also of what the arguments are afterwards."""
    ours = [bytearray(x) if isinstance(x, bytearray) else x for x in arguments]
    theirs = [bytearray(x) if isinstance(x, bytearray) else x for x in arguments]
    results = []
    for run, values in (function, ours), (function.py_func, theirs):
        try:
            results.append(repr(run(*values)))
        except Exception as error:  # compared with CPython's
            results.append(repr((type(error), error.args)))
    assert results[0] == results[1], arguments
    assert ours == theirs


# One step of a random program: code of the operation, an index, a value.
@njit
def run(b, codes, indices, values):
    total = 0
    for k in range(len(codes)):
        c, i, v = codes[k], indices[k], values[k]
        if c == 0:
            b.append(v)
        elif c == 1:
            b.insert(i, v)
        elif c == 2:
            total += b.pop()
        elif c == 3:
            total += b.pop(i)
        elif c == 4:
            b[i] = v
        elif c == 5:
            total += b[i] - 300
        elif c == 6:
            del b[i]
        elif c == 7:
            b.remove(v)
        elif c == 8:
            b.reverse()
        elif c == 9:
            b.extend([v, 7])
        elif c == 10:
            b += b"xyz"
        elif c == 11:
            b *= i
        elif c == 12:
            b[i : i + 2] = b[1:3] + bytes([1, 2])
        elif c == 13:
            del b[::3]
        elif c == 14:
            b[::2] = b"ab"
        elif c == 15:
            b.clear()
        elif c == 16:
            del b[i::-2]
    return total, len(b), b.copy(), bytes(b), b[::-1], v in b


STEPS = st.lists(st.tuples(st.integers(0, 16), st.integers(-4, 6), st.integers(-1, 260)), min_size=1, max_size=20)


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=8), STEPS)
def test_random_programs(start, steps):
    same(run, bytearray(start), *[list(column) for column in zip(*steps)])


def test_making():
    for text in [
        "bytes()",
        "bytearray()",
        "bytes(x)",
        "bytearray(x)",
    ]:
        for value in (
            0,
            3,
            -1,
            b"",
            b"abc",
            bytearray(b"ab"),
            [1, 2, 255],
            [256],
            [-1],
            (1, 2),
            {5},
            np.arange(3, dtype=np.uint8),
        ):
            check_alike(expression(text), value)
    check_alike(expression("bytes(x, 'utf-8'), bytearray(x, 'latin-1', 'replace'), bytearray.fromhex('0a ff')"), "né€")
    check_alike(expression("bytes(x)"), "text")
    check_alike(expression("bytes(range(x)), bytearray([i for i in range(x)])"), 5)


def test_operators():
    @njit
    def operate(a, b):
        order = [a == b, a != b, a < b, a <= b, a > b, a >= b]
        return order, a + b, b + a, a * 2, 3 * a, b in a, bool(a), not b, repr(a), str(b), len(a), 97 in a, f"{a}"

    for left in bytearray(b""), bytearray(b"abc"), bytearray(b"b\xff"):
        for right in bytearray(b"ab"), b"abc", b"":
            same(operate, left, right)
    same(expression("300 in x"), bytearray(b"a"))


def test_methods_of_bytes():
    for text in [
        "x.upper() + x.title()",
        "x.find(b'a'), x.find(x), x.rindex(b'b'), x.count(b'')",
        "x.startswith(b'a'), x.endswith((b'b', b'c')), x.isalpha()",
        "x.strip(), x.lstrip(b'a'), x.replace(b'a', x), x.center(9), x.zfill(8)",
        "x.split(), x.split(b'b'), x.rsplit(b'b', 1), x.splitlines(True)",
        "x.partition(b'b'), x.rpartition(bytearray(b'b'))",
        "x.hex(), x.hex('-'), x.decode(), x.removeprefix(b'a')",
        "x.translate(bytes.maketrans(b'ab', b'xy'), b'c')",
        "x.join([b'1', b'2']), x.join([bytearray(b'1')]), b'-'.join([bytes(x), b'z'])",
        "x.index(b'nothing')",
        "x.decode('ascii')",
    ]:
        for value in bytearray(b"abc b"), bytearray(b""), bytearray(b"\xffb\nc"):
            same(expression(text), value)


def test_iteration_and_arguments():
    @njit
    def walk(b):
        total = 0
        for i, code in enumerate(b):
            total += i * (code - 300)
            if code == 98:
                b.append(1)
        first, *rest = b
        return total, [c for c in b], list(b), sum(b), max(b), first, rest, sorted(b)

    same(walk, bytearray(b"abc"))
    b = bytearray(b"abc")
    assert expression("x")(b) is b
    assert str(typeof(b)) == "bytearray"
    assert isinstance(expression("x[:1]")(b), bytearray)
    check_alike(expression("[x, x], {1: x}, isinstance(x, bytearray), isinstance(x, bytes)"), b)
    held = memoryview(b)
    with pytest.raises(BufferError):
        define("def f(b):\n    b.append(1)\n")(b)
    held.release()
    for text, message in [
        ("x['a']", "indices must be integers or slices"),
        ("hash(x)", "unhashable"),
        ("x.nothing()", "unknown method"),
        ("{x}", "unhashable"),
    ]:
        with pytest.raises(errors.TypingError, match=message):
            expression(text)(b)


def test_loops_over_prange_that_change_one_run_in_order():
    @njit(parallel=True)
    def fill(n):
        b = bytearray()
        for i in prange(n):
            b.append(i % 256)
        for i in prange(n):
            b[i] = b[i] ^ 1
        return b

    assert fill(2000) == bytearray(i % 256 ^ 1 for i in range(2000))


def test_nothing_leaks():
    f = define(
        "def f(b, n):\n"
        "    parts = [bytearray(b)]\n"
        "    for i in range(n):\n"
        "        parts.append(parts[-1] + b'x')\n"
        "        b[i:i] = parts[-1][:2]\n"
        "        b += bytes([i])\n"
        "    return len(parts[-1]), b.split(b'x')[0].upper()\n"
    )
    assert f(bytearray(b"abc"), 5) == f.py_func(bytearray(b"abc"), 5)
    before = allocation_counts()
    for _ in range(5):
        f(bytearray(b"abc"), 20)
        with pytest.raises(ValueError, match="range"):
            f(bytearray(b"abc"), 300)
    after = allocation_counts()
    assert after[0] - before[0] == after[1] - before[1]


def test_looking_for_a_number():
    for method in ("find", "index", "rfind", "rindex", "count"):
        for arguments in (
            "98",
            "n",
            "97, 1",
            "98, 0, 2",
            "True",
            "np.uint8(98)",
            "memoryview(b'ab')",
            "bytearray(b'b')",
        ):
            f = define(f"def f(x, n):\n    return x.{method}({arguments})\n")
            for x in (b"abcab", bytearray(b"abcab"), b""):
                for n in (97, 255, 300, -1) if "n" in arguments else (0,):
                    same(f, x, n)
    f = define("def f(x, n):\n    return n in x, n not in x\n")
    for x in (b"abc", bytearray(b"abc")):
        for n in (98, 0, 255, 256, -1):
            same(f, x, n)


def test_extended_slices_without_bytes():
    f = define("def f(b, i, j, k, v):\n    b[i:j:k] = v\n    return b\n")
    for start, stop, step in (
        (None, None, 2),
        (1, None, 2),
        (None, None, -2),
        (5, 0, -3),
        (4, 1, 2),
        (None, None, 1),
        (0, 0, 3),
    ):
        for v in (b"", b"x", b"xyz", bytearray()):
            same(f, bytearray(b"abcdef"), start, stop, step, v)
    same(define("def f(b):\n    b[::2] = []\n    return b\n"), bytearray(b"abcde"))


def test_making_of_nothing_and_of_arrays():
    for text in ("bytes([])", "bytearray([])", "bytes(())", "bytes({})", "bytearray(range(0))", "bytes([np.uint8(3)])"):
        same(define(f"def f():\n    return {text}\n"))
    f = define("def f(a):\n    return bytes(a), bytearray(a), a.tobytes()\n")
    records = np.zeros(3, "i4,f8")
    for a in (
        np.arange(3),
        np.arange(6.0).reshape(2, 3)[:, ::2],
        np.array([1, 2], np.uint8),
        np.arange(4).reshape(2, 2).T,
    ):
        same(f, a)
    for a in (records, records[::2], np.array([b"ab", b"c"]), np.zeros(17, np.uint8)[1:].view("f8")):
        same(expression("bytes(a)", "a"), a)
    g = define(
        "def f(b, m):\n    b += m\n    b.extend(m)\n    b[1:2] = m\n    return b, b''.join([b, b]), b','.join((b, m))\n"
    )
    same(g, bytearray(b"xyz"), memoryview(b"qq"))
    same(define("def f(x, m):\n    return x.replace(m, b'!'), x.startswith(m), x.split(m)\n"), b"a,b", memoryview(b","))
