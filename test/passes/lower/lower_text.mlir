// RUN: pyarray-opt %s --pyarray-insert-ownership --pyarray-lower --split-input-file | FileCheck %s

// A literal is an immortal object among the module's data: owner, length, hash, kind, flags, code points and a zero. What only an
// exception has as its argument is not.
// CHECK-LABEL: func.func @literal() -> (i32, i64)
// CHECK: %[[GLOBAL:.*]] = memref.get_global @pyarray_literal0 : memref<92xi8>
// CHECK: %[[POINTER:.*]] = memref.extract_aligned_pointer_as_index %[[GLOBAL]]
// CHECK: %[[ADDRESS:.*]] = arith.index_cast %[[POINTER]] : index to i64
// CHECK: %[[HANDLE:.*]] = arith.addi %[[ADDRESS]], %c64_i64
// CHECK: return %{{.*}}, %[[HANDLE]]
// CHECK: memref.global "private" @pyarray_literal0 : memref<92xi8> = dense<[1, {{.*}}, 97, 98, -23, 0]> {alignment = 64 : i64}
// CHECK-NOT: @pyarray_literal1
func.func @literal() -> !pyarray.str attributes {pyarray.entry} {
  %0 = pyarray.constant "ab\C3\A9" -> !pyarray.str
  return %0 : !pyarray.str
}
func.func private @raises() -> !pyarray.none {
  %0 = pyarray.constant "message" -> !pyarray.str
  pyarray.raise "ValueError"(%0) : (!pyarray.str) -> ()
  %1 = pyarray.constant unit -> !pyarray.none
  return %1 : !pyarray.none
}

// -----

// Text that nobody needs afterwards grows in place: its reference goes to the runtime, and its slot is empty.
// CHECK-LABEL: func.func @grows
// CHECK: scf.for
// CHECK:   %[[OLD:.*]] = memref.load %[[SLOT:.*]][] : memref<i64>
// CHECK:   memref.store %c0_i64, %[[SLOT]][] : memref<i64>
// CHECK:   %[[NEW:.*]] = func.call @pyarray_rt_str_append(%[[OLD]], %{{.*}}) : (i64, i64) -> i64
// CHECK-NOT: pyarray_rt_str_concat
func.func @grows(%s: !pyarray.str, %n: si64) -> !pyarray.str attributes {pyarray.entry} {
  %zero = pyarray.constant 0 : si64 -> si64
  %one = pyarray.constant 1 : si64 -> si64
  %range = pyarray.builtin "builtins.range"(%zero, %n, %one) : (si64, si64, si64) -> !pyarray.range
  %r = pyarray.for (%i: si64, %out: !pyarray.str) in %range : !pyarray.range iter(%s) {
    %new = pyarray.builtin "str.concat"(%out, %s) : (!pyarray.str, !pyarray.str) -> !pyarray.str
    pyarray.yield %new : !pyarray.str
  }
  return %r : !pyarray.str
}

// -----

// A borrowed argument does not.
// CHECK-LABEL: func.func @borrowed
// CHECK: call @pyarray_rt_str_concat(%arg0, %arg0)
func.func @borrowed(%s: !pyarray.str) -> !pyarray.str attributes {pyarray.entry} {
  %new = pyarray.builtin "str.concat"(%s, %s) : (!pyarray.str, !pyarray.str) -> !pyarray.str
  return %new : !pyarray.str
}

// -----

