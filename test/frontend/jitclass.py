# RUN: pyarray-translate --signature '(float64)' --to untyped --import-python %s:use | FileCheck %s
# REQUIRES: translate
# A class: what it has is described in the module, and a function makes instances.

from pyarray import jitclass, njit


# CHECK: module attributes {pyarray.classes = {"{{.*}}jitclass:P#0" = {constants = {K = 3 : si64}, fields = ["x"],
# CHECK-SAME: getters = {twice = @twice}, methods = {__init__ = @__init__}, new = @P, statics = {half = @half}, types = tuple<f64>}}}
@jitclass
class P:
    x: float
    K = 3

    # CHECK: func.func @__init__(%[[SELF:.*]]: !pyarray.any, %[[X:.*]]: !pyarray.any, %{{.*}}: !pyarray.any)
    # CHECK: pyarray.setattr %[[SELF]] "x" = %[[X]]
    # CHECK: func.func @P(%[[A:.*]]: !pyarray.any, %[[B:.*]]: !pyarray.any)
    # CHECK-SAME: pyarray.defaults = [1 : si64]
    # CHECK-SAME: pyarray.kinds = "pk"
    # CHECK-SAME: pyarray.no_frame
    # CHECK: %[[NEW:.*]] = pyarray.new "{{.*}}jitclass:P#0" : !pyarray.any
    # CHECK: pyarray.method %[[NEW]] "__init__"(%[[A]], %[[B]]) kw ["y"]
    # CHECK: return %[[NEW]]
    def __init__(self, x, *, y=1):
        self.x = x

    @property
    def twice(self):
        return 2 * self.x

    @staticmethod
    def half(x):
        return x / 2


@njit
def use(x):
    p = P(x)
    p.x += 1
    return p
