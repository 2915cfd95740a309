# RUN: %import %s:by_value | pyarray-opt | FileCheck %s --check-prefix=VALUE
# RUN: %import %s:shared | pyarray-opt | FileCheck %s --check-prefix=SHARED
# RUN: %import %s:kept | pyarray-opt | FileCheck %s --check-prefix=KEPT
# RUN: %import %s:used_up | pyarray-opt | FileCheck %s --check-prefix=USED
# RUN: %import %s:recursive | pyarray-opt | FileCheck %s --check-prefix=RECURSIVE
# RUN: %import %s:levels | pyarray-opt | FileCheck %s --check-prefix=LEVELS
# RUN: %import %s:calls | pyarray-opt | FileCheck %s --check-prefix=CALLS
# RUN: %import %s:bound_once | pyarray-opt | FileCheck %s --check-prefix=ONCE
# REQUIRES: translate
# Nested functions: what they capture comes before their parameters.


# VALUE: func.func @by_value(%arg0
# VALUE:   %[[F:.*]] = pyarray.closure @g(%arg0)
# VALUE:   pyarray.apply %[[F]](
# VALUE: func.func @g(%arg0: !pyarray.any, %arg1: !pyarray.any) -> !pyarray.any
# VALUE-SAME: pyarray.kinds = "cp"
# VALUE-SAME: pyarray.params = ["a", "x"]
# VALUE-SAME: pyarray.qualname = "by_value.<locals>.g"
# VALUE:   pyarray.binary add %arg1, %arg0
def by_value(a):
    def g(x):
        return x + a

    return g(1)


# A variable that changes is the item of a list.
# SHARED: func.func @shared
# SHARED:   %[[CELL:.*]] = pyarray.list {pyarray.cell} : ()
# SHARED:   pyarray.method %[[CELL]] "append"(
# SHARED:   pyarray.closure @bump(%[[CELL]])
# SHARED: func.func @bump(%arg0
# SHARED:   pyarray.raise "NameError"
# SHARED:   pyarray.getitem %arg0[
# SHARED:   pyarray.method %arg0 "clear"()
# SHARED:   pyarray.method %arg0 "append"(
def shared():
    n = 0

    def bump():
        nonlocal n
        n += 1

    bump()
    return n


# The target of a comprehension has a cell each time that this is run, and so has what may be called after the loop.
# KEPT: func.func @kept
# KEPT:   %[[J:.*]] = pyarray.list {pyarray.cell} : ()
# KEPT:   pyarray.for
# KEPT:     pyarray.method %[[J]] "append"(
# KEPT:     %[[I:.*]] = pyarray.list {pyarray.cell} : ()
# KEPT:     %[[RESULT:.*]] = pyarray.list : ()
# KEPT:     pyarray.for
# KEPT:       pyarray.method %[[I]] "append"(
# KEPT:       pyarray.closure @lambda(%[[I]], %[[J]])
def kept(fs):
    for j in range(2):
        fs += [lambda: (i, j) for i in range(3)]


# USED: func.func @used_up
# USED-NOT: pyarray.list {pyarray.cell}
# USED: pyarray.for (%[[I:.*]]: !pyarray.any) in
# USED:   pyarray.closure @lambda(%[[I]])
# USED:   pyarray.closure @f(%[[I]])
# USED: func.func @lambda
def used_up(xs, out):
    for i in range(3):
        out.append(sorted(xs, key=lambda x: x * i))

        def f(x):
            return x * i

        out.append([f(1)])


# RECURSIVE: func.func @f(%arg0: !pyarray.any, %arg1: !pyarray.any)
# RECURSIVE: %[[SELF:.*]] = pyarray.closure @f(%arg0)
# RECURSIVE: pyarray.apply %[[SELF]](%arg1)
def recursive(a):
    def f(k):
        return f(k) + a

    return f(1)


# LEVELS: pyarray.closure @outer(%arg0)
# LEVELS: func.func @outer(%arg0
# LEVELS: pyarray.closure @lambda(%arg0)
# LEVELS: func.func @lambda(%arg0
# LEVELS-SAME: pyarray.defaults = [2 : si64]
# LEVELS-SAME: pyarray.kinds = "cp"
def levels(n):
    def outer():
        return (lambda y=2: n * y)()

    return outer()


# What a function that is bound once captures is captured in its place; its name may be that of another variable, too.
# ONCE: func.func @bound_once(%arg0
# ONCE:   pyarray.closure @plain() :
# ONCE:   pyarray.closure @add(%arg0) :
# ONCE:   %[[TWICE:.*]] = pyarray.closure @twice(%arg0) :
# ONCE:   pyarray.apply %[[TWICE]]
# ONCE: func.func @twice(%arg0: !pyarray.any, %arg1: !pyarray.any)
# ONCE-SAME: pyarray.kinds = "cp"
# ONCE-SAME: pyarray.params = ["around.n", "n"]
# ONCE-DAG: pyarray.closure @plain() :
# ONCE-DAG: pyarray.closure @add(%arg0) :
def bound_once(n):
    def plain(x):
        return x

    def add(x):
        return x + n

    def twice(n):
        return add(add(plain(n)))

    return twice(n)


# CALLS: pyarray.apply %{{.*}}(%arg0, %arg1) spread [2]
# CALLS: pyarray.apply %{{.*}}(%{{.*}}, %arg0) kw ["k"]
# CALLS: func.func @f(%arg0: !pyarray.any, %arg1: !pyarray.any, %arg2: !pyarray.any)
# CALLS-SAME: pyarray.kinds = "ok*"
def calls(x, t):
    def f(a, /, *rest, k=2):
        return rest

    return f(x, *t), f(1, **{"k": x})
