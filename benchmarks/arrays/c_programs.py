"""The programs as loops in C (`programs.c` and kin), called through ctypes, where they can be written so."""

import ctypes
import hashlib
import os
import pathlib
import subprocess
import tempfile

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
SOURCES = [HERE / f"{name}programs.c" for name in ("", "grid_", "matrix_", "data_")]
FLAGS = ["-O3", "-march=native", "-shared", "-fPIC"]
FAST = ["-ffast-math", "-fno-finite-math-only"]
# Each operation rounded, in the order of the source, divisions as divisions: what NumPy's results allow.
EXACT = ["-ffp-contract=off", "-fno-math-errno", "-fno-trapping-math", "-DEXACT"]


def kept(stem, content):
    """Where what is compiled of ``content`` lies, for the next process."""
    key = hashlib.sha256(content).hexdigest()[:16]
    return pathlib.Path(tempfile.gettempdir()) / f"{stem}{os.getuid()}_{key}.so"


def library(exact=False):
    """SOURCES compiled by $CC (gcc)."""
    compiler, flags = os.environ.get("CC", "gcc"), FLAGS + (EXACT if exact else FAST)
    text = b"".join(source.read_bytes() for source in [*SOURCES, HERE / "rounding.h"])
    path = kept("array_programs_", text + repr((compiler, flags)).encode())
    if not path.exists():
        made = path.with_suffix(f".{os.getpid()}")
        subprocess.run([compiler, *flags, *map(str, SOURCES), "-o", str(made), "-lm"], check=True)
        made.rename(path)
    return ctypes.CDLL(str(path))


def given(value):
    if isinstance(value, np.ndarray):
        return ctypes.c_void_p(value.ctypes.data)
    return ctypes.c_double(value) if isinstance(value, float) else ctypes.c_int64(value)


def new(*shape):
    return np.empty(shape)


def whole(result, *arguments):
    """A function that fills ``result``: its arguments, what it returns, and that it has no number to return."""
    return (*arguments, *(result if isinstance(result, tuple) else (result,))), result, None


