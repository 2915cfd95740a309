"""What is timed in a fresh process; prints the times in seconds as a JSON list.

    python child.py import STATEMENT          how long the statement takes after `import numpy`
    python child.py call PACKAGE FILE...      for each file: from its first line to the result of its first_call()

The clock starts after the imports of NumPy and of the package. Running a file decorates its functions, so whatever the
decorator loads or compiles is counted.
"""

import importlib
import json
import pathlib
import sys
import time
import types

import numpy  # noqa: F401


def time_import(statement):
    code = compile(statement, "<import>", "exec")
    start = time.perf_counter()
    exec(code, {})
    return time.perf_counter() - start


def time_first_call(path):
    with open(path) as file:
        code = compile(file.read(), path, "exec")
    module = types.ModuleType(pathlib.Path(path).stem)
    module.__file__ = path
    sys.modules[module.__name__] = module  # Numba's cache looks there
    start = time.perf_counter()
    exec(code, vars(module))
    module.first_call()
    return time.perf_counter() - start


def main():
    if sys.argv[1] == "import":
        times = [time_import(sys.argv[2])]
    else:
        importlib.import_module(sys.argv[2])
        times = [time_first_call(path) for path in sys.argv[3:]]
    print(json.dumps(times))


if __name__ == "__main__":
    main()
