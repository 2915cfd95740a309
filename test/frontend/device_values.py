# RUN: %import %s:values --target=cuda | pyarray-opt | FileCheck %s
# RUN: %import %s:values --target=cuda --device | FileCheck %s --check-prefix=DEVICE
from pyarray import cuda, njit


@njit(boundscheck=True, error_model="python", inline="never")
def helper(x):
    return x


# Values of the device are calls without arguments; functions are callables. What a kernel calls is compiled for the GPU as well,
# with the kernel's checks.
# CHECK: func.func @values(
# CHECK-SAME: pyarray.kernel
# CHECK-SAME: pyarray.options = {boundscheck = false, error_model = "numpy", fastmath = false, inline = "auto", target = "cuda"}
# CHECK: %[[X:.*]] = pyarray.callable "cuda.threadIdx.x"
# CHECK: pyarray.apply %[[X]]()
# CHECK: %[[GRID:.*]] = pyarray.callable "cuda.grid"
# CHECK: pyarray.apply %[[GRID]](%{{.*}})
# CHECK: func.func @helper(
# CHECK-SAME: pyarray.options = {boundscheck = false, error_model = "numpy", fastmath = false, inline = "never", target = "cuda"}
# DEVICE: func.func @values(
# DEVICE-NOT: pyarray.kernel
# DEVICE: {
def values():
    helper(cuda.threadIdx.x + cuda.grid(1))
