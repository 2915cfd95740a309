# ruff: noqa: E501  (text of a page, tables)
"""Draws docs/pictures: the compiler in one picture, and the figures of docs/performance.md as bars.

python docs/pictures.py --write      # needs nothing but Python; the tests compare
"""

import html
import pathlib
import re
import sys

DOCS = pathlib.Path(__file__).resolve().parent
FOLDER = DOCS / "pictures"
STYLE = """  <style>
    text { font: 14px system-ui, sans-serif; fill: #1f2328 }
    .code { font: 12px ui-monospace, monospace } .small { font-size: 12px; fill: #57606a } .title { font-weight: 600 }
    .box { fill: #ffffff; stroke: #8c959f } .level { fill: #ddf4ff; stroke: #0969da } .end { fill: #dafbe1; stroke: #1a7f37 }
    .side { fill: #fff8c5; stroke: #9a6700 } .back { fill: #f6f8fa } .line { stroke: #57606a; fill: none; stroke-width: 1.5 }
    .numpy { fill: #afb8c1 } .numba { fill: #54aeff } .pyarray { fill: #1a7f37 }
  </style>"""


def picture(width, height, title, parts):
    """An SVG of these parts, on ground of its own, so that it is read in dark pages too."""
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" aria-label="{title}">'
    ground = f'  <rect class="back" width="{width}" height="{height}" rx="8"/>'
    marker = (
        '  <marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
        '<path d="M0 0 8 4 0 8z" fill="#57606a"/></marker>'
    )
    return "\n".join([head, STYLE, marker, ground, *(f"  {part}" for part in parts), "</svg>", ""])


def text(x, y, words, kind="", anchor="start"):
    """A line of text."""
    return f'<text x="{x}" y="{y}" class="{kind}" text-anchor="{anchor}">{html.escape(words)}</text>'


def arrow(*points):
    """A line with a tip."""
    return f'<polyline class="line" marker-end="url(#tip)" points="{" ".join(f"{x},{y}" for x, y in points)}"/>'


# The compiler ------------------------------------------------------------------------------------

# Kind, title, and what it holds, from top to bottom; then what leads to the next.
LEVELS = [
    ("box", "Python function", "its source, found in files, notebooks, exec()", "frontend: Python's ast"),
    ("level", "1 · pyarray, untyped", "pyarray.binary add %a, %b", "infer: types from those of the arguments"),
    ("level", "2 · pyarray, typed", "... : (!pyarray.array<f64, 1d, C>, f64)", "optimize, arrays: inline, fuse, hoist checks"),
    ("level", "3 · pyarray with ownership", "pyarray.retain, pyarray.release", "lower"),
    ("level", "4 · linalg, scf, memref, arith", "what MLIR's own passes read as well", "cpu or gpu: tiles, threads, kernels"),
    ("level", "5 · for the target", "scf, memref, gpu", "to_llvm"),
    ("level", "6 · llvm or nvvm dialect", "llvm.load, llvm.fadd", "codegen: LLVM's passes and emission"),
    ("end", "Machine code, or PTX", "kept in the disk cache", ""),
]  # fmt: skip
# Kind, place (y), title, lines.
SIDES = [
    ("side", 24, "Dispatcher (C)", ["a call writes arguments to slots, and", "their types to a short code; known", "codes are called at once: 48 ns"]),
    ("side", 142, "Disk cache", ["keyed by code, globals, callees,", "options and processor: never stale;", "a hit does not load the compiler"]),
    ("box", 284, "pyarray-opt", ["reads and writes every level, with", "our passes and MLIR's"]),
    ("side", 402, "Runtime (C)", ["memory, containers, text, exceptions,", "threads (OpenMP), NumPy's BLAS and", "LAPACK; no MLIR in it"]),
    ("side", 520, "NVIDIA's driver, or emulator", ["kernels on a GPU; without one the", "CPU runs them and finds races"]),
]  # fmt: skip


