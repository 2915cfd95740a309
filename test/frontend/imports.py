# RUN: %import %s:modules | pyarray-opt | FileCheck %s --check-prefix=MODULES
# RUN: %import %s:names | pyarray-opt | FileCheck %s --check-prefix=NAMES
# RUN: %import %s:nested | pyarray-opt | FileCheck %s --check-prefix=NESTED
# RUN: %import %s:not_taken | pyarray-opt | FileCheck %s --check-prefix=NOTTAKEN
# RUN: not %import %s:no_module 2>&1 | FileCheck %s --check-prefix=NOMODULE
# RUN: not %import %s:no_name 2>&1 | FileCheck %s --check-prefix=NONAME
# RUN: not %import %s:bound_again 2>&1 | FileCheck %s --check-prefix=AGAIN
# RUN: not %import %s:parameter 2>&1 | FileCheck %s --check-prefix=PARAMETER
# RUN: not %import %s:two_things 2>&1 | FileCheck %s --check-prefix=TWO
# RUN: not %import %s:too_early 2>&1 | FileCheck %s --check-prefix=EARLY
# RUN: not %import %s:in_global 2>&1 | FileCheck %s --check-prefix=GLOBAL
# Imports within functions: what they bind is a constant.

CHECKED = False


# MODULES-LABEL: func.func @modules
# MODULES: pyarray.callable "math.sqrt"
# MODULES: pyarray.constant 3.1415926535897931 : f64
# MODULES: pyarray.callable "numpy.random.rand"
def modules(x):
    import math
    import math as m

    import numpy.random

    return math.sqrt(x), m.pi, numpy.random.rand()


# NAMES-LABEL: func.func @names
# NAMES: pyarray.callable "math.sqrt"
# NAMES: pyarray.constant 3.1415926535897931 : f64
def names(x):
    from math import pi as half_turn
    from math import sqrt

    return sqrt(x) * half_turn


# NESTED: func.func @inner(%arg0: !pyarray.any)
# NESTED: pyarray.callable "math.sqrt"
def nested(x):
    from math import sqrt

    def inner(y):
        return sqrt(y)

    return inner(x)


# NOTTAKEN-LABEL: func.func @not_taken
# NOTTAKEN-NEXT: return
def not_taken(x):
    if CHECKED:
        import no_such_module
    return x


# NOMODULE: imports.py:[[#@LINE+2]]:5: error: No module named 'no_such_module'
def no_module(x):
    import no_such_module

    return no_such_module.f(x)


# NONAME: imports.py:[[#@LINE+2]]:5: error: cannot import name 'no_such_name' from 'math'
def no_name(x):
    from math import no_such_name

    return no_such_name(x)


# AGAIN: imports.py:[[#@LINE+4]]:5: error: assignment to 'math', which the function imports, is not supported in compiled code; use another name
def bound_again(x):
    import math

    math = x
    return math


# PARAMETER: imports.py:[[#@LINE+2]]:12: error: an import as 'math', a variable of the function, is not supported
def parameter(math):
    import math

    return math.pi


# TWO: imports.py:[[#@LINE+5]]:9: error: the name 'f' is imported as two different things
def two_things(x):
    if x > 2:
        from math import sin as f
    else:
        from math import cos as f
    return f(x)


# EARLY: imports.py:[[#@LINE+2]]:9: error: name 'math' has no value here: it is imported further on
def too_early(x):
    y = math.pi
    import math

    return y


# GLOBAL: imports.py:[[#@LINE+3]]:12: error: an import that binds a global or nonlocal variable is not supported
def in_global(x):
    global math
    import math

    return math.pi
