# RUN: %import %s:large | pyarray-opt | FileCheck %s --check-prefix=LARGE
# RUN: %import %s:small | pyarray-opt | FileCheck %s --check-prefix=SMALL
# RUN: %import %s:modulo | pyarray-opt | FileCheck %s --check-prefix=MODULO
# Expressions of int literals of which a part has more than 64 bits.


# LARGE: pyarray.constant 18446744073709551615 : ui64
# LARGE: pyarray.constant 9223372036854775808 : ui64
# LARGE: pyarray.constant -9223372036854775808 : si64
# LARGE: pyarray.constant 1000000000000000 : si64
def large():
    return 2**64 - 1, 1 << 63, -(2**63), 10**20 // 10**5


# SMALL: %[[ONE:.*]] = pyarray.constant 1 : si64
# SMALL: %[[TWO:.*]] = pyarray.constant 2 : si64
# SMALL: pyarray.binary add %[[ONE]], %[[TWO]]
def small():
    return 1 + 2


# MODULO: %[[F:.*]] = pyarray.callable "whole.low_bits"
# MODULO: pyarray.apply %[[F]](%arg0)
def modulo(x):
    return x % 2**64
