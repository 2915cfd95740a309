"""Operations on ranges."""


def item(self, index):
    """``self[index]``."""
    length = len(self)
    if index < 0:
        index += length
    if index < 0 or index >= length:
        raise IndexError("range object index out of range")
    return self.start + index * self.step


def sliced(self, part):
    """``self[part]``, of a slice."""
    start, stop, step = part.indices(len(self))
    return range(self.start + start * self.step, self.start + stop * self.step, self.step * step)


def contains(self, value):
    """Whether ``value`` is in the range. Differences could exceed 64 bits; remainders do not."""
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
    return int((value - self.start) // self.step)


def count(self, value):
    """1 where ``value`` is in the range, else 0."""
    return 1 if value in self else 0


def equal(self, other):
    """Whether two ranges have the same items."""
    length = len(self)
    if length != len(other):
        return False
    return length == 0 or (self.start == other.start and (length == 1 or self.step == other.step))


def truth(self):
    """Whether the range has items."""
    return len(self) > 0
