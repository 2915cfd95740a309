"""What the inputs of the programs are made of: the same at each call, in sizes that ``scale`` multiplies."""

import numpy as np


def rng():
    return np.random.default_rng(12345)


def size(n, scale):
    return max(4, round(n * scale))


def square(n, scale):
    return rng().random((size(n, scale), size(n, scale)))


def vectors(count, n, scale):
    r = rng()
    return tuple(r.random(size(n, scale)) for _ in range(count))
