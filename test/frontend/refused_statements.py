# RUN: not %import %s:with_ 2>&1 | FileCheck %s --check-prefix=WITH
# RUN: not %import %s:try_ 2>&1 | FileCheck %s --check-prefix=TRY
# RUN: not %import %s:match_ 2>&1 | FileCheck %s --check-prefix=MATCH
# RUN: not %import %s:import_ 2>&1 | FileCheck %s --check-prefix=IMPORT
# RUN: not %import %s:from_ 2>&1 | FileCheck %s --check-prefix=FROM
# RUN: not %import %s:def_ 2>&1 | FileCheck %s --check-prefix=DEF
# RUN: not %import %s:class_ 2>&1 | FileCheck %s --check-prefix=CLASS
# RUN: not %import %s:async_ 2>&1 | FileCheck %s --check-prefix=ASYNC
# RUN: not %import %s:global_ 2>&1 | FileCheck %s --check-prefix=GLOBAL
# RUN: not %import %s:delete_element 2>&1 | FileCheck %s --check-prefix=DELETE
# RUN: not %import %s:delete_in_tuple 2>&1 | FileCheck %s --check-prefix=INTUPLE
# RUN: not %import %s:attribute 2>&1 | FileCheck %s --check-prefix=ATTRIBUTE
# RUN: not %import %s:starred 2>&1 | FileCheck %s --check-prefix=STARRED
# RUN: not %import %s:reraise 2>&1 | FileCheck %s --check-prefix=RERAISE
# RUN: not %import %s:raise_value 2>&1 | FileCheck %s --check-prefix=RAISEVALUE
# RUN: not %import %s:raise_from 2>&1 | FileCheck %s --check-prefix=RAISEFROM
# RUN: not %import %s:raise_computed 2>&1 | FileCheck %s --check-prefix=RAISECOMPUTED
# RUN: not %import %s:raise_keyword 2>&1 | FileCheck %s --check-prefix=RAISEKEYWORD
# RUN: not %import %s:raise_local 2>&1 | FileCheck %s --check-prefix=RAISELOCAL
# RUN: not %import %s:arguments 2>&1 | FileCheck %s --check-prefix=ARGS
# RUN: not %import %s:keywords 2>&1 | FileCheck %s --check-prefix=KWARGS
# Statements outside the compiled subset, each with its place and the nearest thing that works.


# WITH: refused_statements.py:[[#@LINE+2]]:5: error: 'with' is not supported in compiled code; open and close the resource in the caller
def with_(x):
    with x:
        pass


# TRY: refused_statements.py:[[#@LINE+2]]:5: error: 'try' is not supported in compiled code; test for the error's cause
def try_(x):
    try:
        return 1
    except ValueError:
        return 2


# MATCH: refused_statements.py:[[#@LINE+2]]:5: error: 'match' is not supported in compiled code; use if / elif / else
def match_(x):
    match x:
        case 1:
            return 1


# IMPORT: refused_statements.py:[[#@LINE+2]]:5: error: 'import' is not supported in compiled code; import at the top of the module
def import_():
    import math

    return math.pi


# FROM: refused_statements.py:[[#@LINE+2]]:5: error: 'from ... import' is not supported
def from_():
    from math import pi

    return pi


# DEF: refused_statements.py:[[#@LINE+2]]:5: error: a nested function definition is not supported in compiled code; define it outside
def def_(x):
    def g(y):
        return y

    return g(x)


# CLASS: refused_statements.py:[[#@LINE+2]]:5: error: a class definition is not supported
def class_(x):
    class C:
        pass


# ASYNC: refused_statements.py:[[#@LINE+2]]:5: error: an 'async def' function is not supported
def async_(x):
    async def g():
        pass


# GLOBAL: refused_statements.py:[[#@LINE+6]]:5: error: assignment to the global or nonlocal variable 'counter' is not supported in compiled code; return the new value
counter = 0


def global_():
    global counter
    counter = 1


# DELETE: refused_statements.py:[[#@LINE+2]]:9: error: 'del' of anything but a variable is not supported
def delete_element(a):
    del a[0]


# INTUPLE: refused_statements.py:[[#@LINE+2]]:13: error: 'del' of anything but a variable is not supported
def delete_in_tuple(a, b):
    del (b, a.x)


# ATTRIBUTE: refused_statements.py:[[#@LINE+2]]:5: error: assignment to an attribute is not supported
def attribute(x):
    x.y = 1


# STARRED: refused_statements.py:[[#@LINE+2]]:8: error: a starred assignment target is not supported
def starred(t):
    a, *b = t


# RERAISE: refused_statements.py:[[#@LINE+2]]:5: error: 'raise' without an exception is not supported
def reraise():
    raise


# RAISEVALUE: refused_statements.py:[[#@LINE+2]]:11: error: raising anything but an exception class
def raise_value(x):
    raise x


# RAISEFROM: refused_statements.py:[[#@LINE+2]]:27: error: 'raise ... from ...' is not supported
def raise_from(x):
    raise ValueError from x


# RAISECOMPUTED: refused_statements.py:[[#@LINE+2]]:22: error: an exception with an argument computed at run time is not supported
def raise_computed(x):
    raise ValueError(x)


# RAISEKEYWORD: refused_statements.py:[[#@LINE+2]]:11: error: an exception with keyword arguments is not supported
def raise_keyword():
    raise ValueError(x=1)


# RAISELOCAL: refused_statements.py:[[#@LINE+6]]:15: error: the exception class 'Local' cannot be found as refused_statements.make.<locals>.Local; define it at the top
def make():
    class Local(Exception):
        pass

    def raise_it():
        raise Local

    return raise_it


raise_local = make()


# ARGS: refused_statements.py:[[#@LINE+1]]:16: error: a '*args' parameter is not supported
def arguments(*args):
    return 1


# KWARGS: refused_statements.py:[[#@LINE+1]]:16: error: a '**kwargs' parameter is not supported
def keywords(**kwargs):
    return 1
