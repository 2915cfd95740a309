"""Operators as functions."""

import builtins
from numbers import Integral


def add(a, b, /):
    """``a + b``."""
    return a + b


def and_(a, b, /):
    """``a & b``."""
    return a & b


def concat(a, b, /):
    """``a + b``."""
    return a + b


def eq(a, b, /):
    """``a == b``."""
    return a == b


def floordiv(a, b, /):
    """``a // b``."""
    return a // b


def ge(a, b, /):
    """``a >= b``."""
    return a >= b


def gt(a, b, /):
    """``a > b``."""
    return a > b


def is_(a, b, /):
    """``a is b``."""
    return a is b


def is_not(a, b, /):
    """``a is not b``."""
    return a is not b


def le(a, b, /):
    """``a <= b``."""
    return a <= b


def lshift(a, b, /):
    """``a << b``."""
    return a << b


def lt(a, b, /):
    """``a < b``."""
    return a < b


def matmul(a, b, /):
    """``a @ b``."""
    return a @ b


def mod(a, b, /):
    """``a % b``."""
    return a % b


def mul(a, b, /):
    """``a * b``."""
    return a * b


def ne(a, b, /):
    """``a != b``."""
    return a != b


def or_(a, b, /):
    """``a | b``."""
    return a | b


def pow(a, b, /):
    """``a ** b``."""
    return a**b


def rshift(a, b, /):
    """``a >> b``."""
    return a >> b


def sub(a, b, /):
    """``a - b``."""
    return a - b


def truediv(a, b, /):
    """``a / b``."""
    return a / b


def xor(a, b, /):
    """``a ^ b``."""
    return a ^ b


def iadd(a, b, /):
    """``a += b``."""
    a += b
    return a


def iand(a, b, /):
    """``a &= b``."""
    a &= b
    return a


def ifloordiv(a, b, /):
    """``a //= b``."""
    a //= b
    return a


def ilshift(a, b, /):
    """``a <<= b``."""
    a <<= b
    return a


def imod(a, b, /):
    """``a %= b``."""
    a %= b
    return a


def imul(a, b, /):
    """``a *= b``."""
    a *= b
    return a


def ior(a, b, /):
    """``a |= b``."""
    a |= b
    return a


def ipow(a, b, /):
    """``a **= b``."""
    a **= b
    return a


def irshift(a, b, /):
    """``a >>= b``."""
    a >>= b
    return a


def isub(a, b, /):
    """``a -= b``."""
    a -= b
    return a


def itruediv(a, b, /):
    """``a /= b``."""
    a /= b
    return a


def ixor(a, b, /):
    """``a ^= b``."""
    a ^= b
    return a


def iconcat(a, b, /):
    """``a += b``."""
    a += b
    return a


def abs(a, /):
    """``abs(a)``."""
    return builtins.abs(a)


def neg(a, /):
    """``-a``."""
    return -a


def pos(a, /):
    """``+a``."""
    return +a


def inv(a, /):
    """``~a``."""
    return ~a


def invert(a, /):
    """``~a``."""
    return ~a


def not_(a, /):
    """``not a``."""
    return not a


def truth(a, /):
    """``bool(a)``."""
    return True if a else False


def index(a, /):
    """The integer ``a``."""
    if isinstance(a, Integral):
        return a + 0
    raise TypeError("the object cannot be interpreted as an integer")


def _length(a, /):
    return len(a)


def contains(a, b, /):
    """``b in a``."""
    return b in a


def itemgetter(item, /, *items):
    """A function that gives an item, or a tuple of several; where they are literals the compiler makes it."""

    def get(obj):
        if len(items) == 0:
            return obj[item]
        return _items_of(obj, (item, *items))

    return get


def _items_of(obj, items):
    if len(items) == 0:
        return ()
    return (obj[items[0]],) + _items_of(obj, items[1:])


def call(function, /, *arguments, **keywords):
    """``function(*arguments, **keywords)``."""
    return function(*arguments, **keywords)


def getitem(a, b, /):
    """``a[b]``."""
    return a[b]


def setitem(a, b, c, /):
    """``a[b] = c``."""
    a[b] = c


def delitem(a, b, /):
    """``del a[b]``."""
    del a[b]


def countOf(a, b, /):
    """How many items of ``a`` equal ``b``."""
    count = 0
    for item in a:
        if item == b:
            count += 1
    return count


def indexOf(a, b, /):
    """The position of the first item of ``a`` that equals ``b``."""
    at = 0
    for item in a:
        if item == b:
            return at
        at += 1
    raise ValueError("sequence.index(x): x not in sequence")
