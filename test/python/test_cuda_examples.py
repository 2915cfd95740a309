"""The CUDA programs of examples/, each against NumPy, and their kernels as PTX; with PYARRAY_CUDA=gpu on a GPU."""

import pathlib
import re
import subprocess
import sys

import numpy as np
import pytest
from pyarray import cuda
from test_cuda_ptx import PTXAS, assemble, needs_libdevice

EXAMPLES = pathlib.Path(__file__).resolve().parent.parent.parent / "examples"
sys.path.insert(0, str(EXAMPLES))

from plotting import save_plot  # noqa: E402
from programs import CUDA, load  # noqa: E402

pytestmark = pytest.mark.real

ARCHITECTURES = [(7, 5), (9, 0), (10, 0)]
# Sizes that fill blocks and tiles partly, exactly, and by one too many.
SIZES = {
    "cuda_vector_add": [1, 65_536, 65_537, 200_001],
    "cuda_matmul": [1, 15, 16, 17, 64],
    "cuda_reduction": [0, 1, 31, 255, 256, 257, 70_000],
    "cuda_transpose": [1, 31, 32, 33, 64],
    "cuda_histogram": [0, 1, 255, 70_000],
    "cuda_mandelbrot": [1, 8, 33],
    "cuda_laplace": [3, 8, 33],
    "cuda_prefix_sum": [1, 31, 256, 257, 65_536, 65_537],
    "cuda_bitonic_sort": [0, 1, 2, 1023, 1024, 1025, 5000],
    "cuda_black_scholes": [1, 3, 1000],
    "cuda_hidden_layer": [1, 1000],
}
loaded = {name: load(name) for name in CUDA}


def check(name, *arguments):
    module = loaded[name]
    found, expected = getattr(module, name)(*arguments), module.reference(*arguments)
    if not isinstance(expected, tuple):
        found, expected = (found,), (expected,)
    assert len(found) == len(expected)
    tolerance = getattr(module, "TOLERANCE", 0)
    for result, wanted in zip(found, expected):
        assert np.shape(result) == np.shape(wanted)
        np.testing.assert_allclose(result, wanted, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("name, size", [(name, size) for name in CUDA for size in [None, *SIZES[name]]])
def test_against_numpy(name, size):
    check(name, *loaded[name].arguments(*([] if size is None else [size])))


@pytest.mark.parametrize("x", [[2.0, -np.inf, np.inf, 0.0, -0.0, 2.0], [1.0] * 3000, list(range(2048, 0, -1))])
def test_sorting_special_numbers(x):
    check("cuda_bitonic_sort", np.array(x, np.float32))


def test_histogram_leaves_out_what_is_outside():
    check("cuda_histogram", np.array([-4.0, 4.0, -4.1, np.nextafter(4.0, 0), np.inf, np.nan, 0.0]), -4.0, 4.0)


@pytest.mark.parametrize("name", CUDA)
def test_runs_as_a_program(name):
    done = subprocess.run([sys.executable, EXAMPLES / f"{name}.py"], capture_output=True, text=True)
    assert done.returncode == 0 and done.stdout and not done.stderr, done.stderr


@pytest.mark.parametrize("first", ["cuda.to_device([1.0])", "cuda.get_current_device()", "cuda.stream()"])
def test_one_warning_without_a_gpu(run, first):
    program = f"from pyarray import cuda\ndef f():\n    {first}  # here\nf()\nf()\n"
    done = run(program, check=False, PYARRAY_CUDA="", PYARRAY_CUDA_DRIVER="/no such library")
    assert done.returncode == 0 and done.stderr.count("CudaEmulationWarning") == 1, done.stderr
    assert "program.py:3: CudaEmulationWarning" in done.stderr and "# here" in done.stderr


@pytest.mark.parametrize("name", [name for name in CUDA if hasattr(loaded[name], "draw")])
def test_picture(name, tmp_path):
    image = pytest.importorskip("matplotlib.image")
    save_plot(loaded[name].draw, tmp_path / "picture.png")
    assert len(np.unique(image.imread(tmp_path / "picture.png").reshape(-1, 4), axis=0)) > 10


def kernels(module):
    """Kernels of a module that were launched, with their signatures; functions that only kernels call have none."""
    found = [value for value in vars(module).values() if isinstance(value, cuda.CUDADispatcher)]
    return [(kernel, signature) for kernel in found for signature in kernel.signatures]


@needs_libdevice
@pytest.mark.parametrize("name", [name for name in CUDA if name != "cuda_hidden_layer"])
def test_kernels_as_ptx(name, tmp_path):
    check(name, *loaded[name].arguments())
    cases = kernels(loaded[name])
    assert cases
    for kernel, signature in cases:
        for cc in ARCHITECTURES:
            ptx, _ = cuda.compile_ptx(kernel.py_func, signature, cc=cc)
            assert f".target sm_{cc[0]}{cc[1]}" in ptx and f".visible .entry {kernel.py_func.__name__}(" in ptx
            assert ".extern" not in ptx
            if PTXAS:
                assemble(ptx, f"sm_{cc[0]}{cc[1]}", tmp_path)


@needs_libdevice
@pytest.mark.parametrize("name", ["normalize", "weigh", "activate"])
def test_ufuncs_as_ptx(name, tmp_path):
    ufunc = getattr(loaded["cuda_hidden_layer"], name)
    for cc in ARCHITECTURES:
        ptx = ufunc.inspect_ptx(cc=cc)
        assert f".target sm_{cc[0]}{cc[1]}" in ptx and ".extern" not in ptx
        if PTXAS:
            assemble(ptx, f"sm_{cc[0]}{cc[1]}", tmp_path)


@pytest.mark.parametrize("name", CUDA)
def test_only_the_import_names_this_package(name):
    lines = (EXAMPLES / f"{name}.py").read_text().splitlines()
    assert len([line for line in lines if "pyarray" in line]) == 1


def test_code_of_the_page(run):
    page = (EXAMPLES.parent / "docs" / "cuda.md").read_text()
    blocks = re.findall(r"^```python\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    assert len(blocks) > 1
    run("\n".join(blocks))


def test_checks_for_a_machine_with_a_gpu():
    # Those that need no more than kernels, of the examples two. The rest say why they are skipped.
    script = EXAMPLES.parent / "benchmarks" / "gpu" / "check.py"
    assert all(f'"{name}": ' in script.read_text() for name in CUDA)
    words = ["vector_add", "bitonic_sort", "raise", "bounds", "configurations", "memory"]
    words += ["fork", "print", "tool", "cupy", "gdb"]
    done = subprocess.run([sys.executable, script, "--scale", "5000", *words], capture_output=True, text=True)
    *lines, last = done.stdout.splitlines()
    assert done.returncode == 0 and last.endswith(" 0 failed"), done.stdout + done.stderr
    assert sum(line.startswith("ok ") for line in lines) >= 2 + 6
