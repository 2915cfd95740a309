// RUN: pyarray-opt %s --pyarray-inline --split-input-file | FileCheck %s
// RUN: pyarray-opt %s --pyarray-inline --split-input-file | pyarray-opt --split-input-file

// The loop's body takes the place of the yield; what it carries is in a variable.
// CHECK-LABEL: func.func @total$0
// CHECK: %[[V:.*]] = pyarray.variable : !pyarray.variable<si64>
// CHECK: pyarray.store %{{.*}}, %[[V]]
// CHECK: pyarray.for (%[[I:.*]]: si64) in %arg0
// CHECK-NEXT: %[[X:.*]] = pyarray.binary mul %[[I]], %[[I]]
// CHECK-NEXT: %[[ACC:.*]] = pyarray.load %[[V]]
// CHECK-NEXT: %[[S:.*]] = pyarray.binary add %[[ACC]], %[[X]]
// CHECK-NEXT: pyarray.store %[[S]], %[[V]]
// CHECK: %[[R:.*]] = pyarray.load %[[V]]
// CHECK: return %[[R]]
// CHECK-NOT: @squares$0
func.func @total$0(%r: !pyarray.range) -> si64 attributes {pyarray.entry} {
  %zero = pyarray.constant 0 : si64 -> si64
  %g = pyarray.call @squares$0(%r) : (!pyarray.range) -> !pyarray.generator<si64>
  %s = pyarray.for (%x: si64, %acc: si64) in %g : !pyarray.generator<si64> iter(%zero) {
    %sum = pyarray.binary add %acc, %x : (si64, si64) -> si64
    pyarray.yield %sum : si64
  }
  func.return %s : si64
}
func.func private @squares$0(%r: !pyarray.range) -> !pyarray.generator<si64> attributes {pyarray.generator} {
  pyarray.for (%i: si64) in %r : !pyarray.range {
    %x = pyarray.binary mul %i, %i : (si64, si64) -> si64
    pyarray.suspend %x : si64
  }
  %u = pyarray.unbound : !pyarray.generator<si64>
  func.return %u : !pyarray.generator<si64>
}

// -----

// A loop that can be left early is code that can be left; its test comes once more behind the last item.
// CHECK-LABEL: func.func @found$0
// CHECK: %[[K:.*]] = pyarray.variable : !pyarray.variable<si64>
// CHECK: %[[R:.*]] = pyarray.variable : !pyarray.variable<i1>
// CHECK: pyarray.breakable {
// CHECK:   pyarray.for (%[[I:.*]]: si64) in %arg0
// CHECK:     %[[TRUE:.*]] = pyarray.constant true
// CHECK:     %[[IS:.*]] = scf.if %[[TRUE]]
// CHECK:       pyarray.compare eq %[[I]]
// CHECK:     pyarray.store %[[IS]], %[[R]]
// CHECK:     scf.if %{{.*}} {
// CHECK:       pyarray.store %{{.*}}, %[[K]]
// CHECK:     } else {
// CHECK:       pyarray.break
// CHECK:   %[[FALSE:.*]] = pyarray.constant false
// CHECK:   scf.if %[[FALSE]]
// CHECK: pyarray.load %[[R]]
func.func @found$0(%r: !pyarray.range) -> i1 attributes {pyarray.entry} {
  %zero = pyarray.constant 0 : si64 -> si64
  %no = pyarray.constant false -> i1
  %g = pyarray.call @items$0(%r) : (!pyarray.range) -> !pyarray.generator<si64>
  %s:2 = scf.while (%k = %zero) : (si64) -> (si64, i1) {
    %more, %x = pyarray.iter_next %g : (!pyarray.generator<si64>) -> (i1, si64)
    %is = scf.if %more -> (i1) {
      %three = pyarray.constant 3 : si64 -> si64
      %e = pyarray.compare eq %x, %three : (si64, si64) -> i1
      scf.yield %e : i1
    } else {
      scf.yield %no : i1
    }
    %on = pyarray.unary not %is : (i1) -> i1
    scf.condition(%on) %k, %is : si64, i1
  } do {
  ^bb0(%k: si64, %is: i1):
    scf.yield %k : si64
  }
  func.return %s#1 : i1
}
func.func private @items$0(%r: !pyarray.range) -> !pyarray.generator<si64> attributes {pyarray.generator} {
  pyarray.for (%i: si64) in %r : !pyarray.range {
    pyarray.suspend %i : si64
  }
  %u = pyarray.unbound : !pyarray.generator<si64>
  func.return %u : !pyarray.generator<si64>
}

// -----

