// RUN: pyarray-opt %s --pyarray-fuse | FileCheck %s
// RUN: pyarray-opt %s --pyarray-fuse | pyarray-opt

!V = !pyarray.array<?xf64, C>

// x += a in a loop, and in a branch of it: x is the array that it was, whose memory is known.
// CHECK-LABEL: func.func @sum
// CHECK: %[[X:.*]] = pyarray.builtin "numpy.zeros"
// CHECK: %[[N:.*]] = pyarray.for (%{{.*}}: si64, %[[K:.*]]: si64) in %{{.*}} : !pyarray.range iter(%{{.*}}) {
// CHECK:   scf.if %arg3 {
// CHECK-NEXT: pyarray.ufunc "(),()->()" ins(%[[X]], %arg0 : {{.*}}) outs(%[[X]] : {{.*}}) {
// CHECK: } {independent}
// CHECK:   } else {
// CHECK-NEXT: }
// CHECK:   pyarray.yield %{{.*}} : si64
// CHECK: return %[[X]], %[[N]]
func.func @sum(%a: !V, %range: !pyarray.range, %n: si64, %c: i1) -> (!V, si64) {
  %zero = pyarray.constant 0 : si64 -> si64
  %x = pyarray.builtin "numpy.zeros"(%n) : (si64) -> !V
  %r:2 = pyarray.for (%i: si64, %y: !V, %k: si64) in %range : !pyarray.range iter(%x, %zero) {
    %z = scf.if %c -> (!V) {
      pyarray.ufunc "(),()->()" ins(%y, %a : !V, !V) outs(%y : !V) {
      ^bb0(%p: f64, %q: f64):
        %0 = pyarray.builtin "numpy.add"(%p, %q) : (f64, f64) -> f64
        pyarray.yield %0 : f64
      }
      scf.yield %y : !V
    } else {
      scf.yield %y : !V
    }
    %l = pyarray.binary add %k, %i : (si64, si64) -> si64
    pyarray.yield %z, %l : !V, si64
  }
  return %r#0, %r#1 : !V, si64
}

// Another array in each iteration, or by one of the branches, stays what is carried.
// CHECK-LABEL: func.func @other
// CHECK: %[[R:.*]]:2 = pyarray.for (%{{.*}}: si64, %{{.*}}: !pyarray.array<?xf64, C>, %{{.*}}: !pyarray.array<?xf64, C>)
// CHECK: return %[[R]]#0, %[[R]]#1
func.func @other(%a: !V, %range: !pyarray.range, %c: i1) -> (!V, !V) {
  %r:2 = pyarray.for (%i: si64, %x: !V, %y: !V) in %range : !pyarray.range iter(%a, %a) {
    pyarray.ufunc "(),()->()" ins(%x, %y : !V, !V) outs(%y : !V) {
    ^bb0(%p: f64, %q: f64):
      %0 = pyarray.builtin "numpy.add"(%p, %q) : (f64, f64) -> f64
      pyarray.yield %0 : f64
    }
    %t = pyarray.ufunc "()->()" ins(%x : !V) {
    ^bb0(%p: f64):
      %0 = pyarray.builtin "numpy.negative"(%p) : (f64) -> f64
      pyarray.yield %0 : f64
    } -> !V
    %z = scf.if %c -> (!V) {
      scf.yield %x : !V
    } else {
      scf.yield %y : !V
    }
    pyarray.yield %t, %z : !V, !V
  }
  return %r#0, %r#1 : !V, !V
}
