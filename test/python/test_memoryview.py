"""Memoryviews in compiled code, and other objects with a buffer as arguments, against CPython."""

import array
import ctypes
import gc
import mmap
import sys

import numpy as np
import pytest
from compare import define, expression
from hypothesis import given, settings
from hypothesis import strategies as st
from pyarray import TypingError, UnsupportedError, njit, typeof
from pyarray._pyarray import allocation_counts

LETTERS = "bBhHiIlLqQfd"


def same(function, *arguments):
    """A compiled function does what the plain one does with the same memory, a bytearray copied."""
    results = []
    for run in (function, function.py_func):
        given = [bytearray(x) if isinstance(x, bytearray) else x for x in arguments]
        try:
            results.append(repr(run(*given)))
        except Exception as error:  # compared with CPython's
            results.append((type(error), error.args))
    assert results[0] == results[1], arguments


def buffers():
    """Objects of every format, readonly ones and strided ones."""
    yield from (memoryview(array.array(letter, [3, 0, 7, 100, 1])) for letter in LETTERS)
    yield from (memoryview(b"spam, eggs"), memoryview(bytearray(b"spam")), memoryview(b""))
    yield from (memoryview(b"spam, eggs")[::-2], memoryview(np.arange(12.0))[1::3])
    yield from (memoryview(np.array([True, False])), memoryview(np.arange(4, dtype=np.float16) / 4))
    yield memoryview(bytearray([7, 1] + 6 * [0] + 8 * [255])).cast("n")


@njit
def describe(m):
    return (m.format, m.itemsize, m.nbytes, m.ndim, m.shape, m.strides, m.readonly, m.contiguous, m.c_contiguous), len(
        m
    )


@njit
def contents(m):
    return m.tolist(), m.tobytes(), m.hex(), m.hex(":"), m.hex("-", 2), bytes(m), bytearray(m), list(m), bool(m), not m


@njit
def loops(m):
    total, seen = 0, []
    for x in m:
        total += x * x - 3
    for i, x in enumerate(m[1:]):
        total += i * x
    for x in reversed(m):
        seen.append(x)
    for x, y in zip(m, m[::-1]):
        total += x * y
    for x in m:
        if x == 7:
            break
        total -= x
    return total, seen, [x for x in m if x > 3], sum(m), sorted(m), 7 in m, 8 not in m


@pytest.mark.parametrize("m", list(buffers()), ids=lambda m: f"{m.format}{m.nbytes}{'r' * m.readonly}")
def test_reading(m):
    if m.format == "e" and sys.version_info < (3, 12):
        pytest.skip("memoryviews of float16 cannot be read in this Python")
    for function in (describe, contents):
        same(function, m)
    if m.format not in "LQ":  # arithmetic of uint64 and int64 is that of floats
        same(loops, m)
    for i in range(-11, 12):
        same(expression("m[i]", "m, i"), m, i)


@njit
def halves(m):
    return m.tolist(), m[1], sum(m)


def test_float16():
    assert halves(memoryview(np.arange(4, dtype=np.float16) / 4)) == ([0.0, 0.25, 0.5, 0.75], 0.25, 1.5)


def test_slices():
    f = expression("m[a:b:c].tobytes(), m[a:b:c].shape, m[a:b:c].strides", "m, a, b, c")
    for m in (memoryview(b"0123456789"), memoryview(array.array("h", range(5)))):
        for a in (None, -3, 0, 2, 20):
            for b in (None, -2, 0, 7):
                for c in (None, 1, 2, -1, -3):
                    same(f, m, a, b, c)
    same(f, memoryview(b"01"), 0, 1, 0)


# One step of a random program: code of the operation, two indices, a value.
@njit
def run(b, codes, firsts, seconds, values):
    m = memoryview(b)
    total = 0
    for k in range(len(codes)):
        c, i, j, v = codes[k], firsts[k], seconds[k], values[k]
        if c == 0:
            m[i] = v
        elif c == 1:
            total += m[i] - 1000
        elif c == 2:
            m[i:j] = m[j : 2 * j - i]
        elif c == 3:
            m[i : i + 2] = b"xy"
        elif c == 4:
            m[::2] = m[1::2]
        elif c == 5:
            m = m[i:]
        elif c == 6:
            total += len(m[i:j:2])
        elif c == 7:
            m[j:] = bytearray(len(m[j:]))
        elif c == 8:
            total += sum(m.cast("b"))
        else:
            b.append(v)
    return total, m.tobytes(), bytes(b)


