# RUN: %import %s:accumulate | pyarray-opt | FileCheck %s --check-prefix=SUM
# RUN: %import %s:skip | pyarray-opt | FileCheck %s --check-prefix=SKIP
# RUN: %import %s:after | pyarray-opt | FileCheck %s --check-prefix=AFTER
# RUN: %import %s:targets | pyarray-opt | FileCheck %s --check-prefix=TARGETS
# RUN: %import %s:otherwise | pyarray-opt | FileCheck %s --check-prefix=ELSE


# Carried: what the body assigns and is live at the head. `t` and `i` are not.
# SUM: %[[R:.*]] = pyarray.for (%[[I:.*]]: !pyarray.any, %[[S:.*]]: !pyarray.any) in %{{.*}} : !pyarray.any iter(%{{.*}}) {
# SUM-NEXT: %[[T:.*]] = pyarray.binary mul %[[I]], %[[I]]
# SUM-NEXT: %[[N:.*]] = pyarray.binary add %[[S]], %[[T]] inplace
# SUM-NEXT: pyarray.yield %[[N]]
# SUM: return %[[R]]
def accumulate(n):
    s = 0
    for i in range(n):
        t = i * i
        s += t
    return s


# continue at the end of every path needs no state.
# SKIP: pyarray.for
# SKIP: %[[R:.*]] = scf.if %{{.*}} -> (!pyarray.any) {
# SKIP-NEXT: scf.yield %[[S:.*]] : !pyarray.any
# SKIP-NEXT: } else {
# SKIP-NEXT: %[[N:.*]] = pyarray.binary add %[[S]]
# SKIP-NEXT: scf.yield %[[N]]
# SKIP: pyarray.yield %[[R]]
def skip(a):
    s = 0
    for x in a:
        if x:
            continue
        s += x
    return s


# The target is read after the loop, which may not have run: a flag goes along.
# AFTER: %[[U:.*]] = pyarray.unbound
# AFTER: %[[F:.*]] = pyarray.constant false
# AFTER: %[[R:.*]]:2 = pyarray.for (%[[X:.*]]: !pyarray.any, %{{.*}}, %{{.*}}) in %arg0 : !pyarray.any iter(%[[U]], %[[F]]) {
# AFTER: %[[T:.*]] = pyarray.constant true
# AFTER: pyarray.yield %[[X]], %[[T]]
# AFTER: pyarray.unary not %[[R]]#1
# AFTER: pyarray.raise "UnboundLocalError"
# AFTER: return %[[R]]#0
def after(a):
    for x in a:
        pass
    return x


# TARGETS: pyarray.for (%[[ROW:.*]]: !pyarray.any, %[[S:.*]]: !pyarray.any)
# TARGETS: %[[U:.*]]:2 = pyarray.unpack %[[ROW]]
# TARGETS: pyarray.binary add %[[S]], %[[U]]#0
def targets(rows):
    s = 0
    for x, y in rows:
        s = s + x
    return s


# Without a break, else simply follows.
# ELSE: %[[R:.*]] = pyarray.for
# ELSE: pyarray.yield
# ELSE: pyarray.binary add %[[R]], %{{.*}} inplace
def otherwise(a):
    s = 0
    for x in a:
        s += x
    else:
        s += 1
    return s
