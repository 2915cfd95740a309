"""The ``with`` statements of compiled code, which the frontend has rewritten.

``with objmode(y="float64[:]"):``, a block that the interpreter runs, becomes ``y = block(x)``, and the block a plain
function of what it reads; ``with parallel_chunksize(n):`` becomes the calls that it stands for. Compiled code never
warns, so that ``with np.errstate(divide="ignore"):`` is its body; so is ``with np.nditer(a) as it:``, which closes
nothing.
"""

import ast
import copy
import sys
from types import FunctionType

from . import _random_objects, types
from .parallel import parallel_chunksize, set_parallel_chunksize
from .signatures import type_of


class objmode:  # noqa: N801
    """A block of a compiled function that the interpreter runs.

    Parameters
    ----------
    **outputs
        The types of the variables that are used behind the block, as text or as types.
    """

    __pyarray_uncached__ = True

    def __init__(self, **outputs):
        self.outputs = outputs

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return False


class _Block:
    """What a block became."""

    def __init__(self, function, code):
        self.__pyarray_objmode__ = len(functions), code
        functions.append(function)


#: By number: those that the library calls (ORDER PYTHON FUNCTIONS), and of all blocks; compiled code may run as long as
#: the process.
functions = [*_random_objects.FUNCTIONS, str, repr]


def _names_of(function):
    """What free and global names stand for."""
    names = dict(function.__globals__)
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or ()):
        try:
            names[name] = cell.cell_contents
        except ValueError:
            pass
    return names


def _evaluate(node, names):
    return eval(compile(ast.Expression(node), "<objmode>", "eval"), names)


def _context(expression, names):
    """What the context manager, or the call that makes it, names; None for all else."""
    try:
        return _evaluate(expression.func if isinstance(expression, ast.Call) else expression, names)
    except Exception:
        return None


def _outputs(call, names):
    if not isinstance(call, ast.Call):  # with objmode:
        return {}
    if call.args:
        raise TypeError("objmode() takes the types of variables by their names: objmode(y='float64[:]')")
    kinds = {}
    for keyword in call.keywords:
        if keyword.arg is None:
            raise TypeError("objmode() takes the types of variables by their names, not in a dict")
        kind = _evaluate(keyword.value, names)
        kind = type_of(kind) if isinstance(kind, str) else kind
        if not isinstance(kind, types.Type):
            raise TypeError(f"objmode(): {kind!r} is no type")
        kinds[keyword.arg] = kind
    return kinds


