"""The instructions of Python, each a method of an interpreter whose stack holds expressions (`_bytecode`).

A method may give the number of the instruction to go on with.
"""

import ast
import inspect
import sys

from ._bytecode_blocks import Unreadable
from ._bytecode_tidy import as_expression
from ._bytecode_values import (
    BINARY,
    COMPARE,
    COMPREHENSIONS,
    LIST_TO_TUPLE,
    POSITIVE,
    Cells,
    Entered,
    Handled,
    InPlace,
    Iterator,
    Made,
    Marker,
    Module,
    Null,
    Parts,
    Piece,
    Saved,
    With,
    as_value,
    constant,
    is_index,
    is_local_or_constant,
)


class Instructions:
    """What each instruction does. `Reader`, in `_bytecode`, has the rest of the interpreter."""

    # -- Variables ---------------------------------------------------------------------------------

    def variable(self, name):
        for value in reversed(self.stack):
            if isinstance(value, Saved) and value.name == name:
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
        self.push(Saved(each.argval, f".{each.argval}.{each.offset}"))

    def do_load_deref(self, each):
        self.push(self.load(self.variable(each.argval), cell=True))

    def do_load_closure(self, each):
        self.push(Cells())

    def do_load_const(self, each):
        if inspect.iscode(each.argval):
            self.push(Made(each.argval))
        else:
            self.push(self.node(constant(each.argval)))

    do_load_small_int = do_load_const

    def do_load_global(self, each):
        value = self.load(each.argval, is_global=True)
        if not each.arg & 1:
            self.push(value)
        elif sys.version_info >= (3, 13):
            self.stack += [value, Null()]
        else:
            self.stack += [Null(), value]

    def do_load_assertion_error(self, each):
        self.push(self.load("AssertionError", is_global=True))

    def do_push_null(self, each):
        self.push(Null())

    def do_store_fast(self, each):
        self.store_local(each.argval)

    def store_local(self, name):
        if isinstance(self.stack[-1], Saved):
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
        if isinstance(self.stack[-1], Saved):
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
        if isinstance(value, Piece):
            return self.store_piece(value, target)
        if isinstance(value, Made) and isinstance(target, ast.Name) and value.code.co_name == target.id:
            return self.emit(self.function_of(value, target.id))
        if isinstance(value, Module):
            return self.emit(self.import_of(value, target.id))
        if isinstance(value, Entered):
            value.end.target = target
            return None
        if isinstance(value, Handled):
            self.caught.add(target.id)
            value = self.load(".exception")
        if isinstance(value, InPlace):
            if ast.dump(self.as_load(target)) == ast.dump(value.left):
                return self.emit(ast.AugAssign(target, value.op, value.right), name)
        self.push(value)
        return self.emit(ast.Assign([target], as_value(self.pop())), name)

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
        if isinstance(parts.value, Piece):
            return self.store_piece(parts.value, whole)
        return self.emit(ast.Assign([whole], parts.value))

    def unpack(self, count, star=None):
        value = self.stack.pop()
        if not isinstance(value, Piece):
            self.push(value)
            value = self.pop()
        parts = Parts(value, count, star)
        self.stack += [Piece(parts, index) for index in reversed(range(count))]

    def do_unpack_sequence(self, each):
        self.unpack(each.arg)

    def do_unpack_ex(self, each):
        before, behind = each.arg & 0xFF, each.arg >> 8
        self.unpack(before + 1 + behind, star=before)

    # -- Handlers ----------------------------------------------------------------------------------

    def do_nop(self, each):
        pass

    def do_push_exc_info(self, each):
        self.push(Handled())

    def do_check_exc_match(self, each):
        self.push(self.node(ast.Call(ast.Name(".matches", ast.Load()), [self.pop()], [])))

    def do_pop_except(self, each):
        if not isinstance(self.stack.pop(), Handled):
            raise Unreadable("a handler of this form", each)

    def do_before_with(self, each):
        end = With(self.pop())
        self.stack += [end, Entered(end)]

    # -- The stack ---------------------------------------------------------------------------------

    def do_pop_top(self, each):
        value = self.stack[-1]
        if isinstance(value, Piece):  # of two stores to one variable the first is left out
            self.store(ast.Name(".unused", ast.Store()))
        elif isinstance(value, (Iterator, Null, Module, Made, Handled, Entered)) or is_local_or_constant(value):
            self.stack.pop()
        else:
            self.emit(ast.Expr(self.pop()))

    do_pop_iter = do_pop_top

    def do_swap(self, each):
        self.stack[-1], self.stack[-each.arg] = self.stack[-each.arg], self.stack[-1]

    def do_copy(self, each):
        value = self.stack[-each.arg]
        if isinstance(value, Marker):
            raise Unreadable("a copy of what is no value", each)
        around = self.instructions[self.number - 1 : self.number] + self.instructions[self.number + 1 : self.number + 2]
        twice = each.arg > 1 and any((other.opname, other.arg) == ("COPY", each.arg) for other in around)
        if not (is_local_or_constant(value) or (twice and is_index(value))):
            self.spill(until=value.order - 1)
            self.stack[-each.arg] = value = self.named(self.settled(value))
        self.push(value)

    # -- Expressions -------------------------------------------------------------------------------

    def do_binary_op(self, each):
        left, right = self.pop_many(2)
        operator = each.argrepr
        if operator == "[]":
            return self.push(self.node(ast.Subscript(left, right, ast.Load())))
        kind = InPlace if operator.endswith("=") else ast.BinOp
        return self.push(self.node(kind(left, BINARY[operator.removesuffix("=")](), right)))

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
        self.compare(COMPARE[each.argval]())

    def do_is_op(self, each):
        self.compare(ast.IsNot() if each.arg else ast.Is())

    def do_contains_op(self, each):
        self.compare(ast.NotIn() if each.arg else ast.In())

    def do_load_attr(self, each):
        method = sys.version_info >= (3, 12) and each.arg & 1
        self.push(self.node(ast.Attribute(self.pop(), each.argval, ast.Load())))
        if method:
            self.push(Null())

    def do_load_super_attr(self, each):
        function, *given = self.pop_many(3)
        instance = self.node(ast.Call(function, given if each.arg & 2 else [], []))
        self.push(self.node(ast.Attribute(instance, each.argval, ast.Load())))
        if each.arg & 1:
            self.push(Null())

    def do_load_method(self, each):
        self.push(self.node(ast.Attribute(self.pop(), each.argval, ast.Load())))
        self.push(Null())

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
        if each.arg and all(isinstance(value, Cells) for value in self.stack[-each.arg :]):
            del self.stack[-each.arg :]
            self.push(Cells())
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
        if isinstance(there, Marker):
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
        if isinstance(there, Marker):
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
        if each.arg == POSITIVE:
            self.unary(ast.UAdd())
        elif each.arg == LIST_TO_TUPLE:
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
        if isinstance(below, Null):
            return above, []
        if isinstance(above, Null):
            return below, []
        self.push(above)
        return below, [self.pop()]

    def call(self, arguments, names):
        function, before = self.function_and_self()
        if isinstance(function, With):
            return self.push(Null())
        if isinstance(function, Made) and function.code.co_name in COMPREHENSIONS:
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
        if len(arguments) == 1 and isinstance(arguments[0], Iterator) and not names:
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

    def do_get_iter(self, each):
        self.push(Iterator(self.pop()))

    # -- Generators and imports --------------------------------------------------------------------

    def do_return_generator(self, each):
        self.push(Null())

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
        self.push(Module(each.argval, level.value, None))

    def do_import_from(self, each):
        self.push(Module(self.stack[-1].module, self.stack[-1].level, each.argval))

    @staticmethod
    def import_of(module, name):
        if module.name is not None:
            return ast.ImportFrom(module.module, [ast.alias(module.name, name)], module.level)
        first = module.module.partition(".")[0]
        return ast.Import([ast.alias(module.module, None if name == first else name)])
