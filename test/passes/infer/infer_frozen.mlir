// RUN: split-file %s %t
// RUN: pyarray-opt %t/read.mlir --pyarray-infer-types | pyarray-opt | FileCheck %s --check-prefix=READ
// RUN: pyarray-opt %t/read.mlir --pyarray-infer-types --pyarray-insert-ownership --pyarray-lower | FileCheck %s --check-prefix=LOWER
// RUN: not pyarray-opt %t/change.mlir --pyarray-infer-types 2>&1 | FileCheck %s --check-prefix=CHANGE
// RUN: not pyarray-opt %t/inner.mlir --pyarray-infer-types 2>&1 | FileCheck %s --check-prefix=INNER
// A global list is read as any other, is borrowed, and is made once; what changes it is refused, and so is what changes what it holds.

//--- read.mlir
// READ: %[[L:.*]] = pyarray.frozen "bytes" : !pyarray.tagged<"frozen", unit, !pyarray.list<si64>> -> !pyarray.list<si64>
// READ: pyarray.getitem %[[L]][%{{.*}}] : (!pyarray.list<si64>, si64) -> si64
// LOWER: %[[H:.*]] = call @pyarray_rt_frozen(%{{.*}}, %{{.*}}) : (i64, i64) -> i64
// LOWER: arith.cmpi eq, %[[H]]
// LOWER-NOT: pyarray_rt_retain
// LOWER-NOT: pyarray_rt_release
// LOWER: memref.global "private" @pyarray_frozen0.slot : memref<8xi8>
// LOWER: memref.global "private" constant @pyarray_frozen0 : memref<5xi8>
func.func @f(%i: !pyarray.any) -> !pyarray.any attributes {pyarray.instantiate = [(si64) -> ()]} {
  %l = pyarray.frozen "bytes" : !pyarray.tagged<"frozen", unit, !pyarray.list<si64>> -> !pyarray.any
  %x = pyarray.getitem %l[%i] : (!pyarray.any, !pyarray.any) -> !pyarray.any
  return %x : !pyarray.any
}

//--- change.mlir
// CHANGE: error: a global or free list cannot be changed
func.func @f(%i: !pyarray.any) -> !pyarray.any attributes {pyarray.instantiate = [(si64) -> ()]} {
  %l = pyarray.frozen "bytes" : !pyarray.tagged<"frozen", unit, !pyarray.list<si64>> -> !pyarray.any
  pyarray.setitem %l[%i] = %i : (!pyarray.any, !pyarray.any, !pyarray.any) -> ()
  return %i : !pyarray.any
}

//--- inner.mlir
// INNER: error: a global or free dict cannot be changed
func.func @f(%i: !pyarray.any) -> !pyarray.any attributes {pyarray.instantiate = [(si64) -> ()]} {
  %l = pyarray.frozen "bytes" : !pyarray.tagged<"frozen", unit, !pyarray.list<!pyarray.tagged<"frozen", unit, !pyarray.dict<si64, si64>>>> -> !pyarray.any
  %d = pyarray.getitem %l[%i] : (!pyarray.any, !pyarray.any) -> !pyarray.any
  %r = pyarray.method %d "clear"() kw [] : (!pyarray.any) -> !pyarray.any
  return %r : !pyarray.any
}
