// RUN: pyarray-opt %s --pyarray-lower --split-input-file | FileCheck %s

// Nine constants are a table of the module, with a load for an index that is not known.
// CHECK-LABEL: func.func @constants
// CHECK: %[[TABLE:.*]] = memref.get_global @pyarray_table0 : memref<9xi64>
// CHECK-NOT: arith.select
// CHECK: memref.load %[[TABLE]][%{{.*}}] : memref<9xi64>
// CHECK: memref.global "private" constant @pyarray_table0 : memref<9xi64> = dense<[3, 1, 4, 1, 5, 9, 2, 6, 5]>
func.func @constants(%i: ui8) -> si64 {
  %1 = pyarray.constant 1 : si64 -> si64
  %2 = pyarray.constant 2 : si64 -> si64
  %3 = pyarray.constant 3 : si64 -> si64
  %4 = pyarray.constant 4 : si64 -> si64
  %5 = pyarray.constant 5 : si64 -> si64
  %6 = pyarray.constant 6 : si64 -> si64
  %9 = pyarray.constant 9 : si64 -> si64
  %t = pyarray.tuple %3, %1, %4, %1, %5, %9, %2, %6, %5 : (si64, si64, si64, si64, si64, si64, si64, si64, si64) -> tuple<si64, si64, si64, si64, si64, si64, si64, si64, si64>
  %x = pyarray.getitem %t[%i] : (tuple<si64, si64, si64, si64, si64, si64, si64, si64, si64>, ui8) -> si64
  return %x : si64
}

// -----

// A parameter is stored once, where the function begins; bools are bytes.
// CHECK-LABEL: func.func @parameter
// CHECK: %[[FLAGS:.*]] = memref.alloca() : memref<9xi8>
// CHECK: arith.extui %{{.*}} : i1 to i8
// CHECK: memref.store %{{.*}}, %[[FLAGS]][%c0] : memref<9xi8>
// CHECK: memref.store %{{.*}}, %[[FLAGS]][%c8] : memref<9xi8>
// CHECK: scf.for
// CHECK-NOT: memref.store
// CHECK: memref.load %[[FLAGS]][%{{.*}}] : memref<9xi8>
// CHECK-NEXT: arith.cmpi ne
!flags = tuple<i1, i1, i1, i1, i1, i1, i1, i1, i1>
func.func @parameter(%t: !flags, %n: si64) -> i1 {
  %c0 = pyarray.constant 0 : si64 -> si64
  %c1 = pyarray.constant 1 : si64 -> si64
  %no = pyarray.constant false -> i1
  %range = pyarray.builtin "builtins.range"(%c0, %n, %c1) : (si64, si64, si64) -> !pyarray.range
  %r = pyarray.for (%i: si64, %last: i1) in %range : !pyarray.range iter(%no) {
    %x = pyarray.getitem %t[%i] : (!flags, si64) -> i1
    pyarray.yield %x : i1
  }
  return %r : i1
}

// -----

// Of eight elements there is no table.
// CHECK-LABEL: func.func @few
// CHECK-NOT: memref
// CHECK: arith.select
!eight = tuple<f64, f64, f64, f64, f64, f64, f64, f64>
func.func @few(%t: !eight, %i: ui8) -> f64 {
  %x = pyarray.getitem %t[%i] : (!eight, ui8) -> f64
  return %x : f64
}

// -----

// A loop with a short body is copied; loops in loops are not, where that would be 16 * 16 * 16 copies: the innermost alone is.
// CHECK-LABEL: func.func @nested
// CHECK: scf.for
// CHECK: scf.for
// CHECK-NOT: scf.for
// CHECK-COUNT-16: arith.mulf
// CHECK-NOT: arith.mulf
!many = tuple<f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64>
func.func @nested(%t: !many) -> f64 {
  %zero = pyarray.constant 0.0 : f64 -> f64
  %r = pyarray.for (%x: f64, %a: f64) in %t : !many iter(%zero) {
    %s = pyarray.for (%y: f64, %b: f64) in %t : !many iter(%a) {
      %u = pyarray.for (%z: f64, %c: f64) in %t : !many iter(%b) {
        %p = pyarray.binary mul %x, %z : (f64, f64) -> f64
        %q = pyarray.binary add %c, %p : (f64, f64) -> f64
        %d = pyarray.binary sub %q, %y : (f64, f64) -> f64
        pyarray.yield %d : f64
      }
      pyarray.yield %u : f64
    }
    pyarray.yield %s : f64
  }
  return %r : f64
}

// -----

// The constants of a list are copied from a table.
// CHECK-LABEL: func.func @list
// CHECK: %[[TABLE:.*]] = memref.get_global @pyarray_table0 : memref<9xi8>
// CHECK: scf.for
// CHECK: memref.load %[[TABLE]][%{{.*}}] : memref<9xi8>
// CHECK: memref.global "private" constant @pyarray_table0 : memref<9xi8> = dense<[1, 0, 1, 0, 1, 0, 1, 0, 1]>
func.func @list() -> !pyarray.list<i1> {
  %0 = pyarray.constant false -> i1
  %1 = pyarray.constant true -> i1
  %xs = pyarray.list %1, %0, %1, %0, %1, %0, %1, %0, %1 : (i1, i1, i1, i1, i1, i1, i1, i1, i1) -> !pyarray.list<i1>
  return %xs : !pyarray.list<i1>
}
