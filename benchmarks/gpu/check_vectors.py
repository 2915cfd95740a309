"""Checks of check.py: vectors, cache hints, alignment and bfloat16, as far as the emulator cannot show them."""

import functools
import time

import numpy as np
from checking import SCALE, check, library, need_gpu


def _seconds(launch):
    """The best of five, after one to warm up."""
    from pyarray import cuda

    launch()
    cuda.synchronize()
    best = float("inf")
    for _ in range(5):
        start = time.perf_counter()
        launch()
        cuda.synchronize()
        best = min(best, time.perf_counter() - start)
    return best


@check
def copies_by_vectors():
    """Speed of copies by float, float4, and float4 with hints; all must be right."""
    need_gpu()
    from pyarray import cuda

    @cuda.jit
    def plain(a, out):
        i = cuda.grid(1)
        if i < a.size:
            out[i] = a[i]

    @cuda.jit
    def streaming(a, out):
        i = cuda.grid(1)
        if i < a.size:
            cuda.stcs(out, i, cuda.ldcs(a, i))

    count = max(256_000_000 // SCALE // 4, 1024) * 4
    a = cuda.to_device(np.random.default_rng(1).random(count, np.float32))
    text = []
    for name, kernel, dtype in (
        ("float", plain, np.float32),
        ("float4", plain, cuda.float4),
        ("float4 cs", streaming, cuda.float4),
    ):
        source, out = a.view(np.dtype(dtype)), cuda.device_array(count, np.float32)
        target = out.view(np.dtype(dtype))
        seconds = _seconds(functools.partial(kernel[-(-source.size // 256), 256], source, target))
        assert (out.copy_to_host() == a.copy_to_host()).all(), name
        text.append(f"{name} {8 * count / seconds / 1e9:.0f} GB/s")
    return ", ".join(text)


@check
def a_block_that_waits_for_another():
    """A loop over ldcv ends when another block has stored; one over a plain load need not."""
    need_gpu()
    from pyarray import cuda

    @cuda.jit
    def meet(flags, out):
        mine, other = cuda.blockIdx.x, 1 - cuda.blockIdx.x
        out[mine] = 10 + mine
        cuda.threadfence()
        cuda.stwt(flags, mine, 1)
        while cuda.ldcv(flags, other) == 0:
            pass
        cuda.threadfence()
        out[2 + mine] = cuda.ldcg(out, other)

    flags, out = cuda.to_device(np.zeros(2, np.int32)), cuda.to_device(np.zeros(4, np.int32))
    meet[2, 1](flags, out)
    assert out.copy_to_host().tolist() == [10, 11, 11, 10]
    return "two blocks met"


@check
def every_bfloat16():
    """Conversions and functions of all 65536 numbers, and sums and products of many pairs, against float32 rounded."""
    need_gpu()
    from pyarray import cuda
    from pyarray.cuda import bf16

    @cuda.jit
    def of_one(x, out):
        i = cuda.grid(1)
        a = bf16.uint16_as_bfloat16(x[i])
        out[0, i] = bf16.bfloat16_as_uint16(bf16.hsqrt(a))
        out[1, i] = bf16.bfloat16_as_uint16(bf16.hrcp(a))
        out[2, i] = bf16.bfloat16_as_uint16(bf16.htrunc(a))
        out[3, i] = bf16.bfloat16_as_uint16(bf16.bfloat16(np.float32(a)))

    @cuda.jit(fma=False)
    def of_two(x, y, out):
        i = cuda.grid(1)
        a, b = bf16.uint16_as_bfloat16(x[i]), bf16.uint16_as_bfloat16(y[i])
        out[0, i] = bf16.bfloat16_as_uint16(a + b)
        out[1, i] = bf16.bfloat16_as_uint16(a * b)
        out[2, i] = bf16.bfloat16_as_uint16(a / b)

    def rounded(values):
        bits = values.view(np.uint32).astype(np.uint64)
        near = (bits + 0x7FFF + (bits >> 16 & 1)) >> 16
        return np.where(np.isnan(values), 0x7FC0, near).astype(np.uint16)

    def differ(got, wanted):
        nan = ((got & 0x7FFF) > 0x7F80) & ((wanted & 0x7FFF) > 0x7F80)
        return int(((got != wanted) & ~nan).sum())

    def read(bits):
        return (bits.astype(np.uint32) << 16).view(np.float32)

    x, out = np.arange(65536).astype(np.uint16), np.zeros((4, 65536), np.uint16)
    of_one[256, 256](x, out)
    with np.errstate(all="ignore"):
        one = np.float32(1)
        for row, wanted in zip(out, (np.sqrt(read(x)), one / read(x), np.trunc(read(x)), read(x)), strict=True):
            assert not differ(row, rounded(wanted))
        count = max(16_777_216 // SCALE // 256, 1) * 256
        x, y = np.random.default_rng(2).integers(0, 1 << 16, (2, count), np.uint16)
        out = np.zeros((3, count), np.uint16)
        of_two[count // 256, 256](x, y, out)
        for row, wanted in zip(out, (read(x) + read(y), read(x) * read(y), read(x) / read(y)), strict=True):
            assert not differ(row, rounded(wanted))
    return f"65536 numbers, {count} pairs"


@check
def bfloat16_of_pytorch():
    """A tensor of bfloat16 goes to a kernel without a copy."""
    need_gpu()
    torch, _ = library("torch"), library("ml_dtypes")
    from pyarray import cuda

    @cuda.jit
    def double(a):
        i = cuda.grid(1)
        if i < a.size:
            a[i] = a[i] + a[i]

    tensor = torch.arange(100, dtype=torch.bfloat16, device="cuda")
    double[1, 128](cuda.from_dlpack(tensor))
    cuda.synchronize()
    assert tensor.tolist() == [2.0 * i for i in range(100)]
    return "through DLPack"


@check
def atomics_of_bfloat16():
    """Sums that are exact, of all threads of many blocks."""
    need_gpu()
    from pyarray import cuda
    from pyarray.cuda import bf16

    library("ml_dtypes")

    @cuda.jit
    def count(out):
        cuda.atomic.add(out, cuda.threadIdx.x, 1)
        cuda.atomic.max(out, 32, cuda.blockIdx.x)

    out = cuda.to_device(np.zeros(33, np.dtype(bf16.bfloat16)))
    count[200, 32](out)
    assert out.copy_to_host().astype(float).tolist() == [200.0] * 32 + [199.0]
    return "200 blocks"
