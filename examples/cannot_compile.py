"""What happens to code that cannot be compiled: frozen sets have no compiled form, and the error says so."""

from pyarray import TypingError, njit


@njit
def cannot_compile(x):
    """Whether a frozen set has an item."""
    return "key" in x


def main():
    """Print the error of the compiler and the result of plain Python."""
    value = frozenset(["key"])
    try:
        cannot_compile(value)
    except TypingError as error:
        print(f"TypingError: {error}")
    print(f"\ncannot_compile.py_func(...) returns {cannot_compile.py_func(value)!r}")


if __name__ == "__main__":
    main()
