"""Runs the code of a page for readers, and compares what it shows.

    python docs/page_runs.py docs/tutorial.md          # says where a page is wrong
    python docs/page_runs.py docs/tutorial.md --write  # puts right what its blocks of text say; read it, then

The blocks marked ``python`` are parts of one program, in their order. A block marked ``text`` that follows one is what
that one prints; where it ends by an exception, this is its class and text. ``...`` stands for anything. Messages name
the file ``program.py``.
"""

import contextlib
import doctest
import io
import pathlib
import re
import sys
import tempfile

BLOCK = re.compile(r"^```(python|text)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(page):
    """(line, code, what it shows or None) of each block of code of a page's text."""
    found = []
    for block in BLOCK.finditer(page):
        if block[1] == "python":
            found.append((page.count("\n", 0, block.start()) + 2, block[2], None))
        elif found and found[-1][2] is None:
            found[-1] = (*found[-1][:2], block[2])
    return found


def shown(code, path, namespace):
    """What a block prints, and what it raises."""
    path.write_text(code)  # messages show lines of the file
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        try:
            exec(compile(code, str(path), "exec"), namespace)
        except Exception as error:
            output.write(f"{type(error).__name__}: {error}\n")
    return output.getvalue()


def run(page):
    """(line, code, what the page says, what is so) of each block, run in order."""
    namespace = {"__name__": "program"}
    with tempfile.TemporaryDirectory() as folder:
        for number, (line, code, expected) in enumerate(blocks(page)):
            place = pathlib.Path(folder) / str(number)  # each has lines of its own
            place.mkdir()
            found = shown(code, place / "program.py", namespace)
            yield line, code, expected, re.sub(rf"{re.escape(folder)}/\d+/", "", found)
    namespace.clear()  # compiled functions that something remembers hold their globals


def agree(expected, found):
    """Whether output is what the page says, spaces at the ends of lines apart."""
    trim = [re.sub(r"[ \t]+$", "", text.strip("\n") + "\n", flags=re.MULTILINE) for text in (expected or "", found)]
    return doctest.OutputChecker().check_output(*trim, doctest.ELLIPSIS)


def corrected(page):
    """The page's text with blocks of text that say what is so; those that agree stay as they are."""
    found = iter([(said, is_so) for _, _, said, is_so in run(page) if said is not None])
    parts, end = [], 0
    for block in BLOCK.finditer(page):
        if block[1] == "text":
            said, is_so = next(found)
            parts += [page[end : block.start(2)], said if agree(said, is_so) else is_so.strip("\n") + "\n"]
            end = block.end(2)
    return "".join([*parts, page[end:]])


def main():
    """Run the pages named, and say what differs, or write it."""
    wrong = 0
    for path in (pathlib.Path(name) for name in sys.argv[1:] if name != "--write"):
        if "--write" in sys.argv:
            path.write_text(corrected(path.read_text()))
        for line, _, expected, found in run(path.read_text()):
            if not agree(expected, found):
                wrong += 1
                print(f"{path}:{line}: the page says\n{expected}but it is\n{found}")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
