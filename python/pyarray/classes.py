"""``jitclass``: classes whose instances compiled code makes and uses."""

import typing as _typing
import unicodedata
from functools import partial

from . import _class_bases, _types_containers, config, types
from ._frameless import frameless
from ._pyarray import Instance, _without_own_frames, class_layout, is_type_code, register_class
from .decorators import njit

_function_type = type(lambda: None)
_counts = {}  # of classes with one name


class JitClassType(type):
    """The class of jitclasses."""

    def __init__(cls, name, bases, namespace):
        for base in bases:
            if isinstance(base, JitClassType):
                raise TypeError(
                    f"cannot subclass from a jitclass: '{base.__name__}'. Write what classes share in a plain Python "
                    "class, from which jitclasses may derive"
                )
        super().__init__(name, bases, namespace)
        cls.__pyarray_done__ = False

    def mro(cls):
        """With the plain classes that the class derives from as it is written, for isinstance()."""
        order = super().mro()
        return order[:-1] + list(cls.__dict__.get("__pyarray_bases__", ())) + order[-1:]

    def __call__(cls, *arguments, **keywords):
        """Make an instance."""
        if not cls.__pyarray_done__:
            _complete(cls)
        return super().__call__(*arguments, **keywords)

    @property
    def class_type(cls):
        """With the type of instances as ``class_type.instance_type``, and the class as written as ``class_def``."""
        return cls.__pyarray_class_type__

    @property
    def __pyarray_jitclass__(cls):
        if "__pyarray_parts__" not in cls.__dict__:
            raise AttributeError("__pyarray_jitclass__")
        if not cls.__pyarray_done__:
            _complete(cls)
        return cls.__pyarray_parts__

    @property
    def __pyarray_layout__(cls):
        if not cls.__pyarray_done__:
            _complete(cls)
        return cls.__pyarray_address__

    def __setattr__(cls, name, value):
        internal = name.startswith("__pyarray_") or name in ("__doc__", "__module__")
        if "__pyarray_parts__" in cls.__dict__ and not internal:
            raise AttributeError(f"jitclass '{cls.__name__}' is compiled: its attribute '{name}' cannot be set")
        super().__setattr__(name, value)


class _ClassType:
    """What Numba calls the type of a class."""

    def __init__(self, class_def, instance_type, name, fields):
        self.class_def, self.instance_type, self.class_name = class_def, instance_type, name
        self.struct = dict(fields)

    def __repr__(self):
        return f"jitclass.{self.class_name}"


# -- Types of fields --------------------------------------------------------------------------------

_PYTHON_TYPES = {
    int: types.int64, float: types.float64, complex: types.complex128, bool: types.boolean, str: types.unicode_type,
    bytes: types.bytes_type, type(None): types.none,
}  # fmt: skip


def as_numba_type(annotation, own=None):
    """The type that compiled code has for a Python type: ``int``, ``list[float]``, ``Optional[Node]``, a jitclass, ...

    Parameters
    ----------
    annotation : type, typing construct or Type
    own : tuple of a class and its Type, optional
        What stands for the class that is being made.

    Raises
    ------
    TypingError
        For a type that compiled code does not have.
    """
    import types as python_types

    from .errors import TypingError

    if isinstance(annotation, types.Type):
        return annotation
    if own and (annotation is own[0] or annotation == own[0].__name__):
        return own[1]
    if isinstance(annotation, JitClassType):
        return annotation.class_type.instance_type
    if isinstance(annotation, type) and annotation in _PYTHON_TYPES:
        return _PYTHON_TYPES[annotation]
    if annotation is None:
        return types.none
    origin, arguments = _typing.get_origin(annotation), _typing.get_args(annotation)
    if origin is _typing.Annotated:
        return as_numba_type(arguments[0], own)
    if origin in (_typing.Union, python_types.UnionType):
        others = [argument for argument in arguments if argument is not type(None)]
        if len(others) == 1 and len(arguments) == 2:
            return types.Optional(as_numba_type(others[0], own))
    elif origin is tuple and Ellipsis not in arguments:
        return types.Tuple([as_numba_type(argument, own) for argument in arguments])
    elif origin is list:
        return types.ListType(as_numba_type(arguments[0], own))
    elif origin is set:
        return types.Set(as_numba_type(arguments[0], own))
    elif origin is dict:
        return types.DictType(*(as_numba_type(argument, own) for argument in arguments))
    import numpy

    if isinstance(annotation, type) and issubclass(annotation, numpy.generic):
        name = "boolean" if annotation is numpy.bool_ else numpy.dtype(annotation).name
        if hasattr(types, name):
            return getattr(types, name)
    raise TypingError(
        f"Cannot infer Numba type of Python type {annotation!r}; "
        "write what it holds, as in list[int] or dict[str, float], or a type of pyarray, such as types.float64[:]"
    )


