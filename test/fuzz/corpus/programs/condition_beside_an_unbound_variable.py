# A condition of a type that was not known yet was taken for a text.
@njit
def g(i0, f0):
    k0 = 0
    while k0 < 2 and (i0 > 2 or i0 < 1):
        f1 = math.log(abs(f1 * 0.5) + 1.0)
        f0 /= -2.0 if math.isinf(0.5) else 0.5
        k0 += 1
    return f0


@njit
def f(i0, f0):
    return g(i0, f0)


CALLS = [
    "(2, 1.5)",
    "(3, 1.5)",
]