class _Uses(ast.NodeVisitor):
    """The names that are read before the block has surely bound them, and those that it binds."""

    def __init__(self):
        self.read, self.bound, self.sure, self.loops = {}, set(), set(), 0

    def visit_Name(self, node):  # noqa: N802
        if isinstance(node.ctx, ast.Load):
            if node.id not in self.sure:
                self.read.setdefault(node.id)
        else:
            self.bound.add(node.id)

    def visit_AugAssign(self, node):  # noqa: N802
        if isinstance(node.target, ast.Name) and node.target.id not in self.sure:
            self.read.setdefault(node.target.id)
        self.generic_visit(node)

    def visit_Assign(self, node):  # noqa: N802
        self.visit(node.value)
        for target in node.targets:
            self.visit(target)

    def _nested(self, node):
        for early in [*getattr(node, "generators", [])[:1]]:
            self.visit(early.iter)
        for early in [*node.args.defaults, *filter(None, node.args.kw_defaults)] if hasattr(node, "args") else []:
            self.visit(early)
        own = (
            _stored(node)
            | {part.arg for part in ast.walk(node) if isinstance(part, ast.arg)}
            | {getattr(node, "name", None)}
        )
        for part in ast.walk(node):
            if isinstance(part, ast.Name) and part.id not in self.sure and part.id not in own:
                self.read.setdefault(part.id)
        if hasattr(node, "name"):
            self.bound.add(node.name)

    visit_FunctionDef = visit_Lambda = visit_ClassDef = _nested  # noqa: N815
    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _nested  # noqa: N815

    def _body(self, body, names=()):
        """What is surely bound at the end of a body."""
        before, self.sure = self.sure, {*self.sure, *names}
        self.statements(body)
        after, self.sure = self.sure, before
        return after

    def visit_If(self, node):  # noqa: N802
        self.visit(node.test)
        self.sure = self._body(node.body) & self._body(node.orelse)

    def visit_For(self, node):  # noqa: N802
        self.visit(node.iter)
        self.visit(node.target)
        self.loops += 1
        self._body(node.body, _stored(node.target))
        self.loops -= 1
        self._body(node.orelse)

    def visit_While(self, node):  # noqa: N802
        self.visit(node.test)
        self.loops += 1
        self._body(node.body)
        self.loops -= 1
        self._body(node.orelse)

    def visit_Try(self, node):  # noqa: N802
        self._body([*node.body, *node.orelse])
        for handler in node.handlers:
            if handler.type:
                self.visit(handler.type)
            names = [handler.name] if handler.name else []
            self.bound.update(names)
            self._body(handler.body, names)
        self.statements(node.finalbody)

    visit_TryStar = visit_Try  # noqa: N815

    def visit_With(self, node):  # noqa: N802
        self.generic_visit(ast.Tuple(node.items))
        self.sure |= _stored(ast.Tuple(node.items))
        self.statements(node.body)

    def visit_match_case(self, node):
        names = {getattr(part, "name", None) or getattr(part, "rest", None) for part in ast.walk(node.pattern)} - {None}
        self.bound |= names
        self.generic_visit(ast.Tuple([node.pattern]))
        if node.guard:
            self._body([ast.Expr(node.guard)], names)
        self._body(node.body, names)

    def _import(self, node):
        names = {(alias.asname or alias.name).partition(".")[0] for alias in node.names}
        self.bound |= names
        self.sure |= names

    visit_Import = visit_ImportFrom = _import  # noqa: N815

    def _refuse(self, node):
        raise TypeError(f"'{type(node).__name__.lower()}' in an objmode block is not supported; leave the block first")

    visit_Return = visit_Yield = visit_YieldFrom = visit_Await = visit_Global = visit_Nonlocal = _refuse  # noqa: N815

    def _leave(self, node):
        if not self.loops:
            self._refuse(node)

    visit_Break = visit_Continue = _leave  # noqa: N815

    def statements(self, body):
        for statement in body:
            self.visit(statement)
            if isinstance(statement, ast.Assign) or (isinstance(statement, ast.AnnAssign) and statement.value):
                self.sure |= _stored(statement)
            elif isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
                self.sure.add(statement.name)


def _stored(node):
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)}


def rewrite(node, function):
    """The statement that stands for ``node``, a 'with', in ``function``; None where it is of something else.

    Raises
    ------
    TypeError
        Where the block cannot be taken out; the message says why.
    """
    names = _names_of(function)
    item = node.items[0]
    context = _context(item.context_expr, names) if len(node.items) == 1 else None
    if context is parallel_chunksize and isinstance(item.context_expr, ast.Call):
        return _with_chunksize(node, item.context_expr)
    if context is not None and context is getattr(sys.modules.get("numpy"), "errstate", None):
        return _with_errstate(node, item.context_expr)
    if context is not None and context is getattr(sys.modules.get("numpy"), "nditer", None):
        return _with_nditer(node, item)
    if context is not objmode:
        return None
    if item.optional_vars is not None:
        raise TypeError("objmode has no 'as'")
    outputs = _outputs(item.context_expr, names)
    uses = _Uses()
    uses.statements(node.body)
    code = function.__code__
    variables = {*code.co_varnames, *code.co_cellvars}
    inputs = [name for name in uses.read if name in variables]
    missing = [name for name in outputs if name not in uses.bound and name not in inputs]
    if missing:
        raise TypeError(f"objmode(): the block does not bind '{missing[0]}'")
    made = _function(node, function, inputs, list(outputs))
    kinds = list(outputs.values())
    result = (
        "n" if not kinds else kinds[0].code if len(kinds) == 1 else "(" + "".join(kind.code for kind in kinds) + ")"
    )
    call = ast.Call(ast.Constant(_Block(made, result)), [ast.Name(name, ast.Load()) for name in inputs], [])
    targets = [ast.Name(name, ast.Store()) for name in outputs]
    statement = (
        ast.Assign([targets[0] if len(targets) == 1 else ast.Tuple(targets, ast.Store())], call)
        if targets
        else ast.Expr(call)
    )
    return ast.fix_missing_locations(_at(statement, node))


