// RUN: pyarray-opt %s --pyarray-check-optimized --split-input-file --verify-diagnostics

func.func @fine(%x: f64) {
  %0 = pyarray.list %x : (f64) -> !pyarray.list<f64>
  pyarray.release %0 : !pyarray.list<f64>
  return
}

// -----

func.func @leaks(%l: !pyarray.list<!pyarray.array<?xf64, A>>, %i: si64) {
  // expected-error@+1 {{'pyarray.getitem' gives a new reference, '!pyarray.array<?xf64, A>', which nothing releases}}
  %0 = pyarray.getitem %l[%i] : (!pyarray.list<!pyarray.array<?xf64, A>>, si64) -> !pyarray.array<?xf64, A>
  return
}

// -----

func.func @iterator(%d: !pyarray.dict<si64, f64>) {
  // expected-error@+1 {{'pyarray.iterator' is gone at level 3}}
  %0 = pyarray.iterator %d : (!pyarray.dict<si64, f64>) -> tuple<!pyarray.dict<si64, f64>, si64>
  return
}

// -----

// expected-error@+1 {{has a value of type '!pyarray.datetime<"D">'; at level 3 times are si64}}
func.func @time(%d: !pyarray.datetime<"D">) {
  return
}

// -----

func.func @ufunc(%a: !pyarray.array<?xf64, A>, %o: !pyarray.array<?xf64, A>) {
  // expected-error@+1 {{'pyarray.ufunc' is not expanded; at level 3 all its arrays have one loop shape, and outputs are given}}
  pyarray.ufunc "()->()" ins(%a : !pyarray.array<?xf64, A>) outs(%o : !pyarray.array<?xf64, A>) {
  ^bb0(%x: f64):
    pyarray.yield %x : f64
  }
  return
}