def _read_spec(cls, order, spec, own):
    """Names and types of fields, from the specification and then from annotations."""
    from .errors import TypingError

    pairs = []
    if spec is not None:
        items = spec.items() if hasattr(spec, "items") else spec
        try:
            pairs = [(name, kind) for name, kind in items]
        except (TypeError, ValueError):
            raise TypeError("spec must be a list of (name, type) pairs or a mapping of names to types") from None
    fields = {}
    for name, kind in pairs:
        if not isinstance(name, str):
            raise TypeError(f"spec keys should be strings, got {name!r}")
        try:  # Python's parser makes one of all spellings of a name
            fields[unicodedata.normalize("NFKC", name)] = as_numba_type(kind, own)
        except TypingError:
            raise TypeError(
                f"the type of field '{name}' must be one of pyarray, such as types.int64, or one of Python, such as "
                f"float or list[int], not {kind!r}"
            ) from None
    annotations = {name: kind for base in order for name, kind in base.__dict__.get("__annotations__", {}).items()}
    if set(annotations) - set(fields):
        try:
            annotations = _typing.get_type_hints(cls, localns={cls.__name__: cls})
        except NameError:
            import sys

            frame = sys._getframe(2)
            while frame and frame.f_globals.get("__name__", "").startswith("pyarray."):
                frame = frame.f_back
            names = {**frame.f_locals, cls.__name__: cls} if frame else {cls.__name__: cls}
            annotations = _typing.get_type_hints(cls, localns=names)
    for name, annotation in annotations.items():
        if name not in fields and not _is_class_variable(annotation):
            fields[name] = as_numba_type(annotation, own)
    return fields


def _is_class_variable(annotation):
    return annotation is _typing.ClassVar or _typing.get_origin(annotation) is _typing.ClassVar


def _check_field(cls, name, kind):
    if not name.isidentifier():
        raise NameError(f"invalid field name {name!r} of jitclass '{cls.__name__}'")
    if isinstance(kind, (types.CPointer, types.FunctionType, types.Omitted)) or not is_type_code(kind.code):
        raise TypeError(f"field '{name}' of '{cls.__name__}' cannot have the type {kind}")


# -- Making the class -------------------------------------------------------------------------------

# Attributes of a class that Python makes, and that are none of its own.
_IGNORED = set(
    "__dict__ __weakref__ __module__ __doc__ __annotations__ __qualname__ __firstlineno__ __static_attributes__ "
    "__annotate__ __annotate_func__ __annotations_cache__ __match_args__ __slots__ __abstractmethods__ _abc_impl "
    "__parameters__ __orig_bases__ __init_subclass__ __class_getitem__ __subclasshook__ _is_protocol "
    "_is_runtime_protocol __protocol_attrs__ __non_callable_proto_members__".split()
)

_SPECIAL = {
    f"__{name}__"
    for name in (
        "abs bool call ceil complex contains delitem divmod eq float floor ge getitem gt hash index init int "
        "invert iter le len lt ne neg next pos repr round setitem str trunc"
    ).split()
}
_BINARY = "add sub mul truediv floordiv mod pow lshift rshift and or xor matmul".split()
_SPECIAL |= {f"__{prefix}{name}__" for name in _BINARY for prefix in ("", "r", "i")}


def _is_special(name):
    return name.startswith("__") and name.endswith("__")


def _init(self):
    pass


def _sort(cls, members):
    """The members of a class as written: methods, getters, setters, static and class methods, constants."""
    tables = methods, getters, setters, statics, class_methods, constants = {}, {}, {}, {}, {}, {}
    for name, home, value in members:
        if name in _IGNORED:
            continue
        if isinstance(value, _function_type):
            if _is_special(name) and name not in _SPECIAL:
                raise TypeError(f"Method '{name}' is not supported.")
            methods[name] = value
        elif isinstance(value, property):
            if value.fdel is not None:
                raise TypeError(f"deleter is not supported: {name}")
            if value.fget is None:
                raise TypeError(f"property '{name}' of jitclass '{cls.__name__}' has no getter")
            getters[name] = value.fget
            if value.fset is not None:
                setters[name] = value.fset
        elif isinstance(value, staticmethod):
            statics[name] = value.__func__
        elif isinstance(value, classmethod):
            class_methods[name] = value.__func__
        elif value is None and name == "__hash__":
            continue
        elif isinstance(value, (bool, int, float, complex, str)) and not _is_special(name):
            constants[name] = value
        else:
            known = "methods, properties, static and class methods, numbers and str are"
            where = f" of {home.__name__}" if home is not cls else ""
            raise TypeError(f"class members are not yet supported: {name}{where} is a {type(value).__name__}; {known}")
    methods.setdefault("__init__", _init)
    return tables


