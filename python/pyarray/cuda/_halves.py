"""``cuda.fp16`` and ``cuda.bf16``: float16 and bfloat16 in kernels, as numba-cuda names it all (docs/cuda.md)."""

from ._device import _function, _module


def _bfloat16_dtype():
    from ..records import bfloat16_dtype

    return bfloat16_dtype()


_FUNCTIONS = {
    "hadd": ("a, b", "``a + b``."),
    "hsub": ("a, b", "``a - b``."),
    "hmul": ("a, b", "``a * b``."),
    "hdiv": ("a, b", "``a / b``."),
    "hfma": ("a, b, c", "``a * b + c``, rounded once."),
    "hadd_rn": ("a, b", "``a + b``, rounded: never part of a fused multiplication and addition."),
    "hsub_rn": ("a, b", "``a - b``, rounded: never part of a fused multiplication and addition."),
    "hmul_rn": ("a, b", "``a * b``, rounded: never part of a fused multiplication and addition."),
    "hadd_sat": ("a, b", "``a + b`` within 0 and 1; of NaN 0."),
    "hsub_sat": ("a, b", "``a - b`` within 0 and 1; of NaN 0."),
    "hmul_sat": ("a, b", "``a * b`` within 0 and 1; of NaN 0."),
    "hfma_sat": ("a, b, c", "``a * b + c``, rounded once, within 0 and 1; of NaN 0."),
    "hfma_relu": ("a, b, c", "``a * b + c``, rounded once; 0 where it is negative."),
    "hneg": ("a", "``-a``."),
    "habs": ("a", "The absolute value."),
    "hmax": ("a, b", "The greater one; of a number and NaN the number."),
    "hmin": ("a, b", "The lesser one; of a number and NaN the number."),
    "hmax_nan": ("a, b", "The greater one; NaN if either is."),
    "hmin_nan": ("a, b", "The lesser one; NaN if either is."),
    "heq": ("a, b", "``a == b``."),
    "hne": ("a, b", "Whether the two are numbers and differ: False where one is NaN."),
    "hlt": ("a, b", "``a < b``."),
    "hle": ("a, b", "``a <= b``."),
    "hgt": ("a, b", "``a > b``."),
    "hge": ("a, b", "``a >= b``."),
    "hequ": ("a, b", "``a == b``, or one is NaN."),
    "hneu": ("a, b", "``a != b``, or one is NaN."),
    "hltu": ("a, b", "``a < b``, or one is NaN."),
    "hleu": ("a, b", "``a <= b``, or one is NaN."),
    "hgtu": ("a, b", "``a > b``, or one is NaN."),
    "hgeu": ("a, b", "``a >= b``, or one is NaN."),
    "hisnan": ("a", "1 if it is NaN, else 0: an int32."),
    "hisinf": ("a", "1 or -1 if it is infinite, else 0: an int32."),
    "hsin": ("a", "The sine."),
    "hcos": ("a", "The cosine."),
    "htanh": ("a", "The hyperbolic tangent."),
    "htanh_approx": ("a", "The hyperbolic tangent; as exact as `htanh`."),
    "hexp": ("a", "The exponential."),
    "hexp2": ("a", "2 to the power of ``a``."),
    "hexp10": ("a", "10 to the power of ``a``."),
    "hlog": ("a", "The natural logarithm."),
    "hlog2": ("a", "The logarithm to the base 2."),
    "hlog10": ("a", "The logarithm to the base 10."),
    "hsqrt": ("a", "The square root."),
    "hrsqrt": ("a", "``1 / sqrt(a)``."),
    "hrcp": ("a", "``1 / a``."),
    "hfloor": ("a", "The greatest whole number that is not above ``a``."),
    "hceil": ("a", "The least whole number that is not below ``a``."),
    "hrint": ("a", "The nearest whole number, the even one of two."),
    "htrunc": ("a", "``a`` without its fraction."),
}
_ROUNDINGS = {"rn": "to the nearest", "rz": "towards zero", "rd": "downwards", "ru": "upwards"}
_C_NAMES = {
    "int8": "char",
    "uint8": "uchar",
    "int16": "short",
    "uint16": "ushort",
    "int32": "int",
    "uint32": "uint",
    "int64": "ll",
    "uint64": "ull",
    "float32": "float",
    "float64": "double",
}
_INTEGERS = [name for name in _C_NAMES if "int" in name and not name.endswith("t8")]


