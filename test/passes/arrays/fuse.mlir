// RUN: pyarray-opt %s --pyarray-fuse | FileCheck %s
// RUN: pyarray-opt %s --pyarray-fuse --pyarray-fuse | pyarray-opt
// RUN: pyarray-opt %s --pyarray-fuse --pyarray-expand-broadcasting | FileCheck %s --check-prefix EXPANDED

!V = !pyarray.array<?xf64, C>
!M = !pyarray.array<?x?xf64, C>
!None = !pyarray.none
!Slice = !pyarray.slice<si64, !pyarray.none, !pyarray.none>

// a * b + c: the shapes of a and b are compared where that was computed.
// CHECK-LABEL: func.func @chain
// CHECK-NEXT: %[[N:.*]] = pyarray.ufunc_shape "(),()->()" ins(%arg0, %arg1 : {{.*}}) {pyarray.name = "multiply"} : si64
// CHECK-NEXT: %[[S:.*]] = pyarray.broadcast_to %arg0 to(%[[N]])
// CHECK-NEXT: %[[R:.*]] = pyarray.ufunc "(),(),(),()->()" ins(%[[S]], %arg2, %arg0, %arg1 : {{.*}}) {
// CHECK-NEXT: ^bb0(%{{.*}}: f64, %[[C:.*]]: f64, %[[A:.*]]: f64, %[[B:.*]]: f64):
// CHECK-NEXT:   %[[T:.*]] = pyarray.builtin "numpy.multiply"(%[[A]], %[[B]])
// CHECK-NEXT:   %[[U:.*]] = pyarray.builtin "numpy.add"(%[[T]], %[[C]])
// CHECK-NEXT:   pyarray.yield %[[U]]
// CHECK-NEXT: } -> !pyarray.array<?xf64, C> {pyarray.name = "add", shapes = array<i64: 0, 1>}
// CHECK-NEXT: return %[[R]]
// What is not read is left out when operands are broadcast.
// EXPANDED-LABEL: func.func @chain
// EXPANDED: pyarray.ufunc_shape "(),()->()" ins(%{{.*}}, %arg2 : {{.*}}) {pyarray.name = "add"}
// EXPANDED-COUNT-3: pyarray.broadcast_to
// EXPANDED-NOT: pyarray.broadcast_to
// EXPANDED: pyarray.ufunc "(),(),()->()"
func.func @chain(%a: !V, %b: !V, %c: !V) -> !V {
  %t = pyarray.ufunc "(),()->()" ins(%a, %b : !V, !V) {
  ^bb0(%x: f64, %y: f64):
    %0 = pyarray.builtin "numpy.multiply"(%x, %y) : (f64, f64) -> f64
    pyarray.yield %0 : f64
  } -> !V {pyarray.name = "multiply"}
  %u = pyarray.ufunc "(),()->()" ins(%t, %c : !V, !V) {
  ^bb0(%x: f64, %y: f64):
    %0 = pyarray.builtin "numpy.add"(%x, %y) : (f64, f64) -> f64
    pyarray.yield %0 : f64
  } -> !V {pyarray.name = "add"}
  return %u : !V
}

// (-a) * (-a): one array has the shape for certain, nothing is left behind. The value that is read twice is computed once.
// CHECK-LABEL: func.func @certain
// CHECK-NEXT: pyarray.ufunc "(),()->()" ins(%arg0, %arg0 : {{.*}}) {
// CHECK-NEXT: ^bb0(%[[X:.*]]: f64, %{{.*}}: f64):
// CHECK-NEXT:   %[[T:.*]] = pyarray.builtin "numpy.negative"(%[[X]])
// CHECK-NEXT:   pyarray.builtin "numpy.multiply"(%[[T]], %[[T]])
func.func @certain(%a: !V) -> !V {
  %t = pyarray.ufunc "()->()" ins(%a : !V) {
  ^bb0(%x: f64):
    %0 = pyarray.builtin "numpy.negative"(%x) : (f64) -> f64
    pyarray.yield %0 : f64
  } -> !V
  %u = pyarray.ufunc "(),()->()" ins(%t, %t : !V, !V) {
  ^bb0(%x: f64, %y: f64):
    %0 = pyarray.builtin "numpy.multiply"(%x, %y) : (f64, f64) -> f64
    pyarray.yield %0 : f64
  } -> !V
  return %u : !V
}

