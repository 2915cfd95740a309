# f0((1, 2), 0)
#   ('raised', 'CompilerError')
# but CPython
#   ('returned', [(1, 2), (1, 2)])
@njit
def f0(x, n):
    y = z = x
    if n:
        return [None]
    return list((z, z))


CALLS = [
    '((1, 2), 0)',
]
