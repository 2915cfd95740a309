// RUN: pyarray-opt %s --split-input-file --verify-diagnostics

!B1 = !pyarray.array<?xi1, C>
!C1 = !pyarray.array<?xf64, C>
!C2 = !pyarray.array<?x?xf64, C>
func.func @words(%a: !C1, %b: !B1, %c: !C2, %v: f64) {
  // expected-error@+1 {{has 0 words, 0 starts and 1 results}}
  %s = pyarray.reduce [] axes [0] ins(%a : !C1) {
  ^bb0(%x: f64):
    pyarray.yield %x : f64
  } -> f64
  return
}

// -----

!B1 = !pyarray.array<?xi1, C>
!C1 = !pyarray.array<?xf64, C>
!C2 = !pyarray.array<?x?xf64, C>
func.func @unknown(%a: !C1, %b: !B1, %c: !C2, %v: f64) {
  // expected-error@+1 {{has an unknown word "sum"}}
  %s = pyarray.reduce ["sum"] axes [0] ins(%a : !C1) {
  ^bb0(%x: f64):
    pyarray.yield %x : f64
  } -> f64
  return
}

// -----

!B1 = !pyarray.array<?xi1, C>
!C1 = !pyarray.array<?xf64, C>
!C2 = !pyarray.array<?x?xf64, C>
func.func @axis(%a: !C1, %b: !B1, %c: !C2, %v: f64) {
  // expected-error@+1 {{has axes that are not in order, or beyond its 1 loop dimensions}}
  %s = pyarray.reduce ["add"] axes [1] ins(%a : !C1) {
  ^bb0(%x: f64):
    pyarray.yield %x : f64
  } -> f64
  return
}

// -----

!B1 = !pyarray.array<?xi1, C>
!C1 = !pyarray.array<?xf64, C>
!C2 = !pyarray.array<?x?xf64, C>
func.func @order(%a: !C1, %b: !B1, %c: !C2, %v: f64) {
  // expected-error@+1 {{has an order that is neither "C" nor "F"}}
  %s = pyarray.reduce ["add"] axes [0] ins(%a : !C1) order "A" {
  ^bb0(%x: f64):
    pyarray.yield %x : f64
  } -> f64
  return
}

// -----

!B1 = !pyarray.array<?xi1, C>
!C1 = !pyarray.array<?xf64, C>
!C2 = !pyarray.array<?x?xf64, C>
func.func @truth(%a: !C1, %b: !B1, %c: !C2, %v: f64) {
  // expected-error@+1 {{folds 'i1' by "add"}}
  %s = pyarray.reduce ["add"] axes [0] ins(%b : !B1) {
  ^bb0(%x: i1):
    pyarray.yield %x : i1
  } -> i1
  return
}

// -----

!B1 = !pyarray.array<?xi1, C>
!C1 = !pyarray.array<?xf64, C>
!C2 = !pyarray.array<?x?xf64, C>
func.func @start(%a: !C1, %b: !B1, %c: !C2, %v: f64) {
  // expected-error@+1 {{starts the fold "argmin" of 'f64' at 'f64'}}
  %s = pyarray.reduce ["argmin"] axes [0] ins(%a : !C1) init(%v : f64) {
  ^bb0(%x: f64):
    pyarray.yield %x : f64
  } -> si64
  return
}

// -----

!B1 = !pyarray.array<?xi1, C>
!C1 = !pyarray.array<?xf64, C>
!C2 = !pyarray.array<?x?xf64, C>
func.func @position(%a: !C1, %b: !B1, %c: !C2, %v: f64) {
  // expected-error@+1 {{folds 'f64' by "argmin" to 'f64'}}
  %s = pyarray.reduce ["argmin"] axes [0] ins(%a : !C1) {
  ^bb0(%x: f64):
    pyarray.yield %x : f64
  } -> f64
  return
}

// -----

!B1 = !pyarray.array<?xi1, C>
!C1 = !pyarray.array<?xf64, C>
!C2 = !pyarray.array<?x?xf64, C>
func.func @result(%a: !C1, %b: !B1, %c: !C2, %v: f64) {
  // expected-error@+1 {{expected a number for 0 dimensions}}
  %s = pyarray.reduce ["add"] axes [0] ins(%a : !C1) {
  ^bb0(%x: f64):
    pyarray.yield %x : f64
  } -> !C1
  return
}

// -----

!B1 = !pyarray.array<?xi1, C>
!C1 = !pyarray.array<?xf64, C>
!C2 = !pyarray.array<?x?xf64, C>
func.func @argument(%a: !C1, %b: !B1, %c: !C2, %v: f64) {
  // expected-error@+1 {{has a body whose argument 'f32' does not fit the operand}}
  %s = pyarray.reduce ["add"] axes [0] ins(%a : !C1) {
  ^bb0(%x: f32):
    pyarray.yield %x : f32
  } -> f32
  return
}

// -----

!B1 = !pyarray.array<?xi1, C>
!C1 = !pyarray.array<?xf64, C>
!C2 = !pyarray.array<?x?xf64, C>
func.func @yields(%a: !C1, %b: !B1, %c: !C2, %v: f64) {
  // expected-error@+1 {{has a body that does not yield a number for each word}}
  %s = pyarray.reduce ["add"] axes [0] ins(%a : !C1) {
  ^bb0(%x: f64):
    pyarray.yield %x, %x : f64, f64
  } -> f64
  return
}

// -----

!B1 = !pyarray.array<?xi1, C>
!C1 = !pyarray.array<?xf64, C>
!C2 = !pyarray.array<?x?xf64, C>
func.func @expanded(%a: !C1, %b: !B1, %c: !C2, %v: f64) {
  // expected-error@+1 {{without the 2 loop dimensions}}
  pyarray.reduce ["add"] axes [1] ins(%a, %c : !C1, !C2) outs(%a : !C1) expanded {
  ^bb0(%x: f64, %y: f64):
    pyarray.yield %x : f64
  }
  return
}

// -----

!B1 = !pyarray.array<?xi1, C>
!C1 = !pyarray.array<?xf64, C>
!C2 = !pyarray.array<?x?xf64, C>
func.func @output(%a: !C1, %b: !B1, %c: !C2, %v: f64) {
  // expected-error@+1 {{expected an array that can be written, with 0 dimensions}}
  pyarray.reduce ["add"] axes [0] ins(%a : !C1) outs(%a : !C1) expanded {
  ^bb0(%x: f64):
    pyarray.yield %x : f64
  }
  return
}

// -----

!B1 = !pyarray.array<?xi1, C>
!C1 = !pyarray.array<?xf64, C>
!C2 = !pyarray.array<?x?xf64, C>
func.func @new_array(%a: !C1, %b: !B1, %c: !C2, %v: f64) {
  // expected-error@+1 {{expected a number, or outputs, for 1 dimensions}}
  %s = pyarray.reduce ["add"] axes [1] ins(%c : !C2) expanded {
  ^bb0(%x: f64):
    pyarray.yield %x : f64
  } -> !C1
  return
}

// -----

func.func @buffered_without_order(%a: !pyarray.array<?xf64, C>) -> f64 {
  // expected-error @+1 {{is buffered, but has no order}}
  %s = pyarray.reduce ["add"] axes [0] ins(%a : !pyarray.array<?xf64, C>) buffered {
  ^bb0(%x: f64):
    pyarray.yield %x : f64
  } -> f64
  return %s : f64
}
