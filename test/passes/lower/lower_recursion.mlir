// RUN: pyarray-opt %s --pyarray-lower | FileCheck %s
// RUN: pyarray-opt %s --pyarray-lower | pyarray-opt

// Others call the function that asks for the stack limit; the guarded one carries the limit through its own calls.
// CHECK-LABEL: func.func @down$0(%{{.*}}: i64) -> (i32, i64)
// CHECK-SAME:    pyarray.entry
// CHECK:         %[[LIMIT:.*]] = call @pyarray_rt_stack_limit() : () -> i64
// CHECK-NEXT:    %[[R:.*]]:2 = call @down$0.guarded(%{{.*}}, %[[LIMIT]]) : (i64, i64) -> (i32, i64)
// CHECK-NEXT:    return %[[R]]#0, %[[R]]#1 : i32, i64
// CHECK-LABEL: func.func @down$0.guarded(%{{.*}}: i64, %{{.*}}: i64) -> (i32, i64)
// CHECK-NOT:     pyarray.entry
// CHECK:         llvm.frameaddress
// CHECK-NOT:     @pyarray_rt_stack_limit
// CHECK:         call @down$0.guarded(%{{.*}}, %{{.*}}) : (i64, i64) -> (i32, i64)
func.func @down$0(%n: si64) -> si64 attributes {pyarray.entry} {
  %0 = pyarray.call @down$0(%n) : (si64) -> si64
  return %0 : si64
}

// Mutual recursion hands the limit on too; a call from outside does not.
// CHECK-LABEL: func.func private @even$0.guarded
// CHECK:         call @odd$0.guarded(%{{.*}}, %{{.*}}) : (i64, i64)
func.func private @even$0(%n: si64) -> si64 {
  %0 = pyarray.call @odd$0(%n) : (si64) -> si64
  return %0 : si64
}
// CHECK-LABEL: func.func private @odd$0.guarded
// CHECK:         call @even$0.guarded(%{{.*}}, %{{.*}}) : (i64, i64)
func.func private @odd$0(%n: si64) -> si64 {
  %0 = pyarray.call @even$0(%n) : (si64) -> si64
  return %0 : si64
}
// CHECK-LABEL: func.func private @outside$0
// CHECK:         call @even$0(%{{.*}}) : (i64) -> (i32, i64)
func.func private @outside$0(%n: si64) -> si64 {
  %0 = pyarray.call @even$0(%n) : (si64) -> si64
  return %0 : si64
}
