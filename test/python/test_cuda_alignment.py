"""``alignment=`` of shared and local memory: addresses, PTX, and what is refused."""

import re

import numpy as np
import pytest
from pyarray import cuda, errors, from_dtype, int64

pytestmark = pytest.mark.real

RECORD = np.dtype([("a", "i1"), ("b", "f8")], align=True)
DTYPES = [np.int8, np.float64, np.complex128, RECORD, np.dtype([("a", "i1"), ("b", "f8")]), cuda.float4, cuda.uchar3]


@pytest.mark.parametrize("alignment", [None, 8, 16, 64, 256, 1024])
@pytest.mark.parametrize("dtype", DTYPES, ids=lambda dtype: np.dtype(dtype).name)
def test_addresses(dtype, alignment):
    @cuda.jit
    def kernel(out):
        first = cuda.shared.array(3, np.int8)
        shared = cuda.shared.array((5, 2), dtype, alignment)
        other = cuda.local.array(3, np.int8)
        local = cuda.local.array(5, dtype, alignment=alignment)
        t = cuda.threadIdx.x
        first[t % 3] = other[t % 3] = t
        shared[t % 5, 1] = shared[0, 0]
        local[t % 5] = shared[1, 0]
        out[2 * t], out[2 * t + 1] = shared.ctypes.data, local.ctypes.data
        if first[0] + other[t % 3] > 1000:
            shared[0, 1] = local[out[0] % 5]

    out = np.zeros(2 * 37, np.uint64)
    kernel[1, 37](out)
    assert (out % np.uint64(alignment or 8) == 0).all() and len(set(out[::2])) == 1


@pytest.mark.parametrize("count", [8, 50_000])
def test_dynamic_memory_and_much_static_memory(count):
    @cuda.jit
    def kernel(out):
        first = cuda.shared.array(3, np.int8)
        much = cuda.shared.array(count, np.int8, alignment=512)
        rest = cuda.shared.array(0, np.int32, alignment=256)
        t = cuda.threadIdx.x
        first[t], much[t], rest[t] = t, 2 * t, 3 * t
        cuda.syncthreads()
        out[t] = first[2 - t] + 10 * much[2 - t] + 100 * rest[2 - t]
        out[3], out[4], out[5] = much.ctypes.data % 512, rest.ctypes.data % 256, rest.size

    out = np.zeros(6, np.int64)
    kernel[1, 3, 0, 64](out)
    assert out.tolist() == [642, 321, 0, 0, 0, 16]


def test_ptx():
    def kernel(out):
        shared = cuda.shared.array(5, np.int8, alignment=128)
        local = cuda.local.array(64, np.int8, alignment=256)
        dynamic = cuda.shared.array(0, np.int8, alignment=64)
        for i in range(out[0]):
            local[out[i]] = i
        shared[out[0] % 5] = local[out[0] % 64]
        dynamic[out[1]] = local[out[2] % 64]
        out[0] = shared[out[3] % 5] + dynamic[out[4]]

    text, _ = cuda.compile_ptx(kernel, (int64[::1],), cc=(9, 0))
    assert re.search(r"\.local \.align 256 \.b8\s+\w+\[", text)
    assert re.search(r"\.extern \.shared \.align 128 ", text)  # the other array lies before it
    assert not re.search(r"^\s*\.shared ", text, re.MULTILINE)

    def static(out):
        shared = cuda.shared.array(5, np.int8, alignment=128)
        shared[out[0] % 5] = out[1]
        out[0] = shared[out[2] % 5]

    text, _ = cuda.compile_ptx(static, (int64[::1],), cc=(9, 0))
    assert re.search(r"\.shared \.align 128 \.b8 \w+\[5\]", text)


@pytest.mark.parametrize("space", ["shared", "local"])
@pytest.mark.parametrize(
    "alignment, message",
    [
        (-1, "Alignment must be positive"),
        (0, "Alignment must be positive"),
        (3, "Alignment must be a power of 2"),
        (17, "Alignment must be a power of 2"),
        (33, "Alignment must be a power of 2"),
        (4, "Alignment must be a multiple of 8"),
        (2048, "Alignment must be at most 1024"),
        ("1", "alignment must be a constant integer"),
        (1.0, "alignment must be a constant integer"),
        (True, "alignment must be a constant integer"),
        ((16,), "alignment must be a constant integer"),
    ],
)
def test_what_is_refused(space, alignment, message):
    make = getattr(cuda, space).array

    @cuda.jit
    def kernel(out):
        memory = make(3, np.int8, alignment=alignment)
        memory[0] = out[0] = 1

    with pytest.raises((errors.TypingError, errors.UnsupportedError), match=message):
        kernel[1, 1](np.zeros(1))


def test_an_alignment_that_is_not_known():
    def kernel(out, n):
        memory = cuda.local.array(3, np.int8, alignment=n)
        memory[0] = out[0] = 1

    with pytest.raises(errors.UnsupportedError, match="alignment must be a constant integer"):
        cuda.compile_ptx(kernel, (from_dtype(np.float64)[::1], int64))
