"""The fuzzers of test/fuzz: what they found once, a few inputs of each, and that they find what is wrong."""

import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from fuzz import child, containers, growing, ir, programs, reduce, writer  # noqa: E402
from pyarray import extending  # noqa: E402

pytestmark = pytest.mark.real
PROGRAMS = sorted(programs.CORPUS.glob("*.py"))
GROWING = sorted(growing.FUZZER.corpus.glob("*.py"))
INPUTS = sorted([*ir.CORPUS.glob("*.mlir"), *ir.CORPUS.glob("*.mlirbc")])
needs_tools = pytest.mark.skipif(not (ir.BUILD / "pyarray-opt").exists(), reason="pyarray-opt is not built")


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_programs_that_failed_once(path):
    assert programs.run(*programs.read(path)) is None


@pytest.mark.usefixtures("little_optimised")
@pytest.mark.parametrize("path", GROWING, ids=lambda path: path.stem)
def test_growing_types_that_failed_once(path, monkeypatch):
    monkeypatch.setattr(extending, "_typers", {})  # those of other tests are asked for each type
    assert growing.run(*programs.read(path)) is None


@needs_tools
@pytest.mark.parametrize("path", INPUTS, ids=lambda path: path.stem)
def test_ir_that_failed_once(path, tmp_path):
    assert ir.failure(*ir.read(path), tmp_path) is None


@pytest.mark.parametrize("seed", range(20))
def test_random_programs(seed):
    assert programs.run(*writer.program(seed)) is None


@pytest.mark.parametrize("seed", range(12))
def test_random_programs_of_containers(seed):
    assert programs.run(*containers.program(seed)) is None


@pytest.mark.usefixtures("little_optimised")
@pytest.mark.parametrize("seed", range(30))
def test_random_growing_types(seed):
    assert growing.run(*growing.program(seed)) is None


ENDLESS = """
@njit
def f0(x, n):
    {}
"""


def test_what_takes_time_or_memory_or_differs_is_found(monkeypatch):
    monkeypatch.setattr(growing, "PROCESSOR", 0)
    assert "killed by SIG" in growing.run(ENDLESS.format("while True:\n        n += 1"), ["(1, 1)"])
    monkeypatch.setattr(growing, "PROCESSOR", 10)
    long = ENDLESS.format("return len([x] * 50_000_000)")
    assert growing.run(long, ["(1, 1)"]) is None  # CPython has a list as long
    with monkeypatch.context() as changed:
        changed.setattr(growing, "ITEM", 0)  # as if it had none
        assert " MB" in growing.run(long, ["(1, 1)"])
    assert "but CPython" in growing.run(ENDLESS.format("return x * 2**40"), ["(2**40, 1)"])
    refused = ENDLESS.format("return None if n <= 0 else (n, f0(x, n - 1))")
    assert growing.run(refused, ["(1, 1)"]) is None
    monkeypatch.setattr(growing, "TypingError", ZeroDivisionError)
    assert "NumbaTypeError" in growing.run(refused, ["(1, 1)"])


@needs_tools
def test_mutated_ir(tmp_path):
    seeds = ir.read_seeds()
    for seed in range(40):
        _, data, flags = ir.Mutator(seed, seeds).case()
        report = ir.failure(data, flags, tmp_path)
        assert report is None or ir.is_upstream(report, ir.frames(flags, tmp_path), tmp_path), (seed, report)


def test_a_seed_always_gives_the_same():
    assert writer.program(7) == writer.program(7) != writer.program(8)
    assert containers.program(7) == containers.program(7) != containers.program(8)
    assert growing.program(7) == growing.program(7) != growing.program(8)
    seeds = [("a", "func.func @f() {\n  return\n}\n", [])]
    assert ir.Mutator(3, seeds).several("a b c d", [ir.Mutator(3, seeds).token])
    assert ir.Mutator(5, seeds).case() == ir.Mutator(5, seeds).case()


# An exponent that a float64 does not reach: the compiled int wraps, and limits are not asked.
WRONG = """
@njit
def f(x, y):
    z = 1
    for k in range(3):
        if k > 1:
            z += k
    if x > 2:
        z = x * 2**40 * 2**40
        y += 1
    return z
"""


def test_what_differs_is_found_and_reduced(monkeypatch):
    monkeypatch.setattr(programs, "with_limits", lambda source: lambda *arguments: None)
    report = programs.run(WRONG, ["(1, 1)", "(5, 1)"])
    assert "f(5, 1)" in report
    source, calls, report = programs.reduce_program(WRONG, ["(1, 1)", "(5, 1)"], report, seconds=60)
    assert calls == ["(5, 1)"] and "for" not in source and "2 ** 40" in source and len(source.splitlines()) <= 6, source


def test_leaks_are_found(monkeypatch):
    counts = iter([0, 1])
    monkeypatch.setattr(programs, "arrays_alive", lambda: next(counts))
    assert "1 objects leaked" in programs.failure("@njit\ndef f(x):\n    return x\n", ["(1,)"])


def test_children_that_crash_or_hang_are_reported():
    import os
    import signal
    import time

    assert child.call(os.kill, 0, signal.SIGCONT)[0] == "done"
    assert child.call(os.abort)[1].startswith("killed by SIGABRT")
    assert child.call(time.sleep, 60, seconds=0.2) == ("hung", "still running after 0.2 s")
    assert "MemoryError" in child.call(bytearray, 1 << 40)[1]
    assert child.command(["sh", "-c", "kill -SEGV $$"])[0] == "died"


def test_reducing_keeps_what_fails():
    source = "a = 1\nfor k in range(3):\n    if a:\n        b = f(2) + 3\nelse:\n    c = 4\n"
    assert reduce.reduced(source, lambda text: "f(2)" in text).strip() == "b = f(2)"
