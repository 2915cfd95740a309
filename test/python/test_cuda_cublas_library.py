"""Routines of BLAS through stand-ins for the driver and for cuBLAS: what C and Python give to the library."""

import pathlib

import numpy as np
import pytest
from test_cuda_cufft import STAND_INS, needs_stand_ins

pytest.importorskip("scipy")  # which the routines are compared with

ROUTINES = pathlib.Path(__file__).with_name("test_cuda_cublas.py")


@needs_stand_ins
def test_through_the_library(run):
    program = f"""
import sys
import pytest, fake_blas
shown = pytest.main(["-q", "-p", "no:cacheprovider", {str(ROUTINES)!r}])
from pyarray.cuda import _blas_table
routines = {{(name, letter) for name, routine in _blas_table.TABLE.items() for letter in routine.letters}}
called = {{(name.replace("StridedBatched", ""), letter) for name, letter in fake_blas.calls}}
for name in ("dot", "ger"):  # of complex numbers these are dotu and geru
    routines -= {{(name, "c"), (name, "z")}}
assert called == routines, called ^ routines
sys.exit(shown)
"""
    shown = run(program, **STAND_INS)
    assert " passed" in shown and "failed" not in shown


@needs_stand_ins
@pytest.mark.parametrize("file", ["test_cuda_cublas_factors.py", "test_cuda_overlap.py"])
def test_more_through_the_library(run, file):
    program = f"""
import sys
import pytest, fake_blas
others = "not fft and not rand and not ufuncs"  # which need more than the stand-ins have
sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", {str(ROUTINES.with_name(file))!r}, "-k", others]))
"""
    shown = run(program, **STAND_INS)
    assert " passed" in shown and "failed" not in shown


@needs_stand_ins
def test_device_arrays_go_to_the_library_by_way_of_c(run):
    program = """
import numpy as np
import fake_blas, test_cuda_cublas as tests
from pyarray import cuda
from pyarray.cuda import cublas

def refuse(self, name, given):
    raise AssertionError(f"{name} went through Python")

cublas.Blas._call = refuse
for name, letter in tests.CASES:
    is_packed = "AP" in tests.TABLE[name].arrays  # which has no step
    tests.check_routine(name, letter, [tests.device] if is_packed else [tests.device, tests.part])
print(len(set(fake_blas.calls)) > 150)
blas = cublas.Blas()
for places in tests.product((tests.device, tests.rows), repeat=3):
    a, b, c = (place(np.arange(6.0).reshape(shape)) for place, shape in zip(places, ((2, 3), (3, 2), (2, 3))))
    blas.gemm("N", "n", 2, 3, 3, 1, a, tests.rows(np.eye(3)), 0, c)
    np.testing.assert_array_equal(c.copy_to_host(), a.copy_to_host())
    blas.gemm("T", "T", 3, 3, 2, 2, a, b, 0, out := tests.rows(np.full((3, 3), np.nan)))
    np.testing.assert_array_equal(out.copy_to_host(), 2 * a.copy_to_host().T @ b.copy_to_host().T)

x = cuda.to_device(np.arange(8.0))
went = {
    "overlap": lambda: blas.axpy(1, x[:-1], x[1:]),
    "backwards": lambda: blas.dot(x[::-1], x),
    "host": lambda: blas.dot(np.ones(8), x),
    "dtype": lambda: blas.dot(x.view("f4"), x),
    "shape": lambda: blas.dot(x[:3], x),
    "rows": lambda: blas.gemv("N", 2, 2, 1, x[:4].reshape(2, 2), x[:2], 0, x[4:6]),
    "array": lambda: blas.scal(np.array(2.0), x),
    "complex": lambda: blas.scal(2j, x),
    "letter": lambda: blas.gemv("X", 2, 2, 1, x[:4].reshape(2, 2), x[:2], 0, x[4:6]),
    "huge": lambda: blas.gemv("N", 2**40, 2, 1, x[:4].reshape(2, 2), x[:2], 0, x[4:6]),
    "large": lambda: blas.scal(10**400, x),
}
for name, call in went.items():
    try:
        call()
        print(name)
    except AssertionError:
        pass
"""
    assert run(program, **STAND_INS) == "True\n"


