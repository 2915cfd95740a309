# RUN: %import %s:values | pyarray-opt | FileCheck %s --check-prefix=VALUES
# RUN: %import %s:condition | pyarray-opt | FileCheck %s --check-prefix=COND
# RUN: %import %s:negated | pyarray-opt | FileCheck %s --check-prefix=NOT
# RUN: %import %s:ternary | pyarray-opt | FileCheck %s --check-prefix=TERNARY


# `a and b or c` is one of its operands.
# VALUES: %[[TA:.*]] = pyarray.truth %arg0
# VALUES: %[[AND:.*]] = scf.if %[[TA]] -> (!pyarray.any) {
# VALUES-NEXT: scf.yield %arg1
# VALUES-NEXT: } else {
# VALUES-NEXT: scf.yield %arg0
# VALUES: %[[T:.*]] = pyarray.truth %[[AND]]
# VALUES: scf.if %[[T]] -> (!pyarray.any) {
# VALUES-NEXT: scf.yield %[[AND]]
# VALUES-NEXT: } else {
# VALUES-NEXT: scf.yield %arg2
def values(a, b, c):
    return a and b or c


# COND: %[[TA:.*]] = pyarray.truth %arg0
# COND: %[[C:.*]] = scf.if %[[TA]] -> (i1) {
# COND-NEXT: scf.yield %[[TA]] : i1
# COND: } else {
# COND: %[[TB:.*]] = pyarray.truth %arg1
# COND: scf.yield %[[TB]] : i1
# COND: scf.if %[[C]]
def condition(a, b):
    if a or b:
        return 1
    return 2


# In a condition, not moves inward.
# NOT: %[[NA:.*]] = pyarray.unary not %arg0
# NOT: %[[T:.*]] = pyarray.truth %[[NA]]
# NOT: scf.if %[[T]] -> (i1) {
# NOT-NEXT: pyarray.unary not %arg1
def negated(a, b):
    if not (a or b):
        return 1
    return 2


# TERNARY: scf.if %{{.*}} -> (!pyarray.any) {
# TERNARY-NEXT: scf.yield %arg1
# TERNARY-NEXT: } else {
# TERNARY-NEXT: scf.yield %arg2
def ternary(a, b, c):
    return b if a else c
