"""What is on the stack of the interpreter of bytecode: expressions, and markers of what is no value."""

import ast
import itertools


class Marker:
    """What is no value of the program."""


class Null(Marker):
    """In the place of the self that a call has none of, or that its function has already."""


class Iterator(Marker):
    """What a loop goes over. The loop evaluates it."""

    def __init__(self, node):
        self.node = node


class Saved(Marker):
    """A variable as it was before a comprehension that is part of its function (3.12), which has one of that name."""

    def __init__(self, name, inner):
        self.name, self.inner = name, inner


class Made(Marker):
    """A function that is made."""

    def __init__(self, code):
        self.code, self.defaults, self.keyword_defaults = code, [], {}


class Cells(Marker):
    """Variables that a function which is made captures."""


class Module(Marker):
    """A module, or a name of it, that is imported."""

    def __init__(self, module, level, name=None):
        self.module, self.level, self.name = module, level, name


class With(Marker):
    """The end of a `with`, called by all that leaves it; `target` is what its value is stored to."""

    def __init__(self, node):
        self.node, self.target = node, None


class Entered(Marker):
    """What a `with` gives, until it is stored."""

    def __init__(self, end):
        self.end = end


class Handled(Marker):
    """The exception that a handler has, and the one that was handled before."""


class Piece(Marker):
    """An item of what is unpacked, until it is stored. The store of the last one makes the statement."""

    def __init__(self, parts, index):
        self.parts, self.index = parts, index


class Parts:
    def __init__(self, value, count, star):
        self.value, self.targets, self.star = value, [None] * count, star


class InPlace(ast.BinOp):
    """The right side of an augmented assignment."""

    _fields = ast.BinOp._fields


BINARY = {
    "+": ast.Add, "-": ast.Sub, "*": ast.Mult, "/": ast.Div, "//": ast.FloorDiv, "%": ast.Mod, "**": ast.Pow,
    "@": ast.MatMult, "&": ast.BitAnd, "|": ast.BitOr, "^": ast.BitXor, "<<": ast.LShift, ">>": ast.RShift,
}  # fmt: skip
COMPARE = {"<": ast.Lt, "<=": ast.LtE, "==": ast.Eq, "!=": ast.NotEq, ">": ast.Gt, ">=": ast.GtE}
NO_EFFECT = frozenset([
    "RESUME", "CACHE", "PRECALL", "EXTENDED_ARG", "COPY_FREE_VARS", "MAKE_CELL", "TO_BOOL", "END_FOR",
    "END_SEND", "NOT_TAKEN",
])  # fmt: skip
COMPREHENSIONS = ("<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>")
ENDS = ("RETURN_VALUE", "RETURN_CONST", "RAISE_VARARGS", "RERAISE")
POSITIVE, LIST_TO_TUPLE = 5, 6  # of CALL_INTRINSIC_1


def construct(name):
    """What an instruction that is not read belongs to."""
    for beginning, construct in (
        ("MATCH", "match"),
        ("GET_LEN", "match"),
        ("LOAD_SUPER", "super()"),
        ("LOAD_BUILD", "class"),
    ):
        if name.startswith(beginning):
            return construct
    return name


def constant(value):
    """A constant as syntax: Python's compiler makes tuples and frozen sets of displays."""
    if isinstance(value, tuple):
        return ast.Tuple([constant(item) for item in value], ast.Load())
    if isinstance(value, frozenset):
        return ast.Set(sorted(map(constant, value), key=ast.dump))
    return ast.Constant(value)


def is_local_or_constant(node):
    return isinstance(node, ast.Constant) or (isinstance(node, ast.Name) and not getattr(node, "cell", False))


def is_index(node):
    """Whether an index may be written twice, since nothing happens when it is evaluated."""
    if isinstance(node, (ast.Tuple, ast.Slice)):
        return all(map(is_index, (child for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr))))
    if isinstance(node, (ast.BinOp, ast.UnaryOp)):
        return all(is_index(child) for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr))
    return is_local_or_constant(node)


def is_global_path(node):
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name) and getattr(node, "is_global", False)


def as_value(node):
    """An index as a value of a variable: there a slice is a call."""
    if isinstance(node, ast.Slice):
        parts = [part or ast.Constant(None) for part in (node.lower, node.upper, node.step)]
        return ast.copy_location(ast.Call(ast.Name("slice", ast.Load()), parts, []), node)
    if isinstance(node, ast.Tuple):
        return ast.copy_location(ast.Tuple([as_value(item) for item in node.elts], ast.Load()), node)
    return node


def same(one, other):
    if isinstance(one, Marker) or isinstance(other, Marker):
        return one is other or (isinstance(one, (Null, Cells, Handled)) and type(one) is type(other))
    return ast.dump(one) == ast.dump(other)


def common(one, other):
    """What two tuples begin with."""
    return tuple(
        first for first, _ in itertools.takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False))
    )


def mentions(node, name):
    return any(isinstance(each, ast.Name) and each.id == name for each in ast.walk(node))
