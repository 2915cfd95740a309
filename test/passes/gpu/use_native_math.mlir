// RUN: pyarray-opt %s --pyarray-use-native-math | FileCheck %s

gpu.module @kernels {
  // CHECK-LABEL: gpu.func @native(%arg0: f32, %arg1: f64, %arg2: i64)
  // CHECK: llvm.call_intrinsic "llvm.sqrt"(%arg0) : (f32) -> f32
  // CHECK: llvm.call_intrinsic "llvm.fabs"(%arg1) : (f64) -> f64
  // CHECK: llvm.call_intrinsic "llvm.copysign"(%arg1, %arg1) : (f64, f64) -> f64
  // CHECK: llvm.call_intrinsic "llvm.fma"(%arg0, %arg0, %arg0) : (f32, f32, f32) -> f32
  // CHECK: llvm.call_intrinsic "llvm.trunc"(%arg0) : (f32) -> f32
  // CHECK: llvm.call_intrinsic "llvm.floor"
  // CHECK: llvm.call_intrinsic "llvm.ceil"
  // CHECK: llvm.call_intrinsic "llvm.roundeven"
  // CHECK: %[[FALSE:.*]] = arith.constant false
  // CHECK: llvm.call_intrinsic "llvm.abs"(%arg2, %[[FALSE]]) : (i64, i1) -> i64
  gpu.func @native(%x: f32, %y: f64, %i: i64) kernel {
    %0 = math.sqrt %x : f32
    %1 = math.absf %y : f64
    %2 = math.copysign %y, %y : f64
    %3 = math.fma %x, %x, %x : f32
    %4 = math.trunc %x : f32
    %5 = math.floor %x : f32
    %6 = math.ceil %x : f32
    %7 = math.roundeven %x : f32
    %8 = math.absi %i : i64
    gpu.return
  }
  // What is no instruction is libdevice's.
  // CHECK-LABEL: gpu.func @library
  // CHECK: math.exp
  gpu.func @library(%x: f32) kernel {
    %0 = math.exp %x : f32
    gpu.return
  }
}

// On the CPU upstream's conversion does it.
// CHECK-LABEL: func.func @host
// CHECK: math.sqrt
func.func @host(%x: f32) -> f32 {
  %0 = math.sqrt %x : f32
  return %0 : f32
}