STEPS = st.lists(
    st.tuples(st.integers(0, 9), st.integers(-6, 9), st.integers(-3, 9), st.integers(-1, 256)), min_size=1, max_size=12
)


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=10), STEPS)
def test_random_programs(content, steps):
    columns = [list(column) for column in zip(*steps)]
    results = []
    for function in (run, run.py_func):
        b = bytearray(content)
        try:
            results.append((function(b, *columns), b))
        except Exception as error:
            results.append((type(error), error.args, b))
    assert results[0] == results[1]


# What numbers fit --------------------------------------------------------------------------------


@njit
def put(m, i, v):
    m[i] = v
    return m[i]


@pytest.mark.parametrize("letter", LETTERS + "?")
def test_stores(letter):
    size = np.dtype(letter).itemsize
    for v in (0, 1, -1, 127, 128, 255, 256, -128, -129, 2**15, 2**31, -(2**31), 2**32, 2**63 - 1, True):
        same(put, memoryview(bytearray(3 * size)).cast(letter), 1, v)
    same(put, memoryview(bytearray(3 * size)).cast(letter), 3, 1)
    if letter in "fd?":
        same(put, memoryview(bytearray(3 * size)).cast(letter), -1, 2.5)
    else:
        with pytest.raises(TypingError, match=f"invalid type for format '{letter}'"):
            put(memoryview(bytearray(3 * size)).cast(letter), 0, 2.5)
    if letter in "LQ":
        assert put(memoryview(bytearray(size)).cast(letter), 0, np.uint64(2**64 - 1)) == 2**64 - 1


def test_readonly():
    assert expression("m.toreadonly().readonly, m.readonly", "m")(memoryview(bytearray(2))) == (True, False)
    for f in (put, define("def f(m, i, v):\n    m[i:] = b'x'\n")):
        with pytest.raises(TypingError, match="cannot modify read-only memory"):
            f(memoryview(b"ab"), 0, 1)
    with pytest.raises(TypingError, match="cannot delete memory"):
        define("def f(m):\n    del m[0]\n")(memoryview(bytearray(2)))


# What is made in compiled code ---------------------------------------------------------------------


def test_made_of():
    made = expression("memoryview(x).tolist(), memoryview(memoryview(x))[1:].tobytes(), memoryview(x).format", "x")
    for x in (
        b"spam",
        bytearray(b"spam"),
        np.arange(3),
        np.arange(6.0)[::2],
        np.arange(3, dtype=np.uint8),
        memoryview(b"xyz"),
    ):
        same(made, x)
    assert define("def f():\n    m = memoryview(b'literal')\n    return m[1:3].tobytes() + b'!'\n")() == b"it!"
    for wrong in ("text", 3, [1], 2.5, None):
        with pytest.raises(TypeError, match="a bytes-like object is required"):
            expression("memoryview(x)")(wrong)
    with pytest.raises(UnsupportedError, match="memoryview.. of array.complex128, 1d, C. is not compiled"):
        expression("memoryview(x)")(np.zeros(2, complex))


def test_comparisons():
    equal = expression("memoryview(a) == b, memoryview(a) != b", "a, b")
    reverse = expression("a == memoryview(b)", "a, b")
    values = [
        b"ab",
        b"abc",
        bytearray(b"ab"),
        np.array([97, 98], np.uint8),
        np.array([97, 98]),
        np.array([97.0, 98.0]),
        np.array([97, np.nan]),
    ]
    values += [
        memoryview(b"abab")[::2],
        memoryview(b"a_b")[::2],
        np.arange(6).reshape(2, 3),
        np.arange(6.0).reshape(2, 3),
    ]
    for a in values:
        for b in values:
            same(equal, a, b)
            if isinstance(a, (bytes, bytearray)):
                same(reverse, a, b)
    with pytest.raises(TypingError, match="<"):
        expression("m < m", "m")(memoryview(b"a"))


