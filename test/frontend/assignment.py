# RUN: %import %s:chained | pyarray-opt | FileCheck %s --check-prefix=CHAIN
# RUN: %import %s:swap | pyarray-opt | FileCheck %s --check-prefix=SWAP
# RUN: %import %s:nested | pyarray-opt | FileCheck %s --check-prefix=NESTED
# RUN: %import %s:annotated | pyarray-opt | FileCheck %s --check-prefix=ANNOTATED
# RUN: %import %s:element | pyarray-opt | FileCheck %s --check-prefix=ELEMENT
# RUN: %import %s:augmented | pyarray-opt | FileCheck %s --check-prefix=AUGMENTED
# RUN: %import %s:augmented_element | pyarray-opt | FileCheck %s --check-prefix=ONCE


# CHAIN: %[[V:.*]] = pyarray.constant 1
# CHAIN: pyarray.tuple %[[V]], %[[V]]
def chained():
    a = b = 1
    return a, b


# No tuple is built.
# SWAP-NOT: unpack
# SWAP: pyarray.tuple %arg1, %arg0
# SWAP-NOT: pyarray.tuple
def swap(a, b):
    a, b = b, a
    return a, b


# NESTED: %[[O:.*]]:2 = pyarray.unpack %arg0 : (!pyarray.any) -> (!pyarray.any, !pyarray.any)
# NESTED: %[[I:.*]]:2 = pyarray.unpack %[[O]]#1
# NESTED: pyarray.tuple %[[O]]#0, %[[I]]#0, %[[I]]#1
def nested(t):
    a, (b, c) = t
    return a, b, c


# ANNOTATED: %[[V:.*]] = pyarray.constant 2
# ANNOTATED: return %[[V]]
def annotated():
    x: int
    x: float = 2
    return x


# The value first, then the object, then the indices.
# ELEMENT: %[[V:.*]] = pyarray.binary add
# ELEMENT: %[[I:.*]] = pyarray.binary mul
# ELEMENT: pyarray.setitem %arg0[%[[I]], %arg1] = %[[V]]
def element(a, i):
    a[i * 2, i] = i + 1


# AUGMENTED: %[[X:.*]] = pyarray.binary truediv %arg0, %arg1 inplace
# AUGMENTED: return %[[X]]
def augmented(x, y):
    x /= y
    return x


# Object and index are evaluated once.
# ONCE: %[[I:.*]] = pyarray.binary add %arg1
# ONCE-NEXT: %[[OLD:.*]] = pyarray.getitem %arg0[%[[I]]]
# ONCE-NEXT: %[[NEW:.*]] = pyarray.binary pow %[[OLD]], %arg2 inplace
# ONCE-NEXT: pyarray.setitem %arg0[%[[I]]] = %[[NEW]]
def augmented_element(a, i, y):
    a[i + i] **= y
