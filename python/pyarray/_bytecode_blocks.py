"""From basic blocks and the jumps between them to loops and branches.

Python's compiler makes reducible graphs: each loop has one block that all its ways back go to. A block is written where
the block that dominates it is written, those that several ways lead to behind the branch that they part in. Every way
from a block to another has to be one of these: falling out of the statements at hand, `break`, `continue`, or the
statements of the block themselves. What has none is refused.
"""

import ast
import copy


class Unreadable(Exception):
    """Something in a function's bytecode is not read."""

    def __init__(self, what, instruction=None, line=None):
        super().__init__(what)
        places = getattr(instruction, "positions", None)
        self.line = line or (places.lineno if places else None)


class Block:
    """Statements, and where they lead.

    Attributes
    ----------
    test : ast.expr or None
        What decides between `yes` and `no`.
    source, item : ast.expr
        Of the head of a `for`: what it goes over and what its items are called; `yes` is its body, `no` its end.
    handler, end : int or None, and what knows the value and the variable of a `with`
        In front of a `try` or `with`: `yes` is the first block in it, `no` the first one of the handlers.
    yes, no : int or None
        Numbers of blocks. Without a test and a source, `yes` alone; where the function ends, none.
    handlers : tuple of int
        The `try` and `with` that the block is in.
    handling : int
        How many exceptions are being handled where it begins: what it raises has the last one as its context.
    """

    def __init__(self, start, handlers=(), handling=0):
        self.start, self.statements, self.handlers, self.seen = start, [], handlers, False
        self.handling = handling
        self.test = self.source = self.item = self.line = self.yes = self.no = self.handler = self.end = None

    def ways(self):
        return [way for way in (self.yes, self.no) if way is not None]

    def is_empty(self):
        return not self.statements and self.is_plain() and self.yes is not None

    def is_plain(self):
        """Whether it goes on to one block at most."""
        return self.test is None and self.source is None and self.handler is None

    def is_match(self):
        return _is_match(self.test)

    def key(self):
        """Equal for copies of the same text that go on in the same way."""
        parts = [*self.statements, *(node for node in (self.test, self.source) if node is not None)]
        dumps = tuple(ast.dump(part, include_attributes=True) for part in parts)
        return (
            dumps,
            not (self.source is self.handler is None) and self.start,
            self.yes,
            self.no,
            self.handlers,
            self.handling,
        )


def _is_match(test):
    """Whether a test is that of a handler."""
    return isinstance(test, ast.Call) and isinstance(test.func, ast.Name) and test.func.id == ".matches"


def _negated(node):
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return node.operand
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        opposite = {ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In}.get(type(node.ops[0]))
        if opposite:
            return ast.copy_location(ast.Compare(node.left, [opposite()], node.comparators), node)
    return ast.copy_location(ast.UnaryOp(ast.Not(), node), node)


# ------------------------------------------------------------------------------------------------
# Simplification


def _reached(blocks, entry):
    found, waiting = {}, [entry]
    while waiting:
        start = waiting.pop()
        if start not in found:
            found[start] = blocks[start]
            waiting += blocks[start].ways()
    return found


def _redirect(blocks, targets):
    changed = False
    for block in blocks.values():
        for way in ("yes", "no"):
            target = getattr(block, way)
            seen = set()
            while target in targets and target not in seen:
                seen.add(target)
                target = targets[target]
            if target is not getattr(block, way):
                changed |= target != getattr(block, way)
                setattr(block, way, target)
    return changed


def _entered_from(blocks):
    found = {start: [] for start in blocks}
    for start, block in blocks.items():
        for way in block.ways():
            found[way].append(start)
    return found


def _uses(blocks):
    """How often each of our own variables is read."""
    count = {}
    for block in blocks.values():
        for part in (*block.statements, block.test, block.source):
            for node in ast.walk(part) if part is not None else ():
                if isinstance(node, ast.Name) and node.id.startswith(".") and isinstance(node.ctx, ast.Load):
                    count[node.id] = count.get(node.id, 0) + 1
    return count


