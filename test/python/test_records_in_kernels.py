"""Records in CUDA kernels: global, shared, local and constant memory, and the PTX of their fields."""

import re

import numpy as np
import pytest
from pyarray import cuda, from_dtype, njit
from pyarray.errors import TypingError, UnsupportedError
from records import ALIGNED, FIELDS, PACKED

pytestmark = pytest.mark.real

@pytest.mark.parametrize("dtype", [PACKED, ALIGNED], ids=["packed", "aligned"])
def test_kernels(dtype):
    fields = np.dtype([name for name in FIELDS if name[0] not in "st"], align=dtype.isalignedstruct)

    @cuda.jit
    def kernel(a, out):
        i = cuda.grid(1)
        if i < len(a):
            r = a[i]
            out[i] = r.n.u + r.m[1, 2] + a["h"][i]
            r.c = 2j
            a[i].q += 1
            r.m[0, 0] = i
            if i == 1:
                a[0] = a[1]

    def expected(a):
        out = a["n"]["u"] + a["m"][:, 1, 2] + a["h"]
        a["c"], a["m"][:, 0, 0] = 2j, range(len(a))
        a["q"] += 1
        return out

    for view in (slice(None), slice(None, None, 2)):
        a, b = (np.zeros(8, fields)[view] for _ in range(2))
        for x in (a, b):
            x["n"]["u"], x["m"], x["h"], x["q"] = 3, np.arange(len(x) * 6).reshape(-1, 2, 3), np.arange(len(x)), 7
        out = np.zeros(len(a))
        device = cuda.to_device(np.ascontiguousarray(a))
        kernel[1, 32](a, out)
        assert out.tolist() == expected(b).tolist()
        assert (a[1:] == b[1:]).all()  # not the padding
        kernel[1, 32](device, out)
        assert (device.copy_to_host()[1:] == b[1:]).all() and device.dtype == fields
        kernel[1, 32](device[1:], out)
    with pytest.raises(TypingError, match="fields that hold Python objects"):
        kernel[1, 1](np.zeros(2, [("x", "O")]), out)
    with pytest.raises(TypingError, match="is named by a literal, a str or an int"):
        kernel[1, 1](a[0], out)  # a record is an argument, and a[i] a field of it


DEEP_FIELDS = [("p", "i1"), ("q", [("i", "i4"), ("x", "f4")]), ("m", "f8", (2, 2)), ("z", "c8"), ("h", "f2")]


@pytest.mark.parametrize("how", ["dtype", "from_dtype"])
@pytest.mark.parametrize("aligned", [False, True])
def test_shared_and_local_memory(aligned, how):
    dtype = np.dtype(DEEP_FIELDS, align=aligned)
    item = dtype if how == "dtype" else from_dtype(dtype)

    @cuda.jit
    def kernel(a, out):
        room, own = cuda.shared.array(8, item), cuda.local.array((2, 3), dtype=item)
        i = cuda.threadIdx.x
        room[i] = a[i]
        cuda.syncthreads()
        own[1, i % 3] = room[(i + 1) % len(room)]
        r = own[1, i % 3]
        r.q.x *= 2
        r.m[1, 0] = r.m[0, 1] + own.shape[1]
        r.z += 1j
        own["h"][1, i % 3] /= 2
        out[i] = r

    a, out = np.zeros(8, dtype), np.zeros(8, dtype)
    a["p"], a["h"], a["q"]["i"], a["q"]["x"], a["z"] = range(8), range(8), range(8), range(8), np.arange(8) * (1 + 2j)
    a["m"] = np.arange(32).reshape(8, 2, 2)
    kernel[1, 8](a, out)
    wanted = np.roll(a, -1)
    wanted["q"]["x"] *= 2
    wanted["m"][:, 1, 0] = wanted["m"][:, 0, 1] + 3
    wanted["z"] += 1j
    wanted["h"] /= 2
    assert (out == wanted).all()


def test_dynamic_shared_memory():
    pair = np.dtype([("i", "i4"), ("x", "f4")])

    @cuda.jit
    def kernel(out):
        room = cuda.shared.array(0, pair)
        i = cuda.threadIdx.x
        room[i].i = i
        cuda.syncthreads()
        out[i] = room[len(room) - 1 - i].i

    out = np.zeros(8, np.int64)
    kernel[1, 8, 0, 8 * pair.itemsize](out)
    assert out.tolist() == list(range(8))[::-1]


