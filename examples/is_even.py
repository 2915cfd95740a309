"""Mutual recursion: each of two functions calls the other."""

from pyarray import njit


@njit
def is_even(n):
    """Whether a non-negative integer is even."""
    if n == 0:
        return True
    return is_odd(n - 1)


@njit
def is_odd(n):
    """Whether a non-negative integer is odd."""
    if n == 0:
        return False
    return is_even(n - 1)


def arguments(size=400):
    """The number; CPython allows about 1000 nested calls."""
    return (size,)


def reference(n):
    """By the last bit."""
    return n % 2 == 0


def main():
    """Print results."""
    for n in (0, 7, 400):
        print(f"{n} is {'even' if is_even(n) else 'odd'}")


if __name__ == "__main__":
    main()
