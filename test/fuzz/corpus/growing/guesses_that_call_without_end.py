# Took 15 s of processor time: each of thousands of guesses that call without an end made the text of an error.
@njit
def f0(x, n):
    y = z = 'a'
    xs, ds, ss = [], {}, set()
    if n <= 0:
        return 2j
    y, *x = f1(lambda: x, n - 1)
    for k in range(n):
        y, *x = (y, n)
    return (y, n)


@njit
def f1(x, n):
    y = z = 2j
    xs, ds, ss = [], {}, set()
    if n <= 0:
        return 2j
    if x is None:
        x, *z = f1(lambda: y, n - 1)
        y, *x = f0(lambda: x, n - 1)
    return (z, n)

CALLS = [
    '(0.5, 0)',
    '(1, 1)',
    '(None, 3)',
]
