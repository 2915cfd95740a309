# RUN: %import %s:one | pyarray-opt | FileCheck %s --check-prefix=ONE
# RUN: %import %s:falls_off | pyarray-opt | FileCheck %s --check-prefix=NONE
# RUN: %import %s:nested | pyarray-opt | FileCheck %s --check-prefix=NESTED
# RUN: %import %s:dead | pyarray-opt | FileCheck %s --check-prefix=DEAD
# RUN: %import %s:never | pyarray-opt | FileCheck %s --check-prefix=NEVER


# One branch always returns: what follows moves into the other, and no state is needed.
# ONE: %[[R:.*]] = scf.if %{{.*}} -> (!pyarray.any) {
# ONE-NEXT: scf.yield %arg0
# ONE-NEXT: } else {
# ONE-NEXT: pyarray.constant 2
# ONE-NEXT: %[[V:.*]] = pyarray.binary mul
# ONE-NEXT: scf.yield %[[V]]
# ONE: return %[[R]]
def one(x):
    if x:
        return x
    return x * 2


# The end of the function returns None.
# NONE: scf.if
# NONE: pyarray.constant 1
# NONE: } else {
# NONE-NEXT: %[[N:.*]] = pyarray.constant unit
# NONE-NEXT: scf.yield %[[N]]
def falls_off(x):
    if x:
        return 1


# A branch that may or may not return yields a state (0 goes on, 3 returns) that guards what follows.
# NESTED: %[[I:.*]]:2 = scf.if %{{.*}} -> (!pyarray.any, !pyarray.any) {
# NESTED: pyarray.constant 3
# NESTED: } else {
# NESTED: pyarray.constant 0
# NESTED: %[[E:.*]] = pyarray.compare eq %[[I]]#0,
# NESTED: %[[T:.*]] = pyarray.truth %[[E]]
# NESTED: scf.if %[[T]] -> (!pyarray.any) {
# NESTED-NEXT: pyarray.constant 5
# NESTED: } else {
# NESTED-NEXT: scf.yield %[[I]]#1
def nested(x, y):
    if x:
        if y:
            return 1
        x = 2
    return 5


# What follows a return is not emitted.
# DEAD-NOT: 99
# DEAD: return %arg0
def dead(x):
    return x
    return 99


# `while True` without a break does not fall through to a `return None`.
# NEVER: %[[R:.*]] = scf.while
# NEVER-NOT: pyarray.constant unit
# NEVER: return %[[R]]
def never(x):
    while True:
        if x:
            return 1
