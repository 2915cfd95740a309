// RUN: pyarray-opt %s --split-input-file --verify-diagnostics

!A = !pyarray.array<?xf64, A>
func.func @signature(%a: !A, %o: !A) {
  // expected-error@+1 {{has a malformed signature '(->()': expect a dimension name or size}}
  pyarray.ufunc "(->()" ins(%a : !A) outs(%o : !A) {
  ^bb0(%x: f64):
    pyarray.yield %x : f64
  }
  return
}

// -----

!A = !pyarray.array<?xf64, A>
func.func @count(%a: !A, %o: !A) {
  // expected-error@+1 {{has 1 inputs and 1 outputs, but the signature '(),()->()'}}
  pyarray.ufunc "(),()->()" ins(%a : !A) outs(%o : !A) {
  ^bb0(%x: f64):
    pyarray.yield %x : f64
  }
  return
}

// -----

!A = !pyarray.array<?xf64, A>
func.func @no_outputs(%a: !A, %o: !A) {
  // expected-error@+1 {{has 1 inputs and 0 outputs, but the signature '()->()'}}
  pyarray.ufunc "()->()" ins(%a : !A) {
  ^bb0(%x: f64):
    pyarray.yield %x : f64
  }
  return
}

// -----

!A = !pyarray.array<?xf64, A>
func.func @outputs_and_results(%a: !A, %o: !A) {
  // expected-error@+1 {{has 1 inputs and 1 outputs, but the signature}}
  %0 = pyarray.ufunc "()->()" ins(%a : !A) outs(%o : !A) {
  ^bb0(%x: f64):
    pyarray.yield %x : f64
  } -> !pyarray.array<?xf64, C>
  return
}

// -----

!A = !pyarray.array<?xf64, A>
func.func @rank(%a: !A, %o: !A) {
  // expected-error@+1 {{has an operand '!pyarray.array<?xf64, A>' with fewer than 2 core dimensions}}
  pyarray.ufunc "(n,n)->()" ins(%a : !A) outs(%o : !A) {
  ^bb0(%x: !A, %y: !A):
    pyarray.yield
  }
  return
}

// -----

!A = !pyarray.array<?xf64, A>
func.func @core_number(%z: f64, %o: !A) {
  // expected-error@+1 {{has an operand 'f64' with fewer than 1 core dimensions}}
  pyarray.ufunc "(n)->()" ins(%z : f64) outs(%o : !A) {
  ^bb0(%x: !A, %y: !A):
    pyarray.yield
  }
  return
}

// -----

!A = !pyarray.array<?xf64, A>
func.func @string(%s: !pyarray.str, %o: !A) {
  // expected-error@+1 {{has an operand '!pyarray.str', which is neither a number nor an array of numbers}}
  pyarray.ufunc "()->()" ins(%s : !pyarray.str) outs(%o : !A) {
  ^bb0(%x: !pyarray.str):
    pyarray.yield
  }
  return
}

// -----

!A = !pyarray.array<?xf64, A>
func.func @tuple(%s: tuple<f64, f64>, %o: !A) {
  // expected-error@+1 {{has an operand 'tuple<f64, f64>', which is neither}}
  pyarray.ufunc "()->()" ins(%s : tuple<f64, f64>) outs(%o : !A) {
  ^bb0(%x: tuple<f64, f64>):
    pyarray.yield
  }
  return
}

// -----

!A = !pyarray.array<?xf64, A>
func.func @signless(%s: i64, %o: !A) {
  // expected-error@+1 {{operand #0 must be variadic of type of a Python value}}
  pyarray.ufunc "()->()" ins(%s : i64) outs(%o : !A) {
  ^bb0(%x: f64):
    pyarray.yield %x : f64
  }
  return
}

// -----

!A = !pyarray.array<?xf64, A>
func.func @huge(%s: !pyarray.array<?x?x?x?x?x?x?x?x?x?x?x?x?x?x?x?x?x?x?x?x?x?x?x?x?x?x?x?x?x?x?x?x?xf64, A>, %o: !A) {
  // expected-error@+1 {{with at most 32 dimensions}}
  pyarray.ufunc "()->()" ins(%s : !pyarray.array<?x?x?x?x?x?x?x?x?x?x?x?x?x?x?x?x?x?x?x?x?x?x?x?x?x?x?x?x?x?x?x?x?xf64, A>) outs(%o : !A) {
  ^bb0(%x: f64):
    pyarray.yield %x : f64
  }
  return
}

// -----

