# Operations lie where their expression begins: line and column from 1, columns in bytes of UTF-8. Type inference reports
# its errors at that place.
# RUN: not pyarray-translate --import-python %s:item --signature '(f8,)' --to typed 2>&1 | FileCheck %s --check-prefix=ITEM
# RUN: not pyarray-translate --import-python %s:binary --signature '(f8,)' --to typed 2>&1 | FileCheck %s --check-prefix=BINARY
# RUN: not pyarray-translate --import-python %s:call --signature '(f8,)' --to typed 2>&1 | FileCheck %s --check-prefix=CALL
import math


# ITEM: places.py:[[#@LINE+3]]:22: error:
def item(x):
    é = x * 3
    return é + 2 * (x[0])


# BINARY: places.py:[[#@LINE+2]]:9: error:
def binary(x):
    y = (x, x) - x
    return y


# CALL: places.py:[[#@LINE+3]]:15: error:
def call(x):
    return (
        1.0 + math.sqrt((x, x))
    )  # fmt: skip
