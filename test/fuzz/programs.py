"""Random programs, compiled and in CPython: test/fuzz/programs.py --seconds 60 --seed 1.

Compares results and their types, exceptions (class, arguments, lines, causes, contexts), what arguments hold then, and
counts arrays and lists that are not freed. A program is a file: a function f, and CALLS, texts of argument tuples.
Those that fail are reduced and written to corpus/programs. Every program follows from its seed; --features names what
they use.
"""

import argparse
import ast
import linecache
import math
import os
import pathlib
import re
import signal
import sys
import time
import types
import typing
import warnings

HERE = pathlib.Path(__file__).parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "python")]

import numpy as np  # noqa: E402
from compare import arrays_alive, description, is_same  # noqa: E402
from fuzz import child, containers, writer  # noqa: E402
from fuzz.reduce import reduced  # noqa: E402
from pyarray import TypingError, UnsupportedError, njit  # noqa: E402
from random_programs import TooLarge, plain, with_limits  # noqa: E402

CORPUS = HERE / "corpus" / "programs"


def strict(function=None, **options):
    """`njit` with the errors of CPython, which is what programs are compared with."""
    return njit(function, **{"error_model": "strict", **options})


FILENAME = "<test fuzz>"
MODULE = "fuzzed"  # where compiled code finds the classes that it raises
SCALARS = [np.int8, np.int32, np.uint8, np.uint64, np.float32, np.float16, np.bool_, np.complex64]
SCALARS += [int, float, bool, complex]
ULPS = 2  # of math's functions
FEATURES = (*writer.FEATURES, "containers")  # the last one alone: those of containers.py


def program(seed, features=None):
    """(source of a program, texts of arguments) for a seed; without features every third is one of containers.py."""
    alone = features == ["containers"] or (features is None and seed % 3 == 0)
    return containers.program(seed) if alone else writer.program(seed, features)


def show(source):
    """Lets those who ask for the lines of a program find them."""
    linecache.cache[FILENAME] = (len(source), None, source.splitlines(keepends=True), FILENAME)


def load(source, decorator):
    """The names that a program defines."""
    show(source)
    names = {"np": np, "math": math, "njit": decorator, "__name__": MODULE}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the syntax
        exec(compile(source, FILENAME, "exec"), names)
    return names


def outcome(function, arguments):
    """("returned", value), or ("raised", description)."""
    try:
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return "returned", function(*arguments)
    except Exception as error:
        if isinstance(error, (TypingError, UnsupportedError)):
            return "refused", str(error)
        return "raised", description(error)


def traced(function):
    """The function, with exact lines: CPython 3.11 joins instructions of two lines where a loop has run often."""

    def run(*arguments):
        sys.settrace(lambda *event: None)
        try:
            return function(*arguments)
        finally:
            sys.settrace(None)

    return run


def difference(text, compiled, oracle, limits):
    """What differs for the arguments of a text; None if nothing does."""
    environment = {"np": np, "math": math}
    first, ours, theirs = (eval(text, dict(environment)) for _ in range(3))
    TooLarge.made = 0
    outcome(limits, first)
    if TooLarge.made:
        return None
    before = arrays_alive()
    got = outcome(compiled, ours)
    wanted = outcome(oracle, theirs)
    if got[0] == "refused":  # a tuple is never that long: said before the program runs, even of what never does
        return None if re.match(r"tuple index -?\d+ is out of range", got[1]) else f"refused: {got[1]}"
    if got[0] == wanted[0] == "raised" and repr(got) != repr(wanted):
        theirs = eval(text, dict(environment))
        wanted = outcome(traced(oracle), theirs)
    if "cannot access free variable" in repr(wanted):  # comprehensions are functions before Python 3.12
        return None
    same = got[0] == wanted[0] and (
        is_same(got[1], wanted[1], ULPS) if got[0] == "returned" else repr(got) == repr(wanted)
    )
    if not same:
        return f"f{text}\n  {got}\nbut CPython\n  {wanted}"
    if not is_same(tuple(map(held, ours)), tuple(map(held, theirs)), ULPS):
        return f"f{text}: arguments became\n  {ours}\nbut CPython's\n  {theirs}"
    del got, wanted, ours, theirs
    left = arrays_alive() - before
    return f"f{text}: {left} objects leaked" if left else None


def held(argument):
    """What an argument holds, zero-dimensional and strided arrays as plain ones."""
    return argument.copy() if isinstance(argument, np.ndarray) else argument


def failure(source, calls):
    """What goes wrong with a program; None if nothing does."""
    names = load(source, strict)
    sys.modules[MODULE] = module = types.ModuleType(MODULE)
    classes = {name: value for name, value in names.items() if isinstance(value, type)}
    vars(module).update(classes)
    limits = with_limits(source)
    for text in calls:
        oracle = load(source, plain)  # a fresh one: warm ones have other lines in tracebacks with CPython 3.11
        oracle.update(classes)
        found = difference(text, names["f"], oracle["f"], limits)
        if found:
            return found
    return other_types(source, calls[0]) if calls else None


