# RUN: %import %s:cases | pyarray-opt | FileCheck %s --check-prefix=CASES
# RUN: not %import %s:mapping 2>&1 | FileCheck %s --check-prefix=MAPPING
# RUN: not %import %s:of_class 2>&1 | FileCheck %s --check-prefix=CLASS
# REQUIRES: translate
# match is if, elif and else.


# CASES: %[[ONE:.*]] = pyarray.compare eq %arg0,
# CASES: scf.if
# CASES: %[[LENGTH:.*]] = pyarray.callable "pyarray.match_length"
# CASES: pyarray.apply %[[LENGTH]](%arg0,
# CASES: pyarray.getitem %arg0[
# CASES: pyarray.compare is
def cases(p):
    match p:
        case 1:
            return 1
        case (x, None):
            return x
    return 0


# MAPPING: a mapping pattern is not supported in compiled code; compare the items in an if
def mapping(p):
    match p:
        case {"a": 1}:
            return 1


# CLASS: a class pattern is not supported in compiled code; use isinstance() in an if, or a guard
def of_class(p):
    match p:
        case int():
            return 1
