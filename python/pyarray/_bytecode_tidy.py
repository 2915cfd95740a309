"""Puts values that were carried from block to block back into expressions.

Variables of our own have names that begin with a dot. Where one is read once, right behind its assignment, the value
goes there; branches that only choose a value become ``a if c else b``, ``a and b`` or ``a or b``; loops that fill a
container become comprehensions. All of it keeps the order in which things are evaluated.
"""

import ast


def _is_ours(node):
    return isinstance(node, ast.Name) and node.id.startswith(".")


def _is_assignment(statement):
    return isinstance(statement, ast.Assign) and len(statement.targets) == 1 and _is_ours(statement.targets[0])


def _count_uses(statements):
    count = {}
    for statement in statements:
        for node in ast.walk(statement):
            if _is_ours(node) and isinstance(node.ctx, ast.Load):
                count[node.id] = count.get(node.id, 0) + 1
    return count


# ------------------------------------------------------------------------------------------------
# The order of evaluation


class _Stop(Exception):
    """What comes now may not be moved behind."""


_PARTS = {
    ast.Assign: ("value", "targets"),
    ast.AugAssign: ("target", "value"),
    ast.Return: ("value",),
    ast.Expr: ("value",),
    ast.If: ("test",),
    ast.For: ("iter",),
    ast.Raise: ("exc", "cause"),
    ast.Delete: ("targets",),
    ast.Dict: (),
    ast.BinOp: ("left", "right"),
    ast.UnaryOp: ("operand",),
    ast.Compare: ("left", "comparators"),
    ast.Call: ("func", "args", "keywords"),
    ast.keyword: ("value",),
    ast.Attribute: ("value",),
    ast.Subscript: ("value", "slice"),
    ast.Slice: ("lower", "upper", "step"),
    ast.Tuple: ("elts",),
    ast.List: ("elts",),
    ast.Set: ("elts",),
    ast.Starred: ("value",),
    ast.JoinedStr: ("values",),
    ast.FormattedValue: ("value",),
    ast.Yield: ("value",),
    ast.YieldFrom: ("value",),
    ast.BoolOp: ("values",),
    ast.IfExp: ("test",),
}


def _children(node):
    """(field, index or None, child), in the order of evaluation, of what is evaluated in any case."""
    for field in _PARTS.get(type(node), ()):
        value = getattr(node, field)
        if isinstance(value, list):
            for index, child in enumerate(value):
                yield field, index, child
                # Only the first of `and`, `or` is evaluated in any case, and of a chain the first two.
                if isinstance(node, ast.BoolOp) or (isinstance(node, ast.Compare) and len(node.ops) > 1):
                    return
        elif value is not None:
            yield field, None, value


def _place_of(name, node, cells):
    """(parent, field, index) of a variable in what is evaluated; `_Stop` where something comes first that matters."""
    for field, index, child in _children(node):
        if isinstance(child, ast.Name):
            if child.id == name and isinstance(child.ctx, ast.Load):
                return node, field, index
            if child.id in cells:
                raise _Stop
            continue
        if isinstance(child, ast.Constant):
            continue
        found = _place_of(name, child, cells)
        if found:
            return found
        of_ours = isinstance(child, ast.Attribute) and _is_ours(child.value)  # a method of a container that is filled
        if not (of_ours or isinstance(child, (ast.Tuple, ast.Slice, ast.keyword, ast.Starred))):
            raise _Stop
    if isinstance(node, (ast.BoolOp, ast.IfExp, ast.Dict)) or (isinstance(node, ast.Compare) and len(node.ops) > 1):
        raise _Stop
    return None


def put_into(statement, following, uses, cells):
    """Puts the value of an assignment to a variable of ours into the statement behind it, the only one that reads it.

    Returns
    -------
    bool
        Whether it was done.
    """
    if not _is_assignment(statement) or uses.get(statement.targets[0].id) != 1:
        return False
    try:
        found = _place_of(statement.targets[0].id, following, cells)
    except _Stop:
        return False
    if not found:
        return False
    parent, field, index = found
    if index is None:
        setattr(parent, field, statement.value)
    else:
        getattr(parent, field)[index] = statement.value
    return True


# ------------------------------------------------------------------------------------------------
# Choices


def _only_assignment(statements):
    """The one variable of ours that statements give a value, and the value."""
    if len(statements) == 1 and _is_assignment(statements[0]):
        return statements[0].targets[0].id, statements[0].value
    return None, None


