"""``python -m pyarray explain file.py``: which functions of a file or a package compile, and what is refused in which.

The file is imported, and, where it is asked for, run; what calls pass is what is compiled for then. Calls that are
refused are done by Python, so that one run finds all refusals. Numba's programs are read as they are.
"""

import gc
import importlib.util
import os
import pkgutil
import runpy
import sys
import traceback

from . import _fallback, errors, types
from ._pyarray import Dispatcher


class Refusal:
    """Why a function is not compiled: a message with its line and what to write instead.

    Attributes
    ----------
    text : str
    file, line
        The place, or None.
    """

    def __init__(self, text, file, line):
        self.text, self.file, self.line = text, file, line


def _refusals(error):
    """What an error tells of: one message for each refusal."""
    import re

    first, *others = str(error).strip().split("\n\nAnd: ")
    found = [Refusal(first, error.file, error.line)]
    for text in others:
        place = re.search(r'^File "(.*)", line (\d+):$', text, re.MULTILINE)
        found.append(Refusal(text, *((place[1], int(place[2])) if place else (None, None))))
    return found


class _Recorder:
    """Refusals of calls, of each function by the types of arguments."""

    def __init__(self):
        self.found = {}  # of a dispatcher's id: the dispatcher, {types as text: error}

    def __call__(self, dispatcher, refusal, arguments, keywords):
        kinds = ", ".join(_shown_type(value) for value in (*arguments, *keywords.values()))
        self.found.setdefault(id(dispatcher), (dispatcher, {}))[1].setdefault(f"({kinds})", refusal)

    def of(self, dispatcher):
        return self.found.get(id(dispatcher), (None, {}))[1]


def _shown_type(value):
    from ._report import _shown_type

    return str(_shown_type(value))


# ------------------------------------------------------------------------------------------------
# What is looked at


def _is_within(path, target):
    path = os.path.realpath(path)
    return path == target or path.startswith(target + os.sep)


def _load_file(path, name):
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def _package_name(path):
    """(name, folder to import from) of a package or a module in one, by its path."""
    parts, folder = [os.path.basename(path).removesuffix(".py")], os.path.dirname(path)
    while os.path.exists(os.path.join(folder, "__init__.py")):
        parts.insert(0, os.path.basename(folder))
        folder = os.path.dirname(folder)
    return ".".join(parts), folder


def load(path):
    """Import a file, as a module of its package where it is in one."""
    name, folder = _package_name(os.path.realpath(path))
    sys.path.insert(0, folder)
    if "." in name:
        return importlib.import_module(name)
    # not under its own name, which may be a module's that is imported already
    return _load_file(path, f"__explained_{name}" if name in sys.modules else name)


def _import_all(path):
    """Import what is at a path; texts of what went wrong."""
    failures = []

    def attempt(name, do, *arguments):
        try:
            return do(*arguments)
        except SystemExit:
            return None
        except Exception as error:
            line = traceback.format_exception_only(error)[-1].strip()
            failures.append(f"{name} cannot be imported: {line}")
            return None

    if os.path.isfile(path):
        attempt(path, load, path)
        return failures
    if not os.path.exists(os.path.join(path, "__init__.py")):
        for name in sorted(os.listdir(path)):
            if name.endswith(".py"):
                attempt(name, load, os.path.join(path, name))
        return failures
    name, folder = _package_name(os.path.realpath(path))
    sys.path.insert(0, folder)
    package = attempt(name, importlib.import_module, name)
    for module in pkgutil.walk_packages(getattr(package, "__path__", []), name + ".", onerror=lambda name: None):
        if not module.name.endswith(".__main__"):
            attempt(module.name, importlib.import_module, module.name)
    return failures


def _run(path, arguments):
    """Run a program; a text where it failed."""
    sys.argv = [path, *arguments]
    sys.path.insert(0, os.path.dirname(os.path.realpath(path)))
    try:
        runpy.run_path(path, run_name="__main__")
    except SystemExit:
        pass
    except Exception as error:
        traceback.print_exception(error)
        return [f"the program ended with {type(error).__name__}"]
    return []


def _path_of(target):
    """The file or folder that a path or a module's name stands for."""
    if os.path.exists(target):
        return os.path.realpath(target)
    sys.path.insert(0, os.getcwd())
    spec = importlib.util.find_spec(target)
    if spec is None or spec.origin is None:
        raise FileNotFoundError(f"{target} is neither a file, a folder nor a module")
    package = spec.submodule_search_locations
    return os.path.realpath(list(package)[0] if package else spec.origin)


# ------------------------------------------------------------------------------------------------
# What is said of each


def _result(signature, state, seconds=None, refusals=()):
    return {
        "signature": signature,
        "state": state,
        "seconds": seconds,
        "refusals": [{"text": one.text, "file": one.file, "line": one.line} for one in refusals],
    }