// t = a * k; t[1:]: the slice is taken of what t is made of.
// CHECK-LABEL: func.func @view
// CHECK: %[[V:.*]] = pyarray.getitem %arg0[%{{.*}}]
// CHECK-NEXT: pyarray.ufunc "(),()->()" ins(%[[V]], %arg1 : !pyarray.array<?xf64, C>, f64) {
func.func @view(%a: !V, %k: f64, %i: si64) -> !V {
  %t = pyarray.ufunc "(),()->()" ins(%a, %k : !V, f64) {
  ^bb0(%x: f64, %y: f64):
    %0 = pyarray.builtin "numpy.multiply"(%x, %y) : (f64, f64) -> f64
    pyarray.yield %0 : f64
  } -> !V
  %n = pyarray.constant unit -> !None
  %s = pyarray.slice %i, %n, %n : (si64, !None, !None) -> !Slice
  %v = pyarray.getitem %t[%s] : (!V, !Slice) -> !V
  %u = pyarray.ufunc "()->()" ins(%v : !V) {
  ^bb0(%x: f64):
    %0 = pyarray.builtin "numpy.sqrt"(%x) : (f64) -> f64
    pyarray.yield %0 : f64
  } -> !V
  return %u : !V
}

// (a + b).T > a: views of operands that may be stretched are views of them as they are broadcast.
// CHECK-LABEL: func.func @transposed
// CHECK: %[[N:.*]]:2 = pyarray.ufunc_shape "(),()->()" ins(%arg0, %arg1
// CHECK: %[[A:.*]] = pyarray.broadcast_to %arg0 to(%[[N]]#0, %[[N]]#1)
// CHECK: %[[B:.*]] = pyarray.broadcast_to %arg1 to(%[[N]]#0, %[[N]]#1)
// CHECK-DAG: %[[TB:.*]] = pyarray.transpose %[[B]] [1, 0]
// CHECK-DAG: %[[TA:.*]] = pyarray.transpose %[[A]] [1, 0]
// CHECK: pyarray.ufunc "(),(),()->()" ins(%[[TA]], %arg0, %[[TB]] :
func.func @transposed(%a: !M, %b: !V) -> !pyarray.array<?x?xi1, C> {
  %t = pyarray.ufunc "(),()->()" ins(%a, %b : !M, !V) {
  ^bb0(%x: f64, %y: f64):
    %0 = pyarray.builtin "numpy.add"(%x, %y) : (f64, f64) -> f64
    pyarray.yield %0 : f64
  } -> !M
  %v = pyarray.transpose %t [1, 0] : (!M) -> !pyarray.array<?x?xf64, A>
  %u = pyarray.ufunc "(),()->()" ins(%v, %a : !pyarray.array<?x?xf64, A>, !M) {
  ^bb0(%x: f64, %y: f64):
    %0 = pyarray.builtin "numpy.greater"(%x, %y) : (f64, f64) -> i1
    pyarray.yield %0 : i1
  } -> !pyarray.array<?x?xi1, C>
  return %u : !pyarray.array<?x?xi1, C>
}

// o[i:] = -a: stored at once.
// CHECK-LABEL: func.func @store
// CHECK: %[[V:.*]] = pyarray.getitem %arg1[%{{.*}}] : {{.*}} -> !pyarray.array<?xf32, C>
// CHECK-NEXT: pyarray.ufunc "()->()" ins(%arg0 : {{.*}}) outs(%[[V]] : {{.*}}) {
// CHECK-NEXT: ^bb0(%[[X:.*]]: f64):
// CHECK-NEXT:   pyarray.builtin "numpy.negative"
// CHECK-NEXT:   pyarray.cast
// CHECK: } {assigns, shapes = array<i64: 0>}
// EXPANDED-LABEL: func.func @store
// EXPANDED: pyarray.ufunc_shape "()->()" ins(%arg0 : {{.*}}) outs(%{{.*}} : {{.*}}) {assigns}
func.func @store(%a: !V, %o: !pyarray.array<?xf32, C>, %i: si64) {
  %t = pyarray.ufunc "()->()" ins(%a : !V) {
  ^bb0(%x: f64):
    %0 = pyarray.builtin "numpy.negative"(%x) : (f64) -> f64
    pyarray.yield %0 : f64
  } -> !V
  %n = pyarray.constant unit -> !None
  %s = pyarray.slice %i, %n, %n : (si64, !None, !None) -> !Slice
  pyarray.setitem %o[%s] = %t : (!pyarray.array<?xf32, C>, !Slice, !V) -> ()
  return
}

