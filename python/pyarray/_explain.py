"""fn.explain(): one page that shows a function at every level, what became of each line and why.

What is shown is gathered here, as a dict of plain values; ``_explain_page.html`` shows it. The page is one file without
links to others, and makes its elements of text alone: whatever sources and messages hold is text there.
"""

import ast
import html
import json
import linecache
import os
import re

from . import _explain_places as _places
from . import types

#: What `inspect_mlir` calls a level: how the page does, and what it is.
_LEVELS = {
    "untyped": ("1 untyped", "Python's syntax, as operations of the dialect pyarray"),
    "typed": ("2 typed", "every value has a type; calls are resolved"),
    "optimized": ("3 optimised", "inlined, fused, checks moved out of loops, ownership of memory"),
    "linalg": ("4 linalg", "loops, memory and arithmetic of MLIR"),
    "target": ("5 target", "parts for threads, or blocks and threads of a GPU"),
    "llvm": ("6 llvm", "LLVM's dialect of MLIR"),
    "llvm-ir": ("LLVM IR", "as LLVM gets it"),
    "llvm-ir-optimized": ("LLVM IR, optimised", "as LLVM's passes leave it"),
    "asm": ("assembly", "what the processor runs"),
}
_PTX = ("PTX", "what NVIDIA's driver makes machine code of")
_SASS = ("SASS", "the GPU's machine code")


def _text_lines(text):
    lines = _places.lines_of(text)
    return lines, [()] * len(lines)


def _reader(level):
    return _places.assembly if level == "asm" else _places.llvm if level.startswith("llvm-ir") else _places.mlir


def _levels(dispatcher, code):
    """(name, title, what it is, lines, places) of each level that there is."""
    is_kernel = hasattr(dispatcher, "_kernel_attributes")
    for level, (title, what) in _LEVELS.items():
        yield (level, title, what, *_reader(level)(dispatcher._show(f"located:{level}", code)))
    if is_kernel:
        yield from _of_gpu(dispatcher, code)


def _of_gpu(dispatcher, code):
    from .cuda._launch import _disassemble, inspect_ptx

    kinds = types.arguments_from_code(code)
    try:
        yield ("ptx", *_PTX, *_places.assembly(inspect_ptx(dispatcher, kinds, lineinfo=True)))
    except Exception as error:  # what a GPU has not, or libdevice is missing
        yield ("ptx", *_PTX, *_text_lines(str(error)))
    try:
        yield ("sass", *_SASS, *_text_lines(_disassemble(dispatcher._binary(code))))
    except Exception:  # no GPU, or no disassembler
        return


# ------------------------------------------------------------------------------------------------
# Python


def _functions(lines):
    """(first, last) line of each function in a text; nothing where it is no syntax."""
    try:
        tree = ast.parse("".join(lines))
    except (SyntaxError, ValueError, RecursionError):
        return []
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
    return [
        (min([node.lineno, *(one.lineno for one in getattr(node, "decorator_list", ()))]), node.end_lineno)
        for node in ast.walk(tree)
        if isinstance(node, kinds)
    ]


def _parts(lines, wanted):
    """Ranges of lines that hold the wanted ones: functions, outermost first."""
    functions = sorted(_functions(lines), key=lambda part: (part[0], -part[1]))
    parts = []
    for line in sorted(wanted):
        if parts and line <= parts[-1][1]:
            continue
        around = next((part for part in functions if part[0] <= line <= part[1]), (line, line))
        parts.append(around)
    return parts


_FOLDER = os.path.dirname(os.path.abspath(__file__)) + os.sep


def _sources(function, places):
    """The Python that is shown: the function's file first, files of the library last."""
    wanted = {}
    for file, line in places:
        wanted.setdefault(file, set()).add(line)
    own = function.__code__.co_filename
    order = sorted(wanted, key=lambda file: (file.startswith(_FOLDER), file != own, file))
    for file in order:
        lines = linecache.getlines(file, function.__globals__)
        parts = [
            {"first": first, "lines": [line.rstrip("\n") for line in lines[first - 1 : last]]}
            for first, last in _parts(lines, {line for line in wanted[file] if line <= len(lines)})
        ]
        if parts:
            yield {"file": file, "library": file.startswith(_FOLDER), "parts": parts}


