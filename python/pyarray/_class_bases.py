"""Base classes of jitclasses: plain Python classes, whose members are compiled for each jitclass of theirs.

Of other plain classes compiled code has what needs no instance: ``Settings.STEPS``, ``Shape.unit()``.

``super().area()`` is decided when the class is made, by its order of bases. The cell ``__class__`` of a function that
uses it holds a module with what is behind the function's own class in that order, and the syntax that the compiler gets
says ``__class__.area(self)``.
"""

import abc
import ast
import functools
import inspect
import sys
import types as python_types

_IN_PYTHON = 1 << 9  # Py_TPFLAGS_HEAPTYPE
_KINDS = {python_types.FunctionType: "method", property: "getter", staticmethod: "static", classmethod: "class"}
_CONSTANTS = (bool, int, float, complex, str)
_NO_CLASSES_OF_USERS = ("typing", "abc", "typing_extensions")  # Generic, Protocol, ABC: nothing in them is compiled
_names = {}  # plain class: its name in IR
_behind = {}  # plain class: what is behind it in the orders of jitclasses
_counts = {}  # of classes with one name


def order_of(cls):
    """The class and its bases in their order, without those that have nothing to compile.

    Raises
    ------
    TypeError
        Where a base is no plain Python class.
    """
    order = []
    for base in cls.__mro__[:-1]:
        if base.__module__ in _NO_CLASSES_OF_USERS:
            continue
        why = _why_not_plain(base, base is cls)
        if why:
            raise TypeError(
                f"class '{cls.__name__}' cannot derive from '{base.__name__}' as a jitclass: {why}; "
                "its bases are plain Python classes, whose methods are compiled for each jitclass"
            )
        order.append(base)
    return order


def _why_not_plain(base, is_own):
    if not base.__flags__ & _IN_PYTHON or base.__module__ == "builtins":
        return "it is not written in Python"
    if not is_own and not issubclass(type(type), type(base)) and not issubclass(type(base), abc.ABCMeta):
        return f"it has the metaclass {type(base).__name__}"
    if not is_own and base.__dict__.get("__slots__"):
        return "it has __slots__"
    return None


def members_of(order):
    """What the class has, of each name the first in the order of its bases: (name, class, value) each.

    Raises
    ------
    TypeError
        Where a method is abstract.
    """
    found = {name: (base, value) for base in reversed(order) for name, value in base.__dict__.items()}
    abstract = sorted(name for name, (_, value) in found.items() if getattr(value, "__isabstractmethod__", False))
    if abstract:
        one = len(abstract) == 1
        raise TypeError(
            f"jitclass '{order[0].__name__}' has no instances, since it is abstract: define its "
            f"method{'s'[one:]} {', '.join(map(repr, abstract))}"
        )
    supers = _Supers(order)
    return [(name, base, supers.bound(base, value)) for name, (base, value) in found.items()]


class _Supers:
    """What ``super()`` means in the functions of a class and its bases."""

    def __init__(self, order):
        self.order, self.modules, self.copies = order, {}, {}

    def bound(self, base, value):
        """``value``, a member of ``base``, whose functions have their ``super()`` decided."""
        value = getattr(value, "py_func", value)
        if isinstance(value, python_types.FunctionType):
            return self.function(base, value)
        if isinstance(value, property):
            parts = (part and self.bound(base, part) for part in (value.fget, value.fset, value.fdel))
            return property(*parts, doc=value.__doc__)
        if isinstance(value, (staticmethod, classmethod)):
            return type(value)(self.bound(base, value.__func__))
        return value

    def function(self, base, function):
        free = function.__code__.co_freevars
        if "__class__" not in free:
            return function
        if (base, function) not in self.copies:
            cells = list(function.__closure__)
            cells[free.index("__class__")] = python_types.CellType(self.behind(base))
            copy = python_types.FunctionType(
                function.__code__, function.__globals__, function.__name__, function.__defaults__, tuple(cells)
            )
            copy.__kwdefaults__, copy.__doc__ = function.__kwdefaults__, function.__doc__
            copy.__qualname__, copy.__module__ = function.__qualname__, function.__module__
            self.copies[base, function] = copy
        return self.copies[base, function]

    def behind(self, base):
        """The members behind ``base``, compiled, as a module."""
        from .decorators import njit

        if base in self.modules:
            return self.modules[base]
        names = [f"{part.__module__}.{part.__qualname__}" for part in (self.order[0], base)]
        made = self.modules[base] = python_types.ModuleType(f"super of {names[0]} behind {names[1]}")
        made.__pyarray_class__ = base
        made.__pyarray_kinds__ = kinds = {"__init__": "method"}
        made.__init__ = njit(_no_init)
        for other in reversed(self.order[self.order.index(base) + 1 :]):
            for name, value in other.__dict__.items():
                value = getattr(value, "py_func", value)
                kind = _KINDS.get(type(value), "constant")
                if kind == "constant" and (not isinstance(value, _CONSTANTS) or name.startswith("__")):
                    continue
                kinds[name] = kind
                if kind == "getter":
                    value = value.fget
                elif kind in ("static", "class"):
                    value = value.__func__
                value = self.bound(other, value)
                setattr(made, name, value if kind == "constant" else njit(value))
        return made