def test_with_bytes():
    for x in (b"ab", bytearray(b"ab")):
        same(expression("x + m", "x, m"), x, memoryview(b"cd"))
        same(define("def f(x, m):\n    x += m\n    return x\n"), x, memoryview(array.array("h", [1, 2])))
    same(expression("b''.join([bytes(m), m.tobytes()])", "m"), memoryview(b"abcd")[::2])


def test_several_dimensions():
    matrix = np.arange(6, dtype=np.int32).reshape(2, 3)
    whole = expression(
        "m.tolist(), m.tobytes(), m.shape, m.strides, m.ndim, m.nbytes, len(m), m == m, m.contiguous, m.f_contiguous",
        "m",
    )
    for m in (matrix, np.asfortranarray(matrix), np.arange(24).reshape(2, 3, 4), np.zeros((0, 3))):
        same(whole, memoryview(m))
    for i in (0, -1, 1):
        same(expression("m[i, 1] + m[1, i]", "m, i"), memoryview(matrix), i)
    with pytest.raises(IndexError):
        expression("m[i, 0]", "m, i")(memoryview(matrix), 2)
    assert define("def f(m):\n    m[1, 2] = 77\n")(memoryview(matrix)) is None and matrix[1, 2] == 77
    for text, message in (
        ("m[0]", "multi-dimensional sub-views"),
        ("m[:1]", "multi-dimensional slicing"),
        ("m[0, :]", "invalid slice key"),
        ("m[0, 0, 0]", "sub-views"),
    ):
        with pytest.raises(UnsupportedError, match=message):
            expression(text, "m")(memoryview(matrix))


def test_casts():
    content = bytes(range(1, 17))
    for letter in LETTERS:
        view = f"m.cast('{letter}')"
        f = expression(f"{view}.tobytes(), {view}.format, {view}.cast('B')[0], {view}.shape", "m")
        for m in (
            memoryview(content),
            memoryview(bytearray(content)),
            memoryview(content)[:8],
            memoryview(content)[:3],
            memoryview(content)[::2],
        ):
            same(f, m)
        same(expression(f"m.cast('{letter}')[1]", "m"), memoryview(content))
    same(expression("m.cast('i')", "m"), memoryview(content).cast("h"))
    same(expression("m.cast('B').tolist()", "m"), memoryview(np.arange(4).reshape(2, 2)))
    with pytest.raises(ValueError, match="not aligned"):
        expression("m[1:9].cast('q')[0]", "m")(memoryview(content))
    with pytest.raises(TypingError, match="the format must be a literal"):
        expression("m.cast(s)[0]", "m, s")(memoryview(content), "B")
    with pytest.raises(TypingError, match="the format must be a literal"):
        expression("m.cast('ii')[0]", "m")(memoryview(content))
    with pytest.raises(ValueError, match="destination format"):
        expression("m.cast('i2')[0]", "m")(memoryview(content))
    b = bytearray(8)
    define("def f(b):\n    memoryview(b).cast('i')[1] = -2\n")(b)
    assert b == bytes(4) + b"\xfe\xff\xff\xff"


# Exports -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "change",
    [
        "b.append(1)",
        "b.pop()",
        "b.clear()",
        "del b[0]",
        "del b[::2]",
        "b.insert(0, 1)",
        "b += b'x'",
        "b *= 2",
        "b[1:2] = b''",
        "b.extend([1])",
        "b.remove(97)",
    ],
)
def test_a_bytearray_that_is_shown_is_not_resized(change):
    f = define(
        f"def f(b):\n    m = memoryview(b)[1:]\n    try:\n        {change}\n"
        "    except BufferError as error:\n        return str(error), m[0]\n    return '', 0\n"
    )
    same(f, bytearray(b"abcd"))
    after = define(f"def f(b):\n    x = memoryview(b)[0]\n    {change}\n    return x, b\n")
    same(after, bytearray(b"abcd"))


