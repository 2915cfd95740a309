# RUN: %import %s:f | pyarray-opt | FileCheck %s
# RUN: not %import %s:local 2>&1 | FileCheck %s --check-prefix=LOCAL
# RUN: not %import %s:wrong 2>&1 | FileCheck %s --check-prefix=WRONG
# REQUIRES: translate
# Types are known when the function is imported, also those that it puts together.
from pyarray import types
from pyarray.typed import Dict, List

PAIR = types.UniTuple(types.int64, 2)


# CHECK-LABEL: func.func @f
# CHECK: %[[NEW:.*]] = pyarray.callable "pyarray.typed.Dict.empty"
# CHECK: %[[K:.*]] = pyarray.callable "type:(qq)"
# CHECK: %[[V:.*]] = pyarray.callable "type:[C2d"
# CHECK: pyarray.apply %[[NEW]](%[[K]], %[[V]])
# CHECK: %[[LIST:.*]] = pyarray.callable "pyarray.typed.List.empty_list"
# CHECK: %[[T:.*]] = pyarray.callable "type:(U(qqq))"
# CHECK: pyarray.apply %[[LIST]](%[[T]])
# CHECK: pyarray.callable "pyarray.typed.List"
# CHECK: pyarray.callable "pyarray.int64"
def f():
    d = Dict.empty(PAIR, types.float64[:, ::1])
    xs = List.empty_list(types.Tuple((types.unicode_type, types.UniTuple(types.int64, count=3))))
    return d, xs, List(), types.ListType(types.int64).item_type


# LOCAL: error: 'types.ListType' is a class that compiled code does not have; put the type together outside, or of names and literals alone
def local():
    item = types.int64
    return List.empty_list(types.ListType(item))


# WRONG: error: ListType takes a type, not 3
def wrong():
    return List.empty_list(types.ListType(3))
