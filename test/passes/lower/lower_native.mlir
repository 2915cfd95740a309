// RUN: pyarray-opt %s --pyarray-lower | FileCheck %s
// Calls of native functions: small integers are extended to int, arrays are the addresses of their first elements.

// CHECK-LABEL: func.func @call
// CHECK: %[[SMALL:.*]] = arith.extsi %arg2 : i8 to i32
// CHECK: %[[DATA:.*]] = llvm.inttoptr
// CHECK: llvm.call %arg0(%{{.*}}, %[[SMALL]], %[[DATA]]) : !llvm.ptr, (f64, i32, !llvm.ptr) -> f64
func.func @call(%f: !pyarray.pointer<!pyarray.none>, %x: f64, %n: si8, %a: !pyarray.array<?xf64, A>) -> f64 {
  %0 = pyarray.builtin "pyarray.c_call"(%f, %x, %n, %a) : (!pyarray.pointer<!pyarray.none>, f64, si8, !pyarray.array<?xf64, A>) -> f64
  return %0 : f64
}

// CHECK-LABEL: func.func @nothing
// CHECK: llvm.call %{{.*}}() : !llvm.ptr, () -> ()
func.func @nothing() -> !pyarray.none {
  %0 = pyarray.constant 4096 : si64 -> si64
  %1 = pyarray.builtin "pyarray.c_function"(%0) : (si64) -> !pyarray.pointer<!pyarray.none>
  %2 = pyarray.builtin "pyarray.c_call"(%1) : (!pyarray.pointer<!pyarray.none>) -> !pyarray.none
  return %2 : !pyarray.none
}

// A value of a FunctionType: arguments lie in slots, an array's offset is 0, its owner comes last.
// CHECK-LABEL: func.func @call_value
// CHECK: llvm.store %arg1, %{{.*}} {alignment = 8 : i64} : f64, !llvm.ptr
// CHECK-COUNT-6: llvm.store %{{.*}}, %{{.*}} {alignment = 8 : i64} : i64, !llvm.ptr
// CHECK: %[[ERROR:.*]] = {{.*}}call @pyarray_rt_call_function(%arg0, %{{.*}}, %{{.*}}) : (!llvm.ptr, i64, i64) -> i64
// CHECK: arith.cmpi eq, %[[ERROR]], %{{.*}}
// CHECK: arith.cmpi ne, %[[ERROR]], %{{.*}}
// CHECK: llvm.load %{{.*}} : !llvm.ptr -> f64
func.func @call_value(%f: !pyarray.pointer<!pyarray.none>, %x: f64, %a: !pyarray.array<?xf64, A>) -> f64 {
  %0 = pyarray.builtin "pyarray.function_call"(%f, %x, %a) : (!pyarray.pointer<!pyarray.none>, f64, !pyarray.array<?xf64, A>) -> f64
  return %0 : f64
}