// The runtime says which exception it is; results that are numbers are stored at an address.
// CHECK-LABEL: func.func @index
// CHECK: %[[OUT:.*]] = arith.index_cast
// CHECK: %[[STATUS:.*]] = call @pyarray_rt_str_index(%arg0, %arg1, %c0_i64, %c0_i64, %[[OUT]])
// CHECK: %[[FAILED:.*]] = arith.cmpi ne, %[[STATUS]], %c0_i32
// CHECK: scf.if %[[FAILED]] {
// CHECK:   %[[KIND:.*]] = func.call @pyarray_rt_failure_kind()
// CHECK:   arith.cmpi eq, %[[KIND]], %c2_i32
// CHECK:   scf.if
// CHECK:     func.call @pyarray_rt_failure_value(%c0_i32)
// CHECK:     func.call @pyarray_rt_raise_objects({{.*}}, %c1_i64, %c1_i64)
// CHECK:   func.call @pyarray_rt_raise(
// CHECK: llvm.load
func.func @index(%s: !pyarray.str, %t: !pyarray.str) -> si64 attributes {pyarray.entry} {
  %zero = pyarray.constant 0 : si64 -> si64
  %0 = pyarray.builtin "str.index"(%s, %t, %zero, %zero) : (!pyarray.str, !pyarray.str, si64, si64) -> si64
  return %0 : si64
}

// -----

// A tuple of texts is handed over as an array on the stack; arguments of format() and print() as an item.
// CHECK-LABEL: func.func @packed
// CHECK: memref.store %arg0, %[[TEXTS:.*]][%c0] : memref<2xi64>
// CHECK: memref.store %arg1, %[[TEXTS]][%c1] : memref<2xi64>
// CHECK: call @pyarray_rt_str_startswith(%arg0, %{{.*}}, %c2_i64,
// CHECK: memref.get_global @"pyarray_text_(Ud)"
// CHECK: call @pyarray_rt_item_type
// CHECK: call @pyarray_rt_str_format(%arg0, %c0_i64,
func.func @packed(%s: !pyarray.str, %t: !pyarray.str, %x: f64) -> !pyarray.str attributes {pyarray.entry} {
  %zero = pyarray.constant 0 : si64 -> si64
  %both = pyarray.tuple %s, %t : (!pyarray.str, !pyarray.str) -> tuple<!pyarray.str, !pyarray.str>
  %0 = pyarray.builtin "str.startswith"(%s, %both, %zero, %zero) : (!pyarray.str, tuple<!pyarray.str, !pyarray.str>, si64, si64) -> i1
  %1 = pyarray.builtin "str.format"(%s, %zero, %t, %x) : (!pyarray.str, si64, !pyarray.str, f64) -> !pyarray.str
  return %1 : !pyarray.str
}

// -----

// The right operand of % is the only element of a tuple; a number that the runtime refuses is one of four exceptions.
// CHECK-LABEL: func.func @percent
// CHECK: memref.get_global @"pyarray_text_((qd))"
// CHECK: %[[TEXT:.*]] = call @pyarray_rt_str_percent(%arg0,
// CHECK: arith.cmpi eq, %[[TEXT]], %c0_i64
// CHECK: arith.cmpi eq, %{{.*}}, %c10_i32
func.func @percent(%s: !pyarray.str, %n: si64, %x: f64) -> !pyarray.str attributes {pyarray.entry} {
  %both = pyarray.tuple %n, %x : (si64, f64) -> tuple<si64, f64>
  %0 = pyarray.builtin "str.percent"(%s, %both) : (!pyarray.str, tuple<si64, f64>) -> !pyarray.str
  return %0 : !pyarray.str
}

// -----

// A bytearray is laid out as a list; its bytes are a copy, and what is put in may be no byte.
// CHECK-LABEL: func.func @bytearray
// CHECK: %[[N:.*]] = llvm.load
// CHECK: %[[FAILED:.*]] = call @pyarray_rt_bytearray_insert(%arg0, %[[N]], %arg1)
// CHECK: scf.if
// CHECK: call @pyarray_rt_bytearray_bytes(%arg0)
func.func @bytearray(%b: !pyarray.bytearray, %x: si64) -> !pyarray.bytes attributes {pyarray.entry} {
  %n = pyarray.builtin "builtins.len"(%b) : (!pyarray.bytearray) -> si64
  %none = pyarray.builtin "pyarray.library._intrinsics.bytearray_insert"(%b, %n, %x) : (!pyarray.bytearray, si64, si64) -> !pyarray.none
  %c = pyarray.builtin "pyarray.library._intrinsics.bytes_of_bytearray"(%b) : (!pyarray.bytearray) -> !pyarray.bytes
  return %c : !pyarray.bytes
}
