"""Reads functions whose text is nowhere from their bytecode, as syntax trees.

Packages of ``.pyc`` files and scripts that came through a pipe have no source. What Python compiled is read in three
steps:

1. here, the instructions of each basic block become statements, by an interpreter whose stack holds expressions;
2. `_bytecode_blocks` finds the loops and branches that the jumps between blocks came from;
3. `_bytecode_tidy` puts values that were carried from block to block back into expressions.

Values that are on the stack where a block ends, as in ``f(x, a if c else b)``, are variables in between. Their names
begin with a dot, so that they are no name of Python's. What a step does not know is refused by name, never guessed.
"""

import ast
import dis
import functools
import inspect
import itertools
import sys
import zlib

from ._bytecode_blocks import Block, Unreadable, structured
from ._bytecode_tidy import as_comprehension, as_expression, tidied

__all__ = ["Unreadable", "read_function"]


# ------------------------------------------------------------------------------------------------
# What is on the stack beside expressions


class _Marker:
    """What is no value of the program."""


class _Null(_Marker):
    """In the place of the self that a call has none of, or that its function has already."""


class _Iterator(_Marker):
    """What a loop goes over. The loop evaluates it."""

    def __init__(self, node):
        self.node = node


class _Saved(_Marker):
    """A variable as it was before a comprehension that is part of its function (3.12), which has one of that name."""

    def __init__(self, name, inner):
        self.name, self.inner = name, inner


class _Made(_Marker):
    """A function that is made."""

    def __init__(self, code):
        self.code, self.defaults, self.keyword_defaults = code, [], {}


class _Cells(_Marker):
    """Variables that a function which is made captures."""


class _Module(_Marker):
    """A module, or a name of it, that is imported."""

    def __init__(self, module, level, name=None):
        self.module, self.level, self.name = module, level, name


class _With(_Marker):
    """The end of a `with`, called by all that leaves it; `target` is what its value is stored to."""

    def __init__(self, node):
        self.node, self.target = node, None


class _Entered(_Marker):
    """What a `with` gives, until it is stored."""

    def __init__(self, end):
        self.end = end


class _Exception(_Marker):
    """The exception that a handler has, and the one that was handled before."""


class _Piece(_Marker):
    """An item of what is unpacked, until it is stored. The store of the last one makes the statement."""

    def __init__(self, parts, index):
        self.parts, self.index = parts, index


class _Parts:
    def __init__(self, value, count, star):
        self.value, self.targets, self.star = value, [None] * count, star


class _InPlace(ast.BinOp):
    """The right side of an augmented assignment."""

    _fields = ast.BinOp._fields


_BINARY = {
    "+": ast.Add, "-": ast.Sub, "*": ast.Mult, "/": ast.Div, "//": ast.FloorDiv, "%": ast.Mod, "**": ast.Pow,
    "@": ast.MatMult, "&": ast.BitAnd, "|": ast.BitOr, "^": ast.BitXor, "<<": ast.LShift, ">>": ast.RShift,
}  # fmt: skip
_COMPARE = {"<": ast.Lt, "<=": ast.LtE, "==": ast.Eq, "!=": ast.NotEq, ">": ast.Gt, ">=": ast.GtE}
_NO_EFFECT = frozenset([
    "RESUME", "CACHE", "PRECALL", "EXTENDED_ARG", "COPY_FREE_VARS", "MAKE_CELL", "TO_BOOL", "END_FOR",
    "END_SEND", "NOT_TAKEN",
])  # fmt: skip
_COMPREHENSIONS = ("<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>")
_ENDS = ("RETURN_VALUE", "RETURN_CONST", "RAISE_VARARGS", "RERAISE")
_POSITIVE, _LIST_TO_TUPLE = 5, 6  # of CALL_INTRINSIC_1


def _construct(name):
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


def _constant(value):
    """A constant as syntax: Python's compiler makes tuples and frozen sets of displays."""
    if isinstance(value, tuple):
        return ast.Tuple([_constant(item) for item in value], ast.Load())
    if isinstance(value, frozenset):
        return ast.Set(sorted(map(_constant, value), key=ast.dump))
    return ast.Constant(value)


def _is_local_or_constant(node):
    return isinstance(node, ast.Constant) or (isinstance(node, ast.Name) and not getattr(node, "cell", False))


def _is_index(node):
    """Whether an index may be written twice, since nothing happens when it is evaluated."""
    if isinstance(node, (ast.Tuple, ast.Slice)):
        return all(map(_is_index, (child for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr))))
    if isinstance(node, (ast.BinOp, ast.UnaryOp)):
        return all(_is_index(child) for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr))
    return _is_local_or_constant(node)


def _is_global_path(node):
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name) and getattr(node, "is_global", False)


def _as_value(node):
    """An index as a value of a variable: there a slice is a call."""
    if isinstance(node, ast.Slice):
        parts = [part or ast.Constant(None) for part in (node.lower, node.upper, node.step)]
        return ast.copy_location(ast.Call(ast.Name("slice", ast.Load()), parts, []), node)
    if isinstance(node, ast.Tuple):
        return ast.copy_location(ast.Tuple([_as_value(item) for item in node.elts], ast.Load()), node)
    return node