def _drop_unread(blocks):
    """Of values that differ by the way to a block some are only thrown away there."""
    uses = _uses(blocks)
    for block in blocks.values():
        block.statements = [
            each
            for each in block.statements
            if not (
                isinstance(each, ast.Assign)
                and isinstance(each.targets[0], ast.Name)
                and each.targets[0].id.startswith(".")
                and each.targets[0].id not in uses
                and isinstance(each.value, (ast.Name, ast.Constant))
            )
        ]


def _put_into_tests(blocks):
    """A variable that only the test behind it reads is put into the test, so that tests may be joined."""
    from ._bytecode_tidy import put_into

    uses = _uses(blocks)
    for block in blocks.values():
        while block.test is not None and block.statements:
            last = block.statements[-1]
            holder = ast.Expr(block.test)
            if not put_into(last, holder, uses, ()):
                break
            block.statements.pop()
            block.test = holder.value


def _joined(operator, left, right):
    """``left and right``: of comparisons with one value in common, a chain."""
    if (
        isinstance(operator, ast.And)
        and isinstance(left, ast.Compare)
        and isinstance(right, ast.Compare)
        and isinstance(left.comparators[-1], ast.Name)
        and isinstance(right.left, ast.Name)
        and left.comparators[-1].id == right.left.id
        and right.left.id.startswith(".")
    ):
        chain = ast.Compare(left.left, left.ops + right.ops, left.comparators + right.comparators)
        return ast.copy_location(chain, left)
    values = [
        part
        for value in (left, right)
        for part in (value.values if isinstance(value, ast.BoolOp) and type(value.op) is type(operator) else [value])
    ]
    return ast.copy_location(ast.BoolOp(operator, values), left)


def _is_test(block, entered):
    plain = block.test is not None and not block.statements and not block.is_match()
    return plain and len(entered[block.start]) == 1


def _join_tests(blocks, entered):
    """Tests that follow each other and go to the same places are one test."""
    for start, block in blocks.items():
        if block.test is None or block.yes == block.no or block.is_match():
            continue
        yes, no = blocks[block.yes], blocks[block.no]
        if _is_test(yes, entered) and _is_test(no, entered) and (yes.yes, yes.no) == (no.yes, no.no):
            chosen = ast.IfExp(block.test, yes.test, no.test)
            block.test, block.yes, block.no = ast.copy_location(chosen, block.test), yes.yes, yes.no
            return True
        for first, goes, operator, other in ((yes, "yes", ast.And, block.no), (no, "no", ast.Or, block.yes)):
            if first.start == start or not _is_test(first, entered) or other not in (first.yes, first.no):
                continue
            # `a and b`, `a or b`; with the ways of the second one crossed `not a or b`, `not a and b`.
            crossed = (first.no if goes == "yes" else first.yes) != other
            left = _negated(block.test) if crossed else block.test
            operator = (ast.Or if operator is ast.And else ast.And) if crossed else operator
            block.test, block.yes, block.no = _joined(operator(), left, first.test), first.yes, first.no
            return True
    return False


def _join_lines(blocks, entered, entry):
    """A block that one other leads to, and to nowhere else, is its end."""
    for start, block in blocks.items():
        if not block.is_plain() or block.yes is None:
            continue
        behind = blocks[block.yes]
        joins = behind.source is behind.handler is None and behind.handlers == block.handlers
        if behind.start in (start, entry) or len(entered[behind.start]) != 1 or not joins:
            continue
        block.statements = block.statements + behind.statements
        block.test, block.yes, block.no = behind.test, behind.yes, behind.no
        return True
    return False


def _simplified(blocks, entry, joins_copies):
    while True:
        blocks = _reached(blocks, entry)
        _drop_unread(blocks)
        empty = {start: block.yes for start, block in blocks.items() if block.is_empty() and block.yes != start}
        if _redirect(blocks, empty):
            continue
        first = {}
        copies = {}
        for start in sorted(blocks, key=lambda each: (each < 0, abs(each))):
            there = first.setdefault(blocks[start].key(), start)
            if there != start and start != entry:
                copies[start] = there
        if joins_copies and copies and _redirect(blocks, copies):
            continue
        entered = _entered_from(blocks)
        _put_into_tests(blocks)
        if not (_join_tests(blocks, entered) or _join_lines(blocks, entered, entry)):
            return blocks