def test_changes_that_keep_the_length():
    f = define(
        "def f(b):\n    m = memoryview(b)\n    b[1:3] = b'xy'\n    b.reverse()\n    b[0] = 1\n    del b[2:2]\n"
        "    b += b''\n    b *= 1\n    return m.tobytes(), b\n"
    )
    same(f, bytearray(b"abcd"))


def test_views_outlive_what_they_show():
    f = define("def f(n):\n    return memoryview(bytearray(n) + b'tail')[n:], memoryview(b'abc' * n)[1:]\n")
    views = [f(5) for _ in range(50)]
    gc.collect()
    assert all(
        a.tobytes() == b"tail" and b.tobytes() == (b"abc" * 5)[1:] and not a.readonly and b.readonly for a, b in views
    )
    with pytest.raises(BufferError):
        define("def f(b):\n    views = [memoryview(b)]\n    b.append(1)\n    return len(views[0])\n")(bytearray(3))


def test_nothing_leaks():
    f = define(
        "def f(b, fails):\n    m = memoryview(b)\n    w = m[1:].cast('B')\n"
        "    views = [m, memoryview(bytes(m))]\n    t = w.tobytes()\n"
        "    if fails:\n        m[100] = 1\n    return len(t) + len(views)\n"
    )
    f(bytearray(8), False)
    before = allocation_counts()
    for _ in range(20):
        f(bytearray(8), False)
        with pytest.raises(IndexError):
            f(bytearray(8), True)
    after = allocation_counts()
    assert after[0] - before[0] == after[1] - before[1] > 0


# Arguments and results ----------------------------------------------------------------------------


@njit
def identity(m):
    return m


@njit
def total(m):
    s = 0
    for x in m:
        s += x
    return s, len(m), m[0]


def test_results():
    for m in buffers():
        if m.format in "?e":
            continue
        again = identity(m)
        assert (
            isinstance(again, memoryview)
            and again == m
            and again.readonly == m.readonly
            and again.shape == m.shape
            and again.strides == m.strides
        )
        if m.c_contiguous:
            assert again.format == m.format
    b = bytearray(b"hello")
    m = identity(memoryview(b))
    m[0] = 72
    with pytest.raises(BufferError):
        b.append(1)
    m.release()
    assert b == b"Hello"
    first, second, (third, one) = define("def f(m):\n    return m, m[:1], (m, 1)\n")(memoryview(b))
    first[0] = 1
    assert second[0] == third[0] == one == 1


def test_a_view_of_an_argument_shows_the_argument():
    f = define("def f(b):\n    b += b'!'\n    m = memoryview(b)\n    m[0] = 72\n    return m[:-1], b\n")
    b = bytearray(b"hello")
    m, same = f(b)
    assert same is b and b == b"Hello!"
    m[1] = 69
    assert b == b"HEllo!" and m.tobytes() == b"HEllo"
    with pytest.raises(BufferError):
        b.append(1)


def test_other_buffers():
    numbers = array.array("d", [1.5, 2.5])
    assert total(numbers) == (4.0, 2, 1.5) and put(numbers, 1, 7.0) == 7.0 and numbers[1] == 7.0
    integers = (ctypes.c_int * 3)(1, 2, 3)
    assert total(integers) == (6, 3, 1)
    with mmap.mmap(-1, 64) as memory:
        memory[:2] = b"ab"
        assert total(memory) == (195, 64, 97)
        put(memory, 1, 120)
        assert memory[:2] == b"ax"
    assert typeof(numbers).format == "d" and str(typeof(numbers)) == "memoryview of array(float64, 1d, C)"
    assert typeof(memoryview(b"")) == typeof(memoryview(b"a").toreadonly()) != typeof(memoryview(bytearray()))
    numbers.append(1.0)  # nothing holds it any more


def test_the_call_holds_the_object():
    b = bytearray(b"abc")
    count = sys.getrefcount(b)
    f = define("def f(m, i):\n    return m[i]\n")
    for i in (0, 1, 5, 7):
        try:
            f(memoryview(b), i)
        except IndexError:
            pass
    gc.collect()
    b.append(1)
    assert sys.getrefcount(b) == count
    later = define("def f(m):\n    for x in m:\n        yield x\n")(memoryview(b))
    with pytest.raises(BufferError):
        b.append(1)
    assert list(later) == list(b)
    del later
    b.append(2)


