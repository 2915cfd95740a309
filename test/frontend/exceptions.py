# RUN: %import %s:plain | pyarray-opt | FileCheck %s --check-prefix=PLAIN
# RUN: %import %s:arguments | pyarray-opt | FileCheck %s --check-prefix=ARGUMENTS
# RUN: %import %s:own | pyarray-opt | FileCheck %s --check-prefix=OWN
# RUN: %import %s:check | pyarray-opt | FileCheck %s --check-prefix=ASSERT
# RUN: %import %s:impossible | pyarray-opt | FileCheck %s --check-prefix=IMPOSSIBLE

LIMIT = 5


class Shape:
    class Error(ValueError):
        pass


# A branch that raises yields pyarray.unbound, and what follows stays outside.
# PLAIN: %[[R:.*]] = scf.if
# PLAIN: pyarray.raise "ZeroDivisionError"() :
# PLAIN-NEXT: %[[U:.*]] = pyarray.unbound
# PLAIN-NEXT: scf.yield %[[U]]
# PLAIN: return %[[R]]
def plain(x):
    if x:
        raise ZeroDivisionError
    else:
        y = 1
    return y


# ARGUMENTS: %[[M:.*]] = pyarray.constant "at most"
# ARGUMENTS: %[[L:.*]] = pyarray.constant 5
# ARGUMENTS: %[[N:.*]] = pyarray.constant -1
# ARGUMENTS: %[[T:.*]] = pyarray.tuple %[[N]]
# ARGUMENTS: pyarray.raise "ValueError"(%[[M]], %[[L]], %[[T]])
def arguments(x):
    if x > LIMIT:
        raise ValueError("at most", LIMIT, (-1,)) from None


# OWN: pyarray.raise "exceptions:Shape.Error"()
Error = Shape.Error


def own(x):
    if x:
        raise Error


# ASSERT: %[[C:.*]] = pyarray.compare gt
# ASSERT: %[[N:.*]] = pyarray.unary not %[[C]]
# ASSERT: %[[T:.*]] = pyarray.truth %[[N]]
# ASSERT: scf.if %[[T]] {
# ASSERT: pyarray.raise "AssertionError"(%{{.*}})
def check(x):
    assert x > 0, "must be positive"


# IMPOSSIBLE: } else {
# IMPOSSIBLE: pyarray.raise "AssertionError"()
# IMPOSSIBLE-NOT: constant unit
# IMPOSSIBLE: return
def impossible(x):
    if x:
        return 1
    assert False
