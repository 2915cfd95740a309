"""What only Numba has, as `import numba` of a library asks for it after `install_as_numba`.

A module imports what it extends Numba by (``box``, ``lower_builtin``, ``core.cgutils``) at its top, beside functions
that have nothing to do with it. So these names are there: as decorators they leave a function as it is, as bases of
classes they add nothing, and a compiled function that uses one is refused.
"""

import sys
from importlib.machinery import ModuleSpec
from types import ModuleType

_wanted = False

# Called with a function, these give a decorator of another one; what has other names may decorate it itself.
_OF_A_FUNCTION = ("type_callable", "infer_global", "lower_builtin")

# What Numba of today has not, either: programs ask for these to see how old it is.
_GONE = ("generated_jit", "autojit")


def begin():
    """From now on."""
    global _wanted
    _wanted = True


class Placeholder:
    """A function, decorator or class of Numba's."""

    def __init__(self, name, advice, was_called=False):
        self._name, self._advice, self._was_called = name, advice, was_called
        self.__doc__ = f"{name} is not here: {advice}."

    def __call__(self, *arguments, **keywords):
        """Give what a decorator gives: what it decorates, or, called with anything else, another decorator."""
        decorated = (type(begin), type) if self._was_called else type(begin)
        if not self._was_called and self._name.rpartition(".")[2] in _OF_A_FUNCTION:
            decorated = ()
        if len(arguments) == 1 and not keywords and isinstance(arguments[0], decorated):
            return arguments[0]
        return Placeholder(self._name, self._advice, True)

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        if self._name.endswith(".cgutils"):
            from ._llvmlite_code import CGUTILS

            if name in CGUTILS:
                return CGUTILS[name]
        return Placeholder(f"{self._name}.{name}", self._advice)

    def __mro_entries__(self, bases):
        return (_Base,)

    def __repr__(self):
        return f"<{self._name}, which is not here: {self._advice}>"


class _Base:
    """Of classes whose base Numba has."""

    def __init__(self, *arguments, **keywords):
        pass


class _Module(ModuleType):
    def __init__(self, name, advice):
        super().__init__(name)
        self.__dict__.update(__path__=[], __all__=[], _advice=advice)

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}", name=name)
        return placeholder_of(self.__name__, name, self._advice)


def placeholder_of(module, name, advice):
    """What ``module.name`` is, or None where there are no placeholders."""
    if not _wanted or name in _GONE:
        return None
    whole = f"{module}.{name}"
    return sys.modules.get(whole) or Placeholder(whole.replace(__package__, "numba", 1), advice)


class _Loader:
    def create_module(self, spec):
        return _Module(spec.name, spec.loader_state)

    def exec_module(self, module):
        pass


def spec_of(name, advice):
    """How to make the module of that name, or None where there are no placeholders."""
    if not _wanted or name.rpartition(".")[2] in _GONE:
        return None
    return ModuleSpec(name, _Loader(), loader_state=advice, is_package=True)
