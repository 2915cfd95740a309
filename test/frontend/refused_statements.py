# RUN: not %import %s:with_ 2>&1 | FileCheck %s --check-prefix=WITH
# RUN: not %import %s:class_ 2>&1 | FileCheck %s --check-prefix=CLASS
# RUN: not %import %s:async_ 2>&1 | FileCheck %s --check-prefix=ASYNC
# RUN: not %import %s:global_ 2>&1 | FileCheck %s --check-prefix=GLOBAL
# RUN: not %import %s:delete_in_tuple 2>&1 | FileCheck %s --check-prefix=INTUPLE
# RUN: not %import %s:raise_keyword 2>&1 | FileCheck %s --check-prefix=RAISEKEYWORD
# RUN: not %import %s:raise_local 2>&1 | FileCheck %s --check-prefix=RAISELOCAL
# RUN: not %import %s:decorated 2>&1 | FileCheck %s --check-prefix=DECORATED
# Statements outside the compiled subset, each with its place and the nearest thing that works.


# WITH: refused_statements.py:[[#@LINE+2]]:5: error: 'with' is not supported in compiled code; open and close the resource in the caller
def with_(x):
    with x:
        pass


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


# INTUPLE: refused_statements.py:[[#@LINE+2]]:13: error: 'del' of this is not supported
def delete_in_tuple(a, b):
    del (b, a.x)




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


# DECORATED: refused_statements.py:[[#@LINE+3]]:5: error: a decorated nested function is not supported in compiled code; define it outside
def decorated(x):
    @abs
    def g(y):
        return y

    return g(x)
