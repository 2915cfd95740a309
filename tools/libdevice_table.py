"""Writes the rows of lib/support/libdevice.def from NVIDIA's libdevice:

    llvm-dis libdevice.10.bc -o - | tools/libdevice_table.py

A pointer that a function stores to is a result; functions that read through one are left out.
"""

import re
import sys

CODES = {"void": "", "i16": "h", "i32": "i", "i64": "q", "float": "f", "double": "d"}
NAMES = {"a": "x", "b": "y", "c": "z", "in": "x", "v": "x"}  # as numba-cuda has them
FUNCTION = re.compile(r"^define ([^@]*)@__nv_(\w+)\((.*?)\)[^\n]*\{\n(.*?)^\}", re.MULTILINE | re.DOTALL)


def row(result, name, parameters, body):
    """The arguments of PA_LIBDEVICE, or None."""
    parts = [part.split() for part in parameters.split(",")]
    types, names = [part[0] for part in parts], [part[-1].removeprefix("%") for part in parts]
    arguments, results = "", CODES[next(word for word in result.split() if word in CODES)]
    shown = []
    for kind, given in zip(types, names, strict=True):
        if kind == "ptr":
            stored = re.search(rf"store (\w+) \S+ ptr %{re.escape(given)}\b", body)
            if not stored:
                return None
            results += "*" + CODES[stored[1]]
        else:
            arguments += CODES[kind]
            shown.append(given if len(names) == 4 else NAMES.get(given, given))
    return name, ",".join(shown), f"{arguments}>{results}"


def rows(text):
    """All of them, in order of names."""
    found = (row(*match.groups()) for match in FUNCTION.finditer(text))
    return sorted(each for each in found if each)


if __name__ == "__main__":
    for each in rows(sys.stdin.read()):
        print('PA_LIBDEVICE("{}", "{}", "{}")'.format(*each))
