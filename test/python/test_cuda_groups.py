"""Tiles and coalesced threads: ranks, shuffles, votes, matches, reductions and scans, in the emulator and on a GPU."""

import operator
import re

import numpy as np
import pytest
from pyarray import cuda, float64, int64
from pyarray.cuda import cg

pytestmark = pytest.mark.real

SIZES = [1, 2, 4, 8, 16, 32]


@cuda.jit(device=True)
def plus(a, b):
    return a + b


@cuda.jit(device=True)
def first_of(a, b):
    return a


# ------------------------------------------------------------------------------------------------
# Tiles


@cuda.jit
def ranks(out, size):
    tile = cg.tiled_partition(cg.this_block(), size)
    i = cuda.grid(1)
    out[i, 0], out[i, 1], out[i, 2] = tile.thread_rank, tile.size, tile.num_threads
    out[i, 3], out[i, 4] = tile.meta_group_rank, tile.meta_group_size


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("block", [64, 32, 40])
def test_ranks(size, block):
    out = np.full((2 * block, 5), -1)
    ranks[2, block](out, size)
    for i, row in enumerate(out):
        t = i % block
        assert list(row) == [t % size, size, size, t // size, -(-block // size)]


def test_blocks_of_three_dimensions():
    out = np.full((1, 48), -1)

    @cuda.jit
    def kernel(out):
        block = cg.this_block()
        tile = cg.tiled_partition(block, 16)
        out[0, block.thread_rank] = 100 * tile.meta_group_rank + tile.thread_rank

    kernel[1, (4, 3, 4)](out)
    assert list(out[0]) == [100 * (t // 16) + t % 16 for t in range(48)]


@cuda.jit
def tiles_of_tiles(out):
    outer = cg.tiled_partition(cg.this_block(), 16)
    inner = cg.tiled_partition(outer, 4)
    i = cuda.grid(1)
    out[i, 0], out[i, 1] = inner.thread_rank, inner.meta_group_rank
    out[i, 2], out[i, 3] = inner.meta_group_size, cg.reduce(inner, i, plus)


def test_tiles_of_tiles():
    out = np.zeros((64, 4), np.int64)
    tiles_of_tiles[1, 64](out)
    for i, row in enumerate(out):
        assert list(row) == [i % 4, i % 16 // 4, 4, 4 * (i // 4 * 4) + 6]


def test_bad_sizes():
    @cuda.jit(debug=True)
    def kernel(size, inner, out):
        tile = cg.tiled_partition(cg.tiled_partition(cg.this_block(), size), inner)
        out[0] = tile.size

    out = np.zeros(1)
    kernel[1, 32](16, 16, out)
    assert out[0] == 16
    text = "a tile has 1, 2, 4, 8, 16 or 32 threads, and no more than what it divides"
    for size, inner in [(12, 4), (0, 1), (-2, 1), (64, 1), (8, 16), (32, 0)]:
        with pytest.raises(ValueError, match=text):
            kernel[1, 32](size, inner, out)


@cuda.jit
def shuffles(x, out, size, operand):
    tile = cg.tiled_partition(cg.this_block(), size)
    i = cuda.grid(1)
    out[0, i] = tile.shfl(x[i], operand)
    out[1, i] = tile.shfl_up(x[i], operand)
    out[2, i] = tile.shfl_down(x[i], operand)
    out[3, i] = tile.shfl_xor(x[i], operand)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int32, np.uint64, np.int8])
def test_shuffles(size, dtype):
    x = (np.arange(64) * 3 % 97).astype(dtype)
    for operand in (0, 1, 3, 7, 20):
        out = np.zeros((4, 64), dtype)
        shuffles[2, 32](x, out, size, operand)
        for i in range(64):
            rank, first = i % size, i // size * size
            assert out[0, i] == x[first + operand % size]
            assert out[1, i] == x[first + (rank - operand if rank >= operand else rank)]
            assert out[2, i] == x[first + (rank + operand if rank + operand < size else rank)]
            assert out[3, i] == x[first + (rank ^ operand if operand < size else rank)]


@cuda.jit
def votes(x, out, size):
    tile = cg.tiled_partition(cg.this_block(), size)
    i = cuda.grid(1)
    out[0, i], out[1, i] = tile.any(x[i] == 3), tile.all(x[i] < 3)
    out[2, i] = tile.ballot(x[i] % 2 == 1) & 0xFFFFFFFF
    out[3, i] = tile.match_any(x[i]) & 0xFFFFFFFF
    mask, same = tile.match_all(x[i])
    out[4, i], out[5, i] = mask & 0xFFFFFFFF, same


@pytest.mark.parametrize("size", SIZES)
def test_votes(size):
    x = np.random.default_rng(size).integers(0, 4, 64)
    x[32:] = 2
    out = np.zeros((6, 64), np.int64)
    votes[2, 32](x, out, size)
    for i in range(64):
        tile = x[i // size * size :][:size]

        def bits(truth):
            return sum(1 << rank for rank, value in enumerate(truth) if value)

        same = bool((tile == tile[0]).all())
        expected = [(tile == 3).any(), (tile < 3).all(), bits(tile % 2 == 1), bits(tile == x[i])]
        assert list(out[:, i]) == [*expected, (1 << size) - 1 if same else 0, same]


WORD_OPS = {"add": operator.add, "and_": operator.and_, "or_": operator.or_, "xor": operator.xor, "min": min,
            "max": max, "minimum": np.minimum, "maximum": np.maximum}  # fmt: skip


def reduction_by(op):
    """A kernel that reduces tiles, and the threads whose numbers have some bit."""

    def kernel(x, out, size):
        i = cuda.grid(1)
        tile = cg.tiled_partition(cg.this_block(), size)
        out[0, i] = cg.reduce(tile, x[i], op)
        if x[i] & 4 == 0:
            out[1, i] = cg.reduce(cg.coalesced_threads(), x[i], op)

    return kernel


@pytest.mark.parametrize("dtype", [np.int32, np.uint32])
@pytest.mark.parametrize("name", WORD_OPS)
def test_reductions_of_words(name, dtype):
    """Those that the warp has an instruction for; sums are of 64 bits."""
    bits = np.random.default_rng(1).integers(0, 1 << 32, 64, np.uint32)
    bits[:4] = [0, 0xFFFFFFFF, 0x80000000, 0x7FFFFFFF]
    x, wide = bits.view(dtype), np.int64 if dtype is np.int32 else np.uint64
    kernel = cuda.jit(reduction_by(WORD_OPS[name]))
    numpy_name = {"add": "add", "and_": "bitwise_and", "or_": "bitwise_or", "xor": "bitwise_xor"}.get(name)
    fold = getattr(np, numpy_name or name + "imum" * (len(name) == 3)).reduce
    for size in (1, 4, 32):
        out = np.zeros((2, 64), wide)
        kernel[2, 32](x, out, size)
        tiles = x.astype(wide).reshape(-1, size)
        np.testing.assert_array_equal(out[0], np.repeat(fold(tiles, axis=1), size))
        for warp in range(2):
            part = slice(32 * warp, 32 * warp + 32)
            chosen = x[part] & 4 == 0
            assert (out[1, part] == np.where(chosen, fold(x[part][chosen].astype(wide)), 0)).all()


@pytest.mark.parametrize("cc", [(7, 5), (8, 0), (9, 0)])
def test_words_are_reduced_by_an_instruction(cc):
    instructions = {"add": "add.s32|add.u32", "and_": "and.b32", "or_": "or.b32", "xor": "xor.b32", "min": "min.s32",
                    "max": "max.s32"}  # fmt: skip
    for name, instruction in instructions.items():
        for debug in (False, True):
            text, _ = cuda.compile_ptx(reduction_by(WORD_OPS[name]), "void(int32[::1], int64[:, ::1], int64)", cc=cc,
                                       debug=debug, opt=not debug)  # fmt: skip
            found = re.search(rf"redux\.sync\.({instruction})", text)
            assert bool(found) == (cc >= (8, 0)) and (found or "shfl.sync.bfly" in text)
    text, _ = cuda.compile_ptx(reduction_by(max), "void(uint32[::1], uint64[:, ::1], int64)", cc=(9, 0))
    assert "redux.sync.max.u32" in text
    text, _ = cuda.compile_ptx(reduction_by(max), "void(int64[::1], int64[:, ::1], int64)", cc=(9, 0))
    assert "redux" not in text


@cuda.jit
def combined(x, out, size):
    tile = cg.tiled_partition(cg.this_block(), size)
    i = cuda.grid(1)
    out[0, i] = cg.reduce(tile, x[i], plus)
    out[1, i] = cg.reduce(tile, x[i], max)
    out[2, i] = cg.reduce(tile, x[i], operator.mul)
    out[3, i] = cg.inclusive_scan(tile, x[i], operator.add)
    out[4, i] = cg.exclusive_scan(tile, x[i], operator.add)
    out[5, i] = cg.exclusive_scan(tile, x[i], min, x[i])
    out[6, i] = cg.inclusive_scan(tile, x[i], first_of)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int32, np.int64])
def test_reductions_and_scans(size, dtype):
    x = np.random.default_rng(size).permutation(64).astype(dtype)
    out = np.zeros((7, 64))
    combined[2, 32](x, out, size)
    tiles = x.reshape(-1, size).astype(float)
    np.testing.assert_array_equal(out[0], np.repeat(tiles.sum(1), size))
    np.testing.assert_array_equal(out[1], np.repeat(tiles.max(1), size))
    if dtype == np.float64:
        np.testing.assert_allclose(out[2], np.repeat(tiles.prod(1), size))
    np.testing.assert_array_equal(out[3], tiles.cumsum(1).ravel())
    np.testing.assert_array_equal(out[4], (tiles.cumsum(1) - tiles).ravel())
    lowest = np.minimum.accumulate(tiles, 1)
    np.testing.assert_array_equal(out[5], np.concatenate([tiles[:, :1], lowest[:, :-1]], 1).ravel())
    np.testing.assert_array_equal(out[6], np.repeat(tiles[:, 0], size))


# ------------------------------------------------------------------------------------------------
# Tiles that lack threads


@cuda.jit
def last_tiles(x, out, size):
    block = cg.this_block()
    tile = cg.tiled_partition(block, size)
    i = block.thread_rank
    out[0, i] = cg.reduce(tile, x[i], operator.add)
    out[1, i] = cg.reduce(tile, x[i], plus)
    out[2, i] = cg.reduce(tile, x[i], max)
    out[3, i] = cg.inclusive_scan(tile, x[i], plus)
    out[4, i], out[5, i] = tile.shfl(x[i], 3), tile.shfl_down(x[i], 2)
    out[6, i], out[7, i] = tile.shfl_xor(x[i], 5), tile.shfl_up(x[i], 2)
    odd = cg.binary_partition(tile, x[i] % 2 == 1)
    out[8, i], out[9, i] = odd.size, cg.reduce(odd, x[i], plus)
    out[10, i], out[11, i] = tile.all(x[i] >= 0), tile.ballot(x[i] >= 0) & 0xFFFFFFFF


@pytest.mark.parametrize("block", [5, 40, 63, (3, 5), (7, 3, 2)])
@pytest.mark.parametrize("dtype", [np.int8, np.int32, np.uint32, np.int64, np.float32, np.float64])
def test_tiles_that_lack_threads(block, dtype):
    """Whatever the dtype, those that there are have the results."""
    count = int(np.prod(block))
    x = (np.arange(count) * 7 % 5).astype(dtype)
    for size in SIZES:
        out = np.zeros((12, count))
        last_tiles[1, block](x, out, size)
        for i in range(count):
            first, rank = i // size * size, i % size
            tile = x[first:][:size].astype(float)
            there, same = len(tile), tile[tile % 2 == tile[rank] % 2]

            def value(other, tile=tile, rank=rank):
                return tile[other] if 0 <= other < len(tile) else tile[rank]

            assert list(out[:4, i]) == [tile.sum(), tile.sum(), tile.max(), tile[: rank + 1].sum()]
            assert list(out[4:6, i]) == [value(3 % size), value(rank + 2)]
            assert list(out[6:8, i]) == [value(rank ^ 5 if size > 5 else rank), value(rank - 2)]
            assert list(out[8:10, i]) == [len(same), same.sum()]
            assert list(out[10:, i]) == [1, (1 << there) - 1]


@cuda.jit
def in_branches(out):
    """Tiles of a warp may go different ways."""
    tile = cg.tiled_partition(cg.this_block(), 8)
    i = cuda.grid(1)
    if tile.meta_group_rank % 2 == 0:
        out[i] = cg.reduce(tile, i, plus)
    else:
        out[i] = -tile.shfl(i, 7)
    tile.sync()
    cg.sync(tile)


def test_tiles_in_branches():
    out = np.zeros(64, np.int64)
    in_branches[1, 64](out)
    assert list(out) == [8 * (i // 8 * 8) + 28 if i // 8 % 2 == 0 else -(i // 8 * 8 + 7) for i in range(64)]


# ------------------------------------------------------------------------------------------------
# Coalesced threads


@cuda.jit
def coalesced(out, mark):
    i = cuda.grid(1)
    if mark[i]:
        group = cg.coalesced_threads()
        out[0, i], out[1, i] = group.size, group.thread_rank
        out[2, i] = group.shfl(i, 1)
        out[3, i], out[4, i] = group.shfl_up(i, 2), group.shfl_down(i, 2)
        out[5, i], out[6, i] = group.any(i == 40), group.all(i > 2)
        out[7, i] = group.ballot(i % 2 == 0) & 0xFFFFFFFF
        out[8, i] = group.match_any(i // 8) & 0xFFFFFFFF
        out[9, i] = cg.reduce(group, i, plus)
        out[10, i] = cg.inclusive_scan(group, i, plus)
        out[11, i] = cg.exclusive_scan(group, i, plus)
        out[12, i] = group.num_threads
        group.sync()


@pytest.mark.parametrize("every", [1, 2, 3, 31, 0])
def test_coalesced_threads(every):
    mark = np.arange(64) % every == 0 if every else np.random.default_rng(3).random(64) < 0.4
    out = np.zeros((13, 64), np.int64)
    coalesced[2, 32](out, mark)
    for i in np.flatnonzero(mark):
        group = np.flatnonzero(mark[i // 32 * 32 :][:32]) + i // 32 * 32
        n, rank = len(group), int(np.searchsorted(group, i))

        def bits(truth):
            return sum(1 << k for k, value in enumerate(truth) if value)

        assert list(out[:2, i]) == [n, rank]
        assert out[2, i] == group[1 % n]
        assert out[3, i] == group[rank - 2 if rank >= 2 else rank]
        assert out[4, i] == group[rank + 2 if rank + 2 < n else rank]
        assert list(out[5:7, i]) == [(group == 40).any(), (group > 2).all()]
        assert list(out[7:9, i]) == [bits(group % 2 == 0), bits(group // 8 == i // 8)]
        assert list(out[9:13, i]) == [group.sum(), group[: rank + 1].sum(), group[:rank].sum(), n]


@cuda.jit
def positives(x, out, count):
    """One atomic operation for all threads of a warp that have something to store."""
    i = cuda.grid(1)
    if i < x.size and x[i] > 0:
        group = cg.coalesced_threads()
        place = 0
        if group.thread_rank == 0:
            place = cuda.atomic.add(count, 0, group.size)
        out[group.shfl(place, 0) + group.thread_rank] = x[i]


def test_stream_compaction():
    x = np.random.default_rng(5).integers(-5, 5, 1000)
    out, count = np.zeros(1000, np.int64), np.zeros(1, np.int64)
    positives[8, 128](x, out, count)
    assert count[0] == (x > 0).sum()
    np.testing.assert_array_equal(np.sort(out[: count[0]]), np.sort(x[x > 0]))


@cuda.jit
def partitions(labels, out):
    tile = cg.tiled_partition(cg.this_block(), 16)
    i = cuda.grid(1)
    by_label = cg.labeled_partition(tile, labels[i])
    out[0, i], out[1, i] = by_label.size, by_label.thread_rank
    out[2, i], out[3, i] = by_label.meta_group_rank, by_label.meta_group_size
    out[4, i] = cg.reduce(by_label, i, plus)
    odd = cg.binary_partition(tile, labels[i] % 2 == 1)
    out[5, i], out[6, i] = odd.size, odd.meta_group_rank
    again = cg.binary_partition(odd, labels[i] < 2)
    out[7, i] = again.size


def test_partitions():
    labels = np.random.default_rng(9).integers(0, 5, 64)
    out = np.zeros((8, 64), np.int64)
    partitions[2, 32](labels, out)
    for i in range(64):
        tile = np.arange(i // 16 * 16, i // 16 * 16 + 16)
        same = tile[labels[tile] == labels[i]]
        distinct = list(dict.fromkeys(labels[tile]))
        assert list(out[:2, i]) == [len(same), list(same).index(i)]
        assert list(out[2:5, i]) == [distinct.index(labels[i]), len(distinct), same.sum()]
        odd = labels[tile] % 2 == 1
        assert list(out[5:7, i]) == [(odd == (labels[i] % 2 == 1)).sum(), labels[i] % 2]
        assert out[7, i] == ((odd == (labels[i] % 2 == 1)) & ((labels[tile] < 2) == (labels[i] < 2))).sum()


# ------------------------------------------------------------------------------------------------
# Others


def test_only_in_kernels():
    for make in (cg.this_block, cg.this_thread_block, cg.this_cluster, cg.coalesced_threads):
        with pytest.raises(RuntimeError, match="only for functions that are compiled for a GPU"):
            make()


def test_groups_in_device_functions():
    """A group is a value: an argument, a result, part of a tuple."""

    @cuda.jit(device=True)
    def mean(group, x):
        return cg.reduce(group, x, plus) / group.size

    @cuda.jit(device=True)
    def parts(block):
        return cg.tiled_partition(block, 32), cg.tiled_partition(block, 4)

    @cuda.jit
    def kernel(out):
        warp, small = parts(cg.this_block())
        i = cuda.grid(1)
        out[i, 0] = mean(warp, float(i))
        out[i, 1] = mean(small, float(i))

    out = np.zeros((32, 2))
    kernel[1, 32](out)
    assert list(out[:, 0]) == [15.5] * 32
    assert list(out[:, 1]) == [i // 4 * 4 + 1.5 for i in range(32)]


@cuda.jit(device=True)
def leave_a_mark(out, place):
    cuda.atomic.add(out, place, 1)


@cuda.jit
def one_of_each(out):
    tile = cg.tiled_partition(cg.this_block(), 8)
    cg.invoke_one(tile, leave_a_mark, out, tile.meta_group_rank)


def test_invoke_one():
    out = np.zeros(10, np.int64)
    one_of_each[2, 40](out)
    assert list(out) == [2] * 5 + [0] * 5


def test_ptx_of_reductions():
    """With a size that is known, a reduction is its shuffles, without a loop."""

    def of_eight(x, out):
        tile = cg.tiled_partition(cg.this_block(), 8)
        total = cg.reduce(tile, x[cuda.threadIdx.x], operator.add)
        if tile.thread_rank == 0:
            out[tile.meta_group_rank] = total

    ptx, _ = cuda.compile_ptx(of_eight, (float64[::1], float64[::1]), cc=(7, 5))
    assert ptx.count("shfl.sync.bfly") == 6  # two halves of a float64, three times
    assert "bra" not in ptx.replace("bra.uni", "").split("shfl.sync.bfly")[1]
    assert "pyarray_error" not in ptx


def test_compiled_for_declared_types():
    @cuda.jit([(int64[:],)])
    def kernel(out):
        out[cuda.grid(1)] = cg.this_block().thread_rank

    out = np.zeros(8, np.int64)
    kernel[1, 8](out)
    assert list(out) == list(range(8))
