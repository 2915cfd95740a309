"""Mutated IR into pyarray-opt: test/fuzz/ir.py --seconds 60 --seed 1.

Seeds are the .mlir files of test/, with the passes that their RUN lines name, as they stand, in generic form, or as
bytecode. A finding is a crash, a report of a sanitizer, a run that does not end, one that uses too much memory, fails
without a word, or prints what it does not read back. What is upstream's (no function of ours in the crash, or a stock
mlir-opt fails alike) is listed, and is no failure. Findings are reduced and written to corpus/ir: text with its passes
in the first line, bytecode without passes.
"""

import argparse
import concurrent.futures
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(HERE.parent))

from fuzz import child  # noqa: E402

CORPUS = HERE / "corpus" / "ir"
BUILD = pathlib.Path(os.environ.get("PYARRAY_TEST_TOOLS", ROOT / "build" / "bin"))
SECONDS, MEMORY = 20, 4 << 30
FLAG = re.compile(r"--(?:pyarray-[\w-]+|pass-pipeline|canonicalize|cse)(?:='[^']*'|=\S+)?")
TOKEN = re.compile(r'"(?:[^"\\\n]|\\.)*"|[%@^#][\w$.\-]+|![\w.]+(?:<[^<>]*>)?|-?\d[\w.+]*|[A-Za-z_][\w.$]*|->|\S')
NUMBERS = "0 1 -1 2 63 64 65 127 -128 255 4096 1e308 0.5".split() + [str(n) for n in (-(2**63), 2**63 - 1, 2**64)]
TYPES = "i1 i8 i64 si8 si64 ui64 f16 f32 f64 index none !pyarray.any !pyarray.none tuple<>".split()
TYPES += "tuple<si64,f64> complex<f64> !pyarray.array<?xf64,C> !pyarray.array<?x?xsi64,A> !pyarray.range".split()
TYPES += "!pyarray.str !pyarray.list<si64> memref<?xf64> vector<4xf64> tensor<?xf64> !llvm.ptr i0 i65536".split()
TYPES += ["!pyarray.nothing"]
TOOL = ("pyarrayParseModule",)  # leads from the tool to the parser
OF_AN_OP = re.compile(r"pyarray::\w+::parse$")
STRINGS = ['""', '"\\00"', '"' + "x" * 300 + '"', '"ValueError"', '"a.b:c"', '"\\FF\\FE"', '"{0} {99} {"']


def read_seeds():
    """[(name, text, flags)] of the parts of all files."""
    seeds = []
    for path in sorted((ROOT / "test").rglob("*.mlir")):
        if HERE in path.parents:
            continue
        text = path.read_text()
        commands = [line.split("|")[0] for line in text.splitlines() if "RUN:" in line and "pyarray-opt" in line]
        flags = sorted({tuple(FLAG.findall(command)) for command in commands}) or [()]
        for number, part in enumerate(re.split(r"^// -----.*$|^//--- .*$", text, flags=re.M)):
            body = "\n".join(line for line in part.splitlines() if not line.lstrip().startswith("//"))
            if body.strip():
                seeds += [(f"{path.stem}.{number}", body + "\n", [clean(flag) for flag in some]) for some in flags]
    return seeds


def clean(flag):
    return flag.replace("'", "")


def optimize(text, *flags):
    """What pyarray-opt makes of text or bytecode; None where it does not take it."""
    data = text if isinstance(text, bytes) else text.encode()
    done = subprocess.run([BUILD / "pyarray-opt", *flags], input=data, capture_output=True, timeout=SECONDS)
    return done.stdout if done.returncode == 0 else None


