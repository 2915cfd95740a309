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
    if name.startswith("cuda."):
        name = f"{__package__}.{name}"
    module_name, _, attribute = name.rpartition(".")
    module = sys.modules.get(module_name)
    if module is not None:
        return vars(module).get(attribute, _not_looked_up(module, attribute))
    # A class in a module: numpy.ndarray.copy. Or a module by another name than its own: numpy.char before NumPy 2.
    owner = _resolve(module_name) if module_name else None
    if isinstance(owner, type(sys)):
        return vars(owner).get(attribute)
    return getattr(owner, attribute, None) if isinstance(owner, type) else None


COMPENSATES = sys.version_info >= (3, 12)  # sum() keeps what additions of floats lose

_latest = None  # names, how many modules were loaded, the table, and the objects, whose identities stay theirs


def builtin_table(names):
    """Maps the identity of each loaded builtin to its canonical name.

    Parameters
    ----------
    names : tuple of str
        ``"math.sqrt"``, ``"numpy.random.seed"``, ``"builtins.abs"``. Where two name one object, the first counts.
        Names in modules that are not loaded are left out; NumPy, for one, loads ``numpy.random`` when it is first used.

    Returns
    -------
    dict of int to str
        Identities stay valid as long as the modules hold the objects. The same dict as long as no module is loaded.
    """
    global _latest
    if _latest and _latest[1] == len(sys.modules) and _latest[0] == names:
        return _latest[2]
    table, objects = {}, []
    for name in names:
        found = _resolve(name)
        if found is not None:
            table.setdefault(id(found), name)
            objects.append(found)
    if COMPENSATES and id(sum) in table:
        table[id(sum)] = "builtins.compensated_sum"
    _latest = names, len(sys.modules), table, objects
    return table
