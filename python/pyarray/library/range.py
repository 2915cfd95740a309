"""Operations on ranges. Positions are uint64: there may be 2**64 - 1 items."""

import numpy as np

from ._intrinsics import range_length

LEAST, MOST = -(2**63), 2**63 - 1


def _magnitude(value):
    return np.uint64(value) if value >= 0 else np.uint64(0) - np.uint64(value)


def _at(self, position):
    # The differences may wrap around; the item does not.
    return self.start + np.int64(position) * self.step


def item(self, index):
    """``self[index]``."""
    length = np.uint64(range_length(self))
    position = np.uint64(index)
    if index < 0:
        position += length
    if position >= length or (index < 0 and _magnitude(index) > length):
        raise IndexError("range object index out of range")
    return _at(self, position)


def _position(bound, length, shift):
    # Where a slice begins or ends: from 0 to |length|, plus |shift|, but no more than |length| and no less than 0.
    magnitude = _magnitude(bound)
    if bound < 0:
        return length - magnitude + shift if magnitude <= length else np.uint64(0)
    return magnitude + shift if magnitude < length else length


def sliced(self, part):
    """``self[part]``, of a slice."""
    stride = 1 if part.step is None else part.step
    if stride == 0:
        raise ValueError("slice step cannot be zero")
    length = np.uint64(range_length(self))
    zero, one = np.uint64(0), np.uint64(1)
    shift = one if stride < 0 else zero  # positions are one higher where they descend to -1
    first, last = (length, zero) if stride < 0 else (zero, length)
    if part.start is not None:
        first = _position(part.start, length, shift)
    if part.stop is not None:
        last = _position(part.stop, length, shift)
    distance = first - last if stride < 0 else last - first
    some = first > last if stride < 0 else first < last
    count = (distance - one) // _magnitude(stride) + one if some else zero
    return _fitted(_at(self, first - shift), _at(self, last - shift), self.step, stride, count)


def _fitted(start, stop, step, stride, count):
    # The range of |count| items from |start| on. Where step or stop are no int64, others do that give the same items.
    ascends = (step > 0) == (stride > 0)
    most = np.uint64(MOST) if ascends else np.uint64(LEAST)
    direction = 1 if ascends else -1
    leap = step * stride
    if _magnitude(stride) > most // _magnitude(step):
        if count > np.uint64(1):
            raise OverflowError("the step of the range does not fit in int64")
        leap = direction
        stop = start + direction * np.int64(count)
    if count == np.uint64(0):
        if (start < stop) if ascends else (start > stop):
            stop = start
        return range(start, stop, leap)
    final = start + np.int64(count - np.uint64(1)) * leap
    if (stop <= final) if ascends else (stop >= final):  # it has wrapped around
        stop = MOST if ascends else LEAST
        if stop == final:
            raise OverflowError("the end of the range does not fit in int64")
    return range(start, stop, leap)


def contains(self, value):
    """Whether ``value`` is in the range. Differences could exceed 64 bits; remainders do not."""
    if isinstance(value, (complex, np.complexfloating)):
        return value.imag == 0 and contains(self, value.real)
    if self.step > 0:
        if not (self.start <= value < self.stop):
            return False
        return (value % self.step - self.start % self.step) % self.step == 0
    if not (self.start >= value > self.stop):
        return False
    return (self.start % self.step - value % self.step) % self.step == 0


def index(self, value):
    """The number of ``value`` in the range."""
    if value not in self:
        raise ValueError(str(value) + " is not in range")
    found = np.int64(value)
    distance = np.uint64(found) - np.uint64(self.start) if self.step > 0 else np.uint64(self.start) - np.uint64(found)
    position = distance // _magnitude(self.step)
    if position > np.uint64(MOST):
        raise OverflowError("the position in the range does not fit in int64")
    return np.int64(position)


def count(self, value):
    """1 where ``value`` is in the range, else 0."""
    return 1 if value in self else 0


def equal(self, other):
    """Whether two ranges have the same items."""
    length = range_length(self)
    if length != range_length(other):
        return False
    return length == 0 or (self.start == other.start and (length == 1 or self.step == other.step))


def truth(self):
    """Whether the range has items."""
    return range_length(self) != 0