def _with_chunksize(node, call):
    """``with parallel_chunksize(n):`` as calls before and behind the body, however that is left."""
    if node.items[0].optional_vars is not None:
        raise TypeError("parallel_chunksize has no 'as'")
    before = f"$chunksize at {node.lineno}"  # no name that a source may have
    setter = ast.Constant(set_parallel_chunksize)
    save = ast.Assign([ast.Name(before, ast.Store())], ast.Call(setter, call.args, call.keywords))
    restore = ast.Expr(ast.Call(setter, [ast.Name(before, ast.Load())], []))
    body = ast.Try(node.body, [], [], [restore])
    statement = ast.If(ast.Constant(True), [save, body], [])
    for part in (statement, save, restore, body):
        for new in ast.walk(part):
            if "lineno" in new._attributes and not hasattr(new, "lineno"):
                ast.copy_location(new, node)
    return statement


def _with_errstate(node, call):
    """The body of ``with np.errstate(...):``, where nothing is asked for but silence or warnings."""
    given = [*call.args, *(keyword.value for keyword in call.keywords)] if isinstance(call, ast.Call) else [None]
    kinds = [value.value if isinstance(value, ast.Constant) else None for value in given]
    if node.items[0].optional_vars is not None or not {*kinds} <= {"ignore", "warn"}:
        raise TypeError("np.errstate(...) has 'ignore' and 'warn' alone in compiled code: floats raise no errors there")
    return ast.copy_location(ast.If(ast.copy_location(ast.Constant(True), node), node.body, []), node)


def _with_nditer(node, item):
    """``with np.nditer(...) as it:`` as ``it = np.nditer(...)`` before the body: nothing is left to be closed."""
    name = item.optional_vars
    if not isinstance(item.context_expr, ast.Call) or not (name is None or isinstance(name, ast.Name)):
        raise TypeError("with np.nditer(...): has a name behind 'as'")
    made = ast.Expr(item.context_expr) if name is None else ast.Assign([name], item.context_expr)
    ast.copy_location(made, node)
    return ast.copy_location(ast.If(ast.copy_location(ast.Constant(True), node), [made, *node.body], []), node)


def _at(statement, node):
    for part in ast.walk(statement):
        if "lineno" in part._attributes:
            ast.copy_location(part, node)
    return statement


def _function(node, function, inputs, outputs):
    """The block as a function of ``inputs`` that returns ``outputs``; free variables it shares with ``function``."""
    values = [ast.Name(name, ast.Load()) for name in outputs]
    end = ast.Return(values[0] if len(values) == 1 else ast.Tuple(values, ast.Load()) if values else ast.Constant(None))
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or ()))
    inner = _definition("$block", inputs, [*copy.deepcopy(node.body), end])  # no name that the block may use
    outer = _definition("$make", list(cells), [inner, ast.Return(ast.Name("$block", ast.Load()))])
    module = ast.Module([outer], [])
    for part in (outer, inner, end):
        ast.copy_location(part, node)
    space = {}
    exec(compile(ast.fix_missing_locations(module), function.__code__.co_filename, "exec"), space)
    code = space["$make"](*cells).__code__.replace(co_name=function.__name__, co_qualname=function.__qualname__)
    closure = tuple(cells[name] for name in code.co_freevars)
    return FunctionType(code, function.__globals__, function.__name__, None, closure)


def _definition(name, parameters, body):
    arguments = ast.arguments([], [ast.arg(parameter) for parameter in parameters], None, [], [], None, [])
    made = ast.FunctionDef(name, arguments, body, [], None)
    made.type_params = []
    return made
