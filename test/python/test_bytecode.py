"""Functions whose text is nowhere: what is read of their bytecode does what they do."""

import ast
import contextlib
import copy
import inspect
import math
import os
import py_compile
import subprocess
import sys
import types
import zipfile
from pathlib import Path

import numpy as np
import pyarray
import pytest
import random_exceptions
from hypothesis import given, settings
from pyarray import njit, prange
from pyarray._bytecode import Unreadable, read_function
from random_programs import programs

ENVIRONMENT = {**os.environ, "PYTHONPATH": os.path.dirname(os.path.dirname(pyarray.__file__))}


def read_back(function):
    """The function that is made of the tree, in Python."""
    node = ast.fix_missing_locations(read_function(function))
    names = {**function.__globals__, **inspect.getclosurevars(function).nonlocals}
    if isinstance(node, ast.Lambda):
        made = eval(compile(ast.Expression(node), "<read>", "eval"), names)
    else:
        exec(compile(ast.Module([node], []), "<read>", "exec"), names)
        made = names[node.name]
    made.__defaults__, made.__kwdefaults__ = function.__defaults__, function.__kwdefaults__
    return made


def outcome(function, arguments):
    arguments = copy.deepcopy(arguments)
    try:
        result = function(*arguments)
        result = list(result) if inspect.isgenerator(result) else result
        return repr(result), repr(arguments)
    except Exception as error:
        return type(error), str(error), repr(arguments)


# ------------------------------------------------------------------------------------------------
# Forms


def while_with_two_tests(n, a):
    while n > 0 and n < 10:
        n -= 1
        if n == 3:
            continue
        if a[n % 4] < 0:
            break
        a[n % 4] += 2 if n else 4
    else:
        n = -n
    return n


def nested_loops(a, b):
    s = 0.0
    for i in range(len(a)):
        if (a[i] > 0 and b[i] < 3) or a[i] == 7:
            s += math.sqrt(a[i])
        elif a[i] < -5:
            break
        else:
            for j, k in zip(a, b):
                if j == k:
                    break
                s -= k
            else:
                s = s * 2
                continue
            s += 1
    x = a if s else b
    y = s and x
    z = not s or len(x) > 1 and None
    return s, x, y, z, 0 < s <= 3 < len(a), f"{s:.3f} {x!r:>30} is {len(y):{len(x)}}"


def functions_and_containers(n):
    def scaled(x, k=2, *, base=1):
        nonlocal n
        n += 1
        return base + x * k

    pairs = {i: j for i, j in enumerate(range(n))}
    some = {k for k in pairs if k != 2 if k}
    grid = [[i * j if i > j else -j for j in range(3)] for i in range(n) if i % 2]
    a, (b, *c), d = 1, (2, 3, 4), 5
    a, b = b, a
    pairs[a] = c[0] = d
    assert n > 1, "too few"
    rest = [*grid, *c, "x"]
    return (
        sum(x * y for x in pairs for y in some if x > y),
        scaled(3, base=4),
        rest,
        {**pairs, 9: 9},
        max(*c, key=lambda v: -v),
        n,
    )


def early_ends(n, step):
    if n is None:
        return
    total = 0
    while True:
        n -= step
        if n < 0:
            if total > 20:
                return total, "large"
            break
        total += n
    x = y = total * 2
    for i in range(3):
        for j in range(3):
            if i == j:
                continue
            if i > j:
                break
            x += 1
    if not (1 <= x < 300 <= y + 300):
        raise ValueError(f"bad {x}") from None
    return x, y


def generator(n):
    yield n
    yield from range(n)
    for i in range(n):
        if i % 2:
            yield i * 2
        elif i > 5:
            return


def walrus_and_slices(a, n):
    if (m := n + 1) > 2:
        a[1:m] = [m]
        a[m - 2 :: 2][0] -= 1
        del a[0]
    a[-1] **= m
    import math as mathematics

    return a[:], a[::-1], -m, ~m, +m, mathematics.floor(2.5), (lambda q: q + m if q else 0)(n)


