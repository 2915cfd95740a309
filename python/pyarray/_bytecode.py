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
from ._bytecode_instructions import Instructions
from ._bytecode_tidy import as_comprehension, as_expression, tidied
from ._bytecode_values import (
    COMPREHENSIONS,
    ENDS,
    NO_EFFECT,
    Handled,
    InPlace,
    Iterator,
    Made,
    Marker,
    Null,
    With,
    as_value,
    common,
    constant,
    construct,
    is_global_path,
    is_local_or_constant,
    mentions,
    same,
)

__all__ = ["Unreadable", "read_function"]


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
        if not (popped and each.opname in ("POP_TOP", "POP_ITER")) and each.opname not in NO_EFFECT:
            found.append(each)
        popped = each.opname == "END_FOR" and sys.version_info >= (3, 13)
    return found


class _Reader(Instructions):
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
            if each.opname not in ENDS and not ("JUMP" in each.opname and "IF" not in each.opname):
                leading.setdefault(number + 1, []).append(self.handlers[number])
        for number, each in enumerate(self.instructions[:-1]):
            if each.opname == "NOP":
                self.handlers[number] = functools.reduce(common, leading.get(number, []), self.handlers[number + 1])

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
            if jumps or each.opname in ENDS:
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
                    handling = sum(isinstance(value, Handled) for value in self.entries[start])
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
        if isinstance(value, Iterator):
            return value.node
        if isinstance(value, Made):
            return self.function_value(value)
        if isinstance(value, Marker):
            raise Unreadable(self.here.opname, self.here)
        if isinstance(value, InPlace):
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
        if is_local_or_constant(node) and isinstance(node, ast.Name) and node.id.startswith("."):
            return node
        name = self.place_of(node)
        store = ast.copy_location(ast.Name(name, ast.Store()), node)
        self.block.statements.append(ast.copy_location(ast.Assign([store], as_value(node)), node))
        load = ast.copy_location(ast.Name(name, ast.Load()), node)
        load.order = node.order
        return load

    def spill(self, until=None, only=None):
        """Evaluates what is on the stack, in the order that it was computed in."""
        for depth, value in enumerate(self.stack):
            if only is None and isinstance(value, Made) and value.code.co_name not in COMPREHENSIONS:
                above = self.stack[depth + 1 :]
                del self.stack[depth:]
                self.stack += [self.function_value(value), *above]
        waiting = [
            (value.order, depth)
            for depth, value in enumerate(self.stack)
            if not isinstance(value, Marker) and (not self.can_wait(depth) if only is None else mentions(value, only))
        ]
        for order, depth in sorted(waiting):
            if until is None or order <= until:
                self.stack[depth] = self.named(self.settled(self.stack[depth]))

    def settled(self, value):
        if not isinstance(value, InPlace):
            return value
        left = self.named(value.left)
        statement = ast.AugAssign(ast.Name(left.id, ast.Store()), value.op, value.right)
        self.block.statements.append(ast.copy_location(statement, value))
        return left

    def can_wait(self, depth):
        """Whether a value on the stack is the same whenever it is evaluated: also what is only called."""
        value = self.stack[depth]
        called = depth + 1 < len(self.stack) and isinstance(self.stack[depth + 1], Null)
        if called and isinstance(value, ast.Attribute) and is_local_or_constant(value.value):
            return True
        return is_local_or_constant(value) or is_global_path(value)

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
            if name in ENDS:
                return self.end_function(name)
            if name == "FOR_ITER":
                return self.end_in_loop(number + 1)
            if "JUMP" in name:
                return self.end_in_jump(name, self.at(self.here.argval), number + 1)
            handler = getattr(self, "do_" + name.lower(), None)
            if handler is None:
                raise Unreadable(construct(name), self.here)
            number = handler(self.here) or number + 1
        self.spill()
        block.yes = self.enter(end, self.stack)

    def end_function(self, name):
        if name == "RETURN_CONST":
            return self.emit(ast.Return(self.node(constant(self.here.argval))))
        if name == "RETURN_VALUE":
            value = self.pop()
            self.stack.clear()
            return self.emit(ast.Return(as_value(value)))
        if name == "RERAISE":
            self.stack.clear()
            return self.emit(ast.Raise(None, None))
        cause = self.pop() if self.here.arg == 2 else None
        return self.emit(ast.Raise(self.pop() if self.here.arg else None, cause))

    def end_in_loop(self, behind):
        source = self.stack[-1]
        self.block.source = source.node if isinstance(source, Iterator) else source
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
        if keeps and not is_local_or_constant(self.stack[-1]):
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
            if same(value, there):
                continue
            if isinstance(value, Marker) or isinstance(there, Marker):
                raise Unreadable("two values in one place", self.here)
            if isinstance(there, ast.Name) and there.id == self.slot(target, depth):
                store = ast.copy_location(ast.Name(there.id, ast.Store()), value)
                before.append(ast.copy_location(ast.Assign([store], as_value(value)), value))
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
        for depth in reversed(range(len(common(mine, there)), len(there))):
            key = there[depth], entrance, there[:depth]
            if key not in self.doors:
                block = self.new_block(there[:depth])
                self.doors[key] = block.start
                block.yes, block.handler = entrance, there[depth]
                block.line = self.load(".try")
                kept, self.block = self.block, block
                if self.is_with(there[depth]):
                    block.end = next((each for each in reversed(stack) if isinstance(each, With)), None)
                else:
                    below = stack[: self.depths[there[depth]]]
                    block.no = self.enter(there[depth], [*below, Handled()])
                self.block = kept
            entrance = self.doors[key]
        return entrance

    # -- Functions within the function -------------------------------------------------------------

    def function_of(self, made, name):
        return _function_node(made.code, name, made.defaults, made.keyword_defaults)

    def comprehension(self, made, source):
        source = source.node if isinstance(source, Iterator) else source
        body = _body_of(_Reader(made.code))
        found = as_comprehension(made.code.co_name, body, source)
        if found is None:
            raise Unreadable("a comprehension of this form", self.here)
        return self.node(found)


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
