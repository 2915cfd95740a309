"""Makes a failing program smaller: deletes statements, takes bodies out of their statements, simplifies expressions."""

import ast
import copy

SIMPLE = [ast.Constant(0), ast.Constant(1), ast.Constant(0.5), ast.Constant(True)]


def reduced(source, fails):
    """The smallest source found for which fails(source) still holds."""
    progress = True
    while progress:
        progress = False
        for candidates in (_without_statements, _with_simpler_expressions):
            found = _first(source, candidates, fails)
            while found:
                source, progress = found, True
                found = _first(source, candidates, fails)
    return source


def _first(source, candidates, fails):
    for candidate in candidates(source):
        if candidate != source and fails(candidate):
            return candidate
    return None


def _lists(tree):
    """Every list of statements of a tree, outer ones first."""
    for node in ast.walk(tree):
        for name in ("body", "orelse", "finalbody", "handlers"):
            if isinstance(getattr(node, name, None), list):
                yield node, name


def _edit(source, number, change):
    """The source after change(node, name) of one list of statements; None where that is no program."""
    tree = ast.parse(source)
    node, name = list(_lists(tree))[number]
    try:
        change(node, name)
        text = ast.unparse(ast.fix_missing_locations(tree)) + "\n"
        compile(text, "<reduced>", "exec")
        return text
    except (SyntaxError, ValueError, IndexError, AttributeError):
        return None


def _without_statements(source):
    """Programs with fewer statements: halves of a list first, then single ones, then bodies in place of statements."""
    sizes = [len(getattr(node, name)) for node, name in _lists(ast.parse(source))]
    edits = []
    for number, size in enumerate(sizes):
        width = size
        while width:
            edits += [(number, _deletion(start, width)) for start in range(0, size, width)]
            width //= 2
        edits += [
            (number, _hoist(position, part)) for position in range(size) for part in ("body", "orelse", "finalbody")
        ]
    for number, change in edits:
        text = _edit(source, number, change)
        if text:
            yield text


def _deletion(start, width):
    def change(node, name):
        statements = getattr(node, name)
        if isinstance(node, ast.Module) and any(
            getattr(one, "name", "") == "f" for one in statements[start : start + width]
        ):
            raise ValueError("f is what runs")
        del statements[start : start + width]
        if name == "body" and not statements:
            statements.append(ast.Pass())

    return change


def _hoist(position, part):
    def change(node, name):
        statements = getattr(node, name)
        if isinstance(statements[position], (ast.FunctionDef, ast.ClassDef)):
            raise ValueError("no statements of this list")
        statements[position : position + 1] = getattr(statements[position], part)
        if not statements:
            raise ValueError("nothing left")

    return change


def _with_simpler_expressions(source):
    """Programs in which an expression is one of its operands, or a constant."""
    count = sum(1 for _ in _expressions(ast.parse(source)))
    for number in range(count):
        options = len(_replacements(list(_expressions(ast.parse(source)))[number]))
        for option in range(options):
            tree = ast.parse(source)
            target = list(_expressions(tree))[number]
            replacement = _replacements(target)[option]
            text = ast.unparse(ast.fix_missing_locations(_Replace(target, replacement).visit(tree))) + "\n"
            if len(text) < len(source):
                yield text


OPERATIONS = (ast.BinOp, ast.BoolOp, ast.UnaryOp, ast.Compare, ast.Call, ast.IfExp, ast.Subscript, ast.ListComp)


def _expressions(tree):
    found = (node for node in ast.walk(tree) if isinstance(node, OPERATIONS))
    return (node for node in found if isinstance(getattr(node, "ctx", ast.Load()), ast.Load))


def _replacements(node):
    parts = [
        part for part in ast.iter_child_nodes(node) if isinstance(part, ast.expr) and not isinstance(part, ast.Slice)
    ]
    return copy.deepcopy([part for part in parts if not isinstance(getattr(part, "ctx", None), ast.Store)] + SIMPLE)


class _Replace(ast.NodeTransformer):
    def __init__(self, target, replacement):
        self.target, self.replacement = target, replacement

    def visit(self, node):
        return self.replacement if node is self.target else super().visit(node)
