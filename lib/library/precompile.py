"""Compiles a part of the Python library to machine code at build time: precompile.py FOLDER OUTPUT.

FOLDER holds the package ``pyarray`` that was built; OUTPUT is what ``lib/support/precompiled.h`` says. A row of CALLS is a
call and the type codes of its arguments: the function of the library that it comes to is compiled for these. Rows are
functions that take long to compile and that are called once for a whole array, for the types that most arrays have.
"""

import hashlib
import linecache
import os
import re
import struct
import sys
from pathlib import Path

CPU = "x86-64-v3"

# Type codes: "[C1d" is a contiguous float64 array of one dimension.
FLOATS = ["[C1d", "[C1f"]
NUMBERS = [*FLOATS, "[C1q"]
PLANES = ["[C2d", "[C2f"]
CALLS = [
    ("np.sort(a)", NUMBERS),
    ("np.argsort(a)", NUMBERS),
    ("np.unique(a)", NUMBERS),
    ("np.unique(a, return_counts=True)", NUMBERS),
    ("np.median(a)", NUMBERS),
    ("np.percentile(a, b)", ["[C1dq", "[C1dd"]),
    ("np.quantile(a, b)", ["[C1dd"]),
    ("np.histogram(a)", NUMBERS),
    ("np.histogram(a, b)", ["[C1dq", "[C1fq", "[C1qq"]),
    ("np.histogram(a, bins=b)", ["[C1dq"]),
    ("np.cov(a)", PLANES),
    ("np.corrcoef(a)", PLANES),
    ("np.fft.fft(a)", ["[C1d", "[C1D"]),
    ("np.fft.ifft(a)", ["[C1D"]),
    ("np.fft.rfft(a)", ["[C1d"]),
    ("np.fft.irfft(a)", ["[C1D"]),
    ("np.linalg.solve(a, b)", ["[C2d[C1d", "[C2d[C2d"]),
    ("np.linalg.inv(a)", ["[C2d"]),
    ("np.linalg.det(a)", ["[C2d"]),
    ("np.linalg.svd(a)", ["[C2d"]),
    ("np.linalg.eigh(a)", ["[C2d"]),
    ("np.linalg.qr(a)", ["[C2d"]),
    ("np.linalg.cholesky(a)", ["[C2d"]),
    ("np.linalg.lstsq(a, b)", ["[C2d[C1d"]),
    ("np.linalg.pinv(a)", ["[C2d"]),
    ("np.linalg.norm(a)", ["[C1d", "[C2d"]),
    ("np.pad(a, 1)", ["[C1d", "[C2d"]),
    ("np.interp(a, b, c)", ["[C1d[C1d[C1d"]),
    ("np.searchsorted(a, b)", ["[C1d[C1d", "[C1q[C1q"]),
    ("np.digitize(a, b)", ["[C1d[C1d"]),
    ("np.bincount(a)", ["[C1q"]),
    ("np.convolve(a, b)", ["[C1d[C1d"]),
    ("np.correlate(a, b)", ["[C1d[C1d"]),
    ("np.gradient(a)", ["[C1d"]),
    ("np.polyfit(a, b, 1)", ["[C1d[C1d"]),
    ("np.roots(a)", ["[C1d"]),
]


def programs():
    """Functions of one call each, with their type codes."""
    import numpy as np

    for number, (call, codes) in enumerate(CALLS):
        for code in codes:
            names = sorted(set(re.findall(r"\b[abc]\b", call)))
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
    os.environ["PYARRAY_PRECOMPILED"] = "0"
    sys.path.insert(0, folder)
    from pyarray import _pyarray, njit

    rows = {}
    for program, code in programs():
        try:
            row = _pyarray._precompile(njit(program), code, CPU, len(rows))
        except Exception as error:
            print(program.__code__.co_filename, code, str(error).split("\n")[0], file=sys.stderr)
            continue
        if row[0] not in rows:
            rows[row[0]] = row
    Path(output).write_bytes(packed(list(rows.values())))


if __name__ == "__main__":
    main(*sys.argv[1:])
