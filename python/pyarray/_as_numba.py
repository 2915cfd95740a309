"""``import numba`` gives this package: `install_as_numba`.

The module ``numba`` has the names of this package and Numba's version; its submodules are ours themselves, so that
``numba.typed`` and ``pyarray.typed`` are one module.
"""

import os
import sys
import threading
from contextlib import contextmanager
from importlib import import_module
from importlib.machinery import ModuleSpec
from types import ModuleType

_OWN = __package__

#: Numba's variables that mean here what ours do: ours, and values that are written otherwise.
_VARIABLES = {
    "NUMBA_DISABLE_JIT": ("PYARRAY_DISABLE_JIT", {}),
    "NUMBA_BOUNDSCHECK": ("PYARRAY_BOUNDSCHECK", {}),
    "NUMBA_CACHE_DIR": ("PYARRAY_CACHE_DIR", {}),
    "NUMBA_OPT": ("PYARRAY_OPT", {"max": "3"}),
    "NUMBA_CPU_NAME": ("PYARRAY_CPU_NAME", {}),
    "NUMBA_CPU_FEATURES": ("PYARRAY_CPU_FEATURES", {}),
    "NUMBA_NUM_THREADS": ("PYARRAY_NUM_THREADS", {}),
    "NUMBA_ENABLE_CUDASIM": ("PYARRAY_CUDA", {"1": "cpu", "0": ""}),
    "NUMBA_CUDA_DRIVER": ("PYARRAY_CUDA_DRIVER", {}),
    "NUMBA_CUDA_MEMORY_MANAGER": ("PYARRAY_CUDA_MEMORY_MANAGER", {}),
}


def _take_variables():
    """Give our variables that are not set the values of Numba's; what was taken, as text, for a note."""
    taken = []
    for theirs, (ours, values) in _VARIABLES.items():
        given = os.environ.get(theirs, "").strip()
        value = values.get(given, given)
        if value and ours not in os.environ:
            os.environ[ours] = value
            taken.append(f"{theirs}={given}")
    return taken


class _Numba(ModuleType):
    """The module that ``import numba`` gives."""

    def __getattr__(self, name):
        if name.startswith("__") and name != "__all__":  # a package's own, which would be said of ours
            raise AttributeError(f"module 'numba' has no attribute {name!r}", name=name)
        return getattr(sys.modules[_OWN], name)

    def __dir__(self):
        return sorted({*vars(self), *dir(sys.modules[_OWN])})


class _Finder:
    """Finds ``numba`` and what is in it: it is asked before all others."""

    def find_spec(self, name, path=None, target=None):
        if name != "numba" and not name.startswith("numba."):
            return None
        if getattr(_state, "real", False):
            return None
        if name == "numba":
            spec = ModuleSpec(name, self, is_package=True)
            spec.submodule_search_locations = []
            return spec
        ours = _OWN + name.removeprefix("numba")
        try:
            found = import_module(ours)
        except ModuleNotFoundError as error:
            missing = error.name or ""
            if not missing.startswith(_OWN + "."):
                raise
            if missing == ours and ": " not in str(error):
                return None  # Python's own words for it will do
            text = str(error).replace(f"'{_OWN}.", "'numba.", 1)
            raise ModuleNotFoundError(text, name="numba" + missing.removeprefix(_OWN)) from None
        return ModuleSpec(name, self, is_package="__path__" in vars(found))

    def create_module(self, spec):
        return _make_numba() if spec.name == "numba" else None

    def exec_module(self, module):
        """Put our module where the new one is, as `import` allows: ours does not change."""
        name = module.__name__
        if name != "numba":
            ours = _OWN + name.removeprefix("numba")
            sys.modules[name] = sys.modules[ours]
            _name_places(ours, name)


_finder = _Finder()
_state = threading.local()  # .real: this thread imports the real Numba
_lock = threading.RLock()


def _make_numba():
    own = sys.modules[_OWN]
    made = _Numba("numba", own.__doc__)
    made.__version__ = own.version_info.string
    made.__file__, made.__path__ = own.__file__, []
    made.__all__ = list(own.__all__)
    return made


