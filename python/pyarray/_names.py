"""Finds the objects that the compiler knows by name."""

import sys


def _not_looked_up(module, attribute):
    """A name that is only in its home module so far: of this package (``pyarray/__init__.py``), of NumPy 2.5's char."""
    if module.__name__ == "numpy.char":
        home = sys.modules.get("numpy._core.defchararray")
    else:
        homes = vars(module).get("_HOME", {}) if module.__name__ == __package__ else {}
        home = sys.modules.get(f"{__package__}.{homes.get(attribute)}")
    return vars(home).get(attribute) if home else None


def _resolve(name):
    """The object called ``numpy.random.seed`` if its module is loaded, else None. Imports nothing."""
    owner, _, attribute = name.rpartition(".")
    return _attributes(_owner(owner), (attribute,))[0] if owner else None


def _owner(name):
    """The module or class called ``numpy.random``, or None where it is not loaded."""
    module = sys.modules.get(f"{__package__}.{name}" if name.split(".", 1)[0] == "cuda" else name)
    # A class in a module: numpy.ndarray. Or a module by another name than its own: numpy.char before NumPy 2.
    return _resolve(name) if module is None else module


def _attributes(owner, attributes):
    """Those attributes of a module or class, None for what it has not."""
    if isinstance(owner, type):
        return [getattr(owner, a, None) for a in attributes]
    if not isinstance(owner, type(sys)):
        return [None] * len(attributes)
    found = list(map(vars(owner).get, attributes))
    if owner.__name__ in (__package__, "numpy.char"):
        found = [_not_looked_up(owner, a) if o is None else o for a, o in zip(attributes, found)]
    return found


COMPENSATES = sys.version_info >= (3, 12)  # sum() keeps what additions of floats lose

rows_of_compiler = None  # its table; the compiler puts it here when it first asks
_latest = None  # rows, how many modules were loaded, the table, and the objects, whose identities stay theirs


def builtin_table(rows):
    """Maps the identity of each loaded builtin to its canonical name.

    There are thousands, so no name costs a step of Python's loop: the first compilation of a process waits for it.

    Parameters
    ----------
    rows : tuple of tuples
        Of each owner: ``("math", ("sqrt", "cos"), ("math.sqrt", "math.cos"))``, the same tuple each time. Where two
        names are of one object, the first counts. Owners that are not loaded are left out; NumPy, for one, loads
        ``numpy.random`` when it is first used.

    Returns
    -------
    dict of int to str
        Identities stay valid as long as the modules hold the objects. The same dict as long as no module is loaded.
    """
    global _latest
    if _latest and _latest[1] == len(sys.modules) and _latest[0] is rows:
        return _latest[2]
    table, kept = {}, []
    for owner_name, attributes, names in reversed(rows):  # what is entered last is first in the rows
        owner = _owner(owner_name)
        if owner is not None:
            objects = _attributes(owner, attributes)
            table.update(zip(map(id, reversed(objects)), reversed(names)))
            kept.append(objects)
    table.pop(id(None), None)  # what modules do not have
    if COMPENSATES and id(sum) in table:
        table[id(sum)] = "builtins.compensated_sum"
    _latest = rows, len(sys.modules), table, kept
    return table
