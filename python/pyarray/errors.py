"""Errors and warnings, with the names and the hierarchy of ``numba.core.errors``."""

#: Exception classes that no module holds, by "module:qualname": compiled code that raises one has its name alone.
_local_exceptions = {}


class PyArrayError(Exception):
    """Base of all errors of the compiler.

    Attributes
    ----------
    msg : str
        The whole text.
    file, line, column
        The place in the user's source, counted from 1, or None.
    """

    def __init__(self, msg="", loc=None, file=None, line=None, column=None):
        super().__init__(msg)
        self.msg = msg
        self.loc = loc
        self.file, self.line, self.column = file, line, column


NumbaError = PyArrayError


class TypingError(PyArrayError):
    """The types of a function do not work out."""


class UnsupportedError(PyArrayError):
    """A construct outside the compiled subset of Python."""


class LoweringError(PyArrayError):
    """Code could not be generated."""


class CompilerError(PyArrayError):
    """The compiler failed."""


class InternalError(PyArrayError):
    """A defect of pyarray."""


class LinkerError(RuntimeError):
    """Code that a kernel is to be linked with is missing, or does not fit."""


class IRError(PyArrayError):
    """Malformed intermediate representation."""


class VerificationError(PyArrayError):
    """The intermediate representation broke a rule."""


class DeprecationError(PyArrayError):
    """Something that is no longer offered."""


class ByteCodeSupportError(PyArrayError):
    """Kept for Numba's hierarchy."""


class ConstantInferenceError(PyArrayError):
    """A value had to be known at compile time."""


class ForceLiteralArg(PyArrayError):
    """Kept for Numba's hierarchy."""


class NumbaRuntimeError(PyArrayError):
    """Kept for Numba's hierarchy."""


class RedefinedError(IRError):
    """A name was defined twice."""


class NotDefinedError(IRError):
    """A name was used before its definition."""


class UnsupportedBytecodeError(PyArrayError):
    """Kept for Numba's hierarchy."""


class UnsupportedRewriteError(UnsupportedError):
    """Kept for Numba's hierarchy."""


class ForbiddenConstruct(LoweringError):
    """Kept for Numba's hierarchy."""


class UFuncTypeError(TypingError, TypeError):
    """No loop of a ufunc takes such types. NumPy raises TypeError here."""


class UntypedAttributeError(TypingError):
    """A value has no such attribute."""


class RequireLiteralValue(TypingError):
    """A literal value was needed."""


class LiteralTypingError(TypingError):
    """A value has no literal type."""


class NumbaTypeError(TypingError, TypeError):
    """TypeError of the compiler."""


class NumbaValueError(TypingError):
    """ValueError of the compiler."""


class NumbaIndexError(TypingError):
    """IndexError of the compiler."""


class NumbaAttributeError(TypingError):
    """AttributeError of the compiler."""


class NumbaAssertionError(TypingError):
    """AssertionError of the compiler."""


class NumbaNotImplementedError(TypingError):
    """NotImplementedError of the compiler."""


class NumbaKeyError(TypingError):
    """KeyError of the compiler."""


class NumbaWarning(Warning):
    """Base of all warnings."""


class NumbaPerformanceWarning(NumbaWarning):
    """Compiled code may be slow."""


class OverflowWarning(NumbaWarning):
    """A constant expression exceeds int64, and wraps."""


class UnreachableCodeWarning(NumbaWarning):
    """A statement that is never executed."""


class NumbaDeprecationWarning(NumbaWarning, DeprecationWarning):
    """Will go away."""


class NumbaPendingDeprecationWarning(NumbaWarning, PendingDeprecationWarning):
    """Will go away later."""


class NumbaParallelSafetyWarning(NumbaWarning):
    """A parallel loop may race."""


class NumbaTypeSafetyWarning(NumbaWarning):
    """A conversion may lose information."""


class NumbaExperimentalFeatureWarning(NumbaWarning):
    """An experimental feature."""


class NumbaInvalidConfigWarning(NumbaWarning):
    """A setting makes no sense."""


class NumbaPedanticWarning(NumbaWarning):
    """Advice."""


class NumbaIRAssumptionWarning(NumbaPedanticWarning):
    """Kept for Numba's hierarchy."""


class NumbaDebugInfoWarning(NumbaWarning):
    """Debug information is incomplete."""


class NumbaSystemWarning(NumbaWarning):
    """The system limits what can be done."""


__all__ = [name for name, value in list(globals().items()) if isinstance(value, type)]
