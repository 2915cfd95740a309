# The RuntimeError for a StopIteration had the frame of the generator in its traceback.
@njit
def f(i0, i1, s0, s1, I0):
    D0, D1 = ({s0: i0, 'k': 1}, {'k': 2, s1: 5})
    q0 = I0

    def items(n):
        for k in range(n):
            yield k
    match D0:
        case {}:
            I2 = q0.copy()
        case {'k': i0}:
            pass
        case _:
            pass
    i1 = sum((next(items(0)) for e in I2))


CALLS = [
    "(-1, -1, 'k', '\\u20ac \\U0001f600', [0, 1, -2, 1, 2])",
]