// Between the two an argument is written, which may be another's memory.
// CHECK-LABEL: func.func @written
// CHECK-COUNT-2: pyarray.ufunc
func.func @written(%a: !V, %b: !V, %i: si64, %k: f64) -> !V {
  %t = pyarray.ufunc "()->()" ins(%a : !V) {
  ^bb0(%x: f64):
    %0 = pyarray.builtin "numpy.negative"(%x) : (f64) -> f64
    pyarray.yield %0 : f64
  } -> !V
  pyarray.setitem %b[%i] = %k : (!V, si64, f64) -> ()
  %u = pyarray.ufunc "()->()" ins(%t : !V) {
  ^bb0(%x: f64):
    %0 = pyarray.builtin "numpy.sqrt"(%x) : (f64) -> f64
    pyarray.yield %0 : f64
  } -> !V
  return %u : !V
}

// New memory is distinct from it.
// CHECK-LABEL: func.func @fresh
// CHECK: = pyarray.ufunc
// CHECK-NOT: = pyarray.ufunc
func.func @fresh(%a: !V, %n: si64, %i: si64, %k: f64) -> (!V, !V) {
  %b = pyarray.builtin "numpy.empty"(%n) : (si64) -> !V
  %t = pyarray.ufunc "()->()" ins(%a : !V) {
  ^bb0(%x: f64):
    %0 = pyarray.builtin "numpy.negative"(%x) : (f64) -> f64
    pyarray.yield %0 : f64
  } -> !V
  pyarray.setitem %b[%i] = %k : (!V, si64, f64) -> ()
  %u = pyarray.ufunc "()->()" ins(%t : !V) {
  ^bb0(%x: f64):
    %0 = pyarray.builtin "numpy.sqrt"(%x) : (f64) -> f64
    pyarray.yield %0 : f64
  } -> !V
  return %u, %b : !V, !V
}

// Unless it is known elsewhere.
// CHECK-LABEL: func.func @escaped
// CHECK-COUNT-2: pyarray.ufunc
func.func @escaped(%a: !V, %n: si64, %i: si64, %k: f64) -> !V {
  %b = pyarray.builtin "numpy.empty"(%n) : (si64) -> !V
  %l = pyarray.list %b : (!V) -> !pyarray.list<!V>
  %t = pyarray.ufunc "()->()" ins(%b : !V) {
  ^bb0(%x: f64):
    %0 = pyarray.builtin "numpy.negative"(%x) : (f64) -> f64
    pyarray.yield %0 : f64
  } -> !V
  pyarray.setitem %a[%i] = %k : (!V, si64, f64) -> ()
  %u = pyarray.ufunc "()->()" ins(%t : !V) {
  ^bb0(%x: f64):
    %0 = pyarray.builtin "numpy.sqrt"(%x) : (f64) -> f64
    pyarray.yield %0 : f64
  } -> !V
  return %u : !V
}

