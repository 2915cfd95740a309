# RUN: %import %s:f | pyarray-opt | FileCheck %s
# REQUIRES: translate
# getattr and hasattr become operations on the value; which branch a default is in, type inference decides.


# CHECK-LABEL: func.func @f
# CHECK: %[[A:.*]] = pyarray.getattr %arg0 "a" : (!pyarray.any) -> !pyarray.any
# CHECK: %[[HAS:.*]] = pyarray.getattr %arg0 "b" {pyarray.probe} : (!pyarray.any) -> !pyarray.any
# CHECK: %[[C:.*]] = pyarray.truth %[[HAS]]
# CHECK: scf.if %[[C]]
# CHECK: pyarray.getattr %arg0 "b" : (!pyarray.any) -> !pyarray.any
# CHECK: pyarray.getattr %arg0 "c" {pyarray.probe}
# CHECK: pyarray.method %arg0 "m"
def f(x):
    return getattr(x, "a"), getattr(x, "b", 0), hasattr(x, "c"), getattr(x, "m")(1)  # noqa: B009
