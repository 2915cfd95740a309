# RUN: %import %s:constants | pyarray-opt | FileCheck %s
# RUN: not %import %s:moving 2>&1 | FileCheck %s --check-prefix=MOVING
# RUN: not %import %s:malformed 2>&1 | FileCheck %s --check-prefix=MALFORMED
import numpy as np

START = np.datetime64("2020-01-01")
DAYS = np.array(["1970-01-02", "NaT"], "M8[D]")
DTYPE = np.dtype("m8[25s]")


# CHECK-DAG: pyarray.constant #pyarray.ticks<18262 : !pyarray.datetime<"D">>
# CHECK-DAG: pyarray.frozen_array dense<[1, -9223372036854775808]> : tensor<2xsi64> of !pyarray.datetime<"D">
# CHECK-DAG: pyarray.callable "numpy.timedelta64[25s]"
# CHECK-DAG: pyarray.constant #pyarray.ticks<600 : !pyarray.datetime<"M">>
# CHECK-DAG: pyarray.constant #pyarray.ticks<-9223372036854775808 : !pyarray.timedelta<"D">>
# CHECK-DAG: %[[CLASS:.*]] = pyarray.callable "numpy.timedelta64"
# CHECK: pyarray.apply %[[CLASS]](
def constants():
    return START, DAYS, DTYPE, np.datetime64("2020", "M"), np.timedelta64("NaT", "D"), np.timedelta64(3, "D")


# MOVING: datetimes.py:[[# @LINE + 2]]:{{.*}}'today' is not supported in compiled code, whose constants do not change
def moving():
    return np.datetime64("today")


# MALFORMED: datetimes.py:[[# @LINE + 2]]:{{.*}}Month out of range in datetime string "2020-13-01"
def malformed():
    return np.datetime64("2020-13-01")
