"""Kernels that sort: by eight bits of the keys at a time, from the last ones on (`kernels` says what kernels are).

Keys are unsigned integers in the order of the elements, which the first kernel that reads them makes, and the last one
turns back. What differs between types is in five numbers, so that one kernel serves all types of a size.
"""

import numpy as np

from ...cuda._device import (
    atomic,
    ballot_sync,
    blockIdx,
    lanemask_lt,
    ldcg,
    ldcv,
    local,
    popc,
    shared,
    shfl_up_sync,
    stcg,
    syncthreads,
    syncwarp,
    threadfence,
    threadIdx,
)
from .._intrinsics import literal, match_byte

BITS = 8
DIGITS = 1 << BITS
SORTERS = 512  # threads that sort a tile
ROW_SORTERS = 256  # that sort a row
_WARP = 32
GROUP = 8  # elements that a thread counts at once
_ALL = np.uint32(0xFFFFFFFF)
_TAG = 56  # bits of a count below what says which it is
_COUNT = (1 << _TAG) - 1

# Keys -----------------------------------------------------------------------------------------------------------------


def _word(x):
    """What keys are computed as."""
    if x.dtype.itemsize == 8:
        return np.uint64
    return np.uint32


def _key(bits, x, positive, negative, low, greatest, minus_zero):
    """The key of an element of ``x``."""
    word = _word(x)
    top = word(word(1) << word(8 * x.dtype.itemsize - 1))
    mask = word(top | word(top - word(1)))
    if bits == minus_zero:
        bits = word(0)
    key = word(word(word(bits ^ (negative if bits & top != word(0) else positive)) - low) & mask)
    return min(key, greatest)


def _bits(key, x, positive, negative, low):
    """The element that has this key."""
    word = _word(x)
    top = word(word(1) << word(8 * x.dtype.itemsize - 1))
    mask = word(top | word(top - word(1)))
    bits = word(word(key + low) & mask)
    return word(bits ^ (positive if bits & top != word(0) else negative))


def _shift(x, number):
    """How far a digit of a key is from the last one."""
    word = _word(x)
    if x.dtype.itemsize == 8:
        return word(number * BITS & 63)
    return word(number * BITS & 31)


def _digit(key, shift):
    return np.uint32(np.uint32(key >> shift) & np.uint32(DIGITS - 1))


# Ranks of a tile's keys -----------------------------------------------------------------------------------------------


def _counter(warp, digit):
    """Where a warp counts a digit."""
    return np.uint32(warp * DIGITS + digit)


def _rank_of_warp(own, ranks, shift, counters, warp, items: literal):
    """For each key, how many before it in its warp have its digit; ``counters`` then has how many there are."""
    lower = np.uint32(lanemask_lt())
    for k in range(items):
        digit = _digit(own[k], shift)
        peers = np.uint32(match_byte(_ALL, np.int32(digit)))
        at = _counter(warp, digit)
        before = counters[at]
        syncwarp()
        below = np.uint32(peers & lower)
        if below == np.uint32(0):
            counters[at] = np.uint32(before + np.uint32(popc(peers)))
        syncwarp()
        ranks[k] = np.uint32(before + np.uint32(popc(below)))


def _total_of_warps(counters, t, warps: literal):
    """How often a digit occurs; ``counters`` then has how often in the warps before each."""
    total = np.uint32(0)
    for warp in range(warps):
        at = _counter(np.uint32(warp), t)
        count = counters[at]
        counters[at] = total
        total = np.uint32(total + count)
    return total


def _running_total(value, lane, kind):
    """Of a warp, with the thread's own."""
    for step in range(5):
        other = shfl_up_sync(_ALL, value, 1 << step)
        if lane >= np.uint32(1 << step):
            value = kind(value + other)
    return value


