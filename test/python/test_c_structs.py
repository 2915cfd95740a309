"""C structs: `Record.make_c_struct`, pointers to records in callbacks, `carray` and `farray` of them."""

import ctypes

import numpy as np
import pyarray
import pytest
from pyarray import CPointer, carray, cfunc, farray, from_dtype, intc, njit, types, voidptr


class Part(ctypes.Structure):
    _fields_ = [("i", ctypes.c_int32), ("f", ctypes.c_float), ("d", ctypes.c_double), ("b", ctypes.c_bool)]


PART = types.Record.make_c_struct(
    [("i", types.int32), ("f", types.float32), ("d", types.float64), ("b", types.boolean)]
)
POINTER = CPointer(PART)


def parts(n=3):
    return (Part * n)(*[Part(k + 1, 2.0, 4.0, k % 2) for k in range(n)])


def call(callback, result, *arguments):
    """As C code does, by the address."""
    kinds = [ctypes.c_void_p if isinstance(a, ctypes.Array) else ctypes.c_int for a in arguments]
    given = [ctypes.addressof(a) if isinstance(a, ctypes.Array) else a for a in arguments]
    return ctypes.CFUNCTYPE(result, *kinds)(callback.address)(*given)


# Layout -----------------------------------------------------------------------------------------

SIMPLE = [
    (types.boolean, ctypes.c_bool), (types.int8, ctypes.c_int8), (types.uint8, ctypes.c_uint8),
    (types.int16, ctypes.c_int16), (types.uint16, ctypes.c_uint16), (types.int32, ctypes.c_int32),
    (types.uint32, ctypes.c_uint32), (types.int64, ctypes.c_int64), (types.uint64, ctypes.c_uint64),
    (types.float32, ctypes.c_float), (types.float64, ctypes.c_double), (types.intc, ctypes.c_int),
    (types.intp, ctypes.c_ssize_t), (types.uintp, ctypes.c_size_t), (types.byte, ctypes.c_ubyte),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "ctype"), SIMPLE)
@pytest.mark.parametrize("between", [types.int8, types.int32, types.float64])
def test_layout_is_that_of_ctypes(kind, ctype, between):
    other = dict(SIMPLE)[between]

    class Struct(ctypes.Structure):
        _fields_ = [("a", ctypes.c_int8), ("b", ctype), ("c", other), ("d", ctype)]

    record = types.Record.make_c_struct([("a", types.int8), ("b", kind), ("c", between), ("d", kind)])
    assert record.size == ctypes.sizeof(Struct)
    assert [record.offset(name) for name in "abcd"] == [getattr(Struct, name).offset for name in "abcd"]
    assert record.aligned


def test_nested_structs_and_arrays():
    class Struct(ctypes.Structure):
        _fields_ = [("c", ctypes.c_int8), ("p", Part), ("v", ctypes.c_int16 * 3), ("w", (Part * 2) * 2)]

    pair = types.NestedArray(PART, (2, 2))
    record = types.Record.make_c_struct(
        [("c", types.int8), ("p", PART), ("v", types.NestedArray(types.int16, (3,))), ("w", pair)]
    )
    assert record.size == ctypes.sizeof(Struct) and record == from_dtype(np.dtype(Struct))
    assert [record.offset(n) for n in "cpvw"] == [getattr(Struct, n).offset for n in "cpvw"]

    @cfunc(types.float64(CPointer(record)))
    def work(p):
        s = p[0]
        s.v[1] = 7
        s.w[1, 0].i += 5
        return s.c + s.p.d + s.v[2] + s.w[1, 0].i

    one = (Struct * 1)()
    one[0].c, one[0].p.d, one[0].v[2], one[0].w[1][0].i = 1, 2.5, 3, 4
    assert call(work, ctypes.c_double, one) == 1 + 2.5 + 3 + 9
    assert (one[0].v[1], one[0].w[1][0].i) == (7, 9)


def test_complex_numbers_and_times():
    record = types.Record.make_c_struct([("x", types.int8), ("z", types.complex128), ("c", types.complex64)])
    assert [record.offset(name) for name in "xzc"] == [0, 8, 24] and record.size == 32


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ([("x", voidptr)], "field 'x' of a C struct cannot have the type void\\*"),
        ([("x", types.unicode_type)], "field 'x' of a C struct cannot have the type unicode_type"),
        ([(1, types.int8)], "the name of a field is a str, not 1"),
        ([], "at least one field"),
    ],
)
def test_structs_that_are_refused(fields, message):
    with pytest.raises(TypeError, match=message):
        types.Record.make_c_struct(fields)


# Callbacks --------------------------------------------------------------------------------------


def test_reading_by_carray():
    @cfunc(types.float64(POINTER, intc))
    def total(p, n):
        s = 0.0
        items = carray(p, n)
        for k in range(n):
            s += items[k].i * items[k].f / items[k].d
        for item in items:
            if item.b:
                s += 100
        return s

    assert call(total, ctypes.c_double, parts(), 3) == 103.0
    assert total.ctypes(ctypes.addressof(held := parts()), 3) == 103.0
    assert total.ctypes(held, 3) == 103.0
    assert "Record" in str(total.signature)