def call_forms(*args, scale=3, **others):
    return dict(*args, scale=scale, **others), max(args, default=len(others)), list(map(lambda *x: x, args, args))


def handlers(a, i):
    for k in range(3):
        try:
            if a[i] == k:
                continue
            if a[i] == 9:
                break
            y = 1 / a[i]
        except (IndexError, KeyError) as e:
            return str(e)
        except ZeroDivisionError:
            a[i] = 4
            continue
        except:
            raise
        else:
            y += 1
        i += 1
    try:
        a[0] = y
    except TypeError:
        raise ValueError("no") from None
    return y, i


def handlers_in_handlers(a, i):
    with recorded(a) as v, recorded(v):
        v.append(i)
        if i > 2:
            return len(v)
    try:
        try:
            a[i] += 1
        except IndexError as e:
            raise ValueError("x") from e
        finally:
            a.append(7)
    except ValueError as e:
        a.append(str(e) + str(type(e.__cause__)))
    return a


@contextlib.contextmanager
def recorded(a):
    a.append("in")
    yield a
    a.append("out")


def loop_around_try(x):
    while True:
        try:
            x = x / (x - 3)
            if x < 0:
                break
        except ZeroDivisionError:
            x = 2.0
    try:
        return x if x > -3 else [][0]
    except IndexError:
        pass


CASES = [
    (handlers, [([0, 1, 2, 3], 0), ([0, 9], 0), ([5, 5, 5, 5], 0), ([2], 0), ([], 0), ([0, 0, 0], 1), (["s"], 0)]),
    (handlers_in_handlers, [([1, 2], 1), ([1, 2], 2), ([1, 2], 7), ([1, 2], -9)]),
    (loop_around_try, [(3.0,), (5.0,), (2.5,), (2.2,)]),
    (while_with_two_tests, [(5, [1, 2, 3, 4]), (9, [1, 2, 3, 4]), (0, []), (3, [1, -2, 3, 4])]),
    (nested_loops, [([1, 2, 7], [1, 5, 1]), ([-6], [1]), ([-1, 4], [1, 2]), ([0.0], [9.0])]),
    (functions_and_containers, [(4,), (2,), (1,)]),
    (early_ends, [(10, 3), (100, 9), (None, 1), (4, 4), (0, 1)]),
    (generator, [(0,), (4,), (9,)]),
    (walrus_and_slices, [([1, 2, 3, 4], 3), ([1, 2, 3, 4], 1), ([], 1)]),
    (call_forms, [(), ([(1, 2)],)]),
    (lambda x: [x, -x][x > 2] if x and x != 5 else None, [(0,), (1,), (3,), (5,)]),
]


@pytest.mark.parametrize("function, calls", CASES, ids=lambda case: getattr(case, "__name__", ""))
def test_read_back(function, calls):
    made = read_back(function)
    for arguments in calls:
        assert outcome(made, arguments) == outcome(function, arguments)


def test_places():
    node = read_function(early_ends)
    first = early_ends.__code__.co_firstlineno
    assert node.lineno == first and node.name == "early_ends"
    raised = next(each for each in ast.walk(node) if isinstance(each, ast.Raise))
    lines = Path(__file__).read_text().splitlines()
    assert "raise ValueError" in lines[raised.lineno - 1]
    assert lines[raised.exc.lineno - 1][raised.exc.col_offset :].startswith("ValueError(")


@given(programs())
@settings(max_examples=60)
def test_random_programs(program):
    names = {"np": np, "math": math, "njit": lambda function: function}
    exec(compile(program, "<program>", "exec"), names)
    try:
        made = read_back(names["f"])
    except Unreadable:  # one in a few hundred of these
        return
    arguments = (3, -2, 1.5, -0.25, True, 1 + 2j, np.arange(6) * 1.5 - 2, np.arange(5) - 2, np.ones((3, 4)))
    with np.errstate(all="ignore"):
        assert outcome(made, arguments) == outcome(names["f"], arguments)