!A = !pyarray.array<?xf64, A>
func.func @number_output(%a: !A, %z: f64) {
  // expected-error@+1 {{has an output 'f64', which cannot be written to}}
  pyarray.ufunc "()->()" ins(%a : !A) outs(%z : f64) {
  ^bb0(%x: f64):
    pyarray.yield %x : f64
  }
  return
}

// -----

!A = !pyarray.array<?xf64, A>
func.func @readonly_output(%a: !A, %r: !pyarray.array<?xf64, A, readonly>) {
  // expected-error@+1 {{has an output '!pyarray.array<?xf64, A, readonly>', which cannot be written to}}
  pyarray.ufunc "()->()" ins(%a : !A) outs(%r : !pyarray.array<?xf64, A, readonly>) {
  ^bb0(%x: f64):
    pyarray.yield %x : f64
  }
  return
}

// -----

!A = !pyarray.array<?xf64, A>
func.func @argument(%a: !A, %o: !A) {
  // expected-error@+1 {{has a body whose argument 'f32' does not fit the operand}}
  pyarray.ufunc "()->()" ins(%a : !A) outs(%o : !A) {
  ^bb0(%x: f32):
    pyarray.yield %x : f32
  }
  return
}

// -----

!A = !pyarray.array<?xf64, A>
!A2 = !pyarray.array<?x?xf64, A>
!F = !pyarray.array<?xf64, F>
func.func @argument_layout(%m: !A2, %o: !A) {
  // expected-error@+1 {{has a body whose argument '!pyarray.array<?xf64, F>' does not fit the operand}}
  pyarray.ufunc "(n)->()" ins(%m : !A2) outs(%o : !A) {
  ^bb0(%x: !F, %y: !A):
    pyarray.yield
  }
  return
}

// -----

!A = !pyarray.array<?xf64, A>
func.func @argument_count(%a: !A, %o: !A) {
  // expected-error@+1 {{has a body with 2 arguments}}
  pyarray.ufunc "()->()" ins(%a : !A) outs(%o : !A) {
  ^bb0(%x: f64, %y: f64):
    pyarray.yield %x : f64
  }
  return
}

// -----

!A = !pyarray.array<?xf64, A>
func.func @output_number(%a: !A, %o: !A) {
  // expected-error@+1 {{has a body that yields nothing, but gets no view of the output}}
  pyarray.ufunc "()->()" ins(%a : !A) outs(%o : !A) {
  ^bb0(%x: f64, %y: f64):
    pyarray.yield
  }
  return
}

// -----

!A = !pyarray.array<?xf64, A>
func.func @yield(%a: !A, %o: !A) {
  // expected-error@+1 {{has a body that yields 'si64' for the output}}
  pyarray.ufunc "()->()" ins(%a : !A) outs(%o : !A) {
  ^bb0(%x: f64):
    %0 = pyarray.constant 1 : si64 -> si64
    pyarray.yield %0 : si64
  }
  return
}

// -----

!A = !pyarray.array<?xf64, A>
!A2 = !pyarray.array<?x?xf64, A>
func.func @yield_core(%m: !A2, %o: !A2) {
  // expected-error@+1 {{has a body that yields 'f64' for the output}}
  pyarray.ufunc "(n)->(n)" ins(%m : !A2) outs(%o : !A2) {
  ^bb0(%x: !A):
    %0 = pyarray.constant 1.0 : f64 -> f64
    pyarray.yield %0 : f64
  }
  return
}

// -----

!A = !pyarray.array<?xf64, A>
func.func @yield_count(%a: !A, %o: !A) {
  // expected-error@+1 {{has a body that yields 2 values}}
  pyarray.ufunc "()->()" ins(%a : !A) outs(%o : !A) {
  ^bb0(%x: f64):
    pyarray.yield %x, %x : f64, f64
  }
  return
}

// -----

!A = !pyarray.array<?xf64, A>
func.func @terminator(%a: !A, %o: !A) {
  // expected-error@+1 {{has a body that does not end in pyarray.yield}}
  pyarray.ufunc "()->()" ins(%a : !A) outs(%o : !A) {
  ^bb0(%x: f64):
    %0 = pyarray.binary add %x, %x : (f64, f64) -> f64
  }
  return
}

// -----

!A = !pyarray.array<?xf64, A>
func.func @empty_block(%a: !A, %o: !A) {
  // expected-error@+1 {{expects a non-empty block}}
  pyarray.ufunc "()->()" ins(%a : !A) outs(%o : !A) {
  ^bb0(%x: f64):
  }
  return
}

// -----

