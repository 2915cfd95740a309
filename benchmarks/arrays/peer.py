"""Times programs in one peer: `peer.py NAME OUT` reads names, a line each; results go to the file descriptor OUT.

Each peer is a process of its own, so that no peer's threads or memory touch another's.
"""

import importlib.util
import inspect
import json
import os
import sys
import time

import analysis_programs
import array_programs
import c_programs
import numpy as np

REPEATS, SECONDS, MOST_SECONDS = 5, 0.25, 10


def numpy_peer(function, arguments):
    return function


def compiled_by(package, **options):
    def make(function, arguments):
        module = __import__(package)
        analysis_programs.prange = module.prange
        return module.njit(**options)(function)

    return make


def jax_peer(function, arguments):
    """The same source on jax.numpy; what updates arrays in place has no such form."""
    import jax

    jax.config.update("jax_enable_x64", True)
    namespace = {"np": jax.numpy, "math": __import__("math")}
    exec(inspect.getsource(function), namespace)
    fixed = tuple(i for i, value in enumerate(arguments) if isinstance(value, int))
    jitted = jax.jit(namespace[function.__name__], static_argnums=fixed)
    return lambda *values: jax.block_until_ready(jitted(*values))


def pythran_peer(function, arguments):
    import pythran

    def spelled(value):
        if isinstance(value, np.ndarray):
            return value.dtype.name + "[" + ",".join(":" * value.ndim) + "]"
        return type(value).__name__

    text = "import numpy as np\n" + inspect.getsource(function)
    export = f"#pythran export {function.__name__}({', '.join(map(spelled, arguments))})\n"
    name = f"pythran_{function.__name__}"
    path = c_programs.kept(f"{name}_", (export + text).encode())
    if not path.exists():
        options = ["-O3", "-march=native", "-DUSE_XSIMD"]
        specs = pythran.spec_parser(export)
        pythran.compile_pythrancode(name, text, specs=specs, output_file=str(path), extra_compile_args=options)
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return getattr(module, function.__name__)


class NotWritten(Exception):
    """The program does not exist in the peer's own language."""


def numexpr_peer(function, arguments):
    """NumPy, with one expression for each statement that numexpr can compute."""
    import numexpr_programs

    name = program_of(function, arguments)
    if not hasattr(numexpr_programs, name):
        raise NotWritten
    return getattr(numexpr_programs, name)


def c_peer(function, arguments, exact=False):
    name = program_of(function, arguments)
    if name not in c_programs.C:
        raise NotWritten
    return c_programs.c_peer(name, exact)


def exact_c_peer(function, arguments):
    """The same loops without -ffast-math: no other order of a sum, no reciprocals, no fused multiplications."""
    return c_peer(function, arguments, exact=True)


def program_of(function, arguments):
    """A function that several programs share is told apart by what they give it."""
    if function is not array_programs.product:
        return function.__name__ if function is not array_programs.products_in_a_loop else "matmul_each_4"
    return f"matmul_{arguments[0].shape[-1]}"


PEERS = {
    "numpy": numpy_peer,
    "pyarray": compiled_by("pyarray"),
    "pyarray_parallel": compiled_by("pyarray", parallel=True),
    "numba": compiled_by("numba"),
    "numba_parallel": compiled_by("numba", parallel=True),
    "jax": jax_peer,
    "numexpr": numexpr_peer,
    "c": c_peer,
    "c_exact": exact_c_peer,
    "pythran": pythran_peer,
}


def flat(result):
    return [np.asarray(part) for part in (result if isinstance(result, tuple) else (result,))]


class Measured:
    """A program in this peer: compiled and checked against NumPy once, then timed as often as asked."""

    def __init__(self, name, make, scale):
        function, self.inputs = array_programs.PROGRAMS[name]
        self.scale = scale
        want = flat(function(*self.inputs(scale)))
        arguments = self.inputs(scale)
        begin = time.perf_counter()
        self.call = make(function, arguments)
        got = flat(self.call(*arguments))
        self.first = time.perf_counter() - begin
        for a, b in zip(want, got, strict=True):
            single = a.dtype == np.float32
            np.testing.assert_allclose(b, a, rtol=1e-4 if single else 1e-7, atol=1e-5 if single else 1e-9)

    def times(self):
        times, begin = [], time.perf_counter()
        while len(times) < REPEATS or time.perf_counter() - begin < SECONDS:
            arguments = self.inputs(self.scale)
            start = time.perf_counter()
            self.call(*arguments)
            times.append(time.perf_counter() - start)
            if time.perf_counter() - begin > MOST_SECONDS:
                break
        return times


def answer(measured, name, make, scale):
    try:
        if name not in measured:
            measured[name] = Measured(name, make, scale)
        return {"first": measured[name].first, "times": measured[name].times()}
    except NotWritten:
        return {"error": ""}
    except Exception as error:  # a peer that refuses a program is a result
        return {"error": f"{type(error).__name__}: {error}".splitlines()[0][:200]}


def main():
    peer, out = sys.argv[1], int(sys.argv[2])
    scale, measured = float(os.environ.get("SCALE", "1")), {}
    with os.fdopen(out, "w") as results:
        for line in sys.stdin:
            results.write(json.dumps(answer(measured, line.strip(), PEERS[peer], scale)) + "\n")
            results.flush()


if __name__ == "__main__":
    main()
