"""Cooperative groups: threads that work together, from a few lanes of a warp to a whole grid.

A group is a value of compiled code: a named tuple of the numbers that it is known by, with properties and methods.
Ranks and sizes are ints. ``a.shfl(...)`` and the like take int, float and bool values as ``cuda.shfl_sync`` does; masks
are int32, with bit ``i`` for the thread of rank ``i`` in the group. Elsewhere every use raises RuntimeError.
"""

import operator
from typing import NamedTuple

import numpy as np

from ..extending import register_jitable
from . import _device as cuda
from ._device import _function, _Value

__all__ = [
    "Cluster",
    "CoalescedGroup",
    "Dim3",
    "GridGroup",
    "ThreadBlock",
    "Tile",
    "binary_partition",
    "coalesced_threads",
    "exclusive_scan",
    "inclusive_scan",
    "invoke_one",
    "labeled_partition",
    "reduce",
    "sync",
    "this_block",
    "this_cluster",
    "this_grid",
    "this_thread_block",
    "tiled_partition",
]

_grid_sync = _function("cg._grid_sync", "", "Wait for all threads of the grid.")
_redux = _function("cg._redux", "mask, value, operation", "32-bit integers of the mask's lanes combined.")
_cluster_sync = _function("cg._cluster_sync", "", "Wait for all threads of the cluster.")
_cluster_dim_x = _function("cg._cluster_dim_x", "", "Blocks of a cluster, along x.")
_cluster_dim_y = _function("cg._cluster_dim_y", "", "Along y.")
_cluster_dim_z = _function("cg._cluster_dim_z", "", "Along z.")
_map_shared = _function("cg._map_shared", "array, rank, own_rank, ranks", "A shared array as another block has it.")

_here = _Value("cg", "True in kernels, and an error elsewhere.")

_ALL_LANES = np.int32(-1)


class Dim3(NamedTuple):
    """A place or an extent along x, y and z."""

    x: int
    y: int
    z: int


# ------------------------------------------------------------------------------------------------
# Lanes of a warp


@register_jitable
def _members_below(mask, lane):
    """How many lanes of the mask are below that lane."""
    return cuda.popc(mask & ((np.int32(1) << np.int32(lane)) - np.int32(1)))


@register_jitable
def _nth_lane(mask, n):
    """The lane of the ``n``-th member of the mask, from 0; some lane where there are not so many."""
    lane = np.int32(0)
    left = np.int32(n)
    width = np.int32(16)
    while width > 0:
        inside = cuda.popc((mask >> lane) & ((np.int32(1) << width) - np.int32(1)))
        if left >= inside:
            left -= inside
            lane += width
        width >>= np.int32(1)
    return lane


@register_jitable
def _compact(mask, lanes):
    """The bits of ``lanes`` that belong to members of ``mask``, by rank."""
    if mask == _ALL_LANES:
        return lanes
    packed = np.int32(0)
    rank = np.int32(0)
    for lane in range(32):
        bit = (lanes >> np.int32(lane)) & np.int32(1)
        if (mask >> np.int32(lane)) & np.int32(1):
            packed |= bit << rank
            rank += np.int32(1)
    return packed


