"""CUDA's vector types: ``float32x4`` and its like, also under the names of CUDA C++, ``float4`` (docs/cuda.md)."""

from operator import itemgetter as _itemgetter

import numpy as _np

_ELEMENTS = {
    "int8": ("b", "char"),
    "int16": ("h", "short"),
    "int32": ("i", "int"),
    "int64": ("q", "long longlong"),
    "uint8": ("B", "uchar"),
    "uint16": ("H", "ushort"),
    "uint32": ("I", "uint"),
    "uint64": ("Q", "ulong ulonglong"),
    "float32": ("f", "float"),
    "float64": ("d", "double"),
}


class _Scalar(_np.void):
    """A vector as NumPy has it: an element of an array. Elements are read as attributes, and by index or name."""

    __slots__ = ()

    def __repr__(self):
        return f"{type(self).__name__[1:]}({', '.join(map(str, self))})"

    __str__ = __repr__


class VectorType(type):
    """The type of ``cuda.float32x4`` and its like. ``dtype`` is the NumPy dtype of their arrays."""

    def __call__(cls, *parts):
        names = cls.dtype.names
        elements = [element for part in parts for element in cls._elements_of(part)]
        if len(elements) != len(names):
            raise TypeError(
                f"{cls.__name__}() takes numbers and vectors with {len(names)} element{'s' * (len(names) > 1)} "
                f"together, {len(elements)} were given"
            )
        array = _np.zeros((), cls.dtype)
        with _np.errstate(over="ignore"):
            for name, element in zip(names, elements):
                cls._store(array, name, element)
        return array[()]

    def _store(cls, array, name, element):
        try:
            array[name] = element
        except (OverflowError, TypeError, ValueError) as error:
            raise type(error)(f"{cls.__name__}(): {name} is {element!r}, which {cls.dtype[0]} does not hold") from None

    def _elements_of(cls, part):
        if not isinstance(part, _Scalar):
            is_number = hasattr(type(part), "__float__") or hasattr(type(part), "__index__")
            if not is_number or getattr(part, "shape", ()) or _np.iscomplexobj(part):
                raise TypeError(f"{cls.__name__}() takes numbers and vectors, not {type(part).__name__}")
            return (part,)
        if part.dtype[0] != cls.dtype[0]:
            given = type(part).__name__[1:]
            raise TypeError(f"{cls.__name__}() does not take a {given}, whose elements have another type")
        return tuple(part)

    def __instancecheck__(cls, value):
        return isinstance(value, cls.dtype.type)


def _make(element, letter, count):
    name = f"{element}x{count}"
    elements = {axis: property(_itemgetter(axis), doc=f"Element {axis}.") for axis in "xyzw"[:count]}
    members = {"__slots__": (), "__module__": __name__, "code": f"x({letter * count})", **elements}
    scalar = type(f"_{name}", (_Scalar,), members)
    dtype = _np.dtype((scalar, [(axis, element) for axis in "xyzw"[:count]]))
    text = (
        f"{count} {element} in one value, made of numbers and of vectors of {element} with as many elements together."
    )
    return scalar, VectorType(name, (), {"__slots__": (), "__module__": __package__, "__doc__": text, "dtype": dtype})


_BY_CODE = {}
__all__ = []
for _element, (_letter, _aliases) in _ELEMENTS.items():
    for _count in range(1, 5):
        _scalar, _class = _make(_element, _letter, _count)
        _BY_CODE[_scalar.code] = _class
        globals()[_scalar.__name__] = _scalar
        for _name in (f"{_element}x{_count}", *(f"{_alias}{_count}" for _alias in _aliases.split())):
            globals()[_name] = _class
            __all__.append(_name)


def dtype_of_code(code):
    """The dtype of vectors with the code ``x(ffff)``. KeyError where there is none."""
    return _BY_CODE[code].dtype