def _no_init(self):
    pass


# -- Syntax -----------------------------------------------------------------------------------------


class _Rewriter(ast.NodeTransformer):
    def __init__(self, function, supers):
        self.function, self.supers = function, supers

    def refuse(self, node, text):
        from ._report import place
        from .errors import TypingError

        file = self.function.__code__.co_filename
        raise TypingError(text + place(file, node.lineno, node.col_offset + 1), file=file, line=node.lineno)

    def is_super(self, node):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "super"):
            return False
        own = self.function.__code__.co_varnames[:1]
        if not node.args:
            return True
        base = node.args[0].id if isinstance(node.args[0], ast.Name) else None
        known = base in (self.supers.__pyarray_class__.__name__, "__class__")
        if len(node.args) == 2 and known and isinstance(node.args[1], ast.Name) and node.args[1].id in own:
            return True
        self.refuse(node, "super() of another class or object than the method's own is not decided when it is compiled")

    def member(self, node, called):
        """(kind, the attribute of the module) of ``super().name``."""
        name = node.attr
        kind = self.supers.__pyarray_kinds__.get(name)
        if kind is None or not isinstance(node.ctx, ast.Load):
            self.refuse(node, f"'super' object has no attribute '{name}'")
        if kind == "method" and not called:
            self.refuse(node, f"the method super().{name} is compiled where it is called at once: super().{name}(...)")
        module = ast.copy_location(ast.Name("__class__", ast.Load()), node)
        return kind, ast.copy_location(ast.Attribute(module, name, ast.Load()), node)

    def first(self, node):
        return ast.copy_location(ast.Name(self.function.__code__.co_varnames[0], ast.Load()), node)

    def visit_Call(self, node):
        called = node.func
        if isinstance(called, ast.Attribute) and self.is_super(called.value):
            kind, member = self.member(called, True)
            if kind in ("method", "class"):
                node.args.insert(0, self.first(called))
            node.func = member if kind != "getter" else self.visit(called)
            node.args = [self.visit(argument) for argument in node.args]
            node.keywords = [self.visit(keyword) for keyword in node.keywords]
            return node
        if self.is_super(node):
            self.refuse(node, "super() is compiled where a member of it is named at once: super().area()")
        return self.generic_visit(node)

    def visit_Attribute(self, node):
        if not self.is_super(node.value):
            return self.generic_visit(node)
        kind, member = self.member(node, False)
        if kind != "getter":
            return member
        return ast.copy_location(ast.Call(member, [self.first(node)], []), node)


def with_supers(function, node):
    """The syntax of a function, in which ``super().name`` is what that is decided to be."""
    cell = function.__closure__[function.__code__.co_freevars.index("__class__")]
    try:
        supers = cell.cell_contents
    except ValueError:
        return node
    return _Rewriter(function, supers).visit(node) if hasattr(supers, "__pyarray_kinds__") else node


# -- Names of plain classes, for isinstance() and for what compiled code reads of them ----------------