def _start_digits(total, counters, sums, t, warps: literal):
    """Add to the counters of each digit how often lower ones occur; gives that number to each thread of a digit."""
    lane, warp = np.uint32(t & 31), np.uint32(t >> 5)
    start = np.int32(0)
    if t < np.uint32(DIGITS):
        start = _running_total(np.int32(total), lane, np.int32)
        if lane == np.uint32(_WARP - 1):
            sums[warp] = start
        start = np.int32(start - np.int32(total))
    syncthreads()
    if t < np.uint32(DIGITS):
        for other in range(DIGITS // _WARP - 1):
            if np.uint32(other) < warp:
                start = np.int32(start + sums[other])
        for other in range(warps):
            at = _counter(np.uint32(other), t)
            counters[at] = np.uint32(counters[at] + np.uint32(start))
    syncthreads()
    return start


# Short rows -----------------------------------------------------------------------------------------------------------


def sort_rows(
    blocks, threads, x, length, positive, negative, low, greatest, minus_zero, made, places, items: literal,
    placed: literal,
):  # fmt: skip
    """Sort rows of ``items * ROW_SORTERS`` elements at most, each by a block; if ``placed``, say where they were."""
    word = _word(x)
    staged = shared.array(ROW_SORTERS * items, word)
    counters = shared.array(DIGITS * (ROW_SORTERS // _WARP), np.uint32)
    sums = shared.array(DIGITS // _WARP, np.int32)
    own = local.array(items, word)
    ranks = local.array(items, np.uint32)
    own_places = local.array(items, np.uint32)
    t, begin, count = np.uint32(threadIdx.x), np.uint64(blockIdx.x) * np.uint64(length), np.uint32(length)
    warp = np.uint32(t >> 5)
    first = np.uint32(warp * (_WARP * items) + np.uint32(t & 31))
    for k in range(items):
        i = np.uint32(first + k * _WARP)
        own[k] = word(~word(0))
        own_places[k] = i
        if i < count:
            own[k] = _key(word(x[begin + np.uint64(i)]), x, positive, negative, low, greatest, minus_zero)
    for number in range(x.dtype.itemsize):
        shift = _shift(x, number)
        for other in range(ROW_SORTERS // _WARP):
            counters[_counter(np.uint32(other), t)] = np.uint32(0)
        syncthreads()
        _rank_of_warp(own, ranks, shift, counters, warp, items)
        syncthreads()
        total = _total_of_warps(counters, t, ROW_SORTERS // _WARP)
        _start_digits(total, counters, sums, t, ROW_SORTERS // _WARP)
        for k in range(items):
            ranks[k] = np.uint32(ranks[k] + counters[_counter(warp, _digit(own[k], shift))])
            staged[ranks[k]] = own[k]
        syncthreads()
        for k in range(items):
            own[k] = staged[np.uint32(first + k * _WARP)]
        syncthreads()
        if placed:
            for k in range(items):
                staged[ranks[k]] = word(own_places[k])
            syncthreads()
            for k in range(items):
                own_places[k] = np.uint32(staged[np.uint32(first + k * _WARP)])
            syncthreads()
    for k in range(items):
        i = np.uint32(first + k * _WARP)
        if i < count:
            if placed:
                places[begin + np.uint64(i)] = own_places[k]
            else:
                made[begin + np.uint64(i)] = x.dtype.type(_bits(own[k], x, positive, negative, low))


# Long rows ------------------------------------------------------------------------------------------------------------
#
# ``work`` has 256 numbers, a line, for each thing, all 0 before: the first is of the sort, whose first number counts
# the blocks that have begun. Then each row has one (how many blocks have counted its digits; which digits order it, as
# bits) and, for each digit of a key, how many keys have a lower one. Last come those of the tiles.


def _place(line, digit):
    """Where a number is in ``work``."""
    return np.uint64(line) * np.uint64(DIGITS) + np.uint64(digit)


def count_digits(
    blocks, threads, x, length, rows, positive, negative, low, greatest, minus_zero, even, work, digits: literal
):
    """How many keys of each row have each digit. An even number of digits orders a row, or one, if ``even``."""
    word = _word(x)
    counters = shared.array(8 * DIGITS, np.int32)
    last = shared.array(1, np.int32)
    ordering = shared.array(8, np.int32)
    own = local.array(GROUP, word)
    t = np.uint32(threadIdx.x)
    warp, lane = np.uint32(t >> 5), np.uint32(t & 31)
    parts = blocks // rows
    row, part = np.int64(blockIdx.x) // parts, np.int64(blockIdx.x) % parts
    line, start = 1 + row * (digits + 1), np.uint64(row * length)
    for i in range(t, digits * DIGITS, SORTERS):
        counters[i] = np.int32(0)
    syncthreads()
    for begin in range(part * (GROUP * SORTERS), length, parts * (GROUP * SORTERS)):
        count = np.uint32(min(length - begin, GROUP * SORTERS))
        for k in range(GROUP):
            i = np.uint32(t + k * SORTERS)
            own[k] = word(0)
            if i < count:
                own[k] = word(x[start + np.uint64(begin) + np.uint64(i)])
        for k in range(GROUP):
            if np.uint32(t + k * SORTERS) < count:
                key = _key(own[k], x, positive, negative, low, greatest, minus_zero)
                for number in range(digits):
                    at = _counter(np.uint32(number), _digit(key, _shift(x, number)))
                    atomic.add(counters, at, np.int32(1))
    syncthreads()
    for i in range(t, digits * DIGITS, SORTERS):
        if counters[i] != 0:
            atomic.add(work, _place(line + 1, i), np.int64(counters[i]))
    threadfence()
    syncthreads()
    if t == 0:
        last[0] = np.int32(1 if atomic.add(work, _place(line, 0), np.int64(1)) == parts - 1 else 0)
    syncthreads()
    if last[0] != 0:  # all have been counted
        threadfence()
        if warp < digits:
            total, one = np.int64(0), False
            at = np.int64(lane) * (DIGITS // _WARP)
            for k in range(DIGITS // _WARP):
                count_of_digit = ldcg(work, _place(line + 1 + warp, at + k))
                one = one or count_of_digit == length
                total += count_of_digit
            before = _running_total(total, lane, np.int64) - total
            for k in range(DIGITS // _WARP):
                count_of_digit = ldcg(work, _place(line + 1 + warp, at + k))
                work[_place(line + 1 + warp, at + k)] = before
                before += count_of_digit
            others = ballot_sync(_ALL, one)
            if lane == 0:
                ordering[warp] = np.int32(0 if others != 0 else 1)
        syncthreads()
        if t == 0:
            active = 0
            for number in range(digits):
                if ordering[number] != 0:
                    active |= 1 << number
            if active == 0:
                active = 1
            elif even and popc(active) % 2 == 1:
                active |= ~active & (active + 1)
            work[_place(line, 1)] = active


def _before(work, look, tag):
    """How many keys with a digit are in all tiles before one. ``look``: where the last of these says it.

    Each tile says how many it has, later also how many with those before it. (To ask several at once is no faster: what
    waits is then in the way of what is waited for.)
    """
    before, ended = np.int64(0), False
    while not ended:
        seen = ldcv(work, np.uint64(look))
        if seen >> _TAG >= tag:
            before += seen & _COUNT
            ended = seen >> _TAG > tag
            look -= DIGITS
    return before


def move_digits(
    blocks, threads, x, length, rows, positive, negative, low, greatest, minus_zero, number, work, keys, other_keys,
    places, other_places, out, digits: literal, items: literal, placed: literal,
):  # fmt: skip
    """Bring rows into the order of a digit of the keys, if it is one that orders them: ``number`` says which.

    The first time keys are read from ``x``. They go to ``other_keys`` the last time, and to one after the other before;
    so do, if ``placed``, the places, which go to ``out`` the last time, and then alone.
    """
    word, whole = _word(x), SORTERS * items
    staged = shared.array(SORTERS * items, word)
    counters = shared.array(DIGITS * (SORTERS // _WARP), np.uint32)
    base = shared.array(DIGITS, np.uint64)
    sums = shared.array(DIGITS // _WARP, np.int32)
    begun = shared.array(4, np.int64)
    own = local.array(items, word)
    ranks = local.array(items, np.uint32)
    t = np.uint32(threadIdx.x)
    warp = np.uint32(t >> 5)
    first = np.uint32(warp * (_WARP * items) + np.uint32(t & 31))
    if t == 0:  # blocks take tiles as they begin, so that those before are under way
        taken = atomic.add(work, 0, np.int64(1)) - number * blocks
        of_row = taken // (blocks // rows)
        begun[0], begun[1], begun[2] = taken, of_row, taken - of_row * (blocks // rows)
        begun[3] = work[_place(1 + of_row * (digits + 1), 1)]
    for k in range(DIGITS * (SORTERS // _WARP) // SORTERS):
        counters[np.uint32(t + k * SORTERS)] = np.uint32(0)
    syncthreads()
    row, tile, active = begun[1], begun[2], begun[3]
    if active >> number & 1 != 0:
        shift, start_of_row = _shift(x, number), np.uint64(row * length)
        begin = start_of_row + np.uint64(tile * whole)
        count = np.uint32(min(whole, length - tile * whole))
        # Keys, which are those of the elements the first time.
        is_first, left = active & ((1 << number) - 1) == 0, popc(active >> (number + 1))
        source = x if is_first else (other_keys if left % 2 == 1 else keys)
        for k in range(items):
            i = np.uint32(first + k * _WARP)
            own[k] = word(~word(0))
            if i < count:
                own[k] = word(source[begin + np.uint64(i)])
        if is_first:
            for k in range(items):
                if np.uint32(first + k * _WARP) < count:
                    own[k] = _key(own[k], x, positive, negative, low, greatest, minus_zero)
        _rank_of_warp(own, ranks, shift, counters, warp, items)
        syncthreads()
        total = np.uint32(0)
        if t < np.uint32(DIGITS):
            total = _total_of_warps(counters, t, SORTERS // _WARP)
        # What others need to know comes first.
        mine, tag = np.int64(_place(1 + rows * (digits + 1) + begun[0], t)), np.int64(2 * number + 1)
        found, before = np.int64(total), np.int64(0)
        if t == np.uint32(DIGITS - 1):
            found -= whole - np.int64(count)
        if t < np.uint32(DIGITS):
            if tile == 0:
                before = work[_place(2 + row * (digits + 1) + number, t)]
                stcg(work, np.uint64(mine), (before + found) | ((tag + 1) << _TAG))
            else:
                stcg(work, np.uint64(mine), found | (tag << _TAG))
        start = _start_digits(total, counters, sums, t, SORTERS // _WARP)
        for k in range(items):
            ranks[k] = np.uint32(ranks[k] + counters[_counter(warp, _digit(own[k], shift))])
            staged[ranks[k]] = own[k]
        if t < np.uint32(DIGITS):
            if tile > 0:
                before = _before(work, mine - DIGITS, tag)
                stcg(work, np.uint64(mine), (before + found) | ((tag + 1) << _TAG))
            base[t] = start_of_row + np.uint64(before - start)
        syncthreads()
        for k in range(items):
            own[k] = staged[np.uint32(t + k * SORTERS)]
        if not placed or left != 0:
            target, to = other_keys if left % 2 == 0 else keys, local.array(items, np.uint64)
            for k in range(items):
                to[k] = base[_digit(own[k], shift)] + np.uint64(np.uint32(t + k * SORTERS))
            if not placed and left == 0:
                for k in range(items):
                    own[k] = _bits(own[k], x, positive, negative, low)
            for k in range(items):
                if np.uint32(t + k * SORTERS) < count:
                    target[to[k]] = x.dtype.type(own[k])
        if placed:
            syncthreads()
            origin, turn = other_places if left % 2 == 1 else places, np.uint32(tile * whole)
            for k in range(items):
                i = np.uint32(first + k * _WARP)
                place = np.uint32(turn + i)
                if i < count and not is_first:
                    place = origin[begin + np.uint64(i)]
                staged[ranks[k]] = word(place)
            syncthreads()
            to_places = other_places if left % 2 == 0 else places
            for k in range(items):
                i = np.uint32(t + k * SORTERS)
                at, place = base[_digit(own[k], shift)] + np.uint64(i), staged[i]
                if i < count:
                    if left == 0:
                        out[at] = np.int64(place)
                    else:
                        to_places[at] = np.uint32(place)
