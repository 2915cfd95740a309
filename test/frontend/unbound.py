# RUN: %import %s:maybe | pyarray-opt | FileCheck %s --check-prefix=MAYBE
# RUN: %import %s:twice | pyarray-opt | FileCheck %s --check-prefix=TWICE
# RUN: %import %s:surely | pyarray-opt | FileCheck %s --check-prefix=SURELY
# RUN: %import %s:deleted | pyarray-opt | FileCheck %s --check-prefix=DELETED
# RUN: %import %s:deleted_together | pyarray-opt | FileCheck %s --check-prefix=TOGETHER
# RUN: %import %s:raised | pyarray-opt | FileCheck %s --check-prefix=RAISED


# MAYBE: %[[R:.*]]:2 = scf.if
# MAYBE: pyarray.constant true
# MAYBE: } else {
# MAYBE-DAG: %[[U:.*]] = pyarray.unbound
# MAYBE-DAG: %[[F:.*]] = pyarray.constant false
# MAYBE: scf.yield %[[U]], %[[F]]
# MAYBE: %[[N:.*]] = pyarray.unary not %[[R]]#1
# MAYBE: %[[T:.*]] = pyarray.truth %[[N]]
# MAYBE: scf.if %[[T]] {
# MAYBE: %[[M:.*]] = pyarray.constant "cannot access local variable 'x' where it is not associated with a value"
# MAYBE: pyarray.raise "UnboundLocalError"(%[[M]])
# MAYBE: return %[[R]]#0
def maybe(c):
    if c:
        x = 1
    return x


# Checked once: afterwards the variable is bound.
# TWICE: UnboundLocalError
# TWICE-NOT: UnboundLocalError
# TWICE: return
def twice(c):
    if c:
        x = 1
    return x + x


# SURELY: pyarray.raise "UnboundLocalError"
# SURELY-NEXT: %[[U:.*]] = pyarray.unbound
# SURELY-NEXT: return %[[U]]
def surely(c):
    y = x + 1
    x = 2
    return y


# DELETED: pyarray.raise "UnboundLocalError"
def deleted(x):
    del x
    return x


# `del (a, [b])` and `del a, b` are one; the target in parentheses deletes what is in it.
# TOGETHER: func.func @deleted_together(%[[A:.*]]: !pyarray.any, %{{.*}}: !pyarray.any, %[[C:.*]]: !pyarray.any)
# TOGETHER-NOT: UnboundLocalError
# TOGETHER: pyarray.tuple %[[A]], %[[C]]
# TOGETHER: cannot access local variable 'b'
def deleted_together(a, b, c):
    t = a, c
    del (a, [b]), [c], ()
    return t, b


# A branch that raises says nothing about the variable.
# RAISED-NOT: UnboundLocalError
# RAISED: return
def raised(c):
    if c:
        x = 1
    else:
        raise ValueError
    return x
