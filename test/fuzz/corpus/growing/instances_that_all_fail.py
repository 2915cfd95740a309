# died: killed by SIGKILL
def overloaded(a):
    return [a]


@overload(overloaded)
def overload_of_it(a):
    return lambda a: [a]


@njit
def f0(x, n):
    y = z = x
    xs, ds, ss = [], {}, set()
    if n <= 0:
        return x
    for k in (1, 2):
        if y:
            y[n] = x * 2
        try:
            x = [x]
            x = [x]
        except (IndexError, KeyError):
            x = z * 2
    if x is None:
        try:
            xs.insert(0, f0((z, n), n - 1))
            xs.insert(0, x * 2)
        except (IndexError, KeyError):
            x = f0((z, n), n - 1)
        try:
            z = [x]
            xs.insert(0, f0((y * 2, n), n - 1))
        except (IndexError, KeyError):
            x = f0((y, n), n - 1)
    return f0((x, n), n - 1)



CALLS = [
    '([1, 2], 0)',
    "('a', 1)",
    '((1, 2), 3)',
]