def _same(one, other):
    if isinstance(one, _Marker) or isinstance(other, _Marker):
        return one is other or (isinstance(one, (_Null, _Cells, _Exception)) and type(one) is type(other))
    return ast.dump(one) == ast.dump(other)


def _common(one, other):
    """What two tuples begin with."""
    return tuple(
        first for first, _ in itertools.takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False))
    )


def _mentions(node, name):
    return any(isinstance(each, ast.Name) and each.id == name for each in ast.walk(node))


# ------------------------------------------------------------------------------------------------
# Instructions


def _instructions_of(code):
    """The instructions that do something."""
    found, popped = [], False
    for each in dis.get_instructions(code):
        # A NOP in front of a `try` may be where a loop begins; between others it is in no handler.
        if each.opname in ("CACHE", "EXTENDED_ARG") or (each.opname == "NOP" and not each.is_jump_target):
            continue
        # From 3.13 on a loop that ends takes its iterator off the stack by an instruction of its own.
        if not (popped and each.opname in ("POP_TOP", "POP_ITER")) and each.opname not in _NO_EFFECT:
            found.append(each)
        popped = each.opname == "END_FOR" and sys.version_info >= (3, 13)
    return found


class _Reader:
    """The interpreter of one code object."""

    def __init__(self, code):
        self.code = code
        self.cells = set(code.co_cellvars) | set(code.co_freevars)
        self.declared = {"global": set(), "nonlocal": set()}
        self.different = set()  # (block, depth): values on the stack that are another by each way to the block
        self.instructions = _instructions_of(code)
        self.offsets = [each.offset for each in self.instructions]
        self.find_handlers()
        self.find_leaders()

    def at(self, offset):
        """The number of the instruction there, or of the first one behind."""
        return next((n for n, each in enumerate(self.offsets) if each >= offset), len(self.offsets))

    def find_handlers(self):
        """For each instruction the handlers of `try` and `with` that it is in, the outermost one first."""
        entries = dis.Bytecode(self.code).exception_entries
        self.depths = {self.at(entry.target): entry.depth for entry in entries}
        innermost = {}
        for entry in entries:
            for number in range(self.at(entry.start), self.at(entry.end)):
                innermost[number] = self.at(entry.target)
        self.handlers = []
        for number in range(len(self.instructions)):
            handler, found = innermost.get(number), []
            while handler is not None:
                if self.instructions[handler].opname == "PUSH_EXC_INFO":
                    found.insert(0, handler)
                else:
                    self.check_cleanup(handler)
                handler = innermost.get(handler)
            each = self.instructions[number]
            if "JUMP" in each.opname and "IF" not in each.opname and number and not each.is_jump_target:
                found = self.handlers[-1]  # a jump raises nothing, and belongs to what is in front of it
            self.handlers.append(tuple(found))
        self.place_nops()

    def place_nops(self):
        """A NOP is in the handlers that what leads to it and what comes behind it have in common."""
        leading = {}
        for number, each in enumerate(self.instructions):
            if "JUMP" in each.opname or each.opname == "FOR_ITER":
                leading.setdefault(self.at(each.argval), []).append(self.handlers[number])
            if each.opname not in _ENDS and not ("JUMP" in each.opname and "IF" not in each.opname):
                leading.setdefault(number + 1, []).append(self.handlers[number])
        for number, each in enumerate(self.instructions[:-1]):
            if each.opname == "NOP":
                self.handlers[number] = functools.reduce(_common, leading.get(number, []), self.handlers[number + 1])

    def check_cleanup(self, handler):
        """Handlers that Python adds by itself: of handlers, generators, and comprehensions within functions."""
        names = [each.opname for each in self.instructions[handler : handler + 12]]
        behind = names[: names.index("RERAISE")] if "RERAISE" in names else ["CLEANUP_THROW"]
        if behind[0] == "CLEANUP_THROW" and "CLEANUP_THROW" not in names:
            raise Unreadable("a handler of this form", self.instructions[handler])

    def is_with(self, handler):
        return any(each.opname == "WITH_EXCEPT_START" for each in self.instructions[handler : handler + 2])

    def find_leaders(self):
        leaders = {0}
        for number, each in enumerate(self.instructions):
            if each.opname in ("SEND", "JUMP_BACKWARD_NO_INTERRUPT"):  # parts of `yield from`
                continue
            jumps = "JUMP" in each.opname or each.opname == "FOR_ITER"
            if jumps:
                leaders.add(self.at(each.argval))
            if jumps or each.opname in _ENDS:
                leaders.add(number + 1)
            if each.opname == "FOR_ITER" or (number and self.handlers[number] != self.handlers[number - 1]):
                leaders.add(number)
        self.leaders = sorted(leader for leader in leaders if leader < len(self.instructions))
        self.leaders = sorted({*self.leaders, *self.copies()})

    def copies(self):
        """Where tests of a `while` begin: Python repeats what stands in front of the loop at its end."""
        looks = [(each.opname, each.arg, each.positions) for each in self.instructions]
        jumps = {}
        for number, (name, _, positions) in enumerate(looks):
            if "IF" in name and positions.col_offset is not None:
                jumps.setdefault(positions, []).append(number)
        for copies in jumps.values():
            for one, other in itertools.combinations(copies, 2):
                length = 1
                while length <= min(one, other - one - 1) and looks[one - length] == looks[other - length]:
                    length += 1
                yield from (one - length + 1, other - length + 1)

    def read(self):
        """The blocks that are reached. Again and again, until it is known which values differ by the way to a block."""
        while True:
            self.blocks, self.entries, self.again = {}, {}, False
            self.numbers, self.doors, self.caught = itertools.count(), {}, set()
            self.here = self.instructions[0]
            self.block = Block(-1)  # in front of all, since a function may begin with a `try`
            self.block.yes = self.enter(0, [])
            self.blocks[-1] = self.block
            waiting = [-1]
            while waiting:
                start = waiting.pop()
                if start not in self.blocks:
                    handling = sum(isinstance(value, _Exception) for value in self.entries[start])
                    self.blocks[start] = Block(start, self.handlers[start], handling)
                    self.run(self.blocks[start])
                elif start >= 0 or self.blocks[start].seen:
                    continue
                self.blocks[start].seen = True
                waiting += self.blocks[start].ways()
            if not self.again:
                return self.blocks

    # -- Statements and expressions ----------------------------------------------------------------

    def node(self, node):
        """An expression or statement at the place of this instruction."""
        places = self.here.positions
        line = places.lineno or getattr(self, "line", self.code.co_firstlineno)
        self.line = line
        node.lineno, node.end_lineno = line, places.end_lineno or line
        node.col_offset, node.end_col_offset = places.col_offset or 0, places.end_col_offset or 0
        node.order = next(self.numbers)
        return node

    def load(self, name, **facts):
        node = self.node(ast.Name(name, ast.Load()))
        vars(node).update(facts)
        return node

    def push(self, value):
        self.stack.append(value)

    def pop(self):
        """A value; what must be a statement of its own becomes one."""
        value = self.stack.pop()
        if isinstance(value, _Iterator):
            return value.node
        if isinstance(value, _Made):
            return self.function_value(value)
        if isinstance(value, _Marker):
            raise Unreadable(self.here.opname, self.here)
        if isinstance(value, _InPlace):
            left = self.named(value.left)
            self.emit(ast.AugAssign(ast.Name(left.id, ast.Store()), value.op, value.right))
            return left
        return value

    def pop_many(self, count):
        taken = [self.pop() for _ in range(count)]
        return taken[::-1]

    def place_of(self, node):
        """A name for the value of an expression: equal for copies of the same text."""
        if self.here.positions.col_offset is None:
            return f".{type(node).__name__}{self.here.offset}_{next(self.numbers)}"
        text = zlib.crc32(ast.dump(node).encode("utf-8", "replace"))  # parts of a chain have the place of the whole
        return f".{type(node).__name__}{node.lineno}_{node.col_offset}_{text:08x}"

    def named(self, node):
        """The expression's value as a variable."""
        if _is_local_or_constant(node) and isinstance(node, ast.Name) and node.id.startswith("."):
            return node
        name = self.place_of(node)
        store = ast.copy_location(ast.Name(name, ast.Store()), node)
        self.block.statements.append(ast.copy_location(ast.Assign([store], _as_value(node)), node))
        load = ast.copy_location(ast.Name(name, ast.Load()), node)
        load.order = node.order
        return load

    def spill(self, until=None, only=None):
        """Evaluates what is on the stack, in the order that it was computed in."""
        for depth, value in enumerate(self.stack):
            if only is None and isinstance(value, _Made) and value.code.co_name not in _COMPREHENSIONS:
                above = self.stack[depth + 1 :]
                del self.stack[depth:]
                self.stack += [self.function_value(value), *above]
        waiting = [
            (value.order, depth)
            for depth, value in enumerate(self.stack)
            if not isinstance(value, _Marker) and (not self.can_wait(depth) if only is None else _mentions(value, only))
        ]
        for order, depth in sorted(waiting):
            if until is None or order <= until:
                self.stack[depth] = self.named(self.settled(self.stack[depth]))

    def settled(self, value):
        if not isinstance(value, _InPlace):
            return value
        left = self.named(value.left)
        statement = ast.AugAssign(ast.Name(left.id, ast.Store()), value.op, value.right)
        self.block.statements.append(ast.copy_location(statement, value))
        return left

    def can_wait(self, depth):
        """Whether a value on the stack is the same whenever it is evaluated: also what is only called."""
        value = self.stack[depth]
        called = depth + 1 < len(self.stack) and isinstance(self.stack[depth + 1], _Null)
        if called and isinstance(value, ast.Attribute) and _is_local_or_constant(value.value):
            return True
        return _is_local_or_constant(value) or _is_global_path(value)

    def emit(self, statement, name=None):
        """A statement; `name` is the local variable that it stores to and all that it does."""
        self.spill(only=name)
        self.block.statements.append(self.node(statement))

    # -- The ends of blocks ------------------------------------------------------------------------

    def run(self, block):
        self.block, self.stack = block, list(self.entries[block.start])
        number = block.start
        end = next((leader for leader in self.leaders if leader > number), len(self.instructions))
        while number < end:
            self.here, self.number = self.instructions[number], number
            name = self.here.opname
            if name in _ENDS:
                return self.end_function(name)
            if name == "FOR_ITER":
                return self.end_in_loop(number + 1)
            if "JUMP" in name:
                return self.end_in_jump(name, self.at(self.here.argval), number + 1)
            handler = getattr(self, "do_" + name.lower(), None)
            if handler is None:
                raise Unreadable(_construct(name), self.here)
            number = handler(self.here) or number + 1
        self.spill()
        block.yes = self.enter(end, self.stack)

    def end_function(self, name):
        if name == "RETURN_CONST":
            return self.emit(ast.Return(self.node(_constant(self.here.argval))))
        if name == "RETURN_VALUE":
            value = self.pop()
            self.stack.clear()
            return self.emit(ast.Return(_as_value(value)))
        if name == "RERAISE":
            self.stack.clear()
            return self.emit(ast.Raise(None, None))
        cause = self.pop() if self.here.arg == 2 else None
        return self.emit(ast.Raise(self.pop() if self.here.arg else None, cause))

    def end_in_loop(self, behind):
        source = self.stack[-1]
        self.block.source = source.node if isinstance(source, _Iterator) else source
        self.block.item = self.load(f".item{self.here.offset}")
        self.block.line = self.block.item
        self.block.yes = self.enter(behind, [*self.stack, self.block.item])
        self.block.no = self.enter(self.at(self.here.argval), self.stack[:-1])

    def end_in_jump(self, name, target, behind):
        if "IF" not in name:
            self.spill()
            self.block.yes = self.enter(target, self.stack)
            return
        keeps = name.endswith("_OR_POP")
        if keeps and not _is_local_or_constant(self.stack[-1]):
            self.push(self.named(self.pop()))
        test = self.pop()
        if name.endswith("NONE"):
            operator = ast.IsNot() if "NOT_NONE" in name else ast.Is()
            test = self.node(ast.Compare(test, [operator], [self.node(ast.Constant(None))]))
        self.spill()
        self.block.test = test
        there = self.enter(target, [*self.stack, test] if keeps else self.stack)
        here = self.enter(behind, self.stack)
        self.block.yes, self.block.no = (here, there) if "FALSE" in name else (there, here)

    def slot(self, target, depth):
        """The variable of a value on the stack that differs by the way to a block: one name for copies of a text."""
        first = self.instructions[target]
        if first.positions.col_offset is None:
            return f".way{target}_{depth}"
        return f".way{first.positions.lineno}_{first.positions.col_offset}_{first.opname}_{depth}"

    def enter(self, target, stack):
        """The block to go to with that stack: the target, or one in front of it that gives variables their values."""
        known = self.entries.get(target)
        if known is None:
            known = self.entries[target] = [
                ast.copy_location(self.load(self.slot(target, depth)), value)
                if (target, depth) in self.different
                else value
                for depth, value in enumerate(stack)
            ]
        if len(known) != len(stack):
            raise Unreadable("a stack of two heights", self.here)
        before = []
        for depth, (value, there) in enumerate(zip(stack, known, strict=True)):
            if _same(value, there):
                continue
            if isinstance(value, _Marker) or isinstance(there, _Marker):
                raise Unreadable("two values in one place", self.here)
            if isinstance(there, ast.Name) and there.id == self.slot(target, depth):
                store = ast.copy_location(ast.Name(there.id, ast.Store()), value)
                before.append(ast.copy_location(ast.Assign([store], _as_value(value)), value))
            else:
                self.different.add((target, depth))
                self.again = True
        entrance = self.door(target, known)
        if not before:
            return entrance
        block = self.new_block(self.block.handlers)
        block.statements, block.yes = before, entrance
        return block.start

    def new_block(self, handlers):
        block = Block(-2 - next(self.numbers), handlers, self.block.handling)
        self.blocks[block.start] = block
        return block

    def door(self, target, stack):
        """Where to enter a block: outside of the `try` and `with` that it is in and this block is not."""
        mine, there = self.block.handlers, self.handlers[target]
        entrance = target
        for depth in reversed(range(len(_common(mine, there)), len(there))):
            key = there[depth], entrance, there[:depth]
            if key not in self.doors:
                block = self.new_block(there[:depth])
                self.doors[key] = block.start
                block.yes, block.handler = entrance, there[depth]
                block.line = self.load(".try")
                kept, self.block = self.block, block
                if self.is_with(there[depth]):
                    block.end = next((each for each in reversed(stack) if isinstance(each, _With)), None)
                else:
                    below = stack[: self.depths[there[depth]]]
                    block.no = self.enter(there[depth], [*below, _Exception()])
                self.block = kept
            entrance = self.doors[key]
        return entrance

    # -- Variables ---------------------------------------------------------------------------------

    def variable(self, name):
        for value in reversed(self.stack):
            if isinstance(value, _Saved) and value.name == name:
                return value.inner
        return name

    def load_local(self, name):
        self.push(self.load(self.variable(name), cell=name in self.cells))

    def do_load_fast(self, each):
        self.load_local(each.argval)

    do_load_fast_check = do_load_fast_borrow = do_load_fast

    def do_load_fast_load_fast(self, each):
        for name in each.argval:
            self.load_local(name)

    def do_load_fast_and_clear(self, each):
        self.push(_Saved(each.argval, f".{each.argval}.{each.offset}"))

    def do_load_deref(self, each):
        self.push(self.load(self.variable(each.argval), cell=True))

    def do_load_closure(self, each):
        self.push(_Cells())

    def do_load_const(self, each):
        if inspect.iscode(each.argval):
            self.push(_Made(each.argval))
        else:
            self.push(self.node(_constant(each.argval)))

    do_load_small_int = do_load_const

    def do_load_global(self, each):
        value = self.load(each.argval, is_global=True)
        if not each.arg & 1:
            self.push(value)
        elif sys.version_info >= (3, 13):
            self.stack += [value, _Null()]
        else:
            self.stack += [_Null(), value]

    def do_load_assertion_error(self, each):
        self.push(self.load("AssertionError", is_global=True))

    def do_push_null(self, each):
        self.push(_Null())

    def do_store_fast(self, each):
        self.store_local(each.argval)

    def store_local(self, name):
        if isinstance(self.stack[-1], _Saved):
            self.stack.pop()
            return
        inner = self.variable(name)
        self.store(ast.Name(inner, ast.Store()), None if name in self.cells else inner)

    def do_store_fast_store_fast(self, each):
        for name in each.argval:
            self.store_local(name)

    def do_store_fast_load_fast(self, each):
        self.store_local(each.argval[0])
        self.load_local(each.argval[1])

    def do_store_deref(self, each):
        if isinstance(self.stack[-1], _Saved):
            self.stack.pop()
            return
        if each.argval in self.code.co_freevars:
            self.declared["nonlocal"].add(each.argval)
        self.store(ast.Name(self.variable(each.argval), ast.Store()))

    def do_store_global(self, each):
        self.declared["global"].add(each.argval)
        self.store(ast.Name(each.argval, ast.Store()))

    def do_delete_fast(self, each):
        if each.argval in self.caught and self.block.statements:  # the end of a handler takes its variable away
            last = self.block.statements[-1]
            if isinstance(last, ast.Assign) and ast.dump(last) == ast.dump(
                ast.Assign([ast.Name(each.argval, ast.Store())], ast.Constant(None))
            ):
                self.block.statements.pop()
                return
        self.emit(ast.Delete([self.node(ast.Name(self.variable(each.argval), ast.Del()))]))

    do_delete_deref = do_delete_fast

    def store(self, target, name=None):
        """Stores what is on top of the stack; to a local variable of that name, or elsewhere."""
        target = self.node(target)
        value = self.stack.pop()
        if isinstance(value, _Piece):
            return self.store_piece(value, target)
        if isinstance(value, _Made) and isinstance(target, ast.Name) and value.code.co_name == target.id:
            return self.emit(self.function_of(value, target.id))
        if isinstance(value, _Module):
            return self.emit(self.import_of(value, target.id))
        if isinstance(value, _Entered):
            value.end.target = target
            return None
        if isinstance(value, _Exception):
            self.caught.add(target.id)
            value = self.load(".exception")
        if isinstance(value, _InPlace):
            if ast.dump(self.as_load(target)) == ast.dump(value.left):
                return self.emit(ast.AugAssign(target, value.op, value.right), name)
        self.push(value)
        return self.emit(ast.Assign([target], _as_value(self.pop())), name)

    @staticmethod
    def as_load(target):
        if isinstance(target, ast.Name):
            return ast.Name(target.id, ast.Load())
        if isinstance(target, ast.Attribute):
            return ast.Attribute(target.value, target.attr, ast.Load())
        return ast.Subscript(target.value, target.slice, ast.Load())

    def store_piece(self, piece, target):
        parts = piece.parts
        if piece.index == parts.star:
            target = self.node(ast.Starred(target, ast.Store()))
        parts.targets[piece.index] = target
        if None in parts.targets:
            return None
        whole = self.node(ast.Tuple(parts.targets, ast.Store()))
        if isinstance(parts.value, _Piece):
            return self.store_piece(parts.value, whole)
        return self.emit(ast.Assign([whole], parts.value))

    def unpack(self, count, star=None):
        value = self.stack.pop()
        if not isinstance(value, _Piece):
            self.push(value)
            value = self.pop()
        parts = _Parts(value, count, star)
        self.stack += [_Piece(parts, index) for index in reversed(range(count))]

    def do_unpack_sequence(self, each):
        self.unpack(each.arg)

    def do_unpack_ex(self, each):
        before, behind = each.arg & 0xFF, each.arg >> 8
        self.unpack(before + 1 + behind, star=before)

    # -- Handlers ----------------------------------------------------------------------------------

    def do_nop(self, each):
        pass

    def do_push_exc_info(self, each):
        self.push(_Exception())

    def do_check_exc_match(self, each):
        self.push(self.node(ast.Call(ast.Name(".matches", ast.Load()), [self.pop()], [])))

    def do_pop_except(self, each):
        if not isinstance(self.stack.pop(), _Exception):
            raise Unreadable("a handler of this form", each)

    def do_before_with(self, each):
        end = _With(self.pop())
        self.stack += [end, _Entered(end)]

    # -- The stack ---------------------------------------------------------------------------------

    def do_pop_top(self, each):
        value = self.stack[-1]
        if isinstance(value, _Piece):  # of two stores to one variable the first is left out
            self.store(ast.Name(".unused", ast.Store()))
        elif isinstance(value, (_Iterator, _Null, _Module, _Made, _Exception, _Entered)) or _is_local_or_constant(
            value
        ):
            self.stack.pop()
        else:
            self.emit(ast.Expr(self.pop()))

    do_pop_iter = do_pop_top

    def do_swap(self, each):
        self.stack[-1], self.stack[-each.arg] = self.stack[-each.arg], self.stack[-1]

    def do_copy(self, each):
        value = self.stack[-each.arg]
        if isinstance(value, _Marker):
            raise Unreadable("a copy of what is no value", each)
        around = self.instructions[self.number - 1 : self.number] + self.instructions[self.number + 1 : self.number + 2]
        is_index = each.arg > 1 and any((other.opname, other.arg) == ("COPY", each.arg) for other in around)
        if not (_is_local_or_constant(value) or (is_index and _is_index(value))):
            self.spill(until=value.order - 1)
            self.stack[-each.arg] = value = self.named(self.settled(value))
        self.push(value)

    # -- Expressions -------------------------------------------------------------------------------

    def do_binary_op(self, each):
        left, right = self.pop_many(2)
        operator = each.argrepr
        if operator == "[]":
            return self.push(self.node(ast.Subscript(left, right, ast.Load())))
        kind = _InPlace if operator.endswith("=") else ast.BinOp
        return self.push(self.node(kind(left, _BINARY[operator.removesuffix("=")](), right)))

    def unary(self, operator):
        self.push(self.node(ast.UnaryOp(operator, self.pop())))

    def do_unary_negative(self, each):
        self.unary(ast.USub())

    def do_unary_positive(self, each):
        self.unary(ast.UAdd())

    def do_unary_not(self, each):
        self.unary(ast.Not())

    def do_unary_invert(self, each):
        self.unary(ast.Invert())

    def compare(self, operator):
        left, right = self.pop_many(2)
        self.push(self.node(ast.Compare(left, [operator], [right])))

    def do_compare_op(self, each):
        self.compare(_COMPARE[each.argval]())

    def do_is_op(self, each):
        self.compare(ast.IsNot() if each.arg else ast.Is())

    def do_contains_op(self, each):
        self.compare(ast.NotIn() if each.arg else ast.In())

    def do_load_attr(self, each):
        method = sys.version_info >= (3, 12) and each.arg & 1
        self.push(self.node(ast.Attribute(self.pop(), each.argval, ast.Load())))
        if method:
            self.push(_Null())

    def do_load_super_attr(self, each):
        function, *given = self.pop_many(3)
        instance = self.node(ast.Call(function, given if each.arg & 2 else [], []))
        self.push(self.node(ast.Attribute(instance, each.argval, ast.Load())))
        if each.arg & 1:
            self.push(_Null())

    def do_load_method(self, each):
        self.push(self.node(ast.Attribute(self.pop(), each.argval, ast.Load())))
        self.push(_Null())

    def do_store_attr(self, each):
        self.store(ast.Attribute(self.pop(), each.argval, ast.Store()))

    def do_delete_attr(self, each):
        self.emit(ast.Delete([self.node(ast.Attribute(self.pop(), each.argval, ast.Del()))]))

    def do_binary_subscr(self, each):
        value, index = self.pop_many(2)
        self.push(self.node(ast.Subscript(value, index, ast.Load())))

    def do_store_subscr(self, each):
        value, index = self.pop_many(2)
        self.store(ast.Subscript(value, index, ast.Store()))

    def do_delete_subscr(self, each):
        value, index = self.pop_many(2)
        self.emit(ast.Delete([self.node(ast.Subscript(value, index, ast.Del()))]))

    def slice_of(self, parts):
        given = [None if isinstance(part, ast.Constant) and part.value is None else part for part in parts]
        return self.node(ast.Slice(*given))

    def do_build_slice(self, each):
        self.push(self.slice_of(self.pop_many(each.arg)))

    def do_binary_slice(self, each):
        value, *parts = self.pop_many(3)
        self.push(self.node(ast.Subscript(value, self.slice_of(parts), ast.Load())))

    def do_store_slice(self, each):
        value, *parts = self.pop_many(3)
        self.store(ast.Subscript(value, self.slice_of(parts), ast.Store()))

    # -- Displays ----------------------------------------------------------------------------------

    def do_build_tuple(self, each):
        if each.arg and all(isinstance(value, _Cells) for value in self.stack[-each.arg :]):
            del self.stack[-each.arg :]
            self.push(_Cells())
        else:
            self.push(self.node(ast.Tuple(self.pop_many(each.arg), ast.Load())))

    def do_build_list(self, each):
        self.push(self.node(ast.List(self.pop_many(each.arg), ast.Load())))

    def do_build_set(self, each):
        self.push(self.node(ast.Set(self.pop_many(each.arg))))

    def do_build_map(self, each):
        items = self.pop_many(2 * each.arg)
        self.push(self.node(ast.Dict(items[::2], items[1::2])))

    def do_build_const_key_map(self, each):
        keys = self.pop().elts
        self.push(self.node(ast.Dict(keys, self.pop_many(each.arg))))

    def add_to(self, each, kind, add, method, *arguments):
        """Adds to a display on the stack, or to a container in a variable by a call of a method."""
        there = self.stack[-each.arg]
        if isinstance(there, kind):
            add(there)
            there.order = next(self.numbers)
            return
        if isinstance(there, _Marker):
            raise Unreadable(each.opname, each)
        function = self.node(ast.Attribute(there, method, ast.Load()))
        self.emit(ast.Expr(self.node(ast.Call(function, list(arguments), []))))

    def do_list_append(self, each):
        value = self.pop()
        self.add_to(each, ast.List, lambda display: display.elts.append(value), "append", value)

    def do_list_extend(self, each):
        value = self.pop()
        items = value.elts if isinstance(value, ast.Tuple) else [self.node(ast.Starred(value, ast.Load()))]
        self.add_to(each, ast.List, lambda display: display.elts.extend(items), "extend", value)

    def do_set_add(self, each):
        value = self.pop()
        self.add_to(each, ast.Set, lambda display: display.elts.append(value), "add", value)

    def do_set_update(self, each):
        value = self.pop()
        items = value.elts if isinstance(value, ast.Set) else [self.node(ast.Starred(value, ast.Load()))]
        self.add_to(each, ast.Set, lambda display: display.elts.extend(items), "update", value)

    def do_map_add(self, each):
        key, value = self.pop_many(2)
        there = self.stack[-each.arg]
        if isinstance(there, _Marker):
            raise Unreadable(each.opname, each)
        if isinstance(there, ast.Dict):
            there.keys.append(key)
            there.values.append(value)
            return
        target = self.node(ast.Subscript(there, key, ast.Store()))
        self.emit(ast.Assign([target], value))

    def do_dict_update(self, each):
        value = self.pop()

        def add(display):
            display.keys.append(None)
            display.values.append(value)

        self.add_to(each, ast.Dict, add, "update", value)

    do_dict_merge = do_dict_update

    def do_list_to_tuple(self, each):
        value = self.pop()
        if isinstance(value, ast.List):
            self.push(self.node(ast.Tuple(value.elts, ast.Load())))
        else:
            self.push(self.node(ast.Call(self.load("tuple", is_global=True), [value], [])))

    def do_call_intrinsic_1(self, each):
        if each.arg == _POSITIVE:
            self.unary(ast.UAdd())
        elif each.arg == _LIST_TO_TUPLE:
            self.do_list_to_tuple(each)
        else:
            raise Unreadable(each.argrepr, each)

    # -- Text --------------------------------------------------------------------------------------

    def format(self, value, conversion=-1, spec=None):
        if spec is not None and not isinstance(spec, ast.JoinedStr):
            spec = self.node(ast.JoinedStr([spec]))
        if isinstance(value, ast.FormattedValue):  # what CONVERT_VALUE has begun
            value, conversion = value.value, value.conversion
        part = self.node(ast.FormattedValue(value, conversion, spec))
        self.push(self.node(ast.JoinedStr([part])))

    def do_format_value(self, each):
        spec = self.pop() if each.arg & 4 else None
        self.format(self.pop(), {0: -1, 1: ord("s"), 2: ord("r"), 3: ord("a")}[each.arg & 3], spec)

    def do_convert_value(self, each):
        self.push(self.node(ast.FormattedValue(self.pop(), {1: ord("s"), 2: ord("r"), 3: ord("a")}[each.arg], None)))

    def do_format_simple(self, each):
        self.format(self.pop())

    def do_format_with_spec(self, each):
        spec = self.pop()
        self.format(self.pop(), spec=spec)

    def do_build_string(self, each):
        parts = []
        for part in self.pop_many(each.arg):
            parts += part.values if isinstance(part, ast.JoinedStr) else [part]
        self.push(self.node(ast.JoinedStr(parts)))

    # -- Calls and functions -----------------------------------------------------------------------

    def do_kw_names(self, each):
        self.keywords = each.argval if isinstance(each.argval, tuple) else self.code.co_consts[each.arg]

    def function_and_self(self):
        """The function of a call, and the arguments that it has by itself."""
        above, below = self.stack.pop(), self.stack.pop()
        if isinstance(below, _Null):
            return above, []
        if isinstance(above, _Null):
            return below, []
        self.push(above)
        return below, [self.pop()]

    def call(self, arguments, names):
        function, before = self.function_and_self()
        if isinstance(function, _With):
            return self.push(_Null())
        if isinstance(function, _Made) and function.code.co_name in _COMPREHENSIONS:
            [source] = [*before, *arguments]
            return self.push(self.comprehension(function, source))
        self.push(function)
        function = self.pop()
        arguments = [*before, *arguments]
        count = len(arguments) - len(names)
        keywords = [
            ast.copy_location(ast.keyword(name, value), value)
            for name, value in zip(names, arguments[count:], strict=True)
        ]
        return self.push(self.node(ast.Call(function, arguments[:count], keywords)))

    def do_call(self, each):
        names, self.keywords = getattr(self, "keywords", ()), ()
        arguments = self.stack[len(self.stack) - each.arg :] if each.arg else []
        if len(arguments) == 1 and isinstance(arguments[0], _Iterator) and not names:
            self.stack.pop()
            return self.call([arguments[0]], ())
        return self.call(self.pop_many(each.arg), names)

    def do_call_kw(self, each):
        names = tuple(item.value for item in self.pop().elts)
        self.call(self.pop_many(each.arg), names)

    def do_call_function_ex(self, each):
        keywords = []
        if each.arg & 1:
            given = self.pop()
            if isinstance(given, ast.Dict):
                keywords = [
                    self.node(ast.keyword(key and key.value, value))
                    for key, value in zip(given.keys, given.values, strict=True)
                ]
            else:
                keywords = [self.node(ast.keyword(None, given))]
        given = self.pop()
        arguments = given.elts if isinstance(given, ast.Tuple) else [self.node(ast.Starred(given, ast.Load()))]
        function, before = self.function_and_self()
        self.push(function)
        self.push(self.node(ast.Call(self.pop(), [*before, *arguments], keywords)))

    def do_make_function(self, each):
        made = self.stack.pop()
        if sys.version_info < (3, 13):
            for flag in (8, 4, 2, 1):
                if each.arg & flag:
                    self.give(made, flag, self.stack.pop())
        self.push(made)

    def do_set_function_attribute(self, each):
        made, value = self.stack.pop(), self.stack.pop()
        self.give(made, each.arg, value)
        self.push(made)

    @staticmethod
    def give(made, flag, value):
        if flag == 1:
            made.defaults = value.elts
        elif flag == 2:
            made.keyword_defaults = {key.value: default for key, default in zip(value.keys, value.values, strict=True)}

    def function_of(self, made, name):
        return _function_node(made.code, name, made.defaults, made.keyword_defaults)

    def function_value(self, made):
        """A function within an expression: a lambda, or a statement in front and its name."""
        if made.code.co_name == "<lambda>":
            node = self.function_of(made, "lambda")
            body = as_expression(node.body)
            if body is not None:
                return self.node(ast.Lambda(node.args, body))
        name = f".{made.code.co_name.strip('<>')}{self.here.offset}"
        self.emit(self.function_of(made, name))
        return self.load(name)

    def comprehension(self, made, source):
        source = source.node if isinstance(source, _Iterator) else source
        body = _body_of(_Reader(made.code))
        found = as_comprehension(made.code.co_name, body, source)
        if found is None:
            raise Unreadable("a comprehension of this form", self.here)
        return self.node(found)

    def do_get_iter(self, each):
        self.push(_Iterator(self.pop()))

    # -- Generators and imports --------------------------------------------------------------------

    def do_return_generator(self, each):
        self.push(_Null())

    def do_yield_value(self, each):
        self.push(self.node(ast.Yield(self.pop())))

    def do_get_yield_from_iter(self, each):
        send = self.instructions[self.number + 2]
        if send.opname != "SEND":
            raise Unreadable(each.opname, each)
        self.push(self.node(ast.YieldFrom(self.pop())))
        return self.at(send.argval)

    def do_import_name(self, each):
        level, names = self.pop_many(2)
        self.push(_Module(each.argval, level.value, None))

    def do_import_from(self, each):
        self.push(_Module(self.stack[-1].module, self.stack[-1].level, each.argval))

    @staticmethod
    def import_of(module, name):
        if module.name is not None:
            return ast.ImportFrom(module.module, [ast.alias(module.name, name)], module.level)
        first = module.module.partition(".")[0]
        return ast.Import([ast.alias(module.module, None if name == first else name)])