class Tile(NamedTuple):
    """``size`` neighbouring threads of a block, within one warp: what ``tiled_partition`` makes.

    Where ``size`` does not divide the block, the last tile lacks threads: those that there are work together, and it
    is ``size`` all the same.

    Attributes
    ----------
    size, num_threads : int
        1, 2, 4, 8, 16 or 32.
    thread_rank : int
        The thread's place in the tile.
    meta_group_rank, meta_group_size : int
        The tile's place among the tiles of what was divided, and their number.
    """

    size: int
    meta_group_rank: int
    meta_group_size: int

    @property
    def num_threads(self):
        """``size``."""
        return self.size

    @property
    def thread_rank(self):
        """The thread's place in the group, from 0."""
        return np.int32(cuda.laneid) & np.int32(self.size - 1)

    @property
    def _first(self):
        return np.int32(cuda.laneid) & ~np.int32(self.size - 1)

    @property
    def _count(self):
        """How many threads there are."""
        block = ThreadBlock()
        left = block.size - (block.thread_rank - self.thread_rank)
        return left if left < self.size else np.int32(self.size)

    @property
    def _mask(self):
        if self.size == 32:
            return _ALL_LANES
        return ((np.int32(1) << np.int32(self.size)) - np.int32(1)) << self._first

    def _ranks(self, lanes):
        """Lanes of the warp as ranks in the tile."""
        if self.size == 32:
            return np.int32(lanes)
        return np.int32(lanes >> self._first) & ((np.int32(1) << np.int32(self.size)) - np.int32(1))

    def sync(self):
        """Wait for the threads of the tile; what they wrote before is seen afterwards."""
        cuda.syncwarp(self._mask)

    def shfl(self, value, src_rank):
        """The value of the thread of rank ``src_rank``, which is taken modulo ``size``; the own one where there is
        none."""
        rank = np.int32(src_rank) & np.int32(self.size - 1)
        found = cuda.shfl_sync(self._mask, value, self._first + rank)
        return cuda.selp(rank < self._count, found, value)

    def shfl_up(self, value, delta):
        """The value of the thread ``delta`` ranks below; the own one where there is none."""
        found = cuda.shfl_up_sync(self._mask, value, delta)
        return found if self.size == 32 or self.thread_rank >= delta else cuda.selp(True, value, found)

    def shfl_down(self, value, delta):
        """The value of the thread ``delta`` ranks above; the own one where there is none."""
        found = cuda.shfl_down_sync(self._mask, value, delta)
        return cuda.selp(self.thread_rank + delta < self._count, found, value)

    def shfl_xor(self, value, lane_mask):
        """The value of the thread of rank ``thread_rank ^ lane_mask``; the own one where there is none."""
        found = cuda.shfl_xor_sync(self._mask, value, lane_mask)
        return cuda.selp(self.thread_rank ^ lane_mask < self._count, found, value)

    def any(self, predicate):
        """Whether the predicate is true for any thread."""
        return cuda.any_sync(self._mask, predicate)

    def all(self, predicate):
        """Whether the predicate is true for all threads."""
        return cuda.all_sync(self._mask, predicate)

    def ballot(self, predicate):
        """For which threads the predicate is true, as bits by rank."""
        return self._ranks(cuda.ballot_sync(self._mask, predicate))

    def match_any(self, value):
        """The threads that have the same value, as bits by rank."""
        return self._ranks(cuda.match_any_sync(self._mask, value))

    def match_all(self, value):
        """(bits of all threads, True) if all have the same value, else (0, False)."""
        lanes, same = cuda.match_all_sync(self._mask, value)
        return self._ranks(lanes), same


class CoalescedGroup(NamedTuple):
    """Threads of a warp that are together: what ``coalesced_threads`` and the partitions by values make.

    Attributes
    ----------
    mask : int
        The lanes of the warp that are members, as bits.
    size, num_threads, thread_rank, meta_group_rank, meta_group_size : int
        As of tiles; ranks follow the lanes.
    """

    mask: int
    meta_group_rank: int
    meta_group_size: int

    @property
    def _mask(self):
        return np.int32(self.mask)

    @property
    def size(self):
        """How many threads the group has."""
        return cuda.popc(np.int32(self.mask))

    @property
    def num_threads(self):
        """``size``."""
        return cuda.popc(np.int32(self.mask))

    @property
    def thread_rank(self):
        """The thread's place in the group, from 0."""
        return _members_below(np.int32(self.mask), cuda.laneid)

    def sync(self):
        """Wait for the threads of the group; what they wrote before is seen afterwards."""
        cuda.syncwarp(self._mask)

    def shfl(self, value, src_rank):
        """The value of the thread of rank ``src_rank``, which is taken modulo ``size``."""
        return cuda.shfl_sync(self._mask, value, _nth_lane(self._mask, src_rank % self.size))

    def shfl_up(self, value, delta):
        """The value of the thread ``delta`` ranks below; the own one where there is none."""
        rank = self.thread_rank
        return cuda.shfl_sync(self._mask, value, _nth_lane(self._mask, rank - delta if rank >= delta else rank))

    def shfl_down(self, value, delta):
        """The value of the thread ``delta`` ranks above; the own one where there is none."""
        rank = self.thread_rank
        return cuda.shfl_sync(
            self._mask, value, _nth_lane(self._mask, rank + delta if rank + delta < self.size else rank)
        )

    def any(self, predicate):
        """Whether the predicate is true for any thread."""
        return cuda.any_sync(self._mask, predicate)

    def all(self, predicate):
        """Whether the predicate is true for all threads."""
        return cuda.all_sync(self._mask, predicate)

    def ballot(self, predicate):
        """For which threads the predicate is true, as bits by rank."""
        return _compact(self._mask, np.int32(cuda.ballot_sync(self._mask, predicate)))

    def match_any(self, value):
        """The threads that have the same value, as bits by rank."""
        return _compact(self._mask, np.int32(cuda.match_any_sync(self._mask, value)))

    def match_all(self, value):
        """(bits of all threads, True) if all have the same value, else (0, False)."""
        lanes, same = cuda.match_all_sync(self._mask, value)
        return _compact(self._mask, np.int32(lanes)), same


