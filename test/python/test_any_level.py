"""IR goes on from any level: what is printed after any pass leads to the same end (docs/internals.md)."""

import importlib
import pathlib
import subprocess
import sys

import numpy as np
import pytest
from pyarray import cuda, float32, int32, njit
from pyarray import inspect as inspect_ufunc

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
TOOLS = ROOT / "build" / "bin"
sys.path.insert(0, str(ROOT / "examples"))

from programs import PROGRAMS, PYTHON, UFUNCS  # noqa: E402

pytestmark = [pytest.mark.real, pytest.mark.skipif(not TOOLS.is_dir(), reason="tools are not built")]

PYTHON_MAINS = ("ufunc_methods", "pulses")  # their main function is not compiled


def run(tool, *options, text=None):
    done = subprocess.run([TOOLS / tool, *map(str, options)], input=text, capture_output=True)
    assert done.returncode == 0, done.stderr.decode()[:2000]
    return done.stdout


def level1(name):
    """Untyped IR of a program's main function, for small arguments."""
    module = importlib.import_module(name)
    function = getattr(module, name)
    try:
        function(*module.arguments(8))
    except IndexError:  # some have no result for inputs as small as that
        pass
    function = function if hasattr(function, "inspect_mlir") else inspect_ufunc(function)
    return function.inspect_mlir("untyped", function.signatures[0])


def dumps(tmp_path, text, pipeline):
    """Level 1 with the text's own places, and the files of the IR after each pass, in order."""
    start = tmp_path / "start.mlir"
    start.write_bytes(run("pyarray-opt", "--mlir-print-debuginfo", text=text.encode()))
    run("pyarray-opt", start, f"--pyarray-pipeline={pipeline}", "--mlir-print-debuginfo", "--mlir-print-ir-after-all",
        f"--mlir-print-ir-tree-dir={tmp_path}/dumps")
    return start, sorted((tmp_path / "dumps").rglob("*.mlir"), key=lambda path: int(path.name.split("_")[0]))


BREAK = b"// -----\n"


def ends(files, pipeline):
    """The end of the pipeline as text without places, of each file."""
    texts = (path.read_bytes().splitlines(keepends=True) for path in files)
    text = BREAK.join(b"".join(line for line in lines if not line.startswith(b"// -----//")) for lines in texts)
    options = ("--split-input-file", "--output-split-marker=// -----", f"--pyarray-pipeline={pipeline}")
    return run("pyarray-opt", *options, text=text).split(BREAK)


def differing(files, pipeline):
    """The files that do not lead to the end of the first one."""
    first, *others = ends(files, pipeline)
    assert len(others) == len(files) - 1
    return [path.stem for path, end in zip(files[1:], others, strict=True) if end != first]


@pytest.mark.usefixtures("little_optimised")  # what the process compiles: the tools compile as users do
@pytest.mark.parametrize("name", [*PROGRAMS, *PYTHON, *(name for name in UFUNCS if name not in PYTHON_MAINS)])
def test_every_dump_leads_to_the_same_end(name, tmp_path):
    start, files = dumps(tmp_path, level1(name), "cpu")
    assert len(files) > 25
    place = sum(name.encode())
    some = files[place % 4 :: 4]  # of one program these, of others those: each costs a compilation
    assert differing([start, *some], "cpu") == []
    another = files[place % len(files)]
    assert len({run("pyarray-translate", path, "--to", "object") for path in (start, another)}) == 1


def clamp_sums(a, out):
    tile = cuda.shared.array(32, int32)
    i = cuda.threadIdx.x
    tile[i] = a[cuda.blockIdx.x * 32 + i]
    cuda.syncthreads()
    total = 0
    for k in range(32):
        total += tile[k]
    if i == 0:
        cuda.atomic.max(out, 0, min(total, 100))


def saxpy(a, x, y):
    i = cuda.grid(1)
    if i < x.size:
        y[i] = a * x[i] + y[i]


KERNELS = [(clamp_sums, (int32[:], int32[:])), (saxpy, (float32, float32[:], float32[:]))]


@pytest.mark.parametrize("pipeline", ["cuda", "cuda-on-cpu"])
@pytest.mark.parametrize("function, types", KERNELS)
def test_dumps_of_kernels(function, types, pipeline, tmp_path):
    text = cuda.jit(types)(function).inspect_mlir("untyped", types)
    start, files = dumps(tmp_path, text, pipeline)
    files = [path for path in files if path.parent.name.startswith("builtin_module")]  # not those of gpu.module alone
    assert len(files) > 15
    assert differing([start, *files], pipeline) == []


def test_what_a_module_says_is_checked(tmp_path):
    """A pass that is not there at that place, another target: everything is run."""
    start, _ = dumps(tmp_path, level1("hypot"), "cpu")
    marks = ['{count = 3 : i64, pass = "cse", target = "cpu"}', '{count = 99 : i64, pass = "cse", target = "cpu"}',
             '{count = -1 : i64, pass = "", target = "gpu"}', "{}", "{count = true, pass = 7, target = unit}"]
    edited = []
    for i, mark in enumerate(marks):
        edited.append(tmp_path / f"{i}.mlir")
        said = f"module attributes {{pyarray.path = {mark}}} {{"
        edited[-1].write_text(start.read_text().replace("module {", said, 1))
        assert mark in edited[-1].read_text()
    assert differing([start, *edited], "cpu") == []


def test_single_passes_are_always_run(tmp_path):
    """A module that is past a pass is given to it all the same when it is asked for by name."""
    @njit
    def double(x):
        return x + x

    double(1.0)
    text = double.inspect_mlir("typed", double.signatures[0])
    assert "pyarray.path" in text
    once = run("pyarray-opt", "--pyarray-lower", text=text.encode())
    assert b"arith.addf" in once


def gathered(a, i):
    return a[i]


@pytest.mark.parametrize("pipeline", ["cpu", "cuda-on-cpu"])
def test_a_loop_of_the_host_that_raises_passes_every_pipeline(pipeline):
    f = njit(gathered)
    f(np.arange(3.0), np.array([1, 2]))
    text = f.inspect_mlir("untyped", f.signatures[0])
    assert b"scf.parallel" not in run("pyarray-opt", f"--pyarray-pipeline={pipeline}", text=text.encode())
