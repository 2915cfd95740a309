// RUN: pyarray-opt %s --pyarray-find-parallel-loops --split-input-file | FileCheck %s
// RUN: pyarray-opt %s --pyarray-find-parallel-loops --split-input-file | pyarray-opt --split-input-file

// A histogram: the index does not follow the loop variable.
// CHECK-LABEL: func.func @histogram
// CHECK:       pyarray.for (%[[I:.*]]: si64)
// CHECK-NEXT:    %[[P:.*]] = pyarray.private "add" %[[H:.*]] : !pyarray.array<?xsi64, C>
// CHECK:         %[[OLD:.*]] = pyarray.getitem %[[P]][%[[B:.*]]]
// CHECK:         pyarray.setitem %[[P]][%[[B]]]
// CHECK:       pyarray.parallel = []
func.func @histogram(%bins: !pyarray.array<?xsi64, C>, %h: !pyarray.array<?xsi64, C>, %range: !pyarray.range, %n: si64) attributes {pyarray.options = {parallel = true}} {
  %c0 = pyarray.constant 0 : si64 -> si64
  %c1 = pyarray.constant 1 : si64 -> si64
  %prange = pyarray.builtin "pyarray.prange"(%c0, %n, %c1) : (si64, si64, si64) -> !pyarray.range
  pyarray.for (%i: si64) in %prange : !pyarray.range {
    %b = pyarray.getitem %bins[%i] : (!pyarray.array<?xsi64, C>, si64) -> si64
    %old = pyarray.getitem %h[%b] : (!pyarray.array<?xsi64, C>, si64) -> si64
    %new = pyarray.binary add %old, %c1 : (si64, si64) -> si64
    pyarray.setitem %h[%b] = %new : (!pyarray.array<?xsi64, C>, si64, si64) -> ()
    pyarray.yield
  }
  return
}

// -----

// h[b[i]] = h[b[i]] * 2, where the index is read twice; an inner loop; the shape is asked for; int32 elements.
// CHECK-LABEL: func.func @product
// CHECK:       pyarray.private "mul" %arg1
// CHECK-NOT:   %arg1
func.func @product(%bins: !pyarray.array<?xsi64, C>, %h: !pyarray.array<?xsi32, A>, %range: !pyarray.range, %n: si64) attributes {pyarray.options = {parallel = true}} {
  %c0 = pyarray.constant 0 : si64 -> si64
  %c1 = pyarray.constant 1 : si64 -> si64
  %c2 = pyarray.constant 2 : si64 -> si64
  %prange = pyarray.builtin "pyarray.prange"(%c0, %n, %c1) : (si64, si64, si64) -> !pyarray.range
  pyarray.for (%i: si64) in %prange : !pyarray.range {
    %length = pyarray.builtin "builtins.len"(%h) : (!pyarray.array<?xsi32, A>) -> si64
    %inner = pyarray.builtin "builtins.range"(%c0, %length, %c1) : (si64, si64, si64) -> !pyarray.range
    pyarray.for (%k: si64) in %inner : !pyarray.range {
      %b = pyarray.getitem %bins[%i] : (!pyarray.array<?xsi64, C>, si64) -> si64
      %old = pyarray.getitem %h[%b] : (!pyarray.array<?xsi32, A>, si64) -> si32
      %wide = pyarray.cast %old : si32 to si64
      %new = pyarray.binary mul %c2, %wide : (si64, si64) -> si64
      %b2 = pyarray.getitem %bins[%i] : (!pyarray.array<?xsi64, C>, si64) -> si64
      %narrow = pyarray.cast %new : si64 to si32
      pyarray.setitem %h[%b2] = %narrow : (!pyarray.array<?xsi32, A>, si64, si32) -> ()
      pyarray.yield
    }
    pyarray.yield
  }
  return
}

// -----

