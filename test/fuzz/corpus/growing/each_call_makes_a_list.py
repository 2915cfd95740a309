# f0([1, 2], 0): 218 MB, and seconds: a call of itself that makes a list anew is met 400 deep before it is refused
@njit
def f0(x, n):
    y = z = 'a'
    if n <= 0:
        return 'a'
    ds[n] = f0(y, n - 2)
    y, *x = (f0(x, n - 2), None)
    return f0(x, n - 2)


CALLS = [
    '([1, 2], 0)',
]
