"""Times the programs in one peer: `peer.py NAME OUT [program...]`.

Each peer is a process of its own, so that no peer's threads or memory touch another's.
"""

import functools
import importlib.util
import inspect
import json
import os
import pathlib
import statistics
import sys
import time

import array_programs
import c_programs
import numpy as np

REPEATS, SECONDS = 7, 0.6


def numpy_peer(function, arguments):
    return function


def compiled_by(package, **options):
    def make(function, arguments):
        module = __import__(package)
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

    types = {np.dtype("float64"): "float64", np.dtype("int64"): "int64"}

    def spelled(value):
        if isinstance(value, np.ndarray):
            return types[value.dtype] + "[" + ",".join(":" * value.ndim) + "]"
        return type(value).__name__

    text = "import numpy as np\n" + inspect.getsource(function)
    specs = pythran.spec_parser(f"#pythran export {function.__name__}({', '.join(map(spelled, arguments))})\n")
    name = f"pythran_{function.__name__}"
    path = pythran.compile_pythrancode(
        name, text, specs=specs, extra_compile_args=["-O3", "-march=native", "-DUSE_XSIMD"]
    )
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return getattr(module, function.__name__)


def numexpr_peer(function, arguments):
    """NumPy, with one expression for each statement that numexpr can compute."""
    import numexpr_programs

    return getattr(numexpr_programs, program_of(function, arguments))


def c_peer(function, arguments):
    return c_programs.c_peer(program_of(function, arguments))


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
    "pythran": pythran_peer,
}


def flat(result):
    return [np.asarray(part) for part in (result if isinstance(result, tuple) else (result,))]


def measure(name, make, scale):
    function, inputs = array_programs.PROGRAMS[name]
    want = flat(function(*inputs(scale)))
    arguments = inputs(scale)
    begin = time.perf_counter()
    call = make(function, arguments)
    got = flat(call(*arguments))
    first = time.perf_counter() - begin
    for a, b in zip(want, got, strict=True):
        np.testing.assert_allclose(b, a, rtol=1e-7, atol=1e-9)
    times, begin = [], time.perf_counter()
    while len(times) < REPEATS or time.perf_counter() - begin < SECONDS:
        arguments = inputs(scale)
        start = time.perf_counter()
        call(*arguments)
        times.append(time.perf_counter() - start)
        if time.perf_counter() - begin > 20:
            break
    return {"first": first, "time": statistics.median(times), "best": min(times)}


def main():
    peer, out, *chosen = sys.argv[1:]
    scale = float(os.environ.get("SCALE", "1"))
    results = {}
    for name in chosen or array_programs.PROGRAMS:
        try:
            results[name] = measure(name, functools.partial(PEERS[peer]), scale)
        except Exception as error:  # a peer that refuses a program is a result
            results[name] = {"error": f"{type(error).__name__}: {error}".splitlines()[0][:200]}
    pathlib.Path(out).write_text(json.dumps(results))


if __name__ == "__main__":
    main()