class Mutator:
    """Changes a text or bytes in random ways."""

    def __init__(self, seed, seeds):
        self.random = random.Random(seed)
        self.seeds = seeds

    def case(self):
        """(name, text or bytes, flags) of one random input."""
        name, text, flags = self.random.choice(self.seeds)
        form = self.random.random()
        if form < 0.15:
            data = optimize(text, "--emit-bytecode")
            return (name, self.several(data, [self.flip, self.flip, self.cut, self.copy]), []) if data else self.case()
        if form < 0.5:
            text = (optimize(text, "--mlir-print-op-generic") or text.encode()).decode()
        if self.random.random() < 0.1:
            flags = self.random.choice(self.seeds)[2]  # passes of other levels
        kinds = [self.token] * 8 + [
            self.delete_line,
            self.repeat_line,
            self.swap_lines,
            self.foreign_line,
            self.character,
        ]
        return name, self.several(text, kinds), flags

    def several(self, text, kinds):
        for _ in range(self.random.choice([1, 1, 1, 2, 3, 6])):
            text = self.random.choice(kinds)(text) or text
        return text

    # Of text

    def token(self, text):
        places = list(TOKEN.finditer(text))
        if not places:
            return text
        place = self.random.choice(places)
        how = self.random.random()
        if how < 0.1:
            new = ""
        elif how < 0.2:
            new = place[0] + " " + place[0]
        elif how < 0.4:
            new = self.random.choice(places)[0]
        else:
            new = self.alike(place[0], places)
        return text[: place.start()] + new + text[place.end() :]

    def alike(self, token, places):
        """Another token of the same sort."""
        if token[0] == '"':
            return self.random.choice(STRINGS + [place[0] for place in places if place[0][0] == '"'])
        if token.lstrip("-")[:1].isdigit():
            return self.random.choice(NUMBERS)
        if token[0] == "!" or token in TYPES:
            return self.random.choice(TYPES + [place[0] for place in places if place[0][0] == "!"])
        same = [place[0] for place in places if place[0][0] == token[0]]
        words = [place[0] for place in places if place[0][0].isalpha()]
        return self.random.choice(words if token[0].isalpha() else same)

    def line(self, text):
        lines = text.splitlines()
        return lines, self.random.randrange(len(lines))

    def delete_line(self, text):
        lines, place = self.line(text or "\n")
        return "\n".join(lines[:place] + lines[place + 1 :]) + "\n"

    def repeat_line(self, text):
        lines, place = self.line(text or "\n")
        return "\n".join(lines[: place + 1] + lines[place:]) + "\n"

    def swap_lines(self, text):
        lines, place = self.line(text or "\n")
        other = self.random.randrange(len(lines))
        lines[place], lines[other] = lines[other], lines[place]
        return "\n".join(lines) + "\n"

    def foreign_line(self, text):
        lines, place = self.line(text or "\n")
        lines.insert(place, self.random.choice(self.random.choice(self.seeds)[1].splitlines()))
        return "\n".join(lines) + "\n"

    def character(self, text):
        place = self.random.randrange(len(text) + 1)
        return (
            text[:place] + self.random.choice(["", "\0", "<", ">", "(", "{", "\xff", "\U0001f600"]) + text[place + 1 :]
        )

    # Of bytes

    def flip(self, data):
        place = self.random.randrange(len(data))
        byte = self.random.choice(
            [0, 1, 0x7F, 0xFF, self.random.randrange(256), data[place] ^ 1 << self.random.randrange(8)]
        )
        return data[:place] + bytes([byte]) + data[place + 1 :]

    def cut(self, data):
        place = self.random.randrange(len(data))
        return (
            data[:place] if self.random.random() < 0.5 else data[:place] + data[place + self.random.randrange(1, 9) :]
        )

    def copy(self, data):
        start, end = sorted(self.random.randrange(len(data) + 1) for _ in range(2))
        return data[:start] + data[start : min(end, start + 40)] + data[start:]


# What goes wrong


def failure(data, flags, folder):
    """What goes wrong with an input; None if nothing does."""
    path, out = pathlib.Path(folder, "in.mlir"), pathlib.Path(folder, "out.mlir")
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    bytecode = isinstance(data, bytes)
    state, result = child.command([BUILD / "pyarray-opt", path, *flags, "-o", out], SECONDS, MEMORY)
    if state != "done":
        return f"{state}: {result}"
    status, errors = result
    if "ERROR: AddressSanitizer" in errors or "runtime error:" in errors:
        return f"sanitizer: {errors[-2000:]}"
    if status not in (0, 1):
        return f"exit status {status}: {errors[-2000:]}"
    if status == 1:
        return None if errors.strip() else "failed without a word"
    if bytecode:
        return None
    state, result = child.command([BUILD / "pyarray-opt", out, "-o", "/dev/null"], SECONDS, MEMORY)
    if state != "done" or result[0]:
        return f"does not read back what it prints: {result if state != 'done' else result[1][-1500:]}"
    return None


def is_upstream(report, crash, folder):
    """Whether no function of ours is among those of a crash, or a stock mlir-opt fails on the input in the same way."""
    if "INVALID EMPTY SYMBOL" in report:  # upstream prints it, and does not read it
        return True
    # The parser of an operation that hands an attribute to MLIR's parser is on the way to it.
    ours = [name for name in crash[1:] if name.startswith(("pa_", "pyarray")) and not OF_AN_OP.match(name)]
    if crash and not ours and not crash[0].startswith(("pa_", "pyarray")):
        return True
    tool = shutil.which("mlir-opt-22") or shutil.which("mlir-opt")
    if not tool:
        return False
    arguments = [tool, "--allow-unregistered-dialect", pathlib.Path(folder, "in.mlir"), "-o", "/dev/null"]
    started = time.monotonic()
    state, result = child.command(arguments, SECONDS, MEMORY)
    silent = state == "done" and result[0] == 1 and not result[1].strip()
    slow = time.monotonic() - started > SECONDS / 5
    return state == "died" or (silent and "without a word" in report) or (slow and report.startswith("hung"))


