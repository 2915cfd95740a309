"""Generators of other iterables, with the items and the order of Python's."""
# ruff: noqa: F821, F841

from ._intrinsics import given, literal, missing
from .builtins import iterators
from .containers import equal


def count(start=0, step=1):
    """``start``, ``start + step``, ... without an end."""
    value = start
    while True:
        yield value
        value += step


def cycle(iterable, /):
    """The items again and again."""
    saved = []
    for item in iterable:
        saved.append(item)
        yield item
    while len(saved) > 0:
        for item in saved:
            yield item


def repeat(object, times=missing):
    """The object, ``times`` times or without an end."""
    if given(times):
        for _ in range(times):
            yield object
    else:
        while True:
            yield object


def accumulate(iterable, func=None, *, initial=missing):
    """Running sums, or what the function makes of the last result and the next item."""
    if given(initial):
        total = initial
        yield total
        for item in iterable:
            total = total + item if func is None else func(total, item)
            yield total
    else:
        found = False
        for item in iterable:
            if not found:
                total = item
                found = True
            else:
                total = total + item if func is None else func(total, item)
            yield total


def chain(*iterables):
    """The items of one after those of the other."""
    for iterable in iterables:
        yield from iterable


def from_iterable(iterable, /):
    """``chain.from_iterable``."""
    for inner in iterable:
        yield from inner


def batched(iterable, n, *, strict=False):
    """Lists of ``n`` items each; the last may have fewer, but not where ``strict`` is true."""
    if n < 1:
        raise ValueError("n must be at least one")
    batch = []
    for item in iterable:
        batch.append(item)
        if len(batch) == n:
            yield batch
            batch = []
    if len(batch) > 0:
        if strict:
            raise ValueError("batched(): incomplete batch")
        yield batch


def compress(data, selectors):
    """The items whose selector is true."""
    for item, chosen in zip(data, selectors):
        if chosen:
            yield item


def dropwhile(predicate, iterable, /):
    """The items from the first one on of which the predicate is false."""
    dropping = True
    for item in iterable:
        if dropping:
            dropping = predicate(item)
        if not dropping:
            yield item


def takewhile(predicate, iterable, /):
    """The items before the first one of which the predicate is false."""
    for item in iterable:
        if not predicate(item):
            return
        yield item


def filterfalse(predicate, iterable, /):
    """The items of which the predicate is false; those that are false where it is None."""
    for item in iterable:
        if predicate is None:
            if not item:
                yield item
        elif not predicate(item):
            yield item


def starmap(function, iterable, /):
    """The function of the elements of each item."""
    for items in iterable:
        yield function(*items)


def pairwise(iterable, /):
    """Each item with the one that follows it."""
    found = False
    for item in iterable:
        if found:
            yield last, item
        last = item
        found = True


def _slice(iterable, start, stop, step):
    if start < 0 or (stop is not None and stop < 0):
        raise ValueError("Indices for islice() must be None or an integer: 0 <= x <= sys.maxsize.")
    if step < 1:
        raise ValueError("Step for islice() must be a positive integer or None.")
    wanted = start
    at = 0
    if stop is not None and stop <= 0:
        return
    for item in iterable:
        if at == wanted and (stop is None or at < stop):
            yield item
            wanted += step
        at += 1
        if stop is not None and at >= stop:
            return


def _or_else(value, otherwise):
    return otherwise if value is None else value


def _later(source, saved):
    at = 0
    while True:
        if at == len(saved):
            for item in source:
                saved.append(item)
                break
        if at == len(saved):
            return
        yield saved[at]
        at += 1


def _branches(source, saved, n: literal):
    if n == 0:
        return ()
    return (_later(source, saved),) + _branches(source, saved, n - 1)


def tee(iterable, n: literal = 2, /):
    """A tuple of generators, each of all items. What was read is kept as long as one of them is there."""
    return _branches(iter(iterable), [], n)


def islice(iterable, start, stop=missing, step=None, /):
    """Items by their numbers: ``islice(iterable, stop)`` or ``islice(iterable, start, stop, step)``."""
    if given(stop):
        return _slice(iterable, _or_else(start, 0), stop, _or_else(step, 1))
    return _slice(iterable, 0, start, 1)