def register(bases):
    """Let compiled code know these classes, bases of a jitclass; gives their names in IR."""
    from . import extending

    for place, base in enumerate(bases):
        _behind.setdefault(base, set()).add(tuple(bases[place + 1 :]))
        if base not in _names:
            text = f"{base.__module__}.{base.__qualname__}"
            number = _counts[text] = _counts.get(text, -1) + 1
            _names[base] = extending._names[id(base)] = f"overload:{text}#base{number}"
            extending._kept.append(base)
    return [_names[base] for base in bases]


def attribute(cls, name):
    """(what ``cls.name`` is in compiled code,), or None where it is nothing that compiled code can have.

    Text says why it is refused: it uses ``super()``, which is not the same for all jitclasses of that base.
    """
    if cls not in _names:
        held = _held_by_plain(cls)
        return (held[name],) if held and name in held else None
    from .decorators import njit

    for base in cls.__mro__[:-1]:
        value = base.__dict__.get(name)
        value = getattr(value, "py_func", value)
        value = value.__func__ if isinstance(value, staticmethod) else value
        if isinstance(value, python_types.FunctionType):
            if _has_several_supers(base, value):
                return (
                    f"{cls.__name__}.{name} uses super(), which is not the same in all classes that derive from "
                    f"'{base.__name__}'\nhint: call super().{name}() or self.{name}() instead"
                )
            if value not in _functions:
                _functions[value] = njit(_Supers(order_of(base)).function(base, value))
            return (_functions[value],)
        if isinstance(value, _CONSTANTS):
            return (value,)
    return None


_functions = {}  # function of a plain class: compiled, for calls by the class's name


def _has_several_supers(base, function):
    """Whether ``super()`` in a function of a class is not always what is behind that class in its own order."""
    return "__class__" in function.__code__.co_freevars and _behind[base] != {tuple(order_of(base)[1:])}


def contents(cls):
    """What compiled code may have of a plain class: for keys of the disk cache. None for all other classes."""
    if cls not in _names:
        return None
    order = cls.__mro__[:-1]  # what is hidden is what super() finds
    held = {f"{k} {name}": value for k, base in enumerate(order) for name, value in base.__dict__.items()}
    held = {name: value.__func__ if isinstance(value, staticmethod) else value for name, value in held.items()}
    return {name: value for name, value in held.items() if isinstance(value, (python_types.FunctionType, *_CONSTANTS))}


# -- Plain classes that no jitclass derives from: their constants and static methods ------------------

_NOT_HELD = (  # what is not the same for the class and in it
    classmethod, property, python_types.MemberDescriptorType, python_types.GetSetDescriptorType,
    functools.cached_property, functools.partialmethod,
)  # fmt: skip


def _is_known(cls):
    """Whether it is ours or NumPy's: ``objmode``, of which nothing but its name says what code does with it."""
    return cls.__module__.partition(".")[0] in ("pyarray", "numpy")


def _held_by_plain(cls):
    """What the compiler takes for ``cls.name``, by name: of a user's class that compiled code knows nothing else of.

    Constants, static methods, and methods that are compiled functions, which need no instance. None for other classes.
    """
    is_plain = cls.__flags__ & _IN_PYTHON and type(cls) in (type, abc.ABCMeta) and not _is_known(cls)
    if not is_plain or issubclass(cls, (BaseException, tuple)):
        return None
    overloaded = id(cls) in getattr(sys.modules.get("pyarray.extending"), "_names", ())
    if overloaded or hasattr(cls, "__pyarray_jitclass__") or hasattr(cls, "__pyarray_key__"):
        return None
    held = {}
    for base in reversed(cls.__mro__[:-1]):
        if not base.__flags__ & _IN_PYTHON or _is_known(base):
            continue
        held.update(base.__dict__)
    held = {name: value.__func__ if isinstance(value, staticmethod) else value for name, value in held.items()}
    return {name: value for name, value in held.items() if _is_held(cls, name, value)}


def _is_held(cls, name, value):
    if name.startswith("__") or isinstance(value, _NOT_HELD):
        return False
    is_method = isinstance(value, python_types.FunctionType) and not hasattr(value, "__pyarray_dispatcher__")
    return not is_method or isinstance(inspect.getattr_static(cls, name), staticmethod)


def held(cls):
    """What compiled code may have of a class that it does not know otherwise: for keys of the disk cache."""
    return None if cls in _names else _held_by_plain(cls)