def architecture():
    """The levels from top to bottom, and beside them what takes part."""
    parts, top, step, left, width = [], 24, 78, 24, 400
    for row, (kind, title, holds, leads) in enumerate(LEVELS):
        y = top + row * step
        parts.append(f'<rect class="{kind}" x="{left}" y="{y}" width="{width}" height="46" rx="6"/>')
        parts += [text(left + 12, y + 19, title, "title"), text(left + 12, y + 37, holds, "code")]
        if leads:
            parts += [arrow((left + 60, y + 46), (left + 60, y + step - 2)), text(left + 74, y + 67, leads, "small")]
    for kind, y, title, lines in SIDES:
        height = 32 + 18 * len(lines)
        parts.append(f'<rect class="{kind}" x="520" y="{y}" width="260" height="{height}" rx="6"/>')
        parts += [text(532, y + 21, title, "title")]
        parts += [text(532, y + 41 + 18 * i, line, "small") for i, line in enumerate(lines)]
    parts += [
        arrow((520, 47), (426, 47)),  # the dispatcher asks for the function to be compiled
        arrow((650, 110), (650, 140)),  # and the cache, first
        arrow((520, 318), (472, 318), (472, 203), (426, 203)),  # levels are read
        arrow((472, 318), (472, 515), (426, 515)),
        arrow((424, 582), (490, 582), (490, 445), (518, 445)),  # what machine code calls
        arrow((490, 582), (490, 560), (518, 560)),
    ]
    return picture(804, 646, "From a Python function to machine code", parts)


# Figures -----------------------------------------------------------------------------------------


def results():
    """(program, NumPy, Numba, pyarray), in ms or None, of the first table of docs/performance.md that has them."""
    page = (DOCS / "performance.md").read_text()
    table = re.search(r"^\| program \| .*NumPy \| Numba \| pyarray \|.*\n\|[-| ]+\|\n((?:\|.*\n)+)", page, re.MULTILINE)
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in table[1].splitlines()]
    return [(row[0].strip("`"), *(float(cell) if cell else None for cell in row[2:5])) for row in rows if row[4]]


def bars():
    """How many times as long as pyarray NumPy and Numba take, on a scale of logarithms."""
    import math

    rows, left, scale = results(), 170, 230  # pixels for a factor of ten
    least = -0.4  # the left end, a logarithm
    parts = [text(24, 30, "Time relative to pyarray (less is better)", "title")]
    for x, kind in ((430, "numpy"), (530, "numba"), (630, "pyarray")):
        parts += [f'<rect class="{kind}" x="{x}" y="19" width="12" height="12"/>']
        parts += [text(x + 18, 30, {"numpy": "NumPy", "numba": "Numba"}.get(kind, kind), "small")]
    height = 56 + 50 * len(rows)
    for factor in (0.5, 1, 2, 5, 10, 20, 50):
        x = round(left + (math.log10(factor) - least) * scale)
        parts += [
            f'<path d="M{x} 44V{height - 6}" stroke="#d0d7de"/>',
            text(x, height + 10, f"{factor:g}x", "small", "middle"),
        ]
    for row, (name, numpy, numba, own) in enumerate(rows):
        y = 50 + 50 * row
        parts.append(text(left - 10, y + 25, name, "code", "end"))
        for place, (kind, time) in enumerate((("numpy", numpy), ("numba", numba), ("pyarray", own))):
            if time is None:
                continue
            length = max(1, round((min(math.log10(time / own), 1.9) - least) * scale))
            at = y + 13 * place
            parts.append(f'<rect class="{kind}" x="{left}" y="{at}" width="{length}" height="11"/>')
            parts.append(text(left + length + 5, at + 10, f"{time / own:.3g}x", "small"))
    return picture(804, height + 24, "Time relative to pyarray", parts)


PICTURES = {"architecture.svg": architecture, "figures.svg": bars}


def main():
    """Write the pictures, or say which are not up to date."""
    FOLDER.mkdir(exist_ok=True)
    for name, draw in PICTURES.items():
        if "--write" in sys.argv:
            (FOLDER / name).write_text(draw())
        elif (FOLDER / name).read_text() != draw():
            sys.exit(f"{name} is not up to date: python docs/pictures.py --write")


if __name__ == "__main__":
    main()
