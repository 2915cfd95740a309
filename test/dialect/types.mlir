// RUN: pyarray-opt %s | pyarray-opt | FileCheck %s
// RUN: pyarray-opt %s --emit-bytecode | pyarray-opt | FileCheck %s

// CHECK-LABEL: func.func private @any(!pyarray.any, !pyarray.none, !pyarray.str, !pyarray.range)
func.func private @any(!pyarray.any, !pyarray.none, !pyarray.str, !pyarray.range)
// CHECK-LABEL: func.func private @arrays(!pyarray.array<f64, C>, !pyarray.array<?x3xsi32, F>, !pyarray.array<?x?x?xcomplex<f32>, A, readonly>, !pyarray.array<0xi1, C>)
func.func private @arrays(!pyarray.array<f64, C>, !pyarray.array<?x3xsi32, F>, !pyarray.array<?x?x?xcomplex<f32>, A, readonly>, !pyarray.array<0xi1, C>)
// CHECK-LABEL: func.func private @callables(!pyarray.callable<"math.sqrt">, !pyarray.callable<@f>)
func.func private @callables(!pyarray.callable<"math.sqrt">, !pyarray.callable<@f>)
// CHECK-LABEL: func.func private @slices(!pyarray.slice<si64, !pyarray.none, si64>)
func.func private @slices(!pyarray.slice<si64, !pyarray.none, si64>)
// CHECK-LABEL: func.func private @tuples(tuple<si64, !pyarray.array<?xf64, C>, tuple<f32>>)
func.func private @tuples(tuple<si64, !pyarray.array<?xf64, C>, tuple<f32>>)
// CHECK-LABEL: func.func private @pointers(!pyarray.pointer<f64>, !pyarray.pointer<complex<f32>>, !pyarray.pointer<!pyarray.none>, !pyarray.pointer<f16>)
func.func private @pointers(!pyarray.pointer<f64>, !pyarray.pointer<complex<f32>>, !pyarray.pointer<!pyarray.none>, !pyarray.pointer<f16>)
// CHECK-LABEL: func.func private @times(!pyarray.datetime<"D">, !pyarray.timedelta<"25s">, !pyarray.timedelta<"generic">, !pyarray.array<?x!pyarray.datetime<"ns">, C>)
func.func private @times(!pyarray.datetime<"D">, !pyarray.timedelta<"25s">, !pyarray.timedelta<"generic">, !pyarray.array<?x!pyarray.datetime<"ns">, C>)
// CHECK: pyarray.defaults = [unit, #pyarray.opaque]
func.func private @defaults(!pyarray.any) attributes {pyarray.defaults = [unit, #pyarray.opaque]}
// CHECK-LABEL: func.func private @containers(!pyarray.list<si64>, !pyarray.deque<!pyarray.str>, !pyarray.set<f64>, !pyarray.frozenset<si64>, !pyarray.dict<!pyarray.frozenset<si64>, f64>)
func.func private @containers(!pyarray.list<si64>, !pyarray.deque<!pyarray.str>, !pyarray.set<f64>, !pyarray.frozenset<si64>, !pyarray.dict<!pyarray.frozenset<si64>, f64>)
// CHECK-LABEL: func.func private @text(!pyarray.str, !pyarray.bytes, !pyarray.bytearray)
func.func private @text(!pyarray.str, !pyarray.bytes, !pyarray.bytearray)
