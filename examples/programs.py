"""The programs of this folder, as they stand or with another decorator in place of ``pyarray.njit``.

Each program is a module of the same name as its main function. Beside it there are ``arguments(size)``, which makes
inputs of that size, and ``reference(*arguments)``, which gives the result that NumPy or plain Python has for them; a
program that writes into an argument has a reference that does the same.
"""

import pathlib
import types

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent

#: Name of each program with an argument list and a result, and what it shows.
PROGRAMS = {
    "hypot": "scalars, min and max, math.sqrt",
    "monte_carlo_pi": "a loop, random numbers",
    "nan_compact": "iteration over an array, a new array, a view of it as result",
    "zero_suppress": "a scalar function called for each element; integers of 16 and 64 bits",
    "gaussian_pdf": "float32 and float64, a global constant",
    "matmul": "three nested loops over 2-D arrays",
    "mandelbrot": "while loops, a function called in the innermost loop",
    "laplace": "a stencil; two arrays that change places",
    "nbody": "many small loops, math.sqrt",
    "sieve": "bool arrays, range with a step",
    "bubble_sort": "stores that depend on comparisons, break, loop-else",
    "levenshtein": "integer arrays, min of three",
    "route_length": "four functions that call each other",
    "is_even": "two functions that call each other in turn",
}

#: The same of programs whose data are Python's own: dicts, lists, sets, text, classes, functions.
PYTHON = {
    "word_puzzles": "numbers as text, dicts of lists, set comprehensions, sorted text",
    "tokenizer": "text letter by letter, lists of tuples, match, exceptions with messages",
    "dijkstra": "heapq, a dict of lists of tuples, a set",
    "union_find": "jitclass: fields that are arrays, methods called in loops, operators",
    "lru_cache": "jitclass: a dict among the fields, a result that may be None",
    "matrix_chain": "2-D arrays, recursion that makes text",
    "edit_distance": "lists of lists, f-strings",
    "n_queens": "recursion, lists that grow and shrink, a list of lists as result",
    "permutations": "list slices, tuples from Python",
    "game_of_life": "sets and dicts of tuples, comprehensions",
    "runge_kutta": "functions as arguments, loops over tuples",
    "kalman_filter": "jitclass: annotated fields",
    "text_histogram": "methods of str, a dict of counts, sorted with a key",
    "newton": "try, except, a class of exceptions, causes",
    "kd_tree": "recursion over arrays, tuples as results",
    "event_simulation": "heapq with tuples, a queue, a dict",
    "run_lengths": "generators, generator expressions, itertools",
}

#: The same of programs whose main function is a ufunc, calls ufuncs, or has a parallel loop, which cannot do without
#: their own decorators.
UFUNCS = {
    "ufunc_methods": "reduce, accumulate, reduceat, outer, at",
    "normal_pdf": "loops for float32 and float64",
    "pulses": "out=: three ufuncs that share an array",
    "polar_distance": "a compiled function that returns a tuple",
    "haversine": "a ufunc of four numbers, broadcasting",
    "black_scholes": "two outputs, threads",
    "escape_time": "a complex number, threads",
    "l2_norm": "a generalized ufunc that reduces an axis",
    "moving_mean": "a generalized ufunc along an axis",
    "gufunc_matmul": "stacks of matrices",
    "parallel_moments": "prange, reductions of four kinds",
}

#: The same of programs whose main function launches CUDA kernels. Their results agree with the references exactly, or
#: up to a ``TOLERANCE`` of the module.
CUDA = {
    "cuda_vector_add": "a loop with the stride of the grid, device arrays",
    "cuda_matmul": "tiles in shared memory, barriers",
    "cuda_reduction": "warp shuffles, shared memory, an atomic",
    "cuda_transpose": "a tile in shared memory",
    "cuda_histogram": "atomics on shared and global memory",
    "cuda_mandelbrot": "a grid of two dimensions, a device function",
    "cuda_laplace": "device arrays that change places, an atomic maximum",
    "cuda_prefix_sum": "warp shuffles, kernels one after the other",
    "cuda_bitonic_sort": "steps in shared and in global memory",
    "cuda_black_scholes": "mathematical functions, a tuple, streams",
    "cuda_hidden_layer": "three ufuncs on device arrays",
}

