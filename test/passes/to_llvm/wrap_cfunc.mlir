// RUN: pyarray-opt %s --pyarray-wrap-cfunc --split-input-file | FileCheck %s
// RUN: pyarray-opt %s --pyarray-wrap-cfunc --pyarray-emit-entry --split-input-file | FileCheck %s --check-prefix=EXTERNAL

// The C function calls the typed one; an error is reported, and 0 returned.
// CHECK-LABEL: llvm.func @plain
// CHECK-NOT:     pyarray.entry
// CHECK:       llvm.mlir.global external @pyarray_cfunc_context(0 : i64)
// CHECK:       llvm.func @pyarray_rt_report_unraisable(i64) attributes {no_unwind, passthrough = ["cold"]}
// CHECK-LABEL: llvm.func @pyarray_cfunc(%arg0: i32, %arg1: f64) -> f64
// CHECK:         %[[R:.*]] = llvm.call @plain(%arg0, %arg1)
// CHECK:         %[[STATUS:.*]] = llvm.extractvalue %[[R]][0]
// CHECK:         %[[BAD:.*]] = llvm.icmp "ne" %[[STATUS]], %{{.*}} : i32
// CHECK:         llvm.cond_br %[[BAD]], ^bb2, ^bb1
// CHECK:       ^bb1:
// CHECK:         %[[V:.*]] = llvm.extractvalue %[[R]][1]
// CHECK:         llvm.return %[[V]] : f64
// CHECK:       ^bb2:
// CHECK:         %[[AT:.*]] = llvm.mlir.addressof @pyarray_cfunc_context
// CHECK:         %[[CONTEXT:.*]] = llvm.load %[[AT]]
// CHECK:         llvm.call @pyarray_rt_report_unraisable(%[[CONTEXT]])
// CHECK:         %[[ZERO:.*]] = llvm.mlir.zero : f64
// CHECK:         llvm.return %[[ZERO]] : f64
// EXTERNAL:     llvm.func internal @plain
// EXTERNAL-NOT: pyarray_entry
// EXTERNAL:     llvm.func @pyarray_cfunc
llvm.func @plain(%n: i32, %x: f64) -> !llvm.struct<(i32, f64)>
    attributes {pyarray.entry, pyarray.entry_type = (i32, f64) -> (i32, f64), pyarray.cfunc = "id>d"} {
  %0 = llvm.mlir.poison : !llvm.struct<(i32, f64)>
  llvm.return %0 : !llvm.struct<(i32, f64)>
}

// -----

// Small integers and bools are extended, as clang has it.
// CHECK-LABEL: llvm.func @pyarray_cfunc(
// CHECK-SAME:    %arg0: i8 {llvm.zeroext}, %arg1: i8 {llvm.signext}, %arg2: i16 {llvm.zeroext}, %arg3: !llvm.ptr) -> (i8 {llvm.zeroext})
// CHECK:         %[[B:.*]] = llvm.icmp "ne" %arg0, %{{.*}} : i8
// CHECK:         llvm.call @small(%[[B]], %arg1, %arg2, %arg3)
// CHECK:         llvm.zext %{{.*}} : i1 to i8
llvm.func @small(%b: i1, %i: i8, %u: i16, %p: !llvm.ptr) -> !llvm.struct<(i32, i1)> attributes {pyarray.entry, pyarray.cfunc = "?bH*n>?"} {
  %0 = llvm.mlir.poison : !llvm.struct<(i32, i1)>
  llvm.return %0 : !llvm.struct<(i32, i1)>
}

// -----

// complex64 is a vector of two floats, complex128 two doubles.
// CHECK-LABEL: llvm.func @pyarray_cfunc(%arg0: vector<2xf32>, %arg1: f64, %arg2: f64) -> vector<2xf32>
// CHECK:         llvm.extractelement %arg0
// CHECK:         llvm.insertvalue %arg1
// CHECK:         llvm.call @complex
// CHECK:         llvm.insertelement
llvm.func @complex(%z: !llvm.struct<(f32, f32)>, %w: !llvm.struct<(f64, f64)>) -> !llvm.struct<(i32, struct<(f32, f32)>)>
    attributes {pyarray.entry, pyarray.cfunc = "FD>F"} {
  %0 = llvm.mlir.poison : !llvm.struct<(i32, struct<(f32, f32)>)>
  llvm.return %0 : !llvm.struct<(i32, struct<(f32, f32)>)>
}

// -----

// Without result.
// CHECK-LABEL: llvm.func @pyarray_cfunc() attributes
// CHECK:         %[[STATUS:.*]] = llvm.call @nothing() : () -> i32
// CHECK:         llvm.icmp "ne" %[[STATUS]]
// CHECK:         llvm.return
// CHECK:         llvm.return
llvm.func @nothing() -> i32 attributes {pyarray.entry, pyarray.cfunc = ">n"} {
  %ok = llvm.mlir.constant(0 : i32) : i32
  llvm.return %ok : i32
}

// -----

// Seven registers are taken: the second complex128 lies on the stack as a whole, and the double after it takes the eighth.
// CHECK-LABEL: llvm.func @pyarray_cfunc(%arg0: f64, {{.*}}%arg6: f64, %arg7: !llvm.ptr {llvm.align = 8 : i64, llvm.byval = !llvm.struct<(f64, f64)>}, %arg8: f64) -> f64
// CHECK:         %[[Z:.*]] = llvm.load %arg7 {alignment = 4 : i64} : !llvm.ptr -> !llvm.struct<(f64, f64)>
// CHECK:         llvm.call @stack(%{{.*}}, %{{.*}}, %{{.*}}, %arg6, %[[Z]], %arg8)
llvm.func @stack(%a: !llvm.struct<(f64, f64)>, %b: !llvm.struct<(f64, f64)>, %c: !llvm.struct<(f64, f64)>, %d: f64, %z: !llvm.struct<(f64, f64)>, %e: f64) -> !llvm.struct<(i32, f64)>
    attributes {pyarray.entry, pyarray.cfunc = "DDDdDd>d"} {
  %0 = llvm.mlir.poison : !llvm.struct<(i32, f64)>
  llvm.return %0 : !llvm.struct<(i32, f64)>
}

// -----

// Other entries stay what they are.
// CHECK-LABEL: llvm.func @other
// CHECK-SAME:    pyarray.entry
// CHECK-NOT:   pyarray_cfunc
llvm.func @other() -> i32 attributes {pyarray.entry, pyarray.entry_type = () -> i32} {
  %ok = llvm.mlir.constant(0 : i32) : i32
  llvm.return %ok : i32
}