# ------------------------------------------------------------------------------------------------
# What became of each line


def _rows(text, count):
    return [line.split("\t", count - 1) for line in _places.lines_of(text) if line.count("\t") >= count - 1]


def _reported(dispatcher, code, level, kind, is_done):
    for line, file, text in _rows(dispatcher._show(level, code), 3):
        yield file, int(line), kind, is_done(text), text


_WIDTH = re.compile(r"vectorization width: ((?:vscale x )?\d+), interleaved count: (\d+)")
_REASONS = (
    ("cannot prove it is safe to reorder floating-point", "the sum of floats would be added up in another order; "
     "fastmath=True allows that"),
    ("cost-model indicates that vectorization is not beneficial", "it would take longer"),
    ("could not determine number of loop iterations", "how often it runs is not known before"),
    ("instruction cannot be vectorized", "something in it has no form for several elements"),
    ("call instruction cannot be vectorized", "it calls a function that has no form for several elements"),
    ("cannot identify array bounds", "where its arrays end is not known, so that they may overlap"),
    ("unsafe dependent memory operations", "an iteration may read what another one writes"),
    ("loop control flow is not understood", "it has several ways out, or jumps within"),
    ("value that could not be identified as reduction", "an iteration takes a value of the one before"),
)  # fmt: skip


def _why(text):
    reason = text.partition("loop not vectorized: ")[2] or text
    return next((plain for said, plain in _REASONS if said in text), reason)


def _loop_notes(rows):
    """What LLVM says of loops, most of it of several copies of one: vectorised wins, and each is said once."""
    done, refused = {}, {}
    for kind, name, _, line, _, file, text in rows:
        place = file, int(line)
        if name == "loop-vectorize" and kind == "passed" and (found := _WIDTH.search(text)):
            width, count = found[1], int(found[2])
            several = f", {count} of these in an iteration" if count > 1 else ""
            if width != "1":
                done[place] = f"loop vectorised: {width} elements at a time{several}"
        elif name == "loop-vectorize" and kind != "passed" and "interleaving" not in text:
            said = _why(text)
            general = said in ("loop not vectorized", "loop transformations are disabled")
            if not general:
                refused.setdefault(place, []).append(f"loop not vectorised: {said}")
    for place, text in done.items():
        yield *place, "vectorised", True, text
    for place, texts in refused.items():
        if place not in done:
            for text in dict.fromkeys(texts):
                yield *place, "vectorised", False, text


_INLINED = re.compile(r"'([^']*)' inlined into")
_PLAIN = {
    "slp-vectorizer": ("vectorised", "operations beside each other done as one of several elements"),
    "loop-idiom": ("vectorised", "loop replaced by filling or copying memory as a whole"),
    "loop-unroll": ("hoisted", "loop unrolled: several iterations in one"),
    "loop-delete": ("hoisted", "loop removed: nothing needs its result"),
}


def _remark_notes(text):
    rows = _rows(text, 7)
    yield from _loop_notes(rows)
    hoisted = {}
    for kind, name, _, line, _, file, said in rows:
        if not file or not int(line):
            continue
        if kind == "passed" and name in _PLAIN:
            yield file, int(line), *_PLAIN[name][:1], True, _PLAIN[name][1]
        elif kind == "passed" and name == "licm" and said.startswith("hoisting "):
            hoisted.setdefault((file, int(line)), []).append(said.removeprefix("hoisting "))
        elif name == "licm" and "load with loop-invariant address" in said:
            yield file, int(line), "hoisted", False, "a value in memory is read in each iteration: it may change there"
        elif kind == "passed" and name == "inline" and (found := _INLINED.search(said)):
            callee = found[1].partition("$")[0]
            if "." not in found[1]:
                yield file, int(line), "inlined", True, f"{callee}() inlined by LLVM"
    for place, what in hoisted.items():
        yield *place, "hoisted", True, f"moved out of a loop: {', '.join(dict.fromkeys(what))}"


_CALL = re.compile(r"pyarray\.call @([^\s(]+)")
_ALLOCATING = re.compile(r"\bmemref\.(alloc)\b|@pyarray_rt_(allocate\w*|\w+_new)\(")
_WHAT = {
    "alloc": "an array",
    "allocate": "an array",
    "allocate_zeroed": "an array of zeros",
    "list_new": "a list",
    "dict_new": "a dict or set",
    "instance_new": "an instance of a class",
    "generator_new": "a generator",
}