# ------------------------------------------------------------------------------------------------
# Blocks, clusters, grids


class ThreadBlock(NamedTuple):
    """The threads of the block: what ``this_thread_block`` gives.

    Attributes
    ----------
    size, num_threads, thread_rank : int
    thread_index, dim_threads, group_dim, group_index : Dim3
        The thread's place, the block's extents (twice), and the block's place in the grid.
    """

    @property
    def size(self):
        """How many threads the group has."""
        return np.int32(cuda.blockDim.x * cuda.blockDim.y * cuda.blockDim.z)

    @property
    def num_threads(self):
        """``size``."""
        return np.int32(cuda.blockDim.x * cuda.blockDim.y * cuda.blockDim.z)

    @property
    def thread_rank(self):
        """The thread's place in the group, from 0."""
        row = cuda.threadIdx.y + cuda.blockDim.y * cuda.threadIdx.z
        return np.int32(cuda.threadIdx.x + cuda.blockDim.x * row)

    @property
    def thread_index(self):
        """The thread's place in the block."""
        return Dim3(cuda.threadIdx.x, cuda.threadIdx.y, cuda.threadIdx.z)

    @property
    def dim_threads(self):
        """The block's extents, in threads."""
        return Dim3(cuda.blockDim.x, cuda.blockDim.y, cuda.blockDim.z)

    @property
    def group_dim(self):
        """``dim_threads``."""
        return Dim3(cuda.blockDim.x, cuda.blockDim.y, cuda.blockDim.z)

    @property
    def group_index(self):
        """The block's place in the grid."""
        return Dim3(cuda.blockIdx.x, cuda.blockIdx.y, cuda.blockIdx.z)

    def sync(self):
        """Wait for all threads of the block: ``cuda.syncthreads()``."""
        cuda.syncthreads()


class Cluster(NamedTuple):
    """The blocks of the cluster: what ``this_cluster`` gives. Of a launch without clusters it is the block alone.

    Attributes
    ----------
    size, num_threads, thread_rank : int
    num_blocks, block_rank : int
    dim_blocks, block_index : Dim3
        The cluster's extents, and the block's place in it.
    cluster_index : Dim3
        The cluster's place in the grid.
    """

    @property
    def dim_blocks(self):
        """The group's extents, in blocks."""
        return Dim3(_cluster_dim_x(), _cluster_dim_y(), _cluster_dim_z())

    @property
    def num_blocks(self):
        """How many blocks the group has."""
        return np.int32(_cluster_dim_x() * _cluster_dim_y() * _cluster_dim_z())

    @property
    def block_index(self):
        """The block's place in the group."""
        return Dim3(
            cuda.blockIdx.x % _cluster_dim_x(), cuda.blockIdx.y % _cluster_dim_y(), cuda.blockIdx.z % _cluster_dim_z()
        )

    @property
    def cluster_index(self):
        """The cluster's place in the grid."""
        return Dim3(
            cuda.blockIdx.x // _cluster_dim_x(),
            cuda.blockIdx.y // _cluster_dim_y(),
            cuda.blockIdx.z // _cluster_dim_z(),
        )

    @property
    def block_rank(self):
        """The block's place in the group, from 0."""
        x, y, z = _cluster_dim_x(), _cluster_dim_y(), _cluster_dim_z()
        row = cuda.blockIdx.y % y + y * (cuda.blockIdx.z % z)
        return np.int32(cuda.blockIdx.x % x + x * row)

    @property
    def size(self):
        """How many threads the group has."""
        return np.int32(self.num_blocks * ThreadBlock().size)

    @property
    def num_threads(self):
        """``size``."""
        return np.int32(self.num_blocks * ThreadBlock().size)

    @property
    def thread_rank(self):
        """The thread's place in the group, from 0."""
        block = ThreadBlock()
        return np.int32(self.block_rank * block.size + block.thread_rank)

    def sync(self):
        """Wait for all threads of the cluster, but those that have returned."""
        _cluster_sync()

    def map_shared_rank(self, array, rank):
        """The shared array ``array`` as the block of rank ``rank`` has it: distributed shared memory.

        No block may return while others use its memory: ``sync()`` before.
        """
        return _map_shared(array, rank, self.block_rank, self.num_blocks)