def _name_of(cls):
    base = f"{cls.__module__}:{cls.__qualname__}".replace("[", "(").replace("]", ")").replace("#", "")
    number = _counts.get(base, 0)
    _counts[base] = number + 1
    return f"{base}#{number}"


def _complete(cls):
    """Lay the fields out, once all types that the specification names are defined."""
    code = "(" + "".join(kind.code for kind in cls.__pyarray_fields__.values()) + ")"
    code = _types_containers._without_deferred(code)
    name, names, *tables = cls.__pyarray_parts__
    address, fields = class_layout(name, names, code)
    for field, descriptor in zip(names, fields, strict=True):
        type.__setattr__(cls, field, descriptor)
    type.__setattr__(cls, "__pyarray_address__", address)
    type.__setattr__(cls, "__pyarray_parts__", (name, names, code, *tables[1:]))
    type.__setattr__(cls, "__pyarray_done__", True)


def _bound(function, cls):
    """A class method, which has the class as its first argument."""

    @njit
    def call(*arguments, **keywords):
        return function(cls, *arguments, **keywords)

    return call


def _make(cls, spec):
    if not isinstance(cls, type):
        raise TypeError("class to wrap must be a class")
    order = _class_bases.order_of(cls)
    name = _name_of(cls)
    instance_type = types.ClassInstanceType(name)
    fields = _read_spec(cls, order, spec, (cls, instance_type))
    tables = methods, getters, setters, statics, class_methods, constants = _sort(cls, _class_bases.members_of(order))
    for field, kind in fields.items():
        _check_field(cls, field, kind)
        if any(field in table for table in tables[:5]):
            raise NameError(f"name shadowing: {field}")
        constants.pop(field, None)
    compiled = {function: njit(function) for table in tables[:5] for function in table.values()}
    namespace = {key: cls.__dict__[key] for key in ("__module__", "__doc__", "__annotations__") if key in cls.__dict__}
    namespace.update({key: compiled[function] for key, function in methods.items()})
    namespace.update({key: staticmethod(compiled[function]) for key, function in statics.items()})
    for key, getter in getters.items():
        setter = compiled.get(setters.get(key))
        namespace[key] = property(compiled[getter], setter, doc=getter.__doc__)
    namespace.update(constants)
    if len(order) > 1:
        constants["__pyarray_bases__"] = "".join(name + "\n" for name in _class_bases.register(order[1:]))
    if "__hash__" not in methods and "__eq__" in methods:
        namespace["__hash__"] = None
    namespace.update(__slots__=(), __qualname__=cls.__qualname__)
    made = JitClassType(cls.__name__, (Instance,), namespace)
    for key, function in class_methods.items():
        type.__setattr__(made, key, staticmethod(_bound(compiled[function], made)))
    type.__setattr__(made, "__pyarray_class_type__", _ClassType(cls, instance_type, cls.__name__, fields))
    type.__setattr__(made, "__pyarray_fields__", fields)
    type.__setattr__(made, "__pyarray_parts__", (name, tuple(fields), None, *tables))
    if len(cls.__mro__) > 2:
        type.__setattr__(made, "__pyarray_bases__", cls.__mro__[1:-1])
        type.__setattr__(made, "__bases__", made.__bases__)  # asks for its order again, and calls no __init_subclass__
    register_class(name, made, made)
    if not _types_containers._has_deferred(kind.code for kind in fields.values()):
        _complete(made)
    return made


@frameless
def jitclass(cls_or_spec=None, spec=None):
    """Compile a class: its instances lie on the heap of compiled code, with fields of given types.

    Parameters
    ----------
    cls_or_spec : class, or as `spec`
        The class, or what `spec` is: ``@jitclass``, ``@jitclass(spec)`` and ``jitclass(cls, spec)`` are the forms.
    spec : list of (str, Type), or mapping of str to Type, optional
        Names and types of fields. Annotations of the class give those that it does not name, as Python types. The
        class's own name, as a str, stands for itself.

    Returns
    -------
    class
        Its methods and properties are compiled for the types of each call, from Python and compiled code.

    Raises
    ------
    TypeError, NameError
        For a class that cannot be compiled: one whose bases are no plain Python classes, or with attributes that are no
        constants.
    """
    if cls_or_spec is not None and spec is None and not isinstance(cls_or_spec, type):
        spec, cls_or_spec = cls_or_spec, None

    if cls_or_spec is None:
        return partial(_without_own_frames, _compiled, spec=spec)
    return _compiled(cls_or_spec, spec)


def _compiled(cls, spec):
    return cls if config.DISABLE_JIT else _make(cls, spec)


__all__ = ["jitclass", "as_numba_type"]
