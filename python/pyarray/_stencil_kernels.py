"""Kernels of stencils: their indices are read, and the function is made that has the place of the element besides.

``a[0, 1] + a[-1, 0]`` becomes ``a[i0, i1 + 1] + a[i0 - 1, i1]``. Nodes keep their lines and columns, so that errors and
tracebacks show what the user wrote.
"""

import ast
import types

from ._report import place
from .errors import NumbaValueError


def refuse(message, filename=None, node=None):
    """Raise NumbaValueError, with the place of the node."""
    line = getattr(node, "lineno", None)
    column = node.col_offset + 1 if line else None
    where = place(filename, line, column) if line else ""
    raise NumbaValueError(message + where, file=filename, line=line, column=column)


# ------------------------------------------------------------------------------------------------
# Functions of syntax


def located(tree, at):
    """The tree, all of whose nodes stand where ``at`` does."""
    for node in ast.walk(tree):
        if "lineno" in node._attributes:
            node.lineno = node.end_lineno = at.lineno
            node.col_offset = node.end_col_offset = at.col_offset
    return tree


def make_function(node, filename, names, cells):
    """The function of an ``ast.FunctionDef``, which the compiler reads from there.

    Parameters
    ----------
    node : ast.FunctionDef
    filename : str
    names : dict
        Its globals.
    cells : dict of str to cell
        Its free variables.
    """
    outer = ast.FunctionDef(
        name="outer",
        args=ast.arguments(
            posonlyargs=[], args=[ast.arg(name) for name in cells], kwonlyargs=[], kw_defaults=[], defaults=[]
        ),
        body=[node],
        decorator_list=[],
        type_params=[],
    )
    module = ast.fix_missing_locations(ast.Module([ast.copy_location(outer, node)], []))
    code = compile(module, filename, "exec", dont_inherit=True)
    for _ in range(2):
        code = next(constant for constant in code.co_consts if isinstance(constant, types.CodeType))
    function = types.FunctionType(code, names, node.name, None, tuple(cells[name] for name in code.co_freevars))
    function.__defaults__ = (None,) * len(node.args.defaults) or None
    function.__kwdefaults__ = {parameter.arg: None for parameter in node.args.kwonlyargs} or None
    function.__pyarray_syntax__ = node
    return function


def cells_of(function):
    """The free variables of a function and their cells."""
    return dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))


# ------------------------------------------------------------------------------------------------
# Indices


class NamedEnd(str):
    """An end of a neighborhood that is known when the program runs: the parameter of the kernel that has it."""


def _read_neighborhood(given):
    """((low, high), ...) of integers, or of parameters in compiled code."""
    try:
        pairs = tuple((low, high) for low, high in given)
    except (TypeError, ValueError):
        pairs = ()
    ends = [end for pair in pairs for end in pair if not isinstance(end, NamedEnd)]
    if not pairs or any(isinstance(end, (float, bool, str)) for end in ends):
        refuse(f"neighborhood is ((low, high), ...), the least and the greatest index of each dimension, not {given!r}")
    for low, high in pairs:
        if isinstance(low, int) and isinstance(high, int) and low > high:
            refuse(f"neighborhood {given!r}: the least index of a dimension comes first")
    return pairs


