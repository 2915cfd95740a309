"""CUDA's vector types: values, arrays of them, fields of records, one access for a whole vector."""

import pickle
import re

import numpy as np
import pytest
from pyarray import cuda, errors, float32, from_dtype, njit, types

pytestmark = pytest.mark.real

ELEMENTS = {
    "int8": ["char"],
    "int16": ["short"],
    "int32": ["int"],
    "int64": ["long", "longlong"],
    "uint8": ["uchar"],
    "uint16": ["ushort"],
    "uint32": ["uint"],
    "uint64": ["ulong", "ulonglong"],
    "float32": ["float"],
    "float64": ["double"],
}
VECTORS = [(element, count) for element in ELEMENTS for count in (1, 2, 3, 4)]
float4, float2, double2, uchar3 = cuda.float4, cuda.float2, cuda.double2, cuda.uchar3


def sample(vector, length):
    """An array whose elements differ."""
    array = np.zeros(length, vector)
    for k, name in enumerate(array.dtype.names):
        array[name] = np.arange(length) * 4 + k
    return array


# --- On the host ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("element, count", VECTORS)
def test_names_and_dtypes(element, count):
    vector = getattr(cuda, f"{element}x{count}")
    for alias in ELEMENTS[element]:
        assert getattr(cuda, f"{alias}{count}") is vector
    dtype = np.dtype(vector)
    assert dtype.names == tuple("xyzw"[:count]) and dtype[0] == element and dtype.itemsize == count * dtype[0].itemsize
    assert repr(from_dtype(vector)) == str(from_dtype(vector)) == f"{element}x{count}"
    assert from_dtype(vector).num_elements == count and str(from_dtype(vector).base_type) == element
    value = vector(*range(count))
    assert isinstance(value, vector) and not isinstance(value, cuda.float64x4 if element != "float64" else cuda.int8x4)
    assert [getattr(value, name) for name in dtype.names] == list(range(count))
    assert value == np.arange(count, dtype=element).view(dtype)[0]
    assert not hasattr(value, "xyzwq"[count] if count < 4 else "q")


def test_host_constructors():
    assert float4(float2(1, 2), 3, 4) == float4(1, float2(2, 3), 4) == float4(float4(1, 2, 3, 4))
    assert repr(float4(1, 2, 3, 4)) == "float32x4(1.0, 2.0, 3.0, 4.0)"
    for given, message in [
        ((1, 2, 3), "with 4 elements together, 3 were given"),
        ((float4(1, 2, 3, 4), 1), "with 4 elements together, 5 were given"),
        ((cuda.int2(1, 2), 3, 4), "does not take a int32x2"),
        ((double2(1, 2), 3, 4), "does not take a float64x2"),
    ]:
        with pytest.raises(TypeError, match=re.escape(message)):
            float4(*given)
    with pytest.raises(AttributeError):
        float4(1, 2, 3, 4).x = 5


def test_host_arrays_stay_arrays_of_vectors():
    array = sample(float4, 4)
    for other in (array.copy(), array[::2], pickle.loads(pickle.dumps(array)), np.empty_like(array)):
        assert other.dtype == np.dtype(float4) and isinstance(other[0], float4)
    numbers = np.arange(12, dtype=np.float32).reshape(3, 4)
    assert [vector.z for vector in numbers.view(np.dtype(float4)).ravel()] == [2, 6, 10]
    value = pickle.loads(pickle.dumps(float4(1, 2, 3, 4)))
    assert isinstance(value, float4) and value.w == 4


# --- Kernels ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("element, count", VECTORS)
def test_arrays_of_every_type(element, count):
    vector = getattr(cuda, f"{element}x{count}")

    @cuda.jit(device=True)
    def turned(v):
        if count == 1:
            return vector(v.x)
        if count == 2:
            return vector(v.y, v.x)
        if count == 3:
            return vector(v.z, v.x, v.y)
        return vector(v.w, v.x, v.y, v.z)

    @cuda.jit
    def kernel(a, out, last):
        shared, local = cuda.shared.array(16, vector), cuda.local.array((1, 2), vector)
        i = cuda.grid(1)
        local[0, 1] = a[i]
        shared[i] = turned(local[0, 1])
        cuda.syncthreads()
        out[i] = shared[15 - i]
        if i == 0:
            out[i] = last

    a, out, last = sample(vector, 16), np.zeros(16, vector), vector(*range(1, count + 1))
    kernel[1, 16](a, out, last)
    wanted = np.zeros(16, vector)
    names = a.dtype.names
    for k, name in enumerate(names):
        wanted[name] = a[names[k - 1]][::-1]
    wanted[0] = last
    np.testing.assert_array_equal(out, wanted)


