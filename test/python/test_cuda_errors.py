"""Errors in kernels, and of the driver."""

import gc
import re
import traceback

import numpy as np
import pyarray
import pytest
from pyarray import cuda, errors, njit, objmode

pytestmark = pytest.mark.real


class OwnError(Exception):
    pass


@cuda.jit
def check(a, limit):
    i = cuda.grid(1)
    if a[i] > limit:
        raise ValueError("too large")
    a[i] = -a[i]


@cuda.jit(boundscheck=True)
def past_the_end(a):
    a[cuda.grid(1) + 1] = 0


def test_an_error_comes_with_the_next_wait():
    d = cuda.to_device(np.arange(100.0))
    check[2, 50](d, 70)
    with pytest.raises(ValueError, match="too large") as raised:
        cuda.synchronize()
    assert raised.value.args == ("too large",)
    cuda.synchronize()  # it is raised once


@pytest.mark.parametrize("wait", [
    lambda d, stream, event: d.copy_to_host(),
    lambda d, stream, event: stream.synchronize(),
    lambda d, stream, event: event.synchronize(),
    lambda d, stream, event: cuda.current_context().synchronize(),
])  # fmt: skip
def test_every_wait_raises_it(wait):
    stream, event = cuda.stream(), cuda.event()
    d = cuda.to_device(np.arange(100.0))
    check[1, 100, stream](d, 70)
    event.record(stream)
    with pytest.raises(ValueError, match="too large"):
        wait(d, stream, event)


@pytest.mark.parametrize("options", [{}, {"debug": True}])
@pytest.mark.parametrize("step", [1, 2])
def test_a_launch_with_host_arrays_waits_and_copies_back(options, step):
    kernel = cuda.jit(**options)(check.py_func)
    a = np.repeat(np.arange(100.0), step)[::step]
    with pytest.raises(ValueError, match="too large"):
        kernel[2, 50](a, 70)
    assert a[3] == -3 and a[99] == 99


def test_with_debug_the_launch_raises():
    kernel = cuda.jit(check.py_func, debug=True)
    d = cuda.to_device(np.arange(100.0))
    with pytest.raises(ValueError, match="too large"):
        kernel[2, 50](d, 70)


def test_the_exception_says_where():
    a = np.arange(100.0)
    with pytest.raises(ValueError) as raised:
        check[2, 50](a, 98)
    assert raised.value.__notes__ == ["in thread (49, 0, 0) of block (1, 0, 0)"]
    last = traceback.extract_tb(raised.value.__traceback__)[-1]
    assert last.name == "check" and last.filename == __file__ and "raise ValueError" in last.line


def test_bounds():
    with pytest.raises(IndexError, match="index 10 is out of bounds for axis 0 with size 10") as raised:
        past_the_end[1, 10](np.zeros(10))
    assert raised.value.__notes__ == ["in thread (9, 0, 0) of block (0, 0, 0)"]


def test_python_errors_with_debug():
    @cuda.jit(debug=True)
    def divide(a):
        a[1] = 1 / a[0]

    with pytest.raises(ZeroDivisionError):
        divide[1, 1](np.zeros(2))


def test_without_debug_arithmetic_is_numpys():
    @cuda.jit
    def divide(a):
        a[1] = 1 / a[0]

    a = np.zeros(2)
    divide[1, 1](a)
    assert a[1] == np.inf


def test_own_exceptions_and_device_functions():
    @cuda.jit(device=True)
    def inner(x):
        if x > 3:
            raise OwnError("seen", 7)
        return x

    @cuda.jit
    def kernel(a):
        a[cuda.grid(1)] = inner(a[cuda.grid(1)])

    with pytest.raises(OwnError) as raised:
        kernel[1, 8](np.arange(8.0))
    assert raised.value.args == ("seen", 7)


# Of functions that are inlined, and of a recursive one, which is called.
def test_the_traceback_shows_device_functions():
    @cuda.jit(device=True)
    def inner(x):
        if x > 3:
            raise OwnError("seen", 7)
        return x

    @pyarray.njit
    def middle(x):
        return inner(x) + 1

    @cuda.jit(device=True)
    def again(x, n):
        if n == 0:
            return middle(x)
        return again(x, n - 1) + 1

    @cuda.jit
    def kernel(a, n):
        a[cuda.grid(1)] = again(a[cuda.grid(1)], n)

    @cuda.jit
    def inlining(a):
        a[cuda.grid(1)] = middle(a[cuda.grid(1)])

    for launched, arguments, expected in [
        (inlining[1, 8], (), ["inlining", "middle", "inner"]),
        (kernel[1, 8], (3,), ["kernel", "again", "again", "again", "again", "middle", "inner"]),
        (kernel[1, 8], (100,), ["again"] * 22 + ["middle", "inner"]),  # the innermost ones are kept
    ]:
        with pytest.raises(OwnError) as raised:
            launched(np.arange(8.0), *arguments)
        frames = traceback.extract_tb(raised.value.__traceback__)[1:]
        assert [frame.name for frame in frames] == expected
        assert "raise OwnError" in frames[-1].line and "inner(x)" in frames[-2].line


