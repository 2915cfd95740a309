"""Text of values whose representation does not say all: named tuples, members of enums, ranges, and what holds them."""

import collections
import sys

import numpy as np

from ._intrinsics import described, described_number, factory_text, plain_dict, present, python_function

SHOWN_AS_DICT = sys.version_info >= (3, 12)  # an OrderedDict


def repr_of(value):
    """``repr`` of what holds such values."""
    if isinstance(value, range):
        text = "range(" + str(value.start) + ", " + str(value.stop)
        return text + (")" if value.step == 1 else ", " + str(value.step) + ")")
    if isinstance(value, slice):
        return "slice" + repr((value.start, value.stop, value.step))
    if isinstance(value, collections.deque):
        text = "deque([" + ", ".join([repr(item) for item in value])
        return text + ("])" if value.maxlen is None else "], maxlen=" + str(value.maxlen) + ")")
    if isinstance(value, frozenset):
        return "frozenset({" + ", ".join([repr(item) for item in value]) + "})" if value else "frozenset()"
    if isinstance(value, list):
        return "[" + ", ".join([repr(item) for item in value]) + "]"
    if isinstance(value, collections.Counter):
        pairs = [repr(key) + ": " + repr(count) for key, count in value.most_common()]
        return "Counter({" + ", ".join(pairs) + "})" if value else "Counter()"
    if isinstance(value, collections.defaultdict):
        return "defaultdict(" + factory_text(value) + ", " + repr(plain_dict(value)) + ")"
    if isinstance(value, collections.OrderedDict):
        if not value:
            return "OrderedDict()"
        if SHOWN_AS_DICT:
            return "OrderedDict(" + repr(plain_dict(value)) + ")"
        return "OrderedDict(" + repr([item for item in value.items()]) + ")"
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
    if isinstance(value, (list, dict, set, range, slice, frozenset, collections.deque)) or type(value) is tuple:
        return repr(value)
    return str(value)


def class_name(value):
    """The name of the class of such a value, which takes no format specification."""
    if isinstance(value, range):
        return "range"
    if isinstance(value, slice):
        return "slice"
    if isinstance(value, list):
        return "list"
    if isinstance(value, collections.deque):
        return "collections.deque"
    if isinstance(value, dict):
        return "dict"
    if isinstance(value, set):
        return "set"
    if isinstance(value, frozenset):
        return "frozenset"
    if type(value) is tuple:
        return "tuple"
    return type(value).__name__


def describe(value):
    """What templates show of such a value."""
    return described(str(value), repr(value), class_name(value))


def describe_member(value):
    """The same of a member of an enum, which is formatted as its text is."""
    return described(str(value), repr(value), "")


def describe_number(value):
    """The same of a member of an enum that is a number."""
    return described_number(str(value), repr(value), int(value))


def describe_exception(error):
    """The same of an exception that is being handled."""
    return described(str(error), repr(error), type(error).__name__)


def describe_values(mapping):
    """A dict whose values are described."""
    return {key: describe_any(value) for key, value in mapping.items()}


def describe_any(value):
    """What templates show of an item of a container."""
    if isinstance(value, (np.void, np.ndarray, np.datetime64, np.timedelta64)):
        return describe_by_numpy(value)
    if isinstance(value, int):
        return described_number(str(value), repr(value), int(value))
    return described(str(value), repr(value), class_name(value))


def str_of_optional(value):
    """``str`` of what may be None."""
    return "None" if value is None else str(present(value))


def repr_of_optional(value):
    """``repr`` of what may be None."""
    return "None" if value is None else repr(present(value))


def ascii_of_optional(value):
    """``ascii`` of what may be None."""
    return "None" if value is None else ascii(present(value))


def describe_optional(value):
    """What templates show of what may be None."""
    if value is None:
        return described("None", "None", "NoneType")
    return describe_any(present(value))


# -- Arrays, records and times, of which NumPy makes the text: ORDER PYTHON FUNCTIONS ----------------


def str_by_numpy(value):
    """``str`` of an array, a record or a time."""
    return python_function(10, "U", value)


def repr_by_numpy(value):
    """``repr`` of an array, a record or a time."""
    return python_function(11, "U", value)


def ascii_by_numpy(value):
    """``ascii`` of an array, a record or a time."""
    return ascii(describe_by_numpy(value))


def describe_by_numpy(value):
    """What templates show of an array, a record or a time."""
    return described(str_by_numpy(value), repr_by_numpy(value), name_by_numpy(value))


def name_by_numpy(value):
    """The name of the class of an array, which takes no format specification; others are formatted as text."""
    return "numpy.ndarray" if isinstance(value, np.ndarray) else ""


# -- Templates ---------------------------------------------------------------------------------------


def ascii_of(value):
    """``ascii`` of such a value."""
    return ascii(described(str(value), repr(value), ""))


def percent(template, values):
    """``template % values``, of a tuple of what templates show."""
    return template % values


def percent_of_values(template, mapping):
    """``template % mapping``, of a dict whose values are such."""
    if ("%(" if isinstance(template, str) else b"%(") in template:
        return template % describe_values(mapping)
    return template % (describe(mapping),)
