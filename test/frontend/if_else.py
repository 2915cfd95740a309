# RUN: %import %s:merge | pyarray-opt | FileCheck %s --check-prefix=MERGE
# RUN: %import %s:one_sided | pyarray-opt | FileCheck %s --check-prefix=SIDED
# RUN: %import %s:chain | pyarray-opt | FileCheck %s --check-prefix=CHAIN
# RUN: %import %s:same | pyarray-opt | FileCheck %s --check-prefix=SAME


# A variable that both branches assign is a result; one that is not read afterwards is none.
# MERGE: %[[C:.*]] = pyarray.truth %arg0
# MERGE-NEXT: %[[R:.*]] = scf.if %[[C]] -> (!pyarray.any) {
# MERGE: %[[T:.*]] = pyarray.binary mul
# MERGE: %[[X:.*]] = pyarray.binary add %[[T]]
# MERGE: scf.yield %[[X]] : !pyarray.any
# MERGE: } else {
# MERGE-NEXT: scf.yield %arg1 : !pyarray.any
# MERGE: return %[[R]]
def merge(c, y):
    if c:
        t = y * 2
        x = t + 1
    else:
        x = y
    return x


# The other branch yields what the variable was before.
# SIDED: scf.if
# SIDED: scf.yield %[[NEW:.*]] : !pyarray.any
# SIDED: } else {
# SIDED-NEXT: scf.yield %arg1 : !pyarray.any
def one_sided(c, x):
    if c:
        x = x + 1
    return x


# elif is an if in the else branch.
# CHAIN: scf.if
# CHAIN: } else {
# CHAIN: %[[C:.*]] = pyarray.truth %arg1
# CHAIN: %[[R:.*]] = scf.if %[[C]]
# CHAIN: scf.yield %[[R]] : !pyarray.any
def chain(a, b):
    if a:
        x = 1
    elif b:
        x = 2
    else:
        x = 3
    return x


# Nothing to join: the if has no result and no else.
# SAME: scf.if %{{.*}} {
# SAME-NOT: else
# SAME: return %arg1
def same(c, x, a):
    y = x
    if c:
        a[0] = x
        y = x
    return y