def _choice(statement, before, uses):
    """Of an `if` that only chooses a value: its variable, the value, and whether the assignment before is in it."""
    if not isinstance(statement, ast.If):
        return None
    name, yes = _only_assignment(statement.body)
    other, no = _only_assignment(statement.orelse)
    if name is None or name != other:
        return None
    test = statement.test
    negative = isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not)
    plain = test.operand if negative else test
    for operator, kept, rest in ((ast.And(), no, yes), (ast.Or(), yes, no)):
        if negative:
            operator = ast.Or() if isinstance(operator, ast.And) else ast.And()
        if isinstance(plain, ast.Name) and isinstance(kept, ast.Name) and plain.id == kept.id:
            taken = (
                before is not None
                and _is_assignment(before)
                and before.targets[0].id == plain.id
                and uses.get(plain.id) == 2
            )
            first = before.value if taken else plain
            return name, ast.copy_location(ast.BoolOp(operator, [first, rest]), first), taken
    return name, ast.copy_location(ast.IfExp(test, yes, no), test), False


# ------------------------------------------------------------------------------------------------
# Comprehensions


class _Rename(ast.NodeTransformer):
    """Gives variables of comprehensions that Python has put into the function their own names again."""

    def visit_Name(self, node):
        if node.id.startswith(".") and node.id.count(".") == 2:
            node.id = node.id.split(".")[1]
        return node


def _added(statement, name):
    """What a statement adds to the container of that name; of a generator expression, what it yields."""
    if isinstance(statement, ast.Expr):
        value = statement.value
        if isinstance(value, ast.Yield) and name is None:
            return [value.value]
        if (
            isinstance(value, ast.Call)
            and isinstance(value.func, ast.Attribute)
            and value.func.attr in ("append", "add")
            and isinstance(value.func.value, ast.Name)
            and value.func.value.id == name
        ):
            return value.args
    if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Subscript):
        target = statement.targets[0]
        if isinstance(target.value, ast.Name) and target.value.id == name:
            return [target.slice, statement.value]
    return None


def _clauses(statement, name, clauses):
    """Adds the `for` and `if` of nested loops to `clauses`, and gives what the innermost statement adds."""
    if isinstance(statement, ast.For) and not statement.orelse:
        clauses.append(ast.comprehension(statement.target, statement.iter, [], 0))
        statements = statement.body
    elif isinstance(statement, ast.If) and clauses and not statement.orelse:
        clauses[-1].ifs.append(statement.test)
        statements = statement.body
    else:
        return _added(statement, name) if clauses else None
    while (
        len(statements) > 1
        and isinstance(statements[0], ast.If)
        and not statements[0].orelse
        and isinstance(statements[0].body[-1], ast.Continue)
        and len(statements[0].body) == 1
    ):
        test = statements[0].test
        clauses[-1].ifs.append(ast.copy_location(ast.UnaryOp(ast.Not(), test), test))
        statements = statements[1:]
    return _clauses(statements[0], name, clauses) if len(statements) == 1 else None


def _comprehension(kind, loop, name):
    clauses = []
    items = _clauses(loop, name, clauses)
    if not items or not clauses:
        return None
    if kind is ast.DictComp:
        if len(items) != 2:
            return None
        made = ast.DictComp(items[0], items[1], clauses)
    elif len(items) == 1:
        made = kind(items[0], clauses)
    else:
        return None
    return _Rename().visit(ast.copy_location(made, loop))


def as_comprehension(name, body, source):
    """The body of a function that Python made of a comprehension, as that; None where it has another form."""
    kind = {"<listcomp>": ast.ListComp, "<setcomp>": ast.SetComp, "<dictcomp>": ast.DictComp}.get(name)
    found = None
    if kind is None:
        if body and isinstance(body[0], ast.For):
            found = _comprehension(ast.GeneratorExp, body[0], None)
    elif len(body) == 1 and isinstance(body[0], ast.Return) and isinstance(body[0].value, kind):
        found = body[0].value
    if found is None or not _is_ours(found.generators[0].iter):
        return None
    found.generators[0].iter = source
    return found


