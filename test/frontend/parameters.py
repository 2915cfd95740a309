# RUN: %import %s:defaults | pyarray-opt | FileCheck %s --check-prefix=DEFAULTS
# RUN: %import %s:keyword_only | pyarray-opt | FileCheck %s --check-prefix=KEYWORD


# A default that is no constant is opaque.
# DEFAULTS: pyarray.defaults = [1 : si64, 2.500000e+00, unit, "s", #pyarray.opaque]
# DEFAULTS-SAME: pyarray.params = ["a", "b", "c", "d", "e", "f"], pyarray.qualname = "defaults"
def defaults(a, b=1, c=2.5, d=None, e="s", f=[]):
    return a


# A keyword-only parameter is one like others; between defaults, one without is opaque too.
# KEYWORD: pyarray.defaults = [1 : si64, #pyarray.opaque, 2 : si64]
# KEYWORD-SAME: pyarray.params = ["a", "b", "c", "d"]
def keyword_only(a, /, b=1, *, c, d=2):
    return a
