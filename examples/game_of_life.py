"""Conway's Game of Life on an unbounded board: the living cells are a set."""

from pyarray import njit


@njit
def step(cells):
    """The next generation."""
    counts = {}
    for x, y in cells:
        for dx in (-1, 0, 1):
            for dy in (-1, 0, 1):
                if dx or dy:
                    counts[x + dx, y + dy] = counts.get((x + dx, y + dy), 0) + 1
    return {cell for cell, count in counts.items() if count == 3 or (count == 2 and cell in cells)}


@njit
def game_of_life(cells, generations):
    """The living cells after that many generations."""
    for _ in range(generations):
        cells = step(cells)
    return cells


@njit
def draw(cells):
    """The part of the board that lives, as text."""
    xs, ys = [x for x, y in cells], [y for x, y in cells]
    return "\n".join(["".join(["#" if (x, y) in cells else "." for x in range(min(xs), max(xs) + 1)])
                      for y in range(min(ys), max(ys) + 1)])  # fmt: skip


ACORN = {(0, 2), (1, 0), (1, 2), (3, 1), (4, 2), (5, 2), (6, 2)}


def arguments(size=500):
    """A pattern that grows for thousands of generations; `size` / 5 of them."""
    return ACORN, size // 5


def reference(cells, generations):
    """The same on an array that is large enough."""
    import numpy as np

    board = np.zeros((2 * generations + 20, 2 * generations + 20), int)
    for x, y in cells:
        board[x + generations + 5, y + generations + 5] = 1
    for _ in range(generations):
        near = sum(np.roll(board, (dx, dy), (0, 1)) for dx in (-1, 0, 1) for dy in (-1, 0, 1)) - board
        board = ((near == 3) | ((near == 2) & (board == 1))).astype(int)
    return {(int(x) - generations - 5, int(y) - generations - 5) for x, y in np.argwhere(board)}


def main():
    """Print a glider after a few generations, and how the acorn grows."""
    glider = {(1, 0), (2, 1), (0, 2), (1, 2), (2, 2)}
    print(draw(game_of_life(glider, 4)))
    for generations in (100, 1000, 2000):
        print(f"the acorn after {generations} generations: {len(game_of_life(ACORN, generations))} cells")


if __name__ == "__main__":
    main()