# ------------------------------------------------------------------------------------------------
# Dominators and loops


class _Graph:
    def __init__(self, blocks, entry):
        self.blocks, self.entry = blocks, entry
        self.order = self._reverse_postorder()
        self.place = {start: number for number, start in enumerate(self.order)}
        self.entered = _entered_from(blocks)
        self._find_dominators()
        self._find_loops()

    def _reverse_postorder(self):
        order, seen = [], {self.entry}
        waiting = [(self.entry, iter(self.blocks[self.entry].ways()[::-1]))]
        while waiting:
            start, ways = waiting[-1]
            for way in ways:
                if way not in seen:
                    seen.add(way)
                    waiting.append((way, iter(self.blocks[way].ways()[::-1])))
                    break
            else:
                order.append(start)
                waiting.pop()
        return order[::-1]

    def _find_dominators(self):
        above = {self.entry: self.entry}
        changed = True
        while changed:
            changed = False
            for start in self.order[1:]:
                known = [each for each in self.entered[start] if each in above]
                nearest = known[0]
                for other in known[1:]:
                    while nearest != other:
                        if self.place[nearest] > self.place[other]:
                            nearest = above[nearest]
                        else:
                            other = above[other]
                changed |= above.get(start) != nearest
                above[start] = nearest
        self.above = above
        self.below = {start: [] for start in self.blocks}
        for start in self.order[1:]:
            self.below[above[start]].append(start)

    def dominates(self, one, other):
        while self.place[other] > self.place[one]:
            other = self.above[other]
        return one == other

    def _find_loops(self):
        self.loops = {}
        for start in self.order:
            for way in self.blocks[start].ways():
                if self.place[way] > self.place[start]:
                    continue
                if not self.dominates(way, start):
                    raise Unreadable("a loop with two beginnings", line=_line_of(self.blocks[way]))
                body = self.loops.setdefault(way, {way})
                waiting = [start]
                while waiting:
                    inside = waiting.pop()
                    if inside not in body:
                        body.add(inside)
                        waiting += self.entered[inside]

        for start, block in self.blocks.items():  # a `for` whose body never comes back
            if block.source is not None and start not in self.loops:
                inside = (each for each in self.order if self.dominates(block.yes, each))
                self.loops[start] = {start, *inside} - {block.no}

    def forward(self, start):
        """How many ways lead to a block but for those back from a loop."""
        return sum(not (start in self.loops and each in self.loops[start]) for each in self.entered[start])


def _line_of(block):
    for node in (*block.statements, block.test, block.item):
        if node is not None:
            return node.lineno
    return None


# ------------------------------------------------------------------------------------------------
# Statements


class _Around:
    """What is around the statements that are written: where they lead when they end, and the loop they are in."""

    def __init__(self, following=None, head=None, behind=None, handlers=()):
        self.following, self.head, self.behind, self.handlers = following, head, behind, handlers

    def then(self, following):
        return _Around(following, self.head, self.behind, self.handlers)

    def within(self, handler):
        """In a `try` or `with`."""
        return _Around(self.following, self.head, self.behind, (*self.handlers, handler))


def _handlers_of(statements):
    """The handlers of a `try`, from the tests that they begin with."""
    if len(statements) == 1 and isinstance(statements[0], ast.If) and _is_match(statements[0].test):
        [choice] = statements
        body, name = choice.body, None
        if isinstance(body[0], ast.Assign) and isinstance(body[0].value, ast.Name) and body[0].value.id == ".exception":
            name, body = body[0].targets[0].id, body[1:] or [ast.Pass()]
        handler = ast.ExceptHandler(choice.test.args[0], name, body)
        return [ast.copy_location(handler, choice), *_handlers_of(choice.orelse)]
    if len(statements) == 1 and isinstance(statements[0], ast.Raise) and statements[0].exc is None:
        return []  # no handler is for it
    if not statements:
        return [ast.ExceptHandler(None, None, [ast.Pass()])]
    return [ast.copy_location(ast.ExceptHandler(None, None, statements), statements[0])]


_MOST_COPIES = 50


