# bool() of a list was refused.
@njit
def f(n):
    xs = [e for e in range(n)]
    return bool(xs), bool([n]), not xs


CALLS = [
    "(0,)",
    "(2,)",
]
