"""Largest errors of exp, log, sin and the like in compiled loops, in ULP, as a Markdown table for docs/accuracy.md.

    python benchmarks/accuracy.py [--samples 20000] [--exhaustive] [--flags] [name ...]

float32 is compared with libm's float64 functions, float64 with mpmath (pip install mpmath). --exhaustive takes all bit
patterns of float32 instead of samples. --flags shows where libmvec itself raises floating-point exceptions that libm
does not: the bounds in lib/runtime/vector/vector_math.def come from there.
"""

import argparse
import ctypes

import numpy as np
from pyarray import njit

# name: NumPy function, how compiled code calls it, ranges that samples come from
RANGES = {
    "acos": [(-1, 1), (0.99, 1)],
    "acosh": [(1, 1.01), (1, 100), (1, 1e15)],
    "asin": [(-1, 1), (-0.01, 0.01)],
    "asinh": [(-1, 1), (-100, 100), (-1e15, 1e15)],
    "atan": [(-1, 1), (-100, 100), (-1e10, 1e10)],
    "atan2": [(-1, 1), (-100, 100)],
    "atanh": [(-1, 1), (-0.01, 0.01)],
    "cbrt": [(-1, 1), (-1e10, 1e10)],
    "cos": [(-10, 10), (-1000, 1000), (-1e9, 1e9)],
    "cosh": [(-1, 1), (-85, 85)],
    "erf": [(-1, 1), (-7, 7)],
    "erfc": [(-1, 1), (-5, 9)],
    "exp": [(-1, 1), (-85, 85)],
    "exp2": [(-1, 1), (-120, 120)],
    "expm1": [(-1, 1), (-30, 85)],
    "hypot": [(-1, 1), (-1e10, 1e10)],
    "log": [(0, 2), (0.99, 1.01), (0, 1e10)],
    "log10": [(0, 2), (0.99, 1.01), (0, 1e10)],
    "log1p": [(-1, 1), (-0.01, 0.01), (0, 1e10)],
    "log2": [(0, 2), (0.99, 1.01), (0, 1e10)],
    "pow": [(0, 2), (0.9, 1.1), (0, 100)],
    "sin": [(-10, 10), (-1000, 1000), (-1e9, 1e9)],
    "sinh": [(-1, 1), (-85, 85)],
    "tan": [(-10, 10), (-1000, 1000), (-1e9, 1e9)],
    "tanh": [(-1, 1), (-20, 20)],
}
BINARY = {"atan2", "hypot", "pow"}
MATH_ONLY = {"erf", "erfc"}
NUMPY_NAMES = {
    "acos": "arccos", "acosh": "arccosh", "asin": "arcsin", "asinh": "arcsinh", "atan": "arctan", "atan2": "arctan2",
    "atanh": "arctanh", "pow": "power",
}  # fmt: skip
# Where exponents beyond these ranges lead to no infinity and no NaN: any number of these signs.
WHOLE_RANGE = {"asinh": -1, "atan": -1, "atan2": -1, "cbrt": -1, "log": 1, "log10": 1, "log2": 1, "tanh": -1, "erf": -1}


def compiled_loop(name, **options):
    """A compiled loop that stores name(x[i]) or name(x[i], y[i]) in out[i]."""
    call = f"math.{name}" if name in MATH_ONLY else f"np.{NUMPY_NAMES.get(name, name)}"
    arguments = "x[i], y[i]" if name in BINARY else "x[i]"
    source = f"def loop(x, y, out):\n    for i in range(out.shape[0]):\n        out[i] = {call}({arguments})\n"
    return define(source, **options)


def define(source, **options):
    """A compiled function from source text."""
    import linecache
    import math

    file = f"<loop {abs(hash(source))}>"
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    names = {"np": np, "math": math}
    exec(compile(source, file, "exec"), names)
    return njit(boundscheck=False, **options)(names["loop"])


