"""Runs the tests of other people's libraries with pyarray in Numba's place, and writes docs/compatibility.md.

    python test/compatibility.py [--venv FOLDER] [--write] [--timeout SECONDS] [library ...]

The libraries are pinned, and installed into a virtual environment of their own. Of each, those of its tests are run
that have to do with Numba, by ``python -m pyarray.run -m pytest``; those that fail are run with the real Numba, too.
With ``--uses`` what test/compatibility_uses.py does with the libraries is done by both instead, and compared.
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

Library = collections.namedtuple("Library", "requirement tests source options extra", defaults=((), ()))
WITHOUT_GPU = ("--ignore-glob=*gpu*", "--ignore-glob=*ray*")
QUICK = ("-m", "not slow and not nightly", "--benchmark-skip")

#: Tests are paths in the installed package, or, of those whose packages have none, in the source distribution; then
#: options of pytest, and what they need besides.
LIBRARIES = {
    "pandas": Library("pandas==3.1.1", [
        "pandas/tests/window/test_numba.py", "pandas/tests/window/test_online.py", "pandas/tests/apply/test_numba.py",
        "pandas/tests/groupby/aggregate/test_numba.py", "pandas/tests/groupby/transform/test_numba.py",
        "pandas/tests/groupby/test_numba.py", "pandas/tests/util/test_numba.py",
    ], False),
    "numbagg": Library("numbagg==0.9.6", ["numbagg/test"], False, QUICK, ("pytest-benchmark",)),
    "sparse": Library("sparse==0.19.3", ["sparse/numba_backend"], False),
    "quantecon": Library("quantecon==0.11.4", ["quantecon"], False),
    "datashader": Library("datashader==0.19.1", ["datashader/tests"], False, (), ("netcdf4",)),
    "pynndescent": Library("pynndescent==0.7.0", ["pynndescent/tests", "tests"], True),
    "stumpy": Library("stumpy==1.14.1", ["tests"], True, WITHOUT_GPU, ("distributed",)),
    "librosa": Library("librosa==0.11.0", ["tests/test_sequence.py", "tests/test_dtw.py", "tests/test_util.py"], True,
                       ("-k", "not find_files and not example and not cite")),  # recordings are not in the archive
    "numba-stats": Library("numba-stats==1.14.0", ["tests"], True),
    "awkward": Library("awkward==2.14.0", ["tests"], True, ("-k", "numba")),
    "choclo": Library("choclo==0.3.2", ["choclo/tests"], False),
    "arch": Library("arch==8.0.0", ["arch/tests/univariate/test_recursions.py"], False, ("-k", "not performance")),
    "interpolation": Library("interpolation==2.2.7", ["interpolation"], False),
    "numba-scipy": Library("numba-scipy==0.4.0", ["numba_scipy"], False),
    "clifford": Library("clifford==1.5.1", ["clifford/test"], False,
                        ("--ignore-glob=*CUDA*", "--ignore-glob=*g3c_tools*")),  # they import njit(device=True)
    "harmonica": Library("harmonica==0.7.0", ["harmonica/tests"], False, (), ("boule", "distributed")),
    "verde": Library("verde==1.9.0", ["verde/tests"], False, (), ("distributed",)),
    "xarray-spatial": Library("xarray-spatial==0.5.3", ["xrspatial/tests"], False, ("-k", "not dask and not cupy"),
                              ("noise",)),
}  # fmt: skip

#: Why tests fail that pass with Numba and stay as they are.
NOTES = {
    "numba-stats": "a sample of `noncentral_chisquare` that is NumPy's own, while Numba's differs, is tested at 1 %",
    "stumpy": "Numba's cache files (`*.nbi`) are looked for",
    "awkward": "its arrays are types that it adds by `box`, `unbox` and `lower_builtin`",
    "clifford": "its multivectors are types that it adds by `box`, `unbox` and `lower_builtin`",
    "numba-scipy": "sparse matrices are types that it adds by `box` and `unbox`",
    "interpolation": "reads behind the end of an array: IndexError, which Numba does not look for",
}

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


def pytest_of(venv, library, home, paths, how):
    """(command, folder, environment) of a run of pytest, with ``how`` in front."""
    command = [str(venv / "bin" / "python"), *how, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-o", "addopts=",
               "--ignore-glob=*benchmark*", "--tb=short", "-rfE", "--timeout", "120", *library.options,
               *map(str, paths)]  # fmt: skip
    environment = {"PYTHONPATH": str(ROOT / "python"), "MPLBACKEND": "agg", "PATH": "/usr/bin:/bin", "HOME": str(venv),
                   "PYTHONWARNINGS": "ignore", "PYARRAY_CUDA": "cpu"}  # fmt: skip
    return command, home if library.source else venv, environment


def counts_of(said):
    counts = collections.Counter()
    for count, what in COUNT.findall(said.rpartition("\n=")[2] if "\n=" in said else said[-2000:]):
        counts[what.removesuffix("s") if what.startswith("error") else what] += int(count)
    for count, what in COUNT.findall("\n".join(said.splitlines()[-3:])) if not counts else ():
        counts[what] += int(count)
    return counts


FAILED = re.compile(r"^(?:FAILED|ERROR) (\S+?\.py\S*?)(?: - .*)?$", re.MULTILINE)
MOST_AGAIN = 200  # tests that are run with Numba


def also_with_numba(venv, library, home, said, timeout):
    """How many of the tests that failed fail with the real Numba, too; None where that is not known."""
    failed = sorted({name for name in FAILED.findall(said)})
    if not failed or len(failed) > MOST_AGAIN:
        return None
    command, cwd, environment = pytest_of(venv, library, home, [], [])
    try:
        done = subprocess.run([*command, *failed], cwd=cwd, env=environment, capture_output=True, text=True,
                              timeout=timeout)  # fmt: skip
    except subprocess.TimeoutExpired:
        return None
    counts = counts_of(done.stdout)
    return counts["failed"] + counts["error"] if counts else None


def run(venv, name, timeout, log):
    library = LIBRARIES[name]
    done = pip(venv, "install", *COMMON, *library.extra, library.requirement)
    if done.returncode:
        return {"state": "cannot be installed", "causes": [(shortened(done.stderr.strip().splitlines()[-1]), 1)]}
    home, paths = paths_of(venv, library)
    if not paths:
        return {"state": "its tests cannot be had", "causes": []}
    command, cwd, environment = pytest_of(venv, library, home, paths, ["-m", "pyarray.run"])
    try:
        done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, timeout=timeout)
        said = done.stdout + done.stderr
    except subprocess.TimeoutExpired as error:
        said = (error.stdout or b"").decode(errors="replace")
        (log / f"{name}.log").write_text(said)
        return {"state": "run in part, for want of time", "counts": dict(progress(said)), "causes": []}
    (log / f"{name}.log").write_text(said)
    counts = counts_of(said)
    causes = collections.Counter(map(shortened, CAUSE.findall(said))).most_common(4)
    both = also_with_numba(venv, library, home, done.stdout, timeout)
    return {"state": "run" if counts else "cannot be run", "counts": dict(counts), "causes": causes, "both": both}


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
        "Of the tests that failed, those that fail with the real Numba in the same environment, too, are told apart.",
        "",
        "| library | passed | failed | of them with Numba, too | skipped, expected to fail | causes of failure |",
        "|---|---:|---:|---:|---:|---|",
    ]
    for name, result in results.items():
        counts = result.get("counts", {})
        failed = counts.get("failed", 0) + counts.get("error", 0)
        other = counts.get("skipped", 0) + counts.get("xfailed", 0) + counts.get("xpassed", 0)
        causes = "; ".join(f"{cell(text)} ({count})" for text, count in result["causes"])
        if failed and name in NOTES:
            causes = NOTES[name]
        shown = LIBRARIES[name].requirement.replace("==", " ")
        if counts:
            causes = "; ".join(filter(None, (result["state"].removeprefix("run").strip(" ,"), causes)))
            both = result.get("both")
            both = "" if both is None else both
            lines.append(f"| {shown} | {counts.get('passed', 0)} | {failed} | {both} | {other} | {causes} |")
        else:
            lines.append(f"| {shown} | | | | | {result['state']}{': ' + causes if causes else ''} |")
    return "\n".join(lines) + "\n"


USES_START = "\n## Uses\n"

#: Of these libraries there are uses alone.
USED = {
    "umap-learn": "umap-learn==0.5.12",
    "resampy": "resampy==0.4.3",
    "fast-hdbscan": "fast_hdbscan==0.3.4",
    "vector": "vector==1.9.0",
    "pyts": "pyts==0.14.1",
    "antropy": "antropy==0.2.3",
    "quaternionic": "quaternionic==1.0.18",
    "tslearn": "tslearn==0.10.0",
    "numba-celltree": "numba_celltree==0.4.2",
}


def run_uses(venv, wanted, timeout, log):
    """(library, use): what the two gave, (kind, value or message, seconds) each."""
    import os
    import pickle

    pins = {**{name: library.requirement for name, library in LIBRARIES.items()}, **USED}
    for name in wanted or list(pins):
        if pip(venv, "install", *COMMON, pins[name]).returncode:
            say(f"{name} cannot be installed")
    results = []
    for how in ([], ["-m", "pyarray.run"]):
        file = log / f"uses_{len(how)}.pickle"
        environment = {
            **os.environ,
            "PYTHONPATH": str(ROOT / "python"),
            "MPLBACKEND": "agg",
            "PYTHONWARNINGS": "ignore",
        }
        program = str(ROOT / "test" / "compatibility_uses.py")
        subprocess.run([str(venv / "bin" / "python"), *how, program, str(file), *wanted], cwd=log, env=environment,
                       timeout=timeout, check=True)  # fmt: skip
        results.append(pickle.loads(file.read_bytes()))
    return {use: (results[0].get(use), results[1][use]) for use in results[1]}


def is_equal(one, other):
    import numpy as np

    if isinstance(one, tuple):
        return isinstance(other, tuple) and len(one) == len(other) and all(map(is_equal, one, other))
    if not isinstance(one, np.ndarray):
        return one == other
    if one.dtype.kind not in "fc":
        return np.array_equal(one, other)
    return one.shape == other.shape and np.allclose(one, other, rtol=1e-5, atol=1e-8, equal_nan=True)


def first_line(text):
    return text.strip().splitlines()[0] if text.strip() else "an error"


def said_of(theirs, ours):
    if ours[0] == "error" and (theirs is None or theirs[0] == "value"):
        return cell(shortened(first_line(ours[1])))
    if theirs is None:
        return "runs; not compared, for want of time"
    if theirs[0] == "error":
        return "fails with Numba"
    return "equal" if is_equal(theirs[1], ours[1]) else "differs"


def uses_page(results):
    """Of {(library, use): (what Numba gave or None, what pyarray gave)}."""
    lines = [USES_START.strip(), ""]
    lines += [
        "A few lines each that call a library's public functions, with Numba and with pyarray in its place "
        "([test/compatibility_uses.py](../test/compatibility_uses.py)).",
        "",
        "| library | use | result |",
        "|---|---|---|",
    ]
    said = {use: said_of(*both) for use, both in results.items()}
    lines += [f"| {library} | {use} | {text} |" for (library, use), text in said.items()]
    runs = sum(ours[0] == "value" for _, ours in results.values())
    compared = sum(theirs is not None and theirs[0] == "value" for theirs, _ in results.values())
    equal = list(said.values()).count("equal")
    lines.append(f"\n{runs} of {len(results)} run; {equal} of the {compared} that Numba did give what it gave.")
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
    parser.add_argument("--uses", action="store_true", help="the uses instead of the libraries' tests")
    parser.add_argument("--write", action="store_true", help="write docs/compatibility.md")
    arguments = parser.parse_args()
    wanted = arguments.libraries or list(LIBRARIES)
    venv = arguments.venv.resolve()
    prepare(venv)
    log = venv / "logs"
    log.mkdir(exist_ok=True)
    if arguments.uses:
        text = uses_page(run_uses(venv, arguments.libraries, arguments.timeout, log))
        say(text)
        if arguments.write:
            PAGE.write_text(PAGE.read_text().partition(USES_START)[0] + "\n" + text)
        return
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
    head = text.partition("|---|---:|")[0] + "|---|---:|---:|---:|---:|---|\n"
    made = head + "\n".join(row for name in LIBRARIES if (row := new.get(name) or rows.get(name))) + "\n"
    PAGE.write_text(made + USES_START + PAGE.read_text().partition(USES_START)[2])


if __name__ == "__main__":
    main()
