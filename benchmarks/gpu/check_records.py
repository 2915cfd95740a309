"""Checks of check.py: fields of records, of every dtype at every offset, computed and stored in a kernel as in NumPy.

A number at an address that is no multiple of its size is stored in parts, which the assembler of a GPU can do wrong.
"""

import numpy as np
from checking import check

NUMBERS = "?", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8", "c8", "c16"
OTHERS = "S3", "U2", "M8[s]", "m8[ms]"
COUNT = 37


def padded(before, *fields):
    """A packed dtype of these fields behind that many bytes."""
    return np.dtype(([("before", "u1", (before,))] if before else []) + list(fields))


def filled(dtype, seed):
    """Records of small numbers, and the padding of bytes that must stay."""
    generator = np.random.default_rng(seed)
    records = np.frombuffer(generator.bytes(COUNT * dtype.itemsize), dtype).copy()
    fill(records, generator)
    return records


def fill(records, generator):
    for name in records.dtype.names:
        field = records[name]
        if field.dtype.names:
            fill(field, generator)
        elif name != "before":
            field[...] = values(field.dtype, field.shape, generator)


def values(dtype, shape, generator):
    if dtype.kind in "SU":
        return generator.choice(np.array(["", "a", "bc", "xyz"[: 3 if dtype.kind == "S" else 2]]), shape)
    numbers = generator.integers(1, 9, shape) + (generator.random(shape) if dtype.kind in "fc" else 0)
    return (
        (numbers + 1j * generator.integers(1, 9, shape)).astype(dtype) if dtype.kind == "c" else numbers.astype(dtype)
    )


def same(found, wanted, what):
    """Compare field by field: bits, but for the last of floats, and for what is between them."""
    for name in wanted.dtype.names:
        a, b = found[name], wanted[name]
        if b.dtype.names:
            same(a, b, what)
        elif b.dtype.kind in "fc":
            epsilon = np.finfo(b.dtype).eps
            np.testing.assert_allclose(a, b, rtol=4 * epsilon, atol=0, err_msg=f"{what}, {name}")
        else:
            assert (a == b).all(), f"{what}, {name}: {a[a != b][:3]} for {b[a != b][:3]}"


def every_offset(numbers, fields, kernel, reference):
    """A kernel for each number at each offset from 0 to its size; returns how many."""
    from pyarray import cuda

    count = 0
    for number in numbers:
        compiled = cuda.jit(kernel)
        for offset in range(min(np.dtype(number).itemsize, 16) + 1):
            dtype = padded(offset, *fields(number))
            records, wanted = filled(dtype, offset), filled(dtype, offset)
            with np.errstate(all="ignore"):
                reference(wanted)
            compiled[2, 32](records)
            same(records, wanted, f"{number} at offset {offset}")
            count += 1
    return f"{count} cases"


@check
def records_of_every_dtype_at_every_offset():
    from pyarray import cuda

    def kernel(a):
        i = cuda.grid(1)
        if i < a.size:
            a[i].x = a[i].x * a[i].factor
            a[i].y += a[i].x
            a[i].z = a[i].y
            a[i].w = i

    def reference(a):
        a["x"] = a["x"] * a["factor"]
        a["y"] += a["x"]
        a["z"] = a["y"]
        a["w"] = np.arange(COUNT)

    def fields(number):
        names = [(name, number) for name in "xyzw"]
        return [*names, ("factor", "f8" if number in ("f8", "c16") else "i1")]

    return every_offset(NUMBERS, fields, kernel, reference)


@check
def records_with_arrays_and_records_at_every_offset():
    from pyarray import cuda

    def kernel(a):
        i = cuda.grid(1)
        if i < a.size:
            for j in range(3):
                a[i].many[j] += a[i].inner.x
            a[i].inner.x = a[i].many[2]
            a[i].inner.y[1] = a[i].inner.y[0] + a[i].many[1]

    def reference(a):
        a["many"] += a["inner"]["x"][:, None]
        a["inner"]["x"] = a["many"][:, 2]
        a["inner"]["y"][:, 1] = a["inner"]["y"][:, 0] + a["many"][:, 1]

    def fields(number):
        inner = [("p", "i1"), ("x", number), ("y", number, 2)]
        return [("many", number, (3,)), ("inner", inner)]

    return every_offset([number for number in NUMBERS if number != "?"], fields, kernel, reference)


@check
def records_of_text_and_times_at_every_offset():
    from pyarray import cuda

    def kernel(a):
        i = cuda.grid(1)
        if i < a.size - 1 and i % 2 == 0:
            a[i] = a[i + 1]

    def reference(a):
        a[:-1:2] = a[1::2]

    return every_offset(OTHERS, lambda item: [("x", item), ("y", item)], kernel, reference)


@check
def views_of_fields_at_every_offset():
    from pyarray import cuda

    def kernel(a):
        i = cuda.grid(1)
        if i < a.size:
            x = a["x"]
            x[i] += a["y"][i]

    def reference(a):
        a["x"] += a["y"]

    return every_offset(NUMBERS[1:], lambda number: [("x", number), ("y", number)], kernel, reference)


@check
def the_low_bits_of_floats():
    from pyarray import cuda

    @cuda.jit
    def kernel(x, low8, low16):
        i = cuda.grid(1)
        if i < x.size:
            bits = np.float32(x[i] * np.float32(2.5)).view(np.int32)
            low8[i] = bits
            low16[i] = bits

    x = np.random.default_rng(1).random(COUNT, np.float32) * 100
    low8, low16 = np.zeros(COUNT, np.uint8), np.zeros(COUNT, np.int16)
    kernel[2, 32](x, low8, low16)
    bits = (x * np.float32(2.5)).view(np.int32)
    assert (low8 == bits.astype(np.uint8)).all() and (low16 == bits.astype(np.int16)).all()
    return f"{COUNT} floats"
