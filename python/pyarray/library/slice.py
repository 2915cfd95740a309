"""Operations on slices, whose parts may be None."""


def indices(self, length):
    """Start, stop and step of what the slice takes of a sequence of that length."""
    if length < 0:
        raise ValueError("length should not be negative")
    step = 1 if self.step is None else self.step
    if step == 0:
        raise ValueError("slice step cannot be zero")
    low, high = (-1, length - 1) if step < 0 else (0, length)
    start, stop = (high, low) if step < 0 else (low, high)
    if self.start is not None:
        start = self.start + length if self.start < 0 else self.start
        start = min(max(start, low), high)
    if self.stop is not None:
        stop = self.stop + length if self.stop < 0 else self.stop
        stop = min(max(stop, low), high)
    return start, stop, step


def equal(self, other):
    """Whether two slices have equal parts."""
    return (self.start, self.stop, self.step) == (other.start, other.stop, other.step)


def truth(self):
    """A slice is true."""
    return True