def test_writing():
    @cfunc(types.void(POINTER, intc))
    def fill(p, n):
        items = carray(p, (n,))
        items[0].i = 10
        items["d"][1] = 2.25
        p[2].f = 0.5
        p[1] = (7, 1.5, items[1].d + 1, True)
        p[n - 3]["d"] = 8.0

    held = parts()
    call(fill, None, held, 3)
    assert [(p.i, p.f, p.d, p.b) for p in held] == [(10, 2.0, 8.0, False), (7, 1.5, 3.25, True), (3, 0.5, 4.0, False)]


def test_records_behind_pointers():
    @cfunc(types.int32(POINTER, intc))
    def f(p, n):
        if p is None or not p:
            return -1
        q = p[n]
        p[0] = p[1]
        p[1] = q
        return p[0].i * 100 + p[-0].i + q.i

    held = parts()
    assert call(f, ctypes.c_int, held, 2) == 205
    assert [p.i for p in held] == [2, 3, 3]
    assert f.ctypes(None, 2) == -1


def test_several_dimensions():
    @cfunc(types.int32(POINTER, intc, intc))
    def f(p, m, n):
        a = carray(p, (m, n))
        b = farray(p, (m, n))
        c = farray(p, m * n)
        d = carray(p, (m, n), PART)
        b[1, 0].i += 1000
        return a[1, 0].i + 10 * b[0, 1].i + 100 * c[5].i + 1000 * len(b) + 10000 * d.shape[1] + 100000 * (b.T[2, 1].i)

    held = parts(6)
    assert call(f, ctypes.c_int, held, 2, 3) == 4 + 30 + 600 + 2000 + 30000 + 600000
    assert held[1].i == 1002

    @cfunc(types.float64(POINTER))
    def sums(p):
        return farray(p, (2, 3))["i"][1, 2]

    assert call(sums, ctypes.c_double, held) == 6.0


def test_void_pointers_need_a_dtype():
    dtype = np.dtype(Part)

    @cfunc(types.float64(voidptr, intc))
    def f(p, n):
        return carray(p, n, dtype)[n - 1].i + farray(p, n, PART)[0].d

    assert call(f, ctypes.c_double, parts(), 3) == 7.0
    other = types.Record.make_c_struct([("i", types.int32)])
    with pytest.raises(pyarray.TypingError, match="does not fit the pointer"):
        cfunc(types.int32(POINTER))(lambda p: carray(p, 1, other)[0].i)
    with pytest.raises(pyarray.TypingError, match="takes one integer index"):
        cfunc(types.int32(POINTER))(lambda p: p[0, 1].i)
    with pytest.raises(pyarray.TypingError, match="has no field 'x'"):
        cfunc(types.int32(POINTER))(lambda p: p[0].x)


@pytest.mark.filterwarnings("error::pytest.PytestUnraisableExceptionWarning")
def test_bounds_of_the_array_are_checked(monkeypatch):
    errors = []
    monkeypatch.setattr("sys.unraisablehook", lambda raised: errors.append(str(raised.exc_value)))
    f = cfunc(types.int32(POINTER, intc))(lambda p, i: carray(p, 3)[i].i)
    assert call(f, ctypes.c_int, parts(), 2) == 3 and not errors
    call(f, ctypes.c_int, parts(), 3)
    assert errors == ["index 3 is out of bounds for axis 0 with size 3"]


def test_unaligned_and_text_fields():
    packed = from_dtype(np.dtype([("a", "i1"), ("x", "f8"), ("s", "S4"), ("u", "U2")]))

    @cfunc(types.float64(CPointer(packed)))
    def f(p):
        p[0].s = b"abc"
        p[1].u = "xy" if p[0].u == "é" else "no"
        return p[0].x + carray(p, 2)[1].x

    a = np.zeros(2, packed.dtype)
    a["x"], a["u"][0] = [1.5, 2.0], "é"
    assert f.ctypes(a.ctypes.data) == 3.5
    assert a["s"][0] == b"abc" and a["u"][1] == "xy"


def test_by_functions_of_njit():
    @njit
    def half(p, k):
        return p[k].d / 2

    @njit
    def both(items):
        return items[0].i + items[1].i

    @cfunc(types.float64(POINTER))
    def f(p):
        return half(p, 0) + both(carray(p, 2))

    assert call(f, ctypes.c_double, parts()) == 5.0


def test_ctypes_pointers_as_arguments():
    @njit
    def f(p):
        p[1].i = 50
        return p[0].d + p[2].i

    held = parts()
    assert f(ctypes.cast(held, ctypes.POINTER(Part))) == 7.0
    assert held[1].i == 50
    assert f.signatures[0][0].dtype.size == ctypes.sizeof(Part)


def test_callbacks_called_by_compiled_code():
    @cfunc(types.float64(POINTER, intc))
    def read(p, i):
        return p[i].d + p[i].i

    @njit
    def f(p):
        return read(p, 2)

    held = parts()
    assert f(ctypes.cast(held, ctypes.POINTER(Part))) == 7.0


def test_types():
    assert str(CPointer(PART)) == f"{PART}*" and CPointer(PART) == CPointer(from_dtype(np.dtype(Part)))
    assert from_dtype(np.dtype(Part)) == PART
    with pytest.raises(TypeError, match="pointers to unicode_type"):
        CPointer(types.unicode_type)


def test_in_python():
    held = parts()
    pointer = ctypes.cast(held, ctypes.POINTER(Part))
    assert carray(pointer, 3)["i"].tolist() == [1, 2, 3]
    assert farray(ctypes.c_void_p(ctypes.addressof(held)), (1, 3), PART)["i"].tolist() == [[1, 2, 3]]
