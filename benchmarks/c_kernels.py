"""kernels.c compiled and made callable with the arguments of examples/."""

import ctypes
import pathlib
import shutil
import subprocess
import tempfile

import numpy as np
from measure import HERE

INT, FLOAT, POINTER, SINGLE = ctypes.c_int64, ctypes.c_double, ctypes.c_void_p, ctypes.c_float

# Result and parameters of each function.
SIGNATURES = {
    "matmul": (POINTER, [POINTER, POINTER, INT, INT, INT]),
    "mandelbrot": (POINTER, [INT, INT, INT]),
    "laplace": (POINTER, [POINTER, POINTER, INT, INT, INT]),
    "nbody": (FLOAT, [POINTER, POINTER, POINTER, INT, INT, FLOAT]),
    "sieve": (POINTER, [INT, POINTER]),
    "bubble_sort": (INT, [POINTER, INT]),
    "levenshtein": (INT, [POINTER, POINTER, INT, INT]),
    "saxpy": (None, [SINGLE, POINTER, POINTER, POINTER, INT]),
    "zero_suppress": (None, [POINTER, SINGLE, POINTER, INT]),
}

# What is passed to C for the arguments of the Python function.
ADAPTERS = {
    "matmul": lambda a, b: (a, b, *a.shape, b.shape[1]),
    "mandelbrot": lambda height, width, limit: (height, width, limit),
    "laplace": lambda u, work, iterations: (u, work, *u.shape, iterations),
    "nbody": lambda positions, velocities, masses, steps, dt: (positions, velocities, masses, masses.size, steps, dt),
    "sieve": lambda n: (n, np.zeros(1, np.int64)),
    "bubble_sort": lambda a: (a, a.size),
    "levenshtein": lambda a, b: (a, b, a.size, b.size),
    "saxpy": lambda a, x, y, out: (a, x, y, out, out.size),
    "zero_suppress": lambda value, threshold, out: (value, threshold, out, out.size),
}


# Names whose result is new memory: element type, and number of elements by the arguments of C.
NEW_MEMORY = {
    "matmul": (np.float64, lambda a, b, rows, inner, columns: (rows, columns)),
    "mandelbrot": (np.int64, lambda height, width, limit: (height, width)),
    "sieve": (np.int64, lambda n, count: (int(count[0]),)),
}


def compiler():
    """Path and first line of the version of the C compiler."""
    for name in ("clang-22", "clang", "gcc"):
        if path := shutil.which(name):
            return path, subprocess.run([path, "--version"], capture_output=True, text=True).stdout.splitlines()[0]
    raise RuntimeError("no C compiler found: tried clang-22, clang, gcc")


class Kernels:
    """The functions of kernels.c, compiled with -O3 -march=native and further flags."""

    def __init__(self, *flags):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "kernels.so"
            options = ["-O3", "-march=native", *flags, "-shared", "-fPIC"]
            subprocess.run([compiler()[0], *options, "-o", path, HERE / "kernels.c", "-lm"], check=True)
            self.library = ctypes.CDLL(str(path))
        self.free = ctypes.CDLL(None).free
        self.free.argtypes, self.free.restype = [POINTER], None
        for name, (result, parameters) in SIGNATURES.items():
            function = getattr(self.library, name)
            function.restype, function.argtypes = result, parameters

    def arguments(self, name, arguments):
        """What to pass to C; arrays stay alive as long as the arguments of Python do, save the count of sieve."""
        adapted = ADAPTERS[name](*arguments)
        return [POINTER(a.ctypes.data) if isinstance(a, np.ndarray) else a for a in adapted]

    def timed(self, name):
        """Function of the arguments of C to be timed: calls, and frees the result if it is new memory."""
        function, free = getattr(self.library, name), self.free
        return (lambda *arguments: free(function(*arguments))) if name in NEW_MEMORY else function

    def call(self, name, arguments):
        """The result as Python has it."""
        adapted = ADAPTERS[name](*arguments)
        result = getattr(self.library, name)(*[a.ctypes.data if isinstance(a, np.ndarray) else a for a in adapted])
        if name == "laplace":
            return arguments[0] if result == arguments[0].ctypes.data else arguments[1]
        if name not in NEW_MEMORY:
            return result
        dtype, shape = NEW_MEMORY[name]
        shape = shape(*adapted)
        memory = ctypes.string_at(result, int(np.prod(shape)) * np.dtype(dtype).itemsize)
        self.free(result)
        return np.frombuffer(memory, dtype).reshape(shape)
