"""Compiles every program of this folder and shows what comes of it: ``make demo``.

Results are checked against CPython and NumPy; times are those of the compiler, of compiled code, of CPython and of
NumPy. The same goes for ufuncs, parallel loops and CUDA kernels, without CPython. Then follow the IR of one function at
each level on its way to machine code, the types that were inferred for it, and the error for a function that cannot be
compiled.
"""

import os
import sys
import time
import timeit
import warnings
from fractions import Fraction

os.environ["PYARRAY_CACHE"] = "0"  # so that everything is compiled here and now

import cannot_compile  # noqa: E402
import numpy as np  # noqa: E402
import pyarray  # noqa: E402
from hypot import hypot  # noqa: E402
from programs import CUDA, PROGRAMS, PYTHON, UFUNCS, is_close, load, plain  # noqa: E402
from pyarray import cuda  # noqa: E402

IN_TERMINAL = sys.stdout.isatty()
SHOWN_LINES = 24  # of each level of IR
LEVELS = {
    1: "untyped: what the Python says",
    2: "typed: every value has a type",
    3: "ownership of arrays is explicit",
    4: "linalg, scf, memref, arith, math: nothing of pyarray is left",
    5: "loops of the target",
    6: "llvm dialect",
}


def style(text, code):
    """The text in bold (1), dim (2), red (31) or green (32) where the output is a terminal."""
    return f"\033[{code}m{text}\033[0m" if IN_TERMINAL else text


def heading(text):
    """Print a line that begins a part."""
    print("\n" + style(text, 1), flush=True)


def seconds(time):
    """A duration with its unit, in 8 characters."""
    for unit, scale in (("ns", 1e9), ("us", 1e6), ("ms", 1e3)):
        if time * scale < 999.5:
            return f"{time * scale:5.{1 if time * scale < 99.95 else 0}f} {unit}"
    return f"{time:5.2f} s "


def best_time(function, make_arguments, budget=0.25):
    """Seconds of the fastest call among those that fit into the budget; each gets new arguments."""
    arguments = make_arguments()
    best, spent = float("inf"), 0.0
    while spent < budget:
        start = time.perf_counter()
        function(*arguments)
        once = time.perf_counter() - start
        best, spent = min(best, once), spent + once
        arguments = make_arguments()
        if best < 20e-6:
            timer = timeit.Timer("function(*arguments)", globals={"function": function, "arguments": arguments})
            return min(timer.repeat(5, number=10_000)) / 10_000
    return best


def is_equal(result, arguments, wanted, wanted_arguments, tolerance):
    """Whether results and arguments after the call agree."""
    pairs = [(result, wanted), *zip(arguments, wanted_arguments, strict=True)]
    return all(is_close(a, b, tolerance) for a, b in pairs)


def run_plain(module, name):
    """Result and arguments of a program in CPython, with the random numbers that the compiled program drew."""
    if name == "monte_carlo_pi":
        module.seed(1)
    arguments = module.arguments()
    return getattr(module, name)(*arguments), arguments


def show_program(name):
    """Compile, check and time one program; prints a line and returns whether the results agree."""
    print(f"{name:15}", end="", flush=True)
    module, python = load(name), load(name, plain)
    compiled = getattr(module, name)
    arguments = module.arguments()
    if name == "monte_carlo_pi":
        module.seed(1)
    result = compiled(*arguments)
    compile_time = sum(overload.seconds["whole"] for overload in compiled.overloads.values())
    print(f"  {seconds(compile_time)}", end="", flush=True)

    random_tolerance = 1e-2 if name == "monte_carlo_pi" else 1e-5
    reference_arguments = module.arguments()
    reference = module.reference(*reference_arguments)
    agrees = is_equal(result, arguments, *run_plain(python, name), 1e-12)
    agrees &= is_equal(result, arguments, reference, reference_arguments, random_tolerance)

    times = [best_time(compiled, module.arguments)]
    print(f"  {seconds(times[0])}", end="", flush=True)
    times.append(best_time(getattr(python, name), module.arguments))
    times.append(best_time(module.reference, module.arguments))
    speedups = [f"{time / times[0]:7.{1 if time < 99 * times[0] else 0}f}x" for time in times[1:]]
    if name == "monte_carlo_pi":
        speedups[1] = "       -"  # its reference is a constant
    mark = style("equal", 32) if agrees else style("WRONG", 31)
    print(f"  {seconds(times[1])}  {'  '.join(speedups)}   {mark}   {style(PROGRAMS[name], 2)}")
    return agrees