def other_types(source, text):
    """With arguments of other types Python means something else, but the compiler refuses them in its own words."""
    arguments = eval(text, {"np": np, "math": math})
    for shift in range(2):
        chosen = [SCALARS[(len(source) + 5 * k + shift) % len(SCALARS)] for k in range(6)]
        with np.errstate(all="ignore"):
            got = outcome(load(source, strict)["f"], [*(scalar(1) for scalar in chosen), *arguments[6:]])
        if got[0] == "raised" and got[1][0] in ("InternalError", "SystemError", "CompilerError"):
            return f"f({', '.join(scalar.__name__ for scalar in chosen)}, ...)\n  {got}"
    return None


def kind(report):
    """What sort of failure a report tells of: reducing keeps it."""
    if report is None:
        return None
    state = report.split("\n")[0]
    if state.startswith("refused"):
        return re.sub(r"line \d+.*|'[^']*'", "", state)
    shapes = re.findall(r"\('(returned|raised|refused)'(?:, \('(\w+)')?", report)
    return str(shapes or re.sub(r"\d+|f\(.*\)", "", state))


def run(source, calls, seconds=30):
    """failure() in a process of its own."""
    state, result = child.call(failure, source, calls, seconds=seconds)
    return result if state == "done" else f"{state}: {result}"


class Fuzzer(typing.NamedTuple):
    """What draws programs and says what goes wrong with them."""

    what: str
    program: typing.Callable  # (seed, features): source and calls
    run: typing.Callable  # (source, calls, seconds=): a report or None
    corpus: pathlib.Path
    features: tuple


FUZZER = Fuzzer("programs", program, run, CORPUS, FEATURES)


def reduce_program(source, calls, report, seconds=60, run=run):
    """A smaller program, and calls, that fail alike; and its report."""
    wanted, end = kind(report), time.monotonic() + seconds
    best = source, calls, report

    def fails(candidate, some):
        nonlocal best
        if time.monotonic() > end:
            return False
        try:
            found = run(candidate, some, seconds=10)
        except Exception:  # the candidate is no program
            return False
        if kind(found) == wanted:
            best = candidate, some, found
        return kind(found) == wanted

    for text in calls:
        if fails(source, [text]):
            break
    reduced(best[0], lambda candidate: fails(candidate, best[1]))
    return best


def write(folder, name, source, calls, report):
    """Keeps a program in a folder; returns its path."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.py"
    head = "".join(f"# {line}\n" for line in report.splitlines()[:12])
    path.write_text(f"{head}{source}\n\nCALLS = [\n" + "".join(f"    {text!r},\n" for text in calls) + "]\n")
    return path


def read(path):
    """(source, calls) of a program in the corpus."""
    source, _, calls = path.read_text().rpartition("\nCALLS = ")
    return source, ast.literal_eval(calls)


def warm_up():
    """Loads the compiler once, for all forks."""
    load("@njit\ndef f(x):\n    return x + 1\n", strict)["f"](1)


def search(fuzzer, first, step, seconds, features, folder):
    """Tries seeds until time is over; returns (programs, failures)."""
    warm_up()
    end, count, failures, seen = time.monotonic() + seconds, 0, 0, set()
    seed = first
    while time.monotonic() < end:
        source, calls = fuzzer.program(seed, features)
        report = fuzzer.run(source, calls)
        count += 1
        if report and kind(report) not in seen:
            seen.add(kind(report))
            failures += 1
            print(f"seed {seed}: {report}\n-- reducing", flush=True)
            path = write(folder, f"seed_{seed}", *reduce_program(source, calls, report, run=fuzzer.run))
            print(f"{path}\n{path.read_text()}", flush=True)
        seed += step
    return count, failures


def main(fuzzer=FUZZER, text=__doc__):
    parser = argparse.ArgumentParser(description=text, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--features", type=lambda text: text.split(","), help=", ".join(fuzzer.features))
    parser.add_argument("--output", type=pathlib.Path, default=fuzzer.corpus, help="where failing programs go")
    parser.add_argument("--show", action="store_true", help="print the program of the seed")
    parser.add_argument("files", nargs="*", type=pathlib.Path, help="programs to run in place of random ones")
    options = parser.parse_args()
    os.environ["PYARRAY_CACHE"] = "0"
    if options.show:
        source, calls = fuzzer.program(options.seed, options.features)
        print(source, *calls, sep="\n")
        return 0
    if options.files:
        warm_up()
        reports = {path: fuzzer.run(*read(path)) for path in options.files}
        print(*(f"{path}: {report or 'as in CPython'}" for path, report in reports.items()), sep="\n")
        return int(any(reports.values()))
    print(f"{fuzzer.what} from seed {options.seed} on, {options.seconds:.0f} s", flush=True)
    total = failures = 0
    for reader, job in start(fuzzer, options):
        with os.fdopen(reader) as lines:
            count, bad = map(int, (lines.read() or "0 1").split())
        os.waitpid(job, 0)
        total, failures = total + count, failures + bad
    print(f"{total} programs, {failures} failures", flush=True)
    return int(failures > 0)


def start(fuzzer, options):
    """Starts a process for each job; returns [(pipe, process)]."""
    started = []
    for job in range(options.jobs):
        reader, writer = os.pipe()
        process = os.fork()
        if process == 0:
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            counts = search(fuzzer, options.seed + job, options.jobs, options.seconds, options.features,
                            options.output)  # fmt: skip
            os.write(writer, " ".join(map(str, counts)).encode())
            os._exit(0)
        os.close(writer)
        started.append((reader, process))
    return started


if __name__ == "__main__":
    sys.exit(main())