def test_shapes_of_shared_records():
    pair = np.dtype([("i", "i4"), ("x", "f4")])

    @cuda.jit
    def of_any_length(n):
        cuda.shared.array(n, pair)[0].i = 1

    @cuda.jit
    def of_many_dimensions():
        cuda.local.array((1,) * 32, pair)

    with pytest.raises(UnsupportedError, match="must be made of positive ints"):
        of_any_length[1, 1](3)
    with pytest.raises(TypingError, match="maximum supported dimension for an array of records is 31"):
        of_many_dimensions[1, 1]()


WIDE = np.dtype([(f"f{i}", "f4") for i in range(64)] + [("d", "f8")])
TABLE = np.zeros((2, 3), WIDE)
TABLE["f3"], TABLE["f63"], TABLE["d"] = np.arange(6).reshape(2, 3), 7, np.arange(6).reshape(2, 3) / 4
ALIGNED_TABLE = TABLE.astype(np.dtype(WIDE.descr, align=True))


def test_constant_memory():
    @cuda.jit
    def kernel(out):
        table, aligned = cuda.const.array_like(TABLE), cuda.const.array_like(ALIGNED_TABLE)
        i = cuda.grid(1)
        if i < 3:
            out[i] = table[1, i].f3 + table.shape[0] * 100 + aligned["d"][1, i] + ALIGNED_TABLE[0, i].d

    out = np.zeros(3)
    kernel[1, 4](out)
    assert out.tolist() == [203.75, 205.25, 206.75]
    ptx = cuda.compile_ptx(kernel, "void(float64[:])", cc=(9, 0))[0]
    assert set(re.findall(r"\.align (\d+) \.b8 \S*frozen", ptx)) == {"16"}


def test_local_records_are_aligned():
    pair = np.dtype([("i", "i8"), ("x", "f8")])

    def kernel(out, i):
        own = cuda.local.array(4, pair)
        own[i].x = i
        out[0] = own[3 - i].x

    assert ".local .align 16" in cuda.compile_ptx(kernel, "float64[:], int64", cc=(9, 0))[0]


def test_types_of_records_are_dtypes():
    pair = np.dtype([("i", "i4"), ("x", "f4")])
    kind = from_dtype(pair)

    @njit
    def f():
        a = np.zeros(3, kind)
        a[1].x = 2.5
        return a

    assert f().tolist() == [(0, 0.0), (0, 2.5), (0, 0.0)] and f().dtype == pair


def unmoved_stores(ptx):
    """Stores of PTX that write less than the whole of a register which no move of its bits precedes."""
    bits = {"%rs": 16, "%r": 32, "%rd": 64}
    moved, found = set(), []
    for line in ptx.split("\n"):
        if move := re.match(r"\tmov\.b\d+ \t(%\w+), \1;", line):
            moved.add(move[1])
        elif store := re.match(r"\tst\.\S*\.b(\d+) .*\](.*);", line):
            stored = re.findall(r"(%r[sd]?)(\d+)", store[2])
            narrow = [kind + number for kind, number in stored if bits[kind] > int(store[1])]
            found += [line for register in narrow if register not in moved]
            moved = set()
    return found


def doubled(a):
    a[cuda.grid(1)].x *= 2


def converted(a):
    a[cuda.grid(1)].x = cuda.grid(1)


def added(a):
    i = cuda.grid(1)
    for j in range(3):
        a[i].x[j] += a[i].x[2]


def in_a_record(a):
    a[cuda.grid(1)].r.x *= 2


@pytest.mark.parametrize("opt", [True, False])
@pytest.mark.parametrize("pad", ["i1", "i2", "S3", "i4"])
@pytest.mark.parametrize("number", ["f2", "f4", "f8", "c8", "c16"])
def test_ptx_moves_what_it_stores_in_parts(number, pad, opt):
    item = np.dtype(number)
    packed = [("p", pad), ("x", item)]
    fields = {
        doubled: packed,
        converted: packed,
        added: [("p", pad), ("x", item, 3)],
        in_a_record: [("p", pad), ("r", packed)],
    }
    for kernel, dtype in fields.items():
        ptx = cuda.compile_ptx(kernel, (from_dtype(np.dtype(dtype))[::1],), cc=(9, 0), opt=opt)[0]
        assert not unmoved_stores(ptx) and (pad != "i1" or re.search(r"\tst\.(global\.)?b8 ", ptx))


def test_ptx_moves_low_bits_of_a_float():
    def kernel(a, out):
        i = cuda.grid(1)
        out[i] = np.float32(a[i] * 2).view(np.int32)

    ptx = cuda.compile_ptx(kernel, "float32[::1], uint8[::1]", cc=(9, 0))[0]
    assert re.search(r"\tmov\.b32 \t(%\w+), \1;\n\tst\.global\.b8 \t\S+ \1;", ptx) and not unmoved_stores(ptx)
