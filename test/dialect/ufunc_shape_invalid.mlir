// RUN: pyarray-opt %s --split-input-file --verify-diagnostics

!A = !pyarray.array<?xf64, A>
func.func @shape_signature(%a: !A) {
  // expected-error@+1 {{has a malformed signature '()': expect '->'}}
  %0 = pyarray.ufunc_shape "()" ins(%a : !A) : si64
  return
}

// -----

!A = !pyarray.array<?xf64, A>
func.func @shape_count(%a: !A) {
  // expected-error@+1 {{has 1 inputs and 0 outputs, but the signature '(),()->()'}}
  %0 = pyarray.ufunc_shape "(),()->()" ins(%a : !A) : si64
  return
}

// -----

!A = !pyarray.array<?xf64, A>
func.func @shape_outputs(%a: !A) {
  // expected-error@+1 {{has 1 inputs and 1 outputs, but the signature '()->(),()'}}
  %0 = pyarray.ufunc_shape "()->(),()" ins(%a : !A) outs(%a : !A) : si64
  return
}

// -----

!A = !pyarray.array<?xf64, A>
func.func @shape_results(%a: !A) {
  // expected-error@+1 {{has 1 results; expected 2 of type si64}}
  %0 = pyarray.ufunc_shape "()->(n)" ins(%a : !A) : si64
  return
}

// -----

!A = !pyarray.array<?xf64, A>
func.func @shape_type(%a: !A) {
  // expected-error@+1 {{has 1 results; expected 1 of type si64}}
  %0 = pyarray.ufunc_shape "()->()" ins(%a : !A) : f64
  return
}

// -----

func.func @shape_operand(%s: !pyarray.none) {
  // expected-error@+1 {{which is neither a number nor an array}}
  pyarray.ufunc_shape "()->()" ins(%s : !pyarray.none)
  return
}

// -----

!A = !pyarray.array<?xf64, A>
func.func @broadcast_number(%x: f64, %n: si64) {
  // expected-error@+1 {{has an operand 'f64', which is no array of numbers}}
  %0 = pyarray.broadcast_to %x to (%n) : (f64, si64) -> !A
  return
}

// -----

!A = !pyarray.array<?xf64, A>
func.func @broadcast_result(%a: !A, %n: si64) {
  // expected-error@+1 {{has an operand 'f64', which is no array of numbers}}
  %0 = pyarray.broadcast_to %a to (%n) : (!A, si64) -> f64
  return
}

// -----

!A = !pyarray.array<?xf64, A>
func.func @broadcast_extent(%a: !A, %x: f64) {
  // expected-error@+1 {{has extents that are not of type si64}}
  %0 = pyarray.broadcast_to %a to (%x) : (!A, f64) -> !A
  return
}

// -----

!A = !pyarray.array<?xf64, A>
!C = !pyarray.array<?xf64, C>
func.func @broadcast_layout(%a: !A, %n: si64) {
  // expected-error@+1 {{cannot view '!pyarray.array<?xf64, A>' as '!pyarray.array<?xf64, C>' with 1 loop dimensions}}
  %0 = pyarray.broadcast_to %a to (%n) : (!A, si64) -> !C
  return
}

// -----

!A = !pyarray.array<?xf64, A>
func.func @broadcast_element(%a: !A, %n: si64) {
  // expected-error@+1 {{cannot view '!pyarray.array<?xf64, A>' as '!pyarray.array<?xf32, A>' with 1 loop dimensions}}
  %0 = pyarray.broadcast_to %a to (%n) : (!A, si64) -> !pyarray.array<?xf32, A>
  return
}

// -----

!A = !pyarray.array<?xf64, A>
func.func @broadcast_readonly(%a: !A, %n: si64) {
  // expected-error@+1 {{cannot view '!pyarray.array<?xf64, A>' as '!pyarray.array<?xf64, A, readonly>' with 1 loop dimensions}}
  %0 = pyarray.broadcast_to %a to (%n) : (!A, si64) -> !pyarray.array<?xf64, A, readonly>
  return
}

// -----

!A = !pyarray.array<?xf64, A>
func.func @broadcast_extents(%a: !A, %n: si64) {
  // expected-error@+1 {{cannot view '!pyarray.array<?xf64, A>' as '!pyarray.array<?xf64, A>' with 2 loop dimensions}}
  %0 = pyarray.broadcast_to %a to (%n, %n) : (!A, si64, si64) -> !A
  return
}