@needs_stand_ins
def test_calls_of_the_library(run):
    program = """
import fake_blas
import numpy as np
from pyarray import cuda
from pyarray.cuda.cublas import Blas
blas, other = Blas(cuda.stream()), Blas()
x = np.arange(5, dtype=np.float32)
print(blas.axpy(2, x, np.ones(5, np.float32)).tolist(), blas.dot(x, x), blas.amax(-x))
a = cuda.to_device(np.arange(6.0).reshape(2, 3))
for order in "CF":
    c = cuda.device_array((2, 2), order=order)
    print(blas.gemm("N", "T", 2, 2, 3, 1, a, a, 0, c).copy_to_host().tolist())
batch = cuda.to_device(np.arange(12.0).reshape(2, 2, 3))
print(blas.gemm_batched("N", "T", 1, batch, batch, 0, cuda.device_array((2, 2, 2))).copy_to_host().tolist())
try:
    blas.nrm2(x)
except cuda.CudaAPIError as error:
    print(error)
cuda.current_context().reset()
for y in (x, cuda.to_device(x)):
    try:
        other.dot(y, y)
    except ValueError as error:
        print(error)
try:
    Blas().dot(batch, batch)
except ValueError as error:
    print(error)
"""
    lines = run(program, PYARRAY_FAKE_LIBRARY_FAIL="cublasSnrm2_v2=13", **STAND_INS).splitlines()
    a = np.arange(12.0).reshape(2, 2, 3)
    assert lines[0] == "[1.0, 3.0, 5.0, 7.0, 9.0] 30.0 4"
    assert lines[1] == lines[2] == str((a[0] @ a[0].T).tolist())
    assert lines[3] == str((a @ a.transpose(0, 2, 1)).tolist())
    assert lines[4] == "[13] cublasSnrm2_v2: CUBLAS_STATUS_EXECUTION_FAILED (the routine failed on the device)"
    assert "the handle of cuBLAS" in lines[5] and "the handle of cuBLAS" in lines[6]
    assert "the device array is gone" in lines[7]


@needs_stand_ins
def test_threads_share_a_blas_object_of_the_library(run):
    program = """
import sys
import threading
import fake_blas
import numpy as np
from pyarray import cuda
from pyarray.cuda.cublas import Blas

blas, results = Blas(), []

def work(number):
    x, y = cuda.to_device(np.full(5, number, np.float32)), cuda.to_device(np.zeros(5, np.float32))
    counts = sys.getrefcount(x), sys.getrefcount(y)
    for _ in range(200):
        blas.axpy(1, x, y)
        blas.swap(x, y)
        blas.swap(x=x, y=y)
        blas.dot(x, y)
    results.append(y.copy_to_host().tolist() == [200.0 * number] * 5)
    assert (sys.getrefcount(x), sys.getrefcount(y)) == counts

threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
print(results)
"""
    assert run(program, **STAND_INS) == "[True, True, True, True]\n"


@needs_stand_ins
def test_factors_of_0_go_to_routines_that_heed_them(run):
    """cuBLAS's symm and others read their arrays though alpha is 0: NaN would show."""
    program = """
import numpy as np
import fake_blas
from pyarray import cuda
from pyarray.cuda.cublas import Blas
blas, f = Blas(), lambda *shape: cuda.to_device(np.full(shape, np.nan).T)
square, vector = lambda: cuda.to_device(np.ones((2, 2)).T), lambda: cuda.to_device(np.ones(4))[::2]
calls = [
    lambda: blas.symm("L", "U", 2, 2, 0, f(2, 2), f(2, 2), 3, square()),
    lambda: blas.trsm("L", "U", "N", "N", 2, 2, 0, f(2, 2), f(2, 2)),
    lambda: blas.symv("U", 2, 0, f(2, 2), f(2), 3, vector()),
    lambda: blas.gbmv("T", 2, 2, 0, 0, 0, f(2, 1), f(2), 3, vector()),
    lambda: blas.syrk("U", "N", 2, 2, 0, f(2, 2), 3, square()),
    lambda: blas.syr("U", 2, 0, f(2), square()),
    lambda: blas.symm("L", "U", 2, 2, 0, f(2, 2), f(2, 2), 1, square()),
    lambda: blas.geam("T", "N", 2, 2, 3, square(), 0, f(2, 2), f(2, 2)),
    lambda: blas.symm("L", "U", 2, 2, 1, square(), square(), 0, f(2, 2)),
]
for call in calls:
    fake_blas.calls.clear()
    print(call().copy_to_host().tolist(), *(name for name, letter in fake_blas.calls))
"""
    threes = "[[3.0, 3.0], [3.0, 3.0]]"
    ones = threes.replace("3", "1")
    expected = [f"{threes} gemm", f"{ones.replace('1', '0')} gemm", "[3.0, 3.0] gemv", "[3.0, 3.0] gemv"]
    expected += ["[[3.0, 3.0], [1.0, 3.0]] syrk", ones, ones, f"{threes} geam", f"{ones.replace('1', '2')} symm"]
    assert run(program, **STAND_INS).splitlines() == expected
