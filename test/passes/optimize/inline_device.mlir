// RUN: pyarray-opt %s --pyarray-inline | FileCheck %s

// For a GPU every callee is inlined whatever its size and policy, save one that calls itself.
// CHECK-LABEL: func.func @kernel$0
// CHECK-NOT: pyarray.call @large$0
// CHECK: pyarray.call @again$0
func.func @kernel$0(%x: f64, %n: si64) -> si64 attributes {pyarray.entry, pyarray.options = {target = "cuda"}} {
  %0 = pyarray.call @large$0(%x) : (f64) -> f64
  %1 = pyarray.call @again$0(%n) : (si64) -> si64
  func.return %1 : si64
}
func.func private @large$0(%x: f64) -> f64 attributes {pyarray.options = {inline = "never", target = "cuda"}} {
  %c = pyarray.truth %x : f64
  %0 = scf.if %c -> f64 {
    scf.yield %x : f64
  } else {
    %1 = pyarray.binary mul %x, %x : (f64, f64) -> f64
    scf.yield %1 : f64
  }
  func.return %0 : f64
}
func.func private @again$0(%n: si64) -> si64 attributes {pyarray.options = {target = "cuda"}} {
  %0 = pyarray.call @again$0(%n) : (si64) -> si64
  func.return %0 : si64
}
