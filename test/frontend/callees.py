# RUN: %import %s:outer | pyarray-opt | FileCheck %s --check-prefix=OUTER
# RUN: %import %s:even | pyarray-opt | FileCheck %s --check-prefix=MUTUAL
# RUN: %import %s:self_reference | pyarray-opt | FileCheck %s --check-prefix=SELF
# RUN: %import %s:same_names | pyarray-opt | FileCheck %s --check-prefix=NAMES
# RUN: %import %s:callbacks | pyarray-opt | FileCheck %s --check-prefix=CALLBACK
# RUN: %import %s:of_declared | pyarray-opt | FileCheck %s --check-prefix=DECLARED
from pyarray import cfunc, int32, njit


@njit(boundscheck=False, fastmath=True, error_model="numpy", inline="never")
def inner(x, scale=2.0):
    return x * scale


# A compiled function comes along, once, with its own options.
# OUTER: func.func @outer(
# OUTER-SAME: pyarray.options = {boundscheck = true, error_model = "python", fastmath = false, inline = "auto"}
# OUTER: %[[F:.*]] = pyarray.callable @inner
# OUTER: pyarray.apply %[[F]](%arg0)
# OUTER: pyarray.apply %{{.*}}(%{{.*}}, %{{.*}}) kw ["scale"]
# OUTER: func.func @inner(
# OUTER-SAME: pyarray.defaults = [2.000000e+00]
# OUTER-SAME: pyarray.options = {boundscheck = false, error_model = "numpy", fastmath = true, inline = "never"}
# OUTER-NOT: func.func
def outer(x):
    return inner(x) + inner(x, scale=3)


# MUTUAL: func.func @even(
# MUTUAL: pyarray.callable @odd
# MUTUAL: func.func @odd(
# MUTUAL: pyarray.callable @even
# MUTUAL-NOT: func.func
@njit
def even(n):
    return True if n == 0 else odd(n - 1)


@njit
def odd(n):
    return False if n == 0 else even(n - 1)


# SELF: func.func @self_reference(
# SELF: pyarray.callable @self_reference
def self_reference(n):
    return n if n < 2 else self_reference(n - 1)


def make(k):
    @njit
    def step(x):
        return x + k

    return step


first, second = make(1), make(2)


# NAMES: pyarray.callable @step
# NAMES: pyarray.callable @step.1
# NAMES: func.func @step(
# NAMES-SAME: pyarray.qualname = "make.<locals>.step"
# NAMES: pyarray.constant 1
# NAMES: func.func @step.1(
# NAMES: pyarray.constant 2
def same_names(x):
    return first(x) + second(x)


@cfunc("float32(float64*, intc)")
def element(p, i):
    return p[i]


element_by_ctypes = element.ctypes


@njit(["float32(float32, none)", "int64(int64, optional(float64))"], locals={"z": int32})
def declared(x, y=None):
    z = x
    return z


# A function with declared signatures has all of them; what is assigned to a variable of `locals` is made a number of its type.
# DECLARED: func.func @declared
# DECLARED-SAME: pyarray.declared = [(f32, !pyarray.none) -> f32, (si64, !pyarray.optional<f64>) -> si64]
# DECLARED: %[[CLASS:.*]] = pyarray.callable "numpy.int32"
# DECLARED: %[[Z:.*]] = pyarray.apply %[[CLASS]](%arg0)
# DECLARED: return %[[Z]]
def of_declared(x):
    return declared(x)


# A C callback has the types of its signature; what ctypes calls it by is another name of it.
# CALLBACK: pyarray.callable @element
# CALLBACK: pyarray.callable @element.1
# CALLBACK: func.func @element(%{{.*}}: !pyarray.any, %{{.*}}: !pyarray.any) -> !pyarray.any
# CALLBACK-SAME: pyarray.declared = (!pyarray.pointer<f64>, si32) -> f32
# CALLBACK: func.func @element.1(
# CALLBACK-SAME: pyarray.declared = (!pyarray.pointer<f64>, si32) -> f32
def callbacks(p):
    return element(p, 1) + element_by_ctypes(p, 2)
