"""The programs on whole arrays in every peer that is installed, as a table.

Of ratios: to the fastest of each row that is not ours, or, where all are ours, to the first.

Usage: run.py [--peers numpy,pyarray,...] [--scale 1] [--threads 1] [--rounds 3] [program...]
"""

import argparse
import importlib.util
import json
import math
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile

import array_programs

HERE = pathlib.Path(__file__).resolve().parent
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS", "NUMEXPR_NUM_THREADS")
ONE_CORE = ("numpy", "pyarray", "numba", "pythran", "jax", "numexpr", "c")


def is_there(peer):
    """Whether it can be asked: C needs a compiler, the others are packages."""
    name = peer.split("_")[0]
    return bool(shutil.which(os.environ.get("CC", "gcc")) if name == "c" else importlib.util.find_spec(name))


class Peer:
    """A process that waits while others are measured, so that all meet the same machine."""

    def __init__(self, name, options, folder):
        self.made_of = name, options, folder
        count = str(options.threads if name.endswith("_parallel") else 1)
        threads = {key: count for key in THREADS}
        environment = {**os.environ, **threads, "SCALE": str(options.scale), "PYARRAY_CACHE_DIR": folder}
        environment["PYTHONPATH"] = os.pathsep.join([str(HERE.parents[1] / "python"), os.environ.get("PYTHONPATH", "")])
        if name == "jax":
            environment["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false"
        read, write = os.pipe()
        command = ["taskset", "-c", "0"] if count == "1" else []
        command += [sys.executable, str(HERE / "peer.py"), name, str(write)]
        self.process = subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, text=True, pass_fds=[write])
        os.close(write)
        self.results = os.fdopen(read)

    def ask(self, program):
        print(program, file=self.process.stdin, flush=True)
        answer = self.results.readline()
        if answer:
            return json.loads(answer)
        self.close()
        self.__init__(*self.made_of)
        return {"error": "the process ended"}

    def close(self):
        self.process.stdin.close()
        self.process.wait()
        self.results.close()


def measure(peers, options):
    """Of each peer and program: the median of all rounds and the time of the first call, or the error."""
    with tempfile.TemporaryDirectory() as folder:
        running = {name: Peer(name, options, folder) for name in peers}
        results = {name: {} for name in peers}
        for _ in range(options.rounds):
            for program in options.programs or array_programs.PROGRAMS:
                for name, peer in running.items():
                    got = peer.ask(program)
                    kept = results[name].setdefault(program, got)
                    if kept is not got and "times" in kept:
                        kept["times"] += got["times"]
        for peer in running.values():
            peer.close()
    for result in (result for programs in results.values() for result in programs.values() if "times" in result):
        times = result.pop("times")
        result["least"], result["time"] = min(times), statistics.median(times)
    return results


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--peers", default=",".join(ONE_CORE))
    parser.add_argument("--scale", type=float, default=1)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--least", action="store_true", help="compare least times, not medians: on a busy machine")
    parser.add_argument("--out", type=pathlib.Path)
    parser.add_argument("programs", nargs="*")
    options = parser.parse_args()
    peers = [p for p in options.peers.split(",") if is_there(p)]
    results = measure(peers, options)
    if options.out:
        options.out.write_text(json.dumps(results, indent=1))
    print(f"{'ms, then ratios to the best':28}" + "".join(f"{peer:>18}" for peer in peers))
    logs = {peer: [] for peer in peers}
    for name in next(iter(results.values())):
        times = {peer: results[peer][name].get("least" if options.least else "time", math.nan) for peer in peers}
        others = [t for peer, t in times.items() if not peer.startswith("pyarray") and t == t]
        best = min(others, default=times[peers[0]])
        row = f"{name:20}{best * 1e3:8.3f}"
        for peer in peers:
            row += (
                f"{'-':>18}"
                if math.isnan(times[peer])
                else f"{times[peer] / best:11.2f} {results[peer][name]['first'] * 1e3:4.0f}ms"
            )
            if times[peer] == times[peer] and best == best:
                logs[peer].append(math.log(times[peer] / best))
        print(row)
    print(
        f"{'geometric mean':28}"
        + "".join(f"{math.exp(sum(v) / len(v)):11.2f} ({len(v):2d}) " if v else "" for v in logs.values())
    )
    for peer in peers:
        for name, result in results[peer].items():
            if result.get("error"):
                print(f"{peer}: {name}: {result['error']}")


if __name__ == "__main__":
    main()