#: The same of the programs in seeds/.
SEEDS = {
    "seeds/fft_convolution": "cuFFT, out of place and in place",
    "seeds/blas_saxpy_matmul": "cuBLAS, a ufunc and a kernel",
    "seeds/monte_carlo_options": "cuRAND, pseudo and quasi random paths by a ufunc and a kernel",
    "seeds/haversine_rows": "a function of a record, in a kernel; PTX of a scalar function",
    "seeds/count_low_bits": "states of random numbers, kept between launches",
    "seeds/saxpy_transfers": "copies made for a ufunc, and by hand; out=",
    "seeds/square_of_sum": "vectorize for gpu, parallel and cpu",
    "seeds/batch_matmul": "guvectorize on a GPU; a signature over several lines",
    "seeds/off_by_one": "debug=True: exceptions with the thread",
    "seeds/fast_math": "fastmath: accuracy, and the instructions in PTX",
    "seeds/pinned_streams": "pinned memory, streams, events",
    "seeds/camera_rays": "a named tuple as argument, device functions of tuples",
    "seeds/array_interface": "__cuda_array_interface__, out and in",
    "seeds/memory_spaces": "shared, local and constant memory",
    "seeds/broadcast_add": "an integer ufunc on a GPU, broadcasting; one without signatures on the CPU",
    "seeds/gaussian_ufuncs": "one function as a ufunc for both; a call with one number",
    "seeds/polar_distances": "a ufunc on a GPU that calls a device function",
    "seeds/pulse_train": "ufuncs on device arrays; zero suppression",
    "seeds/hidden_layer_kernels": "three kernels on device arrays",
    "seeds/l2_norms": "a generalized ufunc on a GPU",
    "seeds/count_low_bits_native": "cuRAND's device functions from CUDA C++, a type and a handler of one's own",
    "seeds/jit_linking": "functions in CUDA C, by pointer and with a status",
}

_IMPORT = "from pyarray import njit"


def is_close(a, b, tolerance):
    """Whether two values have one shape and agree, float32 ones as far as its precision goes; text and keys exactly."""
    if isinstance(a, dict):
        return isinstance(b, dict) and a.keys() == b.keys() and all(is_close(a[key], b[key], tolerance) for key in a)
    if isinstance(a, (list, tuple)):
        return type(a) is type(b) and len(a) == len(b) and all(is_close(x, y, tolerance) for x, y in zip(a, b))
    if isinstance(a, (str, bytes, set, frozenset)):
        return a == b
    if np.asarray(a).dtype == np.float32:
        tolerance = max(tolerance, 8 * np.finfo(np.float32).eps)
    return np.shape(a) == np.shape(b) and np.allclose(a, b, tolerance, tolerance, equal_nan=True)


def plain(function=None, **options):
    """Leave a function to CPython, whatever the options of `njit`."""
    return plain if function is None else function


def load(name, decorator=None):
    """Run the source of a program afresh.

    Parameters
    ----------
    name : str
        Name of its file, without ``.py``; of one in a folder, with that.
    decorator : callable, optional
        Takes the place of ``pyarray.njit``.

    Returns
    -------
    module
        Not in ``sys.modules``.
    """
    path = HERE / f"{name}.py"
    source = path.read_text()
    module = types.ModuleType(path.stem)
    module.__file__ = str(path)
    if decorator is not None:
        assert _IMPORT in source, path
        source = source.replace(_IMPORT, "pass", 1)
        module.njit = decorator
    exec(compile(source, str(path), "exec"), vars(module))
    return module


def program(name, decorator=None):
    """The main function of a program, loaded afresh."""
    return getattr(load(name, decorator), name.rpartition("/")[2])
