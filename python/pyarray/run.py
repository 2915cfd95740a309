"""``python -m pyarray.run script.py`` and ``-m module``: a program whose ``import numba`` gives this package.

Options, before the script: ``--fallback`` gives functions that are refused to the real Numba.
"""

import argparse
import os
import runpy
import sys


def main(arguments=None):
    """Run the program that the arguments name, as Python would."""
    parser = argparse.ArgumentParser(
        prog="python -m pyarray.run", description="Run a program whose `import numba` gives pyarray."
    )
    parser.add_argument("--fallback", action="store_true", help="functions that are refused go to the real Numba")
    parser.add_argument("-m", dest="module", metavar="module", help="a module, as of python -m")
    parser.add_argument("rest", nargs=argparse.REMAINDER, metavar="script.py arguments ...")
    # what follows a module or a script is the program's own
    given = list(sys.argv[1:] if arguments is None else arguments)
    end = next((at for at, word in enumerate(given) if word == "-m" or not word.startswith("-")), len(given))
    options = parser.parse_args(given[: end + 2] if given[end : end + 1] == ["-m"] else given[: end + 1])
    rest = given[end + 2 :] if options.module else given[end + 1 :]
    if not options.module and not options.rest:
        parser.error("a script or -m module is needed")
    from . import install_as_numba

    install_as_numba(fallback=options.fallback)
    if options.module:
        sys.path[0] = os.getcwd()
        sys.argv = [options.module, *rest]
        runpy.run_module(options.module, run_name="__main__", alter_sys=True)
        return
    script = options.rest[0]
    sys.argv = [script, *rest]
    sys.path[0] = os.path.dirname(os.path.realpath(script))
    runpy.run_path(script, run_name="__main__")


if __name__ == "__main__":
    main()
