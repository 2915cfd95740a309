"""Programs of examples/ against the same loops in C, with bounds checks (the default) and without."""

import statistics
import sys
import time

import numba
import numpy as np
import pyarray
from c_kernels import Kernels
from measure import Bar, Row, interleave, timed
from sources import EXAMPLES

sys.path.insert(0, str(EXAMPLES))
from programs import load  # noqa: E402

# Size that makes one run take 1 to 50 ms.
SIZES = {
    "matmul": 180,
    "mandelbrot": 160,
    "laplace": 150,
    "nbody": 20_000,
    "sieve": 500_000,
    "bubble_sort": 1500,
    "levenshtein": 1200,
    "monte_carlo_pi": 300_000,
}
SLOW = 0.1  # NumPy is measured once where it takes longer

PYTHON = {
    "pyarray": pyarray.njit,
    "unchecked": lambda function: pyarray.njit(boundscheck=False)(function),
    "numba": numba.njit,
}


def verify(name, results, arguments):
    """Results and written arguments of all candidates agree with the first's.

    C contracts a * b + c to one rounding, so the escape times of points on the edge of the Mandelbrot set may differ;
    Numba's random.seed starts another stream than Python's.
    """
    wanted, wanted_arguments = results[0][1], arguments[0]
    for (candidate, result), written in zip(results, arguments):
        if name == "mandelbrot" and candidate == "c":
            agrees = np.mean(result != wanted) < 0.01
        else:
            tolerance = 1e-2 if name == "monte_carlo_pi" else 1e-6
            pairs = [(result, wanted), *zip(written, wanted_arguments)]
            agrees = all(np.shape(a) == np.shape(b) and np.allclose(a, b, tolerance, 1e-9) for a, b in pairs)
        if not agrees:
            raise AssertionError(f"{name}: the result of {candidate} differs from that of {results[0][0]}")


def numpy_candidate(module, make_arguments):
    """The reference as a candidate, or one that repeats its first time where that is long."""
    candidate = timed(module.reference, make_arguments, time.perf_counter)  # BLAS has threads
    seconds = candidate()
    return candidate if seconds < SLOW else lambda: seconds


def measure_kernel(name, libraries, rounds):
    modules = {candidate: load(name, decorator) for candidate, decorator in PYTHON.items()}
    make_arguments = lambda: modules["pyarray"].arguments(SIZES[name])
    candidates, results, written = {}, [], []

    for candidate, module in modules.items():
        if name == "monte_carlo_pi":
            module.seed(42)
        function = getattr(module, name)
        written.append(make_arguments())
        results.append((candidate, function(*written[-1])))
        candidates[candidate] = timed(function, make_arguments)

    if name != "monte_carlo_pi":
        candidates["numpy"] = numpy_candidate(modules["pyarray"], make_arguments)
        for candidate, library in libraries.items():
            written.append(make_arguments())
            results.append((candidate, library.call(name, written[-1])))
            candidates[candidate] = c_candidate(name, library, make_arguments)

    verify(name, results, written)
    return interleave(candidates, rounds)


def c_candidate(name, library, make_arguments):
    function = library.timed(name)

    def candidate():
        arguments = make_arguments()
        count = np.zeros(1, np.int64)
        passed = library.arguments(name, arguments)
        if name == "sieve":
            passed[1] = count.ctypes.data
        return timed(function, lambda: passed)()

    return candidate


def mean_row(rows):
    """Geometric means over the kernels that C has, as a row without times."""
    rows = [row for row in rows if "c" in row.times]
    row = Row("kernel", "geometric mean")
    mean = lambda a, b: statistics.geometric_mean([row.ratio(a, b) for row in rows])
    row.bars.append(Bar("unchecked/c", mean("unchecked", "c"), 1.05))
    row.bars.append(Bar("pyarray/c", mean("pyarray", "c"), 1.15))
    row.note = ", ".join(
        f"{a}/{b} {mean(a, b):.2f}"
        for a, b in [("unchecked", "c strict"), ("pyarray", "c strict"), ("unchecked", "numba"), ("pyarray", "numba")]
    )
    return row


def measure(quick):
    libraries = {"c": Kernels(), "c strict": Kernels("-ffp-contract=off")}
    rows = []
    for name in SIZES:
        row = Row("kernel", name, measure_kernel(name, libraries, 9 if quick else 41))
        if "c" in row.times:
            ratios = [f"{a}/c {row.ratio(a, 'c'):.2f}" for a in ("unchecked", "pyarray", "numba")]
            row.note = ", ".join([*ratios, f"unchecked/c strict {row.ratio('unchecked', 'c strict'):.2f}"])
        row.add_ratio_bar("unchecked", "numba", 1.05)
        row.add_ratio_bar("pyarray", "numba", 1.05)
        rows.append(row)
        yield row
    yield mean_row(rows)
