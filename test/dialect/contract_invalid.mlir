// RUN: pyarray-opt %s --split-input-file --verify-diagnostics

!C2 = !pyarray.array<?x?xf64, C>
func.func @text(%a: !C2) -> !C2 {
  // expected-error@+1 {{has a malformed contraction 'mk,kn->m': a dimension of one operand is not in the result}}
  %0 = pyarray.contract "mk,kn->m" ins(%a, %a : !C2, !C2) -> !C2
  return %0 : !C2
}

// -----

!C2 = !pyarray.array<?x?xf64, C>
func.func @count(%a: !C2) {
  // expected-error@+1 {{has two inputs, and an output or a result}}
  pyarray.contract "mk,kn->mn" ins(%a, %a : !C2, !C2)
  return
}

// -----

!C2 = !pyarray.array<?x?xf64, C>
!C3 = !pyarray.array<?x?x?xf64, C>
func.func @rank(%a: !C2, %b: !C3) -> !C2 {
  // expected-error@+1 {{has an operand '!pyarray.array<?x?x?xf64, C>' that does not fit 'mk,kn->mn'}}
  %0 = pyarray.contract "mk,kn->mn" ins(%b, %a : !C3, !C2) -> !C2
  return %0 : !C2
}

// -----

!C2 = !pyarray.array<?x?xf64, C>
!F2 = !pyarray.array<?x?xf32, C>
func.func @types(%a: !C2, %b: !F2) -> !C2 {
  // expected-error@+1 {{has operands of the types '!pyarray.array<?x?xf64, C>' and '!pyarray.array<?x?xf32, C>'}}
  %0 = pyarray.contract "mk,kn->mn" ins(%a, %b : !C2, !F2) -> !C2
  return %0 : !C2
}

// -----

!C2 = !pyarray.array<?x?xf64, C>
!R2 = !pyarray.array<?x?xf64, C, readonly>
func.func @readonly(%a: !C2, %o: !R2) {
  // expected-error@+1 {{which cannot be written to}}
  pyarray.contract "mk,kn->mn" ins(%a, %a : !C2, !C2) outs(%o : !R2)
  return
}

// -----

!C2 = !pyarray.array<?x?xf64, C>
!F = !pyarray.array<?x?xf64, F>
func.func @layout(%a: !C2) -> !F {
  // expected-error@+1 {{expected an array of layout C with 2 dimensions, or a number where that is 0}}
  %0 = pyarray.contract "mk,kn->mn" ins(%a, %a : !C2, !C2) -> !F
  return %0 : !F
}

// -----

!C2 = !pyarray.array<?x?xf64, C>
func.func @expanded(%a: !C2, %o: !C2) {
  // expected-error@+1 {{is expanded, but 'mk,nk->mn' is no product}}
  pyarray.contract "mk,nk->mn" ins(%a, %a : !C2, !C2) outs(%o : !C2) expanded
  return
}

// -----

!C2 = !pyarray.array<?x?xf64, C>
!C3 = !pyarray.array<?x?x?xf64, C>
func.func @loops(%a: !C2, %o: !C3) {
  // expected-error@+1 {{has an operand '!pyarray.array<?x?xf64, C>' without the 1 loop dimensions}}
  pyarray.contract "...mk,...kn->...mn" ins(%a, %a : !C2, !C2) outs(%o : !C3) expanded
  return
}