// -----

!A = !pyarray.array<?xf64, A>
!A2 = !pyarray.array<?x?xf64, A>
func.func @broadcast_loop(%a: !A, %n: si64) {
  // expected-error@+1 {{cannot view '!pyarray.array<?xf64, A>' as '!pyarray.array<?x?xf64, A>' with 3 loop dimensions}}
  %0 = pyarray.broadcast_to %a to (%n, %n, %n) : (!A, si64, si64, si64) -> !A2
  return
}

// -----

!A = !pyarray.array<?xf64, A>
func.func @broadcast_core(%a: !A, %n: si64) {
  // expected-error@+1 {{cannot view '!pyarray.array<?xf64, A>' as '!pyarray.array<?x?x?xf64, A>' with 1 loop dimensions}}
  %0 = pyarray.broadcast_to %a to (%n) : (!A, si64) -> !pyarray.array<?x?x?xf64, A>
  return
}

// -----

func.func @order_nothing() {
  // expected-error@+1 {{has 0 arrays and 0 results}}
  pyarray.order_dimensions rank 1 : () -> ()
  return
}

// -----

!A = !pyarray.array<?xf64, A>
func.func @order_count(%a: !A) {
  // expected-error@+1 {{has 1 arrays and 2 results}}
  %0:2 = pyarray.order_dimensions %a rank 1 : (!A) -> (!A, !A)
  return
}

// -----

func.func @order_number(%x: f64) {
  // expected-error@+1 {{has an operand 'f64', which is no array of numbers}}
  %0 = pyarray.order_dimensions %x rank 1 : (f64) -> f64
  return
}

// -----

!A = !pyarray.array<?xf64, A>
func.func @order_rank(%a: !A) {
  // expected-error@+1 {{orders 2 loop dimensions of '!pyarray.array<?xf64, A>'}}
  %0 = pyarray.order_dimensions %a rank 2 : (!A) -> !A
  return
}

// -----

!A = !pyarray.array<?xf64, A>
func.func @order_none(%a: !A) {
  // expected-error@+1 {{orders 0 loop dimensions of}}
  %0 = pyarray.order_dimensions %a rank 0 : (!A) -> !A
  return
}

// -----

!A = !pyarray.array<?xf64, A>
func.func @order_negative(%a: !A) {
  // expected-error@+1 {{orders -1 loop dimensions of}}
  %0 = pyarray.order_dimensions %a rank -1 : (!A) -> !A
  return
}

// -----

!A = !pyarray.array<?xf64, A>
!C = !pyarray.array<?xf64, C>
func.func @order_view(%a: !A) {
  // expected-error@+1 {{cannot view '!pyarray.array<?xf64, A>' as '!pyarray.array<?xf64, C>'}}
  %0 = pyarray.order_dimensions %a rank 1 : (!A) -> !C
  return
}

// -----

!A = !pyarray.array<?xf64, A>
func.func @independent(%a: !A, %x: f64) {
  // expected-error@+1 {{has an operand 'f64', which is no array of numbers}}
  %0 = pyarray.independent ins(%x : f64) outs(%a : !A) : i1
  return
}

// -----

!A = !pyarray.array<?xf64, A>
func.func @rows(%a: !A) {
  // expected-error@+1 {{has an operand '!pyarray.array<?xf64, A>' without rows}}
  %0:2 = pyarray.rows_apart ins(%a : !A) outs(%a : !A) : i1, si64
  return
}

// -----

!M = !pyarray.array<?x?xf64, A>
func.func @no_output(%m: !M) {
  // expected-error@+1 {{has no output}}
  %0:2 = pyarray.rows_apart ins(%m : !M) : i1, si64
  return
}

// -----

!A = !pyarray.array<?xf64, A>
func.func @strides(%a: !A, %x: f64) {
  // expected-error@+1 {{has an operand 'f64', which is no array of numbers}}
  %0 = pyarray.inner_strides ins(%x : f64) outs(%a : !A) : i1
  return
}

// -----

!A = !pyarray.array<?xf64, A>
func.func @strides_rank(%a: !A, %z: !pyarray.array<f64, C>) {
  // expected-error@+1 {{has an operand '!pyarray.array<f64, C>' without dimensions}}
  %0 = pyarray.inner_strides ins(%z : !pyarray.array<f64, C>) outs(%a : !A) : i1
  return
}
