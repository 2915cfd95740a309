// RUN: pyarray-opt %s --pyarray-inline --mlir-print-debuginfo | FileCheck %s
// RUN: pyarray-opt %s --pyarray-inline=threshold=0 | FileCheck %s --check-prefix=NONE

// NONE: pyarray.call @square$0

// A small callee is inlined at its call site, and disappears when nothing calls it any more.
// CHECK-LABEL: func.func @caller$0
// CHECK: %[[R:.*]] = pyarray.binary mul %arg0, %arg0 : (f64, f64) -> f64 loc(#[[LOC:.*]])
// CHECK: return %[[R]]
func.func @caller$0(%x: f64) -> f64 attributes {pyarray.entry} {
  %0 = pyarray.call @square$0(%x) : (f64) -> f64 loc("a.py":3:10)
  func.return %0 : f64
}
// CHECK-NOT: func.func private @square$0
func.func private @square$0(%x: f64) -> f64 attributes {pyarray.qualname = "square"} {
  %0 = pyarray.binary mul %x, %x : (f64, f64) -> f64 loc("a.py":7:5)
  func.return %0 : f64
}

// What must never be inlined is not.
// CHECK-LABEL: func.func @keeps$0
// CHECK: pyarray.call @never$0
func.func @keeps$0(%x: f64) -> f64 attributes {pyarray.entry} {
  %0 = pyarray.call @never$0(%x) : (f64) -> f64
  func.return %0 : f64
}
func.func private @never$0(%x: f64) -> f64 attributes {pyarray.options = {inline = "never"}} {
  func.return %x : f64
}

// Operations of a callee with other options keep them, those in regions too; one with the same has none.
// CHECK-LABEL: func.func @mixed$0
// CHECK: pyarray.binary truediv %arg0, %arg1 {pyarray.options = {error_model = "numpy"}} : (f64, f64) -> f64
// CHECK: pyarray.binary truediv %arg0, %arg1 : (f64, f64) -> f64
func.func @mixed$0(%x: f64, %y: f64) -> f64 attributes {pyarray.entry, pyarray.options = {error_model = "python", inline = "auto"}} {
  %0 = pyarray.call @divide_numpy$0(%x, %y) : (f64, f64) -> f64
  %1 = pyarray.call @divide_python$0(%x, %y) : (f64, f64) -> f64
  %2 = pyarray.binary add %0, %1 : (f64, f64) -> f64
  func.return %2 : f64
}
func.func private @divide_numpy$0(%x: f64, %y: f64) -> f64 attributes {pyarray.options = {error_model = "numpy", inline = "always"}} {
  %0 = pyarray.binary truediv %x, %y : (f64, f64) -> f64
  func.return %0 : f64
}
func.func private @divide_python$0(%x: f64, %y: f64) -> f64 attributes {pyarray.options = {error_model = "python", inline = "always"}} {
  %0 = pyarray.binary truediv %x, %y : (f64, f64) -> f64
  func.return %0 : f64
}

// A function without a frame in tracebacks leaves an empty name in call sites.
// CHECK-LABEL: func.func @calls_hidden$0
// CHECK: pyarray.binary add %arg0, %arg0 : (f64, f64) -> f64 loc(#[[HIDDEN:.*]])
func.func @calls_hidden$0(%x: f64) -> f64 attributes {pyarray.entry} {
  %0 = pyarray.call @hidden$0(%x) : (f64) -> f64 loc("a.py":4:10)
  func.return %0 : f64
}
func.func private @hidden$0(%x: f64) -> f64 attributes {pyarray.qualname = "hidden", pyarray.no_frame} {
  %0 = pyarray.binary add %x, %x : (f64, f64) -> f64 loc("a.py":8:5)
  func.return %0 : f64
}

// A recursive function is not inlined, even when asked for.
// CHECK-LABEL: func.func @recursive$0
// CHECK: pyarray.call @recursive$0
func.func @recursive$0(%x: f64) -> f64 attributes {pyarray.entry, pyarray.options = {inline = "always"}} {
  %0 = pyarray.call @recursive$0(%x) : (f64) -> f64
  func.return %0 : f64
}
// CHECK-DAG: #[[CALLEE:.*]] = loc("a.py":7:5)
// CHECK-DAG: #[[CALLER:.*]] = loc("a.py":3:10)
// CHECK-DAG: #[[NAME:.*]] = loc("square"(#[[CALLEE]]))
// CHECK-DAG: #[[LOC]] = loc(callsite(#[[NAME]] at #[[CALLER]]))
// CHECK-DAG: #[[INNER:.*]] = loc("a.py":8:5)
// CHECK-DAG: #[[NAMELESS:.*]] = loc(""(#[[INNER]]))
// CHECK-DAG: #[[HIDDEN]] = loc(callsite(#[[NAMELESS]] at #{{.*}}))