def test_errors_of_two_kernels_come_one_after_the_other():
    d = cuda.to_device(np.arange(100.0))
    other = cuda.jit(past_the_end.py_func, boundscheck=True)
    check[1, 100](d, 50)
    other[1, 100](d)
    seen = set()
    for _ in range(2):
        with pytest.raises((ValueError, IndexError)) as raised:
            cuda.synchronize()
        seen.add(raised.type)
    assert seen == {ValueError, IndexError}
    cuda.synchronize()


def test_the_error_of_a_kernel_that_is_gone():
    def launch():
        check_anew = cuda.jit(check.py_func)
        check_anew[1, 100](d, 50)

    d = cuda.to_device(np.arange(100.0))
    launch()
    gc.collect()
    with pytest.raises(ValueError) as raised:
        cuda.synchronize()
    note = re.fullmatch(r"in thread \((\d+), 0, 0\) of block \(0, 0, 0\)", raised.value.__notes__[-1])
    assert 50 < int(note[1]) < 100 and raised.traceback[-1].name == "check"  # a GPU's threads come in any order
    cuda.synchronize()


def test_kernels_run_after_an_error():
    test_an_error_comes_with_the_next_wait()
    a = np.arange(4.0)
    check[1, 4](a, 10)
    assert a.tolist() == [0, -1, -2, -3]


@pytest.mark.skipif("os.environ['PYARRAY_CUDA'] == 'gpu'", reason="GPUs have no such check")
def test_a_barrier_that_not_all_threads_reach():
    @cuda.jit
    def kernel(a):
        if cuda.threadIdx.x < 3:
            cuda.syncthreads()
        a[cuda.threadIdx.x] = 1

    with pytest.raises(RuntimeError, match="barrier"):
        kernel[1, 8](np.zeros(8))


def test_errors_of_compilation_show_no_frames_of_ours():
    @cuda.jit
    def kernel(a):
        a[0] = undefined_name  # noqa: F821

    with pytest.raises(pyarray.PyArrayError) as raised:
        kernel[1, 1](np.zeros(1))
    frames = traceback.extract_tb(raised.value.__traceback__)
    assert not any(frame.filename.startswith(pyarray.__path__[0]) for frame in frames)


def test_what_a_gpu_cannot_do():
    @cuda.jit
    def kernel(a):
        b = np.zeros(len(a))
        a[0] = b[0]

    with pytest.raises(pyarray.PyArrayError):
        kernel[1, 1](np.zeros(1))


def test_a_launch_in_compiled_code():
    kernel = cuda.jit(check.py_func)

    @pyarray.njit
    def function(a):
        kernel[1, 1](a, 3)

    with pytest.raises(pyarray.TypingError, match="kernels are launched from Python"):
        function(np.zeros(3))


def test_device_operations_outside_kernels():
    with pytest.raises(RuntimeError, match="only for functions that are compiled for a GPU"):
        cuda.syncthreads()
    with pytest.raises(RuntimeError):
        cuda.threadIdx.x + 1


def test_a_kernel_is_no_function_of_the_cpu():
    @cuda.jit
    def kernel(a):
        a[0] = 1

    @cuda.jit(device=True)
    def device(x):
        return x + 1

    @njit
    def calls_kernel(a):
        kernel(a)

    @njit
    def calls_device(x):
        return device(x)

    with pytest.raises(pyarray.TypingError, match="'kernel' is a CUDA kernel; kernels are launched from Python"):
        calls_kernel(np.zeros(2))
    assert calls_device(2.0) == 3.0


def plain(x):
    return x


def unknown_function(a):
    a[0] = np.real_if_close(a)[0]


def plain_function(a):
    a[0] = plain(a[0])


def with_block(a):
    with open("x"):
        a[0] = 1


def objmode_block(a):
    with objmode():
        a[0] = 1


@pytest.mark.parametrize(
    "body, advice",
    [
        (unknown_function, "that kernels know, which docs/cuda.md lists; write a loop, or call it outside, and pass"),
        (plain_function, r"decorate it with @cuda.jit\(device=True\) if it is yours, else call it outside"),
        (with_block, "open and close the resource in the caller$"),
        (objmode_block, ""),
    ],
)
def test_advice_is_for_kernels(body, advice):
    with pytest.raises(errors.NumbaError) as refused:
        cuda.jit(body)[1, 1](np.ones(3))
    first = str(refused.value).splitlines()[0]
    assert re.search(advice, first), first
    assert "@njit" not in str(refused.value) and (not advice or "objmode" not in str(refused.value))


@pytest.mark.parametrize("memory", ["local", "shared"])
@pytest.mark.parametrize("shape", [(2**32, 2**32), (2**31, 2**30), 2**61 + 1, 2**40])
def test_arrays_larger_than_any_memory(memory, shape):
    array = cuda.local.array if memory == "local" else cuda.shared.array

    @cuda.jit
    def kernel(out):
        room = array(shape, np.float64)
        out[0] = room.size

    with pytest.raises(errors.UnsupportedError, match=f"cuda.{memory}.array is larger than any memory of a thread"):
        kernel[1, 1](np.zeros(1))