!A = !pyarray.array<?xf64, A>
func.func @empty_region(%a: !A, %o: !A) {
  // expected-error@+1 {{expects a non-empty block}}
  pyarray.ufunc "()->()" ins(%a : !A) outs(%o : !A) {
  }
  return
}

// -----

!A = !pyarray.array<?xf64, A>
func.func @two_blocks(%a: !A, %o: !A) {
  // expected-error@+1 {{expects region #0 to have 0 or 1 blocks}}
  pyarray.ufunc "()->()" ins(%a : !A) outs(%o : !A) {
  ^bb0(%x: f64):
    pyarray.yield %x : f64
  ^bb1:
    pyarray.yield
  }
  return
}

// -----

!A = !pyarray.array<?xf64, A>
func.func @result_layout(%a: !A, %o: !A) {
  // expected-error@+1 {{has a result '!pyarray.array<?xf64, A>'; expected an array of layout C}}
  %0 = pyarray.ufunc "()->()" ins(%a : !A) {
  ^bb0(%x: f64):
    pyarray.yield %x : f64
  } -> !A
  return
}

// -----

!A = !pyarray.array<?xf64, A>
func.func @result_rank(%a: !A, %o: !A) {
  // expected-error@+1 {{expected an array of layout C or F with 1 dimensions}}
  %0 = pyarray.ufunc "()->()" ins(%a : !A) {
  ^bb0(%x: f64):
    pyarray.yield %x : f64
  } -> !pyarray.array<?x?xf64, C>
  return
}

// -----

!A = !pyarray.array<?xf64, A>
func.func @result_extent(%a: !A, %o: !A) {
  // expected-error@+1 {{expected an array of layout C or F with 1 dimensions}}
  %0 = pyarray.ufunc "()->()" ins(%a : !A) {
  ^bb0(%x: f64):
    pyarray.yield %x : f64
  } -> !pyarray.array<3xf64, C>
  return
}

// -----

!A = !pyarray.array<?xf64, A>
!A2 = !pyarray.array<?x?xf64, A>
func.func @result_unknown(%m: !A2) {
  // expected-error@+1 {{has a result whose core dimensions no input has}}
  %0 = pyarray.ufunc "(n)->(p)" ins(%m : !A2) {
  ^bb0(%x: !A, %y: !A):
    pyarray.yield
  } -> !pyarray.array<?x?xf64, C>
  return
}

// -----

!A = !pyarray.array<?xf64, A>
!A2 = !pyarray.array<?x?xf64, A>
func.func @packed(%m: !A2, %o: !A) {
  // expected-error@+1 {{is packed, but not elementwise}}
  pyarray.ufunc "(n)->()" ins(%m : !A2) outs(%o : !A) packed {
  ^bb0(%x: !A, %y: !A):
    pyarray.yield
  }
  return
}

// -----

!A = !pyarray.array<?xf64, A>
!A2 = !pyarray.array<?x?xf64, A>
func.func @expanded(%m: !A2, %o: !A) {
  // expected-error@+1 {{without the 2 loop dimensions}}
  pyarray.ufunc "()->()" ins(%m : !A2) outs(%o : !A) expanded {
  ^bb0(%x: f64):
    pyarray.yield %x : f64
  }
  return
}

// -----

!A = !pyarray.array<?xf64, A>
!C = !pyarray.array<?xf64, C>
func.func @expanded_result(%a: !A) {
  // expected-error@+1 {{is expanded, but has no outputs}}
  %0 = pyarray.ufunc "()->()" ins(%a : !A) expanded {
  ^bb0(%x: f64):
    pyarray.yield %x : f64
  } -> !C
  return
}

// -----

!A = !pyarray.array<?xf64, A>
!A2 = !pyarray.array<?x?xf64, A>
func.func @output_rank(%m: !A2, %o: !A) {
  // expected-error@+1 {{has an operand '!pyarray.array<?xf64, A>' without the 2 loop dimensions}}
  pyarray.ufunc "()->()" ins(%m : !A2) outs(%o : !A) {
  ^bb0(%x: f64):
    pyarray.yield %x : f64
  }
  return
}

// -----

!A = !pyarray.array<?xf64, A>
func.func @packed_view(%a: !A, %o: !A) {
  // expected-error@+1 {{is packed, but not elementwise}}
  pyarray.ufunc "()->()" ins(%a : !A) outs(%o : !A) packed {
  ^bb0(%x: !A):
    %0 = pyarray.constant 1.0 : f64 -> f64
    pyarray.yield %0 : f64
  }
  return
}
