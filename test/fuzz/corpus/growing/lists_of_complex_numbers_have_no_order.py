# f0(0.5, 1)
#   ('returned', [2j])
# but CPython
#   ('raised', 'TypeError')
@njit
def f0(x, n):
    y = z = [1]
    z = [2j]
    return max([z, y])


CALLS = [
    '(0.5, 1)',
]
