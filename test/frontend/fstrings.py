# RUN: %import %s:parts | pyarray-opt | FileCheck %s --check-prefix=PARTS
# RUN: %import %s:whole | pyarray-opt | FileCheck %s --check-prefix=WHOLE
# f-strings are calls of str.format; braces of their text are doubled. bytes are constants of their own type.


# PARTS: %[[TEMPLATE:.*]] = pyarray.constant "{{[{][{]}}a}} {:>{}} {}" -> !pyarray.any
# PARTS: %[[REPR:.*]] = pyarray.callable "builtins.repr"
# PARTS: %[[TEXT:.*]] = pyarray.apply %[[REPR]](
# PARTS: pyarray.method %[[TEMPLATE]] "format"(%arg0, %arg1, %[[TEXT]]) : (!pyarray.any, !pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
def parts(x, w):
    return f"{{a}} {x:>{w}} {(x, w)!r}"


# WHOLE: pyarray.constant "a\00\FF" : !pyarray.bytes -> !pyarray.any
# WHOLE: pyarray.constant "text"
def whole():
    return b"a\x00\xff", f"text"  # noqa: F541