class GridGroup(NamedTuple):
    """All threads of the launch: what ``this_grid`` gives.

    Attributes
    ----------
    size, num_threads, thread_rank : int
    num_blocks, block_rank : int
    dim_blocks, group_dim, block_index : Dim3
        The grid's extents in blocks (twice), and the block's place.
    """

    @property
    def num_blocks(self):
        """How many blocks the group has."""
        return cuda.gridDim.x * cuda.gridDim.y * cuda.gridDim.z

    @property
    def block_rank(self):
        """The block's place in the group, from 0."""
        return cuda.blockIdx.x + cuda.gridDim.x * (cuda.blockIdx.y + cuda.gridDim.y * cuda.blockIdx.z)

    @property
    def dim_blocks(self):
        """The group's extents, in blocks."""
        return Dim3(cuda.gridDim.x, cuda.gridDim.y, cuda.gridDim.z)

    @property
    def group_dim(self):
        """``dim_blocks``."""
        return Dim3(cuda.gridDim.x, cuda.gridDim.y, cuda.gridDim.z)

    @property
    def block_index(self):
        """The block's place in the group."""
        return Dim3(cuda.blockIdx.x, cuda.blockIdx.y, cuda.blockIdx.z)

    @property
    def size(self):
        """How many threads the group has."""
        return self.num_blocks * ThreadBlock().size

    @property
    def num_threads(self):
        """``size``."""
        return self.num_blocks * ThreadBlock().size

    @property
    def thread_rank(self):
        """The thread's place in the group, from 0."""
        block = ThreadBlock()
        return self.block_rank * block.size + block.thread_rank

    def sync(self):
        """Wait for all threads of the grid; what they wrote before is seen by all afterwards.

        Kernels that do so are launched cooperatively.
        """
        _grid_sync()


# ------------------------------------------------------------------------------------------------
# Functions


@register_jitable
def this_grid():
    """All threads of the launch."""
    bool(_here)
    return GridGroup()


@register_jitable
def this_cluster():
    """The threads of the block's cluster."""
    bool(_here)
    return Cluster()


@register_jitable
def this_thread_block():
    """The threads of the block."""
    bool(_here)
    return ThreadBlock()


this_block = this_thread_block


@register_jitable
def coalesced_threads():
    """The threads of the warp that are together here, as a group."""
    return CoalescedGroup(np.int32(cuda.activemask()), 0, 1)


@register_jitable
def sync(group):
    """``group.sync()``."""
    group.sync()


