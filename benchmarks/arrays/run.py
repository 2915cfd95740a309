"""The programs on whole arrays in every peer that is installed, as a table of ratios to the fastest one of each row.

Usage: run.py [--peers numpy,pyarray,...] [--scale 1] [--threads 1] [program...]
"""

import argparse
import importlib.util
import json
import math
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ONE_CORE = ("numpy", "pyarray", "numba", "pythran", "jax", "numexpr", "c")


def is_there(peer):
    """Whether it can be asked: C needs a compiler, the others are packages."""
    name = peer.split("_")[0]
    return bool(shutil.which(os.environ.get("CC", "gcc")) if name == "c" else importlib.util.find_spec(name))


def run(peer, options):
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "results.json"
        count = str(options.threads if peer.endswith("_parallel") else 1)
        threads = {name: count for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS")}
        environment = {**os.environ, **threads, "SCALE": str(options.scale), "PYARRAY_CACHE_DIR": folder}
        environment["NUMEXPR_NUM_THREADS"] = count
        environment["PYTHONPATH"] = os.pathsep.join([str(HERE.parents[1] / "python"), os.environ.get("PYTHONPATH", "")])
        if peer == "jax":
            environment["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false"
        command = ["taskset", "-c", "0"] if count == "1" else []
        command += [sys.executable, str(HERE / "peer.py"), peer, str(out), *options.programs]
        subprocess.run(command, env=environment, check=True)
        return json.loads(out.read_text())


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--peers", default=",".join(ONE_CORE))
    parser.add_argument("--scale", type=float, default=1)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--out", type=pathlib.Path)
    parser.add_argument("programs", nargs="*")
    options = parser.parse_args()
    peers = [p for p in options.peers.split(",") if is_there(p)]
    results = {peer: run(peer, options) for peer in peers}
    if options.out:
        options.out.write_text(json.dumps(results, indent=1))
    print(f"{'ms, then ratios to the best':28}" + "".join(f"{peer:>18}" for peer in peers))
    logs = {peer: [] for peer in peers}
    for name in next(iter(results.values())):
        times = {peer: results[peer][name].get("time", math.nan) for peer in peers}
        others = [t for peer, t in times.items() if not peer.startswith("pyarray") and t == t]
        best = min(others, default=math.nan)
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
            if "error" in result:
                print(f"{peer}: {name}: {result['error']}")


if __name__ == "__main__":
    main()
