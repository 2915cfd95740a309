"""How often the lowest bit of a random number is set: a state for each thread, kept between launches (Numba talk).

The talk draws by cuRAND from CUDA C++; this program draws by Philox in compiled Python, which gives cuRAND's numbers.
"""

import numpy as np
from pyarray import cuda
from pyarray.cuda.random import create_philox_states, philox_next

THREADS, SEED = 256, 1234


@cuda.jit
def count(states, sample_count, results):
    i = cuda.grid(1)
    if i < results.size:
        found = 0
        for _ in range(sample_count):
            if philox_next(states, i) & 1:
                found += 1
        results[i] += found


def count_low_bits(thread_count, sample_count, launches):
    """The counts of the threads, after some launches."""
    states, results = create_philox_states(thread_count, SEED), cuda.to_device(np.zeros(thread_count, np.int64))
    for _ in range(launches):
        count[(thread_count + THREADS - 1) // THREADS, THREADS](states, sample_count, results)
    return (results.copy_to_host(),)


TOLERANCE = 0


def arguments(size=500):
    """Threads, numbers of each in a launch, launches."""
    return size, 50, 3


def reference(thread_count, sample_count, launches):
    """The same by NumPy: all threads at once, a block of four numbers at a time."""
    total = sample_count * launches
    counts = np.zeros(thread_count, np.int64)
    for block in range((total + 3) // 4):
        lowest = 0xFFFFFFFF
        c = [
            np.full(thread_count, block, np.uint64),
            np.zeros(thread_count, np.uint64),
            np.arange(thread_count, dtype=np.uint64),
        ]
        c.append(np.zeros(thread_count, np.uint64))
        k0, k1 = SEED, 0
        for _ in range(10):
            first, second = np.uint64(0xD2511F53) * c[0], np.uint64(0xCD9E8D57) * c[2]
            c = [
                (second >> 32) ^ c[1] ^ np.uint64(k0),
                second & lowest,
                (first >> 32) ^ c[3] ^ np.uint64(k1),
                first & lowest,
            ]
            k0, k1 = (k0 + 0x9E3779B9) & lowest, (k1 + 0xBB67AE85) & lowest
        for number in c[: total - 4 * block]:
            counts += (number & np.uint64(1)).astype(np.int64)
    return (counts,)


def main():
    """Print the share of odd numbers."""
    (counts,) = count_low_bits(*arguments())
    shares = counts / 150
    print(f"{shares.mean():.4f} of the numbers are odd; by thread from {shares.min():.2f} to {shares.max():.2f}")


def draw(figure):
    """How the counts of threads are spread."""
    (counts,) = count_low_bits(20_000, 50, 3)
    axes = figure.subplots()
    axes.hist(counts, bins=np.arange(counts.min(), counts.max() + 2) - 0.5)
    axes.set(title="odd numbers among 150, by thread", xlabel="count", ylabel="threads")


if __name__ == "__main__":
    import pathlib
    import sys

    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
    from plotting import run

    run(main, draw)