class _Writer:
    def __init__(self, graph):
        self.graph, self.blocks = graph, graph.blocks
        self.behind_loops = set()  # blocks that are written behind a loop
        self.written = set()
        self.open = []  # heads of the loops around
        self.copies = 0

    def go(self, target, around):
        """The statements that lead from the end of a block to another."""
        if target == around.following:
            return []
        if target == around.head:
            return [ast.Continue()]
        if target == around.behind:
            return [ast.Break()]
        self.check_copy(target)
        if self.blocks[target].handlers[: len(around.handlers)] != around.handlers and not self.is_harmless(target):
            raise Unreadable("a try of this form", line=_line_of(self.blocks[target]))
        return self.write(target, around)

    def is_harmless(self, target):
        """Whether a block only returns what is known, so that it does not matter which handlers it is in."""
        [*before, last] = self.blocks[target].statements or [None]
        return (
            not before
            and not self.blocks[target].ways()
            and isinstance(last, ast.Return)
            and isinstance(last.value, (ast.Name, ast.Constant))
        )

    def check_copy(self, target):
        """A block that cannot be jumped to is written once more, which few are."""
        block = self.blocks[target]
        if not block.ways() or not (target in self.written or self.graph.forward(target) > 1):
            return
        self.copies += 1
        if target in self.open or self.copies > _MOST_COPIES:
            raise Unreadable("jumps of this form", line=_line_of(block))

    def write(self, start, around):
        """The statements of a block and of all that it dominates."""
        self.written.add(start)
        if start in self.graph.loops:
            return self.loop(start, around)
        return self.within(start, around)

    def within(self, start, around):
        """The same, within the loop where the block is the head of one."""
        block = self.blocks[start]
        inside = self.graph.loops.get(start)
        later = [
            each
            for each in self.graph.below[start]
            if self.graph.forward(each) > 1
            and each not in self.behind_loops
            and each not in (around.following, around.behind)
            and (inside is None or each in inside)
        ]
        later.sort(key=self.graph.place.__getitem__)
        targets = [*later, around.following]
        statements = [*block.statements, *self.end_of(block, around.then(targets[0]))]
        for each, following in zip(later, targets[1:], strict=True):
            statements += self.write(each, around.then(following))
        return statements

    def protected(self, block, around):
        """A `try` or a `with`. What the statements in it lead to, and the handlers do not, is its `else`."""
        handlers = (*block.handlers, block.handler)
        inside = {each for each, other in self.blocks.items() if other.handlers[: len(handlers)] == handlers}
        known = (around.following, around.head, around.behind)
        exits = {way for each in inside for way in self.blocks[each].ways() if way not in inside and way not in known}
        exits = {way for way in exits if not self.is_harmless(way)}
        if len(exits) > 1:
            raise Unreadable("a try of this form", line=_line_of(self.blocks[block.yes]))
        [behind] = exits or [around.following]
        body = self.go(block.yes, around.then(behind).within(block.handler)) or [ast.Pass()]
        rest = self.go(behind, around) if exits else []
        if block.end is not None:
            item = ast.withitem(block.end.node, block.end.target)
            return [ast.copy_location(ast.With([item], body, None), block.end.node), *rest]
        made = ast.Try(body, _handlers_of(self.go(block.no, around)), rest, [])
        return [ast.copy_location(made, block.line)]

    def end_of(self, block, around):
        if block.handler is not None:
            return self.protected(block, around)
        if block.test is None:
            return self.go(block.yes, around) if block.yes is not None else []
        if block.yes == block.no:
            return [ast.copy_location(ast.Expr(block.test), block.test), *self.go(block.yes, around)]
        yes, no = self.go(block.yes, around), self.go(block.no, around)
        test = block.test
        if not yes and not block.is_match():
            yes, no, test = no, yes, _negated(test)
        return [ast.copy_location(ast.If(test, yes or [ast.Pass()], no), test)]

    def loop(self, start, around):
        block, inside = self.blocks[start], self.graph.loops[start]
        exits = {way for each in inside for way in self.blocks[each].ways() if way not in inside}
        behind, alternative = self.behind(block, exits, around)
        self.behind_loops.add(behind)
        self.open.append(start)
        within = _Around(start, start, behind, around.handlers)
        if block.source is not None:
            body = self.go(block.yes, within)
            orelse = self.go(block.no, around.then(behind)) if alternative else []
            target = ast.copy_location(ast.Name(block.item.id, ast.Store()), block.item)
            loop = ast.For(target, block.source, body or [ast.Pass()], orelse, None)
            statements = [*block.statements, ast.copy_location(loop, block.item)]
            if block.statements:
                raise Unreadable("a loop of this form", line=_line_of(block))
        elif not block.statements and block.test is not None and behind in (block.yes, block.no):
            goes_on = block.yes if block.no == behind else block.no
            test = block.test if block.no == behind else _negated(block.test)
            body = self.head_body(start, goes_on, within)
            statements = [ast.copy_location(ast.While(test, body or [ast.Pass()], []), test)]
        else:
            body = self.within(start, within)
            statements = [ast.While(ast.Constant(True), body or [ast.Pass()], [])]
            line = _line_of(block)
            if line:
                statements[0].lineno = statements[0].end_lineno = line
                statements[0].col_offset = statements[0].end_col_offset = 0
        self.open.pop()
        if behind is None or behind == around.following:
            return statements
        if behind in (around.head, around.behind):
            return statements + self.go(behind, around)
        if behind in self.written:
            self.check_copy(behind)
        return statements + self.write(behind, around)

    def head_body(self, start, goes_on, around):
        """The body of a `while` whose head is its test alone, with what the head dominates in it."""
        block = Block(start, self.blocks[start].handlers)
        block.yes = goes_on
        kept, self.blocks[start] = self.blocks[start], block
        try:
            return self.within(start, around)
        finally:
            self.blocks[start] = kept

    def behind(self, block, exits, around):
        """The block behind a loop, and whether a `for` has an `else`."""
        for known in (around.following, around.head, around.behind):
            if known is not None and known in exits:
                others = exits - {known}
                if block.source is not None and block.no in others:
                    return known, True
                return known, False
        open_ends = sorted(
            (each for each in exits if self.blocks[each].ways() or self.graph.forward(each) > 1),
            key=self.graph.place.__getitem__,
        )
        if block.source is None:
            ends = open_ends or [each for each in (block.yes, block.no) if each in exits and not block.statements]
            return (ends[-1] if ends else None), False
        others = [each for each in open_ends if each != block.no and not self._stays_inside(each, block.no, around)]
        if others and self.graph.forward(block.no) == 1:
            return others[-1], True
        return block.no, False

    def _stays_inside(self, start, behind, around):
        """Whether all that a way out of a loop leads to ends the function or goes on behind the loop."""
        if self.graph.forward(start) > 1:
            return False
        found, waiting = set(), [start]
        while waiting:
            each = waiting.pop()
            if each in (around.following, around.head, around.behind) or each in self.written:
                return False
            if each not in found and each != behind:
                found.add(each)
                waiting += self.blocks[each].ways()
        return True


def _check_raises(statements, handled=False):
    """A `raise` of what is handled has to be in a handler."""
    for statement in statements:
        if isinstance(statement, ast.Raise) and statement.exc is None and not handled:
            raise Unreadable("a try of this form", line=statement.lineno)
        if isinstance(statement, ast.FunctionDef):
            continue
        for field in ("body", "orelse", "finalbody"):
            _check_raises(getattr(statement, field, []), handled)
        for handler in getattr(statement, "handlers", []):
            _check_raises(handler.body, True)


def structured(blocks, entry):
    """The statements of a function.

    Parameters
    ----------
    blocks : dict of int to Block
    entry : int

    Raises
    ------
    Unreadable
    """
    try:
        graph = _Graph(_simplified(copy.deepcopy(blocks), entry, True), entry)
    except Unreadable:  # a test that Python repeats was found in part
        graph = _Graph(_simplified(blocks, entry, False), entry)
    statements = _Writer(graph).write(entry, _Around())
    _check_raises(statements)
    for node in ast.walk(ast.Module(statements, [])):
        if isinstance(node, ast.Name) and node.id in (".matches", ".exception"):  # what is no beginning of a handler
            raise Unreadable("a try of this form", line=node.lineno if hasattr(node, "lineno") else None)
    return statements