def test_constructors_in_kernels():
    @cuda.jit
    def kernel(out, d, x):
        two = float2(x, True)
        out[0] = float4(two, 2, 3.5)
        out[1] = float4(2, two, np.int8(3))
        out[2] = float4(two, two)
        out[3] = float4(float4(1, 2, 3, 4))
        out[4] = float4(cuda.float1(5), cuda.float3(6, 7, 8))
        d[0] = double2(x, 1)
        d[1] = cuda.double2(out[0].w, x + 0.1)

    out, d = np.zeros(5, float4), np.zeros(2, double2)
    kernel[1, 1](out, d, 0.1)
    wanted = [
        float4(0.1, 1, 2, 3.5),
        float4(2, 0.1, 1, 3),
        float4(0.1, 1, 0.1, 1),
        float4(1, 2, 3, 4),
        float4(5, 6, 7, 8),
    ]
    assert list(out) == wanted and list(d) == [double2(0.1, 1), double2(3.5, 0.1 + 0.1)]


def test_integers_wrap():
    @cuda.jit
    def kernel(out, i):
        out[0] = uchar3(i, -1, 255 + 3)

    out = np.zeros(1, uchar3)
    kernel[1, 1](out, 513)
    assert out[0] == uchar3(1, 255, 2)


def test_branches_loops_and_tuples():
    @cuda.jit
    def kernel(a, both, n):
        v = a[0]
        for i in range(n):
            if i % 2:
                v = float4(v.y, v.x, v.z, v.w + i)
            else:
                v = both[1]
        pair = v, both[0]
        a[0], a[1] = pair[0], float4(pair[1], 0, 0, 0)

    a = sample(float4, 2)
    kernel[1, 1](a, (np.float32(7), float4(1, 2, 3, 4)), 4)
    assert list(a) == [float4(2, 1, 3, 7), float4(7, 0, 0, 0)]


def test_views_fields_and_fills():
    @cuda.jit
    def kernel(m, flat, total):
        m[1, 2] = float4(1, 2, 3, 4)
        m.T[0, 1] = m[1, 2]
        m[0, :2] = float4(9, 9, 9, 9)
        flat[-1] = (5, 6.5, 7, 8)
        flat["y"][0] = 3
        cuda.atomic.add(flat["z"], 0, 2)
        for v in flat:
            total[0] += v.x
        total[1] = flat.size + 10 * flat.itemsize + len(m)

    m, flat, total = np.zeros((2, 3), float4), sample(float4, 3), np.zeros(2)
    kernel[1, 1](m, flat, total)
    assert m.tolist() == [[(9, 9, 9, 9)] * 2 + [(0, 0, 0, 0)], [(1, 2, 3, 4), (0, 0, 0, 0), (1, 2, 3, 4)]]
    assert flat.tolist() == [(0, 3, 4, 3), (4, 5, 6, 7), (5, 6.5, 7, 8)] and total.tolist() == [9, 3 + 160 + 2]


TABLE = sample(float4, 5)


def test_global_arrays():
    @cuda.jit
    def kernel(out):
        table = cuda.const.array_like(TABLE)
        i = cuda.threadIdx.x
        out[i] = float4(table[4 - i].x, TABLE[i].w, 0, 0)

    out = np.zeros(5, float4)
    kernel[1, 5](out)
    assert [(v.x, v.y) for v in out] == [(16 - 4 * i, 4 * i + 3) for i in range(5)]


def test_dynamic_shared_memory():
    @cuda.jit
    def kernel(out):
        memory = cuda.shared.array(0, float4)
        memory[cuda.threadIdx.x] = out[cuda.threadIdx.x]
        cuda.syncthreads()
        v = memory[memory.size - 1 - cuda.threadIdx.x]
        out[cuda.threadIdx.x] = v

    out = sample(float4, 8)
    kernel[1, 8, 0, 128](out)
    np.testing.assert_array_equal(out, sample(float4, 8)[::-1])


