// With PYARRAY_VERIFY the contract of the level is checked in front of a pass that is run alone, and behind the last one of a stage.

// RUN: not env PYARRAY_VERIFY=1 pyarray-opt %s --pyarray-lower 2>&1 | FileCheck %s --check-prefix=BEFORE
// RUN: not env PYARRAY_VERIFY=1 pyarray-opt %s --pyarray-specialize-strides 2>&1 | FileCheck %s --check-prefix=BEFORE
// RUN: env PYARRAY_VERIFY=0 pyarray-opt %s --pyarray-specialize-strides | FileCheck %s --check-prefix=UNCHECKED

// BEFORE: error: 'pyarray.ufunc' is not expanded
// UNCHECKED: pyarray.ufunc
!A = !pyarray.array<?xf64, A>
func.func @f(%a: !A, %o: !A) -> !pyarray.none {
  pyarray.ufunc "()->()" ins(%a : !A) outs(%o : !A) {
  ^bb0(%x: f64):
    pyarray.yield %x : f64
  }
  %n = pyarray.constant unit -> !pyarray.none
  return %n : !pyarray.none
}