@pytest.mark.parametrize("first", range(0, 60, 20))
def test_random_exceptions(first):
    read = 0
    for seed in range(first, first + 20):
        names = {"np": np, "compiled": lambda function: function, "never_inlined": lambda function: function}
        exec(compile(random_exceptions.program(seed), "<program>", "exec"), names)
        try:
            made = read_back(names["f"])
        except Unreadable:  # most of these return from within a `try` with `finally`
            continue
        for n in (0, 1, 2, 3, 50, 95):
            assert outcome(made, (np.zeros(3), n)) == outcome(names["f"], (np.zeros(3), n))
        read += 1
    assert read


def _codes(code):
    yield code
    for constant in code.co_consts:
        if inspect.iscode(constant):
            yield from _codes(constant)


def test_the_whole_library():
    """All functions of the library are read, and what is read of them compiles."""
    read = others = 0
    for path in Path(pyarray.__file__).parent.joinpath("library").rglob("*.py"):
        for code in _codes(compile(path.read_text(), str(path), "exec")):
            if code.co_name.startswith("<") or not code.co_flags & inspect.CO_OPTIMIZED:
                continue
            cells = tuple(types.CellType() for _ in code.co_freevars)
            function = types.FunctionType(code, {}, closure=cells)
            try:
                node = read_function(function)
            except Unreadable:
                others += 1
                continue
            body = [ast.Assign([ast.Name(name, ast.Store())], ast.Constant(0)) for name in code.co_freevars]
            outer = ast.parse("def outer(): pass").body[0]
            outer.body = [*body, node]
            compile(ast.fix_missing_locations(ast.Module([outer], [])), "<read>", "exec")
            read += 1
    assert read > 1500 and others < 0.005 * read


# ------------------------------------------------------------------------------------------------
# What is refused


def with_finally(x):
    try:
        if x > 1:
            return [1][x]
        x += 1
    finally:
        print(x)
    return x


def with_match(x):
    match x:
        case (1, y):
            return y
    return 0


@pytest.mark.parametrize("function, what", [(with_finally, "a try of this form"), (with_match, "match")])
def test_what_is_not_read(function, what):
    with pytest.raises(Unreadable, match=what):
        read_function(function)
    code = function.__code__.replace(co_filename="/nowhere/gone.py")
    words = rf"gone.py does not exist.* Its bytecode is read instead, but for {what}, in line \d+"
    with pytest.raises(pyarray.UnsupportedError, match=words):
        njit(types.FunctionType(code, globals()))(1)


# ------------------------------------------------------------------------------------------------
# Compiled


def without_text(function):
    code = function.__code__.replace(co_filename="/nowhere/gone.py")
    made = types.FunctionType(code, function.__globals__, closure=function.__closure__)
    made.__defaults__, made.__kwdefaults__ = function.__defaults__, function.__kwdefaults__
    return made


def masked_means(a, limit=0.0):
    out = np.zeros(a.shape[0])
    for i in prange(a.shape[0]):
        row = a[i]
        kept = row[row > limit]
        out[i] = kept.mean() if kept.size else np.nan
        out[i] += row.sum() if row[0] > 0 and not np.isnan(out[i]) else 1.0
    return out


def words_of(text):
    found = {}
    for word in text.split():
        found[word] = found.get(word, 0) + 1
    return sorted(found.items(), key=lambda item: (-item[1], item[0])), [len(w) for w in found if w != "a"]


def newton(x):
    step = lambda value: 0.5 * (value + x / value)
    guess = x
    while abs(guess * guess - x) > 1e-12 and guess > 0:
        guess = step(guess)
    return guess


