"""Writes docs/numpy-support.md: what of NumPy compiled code has, by compiling every row of numpy_rows.py.

    python docs/numpy_support.py --write [--numba]

A row, and each of its arguments, is supported where compiled code gives what NumPy gives (values, dtype, shape,
strides), and not where it is refused with a message that names it; anything else is an error. What Numba does is
measured anew with ``--numba``, and for what is new where that is installed; else it is taken from the page.
"""

import argparse
import contextlib
import importlib.util
import inspect
import pathlib
import re
import signal
import sys
import warnings

import numpy as np
import pyarray
from numpy_rows import COMMON, MORE_ARGUMENTS, PARAMETERS, SECTIONS, SEED
from python_support import NO, YES, _execute, source_of

PAGE = pathlib.Path(__file__).resolve().parent / "numpy-support.md"
MODULES = {"np": np, "np.linalg": np.linalg, "np.fft": np.fft, "np.random": np.random}

#: Names of these modules that compiled code has nothing to do with.
NOT_LISTED = "test LinAlgError".split()

HEADER = """# What of NumPy compiled code has

Written by `docs/numpy_support.py`, which compiles the code of every row (`docs/numpy_rows.py`), once more with each
argument, and compares the result with NumPy's: values, dtype, shape and strides; the tests do so, too. Where the answer
is no, the compiler refuses the code with a message that names the function or argument; "but" names the arguments that
are not compiled. The column for Numba is what Numba {version} does with the same code, whatever the strides. What the
rows cannot show, limits and differences, is in [language.md](language.md); Python itself is in
[python-support.md](python-support.md).
"""


class Row:
    """What a row of the table says: its name, its code, and the code of each argument."""

    def __init__(self, cells):
        name, colon, code = cells[0].partition(": ")
        if not colon or "(" in name.split("`")[0]:
            name, code = cells[0].split("(")[0], cells[0]
        self.shown = name if "`" in name or " " in name else f"`{self.full_name(name)}`"
        self.name, self.code, self.arguments = self.full_name(name), code, {}
        for cell in cells[1:]:
            argument = re.match(r"\w+", cell)[0]
            has_code = cell.startswith(argument + ": ")
            self.arguments[argument] = cell.removeprefix(argument + ": ") if has_code else self._with(cell)

    @staticmethod
    def full_name(name):
        """Methods are those of arrays, whatever the name of the array in the code."""
        return re.sub(r"^\w\.", "ndarray.", name)

    def _with(self, argument):
        """The code with another argument in its first call."""
        before, after = self.code.rsplit(")", 1) if self.code.endswith(")") else (self.code.split(")")[0], "")
        return f"{before}{'' if before.endswith('(') else ', '}{argument}){after}"

    def others(self):
        """The code of each argument that NumPy's signature has besides, with its default.

        Those of ufuncs are told in a section of their own.
        """
        if not self.is_called or self.is_ufunc or isinstance(resolve(self.name), type):
            return {}
        found = dict.fromkeys(MORE_ARGUMENTS.get(self.name, ()))
        with contextlib.suppress(AttributeError, TypeError, ValueError):
            for each in inspect.signature(resolve(self.name)).parameters.values():
                if each.default is not each.empty and each.kind != each.POSITIONAL_ONLY:
                    found[each.name] = each.default if isinstance(each.default, (int, str)) else None
        left = [name for name in found if name not in self.arguments and name not in COMMON]
        return {name: self._with(f"{name}={found[name]!r}") for name in left}

    @property
    def is_called(self):
        """Whether the code calls what the row is named after, in its last line."""
        return self.code.endswith(")") and "\n" not in self.code and ".random." not in self.name

    @property
    def is_ufunc(self):
        """Whether it is one, whose arguments are told in a section of their own."""
        owner = self.name.rsplit(".", 1)[0] if self.name.count(".") > 1 else self.name
        return isinstance(resolve(self.name), np.ufunc) or isinstance(resolve(owner), np.ufunc)

    def codes(self, is_there):
        """(argument, code) of its arguments: of a function that is compiled, all."""
        return [*self.arguments.items(), *(self.others().items() if is_there else ())]


def resolve(name):
    """The object of this name, or None."""
    found = {"np": np, "ndarray": np.ndarray}
    for part in name.split("."):
        found = found.get(part) if isinstance(found, dict) else getattr(found, part, None)
    return found


def rows():
    """(section, row) of all."""
    return [(section, Row(cells)) for section, table in SECTIONS.items() for cells in table]


def _source(code):
    seeded = f"{SEED}\n" if ".random." in code else ""
    if seeded and "return" not in code:
        code = f"return {code}"
    return source_of(seeded + code, PARAMETERS)


def _call(function, parameters):
    return function(*[eval(PARAMETERS[name], {"np": np}) for name in parameters])


