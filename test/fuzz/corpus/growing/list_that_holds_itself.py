# The compiler died of recursion where the items of two lists of which one holds the other were joined.
@njit
def f0(x, n):
    z[n] = f1((x, n), n)

@njit
def f1(x, n):
    y = z = set
    y[n] = f2((y, n), n)

@njit
def f2(x, n):
    y = z = []
    z[n] = [[y]]
    z[n] = [z]


CALLS = [
    '({1: 2}, 0)',
]