@pytest.mark.parametrize("aligned", [False, True])
def test_fields_of_records(aligned):
    inner = np.dtype([("v", float4), ("i", "i4")], align=aligned)
    dtype = np.dtype([("k", "i1"), ("v", float4), ("u", uchar3), ("m", float2, (2,)), ("r", inner)], align=aligned)

    @cuda.jit
    def kernel(a, out):
        r = a[1]
        out[0] = r.v
        r.v = float4(1, 2, 3, 4)
        a[0].u = uchar3(5, 6, 7)
        a[0].m[1] = float2(8, 9)
        out[1] = float4(a[0].m[1], r.r.v.x, r.r.i)
        a[0].r.v = out[0]
        a["v"][2] = r.v

    a, out = np.zeros(3, dtype), np.zeros(2, float4)
    a["v"][1], a["r"][1] = (1, 3, 5, 7), ((2, 0, 0, 0), 6)
    wanted = a.copy()
    kernel[1, 1](a, out)
    wanted["v"][1:], wanted["u"][0], wanted["m"][0, 1], wanted["r"]["v"][0] = (
        (1, 2, 3, 4),
        (5, 6, 7),
        (8, 9),
        (1, 3, 5, 7),
    )
    np.testing.assert_array_equal(a, wanted)
    assert out.tolist() == [(1, 3, 5, 7), (8, 9, 2, 6)]


def test_unaligned_arrays():
    @cuda.jit
    def kernel(a):
        a[1] = a[0]

    bytes_ = np.zeros(41, np.uint8)
    a = bytes_[1:].view(np.dtype([("v", float4), ("b", "u1", 4)]))["v"]
    a[0] = (1, 2, 3, 4)
    assert a.strides == (20,)
    kernel[1, 1](a)
    assert a[1] == float4(1, 2, 3, 4)


def test_device_arrays():
    device = cuda.device_array(4, float4)
    device[:] = sample(float4, 4)
    assert device.dtype == np.dtype(float4) and isinstance(device[1], float4) and device[1] == float4(4, 5, 6, 7)
    assert device["y"].copy_to_host().tolist() == [1, 5, 9, 13]
    device[2] = float4(1, 1, 1, 1)
    assert device.copy_to_host()[2] == float4(1, 1, 1, 1)
    numbers = cuda.to_device(np.arange(8, dtype=np.float32))
    assert numbers.view(np.dtype(float4))[1] == float4(4, 5, 6, 7)


def test_declared_signatures():
    vector = from_dtype(float4)

    @cuda.jit([(vector[:], vector)])
    def kernel(a, v):
        a[0] = v

    a = np.zeros(2, float4)
    kernel[1, 1](a, float4(1, 2, 3, 4))
    assert a[0] == float4(1, 2, 3, 4)


def test_vectors_pass_through_compiled_functions():
    array = sample(float4, 3)
    assert njit(lambda a, i: a[i])(array, 1) == array[1]
    value = njit(lambda v: v)(uchar3(1, 2, 3))
    assert isinstance(value, uchar3) and value == uchar3(1, 2, 3)


# --- One access -------------------------------------------------------------------------------------------------------


def accesses(kernel, *kinds):
    text, _ = cuda.compile_ptx(kernel, tuple(from_dtype(kind)[::1] for kind in kinds), cc=(9, 0))
    return re.findall(r"\b((?:ld|st)\.(?:global|shared)[.\w]*)", text)


@pytest.mark.parametrize(
    "name, suffixes",
    [
        ("char2", ["v2.b8", "b16"]),
        ("char4", ["v4.b8", "b32"]),
        ("short2", ["v2.b16", "b32"]),
        ("short4", ["v4.b16", "v2.b32"]),
        ("int2", ["v2.b32"]),
        ("int4", ["v4.b32"]),
        ("long2", ["v2.b64"]),
        ("float2", ["v2.b32"]),
        ("float4", ["v4.b32"]),
        ("double2", ["v2.b64"]),
    ],
)
def test_one_access_for_a_vector(name, suffixes):
    vector = getattr(cuda, name)

    def kernel(a, out):
        tile = cuda.shared.array(32, vector)
        i = cuda.threadIdx.x
        tile[i] = a[i]
        cuda.syncthreads()
        out[i] = tile[31 - i]

    found = accesses(kernel, vector, vector)
    assert [access.split(".", 2)[:2] for access in found] == [
        ["ld", "global"],
        ["st", "shared"],
        ["ld", "shared"],
        ["st", "global"],
    ]
    assert all(access.split(".", 2)[2].replace("u", "b").replace("f", "b") in suffixes for access in found)


def test_vectors_of_32_bytes_take_two_accesses():
    def kernel(a, out):
        out[cuda.threadIdx.x] = a[cuda.threadIdx.x]

    found = accesses(kernel, cuda.double4, cuda.double4)
    assert sorted(access.split(".")[0] for access in found) == ["ld", "ld", "st", "st"] and all(
        ".v2." in access for access in found
    )