@pytest.mark.parametrize(
    "value",
    [
        memoryview(np.zeros(2, complex)),
        memoryview(b"ab").cast("c"),
        memoryview(bytearray(17))[1:].cast("d"),
        memoryview(np.zeros(2, ">i4")),
        memoryview(np.zeros(2, "i4,f8")),
    ],
)
def test_buffers_that_cannot_be_read(value):
    with pytest.raises(TypingError, match="has items of format .* that compiled code cannot read"):
        identity(value)


def test_refused():
    view = memoryview(b"ab")
    released = memoryview(b"ab")
    released.release()
    with pytest.raises(ValueError, match="released"):
        identity(released)
    with pytest.raises(TypingError, match=r"<class 'memoryview'> \(inside the list\)"):
        identity([view])
    for text, message in (
        ("m.release()", "'release' of a memoryview is not compiled.*let go after its last use"),
        ("m.obj", "'obj' of a memoryview is not compiled"),
        ("m.T", "'memoryview' object has no attribute 'T'"),
        ("m.sum()", "'memoryview' object has no attribute 'sum'"),
        ("m + m", "no operator"),
        ("str(m)", "is not made text"),
        ("m['a']", "invalid slice key"),
    ):
        with pytest.raises((TypingError, UnsupportedError), match=f"(?s){message}"):
            expression(text, "m")(view)
    with pytest.raises(TypingError, match="cannot unify"):
        define("def f(m, c):\n    x = None\n    if c:\n        x = m\n    return x\n")(view, True)


def test_as_any_value():
    class_of = expression("isinstance(m, memoryview), isinstance(m, bytes), type(m) is memoryview", "m")
    same(class_of, memoryview(b"a"))
    f = define(
        "def f(m, c):\n    def at(i):\n        return m[i]\n    part = m[1:] if c else m\n    k = 0\n"
        "    while k < len(part) and part[k] != 99:\n        k += 1\n"
        "    return at(0), k, part.tobytes(), [p.tobytes() for p in [m[:1], m[1:]]], {x: 1 for x in m}\n"
    )
    for c in (True, False):
        same(f, memoryview(b"abc"), c)


def test_frombuffer():
    content = bytes(range(24))
    for arguments in (
        "b",
        "b, np.int32",
        "b, np.uint8, 5",
        "b, 'i2', 3, 2",
        "b, dtype=np.float32, offset=8",
        "b, np.int8, -1, 24",
    ):
        f = expression(f"np.frombuffer({arguments})", "b")
        for b in (content, bytearray(content), memoryview(content), np.arange(3), array.array("d", [1, 2, 3])):
            ours, theirs = f(b), f.py_func(b)
            assert ours.dtype == theirs.dtype and np.array_equal(ours, theirs)
            assert ours.flags.writeable == theirs.flags.writeable
    for arguments in ("b[1:]", "b, np.int32, 7", "b, np.int8, -1, 25", "b, np.int8, -1, -1", "memoryview(b)[::2]"):
        same(expression(f"np.frombuffer({arguments})", "b"), content)
    with pytest.raises(ValueError, match="not aligned"):
        expression("np.frombuffer(b, np.int64, 1, 1)", "b")(content)
    b = bytearray(8)
    define("def f(b):\n    np.frombuffer(b, np.int32)[:] = 7\n")(b)
    assert b == np.array([7, 7], np.int32).tobytes()
    kept = expression("np.frombuffer(b, np.uint8)", "b")(b)
    kept[0] = 1
    assert b[0] == 1
    with pytest.raises(BufferError):
        b.append(1)


@pytest.mark.parametrize("letter", "bqdH")
def test_an_empty_array(letter):
    @njit
    def f(m):
        total = 0.0
        for v in m:
            total += v
        return len(m), total

    assert f(array.array(letter)) == (0, 0.0)
    assert f(array.array(letter, [3])) == (1, 3.0)
