# None is added to an array: UFuncTypeError in NumPy, which is a TypeError.
@njit
def f0(x, n):
    y = z = 1
    x += y if n > 1 else None


CALLS = [
    '(np.ones(2), 1)',
]
