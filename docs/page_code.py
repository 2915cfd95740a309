"""The code that a page says goes into a file, for tests that carry the page out.

    python docs/page_code.py PAGE FILE OUTPUT     # writes the block of PAGE that is FILE

A block begins with its language, the file, and the beginning of the line behind which it goes; a new file has no such:

    ```c lib/ir/ops.def | PA_OP(TRUTH,
"""

import re
import sys
import textwrap
from pathlib import Path

BLOCK = re.compile(
    r"^(?P<indent> *)```(?:c|tablegen) (?P<path>[\w./]+)(?: \| (?P<line>[^\n]*))?\n(?P<code>.*?)^(?P=indent)```$",
    re.MULTILINE | re.DOTALL,
)


def blocks(page):
    """(file, beginning of a line or None, code) of each such block of a page's text."""
    return [(block["path"], block["line"], textwrap.dedent(block["code"])) for block in BLOCK.finditer(page)]


def insert(text, line, code):
    """Return the text with the code behind the one line that begins so."""
    lines = text.splitlines(keepends=True)
    places = [number for number, each in enumerate(lines) if each.strip().startswith(line)]
    if len(places) != 1:
        raise ValueError(f"{len(places)} lines begin with {line!r}")
    return "".join([*lines[: places[0] + 1], code, *lines[places[0] + 1 :]])


def main():
    """Write one block."""
    page, path, output = sys.argv[1:]
    codes = [code for name, line, code in blocks(Path(page).read_text()) if name == path and not line]
    if len(codes) != 1:
        sys.exit(f"{page} has {len(codes)} blocks that are {path}")
    Path(output).write_text(codes[0])


if __name__ == "__main__":
    main()