def samples(name, dtype, count, random):
    """Arguments of one dtype: uniform in each range, and over all exponents."""
    ranges = RANGES[name]
    parts = [random.uniform(low, high, count // len(ranges)) for low, high in ranges]
    if name in WHOLE_RANGE:
        limit = np.log2(float(np.finfo(dtype).max)) * 0.99
        sign = random.choice([-1, 1], count // 2) if WHOLE_RANGE[name] < 0 else 1
        parts.append(sign * np.exp2(random.uniform(-limit, limit, count // 2)))
    x = np.concatenate(parts).astype(dtype)
    if name == "pow":
        largest = 0.98 * np.log2(float(np.finfo(dtype).max)) / np.maximum(abs(np.log2(x)), 0.1)
        y = (random.uniform(-1, 1, x.size) * largest).astype(dtype)
    else:
        y = random.permutation(x)
    return x, y


# Exact values


def exact_float64(name, x, y):
    """Values with 80 bits or more, as pairs of float64."""
    import mpmath

    mpmath.mp.prec = 120
    named_otherwise = {
        "cbrt": lambda v: mpmath.cbrt(abs(v)) * mpmath.sign(v),
        "exp2": lambda v: mpmath.mpf(2) ** v,
        "log2": lambda v: mpmath.log(v, 2),
        "pow": mpmath.power,
    }
    function = named_otherwise.get(name) or getattr(mpmath, name)
    if name in BINARY:
        values = [function(mpmath.mpf(a), mpmath.mpf(b)) for a, b in zip(x.tolist(), y.tolist())]
    else:
        values = [function(mpmath.mpf(a)) for a in x.tolist()]
    high = np.array([float(value) for value in values])
    low = np.array([float(value - mpmath.mpf(h)) if np.isfinite(h) else 0.0 for value, h in zip(values, high.tolist())])
    return high, low


def exact_float32(name, x, y):
    """Values of the scalar float64 functions, 2**-52 from the exact ones."""
    call = compiled_loop(name, accuracy="high")
    out = np.empty(x.size)
    call(x.astype(np.float64), y.astype(np.float64), out)
    return out, np.zeros(x.size)


def errors(got, high, low):
    """Distance from the exact value in units of the last place of that value; subnormal results are left out."""
    dtype = got.dtype
    with np.errstate(all="ignore"):
        unit = np.abs(np.spacing(high.astype(dtype))).astype(np.float64)
        error = np.abs((got.astype(np.float64) - high) - low) / unit
        counts = np.isfinite(high.astype(dtype)) & (np.abs(high) >= float(np.finfo(dtype).tiny))
    return np.where(counts, error, 0)


def largest_error(name, dtype, loop, x, y):
    out = np.empty_like(x)
    loop(x, y, out)
    exact = exact_float64 if dtype == np.float64 else exact_float32
    return errors(out, *exact(name, x, y)).max()


def all_float32():
    """All of float32, in parts."""
    for part in range(256):
        yield np.arange(part << 24, (part + 1) << 24, dtype=np.uint64).astype(np.uint32).view(np.float32)


def exhaustive_error(name):
    loop, worst = compiled_loop(name), 0.0
    for x in all_float32():
        with np.errstate(all="ignore"):
            worst = max(worst, largest_error(name, np.float32, loop, x, x))
    return worst


# Where libmvec raises exceptions without cause


def spurious_exponents(name, dtype):
    """Exponents e: between 2**e and 2**(e + 1) libmvec raises invalid, overflow or division by zero, and libm not."""
    library = _caller()
    bits = np.dtype(dtype).itemsize * 8
    mantissa = 52 if bits == 64 else 23
    unsigned = np.uint64 if bits == 64 else np.uint32
    exponents = np.repeat(np.arange((1 << (bits - mantissa - 1)) - 1), 64).astype(unsigned)
    fraction = np.random.default_rng(0).integers(0, 1 << mantissa, exponents.size).astype(unsigned)
    result = {}
    for sign in (1, -1):
        x = sign * (exponents << unsigned(mantissa) | fraction).view(dtype)
        raised = np.zeros(x.size, np.uint8)
        library.look(f"{name}{'' if bits == 64 else 'f'}".encode(), bits, x.ctypes.data, x.size, raised.ctypes.data)
        bad = np.flatnonzero(raised.reshape(-1, 64).any(axis=1)) - ((1 << (bits - mantissa - 2)) - 1)
        if bad.size:
            result[sign] = bad
    return result


_CALLER = r"""
#include <dlfcn.h>
#include <fenv.h>
#include <stdio.h>
#include <string.h>
typedef double lanes __attribute__((vector_size(16)));
enum { SEEN = FE_INVALID | FE_OVERFLOW | FE_DIVBYZERO };
void look(const char *name, int bits, const char *x, long count, unsigned char *raised) {
  char mangled[64];
  snprintf(mangled, sizeof mangled, "_ZGVbN%dv_%s", bits == 64 ? 2 : 4, name);
  void *vector = dlsym(dlopen("libmvec.so.1", RTLD_LAZY), mangled);
  void *scalar = dlsym(dlopen("libm.so.6", RTLD_LAZY), name);
  for (long i = 0; vector && scalar && i < count; i++, x += bits / 8) {
    char all[16];
    lanes v;
    for (int at = 0; at < 16; at += bits / 8) memcpy(all + at, x, bits / 8);
    memcpy(&v, all, 16);
    feclearexcept(FE_ALL_EXCEPT);
    volatile lanes result = ((lanes (*)(lanes))vector)(v);
    (void)result;
    int ours = fetestexcept(SEEN);
    feclearexcept(FE_ALL_EXCEPT);
    if (bits == 64) { double d; memcpy(&d, x, 8); volatile double r = ((double (*)(double))scalar)(d); (void)r; }
    else { float f; memcpy(&f, x, 4); volatile float r = ((float (*)(float))scalar)(f); (void)r; }
    raised[i] = (ours & ~fetestexcept(SEEN)) != 0;
  }
}
"""


def _caller():
    import pathlib
    import subprocess
    import tempfile

    folder = pathlib.Path(tempfile.mkdtemp())
    (folder / "look.c").write_text(_CALLER)
    subprocess.run(["cc", "-O1", "-shared", "-fPIC", "look.c", "-o", "look.so", "-ldl"], cwd=folder, check=True)
    library = ctypes.CDLL(str(folder / "look.so"))
    library.look.argtypes = [ctypes.c_char_p, ctypes.c_int, ctypes.c_void_p, ctypes.c_long, ctypes.c_void_p]
    return library


def print_flags(names):
    for name in names:
        if name in BINARY:
            continue
        for dtype in (np.float64, np.float32):
            for sign, exponents in spurious_exponents(name, dtype).items():
                pieces = np.split(exponents, np.flatnonzero(np.diff(exponents) > 1) + 1)
                text = " ".join(f"2^{piece[0]}..2^{piece[-1] + 1}" for piece in pieces[:6])
                print(f"{name:6} {np.dtype(dtype).name} {'+' if sign > 0 else '-'} {text}")


# The table


def print_table(names, count, exhaustive):
    print("| function | float64 | float64, `accuracy='high'` | float32 | float32, `accuracy='high'` |")
    print("|---|---|---|---|---|")
    for name in names:
        row = []
        for dtype in (np.float64, np.float32):
            random = np.random.default_rng(0)
            x, y = samples(name, dtype, count if dtype == np.float64 else 100 * count, random)
            for options in ({}, {"accuracy": "high"}):
                if exhaustive and dtype == np.float32 and not options and name not in BINARY:
                    row.append(exhaustive_error(name))
                else:
                    row.append(largest_error(name, dtype, compiled_loop(name, **options), x, y))
        print(f"| {name} | " + " | ".join(f"{value:.2f}" for value in row) + " |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--samples", type=int, default=20000, help="of float64; of float32 a hundred times as many")
    parser.add_argument("--exhaustive", action="store_true")
    parser.add_argument("--flags", action="store_true")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    names = options.names or sorted(RANGES)
    if options.flags:
        print_flags(names)
    else:
        print_table(names, options.samples, options.exhaustive)


if __name__ == "__main__":
    main()
