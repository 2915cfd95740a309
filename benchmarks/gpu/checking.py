"""What check.py and its parts are made of: the list of checks, what checks share, and how one runs."""

import importlib
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import traceback

import numpy as np

EXAMPLES = pathlib.Path(__file__).resolve().parent.parent.parent / "examples"
SKIPPED = 3  # exit status
SCALE = int(os.environ.get("CHECK_SCALE", "1"))

#: Name to a function that returns what the line of the check shall say.
CHECKS = {}


class Skip(Exception):
    """The machine has not what the check needs."""


def check(function):
    """Make a check of a function that returns what its line shall say."""
    CHECKS[function.__name__.replace("_", " ")] = function
    return function


def library(name):
    """A module, or the end of the check."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise Skip(f"no {name}: {error}") from None


def numba_cuda():
    """The module numba.cuda, or the end of the check: it may be missing, or not work with this NumPy."""
    if not hasattr(np, "row_stack"):
        np.row_stack = np.vstack  # gone from NumPy 2.5; numba-cuda 0.30 still asks for it
    try:
        importlib.import_module("numba")
        return importlib.import_module("numba.cuda")
    except Exception as error:
        said = " ".join(f"{type(error).__name__}: {error}".split())[:200]
        raise Skip(f"numba-cuda cannot be imported with NumPy {np.__version__}: {said}") from None


def tool(name):
    """The path of a program of the CUDA toolkit, or the end of the check."""
    path = shutil.which(name) or shutil.which(name, path="/usr/local/cuda/bin:/opt/cuda/bin")
    if not path:
        raise Skip(f"no {name}")
    return path


def need_gpu():
    """End the check in the emulator."""
    from pyarray import cuda

    if not cuda.is_available():
        raise Skip("no GPU")


def raised(error, call, *arguments):
    """The exception that a call must raise."""
    try:
        call(*arguments)
    except error as caught:
        return caught
    raise AssertionError(f"no {getattr(error, '__name__', error)}")


def kernels():
    """x *= 2, and y = x + 1."""
    from pyarray import cuda

    @cuda.jit
    def double(x):
        i = cuda.grid(1)
        if i < x.size:
            x[i] *= 2

    @cuda.jit
    def add_one(x, y):
        i = cuda.grid(1)
        if i < y.size:
            y[i] = x[i] + 1

    return double, add_one


def run(text, *arguments, before=(), name="program.py", **environment):
    """Run a program under a tool; returns what both print."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / name
        path.write_text(text)
        environment = {**os.environ, "PYARRAY_CACHE_DIR": folder + "/cache", **environment}
        command = [*before, sys.executable, path, *map(str, arguments)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=200, env=environment, cwd=folder)
    print(done.stdout, done.stderr, sep="\n", file=sys.stderr)
    return done.stdout + done.stderr


def run_here(name):
    """Do a check in this process; the last line printed is what there is to say."""
    try:
        said = CHECKS[name]()
    except Skip as reason:
        print(reason)
        return SKIPPED
    except Exception as error:
        traceback.print_exc()
        place = traceback.extract_tb(error.__traceback__)[-1]
        print(f"{type(error).__name__}: {' '.join(str(error).split())[:600]} ({place.filename}:{place.lineno})")
        return 1
    print(" ".join(str(said).split()))
    return 0


def run_apart(script, name, scale, out, limit):
    """Do a check in a process of its own, print its line, and return its exit status."""
    start = time.perf_counter()
    environment = {"PYARRAY_CUDA": "gpu", **os.environ, "CHECK_SCALE": str(scale)}
    try:
        done = subprocess.run(
            [sys.executable, script, "--run", name], capture_output=True, text=True, env=environment, timeout=limit
        )
        status, output = done.returncode, done.stdout + "\n" + done.stderr
        said = (done.stdout.strip() or done.stderr.strip() or "no word").splitlines()[-1]
        if status < 0:
            said = f"killed by signal {-status}: {(done.stderr.strip() or said).splitlines()[-1]}"
    except subprocess.TimeoutExpired as error:
        status, said = 1, f"took more than {limit} s"
        output = b"\n".join(part for part in (error.stdout, error.stderr) if part).decode(errors="replace")
    mark = {0: "ok", SKIPPED: "skipped"}.get(status, "FAILED")
    print(f"{mark:7} {name:40} {time.perf_counter() - start:5.1f} s  {said}", flush=True)
    if mark == "FAILED" and out:
        out.mkdir(parents=True, exist_ok=True)
        (out / (name.replace(" ", "_") + ".txt")).write_text(output)
    return status