def _name_places(ours, theirs):
    """What our package has put into `sys.modules` itself, where `import` would look for a path (``_places.py``)."""
    for name, module in list(sys.modules.items()):
        if name.startswith(ours + "."):
            sys.modules.setdefault(theirs + name.removeprefix(ours), module)


class _InNewProcesses:
    """Among what multiprocessing tells a new interpreter first: read there, it installs this package as Numba."""

    def __reduce__(self):
        home = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
        text = (
            f"import sys\nsys.path.append({home!r})\n"
            f"try:\n    import {_OWN}\n    {_OWN}.install_as_numba(fallback={_falls_back})\n"
            "except ImportError:\n    pass\nfinally:\n    sys.path.pop()\n"
        )
        return exec, (text,)


_falls_back = False


def _follow_into_processes():
    """Processes that multiprocessing starts anew ("spawn", "forkserver") have this package as Numba, too."""
    from multiprocessing import spawn

    own = spawn.get_preparation_data
    if getattr(own, "_of_pyarray", False):
        return

    def get_preparation_data(name):
        return {**own(name), _OWN: _InNewProcesses()}

    get_preparation_data._of_pyarray = True
    spawn.get_preparation_data = get_preparation_data


def _theirs():
    """Names in `sys.modules` of Numba, whoever's they are."""
    return [name for name in sys.modules if name == "numba" or name.startswith("numba.")]


def is_installed():
    """Whether ``import numba`` gives this package."""
    return _finder in sys.meta_path


def install_as_numba(*, fallback=False):
    """Let ``import numba`` give this package from now on, with Numba's version number.

    Parameters
    ----------
    fallback : bool
        A function, ufunc or kernel that this compiler refuses is given to the real Numba, where that is installed,
        with one warning that names it.

    Raises
    ------
    ImportError
        Where the real Numba is imported already: what has been made with it would not go with this package.

    Notes
    -----
    Processes that `multiprocessing` starts have it, too. A second call changes ``fallback`` alone. Functions, ufuncs
    and kernels with declared signatures that are refused warn, and raise when they are called, unless
    ``PYARRAY_DECLARED_ERRORS`` says otherwise. Numba's environment variables, such as ``NUMBA_NUM_THREADS``, stand in
    for ours that are not set, and one warning says which did.
    """
    present = sys.modules.get("numba")
    if present is not None and not isinstance(present, _Numba) and present is not sys.modules[_OWN]:
        where = getattr(present, "__file__", None) or repr(present)
        raise ImportError(
            f"Numba is imported already, from {where}: call install_as_numba() before anything imports numba, or start "
            "the program with python -m pyarray.run",
            name="numba",
        )
    if not is_installed():
        sys.modules.pop("numba", None)
        _tell(_take_variables())
        sys.meta_path.insert(0, _finder)
        _follow_into_processes()
    global _falls_back
    _falls_back = bool(fallback)
    from . import config
    from ._placeholders import begin
    from ._pyarray import _set_falls_back

    begin()

    config.DECLARED_ERRORS = config.DECLARED_ERRORS or "warn"
    _set_falls_back(bool(fallback))
    import_module("numba")


def _tell(taken):
    if not taken:
        return
    if f"{_OWN}.config" in sys.modules:
        config = sys.modules[f"{_OWN}.config"]
        config.read()
        if f"{_OWN}.decorators" in sys.modules:
            sys.modules[f"{_OWN}.decorators"]._DEFAULTS["boundscheck"] = config.BOUNDSCHECK
    from ._report import warn_at
    from .errors import NumbaWarning

    ours = ", ".join(_VARIABLES[one.partition("=")[0]][0] for one in taken)
    warn_at(f"taken from the environment: {', '.join(taken)} (as {ours})", NumbaWarning, None, 0)


@contextmanager
def real_numba(modules):
    """Within it ``numba`` is the real one in this thread's imports, whose modules so far ``modules`` has."""
    if getattr(_state, "real", False):  # compiling one function makes Numba compile another
        yield
        return
    with _lock:
        ours = {name: sys.modules.pop(name) for name in _theirs()}
        sys.modules.update(modules)
        _state.real = True
        try:
            yield
        finally:
            _state.real = False
            modules.update((name, sys.modules.pop(name)) for name in _theirs())
            sys.modules.update(ours)
