"""Numba's mutable structs, for which ``jitclass`` stands here (``docs/jitclass.md``)."""

_NAMES = "StructRefProxy define_attributes define_boxing define_constructor define_proxy new register".split()


def __getattr__(name):
    if name not in _NAMES:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    from ..errors import UnsupportedError

    raise UnsupportedError(
        f"structref.{name} is not supported: write the struct as a @jitclass, whose instances are as cheap"
    )
