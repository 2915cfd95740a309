# RUN: %import %s:masks | pyarray-opt | FileCheck %s --check-prefix=MASKS
# RUN: %import %s:variables | pyarray-opt | FileCheck %s --check-prefix=VARIABLES
# RUN: %import %s:plain | pyarray-opt | FileCheck %s --check-prefix=PLAIN
# REQUIRES: translate
# What int64 would wrap in is computed when the function is compiled, if int64 or uint64 holds the value.

BITS = 64


# MASKS: func.func @masks(%[[X:.*]]: !pyarray.any
# MASKS: %[[M:.*]] = pyarray.constant 18446744073709551615 : ui64
# MASKS: pyarray.binary and %[[X]], %[[M]]
# MASKS: pyarray.constant 9223372036854775807 : si64
# MASKS: pyarray.constant 9223372036854775808 : ui64
# MASKS: pyarray.constant -9223372036854775808 : si64
def masks(x):
    return x & (2**64 - 1), 2**63 - 1, 1 << 63, -(2**63)


# VARIABLES: func.func @variables
# VARIABLES: pyarray.constant 18446744073709551615 : ui64
# VARIABLES: pyarray.constant 255 : si64
# VARIABLES: pyarray.closure @f
# VARIABLES: func.func @f
# VARIABLES: pyarray.constant 9223372036854775807 : si64
# VARIABLES-NOT: pyarray.binary
def variables():
    n = BITS
    m = (1 << n) - 1
    k = m >> 56

    def f():
        return m // 2

    return f, k


# Neither fits, nor is known for sure; and what int64 holds throughout stays an operation.
# PLAIN: func.func @plain
# PLAIN: pyarray.binary pow
# PLAIN: pyarray.binary add
# PLAIN: pyarray.binary sub
def plain(c):
    if c:
        m = 2**64 - 1
    return 2**64, 2 + 3, m - 1
