# RUN: %import %s:display | pyarray-opt | FileCheck %s --check-prefix=DISPLAY
# RUN: %import %s:delete | pyarray-opt | FileCheck %s --check-prefix=DELETE
# REQUIRES: translate
# Lists: displays and the deletion of items.


# DISPLAY: %[[INNER:.*]] = pyarray.list %arg0 : (!pyarray.any) -> !pyarray.any
# DISPLAY: %[[EMPTY:.*]] = pyarray.list : () -> !pyarray.any
# DISPLAY: pyarray.list %[[INNER]], %[[EMPTY]]
def display(x):
    return [[x], []]


# DELETE: pyarray.delitem %arg0[%arg1] : (!pyarray.any, !pyarray.any) -> ()
# DELETE: %[[S:.*]] = pyarray.slice
# DELETE: pyarray.delitem %arg0[%[[S]]]
def delete(a, i):
    del a[i], a[1:]
