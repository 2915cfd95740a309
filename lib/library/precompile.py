"""Compiles a part of the Python library to machine code at build time: precompile.py FOLDER OUTPUT.

FOLDER holds the package ``pyarray`` that was built; OUTPUT is what ``lib/support/precompiled.h`` says. A row of CALLS
is a call and the type codes of its arguments: the function of the library that it comes to is compiled for these. Rows
are functions that take long to compile and that are called once for a whole array, for the types that most arrays have.
What fuses with its surroundings, or takes vectors of three, is none of them: ``np.linalg.norm(a - b)`` makes no array.
"""

import hashlib
import linecache
import os
import re
import struct
import sys
from pathlib import Path

CPU = "x86-64-v3"
SITES, FIELDS = 1 << 12, 6  # raise sites of an instance at most (PA_PRECOMPILED_SITES); texts of each

# Type codes: "[C1d" is a contiguous float64 array of one dimension, "[F2d" one of two in Fortran's order.
NUMBERS = ["[C1d", "[C1f", "[C1q"]
PLANES = ["[C2d", "[C2f"]
SQUARES = ["[C2d", "[F2d"]
CALLS = [
    # Sorting, sets, counts
    ("np.sort(a)", NUMBERS),
    ("np.argsort(a)", NUMBERS),
    ("np.sort(a, axis=0)", ["[C2d"]),
    ("np.sort(a)", ["[C2d"]),
    ("np.partition(a, b)", ["[C1dq"]),
    ("np.argpartition(a, b)", ["[C1dq"]),
    ("np.searchsorted(a, b)", ["[C1d[C1d", "[C1q[C1q"]),
    ("np.searchsorted(a, b, side='right')", ["[C1d[C1d"]),
    ("np.lexsort((a, b))", ["[C1d[C1d"]),
    ("np.unique(a)", [*NUMBERS, "[C1i"]),
    ("np.unique(a, return_counts=True)", NUMBERS),
    ("np.unique(a, return_inverse=True)", ["[C1d", "[C1q"]),
    ("np.unique(a, return_index=True)", ["[C1d", "[C1q"]),
    ("np.union1d(a, b)", ["[C1d[C1d", "[C1q[C1q"]),
    ("np.intersect1d(a, b)", ["[C1d[C1d", "[C1q[C1q"]),
    ("np.setdiff1d(a, b)", ["[C1d[C1d", "[C1q[C1q"]),
    ("np.setxor1d(a, b)", ["[C1d[C1d", "[C1q[C1q"]),
    ("np.isin(a, b)", ["[C1d[C1d", "[C1q[C1q"]),
    ("np.bincount(a)", ["[C1q"]),
    ("np.bincount(a, b)", ["[C1q[C1d"]),
    ("np.bincount(a, minlength=b)", ["[C1qq"]),
    ("np.digitize(a, b)", ["[C1d[C1d"]),
    ("np.histogram(a)", NUMBERS),
    ("np.histogram(a, b)", ["[C1dq", "[C1fq", "[C1qq", "[C1d[C1d"]),
    ("np.histogram(a, b, (c, d))", ["[C1dqdd", "[C1qqqq", "[C1dqqq"]),
    ("np.histogram(a, bins=b, density=True)", ["[C1dq"]),
    ("np.histogram2d(a, b)", ["[C1d[C1d"]),
    ("np.histogram2d(a, b, c)", ["[C1d[C1dq"]),
    # Statistics
    ("np.median(a)", [*NUMBERS, "[C2d"]),
    ("np.median(a, axis=0)", ["[C2d"]),
    ("np.median(a, axis=1)", ["[C2d"]),
    ("np.nanmedian(a)", ["[C1d"]),
    ("np.percentile(a, b)", ["[C1dq", "[C1dd", "[C1d[C1d", "[C1fq"]),
    ("np.quantile(a, b)", ["[C1dd", "[C1d[C1d"]),
    ("np.nanpercentile(a, b)", ["[C1dq", "[C1dd"]),
    ("np.nanquantile(a, b)", ["[C1dd"]),
    ("np.cov(a)", PLANES),
    ("np.cov(a, rowvar=False)", ["[C2d"]),
    ("np.cov(a, b)", ["[C1d[C1d"]),
    ("np.corrcoef(a)", PLANES),
    ("np.corrcoef(a, b)", ["[C1d[C1d"]),
    ("np.corrcoef(a, rowvar=False)", ["[C2d"]),
    ("np.correlate(a, b)", ["[C1d[C1d"]),
    ("np.correlate(a, b, mode='full')", ["[C1d[C1d"]),
    ("np.convolve(a, b)", ["[C1d[C1d"]),
    ("np.convolve(a, b, mode='same')", ["[C1d[C1d"]),
    ("np.convolve(a, b, mode='valid')", ["[C1d[C1d"]),
    ("np.interp(a, b, c)", ["[C1d[C1d[C1d"]),
    # Linear algebra
    ("np.linalg.solve(a, b)", [square + b for square in SQUARES for b in ["[C1d", "[C2d"]]),
    ("np.linalg.inv(a)", [*SQUARES, "[C2f", "[C3d"]),
    ("np.linalg.det(a)", [*SQUARES, "[C3d"]),
    ("np.linalg.slogdet(a)", ["[C2d"]),
    ("np.linalg.eig(a)", ["[C2d"]),
    ("np.linalg.eigvals(a)", ["[C2d"]),
    ("np.linalg.eigh(a)", SQUARES),
    ("np.linalg.eigvalsh(a)", ["[C2d"]),
    ("np.linalg.svd(a)", SQUARES),
    ("np.linalg.svd(a, full_matrices=False)", SQUARES),
    ("np.linalg.svd(a, compute_uv=False)", ["[C2d"]),
    ("np.linalg.qr(a)", SQUARES),
    ("np.linalg.cholesky(a)", SQUARES),
    ("np.linalg.lstsq(a, b)", ["[C2d[C1d", "[F2d[C1d"]),
    ("np.linalg.pinv(a)", ["[C2d"]),
    ("np.linalg.matrix_rank(a)", ["[C2d"]),
    ("np.linalg.matrix_power(a, b)", ["[C2dq"]),
    ("np.linalg.cond(a)", ["[C2d"]),
    # Fourier transforms
    ("np.fft.fft(a)", ["[C1d", "[C1D"]),
    ("np.fft.ifft(a)", ["[C1D"]),
    ("np.fft.rfft(a)", ["[C1d"]),
    ("np.fft.rfft(a, b)", ["[C1dq"]),
    ("np.fft.irfft(a)", ["[C1D"]),
    ("np.fft.irfft(a, b)", ["[C1Dq"]),
    ("np.fft.fft2(a)", ["[C2d", "[C2D"]),
    ("np.fft.ifft2(a)", ["[C2D"]),
    ("np.fft.rfft2(a)", ["[C2d"]),
    ("np.fft.irfft2(a)", ["[C2D"]),
    ("np.fft.fftshift(a)", ["[C1d", "[C1D", "[C2d", "[C2D"]),
    ("np.fft.ifftshift(a)", ["[C1d", "[C2d"]),
    # Polynomials
    ("np.polyfit(a, b, 1)", ["[C1d[C1d"]),
    ("np.roots(a)", ["[C1d"]),
    ("np.poly(a)", ["[C1d"]),
    ("np.polydiv(a, b)", ["[C1d[C1d"]),
    # Borders
    ("np.pad(a, 1)", ["[C1d", "[C2d"]),
    ("np.pad(a, 1, 'edge')", ["[C1d", "[C2d"]),
    ("np.pad(a, 1, 'reflect')", ["[C1d", "[C2d"]),
    ("np.pad(a, 1, 'wrap')", ["[C2d"]),
    ("np.pad(a, ((b, c), (d, e)))", ["[C2dqqqq"]),
]