def _conversions(half, to, back):
    """Names and documentation of conversions; ``to`` and ``back`` make the name of a type's."""
    single = {back("float32", ""): f"A {half} as a float32, which is exact."}
    sources = ["float32", *_INTEGERS, *(["float64"] if half == "bfloat16" else [])]
    return {
        **{to(kind, ""): f"A {kind} as a {half}, rounded to the nearest." for kind in ("float32", "float64")},
        **single,
        **{
            to(kind, f"_{r}"): f"A {kind} as a {half}, rounded {how}."
            for kind in sources
            for r, how in _ROUNDINGS.items()
        },
        **{
            back(kind, f"_{r}"): f"A {half} as {kind}, rounded {how}; the nearest there is, and 0 of NaN."
            for kind in ("int8", "uint8", *_INTEGERS)
            for r, how in _ROUNDINGS.items()
            if r == "rz" or kind in _INTEGERS
        },
    }


def _members(name, conversions, bits):
    functions = {
        **_FUNCTIONS,
        **{key: ("x", text) for key, text in conversions.items()},
        **{key: ("a", text) for key, text in bits.items()},
    }
    return {key: _function(f"{name}.{key}", parameters, text) for key, (parameters, text) in functions.items()}


class _Bfloat16(type):
    """The type of ``cuda.bf16.bfloat16``."""

    @property
    def dtype(cls):
        """That of ml_dtypes. TypeError where this package is not installed."""
        return _bfloat16_dtype()

    def __call__(cls, value=0.0):
        return _bfloat16_dtype().type(value)

    def __instancecheck__(cls, value):
        return type(value).__name__ == "bfloat16" and type(value) is _bfloat16_dtype().type


class bfloat16(metaclass=_Bfloat16):
    """A number with float32's range and 8 binary digits. Kernels make one of any real number by ``bfloat16(x)``,
    rounded to the nearest, and have arrays of them: ``cuda.shared.array(8, bfloat16)``. On the host it makes a scalar
    of ``ml_dtypes``, and is its dtype.
    """


def _bf16_name(kind, rest):
    return f"{kind}_to_bfloat16{rest}"


def _bf16_back(kind, rest):
    return f"bfloat16_to_{kind}{rest}"


_BF16_BITS = {
    "bfloat16_as_int16": "The bits of a bfloat16 as an int16.",
    "bfloat16_as_uint16": "The bits of a bfloat16 as a uint16.",
    "int16_as_bfloat16": "The bfloat16 whose bits an int16 has.",
    "uint16_as_bfloat16": "The bfloat16 whose bits a uint16 has.",
}
_FP16_BITS = {
    "half_as_short": "The bits of a float16 as an int16.",
    "half_as_ushort": "The bits of a float16 as a uint16.",
    "short_as_half": "The float16 whose bits an int16 has.",
    "ushort_as_half": "The float16 whose bits a uint16 has.",
}

_bf16_members = _members("bf16", _conversions("bfloat16", _bf16_name, _bf16_back), _BF16_BITS)
_fp16_members = _members(
    "fp16",
    _conversions(
        "float16", lambda kind, rest: f"{_C_NAMES[kind]}2half{rest}", lambda kind, rest: f"half2{_C_NAMES[kind]}{rest}"
    ),
    _FP16_BITS,
)


def _c_name(name):
    """CUDA C++'s name of a conversion of bfloat16, without its underscores: ``short2bfloat16_rn``."""
    for kind, other in sorted(_C_NAMES.items(), key=lambda item: -len(item[0])):
        if name.startswith(f"{kind}_to_") or name.startswith(f"{kind}_as_"):
            return name.replace(f"{kind}_to_", f"{other}2").replace(f"{kind}_as_", f"{other}_as_")
        if name.startswith((f"bfloat16_to_{kind}", f"bfloat16_as_{kind}")):
            return name.replace(f"bfloat16_to_{kind}", f"bfloat162{other}").replace(
                f"bfloat16_as_{kind}", f"bfloat16_as_{other}"
            )
    return name


bf16 = _module(
    "bf16",
    "Functions of bfloat16. Other real numbers are rounded to it; each result is rounded to the nearest, once.",
    bfloat16=bfloat16,
    **_bf16_members,
    **{_c_name(name): function for name, function in _bf16_members.items() if _c_name(name) != name},
)
fp16 = _module(
    "fp16",
    "Functions of float16. Other real numbers are rounded to it; each result is rounded to the nearest, once.",
    **_fp16_members,
    **{f"__{name}": function for name, function in _fp16_members.items()},
)
__all__ = ["bf16", "fp16"]