# Of each program's arguments: those of the C function, the results, and the C type where the function returns a number.
C = {
    "softmax": lambda x: whole(new(*x.shape), *x.shape, x),
    "layer_norm": lambda x, w, b: whole(new(*x.shape), *x.shape, x, w, b),
    "standardise": lambda x: whole(new(*x.shape), *x.shape, x),
    "moving_mean": lambda x, width: whole(new(x.size - width + 1), x.size, width, x),
    "heat": lambda u, steps: ((*u.shape, steps, u), u, None),
    "jacobi": lambda a, b, steps: ((*a.shape, steps, a, b), a, None),
    "hdiff": lambda f, c: whole(new(f.shape[0] - 4, f.shape[1] - 4, f.shape[2]), *f.shape, c, f),
    "black_scholes": lambda p, s, y, r, v: whole((new(p.size), new(p.size)), p.size, p, s, y, r, v),
    "pricer": lambda p, dt, d, v, z: ((*p.shape, p, dt, d, v, z), None, ctypes.c_double),
    "haversine": lambda a, b: whole(new(a.size, a.size), a.size, a, b),
    "go_fast": lambda a: whole(new(*a.shape), a.shape[0], a),
    "expression": lambda a, b, c, d: whole(new(a.size), a.size, a, b, c, d),
    "plus_transposed": lambda m: whole(new(*m.shape), m.shape[0], m),
    "nbody": lambda p, m: whole(new(*p.shape), m.size, p, m),
    "kmeans": lambda p, c, steps: (lambda n: ((*n[:1], len(c), steps, p, c, n[1]), (c, n[1]), None))(
        (len(p), np.zeros(len(p), np.int64))
    ),
    "logistic_regression": lambda x, y, steps: whole(new(x.shape[1]), *x.shape, steps, x, y),
    "kalman": lambda z, q, r: whole(new(z.size), z.size, z, q, r),
    "floyd_warshall": lambda p: ((len(p), p), p, None),
    "lu": lambda a: ((len(a), a), a, None),
    "lu_dots": lambda a: ((len(a), a), a, None),
    "matmul_4": lambda a, b: whole(new(*a.shape), len(a), a, b),
    "matmul_8": lambda a, b: whole(new(*a.shape), len(a), a, b),
    "matmul_16": lambda a, b: whole(new(*a.shape), len(a), a, b),
    "matmul_each_4": lambda a, b: whole(new(4, 4), len(a), a, b),
    "gesummv": lambda s, t, a, b, x: whole(new(x.size), x.size, s, t, a, b, x),
    "mvt": lambda x1, x2, y1, y2, a: ((x1.size, x1, x2, y1, y2, a), (x1, x2), None),
    "atax": lambda a, x: whole(new(x.size), x.size, a, x),
    "bicg": lambda a, p, r: whole((new(p.size), new(p.size)), p.size, a, p, r),
    "small_vectors": lambda n: ((n,), None, ctypes.c_double),
    "dot_of_products": lambda x, y: ((x.size, x, y), None, ctypes.c_double),
    "distance": lambda x, y: ((x.size, x, y), None, ctypes.c_double),
    "count_both": lambda x, y: ((x.size, x, y), None, ctypes.c_int64),
    "life": lambda b, steps: ((*b.shape, steps, b), b, None),
    "jacobi_1d": lambda a, b, steps: ((a.size, steps, a, b), a, None),
    "heat_3d": lambda a, b, steps: ((*a.shape, steps, a, b), a, None),
    "seidel": lambda a, steps: ((*a.shape, steps, a), a, None),
    "fdtd_2d": lambda ex, ey, hz, p: ((len(ex), p.size, ex, ey, hz, p), (ex, ey, hz), None),
    "adi": lambda u, steps: ((len(u), steps, u), u, None),
    "deriche": lambda a, alpha: whole(new(*a.shape), *a.shape, alpha, a),
    "vadv": lambda t, u, w, pos, given, rate: ((*u.shape, t, u, w, pos, given, rate), t, None),
    "syrk": lambda s, t, c, a: ((len(c), s, t, c, a), c, None),
    "trmm": lambda s, a, b: ((len(a), s, a, b), b, None),
    "spmv": lambda starts, columns, v, x: whole(new(starts.size - 1), starts.size - 1, starts, columns, v, x),
    "durbin": lambda r: whole(new(r.size), r.size, r),
    "gramschmidt": lambda a: whole((new(*a.shape), new(a.shape[1], a.shape[1])), *a.shape, a),
    "ludcmp": lambda a, b: whole(new(b.size), b.size, a, b),
    "cholesky": lambda a: ((len(a), a), a, None),
    "trisolv": lambda a, b: whole(new(b.size), b.size, a, b),
    "conv2d": lambda x, w, b: whole(
        np.empty((len(x), x.shape[1] - len(w) + 1, x.shape[2] - len(w) + 1, b.size), np.float32),
        *(*x.shape[:3], len(w), x.shape[3], b.size, x, w, b),
    ),
    "mask_histogram": lambda x, e: whole(np.empty(e.size - 1, np.int64), x.size, e.size - 1, x, e),
    "azimint": lambda data, r, n: whole(new(n), r.size, n, data, r),
    "mandelbrot": lambda x, y, steps: whole(np.empty((y.size, x.size), np.int64), x.size, y.size, steps, x, y),
    "matrix_profile": lambda x, w: whole((new(x.size - w + 1), np.empty(x.size - w + 1, np.int64)), x.size, w, x),
    "nussinov": lambda b: whole(np.empty((b.size, b.size), np.int64), b.size, b),
    "crc16": lambda data, polynomial: ((data.size, data, polynomial), None, ctypes.c_int64),
    "components": lambda n, a, b: whole(np.empty(n, np.int64), n, a.size, a, b),
    "pagerank": lambda n, a, b, steps: whole(new(n), n, a.size, steps, a, b),
}


def c_peer(name, exact=False):
    function, describe = getattr(library(exact), name), C[name]

    def call(*arguments):
        passed, result, returned = describe(*arguments)
        function.restype = returned
        number = function(*map(given, passed))
        return number if returned else result

    return call
