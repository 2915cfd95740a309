"""Measure pyarray against Numba, NumPy and C, side by side in one run.

    .venv/bin/python benchmarks/run.py [--only GROUP] [--quick]

Prints a table with the bar of each row and whether it is met; writes results.json and results.png to
benchmarks/results. Columns: pyarray (default options, so with bounds checks), unchecked (pyarray with
boundscheck=False), numba (its default, no bounds checks), numpy (the program's reference), c (-O3 -march=native),
c strict (the same with -ffp-contract=off, that is, with the roundings of Python).
"""

import argparse
import importlib
import json
import os
import pathlib
import platform
import sys
import tempfile
import time

from measure import HERE

RESULTS = HERE / "results"

# Group: module, what its rows say.
GROUPS = {
    "import": ("imports", "import in a fresh process, beyond `import numpy`"),
    "compile": ("first_compile", "from decorating to the result of the first call, nothing cached"),
    "growth": ("growth", "compile time of long functions, in which a statement is repeated"),
    "cache": ("warm_cache", "the same in a second process, cache filled"),
    "call": ("calls", "one call from Python"),
    "kernel": ("kernels", "programs of examples/"),
    "ufunc": ("ufuncs", "ufuncs and gufuncs; a million elements where the row says nothing else"),
    "language": ("language", "Python's objects; what passing them costs; refusals; what bounds checks cost"),
    "emulator": ("emulator", "kernels on the CPU in place of a GPU; numba: its CUDA simulator"),
}


def seconds(value):
    for unit, scale in (("s ", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if value >= scale:
            return f"{value / scale:.3g} {unit}"
    return f"{value / 1e-9:.3g} ns"


def print_row(row, columns):
    if list(row.times) != columns:
        columns[:] = row.times
        if columns:
            print(" " * 36 + "".join(f"{column:>12}" for column in columns) + "   bars (value <= limit)", flush=True)
    print(f"  {row.name:34}" + "".join(f"{seconds(time):>12}" for time in row.times.values()), end="")
    bars = [f"{bar.text} {bar.value:.3g} <= {bar.limit:g} {'met' if bar.is_met else 'MISSED'}" for bar in row.bars]
    print("   " + "; ".join(bars) + (f"  ({row.note})" if row.note else ""), flush=True)


def machine():
    """What the numbers depend on."""
    import numba
    import numpy
    import pyarray
    from c_kernels import compiler

    info = pathlib.Path("/proc/cpuinfo")
    names = [line.split(":")[1].strip() for line in info.read_text().splitlines() if "model name" in line]
    return {
        "cpu": names[0] if names else platform.processor(),
        "cores": os.cpu_count(),
        "load": os.getloadavg()[0],
        "python": platform.python_version(),
        "pyarray": pyarray.__version__,
        "numba": numba.__version__,
        "numpy": numpy.__version__,
        "c": compiler()[1],
        "date": time.strftime("%Y-%m-%d %H:%M"),
    }


def save_json(facts, rows):
    as_dict = lambda row: {
        "group": row.group,
        "name": row.name,
        "seconds": row.times,
        "bars": [{"what": b.text, "value": b.value, "limit": b.limit, "met": b.is_met} for b in row.bars],
        "note": row.note,
    }
    text = json.dumps({"machine": facts, "rows": [as_dict(row) for row in rows]}, indent=2)
    (RESULTS / "results.json").write_text(text + "\n")


def save_plot(facts, rows):
    """One panel per group: the time of each candidate as a dot, on a logarithmic axis."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    rows = [row for row in rows if row.times]
    groups = list(dict.fromkeys(row.group for row in rows))
    candidates = list(dict.fromkeys(name for row in rows for name in row.times))
    style = {name: (pyplot.cm.tab10(k), "osD^vP*X"[k % 8]) for k, name in enumerate(candidates)}
    heights = [sum(row.group == group for row in rows) + 1.5 for group in groups]
    figure, axes = pyplot.subplots(
        len(groups), figsize=(9, 0.3 * sum(heights) + 1), height_ratios=heights, squeeze=False, layout="constrained"
    )
    for axis, group in zip(axes[:, 0], groups):
        shown = [row for row in rows if row.group == group]
        for name in dict.fromkeys(name for row in shown for name in row.times):
            points = [(row.times[name], k) for k, row in enumerate(shown) if name in row.times]
            color, marker = style[name]
            axis.plot(*zip(*points), marker, color=color, label=name, alpha=0.8, linestyle="none")
        axis.set(xscale="log", yticks=range(len(shown)), yticklabels=[row.name for row in shown])
        axis.set_title(GROUPS[group][1], fontsize=10)
        axis.set_ylim(len(shown) - 0.5, -0.5)
        axis.grid(axis="x", alpha=0.3)
        axis.legend(fontsize=7, loc="center left", bbox_to_anchor=(1.0, 0.5))
    axes[-1, 0].set_xlabel("seconds")
    figure.suptitle(f"pyarray {facts['pyarray']}, Numba {facts['numba']}, {facts['cpu']}", fontsize=9)
    figure.savefig(RESULTS / "results.png", dpi=130)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", choices=GROUPS, action="append", metavar="GROUP", help=", ".join(GROUPS))
    parser.add_argument("--quick", action="store_true", help="fewer repeats")
    options = parser.parse_args()

    rows = []
    with tempfile.TemporaryDirectory() as cache:
        os.environ["PYARRAY_CACHE_DIR"] = cache  # before pyarray is imported: nothing of an earlier run counts
        facts = machine()
        print(", ".join(f"{name} {value}" for name, value in facts.items()))
        for group in options.only or GROUPS:
            module, title = GROUPS[group]
            print(f"\n{group}: {title}", flush=True)
            columns = []
            for row in importlib.import_module(module).measure(options.quick):
                print_row(row, columns)
                rows.append(row)

    RESULTS.mkdir(exist_ok=True)
    save_json(facts, rows)
    save_plot(facts, rows)
    bars = [bar for row in rows for bar in row.bars]
    print(f"\n{sum(bar.is_met for bar in bars)} of {len(bars)} bars met; written to {RESULTS}")


if __name__ == "__main__":
    sys.exit(main())
