# A dict of names was given back twice where a function that is read aside reads another: only AddressSanitizer says so.
@njit
def f0(x, n):
    y = z = True
    xs, ds, ss = [], {}, set()
    if n <= 0:
        return {0: None}
    try:
        if n % 2:
            xs.extend(({0: None}, (y, x)))
        xs.extend(({0: None}, (x, x)))
    except (IndexError, KeyError):
        x = f2(lambda: y, n - 1)
    for k in range(3):
        for k in (1, 2):
            xs.extend(({0: None}, f2(lambda: (z is None, z), n - 1)))
        xs.extend(({0: None}, (x is None, y)))
    return Link(n, f0(lambda: z, n - 1)).rest


@njit
def f1(x, n):
    y = z = True
    xs, ds, ss = [], {}, set()
    if n <= 0:
        return {0: None}
    xs.extend((True, f2(lambda: (x is None, x), n - 1)))
    if n > 1:
        xs.extend(({0: None}, f2(lambda: (x is None, x), n - 1)))
        xs.extend((True, Link(n, f1(lambda: y, n - 1)).rest))
    return (x, y)


@njit
def f2(x, n):
    y = z = True
    xs, ds, ss = [], {}, set()
    if n <= 0:
        return True
    return f1(lambda: x, n - 1)


CALLS = [
    '((1, 0.5), 0)',
    '(None, 1)',
    '(np.ones(2), 3)',
]
