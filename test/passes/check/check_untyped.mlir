// RUN: pyarray-opt %s --pyarray-check-untyped --split-input-file --verify-diagnostics

func.func @fine(%x: !pyarray.any) -> !pyarray.any {
  %c = pyarray.truth %x : !pyarray.any
  %0 = scf.if %c -> !pyarray.any {
    scf.yield %x : !pyarray.any
  } else {
    %1 = pyarray.apply %x(%x) : (!pyarray.any, !pyarray.any) -> !pyarray.any
    scf.yield %1 : !pyarray.any
  }
  return %0 : !pyarray.any
}

// -----

// expected-error@+1 {{'func.func' has a value of type 'f64'; at level 1 all are '!pyarray.any', save conditions}}
func.func @number(%x: f64) {
  // expected-error@+1 {{'pyarray.builtin' is an operation of typed IR; at level 1 calls are pyarray.apply and pyarray.method}}
  %0 = pyarray.builtin "math.sqrt"(%x) : (f64) -> f64
  return
}

// -----

func.func @foreign(%c: i1) {
  // expected-error@+1 {{'arith.select' is no operation of level 1}}
  %0 = arith.select %c, %c, %c : i1
  return
}
