"""NVIDIA's libdevice in kernels, under the names of ``numba.cuda.libdevice``: ``libdevice.sinf(x)``.

Arguments are converted to the types of the parameters. What libdevice returns through pointers is part of a tuple:
``fraction, exponent = libdevice.frexp(x)``. The functions and their types: ``lib/support/libdevice.def``.
"""

from .._pyarray import cuda as _cuda

_TYPES = {"h": "int16", "i": "int32", "q": "int64", "f": "float32", "d": "float64"}


class Function:
    """A function of libdevice; only compiled code calls it."""

    def __init__(self, name, parameters, code):
        self.__name__, self._parameters, self._code = name, parameters.split(","), code
        shown = ", ".join(f"{p}: {t}" for p, t in zip(self._parameters, self.argument_types, strict=True))
        self.__doc__ = f"``__nv_{name}({shown}) -> {', '.join(self.result_types)}``"

    @property
    def argument_types(self):
        """Names of the parameters' types."""
        return tuple(_TYPES[code] for code in self._code.partition(">")[0])

    @property
    def result_types(self):
        """Names of the results' types."""
        return tuple(_TYPES[code] for code in self._code.partition(">")[2].replace("*", ""))

    @property
    def __signature__(self):
        from inspect import Parameter, Signature

        return Signature([Parameter(name, Parameter.POSITIONAL_OR_KEYWORD) for name in self._parameters])

    def __call__(self, *arguments, **keywords):
        """Raises RuntimeError."""
        raise RuntimeError(f"cuda.libdevice.{self.__name__} is only for functions that are compiled for a GPU")

    def __repr__(self):
        return f"<cuda.libdevice.{self.__name__}>"


globals().update((name, Function(name, *rest)) for name, *rest in _cuda.libdevice_table())
