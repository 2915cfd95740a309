"""Stencils that a compiled function makes: ``stencil(lambda a: a[-1] + a[1])(x)``.

They become stencils of the module's level, which the function imports. What the kernel takes from the function are
arguments of theirs.
"""

import ast
import copy
import itertools
import sys

from . import stencils
from ._stencil_kernels import Kernel, NamedEnd, cells_of, refuse
from .errors import NumbaValueError


def _loaded(node):
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load)}


def _bound(node):
    """Names that the syntax assigns to, parameters and nested functions among them."""
    names = {each.arg for each in ast.walk(node) if isinstance(each, ast.arg)}
    names |= {each.id for each in ast.walk(node) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}
    return names | {each.name for each in ast.walk(node) if isinstance(each, ast.FunctionDef)}


def _called(name, captured, arguments, keywords, at):
    """The call of a stencil, with what its kernel takes from the function: expressions by name."""
    more = [ast.keyword(each, value) for each, value in captured.items()]
    return ast.fix_missing_locations(
        ast.copy_location(ast.Call(ast.Name(name, ast.Load()), arguments, [*keywords, *more]), at)
    )


class _Expansion(ast.NodeTransformer):
    """Replaces calls of ``stencil`` in a function."""

    def __init__(self, function, node, filename):
        self.function, self.filename, self.root = function, filename, node
        self.known = {**function.__globals__}
        for name, cell in cells_of(function).items():
            try:
                self.known[name] = cell.cell_contents
            except ValueError:  # not bound yet
                continue
        self.own = _bound(node)
        self.functions = {each.name: each for each in ast.walk(node) if isinstance(each, ast.FunctionDef)}
        self.imported = {}

    def _value(self, node):
        """What a name, or an attribute of a module, stands for, or None."""
        if isinstance(node, ast.Name):
            return None if node.id in self.own else self.known.get(node.id)
        if isinstance(node, ast.Attribute) and (owner := self._value(node.value)) is not None:
            return getattr(owner, node.attr, None) if isinstance(owner, type(sys)) else None
        return None

    def is_made(self, node):
        return isinstance(node, ast.Call) and self._value(node.func) is stencils.stencil

    def _option(self, keyword):
        names = {name: value for name, value in self.known.items() if name not in self.own}
        try:
            expression = compile(ast.Expression(keyword.value), self.filename, "eval", dont_inherit=True)
            return eval(expression, names)
        except Exception:
            refuse(f"the option '{keyword.arg}' of a stencil within a compiled function is a constant",
                   self.filename, keyword.value)  # fmt: skip

    def _neighborhood(self, keyword, kernel):
        """The neighborhood, whose ends are integers or named, and the expressions of those that are named."""
        if not isinstance(keyword.value, ast.Tuple | ast.List):
            return self._option(keyword), {}
        named, taken = {}, _bound(kernel) | _loaded(kernel) | self.own

        def end(node):
            try:
                return self._option(ast.keyword(keyword.arg, node))
            except NumbaValueError:
                name = next(each for i in itertools.count() if (each := f"end{i}") not in taken and each not in named)
                named[name] = node
                return NamedEnd(name)

        pairs = [pair.elts if isinstance(pair, ast.Tuple | ast.List) else [] for pair in keyword.value.elts]
        if any(len(pair) != 2 for pair in pairs):
            return self._option(keyword), {}
        return tuple((end(low), end(high)) for low, high in pairs), named

    def _make(self, call):
        """(name of the stencil, what its kernel takes from the function, its other parameters)."""
        given = call.args[0] if len(call.args) == 1 else None
        if isinstance(given, ast.Name):
            given = self.functions.get(given.id)
        if not isinstance(given, (ast.Lambda, ast.FunctionDef)) or any(word.arg is None for word in call.keywords):
            refuse("within a compiled function, a stencil is made of a lambda or of a function defined there",
                   self.filename, call)  # fmt: skip
        options = {word.arg: self._option(word) for word in call.keywords if word.arg != "neighborhood"}
        kernel = copy.deepcopy(given)
        captured = {name: ast.Name(name, ast.Load()) for name in sorted(_loaded(kernel) & self.own - _bound(kernel))}
        for word in call.keywords:
            if word.arg == "neighborhood":
                options[word.arg], named = self._neighborhood(word, kernel)
                captured.update(named)
        stencils.check_options(options)
        parameters = [parameter.arg for parameter in kernel.args.args]
        kernel.args.args += [ast.copy_location(ast.arg(name), kernel) for name in captured]
        made = Kernel(kernel, self.filename, lambda name: None if name in self.own else self.known.get(name),
                      options.get("standard_indexing", ()), options.get("neighborhood"))  # fmt: skip
        name = stencils.keep(self.function, (call.lineno, call.col_offset), made, options)
        self.imported[name] = call
        return name, captured, parameters

    def visit_Call(self, node):
        if self.is_made(node.func):
            name, captured, _ = self._make(node.func)
            arguments = [self.visit(each) for each in node.args]
            return _called(name, captured, arguments, [self.visit(each) for each in node.keywords], node)
        if not self.is_made(node):
            return self.generic_visit(node)
        name, captured, parameters = self._make(node)
        arguments = [ast.Name(each, ast.Load()) for each in parameters]
        out = ast.keyword("out", ast.Name("out", ast.Load()))
        # The neighborhood is that of the place where the stencil is made; variables are those of the call.
        ends = {each: value for each, value in captured.items() if not isinstance(value, ast.Name) or value.id != each}
        captured.update({each: ast.Name(each, ast.Load()) for each in ends})
        given = ast.arguments([], [ast.arg(each) for each in (*parameters, "out")], None, [], [], None,
                              [ast.Constant(None)])  # fmt: skip
        made = ast.Lambda(given, _called(name, captured, arguments, [out], node))
        if ends:
            around = ast.arguments([], [ast.arg(each) for each in ends], None, [], [], None, [])
            made = ast.Call(ast.Lambda(around, made), list(ends.values()), [])
        return ast.fix_missing_locations(ast.copy_location(made, node))

    def expanded(self):
        """The function with its stencils imported."""
        node = self.visit(copy.deepcopy(self.root))
        if not self.imported:
            return self.root
        if isinstance(node, ast.Lambda):
            refuse("a lambda that is compiled makes no stencils: write a function", self.filename, node)
        first = isinstance(node.body[0], ast.Expr) and isinstance(node.body[0].value, ast.Constant)
        imports = [
            ast.fix_missing_locations(
                ast.copy_location(ast.ImportFrom(stencils.__name__, [ast.alias(name)], 0), node.body[0])
            )
            for name in self.imported
        ]
        node.body[first:first] = imports
        return node


def expand(function, node, filename):
    """The syntax of a function in which what it makes by ``stencil`` is made."""
    return _Expansion(function, node, filename).expanded()
