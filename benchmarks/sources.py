"""Source files for either package, each with a function first_call() that compiles and calls on small arguments.

The main functions of examples/ are taken as they are, with the import changed; others are written here.
"""

import itertools
import linecache

from measure import HERE

EXAMPLES = HERE.parent / "examples"

SCALAR_LOOP = """
from pyarray import njit

@njit
def scalar_loop(n):
    total = 0.0
    for i in range(n):
        total += i * 0.5
    return total

def first_call():
    return scalar_loop(10)
"""

ARRAY_LOOP = """
import numpy as np
from pyarray import njit

@njit
def array_loop(a, b):
    total = 0.0
    for i in range(a.size):
        b[i] = 2.0 * a[i] + 1.0
        total += b[i]
    return total

def first_call():
    return array_loop(np.ones(10), np.empty(10))
"""

# Something different to compile first where the process is to be warm.
WARM_UP = """
import numpy as np
from pyarray import njit

@njit
def warm_up(a, x):
    for i in range(len(a)):
        if a[i] > x:
            return i
    return -1

def first_call():
    return warm_up(np.arange(5), 3)
"""

TEN_STATEMENTS = """\
    x = x * 1.25 + y
    y = y - x * 0.5
    if x > y:
        x = x - y
    for i in range(n):
        z = z + x * i
    z = abs(z)
    y = min(y, z)
    x = x / 2.0 + z
    z = math.sqrt(z * z + 1.0)
"""


def statements(count):
    """A function of so many statements: arithmetic, branches, loops, calls."""
    head = "import math\nfrom pyarray import njit\n\n@njit\ndef statements(x, y, n):\n    z = 0.0\n"
    tail = "    return z\n\ndef first_call():\n    return statements(1.0, 2.0, 3)\n"
    return head + TEN_STATEMENTS * (count // 10) + tail


_texts = itertools.count()


def source_function(text, names):
    """The function that a text defines, among those names; compilers find its source by a file name of its own."""
    file = f"<benchmark {next(_texts)}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    names = dict(names)
    before = set(names)
    exec(compile(text, file, "exec"), names)
    return next(value for name, value in names.items() if name not in before and name != "__builtins__")


def example(name, size):
    source = (EXAMPLES / f"{name}.py").read_text()
    return source + f"\n\ndef first_call():\n    return {name}(*arguments({size}))\n"


def tasks():
    """Source by name."""
    return {
        "scalar loop": SCALAR_LOOP,
        "array loop": ARRAY_LOOP,
        "mandelbrot": example("mandelbrot", 4),
        "n-body": example("nbody", 2),
    }


def write(folder, package, name, source, cached=False):
    """Write a source for a package; returns the path. cached: with Numba's disk cache, as pyarray has by default."""
    source = source.replace("from pyarray", f"from {package}")
    if cached and package == "numba":
        source = source.replace("@njit\n", "@njit(cache=True)\n")
    path = folder / f"{package}_{name.replace(' ', '_').replace('-', '_')}.py"
    path.write_text(source)
    return path
