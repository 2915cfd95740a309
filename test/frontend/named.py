# RUN: %import %s:point | pyarray-opt | FileCheck %s --check-prefix=POINT
# RUN: %import %s:color | pyarray-opt | FileCheck %s --check-prefix=COLOR
# The module describes the classes that a function names: of named tuples and enums.
import collections
import enum

Point = collections.namedtuple("Point", "x y", defaults=(7,))


class Color(enum.Enum):
    RED = 3
    BLUE = 3
    GREEN = 4


# POINT: "named:Point#0" = {{{.*}}defaults = [7 : si64], fields = ["x", "y"],{{.*}}kind = "namedtuple"
# POINT-LABEL: func.func @point(
# POINT: %[[CLASS:.*]] = pyarray.callable "named:Point#0" -> !pyarray.any
# POINT: pyarray.apply %[[CLASS]](%arg0)
def point(x):
    return Point(x)


# COLOR: "named:Color#0" = {{{.*}}kind = "enum", members = {BLUE = 0 : si64, GREEN = 1 : si64, RED = 0 : si64}
# COLOR-SAME: names = ["RED", "GREEN"], new = @member, numbers = [0 : si64, 1 : si64]
# COLOR-SAME: values = [3 : si64, 4 : si64]
# COLOR-LABEL: func.func @color(
# COLOR: %[[CLASS:.*]] = pyarray.callable "named:Color#0" -> !pyarray.any
# COLOR: pyarray.getattr %[[CLASS]] "GREEN"
def color():
    return Color.GREEN
