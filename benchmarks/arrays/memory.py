"""What array programs allocate over inputs of a gigabyte each, in all: how far the peak of a process grows, by peer.

Usage: memory.py [--megabytes 1024] [peer...]. Each program runs in a process of its own, compiled before on small
arrays. 1.00 is the size of the input; a program that returns an array needs as much for it.
"""

import argparse
import importlib.util
import resource
import subprocess
import sys

import numpy as np


def chain(x):
    t = x * 2.0 + 1.0
    u = t * t - x
    v = np.sqrt(np.abs(u)) + t
    return np.maximum(v, u) * 0.5


def total(x):
    t = x * 2.0 + 1.0
    u = t * t - x
    return u.sum() + (t - x).max()


def stored(x):
    t = x * 0.5
    x[:] = np.sqrt(t * t + 1.0) - t
    return x[0]


def rows(x):
    a = x.reshape(-1, 1024)
    e = np.exp(a - a.max())
    return e / e.sum()


PROGRAMS = {"chain": (chain, 1), "total": (total, 0), "stored": (stored, 0), "rows": (rows, 1)}  # results of its size
PEERS = ("pyarray", "numpy", "numba")


def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10


def child(peer, program, megabytes):
    function = PROGRAMS[program][0]
    if peer != "numpy":
        function = __import__(peer).njit(function)
    function(np.ones(4096))
    x = np.ones(megabytes << 17)
    before = peak()
    kept = function(x)
    print((peak() - before) / x.nbytes)
    del kept


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=int, default=1024)
    parser.add_argument("--child", nargs=2, help=argparse.SUPPRESS)
    parser.add_argument("peers", nargs="*", default=[p for p in PEERS if importlib.util.find_spec(p)])
    options = parser.parse_args()
    if options.child:
        child(*options.child, options.megabytes)
        return
    print(f"{'of the input':14}{'results':>10}" + "".join(f"{peer:>10}" for peer in options.peers))
    for name, (_, results) in PROGRAMS.items():
        row = f"{name:14}{results:10}"
        for peer in options.peers:
            command = [sys.executable, __file__, "--megabytes", str(options.megabytes), "--child", peer, name]
            run = subprocess.run(command, capture_output=True, text=True)
            row += f"{float(run.stdout):10.2f}" if run.returncode == 0 else f"{'-':>10}"
        print(row, flush=True)


if __name__ == "__main__":
    main()