// The readers of two values become one operation, in which each value is computed once.
// CHECK-LABEL: func.func @readers
// CHECK-NEXT: %[[R:.*]]:2 = pyarray.ufunc "(),()->(),()" ins(%arg0, %arg0 :
// CHECK-NEXT: ^bb0
// CHECK-NEXT: %[[E:.*]] = pyarray.builtin "numpy.exp"
// CHECK-NEXT: %[[T:.*]] = pyarray.builtin "numpy.negative"
// CHECK-NEXT: %[[U:.*]] = pyarray.builtin "numpy.add"(%[[T]], %[[E]])
// CHECK-NEXT: %[[V:.*]] = pyarray.builtin "numpy.add"(%[[E]], %[[T]])
// CHECK-NEXT: pyarray.yield %[[U]], %[[V]] : f64, f64
// CHECK: return %[[R]]#0, %[[R]]#1
func.func @readers(%a: !V) -> (!V, !V) {
  %e = pyarray.ufunc "()->()" ins(%a : !V) {
  ^bb0(%x: f64):
    %0 = pyarray.builtin "numpy.exp"(%x) : (f64) -> f64
    pyarray.yield %0 : f64
  } -> !V
  %t = pyarray.ufunc "()->()" ins(%a : !V) {
  ^bb0(%x: f64):
    %0 = pyarray.builtin "numpy.negative"(%x) : (f64) -> f64
    pyarray.yield %0 : f64
  } -> !V
  %u = pyarray.ufunc "(),()->()" ins(%t, %e : !V, !V) {
  ^bb0(%x: f64, %y: f64):
    %0 = pyarray.builtin "numpy.add"(%x, %y) : (f64, f64) -> f64
    pyarray.yield %0 : f64
  } -> !V
  %v = pyarray.ufunc "(),()->()" ins(%e, %t : !V, !V) {
  ^bb0(%x: f64, %y: f64):
    %0 = pyarray.builtin "numpy.add"(%x, %y) : (f64, f64) -> f64
    pyarray.yield %0 : f64
  } -> !V
  return %u, %v : !V, !V
}

// A value that nobody reads is gone; its error is not. Who asks for the shape asks another array.
// CHECK-LABEL: func.func @unread
// CHECK: %[[N:.*]] = pyarray.ufunc_shape "(),()->()" ins(%arg0, %arg1
// CHECK-NEXT: %[[S:.*]] = pyarray.broadcast_to %arg0 to(%[[N]])
// CHECK-NEXT: pyarray.getattr %[[S]] "size"
// CHECK-NOT: = pyarray.ufunc
func.func @unread(%a: !V, %b: !V) -> si64 {
  %t = pyarray.ufunc "(),()->()" ins(%a, %b : !V, !V) {
  ^bb0(%x: f64, %y: f64):
    %0 = pyarray.builtin "numpy.multiply"(%x, %y) : (f64, f64) -> f64
    pyarray.yield %0 : f64
  } -> !V
  %n = pyarray.getattr %t "size" : (!V) -> si64
  return %n : si64
}

// What raises stays where it is, and so does what goes into a loop.
// CHECK-LABEL: func.func @stays
// CHECK: "numpy.power"
// CHECK: "numpy.negative"
// CHECK: pyarray.for
// CHECK: "numpy.add"
func.func @stays(%a: !pyarray.array<?xsi64, C>, %b: !V, %r: !pyarray.range) -> !pyarray.array<?xsi64, C> {
  %t = pyarray.ufunc "(),()->()" ins(%a, %a : !pyarray.array<?xsi64, C>, !pyarray.array<?xsi64, C>) {
  ^bb0(%x: si64, %y: si64):
    %0 = pyarray.builtin "numpy.power"(%x, %y) : (si64, si64) -> si64
    pyarray.yield %0 : si64
  } -> !pyarray.array<?xsi64, C>
  %u = pyarray.ufunc "()->()" ins(%t : !pyarray.array<?xsi64, C>) {
  ^bb0(%x: si64):
    %0 = pyarray.builtin "numpy.negative"(%x) : (si64) -> si64
    pyarray.yield %0 : si64
  } -> !pyarray.array<?xsi64, C>
  pyarray.for (%i: si64) in %r : !pyarray.range {
    pyarray.ufunc "(),()->()" ins(%u, %i : !pyarray.array<?xsi64, C>, si64) outs(%a : !pyarray.array<?xsi64, C>) {
    ^bb0(%x: si64, %y: si64):
      %0 = pyarray.builtin "numpy.add"(%x, %y) : (si64, si64) -> si64
      pyarray.yield %0 : si64
    }
    pyarray.yield
  }
  return %u : !pyarray.array<?xsi64, C>
}

