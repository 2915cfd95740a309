# ruff: noqa: E501  (text of a page, tables)
"""Writes docs/gallery.md of the programs in examples/, and their pictures, which need matplotlib.

python docs/gallery.py --write [--plots]      # with --plots the pictures too
"""

import ast
import pathlib
import re
import sys

DOCS = pathlib.Path(__file__).resolve().parent
EXAMPLES = DOCS.parent / "examples"
PICTURES = DOCS / "pictures" / "gallery"
sys.path.insert(0, str(EXAMPLES))

import programs  # noqa: E402

HEADER = """# Gallery

Written by `docs/gallery.py` from the programs in [examples](../examples/README.md). Each is a file that runs by itself, `python examples/mandelbrot.py`; those with a picture draw it with `--plot FILE`.
"""
#: Title, and the table of programs.
SECTIONS = [
    ("Loops and arrays", programs.PROGRAMS),
    ("Python's own data", programs.PYTHON),
    ("Ufuncs and parallel loops", programs.UFUNCS),
    ("Kernels for GPUs, which the CPU runs as well", programs.CUDA),
    ("From courses and talks on GPUs", programs.SEEDS),
]
LINES = 24  # the most of a function that a page shows


def summary(tree):
    """The first sentence of a program's docstring, on one line."""
    words = " ".join(ast.get_docstring(tree).split("\n\n")[0].split())
    return re.split(r"(?<=\.)\s", words)[0].removesuffix(".")


def main_function(tree, source, name):
    """The source of the program's main function, decorators included; None where it is long."""
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and node.name == name:
            first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
            lines = source.splitlines()[first - 1 : node.end_lineno]
            return "\n".join(lines) if len(lines) <= LINES else None
    return None


def entry(name, shows):
    """A program: what it does, what it shows, its picture, its main function."""
    source = (EXAMPLES / f"{name}.py").read_text()
    tree = ast.parse(source)
    stem = name.rpartition("/")[2]
    yield f"### {stem}\n\n{summary(tree)}. It shows: {shows}. [Source](../examples/{name}.py)\n"
    if "\ndef draw(figure):" in source:
        yield f"![A picture drawn by {stem}.py](pictures/gallery/{stem}.png)\n"
    code = main_function(tree, source, stem)
    if code:
        yield f"```python\n{code}\n```\n"


def page():
    """The text of docs/gallery.md."""
    parts = [HEADER]
    for title, table in SECTIONS:
        parts.append(f"## {title}\n")
        for name, shows in table.items():
            parts += entry(name, shows)
    return "\n".join(parts)


def plot():
    """Draw the pictures anew."""
    import plotting
    from PIL import Image

    PICTURES.mkdir(parents=True, exist_ok=True)
    for _, table in SECTIONS:
        for name in table:
            if "\ndef draw(figure):" in (EXAMPLES / f"{name}.py").read_text():
                file = PICTURES / f"{name.rpartition('/')[2]}.png"
                plotting.save_plot(programs.load(name).draw, file, dpi=64)
                Image.open(file).convert("P", palette=Image.Palette.ADAPTIVE, colors=64).save(file, optimize=True)


def main():
    """Write the page, or say that it is not up to date."""
    if "--write" in sys.argv:
        (DOCS / "gallery.md").write_text(page())
        if "--plots" in sys.argv:
            plot()
    elif (DOCS / "gallery.md").read_text() != page():
        sys.exit("docs/gallery.md is not up to date: python docs/gallery.py --write")


if __name__ == "__main__":
    main()