def _calls(lines, places):
    found = {}
    for line, at in zip(lines, places):
        if (call := _CALL.search(line)) and at:
            found.setdefault(at[0], set()).add(call[1])
    return found


def _level_notes(levels):
    """What two levels tell by their difference: calls that are gone, checks that are, memory."""
    typed, optimized, linalg = (levels[name] for name in ("typed", "optimized", "linalg"))
    left = _calls(*optimized)
    for place, names in _calls(*typed).items():
        for name in sorted(names):
            gone = name not in left.get(place, ())
            plain = re.sub(r"\$\d+$", "", name)
            text = f"{plain}() inlined" if gone else f"{plain}() stays a call at level 3"
            yield *place, "inlined", gone, text
    for line, at in zip(*optimized):
        if not at:
            continue
        if "pyarray.stack" in line:
            yield *at[0], "allocated", True, "an array on the stack"
        if re.search(r"pyarray\.(get|set)item ", line) and "!pyarray.array" in line:
            if "pyarray.in_bounds" in line:
                yield *at[0], "hoisted", True, "bounds are checked once, before the loop, or cannot be exceeded"
    for line, at in zip(*linalg):
        if at and (found := _ALLOCATING.search(line)):
            made = found[1] or found[2]
            yield *at[0], "allocated", False, f"memory for {_WHAT.get(made, made.removesuffix('_new'))}"


_OPERATION = re.compile(r"^#   %\w+(?::\d+)? = (?:pyarray\.)?(.*)  :: (.+)$")


def _type_notes(text):
    """Of `inspect_types`: the type of what each operation gives; of constants it is plain to see."""
    file, line, in_notes = None, 0, False
    for row in _places.lines_of(text):
        if row.startswith("# File: "):
            file = row.removeprefix("# File: ")
        elif found := re.match(r"# --- LINE (\d+) ---$", row):
            line, in_notes = int(found[1]), True
        elif in_notes and (found := _OPERATION.match(row)):
            what = re.sub(r"%\w+", "", found[1]).strip()
            if file and not what.startswith(("constant", "callable", "cast")):
                word = re.match(r'(?:builtin|apply|ufunc|unary|binary|compare)? ?"?([\w.]+)', what)
                yield file, line, "typed", True, f"{word[1] if word else what}: {found[2]}"
        elif not row.startswith("#"):
            in_notes = in_notes and not row.strip()


def _notes(dispatcher, code, levels):
    seen = {}
    for_threads = "runs on several threads"
    fused_away = ("computed where it is read", "in one loop with", "the same as", "hoisted", "takes the memory")
    sources = [
        _type_notes(dispatcher._show("types", code)),
        _level_notes(levels),
        _reported(dispatcher, code, "fusion", "fused", lambda text: any(part in text for part in fused_away)),
        _reported(dispatcher, code, "parallel", "parallel", lambda text: for_threads in text),
        _remark_notes(dispatcher._show("remarks", code)),
    ]
    for source in sources:
        for file, line, kind, done, text in source:
            seen.setdefault((file, line, kind, text), done)
    return [
        {"file": file, "line": line, "kind": kind, "done": done, "text": text}
        for (file, line, kind, text), done in seen.items()
    ]


# ------------------------------------------------------------------------------------------------
# Times


def _times(dispatcher, code):
    """[stage, pass, seconds] in order; LLVM's passes make up what LLVM takes as a whole."""
    rows = [(stage, name, float(seconds)) for stage, name, seconds in _rows(dispatcher._show("times", code), 3)]
    whole = {stage: seconds for stage, _, seconds in rows if stage in ("llvm-all",)}
    passes = [row for row in rows if row[0] == "llvm-passes"]
    rest = whole.get("llvm-all", 0) - sum(row[2] for row in passes)
    times = [row for row in rows if row[0] not in ("llvm-passes", "llvm-all", "asm")]
    times += [("llvm-ir-optimized", name, seconds) for _, name, seconds in passes]
    times += [("llvm-ir-optimized", "other", max(rest, 0.0))]
    times += [row for row in rows if row[0] == "asm"]
    return [list(row) for row in times]