def is_same(a, b, strides=True):
    """Equality of values, types, shapes and strides.

    NumPy's scalars count as Python's, and floats may differ in the last places.
    """
    if isinstance(a, tuple) and isinstance(b, tuple) or isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(is_same(x, y, strides) for x, y in zip(a, b, strict=True))
    if isinstance(a, np.ndarray) != isinstance(b, np.ndarray):
        return False
    if not isinstance(a, np.ndarray):
        if isinstance(a, type) or isinstance(b, type) or isinstance(a, np.dtype):
            return np.dtype(a) == np.dtype(b)
        a, b = (
            e.item() if isinstance(e, (np.number, np.bool_)) and not isinstance(e, np.timedelta64) else e
            for e in (a, b)
        )
        if not isinstance(a, (float, complex)) or not isinstance(b, (float, complex)):
            return type(a) is type(b) and a == b
        a, b, strides = np.asarray(a), np.asarray(b), False
    if a.dtype != b.dtype or a.shape != b.shape:
        return False
    if strides and a.size and [s for s, n in zip(a.strides, a.shape, strict=True) if n > 1] != [
        s for s, n in zip(b.strides, b.shape, strict=True) if n > 1
    ]:  # fmt: skip
        return False
    if a.dtype.kind in "fc":
        return np.allclose(a, b, rtol=8 * np.finfo(a.dtype).eps, atol=4 * np.finfo(a.dtype).eps, equal_nan=True)
    return bool(np.all(a == b))


def wanted(code):
    """What NumPy gives."""
    text, parameters = _source(code)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return _call(_execute(text, {"np": np})["f"], parameters)


def outcome(row, argument, code):
    """YES, or the first line of the message that refuses the code."""
    text, parameters = _source(code)
    try:
        result = _call(pyarray.njit(_execute(text, {"np": np})["f"]), parameters)
    except pyarray.errors.PyArrayError as error:
        message = str(error).split("\n")[0]
        names = [argument] if argument else [row.name.split(".")[-1], *re.findall(r"[a-z_]\w+", row.name)]
        if row.shown.startswith("`np") or row.shown.startswith("`nd"):
            assert any(name in message for name in names), f"{code!r}: the message does not name {names}: {message}"
        return message
    expected = wanted(code)
    assert is_same(result, expected), f"{code!r} gives {result!r}, but NumPy {expected!r}"
    return YES


def numba_outcome(code):
    """Whether Numba compiles the code, and gives what NumPy gives."""
    import numba

    text, parameters = _source(code)
    signal.alarm(60)
    try:
        result = _call(numba.njit(_execute(text, {"np": np})["f"]), parameters)
        return YES if is_same(result, wanted(code), strides=False) else NO
    except BaseException:
        return NO
    finally:
        signal.alarm(0)


def state(found):
    """The cell of one compiler, of {argument or None: whether}."""
    missing = [name for name, is_there in found.items() if not is_there]
    if None in missing:
        return NO
    return YES + (", but " + " ".join(f"`{name}`" for name in missing) if missing else "")


def read_state(arguments, cell):
    """{argument or None: whether} of a cell, and of the one with the arguments."""
    missing = re.findall(r"`(\w+)`", cell)
    return {name: cell != NO and name not in missing for name in [None, *re.findall(r"`(\w+)`", arguments)]}


def rows_of_page():
    """(section, what) -> (arguments, ours, Numba's) of the page as it is."""
    found, section = {}, None
    for line in PAGE.read_text().split("\n") if PAGE.exists() else []:
        if line.startswith("## "):
            section = line[3:]
        cells = [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if section and len(cells) == 4 and cells[0] != "what" and not cells[0].startswith("--"):
            found[section, cells[0]] = cells[1:]
    return found


def page(ours, numba, version):
    """The text of the page."""
    table = rows()
    count, theirs = (sum(found[section, row.shown][None] for section, row in table) for found in (ours, numba))
    text = HEADER.format(version=version)
    text += f"\nOf {len(table)} rows, {count} are compiled; by Numba, {theirs}. "
    text += f"{', '.join(f'`{name}`' for name in COMMON)} are arguments of many functions, and are not listed.\n"
    last = None
    for section, row in table:
        if section != last:
            text += f"\n## {section}\n\n| what | arguments | pyarray | Numba |\n|---|---|---|---|\n"
            last = section
        arguments = " ".join(f"`{name}`" for name in ours[section, row.shown] if name)
        cells = row.shown, arguments, state(ours[section, row.shown]), state(numba[section, row.shown])
        text += "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |\n"
    return text


def _is_there(row, argument, code):
    try:
        return outcome(row, argument, code) == YES
    except Exception as error:
        print(f"{row.name} {argument or ''}: {type(error).__name__}: {str(error)[:300]}", file=sys.stderr)
        return False


def main():
    """Write or show the page."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--write", action="store_true", help="write the page")
    parser.add_argument("--numba", action="store_true", help="run the rows with Numba, too")
    options = parser.parse_args()
    has_numba = importlib.util.find_spec("numba") is not None
    before, ours, numba = rows_of_page(), {}, {}
    for section, row in rows():
        key, found = (section, row.shown), {}
        found[None] = _is_there(row, None, row.code)
        for argument, code in row.codes(found[None]):
            found[argument] = found[None] and _is_there(row, argument, code)
        ours[key], known = found, {}
        if key in before and not options.numba:
            known = read_state(before[key][0], before[key][2])
        codes = dict(row.codes(found[None]))
        new = {name: row.code if name is None else codes[name] for name in found if name not in known}
        theirs = {name: has_numba and numba_outcome(code) == YES for name, code in new.items()}
        numba[key] = {name: known.get(name, theirs.get(name)) for name in found}
    if has_numba and (options.numba or not PAGE.exists()):
        version = importlib.import_module("numba").__version__
    else:
        version = re.search(r"Numba ([\d.]+) does", PAGE.read_text())[1]
    text = page(ours, numba, version)
    if options.write:
        PAGE.write_text(text)
    else:
        print(text)


if __name__ == "__main__":
    main()
