"""Graphs of the blocks of compiled code, as text for graphviz."""

import re

_FUNCTION = re.compile(r"^define .*?@(\"[^\"]*\"|[-\w.$]+)\(")
_LABEL = re.compile(r"^(\"[^\"]*\"|[-\w.$]+):")
_TARGET = re.compile(r"\blabel %(\"[^\"]*\"|[-\w.$]+)")
_JUMP = re.compile(r"^\s+j\w+\s+(\.L\w+)")
_END = re.compile(r"^\s+(jmp|ret\w*|ud2)\b")


class ControlFlow:
    """The blocks of compiled code and where each may go.

    Attributes
    ----------
    blocks : dict of (str, str) to list of str
        The lines of each block, by its function and label.
    edges : list of pairs of (str, str)
    dot : str
        The graph in the language of graphviz.
    """

    def __init__(self, blocks, edges):
        self.blocks, self.edges = blocks, edges

    @property
    def dot(self):
        """The graph in the language of graphviz."""
        numbers = {block: number for number, block in enumerate(self.blocks)}
        lines = ["digraph {", "  node [shape=box, fontname=monospace];"]
        for block, number in numbers.items():
            text = "\n".join((":".join(block), *self.blocks[block])).replace("\\", "\\\\").replace('"', '\\"')
            lines.append(f'  b{number} [label="{text.replace(chr(10), chr(92) + "l")}{chr(92)}l"];')
        lines += [f"  b{numbers[start]} -> b{numbers[end]};" for start, end in self.edges if end in numbers]
        return "\n".join((*lines, "}")) + "\n"

    def display(self, filename=None, format="pdf", view=False):
        """Draw the graph by the package ``graphviz``; into a file where ``filename`` is given."""
        try:
            import graphviz
        except ImportError:
            raise ImportError("the package graphviz draws graphs; without it, print the attribute dot") from None
        source = graphviz.Source(self.dot)
        if filename is None and not view:
            return source
        source.render(filename or "control_flow", format=format, view=view)
        return None

    def __repr__(self):
        return self.dot


def of_llvm(text):
    """The graph of all functions of a module of LLVM IR."""
    blocks, edges, function, block = {}, [], None, None
    for line in text.splitlines():
        if start := _FUNCTION.match(line):
            function, block = start[1], (start[1], "entry")
            blocks[block] = []
        elif line == "}":
            function = None
        elif function and (label := _LABEL.match(line)):
            if not blocks[block]:
                del blocks[block]  # the first block has a name of its own
            block = function, label[1]
            blocks[block] = []
        elif function and line.strip():
            blocks[block].append(line.strip())
            edges += [(block, (function, target)) for target in _TARGET.findall(line)]
    return ControlFlow(blocks, edges)


def of_assembly(text):
    """The graph of the blocks of assembly."""
    blocks, edges, function, block, falls = {}, [], "", None, False
    for line in text.splitlines():
        if label := _LABEL.match(line):
            local = label[1].startswith(".L")
            if not local:
                function = label[1]
            if falls and local:
                edges.append((block, (function, label[1])))
            block, falls = (function, label[1]), True
            blocks[block] = []
        elif block and line.strip() and not line.strip().startswith((".", "#")):
            blocks[block].append(" ".join(line.split()))
            edges += [(block, (function, target)) for target in _JUMP.findall(line)]
            falls = not _END.match(line)
    return ControlFlow({block: lines for block, lines in blocks.items() if lines}, edges)
