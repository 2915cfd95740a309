# RUN: %import %s:caught | pyarray-opt | FileCheck %s --check-prefix=CAUGHT
# RUN: %import %s:plain_else | pyarray-opt | FileCheck %s --check-prefix=ELSE
# RUN: %import %s:at_last | pyarray-opt | FileCheck %s --check-prefix=FINALLY
# RUN: %import %s:again | pyarray-opt | FileCheck %s --check-prefix=AGAIN
# RUN: %import %s:of_caller | pyarray-opt | FileCheck %s --check-prefix=CALLER
# RUN: %import %s:from_ | pyarray-opt | FileCheck %s --check-prefix=FROM
# RUN: not %import %s:no_class 2>&1 | FileCheck %s --check-prefix=NO-CLASS
# RUN: not %import %s:nested_tuple 2>&1 | FileCheck %s --check-prefix=NO-CLASS


class Own(ValueError):
    pass


# What the body assigns and the handler reads is stored too; what nobody reads there is not.
# CAUGHT: %[[V:.*]] = pyarray.variable
# CAUGHT-NEXT: pyarray.store %{{.*}}, %[[V]]
# CAUGHT-NEXT: %[[R:.*]] = pyarray.try {
# CAUGHT: %[[Y:.*]] = pyarray.binary add
# CAUGHT-NEXT: pyarray.store %[[Y]], %[[V]]
# CAUGHT: pyarray.yield
# CAUGHT: } except {
# CAUGHT-NEXT: %[[L:.*]] = pyarray.load %[[V]]
# CAUGHT-NEXT: %[[IS:.*]] = pyarray.caught ["ValueError", "KeyError"]
# CAUGHT: scf.if %[[IS]]
# CAUGHT: pyarray.unary neg %[[L]]
# CAUGHT: } else {
# CAUGHT-NEXT: pyarray.reraise
# CAUGHT: } : !pyarray.any {pyarray.names = ["y"]}
def caught(x):
    y = 0
    try:
        y = x + 1
        t = y // x
        y = t
    except (ValueError, KeyError):
        y = -y
    return y


# Where no handler falls through, the else simply follows.
# ELSE: pyarray.try {
# ELSE: } except {
# ELSE: pyarray.binary mul
# ELSE-NOT: pyarray.binary mul
def plain_else(x):
    try:
        y = 1 // x
    except ZeroDivisionError:
        raise KeyError
    else:
        y = y * 2
    return y


# Once in the handler, and once for all other ways out.
# FINALLY: pyarray.try {
# FINALLY-NOT: pyarray.setitem
# FINALLY: } except {
# FINALLY: pyarray.setitem
# FINALLY-NEXT: pyarray.reraise
# FINALLY: pyarray.setitem
# FINALLY-NOT: pyarray.setitem
def at_last(x, a):
    try:
        if x > 1:
            return 1 // x
    finally:
        a[0] = 1
    return 2


# CALLER: pyarray.reraise of_caller
# CALLER: } except {
# CALLER-NOT: of_caller
# CALLER: pyarray.reraise{{$}}
# CALLER: scf.if
# CALLER: pyarray.reraise of_caller
def of_caller(x):
    if x > 1:
        raise
    try:
        x = 1 // x
    finally:
        if x > 2:
            raise
    return x


# AGAIN: %[[E:.*]] = pyarray.exception ["BaseException"] : !pyarray.any
# AGAIN-NEXT: pyarray.reraise(%[[E]] : !pyarray.any)
def again(x):
    try:
        return 1 // x
    except BaseException as e:
        raise e


# FROM: pyarray.cause(%{{.*}}) : (!pyarray.any) -> ()
# FROM-NEXT: pyarray.raise "{{.*}}try_:Own"(%{{.*}}) bases ["ValueError", "Exception", "BaseException"]
# FROM: pyarray.cause "KeyError"() : () -> ()
# FROM-NEXT: pyarray.raise "TypeError"()
# FROM: pyarray.cause() : () -> ()
# FROM-NEXT: pyarray.raise "OSError"()
def from_(x):
    try:
        return 1 // x
    except IndexError as e:
        raise Own(x) from e
    except ArithmeticError:
        raise TypeError from KeyError
    except Own:
        raise OSError from None


# NO-CLASS: try_.py:[[#]]:{{.*}}error: catching classes that do not inherit from BaseException is not allowed
def no_class(x):
    try:
        return 1 // x
    except int:
        return 2


ERRORS = (KeyError, (ValueError, TypeError))


def nested_tuple(x):
    try:
        return 1 // x
    except ERRORS:
        return 2
