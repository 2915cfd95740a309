"""Nested functions in kernels, and device arrays that kernels know as globals."""

import operator
import os
import subprocess
import sys

import numpy as np
import pytest
from pyarray import cuda, errors, types

GLOBAL = None


def test_nested_functions():
    @cuda.jit
    def kernel(a, out):
        i = cuda.grid(1)

        def scaled(x, by=2):
            return x * by + i

        plus = lambda x: scaled(x) + 1  # noqa: E731
        if i < out.size:
            out[i] = plus(a[i]) + scaled(a[i], by=10)

    a, out = np.arange(5.0), np.zeros(5)
    kernel[2, 4](a, out)
    np.testing.assert_array_equal(out, a * 12 + 2 * np.arange(5) + 1)
    ptx, _ = cuda.compile_ptx(kernel.py_func, (types.float64[::1], types.float64[::1]), cc=(9, 0))
    assert ".entry" in ptx and "call" not in ptx


def test_nested_functions_share_arrays():
    @cuda.jit
    def kernel(a, out):
        i = cuda.threadIdx.x
        tile, mine = cuda.shared.array(8, np.float64), cuda.local.array(1, np.int64)

        def put(j, value):
            tile[j] = value
            mine[0] += 1

        mine[0] = 0
        put(i, a[i])
        cuda.syncthreads()
        out[i] = tile[7 - i] + mine[0]

    out = np.zeros(8)
    kernel[1, 8](np.arange(8.0), out)
    np.testing.assert_array_equal(out, np.arange(8.0)[::-1] + 1)


def test_nested_functions_are_passed():
    @cuda.jit(device=True)
    def fold(function, a):
        total = a[0]
        for i in range(1, len(a)):
            total = function(total, a[i])
        return total

    @cuda.jit
    def kernel(a, scale, out):
        def mixed(x, y):
            return x + scale * y

        out[0] = fold(mixed, a)
        out[1] = fold(lambda x, y: x * y, a)

    out = np.zeros(2)
    kernel[1, 1](np.array([1.0, 2, 3]), 10.0, out)
    np.testing.assert_array_equal(out, [51, 6])


def test_functions_of_factories():
    def make(op):
        @cuda.jit
        def kernel(a, out):
            i = cuda.grid(1)
            if i < out.size:
                out[i] = op(a[i], 2)

        return kernel

    out = np.zeros(3)
    for op in (operator.mul, operator.add):
        make(op)[1, 3](np.arange(3.0), out)
        np.testing.assert_array_equal(out, op(np.arange(3.0), 2))


def test_what_is_bound_again_is_refused():
    @cuda.jit
    def kernel(out):
        count = 0

        def step():
            nonlocal count
            count += 1

        step()
        out[0] = count

    with pytest.raises(errors.UnsupportedError, match="shares the variable 'count'(.|\n)*def step(.|\n)*Hint: pass it"):
        kernel[1, 1](np.zeros(1))


@pytest.mark.parametrize(
    "dtype", [np.float32, np.complex128, np.int8, np.dtype([("a", "i4"), ("v", "f8", 2)], align=True)]
)
def test_global_arrays(dtype):
    global GLOBAL
    host = np.zeros((3, 4), dtype)
    if host.dtype.names:
        host["a"], host["v"] = np.arange(12).reshape(3, 4), np.arange(24).reshape(3, 4, 2)
    else:
        host[...] = np.arange(12).reshape(3, 4)
    GLOBAL = cuda.to_device(host)

    @cuda.jit
    def kernel(out):
        i, j = cuda.grid(2)
        out[i, j] = GLOBAL[i, j]

    out = np.zeros((3, 4), dtype)
    kernel[(1, 1), (3, 4)](out)
    assert (out == host).all()


def test_global_arrays_are_written_and_kept():
    def make():
        mine = cuda.to_device(np.arange(6.0).reshape(2, 3).T)  # in Fortran's order

        @cuda.jit
        def kernel(out):
            i = cuda.grid(1)
            out[i] = mine[i, 1] + mine.shape[0]
            mine[i, 1] += 1

        return kernel

    kernel, out = make(), np.zeros(3)
    kernel[1, 3](out)
    np.testing.assert_array_equal(out, [6, 7, 8])
    kernel[1, 3](out)
    np.testing.assert_array_equal(out, [7, 8, 9])


def test_global_arrays_of_device_functions():
    table = cuda.to_device(np.array([10, 20, 30]))

    @cuda.jit(device=True)
    def look_up(i):
        return table[i]

    @cuda.jit
    def kernel(out):
        out[0] = look_up(2) + table.size

    out = np.zeros(1, np.int64)
    kernel[1, 1](out)
    assert out[0] == 33


def test_global_arrays_that_a_reset_takes():
    mine = cuda.to_device(np.arange(3.0))

    @cuda.jit
    def kernel(out):
        out[0] = mine[2]

    out = np.zeros(1)
    kernel[1, 1](out)
    assert out[0] == 2
    cuda.get_current_device().reset()
    with pytest.raises(ValueError, match="knows as a global is gone since device 0 was reset"):
        kernel[1, 1](out)


def test_kernels_with_global_arrays_are_not_kept_on_disk(tmp_path):
    program = """
import numpy as np
from pyarray import cuda
mine = cuda.to_device(np.arange(3.0))
@cuda.jit
def kernel(out):
    out[0] = mine[2]
out = np.zeros(1)
kernel[1, 1](out)
print(out[0], [overload.from_cache for overload in kernel.overloads.values()])
"""
    file = tmp_path / "program.py"
    file.write_text(program)
    environment = {**os.environ, "PYARRAY_CACHE_DIR": str(tmp_path / "cache"), "PYARRAY_CUDA": "cpu"}
    environment.pop("PYARRAY_CACHE", None)
    for _ in range(2):
        done = subprocess.run([sys.executable, file], env=environment, capture_output=True, text=True, check=True)
        assert done.stdout == "2.0 [False]\n", done.stdout


def test_global_arrays_with_gaps_are_refused():
    mine = cuda.to_device(np.zeros(10))[::2]

    @cuda.jit
    def kernel(out):
        out[0] = mine[0]

    with pytest.raises(errors.TypingError, match="not contiguous(.|\n)*mine\\[0\\]"):
        kernel[1, 1](np.zeros(1))