// (a * b).sum(): computed where it is added up, in the order of the array that is not written.
// CHECK-LABEL: func.func @sum
// CHECK-NEXT: %[[N:.*]] = pyarray.ufunc_shape "(),()->()" ins(%arg0, %arg1 : {{.*}}) {pyarray.name = "multiply"} : si64
// CHECK-NEXT: %[[S:.*]] = pyarray.broadcast_to %arg0 to(%[[N]])
// CHECK-NEXT: %[[R:.*]] = pyarray.reduce ["add"] axes [0] ins(%[[S]], %arg0, %arg1 : {{.*}}) order "C" {
// CHECK-NEXT: ^bb0(%{{.*}}: f64, %[[X:.*]]: f64, %[[Y:.*]]: f64):
// CHECK-NEXT:   %[[P:.*]] = pyarray.builtin "numpy.multiply"(%[[X]], %[[Y]])
// CHECK-NEXT:   pyarray.yield %[[P]]
// CHECK-NEXT: } -> f64 {shapes = array<i64: 0>}
// EXPANDED-LABEL: func.func @sum
// EXPANDED: pyarray.reduce ["add"] axes [0] ins(%{{.*}}, %{{.*}} : {{.*}}) order "C" expanded {
func.func @sum(%a: !V, %b: !V) -> f64 {
  %t = pyarray.ufunc "(),()->()" ins(%a, %b : !V, !V) {
  ^bb0(%x: f64, %y: f64):
    %0 = pyarray.builtin "numpy.multiply"(%x, %y) : (f64, f64) -> f64
    pyarray.yield %0 : f64
  } -> !V {pyarray.name = "multiply"}
  %s = pyarray.reduce ["add"] axes [0] ins(%t : !V) {
  ^bb0(%x: f64):
    pyarray.yield %x : f64
  } -> f64
  return %s : f64
}

// Elements that would have been cast are added up as NumPy's buffer holds them; a maximum has no order.
// CHECK-LABEL: func.func @kinds
// CHECK: pyarray.reduce ["add"] axes [0] ins(%arg0 : {{.*}}) order "C" buffered {
// CHECK: pyarray.reduce ["max"] axes [0] ins(%arg0 : {{.*}}) {
func.func @kinds(%a: !pyarray.array<?xf32, C>) -> (f64, f32) {
  %t = pyarray.ufunc "()->()" ins(%a : !pyarray.array<?xf32, C>) {
  ^bb0(%x: f32):
    %0 = pyarray.builtin "numpy.negative"(%x) : (f32) -> f32
    pyarray.yield %0 : f32
  } -> !pyarray.array<?xf32, C>
  %s = pyarray.reduce ["add"] axes [0] ins(%t : !pyarray.array<?xf32, C>) {
  ^bb0(%x: f32):
    %0 = pyarray.cast %x : f32 to f64
    pyarray.yield %0 : f64
  } -> f64
  %m = pyarray.reduce ["max"] axes [0] ins(%t : !pyarray.array<?xf32, C>) {
  ^bb0(%x: f32):
    pyarray.yield %x : f32
  } -> f32
  return %s, %m : f64, f32
}

// A sum of a view that is not contiguous has the order of memory that must be written; a maximum of it has none.
// CHECK-LABEL: func.func @part
// CHECK: %[[T:.*]] = pyarray.ufunc
// CHECK: pyarray.reduce ["add"] axes [0, 1] ins(%{{.*}} : !pyarray.array<?x?xf64, A>) {
// CHECK: pyarray.reduce ["max"] axes [0, 1] ins(%{{.*}} : !pyarray.array<?x?xf64, A>) {
// CHECK: "numpy.negative"
func.func @part(%a: !M, %i: si64) -> (f64, f64) {
  %t = pyarray.ufunc "()->()" ins(%a : !M) {
  ^bb0(%x: f64):
    %0 = pyarray.builtin "numpy.exp"(%x) : (f64) -> f64
    pyarray.yield %0 : f64
  } -> !M
  %u = pyarray.ufunc "()->()" ins(%a : !M) {
  ^bb0(%x: f64):
    %0 = pyarray.builtin "numpy.negative"(%x) : (f64) -> f64
    pyarray.yield %0 : f64
  } -> !M
  %n = pyarray.constant unit -> !None
  %l = pyarray.slice %i, %n, %n : (si64, !None, !None) -> !Slice
  %v = pyarray.getitem %t[%l, %l] : (!M, !Slice, !Slice) -> !pyarray.array<?x?xf64, A>
  %s = pyarray.reduce ["add"] axes [0, 1] ins(%v : !pyarray.array<?x?xf64, A>) {
  ^bb0(%x: f64):
    pyarray.yield %x : f64
  } -> f64
  %w = pyarray.getitem %u[%l, %l] : (!M, !Slice, !Slice) -> !pyarray.array<?x?xf64, A>
  %m = pyarray.reduce ["max"] axes [0, 1] ins(%w : !pyarray.array<?x?xf64, A>) {
  ^bb0(%x: f64):
    pyarray.yield %x : f64
  } -> f64
  return %s, %m : f64, f64
}