def _item_or(iterator, otherwise):
    for item in iterator:
        return item, True
    return otherwise, False


def _longest(iterators, fillvalue):
    # The next item of each, or the value in its place; whether there was one.
    if len(iterators) == 0:
        return (), False
    head, found = _item_or(iterators[0], fillvalue)
    rest, more = _longest(iterators[1:], fillvalue)
    return (head,) + rest, found or more


def zip_longest(*iterables, fillvalue=None):
    """``zip`` up to the end of the longest."""
    sources = iterators(iterables)
    while True:
        items, more = _longest(sources, fillvalue)
        if not more:
            return
        yield items


def groupby(iterable, key=None):
    """Keys and the items, one behind the other, that have that key. The groups draw from the same iterator."""
    items = iter(iterable)
    for item in items:  # the first of a group, and its key
        value = item if key is None else key(item)
        break
    else:
        return
    number = 0  # of the group that may draw

    def group(mine, wanted):
        nonlocal item, value, number
        if number != mine:
            return
        yield item
        if number != mine:
            return
        for drawn in items:
            found = drawn if key is None else key(drawn)
            if not equal(wanted, found):
                item = drawn
                value = found
                number += 1
                return
            yield drawn
            if number != mine:
                return

    while True:
        wanted = value
        mine = number
        yield wanted, group(mine, wanted)
        if number == mine:  # the group has not come to the next one
            number += 1
            for drawn in items:
                found = drawn if key is None else key(drawn)
                if not equal(wanted, found):
                    break
            else:
                return
            item = drawn
            value = found


def _product(pools):
    if len(pools) == 0:
        yield ()
    else:
        for item in pools[0]:
            for rest in _product(pools[1:]):
                yield (item,) + rest


def _pools(iterables):
    if len(iterables) == 0:
        return ()
    return (list(iterables[0]),) + _pools(iterables[1:])


def _repeated(pools, count: literal):
    if count <= 0:
        return ()
    return pools + _repeated(pools, count - 1)


def product(*iterables, repeat: literal = 1):
    """Every choice of an item from each, the last one changing first."""
    return _product(_repeated(_pools(iterables), repeat))


def _pick(pool, indices, count: literal):
    # The items at the first |count| indices.
    if count == 0:
        return ()
    return _pick(pool, indices, count - 1) + (pool[indices[count - 1]],)


def _check_length(r):
    if r < 0:
        raise ValueError("r must be non-negative")


def combinations(iterable, r: literal):
    """Every choice of ``r`` items, in their order."""
    _check_length(r)
    pool = list(iterable)
    length = len(pool)
    if r > length:
        return
    indices = list(range(r))
    while True:
        yield _pick(pool, indices, r)
        at = r - 1
        while at >= 0 and indices[at] == at + length - r:
            at -= 1
        if at < 0:
            return
        indices[at] += 1
        for k in range(at + 1, r):
            indices[k] = indices[k - 1] + 1


def combinations_with_replacement(iterable, r: literal):
    """Every choice of ``r`` items, in their order, that may repeat."""
    _check_length(r)
    pool = list(iterable)
    length = len(pool)
    if length == 0 and r > 0:
        return
    indices = [0] * r
    while True:
        yield _pick(pool, indices, r)
        at = r - 1
        while at >= 0 and indices[at] == length - 1:
            at -= 1
        if at < 0:
            return
        value = indices[at] + 1
        for k in range(at, r):
            indices[k] = value


def permutations(iterable, r: literal = missing):
    """Every order of ``r`` of the items."""
    _check_length(r)
    pool = list(iterable)
    length = len(pool)
    if r > length:
        return
    indices = list(range(length))
    cycles = list(range(length, length - r, -1))
    while True:
        yield _pick(pool, indices, r)
        at = r - 1
        while at >= 0:
            cycles[at] -= 1
            if cycles[at] > 0:
                break
            index = indices[at]
            for k in range(at, length - 1):
                indices[k] = indices[k + 1]
            indices[length - 1] = index
            cycles[at] = length - at
            at -= 1
        if at < 0:
            return
        other = length - cycles[at]
        indices[at], indices[other] = indices[other], indices[at]
