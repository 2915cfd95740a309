"""What turns one word into another: the edit distance of two texts, and the edits."""

from pyarray import njit


@njit
def edit_distance(a, b):
    """The distance of two str (Wagner and Fischer), and one edit for each letter that is not kept."""
    rows = [[j for j in range(len(b) + 1)]]
    for i, x in enumerate(a, 1):
        row = [i]
        for j, y in enumerate(b, 1):
            row.append(min(rows[-1][j] + 1, row[-1] + 1, rows[-1][j - 1] + (x != y)))
        rows.append(row)
    edits = []
    i, j = len(a), len(b)
    while i or j:
        if i and j and rows[i][j] == rows[i - 1][j - 1] + (a[i - 1] != b[j - 1]):
            i, j = i - 1, j - 1
            if a[i] != b[j]:
                edits.append(f"{a[i]}->{b[j]}")
        elif i and rows[i][j] == rows[i - 1][j] + 1:
            i -= 1
            edits.append(f"-{a[i]}")
        else:
            j -= 1
            edits.append(f"+{b[j]}")
    edits.reverse()
    return rows[-1][-1], edits


def arguments(size=500):
    """Two texts of about `size` letters."""
    import random

    letters = random.Random(1).choices("acgt", k=size)
    return "".join(letters), "".join(x for x in letters if x != "a" or random.Random(2).random() < 0.9)


def reference(a, b):
    """The same by the plain recursion over prefixes, one column at a time."""
    table = {(i, j): i + j for i in range(len(a) + 1) for j in range(len(b) + 1) if not i or not j}
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            table[i, j] = min(table[i - 1, j] + 1, table[i, j - 1] + 1, table[i - 1, j - 1] + (a[i - 1] != b[j - 1]))
    i, j, edits = len(a), len(b), []
    while i or j:
        if i and j and table[i, j] == table[i - 1, j - 1] + (a[i - 1] != b[j - 1]):
            i, j = i - 1, j - 1
            edits += [f"{a[i]}->{b[j]}"] * (a[i] != b[j])
        elif i and table[i, j] == table[i - 1, j] + 1:
            i -= 1
            edits.append(f"-{a[i]}")
        else:
            j -= 1
            edits.append(f"+{b[j]}")
    return table[len(a), len(b)], edits[::-1]


def main():
    """Print distances of words."""
    for one, other in (("kitten", "sitting"), ("Saturday", "Sunday"), ("größer", "Größe")):
        distance, edits = edit_distance(one, other)
        print(f"{one} - {other}: {distance} ({', '.join(edits)})")


if __name__ == "__main__":
    main()