// Not where a yield lies in a try, and not where the generator is used twice or the loop runs several times.
// CHECK-LABEL: func.func @kept$0
// CHECK: pyarray.call @guarded$0
// CHECK: pyarray.for (%{{.*}}: si64) in %{{.*}} : !pyarray.generator<si64>
// CHECK: pyarray.call @plain$0
// CHECK: pyarray.for (%{{.*}}: si64) in %arg0
// CHECK: pyarray.for (%{{.*}}: si64) in %{{.*}} : !pyarray.generator<si64>
func.func @kept$0(%r: !pyarray.range, %x: si64) attributes {pyarray.entry} {
  %g = pyarray.call @guarded$0(%x) : (si64) -> !pyarray.generator<si64>
  pyarray.for (%i: si64) in %g : !pyarray.generator<si64> {
  }
  %h = pyarray.call @plain$0(%x) : (si64) -> !pyarray.generator<si64>
  pyarray.for (%k: si64) in %r : !pyarray.range {
    pyarray.for (%i: si64) in %h : !pyarray.generator<si64> {
    }
  }
  func.return
}
func.func private @guarded$0(%x: si64) -> !pyarray.generator<si64> attributes {pyarray.generator} {
  pyarray.try {
    pyarray.suspend %x : si64
  } except {
  }
  %u = pyarray.unbound : !pyarray.generator<si64>
  func.return %u : !pyarray.generator<si64>
}
func.func private @plain$0(%x: si64) -> !pyarray.generator<si64> attributes {pyarray.generator} {
  pyarray.suspend %x : si64
  %u = pyarray.unbound : !pyarray.generator<si64>
  func.return %u : !pyarray.generator<si64>
}

// -----

// A function that is given a fresh generator comes along, and so does a generator over a generator.
// CHECK-LABEL: func.func @outer$0
// CHECK-NOT: pyarray.call
// CHECK: pyarray.for (%[[I:.*]]: si64) in %arg0
// CHECK: %[[A:.*]] = pyarray.binary mul %[[I]], %[[I]]
// CHECK: %[[B:.*]] = pyarray.binary add %[[A]], %[[A]]
// CHECK: pyarray.load
// CHECK: pyarray.store
// CHECK: return
func.func @outer$0(%r: !pyarray.range) -> si64 attributes {pyarray.entry} {
  %g = pyarray.call @square$0(%r) : (!pyarray.range) -> !pyarray.generator<si64>
  %h = pyarray.call @double$0(%g) : (!pyarray.generator<si64>) -> !pyarray.generator<si64>
  %s = pyarray.call @sum$0(%h) : (!pyarray.generator<si64>) -> si64
  func.return %s : si64
}
func.func private @sum$0(%g: !pyarray.generator<si64>) -> si64 {
  %zero = pyarray.constant 0 : si64 -> si64
  %s = pyarray.for (%x: si64, %acc: si64) in %g : !pyarray.generator<si64> iter(%zero) {
    %sum = pyarray.binary add %acc, %x : (si64, si64) -> si64
    pyarray.yield %sum : si64
  }
  func.return %s : si64
}
func.func private @double$0(%g: !pyarray.generator<si64>) -> !pyarray.generator<si64> attributes {pyarray.generator} {
  pyarray.for (%x: si64) in %g : !pyarray.generator<si64> {
    %y = pyarray.binary add %x, %x : (si64, si64) -> si64
    pyarray.suspend %y : si64
  }
  %u = pyarray.unbound : !pyarray.generator<si64>
  func.return %u : !pyarray.generator<si64>
}
func.func private @square$0(%r: !pyarray.range) -> !pyarray.generator<si64> attributes {pyarray.generator} {
  pyarray.for (%i: si64) in %r : !pyarray.range {
    %x = pyarray.binary mul %i, %i : (si64, si64) -> si64
    pyarray.suspend %x : si64
  }
  %u = pyarray.unbound : !pyarray.generator<si64>
  func.return %u : !pyarray.generator<si64>
}

// -----

// A function that makes the generator which a loop goes over is inlined first.
// CHECK-LABEL: func.func @of_made$0
// CHECK: pyarray.variable
// CHECK: pyarray.for (%{{.*}}: si64) in %{{.*}} : !pyarray.range
// CHECK-NOT: pyarray.call
// CHECK: return
func.func @of_made$0(%n: si64) -> si64 attributes {pyarray.entry} {
  %zero = pyarray.constant 0 : si64 -> si64
  %g = pyarray.call @made$0(%n) : (si64) -> !pyarray.generator<si64>
  %s = pyarray.for (%x: si64, %acc: si64) in %g : !pyarray.generator<si64> iter(%zero) {
    %sum = pyarray.binary add %acc, %x : (si64, si64) -> si64
    pyarray.yield %sum : si64
  }
  func.return %s : si64
}
func.func private @made$0(%n: si64) -> !pyarray.generator<si64> {
  %zero = pyarray.constant 0 : si64 -> si64
  %negative = pyarray.compare lt %n, %zero : (si64, si64) -> i1
  scf.if %negative {
    pyarray.raise "ValueError"() : () -> ()
    scf.yield
  }
  %one = pyarray.constant 1 : si64 -> si64
  %r = pyarray.builtin "builtins.range"(%zero, %n, %one) : (si64, si64, si64) -> !pyarray.range
  %g = pyarray.call @squares$0(%r) : (!pyarray.range) -> !pyarray.generator<si64>
  func.return %g : !pyarray.generator<si64>
}
func.func private @squares$0(%r: !pyarray.range) -> !pyarray.generator<si64> attributes {pyarray.generator} {
  pyarray.for (%i: si64) in %r : !pyarray.range {
    %x = pyarray.binary mul %i, %i : (si64, si64) -> si64
    pyarray.suspend %x : si64
  }
  %u = pyarray.unbound : !pyarray.generator<si64>
  func.return %u : !pyarray.generator<si64>
}
