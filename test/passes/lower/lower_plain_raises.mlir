// RUN: split-file %s %t
// RUN: pyarray-opt %t/plain.mlir --pyarray-lower | FileCheck %s --check-prefix=PLAIN
// RUN: pyarray-opt %t/recorded.mlir --pyarray-lower | FileCheck %s --check-prefix=RECORDED
// A raise whose handler asks nothing of the exception stores a number and goes there; where the handler may raise itself, it is recorded.

//--- plain.mlir
// PLAIN: memref.store %{{.*}}, %[[WHICH:.*]][%{{.*}}] : memref<1xi64>
// PLAIN: %[[FAILED:.*]] = call @pyarray_try()
// PLAIN: scf.if %[[FAILED]]
// PLAIN: %[[NUMBER:.*]] = memref.load %[[WHICH]]
// PLAIN: %[[IS:.*]] = arith.cmpi ne, %[[NUMBER]]
// PLAIN: scf.if %[[IS]] -> (i64) {
// PLAIN-NOT: pyarray_rt_catch
// PLAIN: } else {
// PLAIN: func.call @pyarray_rt_catch()
// PLAIN: memref.store %{{.*}}, %[[WHICH]]
// PLAIN-NEXT: func.call @pyarray_rt_leave() {pyarray.try = 0 : i64}
func.func @f(%x: si64) -> si64 {
  %text = pyarray.constant "x" -> !pyarray.str
  %one = pyarray.constant 1 : si64 -> si64
  %r = pyarray.try {
    pyarray.raise "ValueError"(%text) : (!pyarray.str) -> ()
    %u = pyarray.unbound : si64
    pyarray.yield %u : si64
  } except {
    %is = pyarray.caught ["ValueError"]
    %v = scf.if %is -> (si64) {
      %sum = pyarray.binary add %x, %one : (si64, si64) -> si64
      scf.yield %sum : si64
    } else {
      pyarray.reraise
      %u = pyarray.unbound : si64
      scf.yield %u : si64
    }
    pyarray.yield %v : si64
  } : si64
  return %r : si64
}

//--- recorded.mlir
// RECORDED: func.call @pyarray_rt_raise(
// RECORDED-NOT: pyarray_rt_leave
func.func @f(%x: si64) -> si64 {
  %text = pyarray.constant "x" -> !pyarray.str
  %r = pyarray.try {
    pyarray.raise "ValueError"(%text) : (!pyarray.str) -> ()
    %u = pyarray.unbound : si64
    pyarray.yield %u : si64
  } except {
    %quotient = pyarray.binary floordiv %x, %x : (si64, si64) -> si64
    pyarray.yield %quotient : si64
  } : si64
  return %r : si64
}
