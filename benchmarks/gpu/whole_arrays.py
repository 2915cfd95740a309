"""Functions of whole arrays on a GPU, ``njit(target="cuda")``, beside CuPy, in one run.

Needs a GPU and CuPy. Prints a row for each program: the first call, the least time of a call, bytes of the operands by
time, and CuPy's time. A device copy of the same bytes comes first.
"""

import time

import cupy
import numpy as np
from pyarray import cuda, njit

COUNT = 100_000_000
ROUNDS = 5


def least(call, wait, calls=20):
    """Seconds a call: the least of several rounds, each of which waits for the device once."""
    call()
    wait()
    best = float("inf")
    for _ in range(ROUNDS):
        start = time.perf_counter()
        for _ in range(calls):
            call()
        wait()
        best = min(best, (time.perf_counter() - start) / calls)
    return best


def thirty_operations(x, y):
    t = x
    t = t * 1.1 + y
    t = t * 1.1 + y
    t = t * 1.1 + y
    t = t * 1.1 + y
    t = t * 1.1 + y  # noqa: E702
    t = t * 1.1 + y
    t = t * 1.1 + y
    t = t * 1.1 + y
    t = t * 1.1 + y
    t = t * 1.1 + y  # noqa: E702
    t = t * 1.1 + y
    t = t * 1.1 + y
    t = t * 1.1 + y
    t = t * 1.1 + y
    t = t * 1.1 + y  # noqa: E702
    return t


def saxpy(x, y):
    return x * 2 + y


def four_statements(x, y):
    a = x * y
    b = a + x
    c = b - y
    return c * a


def total(x):
    return x.sum()


def greatest(x):
    return x.max()


def place(x):
    return x.argmax()


def centre(x):
    return x - x.mean()


def columns(x):
    return x.sum(axis=0)


def rows(x):
    return x.sum(axis=1)


def softmax(x):
    e = np.exp(x - x.max(axis=1)[:, None])
    return e / e.sum(axis=1)[:, None]


def softmax_of_cupy(x):
    e = cupy.exp(x - x.max(axis=1)[:, None])
    return e / e.sum(axis=1)[:, None]


def layer_norm(x):
    centred = x - x.mean(axis=1)[:, None]
    return centred / np.sqrt((centred * centred).mean(axis=1)[:, None] + np.float32(1e-5))


def standardise(x):
    return (x - x.mean(axis=0)) / x.std(axis=0)


def product(a, b):
    return a @ b


def running_total(x):
    return np.cumsum(x)


def running_columns(x):
    return np.cumsum(x, axis=0)


def running_rows(x):
    return np.cumsum(x, axis=1)


def compress(x):
    return x[x > 0.5]


def masked_sum(x):
    return x[x > 0].sum()


def nonzero(x):
    return np.nonzero(x > 0.5)[0]


def clear_masked(x):
    x[x < 0] = 0
    return x


def gather(x, i):
    return x[i]


def scatter(x, i):
    x[i] = 1
    return x


def in_order(x):
    return np.sort(x)


def order(x):
    return np.argsort(x)


def distinct(i):
    return np.unique(i)


def occurrences(i):
    return np.bincount(i)


def row(function, arguments, moved, calls=20, peer=None):
    compiled = njit(target="cuda")(function)
    ours = [cuda.to_device(a) for a in arguments]
    theirs = [cupy.asarray(a) for a in arguments]
    start = time.perf_counter()
    compiled(*ours)
    cuda.synchronize()
    first = time.perf_counter() - start
    seconds = least(lambda: compiled(*ours), cuda.synchronize, calls)
    other = least(lambda: (peer or function)(*theirs), cupy.cuda.Device().synchronize, calls)
    print(
        f"{function.__name__:18} first {first * 1e3:6.1f} ms  {seconds * 1e6:9.1f} us  "
        f"{moved / seconds / 1e9:6.0f} GB/s  CuPy {other * 1e6:9.1f} us  {seconds / other:5.2f}",
        flush=True,
    )


def copy_speed(x):
    source = cuda.to_device(x)
    target = cuda.device_array_like(source)
    return 2 * x.nbytes / least(lambda: target.copy_to_device(source), cuda.synchronize) / 1e9


def main():
    x = np.random.default_rng(0).normal(size=COUNT).astype(np.float32)
    y = x[::-1].copy()
    few = np.ones(1000, np.float32)
    matrix = x[: 32768 * 1024].reshape(32768, 1024)
    square = x[: 1024 * 1024].reshape(1024, 1024)
    print(f"a device copy      {copy_speed(x):.0f} GB/s")
    row(thirty_operations, (few, few), 3 * few.nbytes, calls=500)
    row(saxpy, (x, y), 3 * x.nbytes)
    row(four_statements, (x, y), 3 * x.nbytes)
    row(total, (x,), x.nbytes)
    row(greatest, (x,), x.nbytes)
    row(place, (x,), x.nbytes)
    row(centre, (x,), 2 * x.nbytes)
    row(columns, (matrix,), matrix.nbytes)
    row(rows, (matrix,), matrix.nbytes)
    row(softmax, (matrix,), 2 * matrix.nbytes, peer=softmax_of_cupy)
    row(layer_norm, (matrix,), 2 * matrix.nbytes)
    row(standardise, (matrix,), 2 * matrix.nbytes)
    row(product, (square, square), 3 * square.nbytes, calls=5)
    for dtype in (np.float16, np.float32, np.float64):
        large = np.resize(x, (4096, 4096)).astype(dtype)
        row(product, (large, large), 3 * large.nbytes, calls=5)
    larger = np.resize(x, (8192, 8192)).astype(np.float16)
    row(product, (larger, larger), 3 * larger.nbytes, calls=5)
    batches = x[: 4096 * 64 * 64].reshape(4096, 64, 64)
    row(product, (batches, batches), 3 * batches.nbytes, calls=5)
    places = np.random.default_rng(1).integers(0, COUNT, size=COUNT // 10)
    few_values = places % 1000
    row(running_total, (x,), 2 * x.nbytes)
    row(running_columns, (matrix,), 2 * matrix.nbytes)
    row(running_rows, (matrix,), 2 * matrix.nbytes)
    row(compress, (x,), x.nbytes + x[x > 0.5].nbytes)
    row(nonzero, (x,), x.nbytes + 2 * x[x > 0.5].nbytes)
    row(masked_sum, (x,), x.nbytes)
    row(clear_masked, (x,), 2 * x.nbytes)
    row(gather, (x, places), 2 * places.nbytes)
    row(scatter, (x, places), places.nbytes * 3 // 2)
    for dtype in (np.float32, np.int32, np.float64, np.int64):
        numbers = (x * np.float32(1e8)).astype(dtype)
        row(in_order, (numbers,), 2 * numbers.nbytes, calls=2)
        row(order, (numbers[: COUNT // 10],), numbers.nbytes // 10 + 8 * COUNT // 10, calls=2)
    row(distinct, (few_values,), few_values.nbytes, calls=2)
    row(occurrences, (few_values,), few_values.nbytes, calls=5)
    row(in_order, (few,), few.nbytes, calls=50)
    row(running_total, (few,), 2 * few.nbytes, calls=200)
    row(compress, (few,), 2 * few.nbytes, calls=200)
    row(total, (few,), few.nbytes, calls=200)


if __name__ == "__main__":
    main()
