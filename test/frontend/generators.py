# RUN: %import %s:squares | pyarray-opt | FileCheck %s --check-prefix=YIELD
# RUN: %import %s:delegates | pyarray-opt | FileCheck %s --check-prefix=FROM
# RUN: %import %s:expression | pyarray-opt | FileCheck %s --check-prefix=EXPRESSION
# RUN: %import %s:later | pyarray-opt | FileCheck %s --check-prefix=LATER
# RUN: %import %s:binds | pyarray-opt | FileCheck %s --check-prefix=BINDS
# RUN: not %import %s:with_a_value 2>&1 | FileCheck %s --check-prefix=VALUE
# RUN: not %import %s:in_a_lambda 2>&1 | FileCheck %s --check-prefix=LAMBDA
# REQUIRES: translate
# Generators: yield, yield from, generator expressions.


# YIELD: func.func @squares(%arg0: !pyarray.any) -> !pyarray.any
# YIELD-SAME: pyarray.generator
# YIELD:   pyarray.for (%[[X:.*]]: !pyarray.any) in
# YIELD:     %[[XX:.*]] = pyarray.binary mul %[[X]], %[[X]]
# YIELD:     pyarray.suspend %[[XX]] : !pyarray.any
# YIELD:   }
# YIELD-NEXT: %[[NONE:.*]] = pyarray.constant unit
# YIELD-NEXT: return %[[NONE]]
def squares(n):
    for x in range(n):
        yield x * x


# FROM: pyarray.for (%[[X:.*]]: !pyarray.any) in %arg0 : !pyarray.any {
# FROM-NEXT: pyarray.suspend %[[X]]
def delegates(a):
    yield from a


# It is called where it is written, with what its first clause goes over; what it captures is by value.
# EXPRESSION: func.func @expression(%arg0
# EXPRESSION:   %[[K:.*]] = pyarray.binary add %{{.*}} inplace
# EXPRESSION:   %[[G:.*]] = pyarray.closure @"<genexpr>"(%[[K]])
# EXPRESSION:   %[[ITEMS:.*]] = pyarray.apply %[[G]](%arg0)
# EXPRESSION:   pyarray.apply %{{.*}}(%[[ITEMS]])
# EXPRESSION: func.func @"<genexpr>"(%arg0: !pyarray.any, %arg1: !pyarray.any)
# EXPRESSION-SAME: pyarray.generator
# EXPRESSION-SAME: pyarray.params = ["k", ".0"]
# EXPRESSION:   pyarray.for (%[[X:.*]]: !pyarray.any) in %arg1
# EXPRESSION:     scf.if
# EXPRESSION:       pyarray.binary mul %[[X]], %arg0
# EXPRESSION:       pyarray.suspend
def expression(a):
    k = 1
    k += 1
    return sum(x * k for x in a if x)


# One that is kept sees what its variables are when it runs.
# LATER: %[[CELL:.*]] = pyarray.list {pyarray.cell} : ()
# LATER: pyarray.closure @"<genexpr>"(%[[CELL]])
def later(a):
    k = 1
    g = (x * k for x in a)
    k = 2
    return list(g)


# BINDS: func.func @binds
# BINDS: %[[CELL:.*]] = pyarray.list {pyarray.cell} : ()
# BINDS: pyarray.closure @"<genexpr>"(%[[CELL]])
# BINDS: func.func @"<genexpr>"
# BINDS: pyarray.method %arg0 "append"
def binds(a):
    return any((y := x) > 3 for x in a), y


# VALUE: generators.py:[[#@LINE+3]]:5: error: 'return' with a value in a generator is not supported
def with_a_value(n):
    yield n
    return 1


# LAMBDA: generators.py:[[#@LINE+2]]:18: error: 'yield' in a lambda is not supported
def in_a_lambda(n):
    f = lambda: (yield n)  # noqa: E731
    return f
