# The error of an argument of raise took over `from None`.
@njit
def f(a, n):
    try:
        if n == 0:
            k0 = 1
        raise KeyError(k0, float(a[n])) from None
    finally:
        a[0] += 1.0


CALLS = [
    "(np.ones(1), 0)",
    "(np.ones(2), 1)",
    "(np.ones(1), -3)",
]
