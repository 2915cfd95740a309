"""Run-length encoding of text and back: generators over generators, read and written as one loop."""

from itertools import chain, groupby, islice, repeat

from pyarray import njit


@njit
def runs(text):
    """Each letter with the length of its run, found in one pass."""
    count = 0
    for i in range(len(text)):
        count += 1
        if i + 1 == len(text) or text[i + 1] != text[i]:
            yield text[i], count
            count = 0


@njit
def expand(encoded):
    """The letters again."""
    for letter, count in encoded:
        yield from repeat(letter, count)


@njit
def run_lengths(text):
    """The encoded text, the longest run, its first letters decoded, and how many runs there are."""
    encoded = "".join(letter + (str(count) if count > 1 else "") for letter, count in runs(text))
    longest = max(count for letter, count in runs(text))
    start = "".join(islice(expand(runs(text)), 20))
    return encoded, longest, start, sum(1 for letter, group in groupby(text))


def arguments(size=2000):
    """Letters in runs of 1 to 9."""
    return ("".join("abcd"[i * i % 4 if i % 3 else i % 4] * (i * 7 % 9 + 1) for i in range(size // 5 + 1)),)


def reference(text):
    """The same by Python's groupby alone."""
    groups = [(letter, len(list(group))) for letter, group in groupby(text)]
    encoded = "".join(chain.from_iterable((letter, str(count) * (count > 1)) for letter, count in groups))
    return encoded, max(count for _, count in groups), text[:20], len(groups)


def main():
    """Print a text and what it is encoded as."""
    text = "aaaabbbcccccd"
    print(text, "->", run_lengths(text)[0])
    print(list(runs(text)))
    print("".join(expand(list(runs(text)))) == text)


if __name__ == "__main__":
    main()