// The elements of an iteration: out[2 * i + 1].
// CHECK-LABEL: func.func @own_element
// CHECK-NOT: pyarray.private
func.func @own_element(%h: !pyarray.array<?xf64, C>, %n: si64, %x: f64) attributes {pyarray.options = {parallel = true}} {
  %c0 = pyarray.constant 0 : si64 -> si64
  %c1 = pyarray.constant 1 : si64 -> si64
  %c2 = pyarray.constant 2 : si64 -> si64
  %prange = pyarray.builtin "pyarray.prange"(%c0, %n, %c1) : (si64, si64, si64) -> !pyarray.range
  pyarray.for (%i: si64) in %prange : !pyarray.range {
    %twice = pyarray.binary mul %c2, %i : (si64, si64) -> si64
    %k = pyarray.binary add %twice, %c1 : (si64, si64) -> si64
    %old = pyarray.getitem %h[%k] : (!pyarray.array<?xf64, C>, si64) -> f64
    %new = pyarray.binary add %old, %x : (f64, f64) -> f64
    pyarray.setitem %h[%k] = %new : (!pyarray.array<?xf64, C>, si64, f64) -> ()
    pyarray.yield
  }
  return
}

// -----

// A row for each thread.
// CHECK-LABEL: func.func @thread_row
// CHECK-NOT: pyarray.private
func.func @thread_row(%h: !pyarray.array<?x?xf64, C>, %bins: !pyarray.array<?xsi64, C>, %n: si64, %x: f64) attributes {pyarray.options = {parallel = true}} {
  %c0 = pyarray.constant 0 : si64 -> si64
  %c1 = pyarray.constant 1 : si64 -> si64
  %prange = pyarray.builtin "pyarray.prange"(%c0, %n, %c1) : (si64, si64, si64) -> !pyarray.range
  pyarray.for (%i: si64) in %prange : !pyarray.range {
    %t = pyarray.builtin "pyarray.get_thread_id"() : () -> si64
    %b = pyarray.getitem %bins[%i] : (!pyarray.array<?xsi64, C>, si64) -> si64
    %old = pyarray.getitem %h[%t, %b] : (!pyarray.array<?x?xf64, C>, si64, si64) -> f64
    %new = pyarray.binary add %old, %x : (f64, f64) -> f64
    pyarray.setitem %h[%t, %b] = %new : (!pyarray.array<?x?xf64, C>, si64, si64, f64) -> ()
    pyarray.yield
  }
  return
}

// -----

// Read for something else; two kinds; another element; float steps on integers.
// CHECK-LABEL: func.func @read
// CHECK-NOT: pyarray.private
func.func @read(%h: !pyarray.array<?xf64, C>, %n: si64, %x: f64, %k: si64) attributes {pyarray.options = {parallel = true}} {
  %c0 = pyarray.constant 0 : si64 -> si64
  %c1 = pyarray.constant 1 : si64 -> si64
  %prange = pyarray.builtin "pyarray.prange"(%c0, %n, %c1) : (si64, si64, si64) -> !pyarray.range
  pyarray.for (%i: si64) in %prange : !pyarray.range {
    %other = pyarray.getitem %h[%c0] : (!pyarray.array<?xf64, C>, si64) -> f64
    %old = pyarray.getitem %h[%k] : (!pyarray.array<?xf64, C>, si64) -> f64
    %new = pyarray.binary add %old, %other : (f64, f64) -> f64
    pyarray.setitem %h[%k] = %new : (!pyarray.array<?xf64, C>, si64, f64) -> ()
    pyarray.yield
  }
  return
}

// -----

// CHECK-LABEL: func.func @two_kinds
// CHECK-NOT: pyarray.private
func.func @two_kinds(%h: !pyarray.array<?xf64, C>, %n: si64, %x: f64, %k: si64) attributes {pyarray.options = {parallel = true}} {
  %c0 = pyarray.constant 0 : si64 -> si64
  %c1 = pyarray.constant 1 : si64 -> si64
  %prange = pyarray.builtin "pyarray.prange"(%c0, %n, %c1) : (si64, si64, si64) -> !pyarray.range
  pyarray.for (%i: si64) in %prange : !pyarray.range {
    %old = pyarray.getitem %h[%k] : (!pyarray.array<?xf64, C>, si64) -> f64
    %new = pyarray.binary add %old, %x : (f64, f64) -> f64
    pyarray.setitem %h[%k] = %new : (!pyarray.array<?xf64, C>, si64, f64) -> ()
    %old2 = pyarray.getitem %h[%k] : (!pyarray.array<?xf64, C>, si64) -> f64
    %new2 = pyarray.binary mul %old2, %x : (f64, f64) -> f64
    pyarray.setitem %h[%k] = %new2 : (!pyarray.array<?xf64, C>, si64, f64) -> ()
    pyarray.yield
  }
  return
}

