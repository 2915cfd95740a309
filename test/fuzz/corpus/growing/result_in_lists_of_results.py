# died: killed by SIGKILL
@njit
def f0(x, n):
    y = z = True
    xs, ds, ss = [], {}, set()
    if n <= 0:
        return []
    for z in [f0(y, n - 1)]:
        pass
    return [f0([f0(x, n - 1)], n - 1)]



CALLS = [
    "('a', 0)",
    '({1, 2}, 1)',
    '((1, 0.5), 3)',
]
