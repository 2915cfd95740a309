"""Runs the tests of other people's libraries with pyarray in Numba's place, and writes docs/compatibility.md.

    python test/compatibility.py [--venv FOLDER] [--write] [--timeout SECONDS] [library ...]

The libraries are pinned, and installed into a virtual environment of their own. Of each, those of its tests are run
that have to do with Numba, by ``python -m pyarray.run -m pytest``.
"""

import argparse
import collections
import datetime
import pathlib
import re
import subprocess
import sys
import tarfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "compatibility.md"

# What they need besides, and what their tests do.
COMMON = ["pytest==8.4.2", "pytest-timeout==2.4.0", "hypothesis", "scipy", "bottleneck", "dask", "xarray", "pyarrow"]
COMMON += ["tabulate", "matplotlib", "numba==0.68.1"]

Library = collections.namedtuple("Library", "requirement tests source")

#: Tests are paths in the installed package, or, of those whose packages have none, in the source distribution.
LIBRARIES = {
    "pandas": Library("pandas==3.1.1", [
        "pandas/tests/window/test_numba.py", "pandas/tests/window/test_online.py", "pandas/tests/apply/test_numba.py",
        "pandas/tests/groupby/aggregate/test_numba.py", "pandas/tests/groupby/transform/test_numba.py",
        "pandas/tests/groupby/test_numba.py", "pandas/tests/util/test_numba.py",
    ], False),
    "numbagg": Library("numbagg==0.9.6", ["numbagg/test"], False),
    "sparse": Library("sparse==0.19.3", ["sparse/numba_backend"], False),
    "quantecon": Library("quantecon==0.11.4", ["quantecon"], False),
    "datashader": Library("datashader==0.19.1", ["datashader/tests"], False),
    "pynndescent": Library("pynndescent==0.7.0", ["pynndescent/tests", "tests"], True),
    "umap-learn": Library("umap-learn==0.5.12", ["umap/tests"], True),
    "stumpy": Library("stumpy==1.14.1", ["tests"], True),
    "librosa": Library("librosa==0.11.0", ["tests"], True),
    "numba-stats": Library("numba-stats==1.14.0", ["tests"], True),
    "awkward": Library("awkward==2.14.0", ["tests"], True),
}  # fmt: skip

START = "# Libraries with pyarray in Numba's place"


def say(*words):
    print(*words, flush=True)


def prepare(venv):
    if not (venv / "bin" / "python").exists():
        subprocess.run([sys.executable, "-m", "venv", str(venv)], check=True)


def pip(venv, *words):
    command = [str(venv / "bin" / "pip"), "--disable-pip-version-check", "-q", *words]
    return subprocess.run(command, capture_output=True, text=True)


def source_of(venv, library):
    """The folder of a source distribution, which is downloaded once; None where that fails."""
    sources = venv / "sources"
    sources.mkdir(exist_ok=True)
    stem = library.requirement.replace("==", "-").replace("-", "_").rpartition("_")[0]
    found = [path for path in sources.iterdir() if path.is_dir() and path.name.replace("-", "_").startswith(stem)]
    if not found:
        options = ("--no-deps", "--no-binary", ":all:", "-d", str(sources))
        if pip(venv, "download", *options, library.requirement).returncode:
            return None
        for archive in sources.glob("*.tar.gz"):
            with tarfile.open(archive) as file:
                file.extractall(sources, filter="data")
            archive.unlink()
        return source_of(venv, library) if any(path.is_dir() for path in sources.iterdir()) else None
    return found[0]


def paths_of(venv, library):
    if library.source:
        home = source_of(venv, library)
        return home, [home / path for path in library.tests if (home / path).exists()] if home else []
    home = next(venv.glob("lib/python3*/site-packages"))
    return home, [home / path for path in library.tests]


COUNT = re.compile(r"(\d+) (passed|failed|skipped|xfailed|xpassed|errors?)\b")
CAUSE = re.compile(r"^E\s+((?:[\w.]+\.)?\w*(?:Error|Exception|Warning|Failed)\b.*)", re.MULTILINE)


def shortened(text):
    """A cause without what differs between two of a kind."""
    text = re.sub(r"0x[0-9a-f]+", "0x...", text.replace("pyarray.errors.", ""))
    return text if len(text) <= 150 else text[:147] + "..."


