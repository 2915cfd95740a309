# f0(None, 3)
#   ('returned', None)
# but CPython
#   ('raised', 'TypeError')
@njit
def f0(x, n):
    y = z = ()
    if n <= 0:
        return None
    if x:
        x[n] = f0
    return f0(lambda: z, n - 1)


CALLS = [
    '(None, 3)',
]