class Kernel(ast.NodeTransformer):
    """A kernel whose relative indices are read, and made indices of the arrays.

    Parameters
    ----------
    node : ast.FunctionDef or ast.Lambda
        It is changed.
    filename : str
    value_of : function
        Gives the value of a name that the kernel does not assign to, or None.
    standard : sequence of str
        Parameters that are indexed as everywhere.
    neighborhood : sequence of pairs, optional

    Attributes
    ----------
    parameters : list of str
    indices : list of str
        Names of the parameters for the place.
    relative : list of str
        Parameters that are indexed relatively, the first one in front.
    bounds : list of [int or NamedEnd, int or NamedEnd]
        Of the indices in each dimension, with 0 in between.
    definition : ast.FunctionDef
    is_inside : bool
        No index can leave the arrays, which are at least as large as the first one.
    """

    def __init__(self, node, filename, value_of, standard=(), neighborhood=None):
        self.filename, self._value_of = filename, value_of
        given = node.args
        if given.posonlyargs or given.vararg or given.kwonlyargs or given.kwarg or given.defaults:
            refuse("the parameters of a stencil kernel have no defaults, stars and slashes", filename, node)
        self.parameters = [parameter.arg for parameter in given.args]
        if not self.parameters:
            refuse("a stencil kernel has an array as its first parameter", filename, node)
        self._read_standard(standard, node)
        if "out" in self.parameters:
            refuse("a parameter of a stencil kernel cannot be named 'out', which is the keyword for the result",
                   filename, node)  # fmt: skip
        self._taken = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)} | set(self.parameters)
        self._assigned = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)
                          and isinstance(each.ctx, ast.Store)} | set(self.parameters)  # fmt: skip
        self.neighborhood = None if neighborhood is None else _read_neighborhood(neighborhood)
        self.relative, self.is_inside = [self.parameters[0]], True
        self.rank, self.bounds, self.indices = 0, [], []
        if self.neighborhood:
            self._set_rank(len(self.neighborhood))
        self.definition = self._define(node)
        if not self.rank:
            refuse("the stencil kernel indexes no array relatively", filename, node)

    def _read_standard(self, standard, node):
        self.standard = (standard,) if isinstance(standard, str) else tuple(standard)
        unknown = [name for name in self.standard if name not in self.parameters]
        if unknown:
            refuse(f"standard_indexing names {unknown[0]!r}, which is no parameter of the stencil kernel",
                   self.filename, node)  # fmt: skip
        if self.parameters[0] in self.standard:
            refuse(f"the first parameter of a stencil kernel, {self.parameters[0]!r}, is indexed relatively: it cannot "
                   "be in standard_indexing", self.filename, node)  # fmt: skip

    def _set_rank(self, rank):
        self.rank = rank
        self.bounds = [[0, 0] for _ in range(rank)]
        for name in (f"i{axis}" for axis in range(rank)):
            while name in self._taken:
                name += "_"
            self.indices.append(name)
        for bound, pair in zip(self.bounds, self.neighborhood or (), strict=False):
            # A neighbourhood without 0 takes no more than one with it.
            bound[0] = min(0, pair[0]) if isinstance(pair[0], int) else pair[0]
            bound[1] = max(0, pair[1]) if isinstance(pair[1], int) else pair[1]

    def _define(self, node):
        body = [ast.copy_location(ast.Return(node.body), node)] if isinstance(node, ast.Lambda) else node.body
        body = [self.visit(statement) for statement in body]
        names = [*self.parameters, *self.indices]
        made = ast.FunctionDef(
            name=node.name if isinstance(node, ast.FunctionDef) else "kernel",
            args=ast.arguments(
                posonlyargs=[], args=[ast.arg(name) for name in names], kwonlyargs=[], kw_defaults=[], defaults=[]
            ),
            body=body,
            decorator_list=[],
            type_params=[],
        )
        return ast.fix_missing_locations(ast.copy_location(made, node))

    # -- Expressions -------------------------------------------------------------------------------

    def _integer(self, node):
        """The value of an index that is known, or None."""
        if isinstance(node, ast.Constant):
            return node.value if type(node.value) is int else None
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.UAdd)):
            value = self._integer(node.operand)
            return value if value is None or isinstance(node.op, ast.UAdd) else -value
        if isinstance(node, ast.Name) and node.id not in self._assigned:
            value = self._value_of(node.id)
            return value if type(value) is int else None
        return None

    def _check_known(self, value, axis, node):
        bound = self.bounds[axis]
        if self.neighborhood is None:
            bound[0], bound[1] = min(bound[0], value), max(bound[1], value)
        elif not all(isinstance(end, int) for end in bound):
            self.is_inside = False
        elif not bound[0] <= value <= bound[1]:
            refuse(f"index {value} of dimension {axis} is outside the neighborhood, from {bound[0]} to {bound[1]}",
                   self.filename, node)  # fmt: skip

    def _moved(self, node, axis, end=0):
        """The index with that of the element added; one less of it counts where it ends a slice."""
        place = ast.copy_location(ast.Name(self.indices[axis], ast.Load()), node)
        value = self._integer(node)
        if value is None:
            if self.neighborhood is None:
                refuse("the index of a stencil kernel is not constant: the option 'neighborhood' is required",
                       self.filename, node)  # fmt: skip
            self.is_inside = False
            return ast.copy_location(ast.BinOp(place, ast.Add(), self.visit(node)), node)
        self._check_known(value - end, axis, node)
        if value == 0:
            return place
        sign, step = (ast.Add(), value) if value > 0 else (ast.Sub(), -value)
        return ast.copy_location(ast.BinOp(place, sign, ast.copy_location(ast.Constant(step), node)), node)

    def _moved_part(self, node, axis):
        if isinstance(node, ast.Starred) or isinstance(node, ast.Constant) and type(node.value) is not int:
            refuse("a relative index is an integer or a slice for each dimension", self.filename, node)
        if not isinstance(node, ast.Slice):
            return self._moved(node, axis)
        if node.lower is None or node.upper is None:
            refuse("a relative slice has both ends", self.filename, node)
        lower, upper = self._moved(node.lower, axis), self._moved(node.upper, axis, 1)
        return ast.copy_location(ast.Slice(lower, upper, node.step and self.visit(node.step)), node)

    def visit_Subscript(self, node):
        name = node.value.id if isinstance(node.value, ast.Name) else None
        if name not in self.parameters:
            return self.generic_visit(node)
        if not isinstance(node.ctx, ast.Load):
            refuse(f"a stencil kernel cannot assign to elements of its parameters, as of '{name}'", self.filename, node)
        if name in self.standard:
            self.is_inside = False
            return self.generic_visit(node)
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if not self.rank:
            self._set_rank(len(parts))
        if len(parts) != self.rank:
            shown = "the neighborhood" if self.neighborhood else "another index"
            refuse(f"a relative index has {len(parts)} part{'s' * (len(parts) != 1)}, but {shown} {self.rank}",
                   self.filename, node)  # fmt: skip
        if name not in self.relative:
            self.relative.append(name)
        moved = [self._moved_part(part, axis) for axis, part in enumerate(parts)]
        index = moved[0] if self.rank == 1 else ast.copy_location(ast.Tuple(moved, ast.Load()), node.slice)
        return ast.copy_location(ast.Subscript(node.value, index, ast.Load()), node)

    def visit_Name(self, node):
        if isinstance(node.ctx, ast.Store) and node.id in self.relative:
            refuse(f"a stencil kernel cannot assign to its array '{node.id}'", self.filename, node)
        return node


def other_subscripts(kernel):
    """Whether a kernel indexes anything else than its arrays, or calls functions: their checks stay."""
    for node in ast.walk(kernel.definition):
        if isinstance(node, ast.Subscript) and not (
            isinstance(node.value, ast.Name) and node.value.id in kernel.relative
        ):
            return True
    return False
