# RUN: not %import %s:large 2>&1 | FileCheck %s --check-prefix=LARGE
# RUN: not %import %s:surrogate 2>&1 | FileCheck %s --check-prefix=SURROGATE
# Expressions outside the compiled subset.


# LARGE: refused_expressions.py:[[#@LINE+2]]:12: error: an integer beyond 64 bits is not supported
def large():
    return 100000000000000000000


# SURROGATE: refused_expressions.py:[[#@LINE+2]]:12: error: a string with lone surrogates is not supported
def surrogate():
    return "\ud800"
