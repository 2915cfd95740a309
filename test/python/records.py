"""Records that tests share: dtypes, arrays, and comparison with NumPy."""


import numpy as np
from compare import compiled_once

INNER = np.dtype([("u", "i2"), ("v", "f4")])
FIELDS = [
    ("n", INNER),
    ("m", "f8", (2, 3)),
    ("c", "c16"),
    ("s", "S5"),
    ("t", "U4"),
    ("d", "M8[D]"),
    ("b", "?"),
    ("h", "f2"),
    ("q", "u8"),
    ("z", "c8"),
]
PACKED = np.dtype(FIELDS)
ALIGNED = np.dtype(FIELDS, align=True)
SIMPLE = np.dtype([("x", "f8"), ("y", "i8")])


def filled(dtype, count=4):
    a = np.zeros(count, dtype)
    numbers = np.arange(count)
    a["n"]["u"], a["n"]["v"] = numbers % 100, numbers * 0.5
    a["m"] = np.arange(count * 6).reshape(count, 2, 3)
    a["c"], a["z"] = numbers + 2j, 1j - numbers
    a["s"] = [(b"ab", b"abcde", b"", b"x")[i % 4] for i in numbers]
    a["t"] = [("a", "bcd", "", "\u20ac\U0001f600")[i % 4] for i in numbers]
    a["d"], a["b"], a["h"] = numbers.astype("M8[D]"), numbers % 2, numbers
    a["q"] = 2**63 + numbers.astype("u8")
    return a


def same(got, expected):
    """Equal in value and kind; NumPy's scalars count as Python's."""
    if isinstance(expected, (tuple, list)):
        return len(got) == len(expected) and all(map(same, got, expected))
    if isinstance(expected, np.ndarray):
        return (
            isinstance(got, np.ndarray)
            and got.dtype == expected.dtype
            and got.shape == expected.shape
            and got.tolist() == expected.tolist()
        )
    if isinstance(expected, np.void):
        return isinstance(got, np.void) and got.dtype == expected.dtype and str(got) == str(expected)
    return got == expected


def as_python(a):
    """What a NumPy program would use for the same syntax: attributes need np.recarray."""
    return a.view(np.recarray) if isinstance(a, np.ndarray) and a.dtype.names else a


def check(function, *arguments):
    own = [np.array(a) if isinstance(a, np.ndarray) else a for a in arguments]
    expected = function(*map(as_python, own))
    got = compiled_once(function)(*arguments)
    assert same(got, expected), (got, expected)
    for a, b in zip(arguments, own):
        if isinstance(a, np.ndarray):
            assert a.tobytes() == b.tobytes()
