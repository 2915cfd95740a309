"""Run the programs of test/python/test_cuda_programs.py with a package's `cuda`; prints the times of launches as JSON.

    python emulator_child.py PACKAGE REPEATS

Least times in seconds of one run of each test after the first, which compiles. Only the import of the file is changed
for Numba; what the tests do around the launches is not counted.
"""

import json
import pathlib
import sys
import time
import types

import numpy as np

FILE = pathlib.Path(__file__).resolve().parent.parent / "test" / "python" / "test_cuda_programs.py"


class Timed:
    """A kernel whose launches add to `seconds`."""

    seconds = 0.0

    def __init__(self, name, kernel, cuda):
        self.name, self.kernel, self.cuda = name, kernel, cuda

    def __getitem__(self, configuration):
        launcher = self.kernel[configuration]

        def launch(*arguments):
            start = time.perf_counter()
            launcher(*arguments)
            self.cuda.synchronize()
            Timed.seconds += time.perf_counter() - start

        return launch


def load(package):
    """The module with its kernels timed, and its tests: (name, function, arguments besides `random`)."""
    module = types.ModuleType("programs")
    source = FILE.read_text().replace("from pyarray import", f"from {package} import")
    exec(compile(source, str(FILE), "exec"), vars(module))
    timed = {}
    for name, value in list(vars(module).items()):
        is_device = getattr(value, "device", getattr(value, "_device", False))
        if hasattr(value, "forall") and not is_device:
            timed[id(value)] = Timed(name, value, module.cuda)
            setattr(module, name, timed[id(value)])
    tests = []
    for name, value in list(vars(module).items()):
        if not name.startswith("test_") or not set(parameters(value)) <= {"random", "kernel"}:
            continue
        marks = [mark for mark in getattr(value, "pytestmark", []) if mark.name == "parametrize"]
        kernels = [timed[id(kernel)] for mark in marks for kernel in mark.args[1]]
        for kernel in kernels or [None]:
            shown = kernel.name if kernel else name.removeprefix("test_")
            tests.append((shown, value, {"kernel": kernel} if kernel else {}))
    return tests


def parameters(test):
    return test.__code__.co_varnames[: test.__code__.co_argcount]


def run(test, arguments):
    """Seconds of the launches of one run."""
    Timed.seconds = 0.0
    if "random" in parameters(test):
        arguments = {**arguments, "random": np.random.default_rng(7)}
    test(**arguments)
    return Timed.seconds


def main():
    package, repeats = sys.argv[1], int(sys.argv[2])
    times = {}
    for name, test, arguments in load(package):
        try:
            if run(test, arguments):  # else its kernel is within it, and compiled each time
                times[name] = min(run(test, arguments) for _ in range(repeats))
        except AttributeError:
            if package == "pyarray":
                raise  # the simulator has no shuffles
    print(json.dumps(times))


if __name__ == "__main__":
    main()
