"""What ``pyarray-translate --import-python`` asks of Python: the function and the signature that the user named."""

import contextlib
import os
import sys
import traceback


class _ImportFailed(Exception):
    """The user's file raised something; the text says what."""


def _load(path):
    """The module in a file, whose folder comes first on the path, as for a script."""
    from importlib import util

    if not os.path.isfile(path):
        raise FileNotFoundError(f"no file '{path}'")
    sys.path.insert(0, os.path.dirname(os.path.abspath(path)))
    spec = util.spec_from_file_location(os.path.splitext(os.path.basename(path))[0], path)
    if spec is None:
        raise ImportError(f"'{path}' is no Python source file")
    sys.modules[spec.name] = module = util.module_from_spec(spec)
    with contextlib.redirect_stdout(sys.stderr):  # standard output is for the IR
        try:
            spec.loader.exec_module(module)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # a call of sys.exit() too
            raise _ImportFailed(f"importing {path} failed: {_in_one_line(error, path)}") from None
    return module


def _find(source, signature):
    from .signatures import code_of

    path, colon, name = source.rpartition(":")
    if not colon or not name:
        raise ValueError(f"--import-python takes file.py:function, not '{source}'")
    target = _load(path)
    for part in name.split("."):
        target = getattr(target, part)
    return getattr(target, "py_func", target), code_of(signature)


def _in_one_line(error, path):
    """The error with its class, and its line where the user's file raised it."""
    text = "".join(traceback.format_exception_only(error)).strip() if not str(error) else str(error).split("\n")[0]
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == path]
    where = f" ({path}, line {frames[-1].lineno})" if frames else ""
    return f"{type(error).__name__}: {text}{where}"


def find(source, signature):
    """The function that ``file.py:function`` names, and the type code of a signature.

    Returns
    -------
    function, code, problem
        ``problem`` is None, or the text of what is wrong, in one line; then the others are None.
    """
    try:
        function, code = _find(source, signature)
    except KeyboardInterrupt:
        raise
    except _ImportFailed as failure:
        return None, None, str(failure)
    except BaseException as error:  # whatever objects of the user's do
        return None, None, _in_one_line(error, source.rpartition(":")[0])
    return function, code, None