# ------------------------------------------------------------------------------------------------
# Functions


def _arguments_of(code, defaults, keyword_defaults):
    names = list(code.co_varnames)
    count = code.co_argcount
    keywords = names[count : count + code.co_kwonlyargcount]
    rest = iter(names[count + code.co_kwonlyargcount :])
    star = ast.arg(next(rest)) if code.co_flags & inspect.CO_VARARGS else None
    stars = ast.arg(next(rest)) if code.co_flags & inspect.CO_VARKEYWORDS else None
    plain = [ast.arg(name) for name in names[:count]]
    return ast.arguments(
        plain[: code.co_posonlyargcount], plain[code.co_posonlyargcount :], star, list(map(ast.arg, keywords)),
        [keyword_defaults.get(name) for name in keywords], stars, list(defaults),
    )  # fmt: skip


def _body_of(reader):
    statements = structured(reader.read(), -1)
    return tidied(statements, reader.cells)


def _function_node(code, name, defaults, keyword_defaults):
    reader = _Reader(code)
    body = _body_of(reader)
    for kind, node in (("nonlocal", ast.Nonlocal), ("global", ast.Global)):
        if reader.declared[kind]:
            body.insert(0, node(sorted(reader.declared[kind])))
    arguments = _arguments_of(code, defaults, keyword_defaults)
    node = ast.FunctionDef(name, arguments, body or [ast.Pass()], [], None)
    if sys.version_info >= (3, 12):
        node.type_params = []
    node.lineno = node.end_lineno = code.co_firstlineno
    node.col_offset = node.end_col_offset = 0
    return ast.fix_missing_locations(node)


def read_function(function):
    """The syntax of a function, from its bytecode.

    Parameters
    ----------
    function : function

    Returns
    -------
    node : ast.FunctionDef or ast.Lambda
        Lines and columns are those that Python keeps of instructions. Defaults stand for those of the function, which
        has their values.

    Raises
    ------
    Unreadable
        Where something of it is not read: its text names that, its ``line`` is the line.
    """
    code = function.__code__
    defaults = [ast.Constant(None) for _ in function.__defaults__ or ()]
    keyword_defaults = {name: ast.Constant(None) for name in function.__kwdefaults__ or ()}
    node = _function_node(code, code.co_name, defaults, keyword_defaults)
    if code.co_name == "<lambda>":
        body = as_expression(node.body)
        if body is not None:
            return ast.copy_location(ast.Lambda(node.args, body), node)
    return node