// e / e.sum(axis=0)[None]: what is divided by broadcasts to it for certain, and the quotient takes the memory of e.
// CHECK-LABEL: func.func @reuse
// CHECK: %[[E:.*]] = pyarray.ufunc "()->()" ins(%arg0
// CHECK: %[[S:.*]] = pyarray.reduce ["add"] axes [0] ins(%[[E]]
// CHECK: %[[V:.*]] = pyarray.insert_axes %[[S]] [0]
// CHECK: pyarray.ufunc "(),()->()" ins(%[[E]], %[[V]] : {{.*}}) outs(%[[E]] : {{.*}}) {
// CHECK: } {reuses, shapes = array<i64: 0>}
// CHECK-NEXT: return %[[E]]
// EXPANDED-LABEL: func.func @reuse
// EXPANDED: %[[E:.*]] = pyarray.builtin "numpy.empty"(%{{.*}}, %{{.*}}) : (si64, si64)
// EXPANDED-NOT: pyarray.independent
// EXPANDED: pyarray.ufunc "(),()->()" ins(%[[E]], %{{.*}} : {{.*}}) outs(%[[E]] : {{.*}}) expanded {
func.func @reuse(%a: !M) -> !M {
  %e = pyarray.ufunc "()->()" ins(%a : !M) {
  ^bb0(%x: f64):
    %0 = pyarray.builtin "numpy.exp"(%x) : (f64) -> f64
    pyarray.yield %0 : f64
  } -> !M
  %s = pyarray.reduce ["add"] axes [0] ins(%e : !M) {
  ^bb0(%x: f64):
    pyarray.yield %x : f64
  } -> !V
  %v = pyarray.insert_axes %s [0] : (!V) -> !M
  %r = pyarray.ufunc "(),()->()" ins(%e, %v : !M, !M) {
  ^bb0(%x: f64, %y: f64):
    %0 = pyarray.builtin "numpy.divide"(%x, %y) : (f64, f64) -> f64
    pyarray.yield %0 : f64
  } -> !M
  return %r : !M
}

// Not what is read backwards, or afterwards.
// CHECK-LABEL: func.func @kept
// CHECK-NOT: reuses
// CHECK: return
func.func @kept(%a: !V) -> (!V, f64) {
  %e = pyarray.ufunc "()->()" ins(%a : !V) {
  ^bb0(%x: f64):
    %0 = pyarray.builtin "numpy.exp"(%x) : (f64) -> f64
    pyarray.yield %0 : f64
  } -> !V
  %n = pyarray.constant unit -> !None
  %m = pyarray.constant -1 : si64 -> si64
  %l = pyarray.slice %n, %n, %m : (!None, !None, si64) -> !pyarray.slice<!None, !None, si64>
  %v = pyarray.getitem %e[%l] : (!V, !pyarray.slice<!None, !None, si64>) -> !pyarray.array<?xf64, A>
  %t = pyarray.ufunc "(),()->()" ins(%e, %v : !V, !pyarray.array<?xf64, A>) {
  ^bb0(%x: f64, %y: f64):
    %0 = pyarray.builtin "numpy.hypot"(%x, %y) : (f64, f64) -> f64
    pyarray.yield %0 : f64
  } -> !V
  %u = pyarray.ufunc "()->()" ins(%t : !V) {
  ^bb0(%x: f64):
    %0 = pyarray.builtin "numpy.exp"(%x) : (f64) -> f64
    pyarray.yield %0 : f64
  } -> !V
  %i = pyarray.constant 0 : si64 -> si64
  %w = pyarray.getitem %t[%i] : (!V, si64) -> f64
  return %u, %w : !V, f64
}

