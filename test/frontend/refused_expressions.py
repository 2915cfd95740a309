# RUN: not %import %s:list_ 2>&1 | FileCheck %s --check-prefix=LIST
# RUN: not %import %s:dict_ 2>&1 | FileCheck %s --check-prefix=DICT
# RUN: not %import %s:set_ 2>&1 | FileCheck %s --check-prefix=SET
# RUN: not %import %s:list_comprehension 2>&1 | FileCheck %s --check-prefix=LISTCOMP
# RUN: not %import %s:dict_comprehension 2>&1 | FileCheck %s --check-prefix=DICTCOMP
# RUN: not %import %s:set_comprehension 2>&1 | FileCheck %s --check-prefix=SETCOMP
# RUN: not %import %s:generator 2>&1 | FileCheck %s --check-prefix=GENERATOR
# RUN: not %import %s:f_string 2>&1 | FileCheck %s --check-prefix=FSTRING
# RUN: not %import %s:walrus 2>&1 | FileCheck %s --check-prefix=WALRUS
# RUN: not %import %s:lambda_ 2>&1 | FileCheck %s --check-prefix=LAMBDA
# RUN: not %import %s:star_argument 2>&1 | FileCheck %s --check-prefix=STAR
# RUN: not %import %s:star_keywords 2>&1 | FileCheck %s --check-prefix=KEYWORDS
# RUN: not %import %s:ellipsis_ 2>&1 | FileCheck %s --check-prefix=ELLIPSIS
# RUN: not %import %s:bytes_ 2>&1 | FileCheck %s --check-prefix=BYTES
# RUN: not %import %s:large 2>&1 | FileCheck %s --check-prefix=LARGE
# RUN: not %import %s:surrogate 2>&1 | FileCheck %s --check-prefix=SURROGATE
# Expressions outside the compiled subset.


# LIST: refused_expressions.py:[[#@LINE+2]]:12: error: a list literal is not supported in compiled code; use a tuple, or fill an array made by np.empty
def list_(x):
    return [x]


# DICT: refused_expressions.py:[[#@LINE+2]]:12: error: a dict literal is not supported
def dict_(x):
    return {1: x}


# SET: refused_expressions.py:[[#@LINE+2]]:12: error: a set literal is not supported
def set_(x):
    return {x}


# LISTCOMP: refused_expressions.py:[[#@LINE+2]]:12: error: a list comprehension is not supported
def list_comprehension(x):
    return [i for i in x]


# DICTCOMP: refused_expressions.py:[[#@LINE+2]]:12: error: a dict comprehension is not supported
def dict_comprehension(x):
    return {i: i for i in x}


# SETCOMP: refused_expressions.py:[[#@LINE+2]]:12: error: a set comprehension is not supported
def set_comprehension(x):
    return {i for i in x}


# GENERATOR: refused_expressions.py:[[#@LINE+2]]:15: error: a generator expression is not supported
def generator(x):
    return sum(i for i in x)


# FSTRING: refused_expressions.py:[[#@LINE+2]]:12: error: an f-string is not supported in compiled code; use a constant string
def f_string(x):
    return f"{x}"


# WALRUS: refused_expressions.py:[[#@LINE+2]]:13: error: an assignment expression (':=') is not supported in compiled code; assign in a statement of its own
def walrus(x):
    return (y := x) + y


# LAMBDA: refused_expressions.py:[[#@LINE+2]]:12: error: a lambda is not supported
def lambda_(x):
    return lambda y: x


# STAR: refused_expressions.py:[[#@LINE+2]]:16: error: '*' unpacking is not supported
def star_argument(x):
    return max(*x)


# KEYWORDS: refused_expressions.py:[[#@LINE+2]]:16: error: '**' in a call is not supported
def star_keywords(x):
    return max(**x)


# ELLIPSIS: refused_expressions.py:[[#@LINE+2]]:14: error: '...' is not supported
def ellipsis_(x):
    return x[..., 0]


# BYTES: refused_expressions.py:[[#@LINE+2]]:12: error: a bytes literal is not supported
def bytes_():
    return b"bytes"


# LARGE: refused_expressions.py:[[#@LINE+2]]:12: error: an integer beyond 64 bits is not supported
def large():
    return 100000000000000000000


# SURROGATE: refused_expressions.py:[[#@LINE+2]]:12: error: a string with lone surrogates is not supported
def surrogate():
    return "\ud800"
