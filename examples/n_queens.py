"""Queens on a chessboard of which none attacks another: backtracking with lists."""

from pyarray import njit


@njit
def place(row, n, queens, solutions):
    """Try all columns of a row; `queens` has the columns of the rows above."""
    if row == n:
        solutions.append(queens.copy())
        return
    for column in range(n):
        safe = True
        for other, taken in enumerate(queens):
            if taken == column or abs(taken - column) == row - other:
                safe = False
                break
        if safe:
            queens.append(column)
            place(row + 1, n, queens, solutions)
            queens.pop()


@njit
def n_queens(n):
    """All solutions, each the list of columns, in lexicographic order."""
    solutions = []
    place(0, n, [0 for _ in range(0)], solutions)
    return solutions


def arguments(size=500):
    """A board of at most 8 rows."""
    return (min(8, 4 + size // 100),)


def reference(n):
    """The same among all permutations."""
    from itertools import permutations

    rows = range(n)
    return [list(p) for p in permutations(rows) if len({p[i] + i for i in rows}) == len({p[i] - i for i in rows}) == n]


def main():
    """Print a solution, and how many there are."""
    for column in n_queens(8)[0]:
        print("." * column + "Q" + "." * (7 - column))
    print(", ".join(f"{n}: {len(n_queens(n))}" for n in range(4, 11)))


if __name__ == "__main__":
    main()
