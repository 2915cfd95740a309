"""What a compiled function costs as a task, beside a plain one, by Dask or Ray, and how large it is.

    python benchmarks/scaling.py [--engine dask|ray] [--tasks 2000] [--rounds 15]

The functions do next to nothing, so that the time is the engine's and that of bringing the function there. Rounds of
both are taken in turns; the least and the median of each are compared.
"""

import argparse
import pickle
import statistics
import time

from pyarray import njit


def plain(x):
    return x * 2.0 + 1.0


def other(x):  # plain too: how far two measurements of the same thing are apart
    return x * 2.0 + 1.0


@njit
def compiled(x):
    return x * 2.0 + 1.0


def by_dask(tasks):
    """(what closes it, function -> seconds)"""
    from distributed import Client, LocalCluster

    cluster = LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None)
    client = Client(cluster)

    def run(function):
        start = time.perf_counter()
        client.gather(client.map(function, [float(i) for i in range(tasks)], pure=False))
        return time.perf_counter() - start

    return lambda: (client.close(), cluster.close()), run


def by_ray(tasks):
    """The same."""
    import ray

    ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False)
    remotes = {}

    def run(function):
        remote = remotes.setdefault(function, ray.remote(lambda x: function(x)))
        start = time.perf_counter()
        ray.get([remote.remote(float(i)) for i in range(tasks)])
        return time.perf_counter() - start

    return ray.shutdown, run


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--engine", choices=["dask", "ray"], default="dask")
    parser.add_argument("--tasks", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=15)
    given = parser.parse_args()
    assert compiled(1.0) == plain(1.0)
    print(f"pickle: {len(pickle.dumps(compiled))} bytes")
    close, run = {"dask": by_dask, "ray": by_ray}[given.engine](given.tasks)
    times = {function: [] for function in (plain, compiled, other)}
    for function in times:
        run(function)
    for _ in range(given.rounds):
        for function, kept in times.items():
            kept.append(run(function) / given.tasks * 1e6)
    close()
    for name, of in (("least", min), ("median", statistics.median)):
        a, b, c = (of(kept) for kept in times.values())
        print(f"{name}: plain {a:.1f} us a task, compiled {b:.1f}: {b / a:.3f} (plain once more {c / a:.3f})")


if __name__ == "__main__":
    main()
