"""Types of functions that are chosen at run time."""

from ._types_arrays import Array
from ._types_basic import Signature, Type
from ._types_containers import BaseTuple, Optional


def _holds_arrays(kind):
    parts = kind.types if isinstance(kind, BaseTuple) else [kind.type] if isinstance(kind, Optional) else ()
    return any(isinstance(part, Array) or _holds_arrays(part) for part in parts)


class WrapperAddressProtocol:
    """To derive from: an object that compiled code calls as a C function."""

    def __wrapper_address__(self):
        """The address of the function."""
        raise NotImplementedError(f"{type(self).__name__} has no __wrapper_address__()")

    def signature(self):
        """Its signature, or `FunctionType`."""
        raise NotImplementedError(f"{type(self).__name__} has no signature()")


class FunctionType(Type):
    """A compiled function of one signature, whichever it is: ``FunctionType(float64(float64))``.

    Parameters
    ----------
    signature : Signature

    Raises
    ------
    TypeError
        Where that is no signature, or has arrays within tuples or optionals as arguments.
    """

    __slots__ = ("signature",)

    def __init__(self, signature):
        if not isinstance(signature, Signature):
            raise TypeError(f"FunctionType takes a signature, such as float64(float64), not {signature!r}")
        for kind in signature.args:
            if _holds_arrays(kind):
                raise TypeError(f"an argument of a FunctionType cannot be {kind}: arrays are arguments of their own")
        self.signature = signature
        arguments = ", ".join(map(str, signature.args))
        code = f"*:({''.join(kind.code for kind in signature.args)}){signature.return_type.code}"
        super().__init__(f"FunctionType[{signature.return_type}({arguments})]", code)

    return_type = property(lambda self: self.signature.return_type)
    nargs = property(lambda self: len(self.signature.args))