def show_programs():
    """Print the table of all programs; returns whether all results agree."""
    columns = "compile", "compiled", "CPython", "/ CPython", "/ NumPy"
    heading(f"{'program':15}" + "".join(f"{column:>10}" for column in columns) + "   result")
    return all([show_program(name) for name in PROGRAMS])


def show_other(name, shown):
    """Compile, check and time another program; prints a line and returns whether results agree."""
    print(f"{name:19}", end="", flush=True)
    start = time.perf_counter()
    module = sys.modules[name] = load(name)  # where compiled code finds classes of exceptions
    function, arguments = getattr(module, name), module.arguments()
    function(*module.arguments(10))  # njit and cuda.jit compile now, vectorize has done so already
    print(f" {seconds(time.perf_counter() - start)}", end="", flush=True)
    result, wanted = function(*arguments), module.reference(*arguments)
    agrees = is_close(result, wanted, getattr(module, "TOLERANCE", 1e-9))
    times = [best_time(function, module.arguments), best_time(module.reference, module.arguments)]
    mark = style("equal", 32) if agrees else style("WRONG", 31)
    speedup = f"{times[1] / times[0]:7.1f}x"
    print(f"  {seconds(times[0])}  {seconds(times[1])}  {speedup}   {mark}   {style(shown, 2)}")
    return agrees


def show_others(title, programs):
    """Print the table of such programs; returns whether all results agree."""
    columns = "compile", "compiled", "reference", "speedup"
    heading(f"{title:18}" + "".join(f"{column:>10}" for column in columns) + "   result")
    return all([show_other(name, shown) for name, shown in programs.items()])


def show_cuda():
    """Print the table of CUDA programs, run by a GPU or by the CPU; returns whether all results agree."""
    warnings.simplefilter("ignore", cuda.CudaEmulationWarning)
    heading(f"CUDA programs, copies included, on: {cuda.get_current_device().name}")
    return show_others("kernels", CUDA)


def show_lines(title, text):
    """Print the beginning of a text."""
    lines = text.rstrip().splitlines()
    print("\n" + style(f"-- {title} ({len(lines)} lines)", 1))
    print("\n".join(line[:160] for line in lines[:SHOWN_LINES]))
    if len(lines) > SHOWN_LINES:
        print(style(f"... {len(lines) - SHOWN_LINES} more lines", 2))


def show_levels(function, signature):
    """Print a function at each level of IR."""
    heading(f"{function.__name__}({', '.join(map(str, signature))}) on its way to machine code")
    for level, meaning in LEVELS.items():
        show_lines(f"level {level}: {meaning}", function.inspect_mlir(level, signature))
    show_lines("LLVM IR, optimised", function.inspect_llvm(signature))
    show_lines("assembly", function.inspect_asm(signature))


def show_error():
    """Print the error for a program that cannot be compiled."""
    heading("cannot_compile(Fraction(1, 3)): a function that cannot be compiled")
    try:
        cannot_compile.cannot_compile(Fraction(1, 3))
    except pyarray.TypingError as error:
        print(f"\nTypingError: {error}")
        return True
    return False


def main():
    """Print everything; the exit status is 1 if a result is wrong."""
    start = time.perf_counter()
    print(f"pyarray {pyarray.__version__}, Python {sys.version.split()[0]}, NumPy {np.__version__}")
    good = show_programs()
    good &= show_others("Python's data", PYTHON)
    good &= show_others("ufunc or prange", UFUNCS)
    good &= show_cuda()
    hypot(3.0, 4.0)
    show_levels(hypot, hypot.signatures[0])
    heading("hypot.inspect_types()")
    hypot.inspect_types()
    good &= show_error()
    heading(f"{'All results agree' if good else 'SOME RESULTS ARE WRONG'} ({time.perf_counter() - start:.0f} s)")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
