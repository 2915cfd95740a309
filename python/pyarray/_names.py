"""Finds the objects that the compiler knows by name."""

import functools
import itertools
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
    return next(_attributes(_owner(owner), (attribute,)), None) if owner else None


def _owner(name):
    """The module or class called ``numpy.random``, or None where it is not loaded."""
    module = sys.modules.get(f"{__package__}.{name}" if name.split(".", 1)[0] == "cuda" else name)
    # A class in a module: numpy.ndarray. Or a module by another name than its own: numpy.char before NumPy 2.
    return _resolve(name) if module is None else module


def _attributes(owner, attributes):
    """Those attributes of a module or class, None for what it has not."""
    if isinstance(owner, type(sys)):
        found = vars(owner)
        return (found[a] if a in found else _not_looked_up(owner, a) for a in attributes)
    return (getattr(owner, a, None) if isinstance(owner, type) else None for a in attributes)


def _owner_name(name):
    return name.rpartition(".")[0]


@functools.lru_cache(maxsize=1)
def _by_owner(names):
    """(owner, its names) of neighbours with one owner: thousands have a few dozen."""
    return [(owner, list(row)) for owner, row in itertools.groupby(names, _owner_name)]


COMPENSATES = sys.version_info >= (3, 12)  # sum() keeps what additions of floats lose

names_of_rows = None  # of the compiler's table, a tuple; the compiler puts it here when it first asks
_latest = None  # names, how many modules were loaded, the table, and the objects, whose identities stay theirs


def builtin_table(names):
    """Maps the identity of each loaded builtin to its canonical name.

    Parameters
    ----------
    names : tuple of str
        ``"math.sqrt"``, ``"numpy.random.seed"``, ``"builtins.abs"``, the same tuple each time. Where two name one
        object, the first counts. Names in modules that are not loaded are left out; NumPy, for one, loads
        ``numpy.random`` when it is first used.

    Returns
    -------
    dict of int to str
        Identities stay valid as long as the modules hold the objects. The same dict as long as no module is loaded.
    """
    global _latest
    if _latest and _latest[1] == len(sys.modules) and _latest[0] is names:
        return _latest[2]
    table, objects = {}, []
    for owner_name, row in _by_owner(names):
        owner = _owner(owner_name)
        if owner is None:
            continue
        start = len(owner_name) + 1
        for found, name in zip(_attributes(owner, [name[start:] for name in row]), row):
            if found is not None:
                table.setdefault(id(found), name)
                objects.append(found)
    if COMPENSATES and id(sum) in table:
        table[id(sum)] = "builtins.compensated_sum"
    _latest = names, len(sys.modules), table, objects
    return table
