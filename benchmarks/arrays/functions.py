# ruff: noqa: E501  (a table)
"""NumPy's functions by themselves, beside NumPy and Numba: of 1M elements, or as many as fit, and of few in a loop.

Usage: functions.py [--scale 1] [--rounds 5] [--small] [word...]: the rows whose code has one of the words.

Shortest times, in turns, on one core. Ratios: to NumPy's time of the large ones, to Numba's of all that it compiles.
"""

import argparse
import ast
import math
import os
import signal
import time
import warnings

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS"):
    os.environ.setdefault(_name, "1")

import numpy as np  # noqa: E402
import pyarray  # noqa: E402

NUMBER = 1_000_000


def arguments(scale):
    """The arrays that code of rows names."""
    n, side = int(NUMBER * scale), int(math.sqrt(NUMBER * scale))
    rng, few = np.random.default_rng(0), int(250 * math.sqrt(scale))
    a = rng.normal(size=n)
    square = rng.normal(size=(few, few))
    gaps = a.copy()
    gaps[::10] = np.nan
    return {
        "a": a, "b": rng.random(n) + 0.5, "k": rng.integers(0, 1000, n), "m": rng.normal(size=(side, side)),
        "h": a.astype(np.float32), "z": a + 1j * a[::-1], "gaps": gaps, "p": rng.random(n) < 0.5,
        "q": square, "s": square @ square.T + few * np.eye(few), "v": rng.normal(size=few), "line": np.linspace(-3, 3, 100),
        "sorted": np.sort(a), "nine": rng.normal(size=9), "series": rng.normal(size=2**17), "i": rng.permutation(n),
        "g": np.random.default_rng(1), "few": rng.normal(size=1000), "wide": rng.normal(size=(5, n // 5)),
    }  # fmt: skip


# fmt: off
LARGE = """
np.sort(a) | np.sort(h) | np.sort(k) | np.argsort(a) | np.sort(m, axis=0) | np.partition(a, 1000) | np.argpartition(a, 1000)
np.lexsort((a, k)) | np.searchsorted(sorted, b) | np.unique(k) | np.unique(a) | np.unique(k, return_counts=True)
np.unique(k, return_inverse=True) | np.digitize(a, line) | np.bincount(k) | np.bincount(k, b) | np.histogram(a)
np.histogram(a, 100) | np.histogram(a, line) | np.histogram(a, 50, (-2, 2)) | np.histogram2d(a, b) | np.nonzero(p)
np.isin(k, k[:100]) | np.union1d(k, k) | np.intersect1d(k, k) | np.setdiff1d(k, k[:100]) | np.setxor1d(k, k)
np.linalg.solve(s, v) | np.linalg.inv(s) | np.linalg.det(s) | np.linalg.slogdet(s) | np.linalg.eigh(s)[0] | np.linalg.eigvalsh(s)
np.linalg.svd(q)[1] | np.linalg.qr(q)[1] | np.linalg.cholesky(s) | np.linalg.lstsq(q, v)[0] | np.linalg.norm(a)
np.linalg.norm(m, axis=1) | np.linalg.norm(q, 2) | np.linalg.pinv(q) | np.linalg.matrix_rank(q) | np.linalg.matrix_power(q, 3)
np.linalg.cond(q) | np.linalg.multi_dot((q, q, v)) | np.linalg.eigvals(q) | np.dot(q, q) | np.vdot(a, b) | np.outer(few, few)
np.kron(nine, few) | np.fft.fft(z) | np.fft.rfft(a) | np.fft.ifft(z) | np.fft.fft2(m) | np.fft.fft(series) | np.fft.fftshift(a)
np.median(a) | np.median(m, axis=1) | np.percentile(a, 30) | np.percentile(a, [25, 75]) | np.quantile(a, 0.3) | np.nanmedian(gaps)
np.nanpercentile(gaps, 30) | np.nanmean(gaps) | np.nansum(gaps) | np.nanstd(gaps) | np.nanmax(gaps) | np.nancumsum(gaps)
np.average(a, weights=b) | np.cov(wide) | np.corrcoef(wide) | np.correlate(few, few, 'full') | np.convolve(few, few)
np.convolve(a, nine) | np.interp(b, sorted, a) | np.interp(a, line, line) | np.diff(a) | np.ediff1d(a) | np.gradient(a) | np.trapezoid(a, b)
np.cross(m[:, :3], m[:, 3:6]) | np.unwrap(a) | np.clip(a, -1, 1) | np.round(a, 2) | np.nan_to_num(gaps) | np.allclose(a, a)
np.isclose(a, b) | np.array_equal(a, a) | np.i0(b) | np.sinc(a) | np.hamming(1000000) | np.kaiser(1000000, 3.0) | np.polyval(nine, a)
np.polyfit(a, b, 2) | np.roots(nine) | np.poly(nine) | np.vander(few, 20) | np.cumsum(a) | np.cumprod(b) | np.cumsum(m, axis=0)
np.sum(a) | np.sum(m, axis=0) | np.sum(m, axis=1) | np.mean(a) | np.std(a) | np.var(m, axis=0) | np.max(a) | np.argmax(a) | np.ptp(a)
np.prod(b) | np.any(p) | np.all(p) | np.count_nonzero(k) | np.where(p, a, b) | np.select([a > 1, a < -1], [a, b], 0.0)
np.take(a, i) | a[i] | a[p] | np.compress(p, a) | np.repeat(few, 1000) | np.tile(few, 1000) | np.roll(a, 3) | np.flip(a).copy()
np.concatenate((a, b)) | np.stack((a, b)) | np.pad(m, 2) | np.delete(a, 5) | np.insert(a, 5, 1.0) | np.append(a, b)
np.rot90(m).copy() | np.transpose(m).copy() | np.tril(m) | np.diag(few) | np.eye(1000) | np.arange(1000000) | np.linspace(0, 1, 1000000)
np.meshgrid(few, few) | np.packbits(p) | np.trim_zeros(a) | np.ravel(m.T) | np.argwhere(p) | np.broadcast_to(few, (1000, 1000)).copy()
np.einsum('ij,ij->i', m, m) | np.tensordot(q, q) | np.add.reduceat(a, k[:10] * 0) | np.maximum.accumulate(a) | np.apply_along_axis(np.sum, 1, m)
np.random.random(1000000) | np.random.normal(0, 1, 1000000) | np.random.randint(0, 9, 1000000) | np.random.exponential(1.0, 1000000)
np.random.gamma(2.0, 1.0, 1000000) | np.random.poisson(3.0, 1000000) | np.random.permutation(a) | np.random.choice(a, 1000000)
np.random.binomial(10, 0.3, 1000000) | np.random.beta(2.0, 3.0, 1000000) | np.random.uniform(0, 2, 1000000)
g.random(1000000) | g.standard_normal(1000000) | g.integers(0, 9, 1000000) | g.exponential(1.0, 1000000) | g.permutation(a)
g.choice(a, 1000000) | g.gamma(2.0, 1.0, 1000000) | g.poisson(3.0, 1000000)
"""

#: Arrays made before the loop, what is done in it, which has i, and the number that is summed.
SMALL = [
    ("A = np.eye(3) * 4 + 0.5\nB = np.ones(3)", "B[0] = i", "np.linalg.solve(A, B)[0]"),
    ("A = np.eye(3) * 4 + 0.5", "A[0, 0] = 4 + i % 3", "np.linalg.inv(A)[0, 0]"),
    ("A = np.eye(3) * 4 + 0.5", "A[0, 0] = 4 + i % 3", "np.linalg.det(A)"),
    ("A = np.eye(3) * 4 + 0.5", "A[0, 0] = 4 + i % 3", "np.linalg.eigvalsh(A)[0]"),
    ("A = np.eye(3) * 4 + 0.5", "A[0, 0] = 4 + i % 3", "np.linalg.cholesky(A)[0, 0]"),
    ("A = np.eye(3) * 4 + 0.5", "A[0, 0] = 4 + i % 3", "np.linalg.svd(A)[1][0]"),
    ("A = np.eye(3) * 4 + 0.5", "A[0, 0] = 4 + i % 3", "np.linalg.norm(A)"),
    ("A = np.arange(8.0)[::-1].copy()", "A[0] = i % 9", "np.sort(A)[0]"),
    ("A = np.arange(8.0)[::-1].copy()", "A[0] = i % 9", "np.argsort(A)[0]"),
    ("A = np.arange(20.0)", "A[0] = i % 9", "np.percentile(A, 30)"),
    ("A = np.arange(20.0)", "A[0] = i % 9", "np.median(A)"),
    ("A = np.arange(20) % 5", "A[0] = i % 5", "np.unique(A)[0]"),
    ("A = np.arange(20) % 5", "A[0] = i % 5", "np.bincount(A)[0]"),
    ("A = np.arange(20.0)", "A[0] = i % 9", "np.histogram(A, 5)[0][0]"),
    ("A = np.arange(20.0)", "A[0] = i % 9", "np.searchsorted(A, 7.5)"),
    ("A = np.arange(20.0)", "A[0] = i % 9", "np.interp(7.5, A, A)"),
    ("A = np.arange(20.0)", "A[0] = i % 9", "np.diff(A)[0]"),
    ("A = np.arange(20.0)", "A[0] = i % 9", "np.cumsum(A)[-1]"),
    ("A = np.arange(20.0)", "A[0] = i % 9", "np.convolve(A, A)[3]"),
    ("A = np.arange(20.0)", "A[0] = i % 9", "np.std(A)"),
    ("A = np.arange(20.0)", "A[0] = i % 9", "np.argmax(A)"),
    ("A = np.arange(3.0)", "A[0] = i % 9", "np.cross(A, A[::-1])[0]"),
    ("A = np.arange(3.0)", "A[0] = i % 9", "np.dot(A, A)"),
    ("A = np.arange(3.0)", "A[0] = i % 9", "np.outer(A, A)[0, 0]"),
    ("A = np.arange(4.0)", "A[0] = i % 9", "np.concatenate((A, A))[0]"),
    ("A = np.arange(4.0)", "A[0] = i % 9", "np.roots(A)[0]"),
    ("", "", "np.random.random()"),
    ("", "", "np.random.normal(0.0, 1.0)"),
    ("", "", "np.random.exponential(1.0)"),
    ("", "", "np.random.standard_exponential()"),
    ("", "", "np.random.randint(0, 9)"),
    ("", "", "np.random.gamma(2.0, 1.0)"),
    ("", "", "np.random.poisson(3.0)"),
    ("", "", "np.random.uniform(0.0, 2.0)"),
    ("", "", "g.random()"),
    ("", "", "g.standard_normal()"),
    ("", "", "g.exponential(1.0)"),
    ("", "", "g.standard_exponential()"),
    ("", "", "g.integers(0, 9)"),
    ("", "", "g.normal(0.0, 1.0)"),
    ("", "", "g.gamma(2.0, 1.0)"),
]
# fmt: on
LOOPS = 20_000


def made(source):
    """The function f of a source, which may be compiled."""
    space = {"np": np}
    exec(compile(source, "<functions>", "exec"), space)
    return space["f"]


def large():
    """(code, function, names of its arguments, calls in one) of each row."""
    known = arguments(0.0001)
    for code in LARGE.replace("\n", " | ").split(" | "):
        if code:
            names = [name for name in known if name in words(code)]
            yield code, made(f"def f({', '.join(names)}):\n    return {code}\n"), names, 1


def small():
    """The same of calls in a loop, whose arguments end with their number."""
    for before, each, code in SMALL:
        names = ["g"] if code.startswith("g.") else []
        body = "".join(f"    {line}\n" for line in before.split("\n") if line)
        inner = f"        {each}\n" if each else ""
        source = f"def f({', '.join([*names, 'n'])}):\n{body}    s = 0.0\n    for i in range(n):\n{inner}        s += {code}\n"
        yield code, made(source + "    return s\n"), [*names, "n"], LOOPS


def words(code):
    """The names in code."""
    return {node.id for node in ast.walk(ast.parse(code, mode="eval")) if isinstance(node, ast.Name)}


def compiled(function, given):
    """The function compiled, or None where it is refused or fails."""
    signal.alarm(120)
    try:
        function(*given)
        return function
    except BaseException:
        return None
    finally:
        signal.alarm(0)


def shortest(functions, given, rounds, calls):
    """Seconds of a call of each that is there, in turns."""
    best = [math.inf] * len(functions)
    for _ in range(rounds):
        for at, function in enumerate(functions):
            if function:
                start = time.perf_counter()
                function(*given)
                best[at] = min(best[at], (time.perf_counter() - start) / calls)
    return best


def main():
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--scale", type=float, default=1)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--small", action="store_true", help="calls of few elements in a loop")
    parser.add_argument("words", nargs="*")
    options = parser.parse_args()
    try:
        import numba
    except ImportError:
        numba = None
    warnings.simplefilter("ignore")
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    values = {**arguments(options.scale), "n": LOOPS}
    logs = []
    print(f"{'us':44}{'pyarray':>12}{'of numpy':>10}{'of numba':>10}", flush=True)
    for code, function, names, calls in small() if options.small else large():
        if options.words and not any(word in code for word in options.words):
            continue
        given = [values[name] for name in names]
        ours = compiled(pyarray.njit(function), given)
        theirs = compiled(numba.njit(function), given) if numba else None
        times = shortest([ours, theirs, function], given, options.rounds, calls)
        ratios = [times[0] / times[k] if times[k] < math.inf else math.nan for k in (2, 1)]
        logs += [math.log(ratios[1])] if ratios[1] == ratios[1] else []
        print(f"{code:44}{times[0] * 1e6:12.3f}{ratios[0]:10.2f}{ratios[1]:10.2f}", flush=True)
    print(f"geometric mean of Numba, {len(logs)} rows: {math.exp(sum(logs) / max(len(logs), 1)):.3f}")


if __name__ == "__main__":
    main()
