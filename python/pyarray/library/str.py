"""Methods of str that its rows of builtins.def do not have; some are those of bytes, too."""

from ._intrinsics import present


def join_any(self, iterable):
    """``self.join`` of what is neither a list nor a tuple."""
    return self.join(list(iterable))


def translate(self, table):
    """Each character replaced by what ``table`` has for its number: a number, text, or None, which drops it."""
    parts = []
    for character in self:
        number = ord(character)
        if number not in table if isinstance(table, dict) else number >= len(table):
            parts.append(character)
            continue
        replacement = table[number]
        if replacement is None:
            continue
        parts.append(as_text(present(replacement)))
    return "".join(parts)


def translate_nothing(self, table):
    """The same with a table that is empty."""
    return self


def as_text(replacement):
    """The text for an item of a table."""
    if isinstance(replacement, str):
        return replacement
    if replacement < 0 or replacement > 0x10FFFF:
        raise ValueError("character mapping must be in range(0x110000)")
    return chr(replacement)


def number_of(key):
    """The key of a table for a key of a dict."""
    if isinstance(key, str):
        if len(key) != 1:
            raise ValueError("string keys in translate table must be of length 1")
        return ord(key)
    return key


def maketrans(x, y=None, z=None):
    """A table for ``translate``: of a dict, or of two texts of one length and a third whose characters are dropped."""
    if y is None:
        return table_of(x)
    if len(x) != len(y):
        raise ValueError("the first two maketrans arguments must have equal length")
    if z is None:
        return {ord(x[i]): ord(y[i]) for i in range(len(x))}
    return table_that_drops(x, y, z)


def table_of(mapping):
    """The table that a dict is."""
    return {number_of(key): value for key, value in mapping.items()}


def table_that_drops(x, y, z):
    """The table of three texts."""
    table = {}
    for i in range(len(x)):
        table[ord(x[i])] = ord(y[i])
    for character in z:
        table[ord(character)] = None
    return table
