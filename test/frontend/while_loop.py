# RUN: %import %s:plain | pyarray-opt | FileCheck %s --check-prefix=PLAIN
# RUN: %import %s:endless | pyarray-opt | FileCheck %s --check-prefix=ENDLESS
# RUN: %import %s:test | pyarray-opt | FileCheck %s --check-prefix=TEST


# PLAIN: %[[R:.*]] = scf.while (%[[N:.*]] = %arg0)
# PLAIN: %[[C:.*]] = pyarray.compare gt %[[N]]
# PLAIN: %[[T:.*]] = pyarray.truth %[[C]]
# PLAIN: scf.condition(%[[T]]) %[[N]]
# PLAIN: } do {
# PLAIN: %[[H:.*]] = pyarray.binary floordiv
# PLAIN: scf.yield %[[H]]
# PLAIN: return %[[R]]
def plain(n):
    while n > 1:
        n = n // 2
    return n


# `while True` has no test.
# ENDLESS: scf.while
# ENDLESS-NEXT: pyarray.constant 1
# ENDLESS-NOT: pyarray.constant true
# ENDLESS: scf.condition
def endless(n):
    while True:
        n += 1
        if n > 9:
            break
    return n


# Conditions are i1 all the way.
# TEST: %[[A:.*]] = pyarray.truth
# TEST: %[[C:.*]] = scf.if %[[A]] -> (i1) {
# TEST: %[[B:.*]] = pyarray.truth
# TEST: scf.yield %[[B]] : i1
# TEST: } else {
# TEST: scf.yield %[[A]] : i1
# TEST: scf.condition(%[[C]])
def test(n, m):
    while n > 0 and m > 0:
        n -= m
    return n
