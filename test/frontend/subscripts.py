# RUN: %import %s:indices | pyarray-opt | FileCheck %s --check-prefix=INDICES
# RUN: %import %s:slices | pyarray-opt | FileCheck %s --check-prefix=SLICES
# RUN: %import %s:attributes | pyarray-opt | FileCheck %s --check-prefix=ATTRIBUTES


# INDICES: pyarray.getitem %arg0[%arg1]
# INDICES: pyarray.getitem %arg0[%arg1, %arg1]
# INDICES: pyarray.getitem %arg0[] :
def indices(a, i):
    return a[i], a[i, i], a[()]


# SLICES: %[[LO:.*]] = pyarray.constant 1
# SLICES: %[[HI:.*]] = pyarray.constant unit
# SLICES: %[[STEP:.*]] = pyarray.constant -2
# SLICES: %[[S:.*]] = pyarray.slice %[[LO]], %[[HI]], %[[STEP]]
# SLICES: pyarray.getitem %arg0[%[[S]], %arg1]
def slices(a, i):
    return a[1::-2, i]


# ATTRIBUTES: pyarray.getattr %arg0 "shape"
# ATTRIBUTES: pyarray.method %arg0 "copy"() :
# ATTRIBUTES: pyarray.method %arg0 "astype"(%{{.*}}, %{{.*}}) kw ["copy"]
def attributes(a):
    return a.shape, a.copy(), a.astype(1, copy=False)