def run(venv, name, timeout, log):
    library = LIBRARIES[name]
    done = pip(venv, "install", *COMMON, library.requirement)
    if done.returncode:
        return {"state": "cannot be installed", "causes": [(shortened(done.stderr.strip().splitlines()[-1]), 1)]}
    home, paths = paths_of(venv, library)
    if not paths:
        return {"state": "its tests cannot be had", "causes": []}
    command = [str(venv / "bin" / "python"), "-m", "pyarray.run", "-m", "pytest", "-q", "-p", "no:cacheprovider",
               "-o", "addopts=", "--ignore-glob=*benchmark*", "--tb=short", "--timeout", "120",
               *map(str, paths)]  # fmt: skip
    environment = {"PYTHONPATH": str(ROOT / "python"), "MPLBACKEND": "agg", "PATH": "/usr/bin:/bin", "HOME": str(venv),
                   "PYTHONWARNINGS": "ignore"}  # fmt: skip
    cwd = home if library.source else venv
    try:
        done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, timeout=timeout)
        said = done.stdout + done.stderr
    except subprocess.TimeoutExpired as error:
        said = (error.stdout or b"").decode(errors="replace")
        (log / f"{name}.log").write_text(said)
        return {"state": "run in part, for want of time", "counts": dict(progress(said)), "causes": []}
    (log / f"{name}.log").write_text(said)
    counts = collections.Counter()
    for count, what in COUNT.findall(said.rpartition("\n=")[2] if "\n=" in said else said[-2000:]):
        counts[what.removesuffix("s") if what.startswith("error") else what] += int(count)
    for count, what in COUNT.findall("\n".join(said.splitlines()[-3:])) if not counts else ():
        counts[what] += int(count)
    causes = collections.Counter(map(shortened, CAUSE.findall(said))).most_common(4)
    return {"state": "run" if counts else "cannot be run", "counts": dict(counts), "causes": causes}


PROGRESS = re.compile(r"^([.FEsxX]+)(?: *\[ *\d+%\])?$", re.MULTILINE)
LETTERS = {".": "passed", "F": "failed", "E": "error", "s": "skipped", "x": "xfailed", "X": "xpassed"}


def progress(said):
    """What the tests that were done came to, where time was short."""
    return collections.Counter(LETTERS[letter] for row in PROGRESS.findall(said) for letter in row)


def cell(text):
    return text.replace("|", "\\|").replace("<", "&lt;")


def page(results):
    import platform

    lines = [START, ""]
    lines += [
        "Made by `make compatibility` ([test/compatibility.py](../test/compatibility.py)): libraries that use Numba, "
        "pinned; their own tests as far as they concern it, run by "
        "[`python -m pyarray.run -m pytest`](from-numba.md#programs-that-import-numba-themselves) without fallback.",
        f"Of {datetime.date.today()}, Python {platform.python_version()}.",
        "",
        "| library | passed | failed | skipped, expected to fail | most frequent causes of failure |",
        "|---|---:|---:|---:|---|",
    ]
    for name, result in results.items():
        counts = result.get("counts", {})
        failed = counts.get("failed", 0) + counts.get("error", 0)
        other = counts.get("skipped", 0) + counts.get("xfailed", 0) + counts.get("xpassed", 0)
        causes = "; ".join(f"{cell(text)} ({count})" for text, count in result["causes"])
        shown = LIBRARIES[name].requirement.replace("==", " ")
        if counts:
            causes = "; ".join(filter(None, (result["state"].removeprefix("run").strip(" ,"), causes)))
            lines.append(f"| {shown} | {counts.get('passed', 0)} | {failed} | {other} | {causes} |")
        else:
            lines.append(f"| {shown} | | | | {result['state']}{': ' + causes if causes else ''} |")
    return "\n".join(lines) + "\n"


def known_rows(wanted):
    """Rows of the page as it is, of libraries that are not run now."""
    if not PAGE.exists():
        return {}
    rows = [line for line in PAGE.read_text().splitlines() if line.startswith("| ")]
    return {name: row for name in LIBRARIES for row in rows if row.startswith(f"| {name} ") and name not in wanted}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("libraries", nargs="*", metavar="library", help=f"of {', '.join(LIBRARIES)}; default: all")
    parser.add_argument("--venv", type=pathlib.Path, default=ROOT / "build" / "compatibility")
    parser.add_argument("--timeout", type=int, default=1800, help="seconds for each library")
    parser.add_argument("--write", action="store_true", help="write docs/compatibility.md")
    arguments = parser.parse_args()
    wanted = arguments.libraries or list(LIBRARIES)
    venv = arguments.venv.resolve()
    prepare(venv)
    log = venv / "logs"
    log.mkdir(exist_ok=True)
    results = {}
    for name in wanted:
        results[name] = run(venv, name, arguments.timeout, log)
        say(f"{name}: {results[name]['state']} {results[name].get('counts', '')}")
    text = page(results)
    if not arguments.write:
        say(text)
        return
    rows = known_rows(wanted)
    new = {name: row for name in wanted for row in text.splitlines() if row.startswith(f"| {name} ")}
    head = text.partition("|---|---:|")[0] + "|---|---:|---:|---:|---|\n"
    PAGE.write_text(head + "\n".join(row for name in LIBRARIES if (row := new.get(name) or rows.get(name))) + "\n")


if __name__ == "__main__":
    main()
