# RUN: %import %s:chained | pyarray-opt | FileCheck %s --check-prefix=CHAIN
# RUN: %import %s:condition | pyarray-opt | FileCheck %s --check-prefix=COND
# RUN: %import %s:kinds | pyarray-opt | FileCheck %s --check-prefix=KINDS


# The middle operand is evaluated once, the last one only if needed.
# CHAIN: %[[B:.*]] = pyarray.binary add
# CHAIN: %[[AB:.*]] = pyarray.compare lt %arg0, %[[B]]
# CHAIN: %[[T:.*]] = pyarray.truth %[[AB]]
# CHAIN: scf.if %[[T]] -> (!pyarray.any) {
# CHAIN: %[[C:.*]] = pyarray.binary mul
# CHAIN: %[[BC:.*]] = pyarray.compare le %[[B]], %[[C]]
# CHAIN: scf.yield %[[BC]]
# CHAIN: } else {
# CHAIN: scf.yield %[[AB]]
def chained(a, b, c):
    return a < b + 1 <= c * 2


# COND: %[[AB:.*]] = pyarray.compare lt %arg0, %arg1
# COND: %[[T:.*]] = pyarray.truth %[[AB]]
# COND: scf.if %[[T]] -> (i1) {
# COND: } else {
# COND: scf.yield %[[T]] : i1
def condition(a, b, c):
    return 1 if a < b < c else 2


# KINDS: compare eq
# KINDS: compare ne
# KINDS: compare gt
# KINDS: compare ge
# KINDS: compare is %
# KINDS: compare isnot
# KINDS: compare in %
# KINDS: compare notin
def kinds(a, b):
    return a == b, a != b, a > b, a >= b, a is b, a is not b, a in b, a not in b
