# RUN: %import %s:cases | pyarray-opt | FileCheck %s --check-prefix=CASES
# RUN: %import %s:mapping | pyarray-opt | FileCheck %s --check-prefix=MAPPING
# RUN: %import %s:of_class | pyarray-opt | FileCheck %s --check-prefix=CLASS
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


# MAPPING: %[[TEST:.*]] = pyarray.callable "pyarray.match_mapping"
# MAPPING: pyarray.apply %[[TEST]](%arg0)
# MAPPING: pyarray.compare in %{{.*}}, %arg0
# MAPPING: pyarray.getitem %arg0[
# MAPPING: pyarray.callable "pyarray.match_rest"
def mapping(p):
    match p:
        case {"a": 1, **rest}:
            return rest


# CLASS: %[[IS:.*]] = pyarray.callable "builtins.isinstance"
# CLASS: pyarray.apply %[[IS]](%arg0,
# CLASS: %[[ARGUMENT:.*]] = pyarray.callable "pyarray.match_argument"
# CLASS: pyarray.apply %[[ARGUMENT]](%arg0,
# CLASS: pyarray.getattr %arg0 "real"
def of_class(p):
    match p:
        case int(1, real=x):
            return x
