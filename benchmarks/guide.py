"""Measures the advice of docs/performance-guide.md: each piece as two ways to write the same.

    python benchmarks/guide.py [--rounds 15]

Prints the least time of each, taken in turns, and their ratio.
"""

import argparse
import math
import timeit

import numpy as np
from pyarray import njit, objmode, prange

N = 1_000_000
random = np.random.default_rng(0)
X, Y, Z = random.normal(size=(3, N))
M = random.normal(size=(1000, 1000))
KEYS = random.integers(0, 1000, N)
LIST = X[:100_000].tolist()
SHORT = X[:100_000].copy()


@njit
def square_one(x):
    return x * x + 1.0


@njit
def square_all(xs):
    out = np.empty_like(xs)
    for i in range(len(xs)):
        out[i] = square_one(xs[i])
    return out


def call_for_each(xs):
    return [square_one(x) for x in xs]


@njit
def total(xs):
    s = 0.0
    for x in xs:
        s += x
    return s


@njit(fastmath=True)
def total_fast(xs):
    s = 0.0
    for x in xs:
        s += x
    return s


@njit
def total_numpy(xs):
    return xs.sum()


@njit
def columns(m):
    s = 0.0
    for j in range(m.shape[1]):
        for i in range(m.shape[0]):
            s += abs(m[i, j])
    return s


@njit
def rows(m):
    s = 0.0
    for i in range(m.shape[0]):
        for j in range(m.shape[1]):
            s += abs(m[i, j])
    return s


@njit
def product(x, y):
    return x * y


@njit
def plus(x, y):
    return x + y


@njit
def root(x):
    return np.sqrt(x)


@njit
def in_one(x, y, z):
    return np.sqrt(np.abs(x * y) + z * z)


def in_three(x, y, z):
    return root(plus(np.abs(product(x, y)), product(z, z)))


@njit
def by_loop(x, y, z):
    out = np.empty_like(x)
    for i in range(len(x)):
        out[i] = math.sqrt(abs(x[i] * y[i]) + z[i] * z[i])
    return out


@njit
def into(x, y, z, out):
    out[:] = np.sqrt(np.abs(x * y) + z * z)


@njit
def exponentials(x):
    out = np.empty_like(x)
    for i in range(len(x)):
        out[i] = math.exp(-x[i] * x[i])
    return out


exponentials_high = njit(accuracy="high")(exponentials.py_func)


@njit(parallel=True)
def exponentials_prange(x):
    out = np.empty_like(x)
    for i in prange(len(x)):
        out[i] = math.exp(-x[i] * x[i])
    return out


@njit
def count_dict(keys):
    counts = {}
    for k in keys:
        counts[k] = counts.get(k, 0) + 1
    return len(counts)


@njit
def count_array(keys, size):
    counts = np.zeros(size, np.int64)
    for k in keys:
        counts[k] += 1
    return np.count_nonzero(counts)


@njit
def checked(m):
    out = np.zeros_like(m)
    for i in range(1, m.shape[0] - 1):
        for j in range(1, m.shape[1] - 1):
            out[i, j] = m[i - 1, j] + m[i + 1, j] + m[i, j - 1] + m[i, j + 1]
    return out


unchecked = njit(boundscheck=False)(checked.py_func)


@njit
def new_row(n):
    s = 0.0
    for i in range(n):
        row = np.zeros(8)
        row[i % 8] = i
        s += row[0]
    return s


@njit
def same_row(n):
    s = 0.0
    row = np.zeros(8)
    for i in range(n):
        row[:] = 0.0
        row[i % 8] = i
        s += row[0]
    return s


@njit
def outside(n):
    s = 0
    for i in range(n):
        with objmode(r="int64"):
            r = i + 1
        s += r
    return s


@njit
def inside(n):
    s = 0
    for i in range(n):
        s += i + 1
    return s


# (advice, one way, another, what is called): the second of each pair is the advice.
OUT = np.empty(N)
X32, Y32, Z32 = (a.astype(np.float32) for a in (X, Y, Z))
PAIRS = [
    ("a call for each of 100,000 numbers; the loop inside", lambda: call_for_each(LIST), lambda: square_all(SHORT)),
    ("a list of 100,000 floats; an array", lambda: total(LIST), lambda: total(SHORT)),
    ("`m[i, j]`, inner loop over `i`; over `j`", lambda: columns(M), lambda: rows(M)),
    ("three calls for one expression; one function", lambda: in_three(X, Y, Z), lambda: in_one(X, Y, Z)),
    ("NumPy; the same lines under `@njit`", lambda: in_one.py_func(X, Y, Z), lambda: in_one(X, Y, Z)),
    ("the loop written out; the expression", lambda: by_loop(X, Y, Z), lambda: in_one(X, Y, Z)),
    ("a new array each time; `out[:] =`", lambda: in_one(X, Y, Z), lambda: into(X, Y, Z, OUT)),
    ("float64; float32", lambda: in_one(X, Y, Z), lambda: in_one(X32, Y32, Z32)),
    ("`s += x`; `a.sum()`", lambda: total(X), lambda: total_numpy(X)),
    ("`s += x`; with `fastmath=True`", lambda: total(X), lambda: total_fast(X)),
    ("`accuracy='high'`; default", lambda: exponentials_high(X), lambda: exponentials(X)),
    ("one thread; `prange`, two", lambda: exponentials(X), lambda: exponentials_prange(X)),
    ("a dict of counts; an array of them", lambda: count_dict(KEYS), lambda: count_array(KEYS, 1000)),
    ("bounds checked; `boundscheck=False`", lambda: checked(M), lambda: unchecked(M)),
    ("a small array in each iteration; one before the loop", lambda: new_row(100_000), lambda: same_row(100_000)),
    ("a block of `objmode` in a loop; without", lambda: outside(10_000), lambda: inside(10_000)),
]


def measure(one, another, rounds):
    """The least times of both in ms, taken in turns."""
    one(), another()
    times = [[], []]
    for _ in range(rounds):
        for kept, function in zip(times, (one, another)):
            kept.append(timeit.timeit(function, number=1) * 1e3)
    return min(times[0]), min(times[1])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=15)
    rounds = parser.parse_args().rounds
    print("| one way; another | ms | ms | ratio |\n|---|---|---|---|")
    for advice, one, another in PAIRS:
        before, after = measure(one, another, rounds)
        print(f"| {advice} | {before:.3g} | {after:.3g} | {before / after:.3g} |", flush=True)


if __name__ == "__main__":
    main()