def _compile_declared(dispatcher):
    dispatcher.disable_compile(False)
    for code in dispatcher._declared:
        signature = types.signature_from_code(code) if not code.endswith(">") else types.arguments_from_code(code)
        try:
            dispatcher.compile(signature)
        except errors.PyArrayError as error:
            yield _result(str(signature), "refused", None, _refusals(error))


def _without_types(dispatcher):
    """What is refused whatever the types are."""
    try:
        dispatcher._show("untyped", ">")
    except errors.PyArrayError as error:
        return [_result("whatever the types", "refused", None, _refusals(error))]
    return []


def _results(dispatcher, recorder):
    found = list(_compile_declared(dispatcher)) if dispatcher._declared else []
    for code, _, seconds, retired in dispatcher._variants():
        if not retired:
            found.append(_result(str(types.signature_from_code(code)), "compiles", seconds[3] or None))
    for kinds, error in recorder.of(dispatcher).items():
        found.append(_result(kinds, "refused", None, _refusals(error)))
    return found or _without_types(dispatcher)


def _functions(target):
    """The dispatchers whose functions are in a file or folder, in the order of their lines."""
    found = {}
    for value in gc.get_objects():
        if isinstance(value, Dispatcher) and _is_within(value.__code__.co_filename, target):
            code = value.__code__
            found.setdefault((code.co_filename, code.co_firstlineno, value.__qualname__), []).append(value)
    return dict(sorted(found.items()))


def survey(target, run=None):
    """What compiles of a file, a folder or a module.

    Parameters
    ----------
    target : str
        A path, or a module's name. It is imported, with all that a package has in it.
    run : sequence of str, optional
        Run the file with these arguments, too: then functions are compiled for what it calls them with.

    Returns
    -------
    dict
        Values of JSON: ``functions``, each with ``results``; ``problems``, texts of what could not be looked at.
    """
    from . import __version__, config, install_as_numba

    path = _path_of(target)
    recorder = _Recorder()
    install_as_numba(fallback=True)
    config.DECLARED_ERRORS = "warn"
    _fallback.note_refusal = recorder
    try:
        if run is None:
            problems = _import_all(path)
        else:
            problems = _run(path, run)
    finally:
        _fallback.note_refusal = None
    functions = []
    for (file, line, name), dispatchers in _functions(path).items():
        results = {}
        for dispatcher in dispatchers:
            for result in _results(dispatcher, recorder):
                results.setdefault((result["signature"], result["state"]), result)
        functions.append({
            "name": name,
            "file": os.path.relpath(file) if not os.path.relpath(file).startswith("..") else file,
            "line": line,
            "state": "not called, and no signature is declared" if run is not None else "no signature is declared",
            "results": list(results.values()),
        })  # fmt: skip
    return {
        "title": target,
        "version": __version__,
        "said": _summary(functions),
        "functions": functions,
        "problems": problems,
    }


def _plural(count, what):
    return f"{count} {what}{'' if count == 1 else 's'}"


def _summary(functions):
    states = [{result["state"] for result in one["results"]} for one in functions]
    refused = sum("refused" in one for one in states)
    whole = sum(one == {"compiles"} for one in states)
    seconds = sum(result["seconds"] or 0 for one in functions for result in one["results"])
    rest = len(functions) - refused - whole
    parts = [f"{_plural(len(functions), 'function')}: {whole} compiled"]
    parts += [f"{refused} refused"] * bool(refused) + [f"{rest} without a known signature"] * bool(rest)
    return f"{', '.join(parts)}; {seconds:.2f} s"


def as_text(found):
    """The report as text."""
    lines = [f"{found['title']}: {found['said']}"]
    lines += [f"  {problem}" for problem in found["problems"]]
    for one in found["functions"]:
        lines.append(f"\n{one['name']}  {one['file']}:{one['line']}")
        if not one["results"]:
            lines.append(f"  {one['state']}")
        for result in one["results"]:
            seconds = f", {result['seconds']:.3f} s" if result["seconds"] else ""
            lines.append(f"  {result['signature']}  {result['state']}{seconds}")
            for refusal in result["refusals"]:
                lines += [f"      {line}".rstrip() for line in refusal["text"].splitlines()]
                lines.append("")
    return "\n".join(lines).rstrip() + "\n"


def function_of(target, name):
    """The function of that name, of a file or a module; `njit` compiles it where nothing else does.

    Parameters
    ----------
    target : str
        A path, or a module's name.
    name : str
        ``f``, or ``Class.f``.
    """
    from . import install_as_numba, njit

    install_as_numba()
    if os.path.exists(target):
        found = load(target)
    else:
        sys.path.insert(0, os.getcwd())
        found = importlib.import_module(target)
    for part in name.split("."):
        if not hasattr(found, part):
            raise AttributeError(f"{target} has no {name!r}")
        found = getattr(found, part)
    if isinstance(found, type(function_of)):
        found = njit(found)
    if not isinstance(found, Dispatcher):
        raise TypeError(f"{name} of {target} is no function, but a {type(found).__name__}")
    return found