def test_compiled():
    a = np.random.default_rng(0).normal(size=(7, 9))
    np.testing.assert_array_equal(njit(without_text(masked_means))(a), njit(masked_means)(a))
    np.testing.assert_array_equal(njit(parallel=True)(without_text(masked_means))(a, 0.5), njit(masked_means)(a, 0.5))
    assert njit(without_text(words_of))("a b a cc b a") == words_of("a b a cc b a")
    assert njit(without_text(newton))(2.0) == newton(2.0)
    counted, items = njit(without_text(while_with_two_tests)), np.array([1, 2, 3, 4])
    assert [counted(n, items.copy()) for n in (5, 9)] == [while_with_two_tests(n, items.copy()) for n in (5, 9)]
    assert njit(without_text(loop_around_try))(5.0) == loop_around_try(5.0)
    assert list(njit(without_text(generator))(9)) == list(generator(9))


def test_errors_have_lines():
    def fails(x):
        y = x + 1
        return y.nothing

    with pytest.raises(pyarray.TypingError, match=rf"gone.py\", line {fails.__code__.co_firstlineno + 2}"):
        njit(without_text(fails))(1)


def test_captured():
    scale = 3

    def outer(x):
        total = x

        def add(y):
            nonlocal total
            total += y * scale

        for i in range(3):
            add(i)
        return total

    assert njit(without_text(outer))(1) == outer(1) == 10


MODULE = """
from pyarray import njit, vectorize

@njit
def f(x):
    total = 0
    for i in range(x):
        total += helper(i) if i % 2 else 1
    return total

@njit(cache=True)
def helper(x):
    return 2 * x

@vectorize
def root(x):
    return x ** 0.5 if x > 0 else 0.0
"""


def run(*arguments, **options):
    done = subprocess.run([sys.executable, *arguments], capture_output=True, text=True, timeout=120, **options)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


PROGRAM = "import numpy as np\nfrom work import f, root\nprint(f(10) + 7, root(np.array([-1.0, 4.0])).tolist())\n"


@pytest.mark.parametrize("archive", [False, True])
def test_package_of_bytecode(tmp_path, archive):
    (tmp_path / "work.py").write_text(MODULE)
    py_compile.compile(tmp_path / "work.py", cfile=tmp_path / "work.pyc")
    (tmp_path / "work.py").unlink()
    folder = tmp_path
    if archive:
        folder = tmp_path / "work.zip"
        with zipfile.ZipFile(folder, "w") as file:
            file.write(tmp_path / "work.pyc", "work.pyc")
        (tmp_path / "work.pyc").unlink()
    environment = {**ENVIRONMENT, "PYTHONPATH": f"{folder}{os.pathsep}{ENVIRONMENT['PYTHONPATH']}"}
    first = run("-c", PROGRAM, env=environment)
    assert first == run("-c", PROGRAM, env=environment)  # from the cache
    assert first == "62 [0.0, 2.0]"


@pytest.mark.parametrize("options", [[], ["-u"]])
def test_long_script_of_a_pipe(options):
    program = MODULE + "# a comment\n" * 1000 + PROGRAM.replace("from work import f, root\n", "")
    assert run(*options, "-", input=program, env=ENVIRONMENT) == "62 [0.0, 2.0]"


def test_file_that_was_changed(tmp_path):
    """What is compiled is the function that is in memory."""
    (tmp_path / "changing.py").write_text("def f(x):\n    return x + 1\n")
    program = (
        "import changing, pathlib, os, time\nfrom pyarray import njit\n"
        "path = pathlib.Path(changing.__file__)\npath.write_text('def f(x):\\n    return x + 2\\n')\n"
        "os.utime(path, (time.time() + 9, time.time() + 9))\nprint(njit(changing.f)(1))\n"
        "path.write_text('')\nprint(njit(parallel=True)(changing.f)(2))\n"
    )
    environment = {**ENVIRONMENT, "PYTHONPATH": f"{tmp_path}{os.pathsep}{ENVIRONMENT['PYTHONPATH']}"}
    assert run("-c", program, env=environment).split() == ["2", "3"]