def test_alignment_of_records_decides():
    def kernel(a, out):
        out[0] = a[1].v

    fine = np.dtype([("v", float4), ("i", "i4", (4,))])
    uneven = np.dtype([("v", float4), ("i", "i4")])
    assert [".v4." in access for access in accesses(kernel, fine, float4)] == [True, True]
    assert [".v4." in access for access in accesses(kernel, uneven, float4)] == [False] * 4 + [True]


def test_typed_level_shows_one_load():
    @cuda.jit
    def kernel(a):
        a[0] = float4(a[1].w, 0, 0, 0)

    kernel[1, 1](np.zeros(2, float4))
    [text] = kernel.inspect_mlir("typed").values()
    assert text.count('"pyarray.vector_load"') == 1 and text.count('"pyarray.vector_store"') == 1
    assert 'tagged<"records", "x(ffff)"' in text


# --- Errors -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "body, message",
    [
        (lambda a: cuda.float4(a[0], 1), "with 4 elements together, 5 were given"),
        (lambda a: cuda.float2(1.0), "with 2 elements together, 1 were given"),
        (lambda a: cuda.float1(), "with 1 element together, 0 were given"),
        (lambda a: cuda.float4(cuda.int2(1, 2), 3, 4), "expected a real number"),
        (lambda a: cuda.float2(1j, 2), "expected a real number"),
        (lambda a: a[0].q, "float32x4 has no attribute 'q'"),
        (lambda a: cuda.float2(1, 2).z, "float32x2 has no attribute 'z'"),
        (lambda a: a[0] + a[0], r"no operator '\+' for operands of types float32x4 and float32x4"),
        (lambda a: a[0] == a[1], "no operator '=='"),
        (lambda a: -a[0], "no unary operator '-'"),
        (lambda a: a[0][0], "cannot be indexed"),
        (lambda a: np.sqrt(a[0]), "argument 1 has type float32x4"),
        (lambda a: bool(a[0]), "float32x4"),
        (lambda a: np.empty(3, float4), "expected a dtype of numbers"),
    ],
)
def test_what_vectors_do_not_have(body, message):
    function = cuda.jit(device=True)(body)

    @cuda.jit
    def kernel(a):
        function(a)

    with pytest.raises((errors.TypingError, errors.UnsupportedError), match=message):
        kernel[1, 1](np.zeros(2, float4))


@pytest.mark.parametrize("statement", ["a[0].x = 1", "v = a[0]; v.x = 1", "a[0]['x'] = 1"])
def test_elements_cannot_be_stored(statement, tmp_path):
    source = f"def kernel(a):\n    {statement}\n"
    path = tmp_path / "kernel.py"
    path.write_text(source)
    scope = {}
    exec(compile(source, str(path), "exec"), scope)
    with pytest.raises(errors.TypingError, match="float32x4 cannot be changed"):
        cuda.jit(scope["kernel"])[1, 1](np.zeros(2, float4))


@pytest.mark.parametrize("value", [3.0, float2(1, 2), (1, 2, 3)])
def test_stores_that_do_not_fit(value):
    @cuda.jit
    def kernel(a, value):
        a[0] = value

    with pytest.raises(errors.TypingError, match="to a vector"):
        kernel[1, 1](np.zeros(2, float4), value)


def test_readonly_arrays():
    @cuda.jit
    def kernel(a):
        a[0] = float4(1, 2, 3, 4)

    array = np.zeros(2, float4)
    array.flags.writeable = False
    with pytest.raises(errors.TypingError, match="readonly"):
        kernel[1, 1](array)


def test_constructors_are_for_kernels():
    with pytest.raises(errors.TypingError, match="cuda.float32x4 is only for functions that are compiled for a GPU"):
        njit(lambda: float4(1, 2, 3, 4))()


def test_bounds_are_checked():
    @cuda.jit(debug=True, opt=False)
    def kernel(a, i):
        a[i] = a[0]

    with pytest.raises(IndexError):
        kernel[1, 1](np.zeros(2, float4), 2)


def test_types_have_codes():
    vector = from_dtype(float4)
    assert vector.code == "x(ffff)" and types.from_code("[C2x(ffff)") == types.Array(vector, 2, "C")
    assert types.from_code("[A1xp(bb)").dtype == from_dtype(cuda.char2)
    for code in ("x()", "x(ffffff)", "x(fd)", "x(f", "xf", "x(FF)", "x(??)"):
        with pytest.raises(ValueError):
            types.from_code(code)
    assert (
        types.as_dtype(vector) == np.dtype(float4)
        and types.as_dtype(vector[:]) == np.dtype(float4)
        and float32 is not vector
    )