def frames(flags, folder):
    """Names of the innermost functions of a crash, where gdb is there to tell."""
    if not shutil.which("gdb"):
        return []
    program = [BUILD / "pyarray-opt", pathlib.Path(folder, "in.mlir"), *flags, "-o", "/dev/null"]
    done = subprocess.run(
        ["gdb", "-q", "-batch", "-ex", "run", "-ex", "bt 40", "--args", *program],
        capture_output=True, text=True, errors="replace", stdin=subprocess.DEVNULL, timeout=120,
    )  # fmt: skip
    names = re.findall(r"^#\d+ +(?:0x[0-9a-f]+ in )?(.+?) \(", done.stdout, re.M)
    return [name.split("(")[0] for name in names if name not in TOOL]


def kind(report):
    """What sort of failure a report tells of."""
    return re.sub(r"0x[0-9a-f]+|\d+|%\S+|'[^']*'", "", report)[:110] if report else None


def reduce_input(data, flags, report, folder, seconds=40):
    """A smaller input that fails alike: without lines, then without tokens."""
    wanted, end = kind(report), time.monotonic() + seconds

    def without(parts, join):
        width = max(1, len(parts) // 2)
        while width:
            start = 0
            while start < len(parts) and time.monotonic() < end:
                candidate = parts[:start] + parts[start + width :]
                if kind(failure(join(candidate), flags, folder)) == wanted:
                    parts = candidate
                else:
                    start += width
            width //= 2
        return join(parts)

    if isinstance(data, bytes):
        return data
    data = without(data.splitlines(keepends=True), "".join)
    return without(re.findall(r"\s*(?:" + TOKEN.pattern + r")|\s+", data), "".join)


def write(folder, name, data, flags):
    """Keeps an input in a folder; returns its path."""
    folder.mkdir(parents=True, exist_ok=True)
    if isinstance(data, bytes):
        path = folder / f"{name}.mlirbc"
        path.write_bytes(data)
    else:
        path = folder / f"{name}.mlir"
        path.write_bytes(f"// {' '.join(flags)}\n{data}".encode())
    return path


def read(path):
    """(text or bytes, flags) of an input of the corpus."""
    data = path.read_bytes()
    if path.suffix == ".mlirbc":
        return data, []
    head, _, text = data.decode().partition("\n")
    return text, head.removeprefix("//").split()


def search(options, seeds, job):
    """Tries random inputs until time is over; returns (inputs, {failure: path}, {failure of upstream: example})."""
    end, number, failures, upstream = time.monotonic() + options.seconds, options.seed + job, {}, {}
    count = 0
    with tempfile.TemporaryDirectory() as folder:
        while time.monotonic() < end:
            _, data, flags = Mutator(number, seeds).case()
            report = failure(data, flags, folder)
            count += 1
            if report:
                crash = frames(flags, folder) if report.startswith("died") else []
                key = " < ".join(crash[:3]) or kind(report)
                if is_upstream(report, crash, folder):
                    upstream.setdefault(key, f"seed {number}")
                elif key not in failures:
                    small = reduce_input(data, flags, report, folder)
                    failures[key] = write(options.output, f"seed_{number}", small, flags)
                    print(f"seed {number}: {report}\n{' < '.join(crash)}", flush=True)
                    print(failures[key], *flags, "\n", flush=True)
            number += options.jobs
    return count, failures, upstream


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--output", type=pathlib.Path, default=CORPUS, help="where findings go")
    parser.add_argument("files", nargs="*", type=pathlib.Path, help="inputs to run in place of random ones")
    options = parser.parse_args()
    if options.files:
        with tempfile.TemporaryDirectory() as folder:
            reports = {path: failure(*read(path), folder) for path in options.files}
        print(*(f"{path}: {report or 'accepted or refused'}" for path, report in reports.items()), sep="\n")
        return int(any(reports.values()))
    print(f"IR from seed {options.seed} on, {options.seconds:.0f} s", flush=True)
    seeds = read_seeds()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        results = list(pool.map(lambda job: search(options, seeds, job), range(options.jobs)))
    failures = {key: path for _, found, _ in results for key, path in found.items()}
    upstream = {key: seed for _, _, found in results for key, seed in found.items()}
    for key, seed in upstream.items():
        print(f"upstream's ({seed}): {key}")
    count = sum(count for count, _, _ in results)
    print(f"{count} inputs, {len(failures)} failures, {len(upstream)} of upstream", flush=True)
    return int(bool(failures))


if __name__ == "__main__":
    sys.exit(main())
