"""Types of users' own objects, which kernels take as pointers: ``typeof_impl``, ``register_model``, ``models``.

The names are those of ``numba.extending``. Of the models those count whose values are one pointer; what a pointer leads
to is for linked code (`pyarray.cuda.declare_device`).
"""

_typers = {}  # of classes
_models = {}  # of classes of types


class _TypeofImpl:
    """``@typeof_impl.register(Class)``: the decorated function gives the type of an instance, ``f(value, context)``."""

    @staticmethod
    def register(kind):
        if not isinstance(kind, type):
            raise TypeError(f"typeof_impl.register() takes a class, not {kind!r}")

        def decorate(function):
            _typers[kind] = function
            return function

        return decorate

    def __call__(self, value, context=None):
        """The type of a value: as registered, or that of compiled code."""
        found = registered_type(value)
        if found is not None:
            return found
        from .decorators import typeof

        return typeof(value)


typeof_impl = _TypeofImpl()


def registered_type(value):
    """What a function that was registered for its class gives, or None."""
    for kind in type(value).__mro__:
        if kind in _typers:
            return _typers[kind](value, None)
    return None


class DataModel:
    def __init__(self, dmm, fe_type, *arguments):
        self._dmm, self._fe_type = dmm, fe_type


class _Models:
    """Kinds of representations, as classes to derive from."""

    class PointerModel(DataModel):
        """A pointer."""

    class OpaqueModel(DataModel):
        """A pointer that is not followed."""

    class PrimitiveModel(DataModel):
        """Something that compiled code has no values of."""

    class StructModel(DataModel):
        """What a pointer may lead to."""


models = _Models


def register_model(kind):
    """``@register_model(TypeClass)`` says how values of types of that class are represented."""

    def decorate(model):
        _models[kind] = model
        return model

    return decorate


def code_of(kind):
    """The type code of a type of a user's class: that of a pointer, or text that is none."""
    for base in type(kind).__mro__:
        if base in _models:
            if issubclass(_models[base], (models.PointerModel, models.OpaqueModel)):
                return "*n"
            break
    return f"!{type(kind).__module__}.{kind.name}"
