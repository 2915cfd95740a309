"""Text of values whose representation does not say all: named tuples, members of enums, ranges, and what holds them."""


def repr_of(value):
    """``repr`` of what holds such values."""
    if value is None:
        return "None"
    if isinstance(value, range):
        text = "range(" + str(value.start) + ", " + str(value.stop)
        return text + (")" if value.step == 1 else ", " + str(value.step) + ")")
    if isinstance(value, slice):
        return "slice" + repr((value.start, value.stop, value.step))
    if isinstance(value, list):
        return "[" + ", ".join([repr(item) for item in value]) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join([repr(key) + ": " + repr(item) for key, item in value.items()]) + "}"
    if isinstance(value, set):
        return "{" + ", ".join([repr(item) for item in value]) + "}" if value else "set()"
    if type(value) is tuple:
        text = "("
        between = ""
        for item in value:
            text += between + repr(item)
            between = ", "
        return text + ("," if len(value) == 1 else "") + ")"
    return repr(value)


def of_exception(error):
    """``str`` of an exception that is being handled."""
    return str(error)


def str_of(value):
    """``str`` of such values, and of what holds them."""
    if isinstance(value, (list, dict, set, range, slice)) or type(value) is tuple:
        return repr(value)
    return str(value)
