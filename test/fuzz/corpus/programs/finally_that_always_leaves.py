# What stands behind a finally that always leaves is never reached; the compiler took it for reachable and read `i` there.
@njit
def h(n, x):
    for k in range(n):
        i = k
    else:
        try:
            pass
        finally:
            if True:
                return (n, x)
            i = 8
    i, x = i


@njit
def g(n, x):
    while True:
        try:
            if n > 1:
                raise IndexError
            x += n
        finally:
            if x > 2:
                break
            return x
        y = x
    return y + n if x > 100 else n * 1.0


@njit
def f(n, x):
    return h(n, x), g(n, x)


CALLS = ["(0, 1.0)", "(3, 2.5)", "(1, 0.5)", "(2, 0.25)"]
