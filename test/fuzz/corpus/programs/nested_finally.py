# Three handlers that go on with one exception: the process died.
@njit
def f(x):
    try:
        try:
            try:
                x //= 0
            finally:
                x += 1
        finally:
            x += 1
    finally:
        x += 1
    return x


CALLS = [
    "(1,)",
]