def _filled(statement, loop, uses):
    """A container that is made empty and filled by the loop behind it, as a comprehension."""
    if not _is_assignment(statement) or not isinstance(loop, ast.For):
        return None
    value, name = statement.value, statement.targets[0].id
    empty = (isinstance(value, (ast.List, ast.Set)) and not value.elts) or (
        isinstance(value, ast.Dict) and not value.keys
    )
    if not empty or uses.get(name) != 2:
        return None
    return _comprehension(
        {ast.List: ast.ListComp, ast.Set: ast.SetComp, ast.Dict: ast.DictComp}[type(value)], loop, name
    )


# ------------------------------------------------------------------------------------------------
# Statements


def _with_targets(loop, uses):
    """The targets of a loop, which its first statement stores to."""
    if not (isinstance(loop, ast.For) and _is_ours(loop.target) and loop.body):
        return
    name, first = loop.target.id, loop.body[0]
    if (
        isinstance(first, ast.Assign)
        and isinstance(first.value, ast.Name)
        and first.value.id == name
        and uses.get(name) == 1
    ):
        loop.target = first.targets[0]
        loop.body = loop.body[1:] or [ast.copy_location(ast.Pass(), first)]


def _ends_augmented(before, statement, uses):
    """Whether this is the end of ``t = a[i]; t += x; a[i] = t``."""
    if not (len(before) > 1 and isinstance(statement, ast.Assign) and isinstance(before[-1], ast.AugAssign)):
        return False
    name, [target] = statement.value, statement.targets
    return (
        _is_ours(name)
        and isinstance(target, (ast.Subscript, ast.Attribute))
        and _is_assignment(before[-2])
        and before[-2].targets[0].id == name.id
        and isinstance(before[-1].target, ast.Name)
        and before[-1].target.id == name.id
        and uses.get(name.id) == 1
        and ast.unparse(before[-2].value) == ast.unparse(target)
    )


_LEAVES = (ast.Return, ast.Raise, ast.Break, ast.Continue)


def _tidied_once(statements, uses, cells):
    result = []
    for statement in statements:
        _with_targets(statement, uses)
        for field in ("body", "orelse"):
            inner = getattr(statement, field, None)
            if isinstance(inner, list) and not isinstance(statement, ast.FunctionDef):
                setattr(statement, field, _tidied_once(inner, uses, cells))
        if isinstance(statement, (ast.For, ast.While)) and isinstance(statement.body[-1], ast.Continue):
            statement.body = statement.body[:-1] or [ast.copy_location(ast.Pass(), statement)]
        before = result[-1] if result else None
        chosen = _choice(statement, before, uses)
        if chosen:
            name, value, taken = chosen
            if taken:
                result.pop()
            store = ast.copy_location(ast.Name(name, ast.Store()), value)
            statement = ast.copy_location(ast.Assign([store], value), value)
        filled = before is not None and _filled(before, statement, uses)
        if filled:
            statement = ast.copy_location(ast.Assign(before.targets, filled), before)
            result.pop()
        if _ends_augmented(result, statement, uses):
            statement = ast.copy_location(
                ast.AugAssign(statement.targets[0], result[-1].op, result[-1].value), statement
            )
            del result[-2:]
        while result and put_into(result[-1], statement, uses, cells):
            result.pop()
        result.append(statement)
        if isinstance(statement, ast.If) and isinstance(statement.body[-1], _LEAVES):
            result += statement.orelse
            statement.orelse = []
    return result


def tidied(statements, cells):
    """The statements of a function with few variables of ours left.

    Parameters
    ----------
    statements : list of ast.stmt
    cells : set of str
        Variables that other functions may change.
    """
    while True:
        before = [ast.dump(statement) for statement in statements]
        statements = _tidied_once(statements, _count_uses(statements), cells)
        if [ast.dump(statement) for statement in statements] == before:
            return statements


def as_expression(body):
    """The expression of a lambda with that body, or None where it has more than one statement."""
    if len(body) == 1 and isinstance(body[0], ast.Return):
        return body[0].value
    if len(body) == 1 and isinstance(body[0], ast.If):  # each branch returns
        yes, no = as_expression(body[0].body), as_expression(body[0].orelse)
        if yes is not None and no is not None:
            return ast.copy_location(ast.IfExp(body[0].test, yes, no), body[0])
    if len(body) == 2 and isinstance(body[0], ast.If) and not body[0].orelse:
        yes, no = as_expression(body[0].body), as_expression(body[1:])
        if yes is not None and no is not None:
            return ast.copy_location(ast.IfExp(body[0].test, yes, no), body[0])
    return None