@register_jitable
def tiled_partition(group, size):
    """The tile of the thread: ``size`` neighbouring threads of a block or of a larger tile.

    Parameters
    ----------
    group : ThreadBlock or Tile
    size : int
        1, 2, 4, 8, 16 or 32, known when it is compiled or not; of a tile at most its size.

    Raises
    ------
    ValueError
        The size is none of these.
    """
    if size < 1 or size > 32 or size & (size - 1) != 0 or size > group.size and isinstance(group, Tile):
        raise ValueError("a tile has 1, 2, 4, 8, 16 or 32 threads, and no more than what it divides")
    return Tile(size, group.thread_rank // size, (group.size + size - 1) // size)


@register_jitable
def binary_partition(group, predicate):
    """The threads of a tile or coalesced group whose predicate is the same as this thread's, as a coalesced group."""
    yes = np.int32(cuda.ballot_sync(group._mask, predicate))
    no = np.int32(cuda.ballot_sync(group._mask, not predicate))  # of the threads that there are
    if predicate:
        return CoalescedGroup(yes, 1, 2)
    return CoalescedGroup(no, 0, 2)


@register_jitable
def labeled_partition(group, label):
    """The threads of a tile or coalesced group that have the same label, an int, as a coalesced group.

    ``meta_group_rank`` counts the labels by their first threads.
    """
    mask = np.int32(cuda.match_any_sync(group._mask, label))
    lane = np.int32(cuda.laneid)
    first = _members_below(mask, lane) == 0
    firsts = np.int32(cuda.ballot_sync(group._mask, first))
    leader = np.int32(cuda.ffs(mask)) - np.int32(1)
    return CoalescedGroup(mask, _members_below(firsts, leader), cuda.popc(firsts))


@register_jitable
def invoke_one(group, function, *arguments):
    """Call ``function(*arguments)`` in one thread of the group, the first one. Its result is dropped."""
    if group.thread_rank == 0:
        function(*arguments)


@register_jitable
def reduce(group, value, op):
    """Combine the values of all threads of a tile or coalesced group; every thread gets the result.

    Parameters
    ----------
    value : int, float or bool
    op : function
        Of two values, associative and commutative: ``operator.add``, ``max``, a device function.
    """
    if isinstance(value, np.int32):
        return _combine_signed(group, value, op)
    elif isinstance(value, np.uint32):
        return _combine_unsigned(group, value, op)
    else:
        return _combine_by_shuffles(group, value, op)


@register_jitable
def _combine_by_shuffles(group, value, op):
    if isinstance(group, Tile):
        rank, count = group.thread_rank, group._count
        offset = group.size >> 1
        while offset > 0:
            other = cuda.shfl_xor_sync(group._mask, value, offset)
            if rank ^ offset < count:
                value = op(value, other)
            offset >>= 1
        # Where threads are lacking, the first one alone has met all others.
        return value if count == group.size else group.shfl(value, 0)
    total = inclusive_scan(group, value, op)
    return group.shfl(total, group.size - 1)


# Where the warp has an instruction for it (lib/device/redux.h has the numbers). A sum of 32-bit integers has 64 bits,
# as outside: those of the halves have 21 at most. An operation that changes nothing gives others the type of theirs.


@register_jitable
def _combine_signed(group, value, op):
    if op is operator.add:
        low = _redux(group._mask, np.int32(value & np.int32(0xFFFF)), 0)
        return (np.int64(_redux(group._mask, np.int32(value >> np.int32(16)), 0)) << 16) + np.int64(low)
    elif op is min or op is np.minimum:
        return _redux(group._mask, value, 1)
    elif op is max or op is np.maximum:
        return _redux(group._mask, value, 2)
    elif op is operator.and_ or op is operator.or_ or op is operator.xor:
        return _combine_bits(group, value, op)
    else:
        return _combine_by_shuffles(group, value, op)


@register_jitable
def _combine_unsigned(group, value, op):
    if op is operator.add:
        low = _redux(group._mask, np.uint32(value & np.uint32(0xFFFF)), 0)
        return (np.uint64(_redux(group._mask, np.uint32(value >> np.uint32(16)), 0)) << np.uint64(16)) + np.uint64(low)
    elif op is min or op is np.minimum:
        return _redux(group._mask, value, 3)
    elif op is max or op is np.maximum:
        return _redux(group._mask, value, 4)
    elif op is operator.and_ or op is operator.or_ or op is operator.xor:
        return _combine_bits(group, value, op)
    else:
        return _combine_by_shuffles(group, value, op)


@register_jitable
def _combine_bits(group, value, op):
    if op is operator.and_:
        total = _redux(group._mask, value, 5)
        return total & total
    elif op is operator.or_:
        total = _redux(group._mask, value, 6)
        return total | total
    else:
        total = _redux(group._mask, value, 7)
        return total ^ (total ^ total)


@register_jitable
def inclusive_scan(group, value, op):
    """What ``reduce`` gives for the threads up to this one, in the order of ranks; ``op`` need not be commutative."""
    rank = group.thread_rank
    size = group.size
    delta = 1
    while delta < size:
        below = group.shfl_up(value, delta)
        if rank >= delta:
            value = op(below, value)
        delta <<= 1
    return value


@register_jitable
def exclusive_scan(group, value, op, init=None):
    """What ``reduce`` gives for the threads below this one; ``init`` for the first one, 0 unless it is given."""
    below = group.shfl_up(inclusive_scan(group, value, op), 1)
    if init is None:
        return below if group.thread_rank > 0 else below.dtype.type(0)
    return cuda.selp(group.thread_rank > 0, below, init)
