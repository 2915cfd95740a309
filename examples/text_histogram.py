"""How often each word of a text occurs: a dict from str to int, sorted by its values."""

from pyarray import njit


@njit
def words(text):
    """The words of a text, in lower case, without punctuation."""
    found = []
    for word in text.lower().split():
        word = word.strip(".,;:!?\"'()-")
        if word:
            found.append(word)
    return found


@njit
def text_histogram(text, top):
    """The `top` most frequent words with their counts; those of equal counts in alphabetical order."""
    counts = {}
    for word in words(text):
        counts[word] = counts.get(word, 0) + 1
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:top]


TEXT = """It was the best of times, it was the worst of times, it was the age of wisdom, it was the age of foolishness,
it was the epoch of belief, it was the epoch of incredulity, it was the season of Light, it was the season of Darkness,
it was the spring of hope, it was the winter of despair."""  # Charles Dickens, A Tale of Two Cities


def arguments(size=500):
    """The text, repeated."""
    return (TEXT + "\n") * (size // 100 + 1), 5


def reference(text, top):
    """The same by regular expressions and a Counter."""
    import re
    from collections import Counter

    counts = Counter(re.findall(r"[a-z]+", text.lower()))
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:top]


def main():
    """Print the histogram as bars."""
    for word, count in text_histogram(TEXT, 6):
        print(f"{word:>8} {'#' * count} {count}")


if __name__ == "__main__":
    main()
