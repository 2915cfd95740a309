"""Comparisons of containers whose items have different types, and views of dicts."""


def equal_lists(a, b):
    """``a == b``, of two lists or two deques."""
    if len(a) != len(b):
        return False
    for i in range(len(a)):
        if a[i] != b[i]:
            return False
    return True


def list_less(a, b):
    """``a < b``."""
    for i in range(min(len(a), len(b))):
        if a[i] != b[i]:
            return a[i] < b[i]
    return len(a) < len(b)


def list_at_most(a, b):
    """``a <= b``."""
    for i in range(min(len(a), len(b))):
        if a[i] != b[i]:
            return a[i] <= b[i]
    return len(a) <= len(b)


def equal_sets(a, b):
    """``a == b``."""
    if len(a) != len(b):
        return False
    for item in a:
        if item not in b:
            return False
    return True


def equal_dicts(a, b):
    """``a == b``."""
    if len(a) != len(b):
        return False
    for key, value in a.items():
        if key not in b or value != b[key]:
            return False
    return True


def in_values(values, wanted):
    """``wanted in d.values()``, or in ``d.items()``."""
    for value in values:
        if value == wanted:
            return True
    return False


def in_both(a, b):
    """``a & b``, where one is a view of a dict."""
    return set(a) & set(b)


def in_either(a, b):
    """``a | b``, where one is a view of a dict."""
    return set(a) | set(b)


def in_first(a, b):
    """``a - b``, where one is a view of a dict."""
    return set(a) - set(b)


def in_one(a, b):
    """``a ^ b``, where one is a view of a dict."""
    return set(a) ^ set(b)
