# RUN: %import %s:display | pyarray-opt | FileCheck %s --check-prefix=DISPLAY
# RUN: %import %s:comprehend | pyarray-opt | FileCheck %s --check-prefix=COMPREHEND
# RUN: %import %s:spread | pyarray-opt | FileCheck %s --check-prefix=SPREAD
# REQUIRES: translate
# Dicts and sets: displays and comprehensions.


# DISPLAY: pyarray.dict %arg0, %{{.*}} : (!pyarray.any, !pyarray.any) -> !pyarray.any
# DISPLAY: pyarray.set %arg0 : (!pyarray.any) -> !pyarray.any
# DISPLAY: pyarray.dict : () -> !pyarray.any
def display(x):
    return {x: 1}, {x}, {}


# COMPREHEND: %[[D:.*]] = pyarray.dict : () -> !pyarray.any
# COMPREHEND: pyarray.for (%[[K:[a-z0-9]+]]: !pyarray.any)
# COMPREHEND: pyarray.method %[[D]] "__setitem__"(%[[K]], %{{.*}})
# COMPREHEND: %[[S:.*]] = pyarray.set : () -> !pyarray.any
# COMPREHEND: pyarray.method %[[S]] "add"
def comprehend(xs):
    return {x: x * x for x in xs}, {x for x in xs}


# SPREAD: %[[D:.*]] = pyarray.dict %arg0, %arg0
# SPREAD: pyarray.method %[[D]] "update"(%arg1)
# SPREAD: pyarray.method %[[D]] "__setitem__"
# SPREAD: %[[S:.*]] = pyarray.set : () -> !pyarray.any
# SPREAD: pyarray.method %[[S]] "update"(%arg1)
# SPREAD: pyarray.method %[[S]] "add"(%arg0)
def spread(x, d):
    return {x: x, **d, 1: 2}, {*d, x}
