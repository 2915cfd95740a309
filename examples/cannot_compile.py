"""What happens to code that cannot be compiled: fractions have no compiled form, and the error says so."""

from fractions import Fraction

from pyarray import TypingError, njit


@njit
def cannot_compile(x):
    """Twice a number."""
    return x + x


def main():
    """Print the error of the compiler and the result of plain Python."""
    value = Fraction(1, 3)
    try:
        cannot_compile(value)
    except TypingError as error:
        print(f"TypingError: {error}")
    print(f"\ncannot_compile.py_func(...) returns {cannot_compile.py_func(value)!r}")


if __name__ == "__main__":
    main()
