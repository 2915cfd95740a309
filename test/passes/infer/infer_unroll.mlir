// RUN: split-file %s %t
// RUN: pyarray-opt %t/loop.mlir --pyarray-infer-types | pyarray-opt | FileCheck %s --check-prefix=LOOP
// RUN: pyarray-opt %t/item.mlir --pyarray-infer-types | pyarray-opt | FileCheck %s --check-prefix=ITEM
// The body of a loop over literal_unroll() is there once for each item, which is known; items of tuples that are made here are known too.

//--- loop.mlir
// LOOP: func.func @f$0(%[[R:.*]]: !pyarray.array<16xui8, C>)
// LOOP-NOT: pyarray.for
// LOOP: pyarray.builtin "pyarray.record_load"(%[[R]], %{{.*}}, %{{.*}}) : {{.*}} -> f64
// LOOP: pyarray.builtin "pyarray.record_load"(%[[R]], %{{.*}}, %{{.*}}) : {{.*}} -> si64
func.func @f(%r: !pyarray.any) -> !pyarray.any attributes {pyarray.instantiate = [(!pyarray.tagged<"record", "{16,x@0:d,n@8:q}", !pyarray.array<16xui8, C>>) -> ()]} {
  %unroll = pyarray.callable "pyarray.literal_unroll" -> !pyarray.any
  %x = pyarray.constant "x" -> !pyarray.any
  %n = pyarray.constant "n" -> !pyarray.any
  %names = pyarray.tuple %x, %n : (!pyarray.any, !pyarray.any) -> !pyarray.any
  %all = pyarray.apply %unroll(%names) : (!pyarray.any, !pyarray.any) -> !pyarray.any
  %zero = pyarray.constant 0.0 : f64 -> !pyarray.any
  %sum = pyarray.for (%name: !pyarray.any, %s: !pyarray.any) in %all : !pyarray.any iter(%zero) {
    %value = pyarray.getitem %r[%name] : (!pyarray.any, !pyarray.any) -> !pyarray.any
    %next = pyarray.binary add %s, %value : (!pyarray.any, !pyarray.any) -> !pyarray.any
    pyarray.yield %next : !pyarray.any
  }
  return %sum : !pyarray.any
}

//--- item.mlir
// ITEM: func.func @f$0(%[[R:.*]]: !pyarray.array<16xui8, C>) -> si64
// ITEM: pyarray.builtin "pyarray.record_load"(%[[R]]
func.func @f(%r: !pyarray.any) -> !pyarray.any attributes {pyarray.instantiate = [(!pyarray.tagged<"record", "{16,x@0:d,n@8:q}", !pyarray.array<16xui8, C>>) -> ()]} {
  %x = pyarray.constant "x" -> !pyarray.any
  %n = pyarray.constant "n" -> !pyarray.any
  %names = pyarray.tuple %x, %n : (!pyarray.any, !pyarray.any) -> !pyarray.any
  %one = pyarray.constant 1 : si64 -> !pyarray.any
  %name = pyarray.getitem %names[%one] : (!pyarray.any, !pyarray.any) -> !pyarray.any
  %value = pyarray.getitem %r[%name] : (!pyarray.any, !pyarray.any) -> !pyarray.any
  return %value : !pyarray.any
}