// -----

// CHECK-LABEL: func.func @another_element
// CHECK-NOT: pyarray.private
func.func @another_element(%h: !pyarray.array<?xf64, C>, %n: si64, %x: f64, %k: si64) attributes {pyarray.options = {parallel = true}} {
  %c0 = pyarray.constant 0 : si64 -> si64
  %c1 = pyarray.constant 1 : si64 -> si64
  %prange = pyarray.builtin "pyarray.prange"(%c0, %n, %c1) : (si64, si64, si64) -> !pyarray.range
  pyarray.for (%i: si64) in %prange : !pyarray.range {
    %old = pyarray.getitem %h[%k] : (!pyarray.array<?xf64, C>, si64) -> f64
    %new = pyarray.binary add %old, %x : (f64, f64) -> f64
    pyarray.setitem %h[%c1] = %new : (!pyarray.array<?xf64, C>, si64, f64) -> ()
    pyarray.yield
  }
  return
}

// -----

// CHECK-LABEL: func.func @truncated
// CHECK-NOT: pyarray.private
func.func @truncated(%h: !pyarray.array<?xsi64, C>, %n: si64, %x: f64, %k: si64) attributes {pyarray.options = {parallel = true}} {
  %c0 = pyarray.constant 0 : si64 -> si64
  %c1 = pyarray.constant 1 : si64 -> si64
  %prange = pyarray.builtin "pyarray.prange"(%c0, %n, %c1) : (si64, si64, si64) -> !pyarray.range
  pyarray.for (%i: si64) in %prange : !pyarray.range {
    %old = pyarray.getitem %h[%k] : (!pyarray.array<?xsi64, C>, si64) -> si64
    %real = pyarray.cast %old : si64 to f64
    %new = pyarray.binary add %real, %x : (f64, f64) -> f64
    %whole = pyarray.cast %new : f64 to si64
    pyarray.setitem %h[%k] = %whole : (!pyarray.array<?xsi64, C>, si64, si64) -> ()
    pyarray.yield
  }
  return
}

// -----

// The index may change between the read and the write.
// CHECK-LABEL: func.func @changed_index
// CHECK-NOT: pyarray.private
func.func @changed_index(%bins: !pyarray.array<?xsi64, C>, %h: !pyarray.array<?xf64, C>, %n: si64, %x: f64) attributes {pyarray.options = {parallel = true}} {
  %c0 = pyarray.constant 0 : si64 -> si64
  %c1 = pyarray.constant 1 : si64 -> si64
  %prange = pyarray.builtin "pyarray.prange"(%c0, %n, %c1) : (si64, si64, si64) -> !pyarray.range
  pyarray.for (%i: si64) in %prange : !pyarray.range {
    %b = pyarray.getitem %bins[%i] : (!pyarray.array<?xsi64, C>, si64) -> si64
    %old = pyarray.getitem %h[%b] : (!pyarray.array<?xf64, C>, si64) -> f64
    %new = pyarray.binary add %old, %x : (f64, f64) -> f64
    pyarray.setitem %bins[%i] = %c0 : (!pyarray.array<?xsi64, C>, si64, si64) -> ()
    %b2 = pyarray.getitem %bins[%i] : (!pyarray.array<?xsi64, C>, si64) -> si64
    pyarray.setitem %h[%b2] = %new : (!pyarray.array<?xf64, C>, si64, f64) -> ()
    pyarray.yield
  }
  return
}
