// RUN: pyarray-opt %s --pyarray-inline | FileCheck %s
// Constants are operands: seven of them and six operations are six.
// CHECK-LABEL: func.func @call_of_constants
// CHECK-NOT: pyarray.call
// CHECK: return
func.func private @of_constants(%x: si64) -> si64 attributes {pyarray.options = {inline = "auto"}} {
  %1 = pyarray.constant 1 : si64 -> si64
  %2 = pyarray.constant 2 : si64 -> si64
  %3 = pyarray.constant 3 : si64 -> si64
  %4 = pyarray.constant 4 : si64 -> si64
  %5 = pyarray.constant 5 : si64 -> si64
  %6 = pyarray.constant 6 : si64 -> si64
  %7 = pyarray.constant 7 : si64 -> si64
  %a = pyarray.binary add %x, %1 : (si64, si64) -> si64
  %b = pyarray.binary mul %a, %2 : (si64, si64) -> si64
  %c = pyarray.binary add %b, %3 : (si64, si64) -> si64
  %d = pyarray.binary mul %c, %4 : (si64, si64) -> si64
  %e = pyarray.binary add %5, %6 : (si64, si64) -> si64
  %f = pyarray.binary add %d, %7 : (si64, si64) -> si64
  func.return %f : si64
}
func.func @call_of_constants(%x: si64) -> si64 {
  %y = pyarray.call @of_constants(%x) : (si64) -> si64
  func.return %y : si64
}
