"""Statistics of an array that is larger than the memory of the workers, by Dask.

    python examples/out_of_core.py [--gigabytes 1.2] [--kill]

Blocks are made, looked at and dropped; what travels between processes is some numbers for each. The workers get the
compiled functions with their machine code. With --kill a worker is killed half-way: another one does its work again.
"""

import argparse
import math
import os
import signal
import sys
import time

import numpy as np
from pyarray import njit

BINS = 64


@njit
def readings(first, count):
    """``count`` readings of a sensor, from number ``first`` on: the same whenever and wherever they are made."""
    out = np.empty(count)
    for i in range(count):
        x = np.uint64(first + i) * np.uint64(0x9E3779B97F4A7C15)  # a hash of the number: splitmix64
        x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        x ^= x >> np.uint64(31)
        uniform = np.float64(x >> np.uint64(11)) / 9007199254740992.0
        out[i] = math.sin((first + i) * 1e-6) + 0.5 * (uniform - 0.5)
    return out


@njit
def summary(block):
    """Number, mean, sum of squared deviations, least, greatest, and counts of bins of width 0.05 around 0."""
    out = np.zeros((1, 5 + BINS))
    mean = block.mean()
    out[0, 0], out[0, 1], out[0, 2] = block.size, mean, ((block - mean) ** 2).sum()
    out[0, 3], out[0, 4] = block.min(), block.max()
    for x in block:
        out[0, 5 + min(max(int(math.floor(x / 0.05)) + BINS // 2, 0), BINS - 1)] += 1
    return out


@njit
def combined(rows):
    """The summary of all blocks together (Chan, Golub, LeVeque: Updating formulae for sample variances)."""
    total = rows[0].copy()
    for row in rows[1:]:
        count = total[0] + row[0]
        delta = row[1] - total[1]
        total[1] += delta * row[0] / count
        total[2] += row[2] + delta * delta * total[0] * row[0] / count
        total[0] = count
        total[3], total[4] = min(total[3], row[3]), max(total[4], row[4])
        total[5:] += row[5:]
    return total


def make_block(block_info=None):
    """A block of the array, from its place in it."""
    (first, end) = block_info[None]["array-location"][0]
    return readings(first, end - first)


def array(size, block):
    """The array, of which nothing exists yet."""
    import dask.array as da

    chunks = tuple(min(block, size - at) for at in range(0, size, block))
    return da.map_blocks(make_block, chunks=(chunks,), dtype=np.float64, meta=np.empty(0))


def out_of_core(client, size, block, kill=False):
    """The combined summary of ``size`` readings, by the workers of a Dask client."""
    from distributed import progress

    blocks = array(size, block)
    widths = ((1,) * blocks.numblocks[0], (5 + BINS,))
    rows = blocks.map_blocks(summary, new_axis=1, chunks=widths, dtype=np.float64, meta=np.empty((0, 0)))
    futures = client.compute(rows.to_delayed().ravel().tolist())
    if kill:
        kill_one(client, futures)
    if sys.stderr.isatty():
        progress(futures)
    return combined(np.concatenate(client.gather(futures)))


def kill_one(client, futures):
    """Kill a worker, as a machine that fails would, when a part of the tasks is done."""
    while sum(future.done() for future in futures) < len(futures) // 4:
        time.sleep(0.01)
    worker, process = next(iter(client.run(os.getpid).items()))
    os.kill(process, signal.SIGKILL)
    print(f"Killed {worker} with {sum(future.done() for future in futures)} of {len(futures)} blocks done")


def draw(counts):
    """The histogram as text."""
    for i in range(0, BINS, 4):
        part = counts[i : i + 4].sum()
        if part:
            print(f"{(i - BINS // 2) * 0.05:6.2f} {'#' * round(60 * part / counts.sum() * 8)}")


def main():
    """Make a cluster of two processes, each with less memory than the array has, and print what comes out."""
    from distributed import Client, LocalCluster

    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--gigabytes", type=float, default=1.2)
    parser.add_argument("--kill", action="store_true", help="kill a worker half-way")
    given = parser.parse_args()
    size = int(given.gigabytes * 1e9) // 8
    settings = {"n_workers": 2, "threads_per_worker": 1, "memory_limit": "400MB", "dashboard_address": None}
    with LocalCluster(**settings) as cluster, Client(cluster) as client:
        result = out_of_core(client, size, 4_000_000, given.kill)
    count, mean, squares, least, greatest = result[:5]
    print(f"{count:.0f} readings, {given.gigabytes} GB; each of two workers may have 0.4 GB")
    print(f"mean {mean:.6f}, standard deviation {math.sqrt(squares / count):.6f}, from {least:.4f} to {greatest:.4f}")
    draw(result[5:])


if __name__ == "__main__":
    main()
