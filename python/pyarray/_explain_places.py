"""Texts of IR levels, and for each of their lines the places in Python that it comes from.

MLIR has ``loc(#loc3)`` behind an operation and a table of them; LLVM IR ``!dbg !7``, which leads through scopes to a
file; assembly and PTX directives ``.loc`` in front of instructions. All are taken out of the texts that are shown.
"""

import functools
import os
import re

_TEXT = r'"((?:[^"\\]|\\.)*)"'
_ALIAS = re.compile(r"^(#loc\d*) = loc\((.*)\)$")
_IN_FILE = re.compile(_TEXT + r":(\d+):\d+")
_NAMED = re.compile(r"#loc\d*\b")
_LOC = re.compile(r" ?loc\((?:#loc\d*|unknown|" + _TEXT + r":\d+:\d+(?: to :?\d+(?::\d+)?)?)\)")
_ESCAPE = re.compile(r"\\([0-9A-Fa-f]{2})|\\(.)")


def lines_of(text):
    """Lines as the compiler ends them: names of files may hold what `str.splitlines` takes for an end."""
    return text.removesuffix("\n").split("\n")


def _unescape(text):
    data = _ESCAPE.sub(lambda m: chr(int(m[1], 16)) if m[1] else m[2], text)
    return data.encode("latin-1", "replace").decode("utf-8", "replace") if "\\" in text else data


def _in_files(text):
    """What a location names itself: (file, line) each, but for those of no line."""
    return [(_unescape(file), int(line)) for file, line in _IN_FILE.findall(text) if int(line)]


def mlir(text):
    """(lines, places of each) of a module that was printed with its locations."""
    table = {}
    lines = []
    for line in lines_of(text):
        found = _ALIAS.match(line)
        if found:
            table[found[1]] = found[2]
        elif not line.startswith(("#di_", "#loc")):
            lines.append(line)

    @functools.cache
    def places_of(alias):
        said = table.get(alias, "")
        bare = re.sub(_TEXT, "", said)
        inner = [place for name in _NAMED.findall(bare) if name != alias for place in places_of(name)]
        return tuple(dict.fromkeys([*_in_files(said), *inner]))

    shown, places = [], []
    for line in lines:
        found = list(_LOC.finditer(line))
        # of an operation with regions the place is behind its end; arguments of blocks have some of their own
        last = found[-1] if found and line.rstrip().endswith(")") and found[-1].end() == len(line.rstrip()) else None
        shown.append(_LOC.sub("", line))
        if last is None:
            places.append(())
        elif last[0].endswith('")') or last[1] is not None:
            places.append(tuple(_in_files(last[0])))
        else:
            places.append(places_of(_NAMED.search(last[0])[0]) if "#loc" in last[0] else ())
    return shown, _with_openings(shown, places)


def _with_openings(lines, places):
    """A line that opens a region, ``for ... {``, comes from where its end ``}`` comes from."""
    open_lines = []
    for number, line in enumerate(lines):
        text = line.strip()
        if text.startswith("}") and open_lines:
            start = open_lines.pop()
            if not places[start]:
                places[start] = places[number]
        if text.endswith("{"):
            open_lines.append(number)
    return places


_NODE = re.compile(r"^(!\d+) = (?:distinct )?!(DI\w+)\((.*)\)$")
_FIELD = re.compile(r'(\w+): ("(?:[^"\\]|\\.)*"|[^,]*)')
_DBG = re.compile(r",? !dbg (!\d+)")


def llvm(text):
    """The same of LLVM IR."""
    nodes = {}
    lines = []
    for line in lines_of(text):
        found = _NODE.match(line)
        if found:
            nodes[found[1]] = found[2], dict(_FIELD.findall(found[3]))
        else:
            lines.append(line)

    def file_of(name):
        while name in nodes:
            kind, fields = nodes[name]
            if kind == "DIFile":
                return os.path.join(*(_unescape(fields.get(part, '""')[1:-1]) for part in ("directory", "filename")))
            name = fields.get("file") or fields.get("scope")
        return None

    @functools.cache
    def places_of(name):
        kind, fields = nodes.get(name, ("", {}))
        if kind not in ("DILocation", "DISubprogram"):
            return ()
        line, file = int(fields.get("line", 0)), file_of(fields.get("scope" if kind == "DILocation" else "file"))
        own = [(file, line)] if line and file else []
        return tuple(dict.fromkeys([*own, *places_of(fields.get("inlinedAt", ""))]))

    places = [places_of(found[1]) if (found := _DBG.search(line)) else () for line in lines]
    return [_DBG.sub("", line) for line in lines], places


_FILE = re.compile(r"^\s*\.file\s+(\d+)\s+" + _TEXT + r"(?:\s+" + _TEXT + ")?")
_LINE = re.compile(r"^\s*\.loc\s+(\d+)\s+(\d+)")
_NOISE = re.compile(r"^\s*\.cfi_|^\.L(?:tmp|func_begin)\d+:")
_INSTRUCTION = re.compile(r"^\s+[^.#/\s@{}]|^\s+@|^\s+\{?\s*[a-z]")


def assembly(text):
    """The same of assembly or PTX."""
    files, lines, places, here = {}, [], [], ()
    all_lines = lines_of(text)
    for line in all_lines:  # PTX has its files at the end
        if found := _FILE.match(line):
            parts = [_unescape(part) for part in found.groups()[1:] if part]
            files[found[1]] = os.path.join(*parts)
    for line in all_lines:
        if found := _LINE.match(line):
            if int(found[2]) and found[1] in files:
                here = ((files[found[1]], int(found[2])),)
            continue
        if _FILE.match(line) or _NOISE.match(line):
            continue
        if line.strip() and not line[:1].isspace():
            is_label = line.startswith((".L", "$L"))
            here = here if is_label else ()
        lines.append(line.expandtabs(8))
        places.append(here if _INSTRUCTION.match(line) and not line.lstrip().startswith(".") else ())
    return lines, places
