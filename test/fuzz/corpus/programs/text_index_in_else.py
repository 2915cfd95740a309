# The error of str.index was not a ValueError, and in a finally its text leaked.
@njit
def f(i0, s0):
    try:
        pass
    except ArithmeticError:
        pass
    else:
        i0, i1 = divmod(i0, s0.index('b'))
    finally:
        i0 = i0
    return i0, i1


CALLS = [
    "(7, 'abc')",
    "(7, 'bc')",
    "(1, '\\u20ac \\U0001f600')",
]
