# RUN: %import %s:numbers | pyarray-opt | FileCheck %s --check-prefix=NUMBERS
# RUN: %import %s:numpy_scalars | pyarray-opt | FileCheck %s --check-prefix=SCALARS
# RUN: %import %s:literals | pyarray-opt | FileCheck %s --check-prefix=LITERALS
# RUN: %import %s:closure | pyarray-opt | FileCheck %s --check-prefix=CLOSURE
# RUN: %import %s:builtins | pyarray-opt | FileCheck %s --check-prefix=BUILTINS
# RUN: %import %s:made | pyarray-opt | FileCheck %s --check-prefix=MADE
import functools
import math
import math as m
import operator

import numpy as np

N, X, C, FLAG, NOTHING, TEXT = 3, 2.5, 1 - 2j, True, None, "text"
PAIR = (1, (2.0, "two"))
HALF, BYTE, WORD, SINGLE = np.float32(0.5), np.int8(-3), np.uint64(2**64 - 1), np.complex64(1 + 1j)
DTYPE = np.dtype("int16")


# NUMBERS: pyarray.constant 3 : si64
# NUMBERS: pyarray.constant 2.500000e+00 : f64
# NUMBERS: pyarray.constant #complex.number<:f64 1.000000e+00, -2.000000e+00>
# NUMBERS: pyarray.constant true ->
# NUMBERS: pyarray.constant unit
# NUMBERS: pyarray.constant "text"
# NUMBERS: %[[ONE:.*]] = pyarray.constant 1 : si64
# NUMBERS: %[[INNER:.*]] = pyarray.tuple
# NUMBERS: pyarray.tuple %[[ONE]], %[[INNER]]
# NUMBERS: pyarray.constant 3.1415926535897931 : f64
def numbers():
    return N, X, C, FLAG, NOTHING, TEXT, PAIR, math.pi


# SCALARS: pyarray.constant 5.000000e-01 : f32
# SCALARS: pyarray.constant -3 : si8
# SCALARS: pyarray.constant 18446744073709551615 : ui64
# SCALARS: pyarray.constant #complex.number<:f32
def numpy_scalars():
    return HALF, BYTE, WORD, SINGLE


# A minus sign belongs to the literal.
# LITERALS: pyarray.constant -9223372036854775808 : si64
# LITERALS: pyarray.constant 9223372036854775808 : ui64
# LITERALS: pyarray.constant -0.000000e+00 : f64
def literals():
    return -9223372036854775808, 9223372036854775808, -0.0


def make(k):
    return lambda x: x + k


# CLOSURE: func.func @lambda(
# CLOSURE: pyarray.constant 7
# CLOSURE: pyarray.binary add
closure = make(7)


# By identity, whatever the name; a dtype is the function that converts to it.
# BUILTINS: pyarray.callable "math.sqrt"
# BUILTINS: pyarray.callable "numpy.random.rand"
# BUILTINS: pyarray.callable "builtins.abs"
# BUILTINS: pyarray.callable "numpy.zeros"
# BUILTINS: pyarray.callable "numpy.float32"
# BUILTINS: pyarray.apply %{{.*}}(%{{.*}}, %{{.*}}) kw ["dtype"]
# BUILTINS: pyarray.callable "numpy.int16"
def builtins(x):
    return m.sqrt(x), np.random.rand(), abs(x), np.zeros(3, dtype=np.float32), np.ones(3, DTYPE)


ROUNDED, ITEM = functools.partial(round, ndigits=2), operator.itemgetter(1, "a")


# Callables that Python made of others are made again.
# MADE: %[[PARTIAL:.*]] = pyarray.callable "functools.partial"
# MADE: %[[ROUND:.*]] = pyarray.callable "builtins.round"
# MADE: %[[TWO:.*]] = pyarray.constant 2 : si64
# MADE: pyarray.apply %[[PARTIAL]](%[[ROUND]], %[[TWO]]) kw ["ndigits"]
# MADE: %[[GETTER:.*]] = pyarray.callable "operator.itemgetter"
# MADE: pyarray.apply %[[GETTER]](%{{.*}}, %{{.*}})
def made():
    return ROUNDED, ITEM