def programs():
    """Functions of one call each, with their type codes."""
    import numpy as np

    for number, (call, codes) in enumerate(CALLS):
        for code in codes:
            names = sorted(set(re.findall(r"\b[a-e]\b", call)))
            file = f"<library {number}>"
            text = f"def program({', '.join(names)}):\n    return {call}\n"
            linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
            scope = {"np": np}
            exec(compile(text, file, "exec"), scope)
            yield scope["program"], code + ">"


def packed(rows):
    """The file's bytes, of (key, type, sites, object) of each instance."""
    header, entry = struct.Struct("<8sIIQ"), struct.Struct("<8I")
    start = header.size + entry.size * len(rows)
    index, body = b"", b""
    for row in rows:
        parts = []
        for part in row:
            data = part if isinstance(part, bytes) else part.encode()
            body += bytes(-len(body) % 16)
            parts += [start + len(body), len(data)]
            body += data
        index += entry.pack(*parts)
    digest = int.from_bytes(hashlib.sha256(index + body).digest()[:8], "little")
    return header.pack(b"PALIB001", len(rows), start + len(body), digest) + index + body


def main(folder, output):
    """Writes OUTPUT."""
    for name in [name for name in os.environ if name.startswith("PYARRAY_")]:
        del os.environ[name]  # of whoever builds: what is made does not depend on it
    os.environ["PYARRAY_PRECOMPILED"] = "0"
    sys.path.insert(0, folder)
    from pyarray import _pyarray, njit

    rows = {}
    for program, code in programs():
        key, *row = _pyarray._precompile(njit(program), code, CPU, len(rows))
        if row[1].count(b"\0") > SITES * FIELDS:
            sys.exit(f"{key} has more raise sites than their numbers allow")
        rows.setdefault(key, (key, *row))
    Path(output).write_bytes(packed(list(rows.values())))


if __name__ == "__main__":
    main(*sys.argv[1:])
