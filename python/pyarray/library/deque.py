"""Methods of deques."""


def extendleft(self, iterable):
    """Put items at the beginning, one after the other: the last comes first then."""
    for item in list(iterable):  # which may be this deque
        self.appendleft(item)


def rotate(self, n=1):
    """Move the last ``n`` items to the beginning, or the first ``-n`` to the end."""
    length = len(self)
    if length < 2:
        return
    n %= length
    if 2 * n <= length:
        for _ in range(n):
            self.appendleft(self.pop())
    else:
        for _ in range(length - n):
            self.append(self.popleft())