# ------------------------------------------------------------------------------------------------
# The page


def _variant(dispatcher, code, seconds, from_cache):
    short = code[: code.index(">") + 1]
    files, numbers, levels, texts = {}, {}, [], {}
    for name, title, what, lines, places in _levels(dispatcher, short):
        texts[name] = lines, places
        indices = [[numbers.setdefault(place, len(numbers)) for place in at] for at in places]
        levels.append({"name": name, "title": title, "what": what, "lines": lines, "at": indices})
    notes = _notes(dispatcher, short, texts)
    places = [*numbers, *((note["file"], note["line"]) for note in notes)]
    for file, _ in places:
        files.setdefault(file, len(files))
    return {
        "signature": str(types.signature_from_code(code)) if not code.endswith(">") else _arguments(code),
        "seconds": seconds,
        "from_cache": from_cache,
        "files": list(files),
        "places": [[files[file], line] for file, line in numbers],
        "sources": list(_sources(dispatcher.py_func, places)),
        "levels": levels,
        "notes": notes,
        "times": _times(dispatcher, short),
    }


def _arguments(code):
    return f"({', '.join(map(str, types.arguments_from_code(code)))})"


def gather(dispatcher, signature=None):
    """What the page shows, as values of JSON."""
    from . import __version__
    from ._introspect import _arguments_code

    wanted = None if signature is None else _arguments_code(signature)
    variants = []
    for code, from_cache, seconds, retired in dispatcher._variants():
        short = code[: code.index(">") + 1]
        if not retired and wanted in (None, short):
            variants.append(_variant(dispatcher, code, list(seconds), from_cache))
    if wanted is not None and not variants:
        variants.append(_variant(dispatcher, wanted + _result(dispatcher, wanted), None, False))
    code = dispatcher.py_func.__code__
    return {
        "name": dispatcher.py_func.__qualname__,
        "file": code.co_filename,
        "line": code.co_firstlineno,
        "version": __version__,
        "options": {name: repr(value) for name, value in sorted(dispatcher.options.items())},
        "variants": variants,
    }


def _result(dispatcher, code):
    return dispatcher._show("type", code).partition(">")[2]


def _as_script(data):
    """JSON that may stand in a script element: what ends one is not in it."""
    text = json.dumps(data, ensure_ascii=True, separators=(",", ":"))
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def page(kind, title, data):
    """A page: ``_explain_page.html`` with its title and its data; ``kind`` is "function" or "report"."""
    with open(os.path.join(_FOLDER, "_explain_page.html"), encoding="utf-8") as file:
        template = file.read()
    head, body = template.split("<!--data-->", 1)
    head = head.replace("<!--title-->", html.escape(title), 1)
    return f'{head}<script type="application/json" id="data" data-kind="{kind}">{_as_script(data)}</script>{body}'


class Explanation:
    """What `explain` gives: a page of HTML, which notebooks show.

    Attributes
    ----------
    html : str
        The whole page; nothing in it is loaded from elsewhere.
    data : dict
        What it shows, as values of JSON.
    """

    def __init__(self, kind, title, data):
        self.data, self.title = data, title
        self.html = page(kind, title, data)

    def save(self, path):
        """Write the page to a file; gives the path."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.html)
        return path

    def __repr__(self):
        return f"<explanation of {self.title}, {len(self.html) // 1024} KiB; .save(path) writes it as an HTML page>"

    def _repr_html_(self):
        # A frame of its own: neither the page's style nor its keys reach the notebook, nor the notebook's the page.
        return (
            f'<iframe srcdoc="{html.escape(self.html)}" sandbox="allow-scripts" '
            f'style="width:100%;height:720px;border:1px solid #8884" title="{html.escape(self.title)}"></iframe>'
        )


def explain(dispatcher, signature=None):
    """A page that shows the function at every level, and what became of each of its lines.

    Parameters
    ----------
    signature : str, Signature or tuple of types, optional
        Else all that are compiled.

    Returns
    -------
    Explanation
    """
    data = gather(dispatcher, signature)
    if not data["variants"]:
        raise ValueError(f"{data['name']}() is not compiled for any signature yet: call it, or give explain() one")
    return Explanation("function", f"{data['name']}()", data)