// x - x.mean(), twice: equal values are computed once, whatever constants and views they are made with.
// CHECK-LABEL: func.func @shared
// CHECK: pyarray.reduce
// CHECK-NOT: pyarray.reduce
// CHECK: return
func.func @shared(%a: !M) -> (!V, !V) {
  %s = pyarray.reduce ["add"] axes [0] ins(%a : !M) {
  ^bb0(%x: f64):
    pyarray.yield %x : f64
  } -> !V
  %k = pyarray.constant 2 : si64 -> si64
  %t = pyarray.ufunc "(),()->()" ins(%s, %k : !V, si64) {
  ^bb0(%x: f64, %y: si64):
    %0 = pyarray.cast %y : si64 to f64
    %1 = pyarray.builtin "numpy.divide"(%x, %0) : (f64, f64) -> f64
    pyarray.yield %1 : f64
  } -> !V
  %p = pyarray.reduce ["add"] axes [0] ins(%a : !M) {
  ^bb0(%x: f64):
    pyarray.yield %x : f64
  } -> !V
  %l = pyarray.constant 2 : si64 -> si64
  %u = pyarray.ufunc "(),()->()" ins(%p, %l : !V, si64) {
  ^bb0(%x: f64, %y: si64):
    %0 = pyarray.cast %y : si64 to f64
    %1 = pyarray.builtin "numpy.divide"(%x, %0) : (f64, f64) -> f64
    pyarray.yield %1 : f64
  } -> !V
  %v = pyarray.ufunc "(),()->()" ins(%t, %u : !V, !V) {
  ^bb0(%x: f64, %y: f64):
    %1 = pyarray.builtin "numpy.hypot"(%x, %y) : (f64, f64) -> f64
    pyarray.yield %1 : f64
  } -> !V
  return %v, %s : !V, !V
}

// Not where what they read is written between, nor where one of them is written to.
// Two that are returned are two objects.
// CHECK-LABEL: func.func @unshared
// CHECK-COUNT-4: pyarray.reduce
func.func @unshared(%a: !M, %b: !V, %i: si64, %k: f64) -> (f64, f64, !V, !V) {
  %s = pyarray.reduce ["add"] axes [0] ins(%b : !V) {
  ^bb0(%x: f64):
    pyarray.yield %x : f64
  } -> f64
  %p = pyarray.reduce ["add"] axes [0] ins(%a : !M) {
  ^bb0(%x: f64):
    pyarray.yield %x : f64
  } -> !V
  pyarray.setitem %b[%i] = %k : (!V, si64, f64) -> ()
  %t = pyarray.reduce ["add"] axes [0] ins(%b : !V) {
  ^bb0(%x: f64):
    pyarray.yield %x : f64
  } -> f64
  %q = pyarray.reduce ["add"] axes [0] ins(%a : !M) {
  ^bb0(%x: f64):
    pyarray.yield %x : f64
  } -> !V
  return %s, %t, %p, %q : f64, f64, !V, !V
}

// m[i] = -a: a row is stored to.
// CHECK-LABEL: func.func @row
// CHECK: %[[V:.*]] = pyarray.getitem %arg1[%arg2] : {{.*}} -> !pyarray.array<?xf64, C>
// CHECK-NEXT: pyarray.ufunc "()->()" ins(%arg0 : {{.*}}) outs(%[[V]] : {{.*}}) {
func.func @row(%a: !V, %m: !M, %i: si64) {
  %t = pyarray.ufunc "()->()" ins(%a : !V) {
  ^bb0(%x: f64):
    %0 = pyarray.builtin "numpy.negative"(%x) : (f64) -> f64
    pyarray.yield %0 : f64
  } -> !V
  pyarray.setitem %m[%i] = %t : (!M, si64, !V) -> ()
  return
}

// New memory that others do not know shares none with what an argument leads to; it may be read point by point where it is written.
// CHECK-LABEL: func.func @independent
// CHECK: pyarray.ufunc "(),()->()" ins(%[[Q:.*]], %arg0 : {{.*}}) outs(%[[Q]] : {{.*}}) {
// CHECK: } {independent}
// EXPANDED-LABEL: func.func @independent
// EXPANDED-NOT: pyarray.independent
// EXPANDED: return
func.func @independent(%a: !pyarray.array<?xf64, C>, %n: si64) -> f64 {
  %q = pyarray.builtin "numpy.zeros"(%n) : (si64) -> !pyarray.array<?xf64, C>
  pyarray.ufunc "(),()->()" ins(%q, %a : !pyarray.array<?xf64, C>, !pyarray.array<?xf64, C>) outs(%q : !pyarray.array<?xf64, C>) {
  ^bb0(%x: f64, %y: f64):
    %0 = pyarray.builtin "numpy.add"(%x, %y) : (f64, f64) -> f64
    pyarray.yield %0 : f64
  }
  %r = pyarray.getitem %q[%n] : (!pyarray.array<?xf64, C>, si64) -> f64
  return %r : f64
}

