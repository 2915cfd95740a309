"""Puzzles: cubes that are permutations of each other, the longest Collatz chain, names, pandigital products."""

from pyarray import njit


@njit
def permuted_cubes(count):
    """The smallest cube whose digits, in other orders, are `count` cubes in all; its length is that of all of them."""
    groups = {"": [0]}
    best, digits, n = 0, 1, 1
    while True:
        text = str(n**3)
        if len(text) > digits:
            if best:
                return best
            groups, digits = {"": [0]}, len(text)
        key = "".join(sorted(text))
        groups.setdefault(key, []).append(n**3)
        if len(groups[key]) == count and (best == 0 or groups[key][0] < best):
            best = groups[key][0]
        n += 1


@njit
def longest_collatz(limit):
    """The start below `limit` of the longest chain of halving and tripling, and its length; lengths are remembered."""
    lengths = {1: 1}
    best = 1
    for start in range(1, limit):
        chain, n = [0], start
        chain.clear()
        while n not in lengths:
            chain.append(n)
            n = n // 2 if n % 2 == 0 else 3 * n + 1
        length = lengths[n]
        for n in reversed(chain):
            length += 1
            lengths[n] = length
        if lengths[start] > lengths[best]:
            best = start
    return best, lengths[best]


@njit
def score(names):
    """The sum over the sorted names of position times the letters' places in the alphabet."""
    total = 0
    for place, name in enumerate(sorted(names), 1):
        total += place * sum([ord(letter) - ord("A") + 1 for letter in name.upper() if letter.isalpha()])
    return total


@njit
def is_pandigital_product(a, b):
    """Whether a, b and a * b together have each digit from 1 to 9 once."""
    text = f"{a}{b}{a * b}"
    return len(text) == 9 and set(text) == set("123456789")


@njit
def word_puzzles(count, limit, names):
    """Answers to all puzzles, as a dict."""
    products = {a * b for a in range(1, 100) for b in range(1000 // a, 10000 // a + 1) if is_pandigital_product(a, b)}
    start, length = longest_collatz(limit)
    return {
        "cubes": permuted_cubes(count),
        "collatz": start,
        "length": length,
        "names": score(names),
        "pandigital": sum(products),
    }


NAMES = [
    "Mary",
    "Patricia",
    "Linda",
    "Barbara",
    "Elizabeth",
    "Jennifer",
    "Maria",
    "Susan",
    "Margaret",
    "Dorothy",
    "Colin",
]


def arguments(size=500):
    """Groups of three cubes, chains from numbers below `size`, eleven names."""
    return 3, size, NAMES


def reference(count, limit, names):
    """The same, written as one would without thinking about types."""
    from itertools import count as numbers

    groups = {}
    for n in range(1, 10000):
        groups.setdefault("".join(sorted(str(n**3))), []).append(n**3)
    cubes = next(min(g[0] for g in groups.values() if len(g) == count and len(str(g[0])) == d) for d in numbers(1)
                 if any(len(g) == count and len(str(g[0])) == d for g in groups.values()))  # fmt: skip

    def length(n):
        steps = 1
        while n != 1:
            n, steps = (n // 2, 3 * n + 1)[n % 2], steps + 1
        return steps

    start = max(range(1, limit), key=length)
    total = sum(i * sum(ord(c) - 64 for c in name.upper()) for i, name in enumerate(sorted(names), 1))
    products = {
        a * b for a in range(1, 2000) for b in range(a, 10000 // a) if sorted(f"{a}{b}{a * b}") == list("123456789")
    }
    return {"cubes": cubes, "collatz": start, "length": length(start), "names": total, "pandigital": sum(products)}


def main():
    """Print the answers."""
    for name, answer in word_puzzles(5, 100_000, NAMES).items():
        print(f"{name}: {answer}")


if __name__ == "__main__":
    main()
