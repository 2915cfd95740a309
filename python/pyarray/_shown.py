"""Texts that `inspect_mlir` and its like give: in a prompt and a notebook they show as they are."""

import html
import re

_STYLE = "max-height:32em;overflow:auto;padding:6px;border:1px solid #8884;border-radius:4px;white-space:pre"
# In this order: texts, comments, names of values, operations.
_PARTS = re.compile(r'("(?:[^"\\\n]|\\.)*")|((?://|;|^#).*)|([%@!#^][\w.$]+)|(\b[a-z_]+\.[a-z_.0-9]+)', re.MULTILINE)
_COLOURS = {1: "#0a7a3c", 2: "#7a7f87", 3: "#8a4ccf", 4: "#1759c4"}


def coloured(text):
    """HTML of a text of IR, with names and operations in colours that go on light and on dark."""
    parts, end = [], 0
    for found in _PARTS.finditer(text):
        parts.append(html.escape(text[end : found.start()]))
        parts.append(f'<span style="color:{_COLOURS[found.lastindex]}">{html.escape(found[0])}</span>')
        end = found.end()
    return "".join([*parts, html.escape(text[end:])])


class Text(str):
    """A text; its repr is the text itself."""

    __slots__ = ()

    def __repr__(self):
        return str(self)

    def _repr_html_(self):
        return f'<pre style="{_STYLE}">{coloured(self)}</pre>'


def _title(kinds):
    return f"({', '.join(map(str, kinds))})"


class Texts(dict):
    """A dict of texts by argument types; its repr has each below its types."""

    def __repr__(self):
        return "\n".join(f"{_title(kinds)}\n{'-' * 80}\n{text}" for kinds, text in self.items()) or "{}"

    def _repr_html_(self):
        parts = (
            f"<details open><summary><code>{html.escape(_title(kinds))}</code></summary>"
            f'<pre style="{_STYLE}">{coloured(text)}</pre></details>'
            for kinds, text in self.items()
        )
        return "".join(parts) or "<p>nothing is compiled yet</p>"


class AnnotatedTypes:
    """What ``inspect_types(pretty=True)`` gives: the source with types, which notebooks show line by line."""

    def __init__(self, texts):
        self.texts = texts

    def __repr__(self):
        return repr(self.texts)

    def _repr_html_(self):
        return "".join(map(self._table, self.texts.items())) or "<p>nothing is compiled yet</p>"

    def _table(self, item):
        kinds, text = item
        rows = "".join(map(_row, _lines(text)))
        return (
            f"<details open><summary><code>{html.escape(_title(kinds))}</code></summary>"
            f'<div style="{_STYLE};font-family:monospace">{rows}</div></details>'
        )


def _lines(text):
    """(line of the source or None, its types) in order, of the text of `inspect_types`; others are titles."""
    notes, rest = [], text.removesuffix("\n").split("\n")
    for line in rest:
        if line.startswith("#   "):
            notes.append(line[4:])
        elif line.startswith("# ---") or not line.strip() or set(line) <= set("-="):
            continue
        elif line.startswith("# File: "):
            yield line[2:], []
        else:
            yield line, notes
            notes = []


def _row(row):
    line, notes = row
    shown = html.escape(line)
    if not notes:
        return f"<div>{shown}</div>"
    inside = "".join(f"<div>{coloured(note)}</div>" for note in notes)
    return f'<details><summary>{shown}</summary><div style="padding-left:3em;opacity:.85">{inside}</div></details>'