// Two arguments may be one array, and a view may lead to another place of the array that is written.
// CHECK-LABEL: func.func @dependent
// CHECK-NOT: independent
func.func @dependent(%a: !pyarray.array<?xf64, C>, %b: !pyarray.array<?xf64, C>, %n: si64, %s: !pyarray.slice<si64, !pyarray.none, !pyarray.none>) {
  %q = pyarray.builtin "numpy.zeros"(%n) : (si64) -> !pyarray.array<?xf64, C>
  %v = pyarray.getitem %q[%s] : (!pyarray.array<?xf64, C>, !pyarray.slice<si64, !pyarray.none, !pyarray.none>) -> !pyarray.array<?xf64, A>
  pyarray.ufunc "()->()" ins(%v : !pyarray.array<?xf64, A>) outs(%q : !pyarray.array<?xf64, C>) {
  ^bb0(%x: f64):
    pyarray.yield %x : f64
  }
  pyarray.ufunc "()->()" ins(%a : !pyarray.array<?xf64, C>) outs(%b : !pyarray.array<?xf64, C>) {
  ^bb0(%x: f64):
    pyarray.yield %x : f64
  }
  return
}

// What np.empty made is as good, once nothing reads it any more.
// CHECK-LABEL: func.func @empty
// CHECK: %[[O:.*]] = pyarray.builtin "numpy.empty"
// CHECK: pyarray.ufunc "(),()->()" ins(%[[O]], %{{.*}} : {{.*}}) outs(%[[O]] : {{.*}}) {
// CHECK: } {reuses
// CHECK: return %[[O]]
func.func @empty(%n: si64, %x: f64) -> !pyarray.array<?xf64, C> {
  %o = pyarray.builtin "numpy.empty"(%n) : (si64) -> !pyarray.array<?xf64, C>
  pyarray.setitem %o[%n] = %x : (!pyarray.array<?xf64, C>, si64, f64) -> ()
  %r = pyarray.ufunc "(),()->()" ins(%o, %x : !pyarray.array<?xf64, C>, f64) {
  ^bb0(%p: f64, %q: f64):
    %0 = pyarray.builtin "numpy.divide"(%p, %q) : (f64, f64) -> f64
    pyarray.yield %0 : f64
  } -> !pyarray.array<?xf64, C>
  return %r : !pyarray.array<?xf64, C>
}

// t = a * 2; t += b; keep(t): what is there before t is made is not t, whoever gets it afterwards. What comes later may be.
// CHECK-LABEL: func.func @made_behind
// CHECK: pyarray.ufunc "(),()->()" ins(%[[T:.*]], %arg1 : {{.*}}) outs(%[[T]] : {{.*}}) {
// CHECK: } {independent}
// CHECK: %[[K:.*]] = call @keep(%[[T]])
// CHECK: pyarray.ufunc "(),()->()" ins(%[[T]], %[[K]] : {{.*}}) outs(%[[T]] : {{.*}}) {
// CHECK-NOT: independent
// CHECK: return
func.func private @keep(!V) -> !V
func.func @made_behind(%n: si64, %b: !V) -> !V {
  %t = pyarray.builtin "numpy.zeros"(%n) : (si64) -> !V
  pyarray.ufunc "(),()->()" ins(%t, %b : !V, !V) outs(%t : !V) {
  ^bb0(%x: f64, %y: f64):
    %1 = pyarray.builtin "numpy.add"(%x, %y) : (f64, f64) -> f64
    pyarray.yield %1 : f64
  }
  %k = func.call @keep(%t) : (!V) -> !V
  pyarray.ufunc "(),()->()" ins(%t, %k : !V, !V) outs(%t : !V) {
  ^bb0(%x: f64, %y: f64):
    %1 = pyarray.builtin "numpy.add"(%x, %y) : (f64, f64) -> f64
    pyarray.yield %1 : f64
  }
  return %t : !V
}
