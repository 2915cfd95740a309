# RUN: %import %s:listed | pyarray-opt | FileCheck %s --check-prefix=LISTED
# RUN: %import %s:walrus | pyarray-opt | FileCheck %s --check-prefix=WALRUS
# RUN: %import %s:in_test | pyarray-opt | FileCheck %s --check-prefix=TEST
# RUN: %import %s:starred | pyarray-opt | FileCheck %s --check-prefix=STARRED
# RUN: %import %s:display | pyarray-opt | FileCheck %s --check-prefix=DISPLAY
# RUN: %import %s:filtered | pyarray-opt | FileCheck %s --check-prefix=FILTERED
# REQUIRES: translate
# Comprehensions are loops over variables of their own; ':=' and '*' need no operations of their own.


# LISTED: %[[L:.*]] = pyarray.list : () -> !pyarray.any
# LISTED: pyarray.for (%[[X:.*]]: !pyarray.any) in %arg0 : !pyarray.any {
# LISTED:   scf.if
# LISTED:     %[[SUM:.*]] = pyarray.binary add %[[X]], %arg1
# LISTED:     pyarray.method %[[L]] "append"(%[[SUM]])
# LISTED: pyarray.tuple %[[L]], %arg1
def listed(a, x):
    b = [y + x for y in a if y]
    return b, x


# The variable comes out of the scf.if beside the value.
# WALRUS: %[[R:.*]]:3 = scf.if %{{.*}} -> (i1, !pyarray.any, !pyarray.any) {
# WALRUS: scf.if %[[R]]#0
def walrus(a, b):
    if a and (m := b):
        return m
    return a


# What the test binds is there in the body and after the loop, and is not carried into the next iteration.
# TEST: %[[R:.*]]:2 = scf.while (%[[A:.*]] = %arg0) : (!pyarray.any) -> (!pyarray.any, !pyarray.any)
# TEST:   %[[K:.*]] = pyarray.binary sub %[[A]],
# TEST:   scf.condition(%{{.*}}) %[[A]], %[[K]]
def in_test(a):
    while k := a - 1:
        a = k
    return k


# STARRED: %[[SEQUENCE:.*]] = pyarray.callable "pyarray.sequence"
# STARRED: %[[VALUE:.*]] = pyarray.apply %[[SEQUENCE]](%arg0)
# STARRED: %[[CHECK:.*]] = pyarray.callable "pyarray.unpack_at_least"
# STARRED: pyarray.apply %[[CHECK]](%[[VALUE]],
# STARRED: %[[FIRST:.*]] = pyarray.getitem %[[VALUE]]
# STARRED: %[[SLICE:.*]] = pyarray.slice
# STARRED: %[[REST:.*]] = pyarray.getitem %[[VALUE]][%[[SLICE]]]
# STARRED: %[[LIST:.*]] = pyarray.apply %{{.*}}(%[[REST]])
# STARRED: pyarray.tuple %[[FIRST]], %[[LIST]]
def starred(a):
    x, *y = a
    return x, y


# DISPLAY: %[[HEAD:.*]] = pyarray.tuple %arg0 :
# DISPLAY: %[[TUPLE:.*]] = pyarray.callable "builtins.tuple"
# DISPLAY: %[[REST:.*]] = pyarray.apply %[[TUPLE]](%arg1)
# DISPLAY: %[[SUM:.*]] = pyarray.binary add %[[HEAD]], %[[REST]]
# DISPLAY: %[[LIST:.*]] = pyarray.list %arg0 :
# DISPLAY: pyarray.method %[[LIST]] "extend"(%arg1)
# DISPLAY: pyarray.tuple %[[SUM]], %[[LIST]]
def display(x, t):
    return (x, *t), [x, *t]


# A test that is known: what is filtered stays, for the type of the items.
# FILTERED: pyarray.truth %{{.*}} {pyarray.filter}
# FILTERED: scf.if
# FILTERED: "append"
def filtered(a):
    return [x for x in a if False]
